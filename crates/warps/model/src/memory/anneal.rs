//! Annealing where loads take their time: what changes is the order, and which loads miss.
//!
//! Orders change as without memory, in the published way or one of the others, and are taken or left by the same
//! rule. Where only so many loads may miss, one change in four is of those that do: one goes to another load, or
//! there is one more or one less. A chain is determined by the problem, the settings, its start and its number.

use super::construct::{shuffled, started};
use super::engine::Engine;
use super::misses::loads;
use super::{Problem, misses};
use crate::Order;
use crate::anneal::neighbourhood::{Change, Proposal};
use crate::anneal::{Improvement, Neighbourhood, OperatorSelection, Settings, StartKind};
use base::Seeded;

/// One chain of annealing.
#[derive(Debug, Clone)]
pub struct AnnealingChain {
    settings: Settings,
    warps: usize,
    units: Vec<crate::Unit>,
    gang: usize,
    hit: u32,
    miss: u32,
    /// How many loads may miss; none where that is settled.
    most: Option<usize>,
    engine: Engine,
    rng: Seeded,
    operators: OperatorSelection,
    iteration: u64,
    order: Vec<u8>,
    /// All loads, by warp and instruction in one number: first those that miss, so many of them.
    loads: Vec<u32>,
    missing: usize,
    best: u32,
    best_order: Vec<u8>,
    best_loads: Vec<u32>,
    best_missing: usize,
    improved: Vec<Improvement>,
    fresh: Vec<u8>,
    old: Vec<u8>,
}

impl AnnealingChain {
    /// Chain number `number` from its start; `None` if the kernel needs a unit that is not there.
    pub fn new(problem: &Problem, settings: Settings, start: StartKind, number: u64) -> Option<Self> {
        let mut rng = Seeded::new(settings.seed, number);
        let length = problem.kernel.len();
        let one = |(warp, instruction): (u16, u16)| u32::from(warp) * length as u32 + u32::from(instruction);
        let settled = problem.settled();
        let order: Vec<u8> = match start {
            StartKind::Random => shuffled(problem, &mut rng),
            _ => {
                let made = started(problem, start.fixed(), &misses::first(problem))?;
                made.to_order().ids().iter().map(|&warp| u8::try_from(warp).ok()).collect::<Option<_>>()?
            }
        };
        let mut all: Vec<u32> = loads(problem).into_iter().map(one).collect();
        let missing = match &settled {
            Some(missed) => {
                let missed: Vec<u32> = missed.iter().copied().map(one).collect();
                base::sort::sort_by_key(&mut all, |load| missed.binary_search(load).is_err());
                missed.len()
            }
            None => {
                rng.shuffle(&mut all);
                problem.most_misses()
            }
        };
        let mut marks = vec![false; length * problem.warps];
        for &load in &all[..missing] {
            marks[load as usize] = true;
        }
        let engine = Engine::new(problem, &order, &marks)?;
        let capacity = problem.machine.capacity.0;
        let width = capacity.into_iter().fold(0u32, |sum, n| sum.saturating_add(n));
        let best = engine.makespan();
        Some(Self {
            settings,
            warps: problem.warps,
            units: problem.kernel.units().to_vec(),
            gang: width.min(problem.machine.issue_limit()).saturating_add(2) as usize,
            hit: problem.memory.hit,
            miss: problem.memory.miss,
            most: settled.is_none().then(|| problem.most_misses()),
            engine,
            rng,
            operators: OperatorSelection::default(),
            iteration: 0,
            best,
            best_order: order.clone(),
            best_loads: all.clone(),
            best_missing: missing,
            old: Vec::with_capacity(order.len()),
            fresh: Vec::with_capacity(order.len()),
            order,
            loads: all,
            missing,
            improved: vec![Improvement { iteration: 0, makespan: best }],
        })
    }

    /// Does up to `iterations` more of them; how many it did.
    pub fn advance(&mut self, iterations: u64) -> u64 {
        let until = self.iteration.saturating_add(iterations).min(self.settings.total());
        let from = self.iteration;
        if self.warps < 2 && self.most.is_none() {
            self.iteration = until; // one order, one set of misses
        }
        while self.iteration < until {
            self.iterate();
            self.iteration += 1;
        }
        until.saturating_sub(from)
    }

    fn iterate(&mut self) {
        if self.most.is_some() && (self.warps < 2 || self.rng.below(4) == 0) {
            self.move_a_miss();
        } else {
            self.change_the_order();
        }
        let now = self.engine.makespan();
        if now > self.best {
            self.best = now;
            self.best_order.copy_from_slice(&self.order);
            self.best_loads.copy_from_slice(&self.loads);
            self.best_missing = self.missing;
            self.improved.push(Improvement { iteration: self.iteration + 1, makespan: now });
        }
    }

    fn change_the_order(&mut self) {
        let auto = self.settings.neighbourhood == Neighbourhood::Auto;
        let kind = if auto { self.operators.pick(&mut self.rng) } else { 0 };
        let how = if auto { Neighbourhood::MOVES[kind] } else { self.settings.neighbourhood };
        let engine = &self.engine;
        let change = Proposal {
            order: &self.order,
            warps: self.warps,
            units: &self.units,
            gang: self.gang,
            before: &|warp, place| engine.before(warp, place),
            fresh: &mut self.fresh,
        }
        .draw(how, &mut self.rng);
        let before = engine.makespan();
        let from = match change {
            None => return,
            Some(Change::Replace(from)) => from,
            Some(Change::Swap(a, b)) => {
                let (a, b) = (a.min(b), a.max(b));
                self.fresh.clear();
                self.fresh.extend_from_slice(&self.order[a..=b]);
                self.fresh.swap(0, b - a);
                a
            }
        };
        let range = from..from + self.fresh.len();
        self.old.clear();
        self.old.extend_from_slice(&self.order[range.clone()]);
        let after = self.engine.replace(from, &self.fresh, &self.old);
        if self.takes(before, after) {
            self.engine.accept();
            self.order[range].copy_from_slice(&self.fresh);
        } else {
            self.engine.undo_replace(from, &self.old, &self.fresh);
        }
        if auto {
            let now = self.engine.makespan();
            self.operators.learn(kind, now.saturating_sub(before), now > self.best);
        }
    }

    /// Another load misses in place of one, or one more, or one less.
    fn move_a_miss(&mut self) {
        let (count, most) = (self.loads.len(), self.most.unwrap_or(0));
        let (missing, hitting) = (self.missing, count - self.missing);
        let more = missing < most && hitting > 0;
        let kind = self.rng.below(4);
        let before = self.engine.makespan();
        let any = |rng: &mut Seeded, n: usize| rng.below(u32::try_from(n).unwrap_or(u32::MAX)) as usize;
        if kind == 0 && more || missing == 0 {
            if !more {
                return;
            }
            let at = missing + any(&mut self.rng, hitting);
            let after = self.engine.retime(&[(self.loads[at], self.miss)]);
            if self.takes(before, after) {
                self.engine.accept();
                self.loads.swap(at, missing);
                self.missing += 1;
            } else {
                self.engine.undo_retime(&[(self.loads[at], self.hit)]);
            }
        } else if kind <= 1 || hitting == 0 {
            let at = any(&mut self.rng, missing);
            let after = self.engine.retime(&[(self.loads[at], self.hit)]);
            if self.takes(before, after) {
                self.engine.accept();
                self.loads.swap(at, missing - 1);
                self.missing -= 1;
            } else {
                self.engine.undo_retime(&[(self.loads[at], self.miss)]);
            }
        } else {
            let (a, b) = (any(&mut self.rng, missing), missing + any(&mut self.rng, hitting));
            let (one, other) = (self.loads[a], self.loads[b]);
            let after = self.engine.retime(&[(one, self.hit), (other, self.miss)]);
            if self.takes(before, after) {
                self.engine.accept();
                self.loads.swap(a, b);
            } else {
                self.engine.undo_retime(&[(one, self.miss), (other, self.hit)]);
            }
        }
    }

    /// B, equation (3).
    fn takes(&mut self, before: u32, after: u32) -> bool {
        after >= before || {
            let loss = f64::from(before - after);
            self.rng.share() * loss < self.settings.temperature(self.iteration)
        }
    }

    /// Improvements since this was last asked, the start included.
    pub fn take_improvements(&mut self) -> Vec<Improvement> {
        std::mem::take(&mut self.improved)
    }

    /// Iterations done.
    pub fn iteration(&self) -> u64 {
        self.iteration
    }

    /// The longest makespan so far.
    pub fn best(&self) -> u32 {
        self.best
    }

    /// The order of the longest makespan, the first one found, and the loads that miss in it.
    pub fn witness(&self) -> Option<(Order, Vec<(u16, u16)>)> {
        let ids = self.best_order.iter().map(|&warp| warp.into()).collect();
        let missed = self.named(&self.best_loads[..self.best_missing]);
        Some((Order::new(ids, self.warps, self.units.len()).ok()?, missed))
    }

    /// The present order, the loads that miss in it, and its makespan.
    pub fn present(&self) -> (Vec<u16>, Vec<(u16, u16)>, u32) {
        let ids = self.order.iter().map(|&warp| warp.into()).collect();
        (ids, self.named(&self.loads[..self.missing]), self.engine.makespan())
    }

    /// Loads by warp and instruction.
    fn named(&self, loads: &[u32]) -> Vec<(u16, u16)> {
        let length = self.units.len();
        let two = |&load: &u32| ((load as usize / length) as u16, (load as usize % length) as u16);
        let mut named: Vec<(u16, u16)> = loads.iter().map(two).collect();
        base::sort::sort(&mut named);
        named
    }

    /// Whether all iterations are done.
    pub fn is_over(&self) -> bool {
        self.iteration >= self.settings.total()
    }
}
