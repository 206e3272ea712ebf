//! What a record says twice: times of launches against those of their blocks, and, for simulated runs, durations
//! against the setup and queue times against the rules.

use std::collections::BTreeSet;

use super::config::{CopyTimes, Exactness};
use super::facts::{Facts, Op};
use super::fault::{Fault, Faults};
use super::flaw::{Flaw, Says};
use super::processes::slices;
use super::streams::Entry;
use crate::rule::Rule;
use crate::trace::{CopyRun, Slice};
use crate::workload::Direction;
use base::Nanos;

/// What does not agree.
pub(super) fn disagreements(facts: &Facts, entries: &[Entry], faults: &Faults) -> Vec<Flaw> {
    let apart = |fault: &&Fault| fault.rule == Rule::P1;
    let outside: BTreeSet<usize> = faults.list.iter().filter(apart).map(|fault| fault.op).collect();
    let served: Vec<Served> = match facts.processes.len() {
        0 | 1 => Vec::new(),
        _ => slices(facts).iter().map(|own| Served::new(own)).collect(),
    };
    let mut flaws = Vec::new();
    slices_overlap(facts, &mut flaws);
    for (i, op) in facts.ops.iter().enumerate() {
        if facts.config.exactness == Exactness::Exact {
            // How long blocks ran outside the slices of their process, nobody knows.
            if !outside.contains(&i) {
                durations(facts, i, served.get(op.process), &mut flaws);
            }
            queue_time(facts, op, &entries[i], &mut flaws);
        }
        summary(facts, op, &mut flaws);
        if let Some(copy) = facts.copy(op) {
            copied(facts, op, copy, &mut flaws);
        }
    }
    flaws
}

/// How long a process had the device, up to any time.
struct Served {
    slices: Vec<Slice>,
    before: Vec<u64>,
}

impl Served {
    fn new(own: &[Slice]) -> Self {
        let mut all = 0_u64;
        let before = own.iter().map(|slice| {
            let before = all;
            all = all.saturating_add(slice.end.since(slice.start).0);
            before
        });
        Self { before: before.collect(), slices: own.to_vec() }
    }

    fn until(&self, at: Nanos) -> Nanos {
        let begun = self.slices.partition_point(|slice| slice.start <= at);
        let Some(last) = begun.checked_sub(1) else { return Nanos::ZERO };
        Nanos(self.before[last]) + at.min(self.slices[last].end).since(self.slices[last].start)
    }
}

/// Slices that overlap or end before they start.
fn slices_overlap(facts: &Facts, flaws: &mut Vec<Flaw>) {
    let mut until = Nanos::ZERO;
    for slice in &facts.trace.slices {
        if slice.end < slice.start || slice.start + facts.config.tolerance < until {
            let says = Says::Slice { slice: *slice, until };
            flaws.push(Flaw { at: slice.start, subject: None, block: None, says });
        }
        until = until.max(slice.end);
    }
}

fn apart(facts: &Facts, a: Nanos, b: Nanos) -> bool {
    a.since(b).max(b.since(a)) > facts.config.tolerance
}

fn about(op: &Op, at: Nanos, block: Option<u32>, says: Says) -> Flaw {
    Flaw { at, subject: Some(op.subject), block, says }
}

fn durations(facts: &Facts, i: usize, served: Option<&Served>, flaws: &mut Vec<Flaw>) {
    let op = &facts.ops[i];
    let Some((_, kernel)) = facts.kernel(op) else { return };
    for (index, block) in facts.blocks_of(i) {
        let number = (index - op.blocks.start) as u32;
        let should = kernel.duration.of(number);
        let found = match served {
            Some(served) if !served.slices.is_empty() => {
                served.until(block.end).since(served.until(block.start))
            }
            _ => block.end.since(block.start),
        };
        if apart(facts, found, should) {
            flaws.push(about(op, block.start, Some(number), Says::Ran { found, should }));
        }
    }
}

fn queue_time(facts: &Facts, op: &Op, entry: &Entry, flaws: &mut Vec<Flaw>) {
    let found = match (facts.kernel(op), facts.copy(op)) {
        (Some((launch, _)), _) => launch.queued,
        (None, Some(copy)) => copy.queued,
        (None, None) => return,
    };
    let should = entry.issued.0.max(entry.released.0);
    let known = !entry.early && entry.released.0 == entry.released.1;
    if known && apart(facts, found, should) {
        flaws.push(about(op, found, None, Says::Queued { found, should }));
    }
}

/// The times of a launch that has all its blocks.
fn summary(facts: &Facts, op: &Op, flaws: &mut Vec<Flaw>) {
    let Some((launch, _)) = facts.kernel(op) else { return };
    let (Some(start), true) = (op.start, op.end.0 == op.end.1) else { return };
    let pairs = [
        ("start of the first block", launch.start, start),
        ("start of the last block", launch.dispatched, op.queued_until),
        ("end of the last block", launch.end, op.end.0),
    ];
    for (what, found, should) in pairs {
        if apart(facts, found, should) {
            flaws.push(about(op, found, None, Says::Summary { what, found, should }));
        }
    }
}

/// The engine and the duration of a copy.
fn copied(facts: &Facts, op: &Op, run: &CopyRun, flaws: &mut Vec<Flaw>) {
    let Some(copy) = facts.setup.copies.get(run.copy) else { return };
    let (engines, exact) = (facts.setup.device.copy_engines, facts.config.exactness == Exactness::Exact);
    let should = u16::from(engines > 1 && copy.direction == Direction::Out);
    if run.engine >= engines.max(1) || exact && run.engine != should {
        flaws.push(about(op, run.start, None, Says::Engine { found: run.engine, should }));
    }
    let found = run.end.since(run.start);
    let on_engine = facts.config.copies == CopyTimes::OnEngine;
    if exact && on_engine && run.start <= run.end && apart(facts, found, copy.duration) {
        flaws.push(about(op, run.start, None, Says::Ran { found, should: copy.duration }));
    }
}
