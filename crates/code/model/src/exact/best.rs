//! The best case: the shortest schedule that is known, and a search through all states for a shorter one.
//!
//! There is a bracket from the start: the shortest of the policies' schedules, and the bound by formula. Every schedule is
//! held against the checker before it is told.

use std::sync::Arc;

use super::{Goal, Search};
use crate::launch::Launch;
use crate::policy::Policy;
use crate::schedule::{self, Schedule};
use crate::{bounds, check};

/// What is known of the best case.
#[derive(Debug, Clone)]
pub struct Shortest {
    /// The shortest schedule that is known.
    pub schedule: Schedule,
    /// What it takes.
    pub makespan: u32,
    /// No schedule is shorter than this.
    pub lower: u64,
}

/// What is known of the best case so far, and the search while it goes on.
#[derive(Debug)]
pub struct Best {
    launch: Arc<Launch>,
    found: Schedule,
    lower: u64,
    search: Option<Search>,
    gave_up: bool,
}

impl Best {
    /// At its beginning: beside a schedule that is known to keep the rules, and with so many bytes to keep.
    pub fn new(launch: &Arc<Launch>, known: &Schedule, memory: u64) -> Self {
        let latencies = schedule::shortest(launch);
        let made = Policy::ALL.iter().map(|policy| policy.schedule(launch, latencies.clone()));
        let sound = made.filter(|made| check::check(launch, made).is_empty());
        let all = sound.chain([known.clone()]);
        let found = all.min_by_key(|made| made.makespan(launch)).unwrap_or_else(|| known.clone());
        let lower = bounds::lower(launch);
        let makespan = found.makespan(launch);
        let open = lower < makespan.into();
        let search = if open { Search::new(launch, Goal::Shortest, makespan, memory) } else { None };
        Self { launch: Arc::clone(launch), found, lower, search, gave_up: false }
    }

    /// Goes on for about so many units of work; whether there is more to do.
    pub fn step(&mut self, budget: u64) -> bool {
        let Some(search) = &mut self.search else { return false };
        let more = search.step(budget);
        if !more {
            self.gave_up = search.gave_up();
            let Shortest { schedule, lower, .. } = self.known();
            (self.found, self.lower) = (schedule, lower);
            self.search = None;
        }
        more
    }

    /// What is known.
    pub fn known(&self) -> Shortest {
        let launch = &*self.launch;
        let search = self.search.as_ref();
        let shorter = search.and_then(Search::witness).filter(|made| check::check(launch, made).is_empty());
        let schedule = shorter.unwrap_or_else(|| self.found.clone());
        Shortest { makespan: schedule.makespan(launch), schedule, lower: self.bracket().0 }
    }

    /// What no schedule is shorter than, and what the shortest one that is known takes.
    pub fn bracket(&self) -> (u64, u64) {
        match &self.search {
            Some(search) => {
                let (best, beyond) = search.bracket();
                (beyond.max(self.lower), best)
            }
            None => (self.lower, self.found.makespan(&self.launch).into()),
        }
    }

    /// States looked at, and the cycle that the search is at.
    pub fn at(&self) -> (u64, u32) {
        self.search.as_ref().map_or((0, 0), |search| (search.states(), search.cycle()))
    }

    /// Did the search end for want of memory?
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }
}
