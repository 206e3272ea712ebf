//! A warps document as a form: every field reads and writes one path of the document. Title and notes stand around it.

mod anneal;
mod fairness;
mod kernel;
mod loads;
mod machine;
mod memory;
mod method;
mod order;

use leptos::prelude::*;
use ui_kit::live::memo;

use kit::page::edit;
use kit::page::fields::Holds;
use serde_json::{Value, json};
use ui_kit::curve::{Curve, CurveOf};
use ui_kit::doc::Doc;
use ui_kit::fields::{Field, Path};
use warps_lab::page::curve::in_turn;
use warps_lab::page::fitted::Given;
use warps_lab::scenario::WarpsScenario;

const COUNT: Path = &["warps", "count"];

/// What stands between title and notes.
#[component]
pub fn WarpsForm(doc: Doc) -> impl IntoView {
    let scenario = memo(move |_| {
        // Another number of warps is the same curve, and so is another method.
        let tree = doc.tree.with(|tree| Some(edit::set(tree.as_ref().ok()?, COUNT, 1.into())))?;
        let tree = edit::set(&tree, &["warps", "method"], json!({ "initial": "round-robin" }));
        let read = kit::scenario::from_tree(warps_lab::LABS, &tree).ok()?;
        read.asked::<WarpsScenario>().cloned()
    });
    let turns = memo(move |_| scenario.with(|warps| Some(in_turn(warps.as_ref()?, 64))));
    let curve = memo(move |_| {
        let at = doc.tree.with(|tree| edit::get(tree.as_ref().ok()?, COUNT)?.as_u64());
        Curve {
            turns: turns.get().unwrap_or_default(),
            worst: doc.worst.get(),
            at: at.and_then(|at| u32::try_from(at).ok()).unwrap_or(1),
        }
    });
    // An order or a schedule of one's own goes along with the number of warps.
    let given = StoredValue::new(Given::default());
    let fitted = Callback::new(move |tree: Value| {
        let count = edit::get(&tree, COUNT).cloned().unwrap_or_default();
        let fit = |given: &mut Given| {
            scenario.with_untracked(|asked| given.fitted(tree.clone(), &count, asked.as_ref()))
        };
        given.try_update_value(fit).unwrap_or(tree)
    });
    view! {
        <kernel::Kernel doc/>
        <Field doc path=COUNT label="Warps" holds=Holds::Number slider=(1, 64) hint="1 to 64" fitted beneath=move || view! { <CurveOf curve/> }/>
        <machine::Machine doc/>
        <fairness::Fairness doc/>
        <memory::Memory doc/>
        <method::Method doc/>
    }
}
