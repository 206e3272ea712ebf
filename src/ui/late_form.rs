//! A form that a lab's wasm puts into the page, beside title and notes, which are the page's.

use std::any::Any;

use js_sys::Function;
use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::HtmlElement;

use super::doc::Doc;
use crate::base::Problem;
use crate::import::json;

/// The form in the page, until it is dropped.
pub struct Mounted {
    text: RwSignal<String>,
    problems: RwSignal<Vec<Problem>>,
    /// What is on the screen, and then the owner of its signals: dropped in this order.
    _held: Box<dyn Any>,
}

impl Mounted {
    /// Puts a form of a document into an element; `act` is called with a field and the text it made.
    pub(super) fn new(host: HtmlElement, act: Function, form: fn(Doc) -> AnyView) -> Self {
        let owner = Owner::new();
        let (text, problems, doc) = owner.with(|| {
            let (text, problems) = (RwSignal::new(String::new()), RwSignal::new(Vec::new()));
            let act = StoredValue::new_local(act);
            let write = Callback::new(move |(written, field): (String, String)| {
                text.set(written.clone());
                // What the page does with it is the page's affair.
                let _ = act.with_value(|act| act.call2(&JsValue::NULL, &field.into(), &written.into()));
            });
            let tree = Memo::new(move |_| text.with(|text| json::parse(text)));
            (text, problems, Doc { tree, problems: problems.into(), write })
        });
        let handle = mount_to(host, move || form(doc));
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
