//! How something looks in the picture, small: its colour and its hatch.

use crate::live::live;
use leptos::prelude::*;

use kit::draw::{Hatch, Ink, Theme};
use kit::export::svg::hatch_lines;
use kit::timeline::Class;

/// Of a kernel.
#[component]
pub fn Swatch(
    /// What it is the colour of.
    class: Class,
) -> impl IntoView {
    // Classes have the same colour in both themes.
    let style = style(Ink::Class(class), Hatch::Class(class), Theme::Light);
    view! { <span class="swatch" aria-hidden="true" style=style></span> }
}

/// Of anything, in the page's colours.
#[component]
pub fn InkSwatch(
    /// Its colour.
    ink: Ink,
    /// Its hatch.
    hatch: Hatch,
) -> impl IntoView {
    let theme = expect_context::<Memo<Theme>>();
    view! { <span class="swatch" aria-hidden="true" style=live(move || style(ink, hatch, theme.get()))></span> }
}

/// One element and one picture for each class: there are many swatches.
fn style(ink: Ink, hatch: Hatch, theme: Theme) -> String {
    let colour = theme.color(ink);
    let lines = match hatch {
        Hatch::Class(class) => hatch_lines(class),
        Hatch::None => &[],
    };
    if lines.is_empty() {
        return format!("background: {colour}");
    }
    let line = |[x1, y1, x2, y2]: &[f64; 4]| format!("M{x1} {y1}L{x2} {y2}");
    let path: String = lines.iter().map(line).collect();
    format!(
        "background: {colour} url(\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Cpath d='{path}' stroke='%23000' stroke-opacity='.32'/%3E%3C/svg%3E\")"
    )
}
