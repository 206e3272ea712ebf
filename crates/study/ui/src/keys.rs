//! Esc: it stops a study that runs, as it does any other run, and else takes the selection away.

use leptos::prelude::*;

use super::runner;
use super::stage::Stage;
use study_lab::page::State;
use ui_kit::keys::{self, has_dialog, is_plain, typing};

/// Listens to the whole window.
pub(super) fn listen(stage: Stage) {
    keys::listen(move |event| {
        is_plain(event) && event.key() == "Escape" && !typing(event) && !has_dialog() && escape(stage)
    });
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
