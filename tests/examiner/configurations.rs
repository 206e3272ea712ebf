//! Configurations as workloads.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use warpspan::base::Nanos;
use warpspan::import::examiner::{Free, Nested, Options};
use warpspan::import::{Format, json, reader::Reader, sniff};

use super::{CONFIGURATIONS, device, read, read_with, shown, told};

fn check(text: &str, workload: Expect, warnings: Expect) {
    let imported = read(text);
    workload.assert_eq(&shown::workload(&imported.workload));
    warnings.assert_eq(&told(&imported.warnings));
}

#[test]
fn spins_in_every_spelling() {
    check(
        include_str!("spins.json"),
        expect![[r#"
        stream 0 "A" Blocking priority 0 process 0
        stream 1 "spin_b" Blocking priority 0 process 0
        stream 2 "timer_spin 3" NonBlocking priority -1 process 0
        stream 3 "D" Blocking priority 0 process 0
        kernel 0 "A" 4 x 256 2.5 ms
        kernel 1 "spin_b" 6 x 128 4 ms
        kernel 2 "timer_spin 3" 1 x 32 1 ms
        kernel 3 "D" 2 x 64 3 ms shared 16384
        program "A" process 0: 2 x [k0 in s0, wait s0]
        program "spin_b" process 0: after 3 ms, 2 x [k1 in s1, wait s1]
        program "timer_spin 3" process 0: 1 x [k2 in s2, wait s2]
        program "D" process 0: 2 x [k3 in s3, wait s3]
    "#]],
        expect![[r#"
        colour: unknown key "colour": kept, but it changes nothing (and at 1 more place)
        benchmarks[2]."max_iterations (2)": "max_iterations (2)" is given again; the first one counts
        benchmarks[3].stream_priority: no device has a stream of this priority (-5, the most urgent, to 0): the stream is as if none were given
    "#]],
    );
}

#[test]
fn older_files_put_everything_in_texts() {
    check(
        include_str!("older.json"),
        expect![[r#"
        stream 0 "one" Blocking priority 0 process 0
        stream 1 "two" Blocking priority 0 process 0
        kernel 0 "one" 2 x 256 7 ms shared 32768
        kernel 1 "first" 2 x 64 1 ms
        kernel 2 "second" 1 x 128 2 ms
        program "one" process 0: 1 x [k0 in s0, wait s0]
        program "two" process 0: 1 x [k1 in s1, k2 in s1, wait s1]
    "#]],
        expect![[r#"
        name: it has no name
    "#]],
    );
}

#[test]
fn several_kernels_in_a_stream() {
    check(
        include_str!("multikernel.json"),
        expect![[r#"
        stream 0 "Stream 1" Blocking priority 0 process 0
        kernel 0 "K1" 2 x 512 1 ms on [0, 2, 3]
        kernel 1 "K2" 1 x 128 500 µs shared 8192 on [1, 2, 3]
        kernel 2 "Stream 1 kernel 3" 3 x 32 1 ms shared 4 on [0, 2, 3]
        copy 0 "K1 in" In 4000 bytes 4 µs
        copy 1 "K2 out" Out 1000 bytes 1 µs
        program "Stream 1" process 0: after 10 ms, 1 x [c0 in s0, k0 in s0, wait s0, sleep 2 ms, k1 in s0, c1 in s0, k2 in s0, wait s0]
    "#]],
        expect![[r#"
            benchmarks[0].additional_info[1].shared_memory_size: the examiner has kernels for 0, 4096, 8192 and 10240 integers of shared memory only, and refuses others; here any number will do (and at 1 more place)
        "#]],
    );
}

#[test]
fn every_action() {
    check(
        include_str!("actions.json"),
        expect![[r#"
        stream 0 "All" Blocking priority 0 process 0
        stream 1 "null stream" Null priority 0 process 0
        kernel 0 "K1" 2 x 256 1 ms
        kernel 1 "All action 10" 1 x 32 10 ms shared 16384
        kernel 2 "N1" 1 x 32 1 µs
        kernel 3 "Default" 1 x 32 1 µs
        copy 0 "S1" Set 1000000 bytes 500 µs
        copy 1 "S2" Set 2000000 bytes 1 ms
        copy 2 "C1" In 3000000 bytes 3 ms
        copy 3 "C2" Out 1000 bytes 1 µs
        copy 4 "C3" Within 1000 bytes 500 ns
        copy 5 "N2" Set 10 bytes 5 ns
        program "All" process 0: 3 x [k0 in s0, c0 in s0, c1 in s1, c2 in s0, sleep 500 µs, c3 in s1 and wait, c4 in s0, wait s0, wait all, k1 in s0, wait all, wait s0]
        program "Null" process 0: 3 x [k2 in s1, c5 in s1, wait s1]
        program "Default" process 0: 3 x [k3 in s1, wait s1]
    "#]],
        expect![[r#"
        benchmarks[0].additional_info.actions[0].parameters: malloc: takes no time and holds nothing back here
        benchmarks[0].additional_info.actions[6].parameters.direction: memcpy: no direction is given; deviceToDevice is assumed
        benchmarks[0].additional_info.actions[9].parameters: counter_spin: how long it takes depends on data; 10 ms a block assumed (blocks.durations.counter_spin sets it)
        benchmarks[0].additional_info.actions[10].parameters: free: waits until everything of its process has ended
        benchmarks[2].stream_priority: the null stream has no other priority than the default one
    "#]],
    );
}

#[test]
fn freeing_may_take_no_time() {
    let options = Options { free: Free::Instant, ..Options::default() };
    let Ok(imported) = read_with(include_str!("actions.json"), &device(), &options) else { unreachable!() };
    let shown = shown::workload(&imported.workload);
    assert_eq!(shown.matches("wait all").count(), 1, "{shown}");
    assert!(told(&imported.warnings).contains("free: takes no time and waits for nothing here"));
}

#[test]
fn processes_have_null_streams_of_their_own() {
    check(
        include_str!("processes.json"),
        expect![[r#"
        stream 0 "P1" Blocking priority 0 process 0
        stream 1 "null stream of P2" Null priority 0 process 1
        stream 2 "null stream of P3" Null priority 0 process 2
        kernel 0 "P1" 1 x 32 1 µs
        kernel 1 "P2" 1 x 32 1 µs
        kernel 2 "P3" 1 x 32 1 µs
        program "P1" process 0: 1 x in step [k0 in s0, wait s0]
        program "P2" process 1: 1 x in step [k1 in s1, wait s1]
        program "P3" process 2: 1 x in step [k2 in s2, wait s2]
    "#]],
        expect![[r#"
            do_warmup: the rounds for warming up are left out; they are not recorded
            benchmarks[0].mps_thread_percentage: a share of the threads for each process (MPS) is not modelled: all of the device is used
            benchmarks[2].stream_priority: the null stream has no other priority than the default one
        "#]],
    );
}

#[test]
fn hosts_run_their_benchmarks_in_order() {
    check(
        include_str!("hosts.json"),
        expect![[r#"
            stream 0 "Alone" Blocking priority 0 process 0
            stream 1 "T1" NonBlocking priority -1 process 3
            stream 2 "null stream of T2" Null priority 0 process 4
            stream 3 "T3" Blocking priority 0 process 4
            stream 4 "Twice" Blocking priority 0 process 2
            kernel 0 "Alone" 1 x 32 1 µs
            kernel 1 "T1" 2 x 64 2 µs
            kernel 2 "T2" 3 x 96 3 µs
            kernel 3 "T3" 4 x 128 4 µs
            kernel 4 "T4" 1 x 1 5 ns
            program "Alone" process 0: 1 x [k0 in s0, wait s0]
            program "T1" process 3: after 3 ms, 2 x [k1 in s1, wait s1]
            program "T2" process 4: after 1 ms, 1 x in step [k2 in s2, wait s2]
            program "T3" process 4: after 1 ms, 1 x in step [k3 in s3, wait s3]
            program "Twice" process 2: 2 x [1 x [k4 in s4, wait s4]]
        "#]],
        expect![[r#"
            benchmarks[1].additional_info.benchmarks[1]: sync_every_iteration within a task host: all programs in step wait for each other, not only those of the host
            benchmarks[2]: task host with several rounds beside others in step: its benchmarks run one after another in one stream, not side by side
        "#]],
    );
}

#[test]
fn hosts_of_one_round_may_run_them_side_by_side() {
    let options = Options { nested: Nested::SideBySide, ..Options::default() };
    let Ok(imported) = read_with(include_str!("hosts.json"), &device(), &options) else { unreachable!() };
    expect![[r#"
        stream 0 "Alone" Blocking priority 0 process 0
        stream 1 "T1" NonBlocking priority -1 process 3
        stream 2 "null stream of T2" Null priority 0 process 4
        stream 3 "T3" Blocking priority 0 process 4
        stream 4 "Twice" Blocking priority 0 process 2
        kernel 0 "Alone" 1 x 32 1 µs
        kernel 1 "T1" 2 x 64 2 µs
        kernel 2 "T2" 3 x 96 3 µs
        kernel 3 "T3" 4 x 128 4 µs
        kernel 4 "T4" 1 x 1 5 ns
        program "Alone" process 0: 1 x [k0 in s0, wait s0]
        program "T1" process 3: after 3 ms, 2 x [k1 in s1, wait s1]
        program "T2" process 4: after 1 ms, 1 x in step [k2 in s2, wait s2]
        program "T3" process 4: after 1 ms, 1 x in step [k3 in s3, wait s3]
        program "Twice" process 2: 2 x [1 x [k4 in s4, wait s4]]
    "#]]
    .assert_eq(&shown::workload(&imported.workload));
    expect![[r#"
        benchmarks[1].additional_info.benchmarks[1]: sync_every_iteration within a task host: all programs in step wait for each other, not only those of the host
        benchmarks[2]: task host with several rounds beside others in step: its benchmarks run one after another in one stream, not side by side
    "#]].assert_eq(&told(&imported.warnings));
}

#[test]
fn hosts_stand_in_one_another_only_so_deep() {
    let mut text =
        r#"{"filename":"timer_spin","thread_count":1,"block_count":1,"additional_info":1}"#.to_owned();
    let within = |text: &str| format!(r#"{{"name":"x","max_iterations":1,"benchmarks":[{text}]}}"#);
    for _ in 0..16 {
        text = format!(r#"{{"filename":"task_host","additional_info":{}}}"#, within(&text));
    }
    assert_eq!(read(&within(&text)).workload.setup.kernels.len(), 1);
    text = format!(r#"{{"filename":"task_host","additional_info":{}}}"#, within(&text));
    let problems = read_with(&within(&text), &device(), &Options::default()).map(|_| ());
    let problems = problems.expect_err("too deep");
    assert!(problems[0].to_string().ends_with("too many task hosts, expected at most 16 within one another"));
}

#[test]
fn what_depends_on_data_takes_what_is_assumed() {
    check(
        include_str!("data.json"),
        expect![[r#"
            stream 0 "Set" Blocking priority 0 process 0
            stream 1 "Walk" Blocking priority 0 process 0
            stream 2 "Product" Blocking priority 0 process 0
            stream 3 "sobel_filter 5" Blocking priority 0 process 0
            kernel 0 "Set" 20 x 512 10 ms
            kernel 1 "Walk" 2 x 1024 10 ms
            kernel 2 "Product" 256 x 1024 10 ms
            kernel 3 "sobel_filter 5" 1 x 1 10 ms
            program "Set" process 0: 1 x [k0 in s0, wait s0]
            program "Walk" process 0: 1 x [k1 in s1, wait s1]
            program "Product" process 0: 1 x [k2 in s2, wait s2]
            program "Host memory" process 0: 1 x [sleep 10 ms]
            program "sobel_filter 5" process 0: 1 x [k3 in s3, wait s3]
        "#]],
        expect![[r#"
            benchmarks[0]: mandelbrot: how long it takes depends on data; 10 ms a block assumed (blocks.durations.mandelbrot sets it)
            benchmarks[0].block_count: mandelbrot: has 20 blocks by the size of its data; block_count is not used
            benchmarks[1]: random_walk: how long it takes depends on data; 10 ms a block assumed (blocks.durations.random_walk sets it)
            benchmarks[2]: matrix_multiply: how long it takes depends on data; 10 ms a block assumed (blocks.durations.matrix_multiply sets it)
            benchmarks[2].block_count: matrix_multiply: has 256 blocks by the size of its data; block_count is not used
            benchmarks[3]: cpu_inorder_walk: uses no GPU; 10 ms of computing a round assumed (blocks.durations.cpu_inorder_walk sets it)
            benchmarks[4]: sobel_filter: no benchmark whose duration is known; 10 ms a block assumed (blocks.durations.sobel_filter sets it)
            benchmarks[4].thread_count: sobel_filter: no thread_count is given; 1 is assumed
            benchmarks[4].block_count: sobel_filter: no block_count is given; 1 is assumed
        "#]],
    );
}

#[test]
fn durations_that_are_given_are_not_warned_about() {
    let durations = [("mandelbrot", 1), ("random_walk", 2), ("matrix_multiply", 3), ("cpu_inorder_walk", 4)];
    let durations = durations.map(|(name, ms)| (name.to_owned(), Nanos(ms * 1_000_000)));
    let options = Options { durations: BTreeMap::from(durations), ..Options::default() };
    let Ok(imported) = read_with(include_str!("data.json"), &device(), &options) else { unreachable!() };
    let shown = shown::workload(&imported.workload);
    for line in
        ["\"Set\" 20 x 512 1 ms", "\"Walk\" 2 x 1024 2 ms", "\"Product\" 256 x 1024 3 ms", "sleep 4 ms"]
    {
        assert!(shown.contains(line), "{line} in\n{shown}");
    }
    let told = told(&imported.warnings);
    assert_eq!(told.matches("assumed (blocks.durations.").count(), 1, "{told}");
}

#[test]
fn masks_keep_kernels_away() {
    check(
        include_str!("masks.json"),
        expect![[r#"
        stream 0 "M1" Blocking priority 0 process 0
        stream 1 "M2" Blocking priority 0 process 0
        stream 2 "M3" Blocking priority 0 process 0
        stream 3 "M4" Blocking priority 0 process 0
        kernel 0 "M1" 1 x 1 1 ns on [1, 2, 3]
        kernel 1 "M2" 1 x 1 1 ns on [0]
        kernel 2 "M3" 1 x 1 1 ns on [0, 2, 3]
        kernel 3 "M4" 1 x 1 1 ns on [0, 2, 3]
        program "M1" process 0: 1 x [k0 in s0, wait s0]
        program "M2" process 0: 1 x [k1 in s1, wait s1]
        program "M3" process 0: 1 x [k2 in s2, wait s2]
        program "M4" process 0: 1 x [k3 in s3, wait s3]
        program "M5" process 0: 1 x [sleep 10 ms]
    "#]],
        expect![[r#"
        benchmarks[4].sm_mask: cpu_random_walk launches no kernel: the mask changes nothing
        benchmarks[4]: cpu_random_walk: uses no GPU; 10 ms of computing a round assumed (blocks.durations.cpu_random_walk sets it)
    "#]],
    );
    // With two multiprocessors to a TPC, a bit stands for both.
    let device = warpspan::blocks::Device { sms_per_tpc: 2, ..device() };
    let Ok(imported) = read_with(include_str!("masks.json"), &device, &Options::default()) else {
        unreachable!()
    };
    let shown = shown::workload(&imported.workload);
    assert!(
        shown.contains("\"M1\" 1 x 1 1 ns on [2, 3]") && shown.contains("\"M2\" 1 x 1 1 ns on [0, 1]"),
        "{shown}"
    );
}

#[test]
fn everything_wrong_is_told_with_its_place() {
    let problems = read_with(include_str!("wrong.json"), &device(), &Options::default()).map(|_| ());
    let problems: String =
        problems.expect_err("wrong").iter().map(|problem| format!("{problem}\n")).collect();
    expect![[r#"
        name: 7, expected a text in quotes
        max_iterations: "many", expected a whole number; 0 for no limit
        max_time: true, expected a number of seconds
        benchmarks[0].filename: missing, expected the benchmark's file
        benchmarks[2].additional_info: "soon", expected a number of nanoseconds from 0 to below 6e18
        benchmarks[3].thread_count: 0, expected a whole number, 1 to 4294967295
        benchmarks[3].block_count: a list of 4, expected a whole number, or a list of 1 to 3
        benchmarks[4].stream_priority: "high", expected a whole number, -5 to 0
        benchmarks[4].additional_info: -1, expected a number of nanoseconds from 0 to below 6e18
        benchmarks[4].thread_count: "x", expected a whole number, 1 to 4294967295
        benchmarks[4].block_count: missing, expected a whole number, or a list of up to three
        benchmarks[5].additional_info: 5, expected the duration of a block in nanoseconds and its shared memory in 4-byte integers
        benchmarks[6].additional_info.duration: missing, expected a number of nanoseconds
        benchmarks[6].additional_info.shared_memory_size: missing, expected a number of 4-byte integers
        benchmarks[7].additional_info: an empty list, expected at least one kernel
        benchmarks[8].additional_info: "K1,5,1", 3 parts, expected name, nanoseconds, blocks and threads of each kernel
        benchmarks[9].additional_info: -2, expected a whole number, 1 to 4294967295
        benchmarks[10].additional_info[0].duration: missing, expected a number of nanoseconds
        benchmarks[10].additional_info[0].block_count: missing, expected a whole number, or a list of up to three
        benchmarks[10].additional_info[0].thread_count: missing, expected a whole number, or a list of up to three
        benchmarks[10].additional_info[0].delay: "x", expected a number of seconds
        benchmarks[10].additional_info[0].copy_in_count: -1, expected a whole number, 0 to 1152921504606846976
        benchmarks[10].additional_info[1]: 3, expected an object
        benchmarks[11].additional_info: line 1 column 16, not valid JSON: EOF while parsing a value, expected the rest of it in the text
        benchmarks[12].additional_info.actions: an empty list, expected at least one action
        benchmarks[13].additional_info.use_null_stream: 1, expected true or false
        benchmarks[13].additional_info.actions[0].type: "dance", expected one of kernel, malloc, free, memset, memcpy, synchronize
        benchmarks[13].additional_info.actions[1].type: missing, expected the type of the action
        benchmarks[13].additional_info.actions[2].parameters: missing, expected an object with the duration
        benchmarks[13].block_count: missing, expected a whole number, or a list of up to three
        benchmarks[13].thread_count: missing, expected a whole number, or a list of up to three
        benchmarks[13].additional_info.actions[4].parameters.direction: "up", expected one of deviceToDevice, deviceToHost, hostToDevice
        benchmarks[13].additional_info.actions[5].parameters: a list of 0, expected an object
        benchmarks[14].additional_info: missing, expected a configuration with its own benchmarks
        benchmarks[15].additional_info.benchmarks: missing, expected a list of benchmarks
        benchmarks[16].sm_mask: leaves none of the 4 multiprocessors of four, expected at least one that is not disabled, or a larger device
        benchmarks[17].sm_mask: "some", expected up to 32 hexadecimal digits in quotes, with ~ in front to invert them
        benchmarks[18].filename: "/", expected the name of a benchmark
        benchmarks[19]: 12, expected an object
    "#]].assert_eq(&problems);
}

#[test]
fn a_configuration_is_known_by_its_content_and_may_stand_in_a_document() {
    for text in CONFIGURATIONS {
        assert_eq!(sniff(text), Format::ExaminerConfig);
        let document = format!(r#"{{"warpspan":1,"blocks":{{"examiner":{text}}}}}"#);
        let tree = json::parse(&document).unwrap_or_else(|problem| unreachable!("{problem}"));
        let mut reader = Reader::default();
        let inside = &tree["blocks"]["examiner"];
        let imported = warpspan::import::examiner::config::read(
            &mut reader,
            "blocks.examiner",
            inside,
            &device(),
            &Options::default(),
        );
        match (imported, read_with(text, &device(), &Options::default())) {
            (Some(inside), Ok(alone)) => assert_eq!(inside.workload, alone.workload),
            (None, Err(_)) => {
                let problems = reader.into_problems();
                assert!(
                    problems.iter().all(|problem| problem.place.starts_with("blocks.examiner.")),
                    "{problems:#?}"
                );
            }
            (inside, alone) => unreachable!("{inside:?} {alone:?}"),
        }
    }
}
