//! When a place is issued by those that nothing has blocked before another one: points 4 to 6 of the argument.

use std::collections::BTreeMap;

use super::held::{bit, first};
use super::rules::LONGEST;
use super::{Held, NEVER, Places};

/// A place `k`, and the first place `a` on a shared unit on the chain to it.
pub struct Chain {
    /// The first, which a warp is ready for in cycle `r`.
    pub first: usize,
    /// The longest way from it to the place.
    way: u64,
    /// Nobody comes to this place before the warp has issued the one it goes to.
    end: usize,
    /// Which of the sets of units.
    held: usize,
    /// When the place is issued, by when the warp is ready for the first: what was found so far.
    latest: BTreeMap<u64, u64>,
}

impl Chain {
    /// What cannot be the latest if this is less.
    pub fn no_sooner(&self, ready: u64) -> u64 {
        self.latest.range(..=ready).next_back().map_or(0, |(_, &latest)| latest).max(ready + self.way)
    }
}

/// Who may be where when a stretch begins: nothing else counts of the cycle in which it does.
#[derive(Clone, PartialEq, Eq)]
struct Where {
    /// By how many others are before: the first place that another may not have been ready for before it.
    others: Vec<usize>,
    /// By how many others are before it: the same for the warp itself, if it is no later than the first of its chain.
    own: Vec<Option<usize>>,
}

/// A cycle, and who may be where in it.
type At = (u64, Where);

impl Places {
    /// The chain from a place to another; `shorter` begins with the next place on a shared unit.
    pub fn chain(&mut self, first: usize, place: usize, way: u64, shorter: Option<&Chain>) -> Chain {
        let units = shorter.map_or(0, |shorter| self.held[shorter.held].units);
        let held = self.held_of(units | bit(self.rules.shared[first]));
        let places = self.rules.places();
        let end = (place + 1..places).find(|&at| self.rules.barrier[at]);
        let end = shorter.map_or_else(|| end.unwrap_or(places), |shorter| shorter.end);
        Chain { first, way, end, held, latest: BTreeMap::new() }
    }

    /// When the place is issued by those whose chain it is, if they are ready for the first in a cycle.
    pub fn latest(&mut self, chain: &mut Chain, ready: u64) -> Option<u64> {
        if let Some(&latest) = chain.latest.get(&ready) {
            return Some(latest);
        }
        let [first, last] = [1, ready].map(|cycle| (cycle, self.places(chain, cycle, ready)));
        let latest = self.issued(chain, ready, (&first, &last), chain.no_sooner(ready))?;
        chain.latest.insert(ready, latest);
        Some(latest)
    }

    /// The longest ways to a place from those before it, from one on.
    pub fn ways_to(&self, from: usize, to: usize) -> Vec<u64> {
        let mut ways = vec![0; to - from + 1];
        for place in (from..=to).rev() {
            for &(by, length) in self.rules.arcs[place].iter().filter(|(by, _)| *by >= from) {
                ways[by - from] = ways[by - from].max(ways[place - from] + length);
            }
        }
        ways
    }

    /// When the place is issued at the latest if the warp is ready for the first of the chain in cycle `ready`, and
    /// stretches begin in a cycle from one to another; `known` if that is later. With each of the two cycles comes who may
    /// be where.
    fn issued(&mut self, chain: &Chain, ready: u64, (low, high): (&At, &At), known: u64) -> Option<u64> {
        (self.work <= self.most_work).then_some(())?;
        if known >= NEVER {
            return Some(NEVER);
        }
        // Whoever may be somewhere later in these cycles may be there in the first of them.
        let (from, to) = (low.0, high.0);
        let within = known.saturating_sub(to).min(LONGEST);
        if self.filled(chain, &low.1, within, to + within) <= within {
            return Some(known);
        }
        if low.1 == high.1 {
            return Some(known.max(to + self.least(chain, &low.1, to)));
        }
        let middle = u64::midpoint(from, to);
        let [before, after] = [middle, middle + 1].map(|cycle| (cycle, self.places(chain, cycle, ready)));
        let known = self.issued(chain, ready, (&after, high), known)?;
        self.issued(chain, ready, (low, &before), known)
    }

    /// Where all may be when a stretch begins in a cycle.
    fn places(&mut self, chain: &Chain, begins: u64, ready: u64) -> Where {
        self.work += 4 * self.warps as u64;
        let from = |step: &Vec<u64>| step.partition_point(|&ready| ready < begins);
        let others: Vec<usize> = self.ready.iter().map(from).collect();
        // From its place on the warp is ready for the first no sooner than by the shortest way.
        let within = (ready - begins).min(self.stretch(chain, begins, &others));
        let near = |place| self.rules.near(place, chain.first, within.min(LONGEST));
        let nearest = if within > LONGEST { 0 } else { first(0, chain.first, near) };
        let own = others.iter().map(|&place| (place <= chain.first).then_some(place.max(nearest))).collect();
        Where { others, own }
    }

    /// For how many cycles from one on a unit can be held without a gap, if nobody holds it from before.
    fn stretch(&mut self, chain: &Chain, begins: u64, others: &[usize]) -> u64 {
        let units = self.held[chain.held].units;
        let single = (0..64).map(|unit| units & 1 << unit).filter(|&unit| unit != 0);
        single.map(|unit| self.stretch_of(unit, chain.end, begins, others)).max().unwrap_or(0)
    }

    fn stretch_of(&mut self, unit: u64, end: usize, begins: u64, others: &[usize]) -> u64 {
        // What was found when less was known is true all the same.
        if let Some(&known) = self.stretches.get(&(end, unit, begins)) {
            return known;
        }
        let held = self.held_of(unit);
        let (mut within, mut filled) = (0, 1);
        while filled > within && filled <= LONGEST {
            within = filled;
            let held = &mut self.held[held];
            filled = others.iter().map(|&at| held.most(&self.rules, (at, end), within, &mut self.work)).sum();
        }
        let most = if filled > LONGEST { NEVER } else { within };
        self.stretches.insert((end, unit, begins), most);
        most
    }

    /// Which set of units it is.
    fn held_of(&mut self, units: u64) -> usize {
        self.held.iter().position(|held| held.units == units).unwrap_or_else(|| {
            self.held.push(Held::new(&self.rules, units));
            self.held.len() - 1
        })
    }

    /// Within how many cycles from the beginning of a stretch in cycle `begins` the place is issued: the least number that
    /// is no less than what can fill them.
    fn least(&mut self, chain: &Chain, at: &Where, begins: u64) -> u64 {
        let mut within = chain.way;
        while within <= LONGEST {
            let filled = self.filled(chain, at, within, begins + within);
            if filled <= within {
                return within;
            }
            within = filled;
        }
        NEVER
    }

    /// How many cycles are filled by what comes no more than so many from the beginning of a stretch on, until cycle
    /// `until`, at the most.
    fn filled(&mut self, chain: &Chain, at: &Where, within: u64, until: u64) -> u64 {
        let end = chain.end.min(self.rules.earliest.partition_point(|&cycle| cycle <= until));
        let (rules, held, work) = (&self.rules, &mut self.held[chain.held], &mut self.work);
        let mut most = |place: usize| held.most(rules, (place, end), within, work);
        let all: Vec<u64> = at.others.iter().map(|&place| most(place)).collect();
        let rows = at.own.iter().enumerate().filter_map(|(before, own)| Some((before, (*own)?)));
        let rows = rows.map(|(before, own)| {
            // Those after the warp are no earlier than it.
            let after = (before + 1..all.len())
                .map(|number| if at.others[number] >= own { all[number] } else { most(own) });
            (own, all[..before].iter().sum::<u64>() + after.sum::<u64>())
        });
        let rows: Vec<(usize, u64)> = rows.collect();
        let own = |(own, others): (usize, u64)| others + self.held[chain.held].between(own, chain.first);
        chain.way + rows.into_iter().map(own).max().unwrap_or(0)
    }
}
