//! The graph of a replay: nodes with recorded times, edges with lags, and an order in which nothing precedes its cause.
//!
//! Invariants: `sorted` has every node once; every edge that was not left out leads from an earlier to a later one; of
//! each node that has edges, at least one arrives at its recorded time and none later.

use super::change::Plan;
use crate::cause::Cause;
use crate::order::{NONE, narrow};

/// What an edge stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeKind {
    /// An operation's length.
    Length,
    /// What all of a stream, or an event, or a wait, takes together: no time of its own.
    Join,
    /// What an operation comes after.
    After(Cause),
    /// A thread's own time: in a call, or between calls.
    Own,
    /// What a waiting call waits for.
    Await,
}

/// What a node comes after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The node; none where the edge was left out.
    pub from: u32,
    /// For what it stands.
    pub kind: EdgeKind,
    /// How long after at the earliest.
    pub lag: i64,
}

/// A graph. An operation has three nodes, by its place in its stream: start, end, and the end of all up to it; then come
/// records, waits, slices, joins, and calls with their beginning and end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Graph {
    /// When each node was recorded.
    pub recorded: Vec<i64>,
    /// Where the edges into each node begin, and the number of edges.
    pub first: Vec<u32>,
    /// The edges.
    pub edges: Vec<Edge>,
    /// The nodes, what is followed before what follows.
    pub sorted: Vec<u32>,
    /// The first node that is a record.
    pub records: u32,
    /// The first node that is a wait.
    pub waits: u32,
    /// The first node that is a slice.
    pub slices: u32,
    /// The first node that joins copies of one engine, or what a call waits for on a device.
    pub lines: u32,
    /// The first node of a call.
    pub calls: u32,
    /// By boundary of a call: in which call the thread was before it, or none.
    pub owner: Vec<u32>,
    /// By boundary of a call: the boundary before it on its thread, or none.
    pub previous: Vec<u32>,
    /// Waiting calls and the edges that hold them, in order.
    pub awaits: Vec<(u32, u32)>,
    /// How many edges closed a circle and were left out.
    pub left_out: u64,
}

impl Graph {
    /// The edges into a node.
    pub fn entering(&self, node: u32) -> &[Edge] {
        &self.edges[self.first[node as usize] as usize..self.first[node as usize + 1] as usize]
    }

    /// When every node is, by a plan of changes.
    pub fn times(&self, plan: &Plan) -> Vec<i64> {
        let mut times = Vec::new();
        self.fill::<1>(std::slice::from_ref(plan), &mut times);
        times.into_flattened()
    }

    /// When every node is by each of several plans: all in one walk, as memory is what a walk waits for. Times of before
    /// are overwritten.
    pub(super) fn fill<const LANES: usize>(&self, plans: &[Plan], times: &mut Vec<[i64; LANES]>) {
        debug_assert!(plans.len() <= LANES && LANES <= 8, "a bit for each plan");
        let mut touched = vec![0_u8; self.recorded.len()];
        for (lane, plan) in plans.iter().enumerate() {
            plan.touched().iter().for_each(|&node| touched[node as usize] |= 1 << lane);
        }
        times.resize(self.recorded.len(), [0; LANES]);
        let mut rest = &self.sorted[..];
        while let Some(&node) = rest.first() {
            let begins = node < self.records && node.is_multiple_of(3);
            let whole = begins && rest.get(1..3) == Some(&[node + 1, node + 2]);
            let touched = &touched[node as usize..];
            rest = &rest[if whole { 3 } else { 1 }..];
            times[node as usize] = self.latest(plans, node, touched[0], times);
            if whole && touched[1] == 0 {
                // An operation: its end follows its start alone, and with the end of all before it is that of all up to it.
                let edges = self.first[node as usize + 1] as usize..self.first[node as usize + 3] as usize;
                let [length, _, before @ ..] = &self.edges[edges] else { continue };
                let end = times[node as usize].map(|start| start.saturating_add(length.lag));
                let mut done = end;
                if let Some(before) = before.first() {
                    let before = &times[before.from as usize];
                    (0..LANES).for_each(|lane| done[lane] = done[lane].max(before[lane]));
                }
                times[node as usize + 1] = end;
                times[node as usize + 2] = done;
            } else if whole {
                times[node as usize + 1] = self.latest(plans, node + 1, touched[1], times);
                times[node as usize + 2] = self.latest(plans, node + 2, touched[2], times);
            }
        }
    }

    /// When a node is by each plan, of which some change something there.
    fn latest<const LANES: usize>(
        &self,
        plans: &[Plan],
        node: u32,
        mut touched: u8,
        times: &[[i64; LANES]],
    ) -> [i64; LANES] {
        let mut latest = [i64::MIN; LANES];
        let mut known = false;
        for edge in self.entering(node).iter().filter(|edge| edge.from != NONE) {
            let from = &times[edge.from as usize];
            for lane in 0..LANES {
                latest[lane] = latest[lane].max(from[lane].saturating_add(edge.lag));
            }
            known = true;
        }
        if !known {
            latest = [self.recorded[node as usize]; LANES];
        }
        while touched != 0 {
            let lane = touched.trailing_zeros() as usize;
            latest[lane] = self.changed(&plans[lane], node, |from| times[from as usize][lane]);
            touched &= touched - 1;
        }
        latest
    }

    /// When a node is into which a plan changes something.
    fn changed(&self, plan: &Plan, node: u32, time: impl Fn(u32) -> i64) -> i64 {
        let edges = self.entering(node).iter().zip(self.first[node as usize]..);
        let after = edges.filter(|(edge, _)| edge.from != NONE).filter_map(|(edge, index)| {
            plan.lag(node, index, edge).map(|lag| time(edge.from).saturating_add(lag))
        });
        after.max().unwrap_or(self.recorded[node as usize])
    }

    /// Sorts the nodes, leaving out edges that close circles.
    pub fn sort(&mut self) {
        match self.after_all() {
            Some(sorted) => self.sorted = sorted,
            None => self.sort_in_circles(),
        }
    }

    /// The nodes, each after all that it comes after; none where some come after themselves.
    fn after_all(&self) -> Option<Vec<u32>> {
        const FRESH: u8 = 0;
        const OPEN: u8 = 1;
        const DONE: u8 = 2;
        let count = narrow(self.recorded.len());
        let (mut state, mut sorted) =
            (vec![FRESH; self.recorded.len()], Vec::with_capacity(self.recorded.len()));
        let mut open: Vec<(u32, u32)> = Vec::new();
        // A thread's boundaries follow each other, so beginning with them no way back is long.
        for root in (self.calls..count).chain(0..self.calls) {
            if state[root as usize] == FRESH {
                state[root as usize] = OPEN;
                open.push((root, self.first[root as usize]));
            }
            while let Some((node, edge)) = open.last_mut() {
                if *edge == self.first[*node as usize + 1] {
                    state[*node as usize] = DONE;
                    sorted.push(*node);
                    open.pop();
                    continue;
                }
                let from = self.edges[*edge as usize].from;
                *edge += 1;
                match state[from as usize] {
                    FRESH => {
                        state[from as usize] = OPEN;
                        open.push((from, self.first[from as usize]));
                    }
                    OPEN => return None,
                    _ => {}
                }
            }
        }
        Some(sorted)
    }

    /// Sorts the nodes from the first on, leaving out edges that close circles where nothing else is left.
    fn sort_in_circles(&mut self) {
        let (first_out, out) = self.out();
        let mut missing: Vec<u32> = self.first.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let mut sorted: Vec<u32> =
            (0..narrow(missing.len())).filter(|&node| missing[node as usize] == 0).collect();
        let (mut next, mut by_time) = (0, None);
        loop {
            while let Some(&node) = sorted.get(next) {
                next += 1;
                for &(to, edge) in
                    &out[first_out[node as usize] as usize..first_out[node as usize + 1] as usize]
                {
                    if self.edges[edge as usize].from == NONE {
                        continue;
                    }
                    missing[to as usize] -= 1;
                    if missing[to as usize] == 0 {
                        sorted.push(to);
                    }
                }
            }
            if sorted.len() == missing.len() {
                break;
            }
            let rest = by_time.get_or_insert_with(|| self.by_time(&missing));
            let Some(node) = rest.pop() else { break };
            if missing[node as usize] > 0 && self.open(node, &mut missing) {
                sorted.push(node);
            }
        }
        self.sorted = sorted;
    }

    /// The edges out of each node: where they lead to, and which they are.
    fn out(&self) -> (Vec<u32>, Vec<(u32, u32)>) {
        let mut first = vec![0u32; self.recorded.len() + 1];
        for edge in &self.edges {
            first[edge.from as usize + 1] += 1;
        }
        for node in 0..self.recorded.len() {
            first[node + 1] += first[node];
        }
        let (mut next, mut out) = (first.clone(), vec![(0, 0); self.edges.len()]);
        for node in 0..narrow(self.recorded.len()) {
            for (edge, index) in self.entering(node).iter().zip(self.first[node as usize]..) {
                out[next[edge.from as usize] as usize] = (node, index);
                next[edge.from as usize] += 1;
            }
        }
        (first, out)
    }

    /// The nodes that are missing something, the earliest last.
    fn by_time(&self, missing: &[u32]) -> Vec<u32> {
        let mut rest: Vec<u32> =
            (0..narrow(missing.len())).filter(|&node| missing[node as usize] > 0).collect();
        rest.sort_by_key(|&node| std::cmp::Reverse((self.recorded[node as usize], node)));
        rest
    }

    /// Leaves out what a node still misses, as far as it is no length; whether it then misses nothing.
    fn open(&mut self, node: u32, missing: &mut [u32]) -> bool {
        let edges = self.first[node as usize] as usize..self.first[node as usize + 1] as usize;
        for edge in &mut self.edges[edges] {
            // What misses nothing any more has been gone through.
            let open = edge.from != NONE && missing[edge.from as usize] > 0;
            if open && matches!(edge.kind, EdgeKind::After(_) | EdgeKind::Await) {
                edge.from = NONE;
                missing[node as usize] -= 1;
                self.left_out += 1;
            }
        }
        missing[node as usize] == 0
    }
}
