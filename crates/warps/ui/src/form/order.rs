//! An order of one's own: its numbers as text, and entry by entry to be dragged, or moved by keys, with the schedule
//! following.

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::prelude::*;
use serde_json::Value;
use ui_kit::live::live;
use ui_kit::show::Show;
use wasm_bindgen::JsCast;

use kit::page::edit;
use ui_kit::doc::Doc;
use ui_kit::fields::{Field, Kind, Path, plain};

const ORDER: Path = &["warps", "method", "order"];
/// Longer orders are not laid out entry by entry.
const MOST: usize = 120;
/// What holds the place of an entry.
const PLACE: &str = "data-place";

#[component]
pub(super) fn OwnOrder(doc: Doc) -> impl IntoView {
    let entries = Memo::new(move |_| {
        doc.tree.with(|tree| {
            let order = tree.as_ref().ok().and_then(|tree| edit::get(tree, ORDER)?.as_array());
            order
                .filter(|order| order.len() <= MOST)
                .map_or(Vec::new(), |order| order.iter().map(plain).collect())
        })
    });
    let count = Memo::new(move |_| entries.with(Vec::len));
    let held = RwSignal::new(None::<usize>);
    let moved = move |from: usize, to: usize| {
        doc.edit_tree("warps.method.order drag", |tree| moved(tree, from, to));
    };
    let drag = move |event: PointerEvent| {
        let over = place_at(&event).filter(|&over| over < count.get_untracked());
        if let (Some(from), Some(to)) = (held.get_untracked(), over)
            && from != to
        {
            moved(from, to);
            held.set(Some(to));
        }
    };
    let grab = move |event: PointerEvent| held.set(place_at(&event));
    let key = move |event: KeyboardEvent, at: usize| {
        let last = count.get_untracked().saturating_sub(1);
        let to = match event.key().as_str() {
            "ArrowLeft" => at.saturating_sub(1),
            "ArrowRight" => (at + 1).min(last),
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        if event.alt_key() {
            moved(at, to);
        }
        focus(to);
    };
    let chip = move |at: usize| {
        let warp = move || entries.with(|entries| entries.get(at).cloned().unwrap_or_default());
        view! {
            <li>
                <button data-place=at class:held=live(move || held.get() == Some(at)) data-keys="own"
                    tabindex=if at == 0 { "0" } else { "-1" }
                    aria-label=live(move || format!("Entry {}: warp {}", at + 1, warp()))
                    on:keydown=move |event| key(event, at)>{warp}</button>
            </li>
        }
    };
    view! {
        <Field doc path=ORDER label="Order" kind=Kind::Numbers hint="Warp numbers; each warp once per instruction."/>
        <Show when=move || { count.get() > 1 }>
            <p class="hint">"Drag an entry, or move it by Alt and arrows: the schedule follows."</p>
            <ol class="order-entries" data-testid="order-entries" on:pointerdown=grab on:pointermove=drag
                on:pointerup=move |_| held.set(None) on:pointercancel=move |_| held.set(None) on:pointerleave=move |_| held.set(None)>
                {live(move || (0..count.get()).map(chip).collect_view())}
            </ol>
        </Show>
    }
}

/// The entry beneath a pointer.
fn place_at(event: &PointerEvent) -> Option<usize> {
    let under = document().element_from_point(event.client_x() as f32, event.client_y() as f32)?;
    under.closest("[data-place]").ok()??.get_attribute(PLACE)?.parse().ok()
}

/// Takes the keyboard to an entry.
fn focus(place: usize) {
    let entry = document().query_selector(&format!(".order-entries [data-place=\"{place}\"]")).ok().flatten();
    if let Some(entry) = entry.and_then(|entry| entry.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = entry.focus();
    }
}

/// The document with an entry of the order at another place.
fn moved(tree: &Value, from: usize, to: usize) -> Value {
    let mut order = edit::get(tree, ORDER).and_then(Value::as_array).cloned().unwrap_or_default();
    if from < order.len() && to < order.len() {
        let entry = order.remove(from);
        order.insert(to, entry);
    }
    edit::set(tree, ORDER, Value::Array(order))
}
