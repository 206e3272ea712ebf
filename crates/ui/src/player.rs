//! What players of all labs share: icons, and the frames of playing.

use leptos::prelude::*;

use kit::page::Player;

/// A drawn icon; letters for these signs are missing from some fonts.
#[component]
pub fn Icon(
    /// Its path.
    #[prop(into)]
    shape: Signal<&'static str>,
) -> impl IntoView {
    view! { <svg class="sign" viewBox="0 0 24 24" width="16" height="16" aria-hidden="true"><path d=move || shape.get()/></svg> }
}

/// Advances a player frame by frame while it plays.
pub fn play_while_playing(player: RwSignal<Player>) {
    let playing = Memo::new(move |_| player.with(|p| p.playing));
    Effect::new(move |_| {
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
