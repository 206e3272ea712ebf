//! A run of blocks as tables: one line per block, per launch, per copy. Whole nanoseconds and bytes.

use blocks::{Direction, Setup, Trace};
use kit::export::csv::row;

/// One line per block, launch by launch.
pub fn blocks_csv(setup: &Setup, trace: &Trace) -> String {
    let names =
        ["kernel", "stream", "round", "block", "sm", "start_ns", "end_ns", "threads", "shared_memory_bytes"];
    let mut out = row(names.map(str::to_owned));
    for run in &trace.kernels {
        let Some(kernel) = setup.kernels.get(run.kernel) else { continue };
        for (i, block) in trace.blocks.get(run.blocks.clone()).into_iter().flatten().enumerate() {
            out += &row([
                kernel.label.clone(),
                stream(setup, run.stream),
                run.round.to_string(),
                i.to_string(),
                block.sm.to_string(),
                block.start.0.to_string(),
                block.end.0.to_string(),
                kernel.threads.to_string(),
                kernel.shared_memory.to_string(),
            ]);
        }
    }
    out
}

/// One line per launch.
pub fn kernels_csv(setup: &Setup, trace: &Trace) -> String {
    let names =
        ["kernel", "stream", "round", "launched_ns", "queued_ns", "start_ns", "dispatched_ns", "end_ns"];
    let names = names.into_iter().chain([
        "deadline_ns",
        "blocks",
        "threads_per_block",
        "shared_memory_bytes_per_block",
    ]);
    let mut out = row(names.map(str::to_owned));
    for run in &trace.kernels {
        let Some(kernel) = setup.kernels.get(run.kernel) else { continue };
        let deadline = kernel.deadline.map_or(String::new(), |after| (run.launched + after).0.to_string());
        out += &row([
            kernel.label.clone(),
            stream(setup, run.stream),
            run.round.to_string(),
            run.launched.0.to_string(),
            run.queued.0.to_string(),
            run.start.0.to_string(),
            run.dispatched.0.to_string(),
            run.end.0.to_string(),
            deadline,
            kernel.blocks.to_string(),
            kernel.threads.to_string(),
            kernel.shared_memory.to_string(),
        ]);
    }
    out
}

/// One line per copy.
pub fn copies_csv(setup: &Setup, trace: &Trace) -> String {
    let names = [
        "copy",
        "stream",
        "round",
        "direction",
        "bytes",
        "engine",
        "issued_ns",
        "queued_ns",
        "start_ns",
        "end_ns",
    ];
    let mut out = row(names.map(str::to_owned));
    for run in &trace.copies {
        let Some(copy) = setup.copies.get(run.copy) else { continue };
        let direction = match copy.direction {
            Direction::In => "in",
            Direction::Out => "out",
            Direction::Within => "within",
            Direction::Set => "set",
        };
        out += &row([
            copy.label.clone(),
            stream(setup, run.stream),
            run.round.to_string(),
            direction.to_owned(),
            copy.bytes.to_string(),
            run.engine.to_string(),
            run.issued.0.to_string(),
            run.queued.0.to_string(),
            run.start.0.to_string(),
            run.end.0.to_string(),
        ]);
    }
    out
}

fn stream(setup: &Setup, stream: usize) -> String {
    setup.streams.get(stream).map_or(String::new(), |stream| stream.label.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::blocks::sample::{rich, tx2};

    #[test]
    fn a_line_per_block_and_per_launch() {
        let (mut setup, trace) = tx2();
        setup.streams[1].label = "a, \"b\"".to_owned();
        let csv = blocks_csv(&setup, &trace);
        let lines: Vec<&str> = csv.split("\r\n").collect();
        assert_eq!(lines.len(), 1 + 16 + 1);
        assert_eq!(lines[0], "kernel,stream,round,block,sm,start_ns,end_ns,threads,shared_memory_bytes");
        assert_eq!(lines[9], "K2,\"a, \"\"b\"\"\",1,6,0,4000000,10000000,512,0");
        let csv = kernels_csv(&setup, &trace);
        assert!(csv.contains("\r\nK1,Stream 1,0,0,0,0,0,4000000,15000000,2,512,0\r\n"), "{csv}");
    }

    #[test]
    fn a_line_per_copy() {
        let (setup, trace) = rich();
        let csv = copies_csv(&setup, &trace);
        assert_eq!(csv.lines().count(), 5);
        assert!(csv.contains("\r\nframe,Stream 1,0,in,4194304,0,10000,10000,13000,173000\r\n"), "{csv}");
    }
}
