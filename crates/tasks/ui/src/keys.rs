//! Single keys of the demand chart, by their place on the keyboard; never while someone types into a field or is in
//! another part that has keys of its own, and only if the page lets single keys act.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::stage::Stage;
use kit::page::glide::Motion;
use ui_kit::glide::glide;
use ui_kit::keys::{self, has_dialog, is_in, is_plain, on_control, typing};

/// Listens to the whole window.
pub(super) fn listen(stage: Stage) {
    keys::listen(move |event| key(stage, event));
}

/// Whether it was one of them.
fn key(stage: Stage, event: &KeyboardEvent) -> bool {
    if !is_plain(event) || stage.demand.with_untracked(Option::is_none) {
        return false;
    }
    if has_dialog() || typing(event) {
        return false;
    }
    if event.key() == "Escape" {
        return escape(stage);
    }
    if !stage.panel.told.with_untracked(|told| told.page.keys) {
        return false;
    }
    let may_step = !on_control(event) && !in_another(event);
    match (event.code().as_str(), event.key().as_str()) {
        _ if in_another(event) => return false,
        ("KeyW", _) | (_, "+" | "=") if stage.range.with_untracked(Option::is_some) => stage.zoom(0.7),
        ("KeyW", _) | (_, "+" | "=") => glide(event, stage.window, Motion::In(stage.looked_at())),
        ("KeyS", _) | (_, "-") => glide(event, stage.window, Motion::Out(stage.looked_at())),
        ("KeyA", _) => glide(event, stage.window, Motion::Pan(-0.15)),
        ("KeyD", _) => glide(event, stage.window, Motion::Pan(0.15)),
        (_, "0") => stage.show_all(),
        (_, "/") => keys::go_to("tasks-find"),
        ("KeyF", _) => stage.centre(),
        (_, "ArrowLeft") if may_step => stage.step(false),
        (_, "ArrowRight") if may_step => stage.step(true),
        (_, "Enter") if is_in(event, "[data-testid=tasks-plot]") => stage.take(),
        _ => return false,
    }
    true
}

/// Whether the key belongs to another picture of the panel.
fn in_another(event: &KeyboardEvent) -> bool {
    is_in(event, "[role=application]:not([data-testid=tasks-plot])")
}

/// Esc takes away the nearest thing: the range, then the selection.
fn escape(stage: Stage) -> bool {
    if stage.range.get_untracked().is_some() {
        stage.range.set(None);
    } else if stage.panel.at.get_untracked().is_some() {
        stage.panel.at.set(None);
    } else {
        return false;
    }
    true
}
