//! A tasks document as its form sees it: where its fields stand, and what is wrong in the rows of its tables.

use serde_json::Value;

use base::Problem;
use base::people::plural;
use kit::page::fields::path;
use kit::page::fields::path::Key;
use kit::page::fields::path::Key::{At, Of};
use kit::page::fields::path::{Path, field, items};
use kit::page::fields::{Holds, Slot};

/// Rows of a table; more stand under JSON.
pub const MOST_ROWS: usize = 40;
/// Lists of more vertices are typed into, not chosen from.
pub const MOST_CHOICES: usize = 60;

/// The kinds of tasks documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A list of tasks.
    List,
    /// A list with how far its demand is wanted.
    Set,
    /// Random tasks.
    Experiment,
    /// Nothing known.
    Unknown,
}

impl Kind {
    /// The kind of a document.
    pub fn of(tree: &Value) -> Self {
        let tasks = tree.get("tasks");
        let has = |key: &str| tasks.is_some_and(|tasks| tasks.get(key).is_some());
        match tasks {
            Some(Value::Array(_)) => Self::List,
            _ if has("set") => Self::Set,
            _ if has("experiment") => Self::Experiment,
            _ => Self::Unknown,
        }
    }
}

/// Where the list of a document of this kind stands.
pub fn list(kind: Kind) -> Path {
    match kind {
        Kind::Set => vec![Of("tasks"), Of("set")],
        _ => vec![Of("tasks")],
    }
}

/// The fields of a task beside its tables.
pub fn of_task(task: &[Key]) -> Vec<Slot> {
    vec![
        Slot::of(task, "name", "Name", Holds::Name, ""),
        Slot::of(task, "period", "Period", Holds::Number, ""),
    ]
}

/// The fields of an experiment.
pub fn of_experiment() -> [Vec<Slot>; 2] {
    let own = [Of("tasks"), Of("experiment")];
    [
        vec![Slot::of(&own, "sizes", "Numbers of vertices", Holds::Numbers, "")],
        vec![
            Slot::of(&own, "most", "Most e", Holds::Number, "10000"),
            Slot::of(&own, "fan", "Edges in", Holds::Number, "5"),
            Slot::of(&own, "seed", "Seed", Holds::Number, "1"),
        ],
    ]
}

/// How far the demand is wanted.
pub fn horizon() -> Slot {
    Slot::of(&[Of("tasks")], "horizon", "List the demand up to", Holds::Number, "as far as the verdict needs")
}

/// A field of a vertex.
pub fn of_vertex(task: &[Key], place: usize, key: &'static str) -> Slot {
    let label = match key {
        "e" => "needs, e",
        "d" => "within, d",
        _ => "name",
    };
    Slot::of(&[task, &[Of("vertices"), At(place)]].concat(), key, label, Holds::Number, "")
}

/// A field of an edge: from, to, or how much later at least.
pub fn of_edge(task: &[Key], place: usize, part: usize) -> Slot {
    let (label, holds) = match part {
        0 => ("from", Holds::Text),
        1 => ("to", Holds::Text),
        _ => ("later by at least, p", Holds::Number),
    };
    Slot { label, path: [task, &[Of("edges"), At(place), At(part)]].concat(), holds, usual: "" }
}

/// The names of the vertices of a task, as they are written; a vertex without one has an empty one.
pub fn vertices(tree: &Value, task: &[Key]) -> Vec<String> {
    let name = |vertex: &Value| vertex.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    items(tree, &field(task, "vertices")).iter().map(name).collect()
}

/// What a task's head says beside its name: `4 vertices, period 50`.
pub fn about(tree: &Value, task: &[Key]) -> String {
    let period = path::get(tree, &field(task, "period"));
    let period = kit::page::fields::shown(period, Holds::Number);
    format!("{}, period {period}", plural(items(tree, &field(task, "vertices")).len(), "vertex", "vertices"))
}

/// What is wrong in the rows of a task's table of `vertices` or `edges`, and with the table itself.
pub fn problems_in(tree: &Value, problems: &[Problem], task: &[Key], table: &'static str) -> Vec<String> {
    let list = field(task, table);
    let place = path::place(&list);
    let told = problems.iter().filter_map(|problem| {
        let rest = problem.place.strip_prefix(place.as_str())?;
        let said = format!("{}. Expected {}.", problem.what, problem.expected);
        if rest.is_empty() {
            return Some(said);
        }
        let (row, inside) = rest.strip_prefix('[')?.split_once(']')?;
        let row: usize = row.parse().ok()?;
        let own = items(tree, &list).get(row);
        let part = |at: usize| own?.get(at)?.as_str();
        let name = match table {
            "vertices" => own.and_then(|vertex| vertex.get("name")?.as_str()).map(str::to_owned),
            _ => part(0).zip(part(1)).map(|(from, to)| format!("{from} → {to}")),
        };
        let name = name.unwrap_or_else(|| format!("row {}", row + 1));
        let inside = match inside {
            "" => "",
            "[0]" => ", from",
            "[1]" => ", to",
            "[2]" => ", p",
            key => &format!(", {}", key.trim_start_matches('.')),
        };
        Some(format!("{name}{inside}: {said}"))
    });
    told.take(5).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use kit::import::json as text;

    #[test]
    fn kinds_are_told_by_what_is_there() {
        let of = |tasks: Value| Kind::of(&json!({"tasks": tasks}));
        assert_eq!(
            [of(json!([])), of(json!({"set": []})), of(json!({"experiment": {}}))],
            [Kind::List, Kind::Set, Kind::Experiment]
        );
        assert_eq!([of(json!(3)), Kind::of(&json!({}))], [Kind::Unknown; 2]);
        assert_eq!(path::place(&list(Kind::Set)), "tasks.set");
    }

    #[test]
    fn problems_stand_at_their_rows() {
        let tree = json!({"warpspan": 1, "tasks": [{"period": 5,
            "vertices": [{"name": "a", "e": "x", "d": 2}, {"name": "b", "e": 1, "d": 0}, {"e": 1, "d": 1}],
            "edges": [["a", "b", -1], ["b", "z", 1]]}]});
        let Err(problems) = crate::LINKED.read(&text::pretty(&tree)) else { unreachable!() };
        let task = [Of("tasks"), At(0)];
        let told = |table| problems_in(&tree, &problems, &task, table).join("\n");
        assert!(told("vertices").starts_with("a, e: \"x\". Expected a whole number"), "{}", told("vertices"));
        assert!(
            told("vertices").contains("\nb, d: 0. ") && told("vertices").contains("\nrow 3"),
            "{}",
            told("vertices")
        );
        let mended = json!({"warpspan": 1, "tasks": [{"period": 5,
            "vertices": [{"name": "a", "e": 1, "d": 2}, {"name": "b", "e": 1, "d": 1}],
            "edges": [["a", "b", "x"], ["b", "z", 1]]}]});
        let Err(problems) = crate::LINKED.read(&text::pretty(&mended)) else { unreachable!() };
        let told = problems_in(&mended, &problems, &task, "edges").join("\n");
        assert!(
            told.starts_with("a → b, p: \"x\". Expected") && told.contains("\nb → z, to: \"z\"."),
            "{told}"
        );
        assert_eq!(about(&mended, &task), "2 vertices, period 5");
    }
}
