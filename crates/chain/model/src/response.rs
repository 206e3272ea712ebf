//! Response-time analysis of self-suspending tasks under fixed priorities: suspension counted as computation, and as
//! jitter of others.
//!
//! Assumptions:
//! 1. Tasks are sporadic: activations of task `j` come up to `J_j` later than places that are `T_j` apart or farther (module
//!    `holistic` bounds `J_j` where another task activates it). Its jobs run one after the other.
//! 2. A job computes and waits in turns, in the order of its segments: at most `C_j` on the core, and at most `S_j`
//!    waiting (modules `gpu_wait` and `holistic` bound every single wait from its begin to its end, whoever has the core). A job
//!    that spins computes while it waits: for it `C_j` is both and `S_j` is nothing. Going on after a wait takes the core
//!    only, and so does activating another task.
//! 3. The core never runs a job while one of higher priority is ready, unless the former is not preempted and has
//!    begun its section (module `blocking`). Of equal priorities any may run. It idles only if none is ready.
//!
//! Let `P` be the tasks whose priority is that of task `i` or higher, without `i`; `m_j` is the number of
//! sections of a job of `j`, `B(n, t)` the most that `n` different sections of tasks strictly below `i` take that are
//! not preempted and run within some time `t`.
//!
//! In both equations `q` jobs of `i` are looked at, the last of which is not over; module `busy_window` makes a response of that. Without
//! jitter of `i` it is one job, and the solution is the response, if it is no longer than `T_i`.
//!
//! **Waiting as computing.** `R = q (C_i + S_i) + sum over P of n_j (C_j + S_j) + B(q m_i + sum over P of n_j m_j, R)`, where
//! `n_j = ceil((R + J_j) / T_j)`.
//! 1. Take a job of `i`, activated at `a`, that ends at `f`. Let `s = a`. As long as some job of `P` or `i` was
//!    activated before `s` and is not over at `s`, let `s` be its activation. So every job of them that runs in
//!    `[s, f)` was activated in it, and at each of its instants one of them is active. Let the job be the `q`-th of `i` of them.
//! 2. Every instant of `[s, f)` is of one of three sorts. (a) A job of `P` or `i` runs: charge the instant to it.
//!    (b) None runs, and every active one waits: charge it to one of these. (c) None runs, and one is ready: by 3
//!    a section from strictly below runs that is not preempted.
//! 3. A job is charged `C_j + S_j` at most.
//! 4. A section from below that causes (c) was not begun while one of `P` or `i` was ready. So one of them became ready
//!    while it ran: by being activated or by going on after a wait. Only one section runs at a time, so each
//!    such event belongs to one section at most, and there are `m_j` of them in a job. (c) therefore lasts no longer
//!    than as many different sections as there are such events, all of which run in `[s, f)`.
//! 5. In `[s, s + t)` with `s + t < f` at most `ceil((t + J_j) / T_j)` jobs of `j` are activated, as their places are in `[s - J_j, s + t)`,
//!    and at most `q` of `i` matter, as later ones run after `f`. One of them is not over, so `t` is less than the right side with
//!    `t` for `R`. At the least solution that is not so. Hence `f - s <= R`.
//!
//! Nothing is said in it of the responses of `P`. Without step 4's events of `P` it is wrong: a section from below may
//! delay every piece of a job above, and so push all of them towards the next one.
//!
//! **Waiting as jitter.** `R = q (C_i + S_i) + B(q m_i, R) + sum over P of ceil((R + L_j - C_j) / T_j) C_j` with `L_j = R_j + J_j`, where no
//! job of `j` takes longer than `R_j <= T_j`; for those of equal priority `R_j = T_j`.
//! 1. In any time `t` jobs of `j` run for `ceil((t + L_j - C_j) / T_j) C_j` at most. Call that number `K`, let the time
//!    begin at 0, and let the first job that runs in it have its place at `C_j - L_j - d`. If `d <= 0` at most
//!    `K` jobs have theirs from then on. Else that one runs for at most `C_j - d` from 0 on, as it ends by
//!    `C_j - d`; `K - 1` others can run in full; and a further one has its place `K T_j` later at the earliest, which leaves at
//!    most `d` of the time for it, as `t + L_j - C_j <= K T_j`; the next after it nothing, as `d < C_j <= T_j`. Together `K C_j`.
//! 2. Take a job of `i` as before, and as many of `i` before it as were not over when the next one was activated: `q` jobs. While
//!    they are not over one of them runs, or it waits, or a job of `P` runs, or a section from strictly below that began while
//!    it was not ready: one for each of their `q m_i` sections. The rest is as in step 5. If the one before is always over, as that of a
//!    task which somebody awaits each time, `q` is 1 whatever the jitter.
//! 3. Tasks of one priority need each other's responses. Consider the first instant at which a job of one of them
//!    has taken its `R` and is not over. Up to then no job of the others has taken longer than its period, so steps 1 and
//!    2 hold up to there, and the job is over: there is no such instant. That takes an `R` of every one of them.
//!
//! Counting `S_j` for `R_j - C_j` is a known mistake; that it has to be the response time is the corrected form (Bletsas,
//! Audsley, Huang, Chen, Nelissen 2018; Chen and others 2019).
//!
//! The smaller solution counts. What is taken of the responses and the jitter of other tasks is found together (module `holistic`).
//!
//! Both are computed twice where tasks are not preempted: first with as many sections from
//! below as there are events, then with as many as can run, by the responses found first. All of that is proven from what was
//! proven before.

use super::blocking::{Blocker, LowerPriority, non_preemptive_sections};
use super::busy_window::{Arrivals, Jobs, Longest, Workload, longest};
use super::holistic::Holistic;
use super::host::Load;
use super::inputs::Inputs;
use super::model::{Chain, SegmentKind, Wait};
use super::provenance::Assumptions;
use super::valued::{Proof, Valued};
use base::Nanos;

/// A response time, and how it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// No more than this; none where nothing is known.
    pub upper: Option<Valued<Nanos>>,
    /// No more than this from activation to each activation of another task, in the order of segments; empty where nothing is known.
    pub marks: Vec<u64>,
    /// The method, in a sentence.
    pub by: String,
}

/// A task as the equations see it.
#[derive(Debug, Clone)]
struct Asks {
    priority: u32,
    period: u64,
    /// Time on the core, waiting included if it spins.
    core: u64,
    /// That and all waiting.
    all: u64,
    /// Sections of a job.
    pieces: u64,
    /// How late its activations are; none where that is not known.
    late: Option<u64>,
    /// Whether somebody awaits each of its jobs, so that the one before is over when one is activated.
    is_awaited: bool,
    /// All time of a job up to each activation of another task, with the instant on its core that it needs for that.
    marks: Vec<u64>,
}

impl Asks {
    fn jobs(&self) -> Jobs<'_> {
        let job = Workload { time: self.all.into(), pieces: self.pieces.into() };
        Jobs { job, period: self.period, marks: &self.marks }
    }
}

/// What is found of a task: a number, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Found {
    /// No job takes longer than this, and this is no longer than the period.
    Within(Longest, String),
    No(String),
}

impl Found {
    fn value(&self) -> Option<u64> {
        match self {
            Self::Within(found, _) => Some(found.end),
            Self::No(_) => None,
        }
    }
}

/// The response times of all tasks of a core with fixed priorities, in the order of `on`, which are its tasks.
pub fn responses(
    inputs: &Inputs<'_>,
    loads: &[Load],
    holistic: &Holistic,
    on: &[usize],
) -> Vec<(usize, Response)> {
    let chain = inputs.chain();
    let asks: Vec<Option<Asks>> = on.iter().map(|&task| asks(chain, loads, holistic, task)).collect();
    let mut found = once(chain, loads, on, &asks, &vec![None; on.len()]);
    if on.iter().any(|&task| !chain.tasks[task].preemptive) {
        let first: Vec<Option<u64>> = found.iter().map(Found::value).collect();
        for (known, again) in found.iter_mut().zip(once(chain, loads, on, &asks, &first)) {
            if again.value().is_some_and(|value| known.value().is_none_or(|known| value < known)) {
                *known = again;
            }
        }
    }
    let told =
        on.iter().zip(found).map(|(&task, found)| (task, told(inputs, loads, holistic, (on, task), found)));
    told.collect()
}

/// A task as the equations see it; none where a time is not known.
fn asks(chain: &Chain, loads: &[Load], holistic: &Holistic, task: usize) -> Option<Asks> {
    let host = &chain.tasks[task];
    let (cpu, gpu) = (loads[task].cpu.upper()?.value.0, loads[task].gpu.upper()?.value.0);
    let all = cpu.checked_add(gpu)?;
    let core = if host.wait == Wait::Spin { all } else { cpu };
    let pieces = non_preemptive_sections(chain, loads, task)?.len() as u64;
    let (mut marks, mut so_far) = (Vec::new(), 0u64);
    for (segment, time) in host.segments.iter().zip(&loads[task].segments) {
        so_far = so_far.checked_add(time.upper()?.value.0)?;
        // Behind the activation: the instant on the core that it may need has to pass, too.
        if matches!(segment.kind, SegmentKind::Activate(_)) {
            marks.push(so_far);
        }
    }
    let (late, is_awaited) = (holistic.late(task).map(|figure| figure.value.0), holistic.is_awaited(task));
    let (priority, period) = (host.priority, host.period.0);
    Some(Asks { priority, period, core, all, pieces, late, is_awaited, marks })
}

/// Every task once, the most urgent first, with what is known of the responses of tasks below.
fn once(
    chain: &Chain,
    loads: &[Load],
    on: &[usize],
    asks: &[Option<Asks>],
    known: &[Option<u64>],
) -> Vec<Found> {
    let mut found = vec![Found::No("the time of a segment is not known".to_owned()); on.len()];
    let mut priorities: Vec<u32> = on.iter().map(|&task| chain.tasks[task].priority).collect();
    base::sort::sort(&mut priorities);
    priorities.dedup();
    for priority in priorities {
        let class: Vec<usize> =
            (0..on.len()).filter(|&at| chain.tasks[on[at]].priority == priority).collect();
        let below = below(chain, loads, (on, asks), known, priority);
        for with in [Jitter::Counts, Jitter::IsNotKnown] {
            for &at in &class {
                found[at] = one(chain, on, asks, &found, &below, (at, with));
            }
            // With jitter all of one priority need each other's.
            if class.iter().all(|&at| found[at].value().is_some()) {
                break;
            }
        }
    }
    found
}

/// Whether waiting may be counted as jitter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Jitter {
    Counts,
    IsNotKnown,
}

/// Tasks strictly below that are not preempted; none where their times are not known.
fn below(
    chain: &Chain,
    loads: &[Load],
    (on, asks): (&[usize], &[Option<Asks>]),
    known: &[Option<u64>],
    priority: u32,
) -> Option<LowerPriority> {
    let all = (0..on.len()).filter(|&at| {
        let host = &chain.tasks[on[at]];
        !host.preemptive && host.priority > priority
    });
    let blocker = |at: usize| {
        let late = asks[at].as_ref()?.late;
        let response = known[at].zip(late).and_then(|(response, late)| response.checked_add(late));
        let sections = non_preemptive_sections(chain, loads, on[at])?;
        Some(Blocker { sections, period: chain.tasks[on[at]].period.0, response })
    };
    all.map(blocker).collect::<Option<Vec<_>>>().map(LowerPriority::new)
}

/// One task: the smaller of both equations.
fn one(
    chain: &Chain,
    on: &[usize],
    asks: &[Option<Asks>],
    found: &[Found],
    below: &Option<LowerPriority>,
    (at, with): (usize, Jitter),
) -> Found {
    let unknown = || Found::No("the time of a segment is not known".to_owned());
    let (Some(own), Some(below)) = (&asks[at], below) else { return unknown() };
    if own.all > own.period {
        let all = Nanos(own.all);
        return Found::No(format!(
            "by itself it may take {all}, longer than its period: activations may pile up"
        ));
    }
    // Those above, with how late they are, and their response times where these are known.
    let mut above: Vec<(&Asks, u64, Option<u64>)> = Vec::new();
    for (other, of) in asks.iter().enumerate().filter(|&(other, _)| other != at) {
        let host = &chain.tasks[on[other]];
        if host.priority > own.priority {
            continue;
        }
        let Some(of) = of else {
            return Found::No(format!("nothing is known, as a time of {} above it is not", host.name));
        };
        let Some(late) = of.late else {
            let name = &host.name;
            return Found::No(format!("nothing is known, as how late {name} above it is activated is not"));
        };
        let equal = of.priority == own.priority;
        above.push((of, late, if equal { Some(of.period) } else { found[other].value() }));
    }
    let ends_in_time = |late: u64| own.all.checked_add(late).is_some_and(|end| end <= own.period);
    if above.is_empty() && below.is_empty() && (own.is_awaited || own.late.is_some_and(ends_in_time)) {
        return Found::Within(Longest { end: own.all, marks: own.marks.clone() }, String::new());
    }
    let oblivious = |amount: Workload, r: u128| {
        let (mut sum, mut events) = (amount.time, amount.pieces);
        for (j, late, _) in &above {
            let jobs = r.checked_add((*late).into())?.div_ceil(j.period.into());
            sum = sum.checked_add(jobs.checked_mul(j.all.into())?)?;
            events = events.checked_add(jobs.checked_mul(j.pieces.into())?)?;
        }
        sum.checked_add(below.most(events, r)?)
    };
    let jitter = |amount: Workload, r: u128| {
        let mut sum = amount.time.checked_add(below.most(amount.pieces, r)?)?;
        for (j, late, response) in &above {
            let late = u128::from(response.as_ref()?.checked_sub(j.core)?) + u128::from(*late);
            let jobs = r.checked_add(late)?.div_ceil(j.period.into());
            sum = sum.checked_add(jobs.checked_mul(j.core.into())?)?;
        }
        Some(sum)
    };
    let arrivals = own.late.map(Arrivals::Late);
    let as_computing = arrivals.and_then(|arrivals| longest(&own.jobs(), arrivals, oblivious));
    let own_arrivals = if own.is_awaited { Some(Arrivals::One) } else { arrivals };
    let as_jitter = own_arrivals.filter(|_| with == Jitter::Counts);
    let as_jitter = as_jitter.and_then(|arrivals| longest(&own.jobs(), arrivals, jitter));
    let (value, by) = match (as_computing, as_jitter) {
        (Some(a), Some(b)) if b.end < a.end => (a.least(b), "waiting of those above counted as jitter"),
        (Some(a), Some(b)) => (a.least(b), "waiting of those above counted as computing"),
        (Some(a), None) => (a, "waiting of those above counted as computing"),
        (None, Some(b)) => (b, "waiting of those above counted as jitter"),
        (None, None) if own.late.is_none() => {
            return Found::No("nothing is known, as how late it is activated is not".to_owned());
        }
        (None, None) => return Found::No(no_response(chain, on, found, &above, own)),
    };
    let blocked = match below.most(own.pieces.into(), value.end.into()) {
        None | Some(0) => String::new(),
        Some(time) => {
            let time = Nanos(u64::try_from(time).unwrap_or(u64::MAX));
            format!("blocked for up to {time} by those below that are not preempted; ")
        }
    };
    let by = if above.is_empty() { "nobody is above it" } else { by };
    Found::Within(value, format!("{blocked}{by}"))
}

fn no_response(
    chain: &Chain,
    on: &[usize],
    found: &[Found],
    above: &[(&Asks, u64, Option<u64>)],
    own: &Asks,
) -> String {
    let period = Nanos(own.period);
    let late = above.iter().any(|(.., response)| response.is_none());
    let name = on
        .iter()
        .zip(found)
        .find(|(task, found)| late && chain.tasks[**task].priority < own.priority && found.value().is_none());
    match name {
        Some((&task, _)) => {
            format!(
                "nothing is known, as {} above it may take longer than its period",
                chain.tasks[task].name
            )
        }
        None => {
            format!("no response within its period of {period} can be shown: both equations go beyond it")
        }
    }
}

/// What was found as a figure: it rests on all that went into it.
fn told(
    inputs: &Inputs<'_>,
    loads: &[Load],
    holistic: &Holistic,
    (on, task): (&[usize], usize),
    found: Found,
) -> Response {
    let chain = inputs.chain();
    let host = &chain.tasks[task];
    let nothing = |by: String| Response { upper: None, marks: Vec::new(), by };
    let (found, by) = match found {
        Found::Within(found, by) => (found, by),
        Found::No(by) => return nothing(by),
    };
    let own = [loads[task].cpu.upper(), loads[task].gpu.upper()];
    let Some(own) = Valued::sum(own, "it has its core for itself: all its segments") else {
        return nothing(by);
    };
    let blocked =
        on.iter().any(|&other| !chain.tasks[other].preemptive && chain.tasks[other].priority > host.priority);
    let mut rests = inputs.response(task).upper;
    let mut worth = Valued::new((), Proof::Exact, Assumptions::NOTHING, "");
    for &other in on {
        if blocked || chain.tasks[other].priority <= host.priority {
            // How late it is does not matter where it is awaited and has its core for itself.
            if other != task || !by.is_empty() || !holistic.is_awaited(task) {
                holistic.late(other).into_iter().for_each(|late| rests.add(late.rests()));
            }
            if other != task {
                let load = &loads[other];
                [load.cpu.upper(), load.gpu.upper()]
                    .into_iter()
                    .flatten()
                    .for_each(|figure| worth.note(figure));
            }
        }
    }
    let marks = found.marks;
    if by.is_empty() {
        let by = own.why.clone();
        return Response { upper: Some(own.resting(&rests, Some(&host.name))), marks, by };
    }
    let mut upper = own.map(|_| Nanos(found.end)).because(by.clone()).at_most(Proof::Upper);
    upper.note(&worth);
    Response { upper: Some(upper.resting(&rests, Some(&host.name))), marks, by }
}
