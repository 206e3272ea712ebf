//! Where a key was pressed, and where the focus goes.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// Listens to the whole window for as long as a view is there. What takes a key says so, and nobody else acts on it.
pub fn listen(takes: impl Fn(&KeyboardEvent) -> bool + 'static) {
    let handle = window_event_listener(leptos::ev::keydown, move |event| {
        if !event.default_prevented() && takes(&event) {
            event.prevent_default();
        }
    });
    on_cleanup(move || handle.remove());
}

/// Whether a key is pressed by itself, without one that changes it.
pub fn is_plain(event: &KeyboardEvent) -> bool {
    !(event.ctrl_key() || event.meta_key() || event.alt_key())
}

fn target(event: &KeyboardEvent) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

/// Whether someone types into a field.
pub fn typing(event: &KeyboardEvent) -> bool {
    target(event).is_some_and(|element| takes_text(&element) || element.tag_name() == "SELECT")
}

/// Whether a field for text has the focus.
pub fn in_text_field() -> bool {
    document().active_element().is_some_and(|element| takes_text(&element))
}

/// Takes the focus from the field for text that has it.
pub fn leave_text_field() {
    if let Some(element) = document().active_element().filter(takes_text)
        && let Ok(field) = element.dyn_into::<web_sys::HtmlElement>()
    {
        let _ = field.blur();
    }
}

fn takes_text(element: &Element) -> bool {
    let kind = element.get_attribute("type").unwrap_or_default();
    match element.tag_name().as_str() {
        "TEXTAREA" => true,
        "INPUT" => !matches!(kind.as_str(), "checkbox" | "radio" | "range" | "button"),
        _ => false,
    }
}

/// Whether a key was pressed within something that a selector finds.
pub fn is_in(event: &KeyboardEvent, selector: &str) -> bool {
    target(event).is_some_and(|element| element.closest(selector).ok().flatten().is_some())
}

/// Whether a dialog has the keyboard.
pub fn has_dialog() -> bool {
    document().query_selector("dialog[open]").is_ok_and(|found| found.is_some())
}

/// Whether the key belongs to the control in focus.
pub fn on_control(event: &KeyboardEvent) -> bool {
    target(event).is_some_and(|element| {
        matches!(element.tag_name().as_str(), "BUTTON" | "INPUT" | "A" | "SUMMARY")
            || element.closest("[data-keys=own]").ok().flatten().is_some()
    })
}

/// Up and down scroll the page unless the picture itself has the focus.
pub fn on_plot(event: &KeyboardEvent) -> bool {
    is_in(event, ".figure-plot")
}

/// Gives an element the focus.
pub fn focus(id: &str) {
    if let Some(element) = element(id) {
        let _ = element.focus();
    }
}

/// The same, and the page is not scrolled to it.
pub fn focus_where_it_is(id: &str) {
    if let Some(element) = element(id) {
        let still = web_sys::FocusOptions::new();
        still.set_prevent_scroll(true);
        let _ = element.focus_with_options(&still);
    }
}

/// The element of an id.
pub fn element(id: &str) -> Option<web_sys::HtmlElement> {
    document().get_element_by_id(id)?.dyn_into().ok()
}
