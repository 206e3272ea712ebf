//! The longest schedule with loads that last: beams and annealing from below, breadth-first branch and bound for the
//! proof.
//!
//! First beams of growing width, judged by two rules, and some chains of annealing look for long schedules. Then all states are searched, cycle by
//! cycle, but for those that cannot take longer than what was found, by the bound of [`super::bounds`]. A hit is
//! never left out for a miss: where only so many may miss, a hit in place of a miss can take longer in the end.
//!
//! Everything is stepped and holds a bracket at any time: a schedule on one side, a proof on the other.

use super::Problem;
use super::anneal::AnnealingChain;
use super::bounds::{self, Bounds};
pub use super::breadth_first::Ranking;
use super::breadth_first::{BreadthFirst, Width};
use super::construct::{construct, started};
use super::misses;
use crate::anneal::{Neighbourhood, Settings, StartKind};
use crate::{Schedule, Start};

/// The name of the proof by trying everything, as reports give it.
pub const ALL_STATES: &str = "all states, cycle by cycle";

/// The beams that are tried before the search for all.
const BEAMS: [(usize, Ranking); 6] = [
    (30, Ranking::Work),
    (30, Ranking::Bound),
    (300, Ranking::Work),
    (300, Ranking::Bound),
    (2_000, Ranking::Work),
    (2_000, Ranking::Bound),
];

/// A schedule with the loads that miss in it.
pub type Witness = (Schedule, Vec<(u16, u16)>);

/// The chains of annealing after them: what each starts from.
const CHAINS: [StartKind; 4] =
    [StartKind::Random, StartKind::MostPending, StartKind::FixedPriority, StartKind::Random];

/// What is being done.
#[derive(Debug, Clone)]
enum Stage {
    /// The beam of this number.
    Beam(usize, Box<BreadthFirst>),
    /// The chain of this number.
    Chain(usize, Box<AnnealingChain>),
    All(Box<BreadthFirst>),
    Over,
}

/// The search for the longest schedule.
#[derive(Debug, Clone)]
pub struct Search {
    stage: Stage,
    best: Witness,
    upper: u32,
    upper_by: &'static str,
    states: u64,
    memory: u64,
    gave_up: bool,
}

impl Search {
    /// A search at its beginning, which may use so many bytes; `None` where the kernel needs a unit that is not
    /// there, or which loads miss is given.
    pub fn new(problem: &Problem, memory: u64) -> Option<Self> {
        let upper = Bounds::new(problem)?.whole(problem);
        let first = BreadthFirst::new(problem, Width::Best(BEAMS[0].0, BEAMS[0].1), 0, memory)?;
        let best = longest_start(problem)?;
        Some(Self {
            stage: Stage::Beam(0, Box::new(first)),
            best,
            upper,
            upper_by: bounds::BLOCKED_CYCLES,
            states: 0,
            memory,
            gave_up: false,
        })
    }

    /// Goes on for about `budget` units of some nanoseconds; whether there is more to do.
    pub fn step(&mut self, problem: &Problem, budget: u64) -> bool {
        match &mut self.stage {
            Stage::Beam(number, search) => {
                if search.step(budget) {
                    return true;
                }
                let number = *number + 1;
                self.states += search.states();
                if let Some(longer) =
                    search.witness(problem).filter(|(longer, _)| longer.makespan() > self.best.0.makespan())
                {
                    self.best = longer;
                }
                self.stage = self.begin(problem, number);
            }
            Stage::Chain(number, chain) => {
                let cost = problem.warps as u64 * problem.kernel.len() as u64 + 1;
                if chain.advance(budget / cost + 1) > 0 && chain.best() < self.upper {
                    return true;
                }
                let number = *number + 1;
                if chain.best() > self.best.0.makespan()
                    && let Some((order, missed)) = chain.witness()
                    && let Some(schedule) = construct(problem, &order, &missed)
                {
                    self.best = (schedule, missed);
                }
                self.stage = self.begin(problem, BEAMS.len() + number);
            }
            Stage::All(search) => {
                let cycle = search.cycle();
                let more = search.step(budget);
                if cycle < search.cycle() && search.upper() < self.upper {
                    (self.upper, self.upper_by) = (search.upper(), ALL_STATES);
                }
                if search.best() > self.best.0.makespan()
                    && let Some(longer) = search.witness(problem)
                {
                    self.best = longer;
                }
                if !more {
                    let upper = search.upper();
                    if upper < self.upper {
                        (self.upper, self.upper_by) = (upper, ALL_STATES);
                    }
                    self.gave_up = self.upper > self.best.0.makespan();
                    self.states += search.states();
                    self.stage = Stage::Over;
                }
            }
            Stage::Over => {}
        }
        !matches!(self.stage, Stage::Over)
    }

    /// What comes at this place: the beams, the chains, and then all states; nothing once both bounds meet.
    fn begin(&self, problem: &Problem, number: usize) -> Stage {
        let floor = self.best.0.makespan();
        if floor >= self.upper {
            return Stage::Over;
        }
        if let Some(&(width, ranking)) = BEAMS.get(number) {
            let beam = BreadthFirst::new(problem, Width::Best(width, ranking), floor, self.memory);
            return beam.map_or(Stage::Over, |beam| Stage::Beam(number, Box::new(beam)));
        }
        let number = number - BEAMS.len();
        if let Some(&start) = CHAINS.get(number) {
            let size = problem.warps as u64 * problem.kernel.len() as u64;
            let iterations = (8_000_000 / size).min(50 * size);
            let neighbourhood = Neighbourhood::Auto;
            let settings = Settings { iterations, rounds: 1, t0: 0.3, seed: 1, neighbourhood };
            let chain = AnnealingChain::new(problem, settings, start, number as u64);
            return chain.map_or(Stage::Over, |chain| Stage::Chain(number, Box::new(chain)));
        }
        let all = BreadthFirst::new(problem, Width::All, floor, self.memory);
        all.map_or(Stage::Over, |all| Stage::All(Box::new(all)))
    }

    /// The longest schedule so far.
    pub fn best(&self) -> &Witness {
        &self.best
    }

    /// No schedule takes longer than this, and why.
    pub fn upper(&self) -> (u32, &'static str) {
        (self.upper, self.upper_by)
    }

    /// What is being done, in plain words.
    pub fn phase(&self) -> &'static str {
        match self.stage {
            Stage::Beam(..) => "beam search",
            Stage::Chain(..) => "simulated annealing",
            Stage::All(_) => "trying all states",
            Stage::Over => "done",
        }
    }

    /// The cycle it is at.
    pub fn layer(&self) -> u32 {
        match &self.stage {
            Stage::Beam(_, search) | Stage::All(search) => search.cycle(),
            Stage::Chain(..) | Stage::Over => 0,
        }
    }

    /// States looked at.
    pub fn states(&self) -> u64 {
        self.states
            + match &self.stage {
                Stage::Beam(_, search) | Stage::All(search) => search.states(),
                Stage::Chain(..) | Stage::Over => 0,
            }
    }

    /// Did it end on a limit, with a gap?
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }
}

/// A beam by itself.
#[derive(Debug, Clone)]
pub struct Beam {
    search: BreadthFirst,
    best: Witness,
}

impl Beam {
    /// A beam at its beginning; `None` as for [`Search::new`].
    pub fn new(problem: &Problem, width: usize, ranking: Ranking) -> Option<Self> {
        let search = BreadthFirst::new(problem, Width::Best(width, ranking), 0, 1 << 30)?;
        Some(Self { search, best: longest_start(problem)? })
    }

    /// Goes on; whether there is more to do.
    pub fn step(&mut self, problem: &Problem, budget: u64) -> bool {
        let more = self.search.step(budget);
        if !more
            && let Some(longer) =
                self.search.witness(problem).filter(|(longer, _)| longer.makespan() >= self.best.0.makespan())
        {
            self.best = longer;
        }
        more
    }

    /// The longest schedule so far.
    pub fn best(&self) -> &Witness {
        &self.best
    }

    /// The cycle it is at.
    pub fn layer(&self) -> u32 {
        self.search.cycle()
    }

    /// Did it end because there was no room?
    pub fn is_out_of_memory(&self) -> bool {
        self.search.is_out_of_memory()
    }
}

/// The longest of what the known starts make, with a quick placement of misses: what a search has from the start.
fn longest_start(problem: &Problem) -> Option<Witness> {
    let made = starts(problem).into_iter().map(|(_, witness)| witness);
    made.rev().max_by_key(|(schedule, _)| schedule.makespan())
}

/// What each of the known starts takes, with a quick placement of misses.
pub fn starts(problem: &Problem) -> Vec<(Start, Witness)> {
    let made = |start| {
        let missed = misses::first(problem);
        Some((start, (started(problem, start, &missed)?, missed)))
    };
    Start::FIXED.into_iter().filter_map(made).collect()
}
