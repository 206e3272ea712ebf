//! The worst makespan of warps that start together: looked up, or sought exactly as far as the effort goes.
//!
//! The worst makespan never shrinks with more warps. Take a schedule of `W` warps and give one more the least priority
//! in every cycle: it takes only what the others leave, so they run as before, and the whole is work-conserving as
//! the construction of module `construct` is for every order. So what is known of some number of warps bounds
//! all others: from below those that are more, from above those that are fewer. The same goes for pipelined loads, which
//! take their unit in one cycle only. It does not for held ones: the one more could still hold a place that one of
//! the others needs in the next cycle. So chains know no held loads.
//!
//! Invariant: what is known only narrows, and does not depend on how long slices are: the effort is counted after
//! batches of the same size, in states, and in work where a state has many choices.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::machine_code::{CodeSearch, MachineCode, Upper};
use super::model::Sm;
use super::orders::Orders;
use super::provenance::Sides;
use super::units::Cycles;
use super::valued::Bracket;
use super::waves;
use base::{Control, people};
use code::launch::MOST_WARPS as MOST_CODE;
use warps::exact::{Limits, Problem, Search};
use warps::memory::{self, MOST_CYCLES};
use warps::{Fairness, Kernel, MOST_WARPS, Unit, bounds};

/// Fuel between two looks at the effort.
const BATCH: u64 = 1 << 12;
/// Fuel that counts as a state: what leads to no new one has an end, too.
const STATE: u64 = 100;
/// Bytes that a search may use.
const MEMORY: u64 = 64 << 20;

/// What is known of some warps of one string.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cached {
    lower: u64,
    upper: u64,
    by: String,
}

/// A string, warps of a block, blocks, and how many of them there is room for.
type Replaced = (String, u64, u64, u64);

/// What is known of all strings on one multiprocessor.
#[derive(Debug, Clone)]
pub struct Makespans {
    sm: Sm,
    known: BTreeMap<(String, u64), Cached>,
    /// The same of machine code, by blocks that start together.
    of_code: Vec<(MachineCode, u64, Cached)>,
    /// Blocks that replace each other: string, warps of a block, blocks, room.
    replaced: RefCell<BTreeMap<Replaced, Option<Cycles>>>,
    orders: Orders,
}

/// A makespan to be sought.
#[derive(Debug, Clone, PartialEq)]
pub enum Need {
    /// Of a string, normalised, and so many warps.
    String(Kernel, u64),
    /// Of machine code, and so many blocks that start together.
    Code(MachineCode, u64),
}

impl Makespans {
    /// Nothing is known yet of this multiprocessor.
    pub fn new(sm: Sm) -> Self {
        Self {
            sm,
            known: BTreeMap::new(),
            of_code: Vec::new(),
            replaced: RefCell::default(),
            orders: Orders::default(),
        }
    }

    /// The same, with launch orders not sought until somebody has time.
    #[must_use]
    pub fn in_slices(self) -> Self {
        Self { orders: Orders::later(), ..self }
    }

    /// Worst launch orders.
    pub fn orders(&self) -> &Orders {
        &self.orders
    }

    /// The multiprocessor.
    pub fn sm(&self) -> &Sm {
        &self.sm
    }

    /// A schedule of blocks that replace each other, as long as one found (module `waves`).
    pub fn replaced(&self, kernel: &Kernel, warps: u64, blocks: u64, room: u64) -> Option<Cycles> {
        let key = (kernel.to_string(), warps, blocks, room);
        let mut known = self.replaced.borrow_mut();
        *known.entry(key).or_insert_with(|| waves::at_least(kernel, &self.sm, warps, blocks, room))
    }

    /// Whether it was sought already.
    pub fn has(&self, need: &Need) -> bool {
        match need {
            Need::String(kernel, warps) => self.known.contains_key(&(kernel.to_string(), *warps)),
            Need::Code(code, blocks) => self.cached(code, *blocks).is_some(),
        }
    }

    fn cached(&self, code: &MachineCode, blocks: u64) -> Option<&Cached> {
        self.of_code.iter().find(|(own, number, _)| *number == blocks && own == code).map(|own| &own.2)
    }

    /// The worst makespan of so many blocks of machine code that start together, as far as is known; the upper side holds
    /// for fewer blocks, too (module `machine_code`).
    pub fn of_code(&self, code: &MachineCode, blocks: u64, on: &Sides) -> Bracket<Cycles> {
        let most = |blocks: u64| {
            let Upper { cycles: Cycles(formula), added_up } = code.at_most(blocks);
            match self.cached(code, blocks) {
                Some(known) if known.upper < formula => (known.upper, known.by.clone()),
                _ => match code.too_many(blocks) {
                    None => (formula, bounds::BLOCKED_CYCLES.to_owned()),
                    Some(warps) => (formula, of_many(warps, added_up)),
                },
            }
        };
        // The formula only grows with blocks: those below the first of which nothing else is known do not matter.
        let mut upper = most(blocks);
        for fewer in (1..blocks).rev() {
            let own = most(fewer);
            if own.0 > upper.0 {
                upper = own;
            }
            if self.cached(code, fewer).is_none() {
                break;
            }
        }
        let known = self.cached(code, blocks).map_or(0, |known| known.lower);
        let lower = match known > code.at_least().0 {
            true => (Cycles(known), "a schedule found takes as long".to_owned()),
            false => (code.at_least(), "the longest way of a warp, and what units serve".to_owned()),
        };
        Bracket::between((lower.0.min(Cycles(upper.0)), lower.1), (Cycles(upper.0), upper.1), on)
    }

    /// The worst makespan of so many warps, as far as is known: at once what needs no search, later what was found. It
    /// rests on what the string and the number of warps do.
    pub fn of(&self, kernel: &Kernel, warps: u64, on: &Sides) -> Bracket<Cycles> {
        let name = kernel.to_string();
        let mut lower = (
            at_least(kernel, &self.sm, warps),
            "what capacities and the length of the string ask for".to_owned(),
        );
        let mut upper = (at_most(kernel, &self.sm, warps), bounds::BLOCKED_CYCLES.to_owned());
        let of_this = self.known.range((name.clone(), 0)..=(name, u64::MAX));
        for ((_, others), known) in of_this {
            let warps_of = usize::try_from(*others).unwrap_or(usize::MAX);
            let exact = format!("{}, {}", known.by, people::counted(warps_of, "warp"));
            if *others <= warps && known.lower > lower.0 {
                let how = if *others == warps {
                    "a schedule found takes as long"
                } else {
                    "fewer warps take as long"
                };
                lower = (known.lower, how.to_owned());
            }
            if *others >= warps && known.upper <= upper.0 {
                upper = (known.upper, exact);
            }
        }
        Bracket::between((Cycles(lower.0.min(upper.0)), lower.1), (Cycles(upper.0), upper.1), on)
    }
}

/// By what more warps of machine code are bounded than a launch may have.
fn of_many(warps: u64, added_up: bool) -> String {
    let how = match added_up {
        true => "all instructions of all blocks, one after the other",
        false => "own cycles of the last block and those in which all others can block it",
    };
    let warps = people::grouped(warps.into());
    format!("{how}, as sharper bounds are of {MOST_CODE} warps at most, and these are {warps}")
}

/// No work-conserving schedule takes more: own and blocked cycles of the last warp.
fn at_most(kernel: &Kernel, sm: &Sm, warps: u64) -> u64 {
    let all = sm.path(kernel).1.saturating_mul(warps);
    if sm.memory.is_some() {
        return waves::rest_at_most(kernel, sm, warps).map_or(all, |cycles| cycles.0.min(all));
    }
    let few = usize::try_from(warps).ok();
    few.and_then(|warps| bounds::blocked_cycles(kernel, &sm.machine, warps)).map_or(all, u64::from)
}

/// No schedule takes less: the string itself, the issue slots, every unit.
pub fn at_least(kernel: &Kernel, sm: &Sm, warps: u64) -> u64 {
    let (totals, machine) = (kernel.totals(), &sm.machine);
    let unit = |unit: Unit| {
        let capacity = u64::from(machine.serves(unit)).max(1);
        u64::from(totals[unit]).saturating_mul(warps).div_ceil(capacity)
    };
    let issue = (kernel.len() as u64).saturating_mul(warps).div_ceil(machine.issue_limit().max(1).into());
    Unit::ALL.into_iter().map(unit).fold(issue.max(sm.path(kernel).0), u64::max)
}

/// A search for one makespan.
#[derive(Debug)]
pub struct SearchRequest {
    need: Need,
    sm: Sm,
    search: Searcher,
    effort: u64,
    /// Batches so far.
    batches: u64,
}

/// What seeks it.
#[derive(Debug)]
enum Searcher {
    /// One cycle for every instruction.
    Plain(Box<Search>),
    /// Loads that take longer.
    Loads(Box<memory::exact::Search>),
    /// Machine code.
    Code(Box<CodeSearch>),
    /// Bounds have to do.
    No,
}

/// The makespan of warps of a string: the one place where one is sought.
pub fn makespan(need: Need, sm: &Sm, effort: u64) -> SearchRequest {
    let search = match &need {
        Need::String(kernel, warps) => of_string(kernel, *warps, sm),
        Need::Code(code, blocks) => code.together(*blocks).map_or(Searcher::No, |launch| {
            Searcher::Code(Box::new(CodeSearch::new(launch, effort.saturating_mul(STATE))))
        }),
    };
    SearchRequest { need, sm: sm.clone(), search, effort, batches: 0 }
}

fn of_string(kernel: &Kernel, number: u64, sm: &Sm) -> Searcher {
    let warps = usize::try_from(number).unwrap_or(usize::MAX);
    let machine = &sm.machine;
    match &sm.memory {
        _ if warps > MOST_WARPS => Searcher::No,
        None => {
            let problem = Problem { kernel, machine, warps, fairness: &Fairness::WorkConserving };
            let search = Search::new(&problem, Limits { memory: MEMORY });
            search.map_or(Searcher::No, |search| Searcher::Plain(Box::new(search)))
        }
        Some(_) if sm.path(kernel).1.saturating_mul(number) > MOST_CYCLES => Searcher::No,
        Some(memory) => {
            let search =
                memory::exact::Search::new(&memory::Problem { kernel, machine, memory, warps }, MEMORY);
            search.map_or(Searcher::No, |search| Searcher::Loads(Box::new(search)))
        }
    }
}

impl SearchRequest {
    /// Goes on; whether there is more to do.
    pub fn step(&mut self, control: &mut Control) -> bool {
        loop {
            self.batches += 1;
            let worked = self.states().max(self.batches * (BATCH / STATE));
            if worked >= self.effort {
                return false;
            }
            let more = match (&mut self.search, &self.sm.memory, &self.need) {
                (Searcher::Plain(search), ..) => search.step(BATCH),
                (Searcher::Code(search), ..) => search.step(BATCH),
                (Searcher::Loads(search), Some(memory), Need::String(kernel, warps)) => {
                    let warps = usize::try_from(*warps).unwrap_or(usize::MAX);
                    let machine = &self.sm.machine;
                    search.step(&memory::Problem { kernel, machine, memory, warps }, BATCH)
                }
                _ => false,
            };
            if !more {
                return false;
            }
            if !control.spend(BATCH) {
                return true;
            }
        }
    }

    /// Writes down what was found.
    pub fn note(&self, into: &mut Makespans) {
        let (kernel, warps) = match &self.need {
            Need::String(kernel, warps) => (kernel, *warps),
            Need::Code(code, blocks) => return self.note_code(code, *blocks, into),
        };
        let key = (kernel.to_string(), warps);
        let (mut lower, mut upper) = (at_least(kernel, &into.sm, warps), at_most(kernel, &into.sm, warps));
        let mut by = bounds::BLOCKED_CYCLES.to_owned();
        let found = match &self.search {
            Searcher::Plain(search) => {
                let found = search.bracket();
                Some((found.lower, found.upper, found.upper_by))
            }
            Searcher::Loads(search) => {
                let (upper, by) = search.upper();
                Some((search.best().0.makespan(), upper, by))
            }
            Searcher::Code(_) | Searcher::No => None,
        };
        if let Some((least, most, how)) = found {
            lower = lower.max(least.into());
            if u64::from(most) <= upper {
                (upper, by) = (most.into(), how.to_owned());
            }
        }
        into.known.insert(key, Cached { lower, upper, by: bounds::in_words(&by).to_owned() });
    }

    fn note_code(&self, code: &MachineCode, blocks: u64, into: &mut Makespans) {
        let nothing = (0, code.at_most(blocks).cycles.0, bounds::BLOCKED_CYCLES);
        let (lower, upper, by) = match &self.search {
            Searcher::Code(search) => search.bracket(),
            _ => nothing,
        };
        into.of_code.push((
            code.clone(),
            blocks,
            Cached { lower, upper, by: bounds::in_words(by).to_owned() },
        ));
    }

    /// States looked at.
    pub fn states(&self) -> u64 {
        match &self.search {
            Searcher::Code(search) => search.states(),
            Searcher::Plain(search) => search.states(),
            Searcher::Loads(search) => search.states(),
            Searcher::No => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::valued::Evidence;
    use super::*;
    use warps::{Machine, Memory, Misses, PerUnit};

    fn kernel(text: &str) -> Kernel {
        match Kernel::parse(text) {
            Ok(kernel) => kernel,
            Err(error) => unreachable!("{error:?}"),
        }
    }

    fn sought(makespans: &mut Makespans, kernel: &Kernel, warps: u64) {
        let mut seeking = makespan(Need::String(kernel.clone(), warps), &makespans.sm.clone(), 1 << 20);
        while seeking.step(&mut Control::slice(100)) {}
        seeking.note(makespans);
    }

    #[test]
    fn what_is_sought_bounds_fewer_and_more_warps() {
        let voronoi = kernel("5L 9C 2L 9C");
        let mut makespans =
            Makespans::new(Sm::plain(Machine { capacity: PerUnit([1, 4, 0, 0]), issue: None }));
        let values = |makespans: &Makespans, warps| {
            let bracket = makespans.of(&voronoi, warps, &Sides::NOTHING);
            bracket
                .lower()
                .zip(bracket.upper())
                .map(|(lower, upper)| (lower.value.0, upper.value.0, upper.kind()))
        };
        let before = values(&makespans, 5);
        assert!(before.is_some_and(|(lower, upper, _)| lower < 57 && upper > 57), "{before:?}");
        sought(&mut makespans, &voronoi, 4);
        sought(&mut makespans, &voronoi, 6);
        assert_eq!(values(&makespans, 4), Some((45, 45, Evidence::Exact)));
        assert_eq!(values(&makespans, 5), Some((45, 67, Evidence::Upper)));
        assert_eq!(values(&makespans, 6), Some((67, 67, Evidence::Exact)));
        let why = |warps| {
            let bracket = makespans.of(&voronoi, warps, &Sides::NOTHING);
            bracket.lower().map_or_else(String::new, |lower| lower.why.clone())
        };
        assert_eq!([why(5), why(7)], ["fewer warps take as long"; 2]);
        assert!(values(&makespans, 7).is_some_and(|(lower, upper, _)| lower >= 67 && upper >= 67));
    }

    #[test]
    fn loads_that_take_longer_are_sought_too() {
        let memory =
            Memory { mode: warps::Mode::Pipelined, hit: 1, miss: 4, misses: Misses::All, missing: None };
        let machine = Machine { capacity: PerUnit([1, 1, 0, 0]), issue: None };
        let mut makespans = Makespans::new(Sm { machine, memory: Some(memory) });
        // Loads in cycles 1 to 4 and 2 to 5, then one instruction each in cycles 5 and 6.
        sought(&mut makespans, &kernel("LC"), 2);
        let bracket = makespans.of(&kernel("LC"), 2, &Sides::NOTHING);
        assert_eq!(bracket.upper().map(|f| (f.value, f.kind())), Some((Cycles(6), Evidence::Exact)));
        // One warp takes 5 by itself, and each other blocks it in two cycles at the most.
        assert_eq!(makespans.of(&kernel("LC"), 1, &Sides::NOTHING).lower().map(|f| f.value), Some(Cycles(5)));
        let three = makespans.of(&kernel("LC"), 3, &Sides::NOTHING);
        assert!(three.upper().is_some_and(|f| f.value >= Cycles(7) && f.value <= Cycles(9)), "{three:?}");
    }

    #[test]
    fn more_warps_than_are_searched_are_bounded() {
        let makespans =
            Makespans::new(Sm::plain(Machine { capacity: PerUnit([1, 2, 0, 0]), issue: Some(2) }));
        let bracket = makespans.of(&kernel("LCC"), 100, &Sides::NOTHING);
        assert_eq!(bracket.lower().map(|f| (f.value, f.kind())), Some((Cycles(150), Evidence::Lower)));
        assert!(bracket.upper().is_some_and(|f| f.value > Cycles(150) && f.value <= Cycles(300)));
    }
}
