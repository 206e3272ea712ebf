//! Worst launch orders of kernels that share the GPU: sought once for all that ask for the same.
//!
//! Sets are looked up by their kernels in one sequence, whoever asks and whichever of them is to be last: one search
//! tells of each kernel how late it can be. Where somebody has no time, a set that is not known is noted as missing,
//! and whoever has time seeks it.

use std::cell::RefCell;
use std::collections::BTreeMap;

use base::{Control, Nanos};
use blocks::analysis::orders::{Effort, Progress, Search, Worst, worst};
use blocks::analysis::task::Task;

/// How much is tried for a set.
const EFFORT: Effort = Effort { changes: 200_000, states: 500_000 };

/// Kernels, the longest first, by the time of a block and their number; and the places of the GPU.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Set {
    kernels: Vec<(u64, u32)>,
    places: u32,
}

/// Whether a set that is not known is sought at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Seeks {
    /// It is.
    #[default]
    AtOnce,
    /// It is noted as missing.
    Later,
}

/// What is known of sets.
#[derive(Debug, Clone, Default)]
pub struct Orders {
    seeks: Seeks,
    known: RefCell<BTreeMap<Set, Option<Vec<Worst>>>>,
    missing: RefCell<Vec<Set>>,
}

/// How late a kernel can be among others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Late {
    /// No order gives a later completion.
    pub upper: Nanos,
    /// An order that makes it late, as places in what was asked.
    pub order: Vec<usize>,
    /// Whether that order reaches it.
    pub reached: bool,
}

impl Set {
    fn of(tasks: &[Task], places: u32) -> (Self, Vec<usize>) {
        let mut sequence: Vec<usize> = (0..tasks.len()).collect();
        let key = |&at: &usize| (tasks[at].time.0, tasks[at].blocks);
        base::sort::sort_by_key(&mut sequence, |at| std::cmp::Reverse(key(at)));
        (Self { kernels: sequence.iter().map(key).collect(), places }, sequence)
    }

    fn tasks(&self) -> Vec<Task> {
        let task = |&(time, blocks): &(u64, u32)| Task {
            label: String::new(),
            period: None,
            time: Nanos(time),
            blocks,
            threads: 1,
            deadline: None,
        };
        self.kernels.iter().map(task).collect()
    }

    /// A search for it.
    pub fn search(&self) -> Option<Search> {
        Search::new(self.tasks(), self.places, EFFORT)
    }
}

impl Orders {
    /// Nothing is known, and nothing is sought without being asked.
    pub fn later() -> Self {
        Self { seeks: Seeks::Later, ..Self::default() }
    }

    /// How late the last of these can be; none where that is not known.
    pub fn late(&self, tasks: &[Task], places: u32) -> Option<Late> {
        let (set, sequence) = Set::of(tasks, places);
        let mut known = self.known.borrow_mut();
        if !known.contains_key(&set) {
            match self.seeks {
                Seeks::AtOnce => {
                    let found = worst(&set.tasks(), places, EFFORT);
                    known.insert(set.clone(), found);
                }
                Seeks::Later => {
                    let mut missing = self.missing.borrow_mut();
                    if !missing.contains(&set) {
                        missing.push(set);
                    }
                    return None;
                }
            }
        }
        let last = sequence.iter().position(|&at| at + 1 == tasks.len())?;
        let found = known.get(&set)?.as_ref()?.get(last)?;
        let order = found.order.iter().map(|&at| sequence[at]).collect();
        Some(Late { upper: found.upper, order, reached: found.completion == found.upper })
    }

    /// Forgets what was missing.
    pub fn ask_anew(&self) {
        self.missing.borrow_mut().clear();
    }

    /// A set that is missing.
    pub fn missing(&self) -> Option<Set> {
        self.missing.borrow().first().cloned()
    }

    /// Goes on with a search; whether there is more to do. What it found is known then.
    pub fn seek(&self, set: &Set, search: &mut Search, control: &mut Control) -> bool {
        if search.step(control) == Progress::More {
            return true;
        }
        self.note(set, Some(search.worst()));
        false
    }

    /// Writes down what is known of a set.
    pub fn note(&self, set: &Set, found: Option<Vec<Worst>>) {
        self.known.borrow_mut().insert(set.clone(), found);
        self.missing.borrow_mut().retain(|other| other != set);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(time: u64, blocks: u32) -> Task {
        Task { label: String::new(), period: None, time: Nanos(time), blocks, threads: 1, deadline: None }
    }

    #[test]
    fn one_search_tells_of_every_kernel_of_a_set() {
        // The four kernels of P, section 3, on 8 places: 10, 12, 12 and 11 over all orders.
        let of = [task(4, 2), task(6, 7), task(6, 2), task(5, 5)];
        let orders = Orders::later();
        let rotated = |last: usize| {
            let mut tasks = of.to_vec();
            tasks.rotate_left(last + 1);
            tasks
        };
        assert_eq!(orders.late(&rotated(0), 8), None);
        orders.ask_anew();
        assert_eq!(orders.missing(), None);
        assert_eq!(orders.late(&rotated(0), 8), None);
        let set = orders.missing().expect("it was asked for");
        let mut search = set.search().expect("it is small");
        while orders.seek(&set, &mut search, &mut Control::slice(50)) {}
        assert_eq!(orders.missing(), None);
        let known: Vec<Late> = (0..4).filter_map(|last| orders.late(&rotated(last), 8)).collect();
        assert_eq!(known.iter().map(|late| late.upper.0).collect::<Vec<_>>(), [10, 12, 12, 11]);
        assert_eq!(orders.known.borrow().len(), 1);
        assert!(known.iter().all(|late| late.reached), "all orders of four are tried: {known:?}");
        for late in &known {
            assert_eq!(late.order.last(), Some(&3), "it is latest when it is last: {late:?}");
        }
        let at_once = Orders::default();
        assert_eq!(at_once.late(&rotated(3), 8), known.get(3).cloned());
    }
}
