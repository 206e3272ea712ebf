//! A trace made safe to look at: its operations in the order of issue, its blocks in the order of their start.
//!
//! Invariant: every index in here is in range, every block has one owner and ends no earlier than it starts. What
//! was left out for that is in the findings.

use std::collections::BTreeMap;

use super::config::{CheckConfig, CopyTimes};
use super::verdict::{FindingKind, Subject};
use crate::base::{Nanos, people};
use crate::blocks::trace::{BlockRun, CopyRun, KernelRun, OpId, Trace};
use crate::blocks::workload::{Kernel, Setup, Stream};

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
    pub blocks: std::ops::Range<usize>,
}

/// A finding before it is put into words.
pub(super) struct Flaw {
    pub kind: FindingKind,
    pub at: Nanos,
    pub subject: Option<Subject>,
    pub block: Option<u32>,
    /// What is found and what is expected.
    pub values: (String, String),
}

impl<'a> Facts<'a> {
    pub fn new(setup: &'a Setup, trace: &'a Trace, config: &'a CheckConfig<'a>) -> Self {
        let mut processes: Vec<u32> = setup.streams.iter().map(|stream| stream.process).collect();
        processes.sort_unstable();
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

    pub fn flaw(
        &mut self,
        kind: FindingKind,
        at: Nanos,
        subject: Option<Subject>,
        block: Option<u32>,
        values: (String, String),
    ) {
        self.flaws.push(Flaw { kind, at, subject, block, values });
    }

    fn take_operations(&mut self) {
        for (run, launch) in self.trace.kernels.iter().enumerate() {
            let subject = Subject::Kernel(run);
            let known = launch.kernel < self.setup.kernels.len();
            if let Some(op) = self.operation(launch.op, subject, launch.stream, launch.launched, known) {
                let returned = self.config.returned_at(run).unwrap_or(launch.launched);
                let issued = (launch.launched, returned.max(launch.launched));
                self.ops.push(Op { issued, blocks: launch.blocks.clone(), ..op });
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
            self.ops.sort_by_key(|op| op.id);
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
            let values = (
                format!("operation {} is of a stream or of a kind that is not there", id.0),
                "one of the setup",
            );
            self.flaw(FindingKind::Unknown, issued, Some(subject), None, (values.0, values.1.to_owned()));
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
            let values =
                (format!("it starts at {} and ends at {}", copy.start, copy.end), "an end after the start");
            self.flaw(
                FindingKind::Backwards,
                copy.start,
                Some(op.subject),
                None,
                (values.0, values.1.to_owned()),
            );
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
                let found = format!("operation {} was issued at {}", op.id.0, op.issued.0);
                let expected = format!("a time after that of operation {}, {}", latest.1.0, latest.0);
                wrong.push((op.issued.0, op.subject, (found, expected)));
            }
            if op.issued.0 >= latest.0 {
                latest = (op.issued.0, op.id);
            }
        }
        for (at, subject, values) in wrong {
            self.flaw(FindingKind::Order, at, Some(subject), None, values);
        }
    }

    fn take_blocks(&mut self) {
        let mut keys: Vec<(u64, u32)> = Vec::with_capacity(self.trace.blocks.len());
        for i in 0..self.ops.len() {
            let Some((launch, kernel)) = self.kernel(&self.ops[i]) else { continue };
            let (subject, range) = (self.ops[i].subject, launch.blocks.clone());
            let there = range.start.min(self.owner.len())..range.end.min(self.owner.len());
            let there = if there.start <= there.end { there } else { 0..0 };
            self.ops[i].blocks = there.clone();
            let mut counted = 0;
            for index in there {
                counted += usize::from(self.take_block(i, index, subject, &mut keys));
            }
            let grid = kernel.blocks as usize;
            if counted != grid {
                let blocks = |count| people::counted(count, "block");
                let kind = if counted < grid { FindingKind::MissingBlocks } else { FindingKind::ExtraBlocks };
                let values = (blocks(counted), blocks(grid));
                self.flaw(kind, launch.launched, Some(subject), None, values);
            }
            let op = &mut self.ops[i];
            op.end.1 = if counted < grid { Nanos::NEVER } else { op.end.0 };
        }
        keys.sort_unstable();
        self.by_start = keys.into_iter().map(|(_, index)| index).collect();
        self.twice.sort_unstable();
        self.twice.dedup();
    }

    /// Whether the block counts.
    fn take_block(&mut self, op: usize, index: usize, subject: Subject, keys: &mut Vec<(u64, u32)>) -> bool {
        let block = self.trace.blocks[index];
        let number = Some((index - self.ops[op].blocks.start) as u32);
        if self.owner[index] != NOBODY {
            let values =
                ("another launch has the same block".to_owned(), "one launch for each block".to_owned());
            self.flaw(FindingKind::ExtraBlocks, block.start, Some(subject), number, values);
            return false;
        }
        if block.end < block.start {
            let values =
                (format!("it starts at {} and ends at {}", block.start, block.end), "an end after the start");
            self.flaw(
                FindingKind::Backwards,
                block.start,
                Some(subject),
                number,
                (values.0, values.1.to_owned()),
            );
            return false;
        }
        if block.sm >= self.setup.device.sms {
            let values = (
                format!("it ran on SM {}", block.sm),
                format!("one of {} SMs, from 0", self.setup.device.sms),
            );
            self.flaw(FindingKind::NoSuchSm, block.start, Some(subject), number, values);
        }
        self.owner[index] = op as u32;
        keys.push((block.start.0, index as u32));
        if block.start == block.end {
            self.twice.push(block.end);
        }
        let op = &mut self.ops[op];
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
