//! Changes of a task's graph: each makes a new document, in which all that it does not speak of stays.
//!
//! Where a change makes no sense, there is none: the document stays as it was.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::{Point, edge, list, task, vertex};
use kit::page::fields::path;
use kit::page::fields::path::Key::{At, Of};
use kit::page::fields::path::{Key, field};
use kit::page::fields::{Holds, written};

/// What a vertex needs where there is none to go by, within how long, and how far apart triggerings are then.
const USUAL: (u64, u64) = (1, 10);
/// The period of a new task.
const PERIOD: u64 = 20;

/// A document with something new in it, and its place.
pub type Added = (Value, usize);

/// One more vertex with no edge, at a place of the drawing or wherever it is put.
pub fn add_vertex(tree: &Value, place: usize, at: Option<Point>) -> Option<Added> {
    let own = task(tree, place)?;
    let like = path::items(tree, &field(&own, "vertices")).last();
    Some(push_vertex(tree, &own, like, at))
}

/// One more vertex that follows another one. Where the task has one sink and that is neither of them, the new one leads
/// there, so that the task stays one.
pub fn add_after(tree: &Value, place: usize, from: usize, at: Option<Point>) -> Option<Added> {
    let own = task(tree, place)?;
    let graph = super::Graph::read(tree, place)?;
    let like = path::get(tree, &vertex(&own, from))?;
    let ends = graph.ends();
    let sinks: Vec<usize> = (0..ends.len()).filter(|&v| ends[v].1).collect();
    let (mut tree, new) = push_vertex(tree, &own, Some(like), at);
    tree = connect(&tree, place, from, new).map_or(tree, |(tree, _)| tree);
    if let [sink] = sinks[..]
        && sink != from
    {
        tree = connect(&tree, place, new, sink).map_or(tree, |(tree, _)| tree);
    }
    Some((tree, new))
}

/// One more vertex in the middle of an edge.
pub fn split(tree: &Value, place: usize, at: usize) -> Option<Added> {
    let own = task(tree, place)?;
    let graph = super::Graph::read(tree, place)?;
    let link = graph.edge(at)?;
    let like = path::get(tree, &vertex(&own, link.from))?;
    let (tree, new) = push_vertex(tree, &own, Some(like), None);
    let name = path::get(&tree, &vertex(&own, new))?.get("name")?.clone();
    let tree = path::set(&tree, &[&edge(&own, at)[..], &[At(1)]].concat(), name);
    let tree = connect(&tree, place, new, link.to).map_or(tree, |(tree, _)| tree);
    Some((tree, new))
}

fn push_vertex(tree: &Value, own: &[Key], like: Option<&Value>, at: Option<Point>) -> Added {
    let vertices = field(own, "vertices");
    let known: HashSet<&str> =
        path::items(tree, &vertices).iter().filter_map(|vertex| vertex.get("name")?.as_str()).collect();
    let name = (1..).map(|number| format!("v{number}")).find(|name| !known.contains(&**name));
    let number = |key: &str, usual: u64| {
        let like = like.and_then(|vertex| vertex.get(key)?.as_u64());
        Value::from(like.unwrap_or(usual))
    };
    let mut made = json!({"name": name, "e": number("e", USUAL.0), "d": number("d", USUAL.1)});
    if let (Some(at), Some(map)) = (at, made.as_object_mut()) {
        put(map, at);
    }
    (path::push(tree, &vertices, made), path::items(tree, &vertices).len())
}

/// Without a vertex and the edges from and to it.
pub fn remove_vertex(tree: &Value, place: usize, at: usize) -> Option<Value> {
    let own = task(tree, place)?;
    let graph = super::Graph::read(tree, place)?;
    graph.vertices.get(at)?;
    let gone = graph.edges.iter().rev().filter(|edge| edge.from == at || edge.to == at);
    let tree = gone.fold(tree.clone(), |tree, link| path::remove(&tree, &edge(&own, link.place)));
    Some(path::remove(&tree, &vertex(&own, at)))
}

/// Another name for a vertex, which its edges follow; none where the name is taken or empty.
pub fn rename(tree: &Value, place: usize, at: usize, name: &str) -> Option<Value> {
    let own = task(tree, place)?;
    let graph = super::Graph::read(tree, place)?;
    let name = name.trim();
    let taken = graph.vertices.iter().enumerate().any(|(other, vertex)| other != at && vertex.name == name);
    if taken || name.is_empty() || at >= graph.vertices.len() {
        return None;
    }
    let mut tree = path::set(tree, &field(&vertex(&own, at), "name"), Value::from(name));
    for link in &graph.edges {
        for (end, on) in [link.from, link.to].into_iter().enumerate() {
            if on == at {
                tree = path::set(&tree, &[&edge(&own, link.place)[..], &[At(end)]].concat(), name.into());
            }
        }
    }
    Some(tree)
}

/// An edge from one vertex to another, and its place; none where there is one, or where it would lead to itself.
pub fn connect(tree: &Value, place: usize, from: usize, to: usize) -> Option<Added> {
    let own = task(tree, place)?;
    let graph = super::Graph::read(tree, place)?;
    let (first, second) = (graph.vertices.get(from)?, graph.vertices.get(to)?);
    if from == to || graph.edges.iter().any(|edge| (edge.from, edge.to) == (from, to)) {
        return None;
    }
    let p = first.d.parse().unwrap_or(USUAL.1);
    let edges = field(&own, "edges");
    let new = path::items(tree, &edges).len();
    Some((path::push(tree, &edges, json!([first.name, second.name, p])), new))
}

/// One more edge, and its place: where one is missing if that can be seen, else between any two vertices that have none;
/// it leads from what stands before in the list.
pub fn add_edge(tree: &Value, place: usize) -> Option<Added> {
    let graph = super::Graph::read(tree, place)?;
    let (ends, joined) = (graph.ends(), graph.joins().into_iter().collect::<HashSet<_>>());
    let count = graph.vertices.len();
    let pairs = (0..count).flat_map(|from| (from + 1..count).map(move |to| (from, to)));
    let free = pairs.filter(|pair| !joined.contains(pair));
    let lacks = |&(from, to): &(usize, usize)| usize::from(!ends[from].1) + usize::from(!ends[to].0);
    let (from, to) = free.min_by_key(lacks)?;
    connect(tree, place, from, to)
}

/// Without an edge.
pub fn disconnect(tree: &Value, place: usize, at: usize) -> Option<Value> {
    let own = task(tree, place)?;
    Some(path::remove(tree, &edge(&own, at)))
}

/// Another requirement (`e`) or deadline (`d`) of a vertex, as typed.
pub fn set_number(tree: &Value, place: usize, at: usize, key: &'static str, text: &str) -> Option<Value> {
    let own = vertex(&task(tree, place)?, at);
    path::get(tree, &own)?;
    Some(written(tree, &field(&own, key), Holds::Number, text))
}

/// Another separation of an edge, as typed.
pub fn set_separation(tree: &Value, place: usize, at: usize, text: &str) -> Option<Value> {
    let p = [&edge(&task(tree, place)?, at)[..], &[At(2)]].concat();
    path::get(tree, &p)?;
    Some(path::set(tree, &p, kit::page::edit::number_or_text(text)))
}

/// Another period, as typed.
pub fn set_period(tree: &Value, place: usize, text: &str) -> Option<Value> {
    Some(written(tree, &field(&task(tree, place)?, "period"), Holds::Number, text))
}

/// Another name of a task; none at all where it is empty.
pub fn set_name(tree: &Value, place: usize, text: &str) -> Option<Value> {
    Some(written(tree, &field(&task(tree, place)?, "name"), Holds::Name, text))
}

/// A vertex put somewhere.
pub fn move_vertex(tree: &Value, place: usize, at: usize, to: Point) -> Option<Value> {
    let own = vertex(&task(tree, place)?, at);
    let mut map = path::get(tree, &own)?.as_object()?.clone();
    put(&mut map, to);
    Some(path::set(tree, &own, Value::Object(map)))
}

/// All vertices where the layout has them.
pub fn arrange(tree: &Value, place: usize) -> Option<Value> {
    let own = task(tree, place)?;
    let mut all = path::items(tree, &field(&own, "vertices")).to_vec();
    for map in all.iter_mut().filter_map(Value::as_object_mut) {
        map.shift_remove("x");
        map.shift_remove("y");
    }
    path::get(tree, &field(&own, "vertices"))?;
    Some(path::set(tree, &field(&own, "vertices"), Value::Array(all)))
}

/// Writes whole numbers where they are whole enough.
fn put(map: &mut Map<String, Value>, (x, y): Point) {
    for (key, number) in [("x", x), ("y", y)] {
        let rounded = number.clamp(-99_999.0, 99_999.0).round();
        map.insert(key.to_owned(), Value::from(rounded as i64));
    }
}

/// One more task at the end, of one vertex.
pub fn add_task(tree: &Value) -> Option<Added> {
    let list = list(tree)?;
    let count = path::items(tree, &list).len();
    let (e, d) = USUAL;
    let vertices = json!([{"name": "v1", "e": e, "d": d}]);
    let made = json!({"name": fresh(tree, "task"), "period": PERIOD, "vertices": vertices, "edges": []});
    Some((path::push(tree, &list, made), count))
}

/// The same task once more at the end, under a name of its own.
pub fn duplicate_task(tree: &Value, place: usize) -> Option<Added> {
    let list = list(tree)?;
    let (count, own) = (path::items(tree, &list).len(), path::get(tree, &task(tree, place)?)?);
    let (tree, own) = (path::push(tree, &list, own.clone()), own.get("name").and_then(Value::as_str));
    let name = fresh(&tree, own.unwrap_or("task"));
    let at = [&list[..], &[At(count), Of("name")]].concat();
    Some((path::set(&tree, &at, Value::from(name)), count))
}

/// Without a task.
pub fn remove_task(tree: &Value, place: usize) -> Option<Value> {
    Some(path::remove(tree, &task(tree, place)?))
}

/// `task 3`: a name no task has, with a number in place of the one it ends in.
fn fresh(tree: &Value, like: &str) -> String {
    let known = super::names(tree);
    let stem = like.trim_end_matches(|last: char| last.is_ascii_digit()).trim_end();
    let stem = if stem.is_empty() { "task" } else { stem };
    let name =
        (known.len().max(1)..).map(|number| format!("{stem} {number}")).find(|name| !known.contains(name));
    name.unwrap_or_default()
}

#[cfg(test)]
mod tests;
