//! Whether every block had room where it went: M1, R1, R2, R3.
//!
//! A sweep over the starts on each SM. A block that does not fit is told once, under the first of R2, R3, R1 whose
//! resource is short, and takes no room from then on: those after it are told only if they would not have fitted
//! without it either. That it starts too soon for another rule is another matter: a full SM is told all the same. A
//! block on an SM that its kernel is kept away from is not told again. Processes have the device one at a time, each
//! with an SM of its own as it were: P1 tells when they do not.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

use super::facts::Facts;
use super::fault::{Faults, Why};
use crate::device::Mask;
use crate::resources::Resources;
use crate::rule::Rule;
use base::Nanos;

/// What is on one SM, seen from one block's start to the next.
#[derive(Default)]
struct Sm {
    used: Resources,
    ends: BinaryHeap<Reverse<(Nanos, u32)>>,
    /// Those that started within the tolerance, in order.
    recent: VecDeque<u32>,
}

/// M1, R1, R2, R3.
pub(super) fn room(facts: &Facts, faults: &mut Faults) {
    let needs: Vec<Resources> = facts
        .ops
        .iter()
        .map(|op| {
            facts
                .kernel(op)
                .map_or(Resources::default(), |(_, kernel)| Resources::of_block(&facts.setup.device, kernel))
        })
        .collect();
    let whole = Resources::of_sm(&facts.setup.device);
    let mut sms = BTreeMap::<(usize, u16), Sm>::new();
    for &index in &facts.by_start {
        let (block, op, number) = facts.block(index);
        if block.sm >= facts.setup.device.sms {
            continue;
        }
        if kept_away(facts, op, block.sm, faults) {
            faults.add(Rule::M1, block.start, op, Some(number), Why::KeptAway(block.sm));
            continue;
        }
        let sm = sms.entry((facts.ops[op].process, block.sm)).or_default();
        let free = whole.minus(sm.used_at(facts, &needs, index));
        for rule in [Rule::R1, Rule::R2, Rule::R3] {
            faults.examined.add(rule, 1);
        }
        match free.lacks(needs[op]) {
            None => sm.take(facts, &needs, index),
            Some(resource) => {
                let (free, need) = (free.get(resource), needs[op].get(resource));
                let why = Why::Lacks { sm: block.sm, resource, free, need };
                faults.add(resource.rule(), block.start, op, Some(number), why);
            }
        }
    }
}

fn kept_away(facts: &Facts, op: usize, sm: u16, faults: &mut Faults) -> bool {
    let Some((_, kernel)) = facts.kernel(&facts.ops[op]) else { return false };
    faults.examined.add(Rule::M1, usize::from(kernel.mask != Mask::ALL));
    !kernel.mask.has(sm)
}

impl Sm {
    /// What is taken when a block starts, by those that surely run together with it.
    fn used_at(&mut self, facts: &Facts, needs: &[Resources], index: u32) -> Resources {
        let tolerance = facts.config.tolerance;
        let block = facts.trace.blocks[index as usize];
        let by_now = block.start + tolerance;
        while let Some(&Reverse((end, over))) = self.ends.peek()
            && end <= by_now
        {
            self.ends.pop();
            self.used = self.used.minus(needs[facts.block(over).1]);
        }
        while let Some(&first) = self.recent.front()
            && facts.trace.blocks[first as usize].start + tolerance < block.start
        {
            self.recent.pop_front();
        }
        if block.end > by_now {
            return self.used;
        }
        // So short a block may have been over before those that started about when it ended.
        let mut used = self.used;
        for &other in &self.recent {
            let (run, op, _) = facts.block(other);
            if run.end > by_now && run.start + tolerance >= block.end {
                used = used.minus(needs[op]);
            }
        }
        used
    }

    fn take(&mut self, facts: &Facts, needs: &[Resources], index: u32) {
        let (block, op, _) = facts.block(index);
        self.used = self.used.plus(needs[op]);
        self.ends.push(Reverse((block.end, index)));
        self.recent.push_back(index);
    }
}
