//! What is tried in which order: cheap bounds and narrow beams first, so that a bracket is there at once, then
//! ever tighter targets until nothing lies between the schedule found and the bound proven.
//!
//! In scores (see module `guide`) both goals look the same: `found` is what a schedule achieves, `proven` what
//! none exceeds. A round takes a target between the two and hunts for it (module `hunt`): either a schedule
//! comes out, or a proof that there is none.
//!
//! A hunt that takes long is put aside once, for a wide beam and an annealing: they find longer schedules of large
//! questions than hunts do. Then it goes on where it was, unless its target has been reached meanwhile.

use super::guide::Guide;
use super::hunt::{Hunt, Stand};
use super::outline::{Crowd, Outline};
use super::pooled::{Most, NoTable, Pooled};
use super::priced::Priced;
use super::proof::Proof;
use super::{Bracket, Goal, Limits, Problem, tracks};
use crate::anneal::{Chain, Neighbourhood, Settings, StartKind};
use crate::beam::{Promise, Run};
use crate::{Fairness, Kernel, Machine, Order, Schedule, bounds, construct};

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

/// What a unit of a hunt's work is worth.
const HUNT: u64 = 8;
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
    Beam(Run),
    Table(Pooled),
    Prices(Box<Priced>),
    Anneal(Box<Chain>),
    /// What comes next is still to be decided.
    Choose,
    Hunt(Box<Hunt>),
    Over,
}

/// Means of finding longer schedules, once it is clear that the proof takes its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Other {
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
pub struct Plan {
    goal: Goal,
    outline: Outline,
    memory: u64,
    guide: Guide,
    stage: Stage,
    beams: Vec<Width>,
    /// Those for when a hunt has failed.
    late: Vec<Width>,
    /// What kernel, machine and who goes first are to an annealing.
    asked: (Kernel, Machine, Fairness),
    /// Work on hunts that is left before other means are tried.
    head_start: u64,
    /// Entries an annealing may place anew.
    annealed: u64,
    /// How far other means of finding longer schedules are.
    other: Other,
    /// The hunt between two targets, with what it knows.
    hunt: Option<Box<Hunt>>,
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
    /// Bytes with which there would be a table that was left out.
    needs: Option<u64>,
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
            asked: (problem.kernel.clone(), *problem.machine, problem.fairness.clone()),
            head_start: HEAD_START,
            annealed: ANNEALED,
            other: Other::Waiting,
            hunt: None,
            tabled: false,
            found,
            proven,
            proven_by,
            size: 0,
            schedule: Some(schedule),
            hopeless: i32::MIN,
            states: 0,
            gave_up: false,
            needs: None,
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
            Stage::Hunt(hunt) => {
                self.head_start = self.head_start.saturating_sub(budget);
                if !hunt.step(outline, guide, (budget / HUNT).max(1)) {
                    self.end_hunt();
                } else if self.other == Other::Waiting && self.head_start == 0 {
                    self.put_aside();
                }
            }
            Stage::Anneal(chain) => {
                let entries = u64::from(outline.warps) * u64::from(outline.length) * ENTRY;
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
            Stage::Beam(_) => "beam",
            Stage::Table(_) => AGGREGATED,
            Stage::Anneal(_) => "annealing",
            Stage::Prices(_) => PRICED,
            Stage::Hunt(_) | Stage::Choose => SEARCH,
            Stage::Over => "done",
        }
    }

    /// How far the present phase is, in its own layers.
    pub fn layer(&self) -> u32 {
        match &self.stage {
            Stage::Beam(run) => run.layer(),
            Stage::Hunt(hunt) => hunt.layer(),
            Stage::Table(_) | Stage::Prices(_) | Stage::Anneal(_) | Stage::Choose | Stage::Over => 0,
        }
    }

    /// States looked at.
    pub fn states(&self) -> u64 {
        self.states
            + self.hunt.as_ref().map_or(0, |hunt| hunt.states())
            + match &self.stage {
                Stage::Beam(run) => run.states(),
                Stage::Hunt(hunt) => hunt.states(),
                Stage::Table(_) | Stage::Prices(_) | Stage::Anneal(_) | Stage::Choose | Stage::Over => 0,
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

    /// Bytes left beside the bounds and a hunt that was put aside.
    fn room(&self) -> u64 {
        let hunt = self.hunt.as_ref().map_or(0, |hunt| hunt.bytes());
        self.memory.saturating_sub(self.guide.bytes()).saturating_sub(hunt)
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
        match self.other {
            Other::Beam => {
                self.other = if self.goal == Goal::Longest { Other::Anneal } else { Other::Spent };
                let promise = Promise::Work(self.outline.scarcity());
                let run = Run::new(self.goal, &self.outline, WIDE, promise, self.room() / 2);
                self.stage = Stage::Beam(run);
                return;
            }
            Other::Anneal => {
                self.other = Other::Spent;
                if let Some(chain) = self.annealing() {
                    self.stage = Stage::Anneal(Box::new(chain));
                    return;
                }
            }
            Other::Waiting | Other::Spent => {}
        }
        if !self.tabled {
            self.tabled = true;
            let step = self.goal.step() as i16;
            match Pooled::new(&self.outline, step, Most::of(self.memory)) {
                Ok(table) => self.stage = Stage::Table(table),
                Err(why) => {
                    self.needs =
                        if let NoTable::Needs(cells) = why { Some(Most::memory(cells)) } else { None };
                    let most = self.found.unsigned_abs();
                    if self.goal == Goal::Longest
                        && let Some(priced) = Priced::new(&self.outline, most, self.memory / 2)
                    {
                        self.stage = Stage::Prices(Box::new(priced));
                    }
                }
            }
            return;
        }
        let low = self.found.max(self.hopeless);
        if low >= self.proven {
            self.gave_up = true;
            self.stage = Stage::Over;
            return;
        }
        let target = low + 1 + (self.proven - low - 1) / 2;
        let hunt = match self.hunt.take() {
            // One that was put aside goes on, unless what was found meanwhile has answered it.
            Some(hunt) if *hunt.stand() == Stand::Running && low < hunt.target() => hunt,
            Some(mut hunt) => {
                hunt.aim(target);
                hunt
            }
            None => Box::new(Hunt::new(self.goal, &self.outline, target, self.room())),
        };
        self.stage = Stage::Hunt(hunt);
    }

    /// Tries other means at once, and a little only.
    #[cfg(test)]
    pub(super) fn hurry(&mut self) {
        (self.head_start, self.annealed) = (0, 2_000);
    }

    /// Leaves the hunt as it is, and looks for longer schedules first.
    fn put_aside(&mut self) {
        let Stage::Hunt(hunt) = std::mem::replace(&mut self.stage, Stage::Choose) else { return };
        self.hunt = Some(hunt);
        self.other = Other::Beam;
        self.choose();
    }

    /// An annealing from the start whose schedule is the longest.
    fn annealing(&self) -> Option<Chain> {
        let (kernel, machine, fairness) = &self.asked;
        let warps = usize::try_from(self.outline.warps).ok()?;
        let entries = u64::from(self.outline.warps) * u64::from(self.outline.length);
        let iterations = (self.annealed / entries.max(1)).max(1);
        let settings =
            Settings { iterations, rounds: 1, t0: 0.3, seed: 1, neighbourhood: Neighbourhood::Auto };
        let chain = |(number, start)| Chain::new(kernel, machine, fairness, warps, settings, start, number);
        let chains = (0..).zip(StartKind::PUBLISHED).filter_map(chain);
        chains.reduce(|longest, other| if other.best() > longest.best() { other } else { longest })
    }

    fn end_anneal(&mut self) {
        let Stage::Anneal(chain) = std::mem::replace(&mut self.stage, Stage::Choose) else { return };
        let (kernel, machine, _) = &self.asked;
        let score = self.goal.score(chain.best());
        if score > self.found {
            let ids = chain.best_order().iter().map(|&warp| u16::from(warp)).collect();
            let warps = usize::try_from(self.outline.warps).unwrap_or(usize::MAX);
            let order = Order::new(ids, warps, kernel.len()).ok();
            let made = order.and_then(|order| construct(kernel, machine, &order, warps));
            self.improve(score, made.filter(|made| self.goal.score(made.makespan()) == score));
        }
        self.choose();
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

    fn end_hunt(&mut self) {
        let Stage::Hunt(hunt) = std::mem::replace(&mut self.stage, Stage::Choose) else { return };
        let states = hunt.states();
        match hunt.stand() {
            Stand::Running => return self.stage = Stage::Hunt(hunt),
            Stand::NoCrowd(most) => self.prove(*most, REFINED, states),
            Stand::NoState(most) => self.prove(*most, SEARCH, states),
            Stand::Found(keys) => {
                let score = self.goal.score(keys.len() as u32 - 1);
                let keys = keys.iter().map(Vec::as_slice);
                let schedule = tracks::schedule(&self.outline, hunt.space().code(), keys);
                self.improve(score, schedule);
            }
            Stand::Failed => {
                self.states += states;
                self.hopeless = self.hopeless.max(hunt.target());
                self.beams.append(&mut self.late);
                return self.choose();
            }
        }
        self.hunt = Some(hunt);
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
