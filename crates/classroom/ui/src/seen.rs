//! What is told of elements once they come into view.

use js_sys::Array;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry};

/// Where an element says what it is.
const KEY: &str = "data-seen";

/// Hears of elements that come into view, for as long as its owner of signals lives.
#[derive(Clone, Copy)]
pub(super) struct Sight(StoredValue<Option<Watch>, LocalStorage>);

struct Watch {
    observer: IntersectionObserver,
    _hears: Closure<dyn Fn(Array)>,
}

impl Sight {
    /// Calls `seen` with what the element says it is, in its attribute `data-seen`.
    pub(super) fn new(seen: impl Fn(&str) + 'static) -> Self {
        let hears = Closure::<dyn Fn(Array)>::new(move |entries: Array| {
            for entry in entries.iter() {
                let entry: IntersectionObserverEntry = entry.unchecked_into();
                if entry.is_intersecting()
                    && let Some(key) = entry.target().get_attribute(KEY)
                {
                    seen(&key);
                }
            }
        });
        // A browser without observers shows everything all the same, and runs what is asked for.
        let observer = IntersectionObserver::new(hears.as_ref().unchecked_ref()).ok();
        let watch = StoredValue::new_local(observer.map(|observer| Watch { observer, _hears: hears }));
        on_cleanup(move || {
            watch.try_with_value(|watch| watch.as_ref().map(|watch| watch.observer.disconnect()));
        });
        Self(watch)
    }

    /// Watches an element from now on.
    pub(super) fn on(self, element: &Element) {
        self.0.try_with_value(|watch| watch.as_ref().map(|watch| watch.observer.observe(element)));
    }
}
