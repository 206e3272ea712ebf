//! Tasks that tests know by heart.

use super::{Edge, Task, Vertex};

/// A task from its numbers: `(e, d)` of the vertices, `(from, to, p)` of the edges.
pub(crate) fn task(period: u64, vertices: &[(u64, u64)], edges: &[(usize, usize, u64)]) -> Task {
    let name = |v: usize| format!("v{v}");
    let vertices = vertices.iter().enumerate().map(|(v, &(e, d))| Vertex { name: name(v), e, d }).collect();
    let edges = edges.iter().map(|&(from, to, p)| Edge { from, to, p }).collect();
    match Task::new("task", period, vertices, edges) {
        Ok(task) => task,
        Err(flaws) => unreachable!("{flaws:?}"),
    }
}

/// The smallest known task on which the published equation exceeds the true demand: 22 against 21 at 21.
pub(crate) fn splice() -> Task {
    task(
        20,
        &[(5, 3), (5, 5), (3, 1), (5, 6), (4, 3)],
        &[(0, 1, 3), (0, 2, 5), (0, 3, 5), (1, 3, 8), (1, 4, 7), (2, 4, 4), (3, 4, 6)],
    )
}

/// A source, two branches and a sink.
pub(crate) fn diamond() -> Task {
    task(50, &[(2, 5), (3, 8), (6, 10), (1, 4)], &[(0, 1, 10), (0, 2, 10), (1, 3, 12), (2, 3, 15)])
}
