//! What if: the recording as a graph of lengths, in which something is changed and everything else follows.
//!
//! 1. Every start, end and boundary of a call is the latest of what it comes after, each with a lag of its own. The lags
//!    are those recorded; of what was met long before, no more than the lag of what was met last, or than the shortest that
//!    the recording has seen after such a cause, whichever is longer. So an unchanged replay reproduces every start and
//!    end to the nanosecond, and in a changed one nothing follows its cause sooner than anything ever did.
//! 2. Lengths of operations stay. A thread's calls and pauses stay; a call that waits ends as long after what it waits
//!    for as recorded, and no earlier than its own time permits. It waits for all that it may have waited for.
//! 3. What nothing recorded is known to precede stays where it was.
//! 4. Where the recorded order contradicts itself in a circle (clocks that differ), the constraints that close it are
//!    left out, and counted.
//! 5. Monotone: a change that shortens lengths or leaves out constraints never makes anything later. Moving operations
//!    to other streams may.

mod build;
mod change;
mod graph;
mod host;
mod joins;
mod soonest;
mod turns;

use std::borrow::Cow;

use crate::causes::Causes;
use crate::order::Order;

pub use change::{Change, Plan, Share};
pub use graph::{Edge, EdgeKind, Graph};

/// A recording that can be replayed.
#[derive(Debug)]
pub struct Replay<'a> {
    /// What is known of it.
    pub causes: &'a Causes<'a>,
    /// The graph. Unchanged, every node of it is when it was recorded.
    pub graph: Graph,
    /// Calls whose order a change may turn around.
    lists: turns::Lists,
}

/// What comes of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// When the last operation ends.
    pub end: i64,
    /// When each operation starts and ends.
    pub operations: Vec<(i64, i64)>,
    /// The operations that start or end at another time than recorded.
    pub moved: Vec<u32>,
    /// How many calls and copies go before one that they are kept behind: where there are any, this is one way the run
    /// may go, and what it gains is no promise.
    pub turned: u64,
}

/// When a changed run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ends {
    /// When its last operation does; without operations, the beginning of time.
    pub end: i64,
    /// As [`Replayed::turned`].
    pub turned: u64,
}

/// Bytes that the times of several replays at once may take.
const MOST: usize = 224 << 20;

/// When every node of a changed run is, the order of operations then, and what is out of turn.
struct Times<'a> {
    times: Vec<i64>,
    order: Cow<'a, Order>,
    turned: u64,
}

impl<'a> Replay<'a> {
    /// Of a recording.
    pub fn of(causes: &'a Causes<'a>) -> Self {
        let graph = build::build(causes, None);
        Self { causes, graph, lists: turns::lists(causes.trace, &causes.order) }
    }

    /// When the last operation ends, as recorded; none without operations.
    pub fn end(&self) -> Option<i64> {
        self.causes.trace.operations.iter().map(|own| own.end).max()
    }

    /// When the last operation ends with changes made together.
    pub fn ends_with(&self, changes: &[Change]) -> Ends {
        let Times { times, order, turned } = self.times(changes);
        Ends { end: last_end(&order, |node| times[node]), turned }
    }

    /// The same of several lists of changes, each list made by itself.
    pub fn each_ends_with(&self, all: &[&[Change]]) -> Vec<Ends> {
        let moved = all.iter().any(|changes| change::streams(self.causes.trace, changes).is_some());
        let bytes = size_of::<i64>() * self.graph.recorded.len();
        match MOST / bytes.max(1) {
            _ if moved => all.iter().map(|changes| self.ends_with(changes)).collect(),
            4.. => self.in_lanes::<4>(all),
            2.. => self.in_lanes::<2>(all),
            _ => self.in_lanes::<1>(all),
        }
    }

    /// So many at a time: the walk is the same for all, and so is what it reads of the graph.
    pub(crate) fn in_lanes<const LANES: usize>(&self, all: &[&[Change]]) -> Vec<Ends> {
        let (graph, order) = (&self.graph, &self.causes.order);
        let mut ends = Vec::with_capacity(all.len());
        let mut times: Vec<[i64; LANES]> = Vec::new();
        let (mut plans, mut known): (Vec<Plan>, &[Change]) = (Vec::new(), &[]);
        for together in all.chunks(LANES) {
            let mut next: Vec<Plan> = Vec::with_capacity(LANES);
            for &changes in together {
                // Of a list that goes on where the one before it ended, only the rest is new.
                let longer = changes.as_ptr() == known.as_ptr() && changes.len() > known.len();
                let before = next.last().or(plans.last()).filter(|_| longer).cloned();
                let rest = if before.is_some() { &changes[known.len()..] } else { changes };
                let mut plan = before.unwrap_or_else(|| Plan::of(self.causes, graph, order, &[]));
                rest.iter().for_each(|change| plan.add(self.causes, graph, order, change));
                next.push(plan);
                known = changes;
            }
            plans = next;
            graph.fill(&plans, &mut times);
            let copies = turns::copies(graph, &self.lists, &plans, &times);
            let turned = turns::turned(self.causes, (graph, order), &self.lists, &plans, &times);
            for lane in 0..plans.len() {
                let end = last_end(order, |node| times[node][lane]);
                ends.push(Ends { end, turned: turned[lane] + copies[lane] });
            }
        }
        ends
    }

    /// Replays with changes made together.
    pub fn replay(&self, changes: &[Change]) -> Replayed {
        let Times { times, order, turned } = self.times(changes);
        let at = |place: &u32| (times[3 * *place as usize], times[3 * *place as usize + 1]);
        let operations: Vec<(i64, i64)> = order.place.iter().map(at).collect();
        let recorded = self.causes.trace.operations.iter().map(|own| (own.start, own.end));
        let moved = (0..).zip(recorded.zip(&operations)).filter(|(_, (recorded, now))| recorded != *now);
        let moved = moved.map(|(place, _)| place).collect();
        let end = operations.iter().map(|times| times.1).max().unwrap_or(i64::MIN);
        Replayed { end, operations, moved, turned }
    }

    fn times(&self, changes: &[Change]) -> Times<'_> {
        let (graph, order) = self.changed(changes);
        let plan = Plan::of(self.causes, &graph, &order, changes);
        let mut times: Vec<[i64; 1]> = Vec::new();
        graph.fill(std::slice::from_ref(&plan), &mut times);
        let moved = matches!(order, Cow::Owned(_)).then(|| turns::lists(self.causes.trace, &order));
        let lists = moved.as_ref().unwrap_or(&self.lists);
        let [copies] = turns::copies(&graph, lists, std::slice::from_ref(&plan), &times);
        let plans = std::slice::from_ref(&plan);
        let [turned] = turns::turned(self.causes, (&graph, &order), lists, plans, &times);
        Times { times: times.into_flattened(), order, turned: turned + copies }
    }

    /// The graph with all operations in the streams in which changes put them.
    fn changed(&self, changes: &[Change]) -> (Cow<'_, Graph>, Cow<'_, Order>) {
        match change::streams(self.causes.trace, changes) {
            None => (Cow::Borrowed(&self.graph), Cow::Borrowed(&self.causes.order)),
            Some(streams) => {
                let order = self.causes.order.moved(self.causes.trace, &streams);
                let graph = build::build(self.causes, Some((&order, &streams)));
                (Cow::Owned(graph), Cow::Owned(order))
            }
        }
    }
}

/// When the last operation ends, by when each node is: the last of each stream says it of the stream.
fn last_end(order: &Order, time: impl Fn(usize) -> i64) -> i64 {
    let ends = order.first.windows(2).filter(|pair| pair[0] < pair[1]).map(|pair| 3 * pair[1] as usize - 1);
    ends.map(time).max().unwrap_or(i64::MIN)
}
