//! The searches against an exhaustive one that shares no code with them.

use std::collections::HashMap;

use super::*;
use crate::beam::Beam;
use crate::{PerUnit, Unit, check};
use base::Seeded;

/// Longest and shortest from some positions on, by trying every set of warps in every cycle.
pub(super) struct Exhaustive<'a> {
    problem: Problem<'a>,
    blocks: Vec<u32>,
    known: HashMap<Vec<usize>, (u32, u32)>,
}

impl<'a> Exhaustive<'a> {
    fn of(problem: Problem<'a>) -> (u32, u32) {
        let blocks = problem.fairness.blocks(problem.kernel.len());
        Self { problem, blocks, known: HashMap::new() }.range(vec![0; problem.warps])
    }

    pub(super) fn new(problem: Problem<'a>) -> Self {
        let blocks = problem.fairness.blocks(problem.kernel.len());
        Self { problem, blocks, known: HashMap::new() }
    }

    /// All states met, with the longest schedule from there on.
    pub(super) fn seen(&self) -> impl Iterator<Item = (&Vec<usize>, u32)> {
        self.known.iter().map(|(positions, range)| (positions, range.0))
    }

    fn fits(&self, positions: &[usize], set: &[usize]) -> bool {
        set.len() <= self.problem.machine.issue_limit() as usize
            && Unit::ALL.iter().all(|&unit| {
                set.iter().filter(|&&w| self.problem.kernel.units()[positions[w]] == unit).count()
                    <= self.problem.machine.capacity[unit] as usize
            })
    }

    pub(super) fn allowed(&self, positions: &[usize], set: &[usize]) -> bool {
        let waiting =
            (0..positions.len()).filter(|w| positions[*w] < self.problem.kernel.len() && !set.contains(w));
        self.fits(positions, set)
            && waiting.into_iter().all(|a| {
                let more = [set, &[a]].concat();
                !self.fits(positions, &more)
                    && set.iter().all(|&b| {
                        let swapped: Vec<usize> = more.iter().copied().filter(|&w| w != b).collect();
                        self.blocks[positions[a]] >= self.blocks[positions[b]]
                            || !self.fits(positions, &swapped)
                    })
            })
    }

    pub(super) fn range(&mut self, mut positions: Vec<usize>) -> (u32, u32) {
        positions.sort_unstable();
        if let Some(&known) = self.known.get(&positions) {
            return known;
        }
        let pending: Vec<usize> =
            (0..positions.len()).filter(|&w| positions[w] < self.problem.kernel.len()).collect();
        let (mut longest, mut shortest) = (0, u32::MAX);
        for mask in 1u32..1 << pending.len() {
            let set: Vec<usize> =
                (0..pending.len()).filter(|i| mask >> i & 1 == 1).map(|i| pending[i]).collect();
            if self.allowed(&positions, &set) {
                let mut next = positions.clone();
                set.iter().for_each(|&w| next[w] += 1);
                let (most, least) = self.range(next);
                (longest, shortest) = (longest.max(most + 1), shortest.min(least + 1));
            }
        }
        let range = (longest, if pending.is_empty() { 0 } else { shortest });
        self.known.insert(positions, range);
        range
    }

    /// Is a schedule allowed, cycle by cycle?
    pub(super) fn accepts(problem: Problem<'a>, schedule: &Schedule) -> bool {
        let blocks = problem.fairness.blocks(problem.kernel.len());
        let this = Self { problem, blocks, known: HashMap::new() };
        let mut positions = vec![0; problem.warps];
        (1..=schedule.makespan()).all(|cycle| {
            let set: Vec<usize> = (0..problem.warps).filter(|&w| schedule.warp(w).contains(&cycle)).collect();
            let allowed = this.allowed(&positions, &set);
            set.iter().for_each(|&w| positions[w] += 1);
            allowed
        })
    }
}

/// A small instance drawn at random.
pub(super) fn draw(
    rng: &mut Seeded,
    most_warps: u32,
    most_length: u32,
) -> (Kernel, Machine, usize, Fairness) {
    let kinds = 1 + rng.below(4);
    let length = 1 + rng.below(most_length);
    // Runs as well as single letters.
    let stay = rng.below(4);
    let mut units = vec![Unit::ALL[rng.below(kinds) as usize]];
    while units.len() < length as usize {
        let last = units[units.len() - 1];
        units.push(if rng.below(4) < stay { last } else { Unit::ALL[rng.below(kinds) as usize] });
    }
    let machine = Machine {
        capacity: PerUnit::from_fn(|_| 1 + rng.below(3)),
        issue: [None, Some(1), Some(2), Some(3)][rng.below(4) as usize],
    };
    let mut bounds: Vec<u32> = (0..rng.below(4)).map(|_| rng.below(length + 1)).collect();
    bounds.sort_unstable();
    let fairness = if rng.below(2) == 0 { Fairness::WorkConserving } else { Fairness::SubBlock(bounds) };
    (Kernel::new(units).unwrap(), machine, 1 + rng.below(most_warps) as usize, fairness)
}

/// Runs to the end in small slices; the bracket only narrows and always holds `exact`.
macro_rules! settle {
    ($search:expr, $problem:expr, $exact:expr, $budget:expr) => {{
        let mut search = $search;
        let mut before = search.bracket();
        loop {
            let more = search.step($budget);
            let now = search.bracket();
            assert!(now.lower >= before.lower && now.upper <= before.upper, "{now:?} {before:?}");
            assert!(now.lower <= $exact && $exact <= now.upper, "{now:?} {} {:?}", $exact, $problem);
            before = now;
            if !more {
                break;
            }
        }
        assert!(!search.gave_up());
        assert_eq!((before.lower, before.upper), ($exact, $exact), "{:?}", $problem);
        let witness = search.witness().unwrap();
        assert_eq!(witness.makespan(), $exact);
        assert!(Exhaustive::accepts(*$problem, &witness), "{:?}", $problem);
        let rows: Vec<Vec<u32>> = (0..witness.warps()).map(|w| witness.warp(w).to_vec()).collect();
        assert_eq!(check($problem.kernel, $problem.machine, &rows), []);
    }};
}

fn agree(rounds: u32, most_warps: u32, most_length: u32, seed: u64) {
    let mut rng = Seeded::new(seed, 0);
    for _ in 0..rounds {
        let (kernel, machine, warps, fairness) = draw(&mut rng, most_warps, most_length);
        let problem = &Problem { kernel: &kernel, machine: &machine, warps, fairness: &fairness };
        let (longest, shortest) = Exhaustive::of(*problem);
        settle!(Search::new(problem, Limits::default()).unwrap(), problem, longest, 2_000);
        settle!(Shortest::new(problem, Limits::default()).unwrap(), problem, shortest, 2_000);
        for guided in [false, true] {
            let mut beam = Beam::new(problem, 30, guided).unwrap();
            while beam.step(10_000) {}
            let witness = beam.witness().unwrap();
            assert!(witness.makespan() == beam.best() && beam.best() <= longest);
            assert!(Exhaustive::accepts(*problem, &witness));
        }
    }
}

#[test]
fn agrees_with_an_exhaustive_search_on_random_instances() {
    agree(5_000, 4, 9, 1);
}

#[test]
fn agrees_on_larger_random_instances() {
    agree(1_000, 5, 12, 2);
}

#[test]
fn agrees_on_a_great_many_random_instances() {
    agree(30_000, 4, 10, 6);
}

#[test]
fn agrees_on_many_with_five_warps() {
    agree(6_000, 5, 13, 7);
}

#[test]
fn agrees_on_many_with_six_warps() {
    agree(1_500, 6, 12, 8);
}

#[test]
fn little_memory_makes_it_slower_but_not_wrong() {
    let (mut rng, mut gave_up) = (Seeded::new(5, 0), 0);
    for _ in 0..1_000 {
        let (kernel, machine, warps, fairness) = draw(&mut rng, 5, 10);
        let problem = &Problem { kernel: &kernel, machine: &machine, warps, fairness: &fairness };
        let (longest, shortest) = Exhaustive::of(*problem);
        let limits = Limits { memory: 4_000 };
        let mut search = Search::new(problem, limits).unwrap();
        while search.step(2_000) {}
        let Bracket { lower, upper, .. } = search.bracket();
        assert!(lower <= longest && longest <= upper && (search.gave_up() || lower == upper));
        gave_up += u32::from(search.gave_up());
        let mut search = Shortest::new(problem, limits).unwrap();
        while search.step(2_000) {}
        let Bracket { lower, upper, .. } = search.bracket();
        assert!(lower <= shortest && shortest <= upper && (search.gave_up() || lower == upper));
    }
    assert!(gave_up < 30, "{gave_up}");
}

/// How often a guided beam of width 100 finds the optimum.
#[test]
fn guided_beams_are_nearly_always_optimal() {
    let (mut rng, mut solved, mut optimal) = (Seeded::new(4, 0), 0, 0);
    let rounds = 300;
    for _ in 0..rounds {
        let (kernel, machine, warps, fairness) = draw(&mut rng, 8, 24);
        let problem = &Problem { kernel: &kernel, machine: &machine, warps, fairness: &fairness };
        let mut search = Search::new(problem, Limits { memory: 64 << 20 }).unwrap();
        while search.states() < 400_000 && search.step(100_000) {}
        let Bracket { lower, upper, .. } = search.bracket();
        if lower == upper {
            let mut beam = Beam::new(problem, 100, true).unwrap();
            while beam.step(100_000) {}
            solved += 1;
            optimal += u32::from(beam.best() == upper);
        }
    }
    println!("= {optimal} of {solved} solved");
    assert!(solved * 3 > rounds * 2 && optimal * 100 >= solved * 98, "{optimal} of {solved}");
}

#[test]
fn every_proof_has_words_for_people() {
    use super::driver::{AGGREGATED, PRICED, REFINED, SEARCH, VICTIM};
    use crate::bounds::{BLOCKED_CYCLES, in_words};
    let loads = crate::memory::bounds::BLOCKED_CYCLES;
    let all = [BLOCKED_CYCLES, loads, AGGREGATED, REFINED, PRICED, VICTIM, SEARCH];
    let mut all = all.into_iter().chain([crate::memory::exact::ALL_STATES]);
    assert!(all.all(|by| in_words(by) != by));
    assert_eq!(in_words(BLOCKED_CYCLES), in_words(loads));
    assert_eq!(in_words("anything else"), "anything else");
}

#[test]
fn every_bound_is_confirmed_by_its_slow_twin() {
    use super::driver::{AGGREGATED, CAPACITY, REFINED, SEARCH};
    let mut rng = Seeded::new(3, 0);
    let mut confirmed = [0; 4];
    for _ in 0..600 {
        let (kernel, machine, warps, fairness) = draw(&mut rng, 4, 8);
        let problem = &Problem { kernel: &kernel, machine: &machine, warps, fairness: &fairness };
        let (longest, shortest) = Exhaustive::of(*problem);
        let mut search = Search::new(problem, Limits::default()).unwrap();
        loop {
            let Bracket { upper, upper_by, .. } = search.bracket();
            if let Some(sound) = proof::recheck(problem, Goal::Longest, upper_by, upper) {
                assert!(sound, "{upper_by} {upper} {problem:?}");
                let all = [crate::bounds::BLOCKED_CYCLES, AGGREGATED, REFINED];
                all.iter().position(|&by| by == upper_by).into_iter().for_each(|i| confirmed[i] += 1);
            }
            assert_eq!(search.proof().by, upper_by);
            if !search.step(2_000) {
                break;
            }
        }
        assert_ne!(proof::recheck(problem, Goal::Longest, SEARCH, longest), Some(false));
        assert_ne!(proof::recheck(problem, Goal::Shortest, SEARCH, shortest), Some(false));
        for by in [AGGREGATED, REFINED, SEARCH] {
            assert_ne!(proof::recheck(problem, Goal::Longest, by, longest - 1), Some(true));
            assert_ne!(proof::recheck(problem, Goal::Shortest, by, shortest + 1), Some(true));
        }
        let mut search = Shortest::new(problem, Limits::default()).unwrap();
        while search.step(2_000) {}
        let Bracket { lower, upper_by, .. } = search.bracket();
        if let Some(sound) = proof::recheck(problem, Goal::Shortest, upper_by, lower) {
            assert!(sound, "{upper_by} {lower} {problem:?}");
            confirmed[3] += usize::from(upper_by != CAPACITY);
        }
    }
    assert!(confirmed.iter().all(|&times| times > 0), "{confirmed:?}");
}

/// A search that is put aside for a wide beam and an annealing goes on as if nothing had been, whatever was found
/// meanwhile: the answer is that of trying everything. In steps of one unit it is put aside in its middle.
#[test]
fn a_search_that_was_put_aside_goes_on() {
    let mut rng = Seeded::new(28, 0);
    let (mut annealed, mut both) = (0, 0);
    for round in 0..300 {
        let kernel: String = (0..8 + rng.below(5)).map(|_| ['L', 'C', 'S'][rng.below(3) as usize]).collect();
        let Ok(kernel) = Kernel::parse(&kernel) else { unreachable!("letters") };
        let machine = Machine {
            capacity: PerUnit::from_fn(|_| 1 + rng.below(3)),
            issue: [None, Some(2), Some(3)][rng.below(3) as usize],
        };
        let boundaries = (1..kernel.len() as u32).filter(|_| rng.below(4) == 0).collect();
        let fairness = if round % 5 == 0 { Fairness::SubBlock(boundaries) } else { Fairness::WorkConserving };
        let problem =
            Problem { kernel: &kernel, machine: &machine, warps: 3 + round % 2, fairness: &fairness };
        let (longest, shortest) = Exhaustive::of(problem);
        for goal in [Goal::Longest, Goal::Shortest] {
            let Some(mut driver) = Driver::new(&problem, Limits { memory: 1 << 20 }, goal) else {
                unreachable!("served")
            };
            driver.hurry();
            let mut phases = Vec::new();
            while driver.step(1) {
                phases.push(driver.phase());
            }
            let found = driver.bracket();
            let expected = if goal == Goal::Longest { longest } else { shortest };
            assert_eq!((found.lower, found.upper), (expected, expected), "{kernel} {machine:?} {fairness:?}");
            let first = phases.iter().position(|phase| *phase == "simulated annealing");
            annealed += u32::from(first.is_some());
            both += u32::from(first.is_some_and(|at| phases[at..].contains(&"branch and bound")));
            assert!(goal == Goal::Longest || first.is_none());
        }
    }
    assert!(annealed > 10 && both > 10, "put aside {annealed} times, went on {both} times");
}

/// Instructions that are left out can make the worst case longer: what is proven of a string is not proven of its
/// parts, as of a loop that goes round less often.
#[test]
fn a_shorter_string_can_take_longer() {
    let machine = Machine { capacity: PerUnit([3, 1, 1, 1]), issue: Some(3) };
    let worst = |text: &str| {
        let Ok(kernel) = Kernel::parse(text) else { unreachable!("letters") };
        let problem =
            Problem { kernel: &kernel, machine: &machine, warps: 3, fairness: &Fairness::WorkConserving };
        let Some(mut search) = Search::new(&problem, Limits::default()) else { unreachable!("served") };
        while search.step(1_000) {}
        assert_eq!(search.bracket().upper, Exhaustive::of(problem).0);
        search.bracket().upper
    };
    assert_eq!((worst("CLLC"), worst("CLC")), (6, 7));
}

/// A table that was left out says how much memory it needs; with so much it is there, with less it is not.
#[test]
fn a_table_that_is_left_out_says_what_it_needs() {
    let Ok(kernel) = Kernel::parse("5L 9C 2L 9C") else { unreachable!("letters") };
    let machine = Machine { capacity: PerUnit([1, 4, 0, 0]), issue: None };
    let mut left_out = 0;
    for warps in [8, 10, 12] {
        let problem =
            Problem { kernel: &kernel, machine: &machine, warps, fairness: &Fairness::WorkConserving };
        let needs = |memory: u64| {
            let Some(mut search) = Search::new(&problem, Limits { memory }) else { unreachable!("served") };
            while search.needs().is_none() && search.states() < 20_000 && search.step(1_000) {}
            search.needs()
        };
        for memory in [1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22] {
            let Some(enough) = needs(memory) else { continue };
            left_out += 1;
            assert!(enough > memory);
            assert_eq!((needs(enough), needs(enough / 16 * 15)), (None, Some(enough)), "{warps} {memory}");
        }
    }
    assert!(left_out > 5, "{left_out}");
}
