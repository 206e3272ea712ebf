//! Kernels of a chain that are given as machine code.

#![allow(missing_docs)]

use chain_lab::LINKED;
use chain_lab::page::chain::{details, summary};
use chain_lab::report::chain::{Evidence, WholeReport};
use serde_json::{Value, json};
use warpspan_chain_lab as chain_lab;

fn report(chain: &Value) -> Value {
    let tree = json!({ "warpspan": 1, "title": "t", "chain": chain });
    let scenario = match LINKED.from_tree(&tree) {
        Ok(scenario) => scenario,
        Err(problems) => unreachable!("{problems:?}"),
    };
    serde_json::from_str(&LINKED.run(&scenario).line()).expect("a line of JSON")
}

fn problems(chain: &Value) -> Vec<String> {
    match LINKED.from_tree(&json!({ "warpspan": 1, "chain": chain })) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.iter().map(ToString::to_string).collect(),
    }
}

/// `14 exact`, `10..14 lower upper`.
fn shown(bracket: &Value) -> String {
    let side = |side: &str| {
        let own = &bracket[side];
        (own["value"].to_string(), own["kind"].as_str().unwrap_or("none").to_owned())
    };
    let (lower, upper) = (side("lower"), side("upper"));
    if lower == upper {
        format!("{} {}", upper.0, upper.1)
    } else {
        format!("{}..{} {} {}", lower.0, upper.0, lower.1, upper.1)
    }
}

/// Two warps that load and multiply twice; by hand, in the tests of machine code: 14 cycles, no more.
fn kernel() -> Value {
    json!({
        "name": "k", "threads": 64,
        "code": [
            { "unit": "lsu", "sets": { "0": [4, 6] } },
            { "unit": "fp32", "hold": 2, "stall": 4, "waits": [0] },
            { "unit": "fp32", "hold": 2 },
        ],
        "machine": { "partitions": 1, "issue": 1, "units": {
            "fp32": { "per": "partition", "count": 1 },
            "lsu": { "per": "multiprocessor", "count": 1 },
        } },
    })
}

fn chain(kernel: Value) -> Value {
    json!({
        "device": { "sms": 1, "threads": 128, "blocks": 2, "threads_per_block": 128 },
        "clock": 1_000_000_000,
        "kernels": [kernel],
        "tasks": [{ "name": "t", "period": 1_000, "segments": [{ "cpu": 4 }, { "launch": "k" }, { "cpu": 1 }] }],
    })
}

fn with(mut value: Value, key: &str, other: Value) -> Value {
    value[key] = other;
    value
}

/// What is written out is proven: 14 cycles, 14 ns, and 4 and 1 on the core.
#[test]
fn a_kernel_that_is_written_out_is_proven() {
    let report = report(&chain(kernel()));
    let own = &report["kernels"][0];
    assert_eq!((&own["source"], &own["instructions"]), (&json!("code"), &json!(3)));
    for key in ["makespan", "block", "alone", "completion"] {
        assert_eq!(shown(&own[key]), "14 exact", "{key}");
    }
    assert_eq!(shown(&report["tasks"][0]["response"]), "19 given");
    assert_eq!(report["verdict"]["schedulable"], json!(true));
    // It opens in its lab, and executing everything twice is a change that can be looked at.
    let part = report["parts"].as_array().into_iter().flatten().find(|part| part["id"] == "warps:k");
    let warps = part.map(|part| &part["document"]["warps"]);
    assert_eq!(warps.map(|warps| (&warps["count"], &warps["block"])), Some((&json!(2), &json!(2))));
    let twice =
        report["sensitivity"].as_array().into_iter().flatten().find(|change| change["id"] == "cycles-2x:k");
    assert!(twice.is_some_and(|change| change["verdict"]["schedulable"] == true), "{twice:?}");
}

/// Nothing is taken for granted of strings and their cache where there are none, and both are told apart.
#[test]
fn assumptions_are_those_of_the_kernels_there_are() {
    let told = |chain: &Value| -> Vec<String> {
        let all = report(chain)["assumptions"].clone();
        all.as_array().into_iter().flatten().filter_map(|own| own.as_str().map(str::to_owned)).collect()
    };
    let code = told(&chain(kernel()));
    let of_strings = |own: &String| own.contains("normalisation") || own.contains("hits the cache");
    assert!(!code.iter().any(of_strings), "{code:?}");
    assert!(code.iter().any(|own| own.starts_with("Every latency may be any number")), "{code:?}");
    assert!(code.iter().all(|own| !own.starts_with("Kernels given as")), "one kind needs no names: {code:?}");
    // The lists of strings are as they were.
    let of = |tree: Value| {
        let refused = problems(&tree);
        if refused.is_empty() { told(&tree) } else { unreachable!("{refused:?}") }
    };
    let strings = of(json!({
        "device": { "sms": 1, "threads": 128, "blocks": 2, "threads_per_block": 128 },
        "machine": { "C": 1, "L": 1, "S": 1, "D": 1, "issue": 2 },
        "clock": 1_000_000_000,
        "kernels": [{ "name": "k", "threads": 64, "kernel": "LC" }],
    }));
    assert_eq!(strings.len(), 9);
    assert!(
        strings[0].contains("after normalisation") && strings[1] == "Every load and store hits the cache."
    );
    assert!(strings[2].starts_with("A multiprocessor is work-conserving"));
    let mut mixed = chain(kernel());
    mixed["machine"] = json!({ "C": 1, "L": 1, "S": 1, "D": 1, "issue": 2 });
    mixed["kernels"] = json!([
        kernel(),
        { "name": "s", "threads": 64, "kernel": "LC" },
        { "name": "c", "threads": 64, "cycles": 40 },
    ]);
    let mixed = of(mixed);
    let count = |kind: &str| {
        mixed.iter().filter(|own| own.starts_with(&format!("Kernels given as {kind}: "))).count()
    };
    assert_eq!((count("strings or PTX"), count("machine code"), count("cycles")), (3, 5, 1), "{mixed:?}");
    assert!(
        mixed.iter().filter(|own| of_strings(own)).all(|own| own.starts_with("Kernels given as strings"))
    );
}

/// Whatever a listing does not say makes it worth no proof, on both sides, and is named.
#[test]
fn a_listing_is_simulated_and_says_why() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../code/read/tests/fixtures/saxpy-sm_75.sass");
    let text = std::fs::read_to_string(path).expect("a fixture");
    let report = report(&chain(json!({ "name": "k", "threads": 64, "sass": text })));
    let own = &report["kernels"][0];
    assert_eq!(own["source"], json!("sass"));
    for side in ["lower", "upper"] {
        assert_eq!(own["completion"][side]["kind"], json!("simulated"));
        assert!(!own["completion"][side]["rests_on"].as_array().expect("a list").is_empty());
    }
    let told = report["assumed"].to_string();
    assert!(
        told.contains("tables for Turing") && told.contains("what the machine code of k takes"),
        "{told}"
    );
    assert_eq!(report["verdict"]["kind"], json!("simulated"));
}

/// With no effort the bracket stays open; then the upper side counts for the deadline, not the schedule found.
#[test]
fn the_upper_side_of_an_open_bracket_counts() {
    let mut open = with(chain(kernel()), "effort", json!(1));
    open["kernels"][0]["blocks"] = json!(2);
    let report = report(&open);
    let own = &report["kernels"][0];
    let (lower, upper) = (&own["makespan"]["lower"], &own["makespan"]["upper"]);
    let value = |side: &Value| side["value"].as_u64().expect("a number");
    assert!(value(lower) < value(upper), "{lower} {upper}");
    assert_eq!((&lower["kind"], &upper["kind"]), (&json!("lower"), &json!("upper")));
    assert_eq!(value(&own["completion"]["upper"]), value(upper), "a nanosecond a cycle");
    assert_eq!(value(&report["tasks"][0]["response"]["upper"]), value(upper) + 5);
    // A deadline between both is not met by proof, and not missed either.
    open["tasks"][0]["deadline"] = json!(value(lower) + 6);
    let verdict = self::report(&open)["verdict"].clone();
    assert_eq!(verdict["schedulable"], Value::Null, "{verdict}");
}

/// Blocks that replace each other: own cycles of three of them, 6 + 4 + 2 and 5 that the other warp blocks, and what blocks
/// them: each of two warps of a block issues or holds a unit in five cycles.
#[test]
fn blocks_that_replace_each_other_are_bounded() {
    let report = report(&chain(with(kernel(), "blocks", json!(5))));
    let own = &report["kernels"][0];
    assert_eq!(own["alone"]["upper"]["value"], json!(3 * 17 + 4 * 10));
    assert_eq!(own["alone"]["upper"]["kind"], json!("upper"));
    assert_eq!(own["alone"]["lower"]["kind"], json!("lower"));
    // Which limit lets blocks replace each other is told.
    let why = |report: &Value, of: &str| report["kernels"][0][of]["upper"]["why"].to_string();
    let told = why(&report, "alone");
    let expected = "own cycles of 3 blocks that follow each other, and those in which any other can block them, as only 2 of the 5 blocks fit at once for their threads";
    assert!(told.contains(expected), "{told}");
    assert_eq!(own["block"]["upper"]["value"], json!(17 + 4 * 10));
    let told = why(&report, "block");
    let expected = "its own cycles, and those in which all other blocks on its multiprocessor can block it, as only 2 of the 5 blocks fit at once for their threads";
    assert!(told.contains(expected), "{told}");
    // With room for all of them, as their launch is still one that is searched, nothing of the kind is said.
    let together = self::report(&chain(with(kernel(), "blocks", json!(2))));
    let told = why(&together, "alone");
    assert!(!told.contains("follow each other") && !told.contains("fit at once"), "{told}");
}

/// Of more warps than a launch may have all others can block the last block, and say so.
#[test]
fn more_warps_than_are_searched_say_so() {
    let mut many = chain(with(kernel(), "blocks", json!(40)));
    many["device"] = json!({ "sms": 1, "threads": 4096, "blocks": 64, "threads_per_block": 128 });
    many["tasks"][0]["period"] = json!(100_000);
    let upper = report(&many)["kernels"][0]["makespan"]["upper"].clone();
    assert_eq!(upper["value"], json!(17 + 39 * 10));
    assert_eq!(
        upper["why"],
        json!(
            "own cycles of the last block and those in which all others can block it, as sharper bounds are of 64 warps at most, and these are 80"
        )
    );
}

#[test]
fn what_is_wrong_is_told() {
    let said = |kernel: Value| problems(&chain(kernel)).into_iter().next().unwrap_or_default();
    assert_eq!(
        said(with(kernel(), "sass", json!("x"))),
        "chain.kernels[0]: sass and code, expected exactly one of \"kernel\", \"ptx\", \"sass\", \"code\" and \"cycles\""
    );
    assert_eq!(
        said(with(kernel(), "loops", json!(3))),
        "chain.kernels[0].loops: given with \"code\", expected no such key unless there is \"sass\""
    );
    assert_eq!(
        said(with(kernel(), "threads", json!(32 * 65))),
        "chain.kernels[0].threads: 65 warps, expected at most 64 warps in a block of machine code"
    );
    assert!(
        said(with(kernel(), "code", json!([{ "unit": "x" }]))).starts_with("chain.kernels[0].code[0].unit")
    );
    assert!(
        said(json!({ "name": "k", "threads": 32, "sass": "no listing" }))
            .starts_with("chain.kernels[0].sass")
    );
    assert!(
        said(json!({ "name": "k", "threads": 32, "cycles": 3, "path": [0] }))
            .starts_with("chain.kernels[0].path: given with \"cycles\"")
    );
}

/// A function of sm_75 with one instruction every 16 bytes.
fn listing(name: &str, lines: &[&str]) -> String {
    let line = |(at, text): (usize, &&str)| {
        let address = at * 16;
        format!("        /*{address:04x}*/ {text} ; /* 0x0000000000000000 */\n /* 0x000fea0000000000 */\n")
    };
    let lines: String = lines.iter().enumerate().map(line).collect();
    format!("\tcode for sm_75\n\t\tFunction : {name}\n{lines}")
}

const LOOP: [&str; 5] = ["MOV R1, c[0x0][0x28]", "FADD R2, R2, R1", "@P0 BRA 0x10", "EXIT", "NOP"];

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// A loop that nobody counts is named with its kernel, in the report of the kernel and in all that rests on it.
#[test]
fn a_loop_that_nobody_counts_is_named() {
    let of = |loops: Value| {
        let mut kernel = json!({ "name": "k", "threads": 64, "sass": listing("k", &LOOP) });
        if !loops.is_null() {
            kernel["loops"] = loops;
        }
        report(&chain(kernel))
    };
    let once = of(Value::Null);
    assert_eq!(once["kernels"][0]["once"], json!("the loop at 0x0010 of k goes round once"));
    assert_eq!(
        texts(&once["verdict"]["rests_on"]),
        ["the loop at 0x0010 of k goes round once", "what the machine code of k takes is as read"]
    );
    let assumed = &once["assumed"][0];
    assert_eq!((&assumed["code"], &assumed["path"]), (&json!("loop"), &json!("chain.kernels[0].loops")));
    let warnings = texts(&once["warnings"]);
    assert_eq!(
        warnings,
        [
            "Taken for granted: the loop at 0x0010 of k goes round once. Nobody says how often: \"loops\" of the kernel can say it.",
            "Taken for granted: what the machine code of k takes (as read). Units and latencies are those of public tables for Turing. Some of these numbers nobody has measured; each has its source in the table.",
            "k: 4 of the 5 instructions are executed; no warp comes by the others.",
        ]
    );
    for said in [json!(16), json!({ "0x10": 16 })] {
        let said = of(said);
        assert_eq!(said["kernels"][0].get("once"), None);
        assert_eq!(texts(&said["verdict"]["rests_on"]), ["what the machine code of k takes is as read"]);
        assert!(said["kernels"][0]["instructions"].as_u64() > once["kernels"][0]["instructions"].as_u64());
    }
}

/// Of many loops the first ones are named, and those of functions that are called with these.
#[test]
fn several_loops_are_named_in_one_clause() {
    let one = ["FADD R2, R2, R1", "@P0 BRA"];
    let lines: Vec<String> = (0..6)
        .flat_map(|own| [one[0].to_owned(), format!("{} {:#x}", one[1], own * 32)])
        .chain(["EXIT".to_owned()])
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let of = |sass: String| {
        let kernel = json!({ "name": "k", "threads": 64, "sass": sass });
        report(&chain(kernel))["kernels"][0]["once"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(
        of(listing("k", &lines)),
        "the loops at 0x0000, 0x0020, 0x0040, 0x0060 and 2 more of k go round once each"
    );
    let calls = ["CALL.REL.NOINC `(helper)", "FADD R1, R1, R1", "@P0 BRA 0x10", "EXIT"];
    let helper = ["FADD R2, R2, R1", "FADD R2, R2, R1", "@P0 BRA 0x10", "RET.REL.NODEC R2 0x0"];
    assert_eq!(
        of(listing("k", &calls) + &listing("helper", &helper)),
        "the loops at 0x0010 and 0x0010 in \"helper\" of k go round once each"
    );
}

/// What is read of a listing that was cut, or of which lines are missing or not understood, is told of each kernel beside
/// the verdict, and the verdict rests on it: no such listing makes a proof.
#[test]
fn a_listing_that_lacks_something_makes_no_plain_proof() {
    let of = |sass: String| {
        let tree = json!({ "warpspan": 1, "title": "t", "chain": chain(json!({ "name": "k", "threads": 64, "sass": sass })) });
        let scenario = LINKED.from_tree(&tree).unwrap_or_else(|problems| unreachable!("{problems:?}"));
        let line = LINKED.run(&scenario).line();
        let report: WholeReport = serde_json::from_str(&line).expect("a report");
        (summary::partial(&report), summary::verdict(&report, false), report)
    };
    let whole = listing("k", &["MOV R1, R2", "FADD R2, R2, R1", "FADD R3, R2, R1", "EXIT"]);
    let (said, verdict, report) = of(whole.clone());
    assert_eq!((said, verdict), (None, "All deadlines are met, under an unproven assumption."));
    let on: Vec<&str> = report.kernels[0].rests.iter().map(|rest| &*rest.on).collect();
    assert_eq!(on, ["tables"]);
    let line = |at: &str| whole.find(&format!("        /*{at}*/")).expect("a line");
    let cut = whole[..line("0030")].to_owned();
    let hole = format!("{}{}", &whole[..line("0010")], &whole[line("0020")..]);
    let odd = format!("{}        ??? not a line\n{}", &whole[..line("0010")], &whole[line("0010")..]);
    for (sass, on, what) in [
        (cut, "end", "text ends without EXIT"),
        (hole, "gap", "text has a gap after 0x0000"),
        (odd, "lines", "1 line left out"),
    ] {
        let (said, verdict, report) = of(sass);
        assert_eq!(said, Some(format!("Nothing is proven of the whole of k ({what}).")));
        assert_eq!(verdict, "All deadlines are met, under an unproven assumption.");
        let own = &report.kernels[0];
        assert_eq!((&*own.rests[0].on, own.rests[0].is_grave(), &own.once[..]), (on, true, ""));
        let clause = format!("the listing of k is whole ({what})");
        assert_eq!(report.verdict.rests_on[0], clause);
        assert!(
            report.verdict.because.contains(&format!("provided that {clause}")),
            "{}",
            report.verdict.because
        );
        assert_eq!((&report.assumed[0].what, report.assumed[0].acts), (&clause, true));
        assert_eq!(report.assumed[0].path, "chain.kernels[0].sass");
        let upper = own.completion.upper.as_ref().map(|figure| figure.kind);
        assert_eq!(upper, Some(Evidence::Simulated), "{what}");
        assert_eq!(details::told(own), [own.rests[0].said.clone()]);
        assert!(report.warnings[0].contains(&own.rests[0].said), "{:?}", report.warnings);
    }
}

/// Rounds that were given and numbers that were changed are what a kernel rests on, as in its own lab.
#[test]
fn what_was_given_of_a_listing_is_told() {
    let kernel = json!({ "name": "k", "threads": 64, "sass": listing("k", &LOOP), "loops": 16, "latencies": { "operands": 3 } });
    let own = report(&chain(kernel));
    let on: Vec<&str> = own["kernels"][0]["rests"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|rest| rest["on"].as_str())
        .collect();
    assert_eq!(on, ["rounds", "latencies", "tables"]);
    let why = own["assumed"][0]["why"].as_str().unwrap_or_default();
    assert!(
        why.starts_with(
            "The document says how often the loop at 0x0010 goes round: 16 times, exactly and not at most."
        ),
        "{why}"
    );
    assert!(why.contains("not by the tables of the architecture: latencies of operands."), "{why}");
    assert_eq!(own["kernels"][0].get("once"), None);
}

/// A loop that the way leaves before a round is over is not said to go round once.
#[test]
fn a_loop_that_is_left_at_once_is_told_so() {
    let lines = ["@P5 BRA 0x30", "EXIT", "BRA 0x0", "FADD R1, R1, R1", "EXIT"];
    let own = report(&chain(json!({ "name": "k", "threads": 64, "sass": listing("k", &lines) })));
    assert_eq!(own["kernels"][0].get("once"), None);
    assert_eq!(
        texts(&own["verdict"]["rests_on"])[0],
        "the loop at 0x0000 of k is left before a round is over"
    );
    assert_eq!(
        (&own["assumed"][0]["code"], &own["kernels"][0]["rests"][0]["on"]),
        (&json!("path"), &json!("loops"))
    );
}

/// Where the multiprocessor of the chain is not the one that a listing is for, that is told; where nothing says which one
/// it is, nothing is.
#[test]
fn a_listing_for_another_multiprocessor_says_so() {
    let of = |device: Option<Value>, machine: Option<Value>| {
        let lines = ["MOV R1, R2", "EXIT"];
        let mut tree = chain(json!({ "name": "k", "threads": 64, "sass": listing("k", &lines) }));
        match device {
            Some(device) => tree["device"] = device,
            None => tree.as_object_mut().map(|tree| tree.remove("device")).map_or((), drop),
        }
        if let Some(machine) = machine {
            tree["machine"] = machine;
        }
        let report = report(&tree);
        let told: Vec<String> = texts(&report["warnings"])
            .iter()
            .filter(|own| own.contains("Latencies and lanes"))
            .map(|own| (*own).to_owned())
            .collect();
        let rests = report["kernels"][0]["rests"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|rest| rest["on"] == "device");
        assert_eq!(rests.count(), told.len());
        told
    };
    let tx2 = "k: Latencies and lanes are those for sm_75; how many blocks and warps a multiprocessor holds is that of Jetson TX2, sm_62.";
    assert_eq!(of(None, None), [tx2], "the device that is meant where none is named");
    assert_eq!(of(Some(json!({ "preset": "jetson-tx2", "sms": 1 })), None), [tx2]);
    assert_eq!(of(Some(json!({ "preset": "t4" })), None), [""; 0]);
    let custom = || Some(json!({ "sms": 1, "threads": 128, "blocks": 2, "threads_per_block": 128 }));
    assert_eq!(of(custom(), None), [""; 0]);
    assert_eq!(of(custom(), Some(json!({ "preset": "cc-7.5" }))), [""; 0]);
    assert_eq!(
        of(custom(), Some(json!({ "preset": "cc-8.6" }))),
        [
            "k: Latencies and lanes are those for sm_75; the multiprocessor that the document names is another, sm_86."
        ]
    );
}
