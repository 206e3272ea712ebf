//! What is said of blocks documents that make no sense, and how those that do are understood.

use expect_test::{Expect, expect};

use super::{BlocksScenario, Reference};
use crate::LINKED;
use base::Nanos;
use blocks::{Action, Direction, Placement, StreamKind, Switch};

/// A document with this inside.
fn document(inside: &str) -> String {
    format!(r#"{{"warpspan": 1, "blocks": {{{inside}}}}}"#)
}

fn wrong(inside: &str, expected: Expect) {
    let said = match LINKED.read(&document(inside)) {
        Ok(_) => "accepted".to_owned(),
        Err(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    };
    expected.assert_eq(&said);
}

fn right(inside: &str) -> BlocksScenario {
    match LINKED.read(&document(inside)).map(|scenario| scenario.asked().cloned()) {
        Ok(Some(asked)) => asked,
        other => unreachable!("{inside}: {other:?}"),
    }
}

const KERNEL: &str = r#"{"kernel": "K", "blocks": 2, "threads": 64, "duration": 10}"#;

#[test]
fn nothing_to_run_and_too_much_of_it() {
    wrong("", expect![[r#"blocks: nothing to run, expected "streams", "examiner" or "measured""#]]);
    wrong(
        r#""streams": [], "examiner": {}"#,
        expect![[r#"blocks: "streams" and "examiner" together, expected one of them"#]],
    );
    wrong(r#""streams": []"#, expect!["blocks.streams: 0 streams, expected 1 to 1000 streams"]);
    wrong(r#""measured": []"#, expect!["blocks.measured: 0 logs, expected 1 to 1000 logs"]);
    wrong(
        r#""durations": {"mandelbrot": 5}, "streams": [{"operations": []}]"#,
        expect![[r#"blocks.durations: nothing to apply it to, expected "examiner" beside it"#]],
    );
}

#[test]
fn every_mistake_has_its_place() {
    wrong(
        r#""placement": "best", "time_slice": {"quantum": 0, "switch": "now"}, "tolerance": -1, "colour": 1,
           "streams": [{"priority": 1, "kind": "red", "rounds": 0, "operations": [
             {"kernel": "K", "threads": 0, "duration": "long", "sms": [2]},
             {"kernel": "K", "copy": "in"},
             {"copy": "up", "bytes": 1},
             {"copy": "in"},
             {"sleep": 1.5},
             {"jump": 1},
             {"kernel": "K", "blocks": 2, "threads": 1, "duration": [1]}]}]"#,
        expect![[r#"
            blocks.colour: unknown key, expected one of device, placement, time_slice, streams, examiner, durations, task_host, free, measured, tolerance, clocks, most_blocks, references
            blocks.placement: "best", expected one of "most-free-threads", "fewest-blocks", "round-robin", "lowest-first", "highest-first"
            blocks.time_slice.quantum: 0, expected a whole number, 1 to 1000000000000000
            blocks.time_slice.switch: "now", expected one of "drain", "preempt"
            blocks.tolerance: -1, expected a whole number, 0 to 1000000000000000
            blocks.streams[0].priority: 1, expected a whole number, -5 (most urgent) to 0
            blocks.streams[0].kind: "red", expected one of "blocking", "non-blocking", "null"
            blocks.streams[0].rounds: 0, expected a whole number, 1 to 1000000"#]],
    );
    wrong(
        r#""streams": [{"operations": [
             {"kernel": "K", "threads": 0, "duration": "long", "sms": [2]},
             {"kernel": "K", "copy": "in"},
             {"copy": "up", "bytes": 1},
             {"copy": "in"},
             {"sleep": 1.5},
             {"jump": 1},
             {"kernel": "K", "blocks": 2, "threads": 1, "duration": [1]}]}]"#,
        expect![[r#"
            blocks.streams[0].operations[0].threads: 0, expected a whole number, 1 to 1048576
            blocks.streams[0].operations[0].duration: "long", expected a whole number, 0 to 1000000000000000
            blocks.streams[0].operations[0].sms[0]: 2, expected a whole number, 0 to 1
            blocks.streams[0].operations[1]: an operation with kernel and copy of the kinds, expected exactly one of "kernel", "copy", "sleep", "wait" and "repeat"
            blocks.streams[0].operations[2].copy: "up", expected one of "in", "out", "within", "set"
            blocks.streams[0].operations[3]: neither "bytes" nor "duration", expected one of them at least
            blocks.streams[0].operations[4].sleep: 1.5, expected a whole number, 0 to 1000000000000000
            blocks.streams[0].operations[5]: an operation with none of the kinds, expected exactly one of "kernel", "copy", "sleep", "wait" and "repeat"
            blocks.streams[0].operations[6].duration: 1 duration, expected one number, or a list of 2"#]],
    );
}

#[test]
fn what_can_never_run_says_why() {
    wrong(
        r#""streams": [{"operations": [{"kernel": "K", "threads": 2048, "duration": 1}]}]"#,
        expect![[
            r#"blocks: kernel "K" can never run: a block needs 2,048 threads, a block may have 1,024, expected a kernel that fits Jetson TX2"#
        ]],
    );
    wrong(
        r#""streams": [{"operations": [{"kernel": "K", "threads": 32, "shared_memory": 50000, "duration": 1}]}]"#,
        expect![[
            r#"blocks: kernel "K" can never run: a block needs 50,000 bytes of shared memory, a block may have 49,152, expected a kernel that fits Jetson TX2"#
        ]],
    );
    wrong(
        r#""streams": [{"time": 1000, "operations": [{"kernel": "K", "threads": 32, "duration": 0}]}]"#,
        expect![[
            r#"blocks.streams[0].time: a limit for rounds that take no time, expected "rounds", or an operation that takes time: else rounds without number fit into it"#
        ]],
    );
}

#[test]
fn devices_are_presets_with_changes_or_written_out() {
    let streams = format!(r#""streams": [{{"operations": [{KERNEL}]}}]"#);
    let device = |inside: &str| {
        let asked = right(&format!(r#""device": {inside}, {streams}"#));
        asked.device().cloned().unwrap_or_else(|| unreachable!("it has one"))
    };
    let changed = device(r#"{"preset": "jetson-tx2", "sms": 4, "allocate": "warps", "copy_rate": 1000}"#);
    assert_eq!((changed.sms, changed.threads_per_sm, changed.thread_granularity), (4, 2048, 32));
    assert_eq!(changed.copy_speed.host, 1000);
    let own = device(r#"{"sms": 1, "threads": 128}"#);
    assert_eq!((own.name.as_str(), own.sms, own.threads_per_sm), ("a device with 1 SM", 1, 128));
    let unknown = document(&format!(r#""device": {{"preset": "abacus"}}, {streams}"#));
    let said = LINKED.read(&unknown).err().and_then(|problems| Some(problems.first()?.to_string()));
    assert!(
        said.is_some_and(|said| said.starts_with("blocks.device.preset: \"abacus\", expected one of \""))
    );
    wrong(
        &format!(r#""device": {{"threads": 128}}, {streams}"#),
        expect![[
            r#"blocks.device.sms: missing, expected a whole number, 1 to 256, or a "preset" that has it"#
        ]],
    );
}

#[test]
fn streams_and_operations_become_programs() {
    let asked = right(
        r#""placement": "lowest-first", "time_slice": {"switch": "preempt"}, "streams": [
            {"kind": "null", "operations": [{"kernel": "N", "threads": 1, "duration": 5}]},
            {"kind": "null", "release": 7, "operations": [{"copy": "out", "duration": 3, "synchronous": true}, {"sleep": 2},
              {"repeat": 3, "operations": [{"wait": "device"}]}]},
            {"priority": -1, "kind": "non-blocking", "rounds": 4, "operations": []}]"#,
    );
    let Some(workload) = asked.workload else { unreachable!("it runs") };
    assert_eq!(workload.placement, Placement::LowestFirst);
    assert_eq!(workload.slicing.switch, Switch::Preempt);
    let streams = &workload.setup.streams;
    assert_eq!(
        streams.iter().map(|stream| stream.kind).collect::<Vec<_>>(),
        [StreamKind::Null, StreamKind::NonBlocking]
    );
    let second = &workload.programs[1].repeat;
    assert_eq!((second.release, second.rounds), (Nanos(7), Some(1)));
    assert_eq!(second.body[0], Action::Copy { stream: 0, copy: 0, wait: true });
    assert!(matches!(&second.body[2], Action::Repeat(repeat) if repeat.rounds == Some(3)));
    assert_eq!(second.body.last(), Some(&Action::WaitStream(0)));
    assert_eq!(workload.setup.copies[0].direction, Direction::Out);
}

#[test]
fn a_configuration_that_no_small_device_runs_is_given_a_larger_one() {
    let asked = right(
        r#""examiner": {"name": "x", "max_iterations": 1, "max_time": 0, "cuda_device": 0, "benchmarks": [
            {"filename": "timer_spin.so", "thread_count": 32, "block_count": 1, "data_size": 0,
             "additional_info": 10, "sm_mask": "0xff"}]}"#,
    );
    assert!(asked.device().is_some_and(|device| device.sms > 8));
    assert!(asked.warnings.iter().any(|warning| warning.text.contains("no device is named")));
}

#[test]
fn references_are_read() {
    let asked = right(&format!(
        r#""streams": [{{"operations": [{KERNEL}]}}], "references": [{{"kernel": "K", "completion": 10}}]"#
    ));
    let expected = Reference { kernel: "K".to_owned(), completion: Nanos(10), source: String::new() };
    assert_eq!(asked.references, [expected]);
}
