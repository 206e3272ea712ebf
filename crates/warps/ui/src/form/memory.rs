//! Whether loads take their time, as part of the form.

use leptos::prelude::*;
use serde_json::json;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use super::loads::Loads;
use kit::page::edit;
use ui_kit::doc::Doc;
use ui_kit::fields::Path;

const MEMORY: Path = &["warps", "memory"];

/// Loads of more than a cycle.
#[component]
pub fn Memory(doc: Doc) -> impl IntoView {
    let on = memo(move |_| {
        doc.tree.with(|tree| tree.as_ref().is_ok_and(|tree| edit::get(tree, MEMORY).is_some()))
    });
    let choose = move |event| {
        let on = event_target_checked(&event);
        doc.edit_tree("memory", |tree| {
            if on {
                edit::set(tree, MEMORY, json!({"mode": "held", "miss": 8}))
            } else {
                edit::remove(tree, MEMORY)
            }
        });
    };
    view! {
        <label class="tick">
            <input type="checkbox" data-testid="memory" prop:checked=live(move || on.get()) on:change=choose/>
            <span>"Loads take more than a cycle"</span>
        </label>
        <Show when=move || on.get()>
            <Loads doc/>
        </Show>
    }
}
