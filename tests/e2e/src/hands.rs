//! What a visitor does with pointer and keyboard.

use fantoccini::Locator;
use fantoccini::error::CmdError;
use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::{Browser, NotYet, Outcome, Page, firefox, key, patiently, said, with_control};

impl Page {
    /// Clicks it, wherever it is folded away.
    pub async fn click(&self, id: &str) -> Outcome {
        patiently(&format!("{id} to be clicked"), async || {
            let element = self.wait_for(id).await?;
            self.reveal(id).await?;
            reached(id, element.click().await)
        })
        .await
    }

    /// Clicks the first element of a selector.
    pub async fn click_css(&self, selector: &str) -> Outcome {
        patiently(&format!("{selector} to be clicked"), async || {
            let element = self.wait_for_css(selector).await?;
            reached(selector, element.click().await)
        })
        .await
    }

    /// Clicks a button by its words within an element.
    pub async fn click_in(&self, id: &str, words: &str) -> Outcome {
        let path = format!(".//button[normalize-space()='{words}']");
        patiently(&format!("{words} in {id} to be clicked"), async || {
            let place = self.wait_for(id).await?;
            match place.find(Locator::XPath(&path)).await {
                Ok(button) => reached(words, button.click().await),
                Err(error) if error.is_no_such_element() => Ok(Err(format!("no {words} in {id}"))),
                Err(error) => reached(words, Err(error)),
            }
        })
        .await
    }

    /// Chooses an option of a list by its value.
    pub async fn choose(&self, id: &str, value: &str) -> Outcome {
        let script = "const e = document.querySelector(`[data-testid='${arguments[0]}']`);
            if (!e || ![...e.options].some((o) => o.value === arguments[1])) return false;
            e.value = arguments[1]; e.dispatchEvent(new Event('change', {bubbles: true})); return true";
        patiently(&format!("{id} to have an option {value}"), async || {
            self.wait_for(id).await?;
            Ok(match self.eval(script, vec![json!(id), json!(value)]).await? {
                Value::Bool(true) => Ok(()),
                _ => Err("none".to_owned()),
            })
        })
        .await
    }

    /// Replaces what stands in a field, as typing without a pause does.
    pub async fn fill(&self, id: &str, text: &str) -> Outcome {
        let written = format!("{}{text}", char::from(Key::Delete));
        self.hold_clock(true).await?;
        patiently(&format!("{id} to be filled"), async || {
            self.click(id).await?;
            let field = self.wait_for(id).await?;
            let mut typed = field.send_keys(&with_control("a")).await;
            if typed.is_ok() {
                typed = field.send_keys(&written).await;
            }
            reached(id, typed)
        })
        .await?;
        self.hold_clock(false).await
    }

    /// Puts a whole text into a field at once, as pasting does.
    pub async fn put(&self, id: &str, text: &str) -> Outcome {
        self.wait_for(id).await?;
        let script = "const e = document.querySelector(`[data-testid='${arguments[0]}']`);
            e.value = arguments[1]; e.dispatchEvent(new Event('input', {bubbles: true}));
            e.dispatchEvent(new Event('change', {bubbles: true}))";
        self.eval(script, vec![json!(id), json!(text)]).await.map(drop)
    }

    /// Presses keys, one after the other, on whatever has the focus; the end of a line is the key Enter.
    pub async fn press(&self, keys: &str) -> Outcome {
        let sent = keys.replace('\n', &key(Key::Enter));
        patiently(&format!("keys {keys:?} to be pressed"), async || {
            let element = self.client.active_element().await.map_err(said)?;
            // What had the keyboard may have gone away in between; no key was pressed then.
            reached(&format!("keys {keys:?}"), element.send_keys(&sent).await)
        })
        .await
    }

    /// Goes on at the top of the page after Tab has left it at its end, where a browser has buttons of its own.
    pub async fn round_again(&self) -> Outcome {
        if self.browser == Browser::Firefox {
            firefox::to_page(&self.client).await?;
        }
        self.eval("document.querySelector('.skip').focus()", vec![]).await.map(drop)
    }

    /// Takes the focus away from wherever it is.
    pub async fn blur(&self) -> Outcome {
        self.eval("document.activeElement?.blur()", vec![]).await.map(drop)
    }
}

/// Whether an element was reached by pointer or keyboard. Not yet, while the page is behind its beginning, builds the
/// element anew, or moves something else into its place.
fn reached(what: &str, done: Result<(), CmdError>) -> Result<NotYet<()>, String> {
    match done {
        Ok(()) => Ok(Ok(())),
        Err(error) if is_hidden(&error) || error.is_stale_element_reference() => Ok(Err(error.to_string())),
        Err(error) => Err(format!("{what}: {error}")),
    }
}

/// Whether a driver says that nobody could click there; each says it in its own way.
fn is_hidden(error: &CmdError) -> bool {
    let said = error.to_string();
    ["not interactable", "not reachable by keyboard", "could not be scrolled into view", "click intercepted"]
        .iter()
        .any(|why| said.contains(why))
}
