//! Is there a schedule with a given score or a better one? Depth first, from the start on.
//!
//! Every question reads: can what follows a key score `need` or more? A key is a state, or a crowd of module
//! `refined`. The answer is no where the bound of module `guide` says so, and for a state where the answer for
//! its crowd is no, because every path of states is a path of crowds. Else it is yes exactly if it is for some
//! successor, of which a step less is asked. Whatever comes out is noted (module `known`) and never asked
//! again, not for another target either: it holds of the key, whichever way it was reached.
//!
//! Asking about crowds first pays since one path of crowds is enough for a yes; only what cannot reach the
//! target has to be gone through in full. What is put aside is the path and its successors, so the memory
//! needed is small, and a table that is full makes it slower, not wrong.
//!
//! With the answer no for a key, the best score from it on is at most the largest bound of a successor and a
//! step: often less than what was asked for.

use super::Goal;
use super::concrete::Concrete;
use super::guide::Guide;
use super::known::{Known, Range};
use super::outline::{Crowd, Outline, Place};
use super::pack::CrowdCode;
use super::refined::Refined;
use super::space::Space;

/// For each key there is room for, how many may be forgotten before the hunt is given up.
const PATIENCE: u64 = 8;

/// How a hunt stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stand {
    /// There is more to do.
    Running,
    /// The keys of a schedule that reaches the target, start and end included.
    Found(Vec<Vec<u64>>),
    /// No crowd, and so no schedule, scores more than this.
    NoCrowd(i32),
    /// No schedule scores more than this.
    NoState(i32),
    /// Memory did not suffice, or the choices of one cycle were too many.
    Failed,
}

/// What kind of key is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    State,
    Crowd,
}

/// A key whose successors are being asked about.
#[derive(Debug)]
struct Frame {
    kind: Kind,
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

/// A hunt in the making.
#[derive(Debug)]
pub struct Hunt {
    goal: Goal,
    target: i32,
    states: Concrete,
    crowds: Refined,
    code: CrowdCode,
    known_states: Known,
    known_crowds: Known,
    frames: Vec<Frame>,
    /// The keys of the frames and of their successors.
    keys: Vec<u64>,
    memory: u64,
    expanded: u64,
    places: Vec<Place>,
    crowd: Crowd,
    stand: Stand,
}

impl Hunt {
    /// A hunt for scores of at least `target`, in about `memory` bytes.
    pub fn new(goal: Goal, outline: &Outline, target: i32, memory: u64) -> Self {
        let (states, crowds) = (Concrete::new(goal, outline), Refined::new(goal, outline));
        let (words, crowd_words) = (states.stride(), crowds.stride());
        Self {
            goal,
            target,
            states,
            crowds,
            code: CrowdCode::new(outline),
            known_states: Known::new(words, memory),
            known_crowds: Known::new(crowd_words, memory),
            frames: Vec::new(),
            keys: Vec::new(),
            memory,
            expanded: 0,
            places: Vec::new(),
            crowd: Crowd::default(),
            stand: Stand::Running,
        }
    }

    /// Begins anew with another target, keeping what is known.
    pub fn aim(&mut self, target: i32) {
        self.target = target;
        self.frames.clear();
        self.keys.clear();
        self.stand = Stand::Running;
    }

    /// How it stands.
    pub fn stand(&self) -> &Stand {
        &self.stand
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
        self.known_states.bytes() + self.known_crowds.bytes() + self.keys.capacity() as u64 * 8
    }

    /// The cycle it is in.
    pub fn layer(&self) -> u32 {
        self.frames.len() as u32
    }

    /// The space of states.
    pub fn space(&self) -> &Concrete {
        &self.states
    }

    /// Goes on for about `budget` successors' worth of work; whether there is more to do.
    pub fn step(&mut self, outline: &Outline, guide: &Guide, budget: u64) -> bool {
        let mut spent = 0;
        let mut key = Vec::new();
        while self.stand == Stand::Running && spent < budget {
            spent += 4;
            key.clear();
            let (kind, need) = match self.frames.last() {
                None => {
                    key = self.states.start();
                    (Kind::State, self.target)
                }
                Some(frame) if frame.next == frame.end => {
                    self.fail();
                    continue;
                }
                Some(frame) => {
                    let stride = self.stride(frame.kind);
                    key.extend_from_slice(&self.keys[frame.next..frame.next + stride]);
                    (frame.kind, frame.need - self.goal.step())
                }
            };
            spent += self.ask(outline, guide, kind, &key, need);
        }
        self.stand == Stand::Running
    }

    /// Asks about a successor of the last frame, or the start: answers or opens a frame; what it cost.
    fn ask(&mut self, outline: &Outline, guide: &Guide, kind: Kind, key: &[u64], need: i32) -> u64 {
        if key == self.end(kind) {
            // It was kept for having the score that is needed.
            self.succeed();
            return 0;
        }
        if kind == Kind::Crowd {
            let Range { least, most } = self.known_crowds.get(key);
            if least >= need {
                self.succeed();
            } else if most < need {
                self.skip(most, Kind::Crowd);
            } else {
                return self.open(outline, guide, kind, key, need);
            }
            return 0;
        }
        let most = self.known_states.get(key).most;
        if most < need {
            self.skip(most, Kind::State);
            return 0;
        }
        self.states.code().decode(key, &mut self.places);
        self.crowd.gather(outline, &self.places);
        let mut crowd = Vec::new();
        self.code.encode(&self.crowd, &mut crowd);
        let Range { least, most } = self.known_crowds.get(&crowd);
        if most < need {
            self.skip(most, Kind::Crowd);
            return 8;
        }
        match least >= need {
            true => self.open(outline, guide, Kind::State, key, need),
            false => self.open(outline, guide, Kind::Crowd, &crowd, need),
        }
    }

    /// Lists the successors of a key; what it cost.
    fn open(&mut self, outline: &Outline, guide: &Guide, kind: Kind, key: &[u64], need: i32) -> u64 {
        let Self { goal, states, crowds, keys, .. } = self;
        let at = keys.len();
        keys.extend_from_slice(key);
        let (goal, first) = (*goal, keys.len());
        let (mut most, mut cost) = (i32::MIN, 16);
        let mut keep = |crowd: &Crowd, _| {
            cost += 8;
            let bound = guide.estimate(goal, outline, crowd);
            let keep = bound >= need - goal.step();
            if !keep {
                most = most.max(bound + goal.step());
            }
            keep
        };
        let mut visit = |key: &[u64], _| keys.extend_from_slice(key);
        let whole = match kind {
            Kind::State => states.expand(outline, key, &mut keep, &mut visit),
            Kind::Crowd => crowds.expand(outline, key, &mut keep, &mut visit),
        };
        let frame = Frame { kind, need, most, key: at, next: first, end: self.keys.len() };
        self.frames.push(frame);
        self.expanded += 1;
        let impatient = |known: &Known| known.forgot(PATIENCE);
        if !whole
            || self.keys.len() as u64 * 8 > self.memory
            || impatient(&self.known_states)
            || impatient(&self.known_crowds)
        {
            self.stand = Stand::Failed;
        }
        cost
    }

    /// The successor asked about cannot do it: goes on to the next.
    fn skip(&mut self, most: i32, by: Kind) {
        let step = self.goal.step();
        match self.frames.last_mut() {
            Some(frame) => {
                frame.most = frame.most.max(most + step);
                frame.next += match frame.kind {
                    Kind::State => self.states.stride(),
                    Kind::Crowd => self.crowds.stride(),
                };
            }
            None if by == Kind::Crowd => self.stand = Stand::NoCrowd(most),
            None => self.stand = Stand::NoState(most),
        }
    }

    /// The last frame's key cannot do it.
    fn fail(&mut self) {
        let Some(Frame { kind, need, most, key, .. }) = self.frames.pop() else { return };
        let range = Range { most: most.min(need - 1), ..Range::OPEN };
        let words = self.stride(kind);
        self.share();
        let Self { known_states, known_crowds, keys, .. } = self;
        let known = match kind {
            Kind::State => known_states,
            Kind::Crowd => known_crowds,
        };
        known.narrow(&keys[key..key + words], range);
        keys.truncate(key);
    }

    /// The successor asked about can do it, and so can the last frame's key.
    fn succeed(&mut self) {
        let Some(Frame { kind: Kind::Crowd, need, key, .. }) = self.frames.last() else {
            let (mut path, words) = (Vec::new(), self.states.stride());
            for frame in &self.frames {
                path.push(self.keys[frame.key..frame.key + words].to_vec());
            }
            path.push(self.end(Kind::State));
            self.stand = Stand::Found(path);
            return;
        };
        let (need, key) = (*need, *key);
        let words = self.stride(Kind::Crowd);
        self.share();
        self.known_crowds.narrow(&self.keys[key..key + words], Range { least: need, ..Range::OPEN });
        self.keys.truncate(key);
        self.frames.pop();
    }

    /// Each table may take what the other leaves.
    fn share(&mut self) {
        self.known_states.allow(self.memory.saturating_sub(self.known_crowds.bytes()));
        self.known_crowds.allow(self.memory.saturating_sub(self.known_states.bytes()));
    }

    fn stride(&self, kind: Kind) -> usize {
        match kind {
            Kind::State => self.states.stride(),
            Kind::Crowd => self.crowds.stride(),
        }
    }

    /// The key where all is over.
    fn end(&self, kind: Kind) -> Vec<u64> {
        match kind {
            Kind::State => {
                let mut key = Vec::new();
                self.states.code().encode(&[], &mut key);
                key
            }
            Kind::Crowd => vec![0; self.crowds.stride()],
        }
    }
}
