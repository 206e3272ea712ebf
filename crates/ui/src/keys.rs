//! Where a key was pressed, and where the focus goes.

use std::cell::RefCell;

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

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

/// Takes the focus from the field for text that has it, back to where it was before a key brought it there.
pub fn leave_text_field() {
    if in_text_field() {
        go_back();
    }
}

/// Where the keyboard meets the picture of whichever lab is there.
pub const PICTURE: &str = "main [role=application][tabindex], main .station[tabindex='0']";

thread_local! {
    /// What had the focus before a key took it elsewhere, and the id of where that is.
    static BEFORE: RefCell<Option<(String, HtmlElement)>> = const { RefCell::new(None) };
}

/// Remembers what has the focus before a key takes it to an element.
pub fn leave_for(id: &str) {
    let at = document().active_element().filter(|at| !is_in_element(at, id));
    if let Some(at) = at.and_then(|at| at.dyn_into().ok()) {
        BEFORE.set(Some((id.to_owned(), at)));
    }
}

/// Takes the focus back to what had it before a key brought it here, else to the picture.
pub fn go_back() {
    let here = document().active_element();
    let before = BEFORE
        .take()
        .filter(|(id, _)| here.as_ref().is_none_or(|here| is_lost(here) || is_in_element(here, id)));
    // What is drawn as SVG takes the keyboard in the same way.
    let picture = || Some(document().query_selector(PICTURE).ok()??.unchecked_into::<HtmlElement>());
    // What is gone or unseen by now does not take it, nor does the page as a whole.
    let goes = |to: Option<HtmlElement>| to.is_some_and(|to| takes_focus(&to));
    if goes(before.map(|(_, before)| before)) || goes(picture()) {
        return;
    }
    if let Some(here) = here.and_then(|here| here.dyn_into::<HtmlElement>().ok()) {
        let _ = here.blur();
    }
}

/// Whether nothing has the focus, as what had it is gone.
pub fn has_none() -> bool {
    document().active_element().is_none_or(|at| is_lost(&at))
}

/// Whether an element has the focus, or something within it.
pub fn is_at(id: &str) -> bool {
    document().active_element().is_some_and(|at| is_in_element(&at, id))
}

fn is_lost(at: &Element) -> bool {
    at.tag_name() == "BODY"
}

fn is_in_element(at: &Element, id: &str) -> bool {
    element(id).is_some_and(|whole| whole.contains(Some(at)))
}

fn takes_focus(to: &HtmlElement) -> bool {
    let still = web_sys::FocusOptions::new();
    still.set_prevent_scroll(true);
    let _ = to.focus_with_options(&still);
    !is_lost(to) && document().active_element().is_some_and(|now| now == **to)
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

/// Gives an element the focus, to be given back once it is left.
pub fn go_to(id: &str) {
    leave_for(id);
    focus(id);
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

/// Opens the section that tests know by this name, and goes to its first field, else to its head.
pub fn focus_section(name: &str) {
    let Ok(Some(section)) = document().query_selector(&format!("[data-testid={name}]")) else { return };
    let _ = section.set_attribute("open", "");
    section.scroll_into_view();
    let first = |what| section.query_selector(what).ok().flatten()?.dyn_into::<HtmlElement>().ok();
    if let Some(inside) = first("input").or_else(|| first("summary")) {
        let _ = inside.focus();
    }
}

/// The element of an id.
pub fn element(id: &str) -> Option<HtmlElement> {
    document().get_element_by_id(id)?.dyn_into().ok()
}
