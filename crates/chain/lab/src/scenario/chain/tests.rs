//! What chains are read as, and what is said about wrong ones.

use super::*;
use crate::LINKED;

fn chain(fields: &str) -> Result<ChainScenario, Vec<String>> {
    let text = format!(r#"{{"warpspan": 1, "chain": {{{fields}}}}}"#);
    match LINKED.read(&text) {
        Ok(scenario) => match scenario.asked::<ChainScenario>().cloned() {
            Some(asked) => Ok(asked),
            other => unreachable!("{other:?}"),
        },
        Err(problems) => Err(problems.iter().map(ToString::to_string).collect()),
    }
}

const KERNEL: &str = r#""kernels": [{"name": "k", "kernel": "LCL", "threads": 32}]"#;

fn complaint(fields: &str) -> String {
    match chain(fields) {
        Err(lines) => lines.join("\n"),
        Ok(read) => format!("{:?}", read.chain),
    }
}

#[test]
fn what_is_left_out_is_meant() -> Result<(), Vec<String>> {
    let read = chain(KERNEL)?.chain;
    assert_eq!((read.device.sms, read.clock.hertz(), read.effort), (2, 1_300_000_000, 2_000_000));
    assert_eq!((read.sharing, read.order, read.warp), (Sharing::Shared, None, 32));
    assert_eq!((read.cores.len(), read.cores[0].name.as_str(), read.tasks.len()), (1, "cpu", 0));
    assert_eq!(read.kernels[0].grid.blocks, 1);
    Ok(())
}

#[test]
fn priorities_follow_deadlines_where_none_is_written() -> Result<(), Vec<String>> {
    let tasks = r#""tasks": [
        {"name": "a", "period": 30, "segments": [{"cpu": 1}]},
        {"name": "b", "period": 30, "deadline": 20, "segments": [{"cpu": 1}]},
        {"name": "c", "period": 30, "segments": [{"launch": "k"}]}]"#;
    let read = chain(&format!("{KERNEL}, {tasks}"))?.chain;
    assert_eq!(read.tasks.iter().map(|task| task.priority).collect::<Vec<_>>(), [2, 1, 3]);
    Ok(())
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let said = |fields: &str, expected: &str| {
        let complaint = complaint(fields);
        assert!(complaint.contains(expected), "{complaint}");
    };
    said("", "chain.kernels: missing");
    said(r#""kernels": []"#, "chain.kernels: no kernel and no task, expected one of them at least");
    said(r#""kernels": [{"name": "k", "threads": 32}]"#, "chain.kernels[0]: nothing to execute");
    said(
        r#""kernels": [{"name": "k", "kernel": "L", "cycles": 3, "threads": 32}]"#,
        "expected exactly one of \"kernel\", \"ptx\", \"sass\", \"code\" and \"cycles\"",
    );
    said(r#""kernels": [{"name": "k", "kernel": "L", "threads": 2000}]"#, "a block may have 1,024");
    said(
        r#""kernels": [{"name": "k", "cycles": 3, "threads": 32, "blocks": 2, "assignment": [0]}]"#,
        "chain.kernels[0].assignment: 1 multiprocessor, expected one for each of 2 blocks",
    );
    said(
        r#""kernels": [{"name": "k", "kernel": "S", "threads": 32}], "machine": {"L": 1}"#,
        "a multiprocessor with S units",
    );
    said(
        &format!(r#"{KERNEL}, "order": ["x"]"#),
        "chain.order[0]: \"x\", expected the name of a kernel: \"k\"",
    );
    said(&format!(r#"{KERNEL}, "order": []"#), "an order without \"k\"");
    said(&format!(r#"{KERNEL}, "memory": {{}}"#), "chain.memory.mode: missing");
    said(
        &format!(r#"{KERNEL}, "memory": {{"mode": "held", "miss": 3}}"#),
        "chain.memory.mode: \"held\", expected \"pipelined\"",
    );
    said(
        &format!(r#"{KERNEL}, "memory": {{"mode": "pipelined", "miss": 3, "missing": []}}"#),
        "chain.memory.missing",
    );
    let task = |fields: &str| format!(r#"{KERNEL}, "tasks": [{{"name": "t", "period": 10, {fields}}}]"#);
    said(&task(r#""segments": []"#), "chain.tasks[0].segments: 0 segments");
    said(&task(r#""deadline": 11, "segments": [{"cpu": 1}]"#), "a whole number, 1 to 10");
    said(&task(r#""segments": [{"launch": "j"}]"#), "chain.tasks[0].segments[0].launch: \"j\"");
    said(
        &task(r#""segments": [{"cpu": 1, "launch": "k"}]"#),
        "a segment with cpu and launch, expected exactly one of",
    );
    said(&task(r#""segments": [{}]"#), "a segment that does nothing, expected exactly one of");
    said(
        r#""kernels": [], "tasks": [{"name": "t", "period": 10, "segments": [{"launch": "j"}]}]"#,
        "\"j\", expected the name of a kernel, of which there is none",
    );
    said(&task(r#""segments": [{"copy": "in"}]"#), "neither \"bytes\" nor \"duration\"");
    said(&task(r#""core": "x", "segments": [{"cpu": 1}]"#), "the name of a core: \"cpu\"");
}

/// Tasks a, b and c by their segments, all of period 10 but those that say otherwise.
fn linked(a: &str, b: &str, c: &str) -> String {
    let period = |fields: &str| if fields.contains("period") { "" } else { r#""period": 10,"# };
    let task = |name: &str, fields: &str| format!(r#"{{"name": "{name}", {} {fields}}}"#, period(fields));
    format!(r#""kernels": [], "tasks": [{}, {}, {}]"#, task("a", a), task("b", b), task("c", c))
}

const WORKS: &str = r#""segments": [{"cpu": 1}]"#;

#[test]
fn who_activates_whom() -> Result<(), Vec<String>> {
    let a = r#""segments": [{"cpu": 1}, {"activate": "b"}, {"await": "b"}, {"activate": "c"}]"#;
    let read = chain(&linked(a, WORKS, r#""period": 10, "segments": [{"cpu": 1}]"#))?.chain;
    let activated: Vec<_> = read.tasks.iter().map(|task| task.activated).collect();
    assert_eq!(activated, [None, Some((0, 1)), Some((0, 3))]);
    // Without a period it has that of whoever activates it.
    let without = linked(a, WORKS, WORKS).replace(r#""name": "b", "period": 10,"#, r#""name": "b","#);
    assert_eq!(chain(&without)?.chain, read);
    Ok(())
}

#[test]
fn activations_that_cannot_be_are_told_with_their_places() {
    let said = |tasks: String, expected: &str| {
        let complaint = complaint(&tasks);
        assert!(complaint.contains(expected), "{complaint}\n{expected}");
    };
    let does = |segments: &str| format!(r#""segments": [{{"cpu": 1}}, {segments}]"#);
    let activates = |name: &str| does(&format!(r#"{{"activate": "{name}"}}"#));
    said(
        linked(&activates("x"), WORKS, WORKS),
        "chain.tasks[0].segments[1].activate: \"x\", expected the name of a task: \"a\", \"b\", \"c\"",
    );
    said(
        linked(&activates("c"), &activates("c"), WORKS),
        "chain.tasks[1].segments[1].activate: \"c\", which chain.tasks[0].segments[1] activates, expected a task that nothing else activates",
    );
    said(
        linked(&activates("b"), &activates("a"), WORKS),
        "chain.tasks[0].segments[1].activate: \"b\", expected a task that does not lead back to this one",
    );
    said(linked(&activates("a"), WORKS, WORKS), "\"a\", expected a task that does not lead back to this one");
    said(
        linked(&does(r#"{"await": "b"}"#), WORKS, WORKS),
        "chain.tasks[0].segments[1].await: \"b\", expected a task that an earlier segment activates, and none awaits yet",
    );
    let twice = does(r#"{"activate": "b"}, {"await": "b"}, {"await": "b"}"#);
    said(linked(&twice, WORKS, WORKS), "chain.tasks[0].segments[3].await: \"b\", expected a task that an");
    said(
        linked(&activates("b"), r#""period": 20, "segments": [{"cpu": 1}]"#, WORKS),
        "chain.tasks[1].period: 20, expected 10, the period of chain.tasks[0], which activates it",
    );
    said(
        linked(&activates("b"), r#""jitter": 1, "segments": [{"cpu": 1}]"#, WORKS),
        "chain.tasks[1].jitter: 1, expected none: chain.tasks[0] activates it",
    );
    said(linked(r#""jitter": -1, "segments": [{"cpu": 1}]"#, WORKS, WORKS), "chain.tasks[0].jitter: -1");
    let nobody = linked(WORKS, WORKS, WORKS).replace(r#""name": "b", "period": 10,"#, r#""name": "b","#);
    said(nobody, "chain.tasks[1].period: missing");
    // A ring without a period anywhere ends as well.
    let ring = linked(&activates("b"), &activates("a"), WORKS).replace(r#""period": 10,"#, "");
    said(ring, "chain.tasks[0].period: missing");
}
