//! What is told of many drawn chains stays as it is: a chain in a link from long ago has the same numbers today.
//!
//! `kept.txt` has a line for each: the verdict, the upper side of each response, and a checksum of everything in the
//! report but the words of its sentences. It says nothing about what is right, which the other tests do; where numbers become better,
//! `UPDATE_EXPECT=1` writes them anew, and each line that changes is to be accounted for.

use expect_test::expect_file;
use serde_json::{Value, json};
use warpspan::base::Seeded;
use warpspan::scenario::certificate::checksum;

use super::{report, shown};

const CHAINS: u64 = 300;

/// Keys of a report that hold a sentence, which may become another one with the same numbers in it.
const SENTENCES: [&str; 7] = ["why", "because", "edf_because", "means", "sharing_means", "text", "method"];

/// Places of values that may be assumed, of all and of a task.
const PATHS: [&str; 7] = [
    "kernels[0]",
    "kernels[1].cycles",
    "sharing",
    "order",
    "clock",
    "device.copy_rate",
    "cores[0].scheduler",
];
const OF_TASKS: [&str; 7] = ["period", "jitter", "segments[0]", "segments", "priority", "preemptive", "wait"];

#[test]
fn what_was_told_of_a_chain_is_told_again() {
    let drawn = (0..CHAINS).map(|round| drawn(&mut Seeded::new(1_717, round)));
    let chains = drawn.chain(at_limits());
    let lines: String = (0..).zip(chains).map(|(number, chain)| line(number, &chain)).collect();
    expect_file!["kept.txt"].assert_eq(&lines);
}

fn line(number: u64, chain: &Value) -> String {
    let told = report(chain.clone());
    let responses: Vec<String> = told.tasks.iter().map(|task| shown(&task.response)).collect();
    let mut all = serde_json::to_value(&told).expect("a report is JSON");
    all["seconds"] = Value::Null;
    strip(&mut all);
    let (meets, kind) = (told.verdict.schedulable, told.verdict.kind);
    format!("{number} {} {meets:?} {kind:?} {}\n", checksum(&all), responses.join(", "))
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                match value {
                    Value::String(text) if SENTENCES.contains(&key.as_str()) => numbers_of(text),
                    value => strip(value),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(strip),
        _ => {}
    }
}

/// Leaves of a sentence its numbers, whether their digits stand in threes or not.
fn numbers_of(text: &mut String) {
    let letters: Vec<char> = text.chars().collect();
    let digit = |at: usize| letters.get(at).is_some_and(char::is_ascii_digit);
    let joins = |at: usize| {
        letters[at] == ',' && at > 0 && digit(at - 1) && (1..=3).all(|on| digit(at + on)) && !digit(at + 4)
    };
    let kept =
        (0..letters.len()).filter(|&at| !joins(at)).map(|at| if digit(at) { letters[at] } else { ' ' });
    *text = kept.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ");
}

/// Chains at limits that drawn ones do not reach.
fn at_limits() -> Vec<Value> {
    let device = json!({"sms": 2, "threads": 64, "blocks": 2, "threads_per_block": 64});
    // Demand is counted up to a period of 10^12.
    let long = [0, 1].map(|more| {
        json!({
            "device": device, "kernels": [], "cores": [{"name": "c", "scheduler": "edf"}],
            "tasks": [{"name": "t", "core": "c", "period": 1_000_000_000_000_u64 + more, "segments": [{"cpu": 5}]}],
        })
    });
    // Which kernel each of the others has on the GPU is tried for 32 choices, and bounded for 64.
    let many = [5, 6].map(|others| {
        let task = |number: u32| {
            json!({
                "name": format!("t{number}"), "period": 1000,
                "segments": [{"launch": "wide"}, {"launch": "long"}],
            })
        };
        let mut tasks: Vec<Value> = (0..others).map(task).collect();
        tasks.push(json!({"name": "last", "period": 1000, "segments": [{"launch": "long"}]}));
        json!({
            "device": device, "clock": 1_000_000_000, "tasks": tasks,
            "kernels": [
                {"name": "wide", "cycles": 2, "blocks": 9, "threads": 32},
                {"name": "long", "cycles": 11, "blocks": 1, "threads": 32},
            ],
        })
    });
    // 64 warps are searched, and 65 are not.
    let crowd = [(32, 2), (13, 5)].map(|(warps, blocks)| {
        json!({
            "device": {"sms": 1, "threads": 4096, "blocks": blocks, "threads_per_block": 1024},
            "machine": {"L": 4, "C": 8, "issue": 8},
            "kernels": [{"name": "k", "kernel": "LC", "threads": 32 * warps, "blocks": blocks}],
        })
    });
    // One task whose kernel comes second in an order that is assumed.
    let ordered = json!({
        "device": device, "order": ["k1", "k0"], "assumed": [{"what": "x", "path": "chain.order"}],
        "kernels": [{"name": "k0", "cycles": 3, "threads": 32}, {"name": "k1", "cycles": 4, "threads": 32}],
        "tasks": [{"name": "t", "period": 1000, "segments": [{"launch": "k0"}]}],
    });
    // A task that takes all of its period.
    let full = json!({"device": device, "kernels": [], "tasks": [{"name": "t", "period": 7, "segments": [{"cpu": 7}]}]});
    // How late one is that is awaited does not matter on a core of its own; beside another, or not awaited, it does.
    let linked = [("c2", true), ("c1", true), ("c2", false)].map(|(core, is_awaited)| {
        let mut segments = vec![json!({"cpu": 4}), json!({"activate": "b"})];
        segments.extend(is_awaited.then(|| json!({"await": "b"})));
        json!({
            "device": device, "kernels": [], "cores": [{"name": "c0"}, {"name": "c1"}, {"name": "c2"}],
            "assumed": [{"what": "x", "path": "chain.tasks[0].segments[0]"}],
            "tasks": [
                {"name": "a", "core": "c0", "period": 90, "segments": segments},
                {"name": "b", "core": "c1", "period": 90, "priority": 2, "segments": [{"cpu": 3}]},
                {"name": "c", "core": core, "period": 90, "priority": 1, "segments": [{"cpu": 2}]},
            ],
        })
    });
    // Blocks that replace each other are followed for 100,000 instructions.
    let work = [25, 32].map(|warps| {
        json!({
            "device": {"sms": 1, "threads": 2048, "blocks": 2, "threads_per_block": 1024}, "effort": 1,
            "machine": {"L": 4, "C": 8, "issue": 8},
            "kernels": [{"name": "k", "kernel": "200L 200C", "threads": 32 * warps, "blocks": 10}],
        })
    });
    let all = [&long[..], &many, &crowd, &[ordered, full], &linked, &work];
    all.concat()
}

/// One chain in which anything may be.
fn drawn(rng: &mut Seeded) -> Value {
    let kernels: Vec<Value> = (0..1 + rng.below(4)).map(|number| kernel(rng, number)).collect();
    let name = |rng: &mut Seeded| format!("k{}", rng.below(u32::try_from(kernels.len()).expect("few")));
    let cores = 1 + rng.below(2);
    let many = rng.below(5);
    let mut tasks: Vec<Value> = (0..many).map(|number| task(rng, number, cores, &name)).collect();
    if tasks.len() > 1 && rng.below(3) == 0 {
        link(rng, &mut tasks);
    }
    let scheduler = |rng: &mut Seeded| if rng.below(3) == 0 { "edf" } else { "fixed-priority" };
    let cores: Vec<Value> = (0..cores)
        .map(|core| json!({"name": format!("c{core}"), "scheduler": scheduler(rng), "clock": 500_000_000}))
        .collect();
    let issue = [None, Some(1), Some(2)][rng.below(3) as usize];
    let mut chain = json!({
        "device": {
            "sms": 1 + rng.below(3), "threads": 128, "blocks": 1 + rng.below(4), "threads_per_block": 128,
            "copy_engines": 1 + rng.below(2),
        },
        "machine": {"L": 1, "C": 1 + rng.below(2), "issue": issue},
        "clock": 1_000_000_000, "sharing": if rng.below(2) == 0 { "shared" } else { "exclusive" },
        "kernels": kernels, "cores": cores, "tasks": tasks,
    });
    if rng.below(4) == 0 {
        let mut order: Vec<Value> = kernels.iter().map(|kernel| kernel["name"].clone()).collect();
        rng.shuffle(&mut order);
        chain["order"] = Value::Array(order);
    }
    if rng.below(6) == 0 {
        chain["memory"] = json!({"mode": "pipelined", "hit": 1, "miss": 2 + rng.below(4)});
    }
    if rng.below(4) == 0 {
        chain["effort"] = json!(1 + rng.below(400));
    }
    if rng.below(2) == 0 {
        chain["assumed"] = (0..1 + rng.below(2)).map(|_| assumed(rng)).collect();
    }
    chain
}

fn assumed(rng: &mut Seeded) -> Value {
    let pick =
        |rng: &mut Seeded, of: &[&'static str]| of[rng.below(u32::try_from(of.len()).expect("few")) as usize];
    let path = match rng.below(3) {
        0 => format!("chain.{}", pick(rng, &PATHS)),
        _ => format!("chain.tasks[{}].{}", rng.below(4), pick(rng, &OF_TASKS)),
    };
    let mut entry = json!({"what": "x", "path": path});
    if rng.below(3) == 0 {
        entry["safe"] = json!(pick(rng, &["upper", "lower"]));
    }
    entry
}

fn kernel(rng: &mut Seeded, number: u32) -> Value {
    let most = if rng.below(3) == 0 { 12 } else { 4 };
    let mut kernel = json!({
        "name": format!("k{number}"), "blocks": 1 + rng.below(most),
        "threads": 32 * (1 + rng.below(3)),
    });
    if rng.below(2) == 0 {
        kernel["cycles"] = json!(1 + rng.below(9));
    } else {
        let length = 1 + rng.below(9);
        kernel["kernel"] = json!((0..length).map(|_| ['L', 'C'][rng.below(2) as usize]).collect::<String>());
    }
    if rng.below(4) == 0 {
        let blocks = kernel["blocks"].as_u64().unwrap_or(0);
        kernel["assignment"] = json!(vec![0; usize::try_from(blocks).expect("few")]);
    }
    kernel
}

fn task(rng: &mut Seeded, number: u32, cores: u32, kernel: &impl Fn(&mut Seeded) -> String) -> Value {
    let mut segments = vec![json!({"cpu": 1 + rng.below(6)})];
    for _ in 0..rng.below(6) {
        segments.push(match rng.below(7) {
            0 | 4 | 5 => {
                json!({"copy": if rng.below(2) == 0 { "in" } else { "out" }, "duration": 1 + rng.below(5)})
            }
            1 => json!({"ticks": 1 + rng.below(4)}),
            2 => json!({"cpu": 1 + rng.below(4)}),
            _ => json!({"launch": kernel(rng)}),
        });
    }
    let period = if rng.below(4) == 0 { 20 + rng.below(9) } else { 40 + 20 * rng.below(12) };
    let mut task = json!({
        "name": format!("t{number}"), "core": format!("c{}", rng.below(cores)), "period": period,
        "deadline": period - rng.below(20), "priority": 1 + rng.below(4), "preemptive": rng.below(3) > 0,
        "wait": if rng.below(3) == 0 { "spin" } else { "suspend" }, "segments": segments,
    });
    if rng.below(3) == 0 {
        task["jitter"] = json!(1 + rng.below(period));
    }
    task
}

/// The first task activates the last, and awaits it if it is on another core.
fn link(rng: &mut Seeded, tasks: &mut [Value]) {
    let Some((last, others)) = tasks.split_last_mut() else { return };
    last["period"] = others[0]["period"].clone();
    last["deadline"] = last["period"].clone();
    last.as_object_mut().expect("a task").remove("jitter");
    let segments = others[0]["segments"].as_array_mut().expect("a list");
    segments.push(json!({"activate": last["name"]}));
    if rng.below(2) == 0 {
        segments.push(json!({"cpu": 1 + rng.below(3)}));
        segments.push(json!({"await": last["name"]}));
    }
}
