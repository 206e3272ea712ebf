//! The single changes that are worth most, each by its own replay.
//!
//! 1. Candidates come from the critical path, for nothing else can end the run sooner: what ran, what took its own time,
//!    and what waited, by how long that was; each alone and with all that has its name. There are no more than asked for,
//!    so the work is bounded. What is not a candidate may still be worth more.
//! 2. Each gain is what a replay with that one change ends sooner. Gains overlap and are never added up; beside each is
//!    what it and all before it in the list gain together. That calls return at once is only said where it gains more
//!    than that they wait for nothing.

use std::collections::BTreeMap;

use crate::cause::Cause;
use crate::critical::{Segment, What, critical};
use crate::replay::{Change, Ends, Replay, Share};
use crate::trace::Trace;

/// Half of it.
const HALF: Share = Share { numerator: 1, denominator: 2 };

/// A change worth making.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lead {
    /// The change.
    pub change: Change,
    /// The name of what is changed, by its place, where all of that name is.
    pub name: Option<u32>,
    /// How much sooner the run ends with it alone.
    pub gain: u64,
    /// How much sooner it ends with it and all before it in the list.
    pub together: u64,
    /// How many orders it turns around that a replay keeps: where it turns any, the gain is one way it may go.
    pub turned: u64,
}

/// The changes worth most, of so many candidates at most.
pub fn leads(replay: &Replay, most: usize) -> Vec<Lead> {
    let Some(end) = replay.end() else { return Vec::new() };
    let gain = |ends: &Ends| end.saturating_sub(ends.end).max(0).unsigned_abs();
    let (candidates, names): (Vec<Change>, Vec<Option<u32>>) = candidates(replay, most).into_iter().unzip();
    let alone: Vec<&[Change]> = candidates.iter().map(std::slice::from_ref).collect();
    let ends = replay.each_ends_with(&alone);
    let lead = |((change, name), ends): ((Change, Option<u32>), Ends)| {
        let gain = gain(&ends);
        Lead { change, name, gain, together: 0, turned: ends.turned }
    };
    let mut leads: Vec<Lead> =
        candidates.into_iter().zip(names).zip(ends).map(lead).filter(|lead| lead.gain > 0).collect();
    let waits_for_nothing = |calls: &[u32], gain: u64| {
        leads
            .iter()
            .any(|lead| matches!(&lead.change, Change::NoWait(own) if own == calls && lead.gain >= gain))
    };
    let says_more = |lead: &Lead| match &lead.change {
        Change::AtOnce(calls) => !waits_for_nothing(calls, lead.gain),
        _ => true,
    };
    let more: Vec<bool> = leads.iter().map(says_more).collect();
    let mut more = more.into_iter();
    leads.retain(|_| more.next().unwrap_or(true));
    leads.sort_by_key(|lead| std::cmp::Reverse(lead.gain));
    let changes: Vec<Change> = leads.iter().map(|lead| lead.change.clone()).collect();
    let together: Vec<&[Change]> = (2..=changes.len()).map(|count| &changes[..count]).collect();
    let together = replay.each_ends_with(&together);
    if let Some((first, others)) = leads.split_first_mut() {
        first.together = first.gain;
        others.iter_mut().zip(&together).for_each(|(lead, ends)| lead.together = gain(ends));
    }
    leads
}

/// What can be changed of something on the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    NoWait,
    AtOnce,
    Half,
    Without(Cause),
}

/// Candidates, the longest on the critical path first.
fn candidates(replay: &Replay, most: usize) -> Vec<(Change, Option<u32>)> {
    let trace = replay.causes.trace;
    let mut alone: BTreeMap<(Kind, u32), u64> = BTreeMap::new();
    let mut named: BTreeMap<(Kind, u32), u64> = BTreeMap::new();
    for segment in critical(replay) {
        for (kind, place) in kinds(replay, segment.what) {
            let worth = worth(replay, &segment, kind, place);
            let sum = alone.entry((kind, place)).or_default();
            *sum = worth.saturating_add(*sum);
            let sum = named.entry((kind, name(trace, kind, place))).or_default();
            *sum = worth.saturating_add(*sum);
        }
    }
    let mut all: Vec<(u64, bool, Kind, u32)> = Vec::new();
    let counts = Counts::of(trace);
    let several = |kind: Kind, key: u32| counts.of_name(kind, key) > 1;
    all.extend(alone.into_iter().map(|((kind, place), length)| (length, false, kind, place)));
    all.sort_unstable_by_key(|&(length, _, kind, place)| (std::cmp::Reverse(length), kind, place));
    all.truncate(most);
    let named = named.into_iter().filter(|((kind, key), _)| several(*kind, *key));
    all.extend(named.map(|((kind, key), length)| (length, true, kind, key)));
    all.sort_unstable_by_key(|&(length, all, kind, key)| (std::cmp::Reverse(length), !all, kind, key));
    all.truncate(most);
    // By name alone, for operations are large, and each candidate goes through all of them.
    let names: Vec<u32> = trace.operations.iter().map(|own| own.name).collect();
    let change = |(_, all, kind, key): (u64, bool, Kind, u32)| {
        let places = if all { members(trace, &names, kind, key) } else { vec![key] };
        (change(kind, places), all.then_some(key))
    };
    all.into_iter().map(change).collect()
}

/// What a change may be worth, as far as one segment tells: its length; of what ends a wait, how long that was.
fn worth(replay: &Replay, segment: &Segment, kind: Kind, place: u32) -> u64 {
    let causes = replay.causes;
    let length = segment.end.saturating_sub(segment.start);
    let waited = match (kind, segment.what) {
        (Kind::NoWait | Kind::AtOnce, What::Returned(call)) => {
            let call = &causes.trace.calls[call as usize];
            segment.start.saturating_sub(call.start)
        }
        (Kind::Without(cause), _) => {
            let others = causes.constraints.before(place).iter().filter(|one| one.cause != cause);
            others
                .map(|one| causes.time(one.after))
                .max()
                .map_or(0, |next| segment.start.saturating_sub(next))
        }
        _ => 0,
    };
    length.max(0).unsigned_abs().saturating_add(waited.max(0).unsigned_abs()).max(1)
}

/// What could be changed of a segment, and of which operation or call.
fn kinds(replay: &Replay, what: What) -> Vec<(Kind, u32)> {
    let trace = replay.causes.trace;
    match what {
        What::Before | What::Paused(_) => Vec::new(),
        What::Ran(operation) => vec![(Kind::Half, operation)],
        What::Started(operation, cause) => {
            let lifted = matches!(cause, Cause::CopyEngine | Cause::NullStream | Cause::Event | Cause::Room);
            if lifted { vec![(Kind::Without(cause), operation)] } else { Vec::new() }
        }
        What::Called(call) | What::Returned(call) if trace.calls[call as usize].does.waits() => {
            vec![(Kind::NoWait, call), (Kind::AtOnce, call)]
        }
        What::Called(call) | What::Returned(call) => vec![(Kind::AtOnce, call)],
    }
}

/// How many there are of each name: calls that wait, calls, operations.
struct Counts([Vec<u32>; 3]);

impl Counts {
    fn of(trace: &Trace) -> Self {
        let mut counts = [0; 3].map(|none: u32| vec![none; trace.names.len()]);
        for call in &trace.calls {
            counts[0][call.name as usize] += u32::from(call.does.waits());
            counts[1][call.name as usize] += 1;
        }
        trace.operations.iter().for_each(|own| counts[2][own.name as usize] += 1);
        Self(counts)
    }

    fn of_name(&self, kind: Kind, name: u32) -> u32 {
        let which = match kind {
            Kind::NoWait => 0,
            Kind::AtOnce => 1,
            Kind::Half | Kind::Without(_) => 2,
        };
        self.0[which][name as usize]
    }
}

fn name(trace: &Trace, kind: Kind, place: u32) -> u32 {
    match kind {
        Kind::NoWait | Kind::AtOnce => trace.calls[place as usize].name,
        Kind::Half | Kind::Without(_) => trace.operations[place as usize].name,
    }
}

/// All of a name; the names of operations are at hand.
fn members(trace: &Trace, names: &[u32], kind: Kind, name: u32) -> Vec<u32> {
    match kind {
        Kind::NoWait => {
            let waits =
                trace.calls.iter().zip(0..).filter(|(call, _)| call.does.waits() && call.name == name);
            waits.map(|(_, place)| place).collect()
        }
        Kind::AtOnce => {
            (0..).zip(&trace.calls).filter(|(_, call)| call.name == name).map(|(place, _)| place).collect()
        }
        Kind::Half | Kind::Without(_) => {
            let own = (0..).zip(names).filter(|(_, own)| **own == name);
            own.map(|(place, _)| place).collect()
        }
    }
}

fn change(kind: Kind, places: Vec<u32>) -> Change {
    match kind {
        Kind::NoWait => Change::NoWait(places),
        Kind::AtOnce => Change::AtOnce(places),
        Kind::Half => Change::Operations(places, HALF),
        Kind::Without(cause) => Change::Without(cause, places),
    }
}
