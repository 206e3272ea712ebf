//! Random tasks: the same for the same numbers on every machine, and valid, separated and roomy by construction.
//!
//! What is drawn, and from what, is said in [`DRAWN`], which reports and the page show.

use super::flaw::MOST_VERTICES;
use super::{Edge, Task, Vertex};
use base::Seeded;

/// How a task is drawn, for people.
pub const DRAWN: &str = "Vertices stand in a row from source to sink. Each but the source draws how many edges lead to \
    it, from 1 to the most allowed, and from which earlier vertices, all equally likely; where earlier vertices would \
    otherwise lead nowhere, it draws from those first. e is drawn from 1 to the largest requirement, d is e plus 0 to \
    the largest requirement, p is the deadline of the vertex the edge leaves plus 0 to the largest requirement, and \
    the period is the longest path with the deadline of the sink plus 0 to half of it. Every number is equally \
    likely, drawn with ChaCha8 from the seed, with the number of vertices as its stream.";

/// A random task of `n` vertices, 1 to 1,000 of them: requirements up to `most`, at most `fan` edges to a vertex.
pub fn task(n: u32, most: u32, fan: u32, seed: u64) -> Task {
    let count = (n as usize).clamp(1, MOST_VERTICES);
    let mut rng = Seeded::new(seed, count as u64);
    let mut up_to = |largest: u32| u64::from(rng.below(largest.saturating_add(1)));
    let vertices: Vec<Vertex> = (0..count)
        .map(|v| {
            let e = 1 + up_to(most.max(1) - 1);
            Vertex { name: format!("v{}", v + 1), e, d: e + up_to(most) }
        })
        .collect();
    let edges: Vec<Edge> = (1..count)
        .scan(Open::default(), |open, to| Some((to, open.draw(to, count, fan.max(1) as usize, &mut up_to))))
        .flat_map(|(to, from)| from.into_iter().map(move |from| (from, to)))
        .collect::<Vec<_>>()
        .into_iter()
        .map(|(from, to)| Edge { from, to, p: vertices[from].d + up_to(most) })
        .collect();
    let name = format!("{count} vertices");
    let longest = match Task::new(name.as_str(), 1, vertices.clone(), edges.clone()) {
        Ok(task) => task.longest(),
        Err(flaws) => unreachable!("drawn without flaws: {flaws:?}"),
    };
    let period = longest + up_to(u32::try_from(longest / 2).unwrap_or(u32::MAX - 1));
    match Task::new(name, period, vertices, edges) {
        Ok(task) => task,
        Err(flaws) => unreachable!("drawn without flaws: {flaws:?}"),
    }
}

/// The earlier vertices: those that no edge leaves yet come last.
#[derive(Default)]
struct Open {
    closed: Vec<usize>,
    open: Vec<usize>,
}

impl Open {
    /// The vertices from which edges lead to `to`.
    fn draw(
        &mut self,
        to: usize,
        count: usize,
        fan: usize,
        up_to: &mut impl FnMut(u32) -> u64,
    ) -> Vec<usize> {
        let mut pick = |of: usize| up_to(u32::try_from(of).unwrap_or(u32::MAX) - 1) as usize;
        self.open.push(to - 1);
        // Each later vertex is one more without an edge and takes at most `fan` of them; the sink takes the rest.
        let later = count - 1 - to;
        let must = self.open.len().saturating_sub(later * (fan - 1));
        let wanted = (1 + pick(fan.min(to))).max(must);
        let mut drawn: Vec<usize> = Vec::with_capacity(wanted);
        while drawn.len() < wanted {
            let closed = if drawn.len() < must { 0 } else { self.closed.len() };
            let at = pick(closed + self.open.len());
            let from = if at < closed { self.closed[at] } else { self.open[at - closed] };
            if at >= closed {
                self.open.swap_remove(at - closed);
            } else if drawn.contains(&from) {
                continue;
            }
            drawn.push(from);
        }
        for &from in &drawn {
            if !self.closed.contains(&from) {
                self.closed.push(from);
            }
        }
        base::sort::sort(&mut drawn);
        drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Traits;

    #[test]
    fn thousands_are_valid_separated_and_roomy() {
        for seed in 0..3_000 {
            let (n, most, fan) = (1 + (seed % 23) as u32, 1 + (seed % 11) as u32, 1 + (seed % 7) as u32);
            let task = task(n, most, fan, seed);
            assert_eq!(task.vertices().len(), n as usize);
            assert_eq!(task.traits(), Traits { separated: true, roomy: true }, "seed {seed}");
            let into = |v| task.edges().iter().filter(|edge| edge.to == v).count();
            let most_into = (0..n as usize).map(into).max();
            assert!(most_into.is_none_or(|into| into <= fan as usize), "seed {seed}");
            assert!(task.vertices().iter().all(|v| (1..=u64::from(most)).contains(&v.e) && v.d >= v.e));
            assert!(
                task.edges().iter().all(|edge| edge.from < edge.to && edge.p >= task.vertices()[edge.from].d)
            );
        }
    }

    #[test]
    fn the_same_on_every_machine() {
        let task = task(5, 10, 2, 1);
        let numbers: Vec<_> = task.vertices().iter().map(|v| (v.e, v.d)).collect();
        let edges: Vec<_> = task.edges().iter().map(|edge| (edge.from, edge.to, edge.p)).collect();
        assert_eq!(task.period(), 71);
        assert_eq!(numbers, [(1, 5), (10, 20), (5, 8), (10, 12), (9, 9)]);
        assert_eq!(edges, [(0, 1, 8), (1, 2, 21), (0, 3, 11), (2, 4, 10), (3, 4, 12)]);
    }

    #[test]
    fn large_numbers_and_narrow_fans() {
        let chain = task(6, 1_000_000, 1, 3);
        assert_eq!(chain.edges().len(), 5);
        let wide = task(500, 1_000_000, 500, 3);
        assert!(wide.edges().len() > 10_000 && wide.traits().roomy);
        let many = task(500, 10_000, 5, 1);
        assert!((1_000..2_000).contains(&many.edges().len()), "{}", many.edges().len());
        assert_eq!(task(0, 0, 0, 0).vertices().len(), 1);
    }
}
