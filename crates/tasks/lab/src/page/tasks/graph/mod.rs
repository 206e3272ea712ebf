//! The graph of one task as a document has it, sound or not: what the editor draws and changes.
//!
//! Places of vertices and edges are their places in the lists of the document, so that whatever cannot be understood
//! keeps its place and is left alone.

pub mod editor;
pub mod edits;
pub mod hand;
pub mod layout;
mod order;
pub mod picture;
pub mod sight;
mod wire;

use std::collections::HashMap;

use serde_json::Value;

pub use editor::Doing;
use kit::page::fields::path;
use kit::page::fields::path::Key::{At, Of};
use kit::page::fields::path::Path;
use kit::page::fields::{Holds, shown};
pub use picture::{Item, Picture};
pub use wire::band;

/// A place of the drawing, in its own units.
pub type Point = (f64, f64);

/// One task of a document.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Graph {
    /// Its name; what people call it where it has none.
    pub name: String,
    /// Its vertices by their places in the document.
    pub vertices: Vec<Node>,
    /// Those edges that join two of them.
    pub edges: Vec<Link>,
    /// How many edges of the document do not.
    pub loose: usize,
}

/// One vertex.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Node {
    /// Its name as the document has it.
    pub name: String,
    /// Execution requirement, as written.
    pub e: String,
    /// Relative deadline, as written.
    pub d: String,
    /// Where someone has put its middle.
    pub at: Option<Point>,
}

/// One edge.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Link {
    /// Its place in the document.
    pub place: usize,
    /// The earlier vertex.
    pub from: usize,
    /// The later vertex.
    pub to: usize,
    /// The least separation, as written.
    pub p: String,
}

/// Where the list of tasks stands; none where the document has no such list.
pub fn list(tree: &Value) -> Option<Path> {
    let tasks = tree.get("tasks")?;
    match tasks {
        Value::Array(_) => Some(vec![Of("tasks")]),
        _ => tasks.get("set")?.is_array().then(|| vec![Of("tasks"), Of("set")]),
    }
}

/// Where a task stands.
pub fn task(tree: &Value, task: usize) -> Option<Path> {
    let at = path::item(&list(tree)?, task);
    path::get(tree, &at).is_some().then_some(at)
}

/// The names of all tasks, as people call them.
pub fn names(tree: &Value) -> Vec<String> {
    let tasks = list(tree).map_or(&[][..], |list| path::items(tree, &list));
    tasks.iter().enumerate().map(|(place, task)| name(task, place)).collect()
}

fn name(task: &Value, place: usize) -> String {
    match task.get("name").and_then(Value::as_str) {
        Some(name) if !name.trim().is_empty() => name.to_owned(),
        _ => format!("task {}", place + 1),
    }
}

impl Graph {
    /// A task of a document; none where there is no such task.
    pub fn read(tree: &Value, place: usize) -> Option<Self> {
        let at = task(tree, place)?;
        let own = path::get(tree, &at)?;
        let vertices: Vec<Node> = path::items(tree, &path::field(&at, "vertices")).iter().map(node).collect();
        let mut known: HashMap<&str, usize> = HashMap::new();
        for (place, vertex) in vertices.iter().enumerate() {
            known.entry(&vertex.name).or_insert(place);
        }
        let written = path::items(tree, &path::field(&at, "edges"));
        let link = |(place, edge): (usize, &Value)| {
            let end = |at: usize| known.get(edge.get(at)?.as_str()?).copied();
            let p = shown(edge.get(2), Holds::Number);
            Some(Link { place, from: end(0)?, to: end(1)?, p })
        };
        let edges: Vec<Link> = written.iter().enumerate().filter_map(link).collect();
        let loose = written.len() - edges.len();
        Some(Self { name: name(own, place), vertices, edges, loose })
    }

    /// Whether no edge leads to a vertex, and whether none leaves it.
    pub fn ends(&self) -> Vec<(bool, bool)> {
        let mut ends = vec![(true, true); self.vertices.len()];
        for edge in &self.edges {
            ends[edge.to].0 = false;
            ends[edge.from].1 = false;
        }
        ends
    }

    /// The ends of its edges.
    pub fn joins(&self) -> Vec<(usize, usize)> {
        self.edges.iter().map(|edge| (edge.from, edge.to)).collect()
    }

    /// The edge at a place of the document.
    pub fn edge(&self, place: usize) -> Option<&Link> {
        let found = self.edges.binary_search_by_key(&place, |edge| edge.place).ok()?;
        self.edges.get(found)
    }
}

fn node(value: &Value) -> Node {
    let number = |key: &str| value.get(key).and_then(Value::as_f64).filter(|number| number.is_finite());
    let own = |key: &str| value.get(key).map(|value| shown(Some(value), Holds::Number)).unwrap_or_default();
    Node { name: own("name"), e: own("e"), d: own("d"), at: number("x").zip(number("y")) }
}

/// The vertices that a task's largest demand within an interval walks through, in their order; none where the document
/// is not sound.
pub fn walked(text: &str, task: usize, t: u64) -> Vec<usize> {
    let Ok(scenario) = kit::scenario::read(crate::LABS, text) else { return Vec::new() };
    let Some(asked) = scenario.asked::<crate::scenario::TasksScenario>().cloned() else { return Vec::new() };
    let crate::scenario::TasksAsked::Set { set, .. } = asked.asked else { return Vec::new() };
    let jobs = set.get(task).map(|task| tasks::witness::witness(task, t).jobs).unwrap_or_default();
    jobs.into_iter().map(|job| job.vertex).collect()
}

/// What is wrong with a document, in sentences: its first problem, and how many more there are.
pub fn trouble(text: &str) -> Option<String> {
    let problems = kit::scenario::read(crate::LABS, text).err()?;
    let first = problems.first()?;
    let mut letters = first.what.chars();
    let what: String = letters.next().map(char::to_uppercase).into_iter().flatten().chain(letters).collect();
    let more = match problems.len() {
        1 => String::new(),
        count => format!(" There are {} more problems like this.", count - 1),
    };
    Some(format!("{what}. Expected {} ({}).{more}", first.expected, first.place))
}

/// Where a vertex of a task stands.
fn vertex(task: &[path::Key], place: usize) -> Path {
    [task, &[Of("vertices"), At(place)]].concat()
}

/// Where an edge of a task stands.
fn edge(task: &[path::Key], place: usize) -> Path {
    [task, &[Of("edges"), At(place)]].concat()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_wrong_is_told_in_sentences() {
        let told = |edges: &str| {
            let vertices = r#"[{"name": "a", "e": 1, "d": 4}, {"name": "b", "e": 1, "d": 4}]"#;
            trouble(&format!(
                r#"{{"warpspan": 1, "tasks": [{{"name": "T", "period": 9, "vertices": {vertices}, "edges": {edges}}}]}}"#
            ))
        };
        assert_eq!(told(r#"[["a", "b", 4]]"#), None);
        let Some(cycle) = told(r#"[["a", "b", 4], ["b", "a", 4]]"#) else { unreachable!("a cycle is wrong") };
        assert!(cycle.starts_with("A cycle: ") && cycle.contains("(tasks[0].edges)."), "{cycle}");
    }

    #[test]
    fn a_graph_is_read_whatever_is_wrong_with_it() {
        let tree = json!({"tasks": {"set": [{}, {"name": "T", "vertices": [
            {"name": "a", "e": 1, "d": 2, "x": 3, "y": 4}, {"name": "a", "e": "x"}, 7, {"name": "b", "x": 1},
        ], "edges": [["a", "b", 5], ["b", "c", 1], 3, ["b", "a", "?"], ["b", "b"]]}]}});
        assert_eq!(names(&tree), ["task 1", "T"]);
        let Some(graph) = Graph::read(&tree, 1) else { unreachable!() };
        let vertices: Vec<_> = graph.vertices.iter().map(|v| (&*v.name, &*v.e, &*v.d, v.at)).collect();
        assert_eq!(
            vertices,
            [
                ("a", "1", "2", Some((3.0, 4.0))),
                ("a", "x", "", None),
                ("", "", "", None),
                ("b", "", "", None)
            ]
        );
        let edges: Vec<_> = graph.edges.iter().map(|e| (e.place, e.from, e.to, &*e.p)).collect();
        assert_eq!(edges, [(0, 0, 3, "5"), (3, 3, 0, "?"), (4, 3, 3, "")]);
        assert_eq!((graph.loose, graph.edge(3).map(|edge| edge.to), graph.edge(1)), (2, Some(0), None));
        assert_eq!(graph.ends(), [(false, false), (true, true), (true, true), (false, false)]);
        assert_eq!(Graph::read(&tree, 0).map(|graph| graph.name), Some("task 1".to_owned()));
        assert_eq!((Graph::read(&tree, 2), Graph::read(&json!({"tasks": 3}), 0)), (None, None));
    }
}
