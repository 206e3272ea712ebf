//! The critical path of a run by what happened on it, and what is worth changing.

use std::collections::BTreeMap;

use serde::Serialize;

use traces::Replay;
use traces::critical::{What, critical as segments};
use traces::replay::Change;
use traces::trace::Trace;

/// All of the critical path on which the same happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stretch {
    /// `ran`, `called`, `returned`, `paused`, `before`, or the cause that an operation waited for last.
    pub what: &'static str,
    /// Of what name; empty for what has none.
    pub name: String,
    /// How long, all segments together; negative where things began before what they follow.
    pub nanos: i64,
    /// In how many segments.
    pub segments: u64,
}

/// A change and what it is worth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Lead {
    /// What is changed: `no-wait`, `at-once`, `half`, `half-calls`, `without-CAUSE`.
    pub change: String,
    /// The name of what is changed.
    pub name: String,
    /// How many are changed.
    pub count: usize,
    /// The first of them: the number of an operation, or the place of a call.
    pub first: Option<u32>,
    /// How much sooner the run ends, replayed with this change alone.
    pub gain: u64,
    /// And replayed with all before it in the list, too: gains overlap and do not add up.
    pub together: u64,
    /// How many calls of other threads and copies it lets go before one that they are kept behind. Where there are any,
    /// the gain is one way the run may go.
    #[serde(skip_serializing_if = "is_none")]
    pub turned: u64,
}

/// Whether there are none.
pub(super) fn is_none(count: &u64) -> bool {
    *count == 0
}

/// The critical path, summed by what happened and its name, the longest first.
pub(super) fn critical(replay: &Replay) -> Vec<Stretch> {
    let trace = replay.causes.trace;
    let mut sums: BTreeMap<(&'static str, String), (i64, u64)> = BTreeMap::new();
    for segment in segments(replay) {
        let sum = sums.entry(named(trace, segment.what)).or_default();
        *sum = (sum.0 + (segment.end - segment.start), sum.1 + 1);
    }
    let stretch = |((what, name), (nanos, segments))| Stretch { what, name, nanos, segments };
    let mut all: Vec<Stretch> = sums.into_iter().map(stretch).filter(|one| one.nanos != 0).collect();
    all.sort_by_key(|one| std::cmp::Reverse(one.nanos));
    all
}

fn named(trace: &Trace, what: What) -> (&'static str, String) {
    let operation = |place: u32| trace.names[trace.operations[place as usize].name as usize].clone();
    let call = |place: u32| trace.names[trace.calls[place as usize].name as usize].clone();
    match what {
        What::Before => ("before", String::new()),
        What::Ran(place) => ("ran", operation(place)),
        What::Started(place, why) => (why.name(), operation(place)),
        What::Called(place) => ("called", call(place)),
        What::Paused(place) => {
            ("paused", trace.calls.get(place as usize).map_or_else(String::new, |_| call(place)))
        }
        What::Returned(place) => ("returned", call(place)),
    }
}

/// Changes as they are reported.
pub(super) fn leads(trace: &Trace, found: &[traces::leads::Lead]) -> Vec<Lead> {
    let one = |lead: &traces::leads::Lead| {
        let (change, first, count) = told(trace, &lead.change);
        let name =
            lead.name.map_or_else(|| name(trace, &lead.change), |name| trace.names[name as usize].clone());
        Lead { change, name, count, first, gain: lead.gain, together: lead.together, turned: lead.turned }
    };
    found.iter().map(one).collect()
}

fn told(trace: &Trace, change: &Change) -> (String, Option<u32>, usize) {
    let operation = |places: &[u32]| places.first().map(|&place| trace.operations[place as usize].id);
    match change {
        Change::AtOnce(calls) => ("at-once".to_owned(), calls.first().copied(), calls.len()),
        Change::NoWait(calls) => ("no-wait".to_owned(), calls.first().copied(), calls.len()),
        Change::Calls(calls, _) => ("half-calls".to_owned(), calls.first().copied(), calls.len()),
        Change::Operations(all, _) => ("half".to_owned(), operation(all), all.len()),
        Change::Without(why, all) => (format!("without-{}", why.name()), operation(all), all.len()),
        Change::Moved(all, _) => ("moved".to_owned(), operation(all), all.len()),
        Change::Together(streams) => ("together".to_owned(), streams.first().copied(), streams.len()),
    }
}

/// The name of the first thing that is changed.
fn name(trace: &Trace, change: &Change) -> String {
    let name = match change {
        Change::AtOnce(calls) | Change::NoWait(calls) | Change::Calls(calls, _) => {
            calls.first().map(|&call| trace.calls[call as usize].name)
        }
        Change::Operations(all, _) | Change::Without(_, all) | Change::Moved(all, _) => {
            all.first().map(|&place| trace.operations[place as usize].name)
        }
        Change::Together(_) => None,
    };
    name.map_or_else(String::new, |name| trace.names[name as usize].clone())
}
