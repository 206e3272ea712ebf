//! A small recurring task as the tests know it, and random ones. Shares nothing with the program but the words
//! of its documents.

use serde_json::{Value, json};
use warpspan::base::Seeded;

/// A task: requirement and deadline of each vertex, edges with their separations, the period.
#[derive(Debug, Clone, PartialEq)]
pub struct Small {
    pub name: String,
    pub e: Vec<u64>,
    pub d: Vec<u64>,
    pub edges: Vec<(usize, usize, u64)>,
    pub period: u64,
}

impl Small {
    /// A task whose equation is not exact.
    pub fn splice() -> Self {
        let edges = [(0, 1, 3), (0, 2, 5), (0, 3, 5), (1, 3, 8), (1, 4, 7), (2, 4, 4), (3, 4, 6)];
        Self::new("splice", &[5, 5, 3, 5, 4], &[3, 5, 1, 6, 3], &edges, 20)
    }

    pub fn new(name: &str, e: &[u64], d: &[u64], edges: &[(usize, usize, u64)], period: u64) -> Self {
        Self { name: name.to_owned(), e: e.to_vec(), d: d.to_vec(), edges: edges.to_vec(), period }
    }

    pub fn size(&self) -> usize {
        self.e.len()
    }

    /// The vertex no edge leads to.
    pub fn source(&self) -> usize {
        let is = |v: &usize| self.edges.iter().all(|edge| edge.1 != *v);
        (0..self.size()).find(is).expect("a source")
    }

    /// The vertex no edge leaves.
    pub fn sink(&self) -> usize {
        let is = |v: &usize| self.edges.iter().all(|edge| edge.0 != *v);
        (0..self.size()).find(is).expect("a sink")
    }

    /// Where edges lead from a vertex, with their separations.
    pub fn leaving(&self, v: usize) -> Vec<(usize, u64)> {
        self.edges.iter().filter(|edge| edge.0 == v).map(|&(_, to, p)| (to, p)).collect()
    }

    /// Length and demand of every path from source to sink; the length takes in the deadline of the sink.
    pub fn loops(&self) -> Vec<(u64, u64)> {
        let mut found = Vec::new();
        let mut open = vec![(self.source(), 0, 0)];
        while let Some((v, length, demand)) = open.pop() {
            let demand = demand + self.e[v];
            if v == self.sink() {
                found.push((length + self.d[v], demand));
            }
            open.extend(self.leaving(v).into_iter().map(|(w, p)| (w, length + p, demand)));
        }
        found
    }

    /// E, the largest demand of a path from source to sink.
    pub fn demand(&self) -> u64 {
        self.loops().iter().map(|path| path.1).max().unwrap_or(0)
    }

    /// The longest path from source to sink with the deadline of the sink.
    pub fn longest(&self) -> u64 {
        self.loops().iter().map(|path| path.0).max().unwrap_or(0)
    }

    pub fn separated(&self) -> bool {
        self.edges.iter().all(|&(from, _, p)| self.d[from] <= p)
    }

    pub fn roomy(&self) -> bool {
        self.longest() <= self.period
    }

    /// What it can need in the long run, as a fraction: no loop takes less than the period or its own length.
    pub fn rate(&self) -> (u64, u64) {
        let rates = self.loops().into_iter().map(|(length, demand)| (demand, length.max(self.period)));
        rates.max_by(|a, b| (a.0 * b.1).cmp(&(b.0 * a.1))).unwrap_or((0, 1))
    }

    /// The task of a document.
    pub fn json(&self) -> Value {
        let vertices =
            (0..self.size()).map(|v| json!({"name": format!("v{v}"), "e": self.e[v], "d": self.d[v]}));
        let edges = self.edges.iter().map(|(u, v, p)| json!([format!("v{u}"), format!("v{v}"), p]));
        json!({
            "name": self.name,
            "period": self.period,
            "vertices": vertices.collect::<Vec<_>>(),
            "edges": edges.collect::<Vec<_>>(),
        })
    }

    /// The vertex of a name that [`Small::json`] gave it.
    pub fn vertex(&self, name: &str) -> Option<usize> {
        name.strip_prefix('v')?.parse().ok().filter(|&v| v < self.size())
    }

    /// It with another requirement of one vertex.
    pub fn with(&self, v: usize, e: u64) -> Self {
        let mut other = self.clone();
        other.e[v] = e;
        other
    }
}

/// The document of a set.
pub fn document(set: &[Small], horizon: u64) -> String {
    let tasks: Vec<Value> = set.iter().map(Small::json).collect();
    json!({"warpspan": 1, "title": "t", "tasks": {"set": tasks, "horizon": horizon}}).to_string()
}

/// What random tasks are to be like.
#[derive(Debug, Clone, Copy)]
pub struct Like {
    /// Every separation is at least the deadline before it.
    pub separated: bool,
    /// The period leaves room for the longest path.
    pub roomy: bool,
    /// Some vertices need nothing.
    pub zeros: bool,
    /// No requirement is larger than its deadline.
    pub possible: bool,
    /// The most vertices.
    pub vertices: u32,
    /// About the largest number.
    pub largest: u32,
    /// The period is so many times what it would be.
    pub stretch: u64,
}

impl Like {
    /// Small and tight ones of every kind, by a number.
    pub fn kind(number: usize) -> Self {
        let bit = |place: usize| number >> place & 1 == 1;
        Self {
            separated: !bit(0),
            roomy: !bit(1),
            zeros: bit(2),
            possible: bit(3),
            vertices: [3, 5, 7][number % 3],
            largest: [4, 8][number / 16 % 2],
            stretch: 1,
        }
    }
}

/// A random task; one in sixteen has a single vertex.
pub fn draw(rng: &mut Seeded, like: Like, name: &str) -> Small {
    let count = if rng.below(16) == 0 { 1 } else { 2 + rng.below(like.vertices - 1) as usize };
    let mut upto = |largest: u32| 1 + u64::from(rng.below(largest));
    let mut e: Vec<u64> = (0..count).map(|_| upto(like.largest)).collect();
    let mut d: Vec<u64> = (0..count).map(|_| upto(like.largest)).collect();
    for v in 0..count {
        if like.zeros && upto(3) == 1 {
            e[v] = 0;
        }
        if like.possible && e[v] > d[v] {
            (e[v], d[v]) = (d[v], e[v]);
        }
    }
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for to in 1..count {
        let chance = [2, 3, 5][upto(3) as usize - 1];
        pairs.extend((0..to).filter(|_| upto(chance) == 1).map(|from| (from, to)));
    }
    for v in 0..count {
        if v > 0 && pairs.iter().all(|pair| pair.1 != v) {
            pairs.push((upto(v as u32) as usize - 1, v));
        }
        if v + 1 < count && pairs.iter().all(|pair| pair.0 != v) {
            pairs.push((v, v + upto((count - 1 - v) as u32) as usize));
        }
    }
    let separation = |from: usize, more: u64| if like.separated { d[from] + more / 2 } else { more };
    let edges: Vec<(usize, usize, u64)> =
        pairs.into_iter().map(|(from, to)| (from, to, separation(from, upto(like.largest) - 1))).collect();
    let mut task = Small { name: name.to_owned(), e, d, edges, period: 1 };
    let longest = task.longest();
    let spare = if upto(2) == 1 { 0 } else { upto(like.largest) };
    let tight = if like.roomy { longest + spare } else { upto(longest.min(60) as u32) };
    task.period = tight * like.stretch;
    shuffled(rng, &task)
}

/// A task much like one whose equation is not exact: a few numbers are one more or less.
pub fn near(rng: &mut Seeded, name: &str) -> Small {
    let branch = [(0, 1, 4), (0, 2, 3), (1, 3, 2), (2, 3, 4)];
    let known = [Small::splice(), Small::new("branch", &[1, 1, 3, 1], &[3, 1, 4, 3], &branch, 10)];
    let mut task = known[rng.below(2) as usize].clone();
    let mut moved = |number: u64, least: u64| match rng.below(8) {
        0 => number + 1,
        1 => least.max(number.saturating_sub(1)),
        _ => number,
    };
    task.e = task.e.iter().map(|&e| moved(e, 0)).collect();
    task.d = task.d.iter().map(|&d| moved(d, 1)).collect();
    task.edges = task.edges.iter().map(|&(from, to, p)| (from, to, moved(p, 0).max(task.d[from]))).collect();
    task.period = moved(task.longest(), 1);
    task.name = name.to_owned();
    shuffled(rng, &task)
}

/// The same task with its vertices in another order.
fn shuffled(rng: &mut Seeded, task: &Small) -> Small {
    let mut place: Vec<usize> = (0..task.size()).collect();
    rng.shuffle(&mut place);
    let mut other = task.clone();
    for (v, &at) in place.iter().enumerate() {
        (other.e[at], other.d[at]) = (task.e[v], task.d[v]);
    }
    other.edges = task.edges.iter().map(|&(u, v, p)| (place[u], place[v], p)).collect();
    other
}
