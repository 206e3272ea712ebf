//! The driver of the exact search: bounds, beams, annealing and branch and bound in turn, each with a target between
//! the schedule found and the bound proven, until both meet.
//!
//! Cheap bounds and narrow beams come first, so that a bracket is there at once. In scores (see module `bounding`) both
//! goals look the same: `found` is what a schedule achieves, `proven` what none exceeds. A round takes a target between
//! the two and searches for it (module `branch_and_bound`): either a schedule comes out, or a proof that there is none.
//!
//! A search that takes long is put aside once, for a wide beam and an annealing: they find longer schedules of large
//! questions than searches do. Then it goes on where it was, unless its target has been reached meanwhile.

mod relaxations;

use super::aggregate::table::AggregateBound;
use super::bounding::BoundingFunction;
use super::branch_and_bound::{BranchAndBound, Outcome};
use super::instance::{Aggregate, Instance};
use super::lagrangian::LagrangianBound;
use super::lagrangian::coloured::ColouredBound;
use super::lagrangian::victim::VictimBound;
use super::proof::Proof;
use super::{Bracket, Goal, Limits, Problem, path};
use crate::anneal::{AnnealingChain, Neighbourhood, Settings, StartKind};
use crate::beam::{BeamSearch, Ranking};
use crate::{Fairness, Kernel, Machine, Order, Schedule, bounds, construct};

/// The name of the bound that module `aggregate::table` explains.
pub const AGGREGATED: &str = "aggregated phases";
/// The name of the bound that module `lagrangian` explains.
pub const PRICED: &str = "priced crowds";
/// The name of the bound that module `lagrangian::victim` explains.
pub const VICTIM: &str = "last warp beside priced crowds";
/// The name of the bound that module `aggregate::refined` explains.
pub const REFINED: &str = "refined phases";
/// The name of the bound that an exhaustive search leaves.
pub const SEARCH: &str = "search";
/// The name of the bound on the shortest by capacities, issue limit and the string's length.
pub const CAPACITY: &str = "capacity and length";

/// What a unit of a search's work is worth.
const SEARCH_WORK: u64 = 8;
/// The beam that is run then.
const WIDE: usize = 1_000;
/// So much a search goes on before it looks for longer schedules by other means: a second or two.
const HEAD_START: u64 = 60_000_000;
/// Entries that an annealing of the longest places anew, and so about what it may take: some seconds.
const ANNEALED: u64 = 48_000_000;
/// What an entry placed anew is worth.
const ENTRY: u64 = 4;

/// A beam to be run: width, and whether bounds guide it.
type Width = (usize, bool);

#[derive(Debug)]
enum Stage {
    Beam(BeamSearch),
    Table(AggregateBound),
    Lagrangian(Box<LagrangianBound>),
    Victim(Box<VictimBound>),
    Coloured(Box<ColouredBound>),
    Anneal(Box<AnnealingChain>),
    /// What comes next is still to be decided.
    Choose,
    BranchAndBound(Box<BranchAndBound>),
    Over,
}

/// Means of finding longer schedules, once it is clear that the proof takes its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heuristic {
    /// There was no need yet.
    Waiting,
    /// A wide beam is next.
    Beam,
    /// Then an annealing.
    Anneal,
    /// Nothing is left.
    Spent,
}

/// Either search, in the making.
#[derive(Debug)]
pub struct Driver {
    goal: Goal,
    instance: Instance,
    memory: u64,
    bounding: BoundingFunction,
    stage: Stage,
    beams: Vec<Width>,
    /// Those for when a search has failed.
    late: Vec<Width>,
    /// What kernel, machine and who goes first are to an annealing.
    asked: (Kernel, Machine, Fairness),
    /// Work on searches that is left before other means are tried.
    head_start: u64,
    /// Entries an annealing may place anew.
    annealed: u64,
    /// How far other means of finding longer schedules are.
    heuristic: Heuristic,
    /// The search between two targets, with what it knows.
    search: Option<Box<BranchAndBound>>,
    tabled: bool,
    /// Are colours to be sought, once there are schedules to compare with?
    colour: bool,
    /// A table to be filled once there are multipliers.
    table: Option<AggregateBound>,
    found: i32,
    proven: i32,
    proven_by: &'static str,
    /// How many cells, aggregates or states the proof went through.
    size: u64,
    schedule: Option<Schedule>,
    /// No target up to this one is worth another try.
    hopeless: i32,
    states: u64,
    gave_up: bool,
    /// Bytes with which there would be a table that was left out.
    needs: Option<u64>,
}

impl Driver {
    /// The driver for a problem; `None` where a unit is missing.
    pub fn new(problem: &Problem, limits: Limits, goal: Goal) -> Option<Self> {
        let instance = Instance::new(problem)?;
        let schedule = path::greedy(&instance)?;
        let start = Aggregate::start(&instance);
        let (bound, proven_by) = match goal {
            Goal::Longest => (instance.longest(&start), bounds::BLOCKED_CYCLES),
            Goal::Shortest => (instance.shortest(&start), CAPACITY),
        };
        let (found, proven) = (goal.score(schedule.makespan()), goal.score(bound));
        let mut driver = Self {
            goal,
            memory: limits.memory,
            bounding: BoundingFunction::default(),
            stage: Stage::Choose,
            // Taken from the end.
            beams: vec![(300, true), (100, true), (100, false), (12, false)],
            late: vec![(3_000, false), (1_000, true)],
            asked: (problem.kernel.clone(), *problem.machine, problem.fairness.clone()),
            head_start: HEAD_START,
            annealed: ANNEALED,
            heuristic: Heuristic::Waiting,
            search: None,
            tabled: false,
            colour: false,
            table: None,
            found,
            proven,
            proven_by,
            size: 0,
            schedule: Some(schedule),
            hopeless: i32::MIN,
            states: 0,
            gave_up: false,
            needs: None,
            instance,
        };
        driver.choose();
        Some(driver)
    }

    /// Goes on; whether there is more to do.
    pub fn step(&mut self, budget: u64) -> bool {
        let (instance, bounding) = (&self.instance, &mut self.bounding);
        match &mut self.stage {
            Stage::Beam(beam) => {
                if !beam.step(instance, bounding, budget) {
                    self.end_beam();
                }
            }
            Stage::Table(table) => {
                if !table.step(instance, budget) {
                    self.end_table();
                }
            }
            Stage::Lagrangian(lagrangian) => {
                if !lagrangian.step(instance, budget) {
                    self.end_lagrangian();
                }
            }
            Stage::Victim(victim) => {
                if !victim.step(instance, budget) {
                    self.end_victim();
                }
            }
            Stage::Coloured(coloured) => {
                if !coloured.step(budget) {
                    self.end_coloured();
                }
            }
            Stage::BranchAndBound(search) => {
                self.head_start = self.head_start.saturating_sub(budget);
                if !search.step(instance, bounding, (budget / SEARCH_WORK).max(1)) {
                    self.end_search();
                } else if self.heuristic == Heuristic::Waiting && self.head_start == 0 {
                    self.put_aside();
                }
            }
            Stage::Anneal(chain) => {
                let entries = u64::from(instance.warps) * u64::from(instance.length) * ENTRY;
                if chain.advance((budget / entries).max(1)) == 0 {
                    self.end_anneal();
                }
            }
            Stage::Choose => self.choose(),
            Stage::Over => {}
        }
        !matches!(self.stage, Stage::Over)
    }

    /// What is known so far.
    pub fn bracket(&self) -> Bracket {
        let (found, proven) = (self.found.unsigned_abs(), self.proven.unsigned_abs());
        Bracket { lower: found.min(proven), upper: found.max(proven), upper_by: self.proven_by }
    }

    /// What is being done, in plain words.
    pub fn phase(&self) -> &'static str {
        match &self.stage {
            Stage::Beam(_) => "beam search",
            Stage::Table(_) => "aggregated states",
            Stage::Anneal(_) => "simulated annealing",
            Stage::Lagrangian(_) | Stage::Victim(_) | Stage::Coloured(_) => "Lagrangian relaxation",
            Stage::BranchAndBound(_) | Stage::Choose => "branch and bound",
            Stage::Over => "done",
        }
    }

    /// How far the present phase is, in its own layers.
    pub fn layer(&self) -> u32 {
        match &self.stage {
            Stage::Beam(beam) => beam.layer(),
            Stage::BranchAndBound(search) => search.layer(),
            _ => 0,
        }
    }

    /// States looked at.
    pub fn states(&self) -> u64 {
        self.states
            + self.search.as_ref().map_or(0, |search| search.states())
            + match &self.stage {
                Stage::Beam(beam) => beam.states(),
                Stage::BranchAndBound(search) => search.states(),
                _ => 0,
            }
    }

    /// The schedule found.
    pub fn witness(&self) -> Option<Schedule> {
        self.schedule.clone()
    }

    /// What proves the bound.
    pub fn proof(&self) -> Proof {
        let cycles = u64::from(self.proven.unsigned_abs());
        let what = match self.proven_by {
            AGGREGATED | PRICED | VICTIM => Some("cells"),
            REFINED => Some("crowds"),
            SEARCH => Some("states"),
            _ => None,
        };
        let given = [("warps", self.instance.warps), ("instructions", self.instance.length)];
        let given = given.map(|(name, number)| (name.to_owned(), u64::from(number)));
        let size = what.map(|name| (name.to_owned(), self.size));
        let numbers = given.into_iter().chain([("cycles".to_owned(), cycles)]).chain(size).collect();
        Proof { by: self.proven_by, numbers }
    }

    /// Was something left out for want of memory?
    pub fn short_of_memory(&self) -> bool {
        self.hopeless > i32::MIN
    }

    /// Bytes of memory with which the bound would be a better one; none where this is not known to help.
    pub fn needs(&self) -> Option<u64> {
        self.needs
    }

    /// Did it end with a gap?
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// Bytes left beside the bounds and a search that was put aside.
    fn room(&self) -> u64 {
        let search = self.search.as_ref().map_or(0, |search| search.bytes());
        self.memory.saturating_sub(self.bounding.bytes()).saturating_sub(search)
    }

    fn choose(&mut self) {
        if self.found >= self.proven {
            self.stage = Stage::Over;
            return;
        }
        let ripe = self.tabled || self.beams.len() > 3;
        if let Some((width, guided)) = if ripe { self.beams.pop() } else { None } {
            let weights = self.instance.scarcity();
            let ranking = match (guided, width) {
                (false, _) => Ranking::Work(weights),
                // Ties one way in one beam, the other way in the next.
                (true, 300) => Ranking::Bound(weights),
                (true, _) => Ranking::Behind(weights),
            };
            let beam = BeamSearch::new(self.goal, &self.instance, width, ranking, self.room() / 2);
            self.stage = Stage::Beam(beam);
            return;
        }
        match self.heuristic {
            Heuristic::Beam => {
                self.heuristic =
                    if self.goal == Goal::Longest { Heuristic::Anneal } else { Heuristic::Spent };
                let ranking = Ranking::Work(self.instance.scarcity());
                let beam = BeamSearch::new(self.goal, &self.instance, WIDE, ranking, self.room() / 2);
                self.stage = Stage::Beam(beam);
                return;
            }
            Heuristic::Anneal => {
                self.heuristic = Heuristic::Spent;
                if let Some(chain) = self.annealing() {
                    self.stage = Stage::Anneal(Box::new(chain));
                    return;
                }
            }
            Heuristic::Waiting | Heuristic::Spent => {}
        }
        if !self.tabled {
            self.tabled = true;
            self.tabulate();
            return;
        }
        if std::mem::take(&mut self.colour) {
            self.seek_colours();
            return;
        }
        let low = self.found.max(self.hopeless);
        if low >= self.proven {
            self.gave_up = true;
            self.stage = Stage::Over;
            return;
        }
        let target = low + 1 + (self.proven - low - 1) / 2;
        let search = match self.search.take() {
            // One that was put aside goes on, unless what was found meanwhile has answered it.
            Some(search) if *search.outcome() == Outcome::Running && low < search.target() => search,
            Some(mut search) => {
                search.retarget(target);
                search
            }
            None => Box::new(BranchAndBound::new(self.goal, &self.instance, target, self.room())),
        };
        self.stage = Stage::BranchAndBound(search);
    }

    /// Tries other means at once, and a little only.
    #[cfg(test)]
    pub(super) fn hurry(&mut self) {
        (self.head_start, self.annealed) = (0, 2_000);
    }

    /// Leaves the search as it is, and looks for longer schedules first.
    fn put_aside(&mut self) {
        let Stage::BranchAndBound(search) = std::mem::replace(&mut self.stage, Stage::Choose) else { return };
        self.search = Some(search);
        self.heuristic = Heuristic::Beam;
        self.choose();
    }

    /// An annealing from the start whose schedule is the longest.
    fn annealing(&self) -> Option<AnnealingChain> {
        let (kernel, machine, fairness) = &self.asked;
        let warps = usize::try_from(self.instance.warps).ok()?;
        let entries = u64::from(self.instance.warps) * u64::from(self.instance.length);
        let iterations = (self.annealed / entries.max(1)).max(1);
        let settings =
            Settings { iterations, rounds: 1, t0: 0.3, seed: 1, neighbourhood: Neighbourhood::Auto };
        let chain =
            |(number, start)| AnnealingChain::new(kernel, machine, fairness, warps, settings, start, number);
        let chains = (0..).zip(StartKind::PUBLISHED).filter_map(chain);
        chains.reduce(|longest, other| if other.best() > longest.best() { other } else { longest })
    }

    fn end_anneal(&mut self) {
        let Stage::Anneal(chain) = std::mem::replace(&mut self.stage, Stage::Choose) else { return };
        let (kernel, machine, _) = &self.asked;
        let score = self.goal.score(chain.best());
        if score > self.found {
            let ids = chain.best_order().iter().map(|&warp| u16::from(warp)).collect();
            let warps = usize::try_from(self.instance.warps).unwrap_or(usize::MAX);
            let order = Order::new(ids, warps, kernel.len()).ok();
            let made = order.and_then(|order| construct(kernel, machine, &order, warps));
            self.improve(score, made.filter(|made| self.goal.score(made.makespan()) == score));
        }
        self.choose();
    }

    fn end_beam(&mut self) {
        let Stage::Beam(beam) = std::mem::replace(&mut self.stage, Stage::Choose) else { return };
        self.states += beam.states();
        if let Some(makespan) = beam.makespan() {
            let score = self.goal.score(makespan);
            if score > self.found {
                self.improve(score, beam.witness(&self.instance));
            }
        }
        self.choose();
    }

    fn end_search(&mut self) {
        let Stage::BranchAndBound(search) = std::mem::replace(&mut self.stage, Stage::Choose) else { return };
        let states = search.states();
        match search.outcome() {
            Outcome::Running => return self.stage = Stage::BranchAndBound(search),
            Outcome::NoRelaxed(most) => self.prove(*most, REFINED, states),
            Outcome::None(most) => self.prove(*most, SEARCH, states),
            Outcome::Found(keys) => {
                let score = self.goal.score(keys.len() as u32 - 1);
                let keys = keys.iter().map(Vec::as_slice);
                let schedule = path::to_schedule(&self.instance, search.space().code(), keys);
                self.improve(score, schedule);
            }
            Outcome::Failed => {
                self.states += states;
                self.hopeless = self.hopeless.max(search.target());
                self.beams.append(&mut self.late);
                return self.choose();
            }
        }
        self.search = Some(search);
        self.choose();
    }

    fn improve(&mut self, score: i32, schedule: Option<Schedule>) {
        if let Some(schedule) = schedule {
            debug_assert_eq!(self.goal.score(schedule.makespan()), score);
            (self.found, self.schedule) = (score, Some(schedule));
        }
    }

    fn prove(&mut self, bound: i32, by: &'static str, size: u64) {
        if bound < self.proven {
            (self.proven, self.proven_by, self.size) = (bound, by, size);
        }
    }
}
