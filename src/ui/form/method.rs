//! How the schedule is found, as part of the form.

use leptos::prelude::*;
use serde_json::{Value, json};

use crate::page::{Part, edit};
use crate::ui::lazy::Place;
use crate::ui::state::App;
use ui_kit::controls::{Bound, select};
use ui_kit::fields::{Field, Kind, Path, Tick, named, plain};

const METHOD: Path = &["warps", "method"];

/// Ways to find a schedule: value and label.
const METHODS: [(&str, &str); 11] = [
    ("round-robin", "Round-robin: all warps in turn"),
    ("fixed-priority", "Fixed priority: warp 1 before warp 2 before …"),
    ("most-pending", "Most pending: who waited longest runs first"),
    ("greedy-then-oldest", "Greedy then oldest: who ran goes on, else the oldest"),
    ("loose-round-robin", "Loose round-robin: in a circle after who ran last"),
    ("random", "Random order"),
    ("anneal", "Annealing: search for the longest"),
    ("beam", "Beam: search for the longest, quickly"),
    ("exact", "Exact: the longest, with proof"),
    ("order", "An order of your own"),
    ("schedule", "A schedule of your own, to be checked"),
];

#[component]
pub fn Method(app: App) -> impl IntoView {
    let kind = Memo::new(move |_| {
        app.tree.with(|tree| {
            let method = tree.as_ref().ok().and_then(|tree| edit::get(tree, METHOD));
            match method {
                None => "round-robin".to_owned(),
                Some(method) => match method.get("initial") {
                    Some(name) => plain(name),
                    None => ["anneal", "beam", "exact", "order", "schedule"]
                        .into_iter()
                        .find(|key| method.get(key).is_some())
                        .unwrap_or_default()
                        .to_owned(),
                },
            }
        })
    });
    let bound = Bound {
        value: kind.into(),
        write: Callback::new(move |name: String| {
            let method = chosen(app, &name);
            app.edit_tree("method", |tree| edit::set(tree, METHOD, method));
        }),
    };
    let methods = Signal::derive(move || {
        let known = kind.with(|kind| METHODS.iter().any(|(name, _)| name == kind));
        let mut methods = named(&METHODS);
        if !known {
            methods.insert(0, (kind.get(), "Another method".to_owned()));
        }
        methods
    });
    view! {
        <fieldset>
            <legend>"Scheduling policy"</legend>
            {select("Method".to_owned(), "method".to_owned(), methods, bound)}
            {move || match kind.get().as_str() {
                "random" => view! { <Field doc=app.doc path=&["warps", "method", "seed"] label="Seed" kind=Kind::Number hint="The same seed gives the same order everywhere."/> }.into_any(),
                "anneal" => view! { <Place app part=Part::AnnealForm/> }.into_any(),
                "beam" => view! { <BeamFields app/> }.into_any(),
                "exact" => view! { <ExactFields app/> }.into_any(),
                "order" => view! { <Field doc=app.doc path=&["warps", "method", "order"] label="Order" kind=Kind::Numbers hint="Warp numbers; each warp once per instruction."/> }.into_any(),
                "schedule" => view! { <Field doc=app.doc path=&["warps", "method", "schedule"] label="Cycles, one warp a line" kind=Kind::Rows hint="The cycle of each instruction of the warp."/> }.into_any(),
                _ => ().into_any(),
            }}
        </fieldset>
    }
}

#[component]
fn BeamFields(app: App) -> impl IntoView {
    view! {
        <Field doc=app.doc path=&["warps", "method", "beam", "width"] label="Width" kind=Kind::Number hint="How many states are kept each cycle. Wider finds longer schedules, and takes longer; empty is 1,000."/>
        <Tick doc=app.doc path=&["warps", "method", "beam", "guided"] usual=false label="Judge states by a proven bound first"/>
    }
}

#[component]
fn ExactFields(app: App) -> impl IntoView {
    view! {
        <div class="cells two">
            <Field doc=app.doc path=&["warps", "method", "exact", "time_limit"] label="Seconds" kind=Kind::Number compact="cell"/>
            <Field doc=app.doc path=&["warps", "method", "exact", "memory_limit"] label="MiB" kind=Kind::Number compact="cell"/>
        </div>
        <p class="hint">"What the search may use; empty is no limit of time and 256 MiB. What is proven when a limit is reached holds."</p>
        <Tick doc=app.doc path=&["warps", "method", "exact", "shortest"] usual=true label="Find the best case too"/>
    }
}

/// A method's part of the document; orders and schedules start from what is on the screen.
fn chosen(app: App, name: &str) -> Value {
    let shown = app.shown.get_untracked();
    match (name, shown) {
        ("order", Some(shown)) => json!({ "order": shown.report.order }),
        ("schedule", Some(shown)) => {
            let rows: Vec<&[u32]> = (0..shown.warps.count).map(|warp| shown.schedule.warp(warp)).collect();
            json!({ "schedule": rows })
        }
        ("order" | "schedule", None) => json!({ name: [] }),
        ("anneal", _) => json!({"anneal": {"iterations": 500_000, "neighbourhood": "auto"}}),
        ("beam", _) => json!({"beam": {"width": 1_000}}),
        ("exact", _) => json!({"exact": {}}),
        ("random", _) => json!({"initial": "random", "seed": 1}),
        _ => json!({ "initial": name }),
    }
}
