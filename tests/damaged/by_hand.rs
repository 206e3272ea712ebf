//! Documents that break one rule each.

use warpspan::scenario::read;

/// Keeps every rule; each entry of [`CHANGES`] changes one part of it.
const SOUND: &str = r#"{
  "warpspan": 1, "title": "t", "notes": "n",
  "warps": {
    "kernel": "LCL", "count": 2, "machine": {"L": 1, "C": 1}, "fairness": "work-conserving",
    "method": {"initial": "random", "seed": 3}
  }
}"#;

const MACHINE: &str = r#"{"L": 1, "C": 1}"#;
const WARPS: &str = r#""warps": {"#;
const METHOD: &str = r#"{"initial": "random", "seed": 3}"#;

/// What a problem is reported at, a part of the document, and what it becomes.
const CHANGES: &[(&str, &str, &str)] = &[
    // The outside.
    ("warpspan", r#""warpspan": 1, "#, ""),
    ("warpspan", r#""warpspan": 1"#, r#""warpspan": 0"#),
    ("warpspan", r#""warpspan": 1"#, r#""warpspan": 2"#),
    ("warpspan", r#""warpspan": 1"#, r#""warpspan": -1"#),
    ("warpspan", r#""warpspan": 1"#, r#""warpspan": 1.5"#),
    ("warpspan", r#""warpspan": 1"#, r#""warpspan": 1e300"#),
    ("warpspan", r#""warpspan": 1"#, r#""warpspan": "1""#),
    ("warpspan", r#""warpspan": 1"#, r#""warpspan": null"#),
    ("warpspan", r#""warpspan": 1"#, r#""warpspan": [1]"#),
    ("title", r#""title": "t""#, r#""title": 5"#),
    ("title", r#""title": "t""#, r#""title": null"#),
    ("notes", r#""notes": "n""#, r#""notes": ["n"]"#),
    ("Title", r#""title""#, r#""Title""#),
    ("\"\"", r#""title""#, r#""""#),
    ("\"a b\"", r#""title""#, r#""a b""#),
    ("\"a\\nb\"", r#""title""#, r#""a\nb""#),
    ("document", r#""warps": {"#, r#""tasks": [], "warps": {"#),
    ("document", r#""warps": {"#, r#""blocks": {}, "warps": {"#),
    // The kernel.
    ("warps.kernel", r#""kernel": "LCL", "#, ""),
    ("warps.kernel", r#""LCL""#, "null"),
    ("warps.kernel", r#""LCL""#, "3"),
    ("warps.kernel", r#""LCL""#, r#"["L", "C"]"#),
    ("warps.kernel", r#""LCL""#, r#""""#),
    ("warps.kernel", r#""LCL""#, r#""   ""#),
    ("warps.kernel", r#""LCL""#, r#""lcl""#),
    ("warps.kernel", r#""LCL""#, r#""LXL""#),
    ("warps.kernel", r#""LCL""#, r#""L-C""#),
    ("warps.kernel", r#""LCL""#, r#""L,C""#),
    ("warps.kernel", r#""LCL""#, r#""Л""#),
    ("warps.kernel", r#""LCL""#, r#""L\u0000""#),
    ("warps.kernel", r#""LCL""#, r#""3""#),
    ("warps.kernel", r#""LCL""#, r#""0L""#),
    ("warps.kernel", r#""LCL""#, r#""1.5L""#),
    ("warps.kernel", r#""LCL""#, r#""10001L""#),
    ("warps.kernel", r#""LCL""#, r#""9999L 2C""#),
    ("warps.kernel", r#""LCL""#, r#""99999999999999999999999L""#),
    ("warps.kernel", r#""LCL""#, r#""9999(9999(9999(L)))""#),
    ("warps.kernel", r#""LCL""#, r#""3(LC""#),
    ("warps.kernel", r#""LCL""#, r#""LC)""#),
    ("warps.kernel", r#""LCL""#, r#""2()""#),
    ("warps.kernel", r#""LCL""#, r#"")(""#),
    // PTX.
    ("warps", r#""kernel": "LCL""#, r#""kernel": "LCL", "ptx": "ret;""#),
    ("warps.entry", r#""kernel": "LCL""#, r#""kernel": "LCL", "entry": "k""#),
    ("warps.path", r#""kernel": "LCL""#, r#""kernel": "LCL", "path": "fall-through""#),
    ("warps.ptx", r#""kernel": "LCL""#, r#""ptx": ".entry k() {}""#),
    ("warps.ptx", r#""kernel": "LCL""#, r#""ptx": null"#),
    ("warps.ptx line 1 column 1", r#""kernel": "LCL""#, r#""ptx": """#),
    ("warps.ptx line 1 column 7", r#""kernel": "LCL""#, r#""ptx": ".entry""#),
    ("warps.ptx line 2 column 7", r#""kernel": "LCL""#, r#""ptx": "ret;\nadd 5 6;""#),
    ("warps.ptx line 1 column 1", r#""kernel": "LCL""#, r#""ptx": "bra L;""#),
    ("warps.entry", r#""kernel": "LCL""#, r#""ptx": "ret;", "entry": 1"#),
    ("warps.entry", r#""kernel": "LCL""#, r#""ptx": "ret;", "entry": "k""#),
    ("warps.path", r#""kernel": "LCL""#, r#""ptx": "ret;", "path": "shortest""#),
    ("warps.path", r#""kernel": "LCL""#, r#""ptx": "ret;", "path": {}"#),
    ("warps.path", r#""kernel": "LCL""#, r#""ptx": "ret;", "path": {"loops": {}, "longest": {}}"#),
    ("warps.path.looops", r#""kernel": "LCL""#, r#""ptx": "ret;", "path": {"loops": {}, "looops": {}}"#),
    ("warps.path.loops", r#""kernel": "LCL""#, r#""ptx": "ret;", "path": {"loops": 3}"#),
    ("warps.path.loops.times", r#""kernel": "LCL""#, r#""ptx": "ret;", "path": {"loops": {"times": 3}}"#),
    (
        "warps.path.loops.iterations",
        r#""kernel": "LCL""#,
        r#""ptx": "ret;", "path": {"loops": {"iterations": -1}}"#,
    ),
    (
        "warps.path.loops.iterations",
        r#""kernel": "LCL""#,
        r#""ptx": "ret;", "path": {"loops": {"iterations": [3, 2]}}"#,
    ),
    (
        "warps.path.loops.iterations",
        r#""kernel": "LCL""#,
        r#""ptx": "ret;", "path": {"loops": {"iterations": [3]}}"#,
    ),
    (
        "warps.path.loops.iterations.L[1]",
        r#""kernel": "LCL""#,
        r#""ptx": "L: bra L;", "path": {"loops": {"iterations": {"L": [0, -1]}}}"#,
    ),
    (
        "warps.path.longest.iterations",
        r#""kernel": "LCL""#,
        r#""ptx": "ret;", "path": {"longest": {"iterations": {"L": 2}}}"#,
    ),
    (
        "warps.path.longest.iterations.L",
        r#""kernel": "LCL""#,
        r#""ptx": "ret;", "path": {"longest": {"iterations": {"L": "x"}}}"#,
    ),
    ("warps.path.branches", r#""kernel": "LCL""#, r#""ptx": "ret;", "path": {"branches": {"L": "taken"}}"#),
    ("warps.path.branches.L", r#""kernel": "LCL""#, r#""ptx": "ret;", "path": {"branches": {"L": 1}}"#),
    ("warps.path", r#""kernel": "LCL""#, r#""ptx": "L: add; bra L;", "path": {"branches": {}}"#),
    // The number of warps.
    ("warps.count", r#""count": 2, "#, ""),
    ("warps.count", r#""count": 2"#, r#""count": 0"#),
    ("warps.count", r#""count": 2"#, r#""count": 65"#),
    ("warps.count", r#""count": 2"#, r#""count": -1"#),
    ("warps.count", r#""count": 2"#, r#""count": 2.5"#),
    ("warps.count", r#""count": 2"#, r#""count": 1e308"#),
    ("warps.count", r#""count": 2"#, r#""count": 18446744073709551617"#),
    ("warps.count", r#""count": 2"#, r#""count": "2""#),
    ("warps.count", r#""count": 2"#, r#""count": true"#),
    ("warps.count", r#""count": 2"#, r#""count": [2]"#),
    ("warps.Count", r#""count": 2"#, r#""count": 2, "Count": 2"#),
    // The machine.
    ("warps.machine", r#""machine": {"L": 1, "C": 1}, "#, ""),
    ("warps.machine", MACHINE, "null"),
    ("warps.machine", MACHINE, "[1, 1]"),
    ("warps.machine", MACHINE, r#""cc-3.5""#),
    ("warps.machine", MACHINE, "{}"),
    ("warps.machine", MACHINE, r#"{"L": 0, "C": 0}"#),
    ("warps.machine.C", MACHINE, r#"{"L": 1}"#),
    ("warps.machine.L", r#""L": 1"#, r#""L": -1"#),
    ("warps.machine.L", r#""L": 1"#, r#""L": 0.5"#),
    ("warps.machine.L", r#""L": 1"#, r#""L": 1025"#),
    ("warps.machine.L", r#""L": 1"#, r#""L": null"#),
    ("warps.machine.L", r#""L": 1"#, r#""L": {}"#),
    ("warps.machine.l", r#""L": 1"#, r#""L": 1, "l": 1"#),
    ("warps.machine.issue", r#""C": 1}"#, r#""C": 1, "issue": 0}"#),
    ("warps.machine.issue", r#""C": 1}"#, r#""C": 1, "issue": 1.5}"#),
    ("warps.machine.issue", r#""C": 1}"#, r#""C": 1, "issue": "4"}"#),
    ("warps.machine.issue", r#""C": 1}"#, r#""C": 1, "issue": 5000}"#),
    ("warps.machine.preset", MACHINE, r#"{"preset": "cc-1.0"}"#),
    ("warps.machine.preset", MACHINE, r#"{"preset": 3.5}"#),
    ("warps.machine.preset", MACHINE, r#"{"preset": null}"#),
    ("warps.machine.L", MACHINE, r#"{"preset": "cc-3.5", "L": 2}"#),
    ("warps.machine.issue", MACHINE, r#"{"preset": "cc-3.5", "issue": 0}"#),
    ("warps.machine.warp_size", MACHINE, r#"{"units": {"L": 32, "C": 32}}"#),
    ("warps.machine.units", MACHINE, r#"{"warp_size": 32}"#),
    ("warps.machine.units", MACHINE, r#"{"warp_size": 32, "units": [32, 32]}"#),
    ("warps.machine.units.C", MACHINE, r#"{"warp_size": 32, "units": {"L": 32}}"#),
    ("warps.machine.units.C", MACHINE, r#"{"warp_size": 32, "units": {"L": 32, "C": 65537}}"#),
    ("warps.machine.units.X", MACHINE, r#"{"warp_size": 32, "units": {"L": 32, "C": 32, "X": 1}}"#),
    ("warps.machine.warp_size", MACHINE, r#"{"warp_size": 0, "units": {"L": 32, "C": 32}}"#),
    ("warps.machine.warp_size", MACHINE, r#"{"warp_size": 2000, "units": {"L": 32, "C": 32}}"#),
    ("warps.machine.latency", MACHINE, r#"{"warp_size": 32, "units": {"L": 32, "C": 32}, "latency": 2}"#),
    (
        "warps.machine.latency.L",
        MACHINE,
        r#"{"warp_size": 32, "units": {"L": 32, "C": 32}, "latency": {"L": 0}}"#,
    ),
    (
        "warps.machine.latency.L",
        MACHINE,
        r#"{"warp_size": 32, "units": {"L": 32, "C": 32}, "latency": {"L": 1001}}"#,
    ),
    ("warps.kernel", MACHINE, r#"{"warp_size": 1024, "units": {"L": 1, "C": 1}, "latency": {"L": 1000}}"#),
    // Fairness.
    ("warps.fairness", r#""work-conserving""#, r#""fair""#),
    ("warps.fairness", r#""work-conserving""#, "null"),
    ("warps.fairness", r#""work-conserving""#, "3"),
    ("warps.sub_blocks", r#""work-conserving""#, r#""sub-block""#),
    ("warps.sub_blocks", r#""work-conserving""#, r#""sub-block", "sub_blocks": null"#),
    ("warps.sub_blocks", r#""work-conserving""#, r#""sub-block", "sub_blocks": 1"#),
    ("warps.sub_blocks", r#""work-conserving""#, r#""sub-block", "sub_blocks": {"at": 1}"#),
    ("warps.sub_blocks[0]", r#""work-conserving""#, r#""sub-block", "sub_blocks": [-1]"#),
    ("warps.sub_blocks[0]", r#""work-conserving""#, r#""sub-block", "sub_blocks": [4]"#),
    ("warps.sub_blocks[1]", r#""work-conserving""#, r#""sub-block", "sub_blocks": [1, 1.5]"#),
    ("warps.sub_blocks[1]", r#""work-conserving""#, r#""sub-block", "sub_blocks": [1, "2"]"#),
    ("warps.sub_blocks[1]", r#""work-conserving""#, r#""sub-block", "sub_blocks": [2, 2]"#),
    ("warps.sub_blocks[2]", r#""work-conserving""#, r#""sub-block", "sub_blocks": [1, 3, 2]"#),
    ("warps.sub_blocks", r#""work-conserving""#, r#""work-conserving", "sub_blocks": [1]"#),
    // The method.
    ("warps.method", METHOD, "null"),
    ("warps.method", METHOD, r#""random""#),
    ("warps.method", METHOD, "{}"),
    ("warps.method", r#""seed": 3"#, r#""order": [1, 2]"#),
    ("warps.method.speed", r#""seed": 3"#, r#""speed": 3"#),
    ("warps.method.initial", r#""random""#, "7"),
    ("warps.method.initial", r#""random""#, r#""Random""#),
    ("warps.method.seed", r#""random""#, r#""round-robin""#),
    ("warps.method.seed", r#""seed": 3"#, r#""seed": -3"#),
    ("warps.method.seed", r#""seed": 3"#, r#""seed": "3""#),
    ("warps.method.seed", r#""seed": 3"#, r#""seed": null"#),
    ("warps.method.seed", METHOD, r#"{"order": [1,2,1,2,1,2], "seed": 3}"#),
    ("warps.method.anneal", METHOD, r#"{"anneal": null}"#),
    ("warps.method.anneal", METHOD, r#"{"anneal": 2000}"#),
    ("warps.method", METHOD, r#"{"anneal": {}, "initial": "round-robin"}"#),
    ("warps.method.seed", METHOD, r#"{"anneal": {}, "seed": 3}"#),
    ("warps.method.anneal.T0", METHOD, r#"{"anneal": {"T0": 0.3}}"#),
    ("warps.method.anneal.iterations", METHOD, r#"{"anneal": {"iterations": 0}}"#),
    ("warps.method.anneal.iterations", METHOD, r#"{"anneal": {"iterations": 1000000000001}}"#),
    ("warps.method.anneal.iterations", METHOD, r#"{"anneal": {"iterations": 0.5}}"#),
    ("warps.method.anneal.iterations", METHOD, r#"{"anneal": {"iterations": "10"}}"#),
    ("warps.method.anneal.iterations", METHOD, r#"{"anneal": {"iterations": null}}"#),
    ("warps.method.anneal.rounds", METHOD, r#"{"anneal": {"rounds": 0}}"#),
    ("warps.method.anneal.rounds", METHOD, r#"{"anneal": {"rounds": 1001}}"#),
    ("warps.method.anneal.rounds", METHOD, r#"{"anneal": {"rounds": 1.5}}"#),
    ("warps.method.anneal.t0", METHOD, r#"{"anneal": {"t0": -0.1}}"#),
    ("warps.method.anneal.t0", METHOD, r#"{"anneal": {"t0": 1000001}}"#),
    ("warps.method.anneal.t0", METHOD, r#"{"anneal": {"t0": "0.3"}}"#),
    ("warps.method.anneal.t0", METHOD, r#"{"anneal": {"t0": [0.3, 0]}}"#),
    ("warps.method.anneal.seed", METHOD, r#"{"anneal": {"seed": -1}}"#),
    ("warps.method.anneal.seed", METHOD, r#"{"anneal": {"seed": 18446744073709551616}}"#),
    ("warps.method.anneal.seed", METHOD, r#"{"anneal": {"seed": "1"}}"#),
    ("warps.method.anneal.neighbourhood", METHOD, r#"{"anneal": {"neighbourhood": "Swap"}}"#),
    ("warps.method.anneal.neighbourhood", METHOD, r#"{"anneal": {"neighbourhood": 1}}"#),
    ("warps.method.anneal.neighbourhood", METHOD, r#"{"anneal": {"neighbourhood": ["swap"]}}"#),
    ("warps.method.anneal.starts", METHOD, r#"{"anneal": {"starts": []}}"#),
    ("warps.method.anneal.starts", METHOD, r#"{"anneal": {"starts": "random"}}"#),
    ("warps.method.anneal.starts", METHOD, r#"{"anneal": {"starts": 8}}"#),
    ("warps.method.anneal.starts[1]", METHOD, r#"{"anneal": {"starts": ["random", "robin"]}}"#),
    ("warps.method.anneal.starts[0]", METHOD, r#"{"anneal": {"starts": [1, "random"]}}"#),
    ("warps.method.anneal.starts[0]", METHOD, r#"{"anneal": {"starts": [["random"]]}}"#),
    ("warps.method.beam", METHOD, r#"{"beam": null}"#),
    ("warps.method.beam", METHOD, r#"{"beam": 1000}"#),
    ("warps.method", METHOD, r#"{"beam": {}, "exact": {}}"#),
    ("warps.method.seed", METHOD, r#"{"beam": {}, "seed": 3}"#),
    ("warps.method.beam.depth", METHOD, r#"{"beam": {"depth": 10}}"#),
    ("warps.method.beam.width", METHOD, r#"{"beam": {"width": 0}}"#),
    ("warps.method.beam.width", METHOD, r#"{"beam": {"width": 1000001}}"#),
    ("warps.method.beam.width", METHOD, r#"{"beam": {"width": 10.5}}"#),
    ("warps.method.beam.width", METHOD, r#"{"beam": {"width": "10"}}"#),
    ("warps.method.beam.width", METHOD, r#"{"beam": {"width": null}}"#),
    ("warps.method.beam.guided", METHOD, r#"{"beam": {"guided": 1}}"#),
    ("warps.method.beam.guided", METHOD, r#"{"beam": {"guided": "true"}}"#),
    ("warps.method.beam.guided", METHOD, r#"{"beam": {"guided": null}}"#),
    ("warps.method.exact", METHOD, r#"{"exact": null}"#),
    ("warps.method.exact", METHOD, r#"{"exact": true}"#),
    ("warps.method.seed", METHOD, r#"{"exact": {}, "seed": 3}"#),
    ("warps.method.exact.width", METHOD, r#"{"exact": {"width": 10}}"#),
    ("warps.method.exact.time_limit", METHOD, r#"{"exact": {"time_limit": 0}}"#),
    ("warps.method.exact.time_limit", METHOD, r#"{"exact": {"time_limit": -1}}"#),
    ("warps.method.exact.time_limit", METHOD, r#"{"exact": {"time_limit": 1e9}}"#),
    ("warps.method.exact.time_limit", METHOD, r#"{"exact": {"time_limit": "10"}}"#),
    ("warps.method.exact.time_limit", METHOD, r#"{"exact": {"time_limit": null}}"#),
    ("warps.method.exact.memory_limit", METHOD, r#"{"exact": {"memory_limit": 0}}"#),
    ("warps.method.exact.memory_limit", METHOD, r#"{"exact": {"memory_limit": 4097}}"#),
    ("warps.method.exact.memory_limit", METHOD, r#"{"exact": {"memory_limit": 0.5}}"#),
    ("warps.method.exact.memory_limit", METHOD, r#"{"exact": {"memory_limit": "256"}}"#),
    ("warps.method.exact.shortest", METHOD, r#"{"exact": {"shortest": 0}}"#),
    ("warps.method.exact.shortest", METHOD, r#"{"exact": {"shortest": "no"}}"#),
    ("warps.method.exact.shortest", METHOD, r#"{"exact": {"shortest": null}}"#),
    ("warps.method.order", METHOD, r#"{"order": 12}"#),
    ("warps.method.order", METHOD, r#"{"order": []}"#),
    ("warps.method.order", METHOD, r#"{"order": [1,2,1,2,1]}"#),
    ("warps.method.order", METHOD, r#"{"order": [1,2,1,2,1,1]}"#),
    ("warps.method.order[5]", METHOD, r#"{"order": [1,2,1,2,1,3]}"#),
    ("warps.method.order[0]", METHOD, r#"{"order": [0,2,1,2,1,1]}"#),
    ("warps.method.order[2]", METHOD, r#"{"order": [1,2,[1],2,1,2]}"#),
    ("warps.method.schedule", METHOD, r#"{"schedule": {}}"#),
    ("warps.method.schedule", METHOD, r#"{"schedule": []}"#),
    ("warps.method.schedule", METHOD, r#"{"schedule": [[1,2,3]]}"#),
    ("warps.method.schedule[1]", METHOD, r#"{"schedule": [[1,2,4],5]}"#),
    ("warps.method.schedule[1]", METHOD, r#"{"schedule": [[1,2,4],[]]}"#),
    ("warps.method.schedule[1]", METHOD, r#"{"schedule": [[1,2,4],[2,3,5,6]]}"#),
    ("warps.method.schedule[1][2]", METHOD, r#"{"schedule": [[1,2,3],[2,3,0]]}"#),
    ("warps.method.schedule[1][2]", METHOD, r#"{"schedule": [[1,2,3],[2,3,1e9]]}"#),
    ("warps.method.schedule", METHOD, r#"{"schedule": [[1,2,3],[1,3,4]]}"#),
    ("warps.method.schedule", METHOD, r#"{"schedule": [[1,2,3],[2,3,5]]}"#),
    (
        "warps.method.schedule",
        r#""fairness": "work-conserving",
    "method": {"initial": "random", "seed": 3}"#,
        r#""fairness": "sub-block", "sub_blocks": [1], "method": {"schedule": [[2,4,5],[1,2,3]]}"#,
    ),
    // What to compare with.
    ("warps.references", WARPS, r#""warps": {"references": null, "#),
    ("warps.references", WARPS, r#""warps": {"references": 160, "#),
    ("warps.references", WARPS, r#""warps": {"references": {"label": "a", "makespan": 1}, "#),
    ("warps.references[0]", WARPS, r#""warps": {"references": [160], "#),
    ("warps.references[0].label", WARPS, r#""warps": {"references": [{"makespan": 160}], "#),
    ("warps.references[0].label", WARPS, r#""warps": {"references": [{"label": 1, "makespan": 160}], "#),
    ("warps.references[0].makespan", WARPS, r#""warps": {"references": [{"label": "a"}], "#),
    ("warps.references[0].makespan", WARPS, r#""warps": {"references": [{"label": "a", "makespan": 0}], "#),
    ("warps.references[0].makespan", WARPS, r#""warps": {"references": [{"label": "a", "makespan": 1.5}], "#),
    (
        "warps.references[0].makespan",
        WARPS,
        r#""warps": {"references": [{"label": "a", "makespan": 1e10}], "#,
    ),
    (
        "warps.references[0].by",
        WARPS,
        r#""warps": {"references": [{"label": "a", "makespan": 160, "by": "b"}], "#,
    ),
];

/// Texts that are no scenario at all, and where that is said to be.
const WHOLE: &[(&str, &str)] = &[
    ("document", ""),
    ("document", " \r\n\t"),
    ("document", "\u{feff}"),
    ("document", "[]"),
    ("document", "null"),
    ("document", "1"),
    ("document", "\"warpspan\""),
    ("warpspan", "{}"),
    ("document", r#"{"warpspan": 1}"#),
    ("warps", r#"{"warpspan": 1, "warps": null}"#),
    ("warps", r#"{"warpspan": 1, "warps": []}"#),
    ("tasks", r#"{"warpspan": 1, "tasks": []}"#),
    ("blocks", r#"{"warpspan": 1, "blocks": {}}"#),
    ("chain", r#"{"warpspan": 1, "chain": []}"#),
    ("chain.kernels", r#"{"warpspan": 1, "chain": {}}"#),
    ("chain.kernels[0]", r#"{"warpspan": 1, "chain": {"kernels": [{"name": "k", "threads": 32}]}}"#),
    (
        "chain.kernels[0].cycles",
        r#"{"warpspan": 1, "chain": {"kernels": [{"name": "k", "threads": 32, "cycles": 0}]}}"#,
    ),
    ("blocks.examiner.benchmarks", r#"{"benchmarks": []}"#),
    ("blocks.measured", r#"{"scenario_name": "x", "times": []}"#),
    ("swModel", r#"<am:Amalthea xmlns:am="http://app4mc.eclipse.org/amalthea/1.0"/>"#),
    ("line 1, column 1, in amalthea", r#"<amalthea/>"#),
    ("line 1 column 27", ".visible .entry k() { ret }"),
    ("line 2 column 3", "add.f32 %f1, %f2, %f3;\n  bra Nowhere;"),
    ("line 1 column 1", "warpspan"),
    ("line 1, column 1, in html", "<html></html>"),
    ("line 1 column 1", "\0"),
    ("line 1 column 1", "{"),
    ("line 1 column 4", "{} {}"),
    ("line 1 column 1", "NaN"),
    ("line 1 column 2", "{'warpspan': 1}"),
    ("line 1 column 2", "{warpspan: 1}"),
    ("line 1 column 16", r#"{"warpspan": 1,}"#),
    ("line 1 column 15", r#"{"warpspan": 01}"#),
    ("line 1 column 14", r#"{"warpspan": +1}"#),
    ("line 1 column 14", r#"{"warpspan": .1}"#),
    ("line 1 column 16", "{\"warpspan\": 1 // one\n}"),
    ("line 1 column 28", r#"{"warpspan": 1, "title": "\x"}"#),
    ("line 2 column 0", "{\"warpspan\": 1, \"title\": \"a\nb\"}"),
    ("line 1 column 33", r#"{"warpspan": 1, "title": "\ud800"}"#),
    ("line 1 column 26", r#"{"warpspan": 1, "warpspan": 1}"#),
    ("line 1 column 18", r#"{"warpspan": 1e999}"#),
    ("line 1 column 45", r#"{"warpspan": 1, "warps": {"count": 1, "count": 2}}"#),
];

/// All of them, with the place each is wrong at.
pub fn documents() -> Vec<(&'static str, String)> {
    let changed = CHANGES.iter().map(|&(place, from, to)| {
        assert_eq!(SOUND.matches(from).count(), 1, "{from}");
        (place, SOUND.replacen(from, to, 1))
    });
    let change = |from, to: String| SOUND.replacen(from, &to, 1);
    let starts = vec![r#""random""#; 257].join(",");
    let references = vec![r#"{"label": "a", "makespan": 1}"#; 21].join(",");
    let crowded = [
        ("warps.method.anneal.starts", change(METHOD, format!(r#"{{"anneal": {{"starts": [{starts}]}}}}"#))),
        ("warps.references", change(WARPS, format!(r#"{WARPS}"references": [{references}], "#))),
    ];
    let whole = WHOLE.iter().map(|&(place, text)| (place, text.to_owned()));
    changed.chain(crowded).chain(whole).collect()
}

#[test]
fn each_breaks_one_rule_and_is_told_at_its_place() {
    assert!(read(SOUND).is_ok());
    let mut wrong = Vec::new();
    for (place, text) in documents() {
        assert!(super::refused(&text), "accepted: {text}");
        let problems = read(&text).expect_err("refused");
        if !matches!(&problems[..], [problem] if problem.place == place) {
            wrong.push(format!("{text}\n  expected one problem at {place}, found {problems:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn huge_and_deep_texts_are_refused_at_once() {
    let big = 300_000;
    let with = |from: &str, to: &str| SOUND.replacen(from, to, 1);
    let list = |item: &str| format!("[{}]", vec![item; big].join(","));
    let kernel = |text: &str| with("LCL", text);
    let method = |text: &str| with(METHOD, text);
    let texts = [
        "[".repeat(big),
        r#"{"warpspan":"#.repeat(big),
        format!("{}1{}", "[".repeat(200), "]".repeat(200)),
        "9".repeat(big),
        "\"".repeat(big),
        "\\".repeat(big),
        "{}".repeat(big),
        kernel(&"L".repeat(big)),
        kernel(&"9".repeat(big)),
        kernel(&"(".repeat(big)),
        kernel(&")".repeat(big)),
        kernel(&"1(".repeat(big)),
        kernel(&"é".repeat(big)),
        method(&"x".repeat(big)),
        method(&format!(r#"{{"initial": "{}"}}"#, "\\u0000".repeat(big))),
        method(&format!(r#"{{"order": {}}}"#, list("0"))),
        method(&format!(r#"{{"order": {}}}"#, list("1"))),
        method(&format!(r#"{{"order": {}}}"#, list("[]"))),
        method(&format!(r#"{{"schedule": {}}}"#, list("[1]"))),
        method(&format!(r#"{{"anneal": {{"starts": {}}}}}"#, list("1"))),
        with(WARPS, &format!(r#"{WARPS}"references": {}, "#, list("1"))),
        method(&format!(r#"{{"schedule": [{}]}}"#, list("1"))),
        with("\"title\"", &format!("\"{}\"", "k".repeat(big))),
        with(
            "\"title\"",
            &format!("{} \"title\"", (0..big).map(|i| format!("\"k{i}\":0,")).collect::<String>()),
        ),
        with(r#""count": 2"#, &format!(r#""count": {}"#, "1".repeat(big))),
        with(r#""count": 2"#, &format!(r#""count": {}"#, list("2"))),
    ];
    for text in &texts {
        assert!(super::refused(text), "accepted: {text:.60}");
    }
    let titled = |times: usize| with("\"t\"", &format!("\"{}\"", "long title ".repeat(times)));
    assert!(super::refused(&titled(big)) && !super::refused(&titled(300)));
}
