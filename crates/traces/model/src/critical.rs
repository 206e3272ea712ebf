//! The critical path: from the last end of any operation back through what each thing came after last.
//!
//! Of causes that arrive together the first is taken. A segment may be negative, where something began before what it is
//! recorded to follow; so segments always add up to the end less the start of the run.
//!
//! Invariant: each segment begins where the one before it ends, the first at the earliest start of anything recorded.

use crate::cause::Cause;
use crate::order::NONE;
use crate::replay::{EdgeKind, Replay};

/// What happened on a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// Nothing that is known to be followed by the path.
    Before,
    /// An operation ran.
    Ran(u32),
    /// An operation had not started, although what it waited for last, of this kind, had happened.
    Started(u32, Cause),
    /// A thread was in a call.
    Called(u32),
    /// A thread was in no call, before the call that begins or ends next.
    Paused(u32),
    /// A call had not returned, although what it waited for was done.
    Returned(u32),
}

/// A segment of the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// From when.
    pub start: i64,
    /// Until when; before the start where clocks or overlaps have it so.
    pub end: i64,
    /// What happened.
    pub what: What,
}

/// The critical path of a run, first things first; empty without operations.
pub fn critical(replay: &Replay) -> Vec<Segment> {
    let trace = replay.causes.trace;
    let last = (0..).zip(&trace.operations).max_by_key(|(place, own)| (own.end, *place));
    let Some((last, own)) = last else { return Vec::new() };
    let mut path: Vec<Segment> = Vec::new();
    let (mut node, mut now) = (3 * replay.causes.order.place[last as usize] + 1, own.end);
    while let Some((from, kind)) = binding(replay, node) {
        let start = replay.graph.recorded[from as usize];
        match what(replay, node, kind) {
            Some(what) if path.last().is_some_and(|next| next.what == what) => {
                if let Some(next) = path.last_mut() {
                    next.start = start;
                }
            }
            Some(what) if start != now || matches!(what, What::Ran(_)) => {
                path.push(Segment { start, end: now, what })
            }
            _ => {}
        }
        (node, now) = (from, start);
    }
    let starts =
        trace.operations.iter().map(|own| own.start).chain(trace.calls.iter().map(|call| call.start));
    let begin = starts.min().unwrap_or(now);
    if begin != now {
        path.push(Segment { start: begin, end: now, what: What::Before });
    }
    path.reverse();
    path
}

/// The node after which a node is, and how.
fn binding(replay: &Replay, node: u32) -> Option<(u32, EdgeKind)> {
    let time = replay.graph.recorded[node as usize];
    let arrives = |from: u32, lag: i64| replay.graph.recorded[from as usize].saturating_add(lag) == time;
    let edges = replay.graph.entering(node).iter().filter(|edge| edge.from != NONE);
    // Of what arrives together, what came last as recorded is what was waited for.
    let arriving = edges.filter(|edge| arrives(edge.from, edge.lag));
    let latest = arriving.reduce(|best, edge| {
        if replay.graph.recorded[edge.from as usize] > replay.graph.recorded[best.from as usize] {
            edge
        } else {
            best
        }
    });
    latest.map(|edge| (edge.from, edge.kind))
}

/// What an edge into a node says.
fn what(replay: &Replay, node: u32, kind: EdgeKind) -> Option<What> {
    let graph = &replay.graph;
    let operation = || replay.causes.order.sequence[node as usize / 3];
    match kind {
        EdgeKind::Length => Some(What::Ran(operation())),
        EdgeKind::Join => None,
        EdgeKind::After(cause) => Some(What::Started(operation(), cause)),
        EdgeKind::Own => {
            let boundary = node - graph.calls;
            let owner = graph.owner[boundary as usize];
            Some(if owner == NONE { What::Paused(boundary / 2) } else { What::Called(owner) })
        }
        EdgeKind::Await => Some(What::Returned((node - graph.calls) / 2)),
    }
}
