//! What is wrong with a document is said all at once, each at its place.

use crate::{ALL, named};
use base::problem::MOST_PROBLEMS;
use expect_test::{Expect, expect};
use kit::import::json;
use serde_json::Value;
use warps_lab::scenario::{WarpsScenario, document_of_ptx_in};

fn problems(text: &str, expected: Expect) {
    let shown = match ALL.read(text) {
        Ok(scenario) => format!("accepted: {scenario:?}"),
        Err(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    };
    expected.assert_eq(&named::shortened(ALL.labs, &shown));
}

fn warps(body: &str) -> String {
    format!(r#"{{"warpspan": 1, "warps": {{{body}}}}}"#)
}

const SOUND: &str = r#""kernel": "LCL", "count": 2, "machine": {"L": 1, "C": 1}"#;

#[test]
fn several_problems_come_together() {
    problems(
        r#"{"warpspan": 1, "titel": "x", "warps": {"kernel": "LXL", "count": 65, "machine": {"L": -1, "Q": 2}, "method": {"initial": "robin"}}}"#,
        expect![[r#"
            titel: unknown key, close to "title", expected one of warpspan, title, notes, KEYS
            warps.kernel: "X" at character 2, expected a letter L, C, S or D, a count or a group in parentheses
            warps.count: 65, expected a whole number, 1 to 64
            warps.machine.Q: unknown key, expected one of L, C, S, D, issue
            warps.machine.L: -1, expected a whole number, 0 to 1024
            warps.method.initial: "robin", expected "round-robin", "fixed-priority", "most-pending", "greedy-then-oldest", "loose-round-robin" or "random""#]],
    );
}

#[test]
fn the_outside_of_a_document() {
    problems("", expect![[r#"document: nothing in it, expected a scenario, {"warpspan": 1, ...}"#]]);
    problems("[]", expect![[r#"document: a list of 0, expected an object, {"warpspan": 1, ...}"#]]);
    problems("{}", expect![[r#"warpspan: missing, expected the document version, "warpspan": 1"#]]);
    problems(
        r#"{"warpspan": 7}"#,
        expect![
            "warpspan: version 7, made by a newer Warpspan; this one understands up to 1, expected a version from 1 to 1"
        ],
    );
    problems(r#"{"warpspan": "1"}"#, expect![[r#"warpspan: "1", expected a version from 1 to 1"#]]);
    problems(r#"{"warpspan": 1}"#, expect![[r#"document: no question in it, expected one of "KEYS""#]]);
    problems(
        r#"{"warpspan": 1, "warps": {}, "tasks": []}"#,
        expect![[r#"document: warps and tasks together, expected exactly one of "KEYS""#]],
    );
    problems(r#"{"warpspan": 1, "tasks": []}"#, expect![[r#"tasks: 0 tasks, expected 1 to 100 tasks"#]]);
    problems(
        r#"{"warpspan": 1, "blocks": {}}"#,
        expect![[r#"blocks: nothing to run, expected "streams", "examiner" or "measured""#]],
    );
    problems(
        r#"{"name": "x", "benchmarks": []}"#,
        expect!["blocks.examiner.benchmarks: an empty list, expected at least one benchmark"],
    );
}

#[test]
fn missing_parts_say_what_belongs_there() {
    problems(
        r#"{"warpspan": 1, "title": 5, "warps": {}}"#,
        expect![[r#"
            title: 5, expected a text in quotes
            warps.kernel: missing, expected an instruction string such as "5L 9C 2L 9C"
            warps.count: missing, expected a whole number, 1 to 64
            warps.machine: missing, expected capacities, a preset or unit counts"#]],
    );
}

#[test]
fn machines() {
    let machine = |machine: &str, expected| {
        problems(&warps(&format!(r#""kernel": "LCS", "count": 2, "machine": {machine}"#)), expected);
    };
    machine("3", expect!["warps.machine: 3, expected an object"]);
    machine(
        "{}",
        expect![[
            r#"warps.machine: no unit at all, expected capacities in warps per cycle, such as {"L": 1, "C": 4}"#
        ]],
    );
    machine(
        r#"{"L": 1, "C": 1}"#,
        expect!["warps.machine.S: no S unit, but the kernel has 1 S instruction, expected 1 to 1024"],
    );
    machine(
        r#"{"L": 1, "C": 1, "S": 1.5, "issue": 0}"#,
        expect![[r#"
        warps.machine.S: 1.5, expected a whole number, 0 to 1024
        warps.machine.issue: 0, expected a whole number, 1 to 1024"#]],
    );
    machine(
        r#"{"preset": "cc-1.0", "L": 2}"#,
        expect![[r#"
        warps.machine.L: unknown key, expected one of preset, issue
        warps.machine.preset: "cc-1.0", expected one of cc-2.0, cc-2.1, cc-3.0, cc-3.2, cc-3.5, cc-3.7, cc-5.0, cc-5.2, cc-5.3, cc-6.0, cc-6.1, cc-6.2, cc-7.0, cc-7.2, cc-7.5, cc-8.0, cc-8.6, cc-8.7, cc-8.9, cc-9.0"#]],
    );
    machine(
        r#"{"warp_size": 0, "units": {"L": 16, "C": "x"}, "latency": {"L": 0}}"#,
        expect![[r#"
        warps.machine.warp_size: 0, expected a whole number, 1 to 1024
        warps.machine.units.C: "x", expected a whole number, 0 to 65536
        warps.machine.latency.L: 0, expected a whole number, 1 to 1000"#]],
    );
    machine(
        r#"{"warp_size": 32, "units": {"L": 16, "C": 32}}"#,
        expect!["warps.machine.units.S: no S unit, but the kernel has 1 S instruction, expected 1 to 1024"],
    );
}

#[test]
fn methods() {
    let method =
        |method: &str, expected| problems(&warps(&format!(r#"{SOUND}, "method": {method}"#)), expected);
    method(
        "{}",
        expect![[
            r#"warps.method: no method, expected one of "initial", "anneal", "beam", "exact", "order" and "schedule""#
        ]],
    );
    method(
        r#"{"exact": {"memory_limit": 0, "time_limit": 0, "shortest": 1}}"#,
        expect![[r#"
        warps.method.exact.time_limit: 0, expected a number, 0.001 to 1000000
        warps.method.exact.memory_limit: 0, expected a whole number, 1 to 4096
        warps.method.exact.shortest: 1, expected true or false"#]],
    );
    method(
        r#"{"beam": {"width": 0, "guided": "no"}}"#,
        expect![[r#"
        warps.method.beam.width: 0, expected a whole number, 1 to 1000000
        warps.method.beam.guided: "no", expected true or false"#]],
    );
    method(r#"{"beam": 3}"#, expect!["warps.method.beam: 3, expected an object"]);
    method(
        r#"{"initial": "round-robin", "order": []}"#,
        expect![[
            r#"warps.method: initial and order together, expected one of "initial", "anneal", "beam", "exact", "order" and "schedule""#
        ]],
    );
    method(
        r#"{"initial": "round-robin", "seed": 3}"#,
        expect![[r#"warps.method.seed: a seed with "round-robin", expected a seed only with "random""#]],
    );
    method(
        r#"{"order": [1, 2, 3, 1, 2, "x"]}"#,
        expect![[r#"
        warps.method.order[2]: 3, expected a whole number, 1 to 2
        warps.method.order[5]: "x", expected a whole number, 1 to 2"#]],
    );
    method(
        r#"{"order": [1, 2, 1]}"#,
        expect!["warps.method.order: 3 entries, expected 2 warps, each 3 times (6 entries)"],
    );
    method(
        r#"{"order": [1, 2, 1, 1, 1, 2]}"#,
        expect![
            "warps.method.order: warp 1 stands in it 4 times, expected 2 warps, each 3 times (6 entries)"
        ],
    );
    method(
        r#"{"schedule": [[1, 2, 3]]}"#,
        expect!["warps.method.schedule: 1 row, expected one row of cycles for each of 2 warps"],
    );
    method(
        r#"{"schedule": [[1, 2, 3], [2, 3]]}"#,
        expect!["warps.method.schedule[1]: 2 cycles, expected 3, one for each instruction"],
    );
}

#[test]
fn b_figure_3_is_refused_at_cycle_5() {
    problems(
        r#"{"warpspan": 1, "warps": {"kernel": "LCL", "count": 4, "machine": {"L": 1, "C": 1}, "method": {"schedule": [[1,2,9],[2,3,6],[3,4,7],[4,5,8]]}}}"#,
        expect![
            "warps.method.schedule: not work-conserving at cycle 5: L (load/store) has room for 1 warp and warps 1, 2 and 3 are pending on L, expected no warp waiting while its unit and an issue slot are free"
        ],
    );
}

#[test]
fn fairness() {
    let with = |more: &str, expected| problems(&warps(&format!("{SOUND}, {more}")), expected);
    with(
        r#""fairness": "sub-block""#,
        expect![
            "warps.sub_blocks: missing, expected for each boundary, how many instructions stand before it"
        ],
    );
    with(
        r#""fairness": "sub-block", "sub_blocks": [2, 2]"#,
        expect!["warps.sub_blocks[1]: 2 after 2, expected numbers that ascend"],
    );
    with(
        r#""fairness": "sub-block", "sub_blocks": [1, 4, "x"]"#,
        expect![[r#"
        warps.sub_blocks[1]: 4, expected a whole number, 0 to 3
        warps.sub_blocks[2]: "x", expected a whole number, 0 to 3"#]],
    );
    with(
        r#""fairness": "sub-block", "sub_blocks": [1], "method": {"schedule": [[1, 2, 3], [4, 5, 6]]}"#,
        expect![[r#"
            warps.method.schedule: not work-conserving at cycle 2: L (load/store) has room for 1 warp and warp 2 is pending on L, expected no warp waiting while its unit and an issue slot are free
            warps.method.schedule: unfair at cycle 2: warp 1 executes in sub-block 2 while warp 2 waits in sub-block 1 and could have its place, expected no warp executing in place of one that waits in an earlier sub-block
            warps.method.schedule: unfair at cycle 3: warp 1 executes in sub-block 2 while warp 2 waits in sub-block 1 and could have its place, expected no warp executing in place of one that waits in an earlier sub-block"#]],
    );
    with(
        r#""fairness": "none""#,
        expect![[r#"warps.fairness: "none", expected "work-conserving" or "sub-block""#]],
    );
    with(
        r#""sub_blocks": [1]"#,
        expect![[
            r#"warps.sub_blocks: given without sub-block fairness, expected no such key unless "fairness" is "sub-block""#
        ]],
    );
}

/// A boundary stands where it was written, however often the instructions before it are repeated.
#[test]
fn boundaries_move_with_repeated_instructions() {
    let text = warps(
        r#""kernel": "LCL", "count": 2, "machine": {"warp_size": 32, "units": {"L": 8, "C": 16}}, "fairness": "sub-block", "sub_blocks": [0, 1, 2, 3]"#,
    );
    let Some(warps) = ALL.read(&text).ok().and_then(|read| read.asked::<WarpsScenario>().cloned()) else {
        unreachable!("valid")
    };
    assert_eq!(warps.kernel.to_string(), "4L 2C 4L");
    assert_eq!(warps.fairness, warps::Fairness::SubBlock(vec![0, 4, 6, 10]));
}

#[test]
fn ptx() {
    let with = |more: &str, expected| {
        let text = "Loop: ld.f32 %f1, [%rd1];\\n@%p1 bra Loop;\\nret;";
        problems(
            &warps(&format!(r#""ptx": "{text}", "count": 2, "machine": {{"L": 1, "C": 1}}, {more}"#)),
            expected,
        );
    };
    with(
        r#""kernel": "L""#,
        expect![[r#"warps: kernel and ptx together, expected exactly one of "kernel" and "ptx""#]],
    );
    with(r#""entry": "main""#, expect![[r#"warps.entry: no kernel "main", expected one of (fragment)"#]]);
    with(
        r#""path": "loops""#,
        expect![[
            r#"warps.path: "loops", expected "fall-through", or an object with one of "loops", "longest" and "branches""#
        ]],
    );
    with(
        r#""path": {"loops": {"iterations": {"Lop": 3}}}"#,
        expect![[r#"warps.path.loops.iterations: no loop begins at "Lop", expected labels of loops: Loop"#]],
    );
    with(
        r#""path": {"loops": {"iterations": 5000}}"#,
        expect![[
            r#"warps.path: the path executes 10,001 instructions, expected at most 10,000: fewer iterations, or "fall-through""#
        ]],
    );
    with(
        r#""path": {"longest": {"iterations": 1000001, "rounds": 2}}"#,
        expect![[r#"
        warps.path.longest.rounds: unknown key, expected one of iterations
        warps.path.longest.iterations: 1000001, expected a whole number, 0 to 1000000"#]],
    );
    with(
        r#""path": {"branches": {"line 1": "taken"}}"#,
        expect!["warps.path.branches: no conditional branch at line 1, expected line 2 (Loop)"],
    );
    with(
        r#""path": {"branches": {"Loop": ["taken", true]}}"#,
        expect![[r#"warps.path.branches.Loop[1]: true, expected "taken", "not-taken" or a label"#]],
    );
    with(
        r#""path": {"branches": {"Loop": "taken"}}"#,
        expect![
            "warps.path: the path executes more than 10,000 instructions, expected a path that leaves its loops earlier"
        ],
    );
    problems(
        &warps(r#""ptx": "sin.f32 %f1, %f2;", "count": 1, "machine": {"C": 1}"#),
        expect!["warps.machine.S: no S unit, but the kernel has 1 S instruction, expected 1 to 1024"],
    );
}

#[test]
fn no_more_than_fifty() {
    let order = vec!["0"; 80].join(",");
    let Err(found) = ALL.read(&warps(&format!(r#"{SOUND}, "method": {{"order": [{order}]}}"#))) else {
        unreachable!("wrong")
    };
    assert_eq!(found.len(), MOST_PROBLEMS);
    assert_eq!(found.last().map(|p| p.what.as_str()), Some("31 more problems"));
}

#[test]
fn ptx_alone_takes_the_place_of_a_kernel() {
    const SUM: &str = ".entry sum()\n{\n  ld.global.f32 %f1, [%rd1];\n  add.f32 %f1, %f1, %f2;\n}";
    const SINE: &str = ".entry sine()\n{\n  sin.approx.f32 %f1, %f1;\n}";
    let placed = |body: &str, text: &str| {
        let present = json::parse(&warps(body)).unwrap_or_default();
        let placed = document_of_ptx_in(&present, text);
        assert!(ALL.from_tree(&placed).is_ok());
        json::line(&placed).replace(&json::line(&Value::from(text)), "...")
    };
    // All stays that can.
    let body = r#""count": 5, "kernel": "LCL", "machine": {"L": 1, "C": 2, "issue": 2}, "method": {"initial": "random", "seed": 7}"#;
    expect![[r#"{"warpspan":1,"title":"sum, from PTX","warps":{"ptx":...,"count":5,"machine":{"L":1,"C":2,"issue":2},"method":{"initial":"random","seed":7}}}"#]].assert_eq(&placed(body, SUM));
    // Another path, another kernel.
    let body = r#""ptx": "add.f32 a, b, c;", "path": {"loops": {"iterations": 3}}, "count": 3, "machine": {"L": 2, "C": 1}"#;
    expect![[
        r#"{"warpspan":1,"title":"sum, from PTX","warps":{"ptx":...,"count":3,"machine":{"L":2,"C":1}}}"#
    ]]
    .assert_eq(&placed(body, SUM));
    // An order is one of instructions.
    let body = r#""kernel": "L", "count": 2, "machine": {"L": 1, "C": 1}, "method": {"order": [2, 1]}"#;
    expect![[r#"{"warpspan":1,"title":"sum, from PTX","warps":{"ptx":...,"count":2,"machine":{"L":1,"C":1},"method":{"initial":"round-robin"}}}"#]].assert_eq(&placed(body, SUM));
    // No unit for sines.
    expect![[r#"{"warpspan":1,"title":"sine, from PTX","warps":{"ptx":...,"count":2,"machine":{"preset":"cc-6.2"},"method":{"order":[2,1]}}}"#]].assert_eq(&placed(body, SINE));
}
