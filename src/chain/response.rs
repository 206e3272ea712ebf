//! Response times of host tasks on a core with fixed priorities.
//!
//! Assumptions:
//! 1. Tasks are sporadic: activations of task `j` are `T_j` apart or farther. Its jobs run one after the other.
//! 2. A job computes and waits in turns, in the order of its segments: at most `C_j` on the core, and at most `S_j`
//!    waiting (module `gpu` bounds every single wait from its begin to its end, whoever has the core). A job that spins
//!    computes while it waits: for it `C_j` is both and `S_j` is nothing. Going on after a wait takes the core only.
//! 3. The core never runs a job while one of higher priority is ready, unless the former is not preempted and has
//!    begun its stretch (module `blocking`). Of equal priorities any may run. It idles only if none is ready.
//!
//! Let `P` be the tasks whose priority is that of task `i` or higher, without `i`; `m_j` is the number of
//! stretches of a job of `j`, `B(n, t)` the most that `n` different stretches of tasks strictly below `i` take that are
//! not preempted and run within some time `t`.
//!
//! **Waiting as computing.** `R = C_i + S_i + sum over P of n_j (C_j + S_j) + B(m_i + sum over P of n_j m_j, R)`, where
//! `n_j = ceil(R / T_j)`, and `R <= T_i`.
//! 1. Take a job of `i`, activated at `a`, that ends at `f`. Let `s = a`. As long as some job of `P` or `i` was
//!    activated before `s` and is not over at `s`, let `s` be its activation. So every job of them that runs in
//!    `[s, f)` was activated in it, and at each of its instants one of them is active.
//! 2. Every instant of `[s, f)` is of one of three sorts. (a) A job of `P` or `i` runs: charge the instant to it.
//!    (b) None runs, and every active one waits: charge it to one of these. (c) None runs, and one is ready: by 3
//!    a stretch from strictly below runs that is not preempted.
//! 3. A job is charged `C_j + S_j` at most.
//! 4. A stretch from below that causes (c) was not begun while one of `P` or `i` was ready. So one of them became ready
//!    while it ran: by being activated or by going on after a wait. Only one stretch runs at a time, so each
//!    such event belongs to one stretch at most, and there are `m_j` of them in a job. (c) therefore lasts no longer
//!    than as many different stretches as there are such events, all of which run in `[s, f)`.
//! 5. In `[s, s + t)` with `s + t < f` at most `ceil(t / T_j)` jobs of `j` are activated, and one of them is not
//!    over. So `t` is less than the right side with `t` for `R`, and with one more term, `ceil(t / T_i) - 1` jobs of `i`.
//!    At the least solution that is not so; up to `T_i` the term is nothing. Hence `f - a <= f - s <= R`.
//!
//! Nothing is said in it of the responses of `P`. Without step 4's events of `P` it is wrong: a stretch from below may
//! delay every piece of a job above, and so push all of them towards the next one.
//!
//! **Waiting as jitter.** `R = C_i + S_i + B(m_i, R) + sum over P of ceil((R + R_j - C_j) / T_j) C_j`, `R <= T_i`, where no job
//! of `j` takes longer than `R_j <= T_j`; for those of equal priority `R_j = T_j`.
//! 1. In any time `t` jobs of `j` run for `ceil((t + R_j - C_j) / T_j) C_j` at most. Call that number `K`, let the time
//!    begin at 0, and let the first job that runs in it be activated at `C_j - R_j - d`. If `d <= 0` at most
//!    `K` jobs are activated from then on. Else that one runs for at most `C_j - d` from 0 on, as it ends by
//!    `C_j - d`; `K - 1` others can run in full; and a further one is activated `K T_j` later at the earliest, which leaves at
//!    most `d` of the time for it, as `t + R_j - C_j <= K T_j`. Together `K C_j`.
//! 2. Take a job of `i` as before; the one before it is over, as `R <= T_i`. While it is not over it runs, or it waits, or
//!    a job of `P` runs, or a stretch from strictly below that began while it was not ready: one for each of its
//!    own `m_i` stretches. The rest is as in step 5.
//! 3. Tasks of one priority need each other's responses. Consider the first instant at which a job of one of them
//!    has taken its `R` and is not over. Up to then no job of the others has taken longer than its period, so steps 1 and
//!    2 hold up to there, and the job is over: there is no such instant. That takes an `R` of every one of them.
//!
//! Counting `S_j` for `R_j - C_j` is a known mistake; that it has to be the response time is the corrected form (Bletsas,
//! Audsley, Huang, Chen, Nelissen 2018; Chen and others 2019).
//!
//! The smaller solution counts. Both are computed twice where tasks are not preempted: first with as many stretches from
//! below as there are events, then with as many as can run, by the responses found first. All of that is proven from what was
//! proven before.

use super::blocking::{Below, Blocker, stretches};
use super::figure::{Figure, Proof};
use super::host::Load;
use super::inputs::Inputs;
use super::model::{Chain, Wait};
use super::rests::Rests;
use crate::base::Nanos;

/// Turns of an equation after which it is given up: its solution is larger than what it got to.
const MOST_TURNS: u32 = 100_000;

/// A response time, and how it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// No more than this; none where nothing is known.
    pub upper: Option<Figure<Nanos>>,
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
    /// Stretches of a job.
    pieces: u64,
}

/// What is found of a task: a number, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Found {
    /// No job takes longer than this, and this is no longer than the period.
    Within(u64, String),
    No(String),
}

impl Found {
    fn value(&self) -> Option<u64> {
        match self {
            Self::Within(value, _) => Some(*value),
            Self::No(_) => None,
        }
    }
}

/// The response times of all tasks of a core with fixed priorities, in the order of `on`, which are its tasks.
pub fn responses(inputs: &Inputs<'_>, loads: &[Load], on: &[usize]) -> Vec<(usize, Response)> {
    let chain = inputs.chain();
    let asks: Vec<Option<Asks>> = on.iter().map(|&task| asks(chain, loads, task)).collect();
    let mut found = once(chain, loads, on, &asks, &vec![None; on.len()]);
    if on.iter().any(|&task| !chain.tasks[task].preemptive) {
        let first: Vec<Option<u64>> = found.iter().map(Found::value).collect();
        for (known, again) in found.iter_mut().zip(once(chain, loads, on, &asks, &first)) {
            if again.value().is_some_and(|value| known.value().is_none_or(|known| value < known)) {
                *known = again;
            }
        }
    }
    let told = on.iter().zip(found).map(|(&task, found)| (task, told(inputs, loads, on, task, found)));
    told.collect()
}

/// A task as the equations see it; none where a time is not known.
fn asks(chain: &Chain, loads: &[Load], task: usize) -> Option<Asks> {
    let host = &chain.tasks[task];
    let (cpu, gpu) = (loads[task].cpu.upper()?.value.0, loads[task].gpu.upper()?.value.0);
    let all = cpu.checked_add(gpu)?;
    let core = if host.wait == Wait::Spin { all } else { cpu };
    let pieces = stretches(chain, loads, task)?.len() as u64;
    Some(Asks { priority: host.priority, period: host.period.0, core, all, pieces })
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
    priorities.sort_unstable();
    priorities.dedup();
    for priority in priorities {
        let class: Vec<usize> =
            (0..on.len()).filter(|&at| chain.tasks[on[at]].priority == priority).collect();
        let below = below(chain, loads, on, known, priority);
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
fn below(chain: &Chain, loads: &[Load], on: &[usize], known: &[Option<u64>], priority: u32) -> Option<Below> {
    let all = on.iter().zip(known).filter(|&(&task, _)| {
        let host = &chain.tasks[task];
        !host.preemptive && host.priority > priority
    });
    let blocker = |(&task, &response): (&usize, &Option<u64>)| {
        let period = chain.tasks[task].period.0;
        Some(Blocker { stretches: stretches(chain, loads, task)?, period, response })
    };
    all.map(blocker).collect::<Option<Vec<_>>>().map(Below::new)
}

/// One task: the smaller of both equations.
fn one(
    chain: &Chain,
    on: &[usize],
    asks: &[Option<Asks>],
    found: &[Found],
    below: &Option<Below>,
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
    // Those above, with their response times where these are known.
    let mut above: Vec<(&Asks, Option<u64>)> = Vec::new();
    for (other, of) in asks.iter().enumerate().filter(|&(other, _)| other != at) {
        if chain.tasks[on[other]].priority > own.priority {
            continue;
        }
        let Some(of) = of else {
            let name = &chain.tasks[on[other]].name;
            return Found::No(format!("nothing is known, as a time of {name} above it is not"));
        };
        let equal = of.priority == own.priority;
        above.push((of, if equal { Some(of.period) } else { found[other].value() }));
    }
    if above.is_empty() && below.is_empty() {
        return Found::Within(own.all, String::new());
    }
    let oblivious = |r: u128| {
        let (mut sum, mut events) = (u128::from(own.all), u128::from(own.pieces));
        for (j, _) in &above {
            let jobs = r.div_ceil(j.period.into());
            sum = sum.checked_add(jobs.checked_mul(j.all.into())?)?;
            events = events.checked_add(jobs.checked_mul(j.pieces.into())?)?;
        }
        sum.checked_add(below.most(events, r)?)
    };
    let jitter = |r: u128| {
        let mut sum = u128::from(own.all).checked_add(below.most(own.pieces.into(), r)?)?;
        for (j, response) in &above {
            let late = u128::from(response.as_ref()?.checked_sub(j.core)?);
            let jobs = r.checked_add(late)?.div_ceil(j.period.into());
            sum = sum.checked_add(jobs.checked_mul(j.core.into())?)?;
        }
        Some(sum)
    };
    let as_computing = least(own, oblivious);
    let as_jitter = if with == Jitter::Counts { least(own, jitter) } else { None };
    let (value, by) = match (as_computing, as_jitter) {
        (Some(a), Some(b)) if b < a => (b, "waiting of those above counted as jitter"),
        (Some(a), _) => (a, "waiting of those above counted as computing"),
        (None, Some(b)) => (b, "waiting of those above counted as jitter"),
        (None, None) => return Found::No(no_response(chain, on, found, &above, own)),
    };
    let blocked = match below.most(own.pieces.into(), value.into()) {
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
    above: &[(&Asks, Option<u64>)],
    own: &Asks,
) -> String {
    let period = Nanos(own.period);
    let late = above.iter().any(|(_, response)| response.is_none());
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

/// The least solution up to the period; none where it lies beyond.
fn least(own: &Asks, equation: impl Fn(u128) -> Option<u128>) -> Option<u64> {
    let mut r = u128::from(own.all.max(1));
    for _ in 0..MOST_TURNS {
        if r > u128::from(own.period) {
            return None;
        }
        match equation(r)? {
            next if next <= r => return u64::try_from(r).ok(),
            next => r = next,
        }
    }
    None
}

/// What was found as a figure: it rests on all that went into it.
fn told(inputs: &Inputs<'_>, loads: &[Load], on: &[usize], task: usize, found: Found) -> Response {
    let chain = inputs.chain();
    let host = &chain.tasks[task];
    let (value, by) = match found {
        Found::Within(value, by) => (value, by),
        Found::No(by) => return Response { upper: None, by },
    };
    let own = [loads[task].cpu.upper(), loads[task].gpu.upper()];
    let Some(own) = Figure::sum(own, "it has its core for itself: all its segments") else {
        return Response { upper: None, by };
    };
    let rests = inputs.response(task).upper;
    if by.is_empty() {
        let by = own.why.clone();
        return Response { upper: Some(own.resting(&rests, Some(&host.name))), by };
    }
    let mut worth = Figure::new((), Proof::Exact, Rests::NOTHING, "");
    let blocked =
        on.iter().any(|&other| !chain.tasks[other].preemptive && chain.tasks[other].priority > host.priority);
    for &other in on {
        if other != task && (blocked || chain.tasks[other].priority <= host.priority) {
            let load = &loads[other];
            [load.cpu.upper(), load.gpu.upper()].into_iter().flatten().for_each(|figure| worth.note(figure));
        }
    }
    let mut upper = own.map(|_| Nanos(value)).because(by.clone()).at_most(Proof::Upper);
    upper.note(&worth);
    Response { upper: Some(upper.resting(&rests, Some(&host.name))), by }
}
