//! A certificate checker: upper bounds derived a second time, sharing nothing with the searches, so that a result can
//! be checked without trusting what found it.
//!
//! Nothing here is shared with the searches or the bounds they use: the rules of the model are written down
//! once more, plainly, and every proof is a computation from the kernel alone. Four are tried, from the
//! cheapest to the strongest:
//!
//! 1. own and blocked cycles of the warp that ends last, a formula;
//! 2. the longest path when only the number of warps in each phase and their instructions left in it count;
//! 3. no path that long is left when the largest remainder in each phase counts as well;
//! 4. no path that long is left between the positions of all warps.
//!
//! Each of 2 to 4 takes together states that the next tells apart and forgets no step that one of them could
//! take, so a path that is not there is not there in the model either. The numbers a proof comes with are
//! what the computation counted; whoever repeats it counts the same.

mod choices;
mod formula;
mod forward;
pub mod loads;
mod phases;
mod table;
mod work;

use super::fairness::Fairness;
use super::kernel::Kernel;
use super::machine::Machine;
use phases::Phases;
use work::Work;

/// What a bound is claimed of.
#[derive(Debug, Clone, Copy)]
pub struct Model<'a> {
    /// What every warp executes.
    pub kernel: &'a Kernel,
    /// The machine.
    pub machine: &'a Machine,
    /// Who may go before whom.
    pub fairness: &'a Fairness,
    /// How many warps.
    pub warps: usize,
}

/// How much a proof may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Cells of a table of two bytes each.
    pub cells: u64,
    /// States of a search.
    pub states: u64,
    /// Units of work, however they are spent.
    pub work: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { cells: 100_000_000, states: 2_000_000, work: 16_000_000_000 }
    }
}

/// With more phases than this only positions are told apart: a state of phases would be larger than one of
/// positions.
const MOST_PHASES: usize = 256;
/// The bytes that the states of a search may take.
const MOST_BYTES: u64 = 1 << 30;

/// Why no schedule is longer, and what the computation counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The bound.
    pub upper: u32,
    /// What proves it.
    pub by: &'static str,
    /// What there is to count, and how much of it there is.
    pub numbers: Vec<(&'static str, u64)>,
}

/// What came of an attempt to prove a bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    /// A proof.
    Proven(Proof),
    /// There is none, or none within the limits on cells and states.
    NotFound,
    /// The limit on work was reached before either was clear.
    GivenUp,
}

/// The names of the proofs, as certificates give them.
pub const PROOFS: [&str; 4] = [
    super::bounds::BLOCKED_CYCLES,
    "all paths between states of phases",
    "no path between states of phases with their largest remainders",
    "no path between positions of warps",
];

/// The cheapest proof that no schedule takes longer than `upper` cycles; `None` where none is found within
/// the limits, or the machine lacks a unit that the kernel needs.
pub fn prove(model: &Model<'_>, upper: u32, limits: Limits) -> Option<Proof> {
    match attempt(model, upper, limits) {
        Attempt::Proven(proof) => Some(proof),
        Attempt::NotFound | Attempt::GivenUp => None,
    }
}

/// The same, which tells a proof that is not there from one that would take too much work.
pub fn attempt(model: &Model<'_>, upper: u32, limits: Limits) -> Attempt {
    let work = Work::new(limits.work);
    match within(model, upper, limits, &work) {
        Some(proof) => Attempt::Proven(proof),
        None if work.is_over() => Attempt::GivenUp,
        None => Attempt::NotFound,
    }
}

fn within(model: &Model<'_>, upper: u32, limits: Limits, work: &Work) -> Option<Proof> {
    let phases = Phases::new(model)?;
    let formula = formula::blocked_cycles(model);
    if formula.bound() <= u64::from(upper) {
        let numbers = vec![("own", formula.own), ("blocked", formula.blocked), ("all", formula.all)];
        return Some(Proof { upper, by: PROOFS[0], numbers });
    }
    let few = phases.count() <= MOST_PHASES;
    let table = if few { table::Table::new(&phases, limits.cells, work) } else { None };
    let cells = table.as_ref().map_or(0, table::Table::cells);
    if let Some(table) = &table {
        let longest = table.longest(&phases.start());
        if longest <= upper {
            let numbers = vec![("cells", cells), ("longest", longest.into())];
            return Some(Proof { upper, by: PROOFS[1], numbers });
        }
    }
    if work.is_over() {
        return None;
    }
    let reach = |state: &[phases::Group]| match &table {
        Some(table) => table.longest(state),
        None => phases.longest(state),
    };
    let by_phases = || {
        let most = most_states::<phases::Group>(phases.count(), limits);
        if few { forward::phases(&phases, upper, most, work, reach) } else { None }
    };
    let by_positions = || {
        let most = most_states::<u16>(model.warps, limits);
        forward::positions(&phases, upper, most, work, reach)
    };
    let found = by_phases().map(|states| (PROOFS[2], states));
    let found = found.or_else(|| by_positions().map(|states| (PROOFS[3], states)));
    found.map(|(by, states)| Proof { upper, by, numbers: vec![("cells", cells), ("states", states)] })
}

/// How many states of so many parts a search may have; each takes some bytes besides its parts.
fn most_states<Part>(parts: usize, limits: Limits) -> u64 {
    limits.states.min(MOST_BYTES / ((parts * size_of::<Part>()) as u64 + 64))
}

/// The bound that a formula alone proves; `None` where the machine lacks a unit that the kernel needs.
pub fn cheapest(model: &Model<'_>) -> Option<u32> {
    Phases::new(model)?;
    u32::try_from(formula::blocked_cycles(model).bound()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PerUnit, bounds};
    use base::Seeded;
    use expect_test::expect;

    fn parsed(text: &str) -> Kernel {
        match Kernel::parse(text) {
            Ok(kernel) => kernel,
            Err(error) => unreachable!("{text}: {}", error.what),
        }
    }

    /// The longest schedule by trying everything; positions are tried in every maximal and fair choice.
    fn longest(model: &Model<'_>) -> u32 {
        let Some(phases) = Phases::new(model) else { unreachable!("all units are there") };
        let mut layer = std::collections::HashSet::from([vec![0u16; model.warps]]);
        let mut cycles = 0;
        loop {
            let mut next = std::collections::HashSet::new();
            for state in &layer {
                phases.each_step(state, &Work::new(u64::MAX), &mut |state| {
                    next.insert(state.to_vec());
                });
            }
            if next.is_empty() {
                return cycles;
            }
            cycles += 1;
            layer = next;
        }
    }

    #[test]
    fn the_worst_case_is_provable_and_nothing_below_it_is() {
        let mut rng = Seeded::new(31, 0);
        let mut seen = [0; 4];
        let reach = |phases: &Phases, state: &[phases::Group]| phases.longest(state);
        for _ in 0..1_500 {
            let warps = 1 + rng.below(4) as usize;
            let kinds = 1 + rng.below(4);
            let text: String =
                (0..=rng.below(7)).map(|_| ['L', 'C', 'S', 'D'][rng.below(kinds) as usize]).collect();
            let kernel = parsed(&text);
            let machine = Machine {
                capacity: PerUnit::from_fn(|_| 1 + rng.below(2)),
                issue: [None, Some(1), Some(2), Some(3)][rng.below(4) as usize],
            };
            let boundaries = (0..=kernel.len() as u32).filter(|_| rng.below(3) == 0).collect();
            let fairness =
                if rng.below(2) == 0 { Fairness::WorkConserving } else { Fairness::SubBlock(boundaries) };
            let model = Model { kernel: &kernel, machine: &machine, fairness: &fairness, warps };
            let worst = longest(&model);
            assert_eq!(prove(&model, worst - 1, Limits::default()), None, "{text} {machine:?} {fairness:?}");
            let Some(proof) = prove(&model, worst, Limits::default()) else {
                unreachable!("{text} {machine:?} {fairness:?}: {worst} is provable")
            };
            seen[PROOFS.iter().position(|by| *by == proof.by).unwrap_or(0)] += 1;
            // Without room for a table the searches prove it all the same.
            let bare = Limits { cells: 0, states: 1 << 20, ..Limits::default() };
            assert!(prove(&model, worst, bare).is_some());
            let Some(phases) = Phases::new(&model) else { unreachable!("all units are there") };
            let positions = |upper| {
                forward::positions(&phases, upper, 1 << 20, &Work::new(u64::MAX), |state| {
                    reach(&phases, state)
                })
            };
            assert!(positions(worst).is_some() && positions(worst - 1).is_none());
        }
        assert!(seen[..3].iter().all(|&n| n > 5), "{seen:?}");
    }

    #[test]
    fn the_formula_is_the_same_as_the_bound() {
        let mut rng = Seeded::new(32, 0);
        for _ in 0..500 {
            let text: String =
                (0..=rng.below(30)).map(|_| ['L', 'C', 'S', 'D'][rng.below(4) as usize]).collect();
            let kernel = parsed(&text);
            let capacity = PerUnit::from_fn(|_| 1 + rng.below(5));
            let machine = Machine { capacity, issue: [None, Some(3)][rng.below(2) as usize] };
            let warps = 1 + rng.below(64) as usize;
            let fairness = Fairness::WorkConserving;
            let model = Model { kernel: &kernel, machine: &machine, fairness: &fairness, warps };
            assert_eq!(cheapest(&model), bounds::blocked_cycles(&kernel, &machine, warps));
        }
    }

    /// How many states and cells there are and how much work it takes to count them is the same for whoever does it; with
    /// one state, cell or unit of work less there is no proof.
    #[test]
    fn what_is_counted_is_pinned() {
        let told = |text: &str, (capacity, issue): ([u32; 4], Option<u32>), fairness: Fairness, warps| {
            let (kernel, machine) = (parsed(text), Machine { capacity: PerUnit(capacity), issue });
            let model = Model { kernel: &kernel, machine: &machine, fairness: &fairness, warps };
            let Some(phases) = Phases::new(&model) else { unreachable!("all units are there") };
            let worst = longest(&model);
            let reach = |state: &[phases::Group]| phases.longest(state);
            let by_phases = |most, work: &Work| forward::phases(&phases, worst, most, work, reach);
            let by_positions = |most, work: &Work| forward::positions(&phases, worst, most, work, reach);
            let by_table = |most, work: &Work| Some(table::Table::new(&phases, most, work)?.cells());
            let count = |by: &dyn Fn(u64, &Work) -> Option<u64>| {
                let all = Work::new(u64::MAX);
                let Some(most) = by(u64::MAX, &all) else { return "nothing".to_owned() };
                assert_eq!((by(most, &all), by(most - 1, &all)), (Some(most), None), "{text}");
                let (mut none, mut some) = (0, 1 << 20);
                while some - none > 1 {
                    let work = none + (some - none) / 2;
                    if by(most, &Work::new(work)).is_some() { some = work } else { none = work }
                }
                format!("{most} with {some}")
            };
            let counts = [count(&by_table), count(&by_phases), count(&by_positions)];
            format!("{worst}: {}", counts.join(", "))
        };
        let fair = |boundaries: &[u32]| Fairness::SubBlock(boundaries.to_vec());
        let free = Fairness::WorkConserving;
        expect!["14: 156 with 953, 49 with 3407, 43 with 2144"].assert_eq(&told(
            "2L 3C L 2C",
            ([1, 2, 0, 0], None),
            free.clone(),
            3,
        ));
        expect!["22: 450 with 3262, 118 with 14865, 127 with 12362"].assert_eq(&told(
            "2L 3C L 2C",
            ([1, 2, 0, 0], Some(2)),
            free.clone(),
            4,
        ));
        expect!["13: 84 with 520, 13 with 626, 13 with 338"].assert_eq(&told(
            "3C S 2L",
            ([2, 1, 1, 0], Some(2)),
            fair(&[2, 4]),
            3,
        ));
        expect!["12: 35 with 528, 1 with 37, 1 with 17"].assert_eq(&told(
            "L C L C",
            ([1, 1, 0, 0], Some(1)),
            free,
            3,
        ));
    }

    /// Work is limited, not time: what takes more is given up, and that is not called a refusal.
    #[test]
    fn what_takes_too_much_work_is_given_up() {
        let kernel = parsed("5L 9C 2L 9C");
        let machine = Machine { capacity: PerUnit([1, 4, 0, 0]), issue: Some(4) };
        let fairness = Fairness::WorkConserving;
        let model = Model { kernel: &kernel, machine: &machine, fairness: &fairness, warps: 5 };
        for cells in [0, Limits::default().cells] {
            let of = |work, upper| attempt(&model, upper, Limits { cells, work, ..Limits::default() });
            for work in [1, 10, 1_000, 10_000] {
                assert_eq!(of(work, 65), Attempt::GivenUp, "{cells} {work}");
            }
            assert!(matches!(of(u64::MAX, 65), Attempt::Proven(_)));
            assert_eq!(of(u64::MAX, 64), Attempt::NotFound);
            // More work never takes a proof away.
            let enough = (0..40).find(|&bits| matches!(of(1 << bits, 65), Attempt::Proven(_)));
            assert!(
                enough.is_some_and(
                    |bits| (bits..40).all(|bits| matches!(of(1 << bits, 65), Attempt::Proven(_)))
                )
            );
        }
        // The formula takes none.
        assert!(matches!(attempt(&model, 200, Limits { work: 0, ..Limits::default() }), Attempt::Proven(_)));
    }

    #[test]
    fn states_are_fewer_where_they_are_larger() {
        let limits = Limits { states: 6_000_000, ..Limits::default() };
        assert_eq!(most_states::<u16>(8, limits), 6_000_000);
        assert_eq!(most_states::<u16>(64, limits), (1 << 30) / 192);
        assert_eq!(most_states::<phases::Group>(16, limits), (1 << 30) / 256);
    }

    /// Lengths are kept in two bytes each; what may take longer has no table.
    #[test]
    fn the_longest_path_in_a_table_has_65535_cycles() {
        let machine = Machine { capacity: PerUnit([1, 0, 0, 0]), issue: None };
        let fairness = Fairness::WorkConserving;
        let of = |text, warps| {
            let kernel = parsed(text);
            let phases =
                Phases::new(&Model { kernel: &kernel, machine: &machine, fairness: &fairness, warps })?;
            let table = table::Table::new(&phases, u64::MAX, &Work::new(u64::MAX))?;
            Some(table.longest(&phases.start()))
        };
        assert_eq!((of("4369L", 15), of("4096L", 16)), (Some(65_535), None));
    }

    #[test]
    fn voronoi_with_few_warps() {
        let kernel = parsed("5L 9C 2L 9C");
        for (warps, issue, worst) in [(3, None, 37), (4, None, 45), (4, Some(4), 45), (5, Some(4), 65)] {
            let machine = Machine { capacity: PerUnit([1, 4, 0, 0]), issue };
            let fairness = Fairness::WorkConserving;
            let model = Model { kernel: &kernel, machine: &machine, fairness: &fairness, warps };
            assert!(prove(&model, worst, Limits::default()).is_some(), "{warps} {issue:?}");
            assert_eq!(prove(&model, worst - 1, Limits::default()), None, "{warps} {issue:?}");
        }
    }
}
