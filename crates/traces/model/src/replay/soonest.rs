//! How soon after each cause a recording ever saw something happen: no replay lets it happen sooner after that.
//!
//! 1. What was waited for last tells how long it took from then on. What had been met long before does not: had that come
//!    last, it would have taken a time of its own. A launch takes longer than the end of what is before in the stream, a
//!    call that waits longer than one that need not.
//! 2. Of operations, the shortest time by device, by cause, and by kernels apart from copies and sets is kept; where one
//!    of these was never waited for last, that of the other; where neither was, the longest of those after other causes,
//!    for whatever takes longer than all of them nobody has seen.
//! 3. Of calls, the shortest time in which one returned after what it waited for, where it is known what that was; where
//!    it is known of none, that of those which are only taken to have waited. And by name, the shortest time that one
//!    took which could have waited and need not; where there is none, the longest of those of other names. Where there is
//!    none at all, nobody knows: it is taken to be no longer than what passed after its wait.

use std::collections::BTreeMap;

use super::graph::{Edge, EdgeKind, Graph};
use crate::cause::Cause;
use crate::causes::Causes;
use crate::order::NONE;
use crate::trace::{Call, Does, Kind};

/// The shortest times of a device: by cause, of kernels and of the rest.
type Times = [[Option<i64>; 2]; Cause::ALL.len()];

/// The shortest times of a recording.
pub(super) struct Soonest {
    devices: Vec<Times>,
    returns: Option<i64>,
    /// By the place of a call's name.
    calls: BTreeMap<u32, i64>,
}

/// Keeps the shorter.
fn shorten(known: &mut Option<i64>, time: i64) {
    *known = Some(known.map_or(time, |known| known.min(time)));
}

impl Soonest {
    /// Of a recording and its graph, whose edges need no lags yet.
    pub(super) fn of(causes: &Causes, graph: &Graph) -> Self {
        let trace = causes.trace;
        let mut all = Self {
            devices: vec![Default::default(); trace.devices.len()],
            returns: None,
            calls: BTreeMap::new(),
        };
        for (operation, (own, why)) in (0..).zip(trace.operations.iter().zip(&causes.why)) {
            if why.earliest.is_some() && why.residual >= 0 {
                let times = &mut all.devices[causes.device(operation) as usize][why.cause as usize];
                shorten(&mut times[of_kind(&own.kind)], why.residual);
            }
        }
        let mut guessed = None;
        for (call, own) in (0..).zip(&trace.calls) {
            if !own.does.waits() || !is_plain(graph, call) {
                continue;
            }
            let edges = graph.entering(graph.calls + 2 * call + 1).iter();
            let holds = edges.filter(|edge| edge.kind == EdgeKind::Await && edge.from != NONE);
            let holds: Vec<u32> = holds.map(|edge| edge.from).collect();
            match holds.iter().map(|&from| graph.recorded[from as usize]).max() {
                Some(held) if held > own.end => {}
                Some(held) if held > own.start => {
                    let sure = is_certain(causes, graph, own, &holds);
                    shorten(if sure { &mut all.returns } else { &mut guessed }, own.end.saturating_sub(held));
                }
                _ => {
                    let time = own.end.saturating_sub(own.start);
                    all.calls.entry(own.name).and_modify(|known| *known = time.min(*known)).or_insert(time);
                }
            }
        }
        all.returns = all.returns.or(guessed);
        all
    }

    /// Of an edge into a node.
    pub(super) fn after(
        &self,
        causes: &Causes,
        graph: &Graph,
        sequence: &[u32],
        node: u32,
        edge: &Edge,
    ) -> i64 {
        let time = match edge.kind {
            EdgeKind::After(cause) => self.operation(causes, sequence[node as usize / 3], cause),
            EdgeKind::Await => self.returns,
            EdgeKind::Own => {
                let call = (node - graph.calls) / 2;
                let own = &causes.trace.calls[call as usize];
                let end =
                    !(node - graph.calls).is_multiple_of(2) && own.does.waits() && is_plain(graph, call);
                let known = || self.calls.get(&own.name).or_else(|| self.calls.values().max());
                if end { known().copied() } else { None }
            }
            EdgeKind::Length | EdgeKind::Join => None,
        };
        time.unwrap_or(0)
    }

    fn operation(&self, causes: &Causes, operation: u32, cause: Cause) -> Option<i64> {
        let times = &self.devices[causes.device(operation) as usize];
        let own = of_kind(&causes.trace.operations[operation as usize].kind);
        let known = |cause: Cause| times[cause as usize][own].or(times[cause as usize][1 - own]);
        known(cause).or_else(|| Cause::ALL.into_iter().filter_map(known).max())
    }
}

fn of_kind(kind: &Kind) -> usize {
    usize::from(!matches!(kind, Kind::Kernel(_)))
}

/// Whether it is known what a call waited for last: nothing that another thread may have put there after it began.
fn is_certain(causes: &Causes, graph: &Graph, call: &Call, holds: &[u32]) -> bool {
    let times = || holds.iter().map(|&from| graph.recorded[from as usize]);
    let joins = holds.iter().filter(|&&from| (graph.lines..graph.calls).contains(&from)).count();
    match call.does {
        Does::Other | Does::AwaitUnknown => false,
        Does::AwaitRecord(_) | Does::AwaitOperation(_) => true,
        // What was certainly there, and all that may have been, are two joins.
        _ if joins > 0 => joins == 2 && times().min() == times().max(),
        Does::AwaitDevice(_) => false,
        Does::AwaitStream(stream) => {
            let put = causes.order.put_by(stream, call.start).map(|place| 3 * place + 2);
            holds.iter().all(|&from| from >= graph.records || Some(from) == put)
        }
    }
}

/// Whether nothing of its thread begins or ends within a call.
fn is_plain(graph: &Graph, call: u32) -> bool {
    graph.previous[2 * call as usize + 1] == 2 * call
}
