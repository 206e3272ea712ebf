//! The vertices and the edges of a task as two small tables.

use leptos::prelude::*;
use serde_json::Value;
use ui_kit::live::{live, memo};

use kit::page::fields::path::{Path, field, get, id, items, set};
use kit::page::fields::{Holds, Slot, problems_of, shown};
use tasks_lab::page::tasks::form::{MOST_CHOICES, MOST_ROWS, of_edge, of_vertex, problems_in, vertices};
use tasks_lab::page::tasks::graph::edits;
use tasks_lab::page::tasks::graph::edits::Added;
use ui_kit::cells::{focus_soon, input, told};
use ui_kit::controls::{Bound, Choices, select};
use ui_kit::doc::Doc;

/// One of the tables.
#[derive(Clone, Copy)]
struct Table {
    doc: Doc,
    /// The task, by its place, and where it stands.
    task: usize,
    at: StoredValue<Path>,
    /// `vertices` or `edges`.
    key: &'static str,
    count: Memo<usize>,
}

impl Table {
    fn new(doc: Doc, task: usize, at: StoredValue<Path>, key: &'static str) -> Self {
        let count = memo(move |_| {
            let list = at.with_value(|at| field(at, key));
            doc.tree.with(|tree| tree.as_ref().map_or(0, |tree| items(tree, &list).len()))
        });
        Self { doc, task, at, key, count }
    }

    fn edit(self, change: impl FnOnce(&Value) -> Option<Value>) {
        self.doc.edit_tree(self.key, |tree| change(tree).unwrap_or_else(|| tree.clone()));
    }

    fn notes(self) -> String {
        self.at.with_value(|at| format!("notes-{}", id(&field(at, self.key))))
    }

    /// What tests find the buttons by.
    fn button(self, action: &str) -> String {
        format!("task-{}-{}-{action}", self.task, self.key)
    }

    /// The button that takes a row away.
    fn away(self, place: usize, name: String, gone: fn(&Value, usize, usize) -> Option<Value>) -> AnyView {
        let press = move |_| {
            self.edit(|tree| gone(tree, self.task, place));
            let near = [place, place.saturating_sub(1)].map(|row| self.button(&format!("{row}-remove")));
            focus_soon([&near[..], &[self.button("add")]].concat());
        };
        view! {
            <button type="button" class="icon quiet" title="Remove" aria-label=format!("Remove {name}")
                data-testid=self.button(&format!("{place}-remove")) on:click=press>"✕"</button>
        }
        .into_any()
    }

    /// What stands below the rows: how many more there are, what is wrong, and the button for one more.
    fn foot(
        self,
        what: &'static str,
        add: fn(&Value, usize) -> Option<Added>,
        first: &'static str,
    ) -> AnyView {
        let press = move |_| {
            let new = self.count.get_untracked();
            self.edit(|tree| add(tree, self.task).map(|(tree, _)| tree));
            let field = self.at.with_value(|at| format!("field-{}-{new}-{first}", id(&field(at, self.key))));
            focus_soon(vec![field, self.button("add")]);
        };
        let wrong = move |problems: &[base::Problem]| {
            self.at.with_value(|at| {
                self.doc.tree.with(|tree| {
                    tree.as_ref().map(|tree| problems_in(tree, problems, at, self.key)).unwrap_or_default()
                })
            })
        };
        view! {
            {live(move || self.count.get().checked_sub(MOST_ROWS + 1).map(|more| view! {
                <p class="hint">{format!("{} more: the rest is in JSON.", more + 1)}</p>
            }))}
            {told(self.doc, self.notes(), wrong)}
            <div class="row adds"><button type="button" data-testid=self.button("add") on:click=press>{what}</button></div>
        }
        .into_any()
    }
}

/// The vertices.
#[component]
pub fn Vertices(doc: Doc, task: usize, at: StoredValue<Path>) -> impl IntoView {
    let table = Table::new(doc, task, at, "vertices");
    let line = move |place: usize| {
        let number = |key| {
            let slot = at.with_value(|at| of_vertex(at, place, key));
            let name = format!("Vertex {}: {}", place + 1, slot.label);
            input(doc, slot, &table.notes(), Some(name))
        };
        view! {
            <tr>
                <td>{name(table, place)}</td>
                <td>{number("e")}</td>
                <td>{number("d")}</td>
                <td>{table.away(place, format!("vertex {}", place + 1), edits::remove_vertex)}</td>
            </tr>
        }
    };
    view! {
        <table class="rows">
            <caption class="heading">"Vertices"</caption>
            <thead><tr>
                <th scope="col">"Name"</th><th scope="col" title="e: how long it executes">"Needs"</th><th scope="col" title="d: its deadline, from its triggering on">"Within"</th>
                <td></td>
            </tr></thead>
            <tbody><For each=move || 0..table.count.get().min(MOST_ROWS) key=|place| *place children=line/></tbody>
        </table>
        {table.foot("New vertex", |tree, task| edits::add_vertex(tree, task, None), "name")}
    }
}

/// The name of a vertex: taken once it is written to its end, since its edges follow.
fn name(table: Table, place: usize) -> AnyView {
    let Table { doc, task, at, .. } = table;
    let slot =
        StoredValue::new(at.with_value(|at| Slot { holds: Holds::Text, ..of_vertex(at, place, "name") }));
    let present = memo(move |_| {
        slot.with_value(|slot| {
            doc.tree
                .with(|tree| shown(tree.as_ref().ok().and_then(|tree| get(tree, &slot.path)), Holds::Text))
        })
    });
    let refused = RwSignal::new(false);
    let write = move |event| {
        let text: String = event_target_value(&event);
        let done = doc.tree.with_untracked(|tree| {
            tree.as_ref().is_ok_and(|tree| edits::rename(tree, task, place, &text).is_some())
        });
        refused.set(!done);
        if done {
            table.edit(|tree| edits::rename(tree, task, place, &text));
        }
    };
    let invalid = move || {
        let wrong =
            slot.with_value(|slot| doc.problems.with(|problems| !problems_of(problems, slot).is_empty()));
        if wrong || refused.get() { "true" } else { "false" }
    };
    let id = slot.with_value(|slot| format!("field-{}", id(&slot.path)));
    view! {
        <input type="text" autocomplete="off" spellcheck="false" aria-label=format!("Vertex {}: name", place + 1) data-testid=id
            aria-invalid=invalid aria-describedby=table.notes() prop:value=live(move || present.get()) on:change=write/>
        {live(move || refused.get().then(|| view! { <p class="wrong" role="alert">"A name of its own."</p> }))}
    }
    .into_any()
}

/// The edges.
#[component]
pub fn Edges(doc: Doc, task: usize, at: StoredValue<Path>) -> impl IntoView {
    let table = Table::new(doc, task, at, "edges");
    let known = memo(move |_| {
        at.with_value(|at| {
            doc.tree.with(|tree| tree.as_ref().map(|tree| vertices(tree, at)).unwrap_or_default())
        })
    });
    let many = memo(move |_| known.with(Vec::len) > MOST_CHOICES);
    let line = move |place: usize| {
        let part = move |part: usize| {
            let slot = at.with_value(|at| of_edge(at, place, part));
            let name = format!("Edge {}: {}", place + 1, slot.label);
            if part < 2 && !many.get() {
                end(doc, slot, name, known)
            } else {
                input(doc, slot, &table.notes(), Some(name))
            }
        };
        view! {
            <tr>
                <td>{live(move || part(0))}</td>
                <td>{live(move || part(1))}</td>
                <td>{part(2)}</td>
                <td>{table.away(place, format!("edge {}", place + 1), edits::disconnect)}</td>
            </tr>
        }
    };
    view! {
        <table class="rows links">
            <caption class="heading">"Edges"</caption>
            <thead><tr>
                <th scope="col">"From"</th><th scope="col">"To"</th><th scope="col" title="p: the least time from one triggering to the next">"After"</th>
                <td></td>
            </tr></thead>
            <tbody><For each=move || 0..table.count.get().min(MOST_ROWS) key=|place| *place children=line/></tbody>
        </table>
        {table.foot("New edge", edits::add_edge, "0")}
    }
}

/// An end of an edge, chosen among the vertices.
fn end(doc: Doc, slot: Slot, name: String, known: Memo<Vec<String>>) -> AnyView {
    let id = format!("field-{}", id(&slot.path));
    let path = StoredValue::new(slot.path);
    let value = memo(move |_| {
        path.with_value(|path| {
            doc.tree.with(|tree| shown(tree.as_ref().ok().and_then(|tree| get(tree, path)), Holds::Text))
        })
    });
    let choices = Signal::derive(move || -> Choices {
        let present = value.get();
        known.with(|known| {
            let unknown = (!known.contains(&present)).then(|| (present.clone(), format!("{present} ?")));
            unknown.into_iter().chain(known.iter().map(|name| (name.clone(), name.clone()))).collect()
        })
    });
    let write = Callback::new(move |chosen: String| {
        path.with_value(|path| doc.edit_tree("edges", |tree| set(tree, path, Value::from(chosen))));
    });
    select(name, id, choices, Bound { value: value.into(), write })
}
