//! What can be changed in a replay.

use std::collections::BTreeMap;

use super::graph::{Edge, EdgeKind, Graph};
use crate::cause::Cause;
use crate::causes::Causes;
use crate::order::{NONE, Order, narrow};
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

/// Changes as they meet a graph: dense lists, for a replay asks them about every node.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// By node: what becomes of its own time; empty where nothing is changed.
    own: Vec<u8>,
    /// The nodes into which something is changed, each once.
    touched: Vec<u32>,
    /// By edge, 64 in a word: whether it is left out.
    dropped: Vec<u64>,
    /// Different shares that nodes take of their time.
    shares: Vec<Share>,
    /// Nodes with shares for which a byte has no room.
    rare: BTreeMap<u32, Share>,
}

/// Nothing into the node is changed.
const KEPT: u8 = 0;
/// Its time stays, but edges into it may be left out.
const CHANGED: u8 = 1;
/// It takes no time.
const NO_TIME: u8 = 2;
/// From here on, it takes one of the different shares of its time.
const SHARES: u8 = 3;
/// It takes a share that is kept apart.
const RARE: u8 = u8::MAX;

impl Plan {
    /// Of changes.
    pub fn of(causes: &Causes, graph: &Graph, order: &Order, changes: &[Change]) -> Self {
        let dropped = vec![0; graph.edges.len() / 64 + 1];
        let mut plan = Self { own: vec![KEPT; graph.recorded.len()], dropped, ..Self::default() };
        changes.iter().for_each(|change| plan.add(causes, graph, order, change));
        plan
    }

    /// Takes in one more change.
    pub(super) fn add(&mut self, causes: &Causes, graph: &Graph, order: &Order, change: &Change) {
        let places = |operations: &[u32]| -> Vec<u32> {
            operations.iter().filter_map(|&operation| order.place.get(operation as usize).copied()).collect()
        };
        match change {
            Change::AtOnce(calls) => self.at_once(graph, calls),
            Change::NoWait(calls) => calls.iter().for_each(|&call| self.no_wait(graph, call)),
            Change::Calls(calls, share) => self.scale_calls(causes, graph, calls, *share),
            Change::Operations(operations, share) => {
                places(operations).into_iter().for_each(|place| self.share(3 * place + 1, *share));
            }
            Change::Without(cause, operations) => {
                places(operations).into_iter().for_each(|place| self.without(graph, 3 * place, *cause));
            }
            Change::Moved(..) | Change::Together(_) => {}
        }
    }

    /// The nodes into which something is changed.
    pub(super) fn touched(&self) -> &[u32] {
        &self.touched
    }

    /// Whether every edge into a node has the lag that it was given.
    fn keeps(&self, node: u32) -> bool {
        self.own.get(node as usize).is_none_or(|&own| own == KEPT)
    }

    /// How long after an edge's beginning its node is; none where the edge is left out.
    pub(super) fn lag(&self, node: u32, index: u32, edge: &Edge) -> Option<i64> {
        if self.keeps(node) {
            return Some(edge.lag);
        }
        if self.is_dropped(index) {
            return None;
        }
        if !matches!(edge.kind, EdgeKind::Own | EdgeKind::Await | EdgeKind::Length) {
            return Some(edge.lag);
        }
        if self.own[node as usize] == NO_TIME {
            return Some(edge.lag.min(0));
        }
        Some(self.share_of(node).map_or(edge.lag, |share| share.of(edge.lag)))
    }

    fn share_of(&self, node: u32) -> Option<Share> {
        match self.own[node as usize] {
            RARE => self.rare.get(&node).copied(),
            own => self.shares.get(usize::from(own.checked_sub(SHARES)?)).copied(),
        }
    }

    fn share(&mut self, node: u32, share: Share) {
        let known = self.share_of(node);
        let share = known.map_or(share, |known| known.least(share));
        if known == Some(share) || self.own[node as usize] == NO_TIME {
            return;
        }
        // What is alike lies together: the share given last is looked at first.
        let place = self.shares.iter().rposition(|own| *own == share).unwrap_or_else(|| {
            self.shares.extend((self.shares.len() < usize::from(RARE - SHARES)).then_some(share));
            self.shares.len() - usize::from(self.shares.last() == Some(&share))
        });
        let own = u8::try_from(place).ok().and_then(|place| place.checked_add(SHARES)).unwrap_or(RARE);
        if own == RARE {
            self.rare.insert(node, share);
        }
        self.set(node, own);
    }

    /// Marks a node into which something is changed.
    fn touch(&mut self, node: u32) {
        self.set(node, self.own[node as usize].max(CHANGED));
    }

    fn set(&mut self, node: u32, own: u8) {
        let before = std::mem::replace(&mut self.own[node as usize], own);
        if before == KEPT {
            self.touched.push(node);
        }
    }

    fn is_dropped(&self, index: u32) -> bool {
        self.dropped[index as usize / 64] & 1 << (index % 64) != 0
    }

    /// Leaves out an edge, and says whether it was not yet.
    fn drop_edge(&mut self, index: u32) -> bool {
        let fresh = !self.is_dropped(index);
        self.dropped[index as usize / 64] |= 1 << (index % 64);
        fresh
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
            self.set(node, NO_TIME);
            for (index, edge) in (graph.first[node as usize]..).zip(graph.entering(node)) {
                if edge.kind == EdgeKind::Await {
                    self.drop_edge(index);
                }
            }
        }
    }

    fn no_wait(&mut self, graph: &Graph, call: u32) {
        let first = graph.awaits.partition_point(|hold| hold.0 < call);
        let holds: Vec<u32> =
            graph.awaits[first..].iter().take_while(|hold| hold.0 == call).map(|hold| hold.1).collect();
        for index in holds {
            self.drop_edge(index);
            let node = graph.first.partition_point(|&first| first <= index) - 1;
            self.touch(narrow(node));
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
        self.touch(node);
        let edges =
            || (graph.first[node as usize]..).zip(graph.entering(node)).filter(|(_, edge)| edge.from != NONE);
        let mut left = edges().filter(|(index, _)| !self.is_dropped(*index)).count();
        for (index, _) in edges().filter(|(_, edge)| edge.kind == EdgeKind::After(cause)) {
            if left > 1 && self.drop_edge(index) {
                left -= 1;
            }
        }
    }
}
