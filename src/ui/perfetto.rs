//! The schedule as trace events: what writes them is loaded when someone asks for it. And the tab for Perfetto, which
//! browsers let a page open only at once, when someone clicks.

use js_sys::Promise;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::lazy::export;
use super::state::App;
use ui_kit::handover::tab;

/// Saves the trace of a report as a file.
pub fn save(app: App, report: Option<String>) {
    ask(app, report, JsValue::UNDEFINED);
}

/// Opens Perfetto and hands it the trace of a report.
pub fn open(app: App, report: Option<String>) {
    ask(app, report, tab().map_or(JsValue::NULL, JsValue::from));
}

fn ask(app: App, report: Option<String>, tab: JsValue) {
    let Some(report) = report else { return };
    spawn_local(async move {
        match write(&report, &tab).await {
            Ok(said) => said.as_string().into_iter().for_each(|said| app.notice.set(said)),
            Err(_) => app.notice.set("A part of the page could not be loaded; try again".to_owned()),
        }
    });
}

async fn write(report: &str, tab: &JsValue) -> Result<JsValue, JsValue> {
    let trace = export("trace").await?;
    let said: Promise = trace.call2(&JsValue::NULL, &report.into(), tab)?.unchecked_into();
    JsFuture::from(said).await
}
