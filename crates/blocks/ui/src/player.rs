//! The player beneath the timeline: buttons, a slider with what happens when, speed, and which run is played.

use leptos::prelude::*;

use super::stage::Stage;
use blocks_lab::page::blocks::{MarkKind, Played, Which};
use kit::page::player::SPEEDS;
use ui_kit::player::{Icon, play_while_playing};

#[component]
pub(super) fn PlayerBar(stage: Stage) -> impl IntoView {
    let player = stage.player;
    play_while_playing(player);
    let playing = move || player.with(|p| p.playing);
    let several = Memo::new(move |_| stage.with(|runs| runs.runs.len() > 1).unwrap_or(false));
    let pressed = move |which: Which| if stage.played.get() == which { "true" } else { "false" };
    view! {
        <div class="player" role="group" aria-label="Play the run">
            <div class="row">
                <button class="icon" title="Before the first event (Home)" aria-label="Before the first event" data-testid="blocks-home" on:click=move |_| player.update(|p| *p = p.at(0))><Icon shape="M5 5v14M19 5 9 12l10 7z"/></button>
                <button class="icon" title="Step back (,)" aria-label="Step back" data-testid="blocks-back" on:click=move |_| player.update(|p| *p = p.moved(-1))><Icon shape="M16 5 7 12l9 7z"/></button>
                <button class="icon primary" title="Play or pause (Space)" data-testid="blocks-play"
                    aria-label=move || if playing() { "Pause" } else { "Play the run" }
                    on:click=move |_| player.update(|p| *p = p.toggled())><Icon shape=Signal::derive(move || if playing() { "M7 5v14M17 5v14" } else { "m7 4 12 8-12 8z" })/></button>
                <button class="icon" title="Step forward (.)" aria-label="Step forward" data-testid="blocks-forward" on:click=move |_| player.update(|p| *p = p.moved(1))><Icon shape="m8 5 9 7-9 7z"/></button>
                <button class="icon" title="The whole run (End)" aria-label="The whole run" data-testid="blocks-end" on:click=move |_| player.update(|p| *p = p.at(p.total))><Icon shape="M19 5v14M5 5l10 7-10 7z"/></button>
                <Slider stage/>
                <label class="speed">
                    <span class="hidden">"Speed"</span>
                    <select data-testid="blocks-speed" on:change=move |event| {
                        let chosen = event_target_value(&event);
                        if let Some(speed) = SPEEDS.into_iter().find(|speed| speed.to_string() == chosen) {
                            player.update(|p| p.speed = speed);
                        }
                    }>
                        {SPEEDS.map(|speed| view! { <option value=speed prop:selected=move || player.with(|p| p.speed == speed)>{format!("{speed}×")}</option> }).collect_view()}
                    </select>
                </label>
                <Show when=move || several.get()>
                    <div class="switch" role="group" aria-label="The run that is played">
                        {[Which::Simulated, Which::Measured].map(|which| view! {
                            <button aria-pressed=move || pressed(which) data-testid=format!("play-{}", which.name()) on:click=move |_| stage.play(which)>{which.title()}</button>
                        }).collect_view()}
                    </div>
                </Show>
            </div>
        </div>
    }
}

/// The slider, with a mark where a kernel or a copy begins or ends.
#[component]
fn Slider(stage: Stage) -> impl IntoView {
    let player = stage.player;
    let marks = Memo::new(move |_| stage.events.with(|events| events.as_deref().map(paths)));
    view! {
        <span class="events">
            <input type="range" class="slider" min="0" aria-label="Event" data-testid="blocks-slider"
                max=move || player.with(|p| p.total) prop:value=move || player.with(|p| p.step)
                on:input=move |event| {
                    if let Ok(step) = event_target_value(&event).parse() {
                        player.update(|p| *p = p.at(step));
                    }
                }/>
            <svg viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true">
                {move || marks.get().map(|(begins, ends)| view! { <path class="begins" d=begins/><path class="ends" d=ends/> })}
            </svg>
        </span>
    }
}

/// The marks of what begins, above, and of what ends, below.
fn paths(events: &Played) -> (String, String) {
    let (mut begins, mut ends) = (String::new(), String::new());
    for (at, kind) in events.marks() {
        let x = at * 1_000.0;
        match kind {
            MarkKind::Begins => begins += &format!("M{x:.1} 0V4"),
            MarkKind::Ends => ends += &format!("M{x:.1} 4V8"),
        }
    }
    (begins, ends)
}
