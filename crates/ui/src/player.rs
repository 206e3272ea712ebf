//! The player of every lab: buttons, a slider, the speed, and the frames of playing.

use crate::live::{effect, live, memo};
use leptos::prelude::*;

use kit::page::Player;
use kit::page::player::SPEEDS;

/// A drawn icon; letters for these signs are missing from some fonts.
#[component]
pub fn Icon(
    /// Its path.
    #[prop(into)]
    shape: Signal<&'static str>,
) -> impl IntoView {
    view! { <svg class="sign" viewBox="0 0 24 24" width="16" height="16" aria-hidden="true"><path d=live(move || shape.get())/></svg> }
}

/// What is played, in the words of a lab.
#[derive(Clone, Copy)]
pub struct Played {
    /// Begins the names by which tests find its parts.
    pub id: &'static str,
    /// What playing does.
    pub what: &'static str,
    /// What its first step shows.
    pub first: &'static str,
    /// What its last step shows.
    pub last: &'static str,
    /// What a step is.
    pub step: &'static str,
}

/// Stops where it is: who asks about something wants to read the answer.
pub fn stand_still(player: RwSignal<Player>) {
    if player.with_untracked(|player| player.playing) {
        player.update(|player| *player = player.toggled());
    }
}

/// Buttons, slider and speed.
#[component]
pub fn PlayerBar(
    /// What they move.
    player: RwSignal<Player>,
    /// What that is called.
    played: Played,
    /// What stands along the slider.
    #[prop(optional, into)]
    marks: ViewFn,
    /// What follows the speed.
    #[prop(optional, into)]
    more: ViewFn,
) -> impl IntoView {
    play_while_playing(player);
    let Played { id, what, first, last, step } = played;
    let named = |part: &str| format!("{id}-{part}");
    let playing = move || player.with(|p| p.playing);
    let sign = Signal::derive(move || if playing() { "M7 5v14M17 5v14" } else { "m7 4 12 8-12 8z" });
    let go = move |to: fn(Player) -> Player| move |_| player.update(|p| *p = to(*p));
    view! {
        <div class="player">
            <div class="row" role="toolbar" aria-label=what>
                <button class="icon" title=format!("{first} (Home)") aria-label=first data-testid=named("home") on:click=go(|p| p.at(0))><Icon shape="M5 5v14M19 5 9 12l10 7z"/></button>
                <button class="icon" title="Step back (,)" aria-label="Step back" data-testid=named("back") on:click=go(|p| p.moved(-1))><Icon shape="M16 5 7 12l9 7z"/></button>
                <button class="icon primary" title="Play or pause (Space)" data-testid=named("play")
                    aria-label=live(move || if playing() { "Pause" } else { what }) on:click=go(|p| p.toggled())><Icon shape=sign/></button>
                <button class="icon" title="Step forward (.)" aria-label="Step forward" data-testid=named("forward") on:click=go(|p| p.moved(1))><Icon shape="m8 5 9 7-9 7z"/></button>
                <button class="icon" title=format!("{last} (End)") aria-label=last data-testid=named("end") on:click=go(|p| p.at(p.total))><Icon shape="M19 5v14M5 5l10 7-10 7z"/></button>
                <span class="events">
                    <input type="range" class="slider" min="0" aria-label=step data-testid=named("slider")
                        max=live(move || player.with(|p| p.total)) prop:value=live(move || player.with(|p| p.step))
                        on:input=move |event| {
                            if let Ok(step) = event_target_value(&event).parse() {
                                player.update(|p| *p = p.at(step));
                            }
                        }/>
                    {marks.run()}
                </span>
                <label class="speed">
                    <span class="hidden">"Speed"</span>
                    <select data-testid=named("speed") on:change=move |event| {
                        let chosen = event_target_value(&event);
                        if let Some(speed) = SPEEDS.into_iter().find(|speed| speed.to_string() == chosen) {
                            player.update(|p| p.speed = speed);
                        }
                    }>
                        {SPEEDS.map(|speed| view! { <option value=speed prop:selected=live(move || player.with(|p| p.speed == speed))>{format!("{speed}×")}</option> }).collect_view()}
                    </select>
                </label>
                {more.run()}
            </div>
        </div>
    }
}

/// Advances a player frame by frame while it plays.
fn play_while_playing(player: RwSignal<Player>) {
    let playing = memo(move |_| player.with(|p| p.playing));
    effect(move || {
        if playing.get() {
            next_frame(player, now());
        }
    });
}

fn next_frame(player: RwSignal<Player>, before: f64) {
    request_animation_frame(move || {
        let after = now();
        let Some(present) = player.try_get_untracked().filter(|player| player.playing) else { return };
        let next = present.after((after - before) / 1000.0);
        player.set(next);
        if next.playing {
            next_frame(player, after);
        }
    });
}

/// Milliseconds on the page's clock.
pub fn now() -> f64 {
    window().performance().map_or(0.0, |performance| performance.now())
}
