//! Drives the built page in a real browser: a session per test, elements by `data-testid`, waits that end.
//!
//! `cargo xtask test e2e` serves the page, starts the driver and names both in the environment; `cargo xtask
//! test firefox` does the same for another browser. What browsers do each in its own way is in `chromium.rs`
//! and `firefox.rs`; what one of them cannot do is said by `skip.rs`.

#![allow(clippy::disallowed_methods, reason = "a native program that waits for a browser reads the clock")]

mod browser;
mod chromium;
mod files;
mod firefox;
mod form;
mod hands;
mod lasting;
mod look;
mod mouse;
mod paint;
mod patience;
mod recordings;
mod rest;
mod run;
mod server;
mod skip;
pub mod views;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use fantoccini::elements::Element;
use fantoccini::error::CmdError;
use fantoccini::key::Key;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};

pub use browser::Browser;
pub use files::Download;
pub use form::DRAWN;
pub use look::{Adapter, Colours, Look, Screen, System};
pub use mouse::Held;
pub use paint::Painted;
pub use patience::{NotYet, patiently};
pub use run::{in_browser, on_page, with_software_gpu};
pub use server::{Site, build_id, built, files_in, temporary, write};
pub use skip::skip;

/// What a test returns.
pub type Outcome = Result<(), String>;

/// The page in a browser.
#[derive(Debug, Clone)]
pub struct Page {
    /// The session, for what this wrapper does not offer.
    pub client: Client,
    /// The browser it is open in.
    pub browser: Browser,
    adapter: Adapter,
    url: String,
    life: Arc<Life>,
}

/// Signs of life: how often the page was asked something, and what last.
#[derive(Debug, Default)]
pub(crate) struct Life {
    count: AtomicU64,
    last: Mutex<String>,
}

impl Life {
    fn sign(&self, doing: &str) {
        self.count.fetch_add(1, Ordering::SeqCst);
        let first: String = doing.trim().chars().take(120).collect();
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = first;
    }

    pub(crate) fn count(&self) -> u64 {
        self.count.load(Ordering::SeqCst)
    }

    pub(crate) fn last(&self) -> String {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Page {
    /// Starts a browser; no page is open yet.
    pub async fn start(look: Look, adapter: Adapter) -> Result<Self, String> {
        let url = variable("WARPSPAN_URL")?;
        let browser = Browser::chosen()?;
        let client = match browser {
            Browser::Chromium => chromium::start(look, adapter, &url).await?,
            Browser::Firefox => firefox::start().await?,
        };
        let page = Self { client, browser, adapter, url, life: Arc::default() };
        page.before_load(&rest::note(&page.url)).await?;
        page.before_load(form::OPEN).await?;
        page.set_look(look, Screen::Plain, Colours::Own).await?;
        Ok(page)
    }

    /// Changes size and scheme.
    pub async fn look(&self, look: Look) -> Outcome {
        self.look_on(look, Screen::Plain, Colours::Own).await
    }

    /// Changes size, scheme, the kind of screen and whose colours are used.
    pub async fn look_on(&self, look: Look, screen: Screen, colours: Colours) -> Outcome {
        self.set_look(look, screen, colours).await?;
        if self.eval("return location.href === 'about:blank'", vec![]).await? == json!(true) {
            return Ok(());
        }
        // A page hears of it in the next frame, and paints what it has measured then in the one after that.
        self.frames(3).await
    }

    async fn set_look(&self, look: Look, screen: Screen, colours: Colours) -> Outcome {
        match self.browser {
            Browser::Chromium => chromium::look(&self.client, look, screen, colours).await,
            Browser::Firefox => firefox::look(&self.client, look, screen, colours).await,
        }
    }

    /// Makes the screen one that fingers touch.
    pub async fn fingers(&self) -> Outcome {
        match self.browser {
            Browser::Chromium => chromium::fingers(&self.client).await,
            Browser::Firefox => firefox::fingers(&self.client).await,
        }
    }

    /// Makes processor and network slower, so many times the one and as a phone's the other; Chromium only.
    pub async fn slow_down(&self, times: u32) -> Outcome {
        match self.browser {
            Browser::Chromium => chromium::slow_down(&self.client, times).await,
            Browser::Firefox => Err("Firefox cannot be made slower".to_owned()),
        }
    }

    /// Loads the page anew with a part from `#` on, which may be empty.
    pub async fn go(&self, fragment: &str) -> Outcome {
        // From one part after `#` to another a browser would not load anything.
        self.client.goto("about:blank").await.map_err(said)?;
        self.visit(fragment).await
    }

    /// Types an address into the bar of the open page: where only the part from `#` on differs, it stays.
    pub async fn visit(&self, fragment: &str) -> Outcome {
        self.client.goto(&format!("{}{fragment}", self.url)).await.map_err(said)
    }

    /// The address the page was served at.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The part of the present address from `#` on; empty where there is none.
    pub async fn fragment(&self) -> Result<String, String> {
        self.string("return location.hash").await
    }

    /// Ends the session.
    pub async fn close(self) -> Outcome {
        self.client.close().await.map_err(said)
    }

    /// Keeps the browser for the next test, unless there is something special about it.
    pub async fn give_back(self) -> Outcome {
        match (self.browser, self.adapter) {
            (Browser::Chromium, Adapter::Software) => return self.close().await,
            (Browser::Chromium, Adapter::Missing) => chromium::give_back(self.client),
            (Browser::Firefox, _) => firefox::give_back(self.client),
        }
        Ok(())
    }

    /// The element with that `data-testid`, once it is there.
    pub async fn wait_for(&self, id: &str) -> Result<Element, String> {
        self.see_form(id).await?;
        self.wait_for_css(&format!("[data-testid='{id}']")).await
    }

    /// The first element of a selector, once it is there.
    pub async fn wait_for_css(&self, selector: &str) -> Result<Element, String> {
        patiently(selector, async || {
            self.life.sign(selector);
            match self.client.find(Locator::Css(selector)).await {
                Ok(found) => Ok(Ok(found)),
                Err(error) if error.is_no_such_element() => Ok(Err("none is on the page".to_owned())),
                Err(error) => Err(format!("no {selector} on the page: {error}")),
            }
        })
        .await
    }

    /// Whether there is an element with that `data-testid` now.
    pub async fn has(&self, id: &str) -> Result<bool, String> {
        Ok(self.count(&format!("[data-testid='{id}']")).await? > 0)
    }

    /// How many elements a selector finds now.
    pub async fn count(&self, selector: &str) -> Result<u64, String> {
        let script = "return document.querySelectorAll(arguments[0]).length";
        Ok(self.eval(script, vec![json!(selector)]).await?.as_u64().unwrap_or_default())
    }

    /// Waits until there is no element with that `data-testid` any more.
    pub async fn gone(&self, id: &str) -> Outcome {
        let script = format!("return !document.querySelector(`[data-testid='{id}']`)");
        self.until(&format!("{id} to go"), &script).await
    }

    /// Its text, as a reader sees it.
    pub async fn text(&self, id: &str) -> Result<String, String> {
        let script = "return document.querySelector(`[data-testid='${arguments[0]}']`)?.textContent ?? null";
        match self.eval(script, vec![json!(id)]).await? {
            Value::String(text) => Ok(text.trim().to_owned()),
            _ => Err(format!("no {id} on the page")),
        }
    }

    /// What stands in a field.
    pub async fn value(&self, id: &str) -> Result<String, String> {
        self.see_form(id).await?;
        let script = "return document.querySelector(`[data-testid='${arguments[0]}']`)?.value ?? null";
        match self.eval(script, vec![json!(id)]).await? {
            Value::String(text) => Ok(text),
            _ => Err(format!("no field {id} on the page")),
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
        patiently(&format!("{id} to be {wanted:?}"), async || {
            Ok(match self.text(id).await {
                Ok(text) if fits(&text) => Ok(()),
                Ok(text) => Err(format!("{text:?}")),
                Err(why) => Err(why),
            })
        })
        .await
    }

    /// Waits until a field holds what it should.
    pub async fn expect_value(&self, id: &str, wanted: &str) -> Outcome {
        patiently(&format!("field {id} to hold {wanted:?}"), async || {
            Ok(match self.value(id).await {
                Ok(text) if text == wanted => Ok(()),
                Ok(text) => Err(format!("{text:?}")),
                Err(why) => Err(why),
            })
        })
        .await
    }

    /// Runs a script in the page.
    pub async fn eval(&self, script: &str, args: Vec<Value>) -> Result<Value, String> {
        self.life.sign(script);
        self.client.execute(script, args).await.map_err(said)
    }

    /// Runs a script that calls back.
    pub async fn eval_async(&self, script: &str, args: Vec<Value>) -> Result<Value, String> {
        self.life.sign(script);
        self.client.execute_async(script, args).await.map_err(said)
    }

    /// Runs a script that returns a text.
    pub async fn string(&self, script: &str) -> Result<String, String> {
        match self.eval(script, vec![]).await? {
            Value::String(text) => Ok(text),
            other => Err(format!("{script}: {other}, expected a text")),
        }
    }

    /// Runs a script that returns a number.
    pub async fn number(&self, script: &str) -> Result<f64, String> {
        let found = self.eval(script, vec![]).await?;
        found.as_f64().ok_or_else(|| format!("{script}: {found}, expected a number"))
    }

    /// Waits until a script returns true.
    pub async fn until(&self, what: &str, script: &str) -> Outcome {
        patiently(what, async || {
            self.life.sign(script);
            match self.client.execute(script, vec![]).await {
                Ok(Value::Bool(true)) => Ok(Ok(())),
                Ok(found) => Ok(Err(found.to_string())),
                // What it looks at is not there yet.
                Err(error) if error.is_javascript_error() => Ok(Err(error.to_string())),
                Err(error) => Err(said(error)),
            }
        })
        .await
    }

    /// Has a script run in every page opened from now on, before the page's own.
    pub async fn before_load(&self, script: &str) -> Outcome {
        match self.browser {
            Browser::Chromium => chromium::before_load(&self.client, script).await,
            Browser::Firefox => firefox::before_load(&self.client, script).await,
        }
    }

    /// Role and name of everything that screen readers are told of, in Chromium's words for roles.
    pub async fn roles(&self) -> Result<Vec<(String, String)>, String> {
        match self.browser {
            Browser::Chromium => chromium::roles(&self.client).await,
            Browser::Firefox => firefox::roles(&self.client).await,
        }
    }

    /// A picture of the window as PNG.
    pub async fn screenshot(&self) -> Result<Vec<u8>, String> {
        self.client.screenshot().await.map_err(said)
    }

    /// What the page has written to its console as errors or warnings.
    pub async fn complaints(&self) -> Result<Vec<String>, String> {
        match self.browser {
            Browser::Chromium => chromium::complaints(&self.client).await,
            Browser::Firefox => firefox::complaints(&self.client).await,
        }
    }
}

/// A key as WebDriver sends it.
pub fn key(key: Key) -> String {
    char::from(key).to_string()
}

/// The Esc key.
pub fn key_escape() -> String {
    key(Key::Escape)
}

/// Keys with Ctrl held down: sent once more, it is let go.
pub fn with_control(keys: &str) -> String {
    format!("{0}{keys}{0}", char::from(Key::Control))
}

/// That two values are the same; what tests say instead of panicking.
pub fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, wanted: T) -> Outcome {
    that(found == wanted, || format!("{what}: {found:?}, expected {wanted:?}"))
}

/// That something holds.
pub fn that(holds: bool, otherwise: impl FnOnce() -> String) -> Outcome {
    if holds { Ok(()) } else { Err(otherwise()) }
}

fn variable(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|_| format!("{name} is not set; run these tests with: cargo xtask test e2e"))
}

fn said(error: CmdError) -> String {
    error.to_string()
}
