//! The player beneath the schedule: which warp is read, where its instruction goes and why.

use leptos::prelude::*;
use ui_kit::live::live;

use super::schedule::Stage;
use crate::base::people;
use crate::page::Shown;
use crate::warps::explain::{self, Step};
use ui_kit::player::Played;

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

/// While it is played, the order around the entry that is read, where its instruction goes, and why.
#[component]
pub fn Sentence(stage: Stage, step: Signal<Option<Step>>) -> impl IntoView {
    let app = stage.app;
    let player = app.player;
    let playing = Memo::new(move |_| !stage.tells_of_cells());
    view! {
        <p class="order" class:away=live(move || !playing.get()) data-testid="order">{live(move || app.shown.get().map(|shown| strip(&shown, player.with(|p| p.step))))}</p>
        <p class="sentence" class:away=live(move || !playing.get()) data-testid="sentence">{live(move || app.shown.get().map(|shown| sentence(&shown, player.with(|p| p.step), step.get().as_ref())))}</p>
    }
}

/// The order around the present entry.
fn strip(shown: &Shown, step: usize) -> impl IntoView + use<> {
    let ids = shown.order.ids();
    let current = step.max(1) - 1;
    let from = current.saturating_sub(AROUND);
    let to = (current + AROUND + 1).min(ids.len());
    let entry = |i: usize| {
        let class = match i + 1 {
            n if n == step => "now",
            n if n < step => "read",
            _ => "unread",
        };
        view! { <span class=class>{ids[i] + 1}</span>" " }
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
