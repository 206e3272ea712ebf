//! A chain's document as a form, beside its title and notes, which are the page's.

mod gpu;
mod kernels;
mod list;
mod listing;
mod segments;
mod tasks;

use leptos::prelude::*;

use chain_lab::page::chain::form::CHAIN;
use kit::page::fields::path::place;
use kit::page::fields::problems_at;
use ui_kit::cells::told;
use ui_kit::doc::Doc;

/// What stands between title and notes.
#[component]
pub fn ChainForm(doc: Doc) -> impl IntoView {
    let own = [place(&CHAIN)];
    view! {
        {told(doc, "notes-chain".to_owned(), move |problems| problems_at(problems, &own))}
        {gpu::gpu(doc)}
        {kernels::kernels(doc)}
        {tasks::tasks(doc)}
        {tasks::cores(doc)}
    }
}
