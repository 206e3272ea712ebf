//! The simulator: what comes of a workload by the published rules, instant by instant.
//!
//! At one instant, in this order and until nothing changes: what ends, ends; host programs act; heads of streams
//! enter EE and CE queues; copies start; blocks start. Then time goes to the next thing that happens. Work is
//! stepped in slices and nothing depends on how it is sliced. A run in which something can never go on (a kernel
//! that fits no SM, times past what can be counted, too many slices) ends at its last instant, and says why. So that
//! every run ends, programs take so many steps at the most for each operation they issue, and so many besides.

mod assign;
mod engines;
mod host;
mod process;
mod queues;
mod record;
mod script;
mod sms;
#[cfg(test)]
mod tests;

use super::device::{Device, MOST_SMS, Mask};
use super::trace::{Hold, Run, Stop};
use super::workload::{Durations, Kernel, Setup, StreamKind, Workload};
use assign::Starting;
use base::{Control, Nanos};
use engines::{Engine, Transfer};
use host::{Closed, Host};
use process::{Holding, Process};
use queues::Line;
use record::Record;
use sms::{Fit, Needs, Sm};

/// How often the device is passed on at the most; a run with more ends there, as cancelled.
pub const MOST_SLICES: usize = 1 << 20;

/// The most steps of programs besides those that issuing operations allows for.
pub const MOST_STEPS: u64 = 20_000_000;

/// Steps that each issued operation allows for.
const STEPS_AN_OPERATION: u64 = 64;

/// No operation, no program.
const NONE: u32 = u32::MAX;

/// What the simulation knows of a kernel.
#[derive(Debug)]
struct Grid {
    blocks: u32,
    needs: Needs,
    duration: Durations,
    mask: Mask,
}

impl Grid {
    fn of(kernel: &Kernel, device: &Device) -> Self {
        let needs = Needs {
            threads: device.granted(kernel.threads),
            shared_memory: kernel.shared_memory,
            registers: device.granted_registers(kernel.threads, kernel.registers),
        };
        Self { blocks: kernel.blocks, needs, duration: kernel.duration.clone(), mask: kernel.mask }
    }
}

/// An operation, by its place among the runs of the trace.
#[derive(Debug, Clone, Copy)]
enum What {
    Kernel(u32),
    Copy(u32),
}

/// How far an operation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// In its stream's queue only.
    Waiting,
    /// In an EE or CE queue.
    Queued,
    /// All its blocks are assigned, or it is on its engine.
    Running,
    Ended,
}

/// An operation that was issued.
#[derive(Debug)]
struct Op {
    what: What,
    stage: Stage,
    stream: u32,
    /// The one before it when it came: in its stream's queue, later in its EE or CE queue.
    before: u32,
    /// The one after it in its stream's queue.
    next: u32,
    /// The last one of the null stream that was issued before it, had not ended then, and concerns it.
    null_before: u32,
    /// Blocks assigned.
    assigned: u32,
    /// Blocks that have not ended.
    left: u32,
    /// The program that waits for it.
    waiter: u32,
    /// What was last written down to hold it back, if nothing else was since.
    hold: Option<Hold>,
}

/// What is done next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Ends,
    Host,
    Enter,
    Start,
    Settle,
    Over,
}

/// A simulation that is stepped.
#[derive(Debug)]
pub struct Simulation {
    now: Nanos,
    phase: Phase,
    most_blocks: u64,
    most_slices: usize,
    most_steps: u64,
    grids: Vec<Grid>,
    copies: Vec<Transfer>,
    host: Host,
    streams: Vec<Line>,
    ops: Vec<Op>,
    /// Heads of streams that may enter an EE or CE queue.
    arriving: Vec<u32>,
    engines: [Engine; 2],
    processes: Vec<Process>,
    holding: Holding,
    fit: Fit,
    starting: Starting,
    /// Operations that have ended.
    ended: usize,
    /// Blocks that have ended.
    done: u64,
    /// Blocks launched.
    launched: u64,
    record: Record,
}

impl Simulation {
    /// A simulation at its beginning.
    pub fn new(workload: &Workload) -> Self {
        let Setup { device, streams, kernels, copies } = &workload.setup;
        let sms = device.sms.min(MOST_SMS);
        let processes = processes(workload, &vec![Sm::empty(device); usize::from(sms)]);
        let place = |number| processes.partition_point(|process| process.number < number);
        let line = |(index, stream): (usize, &super::Stream)| {
            let process = place(stream.process);
            let Process { priorities, null, .. } = &processes[process];
            let queue = priorities.partition_point(|&priority| priority < stream.priority);
            let kind = match stream.kind {
                // Only one can be the null stream.
                StreamKind::Null if *null != Some(index) => StreamKind::NonBlocking,
                kind => kind,
            };
            Line { process, queue, kind, head: NONE, tail: NONE, waiters: Vec::new() }
        };
        Self {
            now: Nanos::ZERO,
            phase: Phase::Host,
            most_blocks: workload.most_blocks,
            most_slices: MOST_SLICES,
            most_steps: MOST_STEPS,
            grids: kernels.iter().map(|kernel| Grid::of(kernel, device)).collect(),
            copies: copies.iter().map(|copy| Transfer::of(copy, device)).collect(),
            host: Host::new(workload, place),
            streams: streams.iter().enumerate().map(line).collect(),
            ops: Vec::new(),
            arriving: Vec::new(),
            engines: Default::default(),
            holding: Holding::new(workload.slicing, processes.len()),
            fit: Fit::new(workload.placement, usize::from(sms)),
            starting: Starting::new(usize::from(sms)),
            processes,
            ended: 0,
            done: 0,
            launched: 0,
            record: Record::default(),
        }
    }

    /// Works until the slice is over or there is nothing more to do; whether there is more.
    pub fn step(&mut self, control: &mut Control) -> bool {
        while self.phase != Phase::Over {
            let units = self.advance();
            if !control.spend(units) {
                break;
            }
        }
        self.phase != Phase::Over
    }

    /// How many blocks have ended so far.
    pub fn done_blocks(&self) -> u64 {
        self.done
    }

    /// How many blocks were launched so far.
    pub fn launched_blocks(&self) -> u64 {
        self.launched
    }

    /// The run as far as it is: the trace holds the kernels and copies that have ended.
    pub fn stop(self) -> Run {
        let stop = self.outcome();
        self.into_run(stop)
    }

    /// The whole run; does what is still to be done.
    pub fn finish(mut self) -> Run {
        while self.step(&mut Control::unlimited()) {}
        self.stop()
    }

    /// Does one part of what happens at an instant; how much work it was.
    fn advance(&mut self) -> u64 {
        let (units, next) = match self.phase {
            Phase::Ends => {
                let units = self.blocks_end();
                self.copies_end();
                (units, Phase::Host)
            }
            Phase::Host => (1, if self.host_acts() { Phase::Host } else { Phase::Enter }),
            Phase::Enter => (self.enter(), Phase::Start),
            Phase::Start => {
                self.copies_start();
                let units = self.blocks_start();
                (units, if self.next_end() <= self.now { Phase::Ends } else { Phase::Settle })
            }
            Phase::Settle => {
                self.settle();
                (1, self.next_instant())
            }
            Phase::Over => (0, Phase::Over),
        };
        self.phase = next;
        units
    }

    /// Goes to the next instant at which something happens.
    fn next_instant(&mut self) -> Phase {
        let next = self.next_end().min(self.host.next_time()).min(self.holding.next_time());
        if next == Nanos::NEVER || self.record.trace.slices.len() >= self.most_slices {
            return Phase::Over;
        }
        self.now = next;
        self.host.wake_sleepers(next);
        Phase::Ends
    }

    /// When the next block or copy ends.
    fn next_end(&self) -> Nanos {
        let block = self.holding.holder.and_then(|holder| {
            let process = &self.processes[holder];
            process.ends.peek().map(|first| first.0.end + process.behind)
        });
        let copies = self.engines.iter().map(Engine::next_time);
        copies.fold(block.unwrap_or(Nanos::NEVER), Nanos::min)
    }

    /// Why it ended, or would if it ended now.
    fn outcome(&self) -> Stop {
        let all = self.phase == Phase::Over && self.ended == self.ops.len();
        let over = self.phase == Phase::Over;
        match self.host.closed() {
            Some(Closed::Blocks) if all => Stop::TooManyBlocks,
            Some(Closed::Steps) if all => Stop::TooManySteps(self.now),
            None if all && self.host.is_over() => Stop::Done,
            _ if over && self.record.trace.slices.len() >= self.most_slices => Stop::TooManySlices(self.now),
            _ if over => Stop::Stuck(self.now),
            _ => Stop::Cancelled(self.now),
        }
    }
}

impl Op {
    fn new(what: What, stream: usize, before: u32, null_before: u32, blocks: u32) -> Self {
        Self {
            what,
            stage: Stage::Waiting,
            stream: stream as u32,
            before,
            next: NONE,
            null_before,
            assigned: 0,
            left: blocks,
            waiter: NONE,
            hold: None,
        }
    }
}

/// The processes of a workload, ascending by number.
fn processes(workload: &Workload, sms: &[Sm]) -> Vec<Process> {
    let streams = &workload.setup.streams;
    let of_streams = streams.iter().map(|stream| stream.process);
    let mut numbers: Vec<u32> =
        of_streams.chain(workload.programs.iter().map(|program| program.process)).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let process = |number| {
        let own = || streams.iter().enumerate().filter(move |(_, stream)| stream.process == number);
        let null = own().find(|(_, stream)| stream.kind == StreamKind::Null).map(|(index, _)| index);
        let mut priorities: Vec<i32> = own().map(|(_, stream)| stream.priority).collect();
        priorities.sort_unstable();
        priorities.dedup();
        Process::new(number, null, priorities, sms.to_vec())
    };
    numbers.into_iter().map(process).collect()
}

/// Runs a workload to its end.
pub fn simulate(workload: &Workload) -> Run {
    Simulation::new(workload).finish()
}
