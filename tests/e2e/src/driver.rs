//! What the driver is asked for: how the browser is started, and commands beyond the WebDriver standard.

use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use http::Method;
use serde_json::{Value, json};
use url::{ParseError, Url};

/// How the browser is set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Width of the page.
    pub width: u32,
    /// Height of the page.
    pub height: u32,
    /// What the system asks of pages.
    pub system: System,
}

/// The scheme of colours the system asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    /// Light pages.
    Light,
    /// Dark pages.
    Dark,
}

impl System {
    /// Its name in style sheets.
    pub fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

impl Default for Look {
    fn default() -> Self {
        Self { width: 1440, height: 1000, system: System::Light }
    }
}

/// The GPU that pages see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adapter {
    /// None.
    Missing,
    /// A processor that stands in for one.
    Software,
}

/// A command of Chromium's developer tools: its name and parameters.
#[derive(Debug)]
pub(crate) struct DevTools(pub(crate) Value);

/// The browser's console since the last call.
#[derive(Debug)]
pub(crate) struct BrowserLog;

impl WebDriverCompatibleCommand for DevTools {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        beneath(base, session, "goog/cdp/execute")
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.0.to_string()))
    }
}

impl WebDriverCompatibleCommand for BrowserLog {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        beneath(base, session, "se/log")
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(r#"{"type": "browser"}"#.to_owned()))
    }
}

fn beneath(base: &Url, session: Option<&str>, path: &str) -> Result<Url, ParseError> {
    base.join(&format!("session/{}/{path}", session.unwrap_or_default()))
}

/// A browser without a window, with a console that can be read.
pub(crate) fn capabilities(look: Look, adapter: Adapter) -> Capabilities {
    let mut args: Vec<String> = [
        "--headless",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--no-first-run",
        "--disable-component-update",
        "--disable-sync",
        "--hide-scrollbars",
    ]
    .map(str::to_owned)
    .into();
    let gpu: &[&str] = match adapter {
        Adapter::Missing => &["--disable-gpu"],
        Adapter::Software => {
            &["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan"]
        }
    };
    args.extend(gpu.iter().map(|&flag| flag.to_owned()));
    args.push(format!("--window-size={},{}", look.width, look.height));
    let mut options = json!({ "args": args });
    if let Ok(binary) = std::env::var("WARPSPAN_CHROMIUM") {
        options["binary"] = json!(binary);
    }
    let mut capabilities = Capabilities::new();
    capabilities.insert("goog:chromeOptions".to_owned(), options);
    capabilities.insert("goog:loggingPrefs".to_owned(), json!({"browser": "WARNING"}));
    capabilities
}
