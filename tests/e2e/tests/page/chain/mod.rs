//! The chain lab in a browser: its examples, the walk along the picture, its parts, what if, the form and files.

mod examples;
mod files;
mod form;
mod parts;
mod reach;
mod walk;

use serde_json::Value;
use warpspan::report::chain::WholeReport;
use warpspan::scenario::builtin::BUILTINS;
use warpspan::scenario::link::{self, View};
use warpspan_e2e::{Outcome, Page};

pub use crate::tasks::{document, expect_in, focus};

/// The example most tests go by: small enough to follow with a pencil.
pub const SMALL: &str = "chain-teaching";

/// A chain whose source did not say everything.
pub const ASSUMED: &str = r#"{"warpspan": 1, "title": "From a model", "chain": {
    "kernels": [{"name": "blur", "kernel": "LCL", "blocks": 2, "threads": 64}],
    "tasks": [{"name": "look", "period": 4000000, "segments": [{"cpu": 1000}, {"launch": "blur"}]}],
    "assumed": [
        {"what": "Blocks of blur", "value": "2", "why": "the model does not say", "path": "chain.kernels[0].blocks"},
        {"what": "Threads of blur", "value": "64", "why": "the model does not say", "path": "chain.kernels[0].threads"}
    ]}}"#;

/// A chain whose kernel is a listing with a loop that nobody counts.
pub const LISTED: &str = r#"{"warpspan": 1, "title": "From a listing", "chain": {
    "device": {"sms": 1, "threads": 64, "threads_per_block": 64},
    "kernels": [{"name": "sum", "threads": 64,
        "sass": " code for sm_75\n Function : sum\n /*0000*/ MOV R1, c[0x0][0x28] ; /* 0x0000000000000000 */\n /* 0x000fea0000000000 */\n /*0010*/ FADD R2, R2, R1 ; /* 0x0000000000000000 */\n /* 0x000fea0000000000 */\n /*0020*/ @P0 BRA 0x10 ; /* 0x0000000000000000 */\n /* 0x000fea0000000000 */\n /*0030*/ EXIT ; /* 0x0000000000000000 */\n /* 0x000fea0000000000 */\n"}],
    "tasks": [{"name": "look", "period": 4000000, "segments": [{"cpu": 1000}, {"launch": "sum"}]}]}}"#;

/// Opens a built-in example and waits for its verdict.
pub async fn open(page: &Page, name: &str) -> Outcome {
    crate::scenario_panel::show(page, name).await?;
    computed(page).await
}

/// Waits until the verdict on the screen is that of the document.
pub async fn computed(page: &Page) -> Outcome {
    page.wait_for("chain-verdict").await?;
    page.wait_for("chain-drawing").await?;
    page.expect_part("chain-told", "Computed in ").await
}

/// The text of a built-in example.
pub fn text(name: &str) -> Result<&'static str, String> {
    let found = BUILTINS.iter().find(|example| example.name == name);
    found.map(|example| example.text).ok_or(format!("no example {name}"))
}

/// The report of a built-in example, as the page has it.
pub fn report(name: &str) -> Result<WholeReport, String> {
    let scenario = warpspan::scenario::read(text(name)?).map_err(|_| "not valid")?;
    warpspan::page::chain::seen(&warpspan::job::run(scenario).line()).ok_or("no report".to_owned())
}

/// A link to a built-in example, from `#` on.
pub fn to(name: &str, view: &View) -> Result<String, String> {
    let scenario: Value = serde_json::from_str(text(name)?).map_err(|error| error.to_string())?;
    Ok(format!("#{}", link::write(&scenario, view).map_err(|problem| problem.to_string())?))
}

/// Waits until a station is the one someone looks at.
pub async fn is_at(page: &Page, id: &str) -> Outcome {
    let script = format!("return document.querySelector('[data-testid={id}]')?.ariaPressed === 'true'");
    page.until(&format!("{id} to be looked at"), &script).await
}

/// Clicks a station.
pub async fn stand(page: &Page, id: &str) -> Outcome {
    page.wait_for(id).await?;
    let [left, top, width, height] = page.place(&format!("[data-testid={id}] rect")).await?;
    page.click_at(left + width / 2.0, top + height / 2.0).await?;
    is_at(page, id).await
}
