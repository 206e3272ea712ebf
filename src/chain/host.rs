//! Response times of host tasks that wait for a GPU, on cores with fixed priorities and preemption.
//!
//! Assumes sporadic tasks with deadlines within their periods, whose segments take at most the given times; `C` is
//! time on the core and `S` time of waiting, in which the task suspends itself. One that spins computes while
//! it waits: `C` is both, and `S` is nothing. `hp` are those of higher priority on the same core.
//!
//! *Waiting counted as computing.* `R = C + S + sum over hp of ceil(R / T_j) (C_j + S_j)`: a task that computes instead
//! of waiting disturbs no less, and is disturbed no less.
//!
//! *Waiting as jitter.* `R = C + S + sum over hp of ceil((R + R_j - C_j) / T_j) C_j`: within its response time a job
//! of `j` has its `C_j` at any time, the last one as late as `R_j - C_j` after its activation. (Counting `S_j`
//! for `R_j - C_j` is a known mistake; that it has to be the response time is the corrected form.)
//!
//! *Tasks that are not preempted.* One of lower priority may have begun to compute just before, and once more whenever
//! the task itself has waited. So the longest stretch that one of them computes without waiting is added to `R`,
//! once for each time the task begins or goes on. A task that is not preempted itself ends no later than if it were:
//! by the solution all that was asked for is done.
//!
//! Each is the least solution, found from below. What is longer than a period is none: the activations before would
//! delay it more. And each holds only if every task of `hp` has a response time within
//! its deadline. The smaller one counts.

use super::figure::{Bracket, Figure, Proof};
use super::inputs::Inputs;
use super::model::{Chain, Host, SegmentKind, Wait};
use super::rests::Rests;
use crate::base::Nanos;

/// Turns of an equation after which it is given up: its solution is larger than what it got to.
const MOST_TURNS: u32 = 100_000;

/// What a task asks of its core and waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Load {
    /// Time of each segment.
    pub segments: Vec<Bracket<Nanos>>,
    /// Time on the core, without waiting.
    pub cpu: Bracket<Nanos>,
    /// Time of waiting.
    pub gpu: Bracket<Nanos>,
}

/// A response time, and how it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// No more than this; none where nothing is known.
    pub upper: Option<Figure<Nanos>>,
    /// The method, in a sentence.
    pub by: String,
}

/// The load of a task, with what it waits for each segment.
pub fn load(inputs: &Inputs<'_>, task: usize, waits: Vec<Option<Bracket<Nanos>>>) -> Load {
    let host = &inputs.chain().tasks[task];
    let mut load = Load { segments: Vec::new(), cpu: Bracket::OPEN, gpu: Bracket::OPEN };
    let mut on_core = Vec::new();
    for (place, (segment, wait)) in host.segments.iter().zip(waits).enumerate() {
        let computes = matches!(segment.kind, SegmentKind::Cpu(_) | SegmentKind::Ticks(_));
        let time = if computes { inputs.segment(task, place) } else { wait };
        on_core.push(computes);
        load.segments.push(time.unwrap_or(Bracket::OPEN));
    }
    let sum = |core: bool| {
        let parts = load.segments.iter().zip(&on_core).filter(|&(_, &on)| on == core);
        let parts: Vec<&Bracket<Nanos>> = parts.map(|(time, _)| time).collect();
        let why = if core { "its segments on the core" } else { "its copies and kernels" };
        Bracket::of(
            Figure::sum(parts.iter().map(|time| time.lower()), why),
            Figure::sum(parts.iter().map(|time| time.upper()), why),
        )
    };
    (load.cpu, load.gpu) = (sum(true), sum(false));
    load
}

/// What a task of higher priority does to others.
struct Above {
    period: u64,
    /// Time on the core, waiting included if it spins.
    core: u64,
    /// That and all waiting.
    all: u64,
    response: u64,
}

/// The response times of all tasks of a core with fixed priorities, in the order of `on`, which are its tasks.
pub fn responses(inputs: &Inputs<'_>, loads: &[Load], on: &[usize]) -> Vec<(usize, Response)> {
    let chain = inputs.chain();
    let mut by_priority: Vec<usize> = on.to_vec();
    by_priority.sort_by_key(|&task| chain.tasks[task].priority);
    let mut above: Vec<Above> = Vec::new();
    let mut worth = Figure::new((), Proof::Exact, Rests::NOTHING, "");
    let mut open: Option<&str> = None;
    let mut found = Vec::new();
    for task in by_priority {
        let host = &chain.tasks[task];
        let (cpu, gpu) = (loads[task].cpu.upper(), loads[task].gpu.upper());
        let own = Figure::sum([cpu, gpu], "it has its core for itself: all its segments");
        let response = match (open, own) {
            (Some(name), _) => Response {
                upper: None,
                by: format!("nothing is known, as {name} above it may miss its deadline"),
            },
            (None, None) => Response { upper: None, by: "the time of a segment is not known".to_owned() },
            (None, Some(own)) => {
                let core = if host.wait == Wait::Spin { own.value.0 } else { cpu.map_or(0, |c| c.value.0) };
                let all = own.value.0;
                let mut response = match blocking(chain, loads, on, task) {
                    Some(blocking) => {
                        let mut worth = worth.clone();
                        for other in below(chain, on, task) {
                            let load = &loads[other];
                            [load.cpu.upper(), load.gpu.upper()]
                                .into_iter()
                                .flatten()
                                .for_each(|f| worth.note(f));
                        }
                        response(&above, (&own, blocking), &worth, host)
                    }
                    None => Response { upper: None, by: "the time of a segment is not known".to_owned() },
                };
                let rests = inputs.response(task).upper;
                response.upper = response.upper.map(|figure| figure.resting(&rests, Some(&host.name)));
                for figure in [cpu, gpu].into_iter().flatten() {
                    worth.note(figure);
                }
                if let Some(upper) = &response.upper {
                    above.push(Above { period: host.period.0, core, all, response: upper.value.0 });
                }
                response
            }
        };
        if open.is_none() && response.upper.as_ref().is_none_or(|upper| upper.value > host.deadline) {
            open = Some(&host.name);
        }
        found.push((task, response));
    }
    found
}

/// The smaller of both equations.
fn response(
    above: &[Above],
    (own, blocking): (&Figure<Nanos>, u64),
    worth: &Figure<()>,
    host: &Host,
) -> Response {
    let deadline = host.deadline;
    if own.value > host.period {
        let by =
            format!("by itself it may take {}, longer than its period: activations may pile up", own.value);
        return Response { upper: None, by };
    }
    if above.is_empty() && blocking == 0 {
        return Response { upper: Some(own.clone()), by: own.why.clone() };
    }
    let own_time = u128::from(own.value.0) + u128::from(blocking);
    let oblivious = |r: u128| {
        own_time + above.iter().map(|j| r.div_ceil(j.period.into()) * u128::from(j.all)).sum::<u128>()
    };
    let jitter = |r: u128| {
        let of =
            |j: &Above| (r + u128::from(j.response - j.core)).div_ceil(j.period.into()) * u128::from(j.core);
        own_time + above.iter().map(of).sum::<u128>()
    };
    let (oblivious, jitter) = (least(own_time, deadline, oblivious), least(own_time, deadline, jitter));
    let blocked = match blocking {
        0 => String::new(),
        _ => format!("blocked for {} by one below that is not preempted; ", Nanos(blocking)),
    };
    let as_computing = format!("{blocked}waiting of those above counted as computing");
    let as_jitter = format!("{blocked}waiting of those above counted as jitter");
    let (value, by) = match (oblivious, jitter) {
        (Ok(a), Ok(b)) if b < a => (b, as_jitter),
        (Ok(a), _) => (a, as_computing),
        (Err(_), Ok(b)) => (b, as_jitter),
        (Err(a), Err(b)) => {
            let by = format!(
                "no response within the deadline of {deadline} can be shown: both equations go to {} ns or farther",
                a.min(b)
            );
            return Response { upper: None, by };
        }
    };
    let mut upper = own.clone().map(|_| Nanos(value)).because(by.clone());
    upper.note(worth);
    Response { upper: Some(upper.at_most(Proof::Upper)), by }
}

/// Tasks of lower priority that are not preempted.
fn below<'a>(chain: &'a Chain, on: &'a [usize], task: usize) -> impl Iterator<Item = usize> + 'a {
    let priority = chain.tasks[task].priority;
    on.iter().copied().filter(move |&other| {
        let other = &chain.tasks[other];
        !other.preemptive && other.priority > priority
    })
}

/// How long tasks of lower priority that are not preempted may hold a task up; none where that is not known.
fn blocking(chain: &Chain, loads: &[Load], on: &[usize], task: usize) -> Option<u64> {
    let longest: Option<Vec<u64>> =
        below(chain, on, task).map(|other| stretches(chain, loads, other)?.into_iter().max()).collect();
    let longest = longest?.into_iter().max().unwrap_or(0);
    let begins = stretches(chain, loads, task)?.len() as u64;
    if longest == 0 { Some(0) } else { longest.checked_mul(begins) }
}

/// What a task computes without waiting, time after time.
fn stretches(chain: &Chain, loads: &[Load], task: usize) -> Option<Vec<u64>> {
    let host = &chain.tasks[task];
    let mut all = vec![0u64];
    for (segment, time) in host.segments.iter().zip(&loads[task].segments) {
        let computes = matches!(segment.kind, SegmentKind::Cpu(_) | SegmentKind::Ticks(_));
        if computes || host.wait == Wait::Spin {
            let last = all.last_mut()?;
            *last = last.checked_add(time.upper()?.value.0)?;
        } else if all.last() != Some(&0) {
            all.push(0);
        }
    }
    all.retain(|&stretch| stretch > 0);
    if all.is_empty() {
        all.push(0);
    }
    Some(all)
}

/// The least solution from `start` up to the deadline, or a value beyond it that it exceeds.
fn least(start: u128, deadline: Nanos, equation: impl Fn(u128) -> u128) -> Result<u64, u64> {
    let mut r = start;
    for _ in 0..MOST_TURNS {
        if r > u128::from(deadline.0) {
            break;
        }
        match equation(r) {
            next if next == r => return u64::try_from(r).map_err(|_| u64::MAX),
            next => r = next,
        }
    }
    Err(u64::try_from(r).unwrap_or(u64::MAX))
}
