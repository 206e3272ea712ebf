//! What only parts that are loaded late save or write into files.

use leptos::prelude::window;
use web_sys::{Blob, BlobPropertyBag};

use crate::ui::files::save_blob;

/// Offers bytes as a download.
pub(super) fn save_bytes(name: &str, kind: &str, bytes: &[u8]) {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    if let Ok(blob) = Blob::new_with_u8_array_sequence_and_options(&parts, &options) {
        save_blob(name, &blob);
    }
}

/// The page's own address: it keeps what it shows there.
pub(super) fn link() -> String {
    window().location().href().unwrap_or_default()
}
