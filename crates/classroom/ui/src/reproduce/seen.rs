//! Which items are on the screen, and going to one.

use js_sys::Array;
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlElement, IntersectionObserver, IntersectionObserverEntry};

/// What the element of an item is called, before its id.
pub(super) const NAME: &str = "item-";

/// Calls `seen` with the id of every item that comes into view.
pub(super) fn watch(list: NodeRef<Div>, seen: impl Fn(&str) + 'static) {
    let callback = Closure::<dyn Fn(Array)>::new(move |entries: Array| {
        for entry in entries.iter() {
            let entry: IntersectionObserverEntry = entry.unchecked_into();
            if entry.is_intersecting()
                && let Some(id) = entry.target().id().strip_prefix(NAME)
            {
                seen(id);
            }
        }
    });
    // A browser without it shows the list, and runs what is asked for.
    let Ok(observer) = IntersectionObserver::new(callback.as_ref().unchecked_ref()) else { return };
    let held = StoredValue::new_local((observer, callback));
    Effect::new(move |_| {
        let Some(list) = list.get() else { return };
        let Ok(items) = list.query_selector_all("article") else { return };
        held.with_value(|(observer, _)| {
            for item in (0..items.length()).filter_map(|at| items.get(at)) {
                observer.observe(&item.unchecked_into::<Element>());
            }
        });
    });
    on_cleanup(move || {
        held.try_with_value(|(observer, _)| observer.disconnect());
    });
}

/// Brings an item onto the screen and puts the focus on its heading; whether it is there.
pub(super) fn go_to(list: &HtmlElement, id: &str) -> bool {
    let plain = !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    if !plain {
        return false;
    }
    let Ok(Some(item)) = list.query_selector(&format!("#{NAME}{id}")) else { return false };
    item.scroll_into_view();
    if let Ok(Some(heading)) = item.query_selector("h3") {
        // Without focus it is still on the screen.
        let _ = heading.unchecked_into::<HtmlElement>().focus();
    }
    true
}
