//! The EDF schedule of given jobs on one processor: what runs when, and which jobs are late.
//!
//! A job that is ready runs unless one with an earlier deadline is; jobs with the same deadline go by their task, then
//! by their triggering. A job that is late goes on: it is never thrown away. O(n log n) for n jobs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A job to be executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// Its task, by its place in the set.
    pub task: usize,
    /// Its vertex, by its place in the task.
    pub vertex: usize,
    /// When it is triggered.
    pub time: u64,
    /// When it must be done.
    pub deadline: u64,
    /// What it needs.
    pub e: u64,
}

/// A stretch in which the processor executes one job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slice {
    /// The job, by its place in the list.
    pub job: usize,
    /// When it goes on.
    pub start: u64,
    /// When it stops, or is done.
    pub end: u64,
}

/// What the processor did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Executed {
    /// All stretches, by time; never two of the same job that touch.
    pub slices: Vec<Slice>,
    /// When each job was done, in the order of the list.
    pub done: Vec<u64>,
}

impl Executed {
    /// The jobs that are done only after their deadline, by their place in the list.
    pub fn late(&self, jobs: &[Load]) -> Vec<usize> {
        let is_late = |&job: &usize| jobs[job].deadline < self.done[job];
        (0..self.done.len().min(jobs.len())).filter(is_late).collect()
    }
}

/// Executes jobs by earliest deadline first.
pub fn edf(jobs: &[Load]) -> Executed {
    let mut coming: Vec<usize> = (0..jobs.len()).collect();
    coming.sort_by_key(|&job| (jobs[job].time, job));
    let mut coming = coming.into_iter().peekable();
    let mut left: Vec<u64> = jobs.iter().map(|job| job.e).collect();
    let mut ready = BinaryHeap::new();
    let mut out = Executed { slices: Vec::new(), done: vec![0; jobs.len()] };
    let mut now = 0;
    loop {
        if ready.is_empty() {
            let Some(&next) = coming.peek() else { return out };
            now = now.max(jobs[next].time);
        }
        while let Some(job) = coming.next_if(|&job| jobs[job].time <= now) {
            ready.push(Reverse((jobs[job].deadline, jobs[job].task, jobs[job].time, job)));
        }
        let Some(Reverse(first)) = ready.pop() else { continue };
        let job = first.3;
        // Whatever is triggered next may have an earlier deadline.
        let until = coming.peek().map_or(u64::MAX, |&next| jobs[next].time);
        let end = now.saturating_add(left[job]).min(until);
        run(&mut out.slices, Slice { job, start: now, end });
        left[job] -= end - now;
        now = end;
        if left[job] == 0 {
            out.done[job] = now;
        } else {
            ready.push(Reverse(first));
        }
    }
}

/// Adds a stretch, as part of the one before where the job just goes on.
fn run(slices: &mut Vec<Slice>, next: Slice) {
    match slices.last_mut() {
        Some(last) if last.job == next.job && last.end == next.start => last.end = next.end,
        _ if next.start < next.end => slices.push(next),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(task: usize, time: u64, deadline: u64, e: u64) -> Load {
        Load { task, vertex: 0, time, deadline, e }
    }

    fn shown(jobs: &[Load]) -> String {
        let out = edf(jobs);
        let slices: Vec<String> =
            out.slices.iter().map(|slice| format!("{}:{}-{}", slice.job, slice.start, slice.end)).collect();
        format!("{} done {:?} late {:?}", slices.join(" "), out.done, out.late(jobs))
    }

    #[test]
    fn an_earlier_deadline_goes_first_and_comes_between() {
        let jobs = [load(0, 0, 10, 5), load(1, 2, 4, 2), load(2, 2, 20, 1)];
        assert_eq!(shown(&jobs), "0:0-2 1:2-4 0:4-7 2:7-8 done [7, 4, 8] late []");
    }

    #[test]
    fn what_only_comes_in_does_not_cut_a_stretch() {
        assert_eq!(shown(&[load(0, 0, 5, 4), load(1, 1, 9, 1)]), "0:0-4 1:4-5 done [4, 5] late []");
    }

    #[test]
    fn equal_deadlines_go_by_task() {
        let jobs = [load(1, 0, 6, 2), load(0, 0, 6, 2), load(0, 1, 6, 3)];
        assert_eq!(shown(&jobs), "1:0-2 2:2-5 0:5-7 done [7, 2, 5] late [0]");
    }

    #[test]
    fn gaps_and_jobs_without_demand() {
        let jobs = [load(0, 7, 9, 2), load(0, 0, 1, 0), load(0, 8, 8, 0), load(1, 1, 3, 1)];
        assert_eq!(shown(&jobs), "3:1-2 0:7-9 done [9, 0, 8, 2] late []");
        assert_eq!(edf(&[]), Executed::default());
    }

    /// The same, unit by unit.
    fn slowly(jobs: &[Load]) -> Vec<u64> {
        let mut left: Vec<u64> = jobs.iter().map(|job| job.e).collect();
        let mut done = vec![0; jobs.len()];
        for now in 0..10_000 {
            let ready = (0..jobs.len()).filter(|&job| jobs[job].time <= now && left[job] > 0);
            let key = |&job: &usize| (jobs[job].deadline, jobs[job].task, jobs[job].time, job);
            if let Some(job) = ready.min_by_key(key) {
                left[job] -= 1;
                done[job] = now + 1;
            }
        }
        done
    }

    #[test]
    fn it_is_what_one_gets_unit_by_unit() {
        let mut random = base::seeded::Seeded::new(7, 0);
        for _ in 0..60 {
            let mut draw = |most: u32| u64::from(random.below(most));
            let one = |_| {
                let time = draw(120);
                load(draw(4) as usize, time, time + 1 + draw(30), 1 + draw(5))
            };
            let jobs: Vec<Load> = (0..30).map(one).collect();
            assert_eq!(edf(&jobs).done, slowly(&jobs));
        }
    }
}
