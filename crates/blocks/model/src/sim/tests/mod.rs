//! Small workloads with timelines that can be followed by hand. Times are single nanoseconds.

mod copies;
mod holds;
mod host;
mod placement;
mod processes;
mod published;
mod random;
mod reasons;
mod rules;
mod steps;

use crate::device::CopySpeed;
use crate::{
    Action, BlockRun, Copy, Device, Direction, Durations, Kernel, Mask, Placement, Program, Repeat, Run,
    Setup, Slicing, Stream, StreamKind, Switch, Verdict, Workload, simulate,
};
use base::Nanos;
use expect_test::Expect;

/// Two SMs of 4 threads and 100 blocks, 100 bytes and 1,000 registers, one copy engine; nothing on them yet.
fn idle() -> Workload {
    let device = Device {
        name: String::new(),
        sms: 2,
        threads_per_sm: 4,
        blocks_per_sm: 100,
        shared_memory_per_sm: 100,
        registers_per_sm: 1_000,
        threads_per_block: 4,
        shared_memory_per_block: 100,
        thread_granularity: 1,
        sms_per_tpc: 1,
        copy_engines: 1,
        copy_speed: CopySpeed { latency: Nanos(1), host: 1, device: 1 },
    };
    let slicing = Slicing { quantum: Nanos(10), switch: Switch::Drain };
    Workload {
        setup: Setup { device, streams: Vec::new(), kernels: Vec::new(), copies: Vec::new() },
        programs: Vec::new(),
        placement: Placement::default(),
        slicing,
        most_blocks: 10_000,
    }
}

/// Building workloads bit by bit.
trait Build {
    /// One more stream of process 0 that minds no null stream.
    fn stream(&mut self) -> usize;
    fn stream_as(&mut self, kind: StreamKind, priority: i32, process: u32) -> usize;
    /// One more kernel: so many blocks of so many threads that take so long.
    fn kernel(&mut self, blocks: u32, threads: u32, duration: u64) -> usize;
    fn copy(&mut self, direction: Direction, duration: u64) -> usize;
    /// One more program of process 0 that does this once.
    fn program(&mut self, body: Vec<Action>) -> &mut Repeat;
    fn program_of(&mut self, process: u32, body: Vec<Action>) -> &mut Repeat;
    /// One more program that launches this kernel in a stream of its own.
    fn alone(&mut self, blocks: u32, threads: u32, duration: u64) -> (usize, usize);
}

impl Build for Workload {
    fn stream(&mut self) -> usize {
        self.stream_as(StreamKind::NonBlocking, 0, 0)
    }

    fn stream_as(&mut self, kind: StreamKind, priority: i32, process: u32) -> usize {
        self.setup.streams.push(Stream { label: String::new(), priority, kind, process });
        self.setup.streams.len() - 1
    }

    fn kernel(&mut self, blocks: u32, threads: u32, duration: u64) -> usize {
        self.setup.kernels.push(Kernel {
            label: String::new(),
            blocks,
            threads,
            shared_memory: 0,
            registers: 0,
            duration: Durations::Same(Nanos(duration)),
            mask: Mask::ALL,
            deadline: None,
            period: None,
        });
        self.setup.kernels.len() - 1
    }

    fn copy(&mut self, direction: Direction, duration: u64) -> usize {
        let duration = Nanos(duration);
        self.setup.copies.push(Copy { label: String::new(), direction, bytes: 1, duration });
        self.setup.copies.len() - 1
    }

    fn program(&mut self, body: Vec<Action>) -> &mut Repeat {
        self.program_of(0, body)
    }

    fn program_of(&mut self, process: u32, body: Vec<Action>) -> &mut Repeat {
        self.programs.push(Program {
            label: String::new(),
            process,
            repeat: times(1, body),
            ends_others: false,
        });
        let last = self.programs.len() - 1;
        &mut self.programs[last].repeat
    }

    fn alone(&mut self, blocks: u32, threads: u32, duration: u64) -> (usize, usize) {
        let (stream, kernel) = (self.stream(), self.kernel(blocks, threads, duration));
        self.program(vec![Action::Launch { stream, kernel }]);
        (stream, kernel)
    }
}

fn times(rounds: u64, body: Vec<Action>) -> Repeat {
    Repeat { release: Nanos(0), rounds: Some(rounds), time: None, lockstep: false, body }
}

fn launch(stream: usize, kernel: usize) -> Action {
    Action::Launch { stream, kernel }
}

fn sleep(nanos: u64) -> Action {
    Action::Sleep(Nanos(nanos))
}

/// What ran when. A block is written as the SM and from when to when it ran there; equal ones only once.
fn timeline(run: &Run) -> String {
    let mut lines = Vec::new();
    for it in &run.trace.kernels {
        let head = format!("#{} kernel {} in stream {}, round {}", it.op.0, it.kernel, it.stream, it.round);
        let times = [it.launched, it.queued, it.start, it.dispatched, it.end].map(|time| time.0);
        let blocks = &run.trace.blocks[it.blocks.clone()];
        lines.push((it.op, format!("{head}, {times:?}:{}", blocks_in_words(blocks))));
    }
    for it in &run.trace.copies {
        let head = format!("#{} copy {} in stream {}, round {}", it.op.0, it.copy, it.stream, it.round);
        let times = [it.issued, it.queued, it.start, it.end].map(|time| time.0);
        lines.push((it.op, format!("{head}, {times:?} on {}", it.engine)));
    }
    lines.sort();
    let mut lines: Vec<String> = lines.into_iter().map(|(_, line)| line).collect();
    for slice in &run.trace.slices {
        lines.push(format!("process {} has the device {}-{}", slice.process, slice.start.0, slice.end.0));
    }
    lines.push(format!("{:?}, {}", run.stop, run.trace.end.0));
    lines.join("\n") + "\n"
}

fn blocks_in_words(blocks: &[BlockRun]) -> String {
    let runs = blocks.chunk_by(|a, b| a == b);
    let word = |run: &[BlockRun]| match run {
        [one] => format!(" {}@{}-{}", one.sm, one.start.0, one.end.0),
        run => format!(" {}x {}@{}-{}", run.len(), run[0].sm, run[0].start.0, run[0].end.0),
    };
    runs.map(word).collect()
}

/// What held which operation back from when on.
fn holds(run: &Run) -> String {
    let held = run.decisions.iter().filter_map(|decision| match decision.verdict {
        Verdict::Held(hold) => {
            Some(format!("{} #{} {} {hold:?}\n", decision.at.0, decision.op.0, hold.rule().name()))
        }
        _ => None,
    });
    held.collect()
}

fn check(workload: &Workload, expected: Expect) {
    expected.assert_eq(&timeline(&simulate(workload)));
}

fn check_holds(workload: &Workload, expected: Expect) {
    expected.assert_eq(&holds(&simulate(workload)));
}
