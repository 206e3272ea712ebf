//! A legal sequence of triggerings that attains the exact demand of an interval.
//!
//! It is found by walking forwards through the steps of [`ExactDemand`]: at every vertex there is a successor from
//! which on the rest of the demand is attained with the time that is left.

use super::exact_demand::{ExactDemand, Keep, Recurs};
use super::{Demand, Task};

/// Jobs of one task, triggered legally, and what they need within an interval that begins at 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// The length of the interval.
    pub t: u64,
    /// What the counted jobs need.
    pub demand: u64,
    /// The jobs by their triggering, the first one at 0; none where there would be more than [`MOST_JOBS`].
    pub jobs: Vec<Job>,
}

/// One job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job {
    /// Its vertex, by its place in the task.
    pub vertex: usize,
    /// When it is triggered.
    pub time: u64,
    /// Whether its deadline lies within the interval too.
    pub counted: bool,
}

/// The most jobs of a witness.
pub const MOST_JOBS: usize = 5_000;

/// Triggerings that attain the exact demand within `t`; where the demand is a mere bound, the best there are may need
/// less.
pub fn witness(task: &Task, t: u64) -> Witness {
    let demand = Demand::exact(task);
    witness_of(task, &demand, t)
}

/// The same for a task whose demand is known.
pub fn witness_of(task: &Task, demand: &Demand, t: u64) -> Witness {
    // What repeats itself is walked through once, and whole rounds are put in afterwards.
    let again = if Recurs::of(task) == Recurs::Path { 0 } else { demand.rounds_beyond(t) };
    let short = t - again * task.pace();
    let exact_demand = ExactDemand::of(task, short + 1, Keep::All);
    let mut way = Way { task, exact_demand: &exact_demand, t: short, jobs: Vec::new() };
    way.walk();
    let mut jobs = way.jobs;
    if again > 0 {
        jobs = with_rounds(task, jobs, again);
    }
    jobs.iter_mut().for_each(|job| job.counted = job.time + task.vertices()[job.vertex].d <= t);
    while jobs.last().is_some_and(|job| !job.counted) {
        jobs.pop();
    }
    let counted = jobs.iter().filter(|job| job.counted).map(|job| task.vertices()[job.vertex].e).sum();
    Witness { t, demand: counted, jobs }
}

/// One walk from the beginning of the interval to its end.
struct Way<'a> {
    task: &'a Task,
    exact_demand: &'a ExactDemand,
    t: u64,
    jobs: Vec<Job>,
}

impl Way<'_> {
    fn walk(&mut self) {
        let (task, exact_demand, t) = (self.task, self.exact_demand, self.t);
        let best = exact_demand.whole.at(t);
        if best == 0 {
            return;
        }
        if exact_demand.rounds.at(t) == best {
            return self.rounds(0);
        }
        let among =
            |steps: &[super::StepFunction]| task.order().iter().copied().find(|&v| steps[v].at(t) == best);
        match among(&exact_demand.through) {
            Some(v) => self.through(v),
            None => {
                if let Some(v) = among(&exact_demand.heads) {
                    self.head(v, 0);
                }
            }
        }
    }

    /// What is left of the interval at a time.
    fn left(&self, time: u64) -> u64 {
        self.t - time
    }

    fn trigger(&mut self, vertex: usize, time: u64) -> u64 {
        let job = &self.task.vertices()[vertex];
        self.jobs.push(Job { vertex, time, counted: false });
        if job.d <= self.left(time) { job.e } else { 0 }
    }

    /// The successor of `v`, triggered at `time`, from which on `rest` is attained.
    fn onward(&self, steps: &[super::StepFunction], v: usize, time: u64, rest: u64) -> Option<(usize, u64)> {
        let left = self.left(time);
        self.task.leaving(v).iter().copied().find(|&(w, p)| p <= left && steps[w].at(left - p) == rest)
    }

    /// From a vertex through the source and on.
    fn through(&mut self, from: usize) {
        let (mut v, mut time) = (from, 0);
        loop {
            let rest = self.exact_demand.through[v].at(self.left(time)) - self.trigger(v, time);
            match self.onward(&self.exact_demand.through, v, time, rest) {
                Some((w, p)) => (v, time) = (w, time + p),
                None => break,
            }
        }
        let source = time + self.task.gap();
        if v == self.task.sink() && source <= self.t {
            self.rounds(source);
        }
    }

    /// From a vertex to where nothing more counts in its round; how far that is.
    fn head(&mut self, from: usize, since: u64) -> (usize, u64) {
        let (mut v, mut time) = (from, since);
        loop {
            let rest = self.exact_demand.heads[v].at(self.left(time)) - self.trigger(v, time);
            match self.onward(&self.exact_demand.heads, v, time, rest).filter(|_| rest > 0) {
                Some((w, p)) => (v, time) = (w, time + p),
                None => return (v, time),
            }
        }
    }

    /// From the source on, round after round.
    fn rounds(&mut self, since: u64) {
        let (task, mut time) = (self.task, since);
        while time <= self.t && self.exact_demand.rounds.at(self.left(time)) > 0 {
            let all = self.exact_demand.rounds.at(self.left(time));
            match self.exact_demand.recurs {
                Recurs::Period | Recurs::Bound => {
                    let (mut v, mut at) = self.head(task.source(), time);
                    time += task.pace();
                    if time > self.t || self.exact_demand.rounds.at(self.left(time)) == 0 {
                        return;
                    }
                    // Nothing more counts in this round, but the next one follows its sink.
                    while let Some(&(w, p)) = task.leaving(v).first() {
                        (v, at) = (w, at + p);
                        self.jobs.push(Job { vertex: v, time: at, counted: false });
                    }
                    time = time.max(at + task.gap());
                }
                Recurs::Path if self.exact_demand.heads[task.source()].at(self.left(time)) == all => {
                    self.head(task.source(), time);
                    return;
                }
                Recurs::Path => match self.whole_round(time, all) {
                    Some(next) => time = next,
                    None => return,
                },
            }
        }
    }

    /// One whole round that lasts as long as its path; when the next one begins.
    fn whole_round(&mut self, since: u64, all: u64) -> Option<u64> {
        let (task, exact_demand) = (self.task, self.exact_demand);
        let left = self.left(since);
        let lasts = |&(t, more): &(u64, u64)| (t.max(task.period()), more - 1);
        let attains =
            |&(lasts, e): &(u64, u64)| lasts <= left && e + exact_demand.rounds.at(left - lasts) == all;
        let (lasts, mut e) = exact_demand.paths[task.source()].pairs().iter().map(lasts).find(attains)?;
        let (mut v, mut time) = (task.source(), since);
        loop {
            self.jobs.push(Job { vertex: v, time, counted: false });
            e -= task.vertices()[v].e.min(e);
            let budget = (since + lasts) - time;
            let next = task
                .leaving(v)
                .iter()
                .copied()
                .find(|&(w, p)| p <= budget && exact_demand.paths[w].at(budget - p) > e);
            match next {
                Some((w, p)) => (v, time) = (w, time + p),
                None => return Some(since + lasts),
            }
        }
    }
}

/// The jobs with so many more whole rounds of the largest demand put in at their first source.
fn with_rounds(task: &Task, jobs: Vec<Job>, rounds: u64) -> Vec<Job> {
    let source = task.source();
    let Some(first) = jobs.iter().position(|job| job.vertex == source) else { return jobs };
    let path = heaviest_path(task);
    let most = MOST_JOBS.saturating_sub(jobs.len()) / path.len().max(1);
    if rounds > most as u64 {
        return Vec::new();
    }
    let begin = jobs[first].time;
    let shift = rounds * task.pace();
    let round = |k: u64| {
        path.iter().map(move |&(vertex, time)| Job {
            vertex,
            time: begin + k * task.pace() + time,
            counted: false,
        })
    };
    let mut all = jobs[..first].to_vec();
    all.extend((0..rounds).flat_map(round));
    all.extend(jobs[first..].iter().map(|job| Job { time: job.time + shift, ..*job }));
    all
}

/// The path from source to sink that needs most, each vertex with its time after the source.
fn heaviest_path(task: &Task) -> Vec<(usize, u64)> {
    let mut best = vec![0; task.vertices().len()];
    for &v in task.order().iter().rev() {
        let exact_demand = task.leaving(v).iter().map(|&(w, _)| best[w]).max().unwrap_or(0);
        best[v] = task.vertices()[v].e + exact_demand;
    }
    let (mut v, mut time) = (task.source(), 0);
    let mut path = vec![(v, time)];
    while let Some(&(w, p)) = task.leaving(v).iter().max_by_key(|&&(w, _)| best[w]) {
        (v, time) = (w, time + p);
        path.push((v, time));
    }
    path
}

/// What is illegal about a sequence of triggerings, if anything is.
pub fn illegal(task: &Task, jobs: &[Job]) -> Option<String> {
    let mut source = None;
    for (place, job) in jobs.iter().enumerate() {
        if job.vertex >= task.vertices().len() {
            return Some(format!("job {place} is of no vertex"));
        }
        if let Some(before) = place.checked_sub(1).map(|before| &jobs[before]) {
            let edge = task.leaving(before.vertex).iter().find(|edge| edge.0 == job.vertex);
            let back = before.vertex == task.sink() && job.vertex == task.source();
            let wait = edge.map(|edge| edge.1).or(back.then(|| task.gap()));
            let waited = job.time.checked_sub(before.time);
            match (wait, waited) {
                (None, _) => return Some(format!("job {place} follows along no edge")),
                (Some(wait), waited) if waited.is_none_or(|waited| waited < wait) => {
                    return Some(format!("job {place} comes too early"));
                }
                _ => {}
            }
        }
        if job.vertex == task.source() {
            if source.is_some_and(|last: u64| job.time < last + task.period()) {
                return Some(format!("job {place} begins a round before the period is over"));
            }
            source = Some(job.time);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small::{random, splice};

    #[test]
    fn a_witness_is_legal_and_attains_the_demand() {
        let (mut checked, mut rounds) = (0, 0);
        for seed in 0..1_200 {
            let task = random(seed);
            let demand = Demand::exact(&task);
            for t in (0..=4 * task.period().max(task.longest())).step_by(3) {
                let found = witness_of(&task, &demand, t);
                if !demand.exact.at(t) {
                    continue;
                }
                assert_eq!(illegal(&task, &found.jobs), None, "seed {seed} at {t}: {found:?} of {task:?}");
                assert_eq!(found.demand, demand.at(t), "seed {seed} at {t}: {found:?} of {task:?}");
                checked += 1;
                rounds += found.jobs.iter().filter(|job| job.vertex == task.source()).count();
            }
        }
        assert!(checked > 20_000 && rounds > 40_000, "{checked} {rounds}");
    }

    #[test]
    fn the_known_example_at_its_first_violation() {
        let found = witness(&splice(), 20);
        let jobs: Vec<(usize, u64)> = found.jobs.iter().map(|job| (job.vertex, job.time)).collect();
        assert_eq!((found.demand, jobs), (21, vec![(2, 0), (4, 4), (0, 7), (1, 10), (4, 17)]));
    }

    /// Whole rounds are put in, as long as there are no more than so many jobs.
    #[test]
    fn long_intervals_have_jobs_up_to_a_number() {
        let task = crate::small::task(10, &[(1, 4), (2, 5)], &[(0, 1, 5)]);
        let rounds = MOST_JOBS as u64 / 2;
        let all = witness(&task, 10 * rounds);
        assert_eq!((all.jobs.len(), all.demand), (MOST_JOBS, 3 * rounds));
        assert_eq!(illegal(&task, &all.jobs), None);
        assert_eq!(witness(&task, 10 * (rounds + 1)).jobs, []);
    }

    #[test]
    fn what_is_illegal_is_told() {
        let task = splice();
        let job = |vertex, time| Job { vertex, time, counted: true };
        let told = |jobs: &[Job]| illegal(&task, jobs).unwrap_or_default();
        assert_eq!(told(&[job(0, 0), job(4, 9)]), "job 1 follows along no edge");
        assert_eq!(told(&[job(0, 0), job(0, 90)]), "job 1 follows along no edge");
        assert_eq!(told(&[job(4, 0), job(1, 90)]), "job 1 follows along no edge");
        assert_eq!(told(&[job(0, 0), job(1, 2)]), "job 1 comes too early");
        assert_eq!(told(&[job(4, 0), job(0, 2)]), "job 1 comes too early");
        assert_eq!(
            told(&[job(0, 0), job(2, 5), job(4, 9), job(0, 12)]),
            "job 3 begins a round before the period is over"
        );
        assert_eq!(told(&[job(9, 0)]), "job 0 is of no vertex");
    }
}
