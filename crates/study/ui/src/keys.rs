//! Esc: it stops a study that runs, as it does any other run, and else takes the selection away.

use leptos::prelude::*;

use super::runner;
use super::stage::Stage;
use study_lab::page::State;
use ui_kit::keys::{has_dialog, typing};

/// Listens to the whole window.
pub(super) fn listen(stage: Stage) {
    let handle = window_event_listener(leptos::ev::keydown, move |event| {
        let plain = !event.ctrl_key() && !event.meta_key() && !event.alt_key() && event.key() == "Escape";
        if plain && !event.default_prevented() && !typing(&event) && !has_dialog() && escape(stage) {
            event.prevent_default();
        }
    });
    on_cleanup(move || handle.remove());
}

/// Whether there was anything to do.
fn escape(stage: Stage) -> bool {
    if stage.state.get_untracked() == State::Runs
        && let Some(key) = stage.key()
    {
        runner::stop(&key);
    } else if stage.selected.get_untracked().is_some() {
        stage.selected.set(None);
    } else {
        return false;
    }
    true
}
