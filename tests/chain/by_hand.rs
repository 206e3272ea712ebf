//! Chains small enough for a pencil; how each number comes about stands beside it.

use serde_json::{Value, json};
use warpspan::report::chain::{Evidence, Unit, WholeReport};

use super::{report, shown};

/// A nanosecond for each cycle.
const GIGAHERTZ: u64 = 1_000_000_000;

/// Two multiprocessors with room for two blocks each, and one unit of each kind.
fn chain(fields: Value) -> Value {
    let mut chain = json!({
        "device": {"name": "small", "sms": 2, "threads": 64, "blocks": 2, "threads_per_block": 64},
        "machine": {"L": 1, "C": 1},
        "clock": GIGAHERTZ,
    });
    for (key, value) in fields.as_object().expect("an object") {
        chain[key] = value.clone();
    }
    chain
}

fn task(report: &WholeReport, task: usize) -> (String, Option<bool>, Evidence) {
    let of = &report.tasks[task];
    (shown(&of.response), of.meets, of.kind)
}

/// One kernel, one task. A warp of LCL takes its 3 instructions and nobody is there to block it: 3 cycles, 3 ns. The
/// task computes 4 ns, copies 2 ns, waits 3 ns and computes 1 ns: 10 ns, no more and no less.
#[test]
fn one_kernel_and_one_task() {
    let report = report(chain(json!({
        "kernels": [{"name": "k", "kernel": "LCL", "threads": 32}],
        "tasks": [{
            "name": "t", "period": 20, "deadline": 10,
            "segments": [{"cpu": 4}, {"copy": "in", "duration": 2}, {"launch": "k"}, {"ticks": 1}]
        }],
    })));
    let kernel = &report.kernels[0];
    assert_eq!((shown(&kernel.makespan).as_str(), shown(&kernel.block).as_str()), ("3 exact", "3 exact"));
    assert_eq!((shown(&kernel.alone).as_str(), shown(&kernel.completion).as_str()), ("3 exact", "3 exact"));
    assert_eq!(kernel.makespan.upper.as_ref().map(|f| f.unit), Some(Unit::Cycles));
    assert_eq!(kernel.block.upper.as_ref().map(|f| f.unit), Some(Unit::Ns));
    assert_eq!((kernel.residency.blocks, kernel.residency.limited_by.as_str()), (1, "grid"));
    assert_eq!(task(&report, 0), ("10 given".to_owned(), Some(true), Evidence::Given));
    assert_eq!((report.verdict.schedulable, report.verdict.kind), (Some(true), Evidence::Given));
}

/// Published: the worst makespan of four warps of LCL on one unit of each kind is at least 9 (B, figure 5); the exact
/// search proves that it is no more. At 1.3 GHz 9 cycles are 6.92 ns: 6 from below, 7 from above.
#[test]
fn a_clock_rounds_to_the_safe_side() {
    let report = report(chain(json!({
        "clock": 1_300_000_000_u64,
        "kernels": [{"name": "k", "kernel": "LCL", "threads": 64, "blocks": 2}],
        "device": {"sms": 1, "threads": 128, "blocks": 2, "threads_per_block": 64},
    })));
    let kernel = &report.kernels[0];
    assert_eq!(
        (shown(&kernel.makespan).as_str(), shown(&kernel.block).as_str()),
        ("9 exact", "6 lower to 7 upper")
    );
    assert_eq!((report.verdict.schedulable, report.tasks.len()), (None, 0));
}

/// Two tasks on cores of their own, kernels one after the other. Kernel a: 5 cycles, kernel b: 7, both given. Each may
/// find the other just launched: 12 ns. a's task: 1 + 12 = 13; alone 6. b's task: 2 + 12 = 14; alone 9.
/// Deadlines 13 and 13: the first is met, the second is open: 14 is not proven to happen.
#[test]
fn two_tasks_take_turns_on_the_gpu() {
    let report = report(chain(json!({
        "sharing": "exclusive",
        "kernels": [
            {"name": "a", "cycles": 5, "threads": 32},
            {"name": "b", "cycles": 7, "threads": 32},
        ],
        "cores": [{"name": "one"}, {"name": "two"}],
        "tasks": [
            {"name": "A", "core": "one", "period": 50, "deadline": 13, "segments": [{"cpu": 1}, {"launch": "a"}]},
            {"name": "B", "core": "two", "period": 50, "deadline": 13, "segments": [{"cpu": 2}, {"launch": "b"}]},
        ],
    })));
    assert_eq!(shown(&report.kernels[0].completion), "5 lower to 12 upper");
    assert_eq!(task(&report, 0), ("6 lower to 13 upper".to_owned(), Some(true), Evidence::Upper));
    // Together from the start: A launches at 1 and has the GPU until 6, B from 6 to 13. So 13 is reached.
    assert_eq!(task(&report, 1), ("13 lower to 14 upper".to_owned(), None, Evidence::Simulated));
    assert_eq!(report.verdict.schedulable, None);
    assert_eq!(report.verdict.weakest.as_deref(), Some("B"));
}

/// The four kernels of P, section 3: C = 4, 6, 6, 5 with 2, 7, 2, 5 blocks on 8 places. Worst over all launch orders:
/// 10, 12, 12, 11 (P analyses one order; all 24 were tried). In the order of the list: 4, 10, 12, 11.
#[test]
fn four_kernels_share_the_gpu() {
    let kernels = json!([
        {"name": "K1", "cycles": 4, "blocks": 2, "threads": 512},
        {"name": "K2", "cycles": 6, "blocks": 7, "threads": 512},
        {"name": "K3", "cycles": 6, "blocks": 2, "threads": 512},
        {"name": "K4", "cycles": 5, "blocks": 5, "threads": 512},
    ]);
    let chain = |order: Value| json!({"clock": GIGAHERTZ, "kernels": kernels, "order": order});
    let upper = |report: &WholeReport| -> Vec<(u64, Evidence)> {
        let side =
            |k: &warpspan::report::chain::KernelLink| k.completion.upper.as_ref().map(|f| (f.value, f.kind));
        report.kernels.iter().filter_map(side).collect()
    };
    let worst = report(chain(json!("worst")));
    assert_eq!(upper(&worst), [10, 12, 12, 11].map(|ns| (ns, Evidence::Simulated)));
    let why = &worst.kernels[0].completion.upper.as_ref().expect("known").why;
    assert!(why.contains("blocks take no longer beside blocks of other kernels"), "{why}");
    assert_eq!(worst.kernels[0].order.last().map(String::as_str), Some("K1"));
    let listed = report(chain(json!(["K1", "K2", "K3", "K4"])));
    // The first waits for nobody, but the others start beside it.
    assert_eq!(upper(&listed), [4, 10, 12, 11].map(|ns| (ns, Evidence::Simulated)));
    // One after the other, in any order: 4 + 6 + 6 + 5 = 21 for the one that comes last, and that is reached.
    let exclusive = report(json!({"clock": GIGAHERTZ, "kernels": kernels, "sharing": "exclusive"}));
    assert_eq!(shown(&exclusive.kernels[2].completion), "21 given");
}

/// Five blocks of one warp of LCL, one multiprocessor with room for two. The chain of blocks that replace each other
/// has at most 5 - 2 + 1 = 4 of them, 12 own cycles; the other warp has 2 L and 1 C, so 3 blocked cycles: 15. That
/// is all instructions one after the other, too. From below: 10 L on one unit, and who ends with an L needs a C before
/// it: trying all schedules gives 11, and one of the simulated ones takes that.
/// As waves: three times the 4 cycles of two warps, 12.
#[test]
fn more_blocks_than_fit() {
    let report = report(chain(json!({
        "device": {"sms": 1, "threads": 64, "blocks": 2, "threads_per_block": 64},
        "kernels": [{"name": "k", "kernel": "LCL", "threads": 32, "blocks": 5}],
    })));
    let kernel = &report.kernels[0];
    let grid = |name: &str| {
        let found = kernel.grids.iter().find(|grid| grid.assignment == name).expect("it is there");
        (
            shown(&found.makespan),
            found.sms.iter().map(|sm| (sm.blocks, sm.warps, sm.waves)).collect::<Vec<_>>(),
        )
    };
    assert_eq!(shown(&kernel.makespan), "4 exact");
    assert_eq!(grid("rules"), ("12 simulated".to_owned(), vec![(5, 2, 3)]));
    assert_eq!(grid("worst").1, [(5, 2, 3)]);
    let worst = kernel.grids.iter().find(|grid| grid.assignment == "worst").expect("it is there");
    let (lower, upper) =
        (worst.makespan.lower.as_ref().expect("known"), worst.makespan.upper.as_ref().expect("known"));
    assert_eq!((upper.value, upper.kind), (15, Evidence::Upper));
    assert_eq!((lower.value, lower.kind), (11, Evidence::Lower));
}

/// Three tasks copy in: 3, 5 and 2 ns on one engine. Each may find one copy of each other before it: 10 ns for all.
/// Copies out go to the second engine where there are two.
#[test]
fn copies_wait_for_each_other() {
    let task = |name: &str, way: &str, duration: u64| json!({"name": name, "period": 100, "core": name, "segments": [{"copy": way, "duration": duration}]});
    let copies = |engines: u64| {
        let report = report(json!({
            "device": {"sms": 1, "threads": 64, "copy_engines": engines},
            "kernels": [{"name": "k", "cycles": 1, "threads": 32}],
            "cores": [{"name": "a"}, {"name": "b"}, {"name": "c"}],
            "tasks": [task("a", "in", 3), task("b", "in", 5), task("c", "out", 2)],
        }));
        report.tasks.iter().map(|task| shown(&task.segments[0].time)).collect::<Vec<_>>()
    };
    assert_eq!(copies(1), ["3 lower to 10 upper", "5 lower to 10 upper", "2 lower to 10 upper"]);
    assert_eq!(copies(2), ["3 lower to 8 upper", "5 lower to 8 upper", "2 given"]);
}

/// EDF on one core: A computes 4 of 10, B 5 of 10 before 8. Within 10 that are 9, within 8 it is 5: met. With 7 for B
/// within 10 there are 11: missed, whoever goes first.
#[test]
fn demand_decides_for_edf() {
    let chain = |b: u64| {
        chain(json!({
            "kernels": [{"name": "k", "cycles": 1, "threads": 32}],
            "cores": [{"name": "cpu", "scheduler": "edf"}],
            "tasks": [
                {"name": "A", "period": 10, "segments": [{"cpu": 4}]},
                {"name": "B", "period": 10, "deadline": 8, "segments": [{"cpu": b}]},
            ],
        }))
    };
    let met = report(chain(5));
    assert_eq!((met.cores[0].edf, met.cores[0].edf_kind), (Some(true), Evidence::Given));
    assert_eq!(
        (met.verdict.schedulable, met.tasks[0].meets, met.tasks[1].meets),
        (Some(true), Some(true), Some(true))
    );
    let missed = report(chain(7));
    assert_eq!((missed.cores[0].edf, missed.cores[0].edf_violation), (Some(false), Some((10, 11))));
    assert_eq!((missed.verdict.schedulable, missed.verdict.kind), (Some(false), Evidence::Lower));
}

/// A waits 10 ns between 1 and 1 ns of computing, every 20; B computes 6, before 20. If A gives its core away, B has
/// 6 + ceil((R + 12 - 2) / 20) 2: 8, then 18 / 20 is 1: 8. Counted as computing it would be 6 + 12 = 18. If A spins, it
/// is 6 + ceil(R / 20) 12 = 18, as its waiting is on the core.
#[test]
fn to_suspend_or_to_spin() {
    let chain = |wait: &str, deadline: u64| {
        chain(json!({
            "kernels": [{"name": "k", "cycles": 10, "threads": 32}],
            "tasks": [
                {
                    "name": "A", "period": 20, "priority": 1, "wait": wait,
                    "segments": [{"cpu": 1}, {"launch": "k"}, {"cpu": 1}]
                },
                {"name": "B", "period": 40, "deadline": deadline, "priority": 2, "segments": [{"cpu": 6}]},
            ],
        }))
    };
    let suspends = report(chain("suspend", 20));
    assert_eq!(task(&suspends, 0), ("12 given".to_owned(), Some(true), Evidence::Given));
    // B: 1 of A, 5 of its own... from 1 to 7, while A waits: 7 is reached.
    assert_eq!(task(&suspends, 1), ("7 lower to 8 upper".to_owned(), Some(true), Evidence::Upper));
    assert!(suspends.tasks[1].response_by.contains("jitter"));
    let spins = report(chain("spin", 20));
    assert_eq!(task(&spins, 1), ("18 exact".to_owned(), Some(true), Evidence::Exact));
    let late = report(chain("spin", 17));
    assert_eq!((late.tasks[1].meets, late.tasks[1].kind), (Some(false), Evidence::Exact));
    assert_eq!(late.verdict.weakest.as_deref(), Some("B"));
}

/// Blocks 0, 1 and 2 run on multiprocessor 0, block 3 on 1: three warps of LCL at once are worse than two and two, the
/// maximum counts. In turn it would be two and two: 4. Three warps: 3 L and 3 C each twice; 7 by the search.
#[test]
fn a_known_assignment_is_the_maximum_over_multiprocessors() {
    let report = report(chain(json!({
        "device": {"sms": 2, "threads": 128, "blocks": 4, "threads_per_block": 64},
        "kernels": [{"name": "k", "kernel": "LCL", "threads": 32, "blocks": 4, "assignment": [0, 0, 0, 1]}],
    })));
    let kernel = &report.kernels[0];
    let names: Vec<&str> = kernel.grids.iter().map(|grid| grid.assignment.as_str()).collect();
    assert_eq!(names, ["known", "round-robin", "rules", "worst"]);
    let times: Vec<String> = kernel.grids.iter().map(|grid| shown(&grid.makespan)).collect();
    assert_eq!(times, ["7 exact", "4 exact", "4 simulated", "9 exact"]);
    assert_eq!(shown(&kernel.alone), "7 exact");
    assert_eq!(kernel.grids[0].sms.iter().map(|sm| shown(&sm.makespan)).collect::<Vec<_>>()[1], "3 exact");
}

/// A task that takes 15 ns every 10: its activations pile up, so no response is the longest. The first one takes 15,
/// and has 10.
#[test]
fn what_takes_longer_than_its_period_piles_up() {
    let report = report(chain(json!({
        "kernels": [{"name": "k", "cycles": 12, "threads": 32}],
        "tasks": [{"name": "t", "period": 10, "segments": [{"cpu": 3}, {"launch": "k"}]}],
    })));
    let of = &report.tasks[0];
    assert!(
        of.response.upper.is_none() && of.response.lower.as_ref().is_some_and(|figure| figure.value >= 15)
    );
    assert_eq!((of.meets, report.verdict.schedulable), (Some(false), Some(false)));
    assert!(of.response_by.contains("pile up"), "{}", of.response_by);
}

/// `below` computes 5 ns without being preempted. `above` may find it just begun: 1 + 5 = 6. `between` computes 1, waits 3
/// for its kernel and computes 1; it could find `below` just begun twice, but one job of that runs once: 5 + 5, and
/// `above` once: 11. `below` itself takes 5, `above` once and what `between` computes: 5 + 1 + 2 = 8. What is only preempted on paper is not run, so
/// the lower sides are what each takes alone.
#[test]
fn who_is_not_preempted_holds_others_up() {
    let report = report(chain(json!({
        "kernels": [{"name": "k", "cycles": 3, "threads": 32}],
        "tasks": [
            {"name": "above", "period": 50, "priority": 1, "segments": [{"cpu": 1}]},
            {"name": "between", "period": 60, "priority": 2, "segments": [{"cpu": 1}, {"launch": "k"}, {"cpu": 1}]},
            {"name": "below", "period": 100, "priority": 3, "preemptive": false, "segments": [{"cpu": 5}]},
        ],
    })));
    let uppers: Vec<_> =
        report.tasks.iter().map(|task| task.response.upper.as_ref().map(|f| (f.value, f.kind))).collect();
    assert_eq!(uppers, [6, 11, 8].map(|value| Some((value, Evidence::Upper))));
    let lowers: Vec<_> =
        report.tasks.iter().map(|task| task.response.lower.as_ref().map(|f| f.value)).collect();
    assert_eq!(lowers, [1, 5, 5].map(Some));
    assert!(
        report.tasks[0].response_by.starts_with("blocked for up to 5"),
        "{}",
        report.tasks[0].response_by
    );
    assert_eq!((report.cores[0].edf, report.verdict.schedulable), (None, Some(true)));
}
