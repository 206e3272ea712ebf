//! What the browser keeps from one visit to the next; where it keeps nothing, the page forgets when it is closed.

use leptos::prelude::window;
use web_sys::Storage;

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// What was kept under a name.
pub fn recall(key: &str) -> Option<String> {
    storage()?.get_item(key).ok().flatten()
}

/// Keeps a text under a name.
pub fn remember(key: &str, text: &str) {
    if let Some(storage) = storage() {
        let _ = storage.set_item(key, text); // full, or not allowed
    }
}
