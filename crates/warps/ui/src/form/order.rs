//! An order of one's own: its numbers as text, and entry by entry to be dragged, or moved by keys, with the schedule
//! following. A drag is one undo, and Esc ends it as if it had not begun.

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::prelude::*;
use serde_json::Value;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;
use wasm_bindgen::JsCast;

use kit::import::json;
use kit::page::fields::{Holds, shown};
use kit::page::{Edited, edit};
use ui_kit::doc::Doc;
use ui_kit::entries::place_at;
use ui_kit::fields::{Field, Path};
use ui_kit::player::now;
use warps_lab::page::reorder;

const ORDER: Path = &["warps", "method", "order"];
/// Longer orders are not laid out entry by entry.
const MOST: usize = 120;

#[component]
pub(super) fn OwnOrder(doc: Doc) -> impl IntoView {
    let entries = memo(move |_| {
        doc.tree.with(|tree| {
            let order = tree.as_ref().ok().and_then(|tree| edit::get(tree, ORDER)?.as_array());
            order.filter(|order| order.len() <= MOST).map_or(Vec::new(), |order| {
                order.iter().map(|entry| shown(Some(entry), Holds::Text)).collect()
            })
        })
    });
    let count = memo(move |_| entries.with(Vec::len));
    let held = RwSignal::new(None::<usize>);
    // When the drag began, and the document before it.
    let begun = StoredValue::new((0.0, None::<Value>));
    let begin = move || {
        let before = doc.tree.with_untracked(|tree| tree.as_ref().ok().cloned());
        begun.set_value((now(), before));
    };
    let moved = move |from: usize, to: usize| {
        // Past entries of its own warp nothing changes.
        let changed = |tree: &Value| Some(moved(tree, from, to)).filter(|moved| moved != tree);
        if let Some(tree) = doc.tree.with_untracked(|tree| changed(tree.as_ref().ok()?)) {
            doc.write.run((json::pretty(&tree), Edited::Drag(begun.with_value(|(at, _)| *at))));
        }
    };
    let give_up = move || {
        held.set(None);
        if let (at, Some(before)) = begun.get_value()
            && doc.tree.with_untracked(|tree| tree.as_ref().is_ok_and(|tree| *tree != before))
        {
            doc.write.run((json::pretty(&before), Edited::Drag(at)));
        }
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
    let grab = move |event: PointerEvent| {
        begin();
        held.set(place_at(&event));
    };
    let key = move |event: KeyboardEvent, at: usize| {
        let last = count.get_untracked().saturating_sub(1);
        let to = match event.key().as_str() {
            "ArrowLeft" => at.saturating_sub(1),
            "ArrowRight" => (at + 1).min(last),
            "Escape" if held.get_untracked().is_some() => {
                event.prevent_default();
                event.stop_propagation();
                return give_up();
            }
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        if event.alt_key() {
            begin();
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
        <Field doc path=ORDER label="Order" holds=Holds::List hint="Warp numbers; each warp once per instruction."/>
        <Show when=move || { count.get() > 1 }>
            <p class="hint">"Drag an entry, or move it by Alt and arrows: the schedule follows. Esc ends a drag as it began."</p>
            <ol class="order-entries" data-testid="order-entries" on:pointerdown=grab on:pointermove=drag
                on:pointerup=move |_| held.set(None) on:pointercancel=move |_| held.set(None) on:pointerleave=move |_| held.set(None)>
                {live(move || (0..count.get()).map(chip).collect_view())}
            </ol>
        </Show>
    }
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
    reorder::moved(&mut order, from, to);
    edit::set(tree, ORDER, Value::Array(order))
}
