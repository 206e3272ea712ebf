//! EDF schedulability of a core by the processor demand criterion (module `edf` of the tasks lab), suspension counted
//! as computation.
//!
//! A host task is a sporadic one: a vertex alone. Waiting counts as computing, which disturbs no less; so a set that
//! is schedulable this way is, and one that is not may be all the same. The other way round what each surely
//! computes has to fit into every interval under any scheduler: a set that fails this misses a deadline. Waiting counts
//! there only where the core surely spins for all of it: a task that spins and is preempted waits on, without a core.
//!
//! Activations that come up to `J` late are `T - J` apart at least, and deadlines count from them: as a sporadic task with that
//! period they ask for no less. What follows one that was late may be activated before the deadline of that one, so nothing
//! but this period separates them. On the other side, that all fits, only tasks count that time activates, with the whole `T`,
//! as they may come in such a way together; and waiting for other tasks counts as nothing.
//!
//! How late tasks are that others activate, and how long others are awaited, follows from how cores choose. What is told of
//! EDF on a core with fixed priorities may use none of that: with such tasks it is open, unless what they surely compute does not fit.
//!
//! Why counting waiting as computing is safe under EDF with preemption: let a job with deadline `d` miss it, and let
//! `s` be its activation. As long as a job with a deadline until `d` was activated before `s` and is not over at `s`, let
//! `s` be its activation. At every instant of `[s, d)` such a job runs (charge the instant to it), or all active ones of
//! them wait (charge it to one of these), as one that is ready runs before any with a later deadline. All of them
//! are activated and due in `[s, d]`, and one is not over: they ask for more than `d - s`, against the test.

use super::holistic::Holistic;
use super::host::Load;
use super::inputs::Inputs;
use super::model::{Chain, Host, Scheduler, SegmentKind, Wait};
use super::provenance::Assumptions;
use super::response::Response;
use super::valued::{Evidence, Proof, Valued};
use base::Nanos;
use base::people::grouped;
use tasks::edf::decide;
use tasks::{Demand, Sum, Task, Utilisation, Vertex};

/// The largest number the tasks lab is asked about.
pub const LARGEST: u64 = 1_000_000_000_000;

/// What is known by demand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Whether all deadlines are met; none: open.
    pub meets: Option<bool>,
    /// What that is worth.
    pub kind: Evidence,
    /// The reason.
    pub because: String,
    /// The link that makes it worth no more.
    pub blame: Option<String>,
    /// An interval with more demand than time, and the demand.
    pub violation: Option<(u64, u64)>,
    /// What it rests on.
    pub rests: Assumptions,
}

/// A task as one vertex, and its time.
type Sporadic = (Task, Valued<Nanos>);

/// A task on its upper or its lower side; none where that is not known or too large.
fn sporadic(
    inputs: &Inputs<'_>,
    loads: &[Load],
    holistic: &Holistic,
    task: usize,
    side: Proof,
) -> Option<Sporadic> {
    let host = &inputs.chain().tasks[task];
    let (cpu, gpu) = (&loads[task].cpu, &loads[task].gpu);
    let awaits = host.segments.iter().any(|segment| matches!(segment.kind, SegmentKind::Await(_)));
    let time = match side {
        Proof::Lower if host.wait == Wait::Suspend || host.preemptive || awaits => cpu.lower().cloned()?,
        Proof::Lower => Valued::sum([cpu.lower(), gpu.lower()], "it spins, and nobody preempts it")?,
        _ => Valued::sum([cpu.upper(), gpu.upper()], "waiting counted as computing")?,
    };
    let (time, late) = match side {
        Proof::Lower => (time, 0),
        _ => {
            let late = holistic.late(task)?;
            (time.resting(late.rests(), Some(&host.name)), late.value.0)
        }
    };
    let period = host.period.0.checked_sub(late).filter(|&period| period > 0)?;
    let (e, d) = (time.value.0, host.deadline.0);
    if e.max(period) > LARGEST {
        return None;
    }
    let vertex = Vertex { name: host.name.clone(), e, d };
    // The next activation waits for no deadline, only for the period.
    let made = Task::new(host.name.clone(), period, vec![vertex], Vec::new()).ok()?.restarting(0);
    Some((made, time))
}

/// What is known by demand of the tasks of a core.
pub fn verdict(inputs: &Inputs<'_>, loads: &[Load], holistic: &Holistic, on: &[usize]) -> Verdict {
    let chain = inputs.chain();
    let open = |because: &str| Verdict {
        meets: None,
        kind: Evidence::Simulated,
        because: because.to_owned(),
        blame: None,
        violation: None,
        rests: Assumptions::NOTHING,
    };
    let Some(&first) = on.first() else { return open("it has no tasks") };
    let rests = inputs.demand(chain.tasks[first].core);
    let side = |side: Proof| {
        let counts = |task: &&usize| side != Proof::Lower || chain.tasks[**task].activated.is_none();
        let all = on.iter().filter(counts).map(|&task| sporadic(inputs, loads, holistic, task, side));
        all.collect::<Option<Vec<_>>>()
    };
    let Some(most) = side(Proof::Upper) else {
        return open("a time is not known, or too large to count demand with");
    };
    let above = decided(&most, &rests.upper);
    if above.meets == Some(true) {
        if on.len() > 1 && on.iter().any(|&task| !chain.tasks[task].preemptive) {
            return open(
                "the demand of no interval exceeds it, but that tells little of tasks that are not preempted",
            );
        }
        if linked(chain, on) && chain.cores[chain.tasks[first].core].scheduler != Scheduler::Edf {
            return open(
                "the demand of no interval exceeds it, but how late tasks are and wait for others is that of fixed priorities",
            );
        }
        let because = "the demand of no interval exceeds it, waiting counted as computing".to_owned();
        return Verdict { because, ..above };
    }
    let below = side(Proof::Lower).filter(|least| !least.is_empty());
    let below = below.map(|least| decided(&least, &rests.lower));
    match below {
        Some(below) if below.meets == Some(false) => {
            let (t, demand) = below.violation.unwrap_or_default();
            let (t, demand) = (grouped(t.into()), grouped(demand.into()));
            let because = format!("within {t} ns its tasks surely compute {demand} ns, whoever goes first");
            Verdict { because, ..below }
        }
        _ => {
            let because = match above.violation {
                Some((t, demand)) => format!(
                    "within {} ns they may ask for {} ns if waiting is counted as computing, which is more than needs be",
                    grouped(t.into()),
                    grouped(demand.into())
                ),
                None => "demand does not decide it".to_owned(),
            };
            Verdict { violation: above.violation, ..open(&because) }
        }
    }
}

/// Whether what others take stands in the demand of some task.
fn linked(chain: &Chain, on: &[usize]) -> bool {
    let waits =
        |task: &Host| task.segments.iter().any(|segment| matches!(segment.kind, SegmentKind::Await(_)));
    on.iter().map(|&task| &chain.tasks[task]).any(|task| task.activated.is_some() || waits(task))
}

/// What EDF says of a task: no more than its deadline, or nothing.
pub fn response(chain: &Chain, task: usize, demand: &Verdict) -> Response {
    let by = "EDF by demand: no more than the deadline where all are met".to_owned();
    let marks = Vec::new();
    if demand.meets != Some(true) {
        return Response { upper: None, marks, by };
    }
    let mut upper = Valued::new(chain.tasks[task].deadline, Proof::Upper, demand.rests.clone(), by.clone());
    upper.blame.clone_from(&demand.blame);
    Response { upper: Some(upper), marks, by }
}

fn decided(tasks: &[Sporadic], on: &Assumptions) -> Verdict {
    let set: Vec<Task> = tasks.iter().map(|(task, _)| task.clone()).collect();
    let sum = Sum { demands: set.iter().map(Demand::exact).collect() };
    let decision = decide(&sum, &Utilisation::of(&set));
    let mut worth = Valued::new((), Proof::Exact, Assumptions::NOTHING, "");
    for (_, time) in tasks {
        worth.note(time);
    }
    let first = tasks.first().map(|(task, _)| task.name());
    let worth = worth.resting(on, first);
    // Where demand is a mere bound, what exceeds an interval may not be asked for.
    let missed = decision.violation.is_some_and(|point| sum.is_attained(point.t));
    Verdict {
        meets: decision.verdict.schedulable().filter(|&meets| meets || missed),
        kind: worth.kind(),
        because: String::new(),
        blame: worth.blame.clone(),
        violation: decision.violation.map(|point| (point.t, point.demand)),
        rests: worth.rests().clone(),
    }
}
