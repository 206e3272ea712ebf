//! The form at the side, which folds away: at first where the window is narrow, and in front of a class.

use leptos::prelude::*;
use ui_kit::show::Show;

use super::state::App;
use super::welcome;

/// Windows narrower than this begin with the picture alone.
const ROOMY: f64 = 1340.0;

/// Whether there is room for the form beside the picture.
fn roomy() -> bool {
    window().inner_width().ok().and_then(|width| width.as_f64()).is_none_or(|width| width >= ROOMY)
}

/// Whether the form lies over the picture, as the style sheet has it.
pub fn covers() -> bool {
    window().match_media("(max-width: 56.25em)").ok().flatten().is_some_and(|narrow| narrow.matches())
}

/// Whether the form is folded away at first.
pub fn at_first() -> bool {
    !roomy()
}

/// What is large for a class has the screen to itself.
pub fn follow(app: App) {
    Effect::new(move |before: Option<bool>| {
        let projected = app.projector.get();
        if before.unwrap_or(false) != projected {
            if projected {
                app.end_welcome();
            }
            app.folded.set(projected || !roomy());
        }
        projected
    });
}

/// Folds the form away, or back; whoever asks for it is taken there.
pub fn toggle(app: App) {
    let unfold = app.folded.get_untracked() || app.welcome.get_untracked();
    app.end_welcome();
    app.folded.set(!unfold);
    if unfold {
        enter();
    }
}

/// Takes the keyboard to the form.
pub fn enter() {
    request_animation_frame(|| ui_kit::keys::focus("side"));
}

/// The button for it.
#[component]
pub fn Toggle(app: App) -> impl IntoView {
    let expanded = move || if app.folded.get() || welcome::shown(app) { "false" } else { "true" };
    let in_lab = move || app.room.get().is_none() && !app.sheet.get();
    view! {
        <Show when=in_lab>
            <button class="icon side-toggle" aria-label="Scenario" aria-expanded=expanded aria-controls="side" data-testid="fold"
                title="Show or hide the scenario and its form (E)" on:click=move |_| toggle(app)>
                <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path d="M4 6h16M4 12h10M4 18h16" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"/></svg>
            </button>
        </Show>
    }
}
