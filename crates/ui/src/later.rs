//! What is done a moment after the last time that it was asked for.

use std::time::Duration;

use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;

/// One thing that is about to be done; it is not once its view is gone.
#[derive(Clone, Copy)]
pub struct Later(StoredValue<Option<TimeoutHandle>>);

impl Later {
    /// Nothing yet; it belongs to the view that makes it.
    pub fn new() -> Self {
        let later = Self(StoredValue::new(None));
        on_cleanup(move || later.never());
        later
    }

    /// Does this after a time, instead of what was about to be done.
    pub fn after(self, time: Duration, what: impl FnOnce() + 'static) {
        self.never();
        let _ = self.0.try_set_value(set_timeout_with_handle(what, time).ok()); // gone with the page
    }

    /// Does not do what was about to be done.
    pub fn never(self) {
        if let Some(Some(handle)) = self.0.try_update_value(Option::take) {
            handle.clear();
        }
    }
}

impl Default for Later {
    fn default() -> Self {
        Self::new()
    }
}
