//! The document that shows a refutation: the schedule which takes longer than a claim allows, ready to be opened.

use serde_json::{Map, Value};

use base::people;
use conjecture::{Conjecture, Setting};
use kit::scenario::version::CURRENT;
use warps::{Fairness, Schedule, Unit};

/// A warps scenario with this schedule as its method, and the claim to compare with.
pub fn document_of_refutation(
    conjecture: &Conjecture,
    point: &[u32],
    setting: &Setting,
    schedule: &Schedule,
    allowed: i64,
) -> Value {
    let Setting { kernel, machine, fairness } = setting;
    let makespan = schedule.makespan();
    let cycles = people::counted(makespan as usize, "cycle");
    let (formula, here) = (conjecture.claim.formula.text(), conjecture.shown(point));
    let mut notes = format!(
        "This schedule takes {cycles}. The claim {formula} allows {allowed} where {here}, so it refutes the claim."
    );
    if let Some(published) = conjecture.claim.published {
        notes += &format!(" The claim: {} ({}).", published.about.trim_end_matches('.'), published.source);
    }
    let mut warps = Map::new();
    warps.insert("kernel".to_owned(), Value::from(kernel.to_string()));
    warps.insert("count".to_owned(), Value::from(schedule.warps()));
    let mut units = Map::new();
    for unit in Unit::ALL.into_iter().filter(|&unit| machine.capacity[unit] > 0) {
        units.insert(unit.letter().to_string(), Value::from(machine.capacity[unit]));
    }
    if let Some(issue) = machine.issue {
        units.insert("issue".to_owned(), Value::from(issue));
    }
    warps.insert("machine".to_owned(), Value::Object(units));
    // Without a boundary there is one sub-block, and nothing to be fair about.
    if let Fairness::SubBlock(cuts) = fairness
        && !cuts.is_empty()
    {
        warps.insert("fairness".to_owned(), Value::from("sub-block"));
        warps.insert("sub_blocks".to_owned(), Value::from(cuts.clone()));
    }
    let rows: Vec<Value> = (0..schedule.warps()).map(|warp| Value::from(schedule.warp(warp))).collect();
    warps.insert("method".to_owned(), object([("schedule", Value::Array(rows))]));
    if let Some(allowed) = u32::try_from(allowed).ok().filter(|&allowed| allowed > 0) {
        let label = format!("claimed: {formula}");
        let reference = object([("label", Value::from(label)), ("makespan", Value::from(allowed))]);
        warps.insert("references".to_owned(), Value::Array(vec![reference]));
    }
    object([
        ("warpspan", Value::from(CURRENT)),
        ("title", Value::from(format!("{cycles} instead of {allowed}: {here}"))),
        ("notes", Value::from(notes)),
        ("warps", Value::Object(warps)),
    ])
}

fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Object(fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}
