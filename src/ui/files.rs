//! Opening files and texts, which the program of the labs reads; copying text.

use js_sys::{Array, Function, Reflect};
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::FileList;

use super::examples::asked;
use super::lazy::export;
use super::route;
use super::state::App;
use crate::base::Problem;
use crate::page::opened::{Opened, Outcome, Trouble};
use crate::scenario::link::{LessonSource, View};
use kit::import;
use kit::page::place::Place;

/// Opens all files of a list together: one thing is shown, and whatever is no part of it is told, with the reason.
pub fn open_all(app: App, files: Option<FileList>) {
    let Some(list) = files else { return };
    let source = list.get(0).map(|file| file.name()).unwrap_or_default();
    open_these(app, (0..list.length()).filter_map(|i| list.get(i)).collect(), source);
}

/// Opens what is dropped: files, and where folders are among it, all entries as the program of the labs reads them.
pub fn open_dropped(app: App, data: &web_sys::DataTransfer) -> bool {
    let files = data.files().filter(|files| files.length() > 0);
    match entries(data) {
        Some(entries) => open_these(app, entries, "the folder".to_owned()),
        None if files.is_some() => open_all(app, files),
        None => return false,
    }
    true
}

/// The entries of what is dropped, if a folder is among them.
fn entries(data: &web_sys::DataTransfer) -> Option<Array> {
    let get = |of: &JsValue, name: &str| Reflect::get(of, &name.into()).ok();
    let items = get(data, "items")?;
    let entry = |item: JsValue| -> Option<JsValue> {
        get(&item, "webkitGetAsEntry")?.dyn_into::<Function>().ok()?.call0(&item).ok()
    };
    let entries: Array =
        Array::from(&items).iter().filter_map(entry).filter(|entry| !entry.is_null()).collect();
    let is_folder = |entry: JsValue| get(&entry, "isDirectory").is_some_and(|is| is.is_truthy());
    entries.iter().any(is_folder).then_some(entries)
}

fn open_these(app: App, files: Array, source: String) {
    open(app, source, async move |present: JsValue| {
        let opened = export("open_files").await?.call2(&JsValue::NULL, &files, &present)?;
        JsFuture::from(opened.dyn_into::<js_sys::Promise>()?).await
    });
}

/// Opens a text by its content; the scenario on the page stays if it is not a good one.
pub fn open_text(app: App, text: &str, source: &str) {
    app.trouble.set(Vec::new());
    if let Some(address) = Place::written(text) {
        // The page goes where its address leads; it cannot be refused.
        let _ = window().location().set_hash(address);
        return;
    }
    if import::is_link(text) {
        return route::open(app, text, source);
    }
    let (text, named) = (text.to_owned(), source.to_owned());
    open(app, source.to_owned(), async move |present: JsValue| {
        let opened =
            export("open_text").await?.call3(&JsValue::NULL, &text.into(), &named.into(), &present)?;
        JsFuture::from(opened.dyn_into::<js_sys::Promise>()?).await
    });
}

/// Has something opened beside the document on the page, unless something else is there or asked for by then.
fn open(app: App, source: String, read: impl AsyncFnOnce(JsValue) -> Result<JsValue, JsValue> + 'static) {
    let wanted = asked(app);
    spawn_local(async move {
        let outcome = read(app.text.get_untracked().into()).await;
        if !wanted() {
            return;
        }
        let outcome = outcome.and_then(|outcome| Ok(serde_wasm_bindgen::from_value(outcome)?));
        let Outcome { opened, troubles } = outcome.unwrap_or_else(|_: JsValue| {
            let expected = "a connection to where the page is from; opening it again tries once more";
            let problem = Problem::at("document", "what reads files could not be loaded", expected);
            Outcome { opened: None, troubles: vec![Trouble::new(&source, vec![problem])] }
        });
        app.trouble.set(Vec::new());
        match opened {
            Some(Opened::Document { text, source, done }) => app.open(text, View::default(), &done, &source),
            Some(Opened::Lesson(text)) => app.begin_lesson(LessonSource::Own(text), 0),
            Some(Opened::Link { text, source }) => route::open(app, &text, &source),
            None => {}
        }
        app.trouble.update(|all| all.extend(troubles));
    });
}

/// Puts a text on the clipboard and says so.
pub fn copy(app: App, text: String, done: String) {
    spawn_local(async move {
        let clipboard = window().navigator().clipboard();
        let copied = if clipboard.is_undefined() {
            false
        } else {
            JsFuture::from(clipboard.write_text(&text)).await.is_ok()
        };
        app.notice.set(if copied {
            done
        } else {
            "The browser does not let the page copy; the address bar holds the link.".to_owned()
        });
    });
}
