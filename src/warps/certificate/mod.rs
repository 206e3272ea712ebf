//! Upper bounds derived a second time, so that a result can be checked without trusting what found it.
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
    let most = |bytes: usize| limits.states.min(MOST_BYTES / (bytes as u64 + 64));
    let by_phases = || {
        let most = most(phases.count() * size_of::<phases::Group>());
        if few { forward::phases(&phases, upper, most, work, reach) } else { None }
    };
    let by_positions =
        || forward::positions(&phases, upper, most(model.warps * size_of::<u16>()), work, reach);
    let found = by_phases().map(|states| (PROOFS[2], states));
    let found = found.or_else(|| by_positions().map(|states| (PROOFS[3], states)));
    found.map(|(by, states)| Proof { upper, by, numbers: vec![("cells", cells), ("states", states)] })
}

/// The bound that a formula alone proves; `None` where the machine lacks a unit that the kernel needs.
pub fn cheapest(model: &Model<'_>) -> Option<u32> {
    Phases::new(model)?;
    u32::try_from(formula::blocked_cycles(model).bound()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Seeded;
    use crate::warps::{PerUnit, bounds};

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
