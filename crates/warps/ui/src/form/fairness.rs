//! Which warp may go before which, as part of the form.

use leptos::prelude::*;
use serde_json::{Value, json};
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use kit::page::edit;
use kit::page::fields::Holds;
use ui_kit::doc::Doc;
use ui_kit::fields::{Field, Path, Problems};

const FAIRNESS: Path = &["warps", "fairness"];
const SUB_BLOCKS: Path = &["warps", "sub_blocks"];

/// Who may go before whom.
#[component]
pub fn Fairness(doc: Doc) -> impl IntoView {
    let fair = memo(move |_| {
        doc.tree.with(|tree| {
            let written = tree.as_ref().ok().and_then(|tree| edit::get(tree, FAIRNESS));
            written.is_some_and(|name| name.as_str() == Some("sub-block"))
        })
    });
    let choose = move |event| {
        let fair = event_target_checked(&event);
        doc.edit_tree("fairness", |tree| {
            if fair {
                edit::set(&edit::set(tree, FAIRNESS, Value::from("sub-block")), SUB_BLOCKS, json!([]))
            } else {
                edit::remove(&edit::remove(tree, FAIRNESS), SUB_BLOCKS)
            }
        });
    };
    view! {
        <label class="tick">
            <input type="checkbox" data-testid="fairness" prop:checked=live(move || fair.get()) on:change=choose/>
            <span>"Sub-block fairness: earlier sub-blocks go first"</span>
        </label>
        <Problems doc path=FAIRNESS/>
        <Show when=move || fair.get()>
            <Field doc path=SUB_BLOCKS label="Boundaries" holds=Holds::List hint="How many instructions of the kernel stand before each boundary between two sub-blocks."/>
        </Show>
    }
}
