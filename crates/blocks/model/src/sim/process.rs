//! Processes and who has the device (P1).
//!
//! Invariant: only the process that has the device starts blocks. Under `Switch::Preempt` each process counts a
//! time of its own, which stands still while another has the device; ends of blocks are kept in that time.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};

use super::super::trace::Slice;
use super::super::workload::{Slicing, Switch};
use super::Simulation;
use super::sms::Sm;
use base::Nanos;

/// Blocks of one kernel on one SM that end together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Batch {
    /// When, in the time of the process.
    pub(super) end: Nanos,
    pub(super) op: u32,
    pub(super) sm: u16,
    pub(super) count: u16,
}

/// A process.
#[derive(Debug)]
pub(super) struct Process {
    /// What the workload calls it.
    pub(super) number: u32,
    /// Its null stream.
    pub(super) null: Option<usize>,
    /// The heads of its blocking streams, where it has a null stream.
    pub(super) heads: BTreeSet<u32>,
    /// Heads of blocking streams held back by the null stream: what they wait for, and they.
    pub(super) held: BTreeSet<(u32, u32)>,
    /// The priorities of its streams, the most urgent first, and an EE queue for each.
    pub(super) priorities: Vec<i32>,
    pub(super) queues: Vec<VecDeque<u32>>,
    /// The EE queues that are not empty.
    pub(super) filled: BTreeSet<usize>,
    /// Streams with operations in their queues.
    pub(super) busy_streams: u32,
    /// Programs waiting until there are none.
    pub(super) waiters: Vec<u32>,
    /// What it sees free on each SM.
    pub(super) sms: Vec<Sm>,
    /// Blocks that have not ended.
    pub(super) running: u64,
    pub(super) ends: BinaryHeap<Reverse<Batch>>,
    /// How far its own time is behind.
    pub(super) behind: Nanos,
    /// When it was last without the device.
    paused: Nanos,
    /// Whether it stands in `Holding::wanted`.
    wants: bool,
}

impl Process {
    /// A process that has done nothing.
    pub(super) fn new(number: u32, null: Option<usize>, priorities: Vec<i32>, sms: Vec<Sm>) -> Self {
        Self {
            number,
            null,
            heads: BTreeSet::new(),
            held: BTreeSet::new(),
            queues: priorities.iter().map(|_| VecDeque::new()).collect(),
            priorities,
            filled: BTreeSet::new(),
            busy_streams: 0,
            waiters: Vec::new(),
            sms,
            running: 0,
            ends: BinaryHeap::new(),
            behind: Nanos::ZERO,
            paused: Nanos::ZERO,
            wants: false,
        }
    }

    /// The head of the most urgent EE queue that is not empty.
    pub(super) fn foremost(&self) -> Option<u32> {
        self.head(*self.filled.first()?)
    }

    /// The head of an EE queue.
    pub(super) fn head(&self, queue: usize) -> Option<u32> {
        self.queues[queue].front().copied()
    }

    /// The head of the next EE queue that is not empty, among the less urgent ones.
    pub(super) fn head_after(&self, queue: usize) -> Option<u32> {
        self.head(*self.filled.range(queue + 1..).next()?)
    }

    /// The head of the next EE queue that is not empty, among the more urgent ones.
    pub(super) fn head_before(&self, queue: usize) -> Option<u32> {
        self.head(*self.filled.range(..queue).next_back()?)
    }
}

/// Who has the device.
#[derive(Debug)]
pub(super) struct Holding {
    slicing: Slicing,
    /// Processes with something in their EE queues or with blocks that have not ended.
    wanted: BTreeSet<usize>,
    /// Who has it, by its place in the list of processes.
    pub(super) holder: Option<usize>,
    /// Since when.
    pub(super) since: Nanos,
    /// Whether its time is over, and it only waits for its blocks to end.
    pub(super) draining: bool,
    /// Where the search for the next one begins.
    from: usize,
    /// Whether there are several processes, so that it matters.
    shared: bool,
}

impl Holding {
    /// Nobody has it.
    pub(super) fn new(slicing: Slicing, processes: usize) -> Self {
        Self {
            slicing,
            wanted: BTreeSet::new(),
            holder: None,
            since: Nanos::ZERO,
            draining: false,
            from: 0,
            shared: processes > 1,
        }
    }

    /// Whether blocks stand still while others have the device.
    pub(super) fn preempts(&self) -> bool {
        self.shared && self.slicing.switch == Switch::Preempt
    }

    /// When the time of the one who has it is over; nothing where nobody else wants it.
    pub(super) fn next_time(&self) -> Nanos {
        if self.holder.is_none() || self.draining || self.wanted.len() < 2 {
            return Nanos::NEVER;
        }
        // No time at all would never let anybody go on.
        self.since + self.slicing.quantum.max(Nanos(1))
    }

    /// Who is next.
    pub(super) fn next(&self) -> Option<usize> {
        self.wanted.range(self.from..).next().or_else(|| self.wanted.first()).copied()
    }
}

impl Simulation {
    /// Who may start blocks now; passes the device on where its time has come.
    pub(super) fn whose_turn(&mut self) -> Option<usize> {
        loop {
            let Some(holder) = self.holding.holder else {
                let next = self.holding.next()?;
                self.give_device(next);
                continue;
            };
            let idle = self.processes[holder].running == 0;
            if idle && (self.holding.draining || self.processes[holder].filled.is_empty()) {
                self.take_device(holder);
            } else if self.holding.draining {
                return None;
            } else if self.holding.next_time() > self.now {
                return Some(holder);
            } else if self.holding.slicing.switch == Switch::Preempt {
                self.take_device(holder);
            } else {
                self.holding.draining = true;
                self.touch(self.processes[holder].foremost());
            }
        }
    }

    fn give_device(&mut self, to: usize) {
        let process = &mut self.processes[to];
        if self.holding.preempts() {
            process.behind += self.now.since(process.paused);
        }
        self.holding.holder = Some(to);
        self.holding.from = to + 1;
        self.holding.since = self.now;
        self.holding.draining = false;
    }

    fn take_device(&mut self, from: usize) {
        self.processes[from].paused = self.now;
        self.touch(self.processes[from].foremost());
        self.end_slice();
        self.holding.holder = None;
    }

    /// Writes down that somebody had the device until now, if there are several.
    pub(super) fn end_slice(&mut self) {
        if let Some(holder) = self.holding.holder.filter(|_| self.holding.shared) {
            let process = self.processes[holder].number;
            self.record.trace.slices.push(Slice { process, start: self.holding.since, end: self.now });
        }
    }

    /// A process may want the device now, or not any more.
    pub(super) fn mind(&mut self, index: usize) {
        let process = &mut self.processes[index];
        let wants = process.running > 0 || !process.filled.is_empty();
        if process.wants == wants {
            return;
        }
        process.wants = wants;
        if wants {
            self.holding.wanted.insert(index);
        } else {
            self.holding.wanted.remove(&index);
        }
    }
}
