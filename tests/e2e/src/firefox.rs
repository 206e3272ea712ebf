//! Firefox: how it is started, and what only scripts in the browser's own scope can do.
//!
//! It takes seconds to start and is kept: each test gets a new tab in a container of its own, so that
//! nothing that a test stored is there for the next.

mod driver;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder};
use http::Method;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use url::{ParseError, Url};

use crate::chromium::beneath;
use crate::lasting::on_lasting_runtime;
use crate::patience::of_drivers;
use crate::{Colours, Look, Outcome, Screen, patiently, said};

/// Whether scripts see the browser or the page in it.
#[derive(Debug, Clone, Copy)]
enum Scope {
    Browser,
    Page,
}

impl WebDriverCompatibleCommand for Scope {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        beneath(base, session, "moz/context")
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        let name = match self {
            Self::Browser => "chrome",
            Self::Page => "content",
        };
        (Method::POST, Some(json!({ "context": name }).to_string()))
    }
}

/// Browsers that wait for a test.
static IDLE: Mutex<Vec<Client>> = Mutex::new(Vec::new());
/// Tests so far: each has a container of that number.
static CONTAINERS: AtomicU32 = AtomicU32::new(1);

/// A Firefox with nothing in it but an empty tab.
pub(crate) async fn start() -> Result<Client, String> {
    let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
    if let Some(client) = idle {
        if empty(&client).await.is_ok() {
            return Ok(client);
        }
        // It broke after its last test, and may not even hear that it shall end.
        let _ = client.close().await;
    }
    let client = on_lasting_runtime(connect()).await?;
    within(&client, LISTEN, vec![json!(IN_PROCESSES)]).await?;
    empty(&client).await?;
    Ok(client)
}

/// Keeps a browser for the next test.
pub(crate) fn give_back(client: Client) {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(client);
}

async fn connect() -> Result<Client, String> {
    let driver = driver::start().await?;
    // Scrollbars over the page, as on phones: they would make it narrower than the test says.
    let mut options =
        json!({"args": ["-headless"], "prefs": {"ui.useOverlayScrollbars": 1, "ui.prefersReducedMotion": 1}});
    if let Ok(binary) = std::env::var("WARPSPAN_FIREFOX") {
        options["binary"] = json!(binary);
    }
    let mut capabilities = Capabilities::new();
    capabilities.insert("moz:firefoxOptions".to_owned(), options);
    capabilities.insert("timeouts".to_owned(), of_drivers());
    let mut builder = ClientBuilder::new(HttpConnector::new());
    let connected = builder.capabilities(capabilities).connect(&format!("http://{driver}")).await;
    connected.map_err(|error| format!("no session with geckodriver at {driver}: {error}"))
}

/// Runs in every process that pages live in: hands on what they and their workers write to the console, and
/// runs scripts before those of a page.
const IN_PROCESSES: &str = r"{
    const tell = (line) => Services.cpmm.sendAsyncMessage('warpspan:console', line);
    const storage = Cc['@mozilla.org/consoleAPI-storage;1'].getService(Ci.nsIConsoleAPIStorage);
    storage.addLogEventListener(({wrappedJSObject: said}) => {
        if (['error', 'warn', 'assert'].includes(said.level)) tell(Array.from(said.arguments).map(String).join(' '));
    }, Cc['@mozilla.org/systemprincipal;1'].createInstance(Ci.nsIPrincipal));
    Services.obs.addObserver((page) => {
        for (const script of Services.cpmm.sharedData.get('warpspan:before') ?? []) {
            const sandbox = Cu.Sandbox(page, {sandboxPrototype: page, wantXrays: false});
            sandbox.script = `{${script}}`;
            try { Cu.evalInSandbox('window.eval(script)', sandbox); } catch (error) { tell(String(error)); }
        }
    }, 'content-document-global-created');
}";

/// Starts those, and keeps what they hand on, with what scripts throw and nobody catches; and gives a page that
/// takes the place of another in the tab the look of that.
const LISTEN: &str = r"window.complaints = [];
    window.overrides = {};
    Services.obs.addObserver((page) => {
        if (!page.parent) Object.assign(page, window.overrides);
    }, 'browsing-context-attached');
    Services.ppmm.addMessageListener('warpspan:console', ({data}) => window.complaints.push(data));
    Services.console.registerListener({observe(message) {
        if (message instanceof Ci.nsIScriptError && message.category.startsWith('content javascript')
            && !(message.flags & Ci.nsIScriptError.infoFlag)) window.complaints.push(message.errorMessage);
    }});
    Services.ppmm.loadProcessScript(`data:,${encodeURIComponent(arguments[0])}`, true);";

/// What Firefox says of a page that it is closing, which is the one of the test before.
const OF_CLOSED_PAGES: [&str; 2] = ["Script terminated by timeout", "Failed to get service worker"];

/// Leaves one tab, in a container that nothing was ever stored in.
const EMPTY: &str = r"Services.ppmm.sharedData.set('warpspan:before', []);
    Services.ppmm.sharedData.flush();
    const old = [...gBrowser.tabs];
    gBrowser.selectedTab = gBrowser.addTab('about:blank', {
        userContextId: arguments[0], triggeringPrincipal: Services.scriptSecurityManager.getSystemPrincipal()});
    old.forEach((tab) => gBrowser.removeTab(tab, {skipPermitUnload: true}));
    window.complaints.length = 0;
    window.overrides = {};";

async fn empty(client: &Client) -> Outcome {
    let container = CONTAINERS.fetch_add(1, Ordering::Relaxed);
    within(client, EMPTY, vec![json!(container)]).await?;
    let tabs = client.windows().await.map_err(said)?;
    let tab = tabs.into_iter().next().ok_or("Firefox has no tab")?;
    client.switch_to_window(tab).await.map_err(said)
}

/// Changes size and colours of the tab; the window stays as it is.
pub(crate) async fn look(client: &Client, look: Look, screen: Screen, colours: Colours) -> Outcome {
    let script = r"const [width, height, scheme, colours, density] = arguments, tab = gBrowser.selectedBrowser;
        Object.assign(tab.style, {width: `${width}px`, height: `${height}px`, maxWidth: 'none', maxHeight: 'none'});
        Object.assign(window.overrides,
            {prefersColorSchemeOverride: scheme, forcedColorsOverride: colours, overrideDPPX: density});
        Object.assign(tab.browsingContext, window.overrides);";
    let args = [
        json!(look.width),
        json!(look.height),
        json!(look.system.name()),
        json!(colours.name()),
        json!(screen.density()),
    ];
    within(client, script, args.into()).await?;
    // The page hears of it later.
    let there = "return innerWidth === arguments[0] && innerHeight === arguments[1]";
    patiently(&format!("a page of {} by {} pixels", look.width, look.height), async || {
        let found = client.execute(there, vec![json!(look.width), json!(look.height)]).await.map_err(said)?;
        Ok(if found == json!(true) { Ok(()) } else { Err("another size".to_owned()) })
    })
    .await
}

/// Makes the screen one that fingers touch.
pub(crate) async fn fingers(client: &Client) -> Outcome {
    let script = "window.overrides.touchEventsOverride = 'enabled';
        Object.assign(gBrowser.selectedBrowser.browsingContext, window.overrides)";
    within(client, script, vec![]).await.map(drop)
}

/// Brings the keyboard from the browser's own buttons back to the page.
pub(crate) async fn to_page(client: &Client) -> Outcome {
    within(client, "gBrowser.selectedBrowser.focus()", vec![]).await.map(drop)
}

/// Has a script run in every page opened from now on, before the page's own.
pub(crate) async fn before_load(client: &Client, script: &str) -> Outcome {
    let add = r"const before = Services.ppmm.sharedData;
        before.set('warpspan:before', [...before.get('warpspan:before'), arguments[0]]);
        before.flush();";
    within(client, add, vec![json!(script)]).await.map(drop)
}

/// Errors and warnings on the console since the last call.
pub(crate) async fn complaints(client: &Client) -> Result<Vec<String>, String> {
    let lines = within(client, "return window.complaints.splice(0)", vec![]).await?;
    let lines: Vec<String> = serde_json::from_value(lines).map_err(|error| error.to_string())?;
    Ok(lines
        .into_iter()
        .filter(|line| !OF_CLOSED_PAGES.iter().any(|start| line.starts_with(start)))
        .collect())
}

/// Role and name of everything that screen readers are told of, in Chromium's words for roles.
pub(crate) async fn roles(client: &Client) -> Result<Vec<(String, String)>, String> {
    // The tree is made when it is first asked for, and grows as the page tells of itself.
    let script = r"const done = arguments[0];
        const service = Cc['@mozilla.org/accessibilityService;1'].getService(Ci.nsIAccessibilityService);
        const tree = () => {
            const found = [];
            const visit = (node) => {
                found.push([service.getStringRole(node.role), node.name ?? '']);
                for (let child = node.firstChild; child; child = child.nextSibling) visit(child);
            };
            const root = service.getAccessibleFor(gBrowser.selectedBrowser);
            if (root) visit(root);
            return found;
        };
        let before = '';
        const again = () => {
            const found = tree(), now = JSON.stringify(found);
            if (found.length > 20 && now === before) return done(found);
            before = now;
            setTimeout(again, 250);
        };
        again();";
    tell(client, Scope::Browser).await?;
    let found = client.execute_async(script, vec![]).await;
    tell(client, Scope::Page).await?;
    let found: Vec<(String, String)> =
        serde_json::from_value(found.map_err(said)?).map_err(|error| error.to_string())?;
    let told = |role: String| {
        ROLES.iter().find(|(own, _)| *own == role).map_or(role, |(_, told)| (*told).to_owned())
    };
    Ok(found.into_iter().map(|(role, name)| (told(role), name)).collect())
}

/// Firefox's words for roles where they are not Chromium's; grids and regions it does not tell from tables and landmarks.
const ROLES: [(&str, &str); 6] = [
    ("pushbutton", "button"),
    ("togglebutton", "button"),
    ("entry", "textbox"),
    ("checkbutton", "checkbox"),
    ("graphic", "image"),
    ("progress bar", "progressbar"),
];

/// Runs a script in the browser's own scope.
async fn within(client: &Client, script: &str, args: Vec<Value>) -> Result<Value, String> {
    tell(client, Scope::Browser).await?;
    let found = client.execute(script, args).await;
    tell(client, Scope::Page).await?;
    found.map_err(said)
}

async fn tell(client: &Client, scope: Scope) -> Outcome {
    client.issue_cmd(scope).await.map(drop).map_err(said)
}
