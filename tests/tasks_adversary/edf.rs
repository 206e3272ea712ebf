//! One processor, preemptive, earliest deadline first: executed from event to event.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::model::{Job, Task};

/// A job as the processor sees it.
#[derive(Debug, Clone, Copy)]
pub struct Load {
    at: u128,
    due: u128,
    needs: u128,
}

/// The jobs of a task from an offset on, with all times `times` as long and all requirements `work` as large.
pub fn loads(task: &Task, jobs: &[Job], offset: u64, (times, work): (u64, u64)) -> Vec<Load> {
    let load = |job: &Job| {
        let at = u128::from(job.at + offset) * u128::from(times);
        let due = at + u128::from(task.d[job.vertex]) * u128::from(times);
        Load { at, due, needs: u128::from(task.e[job.vertex]) * u128::from(work) }
    };
    jobs.iter().map(load).filter(|load| load.needs > 0).collect()
}

/// How long after its deadline the latest job ends, below zero where all end before; none without jobs.
pub fn lateness(mut loads: Vec<Load>) -> Option<i128> {
    loads.sort_by_key(|load| load.at);
    let mut coming = loads.iter().peekable();
    let mut ready: BinaryHeap<Reverse<(u128, u128)>> = BinaryHeap::new();
    let (mut now, mut latest) = (0u128, None);
    loop {
        if ready.is_empty() {
            let Some(next) = coming.peek() else { return latest };
            now = now.max(next.at);
        }
        while let Some(load) = coming.next_if(|load| load.at <= now) {
            ready.push(Reverse((load.due, load.needs)));
        }
        let Some(Reverse((due, left))) = ready.pop() else { continue };
        let until = coming.peek().map_or(now + left, |next| next.at.min(now + left));
        if until == now + left {
            latest = latest.max(Some(until.cast_signed() - due.cast_signed()));
        } else {
            ready.push(Reverse((due, now + left - until)));
        }
        now = until;
    }
}
