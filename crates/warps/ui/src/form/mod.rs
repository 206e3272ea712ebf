//! A warps document as a form: every field reads and writes one path of the document. Title and notes stand around it.

mod anneal;
mod fairness;
mod kernel;
mod loads;
mod machine;
mod memory;
mod method;
mod order;

use leptos::prelude::*;

use ui_kit::doc::Doc;
use ui_kit::fields::{Field, Kind};

/// What stands between title and notes.
#[component]
pub fn WarpsForm(doc: Doc) -> impl IntoView {
    view! {
        <kernel::Kernel doc/>
        <Field doc path=&["warps", "count"] label="Warps" kind=Kind::Number slider=(1, 64) hint="1 to 64"/>
        <machine::Machine doc/>
        <fairness::Fairness doc/>
        <memory::Memory doc/>
        <method::Method doc/>
    }
}
