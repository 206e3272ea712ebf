//! Simulation from the critical instant and from others: response times that are reached, as lower bounds.
//!
//! Concrete runs of a chain: what happens in them can happen. In the first all tasks are activated together and then
//! periodically, those that may be late as late as they may be at first, and then no more. A task that another one
//! activates comes when that one does so; then tasks of its core may meet it in their worst way only if they begin
//! later. So with such tasks there are further runs, in which all others of the core begin when one of its activations
//! comes.
//!
//! Assumes that a piece may take any time up to its worst case: so every segment takes its lower side, which it can. None
//! is followed where the document leaves open who goes first: tasks of one priority, a launch order. Operations wait in first-in, first-out queues: one for the
//! kernels, one for each copy engine. Kernels that share the GPU may run at once; what this says of them would rest on
//! an assumption, so there the run ends where a second kernel is launched beside a first. Response times up
//! to then are reached, and so lower sides of the worst ones.

use super::host::Load;
use super::model::{Chain, Host, Scheduler, Segment, SegmentKind, Sharing, Wait};
use super::valued::Bracket;
use base::Nanos;
use blocks::Direction;

/// Instants that are looked at.
const MOST: u32 = 20_000;
/// Jobs of each task after which all has been seen.
const ENOUGH: u64 = 64;

/// Nothing later than this is looked at: activations stay numbers of 64 bits.
const LATEST: u64 = 1 << 62;

/// Queues of the GPU: kernels, and two copy engines.
const QUEUES: usize = 3;

/// Instants of activations by other tasks, of each task, with which further runs begin.
const MOST_BEGINS: usize = 4;
/// Further runs.
const MOST_RUNS: usize = 24;

/// A response time that was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Observed {
    /// From activation to the end.
    pub response: u64,
    /// How much later than others the tasks of its core that time activates began.
    pub shifted: u64,
}

/// A task on its way.
#[derive(Debug, Clone, Default)]
struct TaskState {
    /// Activations that wait for the job before them.
    released: std::collections::VecDeque<u64>,
    /// When the present job was activated.
    job: Option<u64>,
    segment: usize,
    left: u64,
    /// The queue it waits in.
    queue: Option<usize>,
    /// The next activation by time; none where another task activates it.
    next: Option<u64>,
    /// Activations so far.
    activated: u64,
    /// The task that it waits for, and how many jobs of it have to be over.
    awaits: Option<(usize, u64)>,
    worst: Option<u64>,
    jobs: u64,
    /// When other tasks activated it at first.
    begins: Vec<u64>,
}

/// The longest response time of each task in runs, where one of its jobs ended.
pub fn simulate(chain: &Chain, loads: &[Load]) -> Vec<Option<Observed>> {
    let count = chain.tasks.len();
    let mut worst: Vec<Option<Observed>> = vec![None; count];
    let mut note = |tasks: &[TaskState], shifted: &[u64]| {
        for (task, of) in tasks.iter().enumerate() {
            let Some(response) = of.worst else { continue };
            if worst[task].is_none_or(|known| known.response < response) {
                worst[task] = Some(Observed { response, shifted: shifted[task] });
            }
        }
    };
    let Some(times) = times(chain, loads) else { return worst };
    let together = vec![0; count];
    let first = one(chain, &times, &together);
    note(&first, &together);
    let mut shifts: Vec<(usize, u64)> = Vec::new();
    for (task, of) in first.iter().enumerate() {
        let begins = of.begins.iter().map(|&begin| (chain.tasks[task].core, begin));
        shifts.extend(begins.filter(|&(_, begin)| begin > 0));
    }
    base::sort::sort(&mut shifts);
    shifts.dedup();
    for (core, by) in shifts.into_iter().take(MOST_RUNS) {
        let is_shifted = |task: &Host| task.core == core && task.activated.is_none();
        let shifted: Vec<u64> =
            chain.tasks.iter().map(|task| if is_shifted(task) { by } else { 0 }).collect();
        note(&one(chain, &times, &shifted), &shifted);
    }
    worst
}

/// What each segment takes; none where that is not known, or no run can be followed.
fn times(chain: &Chain, loads: &[Load]) -> Option<Vec<Vec<u64>>> {
    let time = |(time, segment): (&Bracket<Nanos>, &Segment)| match segment.kind {
        // That one is followed itself.
        SegmentKind::Await(_) => Some(0),
        _ => time.lower().map(|figure| figure.value.0),
    };
    let of = |(load, host): (&Load, &Host)| load.segments.iter().zip(&host.segments).map(time).collect();
    let times: Option<Vec<Vec<u64>>> = loads.iter().zip(&chain.tasks).map(of).collect();
    // What follows here preempts.
    let all_preempt = chain.tasks.iter().all(|task| task.preemptive);
    let on_one = |task: &Host, other: &Host| task.core == other.core && task.priority == other.priority;
    let equal = chain.tasks.iter().enumerate().any(|(t, task)| {
        let fixed = chain.cores[task.core].scheduler == Scheduler::FixedPriority;
        fixed && chain.tasks[..t].iter().any(|other| on_one(task, other))
    });
    let ordered = chain.order.is_some() || !all_preempt || equal;
    times.filter(|_| !ordered || chain.tasks.len() < 2)
}

/// One run, in which tasks begin so late.
fn one(chain: &Chain, times: &[Vec<u64>], begins: &[u64]) -> Vec<TaskState> {
    let begin = |(host, &at): (&Host, &u64)| TaskState {
        next: host.activated.is_none().then_some(at),
        ..TaskState::default()
    };
    let mut tasks: Vec<TaskState> = chain.tasks.iter().zip(begins).map(begin).collect();
    let mut queues: [Vec<usize>; QUEUES] = Default::default();
    let mut holders = vec![None; chain.cores.len()];
    let mut now = 0;
    for _ in 0..MOST {
        if !settle(chain, times, (&mut tasks, begins), (&mut queues, &mut holders), now) {
            break;
        }
        let chosen = chosen(chain, &tasks);
        holders.clone_from(&chosen);
        let computes = |task: usize| tasks[task].queue.is_none() && tasks[task].awaits.is_none();
        let on_cores = chosen.iter().flatten().filter(|&&task| computes(task)).map(|&task| tasks[task].left);
        let on_gpu = queues.iter().filter_map(|queue| queue.first()).map(|&task| tasks[task].left);
        let releases = tasks.iter().filter_map(|task| Some(task.next?.saturating_sub(now)));
        let Some(step) = on_cores.chain(on_gpu).chain(releases).min().filter(|&step| step > 0) else { break };
        let works: Vec<usize> = chosen.iter().flatten().copied().filter(|&task| computes(task)).collect();
        for task in works.into_iter().chain(queues.iter().filter_map(|queue| queue.first()).copied()) {
            tasks[task].left = tasks[task].left.saturating_sub(step);
        }
        let Some(later) = now.checked_add(step).filter(|&later| later < LATEST) else { break };
        now = later;
        if tasks.iter().all(|task| task.jobs >= ENOUGH) {
            break;
        }
    }
    tasks
}

/// Everything that takes no time. Whether the run goes on. What ends comes before what time activates, and this one by one:
/// each may come a moment later. Of what is there then on a core, who goes first gets the instant that it needs to activate
/// another one.
fn settle(
    chain: &Chain,
    times: &[Vec<u64>],
    (tasks, begins): (&mut [TaskState], &[u64]),
    (queues, holders): (&mut [Vec<usize>; QUEUES], &mut [Option<usize>]),
    now: u64,
) -> bool {
    for comes in std::iter::once(None).chain((0..tasks.len()).map(Some)) {
        if comes.is_some_and(|t| !activate_by_time(&chain.tasks[t], &mut tasks[t], begins[t], now)) {
            continue;
        }
        loop {
            if !go_on(chain, times, tasks, (queues, holders), now) {
                return false;
            }
            let first = chosen(chain, tasks).into_iter().flatten();
            let instants: Vec<usize> = first.filter(|&t| activates(chain, &tasks[t], t).is_some()).collect();
            if instants.is_empty() {
                break;
            }
            for t in instants {
                holders[chain.tasks[t].core] = Some(t);
                activate(chain, tasks, holders, t, now);
                if !leave(chain, times, t, tasks, (queues, holders), now) {
                    return false;
                }
            }
        }
    }
    true
}

/// Whether time activates a task now.
fn activate_by_time(host: &Host, task: &mut TaskState, begin: u64, now: u64) -> bool {
    let before = task.activated;
    while let Some(next) = task.next.filter(|&next| next <= now) {
        task.released.push_back(next);
        task.activated += 1;
        // The first is late, the next ones are not, and so come the sooner.
        let place = task.activated.saturating_mul(host.period.0).saturating_sub(host.jitter.0);
        task.next = Some(begin.saturating_add(place));
    }
    task.activated > before
}

/// Jobs begin, go on and end that need no instant on a core which they do not have. Whether the run goes on.
fn go_on(
    chain: &Chain,
    times: &[Vec<u64>],
    tasks: &mut [TaskState],
    (queues, holders): (&mut [Vec<usize>; QUEUES], &mut [Option<usize>]),
    now: u64,
) -> bool {
    let mut changed = true;
    while changed {
        changed = false;
        for t in 0..tasks.len() {
            if tasks[t].job.is_none()
                && let Some(at) = tasks[t].released.pop_front()
            {
                (tasks[t].job, tasks[t].segment) = (Some(at), 0);
                if !enter(chain, times, t, tasks, queues) {
                    return false;
                }
                changed = true;
            }
            if activates(chain, &tasks[t], t).is_some() && !activate(chain, tasks, holders, t, now) {
                continue;
            }
            let is_over = tasks[t].awaits.is_none_or(|(of, jobs)| tasks[of].jobs >= jobs);
            let first = tasks[t].queue.is_none_or(|queue| queues[queue].first() == Some(&t));
            if tasks[t].job.is_some() && tasks[t].left == 0 && first && is_over {
                changed = true;
                if !leave(chain, times, t, tasks, (queues, holders), now) {
                    return false;
                }
            }
        }
    }
    true
}

/// A task that has its core activates another one. If that is one of the same core, it has the core no longer: that one may
/// go first. Whether it had it.
fn activate(
    chain: &Chain,
    tasks: &mut [TaskState],
    holders: &mut [Option<usize>],
    t: usize,
    now: u64,
) -> bool {
    let core = chain.tasks[t].core;
    let Some(of) = activates(chain, &tasks[t], t).filter(|_| holders[core] == Some(t)) else { return false };
    if chain.tasks[of].core == core {
        holders[core] = None;
    }
    let other = &mut tasks[of];
    other.released.push_back(now);
    other.activated += 1;
    if other.begins.len() < MOST_BEGINS {
        other.begins.push(now);
    }
    true
}

/// Ends a segment, and begins the next one. Whether the run goes on.
fn leave(
    chain: &Chain,
    times: &[Vec<u64>],
    t: usize,
    tasks: &mut [TaskState],
    (queues, holders): (&mut [Vec<usize>; QUEUES], &mut [Option<usize>]),
    now: u64,
) -> bool {
    let task = &mut tasks[t];
    task.awaits = None;
    if let Some(queue) = task.queue.take() {
        queues[queue].remove(0);
    }
    task.segment += 1;
    let (host, next) = (&chain.tasks[t], chain.tasks[t].segments.get(task.segment));
    // Who waits, and the next job, gets the core again if it goes before all others.
    if next.is_none_or(|next| host.wait == Wait::Suspend && !next.kind.is_on_core()) {
        let holder = &mut holders[host.core];
        *holder = holder.filter(|&holder| holder != t);
    }
    if next.is_some() {
        return enter(chain, times, t, tasks, queues);
    }
    if let Some(at) = task.job.take() {
        task.worst = task.worst.max(Some(now - at));
        task.jobs += 1;
    }
    true
}

/// Whom a task is about to activate.
fn activates(chain: &Chain, task: &TaskState, t: usize) -> Option<usize> {
    task.job?;
    match chain.tasks[t].segments.get(task.segment)?.kind {
        SegmentKind::Activate(of) => Some(of),
        _ => None,
    }
}

/// Begins a segment.
fn enter(
    chain: &Chain,
    times: &[Vec<u64>],
    t: usize,
    tasks: &mut [TaskState],
    queues: &mut [Vec<usize>; QUEUES],
) -> bool {
    let segment = tasks[t].segment;
    tasks[t].left = times[t][segment];
    tasks[t].queue = match chain.tasks[t].segments[segment].kind {
        SegmentKind::Launch(_) => Some(0),
        SegmentKind::Copy { direction: Direction::Out, .. } if chain.device.copy_engines > 1 => Some(2),
        SegmentKind::Copy { .. } => Some(1),
        SegmentKind::Cpu(_) | SegmentKind::Ticks(_) | SegmentKind::Activate(_) | SegmentKind::Await(_) => {
            None
        }
    };
    if let SegmentKind::Await(of) = chain.tasks[t].segments[segment].kind {
        tasks[t].awaits = Some((of, tasks[of].activated));
    }
    if let Some(queue) = tasks[t].queue {
        queues[queue].push(t);
    }
    !(tasks[t].queue == Some(0) && queues[0].len() > 1 && chain.sharing == Sharing::Shared)
}

/// Who has each core.
fn chosen(chain: &Chain, tasks: &[TaskState]) -> Vec<Option<usize>> {
    let wants = |t: usize| {
        let waits = tasks[t].queue.is_some() || tasks[t].awaits.is_some();
        tasks[t].job.is_some() && (!waits || chain.tasks[t].wait == Wait::Spin)
    };
    (0..chain.cores.len())
        .map(|core| {
            let on = (0..tasks.len()).filter(|&t| chain.tasks[t].core == core && wants(t));
            on.min_by_key(|&t| match chain.cores[core].scheduler {
                Scheduler::FixedPriority => u64::from(chain.tasks[t].priority),
                Scheduler::Edf => tasks[t].job.unwrap_or(0).saturating_add(chain.tasks[t].deadline.0),
            })
        })
        .collect()
}
