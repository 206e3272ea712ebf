//! A chain's document as a form, beside its title and notes, which are the page's.

mod gpu;
mod kernels;
mod list;
mod segments;
mod tasks;

use js_sys::Function;
use leptos::prelude::*;
use web_sys::HtmlElement;

use crate::page::chain::form::CHAIN;
use crate::page::fields::path::place;
use crate::page::fields::problems_at;
use crate::ui::cells::told;
use crate::ui::doc::Doc;
pub use crate::ui::late_form::Mounted;

/// Puts the form into an element; `act` is called with a field and the text it made.
pub fn mount(host: HtmlElement, act: Function) -> Mounted {
    Mounted::new(host, act, |doc| view! { <ChainForm doc/> }.into_any())
}

/// What stands between title and notes.
#[component]
fn ChainForm(doc: Doc) -> impl IntoView {
    let own = [place(&CHAIN)];
    view! {
        {told(doc, "notes-chain".to_owned(), move |problems| problems_at(problems, &own))}
        {gpu::gpu(doc)}
        {kernels::kernels(doc)}
        {tasks::tasks(doc)}
        {tasks::cores(doc)}
    }
}
