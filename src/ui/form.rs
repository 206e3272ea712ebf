//! The scenario as a form: every field reads and writes one path of the document.

mod fairness;
mod kernel;
mod memory;
mod method;

use leptos::prelude::*;
use serde_json::{Value, json};

use super::controls::{Bound, Choices, select};
use super::doc::Doc;
use super::lazy::Place;
use super::state::App;
use crate::import::json as text;
use crate::page::edit;
use crate::warps::presets::PRESETS;

/// A path of keys.
pub(super) type Path = &'static [&'static str];

/// What a field holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Code,
    Lines,
    /// Code of many lines, taken as it is typed.
    Program,
    Number,
    /// Numbers separated by spaces.
    Numbers,
    /// Rows of numbers, one a line.
    Rows,
    /// Code that may be left out.
    Given,
    /// Formulas, one a line; one alone is a text.
    Formulas,
    /// Numbers separated by spaces, or a word; may be left out.
    Boundaries,
}

const KERNEL: Path = &["warps", "kernel"];
const COUNT: Path = &["warps", "count"];
const MACHINE: Path = &["warps", "machine"];
const PRESET: Path = &["warps", "machine", "preset"];

/// The form; while the text is no JSON it says where to mend it.
#[component]
pub fn Form(app: App) -> impl IntoView {
    let sound = Memo::new(move |_| app.tree.with(|tree| tree.as_ref().is_ok_and(Value::is_object)));
    let inside = move || {
        if let Some(part) = app.subject.get().form() {
            view! { <Place app part/> }.into_any()
        } else {
            view! {
                <kernel::Kernel app/>
                <Field doc=app.doc path=COUNT label="Warps" kind=Kind::Number hint="1 to 64"/>
                <Machine app/>
                <fairness::Fairness app/>
                <memory::Memory app/>
                <method::Method app/>
            }
            .into_any()
        }
    };
    move || {
        if !sound.get() {
            return view! { <p class="hint">"The text is not a JSON object. Mend it under JSON, or undo."</p> }
                .into_any();
        }
        view! {
            <form class="form" on:submit=|event| event.prevent_default()>
                <Field doc=app.doc path=&["title"] label="Title" kind=Kind::Text/>
                {inside}
                <Field doc=app.doc path=&["notes"] label="Notes" kind=Kind::Lines/>
            </form>
        }
        .into_any()
    }
}

#[component]
pub(super) fn Field(
    doc: Doc,
    path: Path,
    label: &'static str,
    kind: Kind,
    #[prop(optional)] hint: &'static str,
    #[prop(optional)] compact: &'static str,
) -> impl IntoView {
    let id = format!("field-{}", path.join("-"));
    let notes = format!("{id}-notes");
    let problems = Memo::new(move |_| problems_at(doc, &path.join(".")));
    let value = move || {
        doc.tree.with(|tree| {
            tree.as_ref()
                .ok()
                .and_then(|tree| edit::get(tree, path))
                .map(|v| shown(v, kind))
                .unwrap_or_default()
        })
    };
    let write = move |text: String| doc.edit_tree(&path.join("."), |tree| written(tree, path, kind, &text));
    let invalid = move || if problems.with(Vec::is_empty) { "false" } else { "true" };
    let control = match kind {
        Kind::Program => view! {
            <textarea id=id.clone() rows="12" class="code program" wrap="off" spellcheck="false" autocomplete="off" autocapitalize="off"
                aria-invalid=invalid aria-describedby=notes.clone() data-testid=id.clone()
                prop:value=value on:input=move |event| write(event_target_value(&event))></textarea>
        }.into_any(),
        Kind::Lines | Kind::Numbers | Kind::Rows | Kind::Formulas => view! {
            <textarea id=id.clone() rows=match kind { Kind::Rows => 6, Kind::Formulas => 2, _ => 4 } class:code=kind != Kind::Lines spellcheck="false"
                aria-invalid=invalid aria-describedby=notes.clone() data-testid=id.clone()
                prop:value=value on:change=move |event| write(event_target_value(&event))></textarea>
        }.into_any(),
        _ => view! {
            <input id=id.clone() type="text" autocomplete="off" spellcheck="false" class:code=kind != Kind::Text
                inputmode=if kind == Kind::Number { "numeric" } else { "text" }
                aria-invalid=invalid aria-describedby=notes.clone() data-testid=id.clone()
                prop:value=value on:input=move |event| write(event_target_value(&event))/>
        }.into_any(),
    };
    view! {
        <div class=if compact.is_empty() { "field" } else { compact }>
            <label for=id.clone()>{label}</label>
            {control}
            <div id=notes class="notes">
                {(!hint.is_empty()).then(|| view! { <p class="hint">{hint}</p> })}
                {move || problems.get().into_iter().map(|text| view! { <p class="wrong">{text}</p> }).collect_view()}
            </div>
        </div>
    }
}

/// Problems at a path, where no field of its own shows them.
#[component]
pub(super) fn Problems(doc: Doc, path: Path) -> impl IntoView {
    let problems = Memo::new(move |_| problems_at(doc, &path.join(".")));
    view! {
        <div class="notes" data-testid=format!("problems-{}", path.join("-"))>
            {move || problems.get().into_iter().map(|text| view! { <p class="wrong">{text}</p> }).collect_view()}
        </div>
    }
}

/// Problems of a field or of something inside it; those within a text with line and column.
pub(super) fn problems_at(doc: Doc, place: &str) -> Vec<String> {
    let all = doc.problems.get();
    let here = all.iter().filter_map(|problem| {
        let rest = problem.place.strip_prefix(place)?;
        let inside = rest.is_empty() || rest.starts_with(['[', '.']);
        let line = rest.strip_prefix(" line ");
        (inside || line.is_some()).then(|| {
            let start = line.map_or(String::new(), |line| format!("Line {line}: "));
            format!("{start}{}. Expected {}.", problem.what, problem.expected)
        })
    });
    here.take(3).collect()
}

/// A text made of the document; empty while it is no JSON.
pub(super) fn of_tree(doc: Doc, read: impl FnOnce(&Value) -> String) -> String {
    doc.tree.with(|tree| tree.as_ref().map(read).unwrap_or_default())
}

/// A control beneath its title.
pub(super) fn titled(title: &'static str, control: AnyView) -> AnyView {
    view! { <div class="field"><span aria-hidden="true">{title}</span>{control}</div> }.into_any()
}

fn shown(value: &Value, kind: Kind) -> String {
    let line = |items: &[Value]| items.iter().map(plain).collect::<Vec<_>>().join(" ");
    match (value, kind) {
        (Value::Array(rows), Kind::Rows) => rows
            .iter()
            .map(|row| row.as_array().map_or_else(|| plain(row), |row| line(row)))
            .collect::<Vec<_>>()
            .join("\n"),
        (Value::Array(items), Kind::Formulas) => items.iter().map(plain).collect::<Vec<_>>().join("\n"),
        (Value::Array(items), _) => line(items),
        _ => plain(value),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => text::line(other),
    }
}

fn written(tree: &Value, path: Path, kind: Kind, text: &str) -> Value {
    let left_out = matches!(kind, Kind::Number | Kind::Given | Kind::Formulas | Kind::Boundaries);
    let optional = left_out || path.len() == 1;
    if text.trim().is_empty() && optional {
        return edit::remove(tree, path);
    }
    let value = match kind {
        Kind::Text | Kind::Code | Kind::Given | Kind::Lines | Kind::Program => Value::from(text),
        Kind::Number => edit::number_or_text(text),
        Kind::Numbers => edit::numbers_or_text(text),
        Kind::Boundaries if text.trim().starts_with(|c: char| c.is_ascii_digit()) => {
            edit::numbers_or_text(text)
        }
        Kind::Boundaries => Value::from(text.trim()),
        Kind::Formulas => {
            match text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>()[..] {
                [one] => Value::from(one),
                ref several => Value::from(several),
            }
        }
        Kind::Rows => Value::Array(
            text.lines().filter(|line| !line.trim().is_empty()).map(edit::numbers_or_text).collect(),
        ),
    };
    edit::set(tree, path, value)
}

#[component]
fn Machine(app: App) -> impl IntoView {
    let kind = Memo::new(move |_| {
        app.tree.with(|tree| {
            let machine = tree.as_ref().ok().and_then(|tree| edit::get(tree, MACHINE));
            match machine {
                Some(machine) if machine.get("preset").is_some() => "preset",
                Some(machine) if machine.get("units").is_some() || machine.get("warp_size").is_some() => {
                    "units"
                }
                _ => "capacities",
            }
        })
    });
    let bound = Bound {
        value: Signal::derive(move || kind.get().to_owned()),
        write: Callback::new(move |chosen: String| {
            let machine = match chosen.as_str() {
                "preset" => json!({"preset": "cc-3.5"}),
                "units" => {
                    json!({"warp_size": 32, "units": {"L": 32, "C": 128, "S": 32, "D": 4}, "issue": 4})
                }
                _ => capacities(app),
            };
            app.edit_tree("machine", |tree| edit::set(tree, MACHINE, machine));
        }),
    };
    let kinds = Signal::derive(|| named(&MACHINES));
    view! {
        <fieldset>
            <legend>"Machine"</legend>
            {select("Machine given by".to_owned(), "machine-kind".to_owned(), kinds, bound)}
            {move || match kind.get() {
                "preset" => view! { <Preset app/> }.into_any(),
                "units" => view! { <Units app/> }.into_any(),
                _ => view! { <Capacities app/> }.into_any(),
            }}
        </fieldset>
    }
}

/// Ways to give a machine: value and label.
const MACHINES: [(&str, &str); 3] = [
    ("capacities", "Capacities in warps per cycle"),
    ("preset", "Preset by compute capability"),
    ("units", "Unit counts and latencies"),
];

/// Values and labels as a list to choose from.
pub(super) fn named(values: &[(&str, &str)]) -> Choices {
    values.iter().map(|(value, label)| ((*value).to_owned(), (*label).to_owned())).collect()
}

/// The capacities of the machine on the screen, to go on from.
fn capacities(app: App) -> Value {
    let Some(shown) = app.shown.get_untracked() else { return json!({"L": 1, "C": 4}) };
    let machine = &shown.report.machine;
    let mut map = serde_json::Map::new();
    for (key, value) in [("L", machine.L), ("C", machine.C), ("S", machine.S), ("D", machine.D)] {
        if value > 0 {
            map.insert(key.to_owned(), value.into());
        }
    }
    if let Some(issue) = machine.issue {
        map.insert("issue".to_owned(), issue.into());
    }
    Value::Object(map)
}

#[component]
fn Capacities(app: App) -> impl IntoView {
    view! {
        <div class="cells">
            <Field doc=app.doc path=&["warps", "machine", "L"] label="L" kind=Kind::Number compact="cell"/>
            <Field doc=app.doc path=&["warps", "machine", "C"] label="C" kind=Kind::Number compact="cell"/>
            <Field doc=app.doc path=&["warps", "machine", "S"] label="S" kind=Kind::Number compact="cell"/>
            <Field doc=app.doc path=&["warps", "machine", "D"] label="D" kind=Kind::Number compact="cell"/>
            <Field doc=app.doc path=&["warps", "machine", "issue"] label="Issue" kind=Kind::Number compact="cell"/>
        </div>
        <p class="hint">"Issue is how many warps may issue per cycle in total; empty is no limit."</p>
    }
}

#[component]
fn Preset(app: App) -> impl IntoView {
    let name = move || {
        app.tree.with(|tree| {
            tree.as_ref().ok().and_then(|tree| edit::get(tree, PRESET)).map(plain).unwrap_or_default()
        })
    };
    let about = move || PRESETS.iter().find(|preset| preset.name == name());
    view! {
        <label class="field wide">
            <span>"Compute capability"</span>
            <select data-testid="preset" on:change=move |event| {
                let chosen = event_target_value(&event);
                app.edit_tree("preset", |tree| edit::set(tree, PRESET, Value::from(chosen)));
            }>
                {PRESETS.iter().map(|preset| view! {
                    <option value=preset.name prop:selected=move || name() == preset.name>
                        {format!("{}: {}", preset.name.trim_start_matches("cc-"), preset.chip)}
                    </option>
                }).collect_view()}
            </select>
        </label>
        <p class="hint">{move || about().map(|preset| format!("From the {}.", preset.source))}</p>
    }
}

#[component]
fn Units(app: App) -> impl IntoView {
    view! {
        <div class="cells">
            <Field doc=app.doc path=&["warps", "machine", "units", "L"] label="L units" kind=Kind::Number compact="cell"/>
            <Field doc=app.doc path=&["warps", "machine", "units", "C"] label="C units" kind=Kind::Number compact="cell"/>
            <Field doc=app.doc path=&["warps", "machine", "units", "S"] label="S units" kind=Kind::Number compact="cell"/>
            <Field doc=app.doc path=&["warps", "machine", "units", "D"] label="D units" kind=Kind::Number compact="cell"/>
            <Field doc=app.doc path=&["warps", "machine", "warp_size"] label="Warp" kind=Kind::Number compact="cell"/>
        </div>
        <div class="cells">
            <Field doc=app.doc path=&["warps", "machine", "latency", "L"] label="L cycles" kind=Kind::Number compact="cell"/>
            <Field doc=app.doc path=&["warps", "machine", "latency", "C"] label="C cycles" kind=Kind::Number compact="cell"/>
            <Field doc=app.doc path=&["warps", "machine", "latency", "S"] label="S cycles" kind=Kind::Number compact="cell"/>
            <Field doc=app.doc path=&["warps", "machine", "latency", "D"] label="D cycles" kind=Kind::Number compact="cell"/>
            <Field doc=app.doc path=&["warps", "machine", "issue"] label="Issue" kind=Kind::Number compact="cell"/>
        </div>
        <p class="hint">"Warp is its number of threads. Cycles are how long an instruction holds its unit; empty is 1."</p>
    }
}

/// A box to tick for a key that is true or false; left out where it is as usual.
#[component]
pub(super) fn Tick(doc: Doc, path: Path, usual: bool, label: &'static str) -> impl IntoView {
    let id = format!("field-{}", path.join("-"));
    let ticked = move || {
        doc.tree
            .with(|tree| tree.as_ref().ok().and_then(|tree| edit::get(tree, path)?.as_bool()))
            .unwrap_or(usual)
    };
    let write = move |event| {
        let now = event_target_checked(&event);
        doc.edit_tree(&path.join("."), |tree| {
            if now == usual { edit::remove(tree, path) } else { edit::set(tree, path, Value::from(now)) }
        });
    };
    view! {
        <label class="tick">
            <input type="checkbox" data-testid=id prop:checked=ticked on:change=write/>
            <span>{label}</span>
        </label>
        <Problems doc path/>
    }
}
