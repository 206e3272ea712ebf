//! The host tasks and the cores in the form.

use leptos::prelude::*;
use serde_json::Value;
use ui_kit::live::memo;

use super::list::{self, List};
use super::segments::segments;
use chain_lab::page::chain::form::{
    CORES, TASKS, about_core, about_task, at, names, of_task, with_new_core, with_new_task,
};
use kit::page::fields::path::{field, get, remove, set};
use kit::page::fields::{Holds, Slot};
use ui_kit::cells::{choice, row};
use ui_kit::controls::{Bound, Choices, select};
use ui_kit::doc::Doc;
use ui_kit::fields::named;

/// The list of tasks.
pub fn tasks(doc: Doc) -> AnyView {
    list::list(List {
        doc,
        at: &TASKS,
        legend: "Host tasks",
        what: "task",
        about: about_task,
        more: with_new_task,
        inside: task,
    })
}

fn task(doc: Doc, number: usize) -> AnyView {
    let own = at(&TASKS, number);
    let waits = [("suspend", "gives its core away"), ("spin", "keeps its core")];
    view! {
        {list::name(doc, &TASKS, number)}
        {row(doc, of_task(&own), "three")}
        <div class="cells two">
            {core(doc, number)}
            {choice(doc, "While it waits, it", field(&own, "wait"), named(&waits))}
        </div>
        {segments(doc, number)}
    }
    .into_any()
}

/// The core of a task; the first is left out.
fn core(doc: Doc, number: usize) -> AnyView {
    let place = StoredValue::new(field(&at(&TASKS, number), "core"));
    let known = memo(move |_| {
        doc.tree.with(|tree| tree.as_ref().map(|tree| names(tree, &CORES)).unwrap_or_default())
    });
    let value = memo(move |_| {
        let found = doc.tree.with(|tree| {
            let tree = tree.as_ref().ok()?;
            place.with_value(|place| get(tree, place).and_then(Value::as_str).map(str::to_owned))
        });
        found.unwrap_or_else(|| known.with(|known| known.first().cloned().unwrap_or_default()))
    });
    let choices = Signal::derive(move || -> Choices {
        let mut known = known.get();
        if known.is_empty() {
            known.push(String::new());
        }
        let present = value.get();
        if !known.contains(&present) {
            known.push(present);
        }
        let label = |name: String| if name.is_empty() { "cpu".to_owned() } else { name };
        known.into_iter().map(|name| (name.clone(), label(name))).collect()
    });
    let write = Callback::new(move |chosen: String| {
        let first = known.with_untracked(|known| known.first() == Some(&chosen) || chosen.is_empty());
        place.with_value(|place| {
            doc.edit_tree("core", |tree| {
                if first { remove(tree, place) } else { set(tree, place, chosen.clone().into()) }
            });
        });
    });
    let id = format!("field-chain-tasks-{number}-core");
    let control = select("Core".to_owned(), id, choices, Bound { value: value.into(), write });
    view! { <div class="cell"><span aria-hidden="true">"Core"</span>{control}</div> }.into_any()
}

/// The list of cores.
pub fn cores(doc: Doc) -> AnyView {
    list::list(List {
        doc,
        at: &CORES,
        legend: "Cores of the host",
        what: "core",
        about: about_core,
        more: with_new_core,
        inside: one_core,
    })
}

fn one_core(doc: Doc, number: usize) -> AnyView {
    let own = at(&CORES, number);
    let schedulers = [("fixed-priority", "fixed priorities"), ("edf", "earliest deadline first")];
    view! {
        {list::name(doc, &CORES, number)}
        {row(doc, vec![Slot::of(&own, "clock", "Clock, MHz", Holds::Clock, "1000")], "one")}
        {choice(doc, "Scheduler", field(&own, "scheduler"), named(&schedulers))}
    }
    .into_any()
}
