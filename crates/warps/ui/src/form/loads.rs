//! How long loads take, as part of the form.

use leptos::prelude::*;
use serde_json::Value;
use ui_kit::live::{live, memo};

use kit::page::edit;
use kit::page::fields::Holds;
use ui_kit::controls::{Bound, select};
use ui_kit::doc::Doc;
use ui_kit::fields::choice;
use ui_kit::fields::{Field, Path, Problems, named, titled};

const MODE: Path = &["warps", "memory", "mode"];
const MISSES: Path = &["warps", "memory", "misses"];
const MISSING: Path = &["warps", "memory", "missing"];

/// How the load/store unit serves loads.
const MODES: [(&str, &str); 2] =
    [("held", "Held until it is complete"), ("pipelined", "Pipelined: held for a cycle")];

/// Which loads miss.
const WHICH: [(&str, &str); 4] = [
    ("all", "All"),
    ("none", "None"),
    ("most", "At most so many, at worst"),
    ("given", "Those that are listed"),
];

/// Mode, cycles, and which loads miss.
#[component]
pub fn Loads(doc: Doc) -> impl IntoView {
    let which = memo(move |_| {
        doc.tree.with(|tree| {
            let tree = tree.as_ref().ok();
            match tree.and_then(|tree| edit::get(tree, MISSES)) {
                _ if tree.is_some_and(|tree| edit::get(tree, MISSING).is_some()) => "given",
                None => "all",
                Some(Value::String(word)) if word == "none" => "none",
                Some(Value::String(word)) if word == "all" => "all",
                Some(_) => "most",
            }
        })
    });
    let bound = Bound {
        value: Signal::derive(move || which.get().to_owned()),
        write: Callback::new(move |chosen: String| {
            doc.edit_tree("misses", |tree| {
                let tree = edit::remove(&edit::remove(tree, MISSES), MISSING);
                match chosen.as_str() {
                    "none" => edit::set(&tree, MISSES, Value::from("none")),
                    "most" => edit::set(&tree, MISSES, Value::from(1)),
                    "given" => edit::set(&tree, MISSING, Value::Array(Vec::new())),
                    _ => tree,
                }
            });
        }),
    };
    let kinds = Signal::derive(|| named(&WHICH));
    view! {
        <fieldset>
            <legend>"Loads"</legend>
            {titled("The load/store unit", choice(doc, MODE, &MODES))}
            <Problems doc path=MODE/>
            <div class="cells two">
                <Field doc path=&["warps", "memory", "hit"] label="Cycles of a hit" holds=Holds::Number compact="cell" slider=(1, 32)/>
                <Field doc path=&["warps", "memory", "miss"] label="Cycles of a miss" holds=Holds::Number compact="cell" slider=(1, 100)/>
            </div>
            <p class="hint">"Each L of the normalised kernel is a load; its warp waits until it is complete. A hit takes 1 cycle if that is left empty."</p>
            {titled("Which loads miss", select("Which loads miss".to_owned(), "memory-misses".to_owned(), kinds, bound))}
            {live(move || match which.get() {
                "most" => view! { <Field doc path=MISSES label="Misses at the most" holds=Holds::Number hint="Of all warps together. A search places them where it takes longest, which need not be all of them."/> }.into_any(),
                "given" => view! { <Field doc path=MISSING label="Warp and instruction, one load a line" holds=Holds::Rows hint="Both from 1; an instruction counts in the normalised kernel."/> }.into_any(),
                _ => view! { <Problems doc path=MISSES/> }.into_any(),
            })}
        </fieldset>
    }
}
