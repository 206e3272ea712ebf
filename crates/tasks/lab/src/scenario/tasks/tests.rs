//! What is said of tasks that are none, and what is understood of those that are.

use super::*;
use crate::LINKED;

fn set_of(tasks: &str) -> Result<Vec<Task>, Vec<String>> {
    match LINKED.read(&format!(r#"{{"warpspan": 1, "tasks": {tasks}}}"#)) {
        Ok(read) => match read.asked::<TasksScenario>().map(|asked| asked.asked.clone()) {
            Some(Asked::Set { set, .. }) => Ok(set),
            other => unreachable!("{other:?} is no set"),
        },
        Err(problems) => Err(problems.iter().map(ToString::to_string).collect()),
    }
}

/// A task with these vertices and edges.
fn graph(vertices: &str, edges: &str) -> String {
    format!(r#"[{{"name": "T", "period": 50, "vertices": [{vertices}], "edges": [{edges}]}}]"#)
}

const THREE: &str =
    r#"{"name": "a", "e": 1, "d": 2}, {"name": "b", "e": 1, "d": 2}, {"name": "c", "e": 1, "d": 2}"#;

fn told(tasks: &str) -> String {
    set_of(tasks).map_or_else(|problems| problems.join("\n"), |set| format!("{} tasks", set.len()))
}

#[test]
fn a_set_is_read_with_its_names_and_numbers() {
    let set = set_of(&graph(THREE, r#"["a", "b", 3], ["b", "c", 4]"#));
    let Ok([task]) = set.as_deref() else { unreachable!("{set:?}") };
    assert_eq!((task.name(), task.period(), task.demand(), task.longest()), ("T", 50, 3, 9));
    assert_eq!(
        told(r#"{"set": [{"period": 4, "vertices": [{"name": "v", "e": 1, "d": 4}]}], "horizon": 9}"#),
        "1 tasks"
    );
}

#[test]
fn every_flaw_of_a_graph_is_told_at_its_place() {
    let cases = [
        (
            graph(THREE, r#"["a", "b", 1], ["b", "a", 1], ["b", "c", 1]"#),
            "tasks[0].edges: a cycle: a → b → a, expected edges without a cycle: only the sink leads back to the source",
        ),
        (
            graph(THREE, r#"["a", "c", 1], ["b", "c", 1]"#),
            "tasks[0].edges: no edge leads to a and b, expected one source: every other vertex is reached by an edge",
        ),
        (
            graph(THREE, r#"["a", "b", 1], ["a", "c", 1]"#),
            "tasks[0].edges: no edge leaves b and c, expected one sink: every other vertex is left by an edge",
        ),
        (
            graph(THREE, r#"["a", "b", 1], ["b", "c", 1], ["a", "b", 2]"#),
            "tasks[0].edges[2]: joins the same vertices as edges[0], expected one edge from a vertex to another",
        ),
        (
            graph(THREE, r#"["a", "x", 1], ["b", "c"], ["b", "c", -1]"#),
            "tasks[0].edges[0][1]: \"x\", expected the name of a vertex of this task\ntasks[0].edges[1]: a list of 2, expected a list of three: from, to and separation\ntasks[0].edges[2][2]: -1, expected a whole number, 0 to 1000000000000",
        ),
        (graph("", ""), "tasks[0].vertices: no vertex, expected 1 to 1000 vertices"),
        (
            graph(r#"{"name": "a", "e": 1, "d": 0, "q": 1}, {"name": "a", "e": 0.5, "d": 1}"#, ""),
            "tasks[0].vertices[0].q: unknown key, expected one of name, e, d, x, y\ntasks[0].vertices[0].d: 0, expected a whole number, 1 to 1000000000000\ntasks[0].vertices[1].e: 0.5, expected a whole number, 0 to 1000000000000\ntasks[0].vertices[1].name: the name of vertices[0] again, expected a name of its own",
        ),
        (r#"[{"name": "a", "period": 4, "vertices": [{"name": "v", "e": 1, "d": 4}]}, {"name": "a", "period": 4, "vertices": [{"name": "v", "e": 1, "d": 4}]}]"#.to_owned(), "tasks[1].name: the name of tasks[0] again, expected a name of its own"),
        ("[]".to_owned(), "tasks: 0 tasks, expected 1 to 100 tasks"),
        ("3".to_owned(), "tasks: 3, expected a list of tasks, or an object with a \"set\""),
        ("{}".to_owned(), "tasks: no question about tasks in it, expected a \"set\" or an \"experiment\""),
        (
            r#"{"experiment": {"sizes": [1]}}"#.to_owned(),
            "tasks.experiment.sizes[0]: 1, expected a whole number, 2 to 500",
        ),
        (
            r#"{"experiment": {"sizes": [], "fan": 0}}"#.to_owned(),
            "tasks.experiment.sizes: 0 sizes, expected 1 to 20 sizes\ntasks.experiment.fan: 0, expected a whole number, 1 to 500",
        ),
    ];
    for (tasks, expected) in cases {
        assert_eq!(told(&tasks), expected, "{tasks}");
    }
}
