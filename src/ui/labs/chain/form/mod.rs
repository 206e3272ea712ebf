//! A chain's document as a form, beside its title and notes, which are the page's.

mod gpu;
mod kernels;
mod list;
mod segments;
mod tasks;

use leptos::prelude::*;

use crate::page::chain::form::CHAIN;
use crate::page::fields::path::place;
use crate::page::fields::problems_at;
use crate::ui::doc::Doc;
use crate::ui::labs::cells::told;

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
