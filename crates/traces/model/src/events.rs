//! When events were passed: what each record follows, and through waits what other records follow.
//!
//! 1. A record follows whatever its stream certainly held when the recording call began; in the null stream also what
//!    the blocking streams held.
//! 2. A stream that was told to wait passes that on: what is put there after the wait follows it, records included.
//! 3. A wait for a record that was made later, or not recorded, waits for nothing.
//!
//! Invariant: records and waits are gone through in the order of their times, records first, so nothing follows itself.

use crate::nulls::{blocking, groups};
use crate::order::{NONE, Order, narrow};
use crate::trace::Trace;

/// When something was passed, and the operation whose end that was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Passed {
    /// When.
    pub time: i64,
    /// The operation.
    pub operation: u32,
}

impl Passed {
    /// The end of everything in a stream up to a place.
    pub fn of(trace: &Trace, order: &Order, place: u32) -> Self {
        let operation = order.last[place as usize];
        Self { time: trace.operations[operation as usize].end, operation }
    }
}

/// Records and waits, as far as they say anything.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Events {
    /// By record: the last place of its stream that it follows, or none.
    pub place: Vec<u32>,
    /// Records in null streams, and the last place of each blocking stream that they follow, too: in order of records.
    pub beside: Vec<(u32, u32)>,
    /// By record: the last wait of its stream that it follows, or none.
    pub wait: Vec<u32>,
    /// By record: when it was passed, if it follows anything.
    pub record: Vec<Option<Passed>>,
    /// By wait: the one before it in its stream, or none.
    pub before: Vec<u32>,
    /// By wait: since when it certainly holds.
    pub since: Vec<i64>,
    /// By wait: when it and all before it in its stream were passed, if they wait for anything.
    pub passed: Vec<Option<Passed>>,
    /// By wait: that one of it and those before it in its stream whose record was passed last.
    pub binding: Vec<u32>,
    /// The waits of each stream, in order.
    pub of_stream: Vec<Vec<u32>>,
}

impl Events {
    /// Of a trace.
    pub fn of(trace: &Trace, order: &Order) -> Self {
        let mut events = Self {
            place: vec![NONE; trace.records.len()],
            wait: vec![NONE; trace.records.len()],
            record: vec![None; trace.records.len()],
            before: vec![NONE; trace.waits.len()],
            since: vec![i64::MAX; trace.waits.len()],
            passed: vec![None; trace.waits.len()],
            binding: (0..narrow(trace.waits.len())).collect(),
            beside: Vec::new(),
            of_stream: vec![Vec::new(); trace.streams.len()],
        };
        let groups = groups(trace);
        let blocking = blocking(&groups);
        let mut wait = 0;
        for record in 0..trace.records.len() {
            while wait < trace.waits.len() && trace.waits[wait].at < trace.records[record].at {
                events.add_wait(trace, wait);
                wait += 1;
            }
            let beside = blocking.get(&trace.records[record].stream).copied().unwrap_or_default();
            events.add_record(trace, order, record, beside);
        }
        for wait in wait..trace.waits.len() {
            events.add_wait(trace, wait);
        }
        events
    }

    fn add_wait(&mut self, trace: &Trace, wait: usize) {
        let told = &trace.waits[wait];
        let before = self.of_stream[told.stream as usize].last().copied();
        let since = told.call.map_or(told.at, |call| trace.calls[call as usize].end.max(told.at));
        self.since[wait] = before.map_or(since, |before| since.max(self.since[before as usize]));
        let own = self.waits_for(trace, wait).and_then(|record| self.record[record as usize]);
        let earlier = before.and_then(|before| self.passed[before as usize]);
        self.passed[wait] = own.max(earlier);
        if let Some(before) = before.filter(|_| earlier > own) {
            self.binding[wait] = self.binding[before as usize];
        }
        self.before[wait] = before.unwrap_or(NONE);
        self.of_stream[told.stream as usize].push(narrow(wait));
    }

    fn add_record(&mut self, trace: &Trace, order: &Order, record: usize, beside: &[u32]) {
        let own = &trace.records[record];
        let place = order.put_by(own.stream, own.at);
        let wait = self.holding(own.stream, own.at);
        self.place[record] = place.unwrap_or(NONE);
        self.wait[record] = wait.unwrap_or(NONE);
        let follows = place.map(|place| Passed::of(trace, order, place));
        self.record[record] = follows.max(wait.and_then(|wait| self.passed[wait as usize]));
        for place in beside.iter().filter_map(|&stream| order.put_by(stream, own.at)) {
            self.beside.push((narrow(record), place));
            self.record[record] = self.record[record].max(Some(Passed::of(trace, order, place)));
        }
    }

    /// The record that a wait waits for, if it had been made.
    pub fn waits_for(&self, trace: &Trace, wait: usize) -> Option<u32> {
        let told = &trace.waits[wait];
        told.record.filter(|&record| trace.records[record as usize].at <= told.at)
    }

    /// The last wait of a stream that certainly holds for what is put there at a time, of those gone through so far.
    pub fn holding(&self, stream: u32, time: i64) -> Option<u32> {
        let waits = &self.of_stream[stream as usize];
        let count = waits.partition_point(|&wait| self.since[wait as usize] <= time);
        count.checked_sub(1).map(|last| waits[last])
    }
}
