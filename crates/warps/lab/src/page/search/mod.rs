//! A search by many chains over few workers, as plain state: which chain runs next, and how far all are.
//!
//! A chain runs for a short stretch and comes back with all it needs to go on anywhere, so the one furthest
//! behind is always next: all chains grow together, no worker is left without work before the last stretch,
//! and a worker that dies costs a stretch and no result.

use crate::job::anneal::{ChainState, best_of, chain_reports};
use crate::report::ChainReport;
use crate::scenario::{Anneal, Method, WarpsScenario};
use base::people;
use kit::job::Progress;
use warps::Order;
use warps::anneal::{Settings, StartKind};

/// How often in a row a chain's worker may die before the search gives up.
const MOST_DEATHS: u32 = 3;
/// Memory for the orders of improvements, in entries of orders.
const MOST_KEPT: usize = 16 << 20;

/// A stretch of work for some worker.
#[derive(Debug, Clone, PartialEq)]
pub struct Stretch {
    /// The scenario document.
    pub text: String,
    /// Which chain, from 0.
    pub chain: usize,
    /// Where it is; none at its start.
    pub from: Option<ChainState>,
    /// The iteration to stop after.
    pub until: u64,
}

/// What the search is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Chains run.
    Running,
    /// Nothing runs until someone says so.
    Paused,
    /// It was stopped; the best so far stands.
    Stopped,
    /// All iterations are done.
    Over,
}

/// How far a chain is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ChainLine {
    /// What it started from.
    pub start: Option<StartKind>,
    /// Its longest makespan.
    pub best: Option<u32>,
    /// Iterations done.
    pub iterations: u64,
    /// The same as a share of all.
    pub share: f64,
    /// Whether it is on a worker right now.
    pub busy: bool,
    /// Whether no chain has found a longer one.
    pub leads: bool,
}

#[derive(Debug, Clone, Default)]
struct Slot {
    state: Option<ChainState>,
    job: Option<u32>,
    /// Orders of some of its improvements, by iteration.
    kept: Vec<(u64, Order)>,
    deaths: u32,
}

/// All chains of a scenario.
#[derive(Debug, Clone)]
pub struct Search {
    text: String,
    warps: WarpsScenario,
    anneal: Anneal,
    width: usize,
    slots: Vec<Slot>,
    phase: Phase,
    kept: usize,
}

impl Search {
    /// The chains of a document, none of them begun, on at most `width` workers at a time; `None` if the
    /// document asks for no annealing.
    pub fn new(text: &str, warps: &WarpsScenario, width: usize) -> Option<Self> {
        let Method::Anneal(anneal) = &warps.method else { return None };
        if !warps.anneals() {
            return None;
        }
        Some(Self {
            text: text.to_owned(),
            warps: warps.clone(),
            slots: vec![Slot::default(); anneal.starts.len()],
            anneal: anneal.clone(),
            width: width.max(1),
            phase: Phase::Running,
            kept: 0,
        })
    }

    /// The document.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it is doing.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The next stretch to run: that of the chain furthest behind, while a worker is free for it.
    pub fn next(&self) -> Option<Stretch> {
        let busy = self.slots.iter().filter(|slot| slot.job.is_some()).count();
        if self.phase != Phase::Running || busy >= self.width {
            return None;
        }
        let waiting = self.slots.iter().enumerate().filter(|(_, slot)| slot.job.is_none());
        let (chain, slot) = waiting.min_by_key(|(_, slot)| slot.done())?;
        let until = self.anneal.settings.total();
        (slot.done() < until || slot.state.is_none()).then(|| Stretch {
            text: self.text.clone(),
            chain,
            from: slot.state.clone(),
            until,
        })
    }

    /// Whether a job advances one of its chains.
    pub fn has(&self, job: u32) -> bool {
        self.slots.iter().any(|slot| slot.job == Some(job))
    }

    /// A job took a chain's stretch on.
    pub fn began(&mut self, chain: usize, job: u32) {
        self.slots[chain].job = Some(job);
    }

    /// A job told where its chain is; whether the longest makespan of all grew.
    pub fn heard(&mut self, job: u32, state: ChainState, over: bool) -> bool {
        let best = self.best();
        let Some(slot) = self.slots.iter_mut().find(|slot| slot.job == Some(job)) else { return false };
        if over {
            slot.job = None;
        }
        slot.deaths = 0;
        let grew = slot.state.as_ref().is_none_or(|before| before.best < state.best);
        if grew && let (Some(order), Some(&(iteration, ..))) = (state.best_order(), state.improvements.last())
        {
            let entries = order.ids().len();
            if self.kept + entries <= MOST_KEPT {
                self.kept += entries;
                slot.kept.push((iteration, order));
            }
        }
        slot.state = Some(state);
        let total = self.anneal.settings.total();
        if self.slots.iter().all(|slot| slot.job.is_none() && slot.state.is_some() && slot.done() >= total) {
            self.phase = Phase::Over;
        }
        self.best() > best
    }

    /// A job was called off before it could tell where its chain is.
    pub fn released(&mut self, job: u32) {
        self.slots.iter_mut().filter(|slot| slot.job == Some(job)).for_each(|slot| slot.job = None);
    }

    /// A job's worker died; false once that has happened to its chain too often.
    pub fn lost(&mut self, job: u32) -> bool {
        let Some(slot) = self.slots.iter_mut().find(|slot| slot.job == Some(job)) else { return true };
        slot.job = None;
        slot.deaths += 1;
        slot.deaths < MOST_DEATHS
    }

    /// Pauses or stops; the jobs to be cancelled.
    pub fn halt(&mut self, phase: Phase) -> Vec<u32> {
        if self.phase != Phase::Over {
            self.phase = phase;
        }
        self.slots.iter().filter_map(|slot| slot.job).collect()
    }

    /// Goes on after a pause or a stop.
    pub fn resume(&mut self) {
        if self.phase != Phase::Over {
            self.phase = Phase::Running;
        }
    }

    /// Whether a document asks for these chains, or for more of the same: further rounds, further chains.
    pub fn takes(&self, warps: &WarpsScenario) -> bool {
        let (before, Method::Anneal(new)) = (&self.anneal, &warps.method) else { return false };
        let settings = Settings { rounds: before.settings.rounds, ..new.settings };
        warps.anneals()
            && self.warps.kernel == warps.kernel
            && self.warps.count == warps.count
            && self.warps.normalised.machine == warps.normalised.machine
            && self.warps.fairness == warps.fairness
            && settings == before.settings
            && new.settings.rounds >= before.settings.rounds
            && new.starts.starts_with(&before.starts)
    }

    /// Takes a document that only asks for more of the same, under another title perhaps. False, and nothing happens,
    /// if it asks for anything else.
    pub fn extend(&mut self, text: &str, warps: &WarpsScenario) -> bool {
        let Method::Anneal(new) = &warps.method else { return false };
        if !self.takes(warps) {
            return false;
        }
        let before = &self.anneal;
        if new.settings.total() > before.settings.total() || new.starts.len() > before.starts.len() {
            self.phase = Phase::Running;
        }
        self.slots.resize(new.starts.len(), Slot::default());
        self.text = text.to_owned();
        self.anneal = new.clone();
        self.warps = warps.clone();
        true
    }

    /// Where all chains are.
    pub fn states(&self) -> Vec<Option<ChainState>> {
        self.slots.iter().map(|slot| slot.state.clone()).collect()
    }

    /// The longest makespan so far.
    pub fn best(&self) -> Option<u32> {
        self.slots.iter().filter_map(|slot| slot.state.as_ref()).map(|state| state.best).max()
    }

    /// What the report says of all chains; nothing before one of them has begun.
    pub fn reports(&self) -> Vec<ChainReport> {
        self.best().map_or_else(Vec::new, |_| chain_reports(&self.anneal, &self.states()))
    }

    /// The order of the longest makespan so far.
    pub fn best_order(&self) -> Option<Order> {
        best_of(&self.states())?.best_order()
    }

    /// The order of a chain's improvement: at once if it was kept, else the stretch that finds it again.
    pub fn order_of(&self, chain: usize, improvement: usize) -> Option<Result<Order, Stretch>> {
        let slot = self.slots.get(chain)?;
        let &(iteration, ..) = slot.state.as_ref()?.improvements.get(improvement)?;
        let kept = slot.kept.iter().find(|(at, _)| *at == iteration);
        Some(kept.map(|(_, order)| order.clone()).ok_or(Stretch {
            text: self.text.clone(),
            chain,
            from: None,
            until: iteration,
        }))
    }

    /// How far all chains are together.
    pub fn progress(&self) -> Progress {
        let total = self.anneal.settings.total().saturating_mul(self.slots.len() as u64);
        Progress { done: self.slots.iter().map(Slot::done).sum(), total, best: self.best(), bracket: None }
    }

    /// One line for each chain.
    pub fn lines(&self) -> Vec<ChainLine> {
        let best = self.best();
        let total = self.anneal.settings.total().max(1) as f64;
        let line = |(slot, start): (&Slot, &StartKind)| ChainLine {
            start: Some(*start),
            best: slot.state.as_ref().map(|state| state.best),
            iterations: slot.done(),
            share: slot.done() as f64 / total,
            busy: slot.job.is_some(),
            leads: best.is_some() && slot.state.as_ref().map(|state| state.best) == best,
        };
        self.slots.iter().zip(&self.anneal.starts).map(line).collect()
    }

    /// The seconds all chains have computed together.
    pub fn seconds(&self) -> f64 {
        self.slots.iter().filter_map(|slot| slot.state.as_ref()).map(|state| state.seconds).sum()
    }

    /// About how many seconds are left, from how fast the chains have been so far.
    fn left(&self) -> Option<f64> {
        let seconds = self.seconds();
        let Progress { done, total, .. } = self.progress();
        let side_by_side = self.width.min(self.slots.len()) as f64;
        (done > 0 && self.phase == Phase::Running)
            .then(|| (total - done) as f64 * seconds / done as f64 / side_by_side)
    }

    /// How far it is, in words.
    pub fn told(&self) -> String {
        let Progress { done, total, best, .. } = self.progress();
        let all = people::plural(self.slots.len(), "chain", "chains");
        let best = best.map_or(String::new(), |best| format!("; longest makespan found: {best} cycles"));
        // Whole seconds: with tenths the line would never be at rest.
        let left = self.left().map_or(String::new(), |left| match left.ceil() {
            seconds if seconds < 120.0 => format!("; about {}\u{a0}s left", seconds as u32),
            seconds => format!("; about {} left", people::duration(seconds)),
        });
        let how = match self.phase {
            Phase::Running => "",
            Phase::Paused => "Paused: ",
            Phase::Stopped => "Stopped: ",
            Phase::Over => "Done: ",
        };
        let spent = match self.phase {
            Phase::Running => String::new(),
            _ => format!("; {} of computing", people::duration(self.seconds())),
        };
        let (done, total) = (people::grouped(done.into()), people::grouped(total.into()));
        format!("{how}{done} of {total} iterations in {all}{best}{left}{spent}")
    }
}

impl Slot {
    fn done(&self) -> u64 {
        self.state.as_ref().map_or(0, |state| state.iterations)
    }
}

#[cfg(test)]
mod tests;
