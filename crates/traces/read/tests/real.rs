//! Real profilers' files, where `WARPSPAN_TRACES` names a folder with them: what is in them was counted by other means.

use std::io::Write;

use traces::account::{Scope, accounts};
use traces::chain::{Before, link};
use traces::replay::{Change, Replay, Share};
use traces::trace::{Kind, Trace};
use traces::{Cause, Causes};

/// A file: kernels, copies, sets; calls; operations whose call is known; records, waits.
const FILES: &[(&str, [usize; 7])] = &[
    ("nsight/mfu_2gpu_before.sqlite", [4010, 1020, 269, 7466, 5268, 0, 200]),
    ("nsight/mock.sqlite", [2, 1, 0, 9, 3, 0, 0]),
    ("kineto/alexnet.json.gz", [79, 16, 3, 361, 98, 20, 20]),
    ("kineto/event-sync-streams.json.gz", [3, 0, 3, 39, 6, 3, 1]),
    ("kineto/event-sync.json.gz", [4, 1, 0, 12, 5, 1, 0]),
    ("kineto/ns-resolution-a100.json.gz", [4350, 1600, 145, 15329, 6095, 0, 0]),
    ("kineto/sampled-rank-0.json.gz", [1154, 40, 10, 1204, 1204, 0, 0]),
    ("rocprof/908-results.json.gz", [43915, 0, 0, 0, 0, 0, 0]),
];

/// The folder with real files. Without one it says that a test was left out, past what keeps the words of tests that pass.
fn folder() -> Option<std::path::PathBuf> {
    let folder = std::env::var_os("WARPSPAN_TRACES");
    if folder.is_none() {
        let told = writeln!(std::io::stderr(), "left out: WARPSPAN_TRACES names no folder with real files");
        assert!(told.is_ok());
    }
    folder.map(Into::into)
}

#[test]
fn counts_of_real_files() {
    let Some(folder) = folder() else { return };
    for (name, expected) in FILES {
        let file = std::fs::read(folder.join(name)).unwrap();
        let trace = warpspan_traces_read::read(&mut &file[..], &mut |_| true).unwrap();
        assert_eq!(trace.check(), Ok(()), "{name}");
        assert_eq!(counts(&trace), *expected, "{name}");
    }
}

#[test]
fn real_files_replayed_unchanged_move_nothing() {
    const WHOLE: Share = Share { numerator: 1, denominator: 1 };
    let Some(folder) = folder() else { return };
    for (name, _) in FILES {
        let file = std::fs::read(folder.join(name)).unwrap();
        let trace = warpspan_traces_read::read(&mut &file[..], &mut |_| true).unwrap();
        let causes = Causes::of(&trace);
        let replay = Replay::of(&causes);
        let operations = Change::Operations((0..trace.operations.len() as u32).collect(), WHOLE);
        let calls = Change::Calls((0..trace.calls.len() as u32).collect(), WHOLE);
        for changes in [vec![], vec![operations.clone()], vec![calls.clone()], vec![operations, calls]] {
            let replayed = replay.replay(&changes);
            assert_eq!((replayed.moved, replayed.turned), (vec![], 0), "{name}, {} changes", changes.len());
        }
    }
}

#[test]
fn what_took_long_before_late_launches_of_a_real_file() {
    let Some(folder) = folder() else { return };
    let file = std::fs::read(folder.join("kineto/alexnet.json.gz")).unwrap();
    let trace = warpspan_traces_read::read(&mut &file[..], &mut |_| true).unwrap();
    let causes = Causes::of(&trace);
    let named = |id: u32| {
        let place = trace.operations.iter().position(|own| own.id == id).unwrap();
        let found = link(&causes, place as u32);
        let Before::Called(call) = found.before else { unreachable!("operation {id}: {found:?}") };
        (trace.names[trace.calls[call as usize].name as usize].as_str(), found.took / 1_000)
    };
    // The calls' lengths are those in the file, in microseconds.
    assert_eq!(named(17), ("cudaStreamCreateWithFlags", 732_657));
    assert_eq!(named(18), ("cudaFree", 6_008_692));
    assert_eq!(named(23), ("cudaMalloc", 764_486));
}

/// Sets of files, and the most of their gaps and of their idle time that may stay unexplained, in tenths of a percent.
const SETS: [(&[&str], u64, u64); 2] = [
    (
        &[
            "kineto/alexnet.json.gz",
            "kineto/event-sync-streams.json.gz",
            "kineto/event-sync.json.gz",
            "kineto/ns-resolution-a100.json.gz",
            "kineto/sampled-rank-0.json.gz",
        ],
        62,
        28,
    ),
    (&["nsight/mfu_2gpu_before.sqlite"], 10, 1),
];

#[test]
fn what_nothing_explains_of_real_files() {
    let Some(folder) = folder() else { return };
    for (files, most, most_idle) in SETS {
        let (mut gaps, mut open, mut idle, mut unexplained) = (0_u64, 0_u64, 0_u64, 0_u64);
        for name in files {
            let file = std::fs::read(folder.join(name)).unwrap();
            let trace = warpspan_traces_read::read(&mut &file[..], &mut |_| true).unwrap();
            let causes = Causes::of(&trace);
            for own in accounts(&causes, &mut |_, _| {}).devices.into_iter().flatten() {
                assert_eq!(own.causes.iter().sum::<u64>(), own.idle, "{name}");
                idle += own.idle;
                unexplained += own.of(Cause::Unexplained);
            }
            for device in 0..trace.devices.len() as u32 {
                let (mut last, mut counted) = (None, false);
                accounts(&causes, &mut |scope, part| {
                    if scope != Scope::Device(device) {
                        return;
                    }
                    if last != Some(part.ended_by) {
                        (last, counted) = (Some(part.ended_by), false);
                        gaps += 1;
                    }
                    if part.cause == Cause::Unexplained && !counted {
                        counted = true;
                        open += 1;
                    }
                });
            }
        }
        println!("{open} of {gaps} gaps, {unexplained} of {idle} ns");
        assert!(open * 1_000 <= most * gaps, "{open} of {gaps}");
        assert!(unexplained * 1_000 <= most_idle * idle, "{unexplained} of {idle}");
    }
}

fn counts(trace: &Trace) -> [usize; 7] {
    let of = |kind: fn(&Kind) -> bool| trace.operations.iter().filter(|found| kind(&found.kind)).count();
    [
        of(|kind| matches!(kind, Kind::Kernel(_))),
        of(|kind| matches!(kind, Kind::Copy(..))),
        of(|kind| matches!(kind, Kind::Set(_))),
        trace.calls.len(),
        trace.operations.iter().filter(|found| found.call.is_some()).count(),
        trace.records.len(),
        trace.waits.len(),
    ]
}
