//! A recurring task as a graph (N, section II): vertices with execution requirement and deadline, edges with the
//! least separation between triggerings, one source, one sink and a period.
//!
//! A [`Task`] is sound: it has no cycle, one source, one sink, and every vertex lies between them. Whether it also
//! has what the published equation takes for granted is told by [`Task::traits`].

use super::flaw::Flaw;

/// One vertex: a job of it needs `e` within `d` of its triggering.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vertex {
    /// What people call it.
    pub name: String,
    /// Execution requirement.
    pub e: u64,
    /// Relative deadline.
    pub d: u64,
}

/// One edge: `to` may be triggered once `p` has passed since the triggering of `from`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The earlier vertex.
    pub from: usize,
    /// The later vertex.
    pub to: usize,
    /// The least separation of their triggerings.
    pub p: u64,
}

/// A recurring real-time task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    name: String,
    period: u64,
    vertices: Vec<Vertex>,
    edges: Vec<Edge>,
    /// Vertices so that every edge leads forward.
    order: Vec<usize>,
    /// The edges that leave each vertex, in the order of `edges`.
    leaving: Vec<Vec<(usize, u64)>>,
    /// The least time from the triggering of the sink to that of the source, if it is not the deadline of the sink.
    restart: Option<u64>,
    longest: u64,
    shortest: u64,
    demand: u64,
}

/// What a task has of what the published equation takes for granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traits {
    /// Every separation is at least the deadline of the vertex before it, that from sink to source included.
    pub separated: bool,
    /// The period leaves room for the longest path and the way back to the source.
    pub roomy: bool,
}

impl Task {
    /// The task of these vertices and edges, or everything that keeps them from being one.
    pub fn new(
        name: impl Into<String>,
        period: u64,
        vertices: Vec<Vertex>,
        edges: Vec<Edge>,
    ) -> Result<Self, Vec<Flaw>> {
        let order = super::flaw::order(&vertices, &edges)?;
        let mut leaving = vec![Vec::new(); vertices.len()];
        for edge in &edges {
            leaving[edge.from].push((edge.to, edge.p));
        }
        let mut task = Self {
            name: name.into(),
            period,
            vertices,
            edges,
            order,
            leaving,
            restart: None,
            longest: 0,
            shortest: 0,
            demand: 0,
        };
        (task.longest, task.shortest) = task.lengths();
        task.demand = task.heaviest(|v| task.vertices[v].e, |w, _| task.vertices[w].e);
        Ok(task)
    }

    /// The most a path from source to sink collects: `own` of its last vertex, and `step` of every edge, which is told
    /// the vertex it leaves from and its separation.
    fn heaviest(&self, own: impl Fn(usize) -> u64, step: impl Fn(usize, u64) -> u64) -> u64 {
        self.collected(own, step, u64::max)
    }

    /// The same for the path that is picked of any two.
    fn collected(
        &self,
        own: impl Fn(usize) -> u64,
        step: impl Fn(usize, u64) -> u64,
        pick: fn(u64, u64) -> u64,
    ) -> u64 {
        let mut best = vec![0; self.vertices.len()];
        for &v in self.order.iter().rev() {
            let onward = self.leaving[v].iter().map(|&(w, p)| best[w] + step(v, p)).reduce(pick);
            best[v] = onward.unwrap_or_else(|| own(v));
        }
        best[self.source()]
    }

    /// How long the longest and the shortest path last with the way back to the source.
    fn lengths(&self) -> (u64, u64) {
        let of = |pick| self.collected(|_| self.gap(), |_, p| p, pick);
        (of(u64::max), of(u64::min))
    }

    /// The same task whose source may follow its sink after so long, whatever the deadline of the sink.
    pub fn restarting(mut self, after: u64) -> Self {
        self.restart = Some(after);
        (self.longest, self.shortest) = self.lengths();
        self
    }

    /// The same task with another requirement of a vertex.
    pub fn with_requirement(&self, v: usize, e: u64) -> Self {
        let mut task = self.clone();
        task.vertices[v].e = e;
        task.demand = task.heaviest(|v| task.vertices[v].e, |w, _| task.vertices[w].e);
        task
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// P(T), the least separation of two triggerings of its source.
    pub fn period(&self) -> u64 {
        self.period
    }

    /// Its vertices.
    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices
    }

    /// Its edges.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The edges that leave a vertex: where to, and how much later at least.
    pub fn leaving(&self, v: usize) -> &[(usize, u64)] {
        &self.leaving[v]
    }

    /// Its vertices so that every edge leads forward.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// The vertex no edge leads to.
    pub fn source(&self) -> usize {
        self.order[0]
    }

    /// The vertex no edge leaves.
    pub fn sink(&self) -> usize {
        self.order[self.order.len() - 1]
    }

    /// How long after its sink the source may follow at the earliest: once the deadline of the sink has passed, unless
    /// the task says otherwise.
    pub fn gap(&self) -> u64 {
        self.restart.unwrap_or(self.vertices[self.sink()].d)
    }

    /// That separation, where the task says it.
    pub fn restart(&self) -> Option<u64> {
        self.restart
    }

    /// The least time from a triggering of the source to the next one along the longest path, the period apart.
    pub fn longest(&self) -> u64 {
        self.longest
    }

    /// How far apart two triggerings of its source are at least: the period; or, where it is too short and every path
    /// lasts equally long with the way back, as long as they do. A task with this as its period does just the same.
    pub fn pace(&self) -> u64 {
        let least = self.period.max(self.shortest);
        if self.longest <= least { least } else { self.period }
    }

    /// Whether rounds follow each other at the pace whatever paths they take.
    pub fn keeps_pace(&self) -> bool {
        self.longest <= self.pace()
    }

    /// E(T), the largest demand of a path from source to sink.
    pub fn demand(&self) -> u64 {
        self.demand
    }

    /// What it has of what the published equation takes for granted.
    pub fn traits(&self) -> Traits {
        Traits {
            separated: self.edges.iter().all(|edge| self.vertices[edge.from].d <= edge.p)
                && self.vertices[self.sink()].d <= self.gap(),
            roomy: self.longest <= self.period,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small::{diamond, splice};

    #[test]
    fn a_task_knows_its_longest_path_and_its_largest_demand() {
        let task = splice();
        assert_eq!((task.demand(), task.longest(), task.gap()), (19, 20, 3));
        assert_eq!((task.source(), task.sink()), (0, 4));
        assert_eq!(task.traits(), Traits { separated: true, roomy: true });
    }

    #[test]
    fn a_vertex_alone_is_a_sporadic_task() {
        let alone = vec![Vertex { name: "v".into(), e: 2, d: 5 }];
        let task = Task::new("t", 4, alone, Vec::new()).unwrap_or_else(|flaws| panic!("{flaws:?}"));
        assert_eq!((task.demand(), task.longest(), task.source(), task.sink()), (2, 5, 0, 0));
        assert_eq!(task.traits(), Traits { separated: true, roomy: false });
    }

    /// Two ways from source to sink, of 10 and 12 with the deadline of the sink.
    #[test]
    fn the_pace_is_what_separates_rounds() {
        let of = |period, p| {
            let edges = [(0, 1, 4), (0, 2, 4), (1, 3, 4), (2, 3, p)];
            let task = crate::small::task(period, &[(1, 2), (1, 2), (1, 2), (1, 2)], &edges);
            (task.pace(), task.keeps_pace(), task.traits().roomy)
        };
        assert_eq!([of(15, 6), of(12, 6)], [(15, true, true), (12, true, true)]);
        assert_eq!([of(11, 6), of(3, 6)], [(11, false, false), (3, false, false)]);
        assert_eq!([of(9, 4), of(10, 4)], [(10, true, false), (10, true, true)]);
        let alone = crate::small::task(4, &[(2, 5)], &[]);
        assert_eq!((alone.pace(), alone.restarting(0).pace()), (5, 4));
    }

    #[test]
    fn edges_are_found_by_the_vertex_they_leave() {
        assert_eq!(diamond().leaving(0), [(1, 10), (2, 10)]);
    }
}
