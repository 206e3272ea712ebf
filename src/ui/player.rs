//! The player beneath the schedule: which warp is read, where its instruction goes and why. Entries of the order can be
//! dragged to other places: the picture shows what that would give, and the document has it once they are let go of.

use leptos::ev::PointerEvent;
use leptos::prelude::*;
use ui_kit::live::{live, memo};
use ui_kit::mounted::put;
use wasm_bindgen::JsCast;

use super::schedule::Stage;
use super::state::App;
use super::welcome;
use crate::base::people;
use crate::page::reorder::Held;
use crate::page::{Edited, Shown};
use crate::warps::explain::{self, Step};
use ui_kit::entries::place_at;
use ui_kit::player::{Played, stand_still};

/// Entries of the order shown before and after the present one.
const AROUND: usize = 14;

/// What the player plays.
pub const CONSTRUCTION: Played = Played {
    id: "player",
    what: "Play the construction",
    first: "First step",
    last: "Whole schedule",
    step: "Step",
};

/// The order around the entry that is read, beside the player.
#[component]
pub fn Order(stage: Stage) -> impl IntoView {
    let app = stage.app;
    let free = memo(move |_| {
        let open = !app.hide.get() && !app.embed.get();
        open && app.shown.with(|shown| shown.as_ref().is_some_and(|shown| shown.can_reorder()))
    });
    let still = memo(move |_| stage.tells_of_cells());
    // Where there is room it stands there at the end, too: it can be dragged.
    let away = memo(move |_| still.get() && (app.hide.get() || app.embed.get() || welcome::shown(app)));
    let order = move || {
        let (shown, held) = (app.shown.get()?, app.held.get());
        Some(strip(&shown, app.player.with(|p| p.step), held.as_ref()))
    };
    let press = move |event: PointerEvent| {
        if free.get_untracked() && event.button() == 0 {
            grab(app, &event);
        }
    };
    view! {
        <p class="order" class:free=live(move || free.get()) class:still=live(move || still.get()) class:away=live(move || away.get()) data-testid="order"
            on:pointerdown=press on:pointermove=move |event| drag(app, &event) on:pointerup=move |_| drop_it(app)
            on:pointercancel=move |_| put(app.held, None)>{live(order)}</p>
    }
}

/// While it is played, where the instruction of the entry that is read goes, and why.
#[component]
pub fn Sentence(stage: Stage, step: Signal<Option<Step>>) -> impl IntoView {
    let app = stage.app;
    let said = move || {
        let shown = app.shown.get()?;
        let tried = app.held.with(|held| Some(held.as_ref()?.tried.as_ref()?.sentence(&shown)));
        Some(tried.unwrap_or_else(|| sentence(&shown, app.player.with(|p| p.step), step.get().as_ref())))
    };
    view! { <p class="sentence" class:away=live(move || stage.tells_of_cells()) data-testid="sentence">{live(said)}</p> }
}

/// Holds the entry beneath the pointer, and the pointer: the entries are drawn anew while it moves.
fn grab(app: App, event: &PointerEvent) {
    let Some(from) = place_at(event) else { return };
    event.prevent_default();
    let strip = event.current_target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    if let Some(strip) = strip {
        let _ = strip.set_pointer_capture(event.pointer_id());
    }
    stand_still(app.player);
    app.held.set(Some(Held::at(from)));
}

/// Tries the entry at the place beneath the pointer.
fn drag(app: App, event: &PointerEvent) {
    let held = app.held.get_untracked().filter(|held| !held.dropped);
    let Some((held, to)) = held.zip(place_at(event)) else { return };
    if held.tried.as_ref().map_or(held.from, |tried| tried.to) != to {
        let tried = app.shown.with_untracked(|shown| shown.as_ref()?.reordered(held.from, to));
        app.held.set(Some(Held { tried, ..held }));
    }
}

/// Writes what was tried into the document, where that is another order; the picture stays until it has been run.
fn drop_it(app: App) {
    let Some(held) = app.held.get_untracked().filter(|held| !held.dropped) else { return };
    let tried = held.tried.as_ref().map(|tried| tried.shown.clone());
    app.held.set(Some(Held { dropped: true, ..held }));
    let before = app.text.get_untracked();
    let shown = app.shown.get_untracked();
    if let Some(tried) = tried.filter(|tried| shown.is_none_or(|shown| shown.order != tried.order)) {
        app.edit_tree(Edited::Once, |tree| tried.with_own_order(tree));
    }
    if app.text.with_untracked(|text| *text == before) || app.read.with_untracked(Result::is_err) {
        app.held.set(None);
    }
}

/// The order around the present entry.
fn strip(shown: &Shown, step: usize, held: Option<&Held>) -> impl IntoView + use<> {
    let tried = held.and_then(|held| held.tried.as_ref());
    let ids = tried.map_or(&shown.order, |tried| &tried.shown.order).ids();
    let held = held.filter(|held| !held.dropped).map(Held::place);
    let current = step.max(1) - 1;
    let from = current.saturating_sub(AROUND);
    let to = (current + AROUND + 1).min(ids.len());
    let entry = |i: usize| {
        let class = match i + 1 {
            _ if held == Some(i) => "held",
            n if n == step => "now",
            n if n < step => "read",
            _ => "unread",
        };
        view! { <span class=class data-place=i>{ids[i] + 1}</span>" " }
    };
    // Where there is little room, what is far from the present entry fades out on both sides.
    let up_to_now = step.clamp(from, to);
    let before = (from..up_to_now).map(entry).collect_view();
    let after = (up_to_now..to).map(entry).collect_view();
    view! {
        <span class="name">"Order "</span>
        <span class="before" class:faded={step > AROUND / 2}><span>{(from > 0).then_some("… ")}{before}</span></span>
        <span class="after" class:faded={to - up_to_now > AROUND / 2}>{after}{(to < ids.len()).then_some("…")}</span>
    }
}

fn sentence(shown: &Shown, at: usize, step: Option<&Step>) -> String {
    let total = people::grouped(shown.steps() as u128);
    match step {
        None if at == 0 => format!(
            "Nothing is placed yet. The order has {total} entries; each puts its warp's next instruction into the earliest cycle that has room."
        ),
        None => {
            format!("All {total} instructions are placed.")
        }
        Some(Step { placement, waits }) => {
            let letter = placement.unit.letter();
            let why = if waits.is_empty() { "which has room".to_owned() } else { explain::sentence(waits) };
            let start = format!(
                "Step {at} of {total}: warp {} is read. Its instruction {} of {} is {letter} and could run from cycle {}",
                placement.warp + 1,
                placement.instruction + 1,
                shown.warps.kernel.len(),
                placement.ready
            );
            if waits.is_empty() {
                format!("{start}, {why}.")
            } else {
                format!("{start}; it {why}. It goes into cycle {}.", placement.cycle)
            }
        }
    }
}
