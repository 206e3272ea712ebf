//! Entries of a list that are dragged from place to place: each says its place, and the pointer is over one of them.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Node, PointerEvent};

/// What holds the place of an entry.
const PLACE: &str = "data-place";

/// The place of the entry beneath a pointer, of the list that hears of it.
pub fn place_at(event: &PointerEvent) -> Option<usize> {
    let list: Node = event.current_target()?.dyn_into().ok()?;
    let under = document().element_from_point(event.client_x() as f32, event.client_y() as f32)?;
    list.contains(Some(&under)).then_some(())?;
    under.closest("[data-place]").ok()??.get_attribute(PLACE)?.parse().ok()
}
