//! What the browser offers as downloads.

use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, HtmlCanvasElement, Url};

use crate::canvas::Painter;
use base::problem::breaks;
use kit::draw::{DrawList, Theme};

/// Offers a text as a download.
pub fn save(name: &str, kind: &str, text: &str) {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    let parts = js_sys::Array::of1(&text.into());
    if let Ok(blob) = Blob::new_with_str_sequence_and_options(&parts, &options) {
        save_blob(name, &blob);
    }
}

/// Offers a blob as a download.
pub fn save_blob(name: &str, blob: &Blob) {
    let Ok(url) = Url::create_object_url_with_blob(blob) else { return };
    let anchor = document().create_element("a").ok().and_then(|a| a.dyn_into::<HtmlAnchorElement>().ok());
    if let Some(anchor) = anchor {
        anchor.set_href(&url);
        anchor.set_download(name);
        anchor.click();
    }
    let wait = std::time::Duration::from_secs(30); // the download has begun by then
    set_timeout(move || drop(Url::revoke_object_url(&url)), wait);
}

/// Offers what is on a canvas as PNG.
pub fn save_canvas(name: String, canvas: &HtmlCanvasElement) {
    let done = Closure::once_into_js(move |blob: Option<Blob>| {
        if let Some(blob) = blob {
            save_blob(&name, &blob);
        }
    });
    // A canvas this page has painted itself can always be read.
    let _ = canvas.to_blob(done.unchecked_ref());
}

/// The picture's files have this many pixels per pixel.
const RATIO: f64 = 2.0;

/// Paints a list at twice its size in the light theme and offers it as PNG.
pub fn save_png(list: &DrawList, name: String) {
    let canvas =
        document().create_element("canvas").ok().and_then(|c| c.dyn_into::<HtmlCanvasElement>().ok());
    let Some(canvas) = canvas else { return };
    if let Some(mut painter) = Painter::new(canvas.clone()) {
        painter.paint(list, Theme::Light, RATIO);
        save_canvas(name, &canvas);
    }
}

/// A file name made of a title.
pub fn file_name(title: &str, extension: &str) -> String {
    let words: Vec<String> = title
        .split(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric() || breaks(c))
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .take(8)
        .collect();
    let stem = if words.is_empty() { "scenario".to_owned() } else { words.join("-") };
    format!("{stem}.{extension}")
}

/// Offers bytes as a download.
pub fn save_bytes(name: &str, kind: &str, bytes: &[u8]) {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    if let Ok(blob) = Blob::new_with_u8_array_sequence_and_options(&parts, &options) {
        save_blob(name, &blob);
    }
}

/// The page's own address: it keeps what it shows there.
pub fn link() -> String {
    window().location().href().unwrap_or_default()
}
