//! Drives the built page in a real browser: a session per test, elements by `data-testid`, waits that end.
//!
//! `cargo xtask test e2e` serves the page, starts the driver and names both in the environment.

use std::time::{Duration, Instant};

use fantoccini::elements::Element;
use fantoccini::error::CmdError;
use fantoccini::key::Key;
use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

/// How long anything on the page may take to appear.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a test returns.
pub type Outcome = Result<(), String>;

/// How the browser is set up.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Width of the window.
    pub width: u32,
    /// Height of the window.
    pub height: u32,
    /// Whether the system asks for dark pages.
    pub dark: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self { width: 1440, height: 1000, dark: false }
    }
}

/// The page in a browser.
pub struct Page {
    /// The session, for what this wrapper does not offer.
    pub client: Client,
    url: String,
}

impl Page {
    /// Opens the page with a part after `#`, which may be empty, and waits for its first picture.
    pub async fn open(fragment: &str) -> Result<Self, String> {
        let page = Self::open_as(Look::default(), fragment).await?;
        page.wait_for("makespan").await?;
        Ok(page)
    }

    /// Opens the page in a certain look, without waiting for anything.
    pub async fn open_as(look: Look, fragment: &str) -> Result<Self, String> {
        let url = variable("WARPSPAN_URL")?;
        let driver = variable("WARPSPAN_WEBDRIVER")?;
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities(look))
            .connect(&driver)
            .await
            .map_err(|error| format!("no session with the driver at {driver}: {error}"))?;
        let page = Self { client, url };
        // Headless windows have no frame, but for phones the window cannot be made narrow enough.
        page.devtools(
            "Emulation.setDeviceMetricsOverride",
            json!({
                "width": look.width, "height": look.height, "deviceScaleFactor": 1, "mobile": false
            }),
        )
        .await?;
        page.go(fragment).await?;
        Ok(page)
    }

    /// Goes to the page with a part after `#`.
    pub async fn go(&self, fragment: &str) -> Outcome {
        self.client.goto(&format!("{}{fragment}", self.url)).await.map_err(said)
    }

    /// The address the page was served at.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Ends the session.
    pub async fn close(self) -> Outcome {
        self.client.close().await.map_err(said)
    }

    /// The element with that `data-testid`, once it is there.
    pub async fn wait_for(&self, id: &str) -> Result<Element, String> {
        let selector = format!("[data-testid='{id}']");
        let found = self.client.wait().at_most(PATIENCE).for_element(Locator::Css(&selector)).await;
        found.map_err(|error| format!("no {id} on the page: {error}"))
    }

    /// Whether there is an element with that `data-testid` now.
    pub async fn has(&self, id: &str) -> Result<bool, String> {
        let selector = format!("[data-testid='{id}']");
        self.client.find_all(Locator::Css(&selector)).await.map(|found| !found.is_empty()).map_err(said)
    }

    /// Its text, as a reader sees it.
    pub async fn text(&self, id: &str) -> Result<String, String> {
        let script = "return document.querySelector(`[data-testid='${arguments[0]}']`)?.textContent ?? null";
        match self.eval(script, vec![json!(id)]).await? {
            Value::String(text) => Ok(text.trim().to_owned()),
            _ => Err(format!("no {id} on the page")),
        }
    }

    /// Waits until its text is what it should be.
    pub async fn expect(&self, id: &str, wanted: &str) -> Outcome {
        self.expect_that(id, wanted, |text| text == wanted).await
    }

    /// Waits until its text holds something.
    pub async fn expect_part(&self, id: &str, part: &str) -> Outcome {
        self.expect_that(id, part, |text| text.contains(part)).await
    }

    async fn expect_that(&self, id: &str, wanted: &str, fits: impl Fn(&str) -> bool) -> Outcome {
        let start = Instant::now();
        loop {
            let found = self.text(id).await;
            match found {
                Ok(text) if fits(&text) => return Ok(()),
                found if start.elapsed() > PATIENCE => {
                    return Err(format!("{id}: {found:?}, expected {wanted:?}"));
                }
                _ => tokio::time::sleep(Duration::from_millis(30)).await,
            }
        }
    }

    /// Clicks it.
    pub async fn click(&self, id: &str) -> Outcome {
        self.wait_for(id).await?.click().await.map_err(|error| format!("{id}: {error}"))
    }

    /// Chooses an option of a list by its value.
    pub async fn choose(&self, id: &str, value: &str) -> Outcome {
        let script = "const e = document.querySelector(`[data-testid='${arguments[0]}']`);
            if (![...e.options].some((o) => o.value === arguments[1])) return false;
            e.value = arguments[1]; e.dispatchEvent(new Event('change', {bubbles: true})); return true";
        self.wait_for(id).await?;
        match self.eval(script, vec![json!(id), json!(value)]).await? {
            Value::Bool(true) => Ok(()),
            _ => Err(format!("{id} has no option {value}")),
        }
    }

    /// Replaces what stands in a field.
    pub async fn fill(&self, id: &str, text: &str) -> Outcome {
        let field = self.wait_for(id).await?;
        field.click().await.map_err(said)?;
        let all = format!("{}a{}", char::from(Key::Control), char::from(Key::Null));
        field.send_keys(&all).await.map_err(said)?;
        let written = format!("{}{text}", char::from(Key::Delete));
        field.send_keys(&written).await.map_err(said)
    }

    /// Puts a whole text into a field at once, as pasting does.
    pub async fn put(&self, id: &str, text: &str) -> Outcome {
        self.wait_for(id).await?;
        let script = "const e = document.querySelector(`[data-testid='${arguments[0]}']`);
            e.value = arguments[1]; e.dispatchEvent(new Event('input', {bubbles: true}))";
        self.eval(script, vec![json!(id), json!(text)]).await.map(drop)
    }

    /// Presses keys on whatever has the focus.
    pub async fn press(&self, keys: &str) -> Outcome {
        let element = self.client.active_element().await.map_err(said)?;
        element.send_keys(keys).await.map_err(said)
    }

    /// Runs a script in the page.
    pub async fn eval(&self, script: &str, args: Vec<Value>) -> Result<Value, String> {
        self.client.execute(script, args).await.map_err(said)
    }

    /// Runs a script that calls back.
    pub async fn eval_async(&self, script: &str, args: Vec<Value>) -> Result<Value, String> {
        self.client.execute_async(script, args).await.map_err(said)
    }

    /// Waits until a script returns true.
    pub async fn until(&self, what: &str, script: &str) -> Outcome {
        let start = Instant::now();
        while self.eval(script, vec![]).await? != Value::Bool(true) {
            if start.elapsed() > PATIENCE {
                return Err(format!("waited in vain for: {what}"));
            }
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
        Ok(())
    }

    /// Sends a command of the developer tools.
    pub async fn devtools(&self, command: &str, params: Value) -> Result<Value, String> {
        let call = DevTools(json!({"cmd": command, "params": params}));
        self.client.issue_cmd(call).await.map_err(said)
    }

    /// A picture of the window as PNG.
    pub async fn screenshot(&self) -> Result<Vec<u8>, String> {
        self.client.screenshot().await.map_err(said)
    }

    /// What the page has written to its console as errors or warnings.
    pub async fn complaints(&self) -> Result<Vec<String>, String> {
        let log = self.client.issue_cmd(BrowserLog).await.map_err(said)?;
        let lines = log.as_array().cloned().unwrap_or_default();
        Ok(lines.iter().filter_map(|line| line.get("message")?.as_str().map(str::to_owned)).collect())
    }
}

/// A key as WebDriver sends it.
pub fn key(key: Key) -> String {
    char::from(key).to_string()
}

fn capabilities(look: Look) -> Capabilities {
    let mut args = vec![
        "--headless".to_owned(),
        "--no-sandbox".to_owned(),
        "--disable-gpu".to_owned(),
        "--disable-background-networking".to_owned(),
        "--no-first-run".to_owned(),
        "--disable-component-update".to_owned(),
        "--disable-sync".to_owned(),
        "--hide-scrollbars".to_owned(),
        format!("--window-size={},{}", look.width, look.height),
    ];
    if look.dark {
        args.push("--force-dark-mode".to_owned());
        args.push("--blink-settings=preferredColorScheme=0".to_owned());
    }
    let mut options = json!({ "args": args });
    if let Ok(binary) = std::env::var("WARPSPAN_CHROMIUM") {
        options["binary"] = json!(binary);
    }
    let mut capabilities = Capabilities::new();
    capabilities.insert("goog:chromeOptions".to_owned(), options);
    capabilities.insert("goog:loggingPrefs".to_owned(), json!({"browser": "WARNING"}));
    capabilities
}

fn variable(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|_| format!("{name} is not set; run these tests with: cargo xtask test e2e"))
}

fn said(error: CmdError) -> String {
    error.to_string()
}

/// A command of Chromium's developer tools.
#[derive(Debug)]
struct DevTools(Value);

/// The browser's console since the last call.
#[derive(Debug)]
struct BrowserLog;

mod extensions {
    //! Commands beyond the WebDriver standard.

    use super::{BrowserLog, DevTools};
    use fantoccini::wd::WebDriverCompatibleCommand;
    use http::Method;

    type Endpoint = Result<url::Url, url::ParseError>;

    fn beneath(base: &url::Url, session: Option<&str>, path: &str) -> Endpoint {
        base.join(&format!("session/{}/{path}", session.unwrap_or_default()))
    }

    impl WebDriverCompatibleCommand for DevTools {
        fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Endpoint {
            beneath(base, session, "goog/cdp/execute")
        }

        fn method_and_body(&self, _: &url::Url) -> (Method, Option<String>) {
            (Method::POST, Some(self.0.to_string()))
        }
    }

    impl WebDriverCompatibleCommand for BrowserLog {
        fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Endpoint {
            beneath(base, session, "se/log")
        }

        fn method_and_body(&self, _: &url::Url) -> (Method, Option<String>) {
            (Method::POST, Some(r#"{"type": "browser"}"#.to_owned()))
        }
    }
}
