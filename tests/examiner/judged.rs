//! Small measured runs held against the rules: who is accused of what, and what is said where nobody can tell.

use serde_json::{Value, json};
use warpspan::report::{CheckReport, check_report};
use warpspan::scenario::{self, BlocksScenario};

/// A kernel of a log: name, threads, call, wait (0 for none), and blocks as start, end, multiprocessor; milliseconds.
struct Logged<'a>(&'a str, u32, f64, f64, &'a [(f64, f64, u32)]);

/// A log; its rounds are over a tenth of a millisecond after the last block.
fn log(label: &str, benchmark: &str, process: u32, kernels: &[Logged]) -> Value {
    let seconds = |millis: f64| (1_000.0 + millis) / 1e3;
    let from = kernels.iter().map(|kernel| kernel.2).fold(f64::MAX, f64::min);
    let ends = kernels.iter().flat_map(|kernel| kernel.4).map(|block| block.1);
    let over = ends.fold(0.0, f64::max) + 0.1;
    let mut times = vec![json!({}), json!({"cpu_times": [seconds(from), seconds(over)]})];
    for Logged(name, threads, called, wait, blocks) in kernels {
        let idle = if *wait > 0.0 { seconds(*wait) } else { 0.0 };
        let block_times: Vec<f64> =
            blocks.iter().flat_map(|block| [seconds(block.0), seconds(block.1)]).collect();
        let sms: Vec<u32> = blocks.iter().map(|block| block.2).collect();
        times.push(json!({"kernel_name": name, "block_count": blocks.len(), "thread_count": threads, "shared_memory": 0,
            "cuda_launch_times": [seconds(*called), seconds(called + 0.01), idle], "block_times": block_times,
            "block_smids": sms}));
    }
    json!({"scenario_name": "s", "benchmark_name": benchmark, "label": label, "max_resident_threads": 4096, "data_size": 0,
        "release_time": 0, "PID": process, "times": times})
}

fn checked(blocks: &Value) -> CheckReport {
    let tree = json!({"warpspan": 1, "title": "t", "blocks": blocks});
    let read = scenario::from_tree(&tree).unwrap_or_else(|problems| unreachable!("{problems:#?}"));
    let Some(asked) = read.asked::<BlocksScenario>() else { unreachable!("blocks") };
    check_report("t", asked).unwrap_or_else(|| unreachable!("there are logs"))
}

fn rules(report: &CheckReport) -> Vec<(&str, &str)> {
    report.violations.iter().map(|found| (found.rule.as_str(), found.kernel.as_str())).collect()
}

fn tx2(mut blocks: Value) -> Value {
    blocks["device"] = json!({"preset": "jetson-tx2"});
    blocks
}

fn timer(label: &str, more: &Value) -> Value {
    let mut one = json!({"filename": "timer_spin", "label": label, "thread_count": 512, "block_count": 2,
        "additional_info": 100_000_000});
    if let (Some(one), Some(more)) = (one.as_object_mut(), more.as_object()) {
        one.extend(more.clone());
    }
    one
}

fn configuration(benchmarks: &[Value]) -> Value {
    json!({"name": "s", "max_iterations": 1, "max_time": 0, "cuda_device": 0, "benchmarks": benchmarks})
}

#[test]
fn a_kernel_behind_a_copy_was_not_queued_at_its_call() {
    // K waits 6.7 ms for its copy; Q starts meanwhile, rightly.
    let several = |copy: u32| {
        let kernel = json!({"kernel_label": "K", "duration": 100_000_000, "block_count": 2, "thread_count": 512,
            "copy_in_count": copy});
        json!({"filename": "multikernel", "label": "P", "additional_info": [kernel]})
    };
    let measured = json!([
        log(
            "P",
            "Multi-kernel submission",
            1,
            &[Logged("K", 512, 0.0, 0.0, &[(6.72, 106.72, 0), (6.72, 106.72, 1)])]
        ),
        log(
            "Q",
            "Timer Spin",
            1,
            &[Logged("GPUSpin", 512, 2.0, 52.1, &[(2.02, 52.02, 0), (2.02, 52.02, 1)])]
        ),
    ]);
    let with = |copy| {
        let examiner = configuration(&[several(copy), timer("Q", &json!({}))]);
        checked(&tx2(json!({"examiner": examiner, "measured": measured})))
    };
    assert_eq!(rules(&with(16_777_216)), []);
    // With nothing before K in its stream, Q overtakes it.
    assert_eq!(rules(&with(0)), [("X1", "Q"), ("X1", "Q")]);
    // Without a configuration nobody knows, and that is said.
    let unknown = checked(&tx2(json!({"measured": measured})));
    assert_eq!(rules(&unknown), []);
    assert!(
        unknown.warnings.iter().any(|told| told.contains("may stand before these kernels")),
        "{:?}",
        unknown.warnings
    );
}

#[test]
fn what_waits_for_an_unlogged_memset_of_the_null_stream_may_be_overtaken() {
    let memset = json!({"type": "memset", "label": "m", "parameters": {"async": false, "size": 1024}});
    let kernel = json!({"type": "kernel", "label": "KB", "parameters": {"duration": 100_000_000}});
    let actions = json!({"filename": "stream_action", "label": "B", "thread_count": 512, "block_count": 2});
    let examiner = |list: &[&Value]| {
        let mut actions = actions.clone();
        actions["additional_info"] = json!({"actions": list});
        let free = timer("D", &json!({"stream_priority": 0}));
        configuration(&[timer("A", &json!({})), actions, timer("C", &json!({})), free])
    };
    // A runs to 100; the memset waits for A (N1), KB and C wait for the memset (N2); D waits for nobody.
    let measured = json!([
        log(
            "A",
            "Timer Spin",
            1,
            &[Logged("GPUSpin", 512, 0.0, 100.1, &[(0.02, 100.0, 0), (0.02, 100.0, 1)])]
        ),
        log(
            "B",
            "Sequential action",
            1,
            &[Logged("KB", 512, 10.0, 0.0, &[(100.1, 200.0, 0), (100.1, 200.0, 1)])]
        ),
        log(
            "C",
            "Timer Spin",
            1,
            &[Logged("GPUSpin", 512, 20.0, 200.2, &[(100.1, 200.0, 0), (100.1, 200.0, 1)])]
        ),
        log(
            "D",
            "Timer Spin",
            1,
            &[Logged("GPUSpin", 512, 30.0, 60.2, &[(30.02, 60.0, 0), (30.02, 60.0, 1)])]
        ),
    ]);
    let check = |examiner: Value| checked(&tx2(json!({"examiner": examiner, "measured": measured})));
    assert_eq!(rules(&check(examiner(&[&memset, &kernel]))), []);
    assert!(rules(&check(examiner(&[&kernel]))).contains(&("X1", "D")), "nothing explains that C waited");
}

/// A starts 20 µs before its call, B 5 ms; the programs waited right after the ends.
fn early(waits: [f64; 2]) -> Value {
    json!([
        log("A", "Timer Spin", 1, &[Logged("A", 512, 10.0, waits[0], &[(9.98, 110.0, 0)])]),
        log("B", "Timer Spin", 1, &[Logged("B", 512, 60.0, waits[1], &[(55.0, 160.0, 1)])]),
    ])
}

#[test]
fn a_start_long_before_its_call_is_no_matter_of_clocks() {
    for waits in [[0.0, 0.0], [110.03, 160.03]] {
        let report = checked(&tx2(json!({"measured": early(waits)})));
        assert_eq!(rules(&report), [("G1", "B")], "{:?}", report.warnings);
    }
}

#[test]
fn a_tolerance_leaves_the_clocks_their_allowance() {
    // 90 µs before the call: clocks explain that, a tolerance of 50 µs alone does not.
    let measured = json!([log("A", "Timer Spin", 1, &[Logged("A", 512, 10.0, 110.1, &[(9.91, 110.0, 0)])])]);
    let with = |more: Value| {
        let mut blocks = json!({"measured": measured});
        if let (Some(blocks), Some(more)) = (blocks.as_object_mut(), more.as_object()) {
            blocks.extend(more.clone());
        }
        let report = checked(&tx2(blocks));
        (report.tolerance, report.conforms)
    };
    let usual = with(json!({}));
    assert_eq!((usual, with(json!({"tolerance": 50_000}))), ((50_000, true), (50_000, true)));
    assert_eq!(with(json!({"tolerance": 50_000, "clocks": 0})), (50_000, false));
}

#[test]
fn processes_that_overlap_are_remarked_and_p1_is_not_judged() {
    let one = |label: &str, process, from: f64, to: f64| {
        log(label, "Timer Spin", process, &[Logged("GPUSpin", 512, from - 0.02, to + 0.05, &[(from, to, 0)])])
    };
    let report = checked(&tx2(json!({"measured": [one("P", 1, 10.0, 110.0), one("Q", 2, 20.0, 70.0)]})));
    assert_eq!((rules(&report), report.verdict.as_str()), (vec![], "conforms"));
    let remarks: Vec<(&str, &str)> =
        report.remarks.iter().map(|found| (found.rule.as_str(), found.kernel.as_str())).collect();
    assert_eq!(remarks, [("P1", "Q")]);
    assert!(report.warnings.iter().any(|told| told.starts_with("P1 is not judged")), "{:?}", report.warnings);
    let apart = checked(&tx2(json!({"measured": [one("P", 1, 10.0, 110.0), one("Q", 2, 120.0, 170.0)]})));
    assert!(apart.remarks.is_empty() && apart.warnings.iter().any(|told| told.contains("no blocks of two")));
}

#[test]
fn every_device_the_logs_may_be_of_is_named() {
    // 16,384 threads on 8 multiprocessors: a Quadro K5000 takes 16 blocks on each, a Jetson AGX Xavier 32.
    let of = |count: usize| {
        let mut blocks = vec![(1.02, 50.0, 0); count];
        blocks.push((1.02, 50.0, 7));
        let mut log = log("A", "Timer Spin", 1, &[Logged("A", 32, 1.0, 50.1, &blocks)]);
        log["max_resident_threads"] = json!(16_384);
        checked(&json!({"measured": [log]}))
    };
    let small = of(16);
    assert_eq!((small.device.as_str(), rules(&small)), ("Quadro K5000", vec![]));
    assert!(
        small.device_by.contains("Jetson AGX Xavier") && small.device_by.contains("Quadro K5000"),
        "{}",
        small.device_by
    );
    let large = of(17);
    assert_eq!((large.device.as_str(), rules(&large)), ("Jetson AGX Xavier", vec![]));
    assert!(
        large
            .warnings
            .iter()
            .any(|told| told.contains("if the run was on Quadro K5000, it goes over a limit")),
        "{:?}",
        large.warnings
    );
    assert_eq!(rules(&of(33)), [("R1", "A")], "too many for any of them");
}

#[test]
fn what_is_not_recorded_is_not_said_to_conform() {
    let whole = log("A", "Timer Spin", 1, &[Logged("A", 32, 1.0, 50.1, &[(1.02, 50.0, 0), (1.02, 50.0, 1)])]);
    let mut lost = whole.clone();
    lost["times"][2]["block_times"] = json!([1.00102, 1.05]);
    let report = checked(&tx2(json!({"measured": [lost]})));
    assert_eq!((report.verdict.as_str(), report.conforms), ("conforms-as-far-as-recorded", true));
    assert_eq!(
        (report.blocks, report.recorded_blocks, report.kernels, report.recorded_kernels),
        (1, 2, 1, 1)
    );
    let mut strange = whole.clone();
    strange["times"][2]["block_smids"] = json!([0, "one"]);
    let report = checked(&tx2(json!({"measured": [strange]})));
    assert_eq!((report.verdict.as_str(), report.blocks), ("conforms-as-far-as-recorded", 1));
    assert!(report.warnings.iter().any(|told| told.contains("([1] is \"one\")")), "{:?}", report.warnings);
    let mut far = whole;
    far["times"][2]["block_smids"] = json!([0, 70_000]);
    let report = checked(&tx2(json!({"measured": [far]})));
    assert_eq!((report.verdict.as_str(), rules(&report)), ("violated", vec![("R2", "A")]));
}
