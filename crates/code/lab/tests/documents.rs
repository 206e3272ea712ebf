//! Documents: read, run, and refused.

#![allow(missing_docs)]

use code_lab::report::CodeReport;
use code_lab::{LINKED, document};
use serde_json::{Value, json};
use warpspan_code_lab as code_lab;

fn run(tree: &Value) -> Value {
    let scenario = match LINKED.from_tree(tree) {
        Ok(scenario) => scenario,
        Err(problems) => unreachable!("{problems:?}"),
    };
    let report = LINKED.run(&scenario);
    assert!(report.of::<CodeReport>().is_some());
    serde_json::from_str(&report.line()).expect("a line of JSON")
}

fn problems(warps: &Value) -> Vec<String> {
    match LINKED.from_tree(&json!({ "warpspan": 1, "warps": warps })) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.iter().map(ToString::to_string).collect(),
    }
}

fn written(method: Value) -> Value {
    json!({ "warpspan": 1, "title": "two warps", "warps": {
        "code": [
            { "unit": "lsu", "sets": { "0": [4, 6] } },
            { "unit": "fp32", "hold": 2, "stall": 4, "waits": [0] },
            { "unit": "fp32", "hold": 2 },
        ],
        "machine": { "partitions": 1, "issue": 1, "units": {
            "fp32": { "per": "partition", "count": 1 },
            "lsu": { "per": "multiprocessor", "count": 1 },
        } },
        "count": 2,
        "method": method,
    } })
}

/// By hand: loads in cycles 1 and 2, both there in cycle 7; one multiplies in 7 and the other in 9, and again in 11 and 13.
#[test]
fn a_written_kernel() {
    let report = run(&written(json!({ "exact": {} })));
    assert_eq!(
        (&report["lower"], &report["upper"], &report["exact"]),
        (&json!(14), &json!(14), &json!(true))
    );
    assert_eq!(
        (&report["lab"], &report["holds"], &report["count"]),
        (&json!("warps"), &json!("document"), &json!(2))
    );
    let rows = report["schedule"].as_array().expect("rows");
    assert_eq!(rows.len(), 6);
    assert_eq!(rows.iter().filter_map(|row| row[3].as_u64()).max(), report["makespan"].as_u64());
    let code = report["code"].as_array().expect("code");
    assert_eq!(code[0]["write"], json!(0));
    assert_eq!(
        (&code[1]["wait"], &code[1]["stall"], &code[1]["unit"]),
        (&json!([0]), &json!(4), &json!("fp32"))
    );
    // Whatever waited is told, and adds up to the cycles between issues.
    let waited = |line: &Value| -> u64 {
        line["waited"].as_object().map_or(0, |own| own.values().filter_map(Value::as_u64).sum())
    };
    let all: u64 = code.iter().map(waited).sum();
    let mut between = 0;
    for warp in [1, 2] {
        let mut before = 0;
        for row in rows.iter().filter(|row| row[0] == warp) {
            let issued = row[2].as_u64().expect("a cycle");
            between += issued - before - 1;
            before = issued;
        }
    }
    assert_eq!(all, between);
}

#[test]
fn policies_and_long_schedules() {
    for policy in ["greedy-then-oldest", "loose-round-robin", "oldest-first"] {
        let report = run(&written(json!({ "policy": policy })));
        assert_eq!(report["method"], json!(policy));
        // This schedule is that of the policy; the longest that is known may be another's.
        let all: Vec<_> = report["policies"].as_array().into_iter().flatten().collect();
        let own = all.iter().find(|own| own["policy"] == policy).expect("it is one of them");
        assert_eq!(report["makespan"], own["makespan"]);
        assert_eq!(report["lower"].as_u64(), all.iter().filter_map(|own| own["makespan"].as_u64()).max());
        assert!(report["makespan"].as_u64() <= report["upper"].as_u64());
    }
    // Where they differ, the longest is the same whoever is asked.
    let mut tree = written(json!({ "policy": "greedy-then-oldest" }));
    tree["warps"]["count"] = json!(5);
    tree["warps"]["path"] = json!([0, 1, 2, 0, 1, 0, 2]);
    let lowers: Vec<(Value, Value)> = ["greedy-then-oldest", "loose-round-robin", "oldest-first"]
        .into_iter()
        .map(|policy| {
            tree["warps"]["method"] = json!({ "policy": policy });
            let report = run(&tree);
            (report["lower"].clone(), report["makespan"].clone())
        })
        .collect();
    assert!(lowers.iter().all(|own| own.0 == lowers[0].0), "{lowers:?}");
    assert!(lowers.iter().any(|own| own.1 != own.0), "{lowers:?}");
    let longest = run(&written(json!({ "longest": { "iterations": 200, "seed": 3 } })));
    assert_eq!(longest["lower"], json!(14));
}

#[test]
fn a_listing() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../read/tests/fixtures/saxpy-sm_75.sass");
    let text = std::fs::read_to_string(path).expect("a fixture");
    let mut tree = document(&text).expect("a document");
    tree["warps"]["method"] = json!({ "policy": "loose-round-robin" });
    let report = run(&tree);
    assert_eq!((&report["function"], &report["architecture"]), (&json!("saxpy"), &json!("Turing")));
    let load = &report["code"][9];
    assert_eq!(
        (&load["text"], &load["stall"], &load["write"]),
        (&json!("LDG.E.SYS R3, [R2]"), &json!(4), &json!(2))
    );
    let multiply = &report["code"][11];
    assert_eq!(
        (&multiply["stall"], &multiply["wait"], &multiply["write"]),
        (&json!(8), &json!([2]), &Value::Null)
    );
    assert_eq!(report["holds"], json!("assumed"));
    assert!(!report["assumed"].as_array().expect("a list").is_empty());
    assert!(report["tables"]["latencies"].as_array().expect("a list").len() > 8);
    tree["warps"]["loops"] = json!({ "0x40": 3 });
    let refused = problems(&tree["warps"]);
    assert_eq!(refused, ["warps.loops: no loop begins at 0x0040, expected no trip count: it has no loop"]);
}

#[test]
fn what_is_wrong_is_told_where_it_is() {
    let machine = json!({ "units": { "u": {} } });
    let with = |code: Value, more: Value| {
        let mut warps = json!({ "code": code, "machine": machine, "count": 2 });
        for (key, value) in more.as_object().into_iter().flatten() {
            warps[key] = value.clone();
        }
        problems(&warps)
    };
    let none = json!({});
    assert_eq!(
        with(json!([{ "unit": "v" }]), none.clone()),
        ["warps.code[0].unit: \"v\", expected a unit of the machine: u"]
    );
    assert_eq!(
        with(json!([{ "hold": 0 }]), none.clone()),
        ["warps.code[0].hold: 0, expected a whole number, 1 to 100000"]
    );
    assert_eq!(
        with(json!([{ "sets": { "16": 3 } }]), none.clone()),
        ["warps.code[0].sets.16: \"16\", expected a scoreboard, \"0\" to \"15\""]
    );
    assert_eq!(
        with(json!([{ "sets": { "0": [5, 3] } }]), none.clone()),
        [
            "warps.code[0].sets.0: 5 to 3 is no range, expected two numbers of cycles, the second no smaller: [20, 200]"
        ]
    );
    assert_eq!(
        with(json!([]), none),
        [
            "warps.code: no instruction in it, expected a list of instructions, such as [{\"unit\": \"fma\", \"hold\": 2, \"stall\": 4}]"
        ]
    );
    assert_eq!(
        with(json!([{}]), json!({ "path": [0, 1] })),
        ["warps.path[1]: 1, expected a place in code, 0 to 0"]
    );
    assert_eq!(
        with(json!([{}]), json!({ "method": { "policy": "first" } })),
        [
            "warps.method.policy: \"first\", expected one of greedy-then-oldest, loose-round-robin, oldest-first"
        ]
    );
    assert_eq!(
        with(json!([{}]), json!({ "kernel": "L" }))[0],
        "warps.kernel: unknown key, expected one of code, machine, path, architecture, count, block, registers, shared, misses, method"
    );
}

#[test]
fn an_unknown_method_is_one_problem() {
    let with =
        |method: Value| problems(&json!({ "code": [{}], "machine": {}, "count": 1, "method": method }));
    assert_eq!(
        with(json!({ "exakt": {} })),
        ["warps.method.exakt: unknown key, close to \"exact\", expected one of policy, longest, beam, exact"]
    );
    let one = "warps.method: not one method, expected one of \"policy\", \"longest\", \"beam\" and \"exact\"";
    assert_eq!(with(json!({})), [one]);
    assert_eq!(with(json!({ "longest": {}, "exact": {} })), [one]);
}

/// What means something else than it seems to is read as ever, and told.
#[test]
fn remarks_are_told() {
    let notes = |change: &dyn Fn(&mut Value)| -> Vec<String> {
        let mut tree = written(json!({ "policy": "oldest-first" }));
        change(&mut tree["warps"]);
        let notes = run(&tree)["notes"].clone();
        notes.as_array().into_iter().flatten().filter_map(|note| note.as_str().map(str::to_owned)).collect()
    };
    assert_eq!(notes(&|_| {}), [""; 0]);
    let set = |hit: u32| {
        move |warps: &mut Value| warps["code"][0]["sets"] = json!({ "0": { "range": [4, 6], "hit": hit } })
    };
    assert_eq!(
        notes(&set(3)),
        [
            "code[0].sets: on scoreboard 0 the hit, 3, is below the range of 4 to 6: every latency of it is a miss."
        ]
    );
    assert_eq!(
        notes(&set(7)),
        ["code[0].sets: on scoreboard 0 the hit, 7, is above the range of 4 to 6: none of it is a miss."]
    );
    assert_eq!((notes(&set(4)), notes(&set(6))), (Vec::new(), Vec::new()));
    assert_eq!(
        notes(&|warps| warps["code"][1]["waits"] = json!([3, 0])),
        ["code[1].waits: nothing on the way sets scoreboard 3, so nothing is waited for."]
    );
    // What sets it is there, but not on the way.
    assert_eq!(notes(&|warps| warps["path"] = json!([1, 2])).len(), 1);
    let many = json!([{ "waits": [3, 4, 5, 6, 7] }]);
    assert_eq!(
        notes(&|warps| warps["code"] = many.clone()).last().map(String::as_str),
        Some("The same of 2 more.")
    );
    assert_eq!(
        notes(&|warps| warps["block"] = json!(4)),
        ["block: 4 is more than the 2 that there are: all warps are one block."]
    );
    assert_eq!(
        notes(&|warps| warps["machine"]["partitions"] = json!(3)),
        ["machine.partitions: 3 is taken as written, but multiprocessors have 1, 2 or 4."]
    );
    // No schedule keeps this limit, so it is refused.
    let mut tree = written(json!({ "policy": "oldest-first" }));
    set(3)(&mut tree["warps"]);
    tree["warps"]["misses"] = json!(1);
    assert_eq!(
        problems(&tree["warps"]),
        [
            "warps.misses: 1, expected at least 2: so many latencies are misses in any case, as none is as short as its hit"
        ]
    );
    tree["warps"]["misses"] = json!(2);
    assert_eq!(problems(&tree["warps"]), [""; 0]);
    // Of a listing.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../read/tests/fixtures/saxpy-sm_75.sass");
    let text = std::fs::read_to_string(path).expect("a fixture");
    let tree = json!({ "warpspan": 1, "warps": { "sass": text, "count": 1, "method": { "policy": "oldest-first" },
        "latencies": { "global": { "range": [30, 40], "hit": 50 }, "shared": { "range": [20, 30], "hit": 25 } } } });
    let told = run(&tree)["notes"].to_string();
    assert!(
        told.contains("latencies.global: the hit, 50, is out of the range of 30 to 40; 40 is taken."),
        "{told}"
    );
    assert!(!told.contains("latencies.shared"), "{told}");
}

/// The certificate of a job, and what comes of checking it.
fn certified(tree: &Value) -> (String, code_lab::certificate::Verdict) {
    let Ok(scenario) = LINKED.from_tree(tree) else { unreachable!("a scenario") };
    let mut job = code_lab::certificate::start(&scenario).expect("a job");
    let text = loop {
        if let kit::job::Step::Done(report) = job.step(&mut base::Control::unlimited()) {
            break report.line();
        }
    };
    let Ok(verdict) = code_lab::certificate::checked(&text) else { unreachable!("{text}") };
    (text, verdict)
}

#[test]
fn certificates_are_accepted_and_changed_ones_are_not() {
    for method in [json!({ "exact": {} }), json!({ "longest": {} }), json!({ "policy": "loose-round-robin" })]
    {
        let (text, verdict) = certified(&written(method.clone()));
        assert!(verdict.accepted && verdict.reasons.is_empty(), "{verdict:?} {text}");
        // The formula gives 17, all states 14; a search that looks at no states claims what the formula gives.
        assert_eq!(verdict.upper, Some(if method.get("exact").is_some() { 14 } else { 17 }));
        assert_eq!(verdict.exact, verdict.upper == Some(verdict.lower.into()), "{method}");
        for (from, to) in
            [("\"bound\":14", "\"bound\":13"), ("\"makespan\":14", "\"makespan\":15"), ("[4,6]", "[4,5]")]
        {
            let changed = text.replace(from, to);
            if changed != text {
                let wrong = code_lab::certificate::checked(&changed).expect("a certificate");
                assert!(!wrong.accepted && wrong.reasons[0].contains("checksum"), "{from}: {wrong:?}");
            }
        }
    }
    // With its checksum made anew, too.
    let (text, _) = certified(&written(json!({ "exact": {} })));
    let mut tree: Value = serde_json::from_str(&text).expect("JSON");
    tree["upper"]["bound"] = json!(13);
    tree["exact"] = json!(false);
    tree.as_object_mut().and_then(|tree| tree.shift_remove("checksum"));
    let sum = format!("{:08x}", base::crc32(kit::import::json::line(&tree).as_bytes()));
    tree["checksum"] = json!(sum);
    let wrong = code_lab::certificate::checked(&tree.to_string()).expect("a certificate");
    assert_eq!(wrong.reasons, ["upper: 13 is less than the schedule takes"]);
    let broken = code_lab::certificate::checked(&text.replace("\"hold\":2", "\"hold\":0")).unwrap_err();
    assert!(broken[0].to_string().starts_with("code[1].hold: 0, expected"), "{}", broken[0]);
}

/// Two warps, a partition each, with two uses of what they share, far apart.
fn by_stretches() -> Value {
    json!({ "warpspan": 1, "title": "stretches", "warps": {
        "code": [
            { "unit": "lsu", "hold": 2, "stall": 6, "sets": { "0": [20, 20] } },
            { "unit": "lsu", "hold": 2, "stall": 2, "sets": { "0": [20, 20] } },
            { "unit": "lsu", "hold": 2, "waits": [0] },
        ],
        "machine": { "partitions": 2, "issue": 1, "units": { "lsu": { "per": "multiprocessor", "count": 1 } } },
        "count": 2,
        "method": { "longest": {} },
    } })
}

/// What stretches prove is claimed by them; by all states it is proven where a certificate says so.
#[test]
fn what_stretches_prove_is_certified() {
    let (text, verdict) = certified(&by_stretches());
    let mut tree: Value = serde_json::from_str(&text).expect("JSON");
    let by = "stretches in which shared units are never free";
    assert_eq!((&tree["upper"]["by"], &tree["upper"]["bound"]), (&json!(by), &tree["upper"]["counted"]));
    assert!(verdict.accepted && verdict.exact, "{verdict:?}");
    let mut checked = |bound: u64, by: &str, counted: u64| {
        tree["upper"] = json!({ "bound": bound, "by": by, "counted": counted });
        tree["exact"] = json!(bound == u64::from(verdict.lower));
        tree.as_object_mut().and_then(|tree| tree.shift_remove("checksum"));
        let sum = format!("{:08x}", base::crc32(kit::import::json::line(&tree).as_bytes()));
        tree["checksum"] = json!(sum);
        code_lab::certificate::checked(&tree.to_string()).expect("a certificate").accepted
    };
    let bound = u64::from(verdict.lower);
    assert!(checked(bound, by, bound) && checked(bound + 1, by, bound));
    assert!(!checked(bound - 1, by, bound) && !checked(bound, by, bound - 1));
    // As certificates name it that were written before the checker knew stretches.
    let all = "all states, cycle by cycle";
    assert!((1..500).any(|states| checked(bound, all, states)));
}

/// Every instruction has what it waited for, and the critical path goes back to the first cycle.
#[test]
fn reasons_are_told() {
    let report = run(&written(json!({ "exact": {} })));
    let (rows, waits) =
        (report["schedule"].as_array().expect("rows"), report["waits"].as_array().expect("reasons"));
    assert_eq!(rows.len(), waits.len());
    // The second warp's load finds the slot taken; both wait for their loads then.
    assert_eq!(waits[1], json!([[1, 1, ["unit", 1, 0]]]));
    let path = report["critical"]["path"].as_array().expect("a path");
    assert_eq!(path[0][2].as_u64().map(|cycle| cycle + 1), report["makespan"].as_u64());
    assert_eq!(path[path.len() - 1][2], json!(1));
    let shares: f64 =
        report["code"].as_array().into_iter().flatten().filter_map(|line| line["share"].as_f64()).sum();
    assert!((shares - 1.0).abs() < 1e-5);
}

/// A row of the tables that is given is taken, and said to be given.
#[test]
fn tables_can_be_changed() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../read/tests/fixtures/saxpy-sm_75.sass");
    let text = std::fs::read_to_string(path).expect("a fixture");
    let with = |latencies: Value, lanes: Value| json!({ "sass": text, "count": 1, "latencies": latencies, "lanes": lanes, "method": { "policy": "oldest-first" } });
    let makespan = |warps: &Value| run(&json!({ "warpspan": 1, "warps": warps }))["makespan"].as_u64();
    let usual = makespan(&json!({ "sass": text, "count": 1, "method": { "policy": "oldest-first" } }));
    assert_eq!(makespan(&with(json!({}), json!({}))), usual);
    let other = with(json!({ "global": { "range": [32, 1000], "hit": 32 } }), json!({ "fma": 8 }));
    assert!(
        makespan(&other).is_some_and(|makespan| usual.is_some_and(|usual| makespan < usual)),
        "{usual:?}"
    );
    let report = run(&json!({ "warpspan": 1, "warps": other }));
    let global =
        report["tables"]["latencies"].as_array().into_iter().flatten().find(|row| row[0] == "global");
    assert_eq!(global, Some(&json!(["global", 32, 32, 1000, "given"])));
    assert!(
        problems(&with(json!({ "l1": 3 }), json!({})))[0]
            .starts_with("warps.latencies: \"l1\" is no row of it")
    );
    assert_eq!(
        problems(&with(json!({ "global": [5, 3] }), json!({ "fma": 0 }))),
        [
            "warps.latencies.global: 5 to 3 is no range, expected two numbers of cycles, the second no smaller: [20, 200]",
            "warps.lanes.fma: 0, expected a whole number, 1 to 1024"
        ]
    );
}

/// What an instruction waits for by itself is not in its control field.
#[test]
fn what_a_dependency_barrier_names_stands_by_itself() {
    let line = |address: u32, text: &str, high: &str| {
        format!(" /*{address:04x}*/ {text} ; /* 0x0 */\n /* {high} */\n")
    };
    let text = [
        "code for sm_75\nFunction : k\n".to_owned(),
        line(0, "LDG.E R2, [R4]", "0x000ea200000000ff"),
        line(16, "DEPBAR.LE SB1, 0x1, {2}", "0x004fc80000000000"),
        line(32, "EXIT", "0x000fea0000000000"),
    ];
    let report = run(&json!({ "warpspan": 1, "warps": { "sass": text.concat(), "count": 1 } }));
    let barrier = &report["code"][1];
    assert_eq!((&barrier["wait"], &barrier["until"]), (&json!([2]), &json!([[1, 1], [2, 0]])));
    assert_eq!((&report["code"][2]["wait"], &report["code"][2]["until"]), (&json!([]), &Value::Null));
    let line: code_lab::report::Line = serde_json::from_value(barrier.clone()).expect("a line");
    assert_eq!(
        code_lab::page::says::control(&line),
        "stall 4; waits for scoreboard 2; waits itself until at most 1 who set scoreboard 1 are under way; waits itself until nobody who sets scoreboard 2 is under way; prefers another warp next"
    );
}

/// Rounds are given by labels where a text has them, and say so where they change nothing.
#[test]
fn rounds_of_a_listing_are_given_by_label() {
    let text = "kernel(int):\n MOV R5, c[0x0][0x160]\n.L_x_0:\n FADD R1, R1, R1\n @P0 BRA `(.L_x_0)\n EXIT\n";
    let with = |loops: Value| json!({ "sass": text, "count": 1, "loops": loops });
    let report = run(&json!({ "warpspan": 1, "warps": with(json!({ ".L_x_0": 3 })) }));
    assert_eq!(report["loops"], json!([{ "address": 16, "trips": 3, "stated": "given", "rounds": [3, 3] }]));
    assert_eq!(
        problems(&with(json!({ ".L_x_1": 3 }))),
        [
            "warps.loops: \".L_x_1\", expected the address a loop begins at, such as \"0xc0\", or a label of the text"
        ]
    );
    assert_eq!(
        problems(&with(json!({ ".L_x_0": 0 }))),
        ["warps.loops.\".L_x_0\": 0, expected a whole number, 1 to 1000000"]
    );
}
