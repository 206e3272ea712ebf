//! From a trace to its events: when everything happens, and what comes first at one instant.
//!
//! At one instant things end, are issued, enter their queues, start. Where something ends at the instant at which
//! it started, what waits for it comes after: each such turn is a pass of its own. What of all that the host did in
//! which pass no record tells, so that within such an instant things may have come in another order. Records need not make sense for
//! this: what is out of range is left out, what ends before it starts ends at once, and what starts before it was
//! issued or queued was so when it started.

use std::collections::BTreeMap;

use super::event::{Event, EventKind};
use crate::trace::{OpId, Subject, Trace};
use crate::workload::{Setup, StreamKind};
use base::Nanos;

/// The events of a run, with the blocks that start and end in them.
#[derive(Default)]
pub(super) struct Built {
    pub events: Vec<Event>,
    /// Operations, ascending.
    pub ops: Vec<Op>,
    /// The blocks that start, event by event, and those that end.
    pub starting: Vec<u32>,
    pub ending: Vec<u32>,
}

/// An operation, and the steps at which it goes from one place to the next: the number of events until then.
pub(super) struct Op {
    pub id: OpId,
    pub subject: Subject,
    pub stream: usize,
    pub issued: u32,
    pub queued: u32,
    /// When it left its EE or CE queue.
    pub left: u32,
    pub ended: u32,
    /// Its place among all that enter EE and CE queues.
    pub place: u32,
}

/// A step that is never taken.
pub(super) const NEVER: u32 = u32::MAX;

/// An instant, and the turn in it.
type Turn = (Nanos, u32);

/// What of the things at one turn comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Ends,
    Device,
    Issued,
    Queued,
    Starts,
}

/// An event before it has its place.
struct Draft {
    turn: Turn,
    rank: Rank,
    /// Among blocks that start: by queue, then by when they came to it.
    queue: (i32, Turn),
    kind: EventKind,
    /// Its blocks, as a range of the drafted ones.
    blocks: (u32, u32),
}

/// The events of a trace.
pub(super) fn build(setup: &Setup, trace: &Trace) -> Built {
    let mut drafter = Drafter::new(setup, trace);
    let mut ops: Vec<(OpId, Subject, usize)> = Vec::new();
    for (run, launch) in trace.kernels.iter().enumerate() {
        if launch.kernel < setup.kernels.len() && launch.stream < setup.streams.len() {
            ops.push((launch.op, Subject::Kernel(run), launch.stream));
        }
    }
    for (run, copy) in trace.copies.iter().enumerate() {
        if copy.copy < setup.copies.len() && copy.stream < setup.streams.len() {
            ops.push((copy.op, Subject::Copy(run), copy.stream));
        }
    }
    base::sort::sort_by_key(&mut ops, |(op, ..)| *op);
    ops.dedup_by_key(|(op, ..)| *op);
    for &(op, subject, stream) in &ops {
        match subject {
            Subject::Kernel(run) => drafter.kernel(op, run, stream),
            Subject::Copy(run) => drafter.copy(op, run, stream),
        }
    }
    drafter.slices();
    drafter.build(ops)
}

struct Drafter<'a> {
    setup: &'a Setup,
    trace: &'a Trace,
    drafts: Vec<Draft>,
    blocks: Vec<u32>,
    taken: Vec<bool>,
    /// The last end in each stream, and in the null stream and the blocking streams of each process.
    streams: Vec<Turn>,
    null: BTreeMap<u32, Turn>,
    blocking: BTreeMap<u32, Turn>,
    engines: BTreeMap<u16, Turn>,
}

impl<'a> Drafter<'a> {
    fn new(setup: &'a Setup, trace: &'a Trace) -> Self {
        Self {
            setup,
            trace,
            drafts: Vec::with_capacity(6 * trace.kernels.len() + 4 * trace.copies.len()),
            blocks: Vec::with_capacity(2 * trace.blocks.len()),
            taken: vec![false; trace.blocks.len()],
            streams: vec![(Nanos::ZERO, 0); setup.streams.len()],
            null: BTreeMap::new(),
            blocking: BTreeMap::new(),
            engines: BTreeMap::new(),
        }
    }

    fn draft(&mut self, turn: Turn, rank: Rank, kind: EventKind) {
        self.drafts.push(Draft { turn, rank, queue: (0, (Nanos::ZERO, 0)), kind, blocks: (0, 0) });
    }

    /// The turn at which an operation enters its queue: after what it waited for, if that ended at this instant.
    fn enters(&mut self, op: OpId, stream: usize, issued: Nanos, queued: Nanos) -> Turn {
        let own = &self.setup.streams[stream];
        let across = match own.kind {
            StreamKind::Null => self.blocking.get(&own.process),
            StreamKind::Blocking => self.null.get(&own.process),
            StreamKind::NonBlocking => None,
        };
        let waited = [Some(&self.streams[stream]), across];
        let same = waited.into_iter().flatten().filter(|(at, _)| *at == queued);
        let turn = (queued, same.map(|(_, pass)| *pass).max().unwrap_or_default());
        self.draft((issued, 0), Rank::Issued, EventKind::Issued(op));
        self.draft(turn, Rank::Queued, EventKind::Queued(op));
        turn
    }

    fn ends(&mut self, stream: usize, turn: Turn, kind: EventKind) {
        self.draft(turn, Rank::Ends, kind);
        let own = &self.setup.streams[stream];
        let later = |last: &mut Turn| *last = turn.max(*last);
        later(&mut self.streams[stream]);
        match own.kind {
            StreamKind::Null => later(self.null.entry(own.process).or_default()),
            StreamKind::Blocking => later(self.blocking.entry(own.process).or_default()),
            StreamKind::NonBlocking => {}
        }
    }

    fn copy(&mut self, op: OpId, run: usize, stream: usize) {
        let copy = &self.trace.copies[run];
        let issued = copy.issued.min(copy.start);
        let queued = copy.queued.clamp(issued, copy.start);
        let entered = self.enters(op, stream, issued, queued);
        let engine = self.engines.get(&copy.engine).copied().unwrap_or_default();
        let pass = [entered, engine].into_iter().filter(|(at, _)| *at == copy.start).map(|(_, pass)| pass);
        let starts = (copy.start, pass.max().unwrap_or_default());
        self.draft(starts, Rank::Starts, EventKind::CopyStarted(op));
        let ends = if copy.end > copy.start { (copy.end, 0) } else { (copy.start, starts.1 + 1) };
        self.engines.insert(copy.engine, ends.max(engine));
        self.ends(stream, ends, EventKind::CopyEnded(op));
    }

    fn kernel(&mut self, op: OpId, run: usize, stream: usize) {
        let launch = &self.trace.kernels[run];
        let mut blocks = self.blocks_of(run);
        let issued = blocks.first().map_or(launch.launched, |first| launch.launched.min(first.0));
        let latest = blocks.first().map_or(launch.queued.max(issued), |first| first.0);
        let entered = self.enters(op, stream, issued, launch.queued.clamp(issued, latest));
        let queue = (self.setup.streams[stream].priority, entered);
        let turn = |at: Nanos| if at == entered.0 { entered } else { (at, 0) };

        let mut dispatched = entered;
        for group in blocks.chunk_by(|a, b| a.0 == b.0) {
            let first = group.iter().map(|(_, block)| *block).min().unwrap_or_default();
            let (range, count) = (self.take(group, launch.blocks.start), group.len() as u32);
            dispatched = turn(group[0].0);
            let kind = EventKind::BlocksAssigned { kernel: run, first, count };
            self.drafts.push(Draft { turn: dispatched, rank: Rank::Starts, queue, kind, blocks: range });
        }
        let kind = EventKind::Dispatched(op);
        self.drafts.push(Draft { turn: dispatched, rank: Rank::Starts, queue, kind, blocks: (0, 0) });

        // When each block ends: in a turn of its own if it started at the same instant.
        let end = |(start, block): (Nanos, u32)| {
            let end = self.trace.blocks[launch.blocks.start + block as usize].end;
            if end > start { (end, 0) } else { (start, turn(start).1 + 1) }
        };
        let mut ends: Vec<(Turn, u32)> = blocks.drain(..).map(|block| (end(block), block.1)).collect();
        if !ends.is_sorted() {
            base::sort::sort(&mut ends);
        }
        let mut last = (dispatched.0, dispatched.1 + u32::from(ends.is_empty()));
        for group in ends.chunk_by(|a, b| a.0 == b.0) {
            let plain: Vec<(Nanos, u32)> = group.iter().map(|((at, _), block)| (*at, *block)).collect();
            let range = self.take(&plain, launch.blocks.start);
            last = group[0].0;
            let kind = EventKind::BlocksEnded { kernel: run, count: group.len() as u32 };
            let queue = (0, (Nanos::ZERO, 0));
            self.drafts.push(Draft { turn: last, rank: Rank::Ends, queue, kind, blocks: range });
        }
        self.ends(stream, last, EventKind::KernelEnded(op));
    }

    /// The blocks of a launch that no other has, by start.
    fn blocks_of(&mut self, run: usize) -> Vec<(Nanos, u32)> {
        let range = self.trace.kernels[run].blocks.clone();
        let range = range.start..range.end.min(self.taken.len());
        let mut blocks = Vec::with_capacity(range.len());
        for index in range.clone() {
            if std::mem::replace(&mut self.taken[index], true) {
                break;
            }
            blocks.push((self.trace.blocks[index].start, (index - range.start) as u32));
        }
        if !blocks.is_sorted() {
            base::sort::sort(&mut blocks);
        }
        blocks
    }

    fn take(&mut self, group: &[(Nanos, u32)], start: usize) -> (u32, u32) {
        let from = self.blocks.len() as u32;
        self.blocks.extend(group.iter().map(|(_, block)| start as u32 + block));
        (from, self.blocks.len() as u32)
    }

    fn slices(&mut self) {
        let slices = &self.trace.slices;
        for (i, slice) in slices.iter().enumerate() {
            self.draft((slice.start, 0), Rank::Device, EventKind::DeviceTo(Some(slice.process)));
            if slices.get(i + 1).is_none_or(|next| next.start > slice.end) {
                self.draft((slice.end.max(slice.start), 0), Rank::Device, EventKind::DeviceTo(None));
            }
        }
    }

    /// Puts the drafts in order and counts the steps.
    fn build(self, ops: Vec<(OpId, Subject, usize)>) -> Built {
        let Self { trace, drafts, blocks, .. } = self;
        let mut order: Vec<u32> = (0..drafts.len() as u32).collect();
        let key = |&i: &u32| {
            let Draft { turn, rank, queue, .. } = drafts[i as usize];
            (turn, rank, queue, i)
        };
        base::sort::sort_by_key(&mut order, key);
        let op = |(id, subject, stream)| Op {
            id,
            subject,
            stream,
            issued: NEVER,
            queued: NEVER,
            left: NEVER,
            ended: NEVER,
            place: NEVER,
        };
        let mut built = Built { ops: ops.into_iter().map(op).collect(), ..Built::default() };
        for (step, &i) in (1..).zip(&order) {
            let Draft { turn, kind, blocks: (from, to), .. } = drafts[i as usize];
            built.events.push(Event { at: turn.0, kind });
            let of_event = &blocks[from as usize..to as usize];
            match kind {
                EventKind::Issued(op) => built.reach(op, |op| op.issued = step),
                EventKind::Queued(op) => built.reach(op, |op| op.queued = step),
                EventKind::Dispatched(op) | EventKind::CopyStarted(op) => {
                    built.reach(op, |op| op.left = step)
                }
                EventKind::KernelEnded(op) | EventKind::CopyEnded(op) => {
                    built.reach(op, |op| op.ended = step)
                }
                EventKind::BlocksAssigned { .. } => built.starting.extend(of_event),
                EventKind::BlocksEnded { .. } => built.ending.extend(of_event),
                EventKind::DeviceTo(_) => {}
            }
        }
        let twice = drafts.iter().filter(|draft| draft.turn.1 > 0).map(|draft| draft.turn.0).collect();
        built.place(trace, twice);
        built
    }
}

impl Built {
    /// Puts operations in the order in which they enter queues: at one instant in that of their events. Where things
    /// begin and end at that instant, the host may have issued some of them late in it, which no record tells; then
    /// they stand as they start.
    fn place(&mut self, trace: &Trace, mut twice: Vec<Nanos>) {
        base::sort::sort(&mut twice);
        let mut order: Vec<(Nanos, (Nanos, u32), u32, usize)> = Vec::with_capacity(self.ops.len());
        for (i, op) in self.ops.iter().enumerate() {
            let Some(last) = op.queued.checked_sub(1) else { continue };
            let at = self.events.get(last as usize).map_or(Nanos::NEVER, |event| event.at);
            let start = match op.subject {
                _ if twice.binary_search(&at).is_err() => (Nanos::ZERO, 0),
                Subject::Kernel(run) => (trace.kernels[run].start, op.left),
                Subject::Copy(run) => (trace.copies[run].start, op.left),
            };
            order.push((at, start, op.queued, i));
        }
        base::sort::sort(&mut order);
        for (place, (.., i)) in (0..).zip(order) {
            self.ops[i].place = place;
        }
    }

    fn reach(&mut self, op: OpId, set: impl FnOnce(&mut Op)) {
        if let Ok(found) = self.ops.binary_search_by_key(&op, |op| op.id) {
            set(&mut self.ops[found]);
        }
    }
}
