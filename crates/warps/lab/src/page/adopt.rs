//! What a schedule on the screen gives to a document that goes on from it: its kernel, machine, order or cycles.

use serde_json::{Map, Value, json};

use super::{Shown, program};
use crate::job::is_quick;
use crate::scenario::WarpsScenario;
use kit::import::json;
use kit::page::edit;
use kit::page::parts::Adopted;

const MACHINE: &[&str] = &["warps", "machine"];
const METHOD: &[&str] = &["warps", "method"];

/// The document with something of what is on the screen; `own` is what it asks itself, where there is no mistake in it.
pub fn adopted(tree: &Value, own: Option<&WarpsScenario>, shown: Option<&Shown>, what: Adopted) -> Value {
    match what {
        Adopted::Kernel => {
            let written = own.or(shown.map(|shown| &shown.warps)).map(|warps| warps.written.to_string());
            program::with_string(tree, &written.unwrap_or_default())
        }
        Adopted::Capacities => edit::set(tree, MACHINE, capacities(shown)),
        Adopted::Order => {
            edit::set(tree, METHOD, json!({ "order": shown.map_or(&[][..], |shown| &shown.report.order) }))
        }
        Adopted::Schedule => {
            let warps = 0..shown.map_or(0, |shown| shown.warps.count);
            let rows: Vec<&[u32]> =
                shown.iter().flat_map(|shown| warps.clone().map(|warp| shown.schedule.warp(warp))).collect();
            edit::set(tree, METHOD, json!({ "schedule": rows }))
        }
    }
}

/// What was pinned, as a link carries it: a document that asks for the same schedule and is no search; none where there
/// is none.
pub fn as_pinned(shown: &Shown) -> Option<String> {
    if shown.warps.memory.is_some() {
        return None; // such schedules are not compared
    }
    let mut tree = json::parse(&shown.text).ok()?;
    if !is_quick(&shown.warps) {
        tree = adopted(&tree, None, Some(shown), Adopted::Order);
    }
    tree.as_object_mut()?.shift_remove("notes");
    Some(json::line(&tree))
}

fn capacities(shown: Option<&Shown>) -> Value {
    let Some(shown) = shown else { return json!({"L": 1, "C": 4}) };
    let machine = &shown.report.machine;
    let mut map = Map::new();
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

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{"warpspan": 1, "warps": {"kernel": "LC", "count": 2, "machine": {"L": 1, "C": 4},
        "method": {"order": [2, 1, 1, 2]}}}"#;

    #[test]
    fn what_is_adopted_asks_for_the_same_schedule() {
        let Ok(scenario) = crate::LINKED.read(TEXT) else { unreachable!("valid") };
        let Some(shown) = Shown::new(TEXT, &crate::LINKED.run(&scenario).line()) else {
            unreachable!("a report fits its scenario")
        };
        let Ok(tree) = json::parse(TEXT) else { unreachable!("valid") };
        let warps = &shown.warps;
        let method = |tree: &Value| tree["warps"]["method"].clone();
        let order = adopted(&tree, Some(warps), Some(&shown), Adopted::Order);
        assert_eq!(method(&order), json!({"order": [2, 1, 1, 2]}));
        let schedule = adopted(&tree, Some(warps), Some(&shown), Adopted::Schedule);
        assert_eq!(method(&schedule)["schedule"].as_array().map(Vec::len), Some(2));
        let machine = adopted(&tree, Some(warps), Some(&shown), Adopted::Capacities);
        assert_eq!(machine["warps"]["machine"]["L"], shown.report.machine.L);
        let kernel = adopted(&program::with_ptx(&tree), None, Some(&shown), Adopted::Kernel);
        assert_eq!((&kernel["warps"]["kernel"], kernel["warps"].get("ptx")), (&"L C".into(), None));
    }

    #[test]
    fn where_nothing_is_on_the_screen_there_is_something_to_begin_with() {
        let tree = json!({"warps": {"kernel": "L"}});
        let of = |what| adopted(&tree, None, None, what)["warps"].clone();
        assert_eq!(of(Adopted::Order)["method"], json!({"order": []}));
        assert_eq!(of(Adopted::Schedule)["method"], json!({"schedule": []}));
        assert_eq!(of(Adopted::Capacities)["machine"], json!({"L": 1, "C": 4}));
        assert_eq!(of(Adopted::Kernel)["kernel"], "");
    }

    #[test]
    fn what_a_link_carries_gives_the_pinned_schedule_again() {
        let search = TEXT
            .replace(r#""order": [2, 1, 1, 2]"#, r#""exact": {}"#)
            .replace("\"warps\": {", "\"notes\": \"long\", \"warps\": {");
        for text in [TEXT, &search] {
            let run = |text: &str| {
                let Ok(scenario) = crate::LINKED.read(text) else { unreachable!("valid: {text}") };
                Shown::new(text, &crate::LINKED.run(&scenario).line())
            };
            let Some(shown) = run(text) else { unreachable!("a report fits its scenario") };
            let Some(pinned) = as_pinned(&shown) else { unreachable!("it can be carried") };
            let Some(again) = run(&pinned) else { unreachable!("it can be run") };
            assert!(is_quick(&again.warps) && !pinned.contains("notes"), "{pinned}");
            assert_eq!(again.schedule, shown.schedule);
        }
    }
}
