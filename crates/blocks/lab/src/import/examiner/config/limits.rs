//! When a benchmark stops: after so many rounds, after so long, or by a limit set here so that a run ends.

use super::Context;
use super::plan::{Benchmark, Home, Plan, Step, Work};
use crate::import::examiner::section::Section;
use crate::import::examiner::value;
use base::Nanos;
use base::people::{counted, grouped};

/// Limits as written: 0 and below mean none, absent ones are taken from the configuration around.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    rounds: Option<i64>,
    time: Option<Nanos>,
}

impl Limits {
    /// Reads them. A negative number counts as absent.
    pub fn read(cx: &mut Context<'_>, section: &Section<'_>) -> Self {
        let rounds = section.optional(cx.reader, "max_iterations", value::rounds);
        let negative =
            section.get("max_time").and_then(serde_json::Value::as_f64).is_some_and(|time| time < 0.0);
        let time = section.optional(cx.reader, "max_time", value::seconds);
        Self { rounds: rounds.filter(|&rounds| rounds >= 0), time: time.filter(|_| !negative) }
    }

    /// These, and others where they say nothing.
    pub fn or(self, others: Self) -> Self {
        Self { rounds: self.rounds.or(others.rounds), time: self.time.or(others.time) }
    }

    /// What limits.
    pub fn limits(self) -> (Option<u64>, Option<Nanos>) {
        let rounds = self.rounds.and_then(|rounds| u64::try_from(rounds).ok());
        (rounds.filter(|&rounds| rounds > 0), self.time.filter(|&time| time > Nanos::ZERO))
    }
}

/// The most steps of programs that launch no kernel: nothing else would end their simulation.
const MOST_IDLE_STEPS: u64 = 1_000_000;

/// What a round costs at the least.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pace {
    /// Time that passes in it for certain.
    time: Nanos,
    /// Whether it launches kernels.
    launches: bool,
    steps: u64,
}

impl Pace {
    /// Of a round of this work.
    pub fn of(work: &Work) -> Self {
        match work {
            Work::Steps(steps, home) => Self::of_steps(steps, *home),
            Work::Host(plan) => Self::of_plan(plan),
        }
    }

    fn of_steps(steps: &[Step], home: Home) -> Self {
        let waits_for_all = steps.iter().any(|step| matches!(step, Step::WaitDevice));
        let mut pace = Self { steps: steps.len() as u64 + 1, ..Self::default() };
        for step in steps {
            let (time, certain) = match step {
                Step::Launch(kernel) => {
                    pace.launches = true;
                    (kernel.duration.longest(), true)
                }
                // What is not in the benchmark's stream is waited for only where that is said.
                Step::Copy { copy, home: lane, wait } => {
                    (copy.duration, *wait || *lane == home || waits_for_all)
                }
                Step::Sleep(time) => (*time, true),
                Step::WaitStream | Step::WaitDevice => (Nanos::ZERO, false),
            };
            if certain {
                // Side by side at the best, but for sleeps.
                pace.time = pace.time.max(time);
            }
        }
        pace
    }

    fn of_plan(plan: &Plan) -> Self {
        let mut pace = Self { steps: 1, ..Self::default() };
        for benchmark in &plan.benchmarks {
            let inner = Self::of(&benchmark.work);
            pace.time = pace.time.max(inner.time).max(benchmark.release);
            pace.launches |= inner.launches;
            pace.steps = pace.steps.saturating_add(inner.steps);
        }
        pace
    }
}

/// What the end of other benchmarks means for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Others {
    /// It goes on.
    GoOn,
    /// It ends with them.
    EndIt,
}

/// How many rounds a benchmark does at the most and for how long, within `outer` rounds of others: never without a
/// limit where it does not end with others, and never without end.
pub(super) fn settle(
    cx: &mut Context<'_>,
    benchmark: &Benchmark,
    outer: u64,
    others: Others,
) -> (Option<u64>, Option<Nanos>) {
    let pace = Pace::of(&benchmark.work);
    let (mut rounds, time) = (benchmark.rounds, benchmark.time);
    let ends_with_others = others == Others::EndIt && pace.time > Nanos::ZERO;
    if rounds.is_none() && time.is_none() && !ends_with_others {
        let default = cx.options.default_rounds.max(1);
        let shown = counted(usize::try_from(default).unwrap_or(usize::MAX), "round");
        let verb = if default == 1 { "is" } else { "are" };
        let what = format!("neither max_iterations nor max_time limits it: {shown} {verb} simulated");
        cx.notes.add(&benchmark.path, what);
        rounds = Some(default);
    }
    if rounds.is_none() && pace.time == Nanos::ZERO {
        let what = "only max_time limits it, but a round takes no time: 1 round is simulated";
        cx.notes.add(&benchmark.path, what);
        rounds = Some(1);
    }
    if !pace.launches {
        let most = (MOST_IDLE_STEPS / pace.steps.saturating_mul(outer.max(1)).max(1)).max(1);
        let by_time = time.map(|time| time.0 / pace.time.0.max(1) + 1);
        let wanted = [rounds, by_time].into_iter().flatten().min().unwrap_or(u64::MAX);
        if wanted > most {
            let what =
                format!("it launches no kernel: {} rounds are simulated at the most", grouped(most.into()));
            cx.notes.add(&benchmark.path, what);
            rounds = Some(most);
        }
    }
    (rounds, time)
}
