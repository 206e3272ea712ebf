//! Faults as numbers, before they are put into words: there may be a million of them.

use super::verdict::RuleCounts;
use crate::resources::Resource;
use crate::rule::Rule;
use base::Nanos;

/// A rule that was broken.
pub(super) struct Fault {
    pub rule: Rule,
    pub at: Nanos,
    /// By which operation: an index of `Facts::ops`.
    pub op: usize,
    pub block: Option<u32>,
    pub why: Why,
}

/// How it was broken. Operations are indices of `Facts::ops`.
pub(super) enum Why {
    /// It starts before the call was made.
    BeforeCall(Nanos),
    /// It starts before this one ended, which it had to wait for.
    Before { whom: usize, until: Nanos },
    /// It still runs though the host saw its stream idle.
    SeenIdle(Nanos),
    /// It starts while this one was before it in a queue, and until when that one was there.
    Overtakes { whom: usize, until: Nanos },
    /// Its engine was busy with this one.
    Busy { with: usize, until: Nanos },
    /// The SM had less than it takes.
    Lacks { sm: u16, resource: Resource, free: u64, need: u64 },
    /// Its kernel is kept away from the SM.
    KeptAway(u16),
    /// Another process had the device, or had blocks running.
    OtherProcess(Option<u32>),
}

/// What was found so far.
pub(super) struct Faults {
    pub list: Vec<Fault>,
    /// For each block of the trace, whether its time of start was already found wrong: one queue tells it, and the
    /// others need not.
    pub told: Vec<bool>,
    pub examined: RuleCounts,
    /// Blocks of two processes that ran at a time, where that is only remarked.
    pub overlaps: Vec<Fault>,
}

impl Faults {
    pub fn new(blocks: usize) -> Self {
        Self {
            list: Vec::new(),
            told: vec![false; blocks],
            examined: RuleCounts::default(),
            overlaps: Vec::new(),
        }
    }

    pub fn add(&mut self, rule: Rule, at: Nanos, op: usize, block: Option<u32>, why: Why) {
        self.list.push(Fault { rule, at, op, block, why });
    }
}
