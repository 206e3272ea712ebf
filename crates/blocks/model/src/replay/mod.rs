//! A run told one thing at a time: its events, and the state after any number of them.
//!
//! Works for simulated and measured runs, sensible or not. Every state is found from the steps at which each
//! operation and block goes from one place to the next, so it takes as long as it is large, wherever it is in the run
//! and from wherever one comes.

mod build;
mod event;
mod stab;
mod state;

#[cfg(test)]
mod tests;

pub use event::{Event, EventKind};
pub use state::{EeQueue, InStream, Motion, Resident, SmState, Stage, State};

use std::borrow::Cow;
use std::collections::BTreeMap;

use self::build::{NEVER, Op};
use self::stab::Spans;
use super::device::MOST_SMS;
use super::resources::{Resource, Resources};
use super::trace::{OpId, Subject, Trace};
use super::workload::Setup;
use base::Nanos;

/// More copy engines than any device has.
const MOST_ENGINES: u16 = 64;

/// A run that is told.
pub struct Replay<'a> {
    setup: Cow<'a, Setup>,
    trace: Cow<'a, Trace>,
    events: Vec<Event>,
    /// Before each event, and after the last, how many blocks have started and ended.
    counts: Vec<(u32, u32)>,
    ops: Vec<Op>,
    streams: Vec<Line>,
    /// The blocks that start, in order; whose they are; and where in this order those of each launch stand.
    starting: Vec<u32>,
    owners: Vec<u32>,
    places: Vec<u32>,
    ending: Vec<u32>,
    spans: Spans,
    /// The steps at which the device goes to somebody.
    turns: Vec<(u32, Option<u32>)>,
    /// What a block of each kernel takes.
    needs: Vec<Resources>,
    /// Copy engines: those of the device, and those that copies say they used.
    engines: usize,
}

/// The operations of a stream, by their indices, with bounds that find those in its queue at a step.
#[derive(Default)]
struct Line {
    ops: Vec<u32>,
    /// The latest end of each and all before.
    ended: Vec<u32>,
    /// The earliest issue of each and all after.
    issued: Vec<u32>,
}

impl<'a> Replay<'a> {
    /// The events of a run.
    pub fn new(setup: &'a Setup, trace: &'a Trace) -> Self {
        Self::made(Cow::Borrowed(setup), Cow::Borrowed(trace))
    }

    /// The events of a run that is kept with them.
    pub fn keeping(setup: Setup, trace: Trace) -> Replay<'static> {
        Replay::made(Cow::Owned(setup), Cow::Owned(trace))
    }

    fn made(setup: Cow<'a, Setup>, trace: Cow<'a, Trace>) -> Self {
        let build::Built { events, ops, starting, ending } = build::build(&setup, &trace);
        let mut replay = Self {
            counts: Vec::with_capacity(events.len() + 1),
            streams: lines(&setup, &ops),
            ops,
            owners: vec![NEVER; starting.len()],
            places: vec![NEVER; trace.blocks.len()],
            starting,
            ending,
            spans: Spans::default(),
            turns: Vec::new(),
            needs: setup.kernels.iter().map(|kernel| Resources::of_block(&setup.device, kernel)).collect(),
            engines: engines(&setup, &trace),
            events,
            setup,
            trace,
        };
        replay.count();
        replay
    }

    /// Counts what has started and ended before each event, and finds the span of each block.
    fn count(&mut self) {
        let (mut started, mut ended) = (0_usize, 0_usize);
        let mut ends = vec![NEVER; self.starting.len()];
        let mut order = vec![NEVER; self.trace.blocks.len()];
        for (step, event) in (1_u32..).zip(&self.events) {
            self.counts.push((started as u32, ended as u32));
            match event.kind {
                EventKind::BlocksAssigned { kernel, count, .. } => {
                    for place in started..started + count as usize {
                        order[self.starting[place] as usize] = place as u32;
                        self.owners[place] = kernel as u32;
                    }
                    started += count as usize;
                }
                EventKind::BlocksEnded { count, .. } => {
                    for block in &self.ending[ended..ended + count as usize] {
                        // One that ends in a step before it starts is never there.
                        if let Some(end) = ends.get_mut(order[*block as usize] as usize) {
                            *end = step;
                        }
                    }
                    ended += count as usize;
                }
                EventKind::DeviceTo(process) => self.turns.push((step, process)),
                _ => {}
            }
        }
        self.counts.push((started as u32, ended as u32));
        self.spans = Spans::new(&ends);
        for run in &self.trace.kernels {
            let places = order.get(run.blocks.clone()).unwrap_or_default();
            if let Some(slots) = self.places.get_mut(run.blocks.clone()) {
                slots.copy_from_slice(places);
                slots.sort_unstable();
            }
        }
    }

    /// All events, ascending by time.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The numbers of the blocks that start or end in an event, in that order; nothing for other events.
    pub fn blocks(&self, event: usize) -> Vec<u32> {
        let (Some(kind), Some(&(started, ended))) =
            (self.events.get(event).map(|e| e.kind), self.counts.get(event))
        else {
            return Vec::new();
        };
        let (kernel, blocks) = match kind {
            EventKind::BlocksAssigned { kernel, count, .. } => {
                (kernel, &self.starting[started as usize..(started + count) as usize])
            }
            EventKind::BlocksEnded { kernel, count } => {
                (kernel, &self.ending[ended as usize..(ended + count) as usize])
            }
            _ => return Vec::new(),
        };
        let first = self.trace.kernels[kernel].blocks.start as u32;
        blocks.iter().map(|block| block - first).collect()
    }

    /// How many events there are up to and including a time.
    pub fn step_at(&self, time: Nanos) -> usize {
        self.events.partition_point(|event| event.at <= time)
    }

    /// The state after the first `step` events; after all of them for larger numbers.
    pub fn state_at(&self, step: usize) -> State {
        let step = step.min(self.events.len());
        let at = step.checked_sub(1).map_or(Nanos::ZERO, |last| self.events[last].at);
        let mut state = State { at, device: self.device_at(step as u32), ..State::default() };
        let started = self.counts.get(step).map_or(0, |counts| counts.0);
        self.queues(step as u32, started, &mut state);
        self.sms(step as u32, started as usize, &mut state);
        state
    }

    fn device_at(&self, step: u32) -> Option<u32> {
        let turns = self.turns.partition_point(|(turn, _)| *turn <= step);
        turns.checked_sub(1).and_then(|last| self.turns[last].1)
    }

    /// Fills in the queues of streams, EE queues, CE queues and copy engines.
    fn queues(&self, step: u32, started: u32, state: &mut State) {
        state.copying = vec![None; self.engines];
        let mut ce = vec![Vec::new(); self.engines];
        let mut ee = BTreeMap::<(u32, i32), Vec<(u32, OpId, u32)>>::new();
        for (stream, line) in self.setup.streams.iter().zip(&self.streams) {
            let mut queue = Vec::new();
            for op in line.at(step).map(|&op| &self.ops[op as usize]) {
                if op.issued > step || op.ended <= step {
                    continue;
                }
                let stage = self.stage(op, step, started);
                queue.push(InStream { op: op.id, stage });
                let queued = matches!(stage, Stage::Queued | Stage::Starting);
                match op.subject {
                    Subject::Kernel(run) if queued => {
                        let left = self.grid(run).saturating_sub(self.started(run, started));
                        let ops = ee.entry((stream.process, stream.priority)).or_default();
                        ops.push((op.place, op.id, left));
                    }
                    Subject::Copy(run) => {
                        let engine = usize::from(self.trace.copies[run].engine);
                        if let Some(queue) = ce.get_mut(engine).filter(|_| queued) {
                            queue.push((op.place, op.id));
                        } else if let (Some(slot), Stage::Running) = (state.copying.get_mut(engine), stage) {
                            *slot = Some(op.id);
                        }
                    }
                    Subject::Kernel(_) => {}
                }
            }
            state.streams.push(queue);
        }
        for ((process, priority), mut ops) in ee {
            ops.sort_unstable();
            let ops = ops.into_iter().map(|(_, op, left)| (op, left)).collect();
            state.ee.push(EeQueue { process, priority, ops });
        }
        for mut queue in ce {
            queue.sort_unstable();
            state.ce.push(queue.into_iter().map(|(_, op)| op).collect());
        }
    }

    fn stage(&self, op: &Op, step: u32, started: u32) -> Stage {
        if op.left <= step {
            return Stage::Running;
        }
        match op.subject {
            Subject::Kernel(run) if self.started(run, started) > 0 => Stage::Starting,
            _ if op.queued <= step => Stage::Queued,
            _ => Stage::Waiting,
        }
    }

    /// How many blocks of a launch are among the first so many that start.
    fn started(&self, run: usize, started: u32) -> u32 {
        let places = self.places.get(self.trace.kernels[run].blocks.clone()).unwrap_or_default();
        places.partition_point(|&place| place < started) as u32
    }

    fn grid(&self, run: usize) -> u32 {
        self.setup.kernels.get(self.trace.kernels[run].kernel).map_or(0, |kernel| kernel.blocks)
    }

    /// Fills in the SMs.
    fn sms(&self, step: u32, started: usize, state: &mut State) {
        let mut sms = vec![SmState::default(); usize::from(self.setup.device.sms.min(MOST_SMS))];
        self.spans.open(started, step, |place| {
            let (block, kernel) = (self.starting[place] as usize, self.owners[place] as usize);
            let Some(sm) = sms.get_mut(usize::from(self.trace.blocks[block].sm)) else { return };
            let launch = &self.trace.kernels[kernel];
            let process = self.setup.streams[launch.stream].process;
            let paused = state.device.is_some_and(|device| device != process);
            let motion = if paused { Motion::Paused } else { Motion::Running };
            let block = (block - launch.blocks.start) as u32;
            sm.blocks.push(Resident { kernel, block, motion });
            if motion == Motion::Running {
                let need = self.needs[launch.kernel];
                sm.threads_used += need.get(Resource::Threads);
                sm.shared_memory_used += need.get(Resource::SharedMemory);
                sm.registers_used += need.get(Resource::Registers);
            }
        });
        state.sms = sms;
    }
}

fn engines(setup: &Setup, trace: &Trace) -> usize {
    let used = trace.copies.iter().map(|copy| copy.engine.saturating_add(1)).max();
    usize::from(used.unwrap_or_default().max(setup.device.copy_engines).clamp(1, MOST_ENGINES))
}

fn lines(setup: &Setup, ops: &[Op]) -> Vec<Line> {
    let mut lines: Vec<Line> = setup.streams.iter().map(|_| Line::default()).collect();
    for (i, op) in ops.iter().enumerate() {
        let line = &mut lines[op.stream];
        line.ops.push(i as u32);
        line.ended.push(line.ended.last().copied().unwrap_or_default().max(op.ended));
        line.issued.push(op.issued);
    }
    for line in &mut lines {
        for i in (1..line.issued.len()).rev() {
            line.issued[i - 1] = line.issued[i - 1].min(line.issued[i]);
        }
    }
    lines
}

impl Line {
    /// All that may be in the queue after so many events, in the order of issue.
    fn at(&self, step: u32) -> impl Iterator<Item = &u32> {
        let from = self.ended.partition_point(|&ended| ended <= step);
        let to = self.issued.partition_point(|&issued| issued <= step);
        self.ops.get(from..to).unwrap_or_default().iter()
    }
}
