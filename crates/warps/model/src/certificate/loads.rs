//! The same where loads take longer ([`crate::memory`]): a formula, and all places of warps and their loads.
//!
//! Nothing is shared with the searches or the bounds they use. The formula is that of [`crate::memory::bounds`], points 1
//! to 5, plainly: for each warp that may end last its own cycles, and what all that is left of the others weighs. The
//! other proof goes from cycle to cycle through every state: what each warp has started and for how long its load is
//! under way. It tries every way to issue that leaves nothing out, and for every load whether it hits or misses; it drops
//! a state only where the formula says that nothing longer than claimed comes of it.

use std::collections::BTreeSet;

use super::{Attempt, Limits, Proof};
use crate::memory::{Misses, Mode, Problem, bounds};
use crate::{PerUnit, Unit};

/// The names of the proofs, as certificates give them.
pub const PROOFS: [&str; 2] = [bounds::BLOCKED_CYCLES, "no path between places of warps and their loads"];

/// What a warp has started, and cycles until it may start the next.
type Place = (u16, u16);

/// Where all warps stand before a cycle, and how many loads may still miss by choice.
type State = (Vec<Place>, u32);

/// The cheapest proof that no schedule takes longer than `upper` cycles, if there is one within the limits.
pub fn attempt(problem: &Problem, upper: u32, limits: Limits) -> Attempt {
    let Some(rules) = Rules::new(problem) else { return Attempt::NotFound };
    let begin = rules.begin();
    let bound = rules.rest(&begin);
    if bound <= upper {
        return Attempt::Proven(Proof { upper, by: PROOFS[0], numbers: vec![("longest", bound.into())] });
    }
    let (mut layer, mut states, mut work) = (BTreeSet::from([begin]), 0u64, 0u64);
    for cycle in 0..=upper {
        let mut next = BTreeSet::new();
        for state in &layer {
            if cycle + rules.rest(state) <= upper {
                continue;
            }
            if cycle == upper {
                return Attempt::NotFound;
            }
            states += 1;
            let before = next.len();
            work += rules.after(state, &mut next) + problem.warps as u64;
            if states + (next.len() - before) as u64 > limits.states {
                return Attempt::NotFound;
            }
            if work > limits.work {
                return Attempt::GivenUp;
            }
        }
        layer = next;
        if layer.is_empty() {
            return Attempt::Proven(Proof { upper, by: PROOFS[1], numbers: vec![("states", states)] });
        }
    }
    Attempt::NotFound
}

/// What the formula gives; none where a unit is missing.
pub fn formula(problem: &Problem) -> Option<u32> {
    Rules::new(problem).map(|rules| rules.rest(&rules.begin()))
}

/// The rules, and sums over what is left of each warp.
struct Rules<'a> {
    problem: &'a Problem<'a>,
    /// Whether warps differ, as loads that miss are given one by one.
    differ: bool,
    /// For each warp that differs, the cycles of its instructions but for misses by choice.
    takes: Vec<Vec<u32>>,
    /// The same from each place on, and loads from there on.
    path: Vec<Vec<u32>>,
    loads: Vec<u32>,
    /// What may be full: places of units that are used, and issue slots.
    serves: Vec<u128>,
    /// What a cycle weighs.
    whole: u128,
    misses: u32,
}

impl<'a> Rules<'a> {
    fn new(problem: &'a Problem<'a>) -> Option<Self> {
        let (units, machine, memory) = (problem.kernel.units(), problem.machine, problem.memory);
        if units.iter().any(|&unit| machine.capacity[unit] == 0) || machine.issue == Some(0) {
            return None;
        }
        let differ = memory.missing.is_some();
        let sure = |warp: usize, i: usize| match (&memory.missing, memory.misses) {
            (Some(missing), _) if missing.contains(&(warp as u16, i as u16)) => memory.miss,
            (None, Misses::All) => memory.miss,
            _ => memory.hit,
        };
        let cycles = |warp: usize| -> Vec<u32> {
            let own = units.iter().enumerate();
            own.map(|(i, &unit)| if unit == Unit::LoadStore { sure(warp, i) } else { 1 }).collect()
        };
        let takes: Vec<Vec<u32>> = (0..if differ { problem.warps } else { 1 }).map(cycles).collect();
        let path = takes.iter().map(|takes| (0..=takes.len()).map(|at| takes[at..].iter().sum()).collect());
        let left = |at: usize| units[at..].iter().filter(|&&unit| unit == Unit::LoadStore).count() as u32;
        let loads: Vec<u32> = (0..=units.len()).map(left).collect();
        let used = Unit::ALL.into_iter().filter(|unit| units.contains(unit));
        let places = used.map(|unit| u128::from(machine.capacity[unit]));
        let serves: Vec<u128> = places.chain(machine.issue.map(u128::from)).collect();
        let misses = match (&memory.missing, memory.misses) {
            (None, Misses::AtMost(most)) => most.min(loads[0].saturating_mul(problem.warps as u32)),
            _ => 0,
        };
        let path = path.collect();
        let whole = serves.iter().product();
        Some(Self { problem, differ, path, takes, loads, serves, whole, misses })
    }

    fn begin(&self) -> State {
        (vec![(0, 0); self.problem.warps], self.misses)
    }

    /// The row of a warp.
    fn row(&self, warp: usize) -> usize {
        if self.differ { warp } else { 0 }
    }

    /// Cycles until the last of the warps can have ended.
    fn rest(&self, (warps, misses): &State) -> u32 {
        let length = self.problem.kernel.units().len();
        let extra = self.problem.memory.miss - self.problem.memory.hit;
        let left = |warp: usize| self.loads[usize::from(warps[warp].0)];
        let misses = (*misses).min((0..warps.len()).map(left).sum());
        let alone = |warp: usize| {
            let (at, wait) = warps[warp];
            u32::from(wait) + self.path[self.row(warp)][usize::from(at)]
        };
        let serial = (0..warps.len()).map(alone).sum::<u32>() + misses * extra;
        let active = warps.iter().filter(|(at, wait)| usize::from(*at) < length || *wait > 0).count() as u128;
        let crowded = self.serves.iter().any(|&places| active > places);
        let mut longest = 0;
        for last in 0..warps.len() {
            if !self.differ && last > 0 && warps[last] == warps[last - 1] {
                continue;
            }
            let own_misses = misses.min(left(last));
            let own = alone(last) + own_misses * extra;
            let over = usize::from(warps[last].0) == length;
            let blocked = if over || !crowded { 0 } else { self.blocked(warps, last, misses - own_misses) };
            longest = longest.max(own + blocked);
        }
        longest.min(serial)
    }

    /// In how many cycles a warp can be blocked, if so many loads of others may miss by choice.
    fn blocked(&self, warps: &[Place], last: usize, misses: u32) -> u32 {
        let (units, machine, memory) =
            (self.problem.kernel.units(), self.problem.machine, self.problem.memory);
        let others = self.problem.warps as u128 - 1;
        let share = |places: u128| if others >= places { self.whole / places } else { 0 };
        let needed = &units[usize::from(warps[last].0)..];
        let issue = machine.issue.map_or(0, |issue| share(issue.into()));
        let full =
            PerUnit::from_fn(
                |unit: Unit| {
                    if needed.contains(&unit) { share(machine.capacity[unit].into()) } else { 0 }
                },
            );
        let held = if memory.mode == Mode::Held { full[Unit::LoadStore] } else { 0 };
        let mut all = u128::from(misses * (memory.miss - memory.hit)) * held;
        for (other, &(at, wait)) in warps.iter().enumerate().filter(|(other, _)| *other != last) {
            all += u128::from(wait) * held;
            let takes = &self.takes[self.row(other)];
            for i in usize::from(at)..units.len() {
                all += full[units[i]].max(issue) + u128::from(takes[i] - 1) * held;
            }
        }
        (all / self.whole) as u32
    }

    /// Adds every state that may come after one; how many ways were tried.
    fn after(&self, state: &State, into: &mut BTreeSet<State>) -> u64 {
        let (warps, misses) = state;
        let units = self.problem.kernel.units();
        let mut free = self.problem.machine.capacity;
        if self.problem.memory.mode == Mode::Held {
            // Only loads take longer than a cycle.
            free[Unit::LoadStore] -= warps.iter().filter(|(_, wait)| *wait > 0).count() as u32;
        }
        let may = |&warp: &usize| warps[warp].1 == 0 && usize::from(warps[warp].0) < units.len();
        let pending: Vec<usize> = (0..warps.len()).filter(may).collect();
        let mut next: Vec<Place> = warps.iter().map(|&(at, wait)| (at, wait.saturating_sub(1))).collect();
        let slots = self.problem.machine.issue.unwrap_or(u32::MAX);
        let mut way = Way { warps, pending: &pending, left: Vec::new(), tried: 0 };
        self.choose(&mut way, 0, (free, slots, *misses), &mut next, into);
        way.tried
    }

    /// Decides about one pending warp after the other.
    fn choose(
        &self,
        way: &mut Way<'_>,
        at: usize,
        (free, slots, misses): (PerUnit<u32>, u32, u32),
        next: &mut Vec<Place>,
        into: &mut BTreeSet<State>,
    ) {
        way.tried += 1;
        let units = self.problem.kernel.units();
        let unit = |warp: usize| units[usize::from(way.warps[warp].0)];
        let Some(&warp) = way.pending.get(at) else {
            if way.left.iter().all(|&warp| free[unit(warp)] == 0 || slots == 0) {
                let mut warps = next.clone();
                if !self.differ {
                    warps.sort_unstable();
                }
                into.insert((warps, misses));
            }
            return;
        };
        let own = unit(warp);
        // Of warps alike the first ones go; with loads that miss by choice they differ by what follows only.
        let same = |&other: &usize| !self.differ && way.warps[other] == way.warps[warp];
        let may = free[own] > 0 && slots > 0 && !way.left.last().is_some_and(same);
        let place = way.warps[warp];
        if may {
            let mut free = free;
            free[own] -= 1;
            let takes = self.takes[self.row(warp)][usize::from(place.0)];
            next[warp] = (place.0 + 1, (takes - 1) as u16);
            self.choose(way, at + 1, (free, slots - 1, misses), next, into);
            if own == Unit::LoadStore && misses > 0 && self.problem.memory.miss > takes {
                next[warp] = (place.0 + 1, (self.problem.memory.miss - 1) as u16);
                self.choose(way, at + 1, (free, slots - 1, misses - 1), next, into);
            }
            next[warp] = place;
        }
        way.left.push(warp);
        self.choose(way, at + 1, (free, slots, misses), next, into);
        way.left.pop();
    }
}

/// The choices of one cycle so far.
struct Way<'a> {
    warps: &'a [Place],
    pending: &'a [usize],
    /// Pending warps that do not start.
    left: Vec<usize>,
    tried: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::exact::Search;
    use crate::{Kernel, Machine, Memory};
    use base::Seeded;

    fn drawn(rng: &mut Seeded) -> (Kernel, Machine, Memory, usize) {
        let text: String = (0..=rng.below(4)).map(|_| ['L', 'L', 'C', 'S'][rng.below(4) as usize]).collect();
        let Ok(kernel) = Kernel::parse(&text) else { unreachable!("letters") };
        let capacity = PerUnit([1 + rng.below(2), 1 + rng.below(2), 1, 0]);
        let issue = [None, Some(1), Some(2)][rng.below(3) as usize];
        let mode = if rng.below(2) == 0 { Mode::Held } else { Mode::Pipelined };
        let (hit, warps) = (1 + rng.below(2), 1 + rng.below(4) as usize);
        let misses = [Misses::None, Misses::All, Misses::AtMost(rng.below(3))][rng.below(3) as usize];
        let mut memory = Memory { mode, hit, miss: hit + rng.below(4), misses, missing: None };
        if rng.below(4) == 0 {
            let loads = |warp: usize| (0..text.len()).map(move |i| (warp, i));
            let all = (0..warps).flat_map(loads).filter(|&(_, i)| text.as_bytes()[i] == b'L');
            let some = all.map(|(warp, i)| (warp as u16, i as u16)).filter(|_| rng.below(2) == 0);
            (memory.missing, memory.misses) = (Some(some.collect()), Misses::All);
        }
        (kernel, Machine { capacity, issue }, memory, warps)
    }

    /// Worst cases that the searches prove are proven again, and nothing below them is.
    #[test]
    fn worst_cases_are_provable_and_nothing_below_them_is() {
        let mut rng = Seeded::new(79, 0);
        let mut seen = [0; 2];
        for _ in 0..1_200 {
            let (kernel, machine, memory, warps) = drawn(&mut rng);
            let problem = Problem { kernel: &kernel, machine: &machine, memory: &memory, warps };
            let Some(mut search) = Search::new(&problem, 64 << 20) else { continue };
            while search.step(&problem, 1 << 12) {}
            let (upper, _) = search.upper();
            let longest = search.best().0.makespan();
            assert_eq!(upper, longest, "{problem:?}");
            let about = format!("{problem:?}: {longest}");
            let tables = bounds::Bounds::new(&problem).map(|bounds| bounds.whole(&problem));
            // Where misses are given one by one, the searches' bound takes them as if they could be anywhere.
            match memory.missing {
                None => assert_eq!(formula(&problem), tables, "{about}"),
                Some(_) => assert!(formula(&problem) <= tables, "{about}"),
            }
            match attempt(&problem, longest, Limits::default()) {
                Attempt::Proven(proof) => seen[usize::from(proof.by == PROOFS[1])] += 1,
                other => unreachable!("{about}: {other:?}"),
            }
            assert_eq!(attempt(&problem, longest - 1, Limits::default()), Attempt::NotFound, "{about}");
        }
        assert!(seen[0] > 200 && seen[1] > 200, "{seen:?}");
    }
}
