//! Logs, alone and brought together.

use expect_test::{Expect, expect};
use warpspan::base::Nanos;
use warpspan::blocks::{Mask, StreamKind};
use warpspan::import::examiner::align::{self, Known, Measured};
use warpspan::import::examiner::log::{self, Log};
use warpspan::import::{Format, sniff};

use super::{LOGS, device, read, shown, told};

fn log(name: &str) -> Log {
    let text = LOGS.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text);
    log::read(name, text).unwrap_or_else(|problem| unreachable!("{problem}"))
}

fn run(names: &[&str]) -> Measured {
    let logs: Vec<Log> = names.iter().map(|name| log(name)).collect();
    align::setup(&logs, &Known { presets: &[device()], ..Known::default() })
}

fn check(names: &[&str], run_shown: Expect, warnings: Expect) {
    let measured = run(names);
    run_shown.assert_eq(&shown::measured(&measured));
    warnings.assert_eq(&told(&measured.warnings));
}

#[test]
fn a_log_says_all_it_can() {
    let log = log("run-spin.json");
    assert_eq!((log.scenario.as_str(), log.benchmark.as_str()), ("A measured run", "Timer Spin"));
    assert_eq!((log.label.as_str(), log.max_resident_threads), ("Spin", Some(4096)));
    assert_eq!((log.pid, log.tid, log.release), (Some(100), Some(101), Some(Nanos::ZERO)));
    assert_eq!(log.rounds.len(), 2);
    assert_eq!(log.rounds[0].execute, Some([Nanos(100_001_000), Nanos(102_060_000)]));
    let kernel = &log.kernels[1];
    assert_eq!((kernel.round, kernel.place.as_str()), (1, "times[4]"));
    assert_eq!((kernel.blocks, kernel.threads, kernel.shared_memory), (2, 1024, 0));
    assert_eq!(kernel.returned, Some(Nanos(102_120_000)));
    assert_eq!(kernel.runs[1].sm, Some(0));
    assert_eq!(log.warnings, []);
    for (_, text) in LOGS {
        assert_eq!(sniff(text), Format::ExaminerLog);
    }
}

#[test]
fn logs_of_one_run_share_a_clock() {
    check(
        &["run-spin.json", "run-kernels.json", "run-default.json"],
        expect![[r#"
        stream 0 "Spin" Blocking priority 0 process 0
        stream 1 "Kernels" Blocking priority 0 process 0
        stream 2 "null stream" Null priority 0 process 1
        kernel 0 "Spin" 2 x 1024 2.020032 ms
        kernel 1 "K1" 1 x 512 1 ms shared 32768
        kernel 2 "K2" 1 x 256 1 ms
        kernel 3 "run-default" 1 x 32 1 ms
        op 0 k0 in s0 round 0: 0 0 48 48.032 2048.064, waited 2053; sm 0 48 to 2048 sm 1 48.032 to 2048.064 (0 times[2])
        op 1 k1 in s1 round 0: 1008 1008 1098 1098 2098, waited -; sm 0 1098 to 2098 (1 times[2])
        op 2 k2 in s1 round 0: 1028 2098 2108 2108 3108, waited -; sm 1 2108 to 3108 (1 times[3])
        op 3 k0 in s0 round 1: 2080 2080 2128 2128.032 4148.064, waited 4153; sm 1 2128 to 4148 sm 0 2128.032 to 4148.064 (0 times[4])
        op 4 k3 in s2 round 0: 4998 4998 5048 5048 6048, waited 6068; sm 0 5048 to 6048 (2 times[2])
        end 6048
    "#]],
        expect![[r#"
            : logs do not tell priorities: every stream is taken to have the default one, and to mind the null stream of its process
            : all times are 100,002,000 ns earlier than in the logs, so that the first is 0
            run-kernels.json: copies and other work that logs do not tell may stand before these kernels; they count as queued only when they start (a configuration of the run says more)
        "#]],
    );
    let measured = run(&["run-spin.json", "run-kernels.json", "run-default.json"]);
    assert_eq!((measured.shift, measured.offset), (100_002_000, 0));
    expect!["4,096 threads may be resident, 1 is the highest multiprocessor used; no known device is like that; limits not known are generous: the device of the logs (2 multiprocessors)"].assert_eq(measured.device_guess.as_deref().unwrap_or_default());
    assert_eq!(measured.returned[0], Some(Nanos(38_000)));
}

#[test]
fn a_configuration_tells_what_logs_do_not() {
    let configuration = read(
        r#"{"name": "A measured run", "max_iterations": 1, "max_time": 0, "benchmarks": [
            {"filename": "timer_spin_default_stream", "label": "run-default", "thread_count": 32, "block_count": 1,
             "additional_info": 1000000, "sm_mask": "~0x1"},
            {"filename": "timer_spin", "label": "Spin", "thread_count": 1024, "block_count": 2,
             "additional_info": 2000000, "stream_priority": -1},
            {"filename": "multikernel", "label": "Kernels", "additional_info": [
             {"kernel_label": "K1", "duration": 1, "block_count": 1, "thread_count": 512, "sm_mask": "0x1"}]}
        ]}"#,
    );
    let logs = ["run-spin.json", "run-kernels.json", "run-default.json"].map(log);
    let device = device();
    let known = Known { device: Some(&device), presets: &[], configuration: Some(&configuration.workload) };
    let measured = align::setup(&logs, &known);
    let [spin, kernels, null] = &measured.setup.streams[..] else { unreachable!("three streams") };
    assert_eq!((spin.priority, spin.kind), (-1, StreamKind::NonBlocking));
    assert_eq!((kernels.priority, kernels.kind), (0, StreamKind::Blocking));
    assert_eq!((null.kind, null.process, null.label.as_str()), (StreamKind::Null, 1, "null stream"));
    let masks: Vec<bool> = measured.setup.kernels.iter().map(|kernel| kernel.mask == Mask::ALL).collect();
    assert_eq!(masks, [true, false, false, false], "K2 is the only kernel that is not found by name");
    assert_eq!(measured.device_guess, None);
    expect![[r#"
        max_resident_threads: 4,096 threads may be resident, but four holds 8,192
        : all times are 100,002,000 ns earlier than in the logs, so that the first is 0
    "#]]
    .assert_eq(&told(&measured.warnings));
}

#[test]
fn a_log_that_was_cut_off_gives_what_is_whole() {
    check(
        &["cut.json"],
        expect![[r#"
        stream 0 "Killed" Blocking priority 0 process 0
        kernel 0 "Killed" 1 x 32 70 ms
        op 0 k0 in s0 round 0: 0 0 20000 20000 90000, waited 100000; sm 0 20000 to 90000 (0 times[2])
        op 1 k0 in s0 round 0: 200000 200000 220000 220000 290000, waited 300000; sm 1 220000 to 290000 (0 times[4])
        end 290000
    "#]],
        expect![[r#"
            cut.json: line 10 column 1: entry 3 of the times is broken and left out
            cut.json: line 12 column 121: the file is cut off or broken: 4 entries of its times are whole
            : logs do not tell priorities: every stream is taken to have the default one, and to mind the null stream of its process
            : blocks end up to 190 ms after their program had waited for them: the clocks of CPU and GPU differ by as much at the least, or the record is wrong
            : all times are 100,000,000 ns earlier than in the logs, so that the first is 0
        "#]],
    );
}

#[test]
fn defects_are_told_and_the_rest_is_kept() {
    check(
        &["defects.json"],
        expect![[r#"
            stream 0 "Odd" Blocking priority 0 process 0
            kernel 0 "odd" 2 x 32 70 ms
            kernel 1 "backwards" 3 x 32 70 ms
            kernel 2 "more" 2 x 32 70 ms
            kernel 3 "far" 2 x 1 100 ms
            op 0 k0 in s0 round 0: 0 0 20000 20000 90000, waited -; sm 0 20000 to 90000 (0 times[2])
            op 1 k1 in s0 round 0: 100000 100000 120000 120000 190000, waited -; sm 1 120000 to 190000 (0 times[3])
            op 2 k2 in s0 round 0: 200000 200000 220000 220000 290000, waited -; sm 0 220000 to 290000 sm 1 220000 to 280000 (0 times[4])
            op 3 k3 in s0 round 0: 400000 400000 400000 400000 500000, waited -; sm 65535 400000 to 500000 (0 times[6])
            end 500000
        "#]],
        expect![[r#"
            defects.json: some numbers are no numbers (nan or inf); what needs them is left out
            defects.json: times[1].copy_in_times: a list of 1, not two times of which the first is no later
            defects.json: times[1].execute_times: a list of 2, not two times of which the first is no later
            defects.json: times[1].copy_out_times: "never", not two times of which the first is no later
            defects.json: times[2].block_times: an odd number of times: the last block has no end and is left out
            defects.json: times[2].block_times: 1 of 2 blocks are recorded
            defects.json: times[3].block_times: 1 block left out: an end before the start
            defects.json: times[3].block_smids: 1 block without the number of a multiprocessor: only the times of the kernel are kept
            defects.json: times[3].cuda_launch_times: the times do not ascend
            defects.json: times[4].block_times: 2 blocks are recorded, but block_count is 1
            defects.json: times[5].block_times: 1 block left out: a time that is no number of seconds from 0 to 6e9 (and at 1 more place)
            defects.json: times[5]: no sound time of any block: the kernel cannot be shown
            defects.json: times[6].thread_count: no number of threads; 1 is assumed
            defects.json: times[6].cuda_launch_times: no time of the launch; the start of the first block is taken for it
            defects.json: times[7]: an entry with neither times of the CPU nor of a kernel; left out (and at 1 more place)
            defects.json: times[8]: "what", not an object; left out
            : logs do not tell priorities: every stream is taken to have the default one, and to mind the null stream of its process
            : all times are 100,000,000 ns earlier than in the logs, so that the first is 0
            defects.json: copies and other work that logs do not tell may stand before these kernels; they count as queued only when they start (a configuration of the run says more)
        "#]],
    );
    let log = log("defects.json");
    assert_eq!(log.rounds.len(), 1);
    assert_eq!(log.rounds[0].all, Some([Nanos(100_000_000), Nanos(900_000_000)]));
    assert_eq!((log.release, log.kernels.len()), (None, 5));
}

#[test]
fn older_logs_have_times_of_kernels() {
    check(
        &["older-log.json"],
        expect![[r#"
        stream 0 "older-log" Blocking priority 0 process 0
        kernel 0 "older-log" 2 x 64 150 ms
        op 0 k0 in s0 round 0: 0 0 0 50000 200000, waited -; sm 0 0 to 100000 sm 1 50000 to 200000 (0 times[1])
        op 1 k0 in s0 round 1: 400000 400000 400000 400000 500000, waited -; (0 times[2])
        end 500000
    "#]],
        expect![[r#"
        older-log.json: times[1].cuda_launch_times: no time of the launch; the start of the first block is taken for it (and at 1 more place)
        older-log.json: times[2].block_times: 0 of 2 blocks are recorded
        : logs do not tell priorities: every stream is taken to have the default one, and to mind the null stream of its process
        : all times are 100,000,000 ns earlier than in the logs, so that the first is 0
    "#]],
    );
}

#[test]
fn clocks_that_differ_are_set_right() {
    check(
        &["early.json"],
        expect![[r#"
        stream 0 "Early" Blocking priority 0 process 0
        kernel 0 "K1" 1 x 32 100 µs
        kernel 1 "K2" 1 x 32 500 µs
        op 0 k0 in s0 round 0: 0 0 0 0 100, waited -; sm 0 0 to 100 (0 times[1])
        op 1 k1 in s0 round 0: 200 200 300 300 800, waited -; sm 1 300 to 800 (0 times[2])
        end 800
    "#]],
        expect![[r#"
            : logs do not tell priorities: every stream is taken to have the default one, and to mind the null stream of its process
            : 2 of 2 kernels start before the launch, by 200 µs at the most: the clocks of CPU and GPU differ; launches are moved by as much
            : nothing in the logs says how far the clocks can differ at the most: starts before their calls (G1) do not show
            : all times are 100,100,000 ns earlier than in the logs, so that the first is 0
            early.json: copies and other work that logs do not tell may stand before these kernels; they count as queued only when they start (a configuration of the run says more)
        "#]],
    );
    assert_eq!(run(&["early.json"]).offset, 200_000);
}

#[test]
fn few_early_starts_are_left_to_the_check() {
    let text = LOGS[1].1.replace("[0.10211, 0.10311]", "[0.10102, 0.10103]");
    let log = log::read("x", &text).unwrap_or_else(|problem| unreachable!("{problem}"));
    let measured = align::setup(&[log], &Known::default());
    assert_eq!(measured.offset, 0);
    let late = measured.trace.kernels.iter().filter(|run| run.start < run.launched).count();
    assert_eq!(late, 1);
    assert!(
        told(&measured.warnings).contains("1 of 2 kernels start before the launch, by 10 µs at the most")
    );
}

#[test]
fn runs_are_told_apart_by_their_scenarios() {
    let logs = LOGS.map(|(name, _)| log(name)).to_vec();
    let groups = align::groups(logs);
    let names: Vec<Vec<&str>> =
        groups.iter().map(|group| group.iter().map(|log| log.name.as_str()).collect()).collect();
    assert_eq!(
        names,
        [
            vec!["run-spin.json", "run-kernels.json", "run-default.json"],
            vec!["cut.json"],
            vec!["defects.json"],
            vec!["older-log.json"],
            vec!["early.json"],
        ]
    );
}

#[test]
fn threads_of_two_processes_are_of_two_runs() {
    let threads = log("run-spin.json");
    let again = Log { pid: Some(300), name: "again".to_owned(), ..threads.clone() };
    assert_eq!(align::groups(vec![threads.clone(), again.clone()]).len(), 2);
    let process = |log: &Log| Log { tid: None, ..log.clone() };
    assert_eq!(align::groups(vec![process(&threads), process(&again)]).len(), 1);
    let twins = align::setup(&[threads.clone(), threads], &Known::default());
    assert!(told(&twins.warnings).contains("from the same thread as run-spin.json: the same log twice?"));
}

#[test]
fn logs_without_kernels_are_no_streams() {
    let host =
        r#"{"scenario_name": "x", "benchmark_name": "Benchmark host", "times": [{}, {"cpu_times": [1, 2]}]}"#;
    let host = log::read("host.json", host).unwrap_or_else(|problem| unreachable!("{problem}"));
    assert_eq!(host.rounds.len(), 1);
    let measured = align::setup(&[host, log("run-spin.json")], &Known::default());
    assert_eq!(measured.setup.streams.len(), 1);
    assert_eq!(measured.origins[0].0, 1);
}

#[test]
fn only_a_text_with_nothing_of_a_log_is_refused() {
    let refused =
        |text: &str| log::read("x", text).map_or_else(|problem| problem.to_string(), |_| "read".to_owned());
    assert_eq!(refused("{\"PID\": 1, \"ti"), "read");
    assert_eq!(refused("{\"scenario_name\": \"x\", \"times\": [{}"), "read");
    assert_eq!(
        refused("[]"),
        "document: a list of 0, expected a log of the examiner, with scenario_name and times"
    );
    assert_eq!(
        refused("{}"),
        "document: nothing of a log, expected a log of the examiner, with scenario_name and times"
    );
    assert_eq!(
        refused("{\"ti"),
        "line 1 column 4: not valid JSON: EOF while parsing a string, expected the rest of it"
    );
    assert_eq!(
        refused(""),
        "line 1 column 0: not valid JSON: EOF while parsing a value, expected the rest of it"
    );
    let nothing = align::setup(&[], &Known::default());
    assert_eq!((nothing.trace.kernels.len(), nothing.shift), (0, 0));
}
