//! A late start followed back: device to host to device, to what the host waited for, and so on.
//!
//! 1. Of a late launch it is asked what its thread did from when all else had permitted the operation until it was
//!    launched. Where nothing else is known that held it back, from the end of what had ended last on its device; without
//!    that, from the thread's first call.
//! 2. That stretch is divided: the time of a call is its own and that of all calls within it, but waiting within it is
//!    the waiting call's; the rest is time in no call. What took longest is named; of equals, what came last.
//! 3. The chain goes on with the operation that was waited for: by the call that is named, or, where most of the time was
//!    in no call, by the last one before that. It ends after a given number of links.

use std::collections::BTreeMap;

use crate::cause::Cause;
use crate::causes::Causes;
use crate::constraints::{After, Constraint};
use crate::trace::Operation;

/// How many operations before a launch are looked at for the one that ended last.
const LOOK: usize = 4096;

/// A link of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The operation that started late.
    pub operation: u32,
    /// The kind of what it waited for last.
    pub cause: Cause,
    /// What was before.
    pub before: Before,
    /// How long, of the stretch before a late launch, its thread did what is named.
    pub took: u64,
    /// How long that stretch is.
    pub of: u64,
}

/// What was before an operation's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// Its thread waited, in a call, for an operation: the chain goes on with that.
    Waited {
        /// The call.
        call: u32,
        /// The operation.
        operation: u32,
    },
    /// Its thread was in a call that waits for no operation that was recorded.
    Called(u32),
    /// Its thread was in no call, and had not waited for an operation.
    Unrecorded,
    /// Its thread was in no call after it had waited: the chain goes on with what it had waited for.
    After {
        /// The call.
        call: u32,
        /// The operation.
        operation: u32,
    },
    /// Another operation ran: the chain goes on with that.
    Operation(u32),
    /// Another process had the device, until this slice.
    Slice(u32),
    /// Nothing is known.
    Unknown,
}

/// Follows the start of an operation back, over so many links at most.
pub fn chain(causes: &Causes, operation: u32, most: usize) -> Vec<Link> {
    let mut links = Vec::new();
    let mut next = Some(operation);
    while let Some(operation) = next.filter(|_| links.len() < most) {
        let found = link(causes, operation);
        links.push(found);
        next = match found.before {
            Before::Waited { operation, .. }
            | Before::After { operation, .. }
            | Before::Operation(operation) => Some(operation),
            Before::Called(_) | Before::Unrecorded | Before::Slice(_) | Before::Unknown => None,
        };
    }
    links
}

/// What was before an operation's start.
pub fn link(causes: &Causes, operation: u32) -> Link {
    let why = causes.why_held(operation);
    let (took, of) = (0, 0);
    let before = match why.after {
        None => Before::Unknown,
        Some(After::Call(call)) => return late(causes, operation, call),
        Some(After::Done(place)) => Before::Operation(causes.order.last[place as usize]),
        Some(After::End(before) | After::Held(before, ..)) => Before::Operation(before),
        Some(After::Slice(slice)) => Before::Slice(slice),
        Some(After::Passed(wait)) => causes.events.passed[wait as usize]
            .map_or(Before::Unknown, |passed| Before::Operation(passed.operation)),
    };
    Link { operation, cause: why.cause, before, took, of }
}

/// What the thread of a late launch did before.
fn late(causes: &Causes, operation: u32, call: u32) -> Link {
    let launch = &causes.trace.calls[call as usize];
    let from = since(causes, operation, call);
    let (mut now, mut wait) = (from, None);
    // How long, until when, and what: of equal ones the last is the greatest. Calls of one outermost lie side by side.
    let mut idle = (0, i64::MIN);
    let mut longest: Option<((u64, i64), Option<u32>)> = None;
    let mut outer: Option<(u32, Option<u32>, (u64, i64))> = None;
    let mut inner: BTreeMap<u32, (u64, i64)> = BTreeMap::new();
    for stretch in causes.host.between(launch.thread, from, launch.start) {
        let (start, end) = (stretch.start.max(now), stretch.end.min(launch.start));
        if start >= end {
            continue;
        }
        if start > now {
            idle = (idle.0 + start.abs_diff(now), start);
        }
        now = end;
        let outermost = causes.host.outer[stretch.call as usize];
        if outer.is_none_or(|outer| outer.0 != outermost) {
            longest = longest.max(outer.map(|(call, _, took)| (took, Some(call))));
            outer = Some((outermost, causes.awaited(outermost), (0, i64::MIN)));
        }
        let Some((_, awaited, took)) = outer.as_mut() else { continue };
        let own = if awaited.is_none() { causes.awaited(stretch.call) } else { None };
        let took = if own.is_some() { inner.entry(stretch.call).or_default() } else { took };
        *took = (took.0 + end.abs_diff(start), end);
        let named = if own.is_some() { stretch.call } else { outermost };
        wait = own.or(*awaited).map(|operation| (named, operation)).or(wait);
    }
    if launch.start > now {
        idle = (idle.0 + launch.start.abs_diff(now), launch.start);
    }
    longest = longest.max(outer.map(|(call, _, took)| (took, Some(call)))).max(Some((idle, None)));
    longest = longest.max(inner.into_iter().map(|(call, took)| (took, Some(call))).max());
    let ((took, _), named) = longest.unwrap_or((idle, None));
    let before = match (named, wait) {
        (None, None) => Before::Unrecorded,
        (None, Some((call, operation))) => Before::After { call, operation },
        (Some(call), _) => {
            causes.awaited(call).map_or(Before::Called(call), |operation| Before::Waited { call, operation })
        }
    };
    Link { operation, cause: Cause::Launch, before, took, of: launch.start.abs_diff(from) }
}

/// Since when a late launch was all that held an operation back.
fn since(causes: &Causes, operation: u32, call: u32) -> i64 {
    let (trace, launch) = (causes.trace, &causes.trace.calls[call as usize]);
    let others = causes.constraints.before(operation).iter().filter(|one| one.cause != Cause::Launch);
    let times =
        others.map(|Constraint { after, .. }| causes.time(*after)).filter(|&time| time <= launch.start);
    let begun = || trace.operations.partition_point(|own| own.start <= launch.start);
    let ended = || {
        let device = causes.device(operation);
        let recent = trace.operations[..begun()].iter().rev().take(LOOK);
        let on = |own: &Operation| trace.streams[own.stream as usize].device;
        let here = recent.filter(|own| own.end <= launch.start && on(own) == device);
        here.map(|own| own.end).max()
    };
    let first = || causes.host.calls[launch.thread as usize].first();
    let first = || first().map_or(launch.start, |&call| trace.calls[call as usize].start);
    times.max().or_else(ended).unwrap_or_else(first)
}
