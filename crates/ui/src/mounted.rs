//! How a part is put into the page: the owner of its signals, what it is told and hears, and what it asks for.
//!
//! Invariant: each entry of what there is to hear is read at most once, however often the part is shown: reports are
//! large, and the list of them is the page's.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;

use crate::live::memo;
use crate::show::Show;
use js_sys::{Array, Function, Object};
use leptos::mount::mount_to;
use leptos::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wasm_bindgen::JsValue;
use web_sys::HtmlElement;

use crate::doc::{Doc, tree_of};
use crate::fields::Field;
use crate::lined;
use crate::scrub::Scrub;
use crate::styles::{self, wear};
use kit::page::fields::Holds;
use kit::page::mend::marks;
use kit::page::parts::ToldOfForm;
use kit::page::{Ahead, Ask, Edited};

/// What is mounted: signals, made anew for each place.
pub trait Content: Copy + 'static {
    /// How the page stands.
    type Told: DeserializeOwned;
    /// An entry of what there is to hear.
    type Entry: DeserializeOwned;

    /// What is on the screen.
    fn view(self) -> AnyView;

    /// Hears what is new, before it is told how the page stands.
    fn hear(self, _told: &Self::Told, _news: &News<'_, Self::Entry>) {}

    /// Is told how the page stands.
    fn tell(self, told: Self::Told);
}

/// What has not been heard before.
pub struct News<'a, T> {
    list: &'a Array,
    first: u32,
    entry: PhantomData<T>,
}

impl<T: DeserializeOwned> News<'_, T> {
    /// Whether what was heard before is of no account.
    pub fn begins(&self) -> bool {
        self.first == 0
    }

    /// All of it. What cannot be read is left out; page and part are of the same build, so all of it can.
    pub fn all(&self) -> impl Iterator<Item = T> {
        (self.first..self.list.length()).filter_map(|at| self.at(at))
    }

    /// The last of it, without reading the others.
    pub fn last(&self) -> Option<T> {
        self.list.length().checked_sub(1).filter(|&at| at >= self.first).and_then(|at| self.at(at))
    }

    fn at(&self, at: u32) -> Option<T> {
        serde_wasm_bindgen::from_value(self.list.get(at)).ok()
    }
}

/// The page around a part.
#[derive(Clone, Copy)]
pub struct Page(StoredValue<Function, LocalStorage>);

impl Page {
    /// Asks for something; nothing once the part is gone.
    pub fn ask(self, ask: Ask) {
        // Plain data: turning them into JavaScript values cannot fail.
        let ask = serde_wasm_bindgen::to_value(&ask).unwrap_or_default();
        // What the page does with it is the page's affair.
        let _ = self.0.try_with_value(|act| act.call1(&JsValue::NULL, &ask));
    }

    /// Has it say something in its status line.
    pub fn notice(self, said: &str) {
        self.ask(Ask::Notice(said.to_owned()));
    }
}

/// Where a part is put.
pub struct Host {
    /// The element that it is in.
    pub element: HtmlElement,
    /// What it calls with what it asks for.
    pub act: Function,
}

/// A part in the page, until it is dropped.
pub trait Shows {
    /// Shows what there is to hear, and how the page stands.
    fn show(&self, heard: &Array, told: JsValue) -> Result<(), serde_wasm_bindgen::Error>;
}

/// The same, with its content.
pub struct Mounted<C> {
    content: C,
    /// The list that was heard last, and how much of it.
    list: RefCell<Array>,
    heard: Cell<u32>,
    /// What is on the screen, and then the owner of its signals: dropped in this order.
    _view: Box<dyn std::any::Any>,
    _owner: Owner,
}

impl<C: Content> Mounted<C> {
    /// Puts what is made with a page around it into an element.
    pub fn put(host: Host, make: impl FnOnce(Page) -> C) -> Box<dyn Shows> {
        console_error_panic_hook::set_once();
        let owner = Owner::new();
        let content = owner.with(|| {
            // Before the part's own, which win.
            wear(&[styles::PARTS]);
            make(Page(StoredValue::new_local(host.act)))
        });
        let view = mount_to(host.element, move || content.view());
        let (list, heard) = (RefCell::new(Array::new()), Cell::new(0));
        Box::new(Self { content, list, heard, _view: Box::new(view), _owner: owner })
    }
}

impl<C: Content> Shows for Mounted<C> {
    fn show(&self, heard: &Array, told: JsValue) -> Result<(), serde_wasm_bindgen::Error> {
        let told = serde_wasm_bindgen::from_value(told)?;
        let known = self.list.replace(heard.clone());
        let goes_on = Object::is(&known, heard);
        let first = if goes_on { self.heard.get() } else { 0 };
        self.heard.set(heard.length());
        if !goes_on || heard.length() > first {
            self.content.hear(&told, &News { list: heard, first, entry: PhantomData });
        }
        self.content.tell(told);
        Ok(())
    }
}

/// Sets what is not so already: whoever hears of it need not look again.
pub fn put<T: PartialEq + Send + Sync + 'static>(signal: RwSignal<T>, value: T) {
    if signal.with_untracked(|old| *old != value) {
        signal.set(value);
    }
}

/// The form of a document: its title, the fields of its lab, and its notes.
#[derive(Clone, Copy)]
pub struct Form {
    text: RwSignal<String>,
    problems: RwSignal<Vec<base::Problem>>,
    worst: RwSignal<Vec<(u32, u32)>>,
    /// Whether the answer is hidden, and whether a lesson goes on.
    told: RwSignal<(bool, bool)>,
    doc: Doc,
    fields: fn(Doc) -> AnyView,
    page: Page,
}

impl Form {
    /// Puts the form of a document into an element.
    pub fn put(host: Host, fields: fn(Doc) -> AnyView) -> Box<dyn Shows> {
        Mounted::put(host, move |page| {
            let (text, problems) = (RwSignal::new(String::new()), RwSignal::new(Vec::new()));
            let write = Callback::new(move |(written, edited): (String, Edited)| {
                text.set(written.clone());
                page.ask(Ask::Edit { text: written, edited });
            });
            let adopt = Callback::new(move |what| page.ask(Ask::Adopt(what)));
            let ahead = StoredValue::new(Ahead::default());
            let tree = tree_of(text, ahead);
            let worst = RwSignal::new(Vec::new());
            let doc = Doc { tree, ahead, problems: problems.into(), worst: worst.into(), write, adopt };
            Self { text, problems, worst, told: RwSignal::default(), doc, fields, page }
        })
    }
}

impl Content for Form {
    type Told = ToldOfForm;
    type Entry = ();

    /// While the text is no JSON it says where to mend it.
    fn view(self) -> AnyView {
        let Self { doc, fields, told, .. } = self;
        let sound = memo(move |_| doc.tree.with(|tree| tree.as_ref().is_ok_and(Value::is_object)));
        let scrub = Scrub::new();
        let inside = move || {
            if !sound.get() {
                return view! { <p class="hint">"The text is not a JSON object. Mend it under JSON, or undo."</p> }
                    .into_any();
            }
            view! {
                <form class="form" on:submit=|event| event.prevent_default() on:keydown=move |event| scrub.key(&event)
                    on:pointerover=move |event| scrub.over(&event) on:pointerdown=move |event| scrub.press(&event) on:pointermove=move |event| scrub.drag(&event)
                    on:pointerup=move |_| scrub.drop() on:pointercancel=move |_| scrub.drop() on:click=move |event| scrub.click(&event)>
                    // Titles and notes tend to tell the answer.
                    <Show when=move || !told.get().0>
                        <Field doc path=&["title"] label="Title" holds=Holds::Name/>
                    </Show>
                    {fields(doc)}
                    <Show when=move || told.get() == (false, false)>
                        <Field doc path=&["notes"] label="Notes" holds=Holds::Lines/>
                    </Show>
                </form>
            }
            .into_any()
        };
        inside.into_any()
    }

    fn tell(self, told: ToldOfForm) {
        put(self.told, (told.hide, told.taught));
        put(self.problems, told.problems);
        put(self.worst, told.worst);
        put(self.text, told.text);
        if let Some(place) = told.mend {
            // Once what was told is on the screen.
            request_animation_frame(move || self.page.ask(Ask::Mended(lined::mend(&place))));
        }
    }
}

/// Numbers and marks at the lines of the document's text, which stands in the box before it.
#[derive(Clone, Copy)]
pub struct TextMargin {
    text: RwSignal<String>,
    problems: RwSignal<Vec<base::Problem>>,
}

impl TextMargin {
    /// That knows nothing yet.
    pub fn new(_page: Page) -> Self {
        Self { text: RwSignal::default(), problems: RwSignal::default() }
    }
}

impl Content for TextMargin {
    type Told = ToldOfForm;
    type Entry = ();

    fn view(self) -> AnyView {
        let marked = Signal::derive(move || {
            self.text.with(|text| self.problems.with(|problems| marks(text, problems)))
        });
        view! { <lined::Margin area_id="json".to_owned() text=self.text marks=marked/> }.into_any()
    }

    fn tell(self, told: ToldOfForm) {
        put(self.problems, told.problems);
        put(self.text, told.text);
    }
}
