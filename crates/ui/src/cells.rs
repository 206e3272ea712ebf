//! What the forms of blocks and tasks are made of: rows of small fields with what is wrong beneath them, lists to
//! choose from, and the buttons of items in a list.

use crate::live::{live, memo};
use leptos::ev::MouseEvent;
use leptos::prelude::*;
use serde_json::Value;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, SvgElement};

use crate::controls::{Bound, Choices, select};
use crate::doc::Doc;
use kit::page::fields as form;
use kit::page::fields::path;
use kit::page::fields::path::Path;
use kit::page::fields::{Holds, Slot};

/// A row of fields; beneath them what is wrong with any of them.
pub fn row(doc: Doc, slots: Vec<Slot>, class: &'static str) -> AnyView {
    let notes = format!("notes-{}", slots.first().map(|slot| path::id(&slot.path)).unwrap_or_default());
    let cells = slots.iter().map(|slot| cell(doc, slot.clone(), &notes)).collect_view();
    view! {
        <div class=format!("cells {class}")>{cells}</div>
        {told(doc, notes, move |problems| {
            slots.iter().flat_map(|slot| form::problems_of(problems, slot)).take(4).collect()
        })}
    }
    .into_any()
}

/// What is wrong, in as many lines.
pub fn told(
    doc: Doc,
    id: String,
    of: impl Fn(&[base::Problem]) -> Vec<String> + Send + Sync + 'static,
) -> AnyView {
    let lines = memo(move |_| doc.problems.with(|problems| of(problems)));
    view! {
        <div id=id.clone() class="notes" data-testid=id>
            {live(move || lines.get().into_iter().map(|text| view! { <p class="wrong">{text}</p> }).collect_view())}
        </div>
    }
    .into_any()
}

/// One field under its name.
fn cell(doc: Doc, slot: Slot, notes: &str) -> AnyView {
    let label = slot.label;
    view! { <label class="cell"><span>{label}</span>{input(doc, slot, notes, None)}</label> }.into_any()
}

/// A field for itself, as in a table; `name` is what it is called. It shows what is typed as long as that means what
/// the document holds.
pub fn input(doc: Doc, slot: Slot, notes: &str, name: Option<String>) -> AnyView {
    let id = format!("field-{}", path::id(&slot.path));
    let (usual, holds) = (slot.usual, slot.holds);
    let slot = StoredValue::new(slot);
    let present = memo(move |_| {
        slot.with_value(|slot| doc.tree.with(|tree| path::get(tree.as_ref().ok()?, &slot.path).cloned()))
    });
    let draft = RwSignal::new(None::<String>);
    let fits = memo(move |_| present.with(|value| form::fits(value.as_ref(), holds)));
    let value = move || {
        present.with(|present| {
            let kept = draft.get().filter(|text| form::typed(text, holds) == *present);
            kept.unwrap_or_else(|| match present {
                Some(Value::Array(items)) if !fits.get() => format!("{} values", items.len()),
                Some(_) if !fits.get() => "under JSON".to_owned(),
                _ => form::shown(present.as_ref(), holds),
            })
        })
    };
    let write = move |text: String| {
        draft.set(Some(text.clone()));
        slot.with_value(|slot| {
            doc.edit_tree(&path::place(&slot.path), |tree| form::written(tree, &slot.path, holds, &text));
        });
    };
    let invalid = move || {
        let any = slot
            .with_value(|slot| doc.problems.with(|problems| !form::problems_of(problems, slot).is_empty()));
        if any { "true" } else { "false" }
    };
    view! {
        <input type="text" autocomplete="off" spellcheck="false" data-testid=id placeholder=usual aria-label=name
            inputmode=if matches!(holds, Holds::Number | Holds::Time(_)) { "decimal" } else { "text" }
            class:code=!matches!(holds, Holds::Text | Holds::Name)
            title=live(move || if fits.get() { "" } else { "Edit it under JSON" })
            disabled=live(move || !fits.get()) aria-invalid=invalid aria-describedby=notes.to_owned()
            prop:value=value on:input=move |event| write(event_target_value(&event))/>
    }
    .into_any()
}

/// A list to choose from, for a field that is left out where it is as usual: as the first of the list.
pub fn choice(doc: Doc, label: &'static str, path: Path, choices: Choices) -> AnyView {
    let id = format!("field-{}", path::id(&path));
    let usual = choices.first().map(|(value, _)| value.clone()).unwrap_or_default();
    let path = StoredValue::new(path);
    let otherwise = usual.clone();
    let value = memo(move |_| {
        let found = path.with_value(|path| {
            doc.tree.with(|tree| {
                path::get(tree.as_ref().ok()?, path).map(|value| form::shown(Some(value), Holds::Text))
            })
        });
        found.unwrap_or_else(|| otherwise.clone())
    });
    let write = Callback::new(move |chosen: String| {
        path.with_value(|path| {
            doc.edit_tree(&path::place(path), |tree| {
                if chosen == usual {
                    path::remove(tree, path)
                } else {
                    path::set(tree, path, Value::from(chosen))
                }
            });
        });
    });
    let bound = Bound { value: value.into(), write };
    let control = select(label.to_owned(), id, Signal::derive(move || choices.clone()), bound);
    view! { <div class="cell"><span aria-hidden="true">{label}</span>{control}</div> }.into_any()
}

/// Where an item stands in its list, and what is done with the list.
#[derive(Clone, Copy)]
pub struct Item {
    /// What people call it: `Stream`.
    pub what: &'static str,
    /// Begins the names of its buttons: `stream`.
    pub id: StoredValue<String>,
    /// Its place, from 0.
    pub place: usize,
    /// How many there are.
    pub count: Memo<usize>,
    /// Moves the item at the first place to the second.
    pub go: Callback<(usize, usize)>,
    /// Takes it out.
    pub remove: Callback<usize>,
}

impl Item {
    fn button(self, place: usize, action: &str) -> String {
        self.id.with_value(|id| format!("{id}-{place}-{action}"))
    }

    fn move_to(self, to: usize, action: &str) {
        self.go.run((self.place, to));
        focus_soon(vec![self.button(to, action), self.button(to, "up"), self.button(to, "down")]);
    }
}

/// Up, down, away. The keyboard stays with the item that was moved, and near one that is gone.
pub fn buttons(item: Item) -> AnyView {
    let Item { what, place, count, .. } = item;
    let up = move |_: MouseEvent| item.move_to(place.saturating_sub(1), "up");
    let down = move |_: MouseEvent| item.move_to(place + 1, "down");
    let away = move |_: MouseEvent| {
        item.remove.run(place);
        let near = item.button(place.saturating_sub(1), "remove");
        focus_soon(vec![item.button(place, "remove"), near, item.id.with_value(|id| format!("{id}-add"))]);
    };
    let named = move |action: &str| format!("{action} {what} {}", place + 1);
    let only = move || count.get() < 2;
    let last = move || place + 1 >= count.get();
    view! {
        <span class="item-buttons">
            {live(move || (!only()).then(|| view! {
                <button type="button" class="icon quiet" title="Move up" aria-label=named("Move up:") data-testid=item.button(place, "up")
                    disabled=live(move || place == 0) on:click=up>"↑"</button>
                <button type="button" class="icon quiet" title="Move down" aria-label=named("Move down:") data-testid=item.button(place, "down")
                    disabled=last on:click=down>"↓"</button>
            }))}
            <button type="button" class="icon quiet" title="Remove" aria-label=named("Remove:") data-testid=item.button(place, "remove") on:click=away>"✕"</button>
        </span>
    }
    .into_any()
}

/// Takes the keyboard to the first of some elements that is there and can be used, once they are drawn.
pub fn focus_soon(ids: Vec<String>) {
    let first = move || {
        let usable = ids.iter().find_map(|id| {
            let selector = format!("[data-testid='{id}']:not(:disabled)");
            document().query_selector(&selector).ok().flatten()
        });
        // What cannot be focused stays as it is.
        let _ = match usable.map(|element| element.dyn_into::<HtmlElement>()) {
            Some(Ok(element)) => element.focus(),
            Some(Err(other)) => other.dyn_into::<SvgElement>().map_or(Ok(()), |element| element.focus()),
            None => Ok(()),
        };
    };
    set_timeout(first, std::time::Duration::ZERO);
}
