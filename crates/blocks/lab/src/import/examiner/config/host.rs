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
    Some(Work::Host(plan))
}

const IN_STEP_IN_ORDER: &str =
    "sync_every_iteration within a task host changes nothing where benchmarks run one after another";

/// How the benchmarks of a host become programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hosted {
    /// Each is a program of its own, once.
    SideBySide,
    /// Each is a program of its own; every round of the host begins when all have ended the one before.
    InRounds,
    /// One program does them one after another.
    InOrder,
}

/// How the benchmarks of a host become programs, with a warning where that is not how the examiner runs them.
pub(super) fn hosted(
    cx: &mut Context<'_>,
    host: &Benchmark,
    plan: &Plan,
    rounds: Option<u64>,
    others_in_step: bool,
) -> Hosted {
    let once = rounds == Some(1);
    let in_step = others_in_step || plan.lockstep;
    let (hosted, what) = match cx.options.nested {
        Nested::InOrder => {
            let what =
                "task host: its benchmarks run one after another in one stream, as blocks.task_host asks";
            (Hosted::InOrder, Some(what))
        }
        Nested::SideBySide if once => (Hosted::SideBySide, None),
        Nested::SideBySide if !in_step => (Hosted::InRounds, None),
        Nested::SideBySide => {
            let what = "task host with several rounds beside others in step: its benchmarks run one after another in \
                        one stream, not side by side";
            (Hosted::InOrder, Some(what))
        }
    };
    if let Some(what) = what {
        cx.notes.add(&host.path, what);
    }
    if hosted == Hosted::InOrder && plan.own_processes {
        let what = "use_processes does not hold where a task host runs its benchmarks one after another: all belongs to \
                    the host's process";
        cx.notes.add(&host.path, what);
    }
    if plan.lockstep {
        let what = match hosted {
            Hosted::InOrder => IN_STEP_IN_ORDER,
            _ => {
                "sync_every_iteration within a task host: all programs in step wait for each other, not only those of the host"
            }
        };
        cx.notes.add(&host.path, what);
    }
    hosted
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
