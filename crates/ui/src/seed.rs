//! A field for a seed, and a button that draws a fresh one where the browser has randomness.

use leptos::prelude::*;
use serde_json::Value;

use crate::doc::Doc;
use crate::fields::{Field, Path};
use kit::page::edit;
use kit::page::fields::Holds;

/// What a seed leads to is the same everywhere; which seed one takes is chance.
#[component]
pub fn SeedField(
    /// The document.
    doc: Doc,
    /// Where its seed stands.
    path: Path,
    /// What helps to fill it in.
    #[prop(optional)]
    hint: &'static str,
) -> impl IntoView {
    let draw = move |_| {
        // Small enough for a person to write down, and exact in every reader of JSON.
        if let Ok(seed) = getrandom::u32() {
            doc.edit_tree(&path.join("."), |tree| edit::set(tree, path, Value::from(seed % 1_000_000)));
        }
    };
    view! {
        <div class="seed">
            <Field doc path label="Seed" holds=Holds::Number hint/>
            <button type="button" class="icon" title="Draw a fresh seed" aria-label="Draw a fresh seed"
                data-testid=format!("fresh-{}", path.join("-")) on:click=draw>"⚄"</button>
        </div>
    }
}
