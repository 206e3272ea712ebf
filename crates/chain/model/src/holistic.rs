//! Holistic analysis: release jitter and waiting of tasks that activate each other, as one fix point with the response
//! times (Tindell and Clark 1994).
//!
//! A task that another one activates has that one's series of places: its activation belongs to the place of the job that
//! causes it. It comes late by as much as that job may be late itself, `J`, and by the time that it takes from its activation to the
//! segment which activates, `R'`: by `J + R'` at most. Nothing is taken off for a best case, as every piece may take any time up to what is
//! told, down to none. A task that awaits another one waits no longer than that one takes from its activation.
//!
//! What is late or waited for makes responses longer, and longer responses make more of both. The fix point begins with
//! nothing and goes up; what it ends with is no less than what any job takes:
//! 1. Let every number be as at the end: `R_j` and `R'_j` of module `response` (or of demand) follow from all `J_j` and all waits, and
//!    these from the `R_j` and `R'_j`.
//! 2. Suppose that some job takes longer than its number says, to its end or to a segment which activates. In any time there are
//!    finitely many jobs, so take the first instant `f` at which one of them has taken its number and has not got there.
//! 3. Until `f` no activation was later, and no wait longer, than its `J` and its bound say: each of these is a sum of numbers that
//!    were all kept until `f`. The equations look at nothing of other tasks but what was activated and what ran before `f`. So they
//!    hold for this job, and it has got there at `f`, against 2.
//!
//! (Tindell and Clark 1994: holistic analysis. There jitter is less by the best case.) Where the fix point does not come to its end within
//! [`MOST_TURNS`] turns, no link is known, and so nothing that hangs on one.

use super::edf;
use super::host::{Load, of_segments};
use super::inputs::Inputs;
use super::model::{Chain, Scheduler, SegmentKind};
use super::provenance::Assumptions;
use super::response::{Response, responses as by_priority};
use super::valued::{Bracket, Proof, Valued};
use base::Nanos;

/// Turns after which the fix point is given up.
pub const MOST_TURNS: u32 = 500;

/// What tasks take of each other: how late they are, and how long somebody waits for them.
#[derive(Debug, Clone)]
pub struct Holistic {
    late: Vec<Option<Valued<Nanos>>>,
    takes: Vec<Option<Valued<Nanos>>>,
    awaited: Vec<bool>,
}

/// The host: what tasks ask for with all they wait for, and their responses.
#[derive(Debug)]
pub struct FixPoint {
    /// Task by task.
    pub loads: Vec<Load>,
    /// Task by task.
    pub responses: Vec<Response>,
    /// What was taken.
    pub holistic: Holistic,
}

impl Holistic {
    /// Nobody is late but by what is said of it, and nobody waits.
    fn none(inputs: &Inputs<'_>) -> Self {
        let chain = inputs.chain();
        let zero = || Valued::new(Nanos::ZERO, Proof::Exact, Assumptions::NOTHING, "");
        let late = |task: usize| match chain.tasks[task].activated {
            Some(_) => Some(zero()),
            None => Some(inputs.jitter(task)),
        };
        let count = chain.tasks.len();
        let awaits = |task: usize| {
            let by = chain.tasks[task].activated.and_then(|(by, _)| chain.tasks.get(by));
            by.is_some_and(|by| by.segments.iter().any(|segment| segment.kind == SegmentKind::Await(task)))
        };
        Self {
            late: (0..count).map(late).collect(),
            takes: vec![Some(zero()); count],
            awaited: (0..count).map(awaits).collect(),
        }
    }

    /// How late a task may be; none where that is not known.
    pub fn late(&self, task: usize) -> Option<&Valued<Nanos>> {
        self.late.get(task)?.as_ref()
    }

    /// Whether each job of a task is awaited by the one that activated it.
    pub fn is_awaited(&self, task: usize) -> bool {
        self.awaited.get(task).is_some_and(|&is| is)
    }

    /// What follows from responses.
    fn after(&self, chain: &Chain, responses: &[Response]) -> Self {
        let late = |task: usize| {
            let Some((by, place)) = chain.tasks[task].activated else { return self.late[task].clone() };
            let before = chain.tasks[by].segments.iter().take(place);
            let mark = before.filter(|segment| matches!(segment.kind, SegmentKind::Activate(_))).count();
            let response = &responses[by];
            let whole = response.upper.as_ref()?;
            let there = response.marks.get(mark).map_or(whole.value, |&there| Nanos(there));
            let there = whole.clone().map(|_| there);
            let why = format!("{} is late itself, and takes so long to activate it", chain.tasks[by].name);
            Valued::sum([self.late[by].as_ref(), Some(&there)], why)
        };
        Self {
            late: (0..chain.tasks.len()).map(late).collect(),
            takes: responses.iter().map(|response| response.upper.clone()).collect(),
            awaited: self.awaited.clone(),
        }
    }

    /// Nothing is known of tasks that others activate, and of how long these take.
    fn unknown(&self, chain: &Chain) -> Self {
        let of = |task: usize, figure: &Option<Valued<Nanos>>| {
            figure.clone().filter(|_| chain.tasks[task].activated.is_none())
        };
        let all = |figures: &[Option<Valued<Nanos>>]| {
            figures.iter().enumerate().map(|(task, figure)| of(task, figure)).collect()
        };
        Self { late: all(&self.late), takes: all(&self.takes), awaited: self.awaited.clone() }
    }

    /// Whether the numbers that are used are the same, and rest on the same.
    fn is_as(&self, other: &Self, chain: &Chain) -> bool {
        let key = |figure: &Option<Valued<Nanos>>| {
            figure.as_ref().map(|figure| (figure.value, figure.rests().clone()))
        };
        (0..chain.tasks.len()).filter(|&task| chain.tasks[task].activated.is_some()).all(|task| {
            let is_taken = !self.awaited[task] || key(&self.takes[task]) == key(&other.takes[task]);
            is_taken && key(&self.late[task]) == key(&other.late[task])
        })
    }

    /// The loads with the waits for tasks.
    fn fill(&self, inputs: &Inputs<'_>, loads: &[Load]) -> Vec<Load> {
        let chain = inputs.chain();
        let filled = |(task, load): (usize, &Load)| {
            let host = &chain.tasks[task];
            let mut segments = load.segments.clone();
            let mut any = false;
            for (place, segment) in host.segments.iter().enumerate() {
                if let SegmentKind::Await(of) = segment.kind {
                    let why = format!("{} takes no longer from its activation", chain.tasks[of].name);
                    let on = inputs.waiting_for_task(task, place).upper;
                    let upper = self.takes[of].clone().map(|figure| figure.because(why));
                    let upper = upper.map(|figure| figure.resting(&on, Some(&host.name)));
                    segments[place] = Bracket::of(segments[place].lower().cloned(), upper);
                    any = true;
                }
            }
            if any { of_segments(host, segments) } else { load.clone() }
        };
        loads.iter().enumerate().map(filled).collect()
    }
}

/// All responses, with what tasks take of each other.
pub fn fix_point(inputs: &Inputs<'_>, loads: Vec<Load>) -> FixPoint {
    let chain = inputs.chain();
    let loads = at_least(inputs, loads);
    let mut holistic = Holistic::none(inputs);
    let is_linked = chain.tasks.iter().any(|task| task.activated.is_some());
    for _ in 0..if is_linked { MOST_TURNS } else { 0 } {
        let filled = holistic.fill(inputs, &loads);
        let responses = responses(inputs, &filled, &holistic);
        let next = holistic.after(chain, &responses);
        if next.is_as(&holistic, chain) {
            return FixPoint { loads: filled, responses, holistic };
        }
        holistic = next;
    }
    let holistic = if is_linked { holistic.unknown(chain) } else { holistic };
    let filled = holistic.fill(inputs, &loads);
    let responses = responses(inputs, &filled, &holistic);
    FixPoint { loads: filled, responses, holistic }
}

/// The response of every task, core by core.
fn responses(inputs: &Inputs<'_>, loads: &[Load], holistic: &Holistic) -> Vec<Response> {
    let chain = inputs.chain();
    let none = Response { upper: None, marks: Vec::new(), by: String::new() };
    let mut responses = vec![none; loads.len()];
    for (core, of) in chain.cores.iter().enumerate() {
        let on: Vec<usize> = (0..chain.tasks.len()).filter(|&task| chain.tasks[task].core == core).collect();
        let found = match of.scheduler {
            Scheduler::FixedPriority => by_priority(inputs, loads, holistic, &on),
            Scheduler::Edf => {
                let demand = edf::verdict(inputs, loads, holistic, &on);
                on.iter().map(|&task| (task, edf::response(chain, task, &demand))).collect()
            }
        };
        for (task, response) in found {
            responses[task] = response;
        }
    }
    responses
}

/// The lower sides of waits for tasks. Where nobody else is there, the other task takes its own time from its activation, of
/// which what was done since is over: so a task that activates and waits takes no less than both ways.
fn at_least(inputs: &Inputs<'_>, loads: Vec<Load>) -> Vec<Load> {
    let chain = inputs.chain();
    let mut loads = loads;
    // Whoever activates nobody comes first; there are no cycles.
    for _ in 0..chain.tasks.len() {
        let mut changed = false;
        for (task, host) in chain.tasks.iter().enumerate() {
            for (place, segment) in host.segments.iter().enumerate() {
                let SegmentKind::Await(of) = segment.kind else { continue };
                let Some(least) = least_wait(inputs, &loads, (task, place), of) else { continue };
                let known = loads[task].segments[place].lower().map(|figure| figure.value);
                if known == Some(least.value) {
                    continue;
                }
                let mut segments = loads[task].segments.clone();
                segments[place] = Bracket::of(Some(least), None);
                loads[task] = of_segments(host, segments);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    loads
}

fn least_wait(
    inputs: &Inputs<'_>,
    loads: &[Load],
    (task, place): (usize, usize),
    of: usize,
) -> Option<Valued<Nanos>> {
    let chain = inputs.chain();
    let (_, from) = chain.tasks[of].activated?;
    let why = format!("what {} takes by itself", chain.tasks[of].name);
    let whole = Valued::sum([loads[of].cpu.lower(), loads[of].gpu.lower()], why)?;
    let since = loads[task].segments.get(from..place)?.iter().map(Bracket::lower);
    let since = Valued::sum(since, "")?;
    let left = Nanos(whole.value.0.saturating_sub(since.value.0));
    let on = inputs.waiting_for_task(task, place).lower;
    let left = whole.map(|_| left).at_most(Proof::Lower);
    Some(left.resting(since.rests(), None).resting(&on, Some(&chain.tasks[task].name)))
}
