//! What intervals from one length to another add up to: the least slack, the steps, and how much demand they add.

use super::Demand;
use super::values::by_task;
use crate::timeline::tasks::{Room, value};
use base::people;

/// Shares of more tasks than this are not listed one by one.
const MOST_SHARES: usize = 6;

/// Intervals from one length to another, both included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch {
    /// The shortest of them.
    pub from: u64,
    /// The longest.
    pub to: u64,
    /// The interval with the least slack, and what is left of it.
    pub least: (u64, Room),
    /// In how many of them the demand grows.
    pub steps: usize,
    /// The demand before the first of them, and within the last.
    pub demand: (u64, u64),
    /// How much of the growth each task has, the largest first.
    pub shares: Vec<(String, u64)>,
    /// How many more tasks have a share.
    pub more: usize,
}

impl Stretch {
    /// The intervals between two lengths, in either order, as far as anything is known.
    pub fn between(demand: &Demand, a: f64, b: f64) -> Self {
        let whole = |t: f64| (t.max(0.0).round() as u64).min(demand.horizon);
        let (from, to) = (whole(a.min(b)), whole(a.max(b)));
        let before = |steps: &[(u64, u64)]| from.checked_sub(1).map_or(0, |t| value(steps, t));
        let [first, last] =
            [from, to.saturating_add(1)].map(|t| demand.sum.partition_point(|&(at, _)| at < t));
        let steps = demand.sum.get(first..last).unwrap_or_default();
        // Between two steps time goes on and demand does not: slack is least at a step, or where the stretch begins.
        let slack = |t: u64, demand: u64| i128::from(t) - i128::from(demand);
        let ends = [(from, demand.at(from))].into_iter().chain(steps.iter().copied());
        let least = ends.min_by_key(|&(t, demand)| slack(t, demand)).unwrap_or((from, demand.at(from)));
        let mut shares: Vec<(String, u64)> = demand
            .names
            .iter()
            .zip(&demand.exact)
            .map(|(name, steps)| (name.clone(), value(steps, to).saturating_sub(before(steps))))
            .filter(|(_, share)| *share > 0)
            .collect();
        base::sort::sort_by_key(&mut shares, |&(_, share)| std::cmp::Reverse(share));
        let more = shares.len().saturating_sub(MOST_SHARES);
        shares.truncate(MOST_SHARES);
        Self {
            from,
            to,
            least: (least.0, Room::of(least.0, least.1)),
            steps: steps.len(),
            demand: (before(&demand.sum), demand.at(to)),
            shares,
            more,
        }
    }

    /// All of it in words.
    pub fn in_words(&self) -> String {
        let number = |n: u64| people::grouped(n.into());
        let at = number(self.least.0);
        let least = match self.least.1 {
            Room::Left(left) => format!("least slack {} in {at}", number(left)),
            Room::Lacking(lacking) => format!("most lacking {} in {at}", number(lacking)),
        };
        let added = self.demand.1.saturating_sub(self.demand.0);
        let shares = by_task(&self.shares, self.more);
        format!(
            "Intervals of {} to {}: {least}; {}; demand grows by {}, from {} to {}.{shares}",
            number(self.from),
            number(self.to),
            people::counted(self.steps, "step"),
            number(added),
            number(self.demand.0),
            number(self.demand.1)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::tasks::sample;

    #[test]
    fn a_stretch_adds_up_as_counted_one_by_one() {
        for report in [sample::fits(), sample::overloaded(), sample::differs()] {
            let demand = Demand::new(&report);
            for from in 0..demand.horizon.min(40) {
                for to in from..demand.horizon.min(40) {
                    let found = Stretch::between(&demand, to as f64, from as f64);
                    let slack = |t: u64| i128::from(t) - i128::from(demand.at(t));
                    assert_eq!(
                        slack(found.least.0),
                        (from..=to).map(slack).min().unwrap_or(0),
                        "{from} {to}"
                    );
                    assert_eq!(found.least.1, Room::of(found.least.0, demand.at(found.least.0)));
                    let grows = |t: &u64| demand.at(*t) > t.checked_sub(1).map_or(0, |t| demand.at(t));
                    assert_eq!(found.steps, (from..=to).filter(grows).count(), "{from} {to}");
                    let added: u64 = found.shares.iter().map(|(_, share)| share).sum();
                    assert_eq!(added, found.demand.1 - found.demand.0);
                }
            }
        }
    }

    #[test]
    fn a_stretch_in_words() {
        let said = |report, from, to| Stretch::between(&Demand::new(&report), from, to).in_words();
        assert_eq!(
            said(sample::overloaded(), 1.0, 4.4),
            "Intervals of 1 to 4: most lacking 2 in 4; 1 step; demand grows by 6, from 0 to 6. By task: a 3, b 3."
        );
        assert_eq!(
            said(sample::fits(), 0.0, 1.0),
            "Intervals of 0 to 1: least slack 0 in 0; 0 steps; demand grows by 0, from 0 to 0."
        );
    }
}
