//! A document of a recorded run as a form, beside its title and notes: where the recording is, and what is changed.

use leptos::prelude::*;
use serde_json::Value;
use ui_kit::live::{live, memo};

use super::summary::Pick;
use kit::import::json;
use traces_lab::page::form::{change_in_words, changes, recording, without_change};
use ui_kit::doc::Doc;

#[component]
pub fn TracesForm(doc: Doc) -> impl IntoView {
    let recording = move || doc.tree.with(|tree| tree.as_ref().map(recording).unwrap_or_default());
    let all = memo(move |_| doc.tree.with(|tree| tree.as_ref().map(changes).unwrap_or_default()));
    let present = move |()| doc.tree.with_untracked(|tree| tree.as_ref().map(json::line).ok());
    let open = move |document: String| doc.write.run((document, "trace.files".into()));
    let problems = move || doc.problems.get();
    let line = move |(place, change): (usize, Value)| {
        let remove = move |_| doc.edit_tree("trace.changes", |tree| without_change(tree, place));
        view! {
            <li class="row">
                <span class="grow" title=json::line(&change)>{change_in_words(&change)}</span>
                <button type="button" class="quiet" aria-label=format!("Take back change {}", place + 1) title="Take back" data-testid=format!("traces-remove-{place}") on:click=remove>"✕"</button>
            </li>
        }
    };
    view! {
        <fieldset>
            <legend>"Recording"</legend>
            <p data-testid="traces-recording">{recording}</p>
            <p class="hint">"Exports of Nsight Systems (SQLite), the PyTorch profiler and rocprofv3 (JSON, plain or packed). A file stays on this computer: nothing of it is sent, nor put into a link."</p>
            <Pick label="Open a recording…" present open/>
        </fieldset>
        <fieldset>
            <legend>"What if"</legend>
            {live(move || all.with(Vec::is_empty).then(|| view! { <p class="hint">"Select an operation or a call in the picture, or try one of the changes beneath it."</p> }))}
            <ol class="traces-changes" data-testid="traces-changes">{live(move || all.get().into_iter().enumerate().map(line).collect_view())}</ol>
            <div class="notes">{live(move || problems().into_iter().map(|one| view! { <p class="wrong">{one.to_string()}</p> }).collect_view())}</div>
        </fieldset>
    }
}
