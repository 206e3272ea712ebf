//! Keys of the picture.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::stage::Stage;
use ui_kit::keys::{self, is_in, is_plain, on_plot, typing};

/// Hears keys while the page's single keys act and nobody types.
pub(super) fn listen(stage: Stage) {
    keys::listen(move |event| key(stage, event));
}

/// Whether it was one of them.
fn key(stage: Stage, event: &KeyboardEvent) -> bool {
    let acts = stage.told.with_untracked(|told| told.page.keys);
    let own = typing(event) || is_in(event, "[data-keys=own], dialog");
    if event.key() == "Escape" && !own && (stage.sight.let_go() || stage.let_go()) {
        return true;
    }
    if !acts || !is_plain(event) || own || stage.seen.with_untracked(Option::is_none) {
        return false;
    }
    if stage.sight.key(event, || stage.chosen()) {
        return true;
    }
    match (event.code().as_str(), event.key().as_str()) {
        (_, "/") => keys::go_to("code-find"),
        (_, "ArrowRight") if on_plot(event) => step(stage, 1, 0),
        (_, "ArrowLeft") if on_plot(event) => step(stage, -1, 0),
        (_, "ArrowDown") if on_plot(event) => step(stage, 0, 1),
        (_, "ArrowUp") if on_plot(event) => step(stage, 0, -1),
        _ => return false,
    }
    true
}

/// To another instruction of the warp, or to another warp; without a selection to the first.
fn step(stage: Stage, along: isize, across: isize) {
    let next = untrack(|| {
        let selected = stage.selected.get().map(|(entry, _)| entry);
        stage.with(|seen| match selected {
            None => (!seen.report.schedule.is_empty()).then_some(0),
            Some(entry) if across != 0 => seen.across(entry, across),
            Some(entry) => seen.along(entry, along),
        })
    });
    if let Some(entry) = next.flatten() {
        stage.select(Some((entry, None)), true);
    }
}
