//! A random recurring task with branches, of a utilisation that was asked for.
//!
//! The graph and the requirements are those of [`tasks::random`]; the period is what the utilisation makes of the
//! longest run through the graph. What is left of the period is room, an equal part for each vertex of the longest
//! path: a vertex takes a random part of it for its deadline, and another one for the separation after it. So every
//! path fits the period, and no deadline is after the next release.

use base::Seeded;
use tasks::random;

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    /// Vertices.
    pub vertices: u32,
    /// At most so many edges lead to a vertex.
    pub fan: u32,
    /// The largest requirement of a vertex.
    pub most: u32,
    /// The part of a vertex' room that its deadline may take, in billionths.
    pub deadline: u64,
}

/// A task as documents have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn {
    /// The least time between two runs.
    pub period: u64,
    /// Requirement and deadline of each vertex.
    pub vertices: Vec<(u64, u64)>,
    /// From which vertex to which, and the separation.
    pub edges: Vec<(usize, usize, u64)>,
}

/// A task of this utilisation, in billionths from 1 up; rounding to whole numbers makes it a little less.
pub fn task(rng: &mut Seeded, shape: Shape, utilisation: u64) -> Drawn {
    let graph = random::task(shape.vertices, shape.most, shape.fan, rng.wide() >> 11);
    let needs: Vec<u64> = graph.vertices().iter().map(|vertex| vertex.e).collect();
    // Vertices stand in a topological order: the longest way to each, by requirement and by number.
    let (mut run, mut path) = (needs.clone(), vec![1u64; needs.len()]);
    for to in 0..needs.len() {
        for edge in graph.edges().iter().filter(|edge| edge.to == to) {
            run[to] = run[to].max(run[edge.from] + needs[to]);
            path[to] = path[to].max(path[edge.from] + 1);
        }
    }
    let longest = run.iter().copied().max().unwrap_or(1);
    let steps = path.iter().copied().max().unwrap_or(1);
    let billion = u128::from(super::utilisations::BILLION);
    let period = (u128::from(longest) * billion).div_ceil(u128::from(utilisation.max(1)));
    let period = u64::try_from(period).unwrap_or(u64::MAX).max(longest);
    let room = (period - longest) / steps;
    let for_deadline = (u128::from(room) * u128::from(shape.deadline) / billion) as u64;
    let mut up_to = |most: u64| rng.below_wide(most.saturating_add(1));
    let vertices: Vec<(u64, u64)> = needs.iter().map(|e| (*e, *e + up_to(for_deadline))).collect();
    let edge = |edge: &tasks::Edge| {
        let (needs, deadline) = vertices[edge.from];
        (edge.from, edge.to, deadline + up_to(room - (deadline - needs)))
    };
    let edges = graph.edges().iter().map(edge).collect();
    Drawn { period, vertices, edges }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tasks::{Edge, Task, Vertex};

    #[test]
    fn thousands_are_valid_and_of_the_utilisation_asked_for() {
        let mut rng = Seeded::new(1, 0);
        for round in 0..3_000u32 {
            let deadline = rng.below_wide(1_000_000_001);
            let shape = Shape { vertices: 1 + round % 9, fan: 1 + round % 4, most: 100, deadline };
            let asked = 1_000_000 + rng.below_wide(999_000_000);
            let drawn = task(&mut rng, shape, asked);
            let vertices = drawn.vertices.iter().enumerate();
            let vertices: Vec<Vertex> =
                vertices.map(|(i, (e, d))| Vertex { name: format!("v{i}"), e: *e, d: *d }).collect();
            let edges =
                drawn.edges.iter().map(|(from, to, p)| Edge { from: *from, to: *to, p: *p }).collect();
            let task = match Task::new("t", drawn.period, vertices, edges) {
                Ok(task) => task,
                Err(flaws) => unreachable!("{flaws:?}"),
            };
            let traits = task.traits();
            assert!(traits.separated && traits.roomy, "{drawn:?}");
            assert!(task.longest() <= task.period());
        }
    }
}
