//! How a kernel looks in the picture, small: its colour and its hatch.

use leptos::prelude::*;

use kit::draw::{Ink, Theme};
use kit::export::svg::hatch_lines;
use kit::timeline::Class;

#[component]
pub fn Swatch(
    /// What it is the colour of.
    class: Class,
) -> impl IntoView {
    view! { <span class="swatch" aria-hidden="true" style=style(class)></span> }
}

/// One element and one picture for each class: there are many swatches.
fn style(class: Class) -> String {
    // Classes have the same colour in both themes.
    let colour = Theme::Light.color(Ink::Class(class));
    if hatch_lines(class).is_empty() {
        return format!("background: {colour}");
    }
    let line = |[x1, y1, x2, y2]: &[f64; 4]| format!("M{x1} {y1}L{x2} {y2}");
    let path: String = hatch_lines(class).iter().map(line).collect();
    format!(
        "background: {colour} url(\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Cpath d='{path}' stroke='%23000' stroke-opacity='.32'/%3E%3C/svg%3E\")"
    )
}
