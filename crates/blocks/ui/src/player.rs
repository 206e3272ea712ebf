//! The player beneath the timeline: what happens when stands along its slider, and which run is played beside it.

use leptos::prelude::*;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use super::stage::Stage;
use blocks_lab::page::blocks::{MarkKind, Played as Run, Which};
use ui_kit::player::{Played, PlayerBar};

const RUN: Played = Played {
    id: "blocks",
    what: "Play the run",
    first: "Before the first event",
    last: "The whole run",
    step: "Event",
};

#[component]
pub(super) fn RunPlayer(stage: Stage) -> impl IntoView {
    view! { <PlayerBar player=stage.player played=RUN marks=move || marks(stage) more=move || which(stage)/> }
}

/// Which of two runs is played.
fn which(stage: Stage) -> impl IntoView {
    let several = memo(move |_| stage.with(|runs| runs.runs.len() > 1).unwrap_or(false));
    let pressed = move |which: Which| if stage.played.get() == which { "true" } else { "false" };
    view! {
        <Show when=move || several.get()>
            <div class="switch" role="group" aria-label="The run that is played">
                {live(move || stage.with(|runs| runs.runs.iter().map(|run| run.which).collect::<Vec<_>>()).unwrap_or_default().into_iter().map(|which| view! {
                    <button aria-pressed=move || pressed(which) data-testid=format!("play-{}", which.name()) on:click=move |_| stage.play(which)>{which.title()}</button>
                }).collect_view())}
            </div>
        </Show>
    }
}

/// A mark where a kernel or a copy begins or ends.
fn marks(stage: Stage) -> impl IntoView {
    let marks = memo(move |_| stage.events.with(|events| events.as_deref().map(paths)));
    view! {
        <svg viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true">
            {live(move || marks.get().map(|(begins, ends)| view! { <path class="begins" d=begins/><path class="ends" d=ends/> }))}
        </svg>
    }
}

/// The marks of what begins, above, and of what ends, below.
fn paths(events: &Run) -> (String, String) {
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
