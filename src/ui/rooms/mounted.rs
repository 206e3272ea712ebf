//! How a room is put into the page: its signals, their owner, and what it asks the page for.

use std::any::Any;

use js_sys::{Array, Function};
use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::HtmlElement;

/// What a room asks the page for; the table in `src/ui/rooms/mod.rs` lists it.
#[derive(Clone, Copy)]
pub(super) struct Act(StoredValue<Function, LocalStorage>);

impl Act {
    /// Asks for something.
    pub(super) fn ask(self, what: &str, number: Option<u32>, text: Option<&str>) {
        let number = number.map_or(JsValue::UNDEFINED, JsValue::from);
        let text = text.map_or(JsValue::UNDEFINED, JsValue::from_str);
        // What the page does with it is the page's affair.
        let _ = self.0.with_value(|act| act.call3(&JsValue::NULL, &what.into(), &number, &text));
    }
}

/// A room in the page, until it is dropped.
pub(super) struct Room<T: Send + Sync + 'static> {
    /// What it was told last.
    pub(super) told: RwSignal<T>,
    /// Entries of what was heard, as they came.
    pub(super) heard: RwSignal<Array, LocalStorage>,
    /// How often something was heard: the list itself is the page's and grows in place.
    pub(super) count: RwSignal<u32>,
    /// What is on the screen, and then the owner of its signals: dropped in this order.
    _held: Box<dyn Any>,
}

impl<T: Clone + PartialEq + Default + Send + Sync + 'static> Room<T> {
    /// Puts a room into an element.
    pub(super) fn new<V>(
        host: HtmlElement,
        act: Function,
        view: impl FnOnce(RwSignal<T>, RwSignal<Array, LocalStorage>, RwSignal<u32>, Act) -> V + 'static,
    ) -> Self
    where
        V: IntoView + leptos::tachys::view::Render + 'static,
        V::State: 'static,
    {
        console_error_panic_hook::set_once();
        let owner = Owner::new();
        let (told, heard, count, act) = owner.with(|| {
            let act = Act(StoredValue::new_local(act));
            (RwSignal::new(T::default()), RwSignal::new_local(Array::new()), RwSignal::new(0), act)
        });
        let handle = mount_to(host, move || view(told, heard, count, act));
        Self { told, heard, count, _held: Box::new((handle, owner)) }
    }

    /// Shows what was heard, and how the page stands.
    pub(super) fn show(&self, heard: &Array, told: T) {
        self.heard.set(heard.clone());
        self.count.update(|count| *count += 1);
        if self.told.with_untracked(|old| *old != told) {
            self.told.set(told);
        }
    }
}
