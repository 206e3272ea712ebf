//! Depth-first branch and bound with a transposition table: is there a schedule with a given score or a better one (a
//! null-window search)?
//!
//! Every question reads: can what follows a key score `need` or more? A key is a state, or an aggregate of module
//! `refined`. The answer is no where the bound of module `bounding` says so, and for a state where the answer for its
//! aggregate is no, because every path of states is a path of aggregates. Else it is yes exactly if it is for some
//! successor, of which a step less is asked. Whatever comes out is noted (module `transposition`) and never asked
//! again, not for another target either: it holds of the key, whichever way it was reached.
//!
//! Asking about aggregates first pays since one path of aggregates is enough for a yes; only what cannot reach the
//! target has to be gone through in full. What is put aside is the path and its successors, so the memory
//! needed is small, and a table that is full makes it slower, not wrong.
//!
//! With the answer no for a key, the best score from it on is at most the largest bound of a successor and a
//! step: often less than what was asked for.

use super::Goal;
use super::aggregate::refined::RefinedAggregates;
use super::bounding::BoundingFunction;
use super::instance::{Aggregate, Instance, Place};
use super::pack::AggregateCode;
use super::space::Space;
use super::states::StateSpace;
use super::transposition::{ProvenRange, TranspositionTable};

/// For each key there is room for, how many may be forgotten before the search is given up.
pub const PATIENCE: u64 = 8;

/// How a search stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// There is more to do.
    Running,
    /// The keys of a schedule that reaches the target, start and end included.
    Found(Vec<Vec<u64>>),
    /// No aggregate, and so no schedule, scores more than this.
    NoRelaxed(i32),
    /// No schedule scores more than this.
    None(i32),
    /// Memory did not suffice, or the choices of one cycle were too many.
    Failed,
}

/// What kind of key is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    State,
    Relaxed,
}

/// A key whose successors are being asked about.
#[derive(Debug)]
struct Frame {
    level: Level,
    /// What it has to score.
    need: i32,
    /// The best it can score as far as its successors were asked about or dropped.
    most: i32,
    /// Where its key is; its successors follow.
    key: usize,
    /// The successor to be asked about next.
    next: usize,
    /// Where the successors end.
    end: usize,
}

/// A search in the making.
#[derive(Debug)]
pub struct BranchAndBound {
    goal: Goal,
    target: i32,
    states: StateSpace,
    aggregates: RefinedAggregates,
    code: AggregateCode,
    proven_states: TranspositionTable,
    proven_aggregates: TranspositionTable,
    frames: Vec<Frame>,
    /// The keys of the frames and of their successors.
    keys: Vec<u64>,
    memory: u64,
    expanded: u64,
    places: Vec<Place>,
    aggregate: Aggregate,
    outcome: Outcome,
}

impl BranchAndBound {
    /// A search for scores of at least `target`, in about `memory` bytes.
    pub fn new(goal: Goal, instance: &Instance, target: i32, memory: u64) -> Self {
        let (states, aggregates) = (StateSpace::new(goal, instance), RefinedAggregates::new(goal, instance));
        let (words, aggregate_words) = (states.stride(), aggregates.stride());
        Self {
            goal,
            target,
            states,
            aggregates,
            code: AggregateCode::new(instance),
            proven_states: TranspositionTable::new(words, memory),
            proven_aggregates: TranspositionTable::new(aggregate_words, memory),
            frames: Vec::new(),
            keys: Vec::new(),
            memory,
            expanded: 0,
            places: Vec::new(),
            aggregate: Aggregate::default(),
            outcome: Outcome::Running,
        }
    }

    /// Begins anew with another target, keeping what is known.
    pub fn retarget(&mut self, target: i32) {
        self.target = target;
        self.frames.clear();
        self.keys.clear();
        self.outcome = Outcome::Running;
    }

    /// How it stands.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// What it aims at.
    pub fn target(&self) -> i32 {
        self.target
    }

    /// Keys expanded.
    pub fn states(&self) -> u64 {
        self.expanded
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> u64 {
        self.proven_states.bytes() + self.proven_aggregates.bytes() + self.keys.capacity() as u64 * 8
    }

    /// The cycle it is in.
    pub fn layer(&self) -> u32 {
        self.frames.len() as u32
    }

    /// The space of states.
    pub fn space(&self) -> &StateSpace {
        &self.states
    }

    /// Goes on for about `budget` successors' worth of work; whether there is more to do.
    pub fn step(&mut self, instance: &Instance, bounding: &BoundingFunction, budget: u64) -> bool {
        let mut spent = 0;
        let mut key = Vec::new();
        while self.outcome == Outcome::Running && spent < budget {
            spent += 4;
            key.clear();
            let (level, need) = match self.frames.last() {
                None => {
                    key = self.states.start();
                    (Level::State, self.target)
                }
                Some(frame) if frame.next == frame.end => {
                    self.fail();
                    continue;
                }
                Some(frame) => {
                    let stride = self.stride(frame.level);
                    key.extend_from_slice(&self.keys[frame.next..frame.next + stride]);
                    (frame.level, frame.need - self.goal.step())
                }
            };
            spent += self.prove(instance, bounding, level, &key, need);
        }
        self.outcome == Outcome::Running
    }

    /// Asks about a successor of the last frame, or the start: answers or opens a frame; what it cost.
    fn prove(
        &mut self,
        instance: &Instance,
        bounding: &BoundingFunction,
        level: Level,
        key: &[u64],
        need: i32,
    ) -> u64 {
        if key == self.end(level) {
            // It was kept for having the score that is needed.
            self.succeed();
            return 0;
        }
        if level == Level::Relaxed {
            let ProvenRange { least, most } = self.proven_aggregates.get(key);
            if least >= need {
                self.succeed();
            } else if most < need {
                self.skip(most, Level::Relaxed);
            } else {
                return self.open(instance, bounding, level, key, need);
            }
            return 0;
        }
        let most = self.proven_states.get(key).most;
        if most < need {
            self.skip(most, Level::State);
            return 0;
        }
        self.states.code().decode(key, &mut self.places);
        self.aggregate.gather(instance, &self.places);
        let mut aggregate = Vec::new();
        self.code.encode(&self.aggregate, &mut aggregate);
        let ProvenRange { least, most } = self.proven_aggregates.get(&aggregate);
        if most < need {
            self.skip(most, Level::Relaxed);
            return 8;
        }
        match least >= need {
            true => self.open(instance, bounding, Level::State, key, need),
            false => self.open(instance, bounding, Level::Relaxed, &aggregate, need),
        }
    }

    /// Lists the successors of a key; what it cost.
    fn open(
        &mut self,
        instance: &Instance,
        bounding: &BoundingFunction,
        level: Level,
        key: &[u64],
        need: i32,
    ) -> u64 {
        let Self { goal, states, aggregates, keys, .. } = self;
        let at = keys.len();
        keys.extend_from_slice(key);
        let (goal, first) = (*goal, keys.len());
        let (mut most, mut cost) = (i32::MIN, 16);
        let mut keep = |aggregate: &Aggregate, _| {
            cost += 8;
            let bound = bounding.estimate(goal, instance, aggregate);
            let keep = bound >= need - goal.step();
            if !keep {
                most = most.max(bound + goal.step());
            }
            keep
        };
        let mut visit = |key: &[u64], _| keys.extend_from_slice(key);
        let whole = match level {
            Level::State => states.expand(instance, key, &mut keep, &mut visit),
            Level::Relaxed => aggregates.expand(instance, key, &mut keep, &mut visit),
        };
        let frame = Frame { level, need, most, key: at, next: first, end: self.keys.len() };
        self.frames.push(frame);
        self.expanded += 1;
        let impatient = |known: &TranspositionTable| known.has_replaced_more_than(PATIENCE);
        if !whole
            || self.keys.len() as u64 * 8 > self.memory
            || impatient(&self.proven_states)
            || impatient(&self.proven_aggregates)
        {
            self.outcome = Outcome::Failed;
        }
        cost
    }

    /// The successor asked about cannot do it: goes on to the next.
    fn skip(&mut self, most: i32, by: Level) {
        let step = self.goal.step();
        match self.frames.last_mut() {
            Some(frame) => {
                frame.most = frame.most.max(most + step);
                frame.next += match frame.level {
                    Level::State => self.states.stride(),
                    Level::Relaxed => self.aggregates.stride(),
                };
            }
            None if by == Level::Relaxed => self.outcome = Outcome::NoRelaxed(most),
            None => self.outcome = Outcome::None(most),
        }
    }

    /// The last frame's key cannot do it.
    fn fail(&mut self) {
        let Some(Frame { level, need, most, key, .. }) = self.frames.pop() else { return };
        let range = ProvenRange { most: most.min(need - 1), ..ProvenRange::OPEN };
        let words = self.stride(level);
        self.share();
        let Self { proven_states, proven_aggregates, keys, .. } = self;
        let known = match level {
            Level::State => proven_states,
            Level::Relaxed => proven_aggregates,
        };
        known.narrow(&keys[key..key + words], range);
        keys.truncate(key);
    }

    /// The successor asked about can do it, and so can the last frame's key.
    fn succeed(&mut self) {
        let Some(Frame { level: Level::Relaxed, need, key, .. }) = self.frames.last() else {
            let (mut path, words) = (Vec::new(), self.states.stride());
            for frame in &self.frames {
                path.push(self.keys[frame.key..frame.key + words].to_vec());
            }
            path.push(self.end(Level::State));
            self.outcome = Outcome::Found(path);
            return;
        };
        let (need, key) = (*need, *key);
        let words = self.stride(Level::Relaxed);
        self.share();
        self.proven_aggregates
            .narrow(&self.keys[key..key + words], ProvenRange { least: need, ..ProvenRange::OPEN });
        self.keys.truncate(key);
        self.frames.pop();
    }

    /// Each table may take what the other leaves.
    fn share(&mut self) {
        self.proven_states.allow(self.memory.saturating_sub(self.proven_aggregates.bytes()));
        self.proven_aggregates.allow(self.memory.saturating_sub(self.proven_states.bytes()));
    }

    fn stride(&self, level: Level) -> usize {
        match level {
            Level::State => self.states.stride(),
            Level::Relaxed => self.aggregates.stride(),
        }
    }

    /// The key where all is over.
    fn end(&self, level: Level) -> Vec<u64> {
        match level {
            Level::State => {
                let mut key = Vec::new();
                self.states.code().encode(&[], &mut key);
                key
            }
            Level::Relaxed => vec![0; self.aggregates.stride()],
        }
    }
}
