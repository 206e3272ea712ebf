//! How long what is left can take at the most, from any state: a proven upper bound.
//!
//! Take a warp that finishes last. Until it has finished, each cycle is one in which it executes, or waits for its own
//! load, or is blocked: its previous instruction is complete, and its unit has no free place or no issue slot is
//! left.
//!
//! 1. *Its own cycles* are what is left of the load it waits for, one for each instruction left, and `d - 1` more for
//!    each load left.
//! 2. *Blocked cycles.* Give each start of another warp's instruction on unit U the weight `1 / min(cap_U, issue)`, and,
//!    where places are held, each further cycle of its load the weight `1 / cap_L`. In a cycle in which U has no free
//!    place, `cap_U` places are taken by others, for a blocked warp holds none: together they weigh 1 or more. If no
//!    issue slot is left, `issue` others start, each of weight `1 / issue` or more. So there are no more blocked
//!    cycles than all that is left of the others weighs.
//! 3. *What cannot block weighs nothing.* A unit that the warp does not need any more cannot block it, nor can one with
//!    more places than there are other warps; and issue slots run out only if there are that many others. Then a
//!    start weighs `1 / issue`, or nothing, and a held cycle nothing.
//! 4. *Misses.* Of `k` misses, `j` on the warp's own path add `j (miss - hit)` cycles, and the others `(k - j) (miss -
//!    hit) / cap_L` if places are held and nothing otherwise. As `cap_L` is 1 or more, as many as possible on its own
//!    path is the worst.
//! 5. *Besides*, in each cycle something executes or some load is under way, so all that is left, one after the other,
//!    is a bound as well.

use super::{Misses, Mode, Problem};
use crate::{PerUnit, Unit};

/// The name of the bound, as reports give it.
pub const BLOCKED_CYCLES: &str = "own and blocked cycles of the last warp";

/// The finest grid of weights; where denominators have no small common multiple, weights are rounded up to it.
const FINEST: u64 = 1 << 30;

/// A warp in a state: instructions it has started, and cycles until it may start the next.
pub type Place = (usize, u32);

/// Tables for the bound.
#[derive(Debug, Clone)]
pub struct Bounds {
    hit: u32,
    miss: u32,
    held: bool,
    /// What a cycle weighs.
    one: u64,
    /// For each number of instructions started: cycles the others take without misses beyond those that are sure.
    path: Vec<u32>,
    /// Loads that are left.
    loads: Vec<u32>,
    /// Which set of units is still needed: an index into the tables below.
    needs: Vec<usize>,
    /// For each such set, the weight of what is left from each place on.
    weights: Vec<Weights>,
    /// With fewer other warps than this nobody blocks anybody.
    crowd: usize,
    /// From each number of instructions started on, what is left in cycles of its units.
    work: Vec<u64>,
    /// What a cycle of a load under way takes of its unit, and what a miss adds.
    load: (u64, u64),
}

/// Weights as a warp sees them that needs certain units.
#[derive(Debug, Clone)]
struct Weights {
    /// From each number of instructions started on.
    left: Vec<u64>,
    /// Of a cycle of a load under way.
    held: u64,
}

impl Bounds {
    /// The tables of a problem; `None` where the kernel needs a unit that is not there.
    pub fn new(problem: &Problem) -> Option<Self> {
        let units = problem.kernel.units();
        let (machine, memory) = (problem.machine, problem.memory);
        let totals = problem.kernel.totals();
        if !machine.has_units_for(totals) {
            return None;
        }
        let sure =
            if memory.misses == Misses::All && memory.missing.is_none() { memory.miss } else { memory.hit };
        let (mut path, mut loads) = (vec![0u32; units.len() + 1], vec![0u32; units.len() + 1]);
        let mut sets: Vec<[bool; 4]> = vec![[false; 4]; units.len() + 1];
        for i in (0..units.len()).rev() {
            let load = units[i] == Unit::LoadStore;
            path[i] = path[i + 1] + if load { sure } else { 1 };
            loads[i] = loads[i + 1] + u32::from(load);
            sets[i] = sets[i + 1];
            sets[i][units[i] as usize] = true;
        }
        let mut kinds: Vec<[bool; 4]> = Vec::new();
        let mut needs = Vec::new();
        for set in &sets {
            if !kinds.contains(set) {
                kinds.push(*set);
            }
            needs.extend(kinds.iter().position(|kind| kind == set));
        }
        let others = problem.warps.saturating_sub(1) as u64;
        let serves = machine
            .issue
            .map(u64::from)
            .into_iter()
            .chain(Unit::ALL.into_iter().filter(|&u| totals[u] > 0).map(|u| machine.capacity[u].into()));
        let serves: Vec<u64> = serves.collect();
        let one = serves.iter().try_fold(1u64, |all, &n| {
            let all = all / gcd(all, n) * n;
            (all <= FINEST).then_some(all)
        });
        let one = one.unwrap_or(FINEST);
        let share = |places: u64| if others >= places { one.div_ceil(places) } else { 0 };
        let issue = machine.issue.map_or(0, |n| share(n.into()));
        let held = memory.mode == Mode::Held;
        let weights = kinds.iter().map(|needed| {
            let full =
                PerUnit::from_fn(
                    |u: Unit| {
                        if needed[u as usize] { share(machine.capacity[u].into()) } else { 0 }
                    },
                );
            let on = if held { full[Unit::LoadStore] } else { 0 };
            let mut left = vec![0u64; units.len() + 1];
            for i in (0..units.len()).rev() {
                let further = if units[i] == Unit::LoadStore { u64::from(sure - 1) * on } else { 0 };
                left[i] = left[i + 1] + full[units[i]].max(issue) + further;
            }
            Weights { left, held: on }
        });
        let places = |u: Unit| one.div_ceil(u64::from(machine.serves(u)).max(1));
        let on = if held { places(Unit::LoadStore) } else { one / 4 / (others + 1) };
        let mut work = vec![0u64; units.len() + 1];
        for i in (0..units.len()).rev() {
            let further = if units[i] == Unit::LoadStore { u64::from(sure - 1) * on } else { 0 };
            work[i] = work[i + 1] + places(units[i]) + further;
        }
        Some(Self {
            work,
            load: (on, on * u64::from(memory.miss - memory.hit)),
            hit: memory.hit,
            miss: memory.miss,
            held,
            one,
            path,
            loads,
            weights: weights.collect(),
            needs,
            crowd: serves.iter().copied().min().unwrap_or(1) as usize,
        })
    }

    /// The bound on a whole schedule.
    pub fn whole(&self, problem: &Problem) -> u32 {
        let left = match problem.settled() {
            Some(_) if problem.memory.misses == Misses::All && problem.memory.missing.is_none() => 0,
            Some(missing) => missing.len(),
            None => problem.most_misses(),
        };
        self.rest(std::iter::repeat_n((0, 0), problem.warps), left as u32)
    }

    /// Loads that a warp has not started.
    pub fn loads(&self, started: usize) -> u32 {
        self.loads[started]
    }

    /// What is left of a warp in cycles of its units: no bound, but what looks as if it takes long.
    pub fn work(&self, started: usize) -> u64 {
        self.work[started]
    }

    /// The same of a load under way.
    pub fn waits(&self, wait: u32) -> u64 {
        u64::from(wait) * self.load.0
    }

    /// The same of misses that may still come.
    pub fn late(&self, misses: u32) -> u64 {
        u64::from(misses) * self.load.1
    }

    /// Cycles until the last of these warps can have finished, of whose loads so many may miss.
    pub fn rest(&self, warps: impl Iterator<Item = Place> + Clone, misses: u32) -> u32 {
        let extra = self.miss - self.hit;
        let (mut serial, mut loads, mut active) = (0u64, 0u64, 0usize);
        for (at, wait) in warps.clone() {
            serial += u64::from(wait) + u64::from(self.path[at]);
            loads += u64::from(self.loads[at]);
            active += usize::from(wait > 0 || at + 1 < self.path.len());
        }
        let misses = u64::from(misses).min(loads);
        serial += misses * u64::from(extra);
        let alone = active <= self.crowd;
        let mut longest = 0u64;
        let mut seen: Option<Place> = None;
        // What all weigh is the same for all warps that need the same units.
        let mut all: Option<(usize, u64)> = None;
        for (at, wait) in warps.clone() {
            if seen == Some((at, wait)) {
                continue;
            }
            seen = Some((at, wait));
            let own_misses = misses.min(self.loads[at].into());
            let own = u64::from(wait) + u64::from(self.path[at]) + own_misses * u64::from(extra);
            if alone || at + 1 == self.path.len() {
                longest = longest.max(own);
                continue;
            }
            let need = self.needs[at];
            let weights = &self.weights[need];
            let weigh = |at: usize, wait: u32| weights.left[at] + self.under_way(wait) * weights.held;
            let total = match all {
                Some((of, total)) if of == need => total,
                _ => warps.clone().map(|(at, wait)| weigh(at, wait)).sum(),
            };
            all = Some((need, total));
            let others = total - weigh(at, wait) + (misses - own_misses) * u64::from(extra) * weights.held;
            longest = longest.max(own + others / self.one);
        }
        u32::try_from(longest.min(serial)).unwrap_or(u32::MAX)
    }

    /// Cycles for which a load under way still holds a place.
    fn under_way(&self, wait: u32) -> u64 {
        if self.held { wait.into() } else { 0 }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kernel, Machine, Memory};
    use base::Seeded;

    fn parsed(text: &str) -> Kernel {
        Kernel::parse(text).unwrap_or_else(|error| unreachable!("{text}: {}", error.what))
    }

    /// The naive twin of [`Bounds::rest`]: points 1 to 5 above for each warp by itself, over one large denominator.
    fn plain(problem: &Problem, sure: u32, warps: &[Place], misses: u32) -> u32 {
        let (units, machine, memory) = (problem.kernel.units(), problem.machine, problem.memory);
        let takes = |unit: Unit| if unit == Unit::LoadStore { sure } else { 1 };
        let path = |at: usize| units[at..].iter().map(|&unit| takes(unit)).sum::<u32>();
        let loads = |at: usize| units[at..].iter().filter(|&&unit| unit == Unit::LoadStore).count() as u32;
        let misses = misses.min(warps.iter().map(|&(at, _)| loads(at)).sum());
        let extra = memory.miss - memory.hit;
        let serial = warps.iter().map(|&(at, wait)| wait + path(at)).sum::<u32>() + misses * extra;
        let places = |unit: Unit| u128::from(machine.capacity[unit]);
        let issue = machine.issue.map(u128::from);
        let used = Unit::ALL.into_iter().filter(|unit| units.contains(unit));
        let serves: Vec<u128> = used.map(places).chain(issue).collect();
        let whole: u128 = serves.iter().product();
        let others = problem.warps as u128 - 1;
        let share = |places: u128| if others >= places { whole / places } else { 0 };
        let active = warps.iter().filter(|&&(at, wait)| at < units.len() || wait > 0).count() as u128;
        let own = |(at, wait): Place| wait + path(at) + misses.min(loads(at)) * extra;
        let longest = (0..warps.len()).map(|last| {
            let (at, _) = warps[last];
            if at == units.len() || serves.iter().all(|&places| active <= places) {
                return own(warps[last]);
            }
            let full = |unit: Unit| if units[at..].contains(&unit) { share(places(unit)) } else { 0 };
            let held = if memory.mode == Mode::Held { full(Unit::LoadStore) } else { 0 };
            let start = |unit: Unit| full(unit).max(issue.map_or(0, share));
            let left = |&unit: &Unit| start(unit) + u128::from(takes(unit) - 1) * held;
            let others = (0..warps.len()).filter(|&other| other != last).map(|other| {
                let (at, wait) = warps[other];
                units[at..].iter().map(left).sum::<u128>() + u128::from(wait) * held
            });
            let elsewhere = u128::from((misses - misses.min(loads(at))) * extra) * held;
            own(warps[last]) + ((others.sum::<u128>() + elsewhere) / whole) as u32
        });
        longest.max().unwrap_or(0).min(serial)
    }

    #[test]
    fn the_tables_say_what_the_argument_says() {
        let mut rng = Seeded::new(78, 0);
        for round in 0..3_000 {
            let text: String =
                (0..=rng.below(5)).map(|_| ['L', 'L', 'C', 'S'][rng.below(4) as usize]).collect();
            let kernel = parsed(&text);
            let capacity = PerUnit([1 + rng.below(3), 1 + rng.below(3), 1 + rng.below(4), 0]);
            let machine =
                Machine { capacity, issue: [None, Some(1), Some(2), Some(3)][rng.below(4) as usize] };
            let mode = if round % 2 == 0 { Mode::Held } else { Mode::Pipelined };
            let misses = [Misses::None, Misses::All, Misses::AtMost(2)][rng.below(3) as usize];
            let (hit, warps) = (1 + rng.below(2), 1 + rng.below(6) as usize);
            let mut memory = Memory { mode, hit, miss: hit + rng.below(4), misses, missing: None };
            if rng.below(4) == 0 {
                let problem = Problem { kernel: &kernel, machine: &machine, memory: &memory, warps };
                let all = super::super::misses::loads(&problem);
                memory.missing = Some(all.into_iter().filter(|_| rng.below(2) == 0).collect());
            }
            let problem = Problem { kernel: &kernel, machine: &machine, memory: &memory, warps };
            let Some(bounds) = Bounds::new(&problem) else { unreachable!("{text} {machine:?}") };
            let all_miss = misses == Misses::All && memory.missing.is_none();
            let sure = if all_miss { memory.miss } else { hit };
            let most = match &memory.missing {
                Some(missing) => missing.len() as u32,
                None if all_miss || memory.miss == hit => 0,
                None => problem.most_misses() as u32,
            };
            let start = vec![(0, 0); warps];
            assert_eq!(bounds.whole(&problem), plain(&problem, sure, &start, most), "{text} {problem:?}");
            for _ in 0..4 {
                let one = |rng: &mut Seeded| (rng.below(kernel.len() as u32 + 1) as usize, rng.below(3));
                let mut state: Vec<Place> = (0..warps).map(|_| one(&mut rng)).collect();
                state.sort_unstable();
                let late = rng.below(4);
                let found = bounds.rest(state.iter().copied(), late);
                assert_eq!(found, plain(&problem, sure, &state, late), "{problem:?} {state:?} {late}");
            }
        }
    }

    #[test]
    fn places_without_a_small_common_multiple_weigh_a_little_more() {
        let kernel = parsed("L C S D");
        let memory = Memory { mode: Mode::Held, hit: 2, miss: 2, misses: Misses::None, missing: None };
        let takes = |capacity, issue, warps| {
            let machine = Machine { capacity: PerUnit(capacity), issue };
            let problem = Problem { kernel: &kernel, machine: &machine, memory: &memory, warps };
            Bounds::new(&problem).map(|bounds| (bounds.whole(&problem), bounds.one))
        };
        // The largest primes below 2^32: their product fits nowhere.
        let primes = [4_294_967_291, 4_294_967_279, 4_294_967_231, 4_294_967_197];
        assert_eq!(takes(primes, Some(4_294_967_189), 4), Some((5, FINEST)));
        assert_eq!(takes([1, 1 << 15, 1 << 30, 1 << 30], None, 4), Some((5 + 6, FINEST)));
        assert_eq!(takes([1, 1 << 15, 1 << 30, 3], None, 4), Some((5 + 7, FINEST)));
        assert_eq!(takes([4, 6, 10, 15], None, 4), Some((5, 60)));
    }

    /// What a beam goes by, in parts of a cycle: instructions by their places, a load for as long as it holds one.
    #[test]
    fn what_is_left_is_counted_in_cycles_of_its_units() {
        let kernel = parsed("LCL");
        let told = |mode, misses, capacity, issue| {
            let machine = Machine { capacity: PerUnit(capacity), issue };
            let memory = Memory { mode, hit: 3, miss: 8, misses, missing: None };
            let problem = Problem { kernel: &kernel, machine: &machine, memory: &memory, warps: 3 };
            let Some(bounds) = Bounds::new(&problem) else { unreachable!("it is served") };
            let all = [0, 1, 2, 3].map(|at| bounds.work(at));
            (bounds.one, all, [bounds.waits(1), bounds.waits(4)], [bounds.late(1), bounds.late(3)])
        };
        let (held, pipelined) = (Mode::Held, Mode::Pipelined);
        assert_eq!(told(held, Misses::None, [2, 3, 0, 0], None), (6, [20, 11, 9, 0], [3, 12], [15, 45]));
        assert_eq!(told(held, Misses::All, [2, 3, 0, 0], None), (6, [50, 26, 24, 0], [3, 12], [15, 45]));
        assert_eq!(told(held, Misses::None, [2, 3, 0, 0], Some(1)), (6, [42, 24, 18, 0], [6, 24], [30, 90]));
        // Where places are not held a load under way counts for little.
        assert_eq!(
            told(pipelined, Misses::None, [5, 24, 0, 0], None),
            (120, [93, 49, 44, 0], [10, 40], [50, 150])
        );
    }
}
