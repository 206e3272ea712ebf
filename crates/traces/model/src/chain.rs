//! A late start followed back: device to host to device, to what the host waited for, and so on.
//!
//! Of a late launch it is asked what its thread did since all else had permitted the operation: the last call that really
//! waited for an operation is to blame; without one, the last call; without any, nothing was recorded and the chain ends.
//! It also ends after a given number of links, and after looking at a given number of calls for one link.

use crate::cause::Cause;
use crate::causes::Causes;
use crate::constraints::{After, Constraint};

/// How many calls before a launch are looked at.
const LOOK: usize = 256;

/// A link of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The operation that started late.
    pub operation: u32,
    /// The kind of what it waited for last.
    pub cause: Cause,
    /// What was before.
    pub before: Before,
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
    /// Its thread did nothing that was recorded.
    Unrecorded,
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
        let (cause, before) = one(causes, operation);
        links.push(Link { operation, cause, before });
        next = match before {
            Before::Waited { operation, .. } | Before::Operation(operation) => Some(operation),
            Before::Called(_) | Before::Unrecorded | Before::Slice(_) | Before::Unknown => None,
        };
    }
    links
}

/// What was before an operation's start.
pub fn before(causes: &Causes, operation: u32) -> Before {
    one(causes, operation).1
}

fn one(causes: &Causes, operation: u32) -> (Cause, Before) {
    let why = causes.why_held(operation);
    (why.cause, of(causes, operation, why.after))
}

/// What was before an operation's start, by what it came after.
fn of(causes: &Causes, operation: u32, after: Option<After>) -> Before {
    match after {
        None => Before::Unknown,
        Some(After::Call(call)) => late(causes, operation, call),
        Some(After::Done(place)) => Before::Operation(causes.order.last[place as usize]),
        Some(After::End(before) | After::Held(before, ..)) => Before::Operation(before),
        Some(After::Slice(slice)) => Before::Slice(slice),
        Some(After::Passed(wait)) => causes.events.passed[wait as usize]
            .map_or(Before::Unknown, |passed| Before::Operation(passed.operation)),
    }
}

/// What the thread of a late launch did before.
fn late(causes: &Causes, operation: u32, call: u32) -> Before {
    let launch = &causes.trace.calls[call as usize];
    let others = causes.constraints.before(operation).iter().filter(|one| one.cause != Cause::Launch);
    let times =
        others.map(|Constraint { after, .. }| causes.time(*after)).filter(|&time| time <= launch.start);
    let since = times.max().unwrap_or(i64::MIN);
    let stretches = causes.host.between(launch.thread, since, launch.start);
    let recent = || stretches.iter().rev().filter(|stretch| stretch.call != call).take(LOOK);
    let waited = recent().find_map(|stretch| {
        causes.awaited(stretch.call).map(|operation| Before::Waited { call: stretch.call, operation })
    });
    waited.or(recent().next().map(|stretch| Before::Called(stretch.call))).unwrap_or(Before::Unrecorded)
}
