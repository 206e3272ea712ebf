//! The critical path: from what ends last back to the first cycle, one cause after the other.
//!
//! Of every instruction the cause is what kept it until the cycle before it issued (see [`crate::reasons`]); whoever
//! caused that issued earlier, so the path ends. What is on it accounts for every cycle of the makespan: between two of
//! its instructions there is nothing but the stated cause.

use super::launch::Launch;
use super::reasons::{Reason, Reasons, Which};
use super::schedule::Schedule;

/// An instruction on the path, and why it issued no earlier; none for one that issues in the first cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cause {
    /// The warp, and the place in what it executes.
    pub at: Which,
    /// What kept it last.
    pub reason: Option<Reason>,
}

/// The path, from what ends last.
pub fn path(launch: &Launch, schedule: &Schedule, reasons: &Reasons) -> Vec<Cause> {
    let all = (0..schedule.issued.len())
        .flat_map(|warp| (0..schedule.issued[warp].len()).map(move |place| (warp, place)));
    // Of several that end last the one that issued last, of the first such warp.
    let ends = |&(warp, place): &Which| {
        let end = schedule.finished(launch, warp, place);
        (end, schedule.issued[warp][place], std::cmp::Reverse(warp))
    };
    let mut path = Vec::new();
    let mut next = all.max_by_key(ends);
    while let Some(at) = next {
        let reason = kept(reasons, at);
        path.push(Cause { at, reason });
        next = match reason {
            Some(Reason::Barrier { by }) => came(launch, reasons, at, by),
            reason => before(at, reason),
        };
    }
    path
}

/// What kept an instruction until the cycle before it issued.
fn kept(reasons: &Reasons, (warp, place): Which) -> Option<Reason> {
    let last = reasons.at(warp, place).last().map(|last| last.reason);
    // Without any cycle between, it is the order of the warp itself.
    last.or((place > 0).then_some(Reason::Stall))
}

/// The instruction that a reason other than a barrier leads to.
fn before((warp, place): Which, reason: Option<Reason>) -> Option<Which> {
    match reason? {
        Reason::Stall => place.checked_sub(1).map(|place| (warp, place)),
        Reason::Scoreboard { by, .. } => Some((warp, by)),
        Reason::Unit { by } | Reason::Slot { by } => Some(by),
        Reason::Barrier { .. } | Reason::Nothing => None,
    }
}

/// What kept the warp that came last to a barrier from coming earlier.
fn came(launch: &Launch, reasons: &Reasons, (warp, place): Which, by: usize) -> Option<Which> {
    let number = launch.stream(warp).barriers[place];
    let barriers = &launch.stream(by).barriers;
    let Some(at) = (0..launch.length(by)).find(|&at| launch.at(by, at).barrier && barriers[at] == number)
    else {
        // It ended without coming there.
        return launch.length(by).checked_sub(1).map(|last| (by, last));
    };
    let own = reasons.at(by, at).iter().map(|waited| waited.reason);
    let last = own.take_while(|reason| matches!(reason, Reason::Stall | Reason::Scoreboard { .. })).last();
    before((by, at), last.or((at > 0).then_some(Reason::Stall)))
}
