//! Every claim of a report, attacked: demand of every interval, verdicts, the room that is left, growth of all
//! requirements together and of one vertex.

use warpspan::base::Seeded;

use super::edf;
use super::model::{Job, Task, broken};
use super::search::{Plan, most};
use super::told::{Told, at};

/// Steps of a climb: of one task within an interval, and of a set.
const STEPS: u32 = 240;
/// Beginnings of a sequence at which intervals are looked at.
const BEGINNINGS: usize = 6;
/// Just above: a thousandth part of the work more.
const PARTS: u64 = 1_000;
/// The largest number of a document.
const LARGEST: u64 = 1_000_000_000_000;

/// What was attacked, and how near the adversary came.
#[derive(Debug, Default)]
pub struct Score {
    /// Runs and sequences looked at.
    pub looked_at: u64,
    /// Steps of demand that were aimed at, and those of exact demand that a sequence attains.
    pub aims: [u64; 2],
    pub attained: u64,
    /// Sets said to meet all deadlines, and those with a run that leaves just the room that is told.
    pub meet: u64,
    pub room_attained: u64,
    /// Sets accepted by the equation, too.
    pub by_equation: u64,
    /// Sets said to miss one; those with a witness, in all of which one is missed; those in which a climb misses one.
    pub miss: u64,
    pub witnessed: u64,
    pub missed_alone: u64,
    /// Sets left open.
    pub open: u64,
    /// Growths, those at which a job ends at its deadline, and those beyond which a deadline is seen to be missed.
    pub growths: u64,
    pub growth_attained: u64,
    pub growth_exceeded: u64,
    pub growth_claimed_exact: u64,
    /// Vertices with a most; those of which one more is seen to miss a deadline.
    pub vertices: u64,
    pub vertices_exceeded: u64,
    pub vertices_claimed_exact: u64,
}

impl Score {
    /// An adversary that gets nowhere shows nothing.
    pub fn is_strong(&self, sets: u64) {
        let enough = |part: u64, of: u64, percent: u64| part * 100 >= of * percent;
        assert!(enough(self.attained, self.aims[1], 70), "{self:#?}");
        assert!(enough(self.meet, sets, 25) && enough(self.miss, sets, 10), "{self:#?}");
        assert!(enough(self.room_attained, self.meet, 60), "{self:#?}");
        assert!(enough(self.missed_alone, self.miss, 80), "{self:#?}");
        assert!(enough(self.growth_exceeded, self.growth_claimed_exact, 90), "{self:#?}");
        assert!(enough(self.vertices_exceeded, self.vertices_claimed_exact, 90), "{self:#?}");
    }
}

/// Attacks all that is told of a set.
pub fn all(set: &[Task], rng: &mut Seeded, score: &mut Score) {
    let round = set.iter().map(|task| task.longest().max(task.period)).max().unwrap_or(1);
    let rounds = if rng.below(8) == 0 { 36 } else { 2 + u64::from(rng.below(4)) };
    let told = Told::of(set, (round * rounds).max(1));
    for which in 0..set.len() {
        demand(set, which, &told, rng, score);
    }
    verdict(set, &told, rng, score);
    growth(set, &told, rng, score);
    vertex(set, &told, rng, score);
}

/// No sequence needs more in any interval than its demand, and so none more than the equation's.
fn demand(set: &[Task], which: usize, told: &Told, rng: &mut Seeded, score: &mut Score) {
    let task = &set[which];
    let horizon = told.0["horizon"].as_u64().expect("a number");
    let (exact, equation) = (told.steps("dbf", which), told.steps("equation", which));
    if exact.is_empty() {
        assert!(at(&equation, horizon) == 0 || told.0["set"][which]["demand"] != 0, "{task:?}");
        return;
    }
    let is_exact = told.0["set"][which]["exact"] == true;
    let mut attained = vec![false; exact.len()];
    let mut sequences = 0;
    let mut look = |jobs: &[Job]| {
        sequences += 1;
        debug_assert_eq!(broken(task, jobs), None);
        for from in 0..jobs.len().min(BEGINNINGS) {
            let begin = jobs[from].at;
            let due = |job: &Job| (job.at - begin + task.d[job.vertex], task.e[job.vertex]);
            let mut due: Vec<(u64, u64)> =
                jobs[from..].iter().map(due).filter(|due| due.0 <= horizon).collect();
            due.sort_unstable();
            let mut sum = 0;
            for (t, e) in due {
                sum += e;
                let (most, by_equation) = (at(&exact, t), at(&equation, t));
                assert!(sum <= most, "{sum} within {t}, told {most}: {task:?} {:?}", &jobs[from..]);
                assert!(sum <= by_equation, "{sum} within {t}, by equation {by_equation}: {task:?} {jobs:?}");
                if let Ok(step) = exact.binary_search_by_key(&t, |step| step.0) {
                    attained[step] |= sum == exact[step].1;
                }
            }
        }
    };
    let mut aims = vec![exact.len() - 1];
    aims.extend((0..5).map(|_| rng.below(exact.len() as u32) as usize));
    aims.sort_unstable();
    aims.dedup();
    for &aim in &aims {
        most(task, exact[aim].0, STEPS, rng, &mut look);
    }
    score.looked_at += sequences;
    score.aims[0] += aims.len() as u64;
    if is_exact {
        score.aims[1] += aims.len() as u64;
        score.attained += aims.iter().filter(|&&aim| attained[aim]).count() as u64;
    }
}

/// How late a job is in the run that a witness makes, once every sequence of it was found legal; none without one.
fn witnessed(set: &[Task], told: &Told, scale: (u64, u64)) -> Option<i128> {
    let jobs = told.witness(set);
    for (task, jobs) in set.iter().zip(&jobs) {
        assert_eq!(broken(task, jobs), None, "{task:?}");
    }
    let all = set.iter().zip(&jobs).flat_map(|(task, jobs)| edf::loads(task, jobs, 0, scale));
    edf::lateness(all.collect())
}

/// Until when tasks are triggered in runs that aim at an interval.
fn until(set: &[Task], t: u64) -> u64 {
    t + set.iter().map(|task| task.d.iter().max().copied().unwrap_or(0)).max().unwrap_or(0)
}

/// A run in which a job is as late as the climb finds, with all requirements scaled.
fn late(set: &[Task], t: u64, scale: (u64, u64), rng: &mut Seeded, score: &mut Score) -> Option<i128> {
    let plan = Plan::together(set, t, STEPS, rng);
    let found = plan.late(set, until(set, t), scale, (STEPS, rng));
    score.looked_at += u64::from(STEPS);
    found.lateness
}

/// No deadline is missed where all are said to be met, and no job ends nearer to its deadline than the tightest
/// interval has room: a job ends so much after its deadline only if an interval has so much more demand than time.
fn verdict(set: &[Task], told: &Told, rng: &mut Seeded, score: &mut Score) {
    let (says, equation) = (told.0["schedulable"].as_bool(), told.0["schedulable_by_equation"].as_bool());
    assert!(equation != Some(true) || says == Some(true), "accepted by the equation alone: {set:?}");
    score.by_equation += u64::from(equation == Some(true));
    match says {
        Some(true) => {
            score.meet += 1;
            let Some((t, demand)) = told.interval("tightest") else { return };
            let room = i128::from(t) - i128::from(demand);
            assert!(room >= 0, "{set:?}");
            let found = late(set, t, (1, 1), rng, score);
            assert!(found.is_none_or(|late| late <= -room), "{found:?}, but {room} is left at {t}: {set:?}");
            score.room_attained += u64::from(found == Some(-room));
        }
        Some(false) => {
            score.miss += 1;
            let Some((t, _)) = told.interval("first_violation") else { return };
            let seen = witnessed(set, told, (1, 1));
            assert!(seen > Some(0) || !told.exact(), "a deadline is said to be missed: {seen:?} {set:?}");
            score.witnessed += u64::from(seen > Some(0));
            score.missed_alone += u64::from(late(set, t, (1, 1), rng, score) > Some(0));
        }
        None => score.open += 1,
    }
}

/// With the growth that is told no deadline is missed, with more one is.
fn growth(set: &[Task], told: &Told, rng: &mut Seeded, score: &mut Score) {
    let tightest = told.interval("tightest").map(|at| at.0);
    let limit = told.0["sensitivity"]["limited_at"]["t"].as_u64();
    let Some(t) = limit.or(tightest) else { return };
    let known = told.growth();
    // Where only a range is known, its lower end is possible.
    let millionths =
        told.0["sensitivity"]["growth"].as_f64().map(|growth| ((growth * 1e6) as u64, 1_000_000));
    let Some((top, bottom)) = known.or(millionths) else { return };
    score.growths += 1;
    let found = late(set, t, (bottom, top), rng, score);
    assert!(found <= Some(0), "growth {top}/{bottom}, late by {found:?}: {set:?}");
    score.growth_attained += u64::from(found == Some(0));
    if known.is_none() || !told.exact() {
        return;
    }
    score.growth_claimed_exact += 1;
    // Limited by an interval: just above. By the utilisation: as far above as it takes to be seen.
    let (work, times) = match limit {
        Some(_) => (top.checked_mul(PARTS).map(|work| work + 1), bottom.checked_mul(PARTS)),
        None => (top.checked_mul(50).map(|work| work / bottom + 1), Some(50)),
    };
    let (Some(work), Some(times)) = (work, times) else { return };
    let seen = late(set, t, (times, work), rng, score) > Some(0) || exceeds(set, times, work);
    score.growth_exceeded += u64::from(seen);
}

/// Whether a deadline is seen to be missed with all requirements scaled, in a run that the program suggests.
fn exceeds(set: &[Task], times: u64, work: u64) -> bool {
    let scaled: Vec<Task> = set.iter().map(|task| task.scaled(times, work)).collect();
    let largest = scaled.iter().flat_map(|task| task.e.iter().chain([&task.period]).chain(&task.d)).max();
    if largest.is_none_or(|&largest| largest > LARGEST) {
        return false;
    }
    let told = Told::of(&scaled, 1);
    assert_ne!(told.0["schedulable"], true, "more than the growth does: {work}/{times} {set:?}");
    witnessed(&scaled, &told, (1, 1)) > Some(0)
}

/// With the most a vertex may need no deadline is missed, with one more one is.
fn vertex(set: &[Task], told: &Told, rng: &mut Seeded, score: &mut Score) {
    let which = rng.below(set.len() as u32) as usize;
    let v = rng.below(set[which].e.len() as u32) as usize;
    let Some(most) = told.0["set"][which]["vertices"][v]["most"].as_u64() else { return };
    let with = |e: u64| {
        let mut other = set.to_vec();
        other[which].e[v] = e;
        other
    };
    let other = with(most);
    score.vertices += 1;
    if let Some((t, _)) = told.interval("tightest") {
        let found = late(&other, t, (1, 1), rng, score);
        assert!(
            found.is_none_or(|late| late <= 0),
            "v{v} of {which} with {most}, late by {found:?}: {set:?}"
        );
    }
    if told.exact() && most < LARGEST {
        score.vertices_claimed_exact += 1;
        let more = with(most + 1);
        let told = Told::of(&more, 1);
        assert_ne!(told.0["schedulable"], true, "v{v} of {which} may need more than {most}: {set:?}");
        score.vertices_exceeded += u64::from(witnessed(&more, &told, (1, 1)) > Some(0));
    }
}
