//! A function that grows in steps: the pairs of interval and demand that no shorter interval attains.
//!
//! Intervals and demands both grow from pair to pair; before the first pair the value is 0.

/// The steps of a demand, by interval.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StepFunction(Vec<(u64, u64)>);

impl StepFunction {
    /// A single step.
    pub fn one(interval: u64, demand: u64) -> Self {
        Self(if demand == 0 { Vec::new() } else { vec![(interval, demand)] })
    }

    /// The undominated ones of any pairs.
    pub fn of(mut pairs: Vec<(u64, u64)>) -> Self {
        base::sort::sort_by(&mut pairs, |a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
        let mut best = 0;
        pairs.retain(|&(_, demand)| {
            let more = demand > best;
            best = best.max(demand);
            more
        });
        Self(pairs)
    }

    /// The pairs.
    pub fn pairs(&self) -> &[(u64, u64)] {
        &self.0
    }

    /// The pairs alone.
    pub fn into_pairs(self) -> Vec<(u64, u64)> {
        self.0
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the value is 0 everywhere.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The demand within an interval.
    pub fn at(&self, interval: u64) -> u64 {
        match self.0.partition_point(|&(t, _)| t <= interval) {
            0 => 0,
            known => self.0[known - 1].1,
        }
    }

    /// The last pair, where the function has grown as far as it does.
    pub fn last(&self) -> (u64, u64) {
        self.0.last().copied().unwrap_or_default()
    }

    /// Takes the larger value everywhere: of these steps, and of others that come `later` and are worth `more`.
    /// What lies at `until` or beyond is left out. `scratch` is for reuse.
    pub fn absorb(&mut self, other: &Self, later: u64, more: u64, until: u64, scratch: &mut Vec<(u64, u64)>) {
        let fits = other.0.partition_point(|&(t, _)| t.saturating_add(later) < until);
        self.merge(&other.0[..fits], 0, later, more, scratch);
    }

    /// Takes the larger value everywhere, of these steps and of others whose intervals lose `less`, which they all
    /// have, and gain `later`.
    pub fn absorb_after(
        &mut self,
        other: &Self,
        less: u64,
        later: u64,
        more: u64,
        scratch: &mut Vec<(u64, u64)>,
    ) {
        self.merge(&other.0, less, later, more, scratch);
    }

    fn merge(
        &mut self,
        theirs: &[(u64, u64)],
        less: u64,
        later: u64,
        more: u64,
        scratch: &mut Vec<(u64, u64)>,
    ) {
        scratch.clear();
        scratch.reserve(self.0.len() + theirs.len());
        let mine = &self.0[..];
        let moved = |(t, demand): (u64, u64)| (t - less + later, demand + more);
        let (mut i, mut j, mut best) = (0, 0, 0);
        while i < mine.len() && j < theirs.len() {
            let (own, new) = (mine[i], moved(theirs[j]));
            // Of two at the same interval the larger comes first, and drops the other.
            let first = own.0 < new.0 || (own.0 == new.0 && own.1 >= new.1);
            let pair = if first { own } else { new };
            i += usize::from(first);
            j += usize::from(!first);
            if pair.1 > best {
                best = pair.1;
                scratch.push(pair);
            }
        }
        let i = i + mine[i..].partition_point(|&(_, demand)| demand <= best);
        scratch.extend_from_slice(&mine[i..]);
        let j = j + theirs[j..].partition_point(|&(_, demand)| demand + more <= best);
        scratch.extend(theirs[j..].iter().copied().map(moved));
        std::mem::swap(&mut self.0, scratch);
    }

    /// Adds a job that needs `e` and counts from interval `d` on.
    pub fn lift(&mut self, d: u64, e: u64, until: u64) {
        if e == 0 || d >= until {
            return;
        }
        let place = self.0.partition_point(|&(t, _)| t < d);
        self.0[place..].iter_mut().for_each(|pair| pair.1 += e);
        if self.0.get(place).is_none_or(|&(t, _)| t > d) {
            let before = if place == 0 { 0 } else { self.0[place - 1].1 };
            self.0.insert(place, (d, before + e));
        }
    }

    /// Leaves out pairs so that there are no more than `most` and the value is nowhere smaller: the first half of them
    /// stays as it is, of the longer intervals neighbours are joined, with the interval of the first and the demand of
    /// the last. Whether any were left out.
    pub fn thin(&mut self, most: usize) -> bool {
        let most = most.max(1);
        if self.0.len() <= most {
            return false;
        }
        let rest = self.0.split_off(most / 2);
        let together = rest.len().div_ceil(most - most / 2);
        self.0.extend(rest.chunks(together).map(|pairs| (pairs[0].0, pairs[pairs.len() - 1].1)));
        true
    }

    /// Once for every period: the values of the function now, a period ago, two periods ago and so on, added up.
    pub fn recurring(&self, period: u64, until: u64) -> Self {
        let mut rises = Vec::new();
        let mut before = 0;
        for &(t, demand) in &self.0 {
            let mut at = t;
            while at < until {
                rises.push((at, demand - before));
                at += period;
            }
            before = demand;
        }
        base::sort::sort(&mut rises);
        let mut steps: Vec<(u64, u64)> = Vec::with_capacity(rises.len());
        let mut value = 0;
        for (t, rise) in rises {
            value += rise;
            match steps.last_mut() {
                Some(last) if last.0 == t => last.1 = value,
                _ => steps.push((t, value)),
            }
        }
        Self(steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seeded;

    fn random(rng: &mut Seeded) -> StepFunction {
        let mut number = |below| u64::from(rng.below(below));
        let count = number(8);
        StepFunction::of((0..count).map(|_| (number(30), 1 + number(20))).collect())
    }

    #[test]
    fn every_operation_is_what_it_says_at_every_interval() {
        let mut rng = Seeded::new(5, 0);
        for _ in 0..3_000 {
            let (one, other) = (random(&mut rng), random(&mut rng));
            let (later, more, until) =
                (u64::from(rng.below(9)), u64::from(rng.below(9)), 20 + u64::from(rng.below(30)));
            let value = |steps: &StepFunction, t: u64| steps.at(t);
            let mut larger = one.clone();
            larger.absorb(&other, later, more, until, &mut Vec::new());
            let mut lifted = one.clone();
            lifted.lift(later, more, until);
            let period = 1 + later;
            let again = one.recurring(period, until);
            for t in 0..until {
                let shifted = t
                    .checked_sub(later)
                    .map_or(0, |t| value(&other, t) + if other.at(t) > 0 { more } else { 0 });
                assert_eq!(value(&larger, t), value(&one, t).max(shifted));
                assert_eq!(value(&lifted, t), value(&one, t) + if t >= later { more } else { 0 });
                let sum: u64 = (0..=t / period).map(|k| value(&one, t - k * period)).sum();
                assert_eq!(value(&again, t), sum);
            }
            let mut thinned = one.clone();
            assert_eq!(thinned.thin(3), one.len() > 3);
            assert!(thinned.len() <= 3 && thinned.last().1 == one.last().1);
            assert!((0..until).all(|t| value(&thinned, t) >= value(&one, t)));
            for steps in [&larger, &lifted, &again, &thinned] {
                let grows =
                    steps.pairs().windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1);
                assert!(grows, "{steps:?}");
            }
        }
    }
}
