//! The machine in the form: capacities, a preset, or unit counts.

use leptos::prelude::*;
use serde_json::{Value, json};
use ui_kit::live::{live, memo};

use kit::page::edit;
use kit::page::fields::{Holds, shown};
use kit::page::parts::Adopted;
use ui_kit::controls::{Bound, select};
use ui_kit::doc::Doc;
use ui_kit::fields::{Field, Path, named};
use warps::presets::PRESETS;

const MACHINE: Path = &["warps", "machine"];
const PRESET: Path = &["warps", "machine", "preset"];

/// The machine.
#[component]
pub fn Machine(doc: Doc) -> impl IntoView {
    let kind = memo(move |_| {
        doc.tree.with(|tree| {
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
                // Those of the machine on the screen, to go on from.
                _ => return doc.adopt.run(Adopted::Capacities),
            };
            doc.edit_tree("machine", |tree| edit::set(tree, MACHINE, machine));
        }),
    };
    let kinds = Signal::derive(|| named(&MACHINES));
    view! {
        <fieldset>
            <legend>"Machine"</legend>
            {select("Machine given by".to_owned(), "machine-kind".to_owned(), kinds, bound)}
            {live(move || match kind.get() {
                "preset" => view! { <Preset doc/> }.into_any(),
                "units" => view! { <Units doc/> }.into_any(),
                _ => view! { <Capacities doc/> }.into_any(),
            })}
        </fieldset>
    }
}

/// Ways to give a machine: value and label.
const MACHINES: [(&str, &str); 3] = [
    ("capacities", "Capacities per cycle"),
    ("preset", "Preset by compute capability"),
    ("units", "Unit counts and latencies"),
];

#[component]
fn Capacities(doc: Doc) -> impl IntoView {
    view! {
        <div class="cells">
            <Field doc path=&["warps", "machine", "L"] label="L" holds=Holds::Number compact="cell"/>
            <Field doc path=&["warps", "machine", "C"] label="C" holds=Holds::Number compact="cell"/>
            <Field doc path=&["warps", "machine", "S"] label="S" holds=Holds::Number compact="cell"/>
            <Field doc path=&["warps", "machine", "D"] label="D" holds=Holds::Number compact="cell"/>
            <Field doc path=&["warps", "machine", "issue"] label="Issue" holds=Holds::Number compact="cell"/>
        </div>
        <p class="hint">"L load/store, C core, S special function, D double: how many warps each serves in a cycle. Issue: how many warps may issue in a cycle in all; empty is no limit."</p>
    }
}

#[component]
fn Preset(doc: Doc) -> impl IntoView {
    let name = move || {
        doc.tree.with(|tree| shown(tree.as_ref().ok().and_then(|tree| edit::get(tree, PRESET)), Holds::Text))
    };
    let about = move || PRESETS.iter().find(|preset| preset.name == name());
    view! {
        <label class="field wide">
            <span>"Compute capability"</span>
            <select data-testid="preset" on:change=move |event| {
                let chosen = event_target_value(&event);
                doc.edit_tree("preset", |tree| edit::set(tree, PRESET, Value::from(chosen)));
            }>
                {PRESETS.iter().map(|preset| view! {
                    <option value=preset.name prop:selected=live(move || name() == preset.name)>
                        {format!("{}: {}", preset.name.trim_start_matches("cc-"), preset.chip)}
                    </option>
                }).collect_view()}
            </select>
        </label>
        <p class="hint">{live(move || about().map(|preset| format!("From the {}.", preset.source)))}</p>
    }
}

#[component]
fn Units(doc: Doc) -> impl IntoView {
    view! {
        <div class="cells">
            <Field doc path=&["warps", "machine", "units", "L"] label="L units" holds=Holds::Number compact="cell"/>
            <Field doc path=&["warps", "machine", "units", "C"] label="C units" holds=Holds::Number compact="cell"/>
            <Field doc path=&["warps", "machine", "units", "S"] label="S units" holds=Holds::Number compact="cell"/>
            <Field doc path=&["warps", "machine", "units", "D"] label="D units" holds=Holds::Number compact="cell"/>
            <Field doc path=&["warps", "machine", "warp_size"] label="Warp size" holds=Holds::Number compact="cell"/>
        </div>
        <div class="cells">
            <Field doc path=&["warps", "machine", "latency", "L"] label="L cycles" holds=Holds::Number compact="cell"/>
            <Field doc path=&["warps", "machine", "latency", "C"] label="C cycles" holds=Holds::Number compact="cell"/>
            <Field doc path=&["warps", "machine", "latency", "S"] label="S cycles" holds=Holds::Number compact="cell"/>
            <Field doc path=&["warps", "machine", "latency", "D"] label="D cycles" holds=Holds::Number compact="cell"/>
            <Field doc path=&["warps", "machine", "issue"] label="Issue" holds=Holds::Number compact="cell"/>
        </div>
        <p class="hint">"L load/store, C core, S special function, D double. Warp size: how many threads a warp has. Cycles: how long an instruction holds its unit; empty is 1. Issue: how many warps may issue in a cycle in all; empty is no limit."</p>
    }
}
