//! What each thread of the host was doing when: calls laid flat, one after the other.
//!
//! 1. At any time a thread is in the call that began last among those not yet over.
//! 2. A call within a waiting call, if it ends with it at the latest, belongs to that wait.
//! 3. The outermost of a call is that of the call in which it began, if it ends with that at the latest; else itself.
//!
//! Invariant: the stretches of a thread are sorted, do not overlap, and none is empty; those of calls that share an
//! outermost lie between no others.

use crate::order::{NONE, narrow};
use crate::trace::Trace;

/// A stretch of time that a thread spent in a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// From when.
    pub start: i64,
    /// Until when.
    pub end: i64,
    /// The call, by its place; of calls within a waiting one, that one.
    pub call: u32,
}

/// All threads.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Host {
    /// The stretches of each thread.
    pub stretches: Vec<Vec<Stretch>>,
    /// The calls of each thread, by their beginnings.
    pub calls: Vec<Vec<u32>>,
    /// To which call the time of each belongs.
    pub owner: Vec<u32>,
    /// The outermost call around each.
    pub outer: Vec<u32>,
}

impl Host {
    /// Of a trace.
    pub fn of(trace: &Trace) -> Self {
        let mut calls = vec![Vec::new(); trace.threads.len()];
        for (place, call) in trace.calls.iter().enumerate() {
            calls[call.thread as usize].push(narrow(place));
        }
        let mut owner = vec![NONE; trace.calls.len()];
        let mut outer = owner.clone();
        let stretches = calls.iter().map(|calls| flat(trace, calls, &mut owner, &mut outer)).collect();
        Self { stretches, calls, owner, outer }
    }

    /// The stretches of a thread that meet a time, in order.
    pub fn between(&self, thread: u32, from: i64, to: i64) -> &[Stretch] {
        let all = &self.stretches[thread as usize];
        let first = all.partition_point(|stretch| stretch.end <= from);
        let end = all.partition_point(|stretch| stretch.start < to);
        &all[first.min(end)..end]
    }
}

/// The calls of one thread laid flat.
fn flat(trace: &Trace, calls: &[u32], owner: &mut [u32], outer: &mut [u32]) -> Vec<Stretch> {
    let mut flat = Vec::with_capacity(calls.len());
    let mut open: Vec<u32> = Vec::new();
    let mut now = i64::MIN;
    for &place in calls {
        let call = &trace.calls[place as usize];
        now = close(trace, &mut open, now, call.start, owner, &mut flat);
        let within = open.last().map(|&around| owner[around as usize]);
        let waits = |place: &u32| trace.calls[*place as usize].does.waits();
        let inherits = |around: &u32| waits(around) && trace.calls[*around as usize].end >= call.end;
        owner[place as usize] = match within.filter(inherits) {
            Some(around) if !waits(&place) => around,
            _ => place,
        };
        let outermost = open.last().map(|&around| outer[around as usize]);
        let around = |outermost: &u32| trace.calls[*outermost as usize].end >= call.end;
        outer[place as usize] = outermost.filter(around).unwrap_or(place);
        open.push(place);
    }
    close(trace, &mut open, now, i64::MAX, owner, &mut flat);
    flat
}

/// Goes on until a time, or until all calls are over; calls that are over then are closed.
fn close(
    trace: &Trace,
    open: &mut Vec<u32>,
    mut now: i64,
    until: i64,
    owner: &[u32],
    flat: &mut Vec<Stretch>,
) -> i64 {
    while let Some(&top) = open.last() {
        let call = &trace.calls[top as usize];
        let (start, end) = (now.max(call.start), call.end.min(until));
        if start < end {
            push(flat, Stretch { start, end, call: owner[top as usize] });
        }
        now = now.max(start.max(end));
        if call.end > until {
            break;
        }
        open.pop();
    }
    now
}

/// Adds a stretch, to the one before where that is of the same call and ends where it begins.
fn push(flat: &mut Vec<Stretch>, stretch: Stretch) {
    match flat.last_mut() {
        Some(last) if last.call == stretch.call && last.end == stretch.start => last.end = stretch.end,
        _ => flat.push(stretch),
    }
}
