//! The worst-case response time of each kernel over all launch orders: hill climbing from below, branch and bound for
//! the proof.
//!
//! Assumes what [`super::assumptions`] lists, and that any launch order may occur. P analyses one order and leaves the
//! others open.
//!
//! Two things make this less than trying all orders for each kernel.
//!
//! *A kernel is latest when it is launched last.* Sort the times at which places are free. Putting a block down
//! replaces the first of them by a later one. So the sorted times never decrease, whatever kernel is put
//! down; and if they are no earlier in one state than in another, place by place, then so they are after the
//! same block is put down in both, and the block starts no earlier. Take an order in which kernels follow `i`, and
//! move `i` behind them: it now finds times that are no earlier than those it found before, so its last block
//! starts no earlier.
//!
//! *The state after some kernels is all that matters for the rest*, so orders with a common beginning share its
//! work, and two beginnings with the same kernels and the same state are one.
//!
//! Each kernel gets a bracket: an order that reaches a completion, and a bound that none exceeds. First
//! [`super::bound`] and a search that changes orders little by little; where these do not meet, all orders
//! are tried, with cuts, as far as the effort allows.

mod branch_and_bound;
mod hill_climb;
#[cfg(test)]
mod tests;
mod visited;

pub use branch_and_bound::MOST_TRIED;

use super::bound;
use super::response;
use super::task::Task;
use base::{Control, Nanos};
use branch_and_bound::{Bracket, BranchAndBound, Outcome};
use hill_climb::HillClimb;

/// The worst case of one kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worst {
    /// Its latest completion, as far as is known.
    pub completion: Nanos,
    /// A launch order that gives it, as indices of tasks.
    pub order: Vec<usize>,
    /// When each kernel is complete in that order, in that order.
    pub completions: Vec<Nanos>,
    /// No order gives a later completion than this.
    pub upper: Nanos,
    /// What is proven.
    pub proof: Proven,
}

impl Worst {
    /// Whether the kernel meets its deadline in every order.
    pub fn deadline(&self, task: &Task) -> Kept {
        match task.deadline {
            None => Kept::NoDeadline,
            Some(deadline) if self.upper <= deadline => Kept::Always,
            Some(deadline) if self.completion > deadline => Kept::NotAlways,
            Some(_) => Kept::Open,
        }
    }
}

/// Whether a deadline is met whatever the launch order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kept {
    /// There is none.
    NoDeadline,
    /// In every order: proven.
    Always,
    /// Not in the order that was found.
    NotAlways,
    /// In the orders that were tried; others may miss it.
    Open,
}

/// Why a worst case is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Proven {
    /// Every launch order was tried, or cut because it cannot be worse.
    AllOrders,
    /// It meets a bound on every launch order.
    Bound,
    /// It is the worst that was found; the true one lies between it and `upper`.
    NotProven,
}

/// How much is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Kernels put down while orders are changed little by little, for all kernels together.
    pub changes: u64,
    /// States looked at while all orders are tried, for all kernels together. Up to 10 kernels never need more
    /// than ten million.
    pub states: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self { changes: 2_000_000, states: 10_000_000 }
    }
}

/// The most kernels whose orders are searched: results hold an order for every kernel.
pub const MOST_KERNELS: usize = 1_000;

/// How far a search is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// There is more to try.
    More,
    /// It is over.
    Done,
}

/// The worst case of every kernel on `places` places, with all the effort at once. None for too many kernels.
pub fn worst(tasks: &[Task], places: u32, effort: Effort) -> Option<Vec<Worst>> {
    let mut search = Search::new(tasks.to_vec(), places, effort)?;
    while search.step(&mut Control::unlimited()) == Progress::More {}
    Some(search.worst())
}

/// The search for the worst case of every kernel of a set.
#[derive(Debug)]
pub struct Search {
    tasks: Vec<Task>,
    places: u32,
    effort: Effort,
    found: Vec<Found>,
    work: Work,
    /// States looked at by searches that are over.
    states: u64,
}

/// What is known of a kernel.
#[derive(Debug)]
struct Found {
    bracket: Bracket,
    /// How the upper end is proven.
    proof: Proven,
}

/// What is being done, and for which kernel.
#[derive(Debug)]
enum Work {
    HillClimb(usize, Box<HillClimb>),
    BranchAndBound(usize, Box<BranchAndBound>, u64),
    Done,
}

impl Search {
    /// A search over the launch orders of these kernels; none for more than [`MOST_KERNELS`].
    pub fn new(tasks: Vec<Task>, places: u32, effort: Effort) -> Option<Self> {
        if tasks.len() > MOST_KERNELS {
            return None;
        }
        let found = |which: usize| Found {
            bracket: Bracket {
                start: Nanos::ZERO,
                others: (0..tasks.len()).filter(|&other| other != which).collect(),
                upper: Nanos::NEVER,
            },
            proof: Proven::Bound,
        };
        let found = (0..tasks.len()).map(found).collect();
        let mut search = Self { tasks, places, effort, found, work: Work::Done, states: 0 };
        search.work = search.hill_climb(0);
        Some(search)
    }

    /// Goes on until the slice is over or the search is.
    pub fn step(&mut self, control: &mut Control) -> Progress {
        loop {
            let next = match &mut self.work {
                Work::Done => return Progress::Done,
                Work::HillClimb(which, climb) => {
                    let which = *which;
                    if climb.step(&self.tasks, control) == Progress::More {
                        return Progress::More;
                    }
                    let (start, others) = climb.best();
                    let bracket = &mut self.found[which].bracket;
                    (bracket.start, bracket.others) = (start, others.to_vec());
                    self.hill_climb(which + 1)
                }
                Work::BranchAndBound(which, search, most) => {
                    let (which, most) = (*which, *most);
                    let outcome = search.step(control, most);
                    if outcome == Outcome::Paused {
                        return Progress::More;
                    }
                    let (bracket, states) = (search.bracket(outcome), search.states());
                    self.note(which, bracket, states);
                    self.branch_and_bound(which + 1)
                }
            };
            self.work = next;
        }
    }

    /// Takes over what trying all orders has shown.
    fn note(&mut self, which: usize, bracket: Bracket, states: u64) {
        self.states += states;
        let found = &mut self.found[which];
        if bracket.upper < found.bracket.upper {
            found.proof = Proven::AllOrders;
        }
        found.bracket = bracket;
    }

    /// How far it is, from 0 to 1: kernels that had their turn, first with little changes, then with all orders.
    pub fn progress(&self) -> f64 {
        let count = self.tasks.len() as f64;
        match &self.work {
            Work::HillClimb(which, _) => *which as f64 / (2.0 * count),
            Work::BranchAndBound(which, ..) => (count + *which as f64) / (2.0 * count),
            Work::Done => 1.0,
        }
    }

    /// What is known so far, kernel by kernel. Where a search goes on, the upper end may still be open.
    pub fn worst(&self) -> Vec<Worst> {
        (0..self.tasks.len()).map(|which| self.worst_of(which)).collect()
    }

    fn worst_of(&self, which: usize) -> Worst {
        let like = self.first_like(which);
        let Found { bracket, proof } = &self.found[like];
        let others = match &self.work {
            Work::HillClimb(at, climb) if *at == like => climb.best().1,
            Work::BranchAndBound(at, search, _) if *at == like => search.best_order(),
            _ => &bracket.others,
        };
        // Of two kernels that are alike, each is the other in the other's worst order.
        let other = |&other: &usize| if other == which { like } else { other };
        let mut order: Vec<usize> = others.iter().map(other).collect();
        order.push(which);
        let completions = response::completions(order.iter().map(|&which| &self.tasks[which]), self.places);
        let completion = completions.last().copied().unwrap_or_default();
        let upper = bracket.upper + self.tasks[which].time;
        let proof = if completion < upper { Proven::NotProven } else { *proof };
        Worst { completion, order, completions, upper, proof }
    }

    /// The first kernel with the same time and blocks; its worst case is the same.
    fn first_like(&self, which: usize) -> usize {
        let like =
            |task: &Task| (task.time, task.blocks) == (self.tasks[which].time, self.tasks[which].blocks);
        self.tasks.iter().position(like).unwrap_or(which)
    }

    /// Kernels from this one on that have a search of their own.
    fn with_a_search(&self, which: usize) -> impl Iterator<Item = usize> {
        (which..self.tasks.len()).filter(|&which| self.first_like(which) == which)
    }

    /// Changing orders for the next kernel from `which` on, or trying all orders when all have had their turn.
    fn hill_climb(&mut self, which: usize) -> Work {
        let Some(which) = self.with_a_search(which).next() else { return self.branch_and_bound(0) };
        let count = self.tasks.len() as u64;
        let tries = (self.effort.changes / (count * count)).min(50 * count * count);
        let upper = bound::latest_start(&self.tasks, which, self.places);
        self.found[which].bracket.upper = upper;
        let mut begin = vec![self.longest_first()];
        begin.extend(which.checked_sub(1).map(|before| self.worst_of(before).order));
        let climb = HillClimb::new(&self.tasks, which, self.places, upper, &begin, tries);
        Work::HillClimb(which, Box::new(climb))
    }

    /// Trying all orders for the next kernel from `which` on whose bracket is open, with its share of the states left.
    fn branch_and_bound(&self, which: usize) -> Work {
        let open = |which: &usize| self.found[*which].bracket.start < self.found[*which].bracket.upper;
        let mut waiting = self.with_a_search(which).filter(open);
        let Some(next) = waiting.next() else { return Work::Done };
        let share = self.effort.states.saturating_sub(self.states) / (1 + waiting.count() as u64);
        match BranchAndBound::new(&self.tasks, next, self.places, self.found[next].bracket.clone()) {
            Some(search) => Work::BranchAndBound(next, Box::new(search), share),
            None => Work::Done,
        }
    }

    /// Orders that end with short blocks leave the least uneven.
    fn longest_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.tasks.len()).collect();
        order.sort_by_key(|&which| std::cmp::Reverse((self.tasks[which].time, self.tasks[which].blocks)));
        order
    }
}
