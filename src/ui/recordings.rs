//! Recordings of profilers among files that are opened: the program of the labs tells which they are, keeps them, and
//! makes a document that names them. They are never read here: they may be larger than any text.

use js_sys::{Array, Uint8Array};
use leptos::prelude::Set;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::File;

use super::files::Told;
use super::lazy::export;
use super::state::App;
use crate::scenario::link::View;

/// So much of a file is looked at before the program of the labs is asked.
const HEAD: f64 = 65_536.0;
/// What only recordings, and some other files, have in their beginning.
const MARKS: [&str; 4] =
    ["SQLite format 3\0", "\"traceEvents\"", "\"deviceProperties\"", "\"rocprofiler-sdk-tool\""];

/// Opens all recordings among some files as one run; the other files.
pub(super) async fn open(app: App, files: Vec<File>, told: &mut Told) -> Vec<File> {
    let (mut maybe, mut others) = (Vec::new(), Vec::new());
    for file in files {
        if may_be(&file).await { maybe.push(file) } else { others.push(file) }
    }
    if maybe.is_empty() {
        return others;
    }
    let (which, document) = asked(&maybe).await.unwrap_or_default();
    let mut names = Vec::new();
    for (place, file) in (0..).zip(maybe) {
        if which.contains(&place) { names.push(file.name()) } else { others.push(file) }
    }
    if let Some(document) = document {
        let source = match &names[..] {
            [one] => one.clone(),
            several => format!("{} recordings", several.len()),
        };
        app.trouble.set(Vec::new());
        app.open(document, View::default(), &format!("Opened {source}; it stays on this computer"), &source);
        told.opened(&source, false);
    }
    others
}

/// Which of the files are recordings, by their places, and the document of those.
async fn asked(files: &[File]) -> Result<(Vec<u32>, Option<String>), JsValue> {
    let list: Array = files.iter().collect();
    let answer = export("document_of_recordings").await?.call1(&JsValue::NULL, &list)?;
    let answer = JsFuture::from(answer.dyn_into::<js_sys::Promise>()?).await?;
    Ok(serde_wasm_bindgen::from_value(answer)?)
}

/// Whether a file may be a recording. Whatever is packed may be one.
async fn may_be(file: &File) -> bool {
    let Ok(head) = file.slice_with_f64_and_f64(0.0, HEAD.min(file.size())) else { return false };
    let Ok(bytes) = JsFuture::from(head.array_buffer()).await else { return false };
    let bytes = Uint8Array::new(&bytes).to_vec();
    let text = String::from_utf8_lossy(&bytes);
    bytes.starts_with(&[0x1f, 0x8b]) || MARKS.iter().any(|mark| text.contains(mark))
}
