//! When benchmarks stop: every program has a limit, and comes to an end.

use expect_test::expect;
use warpspan::import::examiner::Options;

use super::{device, read, read_with, shown, told};

#[test]
fn limits_of_every_kind() {
    let imported = read(include_str!("limits.json"));
    let shown = shown::workload(&imported.workload);
    let programs: String =
        shown.lines().filter(|line| line.starts_with("program")).map(|line| format!("{line}\n")).collect();
    expect![[r#"
        program "by time" process 0: for 500 ms in step [k0 in s0, wait s0]
        program "by both" process 0: 5 x for 500 ms in step [k1 in s1, wait s1]
        program "by rounds" process 0: 1000 x in step [k2 in s2, wait s2]
        program "by nothing" process 0: 1 x in step [k3 in s3, wait s3]
        program "no time" process 0: 1 x for 500 ms in step [k4 in s4, wait s4]
        program "negative" process 0: for 500 ms in step [k5 in s5, wait s5]
        program "idle" process 0: 500000 x in step [sleep 10 ms]
        program "not waited for" process 0: 1 x for 500 ms in step [c0 in s6, wait s7]
    "#]]
    .assert_eq(&programs);
    expect![[r#"
        benchmarks[1].max_iterations: the examiner refuses max_iterations of single benchmarks beside sync_every_iteration; here those that are over are waited for no more
        benchmarks[6]: cpu_random_walk: uses no GPU; 10 ms of computing a round assumed (blocks.durations.cpu_random_walk sets it)
        benchmarks[3]: neither max_iterations nor max_time limits it: 1 round is simulated
        benchmarks[4]: only max_time limits it, but a round takes no time: 1 round is simulated (and at 1 more place)
        benchmarks[6]: it launches no kernel: 500,000 rounds are simulated at the most
    "#]].assert_eq(&told(&imported.warnings));
}

#[test]
fn how_many_rounds_there_are_without_a_limit_can_be_said() {
    let options = Options { default_rounds: 4, ..Options::default() };
    let Ok(imported) = read_with(include_str!("limits.json"), &device(), &options) else { unreachable!() };
    let shown = shown::workload(&imported.workload);
    assert!(shown.contains("program \"by nothing\" process 0: 4 x in step"), "{shown}");
    assert!(told(&imported.warnings).contains("limits it: 4 rounds are simulated"));
}

#[test]
fn benchmarks_end_with_the_one_that_ends_the_others() {
    let config = r#"{"name": "x", "max_iterations": 0, "max_time": 0, "cuda_device": 0, "benchmarks": [
        {"filename": "timer_spin.so", "thread_count": 1, "block_count": 1, "data_size": 0, "additional_info": 300},
        {"filename": "timer_spin.so", "thread_count": 1, "block_count": 1, "data_size": 0, "additional_info": 0},
        {"filename": "timer_spin.so", "thread_count": 1, "block_count": 1, "data_size": 0, "additional_info": 1000,
         "max_iterations": 2, "terminator": true}]}"#;
    let imported = read(config);
    let run = warpspan::blocks::simulate(&imported.workload);
    let launches = |kernel: usize| run.trace.kernels.iter().filter(|run| run.kernel == kernel).count();
    // The first begins its last round at 1,800 ns; the second takes no time and is not repeated without end.
    assert_eq!([0, 1, 2].map(launches), [7, 1, 2]);
    assert_eq!(run.trace.end.0, 2_100);
    assert!(told(&imported.warnings).contains("neither max_iterations nor max_time limits it"));
}
