//! The driver's searches: for schedules in beams and annealings, and for both sides of the bracket by branch and bound.

use super::super::branch_and_bound::{BranchAndBound, Outcome};
use super::super::pack::StateCode;
use super::super::victim_search::VictimSearch;
use super::super::{Goal, path};
use super::{Driver, Guide, LONGER, NARROW, REFINED, SEARCH, SHORT_BEAM, Stage, Task};
use crate::anneal::{AnnealingChain, Neighbourhood, Settings, StartKind};
use crate::beam::{BeamSearch, Ranking};
use crate::{Order, construct};

/// The beam that is run when a search takes long.
const WIDE: usize = 1_000;
/// The work of a first turn: some tenths of a second.
const PATIENCE: u64 = 8_000_000;

/// On which side of the bracket a search is, and for how long.
#[derive(Debug)]
pub(super) struct Turns {
    /// Does it seek schedules that are hardly longer than the one found, or to prove that those of all that is proven
    /// are not possible?
    below: bool,
    /// The work of a turn, and what is left of it.
    patience: u64,
    left: u64,
}

impl Default for Turns {
    fn default() -> Self {
        Self { below: false, patience: PATIENCE, left: PATIENCE }
    }
}

impl Turns {
    /// After so much work: is it the other side's turn?
    pub(super) fn is_over(&mut self, work: u64) -> bool {
        self.left = self.left.saturating_sub(work);
        self.left == 0
    }

    fn change(&mut self) {
        self.patience = self.patience.saturating_mul(1 + u64::from(self.below));
        (self.below, self.left) = (!self.below, self.patience);
    }
}

impl Driver {
    /// Runs a beam of a width, or less where it would take long; none where little would be left of it.
    pub(super) fn beam(&mut self, width: usize, guide: Guide) {
        let weights = self.instance.scarcity();
        let ranking = match guide {
            Guide::Work => Ranking::Work(weights),
            Guide::Bounds => Ranking::Bound(weights),
            Guide::Behind => Ranking::Behind(weights),
            Guide::Colours => Ranking::Coloured(weights),
        };
        let width = match (guide, &self.bounding.table) {
            (Guide::Work, _) | (_, Some(_)) => width,
            _ => {
                let most = SHORT_BEAM / (self.instance.work() as usize * self.instance.phases.len()) + 1;
                if most < NARROW {
                    return self.choose();
                }
                width.min(most)
            }
        };
        self.stage = Stage::Beam(BeamSearch::new(self.goal, &self.instance, width, ranking, self.room() / 2));
    }

    /// Goes on with a target between what is found and what is proven.
    pub(super) fn search(&mut self) {
        let low = self.found.max(self.hopeless);
        if low >= self.proven {
            self.gave_up = true;
            self.stage = Stage::Over;
            return;
        }
        // One that was put aside goes on, unless what was found meanwhile has answered it.
        if self.bounding.coloured.is_some() {
            let target = if self.turns.below { low + 1 } else { self.proven };
            let former = self.victim_search.take();
            let room = self.room();
            self.stage = Stage::VictimSearch(match former {
                Some(mut search) => {
                    // There may be more colours than before.
                    search.allow(room);
                    if *search.outcome() != Outcome::Running || search.target() != target {
                        search.retarget(target);
                    }
                    search
                }
                None => Box::new(VictimSearch::new(&self.instance, target, room)),
            });
            return;
        }
        let target = low + 1 + (self.proven - low - 1) / 2;
        self.stage = Stage::BranchAndBound(match self.search.take() {
            Some(search) if *search.outcome() == Outcome::Running && low < search.target() => search,
            Some(mut search) => {
                search.retarget(target);
                search
            }
            None => Box::new(BranchAndBound::new(self.goal, &self.instance, target, self.room())),
        });
    }

    /// Leaves the search as it is, and looks for longer schedules first.
    pub(super) fn put_aside(&mut self) {
        self.aside = true;
        let anneal = self.goal == Goal::Longest;
        match std::mem::replace(&mut self.stage, Stage::Choose) {
            Stage::BranchAndBound(search) => {
                self.search = Some(search);
                self.tasks.extend(anneal.then_some(Task::Anneal(self.annealed)));
                self.tasks.push(Task::Beam(WIDE, Guide::Work));
            }
            Stage::VictimSearch(search) => {
                self.victim_search = Some(search);
                self.tasks.extend(anneal.then_some(Task::Anneal(LONGER * self.annealed)));
                self.tasks.push(Task::Refine);
            }
            other => self.stage = other,
        }
        self.choose();
    }

    /// Leaves the search to the other side of the bracket.
    pub(super) fn change_sides(&mut self) {
        if let Stage::VictimSearch(search) = std::mem::replace(&mut self.stage, Stage::Choose) {
            self.turns.change();
            self.victim_search = Some(search);
        }
        self.choose();
    }

    /// An annealing from the start whose schedule is the longest.
    pub(super) fn annealing(&self, entries: u64) -> Option<AnnealingChain> {
        let (kernel, machine, fairness) = &self.asked;
        let warps = usize::try_from(self.instance.warps).ok()?;
        let iterations = (entries / u64::from(self.instance.work()).max(1)).max(1);
        let settings =
            Settings { iterations, rounds: 1, t0: 0.1, seed: 1, neighbourhood: Neighbourhood::Auto };
        let chain =
            |(number, start)| AnnealingChain::new(kernel, machine, fairness, warps, settings, start, number);
        let chains = (0..).zip(StartKind::PUBLISHED).filter_map(chain);
        chains.reduce(|longest, other| if other.best() > longest.best() { other } else { longest })
    }

    /// Takes what an annealing has found, and ends it unless it is to go on.
    pub(super) fn end_anneal(&mut self, goes_on: bool) {
        let Stage::Anneal(chain) = &self.stage else { return };
        let (kernel, machine, _) = &self.asked;
        let score = self.goal.score(chain.best());
        if score > self.found {
            let ids = chain.best_order().iter().map(|&warp| u16::from(warp)).collect();
            let warps = usize::try_from(self.instance.warps).unwrap_or(usize::MAX);
            let order = Order::new(ids, warps, kernel.len()).ok();
            let made = order.and_then(|order| construct(kernel, machine, &order, warps));
            self.improve(score, made.filter(|made| self.goal.score(made.makespan()) == score));
        }
        if !goes_on {
            self.choose();
        }
    }

    pub(super) fn end_beam(&mut self) {
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

    pub(super) fn end_search(&mut self) {
        let Stage::BranchAndBound(search) = std::mem::replace(&mut self.stage, Stage::Choose) else { return };
        if *search.outcome() == Outcome::Failed {
            self.states += search.states();
            self.fail(search.target());
        } else {
            self.learn(search.outcome(), search.states(), search.space().code());
            self.search = Some(search);
        }
        self.choose();
    }

    pub(super) fn end_victim_search(&mut self) {
        let Stage::VictimSearch(search) = std::mem::replace(&mut self.stage, Stage::Choose) else { return };
        if *search.outcome() == Outcome::Failed {
            // What is not found below, either, is not sought any longer.
            self.states += search.states();
            self.fail(if self.turns.below { self.proven } else { i32::MIN });
            self.turns = Turns { below: true, patience: u64::MAX, left: u64::MAX };
        } else {
            self.learn(search.outcome(), search.states(), search.code());
            self.turns.left = self.turns.patience;
            self.victim_search = Some(search);
        }
        self.choose();
    }

    /// No target up to this one is worth another try.
    fn fail(&mut self, target: i32) {
        self.ran_out = true;
        self.hopeless = self.hopeless.max(target);
        self.tasks.append(&mut self.late);
    }

    fn learn(&mut self, outcome: &Outcome, states: u64, code: &StateCode) {
        match outcome {
            Outcome::NoRelaxed(most) => self.prove(*most, REFINED, states),
            Outcome::None(most) => self.prove(*most, SEARCH, states),
            Outcome::Found(keys) => {
                let score = self.goal.score(keys.len() as u32 - 1);
                let keys = keys.iter().map(Vec::as_slice);
                let schedule = path::to_schedule(&self.instance, code, keys);
                self.improve(score, schedule);
            }
            Outcome::Running | Outcome::Failed => {}
        }
    }
}
