//! Busy windows with several jobs of one task: the longest response time under release jitter (Tindell, Burns and
//! Wellings 1994).
//!
//! Activations of a task have their places in a series that is `T` apart or farther, and each comes up to `J` later than
//! its place (`J` is the release jitter). So jobs may be activated while the one before them is not over. Both equations of module
//! `response` say of a window that begins at some `s`: as long as the last of `q` jobs of the task that were activated since `s` is not
//! over at `s + t`, `t` is less than the right side for `q` jobs and the time `t`. Then, with `w_q` the least solution for `q` jobs:
//! 1. The `q`-th job is over by `s + w_q`, and it was not activated before `s + (q - 1) T - J`: the first of them has its place at
//!    `s - J` or later, and so the `q`-th at `s - J + (q - 1) T` or later. It takes `w_q - max(0, (q - 1) T - J)` at most.
//! 2. If `w_q <= q T - J`, all is over when the next job is activated, by the same equation at `t = w_q`, so that job begins a window of
//!    its own. So no more jobs have to be looked at.
//! 3. To get somewhere on its way takes the `q`-th job as long as the solution with the part of the last job up to there: the
//!    equations hold up to that instant likewise. Where it needs its core there for an instant only, to activate another task, a unit of
//!    time on the core is part of that part. Without it the core may be taken at `s + w`, by a job that is activated just then: the
//!    equation does not count that one at its solution `w`. With it, a job that has not had its core up to `s + w`, nor then,
//!    would leave `w` at most the right side less that unit, against `w` being a solution.
//!
//! Only solutions count with which no job takes longer than `T`. Then step 2 comes true at the latest with the first `q` for
//! which `(q - 1) T >= J`. Without jitter that is `q = 1`, and the first solution counts as it stands. (Tindell, Burns, Wellings 1994:
//! release jitter and windows of several jobs.)

/// Turns of all equations of a window after which it is given up: a solution is larger than what it got to.
const MOST_TURNS: u32 = 100_000;

/// What a task does in a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workload {
    /// Its time, waiting included.
    pub time: u128,
    /// Its sections on the core.
    pub pieces: u128,
}

/// A task: its job, its period, and the times of a job up to the places on its way that matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Jobs<'a> {
    /// One job.
    pub job: Workload,
    /// Least time between places of its activations.
    pub period: u64,
    /// Time of a job up to each of some places on its way.
    pub marks: &'a [u64],
}

/// How long a job takes, and how long to get to each mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Longest {
    /// To its end.
    pub end: u64,
    /// To each mark.
    pub marks: Vec<u64>,
}

impl Longest {
    /// Of each the smaller one: both are so.
    #[must_use]
    pub fn least(self, other: Self) -> Self {
        let marks = self.marks.iter().zip(&other.marks).map(|(a, b)| *a.min(b)).collect();
        Self { end: self.end.min(other.end), marks }
    }
}

/// How its jobs follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrivals {
    /// When one is activated, the one before it is over, and the window is its own.
    One,
    /// They come up to so much late.
    Late(u64),
}

/// The longest that any job takes, with the right side of an equation; none where it may be longer than the period.
pub fn longest(
    jobs: &Jobs<'_>,
    arrivals: Arrivals,
    equation: impl Fn(Workload, u128) -> Option<u128>,
) -> Option<Longest> {
    let (period, all) = (u128::from(jobs.period), jobs.job);
    let mut turns = 0u32;
    let mut found = Longest { end: 0, marks: vec![0; jobs.marks.len()] };
    for q in 1u128.. {
        let late = match arrivals {
            Arrivals::One => 0,
            Arrivals::Late(late) => u128::from(late),
        };
        let since = ((q - 1) * period).saturating_sub(late);
        let mut solution = |last: u128| {
            let time = all.time.checked_mul(q - 1)?.checked_add(last)?;
            let amount = Workload { time, pieces: all.pieces.checked_mul(q)? };
            let mut r = time.max(1);
            loop {
                turns += 1;
                if r > since + period || turns > MOST_TURNS {
                    return None;
                }
                match equation(amount, r)? {
                    next if next <= r => return Some(r),
                    next => r = next,
                }
            }
        };
        let end = solution(all.time)?;
        found.end = found.end.max(u64::try_from(end - since).ok()?);
        for (mark, most) in jobs.marks.iter().zip(&mut found.marks) {
            let there = solution((*mark).into())?;
            *most = (*most).max(u64::try_from(there.saturating_sub(since)).ok()?);
        }
        if arrivals == Arrivals::One || end + late <= q * period {
            return Some(found);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alone(time: u128, period: u64, late: u64) -> Option<u64> {
        let jobs = Jobs { job: Workload { time, pieces: 1 }, period, marks: &[] };
        longest(&jobs, Arrivals::Late(late), |amount, _| Some(amount.time)).map(|found| found.end)
    }

    #[test]
    fn jobs_that_come_late_queue() {
        // Without jitter nobody waits; with it the second comes 10 after the first, which takes 20.
        assert_eq!([0, 30, 40, 50].map(|late| alone(20, 50, late)), [20, 20, 30, 40].map(Some));
        // Three at once.
        assert_eq!(alone(10, 50, 100), Some(30));
        assert_eq!((alone(20, 50, 100), alone(51, 50, 0)), (None, None), "longer than the period");
    }

    #[test]
    fn a_mark_is_reached_before_the_end() {
        let jobs = Jobs { job: Workload { time: 20, pieces: 1 }, period: 50, marks: &[5, 20] };
        // Someone above takes 5 of every 25.
        let found = longest(&jobs, Arrivals::Late(40), |amount, r| Some(amount.time + r.div_ceil(25) * 5))
            .expect("it fits");
        // Two jobs since 10: 40 and twice 5; to the first mark of the second 25 and twice 5.
        assert_eq!((found.end, found.marks), (40, vec![25, 40]));
    }
}
