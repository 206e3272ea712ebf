//! A tasks document as a form, beside its title and notes, which are the page's.

mod tables;

use leptos::prelude::*;
use ui_kit::live::{live, memo};

use kit::page::fields::path::{get, item, items, moved, place, remove};
use kit::page::fields::problems_at;
use tables::{Edges, Vertices};
use tasks_lab::page::tasks::form::{Kind, about, horizon, list, of_experiment, of_task};
use tasks_lab::page::tasks::graph::{edits, names};
use ui_kit::cells::{Item, buttons, focus_soon, row, told};
use ui_kit::doc::Doc;

/// More tasks than these stand under JSON.
const MOST: usize = 100;

/// What stands between title and notes.
#[component]
pub fn TasksForm(doc: Doc) -> impl IntoView {
    let kind = memo(move |_| doc.tree.with(|tree| tree.as_ref().map_or(Kind::Unknown, Kind::of)));
    move || match kind.get() {
        Kind::Experiment => view! { <Experiment doc/> }.into_any(),
        Kind::Unknown => {
            told(doc, "notes-tasks".to_owned(), |problems| problems_at(problems, &["tasks".to_owned()]))
        }
        kind => view! { <Tasks doc kind/> }.into_any(),
    }
}

/// What random tasks are like.
#[component]
fn Experiment(doc: Doc) -> impl IntoView {
    let [sizes, others] = of_experiment();
    let own = ["tasks".to_owned(), "tasks.experiment".to_owned()];
    view! {
        <fieldset>
            <legend>"Random tasks"</legend>
            {row(doc, sizes, "one")}
            {row(doc, others, "three")}
            {told(doc, "notes-tasks".to_owned(), move |problems| problems_at(problems, &own))}
            <p class="hint">"Most e: the largest requirement of a vertex. Edges in: at most so many lead to a vertex."</p>
        </fieldset>
    }
}

/// The tasks, which fold.
#[component]
fn Tasks(doc: Doc, kind: Kind) -> impl IntoView {
    let at = StoredValue::new(list(kind));
    let count = memo(move |_| {
        at.with_value(|at| doc.tree.with(|tree| tree.as_ref().map_or(0, |tree| items(tree, at).len())))
    });
    let opened = RwSignal::new(vec![true]);
    let go = Callback::new(move |(from, to): (usize, usize)| {
        at.with_value(|at| doc.edit_tree("tasks", |tree| moved(tree, at, from, to)));
        opened.update(|opened| {
            opened.resize(opened.len().max(from.max(to) + 1), false);
            opened.swap(from, to);
        });
    });
    let away = Callback::new(move |place: usize| {
        at.with_value(|at| doc.edit_tree("tasks", |tree| remove(tree, &item(at, place))));
        opened.update(|opened| {
            if place < opened.len() {
                opened.remove(place);
            }
        });
    });
    let id = StoredValue::new("task".to_owned());
    let line = move |place| {
        let item = Item { what: "task", id, place, count, go, remove: away };
        view! { <Task doc kind item opened/> }
    };
    let add = move |_| {
        let new = count.get_untracked();
        doc.edit_tree("tasks", |tree| edits::add_task(tree).map_or_else(|| tree.clone(), |(tree, _)| tree));
        opened.update(|opened| {
            opened.resize(new.max(opened.len()) + 1, false);
            opened[new] = true;
        });
        let first = at.with_value(|at| format!("field-{}-{new}-name", kit::page::fields::path::id(at)));
        focus_soon(vec![first, "task-add".to_owned()]);
    };
    let own = at.with_value(|at| ["tasks".to_owned(), place(at)]);
    view! {
        <fieldset>
            <legend>"Tasks"</legend>
            <For each=move || 0..count.get().min(MOST) key=|place| *place children=line/>
            {told(doc, "notes-tasks".to_owned(), move |problems| problems_at(problems, &own))}
            <div class="row"><button type="button" data-testid="task-add" on:click=add>"New task"</button></div>
            {(kind == Kind::Set).then(|| row(doc, vec![horizon()], "one"))}
        </fieldset>
    }
}

/// One task: its head with the buttons, and what is in it once it is opened.
#[component]
fn Task(doc: Doc, kind: Kind, item: Item, opened: RwSignal<Vec<bool>>) -> impl IntoView {
    let number = item.place;
    let at = StoredValue::new(kit::page::fields::path::item(&list(kind), number));
    let open = memo(move |_| opened.with(|opened| opened.get(number) == Some(&true)));
    let toggle = move |_| {
        opened.update(|opened| {
            opened.resize(opened.len().max(number + 1), false);
            opened[number] = !opened[number];
        });
    };
    let head = memo(move |_| {
        doc.tree.with(|tree| {
            let tree = tree.as_ref().ok()?;
            let about = at.with_value(|at| get(tree, at).is_some().then(|| about(tree, at)))?;
            Some((names(tree).get(number)?.clone(), about))
        })
    });
    let wrong = memo(move |_| {
        let inside = at.with_value(|at| place(at)) + ".";
        doc.problems.with(|problems| problems.iter().any(|problem| problem.place.starts_with(&inside)))
    });
    let body = format!("task-{number}-body");
    let controls = body.clone();
    let inside = move || {
        let own = at.with_value(|at| [place(at)]);
        view! {
            <div class="item-body" id=body.clone()>
                {at.with_value(|at| row(doc, of_task(at), "two"))}
                <Vertices doc task=number at/>
                <Edges doc task=number at/>
                {told(doc, format!("notes-task-{number}"), move |problems| problems_at(problems, &own))}
            </div>
        }
    };
    view! {
        <div class="item" role="group" aria-label=format!("Task {}", number + 1)>
            <div class="item-head">
                <button type="button" class="quiet fold" aria-expanded=live(move || if open.get() { "true" } else { "false" })
                    aria-controls=controls data-testid=format!("task-{number}") on:click=toggle>
                    <span class="sign-fold" aria-hidden="true">{live(move || if open.get() { "▾" } else { "▸" })}</span>
                    <span class="fold-name">{live(move || head.get().unwrap_or_default().0)}</span>
                    <span class="fold-about">{live(move || head.get().unwrap_or_default().1)}</span>
                    {live(move || wrong.get().then(|| view! { <span class="wrong">"!"<span class="hidden">" has mistakes in it"</span></span> }))}
                </button>
                {buttons(item)}
            </div>
            {live(move || open.get().then(&inside))}
        </div>
    }
}
