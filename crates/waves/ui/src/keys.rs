//! Keys of the picture.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::stage::{Stage, State};
use ui_kit::keys::{self, is_in, is_plain, on_plot, typing};
use waves_lab::page::run::range;

/// Hears keys while the page's single keys act and nobody types.
pub(super) fn listen(stage: Stage) {
    keys::listen(move |event| key(stage, event));
}

/// Whether it was one of them.
fn key(stage: Stage, event: &KeyboardEvent) -> bool {
    let acts = stage.panel.told.with_untracked(|told| told.page.keys);
    let own = typing(event) || is_in(event, "[data-keys=own], dialog");
    if event.key() == "Escape" && stage.state.with_untracked(|state| matches!(state, State::Reading(_))) {
        stage.stop();
        return true;
    }
    if event.key() == "Escape" && !own && (stage.sight.let_go() || stage.let_go()) {
        return true;
    }
    if !acts || !is_plain(event) || own || stage.run.with_untracked(Option::is_none) {
        return false;
    }
    if stage.sight.key(event, || stage.chosen()) {
        return true;
    }
    match (event.code().as_str(), event.key().as_str()) {
        (_, "u") => stage.units.update(|units| *units = !*units),
        (_, "g") => stage.wait(None, true),
        (_, "G") => stage.wait(None, false),
        (_, "n") => stage.again(true),
        (_, "p") => stage.again(false),
        (_, "/") => ui_kit::keys::go_to("waves-find"),
        (_, "Enter") if on_plot(event) => {
            if let Some(witness) = stage.said.get_untracked().and_then(|(_, said)| said.witness) {
                stage.go(witness);
            }
        }
        (_, "ArrowRight") if on_plot(event) => step(stage, 1),
        (_, "ArrowLeft") if on_plot(event) => step(stage, -1),
        (_, "ArrowDown") if on_plot(event) => row(stage, 1),
        (_, "ArrowUp") if on_plot(event) => row(stage, -1),
        _ => return false,
    }
    true
}

/// To the stretch beside the selected one in its row; without one, to the first in sight.
fn step(stage: Stage, by: isize) {
    let Some(run) = stage.now() else { return };
    let window = stage.sight.window.get_untracked();
    let selected = stage.selected.get_untracked();
    let row = selected.map_or(0, |bar| bar.row);
    let Some(own) = run.rows.get(row).map(range).filter(|own| !own.is_empty()) else { return };
    let next = match selected {
        Some(bar) => bar.place.saturating_add_signed(by).clamp(own.start, own.end - 1),
        None => run.within(row, window.t0, window.t1).start.min(own.end - 1),
    };
    stage.select(Some(run.bar(row, next)), true);
}

/// To the row above or beneath, at the same time.
fn row(stage: Stage, by: isize) {
    let Some(run) = stage.now() else { return };
    let selected = stage.selected.get_untracked();
    let time = selected.map_or(stage.sight.window.get_untracked().t0, |bar| bar.start);
    let row = selected.map_or(0, |bar| bar.row.saturating_add_signed(by));
    let Some(own) = run.rows.get(row).map(range).filter(|own| !own.is_empty()) else { return };
    let at = run.within(row, time, time + 1.0).start.clamp(own.start, own.end - 1);
    stage.select(Some(run.bar(row, at)), true);
}
