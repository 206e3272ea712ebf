//! Small traces written in lines, for tests. Times are nanoseconds.
//!
//! ```text
//! device sms=1 threads=512               what differs from 2 SMs, 1,024 threads, 4 blocks, 1,000 bytes, 8,192 registers
//! stream s1 blocking prio=-1 process=1   or `null`, `free` (neither waits for the null stream nor holds it back)
//! K1 s1 @0 t=512 : 0:0-10 1:0-12         a launch at 0 of blocks of 512 threads: on SM 0 from 0 to 10, and so on
//! copy C1 s1 @0 in e=0 : 0-10            a copy: `in`, `out`, `within`, `set`
//! slice 1 0-10                           process 1 has the device
//! ```
//! The first stream, `s`, is there without a line: process 0, priority 0, blocking. More for launches: `grid=`,
//! `shared=`, `regs=`, `mask=0,1`, `d=` (durations; else those that the blocks have), `q=` (queue time; else when the
//! stream's earlier ones have ended); for copies `d=` and `q=`.

use super::device::{CopySpeed, Device, Mask};
use super::trace::{BlockRun, CopyRun, KernelRun, OpId, Slice, Trace};
use super::workload::{Copy, Direction, Durations, Kernel, Setup, Stream, StreamKind};
use base::Nanos;

/// The setup and the trace that some lines describe.
pub(super) fn small(text: &str) -> (Setup, Trace) {
    let mut small = Small { setup: setup(), trace: Trace::default(), ops: 0 };
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        small.line(line);
    }
    let ends =
        small.trace.kernels.iter().map(|run| run.end).chain(small.trace.copies.iter().map(|run| run.end));
    small.trace.end = ends.max().unwrap_or_default();
    (small.setup, small.trace)
}

fn setup() -> Setup {
    let speed = CopySpeed { latency: Nanos::ZERO, host: 1_000_000_000, device: 1_000_000_000 };
    let device = Device {
        name: "small".to_owned(),
        sms: 2,
        threads_per_sm: 1_024,
        blocks_per_sm: 4,
        shared_memory_per_sm: 1_000,
        registers_per_sm: 8_192,
        threads_per_block: 1_024,
        shared_memory_per_block: 1_000,
        thread_granularity: 1,
        sms_per_tpc: 1,
        copy_engines: 1,
        copy_speed: speed,
    };
    let streams = vec![stream("s")];
    Setup { device, streams, kernels: Vec::new(), copies: Vec::new() }
}

fn stream(label: &str) -> Stream {
    Stream { label: label.to_owned(), priority: 0, kind: StreamKind::Blocking, process: 0 }
}

struct Small {
    setup: Setup,
    trace: Trace,
    ops: u32,
}

impl Small {
    fn line(&mut self, line: &str) {
        let (head, tail) = line.split_once(" : ").unwrap_or((line, ""));
        let words: Vec<&str> = head.split_whitespace().collect();
        match words.as_slice() {
            ["device", settings @ ..] => settings.iter().for_each(|setting| self.device(setting)),
            ["stream", label, settings @ ..] => self.stream(label, settings),
            ["slice", process, span] => {
                let (start, end) = times(span);
                self.trace.slices.push(Slice { process: number(process), start, end });
            }
            ["copy", label, stream, at, settings @ ..] => self.copy(label, stream, at, settings, tail),
            [label, stream, at, settings @ ..] => self.kernel(label, stream, at, settings, tail),
            _ => unreachable!("{line}"),
        }
    }

    fn device(&mut self, setting: &str) {
        let (key, value) = pair(setting);
        let device = &mut self.setup.device;
        match key {
            "sms" => device.sms = number(value),
            "threads" => device.threads_per_sm = number(value),
            "blocks" => device.blocks_per_sm = number(value),
            "engines" => device.copy_engines = number(value),
            "granularity" => device.thread_granularity = number(value),
            _ => unreachable!("{setting}"),
        }
    }

    fn stream(&mut self, label: &str, settings: &[&str]) {
        let mut stream = stream(label);
        for setting in settings {
            match setting.split_once('=') {
                Some(("prio", value)) => stream.priority = number(value),
                Some(("process", value)) => stream.process = number(value),
                None if *setting == "null" => stream.kind = StreamKind::Null,
                None if *setting == "free" => stream.kind = StreamKind::NonBlocking,
                None if *setting == "blocking" => stream.kind = StreamKind::Blocking,
                _ => unreachable!("{setting}"),
            }
        }
        self.setup.streams.push(stream);
    }

    fn kernel(&mut self, label: &str, stream: &str, at: &str, settings: &[&str], blocks: &str) {
        let (stream, launched) = self.place(stream, at);
        let from = self.trace.blocks.len();
        self.trace.blocks.extend(blocks.split_whitespace().map(block));
        let runs = &self.trace.blocks[from..];
        let mut kernel = Kernel {
            label: label.to_owned(),
            blocks: runs.len() as u32,
            threads: 512,
            shared_memory: 0,
            registers: 0,
            duration: Durations::Each(runs.iter().map(|run| run.end.since(run.start)).collect()),
            mask: Mask::ALL,
            deadline: None,
            period: None,
        };
        let mut queued = self.head(stream, launched);
        for setting in settings {
            let (key, value) = pair(setting);
            match key {
                "t" => kernel.threads = number(value),
                "grid" => kernel.blocks = number(value),
                "shared" => kernel.shared_memory = number(value),
                "regs" => kernel.registers = number(value),
                "d" => kernel.duration = Durations::Same(Nanos(number(value))),
                "mask" => {
                    kernel.mask = value.split(',').fold(Mask::NONE, |mask, sm| mask.with(number(sm), true))
                }
                "q" => queued = Nanos(number(value)),
                _ => unreachable!("{setting}"),
            }
        }
        let time = |of: fn(&BlockRun) -> Nanos| runs.iter().map(of);
        let start = time(|run| run.start).min().unwrap_or(launched);
        let dispatched = time(|run| run.start).max().unwrap_or(launched);
        let end = time(|run| run.end).max().unwrap_or(launched);
        let (op, blocks) = (self.op(), from..self.trace.blocks.len());
        let index = self.setup.kernels.iter().position(|other| *other == kernel).unwrap_or_else(|| {
            self.setup.kernels.push(kernel);
            self.setup.kernels.len() - 1
        });
        let run = KernelRun {
            op,
            kernel: index,
            stream,
            round: 0,
            launched,
            queued,
            start,
            dispatched,
            end,
            blocks,
        };
        self.trace.kernels.push(run);
    }

    fn copy(&mut self, label: &str, stream: &str, at: &str, settings: &[&str], span: &str) {
        let (stream, issued) = self.place(stream, at);
        let (start, end) = times(span.trim());
        let duration = end.since(start);
        let mut copy = Copy { label: label.to_owned(), direction: Direction::In, bytes: 1, duration };
        let (mut queued, mut engine) = (self.head(stream, issued), 0);
        for setting in settings {
            match setting.split_once('=') {
                Some(("e", value)) => engine = number(value),
                Some(("d", value)) => copy.duration = Nanos(number(value)),
                Some(("q", value)) => queued = Nanos(number(value)),
                _ => copy.direction = direction(setting),
            }
        }
        self.setup.copies.push(copy);
        let (op, copy) = (self.op(), self.setup.copies.len() - 1);
        self.trace.copies.push(CopyRun { op, copy, stream, round: 0, engine, issued, queued, start, end });
    }

    fn op(&mut self) -> OpId {
        self.ops += 1;
        OpId(self.ops - 1)
    }

    fn place(&self, stream: &str, at: &str) -> (usize, Nanos) {
        let found = self.setup.streams.iter().position(|found| found.label == stream);
        let Some(at) = at.strip_prefix('@') else { unreachable!("{at} is a time such as @5") };
        (found.unwrap_or_else(|| unreachable!("stream {stream}")), Nanos(number(at)))
    }

    /// When everything before in the stream has ended.
    fn head(&self, stream: usize, issued: Nanos) -> Nanos {
        let kernels = self.trace.kernels.iter().filter(|run| run.stream == stream).map(|run| run.end);
        let copies = self.trace.copies.iter().filter(|run| run.stream == stream).map(|run| run.end);
        kernels.chain(copies).fold(issued, Nanos::max)
    }
}

fn block(text: &str) -> BlockRun {
    let Some((sm, span)) = text.split_once(':') else { unreachable!("{text} is a block such as 0:1-2") };
    let (start, end) = times(span);
    BlockRun { start, end, sm: number(sm) }
}

fn times(text: &str) -> (Nanos, Nanos) {
    let Some((start, end)) = text.split_once('-') else { unreachable!("{text} is a time such as 1-2") };
    (Nanos(number(start)), Nanos(number(end)))
}

fn direction(text: &str) -> Direction {
    match text {
        "in" => Direction::In,
        "out" => Direction::Out,
        "within" => Direction::Within,
        "set" => Direction::Set,
        _ => unreachable!("{text}"),
    }
}

fn pair(text: &str) -> (&str, &str) {
    text.split_once('=').unwrap_or_else(|| unreachable!("{text} is a setting such as t=512"))
}

fn number<T: std::str::FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| unreachable!("{text} is a number"))
}
