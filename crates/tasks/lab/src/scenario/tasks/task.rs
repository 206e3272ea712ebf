//! One task of a set: its graph, read from names and numbers.

use std::collections::HashMap;

use serde_json::Value;

use super::LARGEST;
use base::problem::quoted;
use kit::import::reader::{Reader, shown};
use tasks::flaw::MOST_VERTICES;
use tasks::{Edge, Flaw, Task, Vertex};

/// How far from the origin a vertex may be put.
const FARTHEST: f64 = 100_000.0;

/// Reads a task, the `place`-th of its set.
pub fn read(reader: &mut Reader, path: &str, place: usize, value: &Value) -> Option<Task> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &["name", "period", "restart", "vertices", "edges"]);
    let noted = reader.noted();
    let name = match fields.get("name") {
        Some(value) => reader.text(&fields.path_of("name"), value),
        None => Some(format!("task {}", place + 1)),
    };
    let period = reader.required(&fields, "period", "a whole number from 1 up", |reader, path, value| {
        reader.whole(path, value, 1..=LARGEST)
    });
    let restart =
        reader.optional(&fields, "restart", |reader, path, value| reader.whole(path, value, 0..=LARGEST));
    let vertices = reader.required(&fields, "vertices", "a list of vertices", vertices);
    let vertices = vertices?;
    let edges = match fields.get("edges") {
        Some(value) => edges(reader, &fields.path_of("edges"), value, &vertices),
        None => Some(Vec::new()),
    };
    let (name, period, edges) = (name?, period?, edges?);
    if reader.noted() > noted {
        return None;
    }
    match Task::new(name, period, vertices, edges) {
        Ok(task) => Some(match restart {
            Some(after) => task.restarting(after),
            None => task,
        }),
        Err(flaws) => {
            for flaw in flaws {
                tell(reader, path, &flaw);
            }
            None
        }
    }
}

/// A flaw of the graph at its place, with what follows from it.
fn tell(reader: &mut Reader, path: &str, flaw: &Flaw) {
    let (key, expected) = match flaw {
        Flaw::Size(_) => ("vertices".to_owned(), format!("1 to {MOST_VERTICES} vertices")),
        Flaw::Cycle(_) => {
            ("edges".to_owned(), "edges without a cycle: only the sink leads back to the source".to_owned())
        }
        Flaw::Sources(_) => {
            ("edges".to_owned(), "one source: every other vertex is reached by an edge".to_owned())
        }
        Flaw::Sinks(_) => ("edges".to_owned(), "one sink: every other vertex is left by an edge".to_owned()),
        Flaw::Twice(first, second) => {
            let what = format!("joins the same vertices as edges[{first}]");
            reader.problem(format!("{path}.edges[{second}]"), what, "one edge from a vertex to another");
            return;
        }
    };
    reader.problem(format!("{path}.{key}"), flaw.to_string(), expected);
}

fn vertices(reader: &mut Reader, path: &str, value: &Value) -> Option<Vec<Vertex>> {
    let items = reader.list(path, value)?;
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut vertices = Vec::with_capacity(items.len().min(MOST_VERTICES));
    for (i, item) in items.iter().enumerate() {
        let path = format!("{path}[{i}]");
        let Some(fields) = reader.object(&path, item) else { continue };
        reader.only(&fields, &["name", "e", "d", "x", "y"]);
        let name = reader.required(&fields, "name", "a text in quotes", Reader::text);
        let e = reader.required(&fields, "e", "a whole number", |reader, path, value| {
            reader.whole(path, value, 0..=LARGEST)
        });
        let d = reader.required(&fields, "d", "a whole number from 1 up", |reader, path, value| {
            reader.whole(path, value, 1..=LARGEST)
        });
        for key in ["x", "y"] {
            reader.optional(&fields, key, |reader, path, value| {
                reader.number(path, value, -FARTHEST..=FARTHEST)
            });
        }
        if let Some(first) = fields.get("name").and_then(Value::as_str).and_then(|name| known.insert(name, i))
        {
            let what = format!("the name of vertices[{first}] again");
            reader.problem(fields.path_of("name"), what, "a name of its own");
        }
        if let (Some(name), Some(e), Some(d)) = (name, e, d) {
            vertices.push(Vertex { name, e, d });
        }
    }
    (vertices.len() == items.len()).then_some(vertices)
}

fn edges(reader: &mut Reader, path: &str, value: &Value, vertices: &[Vertex]) -> Option<Vec<Edge>> {
    let items = reader.list(path, value)?;
    let known: HashMap<&str, usize> =
        vertices.iter().enumerate().map(|(place, vertex)| (vertex.name.as_str(), place)).collect();
    let mut edges = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        let path = format!("{path}[{i}]");
        let Some([from, to, p]) = item.as_array().map(Vec::as_slice) else {
            reader.problem(&path, shown(item), "a list of three: from, to and separation");
            continue;
        };
        let mut end = |at: usize, value: &Value| {
            let place = value.as_str().and_then(|name| known.get(name).copied());
            if place.is_none() {
                let what = value.as_str().map_or_else(|| shown(value), quoted);
                reader.problem(format!("{path}[{at}]"), what, "the name of a vertex of this task");
            }
            place
        };
        let (from, to) = (end(0, from), end(1, to));
        let p = reader.whole(&format!("{path}[2]"), p, 0..=LARGEST);
        if let (Some(from), Some(to), Some(p)) = (from, to, p) {
            edges.push(Edge { from, to, p });
        }
    }
    (edges.len() == items.len()).then_some(edges)
}
