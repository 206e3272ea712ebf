//! What keeps vertices and edges from being a task, and the order of those that are one.

use std::fmt;

use super::graph::{Edge, Vertex};

/// The most vertices of a task.
pub const MOST_VERTICES: usize = 1_000;

/// One thing that keeps a graph from being a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// There is no vertex, or there are too many.
    Size(usize),
    /// These vertices lie on a cycle, in its order.
    Cycle(Vec<String>),
    /// Several vertices have no edge leading to them; a cycle aside.
    Sources(Vec<String>),
    /// Several vertices have no edge leaving them.
    Sinks(Vec<String>),
    /// Two edges join the same vertices, by their places.
    Twice(usize, usize),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |names: &[String]| base::people::listed(names);
        match self {
            Flaw::Size(0) => write!(f, "no vertex"),
            Flaw::Size(count) => write!(f, "{count} vertices"),
            Flaw::Cycle(on) => write!(f, "a cycle: {}", on.join(" → ")),
            Flaw::Sources(of) => write!(f, "no edge leads to {}", names(of)),
            Flaw::Sinks(of) => write!(f, "no edge leaves {}", names(of)),
            Flaw::Twice(first, second) => write!(f, "edges {first} and {second} join the same vertices"),
        }
    }
}

/// The vertices so that every edge leads forward, the source first and the sink last; what comes earlier in the list
/// comes earlier in the order where edges leave a choice.
pub fn order(vertices: &[Vertex], edges: &[Edge]) -> Result<Vec<usize>, Vec<Flaw>> {
    let count = vertices.len();
    if !(1..=MOST_VERTICES).contains(&count) {
        return Err(vec![Flaw::Size(count)]);
    }
    let name = |v: &usize| vertices[*v].name.clone();
    let mut flaws = Vec::new();
    let mut seen = std::collections::HashMap::new();
    for (place, edge) in edges.iter().enumerate() {
        if let Some(first) = seen.insert((edge.from, edge.to), place) {
            flaws.push(Flaw::Twice(first, place));
        }
    }
    let without = |end: fn(&Edge) -> usize| -> Vec<usize> {
        let mut has = vec![false; count];
        edges.iter().for_each(|edge| has[end(edge)] = true);
        (0..count).filter(|&v| !has[v]).collect()
    };
    let (sources, sinks) = (without(|edge| edge.to), without(|edge| edge.from));
    if sources.len() > 1 {
        flaws.push(Flaw::Sources(sources.iter().map(name).collect()));
    }
    if sinks.len() > 1 {
        flaws.push(Flaw::Sinks(sinks.iter().map(name).collect()));
    }
    let order = forward(count, edges);
    if order.len() < count {
        flaws.push(Flaw::Cycle(cycle(count, edges, &order).iter().map(name).collect()));
    }
    if flaws.is_empty() { Ok(order) } else { Err(flaws) }
}

/// As many vertices as can be put so that every edge leads forward.
fn forward(count: usize, edges: &[Edge]) -> Vec<usize> {
    let mut waiting = vec![0usize; count];
    let mut leaving = vec![Vec::new(); count];
    for edge in edges {
        waiting[edge.to] += 1;
        leaving[edge.from].push(edge.to);
    }
    let mut ready: std::collections::BTreeSet<usize> = (0..count).filter(|&v| waiting[v] == 0).collect();
    let mut order = Vec::with_capacity(count);
    while let Some(v) = ready.pop_first() {
        order.push(v);
        for &w in &leaving[v] {
            waiting[w] -= 1;
            if waiting[w] == 0 {
                ready.insert(w);
            }
        }
    }
    order
}

/// A cycle among the vertices that could not be put into an order, closed: its first vertex comes last again.
fn cycle(count: usize, edges: &[Edge], order: &[usize]) -> Vec<usize> {
    let mut before = vec![None; count];
    let mut left = vec![true; count];
    order.iter().for_each(|&v| left[v] = false);
    // Every vertex left over has an edge from another one left over: walking back must meet itself.
    for edge in edges.iter().filter(|edge| left[edge.from] && left[edge.to]) {
        before[edge.to] = Some(edge.from);
    }
    let mut met = vec![None; count];
    let mut walk = Vec::new();
    let mut at = (0..count).find(|&v| left[v]);
    while let Some(v) = at {
        if let Some(first) = met[v] {
            walk.push(v);
            walk.drain(..first);
            break;
        }
        met[v] = Some(walk.len());
        walk.push(v);
        at = before[v];
    }
    walk.reverse();
    walk
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(count: usize, edges: &[(usize, usize)]) -> String {
        let vertices: Vec<Vertex> =
            (0..count).map(|v| Vertex { name: format!("v{v}"), e: 1, d: 1 }).collect();
        let edges: Vec<Edge> = edges.iter().map(|&(from, to)| Edge { from, to, p: 1 }).collect();
        match order(&vertices, &edges) {
            Ok(order) => format!("{order:?}"),
            Err(flaws) => flaws.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
        }
    }

    #[test]
    fn every_flaw_has_its_words() {
        assert_eq!(told(0, &[]), "no vertex");
        assert_eq!(told(MOST_VERTICES + 1, &[]), "1001 vertices");
        assert_eq!(told(4, &[(0, 1), (1, 2), (2, 1), (2, 3)]), "a cycle: v1 → v2 → v1");
        assert_eq!(told(1, &[(0, 0)]), "a cycle: v0 → v0");
        assert_eq!(told(3, &[(0, 2), (1, 2)]), "no edge leads to v0 and v1");
        assert_eq!(told(3, &[(0, 1), (0, 2)]), "no edge leaves v1 and v2");
        assert_eq!(told(2, &[(0, 1), (0, 1)]), "edges 0 and 1 join the same vertices");
        assert_eq!(told(3, &[(0, 1)]), "no edge leads to v0 and v2; no edge leaves v1 and v2");
    }

    #[test]
    fn edges_lead_forward() {
        assert_eq!(told(4, &[(2, 0), (0, 3), (2, 1), (1, 3)]), "[2, 0, 1, 3]");
    }
}
