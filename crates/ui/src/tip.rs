//! What is said beside the pointer: where there is room for it.

use leptos::prelude::*;

/// Room that it wants to its right.
const ROOM: f64 = 280.0;
/// And above it.
const ABOVE: f64 = 80.0;

/// The words, beside a place of a picture.
#[component]
pub fn Tip(
    /// Where the pointer is, from the left.
    x: f64,
    /// And from the top.
    y: f64,
    /// How wide the picture is.
    room: f64,
    /// How far the picture is scrolled down.
    #[prop(default = 0.0)]
    down: f64,
    /// How high what is in sight of it is, where that is known: the words are on the side with more room.
    #[prop(default = 0.0)]
    high: f64,
    /// What is said.
    said: String,
    /// What tests find it by.
    #[prop(default = "tip")]
    id: &'static str,
) -> impl IntoView {
    let left = x > room - ROOM && x > room / 2.0;
    let across = if left { "calc(-100% - 12px)" } else { "12px" };
    let most = (if left { x } else { room - x } - 20.0).min(480.0);
    let down = if y - down > ABOVE.max(high / 2.0) { "calc(-100% - 10px)" } else { "14px" };
    let style =
        format!("left: {x}px; top: {y}px; max-width: {most}px; transform: translate({across}, {down})");
    view! { <div class="lab-tip" aria-hidden="true" data-testid=id style=style>{said}</div> }
}
