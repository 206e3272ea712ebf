//! A trace made safe to look at: its operations in the order of issue, its blocks in the order of their start.
//!
//! Invariant: every index in here is in range, every block has one owner and ends no earlier than it starts. What
//! was left out for that is in the findings.

use std::collections::BTreeMap;
use std::ops::Range;

use super::config::{CheckConfig, CopyTimes};
use super::flaw::{Flaw, Says};
use crate::trace::Subject;
use crate::trace::{BlockRun, CopyRun, KernelRun, OpId, Trace};
use crate::workload::{Kernel, Setup, Stream};
use base::Nanos;

/// A setup, a trace and what is told besides, with what follows from them.
pub(super) struct Facts<'a> {
    pub setup: &'a Setup,
    pub trace: &'a Trace,
    pub config: &'a CheckConfig<'a>,
    /// Operations, ascending by when they were issued.
    pub ops: Vec<Op>,
    /// Blocks that count, ascending by start; of equal starts, in the order of launches and of their numbers.
    pub by_start: Vec<u32>,
    /// For each block of the trace, its operation by its index above; `NOBODY` for those that do not count.
    pub owner: Vec<u32>,
    /// The numbers of processes, ascending: operations name them by their index here.
    pub processes: Vec<u32>,
    /// Instants at which something ended that had begun at the same instant, ascending.
    pub twice: Vec<Nanos>,
    /// What is wrong with the record.
    pub flaws: Vec<Flaw>,
}

/// The owner of blocks that do not count.
pub(super) const NOBODY: u32 = u32::MAX;

/// An operation. Where only bounds of a time are known, they are such that what breaks a rule breaks it surely.
pub(super) struct Op {
    pub id: OpId,
    pub subject: Subject,
    pub stream: usize,
    /// An index of `Facts::processes`.
    pub process: usize,
    /// When it was issued, at the earliest and at the latest, by the clock of the host.
    pub issued: (Nanos, Nanos),
    /// It had started by then; `None` if nothing is known of it.
    pub start: Option<Nanos>,
    /// The block that started first.
    pub first: Option<u32>,
    /// It had not left its EE or CE queue before this.
    pub queued_until: Nanos,
    /// When it ended, at the earliest and at the latest.
    pub end: (Nanos, Nanos),
    /// The range of its blocks in the trace.
    pub blocks: Range<usize>,
}

impl<'a> Facts<'a> {
    pub fn new(setup: &'a Setup, trace: &'a Trace, config: &'a CheckConfig<'a>) -> Self {
        let mut processes: Vec<u32> = setup.streams.iter().map(|stream| stream.process).collect();
        base::sort::sort(&mut processes);
        processes.dedup();
        let owner = vec![NOBODY; trace.blocks.len()];
        let mut facts = Self {
            setup,
            trace,
            config,
            ops: Vec::with_capacity(trace.kernels.len() + trace.copies.len()),
            by_start: Vec::new(),
            owner,
            processes,
            twice: Vec::new(),
            flaws: Vec::new(),
        };
        facts.take_operations();
        facts.take_blocks();
        facts
    }

    pub fn kernel(&self, op: &Op) -> Option<(&'a KernelRun, &'a Kernel)> {
        let Subject::Kernel(run) = op.subject else { return None };
        let launch = self.trace.kernels.get(run)?;
        Some((launch, self.setup.kernels.get(launch.kernel)?))
    }

    pub fn copy(&self, op: &Op) -> Option<&'a CopyRun> {
        let Subject::Copy(run) = op.subject else { return None };
        self.trace.copies.get(run)
    }

    pub fn stream(&self, op: &Op) -> &'a Stream {
        &self.setup.streams[op.stream]
    }

    /// A block by its index in the trace, its operation, and its number there.
    pub fn block(&self, index: u32) -> (BlockRun, usize, u32) {
        let owner = self.owner[index as usize] as usize;
        let number = (index as usize).saturating_sub(self.ops[owner].blocks.start);
        (self.trace.blocks[index as usize], owner, number as u32)
    }

    /// Blocks of an operation that count, by their index in the trace.
    pub fn blocks_of(&self, op: usize) -> impl Iterator<Item = (usize, BlockRun)> {
        let range = self.ops[op].blocks.clone();
        let mine = move |index: &usize| self.owner[*index] as usize == op;
        range.filter(mine).map(|index| (index, self.trace.blocks[index]))
    }

    /// Whether no time in the trace is a matter of tolerance.
    pub fn is_exact(&self) -> bool {
        self.config.tolerance == Nanos::ZERO && self.config.clocks == Nanos::ZERO
    }

    /// Whether something began and ended at this very instant, so that one thing may have come after another in it.
    pub fn is_twice(&self, at: Nanos) -> bool {
        self.twice.binary_search(&at).is_ok()
    }

    fn flaw(&mut self, at: Nanos, subject: Subject, block: Option<u32>, says: Says) {
        self.flaws.push(Flaw { at, subject: Some(subject), block, says });
    }

    fn take_operations(&mut self) {
        for (run, launch) in self.trace.kernels.iter().enumerate() {
            let subject = Subject::Kernel(run);
            let known = launch.kernel < self.setup.kernels.len();
            if let Some(op) = self.operation(launch.op, subject, launch.stream, launch.launched, known) {
                let returned = self.config.returned_at(run).unwrap_or(launch.launched);
                let issued = (launch.launched, returned.max(launch.launched));
                self.ops.push(Op { issued, ..op });
            }
        }
        for (run, copy) in self.trace.copies.iter().enumerate() {
            let subject = Subject::Copy(run);
            let known = copy.copy < self.setup.copies.len();
            let Some(op) = self.operation(copy.op, subject, copy.stream, copy.issued, known) else {
                continue;
            };
            self.take_copy(op, copy);
        }
        if !self.ops.is_sorted_by_key(|op| op.id) {
            base::sort::sort_by_key(&mut self.ops, |op| op.id);
        }
        self.mind_the_order();
    }

    /// An operation with nothing known but its place; `None`, and a finding, if the setup does not have it.
    fn operation(
        &mut self,
        id: OpId,
        subject: Subject,
        stream: usize,
        issued: Nanos,
        known: bool,
    ) -> Option<Op> {
        let found = self.setup.streams.get(stream);
        let Some(found) = found.filter(|_| known) else {
            self.flaw(issued, subject, None, Says::Unknown);
            return None;
        };
        let process = self.processes.binary_search(&found.process).unwrap_or_default();
        let (issued, end, zero) = ((issued, issued), (Nanos::ZERO, Nanos::NEVER), Nanos::ZERO);
        Some(Op {
            id,
            subject,
            stream,
            process,
            issued,
            start: None,
            first: None,
            queued_until: zero,
            end,
            blocks: 0..0,
        })
    }

    fn take_copy(&mut self, op: Op, copy: &CopyRun) {
        if copy.end < copy.start {
            self.flaw(copy.start, op.subject, None, Says::Span(copy.start, copy.end));
            self.ops.push(op);
            return;
        }
        let clocks = self.config.clocks;
        self.ops.push(match self.config.copies {
            CopyTimes::OnEngine => {
                if copy.start == copy.end {
                    self.twice.push(copy.end);
                }
                Op { start: Some(copy.start), queued_until: copy.start, end: (copy.end, copy.end), ..op }
            }
            CopyTimes::AroundCalls => Op {
                start: Some(copy.end + clocks),
                queued_until: copy.start - clocks,
                end: (copy.start - clocks, copy.end + clocks),
                ..op
            },
        });
    }

    fn mind_the_order(&mut self) {
        let mut latest = (Nanos::ZERO, OpId(0));
        let mut wrong = Vec::new();
        for (i, op) in self.ops.iter().enumerate() {
            let same = i > 0 && self.ops[i - 1].id == op.id;
            if same || op.issued.1 + self.config.tolerance < latest.0 {
                wrong.push((op.issued.0, op.subject, (latest.1, latest.0)));
            }
            if op.issued.0 >= latest.0 {
                latest = (op.issued.0, op.id);
            }
        }
        for (at, subject, after) in wrong {
            self.flaw(at, subject, None, Says::Issued { at, after });
        }
    }

    fn take_blocks(&mut self) {
        let mut keys: Vec<(u64, u32)> = Vec::with_capacity(self.trace.blocks.len());
        for i in 0..self.ops.len() {
            let Some((launch, kernel)) = self.kernel(&self.ops[i]) else { continue };
            let (grid, at, subject) = (kernel.blocks as usize, launch.launched, self.ops[i].subject);
            let found = self.take_blocks_of(i, launch.blocks.clone(), &mut keys);
            if found != grid {
                self.flaw(at, subject, None, Says::Blocks { found, should: grid });
            }
            let end = &mut self.ops[i].end;
            end.1 = if found < grid { Nanos::NEVER } else { end.0 };
        }
        base::sort::sort(&mut keys);
        self.by_start = keys.into_iter().map(|(_, index)| index).collect();
        base::sort::sort(&mut self.twice);
        self.twice.dedup();
    }

    /// Takes the blocks of a launch up to the first that another one has; how many count.
    fn take_blocks_of(&mut self, i: usize, range: Range<usize>, keys: &mut Vec<(u64, u32)>) -> usize {
        let (start, subject) = (range.start.min(self.owner.len()), self.ops[i].subject);
        self.ops[i].blocks = start..start;
        let mut found = 0;
        for index in start..range.end.min(self.owner.len()) {
            if self.owner[index] != NOBODY {
                let at = self.trace.blocks[index].start;
                self.flaw(at, subject, Some((index - start) as u32), Says::Shared);
                break;
            }
            self.ops[i].blocks.end = index + 1;
            found += usize::from(self.take_block(i, index, keys));
        }
        found
    }

    /// Whether the block counts.
    fn take_block(&mut self, i: usize, index: usize, keys: &mut Vec<(u64, u32)>) -> bool {
        let (block, subject) = (self.trace.blocks[index], self.ops[i].subject);
        let number = Some((index - self.ops[i].blocks.start) as u32);
        if block.end < block.start {
            self.flaw(block.start, subject, number, Says::Span(block.start, block.end));
            return false;
        }
        if block.sm >= self.setup.device.sms {
            self.flaw(block.start, subject, number, Says::Sm(block.sm, self.setup.device.sms));
        }
        self.owner[index] = i as u32;
        keys.push((block.start.0, index as u32));
        if block.start == block.end {
            self.twice.push(block.end);
        }
        let op = &mut self.ops[i];
        if op.start.is_none_or(|start| block.start < start) {
            (op.start, op.first) = (Some(block.start), number);
        }
        op.queued_until = op.queued_until.max(block.start);
        op.end.0 = op.end.0.max(block.end);
        true
    }
}

/// The groups that operations fall into, each in the order of issue.
pub(super) fn grouped<K: Ord>(facts: &Facts, key: impl Fn(&Op) -> Option<K>) -> BTreeMap<K, Vec<usize>> {
    let mut groups = BTreeMap::<K, Vec<usize>>::new();
    for (i, op) in facts.ops.iter().enumerate() {
        if let Some(key) = key(op) {
            groups.entry(key).or_default().push(i);
        }
    }
    groups
}
