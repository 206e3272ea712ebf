//! Tasks that tests know by heart.

use super::{Edge, Task, Vertex};
use base::Seeded;

/// A task from its numbers: `(e, d)` of the vertices, `(from, to, p)` of the edges.
pub fn task(period: u64, vertices: &[(u64, u64)], edges: &[(usize, usize, u64)]) -> Task {
    let name = |v: usize| format!("v{v}");
    let vertices = vertices.iter().enumerate().map(|(v, &(e, d))| Vertex { name: name(v), e, d }).collect();
    let edges = edges.iter().map(|&(from, to, p)| Edge { from, to, p }).collect();
    match Task::new("task", period, vertices, edges) {
        Ok(task) => task,
        Err(flaws) => unreachable!("{flaws:?}"),
    }
}

/// The smallest known task on which the published equation exceeds the true demand: 22 against 21 at 21.
pub fn splice() -> Task {
    task(
        20,
        &[(5, 3), (5, 5), (3, 1), (5, 6), (4, 3)],
        &[(0, 1, 3), (0, 2, 5), (0, 3, 5), (1, 3, 8), (1, 4, 7), (2, 4, 4), (3, 4, 6)],
    )
}

/// A source, two branches and a sink.
pub fn diamond() -> Task {
    task(50, &[(2, 5), (3, 8), (6, 10), (1, 4)], &[(0, 1, 10), (0, 2, 10), (1, 3, 12), (2, 3, 15)])
}

/// A task drawn at random: one to seven vertices with small numbers, some of which need nothing. Some separations are
/// shorter than the deadline before them, some periods than the longest path.
pub fn random(seed: u64) -> Task {
    let mut rng = Seeded::new(seed, 6);
    let mut number = |low: u64, high: u64| low + u64::from(rng.below((high - low + 1) as u32));
    let count = [1, 2, 3, 4, 5, 6, 7][number(0, 6) as usize];
    let tight = number(0, 3) == 0;
    let vertices: Vec<(u64, u64)> = (0..count).map(|_| (number(0, 6), number(1, 8))).collect();
    let mut edges: Vec<(usize, usize, u64)> = Vec::new();
    for to in 1..count {
        let from = number(0, to as u64 - 1) as usize;
        edges.push((from, to, 0));
    }
    for from in 0..count - 1 {
        // Whoever leads nowhere leads to the last one, and here and there an edge more.
        if !edges.iter().any(|edge| edge.0 == from) {
            edges.push((from, count - 1, 0));
        }
        let to = number(from as u64 + 1, count as u64 - 1) as usize;
        if number(0, 1) == 0 && !edges.iter().any(|edge| (edge.0, edge.1) == (from, to)) {
            edges.push((from, to, 0));
        }
    }
    for edge in &mut edges {
        let least = if tight { 0 } else { vertices[edge.0].1 };
        edge.2 = number(least, least + 6);
    }
    let roomy = task(1, &vertices, &edges).longest();
    let period = if number(0, 4) == 0 { number(1, roomy) } else { number(roomy, roomy + 10) };
    task(period, &vertices, &edges)
}
