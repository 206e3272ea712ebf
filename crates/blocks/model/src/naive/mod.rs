//! The simulator's twin for tests: the rules one by one, over plain lists, everything looked at again and again.
//!
//! It is written from the rules alone. Time goes on by the least that is left of anything.

mod device;
mod host;

use super::trace::{BlockRun, CopyRun, KernelRun, OpId, Slice, Trace};
use super::workload::{Direction, Repeat, StreamKind, Workload};
use base::Nanos;

/// What comes of a workload.
pub fn simulate(workload: &Workload) -> Trace {
    let mut naive = Naive::new(workload);
    loop {
        while naive.instant() {}
        let Some(left) = naive.least_left() else { return naive.trace() };
        naive.pass(left);
    }
}

/// What keeps a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wait {
    Nothing,
    Until(u64),
    Stream(usize),
    Device,
    Op(usize),
    /// Before a round in lockstep.
    Gate,
    Over,
}

/// A repeat that a program is in.
#[derive(Debug)]
struct Level<'a> {
    repeat: &'a Repeat,
    start: u64,
    round: u64,
    /// The next action of the round; nothing between two rounds.
    next: Option<usize>,
}

#[derive(Debug)]
struct Actor<'a> {
    levels: Vec<Level<'a>>,
    wait: Wait,
}

/// An operation that was issued.
#[derive(Debug)]
struct Op {
    stream: usize,
    kernel: Option<usize>,
    copy: Option<usize>,
    round: u32,
    issued: u64,
    queued: Option<u64>,
    start: Option<u64>,
    dispatched: Option<u64>,
    end: Option<u64>,
    /// Of each block: its SM, its start, its end once it has ended.
    blocks: Vec<(u16, u64, Option<u64>)>,
}

/// A block or a copy that runs.
#[derive(Debug)]
struct Running {
    op: usize,
    block: usize,
    left: u64,
}

#[derive(Debug)]
struct Naive<'a> {
    workload: &'a Workload,
    now: u64,
    actors: Vec<Actor<'a>>,
    ops: Vec<Op>,
    /// All EE queues and all CE queues in one list, in the order of entering.
    queued: Vec<usize>,
    blocks: Vec<Running>,
    copies: Vec<Running>,
    holder: Option<u32>,
    since: u64,
    draining: bool,
    holder_before: Option<u32>,
    last_sm: Option<u16>,
    closed: bool,
    slices: Vec<Slice>,
}

impl<'a> Naive<'a> {
    fn new(workload: &'a Workload) -> Self {
        let actor = |repeat: &'a Repeat| {
            let release = repeat.release.0;
            Actor {
                levels: vec![Level { repeat, start: release, round: 0, next: None }],
                wait: Wait::Until(release),
            }
        };
        Self {
            workload,
            now: 0,
            actors: workload.programs.iter().map(|program| actor(&program.repeat)).collect(),
            ops: Vec::new(),
            queued: Vec::new(),
            blocks: Vec::new(),
            copies: Vec::new(),
            holder: None,
            since: 0,
            draining: false,
            holder_before: None,
            last_sm: None,
            closed: false,
            slices: Vec::new(),
        }
    }

    /// One turn through the five steps; whether anything happened.
    fn instant(&mut self) -> bool {
        let ended = self.step_1_ends();
        let acted = self.step_2_programs();
        let entered = self.step_3_heads_enter();
        let copying = self.step_4_copies();
        let started = self.step_5_blocks();
        ended || acted || entered || copying || started
    }

    fn step_1_ends(&mut self) -> bool {
        let before = self.blocks.len() + self.copies.len();
        let (now, ops) = (self.now, &mut self.ops);
        self.blocks.retain(|it| {
            if it.left == 0 {
                ops[it.op].blocks[it.block].2 = Some(now);
            }
            it.left > 0
        });
        self.copies.retain(|it| {
            if it.left == 0 {
                ops[it.op].end = Some(now);
            }
            it.left > 0
        });
        for op in ops.iter_mut().filter(|op| op.dispatched.is_some() && op.end.is_none()) {
            if op.blocks.iter().all(|block| block.2.is_some()) {
                op.end = Some(now);
            }
        }
        before > self.blocks.len() + self.copies.len()
    }

    /// The head of a stream's queue.
    fn head(&self, stream: usize) -> Option<usize> {
        (0..self.ops.len()).find(|&op| self.ops[op].stream == stream && self.ops[op].end.is_none())
    }

    fn step_3_heads_enter(&mut self) -> bool {
        let streams = &self.workload.setup.streams;
        let heads: Vec<Option<usize>> = (0..streams.len()).map(|stream| self.head(stream)).collect();
        let mut entering = Vec::new();
        for (stream, head) in heads.iter().enumerate() {
            let Some(op) = *head else { continue };
            let minds = match streams[stream].kind {
                StreamKind::Null => StreamKind::Blocking,
                StreamKind::Blocking => StreamKind::Null,
                StreamKind::NonBlocking => StreamKind::NonBlocking,
            };
            let held = heads.iter().zip(streams).any(|(other, it)| {
                minds != StreamKind::NonBlocking
                    && it.process == streams[stream].process
                    && it.kind == minds
                    && other.is_some_and(|other| other < op)
            });
            if self.ops[op].queued.is_none() && !held {
                entering.push(op);
            }
        }
        entering.sort_unstable();
        for &op in &entering {
            self.ops[op].queued = Some(self.now);
            self.queued.push(op);
        }
        !entering.is_empty()
    }

    fn engine(&self, op: usize) -> u16 {
        let Some(copy) = self.ops[op].copy else { return 0 };
        let setup = &self.workload.setup;
        u16::from(setup.device.copy_engines >= 2 && setup.copies[copy].direction == Direction::Out)
    }

    fn step_4_copies(&mut self) -> bool {
        let mut any = false;
        for engine in 0..2 {
            let mut waiting = self.queued.iter().copied();
            let first = waiting.find(|&op| self.ops[op].copy.is_some() && self.engine(op) == engine);
            let busy = self.copies.iter().any(|it| self.engine(it.op) == engine);
            let Some(op) = first.filter(|_| !busy) else { continue };
            let Some(copy) = self.ops[op].copy else { continue };
            self.queued.retain(|&queued| queued != op);
            self.ops[op].start = Some(self.now);
            let left = self.workload.setup.copies[copy].duration.0;
            self.copies.push(Running { op, block: 0, left });
            any = true;
        }
        any
    }

    /// How long it is until something happens.
    fn least_left(&self) -> Option<u64> {
        let holds = |it: &&Running| Some(self.process(it.op)) == self.holder;
        let blocks = self.blocks.iter().filter(holds).map(|it| it.left);
        let copies = self.copies.iter().map(|it| it.left);
        let sleepers = self.actors.iter().filter_map(|actor| match actor.wait {
            Wait::Until(time) if !self.closed => Some(time - self.now),
            _ => None,
        });
        let others = self.takers().iter().any(|&process| Some(process) != self.holder);
        let quantum = (self.since + self.workload.slicing.quantum.0.max(1)).checked_sub(self.now);
        let quantum = quantum.filter(|_| others && self.holder.is_some() && !self.draining);
        blocks.chain(copies).chain(sleepers).chain(quantum).min()
    }

    /// Lets time go by.
    fn pass(&mut self, nanos: u64) {
        let streams = &self.workload.setup.streams;
        for it in &mut self.blocks {
            if Some(streams[self.ops[it.op].stream].process) == self.holder {
                it.left -= nanos;
            }
        }
        self.copies.iter_mut().for_each(|it| it.left -= nanos);
        self.now += nanos;
    }

    fn trace(self) -> Trace {
        let mut trace = Trace::default();
        let time = |time: Option<u64>| Nanos(time.unwrap());
        for (index, op) in self.ops.iter().enumerate() {
            let (id, stream, round) = (OpId(index as u32), op.stream, op.round);
            let (issued, queued, start, end) =
                (Nanos(op.issued), time(op.queued), time(op.start), time(op.end));
            trace.end = trace.end.max(end);
            if let Some(kernel) = op.kernel {
                let first = trace.blocks.len();
                let block = |&(sm, start, end)| BlockRun { start: Nanos(start), end: time(end), sm };
                trace.blocks.extend(op.blocks.iter().map(block));
                let blocks = first..trace.blocks.len();
                let (launched, dispatched) = (issued, time(op.dispatched));
                trace.kernels.push(KernelRun {
                    op: id,
                    kernel,
                    stream,
                    round,
                    launched,
                    queued,
                    start,
                    dispatched,
                    end,
                    blocks,
                });
            } else if let Some(copy) = op.copy {
                let engine = self.engine(index);
                trace.copies.push(CopyRun {
                    op: id,
                    copy,
                    stream,
                    round,
                    engine,
                    issued,
                    queued,
                    start,
                    end,
                });
            }
        }
        let mut processes: Vec<u32> = self.workload.setup.streams.iter().map(|it| it.process).collect();
        processes.extend(self.workload.programs.iter().map(|program| program.process));
        processes.sort_unstable();
        processes.dedup();
        if processes.len() > 1 {
            trace.slices = self.slices;
        }
        trace
    }
}
