//! Whether blocks and copies leave their queues in order: X1, A2, C2, C3.
//!
//! X1: no block starts while an earlier kernel of its EE queue, the queue of its process and priority, still has
//! blocks to start. A2: none starts while a more urgent EE queue of its process is not empty. C3: no copy starts
//! while an earlier one of its CE queue has not. C2: no copy starts while another one is on its engine. Each block
//! and each copy is told about once, under the first of G1, G2, N1, N2, A2, X1 (C1, C3, C2) that it breaks.

use std::collections::BTreeSet;

use super::config::CopyTimes;
use super::facts::{Facts, grouped};
use super::fault::{Faults, Why};
use super::overtaken::{Longest, longest_before};
use super::streams::Entry;
use crate::rule::Rule;
use crate::trace::Subject;
use base::Nanos;

/// A2.
pub(super) fn urgent(facts: &Facts, entries: &[Entry], faults: &mut Faults) {
    let kernels = grouped(facts, |op| matches!(op.subject, Subject::Kernel(_)).then_some(op.process));
    let mut blocks = vec![Vec::new(); facts.processes.len()];
    for &index in &facts.by_start {
        blocks[facts.ops[facts.block(index).1].process].push(index);
    }
    for (process, ops) in kernels {
        let priority = |op: usize| facts.stream(&facts.ops[op]).priority;
        let most = ops.iter().map(|&op| priority(op)).min();
        if ops.iter().any(|&op| Some(priority(op)) != most) {
            urgent_in(facts, entries, &ops, &blocks[process], faults);
        }
    }
}

/// A2 within one process: a sweep over its blocks with the kernels that surely stand in an EE queue.
fn urgent_in(facts: &Facts, entries: &[Entry], ops: &[usize], blocks: &[u32], faults: &mut Faults) {
    let (tolerance, clocks) = (facts.config.tolerance, facts.config.clocks);
    let mut entering: Vec<(Nanos, usize)> =
        ops.iter().map(|&op| (entries[op].entered_by(clocks), op)).collect();
    let mut leaving: Vec<(Nanos, usize)> = ops.iter().map(|&op| (facts.ops[op].queued_until, op)).collect();
    base::sort::sort(&mut entering);
    base::sort::sort(&mut leaving);
    let (mut entering, mut leaving) = (entering.into_iter().peekable(), leaving.into_iter().peekable());
    let mut queued = BTreeSet::new();
    let priority = |op: usize| facts.stream(&facts.ops[op]).priority;
    for &index in blocks {
        let (block, op, number) = facts.block(index);
        let at_once = facts.is_exact() && !facts.is_twice(block.start);
        let is_in = |entered: Nanos| entered + tolerance < block.start || at_once && entered == block.start;
        while let Some((_, other)) = entering.next_if(|(at, _)| is_in(*at)) {
            if facts.ops[other].queued_until > block.start + tolerance {
                queued.insert((priority(other), other));
            }
        }
        while let Some((_, other)) = leaving.next_if(|(at, _)| *at <= block.start + tolerance) {
            queued.remove(&(priority(other), other));
        }
        faults.examined.add(Rule::A2, 1);
        if let Some(&(urgency, whom)) = queued.first()
            && urgency < priority(op)
            && !faults.told[index as usize]
        {
            let until = facts.ops[whom].queued_until;
            faults.told[index as usize] = true;
            faults.add(Rule::A2, block.start, op, Some(number), Why::Overtakes { whom, until });
        }
    }
}

/// X1.
pub(super) fn in_order(facts: &Facts, entries: &[Entry], faults: &mut Faults) {
    let queues = grouped(facts, |op| {
        matches!(op.subject, Subject::Kernel(_)).then(|| (op.process, facts.stream(op).priority))
    });
    for queue in queues.values() {
        for (&op, longest) in queue.iter().zip(longest_before(facts, entries, queue)) {
            let Some(Longest { until, whom }) = longest else { continue };
            for (index, block) in facts.blocks_of(op) {
                faults.examined.add(Rule::X1, 1);
                if block.start + facts.config.tolerance < until && !faults.told[index] {
                    let number = (index - facts.ops[op].blocks.start) as u32;
                    faults.told[index] = true;
                    faults.add(Rule::X1, block.start, op, Some(number), Why::Overtakes { whom, until });
                }
            }
        }
    }
}

/// C2 and C3.
pub(super) fn copies(facts: &Facts, entries: &[Entry], faults: &mut Faults) {
    let engines = grouped(facts, |op| facts.copy(op).filter(|_| op.start.is_some()).map(|copy| copy.engine));
    for queue in engines.values() {
        let mut told: BTreeSet<usize> = queue.iter().copied().filter(|&op| entries[op].early).collect();
        for (&op, longest) in queue.iter().zip(longest_before(facts, entries, queue)) {
            let (Some(Longest { until, whom }), Some(start)) = (longest, facts.ops[op].start) else {
                continue;
            };
            faults.examined.add(Rule::C3, 1);
            if start + facts.config.tolerance < until && told.insert(op) {
                let at = facts.copy(&facts.ops[op]).map_or(start, |copy| copy.start);
                faults.add(Rule::C3, at, op, None, Why::Overtakes { whom, until });
            }
        }
        if facts.config.copies == CopyTimes::OnEngine {
            one_at_a_time(facts, queue, &told, faults);
        }
    }
}

/// C2 on one engine. A copy that started while the engine was busy does not count as keeping it busy.
fn one_at_a_time(facts: &Facts, queue: &[usize], told: &BTreeSet<usize>, faults: &mut Faults) {
    let tolerance = facts.config.tolerance;
    let span =
        |op: usize| facts.copy(&facts.ops[op]).map_or((Nanos::ZERO, Nanos::ZERO), |c| (c.start, c.end));
    let mut by_start = queue.to_vec();
    base::sort::sort_by_key(&mut by_start, |&op| span(op));
    let mut busy: Option<usize> = None;
    for op in by_start {
        let (start, end) = span(op);
        faults.examined.add(Rule::C2, 1);
        if let Some(with) = busy
            && span(with).1 > start + tolerance
            && span(with).0 + tolerance < end
        {
            if !told.contains(&op) {
                faults.add(Rule::C2, start, op, None, Why::Busy { with, until: span(with).1 });
            }
        } else {
            busy = busy.filter(|&with| span(with).1 >= end).or(Some(op));
        }
    }
}
