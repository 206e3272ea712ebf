//! `task_host`: a configuration within a configuration.

use super::Context;
use super::info::{Content, Info};
use super::plan::{self, Benchmark, Depth, Plan, Work};
use crate::import::examiner::Nested;

/// Reads the configuration within.
pub(super) fn read(cx: &mut Context<'_>, info: &Info<'_>, depth: Depth) -> Option<Work> {
    let Content::Value(value) = &info.content else {
        info.wrong(cx, "a configuration with its own benchmarks");
        return None;
    };
    let Some(deeper) = depth.deeper() else {
        let expected = format!("at most {} within one another", Depth::MOST);
        cx.reader.problem(&info.path, "too many task hosts", expected);
        return None;
    };
    let plan = plan::read(cx, &info.path, value, deeper)?;
    if plan.own_processes {
        cx.notes.add(
            &info.path,
            "use_processes does not hold within a task host: all belongs to the host's process",
        );
    }
    Some(Work::Host(plan))
}

const IN_STEP_IN_ORDER: &str =
    "sync_every_iteration within a task host changes nothing where benchmarks run one after another";

/// Whether the benchmarks of a host become programs of their own, with a warning that says what is assumed.
pub(super) fn side_by_side(cx: &mut Context<'_>, host: &Benchmark, plan: &Plan, rounds: Option<u64>) -> bool {
    let side_by_side = cx.options.nested == Nested::SideBySide && rounds == Some(1);
    let what = match cx.options.nested {
        Nested::InOrder => "task host: its benchmarks run one after another in one stream",
        Nested::SideBySide if side_by_side => {
            "task host: its benchmarks run at the same time, each with a stream of its own"
        }
        Nested::SideBySide => {
            "task host with several rounds: its benchmarks run one after another in one stream, not side by side"
        }
    };
    cx.notes.add(&host.path, what);
    if plan.lockstep {
        let what = if side_by_side {
            "sync_every_iteration within a task host: all programs in step wait for each other, not only those of the host"
        } else {
            IN_STEP_IN_ORDER
        };
        cx.notes.add(&host.path, what);
    }
    side_by_side
}

/// Warns about a host within a host that runs its benchmarks one after another.
pub(super) fn in_order(cx: &mut Context<'_>, host: &Benchmark, plan: &Plan) {
    cx.notes.add(&host.path, "task host: its benchmarks run one after another in one stream");
    if plan.lockstep {
        cx.notes.add(&host.path, IN_STEP_IN_ORDER);
    }
}

/// The priority of the one stream of a host: that of its first benchmark.
pub(super) fn priority(cx: &mut Context<'_>, host: &Benchmark, plan: &Plan) -> Option<i32> {
    let mut all = Vec::new();
    collect(plan, &mut all);
    let first = all.first().copied().unwrap_or(host.priority);
    if all.iter().any(|&other| other != first) {
        cx.notes
            .add(&host.path, "the priorities within the task host differ: its one stream has the first one");
    }
    first.or(host.priority)
}

/// The priorities of all benchmarks that use a stream of their own, also of those further within.
fn collect(plan: &Plan, all: &mut Vec<Option<i32>>) {
    for benchmark in &plan.benchmarks {
        match &benchmark.work {
            Work::Steps(_, plan::Home::Null) => {}
            Work::Steps(..) if benchmark.name.starts_with("cpu_") => {}
            Work::Steps(..) => all.push(benchmark.priority),
            Work::Host(plan) => collect(plan, all),
        }
    }
}
