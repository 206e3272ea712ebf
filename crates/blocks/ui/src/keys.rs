//! Single keys of the timeline, by their place on the keyboard; never while someone types into a field, and only
//! if the page lets single keys act.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::stage::Stage;
use blocks_lab::page::blocks::Direction;
use kit::page::glide::Motion;
use ui_kit::glide::glide;
use ui_kit::keys::{self, go_to, has_dialog, is_plain, on_control, on_plot, typing};

/// Listens to the whole window.
pub(super) fn listen(stage: Stage) {
    keys::listen(move |event| key(stage, event));
}

/// Whether it was one of them.
fn key(stage: Stage, event: &KeyboardEvent) -> bool {
    if !is_plain(event) || stage.runs.with_untracked(Option::is_none) {
        return false;
    }
    if event.key() == "Escape" {
        return escape(stage);
    }
    if typing(event) || !stage.panel.told.with_untracked(|told| told.page.keys) || has_dialog() {
        return false;
    }
    let on_control = on_control(event);
    match (event.code().as_str(), event.key().as_str()) {
        ("KeyW" | "KeyS", _) | (_, "+" | "=" | "-") if stage.range.with_untracked(Option::is_some) => {
            stage.zoom(1.0)
        }
        ("KeyW", _) | (_, "+" | "=") => glide(event, stage.window, Motion::In(stage.looked_at())),
        ("KeyS", _) | (_, "-") => glide(event, stage.window, Motion::Out(stage.looked_at())),
        ("KeyA", _) => glide(event, stage.window, Motion::Pan(-0.15)),
        ("KeyD", _) => glide(event, stage.window, Motion::Pan(0.15)),
        (_, "0") => stage.show_all(),
        ("KeyF", _) => stage.centre(),
        (_, ".") => stage.player.update(|p| *p = p.moved(1)),
        (_, ",") => stage.player.update(|p| *p = p.moved(-1)),
        (_, "/") => go_to("blocks-find"),
        (_, " ") if !on_control => stage.player.update(|p| *p = p.toggled()),
        (_, "Home") if !on_control => stage.player.update(|p| *p = p.at(0)),
        (_, "End") if !on_control => stage.player.update(|p| *p = p.at(p.total)),
        (_, "ArrowLeft") if !on_control => stage.step_beside(Direction::Back),
        (_, "ArrowRight") if !on_control => stage.step_beside(Direction::On),
        (_, "Enter") if on_plot(event) => stage.go_to_selection(),
        (_, "ArrowUp") if on_plot(event) => stage.step_beside(Direction::Up),
        (_, "ArrowDown") if on_plot(event) => stage.step_beside(Direction::Down),
        _ => return false,
    }
    true
}

/// Esc takes away the nearest thing: the range, then the selection.
fn escape(stage: Stage) -> bool {
    if has_dialog() {
        return false;
    }
    if stage.range.get_untracked().is_some() {
        stage.range.set(None);
    } else if stage.selected.get_untracked().is_some() {
        stage.selected.set(None);
    } else {
        return false;
    }
    true
}
