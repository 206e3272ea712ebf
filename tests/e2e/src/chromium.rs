//! Chromium: how it is started, and what only its developer tools can do.
//!
//! It takes seconds to start and is kept: each test gets a new tab, and whatever a test stored is cleared before.

use std::sync::{Mutex, PoisonError};

use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder};
use http::Method;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use url::{ParseError, Url};

use crate::lasting::on_lasting_runtime;
use crate::patience::of_drivers;
use crate::{Adapter, Colours, Look, Outcome, Screen, patiently, said, variable};

/// A command of Chromium's developer tools: its name and parameters.
#[derive(Debug)]
struct DevTools(Value);

/// The browser's console since the last call.
#[derive(Debug)]
struct BrowserLog;

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

/// The address of a command beyond the WebDriver standard.
pub(crate) fn beneath(base: &Url, session: Option<&str>, path: &str) -> Result<Url, ParseError> {
    base.join(&format!("session/{}/{path}", session.unwrap_or_default()))
}

/// Browsers that wait for a test.
static IDLE: Mutex<Vec<Client>> = Mutex::new(Vec::new());

/// A Chromium with nothing in it but an empty tab; `url` is where tests open the page.
pub(crate) async fn start(look: Look, adapter: Adapter, url: &str) -> Result<Client, String> {
    let idle = match adapter {
        Adapter::Missing => IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop(),
        Adapter::Software => None,
    };
    if let Some(client) = idle {
        if empty(&client, url).await.is_ok() {
            return Ok(client);
        }
        // It broke after its last test, and may not even hear that it shall end.
        let _ = client.close().await;
    }
    let driver = variable("WARPSPAN_WEBDRIVER")?;
    // A machine with much else to do may take longer to start a browser than its driver waits.
    patiently("a new browser", async || Ok(on_lasting_runtime(connect(driver.clone(), look, adapter)).await))
        .await
}

/// Keeps a browser for the next test.
pub(crate) fn give_back(client: Client) {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(client);
}

async fn connect(driver: String, look: Look, adapter: Adapter) -> Result<Client, String> {
    let mut builder = ClientBuilder::new(HttpConnector::new());
    let connected = builder.capabilities(capabilities(look, adapter)).connect(&driver).await;
    connected.map_err(|error| format!("no session with the driver at {driver}: {error}"))
}

/// Leaves one tab, which nobody has used, and nothing of what was stored.
async fn empty(client: &Client, url: &str) -> Outcome {
    let old = client.windows().await.map_err(said)?;
    let fresh = client.new_window(true).await.map_err(said)?.handle;
    for window in old {
        client.switch_to_window(window).await.map_err(said)?;
        client.close_window().await.map_err(said)?;
    }
    client.switch_to_window(fresh).await.map_err(said)?;
    tell(client, "Page.bringToFront", json!({})).await?;
    let stored = json!({"origin": url, "storageTypes": "all"});
    tell(client, "Storage.clearDataForOrigin", stored).await?;
    for what in ["Network.clearBrowserCache", "Network.clearBrowserCookies"] {
        tell(client, what, json!({})).await?;
    }
    complaints(client).await.map(drop)
}

/// A browser without a window, with a console that can be read.
fn capabilities(look: Look, adapter: Adapter) -> Capabilities {
    let mut args: Vec<String> = [
        "--headless",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--no-first-run",
        "--disable-component-update",
        "--disable-sync",
        "--hide-scrollbars",
        "--force-prefers-reduced-motion",
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
    capabilities.insert("timeouts".to_owned(), of_drivers());
    capabilities.insert("goog:loggingPrefs".to_owned(), json!({"browser": "WARNING"}));
    capabilities
}

/// Changes size and colours; windows alone do not get as narrow as phones are.
pub(crate) async fn look(client: &Client, look: Look, screen: Screen, colours: Colours) -> Outcome {
    let size = json!({"width": look.width, "height": look.height, "deviceScaleFactor": screen.density(),
        "mobile": false});
    tell(client, "Emulation.setDeviceMetricsOverride", size).await?;
    // What has the focus has it, whichever window of which browser the system takes for the first one.
    tell(client, "Emulation.setFocusEmulationEnabled", json!({"enabled": true})).await?;
    let features = json!({"features": [
        {"name": "prefers-color-scheme", "value": look.system.name()},
        {"name": "forced-colors", "value": colours.name()}
    ]});
    tell(client, "Emulation.setEmulatedMedia", features).await.map(drop)
}

/// Makes the screen one that fingers touch.
pub(crate) async fn fingers(client: &Client) -> Outcome {
    let touch = json!({"enabled": true, "maxTouchPoints": 2});
    tell(client, "Emulation.setTouchEmulationEnabled", touch).await.map(drop)
}

/// Makes processor and network slower, as a middling phone's; one time is as fast as they are.
pub(crate) async fn slow_down(client: &Client, times: u32) -> Outcome {
    let is_slow = times > 1;
    let bytes = |kilobits: i64| if is_slow { kilobits * 1024 / 8 } else { -1 };
    tell(client, "Emulation.setCPUThrottlingRate", json!({ "rate": times })).await?;
    tell(client, "Network.enable", json!({})).await?;
    let network = json!({"offline": false, "latency": if is_slow { 150 } else { 0 },
        "downloadThroughput": bytes(1638), "uploadThroughput": bytes(750)});
    tell(client, "Network.emulateNetworkConditions", network).await.map(drop)
}

/// Puts down fingers, moves them from place to place and lifts them.
pub(crate) async fn touch(client: &Client, places: &[&[(f64, f64)]]) -> Outcome {
    for (i, fingers) in places.iter().enumerate() {
        let points: Vec<Value> =
            (0..).zip(*fingers).map(|(id, (x, y))| json!({"x": x, "y": y, "id": id})).collect();
        let kind = if i == 0 { "touchStart" } else { "touchMove" };
        tell(client, "Input.dispatchTouchEvent", json!({"type": kind, "touchPoints": points})).await?;
    }
    let end = json!({"type": "touchEnd", "touchPoints": []});
    tell(client, "Input.dispatchTouchEvent", end).await.map(drop)
}

/// Moves the mouse to a point and clicks there twice, however long that takes.
pub(crate) async fn double_click(client: &Client, (x, y): (f64, f64)) -> Outcome {
    let moved = json!({"type": "mouseMoved", "x": x, "y": y});
    tell(client, "Input.dispatchMouseEvent", moved).await?;
    for click in 1..=2 {
        for (kind, buttons) in [("mousePressed", 1), ("mouseReleased", 0)] {
            let event = json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons,
                "clickCount": click});
            tell(client, "Input.dispatchMouseEvent", event).await?;
        }
    }
    Ok(())
}

/// Has a script run in every page opened from now on, before the page's own.
pub(crate) async fn before_load(client: &Client, script: &str) -> Outcome {
    let source = json!({ "source": script });
    tell(client, "Page.addScriptToEvaluateOnNewDocument", source).await.map(drop)
}

/// Errors and warnings on the console since the last call.
pub(crate) async fn complaints(client: &Client) -> Result<Vec<String>, String> {
    let log = client.issue_cmd(BrowserLog).await.map_err(said)?;
    let lines = log.as_array().cloned().unwrap_or_default();
    Ok(lines.iter().filter_map(|line| line.get("message")?.as_str().map(str::to_owned)).collect())
}

/// Role and name of everything that screen readers are told of.
pub(crate) async fn roles(client: &Client) -> Result<Vec<(String, String)>, String> {
    let tree = tell(client, "Accessibility.getFullAXTree", json!({})).await?;
    let nodes = tree["nodes"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value["value"].as_str().unwrap_or_default().to_owned();
    let shown = nodes.iter().filter(|node| node["ignored"] == false);
    Ok(shown.map(|node| (text(&node["role"]), text(&node["name"]))).collect())
}

async fn tell(client: &Client, command: &str, params: Value) -> Result<Value, String> {
    client.issue_cmd(DevTools(json!({"cmd": command, "params": params}))).await.map_err(said)
}
