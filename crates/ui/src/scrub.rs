//! Numbers of a form that are turned: by the arrow keys in their fields, and by dragging their names.

use js_sys::{Array, Function, Object, Reflect};
use leptos::ev::{KeyboardEvent, MouseEvent, PointerEvent};
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, HtmlElement, HtmlInputElement};

use crate::keys::is_plain;
use kit::page::edit::{grain, stepped};

/// A drag over so many pixels is a step.
const STEP: f64 = 6.0;
/// What the name of a number says of itself.
const TITLE: &str = "Drag sideways for more or less, with Shift ten at a time; ↑ ↓ in the field do the same";
/// Shift makes so many of one.
const MANY: i64 = 10;

/// A name that is dragged: where the press was, the field, and what stood in it.
#[derive(Clone)]
struct Held {
    from: f64,
    field: HtmlInputElement,
    began: String,
    moved: bool,
}

/// What a form needs so that its numbers are turned.
#[derive(Clone, Copy)]
pub struct Scrub {
    held: StoredValue<Option<Held>, LocalStorage>,
    /// Whether the click that is to come ends a drag.
    ended: StoredValue<bool>,
}

impl Scrub {
    /// Nothing is dragged yet.
    pub fn new() -> Self {
        Self { held: StoredValue::new_local(None), ended: StoredValue::new(false) }
    }

    /// Up and down in a field for a number.
    pub fn key(self, event: &KeyboardEvent) {
        let by = match event.key().as_str() {
            "ArrowUp" => 1,
            "ArrowDown" => -1,
            _ => return,
        };
        let field = event.target().and_then(|target| target.dyn_into().ok()).filter(takes_numbers);
        let Some(field) = field.filter(|_| is_plain(event)) else { return };
        if let Some(text) = stepped(&held_by(&field), if event.shift_key() { by * MANY } else { by }) {
            event.prevent_default();
            write(&field, &text);
            tell(&field, "change");
        }
    }

    /// The pointer comes to the name of a field for a number: it says that it can be dragged.
    pub fn over(self, event: &PointerEvent) {
        if let Some((label, _)) = name_at(event).filter(|(label, _)| label.title().is_empty()) {
            label.set_title(TITLE);
        }
    }

    /// A press on the name of a field for a number.
    pub fn press(self, event: &PointerEvent) {
        let Some((label, field)) = name_at(event).filter(|_| event.button() == 0) else { return };
        if stepped(&held_by(&field), 0).is_none() {
            return;
        }
        self.ended.set_value(false);
        let _ = label.set_pointer_capture(event.pointer_id());
        let (from, began) = (f64::from(event.client_x()), held_by(&field));
        self.held.set_value(Some(Held { from, field, began, moved: false }));
    }

    /// The pointer moves.
    pub fn drag(self, event: &PointerEvent) {
        let Some(mut held) = self.held.get_value() else { return };
        let by = ((f64::from(event.client_x()) - held.from) / STEP).trunc() as i64 * grain(&held.began);
        if by == 0 && !held.moved {
            return;
        }
        held.moved = true;
        // A form may have made another field for the number since.
        if !held.field.is_connected() {
            let id = held.field.get_attribute("data-testid").unwrap_or_default();
            let found = document().query_selector(&format!("[data-testid=\"{id}\"]")).ok().flatten();
            let Some(found) = found.and_then(|found| found.dyn_into().ok()) else { return };
            held.field = found;
        }
        if let Some(text) = stepped(&held.began, if event.shift_key() { by * MANY } else { by })
            && text != held.field.value()
        {
            write(&held.field, &text);
        }
        self.held.set_value(Some(held));
    }

    /// It is up, or gone.
    pub fn drop(self) {
        if let Some(held) = self.held.get_value().filter(|held| held.moved) {
            tell(&held.field, "change");
            self.ended.set_value(true);
        }
        self.held.set_value(None);
    }

    /// A click on a name goes to its field; one that ends a drag does not, so that Undo means the document.
    pub fn click(self, event: &MouseEvent) {
        if self.ended.get_value() {
            self.ended.set_value(false);
            event.prevent_default();
        }
    }
}

impl Default for Scrub {
    fn default() -> Self {
        Self::new()
    }
}

/// The name of a field for a number that an event is at, and the field.
fn name_at(event: &PointerEvent) -> Option<(HtmlElement, HtmlInputElement)> {
    let at = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let at = at.filter(|at| at.tag_name() != "INPUT");
    let label = at?.closest("label").ok()??.dyn_into::<HtmlElement>().ok()?;
    let control = Reflect::get(&label, &JsValue::from_str("control")).ok()?;
    control.dyn_into().ok().filter(takes_numbers).map(|field| (label, field))
}

fn takes_numbers(field: &HtmlInputElement) -> bool {
    !field.read_only() && matches!(field.get_attribute("inputmode").as_deref(), Some("numeric" | "decimal"))
}

/// The number in a field; while it is empty, the one that counts then.
fn held_by(field: &HtmlInputElement) -> String {
    Some(field.value()).filter(|text| !text.trim().is_empty()).unwrap_or_else(|| field.placeholder())
}

/// As if somebody had typed it.
fn write(field: &HtmlInputElement, text: &str) {
    field.set_value(text);
    tell(field, "input");
}

/// Tells those who listen anywhere above the field.
fn tell(field: &HtmlInputElement, what: &str) {
    let (init, name) = (Object::new(), JsValue::from_str("Event"));
    let _ = Reflect::set(&init, &JsValue::from_str("bubbles"), &JsValue::TRUE);
    let class = Reflect::get(&window(), &name).ok().and_then(|class| class.dyn_into::<Function>().ok());
    let made = class.and_then(|class| Reflect::construct(&class, &Array::of2(&what.into(), &init)).ok());
    if let Some(event) = made.and_then(|event| event.dyn_into::<Event>().ok()) {
        let _ = field.dispatch_event(&event);
    }
}
