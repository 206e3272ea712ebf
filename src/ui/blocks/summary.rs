//! What the document is called, how its run stands, and what came of it in a few numbers.

use leptos::prelude::*;

use super::Panel;

/// Title, notes, run and results.
#[component]
pub fn Summary(panel: Panel) -> impl IntoView {
    let title = move || match panel.told.with(|told| told.title.clone()) {
        title if title.is_empty() => "Untitled scenario".to_owned(),
        title => title,
    };
    view! { <h2 data-testid="title">{title}</h2> }
}
