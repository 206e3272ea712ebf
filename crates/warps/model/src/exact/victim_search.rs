//! Depth-first branch and bound with a transposition table, beside the warp that ends last: is there a schedule of so many
//! cycles or more?
//!
//! Claim. A key says at which positions warps are, and at which of these the last one is. A step of keys is a choice of
//! module `select` after which the last warp still has instructions left, or all have ended. The longest path of keys from
//! the start to the end has as many steps as the longest schedule has cycles.
//!
//! Proof. Some warp ends last in the longest schedule; warps are alike, so it may be the one that is told apart from the
//! start on. Until the last cycle it has something left, and in that all end: a path of keys. The other way round, a path
//! of keys is a path of states if nothing is said of who is last, and so a schedule. Sub-blocks change nothing: which
//! choices there are depends on the state alone, and the relaxation allows all that they forbid.
//!
//! Every question reads: can what follows a key take `need` cycles or more? The answer is no where the relaxation beside
//! the last warp (module `lagrangian::coloured`) says so of this warp. Else it is yes exactly if it is for some successor,
//! of which a cycle less is asked. What is no is noted and never asked again, not for another target either: what a key can
//! take at the most does not depend on the target, nor on the way to it.
//!
//! Why it is better than to ask about states: from a state on, the relaxation says what is possible with whichever warp is
//! last, which may be another one in each cycle. With one, what a path has lost it has lost for good: with each step the
//! bound falls by a cycle or more, and little more than what is open between the bound from the start and the target may
//! be lost on the whole way.

use super::branch_and_bound::{Outcome, PATIENCE};
use super::instance::{Instance, Place};
use super::lagrangian::coloured::ColouredBound;
use super::pack::StateCode;
use super::select::{Selector, Waiting};
use super::space::MOST_CHOICES;
use super::states::advance;
use super::transposition::{ProvenRange, TranspositionTable};

#[cfg(test)]
mod tests;

/// A key whose successors are being asked about.
#[derive(Debug)]
struct Frame {
    /// The cycles it has to take.
    need: i32,
    /// The most it can take as far as its successors were asked about or dropped.
    most: i32,
    /// Where its key is; its successors follow, each with its bound.
    key: usize,
    /// The successor to be asked about next.
    next: usize,
    /// Where the successors end.
    end: usize,
}

/// Who may execute: an entry of the places, and whether it is the last warp.
type Entry = (usize, bool);

/// A search in the making.
#[derive(Debug)]
pub struct VictimSearch {
    target: i32,
    code: StateCode,
    known: TranspositionTable,
    frames: Vec<Frame>,
    keys: Vec<u64>,
    memory: u64,
    expanded: u64,
    outcome: Outcome,
    selector: Selector,
    places: Vec<Place>,
    entries: Vec<Entry>,
    waiting: Vec<Waiting>,
    /// The successors of a key, and by how many parts of a cycle each may go on.
    next: Vec<u64>,
    order: Vec<(i64, usize)>,
}

impl VictimSearch {
    /// A search for schedules of at least `target` cycles, in about `memory` bytes.
    pub fn new(instance: &Instance, target: i32, memory: u64) -> Self {
        let code = StateCode::new(instance);
        Self {
            target,
            known: TranspositionTable::new(code.stride() + 1, memory),
            code,
            frames: Vec::new(),
            keys: Vec::new(),
            memory,
            expanded: 0,
            outcome: Outcome::Running,
            selector: Selector::default(),
            places: Vec::new(),
            entries: Vec::new(),
            waiting: Vec::new(),
            next: Vec::new(),
            order: Vec::new(),
        }
    }

    /// Begins anew with another target, keeping what is known.
    pub fn retarget(&mut self, target: i32) {
        self.target = target;
        self.frames.clear();
        self.keys.clear();
        self.outcome = Outcome::Running;
    }

    /// From now on it may take so many bytes.
    pub fn allow(&mut self, memory: u64) {
        self.known.allow(memory);
        self.memory = memory;
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
        self.known.bytes() + self.keys.capacity() as u64 * 8
    }

    /// The cycle it is in.
    pub fn layer(&self) -> u32 {
        self.frames.len() as u32
    }

    /// The code of the states found.
    pub fn code(&self) -> &StateCode {
        &self.code
    }

    /// Goes on for about `budget` successors' worth of work; whether there is more to do.
    pub fn step(&mut self, instance: &Instance, bound: &ColouredBound, budget: u64) -> bool {
        let (mut spent, mut key) = (0, Vec::new());
        // A state and its last warp.
        let words = self.code.stride() + 1;
        while self.outcome == Outcome::Running && spent < budget {
            spent += 4;
            key.clear();
            let (need, most) = match self.frames.last() {
                None => {
                    self.code.encode(&[Place { at: 0, warps: instance.warps }], &mut key);
                    key.push(0);
                    (self.target, i32::MAX)
                }
                Some(frame) if frame.next == frame.end => {
                    self.fail();
                    continue;
                }
                Some(frame) => {
                    let (own, rest) = self.keys[frame.next..].split_at(words);
                    key.extend_from_slice(own);
                    (frame.need - 1, i32::try_from(rest[0]).unwrap_or(i32::MAX))
                }
            };
            let most = most.min(self.known.get(&key).most);
            if most < need {
                self.skip(most);
            } else {
                spent += self.open(instance, bound, &key, need);
            }
        }
        self.outcome == Outcome::Running
    }

    /// Lists the successors of a key, those that may go on for longest first; what it cost.
    fn open(&mut self, instance: &Instance, bound: &ColouredBound, key: &[u64], need: i32) -> u64 {
        let (states, last) = (self.code.stride(), key[self.code.stride()] as u32);
        let Self { code, selector, places, entries, waiting, next, order, .. } = self;
        code.decode(key, places);
        entries.clear();
        waiting.clear();
        for (i, place) in places.iter().enumerate() {
            let phase = instance.phases[instance.phase_of[place.at as usize] as usize];
            let own = u32::from(place.at == last);
            for (warps, is_last) in [(own, true), (place.warps - own, false)] {
                if warps > 0 {
                    entries.push((i, is_last));
                    waiting.push(Waiting { unit: phase.unit, block: phase.block, warps });
                }
            }
        }
        next.clear();
        order.clear();
        let (mut take, mut after, mut buffer) = (vec![0; places.len()], Vec::new(), Vec::new());
        let (mut count, mut most, mut ends) = (0, i32::MIN, false);
        let whole = selector.each(instance, waiting, &mut |chosen| {
            count += 1;
            let mut to = last;
            take.fill(0);
            for (&(i, is_last), &n) in entries.iter().zip(chosen) {
                take[i] += n;
                to += if is_last { n } else { 0 };
            }
            advance(places, &take, &mut after);
            while after.last().is_some_and(|place| place.at == instance.length) {
                after.pop();
            }
            if to == instance.length {
                ends |= after.is_empty();
            } else {
                let parts = bound.parts_beside(&after, to).unwrap_or(i64::MAX);
                let cycles = whole_cycles(parts);
                if cycles >= need - 1 {
                    code.encode(&after, &mut buffer);
                    order.push((parts, next.len()));
                    next.extend_from_slice(&buffer);
                    next.extend([u64::from(to), u64::from(cycles.unsigned_abs())]);
                } else {
                    most = most.max(cycles + 1);
                }
            }
            count <= MOST_CHOICES
        });
        if ends {
            most = most.max(1);
            if need <= 1 {
                self.succeed(&key[..states]);
                return 16;
            }
        }
        self.order.sort_unstable_by(|a, b| b.cmp(a));
        let at = self.keys.len();
        self.keys.extend_from_slice(key);
        let first = self.keys.len();
        for &(_, from) in &self.order {
            self.keys.extend_from_slice(&self.next[from..from + states + 2]);
        }
        self.frames.push(Frame { need, most, key: at, next: first, end: self.keys.len() });
        self.expanded += 1;
        let impatient = self.known.has_replaced_more_than(PATIENCE);
        if !whole || self.keys.len() as u64 * 8 > self.memory || impatient {
            self.outcome = Outcome::Failed;
        }
        u64::from(count) * 8 + 16
    }

    /// The successor asked about cannot do it: goes on to the next.
    fn skip(&mut self, most: i32) {
        match self.frames.last_mut() {
            Some(frame) => {
                frame.most = frame.most.max(most + 1);
                frame.next += self.code.stride() + 2;
            }
            None => self.outcome = Outcome::None(most),
        }
    }

    /// The last frame's key cannot do it.
    fn fail(&mut self) {
        let Some(Frame { need, most, key, .. }) = self.frames.pop() else { return };
        let range = ProvenRange { most: most.min(need - 1), ..ProvenRange::OPEN };
        self.known.narrow(&self.keys[key..key + self.code.stride() + 1], range);
        self.keys.truncate(key);
    }

    /// All end after this state.
    fn succeed(&mut self, state: &[u64]) {
        let states = self.frames.iter().map(|frame| &self.keys[frame.key..frame.key + state.len()]);
        let mut path: Vec<Vec<u64>> = states.chain([state]).map(<[u64]>::to_vec).collect();
        let mut end = Vec::new();
        self.code.encode(&[], &mut end);
        path.push(end);
        self.outcome = Outcome::Found(path);
    }
}

/// Whole cycles of so many parts; none where the last warp cannot end last.
fn whole_cycles(parts: i64) -> i32 {
    i32::try_from(parts.max(0) / i64::from(super::lagrangian::PARTS)).unwrap_or(i32::MAX)
}
