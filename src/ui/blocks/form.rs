//! A blocks document as a form, beside its title and notes, which are the page's.

mod cells;
mod device;
mod examiner;
mod measured;
mod operations;
mod streams;

use std::any::Any;

use js_sys::Function;
use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::HtmlElement;

use crate::base::Problem;
use crate::import::json as json_text;
use crate::page::blocks::form;
use crate::page::edit;
use crate::ui::doc::Doc;
use cells::told;
use device::DeviceForm;
use examiner::Benchmarks;
use measured::Measured;
use streams::Streams;

/// The form in the page, until it is dropped.
pub struct Mounted {
    text: RwSignal<String>,
    problems: RwSignal<Vec<Problem>>,
    /// What is on the screen, and then the owner of its signals: dropped in this order.
    _held: Box<dyn Any>,
}

impl Mounted {
    /// Puts the form into an element; `act` is called with a field and the text it made.
    pub fn new(host: HtmlElement, act: Function) -> Self {
        let owner = Owner::new();
        let (text, problems, doc) = owner.with(|| {
            let (text, problems) = (RwSignal::new(String::new()), RwSignal::new(Vec::new()));
            let act = StoredValue::new_local(act);
            let write = Callback::new(move |(written, field): (String, String)| {
                text.set(written.clone());
                // What the page does with it is the page's affair.
                let _ = act.with_value(|act| act.call2(&JsValue::NULL, &field.into(), &written.into()));
            });
            let tree = Memo::new(move |_| text.with(|text| json_text::parse(text)));
            (text, problems, Doc { tree, problems: problems.into(), write })
        });
        let handle = mount_to(host, move || view! { <BlocksForm doc/> });
        Self { text, problems, _held: Box::new((handle, owner)) }
    }

    /// Shows a document, and what is wrong with it.
    pub fn show(&self, text: String, problems: Vec<Problem>) {
        if self.text.with_untracked(|old| *old != text) {
            self.text.set(text);
        }
        if self.problems.with_untracked(|old| *old != problems) {
            self.problems.set(problems);
        }
    }
}

/// What stands between title and notes.
#[component]
fn BlocksForm(doc: Doc) -> impl IntoView {
    let part = move |key: &'static str| {
        Memo::new(move |_| {
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
