//! A blocks document as a form, beside its title and notes, which are the page's.

mod device;
mod examiner;
mod measured;
mod operations;
mod streams;

use leptos::prelude::*;
use ui_kit::live::memo;
use ui_kit::show::Show;

use blocks_lab::page::blocks::form;
use device::DeviceForm;
use examiner::Benchmarks;
use kit::page::edit;
use measured::Measured;
use streams::Streams;
use ui_kit::cells::told;
use ui_kit::doc::Doc;

/// What stands between title and notes.
#[component]
pub fn BlocksForm(doc: Doc) -> impl IntoView {
    let part = move |key: &'static str| {
        memo(move |_| {
            doc.tree.with(|tree| tree.as_ref().is_ok_and(|tree| edit::get(tree, &["blocks", key]).is_some()))
        })
    };
    let (streams, examiner) = (part("streams"), part("examiner"));
    let measured = part("measured");
    let blocks = ["blocks".to_owned()];
    view! {
        <DeviceForm doc/>
        <Show when=move || streams.get()><Streams doc/></Show>
        <Show when=move || examiner.get()><Benchmarks doc/></Show>
        <Show when=move || !streams.get() && !examiner.get()>
            {told(doc, "notes-blocks".to_owned(), { let blocks = blocks.clone(); move |problems| form::problems_at(problems, &blocks) })}
        </Show>
        <Show when=move || measured.get() || examiner.get()><Measured doc/></Show>
    }
}
