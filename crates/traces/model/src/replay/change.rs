//! What can be changed in a replay.

use std::collections::{BTreeMap, BTreeSet};

use super::graph::{Edge, EdgeKind, Graph};
use crate::cause::Cause;
use crate::causes::Causes;
use crate::order::{NONE, Order};
use crate::trace::Trace;

/// A change. Places that do not exist are passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Calls return at once, and wait for nothing.
    AtOnce(Vec<u32>),
    /// Calls wait for nothing; the time that they take beside stays.
    NoWait(Vec<u32>),
    /// Calls take a share of their own time.
    Calls(Vec<u32>, Share),
    /// Operations take a share of their time.
    Operations(Vec<u32>, Share),
    /// Operations need not wait for what a cause has them wait for, nor for its sake does what follows in their streams;
    /// what only one constraint is known of keeps it.
    Without(Cause, Vec<u32>),
    /// Operations are put into a stream.
    Moved(Vec<u32>, u32),
    /// Streams are one: the first of them.
    Together(Vec<u32>),
}

/// A share of a time, rounded down; of nothing for a denominator, all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// So many.
    pub numerator: u32,
    /// Of so many.
    pub denominator: u32,
}

impl Share {
    fn of(self, time: i64) -> i64 {
        if self.denominator == 0 || time < 0 {
            return time;
        }
        let share = i128::from(time) * i128::from(self.numerator) / i128::from(self.denominator);
        i64::try_from(share).unwrap_or(i64::MAX)
    }

    fn least(self, other: Self) -> Self {
        let cross = |one: Self, other: Self| u64::from(one.numerator) * u64::from(other.denominator);
        if cross(other, self) < cross(self, other) { other } else { self }
    }
}

/// The streams of all operations, if a change moves any.
pub(super) fn streams(trace: &Trace, changes: &[Change]) -> Option<Vec<u32>> {
    let moves = |change: &Change| matches!(change, Change::Moved(..) | Change::Together(_));
    changes.iter().find(|change| moves(change))?;
    let mut streams: Vec<u32> = trace.operations.iter().map(|own| own.stream).collect();
    for change in changes {
        match change {
            Change::Moved(operations, stream) if (*stream as usize) < trace.streams.len() => {
                for operation in operations {
                    if let Some(own) = streams.get_mut(*operation as usize) {
                        *own = *stream;
                    }
                }
            }
            Change::Together(all) => {
                let exists = |stream: &&u32| (**stream as usize) < trace.streams.len();
                if let Some(&first) = all.iter().find(exists) {
                    streams.iter_mut().filter(|own| all.contains(*own)).for_each(|own| *own = first);
                }
            }
            _ => {}
        }
    }
    Some(streams)
}

/// Changes as they meet a graph.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    changed: Vec<bool>,
    none: BTreeSet<u32>,
    dropped: BTreeSet<u32>,
    shares: BTreeMap<u32, Share>,
}

impl Plan {
    /// Of changes.
    pub fn of(causes: &Causes, graph: &Graph, order: &Order, changes: &[Change]) -> Self {
        let mut plan = Self { changed: vec![false; graph.recorded.len()], ..Self::default() };
        for change in changes {
            match change {
                Change::AtOnce(calls) => plan.at_once(graph, calls),
                Change::NoWait(calls) => calls.iter().for_each(|&call| plan.no_wait(graph, call)),
                Change::Calls(calls, share) => plan.scale_calls(causes, graph, calls, *share),
                Change::Operations(operations, share) => {
                    let places =
                        operations.iter().filter_map(|&operation| order.place.get(operation as usize));
                    places.for_each(|place| plan.share(3 * place + 1, *share));
                }
                Change::Without(cause, operations) => {
                    let places =
                        operations.iter().filter_map(|&operation| order.place.get(operation as usize));
                    places.for_each(|place| plan.without(graph, 3 * place, *cause));
                }
                Change::Moved(..) | Change::Together(_) => {}
            }
        }
        plan
    }

    /// How long after an edge's beginning its node is; none where the edge is left out.
    pub(super) fn lag(&self, node: u32, index: u32, edge: &Edge) -> Option<i64> {
        if !self.changed.get(node as usize).copied().unwrap_or_default() {
            return Some(edge.lag);
        }
        if self.dropped.contains(&index) {
            return None;
        }
        let own = matches!(edge.kind, EdgeKind::Own | EdgeKind::Await | EdgeKind::Length);
        if own && self.none.contains(&node) {
            return Some(edge.lag.min(0));
        }
        let share = self.shares.get(&node).filter(|_| own);
        Some(share.map_or(edge.lag, |share| share.of(edge.lag)))
    }

    fn share(&mut self, node: u32, share: Share) {
        self.changed[node as usize] = true;
        self.shares.entry(node).and_modify(|own| *own = own.least(share)).or_insert(share);
    }

    /// The boundaries of calls after their beginnings, each once, and which call had each one's time before it.
    fn boundaries(graph: &Graph, calls: &[u32]) -> Vec<(u32, u32)> {
        let mut calls: Vec<u32> =
            calls.iter().copied().filter(|&call| (call as usize) < graph.owner.len() / 2).collect();
        // In the order of their beginnings, so that what was met once was met with all before it within the call.
        calls.sort_unstable();
        let mut met = vec![false; graph.owner.len()];
        let mut all = Vec::new();
        for call in calls {
            let mut boundary = 2 * call + 1;
            while boundary != 2 * call && !std::mem::replace(&mut met[boundary as usize], true) {
                all.push((graph.calls + boundary, graph.owner[boundary as usize]));
                boundary = graph.previous[boundary as usize];
                if boundary == NONE {
                    break;
                }
            }
        }
        all
    }

    fn at_once(&mut self, graph: &Graph, calls: &[u32]) {
        for (node, _) in Self::boundaries(graph, calls) {
            self.changed[node as usize] = true;
            self.none.insert(node);
            for (index, edge) in (graph.first[node as usize]..).zip(graph.entering(node)) {
                if edge.kind == EdgeKind::Await {
                    self.dropped.insert(index);
                }
            }
        }
    }

    fn no_wait(&mut self, graph: &Graph, call: u32) {
        let first = graph.awaits.partition_point(|hold| hold.0 < call);
        let holds: Vec<u32> =
            graph.awaits[first..].iter().take_while(|hold| hold.0 == call).map(|hold| hold.1).collect();
        for index in holds {
            self.dropped.insert(index);
            let node = graph.first.partition_point(|&first| first <= index) - 1;
            self.changed[node] = true;
        }
    }

    fn scale_calls(&mut self, causes: &Causes, graph: &Graph, calls: &[u32], share: Share) {
        let mut own = vec![false; causes.host.owner.len()];
        let owners = calls.iter().filter_map(|&call| causes.host.owner.get(call as usize));
        owners.for_each(|&owner| own[owner as usize] = true);
        for (node, owner) in Self::boundaries(graph, calls) {
            if own.get(owner as usize).is_some_and(|own| *own) {
                self.share(node, share);
            }
        }
    }

    fn without(&mut self, graph: &Graph, node: u32, cause: Cause) {
        self.changed[node as usize] = true;
        let edges =
            || (graph.first[node as usize]..).zip(graph.entering(node)).filter(|(_, edge)| edge.from != NONE);
        let mut left = edges().filter(|(index, _)| !self.dropped.contains(index)).count();
        for (index, _) in edges().filter(|(_, edge)| edge.kind == EdgeKind::After(cause)) {
            if left > 1 && self.dropped.insert(index) {
                left -= 1;
            }
        }
    }
}
