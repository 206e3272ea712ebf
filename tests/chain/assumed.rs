//! What rests on an assumption says so: entry by entry, and held against changing the value that is assumed.

use serde_json::{Value, json};
use warpspan::base::{Nanos, Seeded};
use warpspan::chain::solve::Solved;
use warpspan::chain::{Bracket, Evidence};
use warpspan::report::chain::Evidence as Told;

use super::{report, solved};

/// H above L on one core, A on another; H and A launch kernels that take turns, and copy on one engine.
fn three() -> Value {
    json!({
        "device": {"sms": 1, "threads": 64, "threads_per_block": 64}, "clock": 1_000_000_000, "sharing": "exclusive",
        "kernels": [{"name": "k", "cycles": 5, "threads": 32}, {"name": "m", "cycles": 3, "threads": 32}],
        "cores": [{"name": "one"}, {"name": "two"}],
        "tasks": [
            {"name": "H", "core": "one", "period": 50, "priority": 1, "segments": [{"cpu": 4}, {"launch": "k"}, {"cpu": 1}]},
            {"name": "L", "core": "one", "period": 100, "priority": 2, "segments": [{"ticks": 9}]},
            {"name": "A", "core": "two", "period": 80, "priority": 1, "segments": [{"cpu": 2}, {"launch": "m"}]},
        ],
    })
}

fn with(entry: Value) -> Value {
    let mut chain = three();
    chain["assumed"] = json!([entry]);
    chain
}

/// Names of the tasks of which a response may be thought proven.
fn proven(chain: Value) -> String {
    let report = report(chain);
    let tasks = report.tasks.iter().filter(|task| {
        assert_eq!(
            task.kind == Told::Simulated,
            task.response.upper.as_ref().is_none_or(|f| f.kind == Told::Simulated)
        );
        task.kind != Told::Simulated
    });
    tasks.map(|task| task.name.as_str()).collect()
}

/// Whom an entry touches, and whom what it touches may hold up.
#[test]
fn what_is_interfered_with_rests_on_it_too() {
    let rest = |path: &str, others: &str| {
        assert_eq!(proven(with(json!({"what": "x", "path": path}))), others, "{path}");
    };
    assert_eq!(proven(three()), "HLA");
    // When H comes counts for H and below. L below holds nobody up, nor does A on its own core.
    rest("chain.tasks[0].period", "A");
    rest("chain.tasks[0].activation", "A");
    rest("chain.tasks[1].period", "HA");
    rest("chain.tasks[2].period", "HL");
    // Who goes first counts for all of the core, and which core for all.
    rest("chain.tasks[1].priority", "A");
    rest("chain.tasks[1].preemptive", "A");
    rest("chain.tasks[1].core", "");
    rest("chain.tasks[0].wait", "A");
    // A kernel holds up those that wait for the GPU, and whom these disturb.
    rest("chain.kernels[1].cycles", "");
    rest("chain.kernels[1]", "");
    rest("chain.tasks[0].segments[0].cpu", "A");
    rest("chain.tasks[1].segments[0].ticks", "HA");
    rest("chain.tasks[0].segments[1]", "");
    rest("chain.cores[0].clock", "HA");
    rest("chain.cores[1].scheduler", "HL");
    // There may be anything in a task of which not all is known: also at the GPU.
    rest("chain.tasks[1]", "");
    rest("chain.tasks[1].segments", "");
    // Places that say nothing, and none at all.
    for path in
        ["", "chain", "chain.tasks", "chain.tasks[9].period", "somewhere", "chain.device.sms", "chain.clock"]
    {
        rest(path, "");
    }
}

#[test]
fn a_deadline_counts_where_it_is_judged_or_ranks() {
    let entry = json!({"what": "deadline of L", "path": "chain.tasks[1].deadline", "code": "deadline"});
    let told = report(with(entry.clone()));
    assert_eq!(
        told.tasks.iter().map(|t| t.kind == Told::Simulated).collect::<Vec<_>>(),
        [false, true, false]
    );
    assert_eq!(
        told.tasks[1].response.upper.as_ref().map(|f| f.kind),
        Some(Told::Upper),
        "the time is proven"
    );
    assert_eq!((told.verdict.schedulable, told.verdict.kind), (Some(true), Told::Simulated));
    assert_eq!(told.verdict.rests_on, ["deadline of L"]);
    assert!(told.verdict.because.ends_with("; provided that deadline of L"), "{}", told.verdict.because);
    assert!(told.assumed[0].acts && told.assumed[0].code == "deadline");
    // Without priorities deadlines rank.
    let mut ranked = with(entry);
    for task in ranked["tasks"].as_array_mut().into_iter().flatten() {
        task.as_object_mut().expect("a task").remove("priority");
    }
    let told = report(ranked);
    assert_eq!(told.tasks.iter().map(|t| t.kind == Told::Simulated).collect::<Vec<_>>(), [true, true, false]);
}

#[test]
fn a_miss_under_an_assumption_is_no_proof_of_one() {
    let mut chain = with(json!({"what": "work of L", "value": "9", "path": "chain.tasks[1].segments[0]"}));
    chain["tasks"][1]["deadline"] = json!(8);
    let told = report(chain.clone());
    assert_eq!((told.verdict.schedulable, told.verdict.kind), (Some(false), Told::Simulated));
    assert!(told.verdict.because.contains("provided that work of L is 9"), "{}", told.verdict.because);
    // A value on the safe side leaves upper sides proven, or lower ones.
    chain["assumed"][0]["safe"] = json!("lower");
    let told = report(chain.clone());
    assert_eq!((told.verdict.schedulable, told.verdict.kind), (Some(false), Told::Lower));
    chain["assumed"][0]["safe"] = json!("upper");
    assert_eq!(report(chain.clone()).verdict.kind, Told::Simulated);
    chain["tasks"][1]["deadline"] = json!(100);
    let told = report(chain);
    assert_eq!((told.verdict.schedulable, told.verdict.kind), (Some(true), Told::Upper));
}

#[test]
fn an_entry_may_touch_many_numbers() {
    let places = ["chain.tasks[1].period", "chain.tasks[2].period"];
    assert_eq!(proven(with(json!({"what": "x", "path": "chain", "touches": places}))), "H");
}

/// A preset's copy rate is nobody's measurement; one that is written is.
#[test]
fn a_copy_by_bytes_rests_on_the_rate_of_a_preset() {
    let chain = |device: Value, copy: Value| json!({"device": device, "kernels": [], "tasks": [{"name": "t", "period": 1_000_000, "segments": [copy]}]});
    let bytes = json!({"copy": "in", "bytes": 1000});
    let told = report(chain(json!({"preset": "jetson-tx2"}), bytes.clone()));
    assert_eq!((told.verdict.schedulable, told.verdict.kind), (Some(true), Told::Simulated));
    assert_eq!(told.verdict.rests_on, ["how fast copies are is 10,000,000,000 bytes a second"]);
    assert_eq!(
        (told.assumed[0].path.as_str(), told.assumed[0].code.as_str()),
        ("chain.device.copy_rate", "copy-rate")
    );
    let said = report(chain(json!({"preset": "jetson-tx2", "copy_rate": 10_000_000_000_u64}), bytes.clone()));
    assert_eq!((said.verdict.kind, said.assumed.len()), (Told::Given, 0));
    let timed = report(chain(json!({"preset": "jetson-tx2"}), json!({"copy": "in", "duration": 1000})));
    assert_eq!((timed.verdict.kind, timed.assumed.len()), (Told::Given, 0));
    // Nobody reports how many engines a Jetson TX1 has.
    let guessed = report(chain(json!({"preset": "jetson-tx1"}), json!({"copy": "in", "duration": 1000})));
    assert_eq!(
        (guessed.verdict.kind, guessed.assumed[0].path.as_str()),
        (Told::Simulated, "chain.device.copy_engines")
    );
}

/// 33 and a third nanoseconds each, and 66 and two thirds in all: at least 66, so nothing is missed by proof.
#[test]
fn bytes_are_rounded_down_on_the_lower_side() {
    let copy = json!({"copy": "in", "bytes": 100});
    let told = report(json!({
        "device": {"sms": 1, "threads": 64, "threads_per_block": 64, "copy_rate": 3_000_000_000_u64}, "kernels": [],
        "tasks": [{"name": "a", "period": 1000, "deadline": 67, "segments": [copy, copy]}],
    }));
    assert_eq!(super::shown(&told.tasks[0].response), "66 given to 68 given");
    assert_eq!(told.verdict.schedulable, None);
}

/// A loop that nobody counts, and a branch that nobody chose.
#[test]
fn a_way_through_ptx_that_nobody_chose_is_no_worst_case() {
    let ptx = ".visible .entry k(.param .u64 p) {\n ld.param.u64 %rd1, [p];\nTop:\n ld.global.f32 %f1, [%rd1];\n add.u32 %r1, %r1, 1;\n setp.lt.u32 %p1, %r1, 4;\n @%p1 bra Top;\n ret;\n}";
    let chain = |path: Value, ptx: &str| {
        let mut kernel = json!({"name": "k", "ptx": ptx, "threads": 32});
        if !path.is_null() {
            kernel["path"] = path;
        }
        report(json!({
            "device": {"sms": 1, "threads": 64, "threads_per_block": 64}, "machine": {"L": 1, "C": 1},
            "kernels": [kernel], "tasks": [{"name": "t", "period": 1000, "segments": [{"launch": "k"}]}],
        }))
    };
    let kind = |path: Value, ptx: &str| {
        let told = chain(path, ptx);
        (told.verdict.kind, told.assumed.iter().map(|a| a.code.clone()).collect::<Vec<_>>().join(" "))
    };
    let open = |code: &str| (Told::Simulated, code.to_owned());
    assert_eq!(kind(Value::Null, ptx), open("loop"));
    assert_eq!(kind(json!("fall-through"), ptx), open("loop"));
    assert_eq!(kind(json!({"loops": {}}), ptx), open("loop"));
    let said = kind(json!({"loops": {"iterations": 4}}), ptx);
    assert!(said.0 != Told::Simulated && said.1.is_empty(), "{said:?}");
    let said = kind(json!({"longest": {"iterations": {"Top": 4}}}), ptx);
    assert!(said.0 != Told::Simulated && said.1.is_empty(), "{said:?}");
    let told = chain(Value::Null, ptx);
    assert!(
        told.kernels[0]
            .makespan
            .upper
            .as_ref()
            .is_some_and(|f| f.why.contains("provided that the loop at Top of k goes round once"))
    );
    let forward = ptx.replace("bra Top", "bra End").replace(" ret;", "End:\n ret;");
    assert_eq!(kind(Value::Null, &forward), open("path"));
    assert_ne!(kind(json!("fall-through"), &forward).0, Told::Simulated);
    let straight = ptx.replace(" @%p1 bra Top;\n", "");
    assert_ne!(kind(Value::Null, &straight).0, Told::Simulated);
}

fn one_of<'a>(rng: &mut Seeded, a: &'a str, b: &'a str) -> &'a str {
    if rng.below(2) == 0 { a } else { b }
}

/// A random chain, and places in it with another value each.
fn drawn(rng: &mut Seeded) -> (Value, Vec<(String, Value)>) {
    let (scheduler, sharing) = (one_of(rng, "fixed-priority", "edf"), one_of(rng, "shared", "exclusive"));
    let number = |rng: &mut Seeded, most: u32| u64::from(1 + rng.below(most));
    let mut places: Vec<(String, Value)> = Vec::new();
    let mut tasks = Vec::new();
    for t in 0..3 {
        let mut segments = Vec::new();
        for s in 0..1 + rng.below(3) {
            let at = format!("chain.tasks[{t}].segments[{s}]");
            let (segment, key) = match rng.below(4) {
                0 => (json!({"cpu": number(rng, 6)}), "cpu"),
                1 => (json!({"ticks": number(rng, 6)}), "ticks"),
                2 => (json!({"copy": one_of(rng, "in", "out"), "duration": number(rng, 4)}), "duration"),
                _ => (json!({"launch": one_of(rng, "k", "m")}), "launch"),
            };
            let other = if key == "launch" { json!(one_of(rng, "k", "m")) } else { json!(number(rng, 20)) };
            places.push((format!("{at}.{key}"), other));
            segments.push(segment);
        }
        let at = |key: &str| format!("chain.tasks[{t}].{key}");
        let period = 20 + number(rng, 60);
        places.push((at("period"), json!(period + number(rng, 40))));
        places.push((at("deadline"), json!(number(rng, 20))));
        places.push((at("priority"), json!(10 + number(rng, 10) * 3 + t)));
        places.push((at("wait"), json!(one_of(rng, "suspend", "spin"))));
        places.push((at("preemptive"), json!(rng.below(2) == 0)));
        places.push((at("core"), json!(one_of(rng, "one", "two"))));
        tasks.push(json!({
            "name": format!("t{t}"), "core": one_of(rng, "one", "two"), "period": period, "deadline": 20,
            "priority": 5 + rng.below(20) * 3 + u32::try_from(t).expect("small"), "wait": one_of(rng, "suspend", "spin"),
            "preemptive": rng.below(4) > 0, "segments": segments,
        }));
    }
    places.push(("chain.kernels[0].cycles".to_owned(), json!(number(rng, 12))));
    places.push(("chain.kernels[0].blocks".to_owned(), json!(number(rng, 4))));
    places.push(("chain.cores[0].clock".to_owned(), json!(500_000_000)));
    places.push(("chain.cores[0].scheduler".to_owned(), json!("edf")));
    places.push(("chain.clock".to_owned(), json!(500_000_000)));
    places.push(("chain.device.copy_engines".to_owned(), json!(2)));
    places.push(("chain.sharing".to_owned(), json!("exclusive")));
    let chain = json!({
        "device": {"sms": 1, "threads": 64, "blocks": 2, "threads_per_block": 64, "copy_engines": 1},
        "clock": 1_000_000_000, "sharing": sharing,
        "kernels": [{"name": "k", "cycles": number(rng, 6), "blocks": 1, "threads": 32}, {"name": "m", "cycles": number(rng, 6), "threads": 32}],
        "cores": [{"name": "one", "scheduler": scheduler, "clock": 1_000_000_000}, {"name": "two"}], "tasks": tasks,
    });
    (chain, places)
}

/// Every number of the result, with whether it is proven.
fn numbers(solved: &Solved) -> Vec<(String, Option<u64>, bool)> {
    let mut all = Vec::new();
    let mut add = |name: String, of: &Bracket<Nanos>| {
        for (side, figure) in [("lower", of.lower()), ("upper", of.upper())] {
            let proven = figure.is_some_and(|figure| figure.kind() != Evidence::Simulated);
            all.push((format!("{name} {side}"), figure.map(|figure| figure.value.0), proven));
        }
    };
    for (k, kernel) in solved.kernels.iter().enumerate() {
        add(format!("block of kernel {k}"), &kernel.block);
        add(format!("kernel {k} alone"), &kernel.alone);
        add(format!("kernel {k}"), &kernel.completion.time);
    }
    for (t, task) in solved.tasks.iter().enumerate() {
        add(format!("core time of task {t}"), &task.load.cpu);
        add(format!("waiting of task {t}"), &task.load.gpu);
        add(format!("response of task {t}"), &task.response);
    }
    for (t, task) in solved.tasks.iter().enumerate() {
        let proven = task.verdict.kind != Evidence::Simulated;
        all.push((format!("verdict of task {t}"), task.verdict.meets.map(u64::from), proven));
    }
    for (c, core) in solved.cores.iter().enumerate() {
        let proven = core.as_ref().is_some_and(|core| core.kind != Evidence::Simulated);
        all.push((
            format!("demand of core {c}"),
            core.as_ref().and_then(|core| core.meets).map(u64::from),
            proven,
        ));
    }
    let proven = solved.verdict.kind != Evidence::Simulated;
    all.push(("verdict".to_owned(), solved.verdict.meets.map(u64::from), proven));
    all
}

/// Whatever changes with a value rests on it: no number that is proven beside an assumption is another one with
/// another value in its place.
#[test]
fn nothing_proven_changes_with_an_assumed_value() {
    let mut rng = Seeded::new(4_011, 0);
    let (mut changed, mut still) = (0, 0);
    for round in 0..400 {
        let (chain, places) = drawn(&mut rng);
        let (place, other) = &places[rng.below(u32::try_from(places.len()).expect("few")) as usize];
        let mut assumed = chain.clone();
        assumed["assumed"] = json!([{"what": "x", "path": place}]);
        let mut with_other = json!({"chain": chain});
        let pointer = place.replace(['.', '['], "/").replace(']', "");
        *with_other.pointer_mut(&format!("/{pointer}")).expect("it is there") = other.clone();
        let (before, after) = (solved(assumed).1, solved(with_other["chain"].clone()).1);
        for (before, after) in numbers(&before).iter().zip(numbers(&after)) {
            assert_eq!(before.0, after.0);
            // A lower side that is proven without the value stays one, and what is not decided contradicts nothing.
            let stays = before.0.ends_with("lower") && before.1 < after.1 || after.1.is_none();
            if before.1 != after.1 && !stays {
                changed += 1;
                assert!(
                    !before.2,
                    "round {round}: {} was proven, {before:?}, and is {after:?} with {place} {other}\n{chain}",
                    before.0
                );
            }
            still += u32::from(before.2);
        }
    }
    assert!(changed > 500 && still > 2_000, "{changed} changed, {still} are proven");
}
