//! The driver of the exact search: bounds, beams, annealing and branch and bound in turn, each with a target between
//! the schedule found and the bound proven, until both meet.
//!
//! Cheap bounds and narrow beams come first, so that a bracket is there at once. In scores (see module `bounding`) both
//! goals look the same: `found` is what a schedule achieves, `proven` what none exceeds. A round takes a target between
//! the two and searches for it (module `branch_and_bound`): either a schedule comes out, or a proof that there is none.
//!
//! A search that takes long is put aside once, for a wide beam and an annealing: they find longer schedules of large
//! questions than searches do. Then it goes on where it was, unless its target has been reached meanwhile.
//!
//! Where no table of coarser states fits, colours are sought, and the search is the one beside the last warp (module
//! `victim_search`). It takes turns between both sides of the bracket, as it is never clear which of them gives way: with
//! the target just above what is found, and that of all that is proven, each for a time that doubles. It is put aside for
//! more colours, where much is open, and for a longer annealing.

mod relaxations;
mod searches;

use super::aggregate::table::AggregateBound;
use super::bounding::BoundingFunction;
use super::branch_and_bound::BranchAndBound;
use super::instance::{Aggregate, Instance};
use super::lagrangian::LagrangianBound;
use super::lagrangian::coloured::ColouredBound;
use super::lagrangian::victim::VictimBound;
use super::proof::Proof;
use super::victim_search::VictimSearch;
use super::{Bracket, Goal, Limits, Problem, path};
use crate::anneal::AnnealingChain;
use crate::beam::BeamSearch;
use crate::{Fairness, Kernel, Machine, Schedule, bounds};
use searches::Turns;

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
/// So much a search goes on before it looks for longer schedules by other means: a second or two.
const HEAD_START: u64 = 60_000_000;
/// Entries that an annealing of the longest places anew, and so about what it may take: half a second.
const ANNEALED: u64 = 48_000_000;
/// How many times as much it may take later, where colours leave something open.
const LONGER: u64 = 12;
/// What an entry placed anew is worth.
const ENTRY: u64 = 4;
/// Warps times instructions times runs times states kept, of a beam that takes no longer than a second or so.
const SHORT_BEAM: usize = 100_000_000;
/// So few states kept are not worth the time: an annealing finds longer schedules of such long strings at once.
const NARROW: usize = 128;

/// What guides a beam.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Guide {
    /// The work left alone.
    Work,
    /// Bounds of aggregates, ties one way.
    Bounds,
    /// The same, ties the other way.
    Behind,
    /// Bounds of colours.
    Colours,
}

/// What is to be done before the next search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Task {
    /// A beam of a width.
    Beam(usize, Guide),
    /// The bounds of coarser states.
    Relax,
    /// Colours, if there is room for any.
    Colour,
    /// More colours, if there are some and they leave much open.
    Refine,
    /// An annealing that may place so many entries anew.
    Anneal(u64),
}

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
    VictimSearch(Box<VictimSearch>),
    Over,
}

/// Either search, in the making.
#[derive(Debug)]
pub struct Driver {
    goal: Goal,
    instance: Instance,
    memory: u64,
    bounding: BoundingFunction,
    stage: Stage,
    /// What comes before the next search, the first last.
    tasks: Vec<Task>,
    /// What comes when a search has failed.
    late: Vec<Task>,
    /// What kernel, machine and who goes first are to an annealing.
    asked: (Kernel, Machine, Fairness),
    /// Work on searches that is left before other means are tried.
    head_start: u64,
    /// Entries an annealing may place anew.
    annealed: u64,
    /// Was a search put aside?
    aside: bool,
    /// The search between two targets, with what it knows.
    search: Option<Box<BranchAndBound>>,
    /// The same beside the last warp.
    victim_search: Option<Box<VictimSearch>>,
    turns: Turns,
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
    /// Did a search fail?
    ran_out: bool,
    states: u64,
    gave_up: bool,
    /// Bytes with which there would be a table that was left out.
    needs: Option<u64>,
}

impl Driver {
    /// The driver for a problem; `None` where a unit is missing.
    pub fn new(problem: &Problem, limits: Limits, goal: Goal) -> Option<Self> {
        let instance = Instance::new(problem)?;
        let mut schedule = path::greedy(&instance)?;
        if goal == Goal::Longest
            && let Some(starving) =
                path::starving(&instance).filter(|own| own.makespan() > schedule.makespan())
        {
            schedule = starving;
        }
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
            tasks: vec![
                Task::Beam(300, Guide::Bounds),
                Task::Beam(100, Guide::Behind),
                Task::Beam(100, Guide::Work),
                Task::Relax,
                Task::Beam(12, Guide::Work),
            ],
            late: vec![Task::Beam(3_000, Guide::Work), Task::Beam(1_000, Guide::Behind)],
            asked: (problem.kernel.clone(), *problem.machine, problem.fairness.clone()),
            head_start: HEAD_START,
            annealed: ANNEALED,
            aside: false,
            search: None,
            victim_search: None,
            turns: Turns::default(),
            table: None,
            found,
            proven,
            proven_by,
            size: 0,
            schedule: Some(schedule),
            hopeless: i32::MIN,
            ran_out: false,
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
                } else if !self.aside && self.head_start == 0 {
                    self.put_aside();
                }
            }
            Stage::VictimSearch(search) => {
                self.head_start = self.head_start.saturating_sub(budget);
                let Some(coloured) = &bounding.coloured else { return false };
                if !search.step(instance, coloured, (budget / SEARCH_WORK).max(1)) {
                    self.end_victim_search();
                } else if !self.aside && self.head_start == 0 {
                    self.put_aside();
                } else if self.turns.is_over(budget) {
                    self.change_sides();
                }
            }
            Stage::Anneal(chain) => {
                let entries = u64::from(instance.warps) * u64::from(instance.length) * ENTRY;
                let left = chain.advance((budget / entries).max(1));
                self.end_anneal(left > 0);
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
            Stage::BranchAndBound(_) | Stage::VictimSearch(_) | Stage::Choose => "branch and bound",
            Stage::Over => "done",
        }
    }

    /// How far the present phase is, in its own layers.
    pub fn layer(&self) -> u32 {
        match &self.stage {
            Stage::Beam(beam) => beam.layer(),
            Stage::BranchAndBound(search) => search.layer(),
            Stage::VictimSearch(search) => search.layer(),
            _ => 0,
        }
    }

    /// States looked at.
    pub fn states(&self) -> u64 {
        self.states
            + self.search.as_ref().map_or(0, |search| search.states())
            + self.victim_search.as_ref().map_or(0, |search| search.states())
            + match &self.stage {
                Stage::Beam(beam) => beam.states(),
                Stage::BranchAndBound(search) => search.states(),
                Stage::VictimSearch(search) => search.states(),
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
        self.ran_out
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
        let search = self.search.as_ref().map_or(0, |search| search.bytes())
            + self.victim_search.as_ref().map_or(0, |search| search.bytes());
        self.memory.saturating_sub(self.bounding.bytes()).saturating_sub(search)
    }

    fn choose(&mut self) {
        if self.found >= self.proven {
            self.stage = Stage::Over;
            return;
        }
        match self.tasks.pop() {
            Some(Task::Beam(width, guide)) => self.beam(width, guide),
            Some(Task::Relax) => self.tabulate(),
            Some(Task::Colour) => self.seek_colours(),
            Some(Task::Refine) => self.seek_more_colours(),
            Some(Task::Anneal(entries)) => match self.annealing(entries) {
                Some(chain) => self.stage = Stage::Anneal(Box::new(chain)),
                None => self.choose(),
            },
            None => self.search(),
        }
    }

    /// Tries other means at once, and a little only.
    #[cfg(test)]
    pub(super) fn hurry(&mut self) {
        (self.head_start, self.annealed) = (0, 2_000);
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
