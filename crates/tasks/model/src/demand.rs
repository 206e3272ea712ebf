//! The demand-bound function of a task, exact or by equation (1), for intervals of any length.
//!
//! Written out up to a length from which it repeats itself: a period later it is E(T) more.

use super::exact_demand::{ExactDemand, Keep, MOST_PAIRS, Recurs};
use super::pareto::small;
use super::{Joined, Task};

/// A demand-bound function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demand {
    /// Interval and demand wherever it grows, below `until`.
    steps: Vec<(u64, u64)>,
    /// How far it is written out.
    until: u64,
    /// From there on everything happens again a period later.
    period: u64,
    /// With so much more demand each time.
    adds: u64,
    /// Whether it is the largest demand there is, or a bound on it.
    pub exact: Exactness,
    /// How many pairs it was made from.
    pub pairs: u64,
    /// Whether there were more pairs than are kept, so that it is larger than it should be.
    pub thinned: bool,
}

/// What a demand-bound function is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exactness {
    /// Attained in every interval.
    Exact,
    /// Attained in every interval shorter than this; an upper bound beyond.
    Below(u64),
    /// An upper bound.
    Upper,
}

impl Exactness {
    /// Whether what it says of an interval is attained.
    pub fn at(self, t: u64) -> bool {
        match self {
            Self::Exact => true,
            Self::Below(until) => t < until,
            Self::Upper => false,
        }
    }
}

/// What stands for a demand that fits no 64 bits. It is more than any interval that is looked at.
pub const TOO_LARGE: u64 = u64::MAX;

/// A demand that is told in 64 bits.
fn capped(demand: u128) -> u64 {
    u64::try_from(demand).unwrap_or(TOO_LARGE)
}

/// Where rounds last as long as their paths, demand is exact for so many of the longest at the most.
const ROUNDS: u64 = 32;
/// And wherever deadlines are that much longer than the period, for so many periods.
const PERIODS: u64 = 1_000;

impl Demand {
    /// The exact demand of a task. Where there is only a bound, it says so.
    pub fn exact(task: &Task) -> Self {
        Self::exact_with(task, MOST_PAIRS)
    }

    /// The same with so many pairs for each vertex at the most.
    pub fn exact_with(task: &Task, most: usize) -> Self {
        let (period, adds) = (task.pace(), task.demand());
        // From here on all jobs of a first round and of a fragment before it count.
        let until = settled(task) + 1 + period;
        let farthest = PERIODS.saturating_mul(period);
        if Recurs::of(task) == Recurs::Path || until > farthest {
            let from = if until > farthest { farthest } else { until.max(ROUNDS * task.longest()) };
            return Self::bounded_beyond(task, from, most);
        }
        let exact_demand = ExactDemand::with(task, until, Keep::Whole, most);
        let upper = exact_demand.thinned || exact_demand.recurs == Recurs::Bound;
        let exact = if upper { Exactness::Upper } else { Exactness::Exact };
        let (steps, pairs, thinned) =
            (exact_demand.whole.into_pairs(), exact_demand.pairs, exact_demand.thinned);
        let demand = Self { steps, until, period, adds, exact, pairs, thinned };
        let demand = if thinned { demand.joined() } else { demand };
        if upper { demand.capped(&Self::equation(task, period, most)) } else { demand }
    }

    /// A bound that was rounded up may end above or below where it goes on a period later. What it goes on with is a
    /// bound for all that comes before it too, and is reached at the end, so that no step lies between.
    fn joined(mut self) -> Self {
        let most = self.adds.saturating_add(self.at(self.until - self.period));
        match self.steps.iter().position(|step| step.1 >= most) {
            Some(first) => {
                self.steps.truncate(first + 1);
                self.steps[first].1 = most;
            }
            None if self.steps.last().is_some_and(|last| last.0 + 1 == self.until) => {
                let last = self.steps.len() - 1;
                self.steps[last].1 = most;
            }
            None if most > 0 => self.steps.push((self.until - 1, most)),
            None => {}
        }
        self
    }

    /// The smaller of two bounds that repeat themselves after the same period.
    fn capped(self, by: &Self) -> Self {
        let until = self.until.max(by.until);
        let mut steps: Vec<(u64, u64)> = Vec::new();
        let first = |demand: &Self| demand.last(0).or_else(|| demand.next(0));
        let mut at = [first(&self), first(by)].into_iter().flatten().min();
        while let Some(t) = at.filter(|&t| t < until) {
            let value = self.at(t).min(by.at(t));
            if value > steps.last().map_or(0, |last| last.1) {
                steps.push((t, value));
            }
            at = [self.next(t), by.next(t)].into_iter().flatten().min();
        }
        Self { steps, until, ..self }
    }

    /// Demand that does not repeat itself soon enough: written out up to `from`, and bounded beyond. A round before
    /// the interval began and one in every period that begins in it: more than that cannot be needed.
    fn bounded_beyond(task: &Task, from: u64, most: usize) -> Self {
        let (period, adds) = (task.pace(), task.demand());
        let exact_demand = ExactDemand::with(task, from, Keep::Whole, most);
        let from = exact_demand.until;
        let mut steps = exact_demand.whole.into_pairs();
        steps.truncate(steps.partition_point(|step| step.0 < from));
        let until = from + 1 + period;
        let begins = (from / period + 1..).map(|round| round * period);
        for t in std::iter::once(from).chain(begins.take_while(|&t| t < until)) {
            let bound = capped((u128::from(t / period) + 2) * u128::from(adds));
            if steps.last().map_or(0, |last| last.1) < bound {
                steps.push((t, bound));
            }
        }
        let upper = exact_demand.thinned || exact_demand.recurs == Recurs::Bound;
        let exact = if upper { Exactness::Upper } else { Exactness::Below(from) };
        let (pairs, thinned) = (exact_demand.pairs, exact_demand.thinned);
        let demand = Self { steps, until, period, adds, exact, pairs, thinned };
        let demand = if thinned { demand.joined() } else { demand };
        demand.capped(&Self::equation(task, period, most))
    }

    /// The demand by equation (1): safe, and exact for intervals shorter than the period if deadlines follow one
    /// another and the period leaves room.
    pub fn by_equation(task: &Task) -> Self {
        Self::by_equation_with(task, MOST_PAIRS)
    }

    /// The same with so many pairs for each vertex at the most.
    pub fn by_equation_with(task: &Task, most: usize) -> Self {
        Self::equation(task, task.period(), most)
    }

    /// The same with another period.
    fn equation(task: &Task, period: u64, most: usize) -> Self {
        let adds = task.demand();
        let (small, thinned) = small(&Joined::of(task), most);
        let value = |t: u64| match (t / period, t % period) {
            (0, rest) => small.at(rest),
            (rounds, rest) => {
                let with = |rounds: u64, rest: u64| {
                    capped(u128::from(rounds) * u128::from(adds) + u128::from(small.at(rest)))
                };
                with(rounds, rest).max(with(rounds - 1, period + rest))
            }
        };
        let until = 2 * period + 1;
        let own = small.pairs().iter().map(|pair| pair.0);
        let shifted = small.pairs().iter().map(|pair| pair.0 + period);
        let mut places: Vec<u64> =
            own.chain(shifted).chain([period, 2 * period]).filter(|&t| t < until).collect();
        base::sort::sort(&mut places);
        places.dedup();
        let mut steps: Vec<(u64, u64)> = Vec::with_capacity(places.len());
        for t in places {
            let demand = value(t);
            if demand > steps.last().map_or(0, |last| last.1) {
                steps.push((t, demand));
            }
        }
        Self { steps, until, period, adds, exact: Exactness::Upper, pairs: small.len() as u64, thinned }
    }

    /// Interval and demand wherever it grows, as far as it is written out; what follows repeats the last period of it.
    pub fn written(&self) -> &[(u64, u64)] {
        &self.steps
    }

    /// The demand within an interval; [`TOO_LARGE`] where it is that or more.
    pub fn at(&self, t: u64) -> u64 {
        let (t, rounds) = self.folded(t);
        let known = self.steps.partition_point(|step| step.0 <= t);
        let rest = if known == 0 { 0 } else { self.steps[known - 1].1 };
        capped(u128::from(rounds) * u128::from(self.adds) + u128::from(rest))
    }

    /// The same interval among those written out, and how many periods were taken off it.
    fn folded(&self, t: u64) -> (u64, u64) {
        if t < self.until {
            return (t, 0);
        }
        let rounds = (t - self.until) / self.period + 1;
        (t - rounds * self.period, rounds)
    }

    /// How many whole rounds an interval has beyond what is written out.
    pub fn rounds_beyond(&self, t: u64) -> u64 {
        self.folded(t).1
    }

    /// The shortest interval longer than `t` at which it grows; none where it never does again.
    pub fn next(&self, t: u64) -> Option<u64> {
        let (place, rounds) = self.folded(t);
        let next = self.steps.partition_point(|step| step.0 <= place);
        let shift = rounds * self.period;
        if let Some(&(at, _)) = self.steps.get(next) {
            return Some(at + shift);
        }
        // The first step of the part that repeats itself, one period on.
        let first = self.steps.partition_point(|step| step.0 < self.until - self.period);
        self.steps.get(first).map(|&(at, _)| at + self.period + shift)
    }

    /// The longest interval of `t` at most at which it grows; none before the first one.
    pub fn last(&self, t: u64) -> Option<u64> {
        let (place, rounds) = self.folded(t);
        let known = self.steps.partition_point(|step| step.0 <= place);
        let shift = rounds * self.period;
        let again = self.until - self.period;
        match known.checked_sub(1).map(|last| self.steps[last].0) {
            Some(at) if rounds == 0 || at >= again => Some(at + shift),
            // Before the part that repeats itself: the last step of the round before.
            _ if rounds > 0 => {
                let last = self.steps.last().map(|step| step.0)?;
                if last >= again { Some(last + shift - self.period) } else { Some(last) }
            }
            _ => None,
        }
    }

    /// The steps up to an interval, or the first so many, and the interval up to which these are all.
    pub fn steps_up_to(&self, horizon: u64, most: usize) -> Vec<(u64, u64)> {
        let mut steps = Vec::new();
        let mut at = self.last(0).or_else(|| self.next(0));
        while let Some(t) = at.filter(|&t| t <= horizon && steps.len() < most) {
            // Of a bound that was rounded up some steps do not grow.
            let demand = self.at(t);
            if demand == TOO_LARGE {
                break;
            }
            if demand > steps.last().map_or(0, |last: &(u64, u64)| last.1) {
                steps.push((t, demand));
            }
            at = self.next(t);
        }
        steps
    }

    /// After how long it repeats itself.
    pub fn period(&self) -> u64 {
        self.period
    }

    /// From here on it repeats itself.
    pub fn repeats_from(&self) -> u64 {
        self.until - self.period
    }
}

/// From here on a round more means E(T) more: every job of a first round, and of a fragment before it, counts.
pub(crate) fn settled(task: &Task) -> u64 {
    let count = task.vertices().len();
    let (mut on, mut back) = (vec![0; count], vec![0; count]);
    for &v in task.order().iter().rev() {
        let later = |of: &[u64]| task.leaving(v).iter().map(|&(w, p)| of[w] + p).max();
        on[v] = later(&on).unwrap_or(0).max(task.vertices()[v].d);
        back[v] = later(&back).unwrap_or_else(|| task.gap());
    }
    let round = on[task.source()];
    let longest = (0..count).map(|v| on[v]).max().unwrap_or(0);
    let before = (0..count).filter(|&v| v != task.source()).map(|v| back[v]).max().unwrap_or(0);
    longest.max(before + round.saturating_sub(task.pace()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive;
    use crate::small::{diamond, random, splice, task};

    #[test]
    fn the_equation_exceeds_the_demand_of_the_known_example() {
        let (exact, equation) = (Demand::exact(&splice()), Demand::by_equation(&splice()));
        assert_eq!([20, 21, 40, 41].map(|t| exact.at(t)), [21, 21, 40, 40]);
        assert_eq!([20, 21, 40, 41].map(|t| equation.at(t)), [21, 22, 40, 41]);
    }

    #[test]
    fn demand_is_what_its_definition_says() {
        let (mut bounds, mut long) = (0, 0);
        for seed in 0..3_000 {
            let task = random(seed);
            let task = if seed % 4 == 0 { task.restarting(seed / 4 % 5) } else { task };
            let (exact, equation) = (Demand::exact(&task), Demand::by_equation(&task));
            let traits = task.traits();
            let mut search = naive::Search::new(&task);
            for t in 0..=(3 * task.period().max(task.longest())).min(120) {
                let (told, true_value) = (exact.at(t), search.demand(t));
                if exact.exact.at(t) {
                    assert_eq!(told, true_value, "seed {seed} at {t}: {task:?}");
                } else {
                    assert!(told >= true_value, "seed {seed} at {t}: {told} < {true_value}: {task:?}");
                    bounds += 1;
                }
                assert!(equation.at(t) >= true_value, "seed {seed} at {t}: {task:?}");
                if traits.separated && traits.roomy && t < task.period() {
                    assert_eq!(equation.at(t), true_value, "seed {seed} at {t}: {task:?}");
                }
                long += u64::from(t > exact.until);
            }
        }
        assert!(bounds > 1_000 && long > 1_000, "{bounds} {long}");
    }

    #[test]
    fn with_fewer_pairs_it_is_an_upper_bound_and_says_so() {
        let mut thinned = 0;
        for seed in 0..300 {
            let task = random(seed);
            let (exact, equation) = (Demand::exact_with(&task, 2), Demand::by_equation_with(&task, 2));
            let (whole, published) = (Demand::exact(&task), Demand::by_equation(&task));
            for t in 0..3 * task.period().max(task.longest()) {
                assert!(exact.at(t) >= whole.at(t) || !whole.exact.at(t), "seed {seed} at {t}");
                assert!(equation.at(t) >= published.at(t), "seed {seed} at {t}");
                assert!(equation.at(t) >= exact.at(t) || exact.exact.at(t), "seed {seed} at {t}");
                assert!(exact.at(t + 1) >= exact.at(t) && equation.at(t + 1) >= equation.at(t));
            }
            assert!(!exact.thinned || exact.exact == Exactness::Upper);
            assert!(equation.thinned || equation == published);
            thinned += u32::from(exact.thinned);
        }
        assert!(thinned > 100, "{thinned}");
    }

    #[test]
    fn deadlines_far_beyond_the_period_are_bounded_in_time() {
        let far = 1_000_000_000_000;
        for separation in [0, 1, far] {
            let task = task(5, &[(1, far), (1, far)], &[(0, 1, separation)]);
            let (soon, after) = (Demand::exact(&task.clone().restarting(0)), Demand::exact(&task));
            assert_eq!(soon.exact == Exactness::Exact, separation == far);
            assert_eq!(after.exact, Exactness::Exact);
            assert!([soon, after].iter().all(|demand| demand.at(far) > 0 && demand.pairs < 100_000));
        }
    }

    #[test]
    fn the_equation_is_exact_with_sequences_through_the_source() {
        let mut differs = 0;
        // The equation differs rarely: the known example is there too, with longer and longer periods.
        let known = splice();
        let longer = (20..30)
            .flat_map(|period| Task::new("t", period, known.vertices().to_vec(), known.edges().to_vec()));
        for (seed, task) in (0..600).map(random).chain(longer).enumerate() {
            let (period, e, traits) = (task.period(), task.demand(), task.traits());
            if !(traits.separated && traits.roomy) {
                continue;
            }
            let (exact, equation) = (Demand::exact(&task), Demand::by_equation(&task));
            let mut search = naive::Search::new(&task);
            for t in period..(3 * period).min(90) {
                let (rounds, rest) = (t / period, t % period);
                let mended = (rounds * e + search.through_source(rest))
                    .max((rounds - 1) * e + search.through_source(period + rest));
                assert_eq!(exact.at(t), mended, "seed {seed} at {t}");
                differs += u64::from(equation.at(t) > mended);
            }
        }
        assert!(differs >= 2, "{differs}");
    }

    #[test]
    fn steps_are_found_forwards_and_backwards() {
        let tasks = (0..400).map(random).chain([splice(), diamond(), task(7, &[(0, 3)], &[])]);
        for task in tasks {
            for demand in [Demand::exact(&task), Demand::by_equation(&task)] {
                let grows =
                    |t: &u64| *t == 0 && demand.at(0) > 0 || *t > 0 && demand.at(*t) > demand.at(t - 1);
                for t in 0..3 * demand.until.min(100) {
                    let next = (t + 1..t + 2 * demand.until + 2).find(grows);
                    assert_eq!(demand.next(t), next, "{t} of {demand:?}");
                    assert_eq!(demand.last(t), (0..=t).rev().find(grows), "{t} of {demand:?}");
                }
                let horizon = 2 * demand.until.min(100);
                let listed = demand.steps_up_to(horizon, 1_000);
                let expected: Vec<(u64, u64)> =
                    (0..=horizon).filter(grows).map(|t| (t, demand.at(t))).collect();
                assert_eq!(listed, expected);
            }
        }
    }
}
