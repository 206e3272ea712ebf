//! Hill climbing with random restarts over launch orders: a lower bound on the latest start of one kernel's last block.
//!
//! The kernel itself comes last, as [`super`] explains. Of the others, two change places or one goes elsewhere; the
//! change stays unless the start becomes earlier. After a while without anything later, the search starts again
//! from an order drawn at random. What it finds is reached by an order, and proves nothing about others.

use super::super::profile::AvailabilityProfile;
use super::super::task::Task;
use super::Progress;
use base::{Control, Nanos, Seeded};

/// Units of fuel for one kernel put down.
const FUEL: u64 = 2;

/// Changes in a row without anything later before it starts again, for each kernel.
const PATIENCE: u64 = 30;

/// The search for one kernel.
#[derive(Debug)]
pub struct HillClimb {
    which: usize,
    places: u32,
    upper: Nanos,
    rng: Seeded,
    order: Vec<usize>,
    start: Nanos,
    idle: u64,
    left: u64,
    best: Nanos,
    best_order: Vec<usize>,
    profile: AvailabilityProfile,
}

impl HillClimb {
    /// A search that tries so many orders and begins with the best of some; it ends early where it reaches `upper`.
    pub fn new(
        tasks: &[Task],
        which: usize,
        places: u32,
        upper: Nanos,
        begin: &[Vec<usize>],
        tries: u64,
    ) -> Self {
        let mut climb = Self {
            which,
            places,
            upper,
            rng: Seeded::new(0, which as u64),
            order: (0..tasks.len()).filter(|&other| other != which).collect(),
            start: Nanos::ZERO,
            idle: 0,
            left: tries,
            best: Nanos::ZERO,
            best_order: Vec::new(),
            profile: AvailabilityProfile::default(),
        };
        climb.begin(tasks);
        for order in begin {
            let before = std::mem::take(&mut climb.order);
            climb.order = order.iter().copied().filter(|&other| other != which).collect();
            if climb.order.len() != before.len() || !climb.keep_if_no_earlier(tasks) {
                climb.order = before;
            }
        }
        climb
    }

    /// The latest start so far and an order of the others that reaches it.
    pub fn best(&self) -> (Nanos, &[usize]) {
        (self.best, &self.best_order)
    }

    /// Goes on until the slice is over or the tries are.
    pub fn step(&mut self, tasks: &[Task], control: &mut Control) -> Progress {
        let cost = FUEL * tasks.len() as u64;
        while self.left > 0 && self.best < self.upper && self.order.len() > 1 {
            self.left -= 1;
            if self.idle > PATIENCE * tasks.len() as u64 {
                self.rng.shuffle(&mut self.order);
                self.begin(tasks);
            } else {
                self.change(tasks);
            }
            if !control.spend(cost) {
                return Progress::More;
            }
        }
        Progress::Done
    }

    /// Takes the order as it is.
    fn begin(&mut self, tasks: &[Task]) {
        (self.start, self.idle) = (Nanos::ZERO, 0);
        self.keep_if_no_earlier(tasks);
    }

    fn change(&mut self, tasks: &[Task]) {
        let count = u32::try_from(self.order.len()).unwrap_or(u32::MAX);
        let (from, to) = (self.rng.below(count) as usize, self.rng.below(count) as usize);
        if self.rng.below(2) == 0 {
            self.order.swap(from, to);
            if !self.keep_if_no_earlier(tasks) {
                self.order.swap(from, to);
            }
        } else {
            let moved = self.order.remove(from);
            self.order.insert(to, moved);
            if !self.keep_if_no_earlier(tasks) {
                let moved = self.order.remove(to);
                self.order.insert(from, moved);
            }
        }
    }

    /// Looks at the order as it is now: whether its start is no earlier than that of the order before.
    fn keep_if_no_earlier(&mut self, tasks: &[Task]) -> bool {
        let start = self.start_of(tasks);
        self.idle = if start > self.start { 0 } else { self.idle + 1 };
        if start < self.start {
            return false;
        }
        self.start = start;
        if start > self.best || self.best_order.is_empty() {
            self.best = start;
            self.best_order.clone_from(&self.order);
        }
        true
    }

    fn start_of(&mut self, tasks: &[Task]) -> Nanos {
        self.profile.clone_from(&AvailabilityProfile::new(self.places));
        let mut start = Nanos::ZERO;
        for task in self.order.iter().chain([&self.which]).filter_map(|&which| tasks.get(which)) {
            start = self.profile.place(task.blocks, task.time);
        }
        start
    }
}
