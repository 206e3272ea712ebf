//! What chains are read as, and what is said about wrong ones.

use super::*;
use crate::scenario::{Question, read};

fn chain(fields: &str) -> Result<ChainScenario, Vec<String>> {
    let text = format!(r#"{{"warpspan": 1, "chain": {{{fields}}}}}"#);
    match read(&text) {
        Ok(scenario) => match scenario.question {
            Question::Chain(asked) => Ok(*asked),
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
        "expected exactly one of \"kernel\", \"ptx\" and \"cycles\"",
    );
    said(r#""kernels": [{"name": "k", "kernel": "L", "threads": 2000}]"#, "a block may have 1024");
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
