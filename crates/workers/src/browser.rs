//! The few things of a browser that workers need: its clock, its timer, its window.

use std::time::Duration;

use wasm_bindgen::prelude::*;
use web_sys::{Document, Window};

/// The page's window: workers are started by pages alone.
pub(crate) fn window() -> Window {
    web_sys::window().unwrap_throw()
}

pub(crate) fn document() -> Document {
    window().document().unwrap_throw()
}

/// Milliseconds since the page was opened.
pub(crate) fn now() -> f64 {
    window().performance().map_or(0.0, |performance| performance.now())
}

/// Does something once, after a while.
pub(crate) fn after(wait: Duration, work: impl FnOnce() + 'static) {
    let work = Closure::once_into_js(work);
    let wait = i32::try_from(wait.as_millis()).unwrap_or(i32::MAX);
    let timer = window().set_timeout_with_callback_and_timeout_and_arguments_0(work.unchecked_ref(), wait);
    // A window that refuses timers runs nothing at all.
    let _ = timer;
}

/// Does something once when the browser is idle; a browser without idle callbacks never does.
pub(crate) fn when_idle(work: impl FnOnce() + 'static) {
    let window = window();
    if !js_sys::Reflect::has(&window, &"requestIdleCallback".into()).unwrap_or_default() {
        return;
    }
    let _ = window.request_idle_callback(Closure::once_into_js(work).unchecked_ref());
}
