//! Best paths through a space of states, layer by layer.
//!
//! A layer holds the states with the same number of instructions executed, not the same cycle: then every
//! state stands in one layer only, and of all ways to it the best score alone matters. States that cannot
//! reach the target even by the bound are dropped. What survives to the last layer is the best score there
//! is; if nothing does, no schedule reaches the target.
//!
//! A finished sweep of crowds can be read backwards: the best score from each crowd on, within the crowds
//! kept. For a state of a path that reaches the target this is a bound, because its crowd and all those after
//! it were kept; one whose crowd was dropped reaches no such target. It stays true for higher targets.

use super::Goal;
use super::guide::Guide;
use super::layer::{Entry, Layer};
use super::outline::{Crowd, Outline};

/// The most successors of one state; beyond, a sweep fails.
pub const MOST_CHOICES: u32 = 200_000;

/// What can be swept.
pub trait Space {
    /// Words of a key.
    fn stride(&self) -> usize;
    /// The key of the start.
    fn start(&self) -> Vec<u64>;
    /// Lists the successors of a state that `keep` keeps, with the instructions executed on the way; whether
    /// there were no more than [`MOST_CHOICES`].
    fn expand(
        &mut self,
        outline: &Outline,
        key: &[u64],
        keep: &mut dyn FnMut(&Crowd, u32) -> bool,
        visit: &mut dyn FnMut(&[u64], u32),
    ) -> bool;
    /// The key of a crowd, where states are crowds.
    fn key_of(&mut self, _crowd: &Crowd) -> Option<&[u64]> {
        None
    }
}

/// How a sweep stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stand {
    /// There is more to do.
    Running,
    /// It is through: the best score that reaches the target, if any does.
    Done(Option<i32>),
    /// Memory did not suffice, or the choices of one cycle were too many.
    Failed,
}

/// A sweep in the making.
#[derive(Debug)]
pub struct Sweep<S> {
    goal: Goal,
    space: S,
    target: i32,
    memory: u64,
    layers: Vec<Layer>,
    at: usize,
    index: usize,
    states: u64,
    /// Bytes of layers that are through.
    closed: u64,
    /// The first layer still held.
    held: usize,
    /// Whether closed layers must stay and be searchable.
    lasting: bool,
    backward: bool,
    stand: Stand,
}

/// No way on.
const NOWHERE: i32 = i32::MIN;

impl<S: Space> Sweep<S> {
    /// A sweep for scores of at least `target`.
    pub fn new(goal: Goal, outline: &Outline, space: S, target: i32, memory: u64, lasting: bool) -> Self {
        let mut layers = vec![Layer::new(space.stride()); outline.work() as usize + 1];
        layers[0].offer(&space.start(), Entry::default());
        Self {
            goal,
            space,
            target,
            memory,
            layers,
            at: 0,
            index: 0,
            states: 0,
            closed: 0,
            held: 0,
            lasting,
            backward: false,
            stand: Stand::Running,
        }
    }

    /// How it stands.
    pub fn stand(&self) -> Stand {
        self.stand
    }

    /// What it aims at.
    pub fn target(&self) -> i32 {
        self.target
    }

    /// States expanded.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// The layer it is in.
    pub fn layer(&self) -> u32 {
        self.at as u32
    }

    /// The space it sweeps.
    pub fn space(&self) -> &S {
        &self.space
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let open = &self.layers[self.at..(self.at + 70).min(self.layers.len())];
        self.closed + open.iter().map(Layer::bytes).sum::<u64>() + (self.layers.len() * 80) as u64
    }

    /// Goes on for about `budget` successors' worth of work.
    pub fn step(&mut self, outline: &Outline, guide: &mut Guide, budget: u64) -> Stand {
        let mut spent = 0;
        while self.stand == Stand::Running && spent < budget {
            spent += 16;
            let last = self.at + 1 == self.layers.len();
            if !last && self.index < self.layers[self.at].len() {
                spent += self.expand(outline, guide);
                self.index += 1;
            } else {
                self.close();
            }
        }
        self.stand
    }

    /// Expands one state; the successors it had.
    fn expand(&mut self, outline: &Outline, guide: &mut Guide) -> u64 {
        self.states += 1;
        let (before, rest) = self.layers.split_at_mut(self.at + 1);
        let entry = before[self.at].entry(self.index);
        let key = before[self.at].key(self.index);
        let score = entry.score + self.goal.step();
        let (goal, target, at, link) = (self.goal, self.target, self.at as u32, self.index as u32);
        let mut seen = 0;
        let mut keep = |crowd: &Crowd, executed: u32| {
            seen += 12;
            guide.reaches(goal, outline, crowd, at + executed, target - score)
        };
        let whole = self.space.expand(outline, key, &mut keep, &mut |key, executed| {
            rest[executed as usize - 1].offer(key, Entry { score, link, executed });
        });
        if !whole {
            self.stand = Stand::Failed;
        } else if self.states.is_multiple_of(1024) {
            self.make_room();
        }
        seen
    }

    /// Goes to the next layer.
    fn close(&mut self) {
        if self.at + 1 == self.layers.len() {
            let last = &self.layers[self.at];
            self.stand = Stand::Done((last.len() > 0).then(|| last.entry(0).score));
            return;
        }
        if !self.lasting {
            self.layers[self.at].close();
        }
        self.closed += self.layers[self.at].bytes();
        self.at += 1;
        self.index = 0;
        self.make_room();
    }

    /// Drops the oldest layers while there is too much; fails where that is not enough.
    fn make_room(&mut self) {
        while self.bytes() > self.memory {
            if self.lasting || self.held >= self.at {
                self.stand = Stand::Failed;
                return;
            }
            self.closed -= self.layers[self.held].bytes();
            self.layers[self.held] = Layer::new(self.space.stride());
            self.held += 1;
        }
    }

    /// The keys of the best path, start and end included; `None` if layers had to be dropped.
    pub fn path(&self) -> Option<Vec<Vec<u64>>> {
        let Stand::Done(Some(_)) = self.stand else { return None };
        let (mut at, mut index, mut keys) = (self.layers.len() - 1, 0, Vec::new());
        loop {
            if at < self.held {
                return None;
            }
            keys.push(self.layers[at].key(index).to_vec());
            let entry = self.layers[at].entry(index);
            if at == 0 {
                keys.reverse();
                return Some(keys);
            }
            (at, index) = (at - entry.executed as usize, entry.link as usize);
        }
    }

    /// Reads a finished sweep backwards; whether there is more to do.
    pub fn look_back(&mut self, outline: &Outline, budget: u64) -> bool {
        if !self.backward {
            (self.backward, self.at, self.index) = (true, self.layers.len() - 1, 0);
        }
        let mut spent = 0;
        while spent < budget {
            if self.index < self.layers[self.at].len() {
                spent += 16 + self.value_of_one(outline);
                self.index += 1;
            } else if self.at == 0 {
                return false;
            } else {
                (self.at, self.index) = (self.at - 1, 0);
                spent += 1;
            }
        }
        true
    }

    fn value_of_one(&mut self, outline: &Outline) -> u64 {
        let last = self.layers.len() - 1;
        let mut value = if self.at == last { 0 } else { NOWHERE };
        let (before, rest) = self.layers.split_at_mut(self.at + 1);
        let (step, mut seen) = (self.goal.step(), 0);
        if self.at < last {
            let key = before[self.at].key(self.index);
            self.space.expand(outline, key, &mut |_, _| true, &mut |key, executed| {
                seen += 8;
                let layer = &rest[executed as usize - 1];
                if let Some(index) = layer.find(key) {
                    let then = layer.entry(index).link.cast_signed();
                    if then != NOWHERE {
                        value = value.max(then + step);
                    }
                }
            });
        }
        before[self.at].set_link(self.index, value.cast_unsigned());
        seen
    }

    /// The best score from a crowd on, once looked back.
    pub fn value(&mut self, crowd: &Crowd, executed: u32) -> Option<i32> {
        let layer = &self.layers[executed as usize];
        let value = layer.entry(layer.find(self.space.key_of(crowd)?)?).link.cast_signed();
        (value != NOWHERE).then_some(value)
    }
}
