//! What is tried in which order: cheap bounds and narrow beams first, so that a bracket is there at once, then
//! ever tighter targets until nothing lies between the schedule found and the bound proven.
//!
//! In scores (see module `guide`) both goals look the same: `found` is what a schedule achieves, `proven` what
//! none exceeds. A round takes a target between the two. A sweep over crowds either shows that nothing reaches
//! it, and `proven` falls below it; or what it keeps guides a sweep over states, which shows the same or finds
//! the best schedule there is.

use super::concrete::Concrete;
use super::guide::Guide;
use super::outline::{Crowd, Outline};
use super::pooled::Pooled;
use super::priced::Priced;
use super::proof::Proof;
use super::refined::Refined;
use super::sweep::{Stand, Sweep};
use super::{Bracket, Goal, Limits, Problem, tracks};
use crate::warps::beam::{Promise, Run};
use crate::warps::{Schedule, bounds};

/// The name of the bound that module `pooled` explains.
pub const AGGREGATED: &str = "aggregated phases";
/// The name of the bound that module `priced` explains.
pub const PRICED: &str = "priced crowds";
/// The name of the bound that module `refined` explains.
pub const REFINED: &str = "refined phases";
/// The name of the bound that an exhaustive search leaves.
pub const SEARCH: &str = "search";
/// The name of the bound on the shortest by capacities, issue limit and the string's length.
pub const CAPACITY: &str = "capacity and length";

/// A beam to be run: width, and whether bounds guide it.
type Width = (usize, bool);

#[derive(Debug)]
enum Stage {
    Beam(Run),
    Table(Pooled),
    Prices(Box<Priced>),
    /// What comes next is still to be decided.
    Choose,
    Crowds(Box<Sweep<Refined>>),
    LookBack(Box<Sweep<Refined>>),
    States(Box<Sweep<Concrete>>),
    Over,
}

/// Either search, in the making.
#[derive(Debug)]
pub struct Plan {
    goal: Goal,
    outline: Outline,
    memory: u64,
    guide: Guide,
    stage: Stage,
    beams: Vec<Width>,
    /// Those for when a sweep has failed.
    late: Vec<Width>,
    tabled: bool,
    found: i32,
    proven: i32,
    proven_by: &'static str,
    /// How many cells, crowds or states the proof went through.
    size: u64,
    schedule: Option<Schedule>,
    /// No target up to this one is worth another try.
    hopeless: i32,
    states: u64,
    gave_up: bool,
}

impl Plan {
    /// The plan for a problem; `None` where a unit is missing.
    pub fn new(problem: &Problem, limits: Limits, goal: Goal) -> Option<Self> {
        let outline = Outline::new(problem)?;
        let schedule = tracks::greedy(&outline)?;
        let start = Crowd::start(&outline);
        let (bound, proven_by) = match goal {
            Goal::Longest => (outline.longest(&start), bounds::BLOCKED_CYCLES),
            Goal::Shortest => (outline.shortest(&start), CAPACITY),
        };
        let (found, proven) = (goal.score(schedule.makespan()), goal.score(bound));
        let mut plan = Self {
            goal,
            memory: limits.memory,
            guide: Guide::default(),
            stage: Stage::Choose,
            // Taken from the end.
            beams: vec![(300, true), (100, true), (100, false), (12, false)],
            late: vec![(3_000, false), (1_000, true)],
            tabled: false,
            found,
            proven,
            proven_by,
            size: 0,
            schedule: Some(schedule),
            hopeless: i32::MIN,
            states: 0,
            gave_up: false,
            outline,
        };
        plan.choose();
        Some(plan)
    }

    /// Goes on; whether there is more to do.
    pub fn step(&mut self, budget: u64) -> bool {
        let (outline, guide) = (&self.outline, &mut self.guide);
        match &mut self.stage {
            Stage::Beam(run) => {
                if !run.step(outline, guide, budget) {
                    self.end_beam();
                }
            }
            Stage::Table(table) => {
                if !table.step(outline, budget) {
                    self.end_table();
                }
            }
            Stage::Prices(priced) => {
                if !priced.step(outline, budget) {
                    self.end_prices();
                }
            }
            Stage::Crowds(sweep) => {
                if sweep.step(outline, guide, budget / 16) != Stand::Running {
                    self.end_crowds();
                }
            }
            Stage::LookBack(sweep) => {
                if !sweep.look_back(outline, budget / 16) {
                    self.end_look_back();
                }
            }
            Stage::States(sweep) => {
                if sweep.step(outline, guide, budget / 16) != Stand::Running {
                    self.end_states();
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
            Stage::Beam(_) => "beam",
            Stage::Table(_) => AGGREGATED,
            Stage::Prices(_) => PRICED,
            Stage::Crowds(_) | Stage::LookBack(_) => REFINED,
            Stage::States(_) | Stage::Choose => SEARCH,
            Stage::Over => "done",
        }
    }

    /// How far the present phase is, in its own layers.
    pub fn layer(&self) -> u32 {
        match &self.stage {
            Stage::Beam(run) => run.layer(),
            Stage::Crowds(sweep) | Stage::LookBack(sweep) => sweep.layer(),
            Stage::States(sweep) => sweep.layer(),
            Stage::Table(_) | Stage::Prices(_) | Stage::Choose | Stage::Over => 0,
        }
    }

    /// States looked at.
    pub fn states(&self) -> u64 {
        self.states
            + match &self.stage {
                Stage::Beam(run) => run.states(),
                Stage::Crowds(sweep) | Stage::LookBack(sweep) => sweep.states(),
                Stage::States(sweep) => sweep.states(),
                Stage::Table(_) | Stage::Prices(_) | Stage::Choose | Stage::Over => 0,
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
            AGGREGATED | PRICED => Some("cells"),
            REFINED => Some("crowds"),
            SEARCH => Some("states"),
            _ => None,
        };
        let given = [("warps", self.outline.warps), ("instructions", self.outline.length)];
        let given = given.map(|(name, number)| (name.to_owned(), u64::from(number)));
        let size = what.map(|name| (name.to_owned(), self.size));
        let numbers = given.into_iter().chain([("cycles".to_owned(), cycles)]).chain(size).collect();
        Proof { by: self.proven_by, numbers }
    }

    /// Did it end with a gap?
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// Bytes left beside the bounds.
    fn room(&self) -> u64 {
        self.memory.saturating_sub(self.guide.bytes())
    }

    fn choose(&mut self) {
        if self.found >= self.proven {
            self.stage = Stage::Over;
            return;
        }
        let ripe = self.tabled || self.beams.len() > 3;
        if let Some((width, guided)) = if ripe { self.beams.pop() } else { None } {
            let weights = self.outline.scarcity();
            let promise = match (guided, width) {
                (false, _) => Promise::Work(weights),
                // Ties one way in one beam, the other way in the next.
                (true, 300) => Promise::Bound(weights),
                (true, _) => Promise::Behind(weights),
            };
            let run = Run::new(self.goal, &self.outline, width, promise, self.room() / 2);
            self.stage = Stage::Beam(run);
            return;
        }
        if !self.tabled {
            self.tabled = true;
            let step = self.goal.step() as i16;
            if let Some(table) = Pooled::new(&self.outline, step, self.memory / 2) {
                self.stage = Stage::Table(table);
            } else if let (Goal::Longest, Some(priced)) =
                (self.goal, Priced::new(&self.outline, self.found.unsigned_abs(), self.memory / 2))
            {
                self.stage = Stage::Prices(Box::new(priced));
            }
            return;
        }
        self.guide.corridor = None;
        let low = self.found.max(self.hopeless);
        if low >= self.proven {
            self.gave_up = true;
            self.stage = Stage::Over;
            return;
        }
        let target = low + 1 + (self.proven - low - 1) / 2;
        let space = Refined::new(&self.outline);
        let sweep = Sweep::new(self.goal, &self.outline, space, target, self.room() / 2, true);
        self.stage = Stage::Crowds(Box::new(sweep));
    }

    fn end_beam(&mut self) {
        let Stage::Beam(run) = std::mem::replace(&mut self.stage, Stage::Choose) else { return };
        self.states += run.states();
        if let Some(makespan) = run.makespan() {
            let score = self.goal.score(makespan);
            if score > self.found {
                self.improve(score, run.witness(&self.outline));
            }
        }
        self.choose();
    }

    fn end_table(&mut self) {
        let Stage::Table(table) = std::mem::replace(&mut self.stage, Stage::Choose) else { return };
        self.prove(table.bound(&self.outline, &Crowd::start(&self.outline)), AGGREGATED, table.cells());
        self.guide.table = Some(table);
        self.choose();
    }

    fn end_prices(&mut self) {
        let Stage::Prices(priced) = std::mem::replace(&mut self.stage, Stage::Choose) else { return };
        if let Some(bound) = priced.bound(&self.outline, &Crowd::start(&self.outline)) {
            self.prove(self.goal.score(bound), PRICED, priced.cells());
            self.guide.priced = Some(priced);
        }
        self.choose();
    }

    fn end_crowds(&mut self) {
        let Stage::Crowds(sweep) = std::mem::replace(&mut self.stage, Stage::Choose) else { return };
        match sweep.stand() {
            Stand::Running => self.stage = Stage::Crowds(sweep),
            Stand::Done(Some(best)) => {
                self.prove(best, REFINED, sweep.states());
                self.stage = Stage::LookBack(sweep);
            }
            Stand::Done(None) => {
                self.states += sweep.states();
                self.prove(sweep.target() - 1, REFINED, sweep.states());
                self.choose();
            }
            Stand::Failed => {
                self.states += sweep.states();
                let target = sweep.target();
                drop(sweep);
                self.sweep_states(target);
            }
        }
    }

    fn end_look_back(&mut self) {
        let Stage::LookBack(sweep) = std::mem::replace(&mut self.stage, Stage::Choose) else { return };
        self.states += sweep.states();
        let target = sweep.target();
        self.guide.corridor = Some(sweep);
        self.sweep_states(target);
    }

    fn sweep_states(&mut self, target: i32) {
        let space = Concrete::new(&self.outline);
        let sweep = Sweep::new(self.goal, &self.outline, space, target, self.room(), false);
        self.stage = Stage::States(Box::new(sweep));
    }

    fn end_states(&mut self) {
        let Stage::States(sweep) = std::mem::replace(&mut self.stage, Stage::Choose) else { return };
        self.states += sweep.states();
        match sweep.stand() {
            Stand::Running => self.stage = Stage::States(sweep),
            Stand::Done(None) => {
                self.prove(sweep.target() - 1, SEARCH, sweep.states());
                self.choose();
            }
            Stand::Done(Some(best)) => {
                self.prove(best, SEARCH, sweep.states());
                match sweep.path() {
                    Some(keys) => {
                        let keys = keys.iter().map(Vec::as_slice);
                        let schedule = tracks::schedule(&self.outline, sweep.space().code(), keys);
                        self.improve(best, schedule);
                    }
                    // The way there was dropped: once more, with nothing below it kept.
                    None if sweep.target() < best => self.hopeless = best - 1,
                    None => self.hopeless = best,
                }
                drop(sweep);
                self.choose();
            }
            Stand::Failed => {
                self.hopeless = self.hopeless.max(sweep.target());
                self.beams.append(&mut self.late);
                drop(sweep);
                self.choose();
            }
        }
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
