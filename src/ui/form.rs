//! The scenario as a form: every field reads and writes one path of the document.

mod fairness;
mod kernel;
mod memory;
mod method;

use leptos::prelude::*;
use serde_json::{Value, json};

use super::lazy::Place;
use super::state::App;
use crate::page::edit;
use crate::warps::presets::PRESETS;
use ui_kit::controls::{Bound, select};
use ui_kit::fields::{Field, Kind, Path, named, plain};

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
                // Titles and notes tend to tell the answer.
                <Show when=move || !app.hide.get()>
                    <Field doc=app.doc path=&["title"] label="Title" kind=Kind::Text/>
                </Show>
                {inside}
                <Show when=move || !app.hide.get() && app.lesson.with(Option::is_none)>
                    <Field doc=app.doc path=&["notes"] label="Notes" kind=Kind::Lines/>
                </Show>
            </form>
        }
        .into_any()
    }
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
