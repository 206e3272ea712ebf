//! What is in sight glides while a key is held, frame by frame; for those who want less motion it jumps, step by step.

use std::cell::RefCell;

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use crate::player::now;
use kit::page::Window;
use kit::page::glide::{Motion, gone};

/// What glides.
struct Going {
    window: RwSignal<Window>,
    motion: Motion,
    /// The key.
    code: String,
    /// Where it began, and when.
    from: Window,
    begun: f64,
    /// Since when the key is up.
    up: Option<f64>,
    /// Where it is: whoever moves it otherwise ends this.
    at: Window,
}

thread_local! {
    static GOING: RefCell<Option<Going>> = const { RefCell::new(None) };
}

/// Moves a window while the key of an event is held.
pub fn glide(event: &KeyboardEvent, window: RwSignal<Window>, motion: Motion) {
    let still = leptos::prelude::window().match_media("(prefers-reduced-motion: reduce)").ok().flatten();
    if still.is_some_and(|asked| asked.matches()) {
        return window.update(|window| *window = motion.after(window, 1.0));
    }
    let code = event.code();
    let before = GOING.take();
    if let Some(going) = before {
        if going.code == code && going.up.is_none() && going.window == window && event.repeat() {
            GOING.set(Some(going));
            return;
        }
        end(&going);
    }
    let from = window.get_untracked();
    let listens = LISTENS.replace(true);
    if !listens {
        // For as long as the page is there.
        let _up = window_event_listener(leptos::ev::keyup, |event| up(Some(&event.code())));
        let _away = window_event_listener(leptos::ev::blur, |_| up(None));
    }
    GOING.set(Some(Going { window, motion, code, from, begun: now(), up: None, at: from }));
    request_animation_frame(frame);
}

thread_local! {
    static LISTENS: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// A key is up, or all of them.
fn up(code: Option<&str>) {
    GOING.with_borrow_mut(|going| {
        if let Some(going) =
            going.as_mut().filter(|going| going.up.is_none() && code.is_none_or(|code| code == going.code))
        {
            going.up = Some((now() - going.begun) / 1000.0);
        }
    });
}

/// Whether nobody else has moved it.
fn is_own(going: &Going) -> bool {
    going.window.try_get_untracked() == Some(going.at)
}

/// Ends it where it would have come to, had it been a tap.
fn end(going: &Going) {
    let (steps, _) = gone((now() - going.begun) / 1000.0, going.up);
    if is_own(going) {
        going.window.set(going.motion.after(&going.from, steps.max(1.0)));
    }
}

fn frame() {
    let Some(mut going) = GOING.take().filter(is_own) else { return };
    let (steps, still) = gone((now() - going.begun) / 1000.0, going.up);
    going.at = going.motion.after(&going.from, steps);
    let (window, at) = (going.window, going.at);
    if !still {
        GOING.set(Some(going));
        request_animation_frame(frame);
    }
    window.set(at);
}
