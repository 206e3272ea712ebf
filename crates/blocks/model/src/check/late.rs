//! Blocks and copies that started later than the rules held them back: remarks, for the rules only say what may
//! start, and measured launches take their time.
//!
//! For each process a sweep with its SMs: as long as the next block of the kernel at the head of the most urgent EE
//! queue fits somewhere, it is late. Kernels of one queue are taken in the order in which their last blocks
//! started, so that nothing is late for having been overtaken. With several processes and no slices nobody knows who
//! had the device, and nothing is said; within a slice only what also starts in it is late.

use std::collections::BTreeSet;

use super::config::CopyTimes;
use super::facts::{Facts, grouped};
use super::processes::slices;
use super::streams::Entry;
use crate::device::Mask;
use crate::resources::Resources;
use crate::trace::Slice;
use base::Nanos;

/// A late start: which operation (an index of `Facts::ops`), which block, when, and how late.
pub(super) struct Late {
    pub op: usize,
    pub block: Option<u32>,
    pub at: Nanos,
    pub late: Nanos,
}

/// All late starts.
pub(super) fn late(facts: &Facts, entries: &[Entry]) -> Vec<Late> {
    let mut found = Vec::new();
    copies(facts, entries, &mut found);
    let sliced = facts.processes.len() > 1;
    if sliced && facts.trace.slices.is_empty() {
        return found;
    }
    let mut blocks = vec![Vec::new(); facts.processes.len()];
    for &index in &facts.by_start {
        blocks[facts.ops[facts.block(index).1].process].push(index);
    }
    let slices = slices(facts);
    for (process, blocks) in blocks.iter().enumerate() {
        let mut moments = moments(facts, entries, process, blocks);
        if sliced {
            let turns = slices[process].iter().flat_map(|slice| [slice.start, slice.end]);
            moments.extend(turns.map(|at| (at, Moment::Turn, 0)));
        }
        base::sort::sort(&mut moments);
        let mut sweep = Sweep::new(facts, entries, if sliced { Some(&slices[process]) } else { None });
        for instant in moments.chunk_by(|a, b| a.0 == b.0) {
            for &(at, moment, index) in instant {
                sweep.go(at, moment, index, &mut found);
            }
            sweep.settle(instant[0].0);
        }
    }
    found
}

/// What happens at one instant, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Moment {
    /// The process gets the device, or has had it.
    Turn,
    /// A block ends.
    Ends,
    /// A kernel is in its EE queue.
    Enters,
    /// A block starts.
    Starts,
    /// A kernel has left its EE queue.
    Leaves,
}

fn moments(facts: &Facts, entries: &[Entry], process: usize, blocks: &[u32]) -> Vec<(Nanos, Moment, u32)> {
    let mut moments = Vec::with_capacity(2 * blocks.len());
    for &index in blocks {
        let block = facts.trace.blocks[index as usize];
        moments.push((block.end, Moment::Ends, index));
        moments.push((block.start, Moment::Starts, index));
    }
    for (i, op) in facts.ops.iter().enumerate() {
        if op.process == process && op.first.is_some() {
            let enters = entries[i].entered_by(facts.config.clocks).min(op.queued_until);
            moments.push((enters, Moment::Enters, i as u32));
            moments.push((op.queued_until, Moment::Leaves, i as u32));
        }
    }
    moments
}

type Key = (i32, [Nanos; 3], usize);

/// The state of a process on the device.
struct Sweep<'a> {
    facts: &'a Facts<'a>,
    entries: &'a [Entry],
    whole: Resources,
    /// Per SM; blocks of too long records may make it more than there is.
    used: Vec<[i64; 4]>,
    /// Kernels in EE queues: by priority, then by when they leave, start and enter.
    queued: BTreeSet<Key>,
    /// Its slices of time, where there are several processes.
    slices: Option<&'a [Slice]>,
    has_device: bool,
    /// The head whose next block is waited for, what it needs, and the SMs it fits on.
    head: Option<Head>,
}

struct Head {
    op: usize,
    need: Resources,
    mask: Mask,
    fits: Vec<bool>,
    count: usize,
    since: Option<Nanos>,
}

impl<'a> Sweep<'a> {
    fn new(facts: &'a Facts<'a>, entries: &'a [Entry], slices: Option<&'a [Slice]>) -> Self {
        let device = &facts.setup.device;
        let used = vec![[0; 4]; usize::from(device.sms)];
        let whole = Resources::of_sm(device);
        Self {
            facts,
            entries,
            whole,
            used,
            queued: BTreeSet::new(),
            slices,
            has_device: slices.is_none(),
            head: None,
        }
    }

    fn go(&mut self, at: Nanos, moment: Moment, index: u32, found: &mut Vec<Late>) {
        match moment {
            Moment::Turn => {
                let begun = self.slices.map(|own| &own[..own.partition_point(|slice| slice.start <= at)]);
                self.has_device = begun.is_none_or(|begun| begun.last().is_some_and(|last| at < last.end));
                self.head = None;
            }
            Moment::Enters => {
                self.queued.insert(self.key(index as usize));
            }
            Moment::Leaves => {
                self.queued.remove(&self.key(index as usize));
            }
            Moment::Ends => self.change(index, -1),
            Moment::Starts => {
                let (_, op, number) = self.facts.block(index);
                if let Some(head) = self.head.as_mut().filter(|head| head.op == op)
                    && let Some(since) = head.since.take()
                    && at.since(since) > self.facts.config.tolerance
                {
                    found.push(Late { op, block: Some(number), at, late: at.since(since) });
                }
                self.change(index, 1);
            }
        }
    }

    fn key(&self, op: usize) -> Key {
        let (found, clocks) = (&self.facts.ops[op], self.facts.config.clocks);
        let entered = self.entries[op].entered_by(clocks);
        let times = [found.queued_until, found.start.unwrap_or(found.queued_until), entered];
        (self.facts.stream(found).priority, times, op)
    }

    fn change(&mut self, index: u32, sign: i64) {
        let (block, op, _) = self.facts.block(index);
        let Some((_, kernel)) = self.facts.kernel(&self.facts.ops[op]) else { return };
        let Some(used) = self.used.get_mut(usize::from(block.sm)) else { return };
        let need = Resources::of_block(&self.facts.setup.device, kernel).amounts();
        for (used, need) in used.iter_mut().zip(need) {
            *used = used.saturating_add(sign.saturating_mul(i64::try_from(need).unwrap_or(i64::MAX)));
        }
        self.look_at(usize::from(block.sm));
    }

    /// Whether the head fits on an SM now.
    fn look_at(&mut self, sm: usize) {
        let Some(head) = &mut self.head else { return };
        let used = Resources::from_amounts(self.used[sm].map(|used| u64::try_from(used).unwrap_or_default()));
        let fits = head.mask.has(sm as u16) && self.whole.minus(used).lacks(head.need).is_none();
        head.count = head.count + usize::from(fits) - usize::from(head.fits[sm]);
        head.fits[sm] = fits;
    }

    /// Who is the head now, and since when it could start a block.
    fn settle(&mut self, at: Nanos) {
        let mut first = self.queued.iter().filter(|_| self.has_device);
        // Which of two that enter, start and leave together is the head, nobody knows.
        let head = match (first.next(), first.next()) {
            (Some(a), Some(b)) if (a.0, a.1) == (b.0, b.1) && self.facts.is_twice(a.1[2]) => None,
            (first, _) => first.map(|key| key.2),
        };
        if self.head.as_ref().map(|head| head.op) != head {
            self.head = head.and_then(|op| self.take_head(op));
            for sm in 0..self.used.len() {
                self.look_at(sm);
            }
        }
        if let Some(head) = &mut self.head {
            head.since = if head.count > 0 { head.since.or(Some(at)) } else { None };
        }
    }

    fn take_head(&self, op: usize) -> Option<Head> {
        let (_, kernel) = self.facts.kernel(&self.facts.ops[op])?;
        let need = Resources::of_block(&self.facts.setup.device, kernel);
        let fits = vec![false; self.used.len()];
        Some(Head { op, need, mask: kernel.mask, fits, count: 0, since: None })
    }
}

/// Copies whose engine was free, with nothing before them in their queue.
fn copies(facts: &Facts, entries: &[Entry], found: &mut Vec<Late>) {
    if facts.config.copies != CopyTimes::OnEngine {
        return;
    }
    let engines = grouped(facts, |op| facts.copy(op).filter(|_| op.start.is_some()).map(|copy| copy.engine));
    for mut queue in engines.into_values() {
        base::sort::sort_by_key(&mut queue, |&op| (facts.ops[op].queued_until, facts.ops[op].end.0));
        let mut free = Nanos::ZERO;
        for op in queue {
            let at = facts.ops[op].queued_until;
            let late = at.since(free.max(entries[op].entered_by(facts.config.clocks)));
            if late > facts.config.tolerance {
                found.push(Late { op, block: None, at, late });
            }
            free = free.max(facts.ops[op].end.0);
        }
    }
}
