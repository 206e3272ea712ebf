//! The simulator's twin for tests: the rules one by one, over plain lists, everything looked at again and again.
//!
//! It is written from the rules alone. Time goes on by the least that is left of anything.

use super::trace::{BlockRun, CopyRun, KernelRun, OpId, Slice, Trace};
use super::workload::{Action, Direction, Placement, Repeat, StreamKind, Switch, Workload};
use crate::base::Nanos;

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

    fn step_2_programs(&mut self) -> bool {
        let mut acted = false;
        loop {
            for actor in 0..self.actors.len() {
                while !self.closed && self.act(actor) {
                    acted = true;
                }
            }
            let together = (0..self.actors.len()).filter(|&actor| {
                self.workload.programs[actor].repeat.lockstep && self.actors[actor].wait != Wait::Over
            });
            let together: Vec<usize> = together.collect();
            let all = together.iter().all(|&actor| self.actors[actor].wait == Wait::Gate);
            if together.is_empty() || !all || self.closed {
                return acted;
            }
            for actor in together {
                self.actors[actor].wait = Wait::Nothing;
                self.actors[actor].levels[0].next = Some(0);
            }
        }
    }

    /// One thing a program does; whether it did.
    fn act(&mut self, actor: usize) -> bool {
        let keeps = match self.actors[actor].wait {
            Wait::Nothing => false,
            Wait::Until(time) => self.now < time,
            Wait::Stream(stream) => self.head(stream).is_some(),
            Wait::Device => {
                let process = self.workload.programs[actor].process;
                let streams = &self.workload.setup.streams;
                (0..streams.len()).any(|it| streams[it].process == process && self.head(it).is_some())
            }
            Wait::Op(op) => self.ops[op].end.is_none(),
            Wait::Gate | Wait::Over => true,
        };
        if keeps {
            return false;
        }
        let now = self.now;
        let it = &mut self.actors[actor];
        it.wait = Wait::Nothing;
        let depth = it.levels.len();
        let Some(level) = it.levels.last_mut() else {
            it.wait = Wait::Over;
            return true;
        };
        let repeat = level.repeat;
        match level.next {
            None => {
                let enough = repeat.rounds.is_some_and(|rounds| level.round == rounds);
                if enough || repeat.time.is_some_and(|time| now - level.start >= time.0) {
                    it.levels.pop();
                } else if depth == 1 && repeat.lockstep {
                    it.wait = Wait::Gate;
                } else {
                    level.next = Some(0);
                }
            }
            Some(next) if next == repeat.body.len() => {
                level.round += 1;
                level.next = None;
            }
            Some(next) => {
                level.next = Some(next + 1);
                self.does(actor, &repeat.body[next]);
            }
        }
        true
    }

    fn does(&mut self, actor: usize, action: &'a Action) {
        let wait = match *action {
            Action::Launch { stream, kernel } => {
                let launched: usize = self.ops.iter().map(|op| op.blocks.len()).sum();
                let blocks = self.workload.setup.kernels[kernel].blocks as usize;
                if (launched + blocks) as u64 > self.workload.most_blocks {
                    self.closed = true;
                } else {
                    self.issue(actor, stream, Some(kernel), None, blocks);
                }
                Wait::Nothing
            }
            Action::Copy { stream, copy, wait } => {
                let copies = self.ops.iter().filter(|op| op.copy.is_some()).count();
                if copies as u64 == self.workload.most_blocks {
                    self.closed = true;
                } else {
                    self.issue(actor, stream, None, Some(copy), 0);
                }
                if wait { Wait::Op(self.ops.len() - 1) } else { Wait::Nothing }
            }
            Action::Sleep(nanos) => Wait::Until(self.now + nanos.0),
            Action::WaitStream(stream) => Wait::Stream(stream),
            Action::WaitDevice => Wait::Device,
            Action::Repeat(ref repeat) => {
                let start = self.now + repeat.release.0;
                self.actors[actor].levels.push(Level { repeat, start, round: 0, next: None });
                Wait::Until(start)
            }
        };
        self.actors[actor].wait = if self.closed { Wait::Over } else { wait };
    }

    fn issue(
        &mut self,
        actor: usize,
        stream: usize,
        kernel: Option<usize>,
        copy: Option<usize>,
        blocks: usize,
    ) {
        let round = self.actors[actor].levels[0].round as u32;
        let blocks = vec![(0, 0, None); blocks];
        let (queued, start, dispatched, end) = (None, None, None, None);
        let issued = self.now;
        self.ops.push(Op { stream, kernel, copy, round, issued, queued, start, dispatched, end, blocks });
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

    fn step_5_blocks(&mut self) -> bool {
        let Some(process) = self.turn() else { return false };
        let mut any = false;
        while let Some(op) = self.foremost(process)
            && let Some(sm) = self.sm_for(op, process)
        {
            any = true;
            self.last_sm = Some(sm);
            let it = &mut self.ops[op];
            let block = self.blocks.iter().filter(|it| it.op == op).count()
                + it.blocks.iter().filter(|block| block.2.is_some()).count();
            it.blocks[block] = (sm, self.now, None);
            it.start.get_or_insert(self.now);
            let kernel = &self.workload.setup.kernels[it.kernel.unwrap()];
            let left = kernel.duration.of(block as u32).0;
            self.blocks.push(Running { op, block, left });
            if block + 1 == self.ops[op].blocks.len() {
                self.ops[op].dispatched = Some(self.now);
                self.queued.retain(|&queued| queued != op);
            }
        }
        any
    }

    fn process(&self, op: usize) -> u32 {
        self.workload.setup.streams[self.ops[op].stream].process
    }

    /// The kernel whose blocks a process may start: of the most urgent, the first to have entered.
    fn foremost(&self, process: u32) -> Option<usize> {
        let priority = |op: usize| self.workload.setup.streams[self.ops[op].stream].priority;
        let own = self.queued.iter().copied();
        let own = own.filter(|&op| self.ops[op].kernel.is_some() && self.process(op) == process);
        own.min_by_key(|&op| priority(op))
    }

    /// The SM for the next block of a kernel.
    fn sm_for(&self, op: usize, process: u32) -> Option<u16> {
        let Workload { setup, placement, .. } = self.workload;
        let (device, kernels) = (&setup.device, &setup.kernels);
        let kernel = &kernels[self.ops[op].kernel.unwrap()];
        let mut fitting = Vec::new();
        for sm in kernel.mask.below(device.sms) {
            let here = self
                .blocks
                .iter()
                .filter(|it| self.ops[it.op].blocks[it.block].0 == sm && self.process(it.op) == process);
            let here: Vec<_> = here.map(|it| &kernels[self.ops[it.op].kernel.unwrap()]).collect();
            let all = || here.iter().copied().chain([kernel]);
            let threads: u32 = all().map(|kernel| device.granted(kernel.threads)).sum();
            let fits = threads <= device.threads_per_sm
                && all().map(|kernel| kernel.shared_memory).sum::<u32>() <= device.shared_memory_per_sm
                && all().map(|kernel| kernel.threads * kernel.registers).sum::<u32>()
                    <= device.registers_per_sm
                && all().count() <= device.blocks_per_sm as usize;
            if fits {
                fitting.push((sm, threads, here.len()));
            }
        }
        let after = |sm: u16| self.last_sm.is_some_and(|last| sm <= last);
        let chosen = match placement {
            Placement::MostFreeThreads => fitting.iter().min_by_key(|&&(sm, threads, _)| (threads, sm)),
            Placement::FewestBlocks => fitting.iter().min_by_key(|&&(sm, _, blocks)| (blocks, sm)),
            Placement::RoundRobin => fitting.iter().min_by_key(|&&(sm, ..)| (after(sm), sm)),
            Placement::LowestFirst => fitting.first(),
            Placement::HighestFirst => fitting.last(),
        };
        chosen.map(|&(sm, ..)| sm)
    }

    fn has_queued(&self, process: u32) -> bool {
        self.foremost(process).is_some()
    }

    fn has_running(&self, process: u32) -> bool {
        self.blocks.iter().any(|it| self.process(it.op) == process)
    }

    /// The processes that could use the device, in the order in which they are given it.
    fn takers(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.workload.setup.streams.iter().map(|it| it.process).collect();
        all.sort_by_key(|&process| (self.holder_before.is_some_and(|before| process <= before), process));
        all.dedup();
        all.retain(|&process| self.has_queued(process) || self.has_running(process));
        all
    }

    /// The process that may start blocks (P1).
    fn turn(&mut self) -> Option<u32> {
        let slicing = self.workload.slicing;
        loop {
            let Some(holder) = self.holder else {
                self.holder = Some(*self.takers().first()?);
                (self.since, self.draining) = (self.now, false);
                continue;
            };
            let (running, queued) = (self.has_running(holder), self.has_queued(holder));
            let others = self.takers().iter().any(|&process| process != holder);
            let over = others && self.now - self.since >= slicing.quantum.0.max(1);
            self.draining |= over && slicing.switch == Switch::Drain;
            let done = !running && (!queued || self.draining);
            if done || over && slicing.switch == Switch::Preempt {
                let (start, end) = (Nanos(self.since), Nanos(self.now));
                self.slices.push(Slice { process: holder, start, end });
                self.holder_before = self.holder.take();
            } else {
                return Some(holder).filter(|_| !self.draining);
            }
        }
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
