//! A panel that a part's wasm puts into the page: it is handed what workers tell, and has the page do things.

use std::any::Any;
use std::cell::Cell;

use js_sys::{Array, Function};
use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::HtmlElement;

use crate::page::trial::ToldOfTrial;

/// What the parts of a panel share, made anew for each panel.
pub trait Panel: Copy + 'static {
    /// A panel that knows nothing yet.
    fn new(page: Page) -> Self;

    /// What is on the screen.
    fn view(self) -> AnyView;

    /// How the document and its run stand.
    fn told(self) -> RwSignal<ToldOfTrial>;

    /// Hears lines of a run, which have not been told before.
    fn hear(self, job: u32, lines: &Array);
}

/// The page around a panel.
#[derive(Clone, Copy)]
pub struct Page(StoredValue<Function, LocalStorage>);

impl Page {
    /// Has the page do something with a number and a text; nothing once the panel is gone.
    pub fn act(self, what: &str, number: Option<usize>, text: Option<&str>) {
        let number = number.map_or(JsValue::UNDEFINED, |number| JsValue::from_f64(number as f64));
        let text = text.map_or(JsValue::UNDEFINED, JsValue::from_str);
        // What the page does with it is the page's affair.
        let _ = self.0.try_with_value(|act| act.call3(&JsValue::NULL, &what.into(), &number, &text));
    }
}

/// A panel in the page, until it is dropped.
pub struct Mounted<P> {
    panel: P,
    /// The run whose lines were heard, and how many of them.
    heard: Cell<(u32, u32)>,
    /// What is on the screen, and then the owner of its signals: dropped in this order.
    _held: Box<dyn Any>,
}

impl<P: Panel> Mounted<P> {
    /// Puts a panel into an element; `act` is called with what someone wants done, a number and a text.
    pub fn new(host: HtmlElement, act: Function) -> Self {
        console_error_panic_hook::set_once();
        let owner = Owner::new();
        let panel = owner.with(|| P::new(Page(StoredValue::new_local(act))));
        let handle = mount_to(host, move || panel.view());
        Self { panel, heard: Cell::default(), _held: Box::new((handle, owner)) }
    }

    /// Shows what a worker has told, line by line, and how it stands.
    pub fn show(&self, lines: &Array, told: ToldOfTrial) {
        let (job, known) = self.heard.replace((told.job, lines.length()));
        let first = if job == told.job { known } else { 0 };
        if lines.length() > first {
            self.panel.hear(told.job, &lines.slice(first, lines.length()));
        }
        let shown = self.panel.told();
        if shown.with_untracked(|old| *old != told) {
            shown.set(told);
        }
    }
}
