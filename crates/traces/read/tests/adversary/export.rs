//! Writes a run of the adversary's machine as Nsight Systems would export it.

use super::fixtures::tables::{Cell, Table, database};
use super::machine::Run;
use super::program::{Action, Program, Sort};

const PROCESS: i64 = 10;

fn ints(all: &[i64]) -> Vec<Cell> {
    all.iter().map(|&one| Cell::Int(one)).collect()
}

/// The name of a call.
pub fn name_of(action: Action) -> (i64, &'static str) {
    match action {
        Action::Kernel(..) => (1, "cudaLaunchKernel"),
        Action::Copy(..) => (2, "cudaMemcpyAsync"),
        Action::Record(..) => (3, "cudaEventRecord"),
        Action::Wait(..) => (4, "cudaStreamWaitEvent"),
        Action::AwaitStream(_) => (5, "cudaStreamSynchronize"),
        Action::AwaitDevice => (6, "cudaDeviceSynchronize"),
        Action::AwaitEvent(_) => (7, "cudaEventSynchronize"),
    }
}

/// The export.
pub fn export(program: &Program, run: &Run) -> Vec<u8> {
    let global = |thread: usize| (1_i64 << 48) | (PROCESS << 24) | (thread as i64 + 1);
    let action = |call: usize| program.threads[run.calls[call].thread][run.calls[call].step].action;
    let number = |stream: usize| stream as i64 + 7;
    let mut texts: Vec<(i64, &'static str)> = vec![(20, "kernel")];
    let mut calls = Vec::new();
    let (mut synchronised, mut kernels, mut copies) = (Vec::new(), Vec::new(), Vec::new());
    for (place, call) in run.calls.iter().enumerate() {
        let name = name_of(action(place));
        if !texts.contains(&name) {
            texts.push(name);
        }
        let correlation = place as i64 + 1;
        calls.push(ints(&[call.start, call.end, global(call.thread), correlation, name.0]));
        let mut wait = |stream: i64, kind: i64, event: i64| {
            synchronised.push(ints(&[
                call.start,
                call.end,
                0,
                1,
                stream,
                correlation,
                global(0),
                kind,
                event,
            ]));
        };
        match action(place) {
            Action::AwaitStream(stream) => wait(number(stream), 3, 0xffff_ffff),
            Action::AwaitDevice => wait(-1, 4, 0xffff_ffff),
            Action::AwaitEvent(event) => wait(-1, 1, event_number(program.event(call.thread, event))),
            Action::Wait(stream, event) => {
                wait(number(stream), 2, event_number(program.event(call.thread, event)))
            }
            _ => {}
        }
    }
    for own in &run.operations {
        let (stream, correlation) = (number(own.stream), own.call as i64 + 1);
        if own.sort == 0 {
            kernels.push(ints(&[own.start, own.end, 0, 1, stream, correlation, global(0), 20, 1, 32]));
        } else {
            // Pinned memory of the host, so that no call waits for its copy.
            let (kind, from, to) = if own.sort == 1 { (1, 1, 2) } else { (2, 2, 1) };
            copies.push(ints(&[
                own.start,
                own.end,
                0,
                1,
                stream,
                correlation,
                global(0),
                64,
                kind,
                from,
                to,
            ]));
        }
    }
    let records = run.records.iter().map(|(stream, event, call)| {
        ints(&[0, 1, number(*stream), *call as i64 + 1, event_number(*event), global(0)])
    });
    let kinds = program.streams.iter().enumerate().map(|(stream, sort)| {
        let flag = match sort {
            Sort::Blocking => 1,
            Sort::Free => 2,
            Sort::Null => 3,
        };
        ints(&[PROCESS, 1, number(stream), 0, flag])
    });
    database(&[
        Table {
            name: "StringIds",
            columns: "id INTEGER, value TEXT",
            rows: texts.into_iter().map(|(id, text)| vec![Cell::Int(id), Cell::Text(text)]).collect(),
        },
        Table {
            name: "CUPTI_ACTIVITY_KIND_RUNTIME",
            columns: "start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER",
            rows: calls,
        },
        Table {
            name: "CUPTI_ACTIVITY_KIND_KERNEL",
            columns: "start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId \
                      INTEGER, globalPid INTEGER, demangledName INTEGER, gridX INTEGER, blockX INTEGER",
            rows: kernels,
        },
        Table {
            name: "CUPTI_ACTIVITY_KIND_MEMCPY",
            columns: "start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId \
                      INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER, srcKind INTEGER, dstKind INTEGER",
            rows: copies,
        },
        Table {
            name: "CUPTI_ACTIVITY_KIND_CUDA_EVENT",
            columns: "deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER, eventId INTEGER, \
                      globalPid INTEGER",
            rows: records.collect(),
        },
        Table {
            name: "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
            columns: "start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId \
                      INTEGER, globalPid INTEGER, syncType INTEGER, eventId INTEGER",
            rows: synchronised,
        },
        Table {
            name: "TARGET_INFO_CUDA_STREAM",
            columns: "processId INTEGER, contextId INTEGER, streamId INTEGER, priority INTEGER, flag INTEGER",
            rows: kinds.collect(),
        },
    ])
}

fn event_number((thread, event): (usize, usize)) -> i64 {
    thread as i64 * 1_000 + event as i64 + 100
}
