//! How a kernel looks in the picture, small: its colour and its hatch.

use leptos::prelude::*;

use crate::draw::{Ink, Theme};
use crate::export::svg::{HATCH_COLOR, hatch_lines};
use crate::timeline::Class;

#[component]
pub(super) fn Swatch(class: Class) -> impl IntoView {
    // Classes have the same colour in both themes.
    let colour = Theme::Light.color(Ink::Class(class));
    let line = |&[x1, y1, x2, y2]: &[f64; 4]| view! { <line x1=x1 y1=y1 x2=x2 y2=y2 stroke=HATCH_COLOR/> };
    view! {
        <svg class="swatch" viewBox="0 0 8 8" width="14" height="14" aria-hidden="true">
            <rect width="8" height="8" fill=colour/>
            {hatch_lines(class).iter().map(line).collect_view()}
        </svg>
    }
}
