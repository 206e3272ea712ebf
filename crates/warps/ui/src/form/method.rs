//! How the schedule is found, as part of the form.

use leptos::prelude::*;
use serde_json::{Value, json};
use ui_kit::live::{live, memo};

use super::anneal::AnnealFields;
use super::order::OwnOrder;
use kit::page::edit;
use kit::page::fields::{Holds, shown};
use kit::page::parts::Adopted;
use ui_kit::controls::{Bound, select};
use ui_kit::doc::Doc;
use ui_kit::fields::{Field, Path, Tick, named};
use ui_kit::seed::SeedField;

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
pub fn Method(doc: Doc) -> impl IntoView {
    let kind = memo(move |_| {
        doc.tree.with(|tree| {
            let method = tree.as_ref().ok().and_then(|tree| edit::get(tree, METHOD));
            match method {
                None => "round-robin".to_owned(),
                Some(method) => match method.get("initial") {
                    Some(name) => shown(Some(name), Holds::Text),
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
            let method = match name.as_str() {
                // Orders and schedules start from what is on the screen.
                "order" => return doc.adopt.run(Adopted::Order),
                "schedule" => return doc.adopt.run(Adopted::Schedule),
                name => chosen(name),
            };
            doc.edit_tree("method", |tree| edit::set(tree, METHOD, method));
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
            {live(move || match kind.get().as_str() {
                "random" => view! { <SeedField doc path=&["warps", "method", "seed"] hint="The same seed gives the same order everywhere."/> }.into_any(),
                "anneal" => view! { <AnnealFields doc/> }.into_any(),
                "beam" => view! { <BeamFields doc/> }.into_any(),
                "exact" => view! { <ExactFields doc/> }.into_any(),
                "order" => view! { <OwnOrder doc/> }.into_any(),
                "schedule" => view! { <Field doc path=&["warps", "method", "schedule"] label="Cycles, one warp a line" holds=Holds::Rows hint="The cycle of each instruction of the warp. With another number of warps its order goes on."/> }.into_any(),
                _ => ().into_any(),
            })}
        </fieldset>
    }
}

#[component]
fn BeamFields(doc: Doc) -> impl IntoView {
    view! {
        <Field doc path=&["warps", "method", "beam", "width"] label="Beam width" holds=Holds::Number hint="How many states are kept each cycle. Wider finds longer schedules, and takes longer; empty is 1,000."/>
        <Tick doc path=&["warps", "method", "beam", "guided"] usual=false label="Judge states by a proven bound first"/>
    }
}

#[component]
fn ExactFields(doc: Doc) -> impl IntoView {
    view! {
        <div class="cells two">
            <Field doc path=&["warps", "method", "exact", "time_limit"] label="Seconds" holds=Holds::Number compact="cell"/>
            <Field doc path=&["warps", "method", "exact", "memory_limit"] label="MiB" holds=Holds::Number compact="cell"/>
        </div>
        <p class="hint">"What the search may use; empty is no limit of time and 256 MiB. What is proven when a limit is reached holds."</p>
        <Tick doc path=&["warps", "method", "exact", "shortest"] usual=true label="Find the best case too"/>
    }
}

/// A method's part of the document.
fn chosen(name: &str) -> Value {
    match name {
        "anneal" => json!({"anneal": {"iterations": 500_000, "neighbourhood": "auto"}}),
        "beam" => json!({"beam": {"width": 1_000}}),
        "exact" => json!({"exact": {}}),
        "random" => json!({"initial": "random", "seed": 1}),
        _ => json!({ "initial": name }),
    }
}
