//! Sections that are folded where there is no room for them: on a phone, what can wait is behind its heading.
//!
//! That is decided as they come, and again whenever the window becomes as narrow or is no longer. One that somebody
//! has opened or closed stays so.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// Whether a section is open.
#[derive(Clone, Copy)]
pub struct Fold {
    open: RwSignal<bool>,
    by_hand: StoredValue<bool>,
}

impl Fold {
    /// A section that nobody has touched; it belongs to the view that makes it.
    pub fn new() -> Self {
        let fold = Self { open: RwSignal::new(is_wide()), by_hand: StoredValue::new(false) };
        let before = StoredValue::new(is_wide());
        let resized = window_event_listener(leptos::ev::resize, move |_| {
            let wide = is_wide();
            let crossed = before.try_update_value(|before| std::mem::replace(before, wide) != wide);
            if crossed == Some(true)
                && fold.by_hand.try_get_value() == Some(false)
                && fold.open.try_get_untracked() != Some(wide)
            {
                fold.open.set(wide);
            }
        });
        on_cleanup(move || resized.remove());
        fold
    }

    /// Whether it is open now.
    pub fn open(self) -> bool {
        self.open.get()
    }

    /// It was opened or closed: where that was not decided here, it was done by hand.
    pub fn toggled(self, event: &web_sys::Event) {
        let details = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlDetailsElement>().ok());
        if let Some(now) = details.map(|details| details.open())
            && self.open.try_get_untracked().is_some_and(|open| open != now)
        {
            self.by_hand.set_value(true);
            self.open.set(now);
        }
    }
}

impl Default for Fold {
    fn default() -> Self {
        Self::new()
    }
}

fn is_wide() -> bool {
    window().inner_width().ok().and_then(|width| width.as_f64()).is_none_or(|width| width > 480.0)
}
