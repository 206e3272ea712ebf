//! From a plan to a workload: programs, streams, kernels and copies with their indices.
//!
//! Invariant: every index is in range, every repeat has a limit or ends with other programs, and a round without a
//! number of rounds takes time.

use std::collections::BTreeMap;

use super::host::Hosted;
use super::limits::Others;
use super::plan::{Benchmark, Home, Plan, Step, Work};
use super::{Context, host, limits};
use base::Nanos;
use blocks::{Action, Placement, Program, Repeat, Setup, Slicing, Stream, StreamKind, Switch, Workload};

/// What the caller overwrites: how long a process keeps the device while others wait.
const SLICING: Slicing = Slicing { quantum: Nanos(2_000_000), switch: Switch::Preempt };

/// What the caller overwrites: the most blocks of a run.
const MOST_BLOCKS: u64 = 1_000_000;

/// The workload of a plan.
pub(super) fn workload(cx: &mut Context<'_>, plan: &Plan) -> Workload {
    let setup =
        Setup { device: cx.device.clone(), streams: Vec::new(), kernels: Vec::new(), copies: Vec::new() };
    let own_processes = plan.own_processes;
    let next_process = if own_processes { plan.benchmarks.len() } else { 1 };
    let next_process = u32::try_from(next_process).unwrap_or(u32::MAX);
    let several_hosts = plan.benchmarks.iter().filter(|one| matches!(one.work, Work::Host(_))).count() > 1;
    let others_in_step = plan.lockstep || several_hosts;
    let null = BTreeMap::new();
    let mut builder =
        Builder { setup, programs: Vec::new(), null, own_processes, next_process, others_in_step };
    let limited = |benchmark: &Benchmark| benchmark.rounds.is_some() || benchmark.time.is_some();
    let ends_others = plan.benchmarks.iter().any(|benchmark| benchmark.ends_others && limited(benchmark));
    for (i, benchmark) in plan.benchmarks.iter().enumerate() {
        let process = if own_processes { u32::try_from(i).unwrap_or(u32::MAX) } else { 0 };
        let others = if ends_others && !benchmark.ends_others { Others::EndIt } else { Others::GoOn };
        let frame = Frame { process, release: Nanos::ZERO, lockstep: plan.lockstep, others };
        builder.program(cx, benchmark, frame);
    }
    Workload {
        setup: builder.setup,
        programs: builder.programs,
        placement: Placement::default(),
        slicing: SLICING,
        most_blocks: MOST_BLOCKS,
    }
}

/// What holds around a benchmark that becomes a program.
#[derive(Clone, Copy)]
struct Frame {
    process: u32,
    release: Nanos,
    lockstep: bool,
    others: Others,
}

struct Builder {
    setup: Setup,
    programs: Vec<Program>,
    /// The null streams, by process.
    null: BTreeMap<u32, usize>,
    own_processes: bool,
    /// The number of the next process of a task host.
    next_process: u32,
    /// Whether programs besides those of one host may be in step.
    others_in_step: bool,
}

/// The streams a program works in; its own is made when it is first used.
struct Streams<'a> {
    process: u32,
    label: &'a str,
    priority: Option<i32>,
    own: Option<usize>,
}

impl Builder {
    /// Makes a program of a benchmark, or several of a task host whose benchmarks run side by side.
    fn program(&mut self, cx: &mut Context<'_>, benchmark: &Benchmark, frame: Frame) {
        let limits = limits::settle(cx, benchmark, 1, frame.others);
        let mut priority = benchmark.priority;
        if let Work::Host(plan) = &benchmark.work {
            let in_step = self.others_in_step || frame.lockstep;
            match host::hosted(cx, benchmark, plan, limits.0, in_step) {
                Hosted::SideBySide => {
                    let release = frame.release + benchmark.release;
                    for inner in &plan.benchmarks {
                        let process = self.process_within(plan, frame);
                        self.program(cx, inner, Frame { process, release, lockstep: plan.lockstep, ..frame });
                    }
                    return;
                }
                Hosted::InRounds => {
                    self.others_in_step = true;
                    for inner in &plan.benchmarks {
                        let process = self.process_within(plan, frame);
                        self.in_rounds(cx, benchmark, inner, limits, Frame { process, ..frame });
                    }
                    return;
                }
                Hosted::InOrder => {}
            }
            priority = host::priority(cx, benchmark, plan);
        }
        let mut streams = Streams { process: frame.process, label: &benchmark.label, priority, own: None };
        let mut repeat = self.repeat(cx, benchmark, limits, &mut streams, 1);
        repeat.release += frame.release;
        repeat.lockstep = frame.lockstep;
        self.programs.push(Program {
            label: benchmark.label.clone(),
            process: frame.process,
            repeat,
            ends_others: benchmark.ends_others,
        });
    }

    /// The process of the next benchmark within a host.
    fn process_within(&mut self, plan: &Plan, frame: Frame) -> u32 {
        if !plan.own_processes {
            return frame.process;
        }
        self.next_process = self.next_process.saturating_add(1);
        self.next_process - 1
    }

    /// Makes a program of a benchmark that a host runs again in each of its rounds, when all others are as far.
    fn in_rounds(
        &mut self,
        cx: &mut Context<'_>,
        host: &Benchmark,
        inner: &Benchmark,
        (rounds, time): (Option<u64>, Option<Nanos>),
        frame: Frame,
    ) {
        let outer = rounds.unwrap_or(1);
        let limits = limits::settle(cx, inner, outer, Others::GoOn);
        let mut priority = inner.priority;
        if let Work::Host(plan) = &inner.work {
            host::in_order(cx, inner, plan);
            priority = host::priority(cx, inner, plan);
        }
        let mut streams = Streams { process: frame.process, label: &inner.label, priority, own: None };
        let body = vec![Action::Repeat(self.repeat(cx, inner, limits, &mut streams, outer))];
        let release = frame.release + host.release;
        self.programs.push(Program {
            label: inner.label.clone(),
            process: frame.process,
            repeat: Repeat { release, rounds, time, lockstep: true, body },
            ends_others: host.ends_others,
        });
    }

    fn repeat(
        &mut self,
        cx: &mut Context<'_>,
        benchmark: &Benchmark,
        (rounds, time): (Option<u64>, Option<Nanos>),
        streams: &mut Streams<'_>,
        outer: u64,
    ) -> Repeat {
        let body = match &benchmark.work {
            Work::Steps(steps, home) => self.body(steps, *home, streams),
            Work::Host(plan) => {
                let outer = outer.saturating_mul(rounds.unwrap_or(1));
                let mut body = Vec::new();
                for inner in &plan.benchmarks {
                    let limits = limits::settle(cx, inner, outer, Others::GoOn);
                    if let Work::Host(plan) = &inner.work {
                        host::in_order(cx, inner, plan);
                    }
                    body.push(Action::Repeat(self.repeat(cx, inner, limits, streams, outer)));
                }
                body
            }
        };
        Repeat { release: benchmark.release, rounds, time, lockstep: false, body }
    }

    /// The actions of a round, which ends when the stream is empty.
    fn body(&mut self, steps: &[Step], home: Home, streams: &mut Streams<'_>) -> Vec<Action> {
        let mut body = Vec::with_capacity(steps.len() + 1);
        for step in steps {
            body.push(match step {
                Step::Launch(kernel) => {
                    let stream = self.stream(home, streams);
                    self.setup.kernels.push(kernel.clone());
                    Action::Launch { stream, kernel: self.setup.kernels.len() - 1 }
                }
                Step::Copy { copy, home, wait } => {
                    let stream = self.stream(*home, streams);
                    self.setup.copies.push(copy.clone());
                    Action::Copy { stream, copy: self.setup.copies.len() - 1, wait: *wait }
                }
                Step::Sleep(time) => Action::Sleep(*time),
                Step::WaitStream => Action::WaitStream(self.stream(home, streams)),
                Step::WaitDevice => Action::WaitDevice,
            });
        }
        if steps.iter().any(|step| !matches!(step, Step::Sleep(_))) {
            body.push(Action::WaitStream(self.stream(home, streams)));
        }
        body
    }

    fn stream(&mut self, home: Home, streams: &mut Streams<'_>) -> usize {
        let process = streams.process;
        let all = &mut self.setup.streams;
        match home {
            Home::Own => *streams.own.get_or_insert_with(|| {
                let kind = streams.priority.map_or(StreamKind::Blocking, |_| StreamKind::NonBlocking);
                let priority = streams.priority.unwrap_or_default();
                all.push(Stream { label: streams.label.to_owned(), priority, kind, process });
                all.len() - 1
            }),
            Home::Null => *self.null.entry(process).or_insert_with(|| {
                let of = if self.own_processes { format!(" of {}", streams.label) } else { String::new() };
                let label = format!("null stream{of}");
                all.push(Stream { label, priority: 0, kind: StreamKind::Null, process });
                all.len() - 1
            }),
        }
    }
}
