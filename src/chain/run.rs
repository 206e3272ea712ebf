//! One concrete run of a chain, all tasks activated together and then periodically: what happens in it can happen.
//!
//! Assumes that a piece may take any time up to its worst case: so every segment takes its lower side, which it can. None
//! is followed where the document leaves open who goes first: tasks of one priority, a launch order. Operations wait in first-in, first-out queues: one for the
//! kernels, one for each copy engine. Kernels that share the GPU may run at once; what this says of them would rest on
//! an assumption, so there the run ends where a second kernel is launched beside a first. Response times up
//! to then are reached, and so lower sides of the worst ones.

use super::host::Load;
use super::model::{Chain, Host, Scheduler, SegmentKind, Sharing, Wait};
use crate::blocks::Direction;

/// Instants that are looked at.
const MOST: u32 = 20_000;
/// Jobs of each task after which all has been seen.
const ENOUGH: u64 = 64;

/// Nothing later than this is looked at: activations stay numbers of 64 bits.
const LATEST: u64 = 1 << 62;

/// Queues of the GPU: kernels, and two copy engines.
const QUEUES: usize = 3;

/// A task on its way.
#[derive(Debug, Clone, Default)]
struct Running {
    /// Activations that wait for the job before them.
    released: std::collections::VecDeque<u64>,
    /// When the present job was activated.
    job: Option<u64>,
    segment: usize,
    left: u64,
    /// The queue it waits in.
    queue: Option<usize>,
    next: u64,
    worst: Option<u64>,
    jobs: u64,
}

/// The longest response time of each task in that run, where one of its jobs ended.
pub fn run(chain: &Chain, loads: &[Load]) -> Vec<Option<u64>> {
    let mut tasks = vec![Running::default(); chain.tasks.len()];
    let times: Option<Vec<Vec<u64>>> = loads
        .iter()
        .map(|load| load.segments.iter().map(|time| time.lower().map(|figure| figure.value.0)).collect())
        .collect();
    // What follows here preempts.
    let all_preempt = chain.tasks.iter().all(|task| task.preemptive);
    let on_one = |task: &Host, other: &Host| task.core == other.core && task.priority == other.priority;
    let equal = chain.tasks.iter().enumerate().any(|(t, task)| {
        let fixed = chain.cores[task.core].scheduler == Scheduler::FixedPriority;
        fixed && chain.tasks[..t].iter().any(|other| on_one(task, other))
    });
    let ordered = chain.order.is_some() || !all_preempt || equal;
    let Some(times) = times.filter(|_| !ordered || chain.tasks.len() < 2) else {
        return vec![None; chain.tasks.len()];
    };
    let mut queues: [Vec<usize>; QUEUES] = Default::default();
    let mut now = 0;
    for _ in 0..MOST {
        if !settle(chain, &times, &mut tasks, &mut queues, now) {
            break;
        }
        let chosen = chosen(chain, &tasks);
        let computes = |task: usize| tasks[task].queue.is_none();
        let on_cores = chosen.iter().flatten().filter(|&&task| computes(task)).map(|&task| tasks[task].left);
        let on_gpu = queues.iter().filter_map(|queue| queue.first()).map(|&task| tasks[task].left);
        let releases = tasks.iter().map(|task| task.next.saturating_sub(now));
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
    tasks.into_iter().map(|task| task.worst).collect()
}

/// Everything that takes no time. Whether the run goes on.
fn settle(
    chain: &Chain,
    times: &[Vec<u64>],
    tasks: &mut [Running],
    queues: &mut [Vec<usize>; QUEUES],
    now: u64,
) -> bool {
    for (task, host) in tasks.iter_mut().zip(&chain.tasks) {
        while task.next <= now {
            task.released.push_back(task.next);
            task.next = task.next.saturating_add(host.period.0);
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for t in 0..tasks.len() {
            let task = &mut tasks[t];
            if task.job.is_none()
                && let Some(at) = task.released.pop_front()
            {
                (task.job, task.segment) = (Some(at), 0);
                if !enter(chain, times, t, task, queues) {
                    return false;
                }
                changed = true;
            }
            let first = task.queue.is_none_or(|queue| queues[queue].first() == Some(&t));
            let Some(at) = task.job.filter(|_| task.left == 0 && first) else { continue };
            if let Some(queue) = task.queue.take() {
                queues[queue].remove(0);
            }
            task.segment += 1;
            changed = true;
            if task.segment == times[t].len() {
                task.worst = task.worst.max(Some(now - at));
                task.jobs += 1;
                task.job = None;
            } else if !enter(chain, times, t, task, queues) {
                return false;
            }
        }
    }
    true
}

/// Begins a segment.
fn enter(
    chain: &Chain,
    times: &[Vec<u64>],
    t: usize,
    task: &mut Running,
    queues: &mut [Vec<usize>; QUEUES],
) -> bool {
    task.left = times[t][task.segment];
    task.queue = match chain.tasks[t].segments[task.segment].kind {
        SegmentKind::Cpu(_) | SegmentKind::Ticks(_) => None,
        SegmentKind::Launch(_) => Some(0),
        SegmentKind::Copy { direction: Direction::Out, .. } if chain.device.copy_engines > 1 => Some(2),
        SegmentKind::Copy { .. } => Some(1),
    };
    if let Some(queue) = task.queue {
        queues[queue].push(t);
    }
    !(task.queue == Some(0) && queues[0].len() > 1 && chain.sharing == Sharing::Shared)
}

/// Who has each core.
fn chosen(chain: &Chain, tasks: &[Running]) -> Vec<Option<usize>> {
    let wants = |t: usize| {
        let task = &tasks[t];
        task.job.is_some() && (task.queue.is_none() || chain.tasks[t].wait == Wait::Spin)
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
