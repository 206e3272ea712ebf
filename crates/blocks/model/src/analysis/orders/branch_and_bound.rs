//! Depth-first branch and bound over launch orders, with symmetry breaking, two work bounds and duplicate detection:
//! the latest start of one kernel's last block.
//!
//! The kernel itself comes last ([`super`] proves that nothing is lost), the others in every order: a tree whose
//! branches share the state of their common beginning. A branch is cut
//! 1. where a kernel like this one (same time, same blocks) stands unused before it: the same order again;
//! 2. where the work that is left cannot keep every place busy until the goal, the next start that would be later;
//! 3. where the places need more blocks until then than are left, even if all are as long as the longest left;
//! 4. where the same kernels led to the same state before. For this, places busy until the goal or longer count as
//!    one and the same: no block of interest starts on them.
//!
//! A goal is never met below a branch cut by 2 or 3: when the last block starts at `t`, every place is busy until `t`.
//! Nor below one cut by 4: where blocks start before the goal depends only on places free before it, and the branch
//! seen before was followed without meeting it, for the set is cleared whenever the goal moves.
//!
//! Invariant: `rest` holds the kernels not yet put down by the path; `path` and `profiles` belong together.

use super::super::bound;
use super::super::profile::AvailabilityProfile;
use super::super::task::Task;
use super::visited::{Insert, VisitedSet};
use base::{Control, Nanos};

/// The most kernels it is made for, the last one included.
pub const MOST_TRIED: usize = 24;

/// Words of states it remembers at the most: 32 MiB.
const MOST_WORDS: usize = 1 << 22;

/// Units of fuel for one state: some hundred nanoseconds.
const FUEL: u64 = 5;

/// The search below one kernel.
#[derive(Debug)]
pub struct BranchAndBound {
    /// The others, equal ones beside each other, and which task each is.
    others: Vec<(Nanos, u32)>,
    names: Vec<usize>,
    last: (Nanos, u32),
    places: u32,
    /// Every start is a multiple of this.
    divisor: u64,
    /// No start is later than this.
    upper: u64,
    best: u64,
    best_order: Vec<usize>,
    rest: u32,
    /// What was put down, and last of all what is tried next at the end of the path.
    path: Vec<usize>,
    /// `pools[d]` is the state after the first `d` of the path.
    profiles: Vec<AvailabilityProfile>,
    visited: VisitedSet,
    key: Vec<u64>,
    states: u64,
}

/// What is known of a kernel.
#[derive(Debug, Clone)]
pub struct Bracket {
    /// The latest start of its last block so far.
    pub start: Nanos,
    /// An order of the other kernels that reaches it.
    pub others: Vec<usize>,
    /// No start is later than this.
    pub upper: Nanos,
}

/// How far a search is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The slice is over, and there is more to try.
    Paused,
    /// As many states were looked at as allowed.
    GaveUp,
    /// Every order was tried or cut: no start is later than the best.
    Finished,
}

impl BranchAndBound {
    /// A search for starts of `tasks[which]` later than the one that is known. None for more kernels than it is made
    /// for, and without places.
    pub fn new(tasks: &[Task], which: usize, places: u32, known: Bracket) -> Option<Self> {
        if tasks.len() > MOST_TRIED || places == 0 {
            return None;
        }
        let mut names: Vec<usize> = (0..tasks.len()).filter(|&other| other != which).collect();
        // The longest first: orders that end with short blocks leave the least uneven.
        base::sort::sort_by_key(&mut names, |&other| {
            (std::cmp::Reverse((tasks[other].time, tasks[other].blocks)), other)
        });
        let others: Vec<(Nanos, u32)> =
            names.iter().map(|&name| (tasks[name].time, tasks[name].blocks)).collect();
        let task = tasks.get(which)?;
        let divisor =
            tasks.iter().fold(0, |divisor, task| bound::common_divisor(divisor, task.time.0)).max(1);
        Some(Self {
            last: (task.time, task.blocks),
            places,
            divisor,
            upper: known.upper.0,
            best: known.start.0,
            best_order: known.others,
            rest: (1 << others.len()) - 1,
            path: vec![0],
            profiles: vec![AvailabilityProfile::new(places); others.len() + 1],
            visited: VisitedSet::new(MOST_WORDS),
            key: Vec::new(),
            states: 0,
            others,
            names,
        })
    }

    /// What is known now. `outcome` is what the last step said.
    pub fn bracket(&self, outcome: Outcome) -> Bracket {
        let upper = if outcome == Outcome::Finished { self.best } else { self.upper };
        Bracket { start: Nanos(self.best), others: self.best_order.clone(), upper: Nanos(upper) }
    }

    /// An order of the others that reaches the latest start so far.
    pub fn best_order(&self) -> &[usize] {
        &self.best_order
    }

    /// States looked at so far.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// Goes on until the slice is over, the search is finished, or so many states have been looked at in all.
    pub fn step(&mut self, control: &mut Control, most_states: u64) -> Outcome {
        while let Some(&from) = self.path.last() {
            let Some(pick) = (from..self.others.len()).find(|&pick| self.is_first_of_its_kind(pick)) else {
                self.path.pop();
                self.back();
                continue;
            };
            if self.states >= most_states {
                return Outcome::GaveUp;
            }
            self.states += 1;
            self.put_down(pick);
            if self.rest == 0 {
                self.finish();
                self.back();
            } else if self.promises() {
                self.path.push(0);
            } else {
                self.back();
            }
            if !control.spend(FUEL) {
                return Outcome::Paused;
            }
        }
        Outcome::Finished
    }

    /// Whether it is still to be put down, and no equal one before it is.
    fn is_first_of_its_kind(&self, pick: usize) -> bool {
        let waits = |pick: usize| self.rest >> pick & 1 == 1;
        waits(pick)
            && !pick
                .checked_sub(1)
                .is_some_and(|other| waits(other) && self.others[other] == self.others[pick])
    }

    fn put_down(&mut self, pick: usize) {
        let depth = self.path.len();
        self.path[depth - 1] = pick;
        self.rest &= !(1 << pick);
        let (before, after) = self.profiles.split_at_mut(depth);
        after[0].clone_from(&before[depth - 1]);
        let (time, blocks) = self.others[pick];
        after[0].place(blocks, time);
    }

    /// Takes the last kernel of the path up again; the next one is tried in its place.
    fn back(&mut self) {
        if let Some(pick) = self.path.last_mut() {
            self.rest |= 1 << *pick;
            *pick += 1;
        }
    }

    /// All others are put down: now the kernel itself.
    fn finish(&mut self) {
        let mut profile = self.profiles[self.path.len()].clone();
        let start = profile.place(self.last.1, self.last.0).0;
        if start > self.best {
            self.best = start;
            self.best_order = self.path.iter().map(|&pick| self.names[pick]).collect();
            self.visited.clear();
        }
        if self.best >= self.upper {
            self.path.clear();
        }
    }

    /// Whether a later start may lie below the path.
    fn promises(&mut self) -> bool {
        let goal = self.best.saturating_add(self.divisor);
        let profile = &self.profiles[self.path.len()];
        let spread = profile.steps().last().map_or(0, |step| step.from.0) - profile.next().0;
        let remaining = self.remaining(spread);
        let (mut missing, mut needed) = (0_u128, 0_u128);
        self.key.clear();
        self.key.push(self.rest.into());
        for step in profile.steps().iter().take_while(|step| step.from.0 < goal) {
            let (idle, places) = (goal - step.from.0, u128::from(step.places));
            missing += u128::from(idle) * places;
            needed += u128::from(idle.div_ceil(remaining.longest.max(1))) * places;
            self.key.extend([step.from.0, step.places.into()]);
        }
        missing <= remaining.work
            && needed <= remaining.blocks
            && self.visited.insert(&self.key) == Insert::New
    }

    /// What is put down between the path and the last block, as far as it can keep places busy until that starts.
    /// Places are free at most `spread` apart from each other now.
    fn remaining(&self, spread: u64) -> Remaining {
        let waits = |pick: &usize| self.rest >> pick & 1 == 1;
        let others = (0..self.others.len()).filter(waits).map(|pick| self.others[pick]);
        let mut remaining = Remaining { work: 0, blocks: 0, longest: 0 };
        for (time, blocks) in others {
            remaining.add(time.0, blocks);
        }
        // When the others are down, a place is free late because it is now, or because of one of their blocks.
        let apart = spread.max(remaining.longest);
        let (time, blocks) = (self.last.0.0, self.last.1);
        for (time, blocks) in bound::own_blocks(time, blocks, apart, self.places) {
            remaining.add(time, blocks);
        }
        remaining
    }
}

/// Blocks in sum.
struct Remaining {
    work: u128,
    blocks: u128,
    longest: u64,
}

impl Remaining {
    fn add(&mut self, time: u64, blocks: u32) {
        if blocks > 0 {
            self.work += u128::from(time) * u128::from(blocks);
            self.blocks += u128::from(blocks);
            self.longest = self.longest.max(time);
        }
    }
}
