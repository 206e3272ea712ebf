//! Keys of the picture.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::stage::Stage;
use super::tools::gap;
use traces_lab::page::run::range;
use ui_kit::keys::{self, is_in, is_plain, on_plot, typing};

/// Hears keys while the page's single keys act and nobody types.
pub(super) fn listen(stage: Stage) {
    keys::listen(move |event| key(stage, event));
}

/// Whether it was one of them.
fn key(stage: Stage, event: &KeyboardEvent) -> bool {
    let acts = stage.panel.told.with_untracked(|told| told.page.keys);
    let own = typing(event) || is_in(event, "[data-keys=own], dialog");
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
        (_, "g") => gap(stage, true),
        (_, "G") => gap(stage, false),
        (_, "/") => ui_kit::keys::go_to("traces-find"),
        (_, "Enter") if on_plot(event) => {
            let witness = stage.said.get_untracked().and_then(|(_, said)| said.witness);
            if let Some(witness) = witness {
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

/// To the bar beside the selected one in its row; without one, to the first in sight.
fn step(stage: Stage, by: isize) {
    let Some(run) = stage.seen_now() else { return };
    let window = stage.sight.window.get_untracked();
    let selected = stage.selected.get_untracked();
    let row = selected.map_or(1.min(run.rows.len().saturating_sub(1)), |bar| bar.row);
    let Some(own) = run.rows.get(row).map(range).filter(|own| !own.is_empty()) else { return };
    let next = match selected {
        Some(bar) => bar.place.saturating_add_signed(by).clamp(own.start, own.end - 1),
        None => run.within(row, window.t0, window.t1).start.min(own.end - 1),
    };
    stage.select(Some(run.bar(row, next)), true);
}

/// To the row above or beneath, at the same time.
fn row(stage: Stage, by: isize) {
    let Some(run) = stage.seen_now() else { return };
    let selected = stage.selected.get_untracked();
    let time = selected.map_or(stage.sight.window.get_untracked().t0, |bar| bar.start);
    let mut row = selected.map_or(0, |bar| bar.row);
    loop {
        let next = row.saturating_add_signed(by);
        if next == row || next >= run.rows.len() {
            return;
        }
        row = next;
        let own = range(&run.rows[row]);
        if !own.is_empty() {
            let at = run.within(row, time, time).start.clamp(own.start, own.end - 1);
            return stage.select(Some(run.bar(row, at)), true);
        }
    }
}
