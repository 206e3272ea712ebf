//! The player beneath the schedule: which warp is read, where its instruction goes and why.

use leptos::prelude::*;

use super::state::App;
use crate::base::people;
use crate::page::Shown;
use crate::page::player::SPEEDS;
use crate::warps::explain::{self, Step};
use ui_kit::player::{Icon, play_while_playing};

/// Entries of the order shown before and after the present one.
const AROUND: usize = 14;

/// Buttons, slider and speed.
#[component]
pub fn PlayerBar(app: App) -> impl IntoView {
    play_while_playing(app.player);
    let player = app.player;
    let playing = move || player.with(|p| p.playing);
    view! {
        <div class="player" role="group" aria-label="Play the construction">
            <div class="row">
                <button class="icon" title="First step (Home)" aria-label="First step" on:click=move |_| player.update(|p| *p = p.at(0))><Icon shape="M5 5v14M19 5 9 12l10 7z"/></button>
                <button class="icon" title="Step back (,)" aria-label="Step back" data-testid="step-back" on:click=move |_| player.update(|p| *p = p.moved(-1))><Icon shape="M16 5 7 12l9 7z"/></button>
                <button class="icon primary" title="Play or pause (Space)" data-testid="play"
                    aria-label=move || if playing() { "Pause" } else { "Play the construction" }
                    on:click=move |_| player.update(|p| *p = p.toggled())><Icon shape=Signal::derive(move || if playing() { "M7 5v14M17 5v14" } else { "m7 4 12 8-12 8z" })/></button>
                <button class="icon" title="Step forward (.)" aria-label="Step forward" data-testid="step-forward" on:click=move |_| player.update(|p| *p = p.moved(1))><Icon shape="m8 5 9 7-9 7z"/></button>
                <button class="icon" title="Whole schedule (End)" aria-label="Whole schedule" on:click=move |_| player.update(|p| *p = p.at(p.total))><Icon shape="M19 5v14M5 5l10 7-10 7z"/></button>
                <input type="range" class="slider" min="0" aria-label="Step" data-testid="slider"
                    max=move || player.with(|p| p.total) prop:value=move || player.with(|p| p.step)
                    on:input=move |event| {
                        if let Ok(step) = event_target_value(&event).parse() {
                            player.update(|p| *p = p.at(step));
                        }
                    }/>
                <label class="speed">
                    <span class="hidden">"Speed"</span>
                    <select data-testid="speed" on:change=move |event| {
                        let chosen = event_target_value(&event);
                        if let Some(speed) = SPEEDS.into_iter().find(|speed| speed.to_string() == chosen) {
                            player.update(|p| p.speed = speed);
                        }
                    }>
                        {SPEEDS.map(|speed| view! { <option value=speed prop:selected=move || player.with(|p| p.speed == speed)>{format!("{speed}×")}</option> }).collect_view()}
                    </select>
                </label>
            </div>
        </div>
    }
}

/// While it is played, the order around the entry that is read; and always where its instruction goes, and why.
#[component]
pub fn Sentence(app: App, step: Signal<Option<Step>>) -> impl IntoView {
    let player = app.player;
    let playing = Memo::new(move |_| player.with(|player| !player.is_at_end()));
    view! {
        <p class="order" class:away=move || !playing.get() data-testid="order">{move || app.shown.get().map(|shown| strip(&shown, player.with(|p| p.step)))}</p>
        <p class="sentence" class:away=move || !playing.get() data-testid="sentence">{move || app.shown.get().map(|shown| sentence(&shown, player.with(|p| p.step), step.get().as_ref()))}</p>
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
