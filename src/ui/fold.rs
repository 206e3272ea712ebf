//! The form at the side, which folds away: at first where the window is narrow or somebody has followed a link, and in
//! front of a class. Where there is room for it, later visits begin as the visitor left it.

use leptos::prelude::*;
use ui_kit::live::live;

use super::state::App;
use super::welcome;
use ui_kit::kept;

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

const KEY: &str = "warpspan-form";

/// Whether the visitor has last unfolded the form or folded it away; nothing where neither was done.
fn remembered() -> Option<bool> {
    kept::recall(KEY).map(|choice| choice == "open")
}

/// Whether the form is folded away at first.
pub fn at_first() -> bool {
    !roomy() || remembered() == Some(false)
}

/// Whoever follows a link sees the picture first.
pub fn arrive(app: App) {
    if !roomy() || remembered() != Some(true) {
        app.folded.set(true);
    }
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
    if roomy() {
        kept::remember(KEY, if unfold { "open" } else { "folded" });
    }
    if unfold {
        enter();
    } else {
        // Who was within goes back to what had the keyboard before; browsers take it away only once they paint.
        request_animation_frame(|| {
            if ui_kit::keys::has_none() || ui_kit::keys::is_at("side") {
                ui_kit::keys::go_back();
            }
        });
    }
}

/// Takes the keyboard to the form.
pub fn enter() {
    ui_kit::keys::leave_for("side");
    request_animation_frame(|| ui_kit::keys::focus_where_it_is("side"));
}

/// The button for it.
#[component]
pub fn Toggle(app: App) -> impl IntoView {
    let expanded = move || if app.folded.get() || welcome::shown(app) { "false" } else { "true" };
    // Elsewhere its place stays, so that nothing beside it moves.
    let away = move || app.room.with(Option::is_some) || app.sheet.get();
    view! {
            <button class="icon side-toggle" class:out=live(away) aria-label="Scenario" aria-expanded=expanded aria-controls="side" data-testid="fold"
                title="Show or hide the scenario and its form (E)" on:click=move |_| toggle(app)>
                <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path d="M4 6h16M4 12h10M4 18h16" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"/></svg>
            </button>
    }
}
