//! Workloads and measured runs as short texts.

use std::fmt::Write;

use warpspan::base::Nanos;
use warpspan::blocks::{Action, Durations, Mask, Repeat, Setup, Workload};
use warpspan::import::examiner::align::Measured;

/// Streams, kernels, copies and programs, a line each.
pub fn workload(workload: &Workload) -> String {
    let mut out = setup(&workload.setup);
    for (i, copy) in workload.setup.copies.iter().enumerate() {
        let (label, direction) = (&copy.label, copy.direction);
        let _ = writeln!(out, "copy {i} {label:?} {direction:?} {} bytes {}", copy.bytes, copy.duration);
    }
    for program in &workload.programs {
        let _ = writeln!(
            out,
            "program {:?} process {}: {}",
            program.label,
            program.process,
            repeat(&program.repeat)
        );
    }
    out
}

fn setup(setup: &Setup) -> String {
    let mut out = String::new();
    for (i, stream) in setup.streams.iter().enumerate() {
        let (label, kind) = (&stream.label, stream.kind);
        let _ = writeln!(
            out,
            "stream {i} {label:?} {kind:?} priority {} process {}",
            stream.priority, stream.process
        );
    }
    for (i, kernel) in setup.kernels.iter().enumerate() {
        let Durations::Same(duration) = kernel.duration else { unreachable!("all the same") };
        let (label, blocks, threads) = (&kernel.label, kernel.blocks, kernel.threads);
        let _ = write!(out, "kernel {i} {label:?} {blocks} x {threads} {duration}");
        if kernel.shared_memory > 0 {
            let _ = write!(out, " shared {}", kernel.shared_memory);
        }
        if kernel.mask != Mask::ALL {
            let _ = write!(out, " on {:?}", kernel.mask.below(setup.device.sms).collect::<Vec<_>>());
        }
        out.push('\n');
    }
    out
}

fn repeat(repeat: &Repeat) -> String {
    let mut out = String::new();
    if repeat.release > Nanos::ZERO {
        let _ = write!(out, "after {}, ", repeat.release);
    }
    if let Some(rounds) = repeat.rounds {
        let _ = write!(out, "{rounds} x ");
    }
    if let Some(time) = repeat.time {
        let _ = write!(out, "for {time} ");
    }
    if repeat.lockstep {
        out.push_str("in step ");
    }
    let body: Vec<String> = repeat.body.iter().map(action).collect();
    let _ = write!(out, "[{}]", body.join(", "));
    out
}

fn action(action: &Action) -> String {
    match action {
        Action::Launch { stream, kernel } => format!("k{kernel} in s{stream}"),
        Action::Copy { stream, copy, wait } => {
            format!("c{copy} in s{stream}{}", if *wait { " and wait" } else { "" })
        }
        Action::Sleep(time) => format!("sleep {time}"),
        Action::WaitStream(stream) => format!("wait s{stream}"),
        Action::WaitDevice => "wait all".to_owned(),
        Action::Repeat(inner) => repeat(inner),
    }
}

/// Streams, kernels and launches with their blocks, a line each; times in microseconds.
pub fn measured(measured: &Measured) -> String {
    let mut out = setup(&measured.setup);
    let micros = |time: Nanos| format!("{}", time.0 as f64 / 1e3);
    for (i, run) in measured.trace.kernels.iter().enumerate() {
        let times = [run.launched, run.queued, run.start, run.dispatched, run.end].map(micros).join(" ");
        let waited = measured.synchronised[i].map_or("-".to_owned(), micros);
        let (op, kernel, stream, round) = (run.op.0, run.kernel, run.stream, run.round);
        let _ = write!(out, "op {op} k{kernel} in s{stream} round {round}: {times}, waited {waited};");
        for block in &measured.trace.blocks[run.blocks.clone()] {
            let _ = write!(out, " sm {} {} to {}", block.sm, micros(block.start), micros(block.end));
        }
        let (log, place) = &measured.origins[i];
        let _ = writeln!(out, " ({log} {place})");
    }
    let _ = writeln!(out, "end {}", micros(measured.trace.end));
    out
}
