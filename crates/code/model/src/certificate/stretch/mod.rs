//! The bound by stretches once more. The argument is that of `crates/code/model/src/bounds/stretch/mod.rs`, whose points are
//! meant below; this is its arithmetic by itself, place by place, from the rules.
//!
//! 1. A warp is *ready* for a place when all arcs to it are over, or when it issues if that is before. `ready[j][k]` is a
//!    cycle after which no more than `j` warps get ready for place `k`, and `issue[j][k]` one after which no more than `j`
//!    issue it (point 2). Steps over all `j` are a *stair*. Those of different causes together are the highest steps of
//!    all: as many are late as are late by one of the causes.
//! 2. `came` are the stairs of those that get ready for a place `a` on a shared unit while nothing has blocked them since a
//!    place `q` before it: from places before `q` over places on no shared unit (point 3). A way that is never longer than
//!    another one from a later place is left out: whoever comes over it has come over the other one in time, too, or
//!    from where that begins if it is on a shared unit.
//! 3. From there on `latest.rs` says when `k` is issued (points 4 to 6), and the lowest steps over some `q` are taken. Lower
//!    steps of later places, less the stalls between, hold for those before.
//!
//! Whatever is not known is [`NEVER`]: then there is no bound.

mod held;
mod latest;
mod rules;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::launch::Launch;
use held::Held;
use latest::Chain;
use rules::Rules;

/// What no bound is found for.
const NEVER: u64 = u64::MAX / 4;
/// How many places the chain of point 3 goes back at the most.
const BACK: usize = 256;
/// Each of so many places on shared units is one to which it goes back, then half of them, and so on.
const NEAR: usize = 8;
/// How much is looked at until there is no answer: a few seconds.
const MOST_WORK: u64 = 400_000_000;
/// Numbers kept about what units are held for, at the most: 128 MB.
const MOST_WORDS: usize = 1 << 24;
/// Of more instructions nothing is said.
const MOST_PLACES: usize = 1 << 12;

/// Steps by how many warps are later, from the highest on: fewer than the warps if no more can come this way.
type Stair = Vec<u64>;

/// When the last thing of a launch is over at the latest; none where it does not say, or not with so much work.
pub fn upper(launch: &Launch) -> Option<u64> {
    within(launch, MOST_WORK)
}

fn within(launch: &Launch, most_work: u64) -> Option<u64> {
    (applies(launch) && launch.length(0) <= MOST_PLACES).then_some(())?;
    Places::new(launch, most_work)?.upper(launch)
}

/// Whether all warps execute the same, each in a partition of its own, in one block if there are barriers, and all units
/// that they share have one place.
fn applies(launch: &Launch) -> bool {
    let warps = launch.warps();
    let same = warps.iter().all(|warp| launch.streams()[warp.stream].path == launch.stream(0).path);
    let apart =
        (0..warps.len()).all(|one| (0..one).all(|other| warps[one].partition != warps[other].partition));
    let code = || (0..launch.length(0)).map(|place| launch.at(0, place));
    let block = warps.iter().all(|warp| warp.block == warps[0].block) || code().all(|own| !own.barrier);
    let single = code().filter_map(|own| own.unit).filter(|&unit| launch.shared(unit));
    let single = single.into_iter().all(|unit| launch.machine().units[usize::from(unit)].count == 1);
    same && apart && block && single
}

/// What is known of each place so far.
struct Places {
    rules: Rules,
    warps: usize,
    /// By how many are later, then by place: when warps get ready.
    ready: Vec<Vec<u64>>,
    /// By how many are later, then by place: when they issue.
    issue: Vec<Vec<u64>>,
    /// The places on shared units.
    firsts: Vec<usize>,
    /// For each of these when warps are ready for it that nothing has blocked since another of them: by how many of them
    /// before.
    came: Vec<Vec<Stair>>,
    /// What is held of sets of units that were asked for.
    held: Vec<Held>,
    /// By who is not there yet, unit and cycle: for how long the unit can be held from then on.
    stretches: BTreeMap<(usize, u64, u64), u64>,
    work: u64,
    most_work: u64,
}

impl Places {
    fn new(launch: &Launch, most_work: u64) -> Option<Self> {
        let rules = Rules::of(launch, most_work)?;
        let warps = launch.warps().len();
        let stairs = vec![Vec::new(); warps];
        let work = rules.work;
        let (ready, issue) = (stairs.clone(), stairs);
        let (firsts, came, held, stretches) = (Vec::new(), Vec::new(), Vec::new(), BTreeMap::new());
        Some(Self { rules, warps, ready, issue, firsts, came, held, stretches, work, most_work })
    }

    fn upper(mut self, launch: &Launch) -> Option<u64> {
        for place in 0..self.rules.places() {
            let mut stair = self.arrive(place);
            (0..self.warps).for_each(|step| self.ready[step].push(stair[step]));
            self.lower(place);
            if self.rules.shared[place].is_some() {
                self.firsts.push(place);
                let came = self.unblocked(place);
                self.came.push(came);
                stair = self.leave(place)?;
            }
            for (step, cycle) in stair.into_iter().enumerate() {
                self.issue[step].push(cycle);
                self.ready[step][place] = self.ready[step][place].min(cycle);
            }
            self.lower(place);
            let words: usize = self.held.iter().map(|held| held.words).sum();
            (self.work <= self.most_work && words <= MOST_WORDS && self.issue[0][place] < NEVER)
                .then_some(())?;
        }
        let over = |place| self.issue[0][place] + u64::from(launch.at(0, place).longest()) - 1;
        (0..self.rules.places()).map(over).max()
    }

    /// The highest steps of some stairs together.
    fn together(&self, stairs: impl Iterator<Item = Stair>) -> Stair {
        let mut all: Stair = stairs.flatten().collect();
        all.sort_unstable_by(|one, other| other.cmp(one));
        all.truncate(self.warps);
        all
    }

    /// The stair of an arc.
    fn over(&self, from: usize, length: u64) -> Stair {
        self.issue.iter().map(|step| step[from] + length).collect()
    }

    /// When warps are ready for a place by all arcs to it.
    fn arrive(&self, place: usize) -> Stair {
        let arcs = &self.rules.arcs[place];
        let all = self.together(arcs.iter().map(|&(from, length)| self.over(from, length)));
        match all.first() {
            None => vec![1; self.warps],
            // Nobody passes a barrier before all have come.
            Some(&last) if self.rules.barrier[place] => vec![last; self.warps],
            Some(_) => all,
        }
    }

    /// Places before one are issued before warps are ready for it, by the stall at least.
    fn lower(&mut self, place: usize) {
        for step in 0..self.warps {
            let (ready, issue) = (&mut self.ready[step], &mut self.issue[step]);
            for before in (0..place).rev() {
                let stall = self.rules.stalls[before + 1] - self.rules.stalls[before];
                let latest = ready[before + 1].saturating_sub(stall);
                if issue[before] <= latest {
                    break;
                }
                issue[before] = latest;
                ready[before] = ready[before].min(latest);
            }
        }
    }

    /// When warps are ready for a place on a shared unit that nothing has blocked since one before it.
    fn unblocked(&mut self, place: usize) -> Vec<Stair> {
        if self.rules.barrier[place] {
            return vec![self.ready.iter().map(|step| step[place]).collect()];
        }
        // Where the way to the place begins, and how long it is; the first of all is ready in the first cycle.
        let mut ways: BTreeMap<usize, u64> = self.rules.arcs[place].iter().copied().collect();
        let mut start = (place == 0).then_some(0);
        let mut stairs = vec![self.come(&ways, start)];
        for since in (0..place).rev().take(BACK - 1) {
            let way = ways.remove(&since);
            match (self.rules.shared[since], way) {
                (None, _) if self.rules.barrier[since] => break,
                (None, Some(length)) => {
                    for &(from, more) in &self.rules.arcs[since] {
                        let longest = ways.entry(from).or_default();
                        *longest = (*longest).max(more + length);
                    }
                    if since == 0 {
                        start = start.max(Some(length));
                    }
                    ways =
                        self.rules.needed(ways.into_iter().collect(), &mut self.work).into_iter().collect();
                }
                (None, None) => {}
                (Some(_), _) => stairs.push(self.come(&ways, start)),
            }
            if self.rules.barrier[since] {
                break;
            }
        }
        stairs
    }

    /// When warps come over some ways.
    fn come(&self, ways: &BTreeMap<usize, u64>, start: Option<u64>) -> Stair {
        let first = start.map(|length| vec![1 + length; self.warps]);
        let ways = ways.iter().map(|(&from, &length)| self.over(from, length));
        self.together(ways.chain(first))
    }

    /// When warps issue a place on a shared unit, the last of them so far.
    fn leave(&mut self, place: usize) -> Option<Stair> {
        let mut best = vec![NEVER; self.warps];
        let barrier = (0..=place).rev().find(|&place| self.rules.barrier[place]).unwrap_or(0);
        let lowest = barrier.max((place + 1).saturating_sub(BACK));
        let ways = self.ways_to(lowest, place);
        let mut chains: Vec<Chain> = Vec::new();
        // Back from the place to the one since which nothing has blocked whoever comes.
        for back in 0..self.firsts.len() {
            let first = self.firsts[self.firsts.len() - 1 - back];
            if first < lowest {
                break;
            }
            chains.push(self.chain(first, place, ways[first - lowest], chains.last()));
            // The further back, the fewer are looked at, and the last of all.
            let number = self.firsts.len() - 1 - back;
            let last = number == 0 || self.firsts[number - 1] < lowest;
            if !last && !number.is_multiple_of(1 << (1 + back / NEAR).ilog2()) {
                continue;
            }
            let Some(stair) = self.since(&mut chains, &best)? else { continue };
            best = best.iter().zip(stair).map(|(one, other)| other.min(*one)).collect();
            // Who has issued it holds the unit.
            for step in 1..self.warps {
                best[step] = best[step].min(best[step - 1].saturating_sub(self.rules.hold[place]));
            }
            // Nobody is blocked there.
            if best.iter().zip(&self.ready).all(|(issue, ready)| *issue <= ready[place]) {
                break;
            }
        }
        Some(best)
    }

    /// When warps issue a place that nothing has blocked since the first of the last of its chains; nothing if that is no
    /// sooner than the `best` that is known.
    fn since(&mut self, chains: &mut [Chain], best: &Stair) -> Option<Option<Stair>> {
        let no_less = |stair: &Stair| {
            best.iter().enumerate().all(|(step, cycle)| stair.get(step).is_some_and(|own| own >= cycle))
        };
        let (last, at) = (chains.len() - 1, self.firsts.len() - 1);
        let came = |places: &Self, back: usize, first: usize| -> Stair {
            let stair = &places.came[at - back][last - back];
            stair.iter().zip(&places.ready).map(|(cycle, ready)| ready[first].min(*cycle)).collect()
        };
        let all = chains.iter().enumerate().map(|(back, chain)| {
            let came = came(self, back, chain.first);
            came.into_iter().map(|cycle| chain.no_sooner(cycle)).collect()
        });
        if no_less(&self.together(all)) {
            return Some(None);
        }
        let mut stair: Stair = Vec::new();
        for (back, chain) in chains.iter_mut().enumerate().rev() {
            let mut own = came(self, back, chain.first);
            own.iter_mut().rev().try_for_each(|cycle| {
                *cycle = self.latest(chain, *cycle)?;
                Some(())
            })?;
            stair = self.together([stair, own].into_iter());
            if no_less(&stair) {
                return Some(None);
            }
        }
        // Where fewer come at all than are later there is nobody to be late.
        stair.resize(self.warps, 0);
        Some(Some(stair))
    }
}
