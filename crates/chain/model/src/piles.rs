//! Whether the activations of a task that is late pile up: later ones are later still, without end.
//!
//! Only what is proven is told. Suppose that the jobs of task `i` that are not over stay below some number, in the run in which time
//! activates everybody once a period, every segment takes what it surely may, and of equal priorities those of others go
//! first. Take the tasks of its core whose priority is that of `i` or higher, and of these:
//! 1. Those that surely end every job within their periods (module `response`). In the long run they compute all they ask for.
//! 2. Those that keep their core while they wait, or never wait. Whenever `i` computes, none of their jobs is there. It
//!    does so again and again, or its jobs would pile up. So they, too, compute all they ask for.
//!
//! Both only as far as they are activated once a period: by time, or by a task that is one of 1, on any core, or of 2, or that is
//! `i`. A task that waits and may be held up by others can fall behind, and then it asks for less; and so does whom a task activates
//! that is below `i` or falls behind. If what is left and `i` ask for more than all time there is, the supposition was wrong.
//!
//! **By deadlines** nobody is above, and all tasks of the core are as far as they are of 1, or of 2 and activated by time or by one of 1:
//! when a job of `i` that is due at `d` computes, no job of them is there that is due before. What others activate is due
//! so much later the later it is activated, and may wait behind `i`.
//!
//! All this is said of an `i` that time activates, or one of 1: whom others activate may never come to be there, if its activator
//! does not. Where it takes longer than its period by itself, that is enough.

use super::host::Load;
use super::model::{Chain, Host, Scheduler, Wait};
use super::response::Response;
use base::{Nanos, people};

/// What is known of all tasks.
#[derive(Debug)]
pub struct Piles<'a> {
    chain: &'a Chain,
    /// What each surely computes.
    asks: Vec<Option<Nanos>>,
    /// Whether each job of it surely ends within the period.
    ends: Vec<bool>,
}

impl<'a> Piles<'a> {
    /// Of what was found.
    pub fn new(chain: &'a Chain, loads: &[Load], responses: &[Response]) -> Self {
        let asks = loads.iter().map(|load| load.cpu.lower().map(|figure| figure.value)).collect();
        let ends = responses.iter().zip(&chain.tasks).map(|(response, host)| {
            response.upper.as_ref().is_some_and(|upper| upper.is_proven() && upper.value <= host.period)
        });
        Self { chain, asks, ends: ends.collect() }
    }

    /// Why activations of a task that is late by so much pile up, if they do, in a clause.
    pub fn why(&self, task: usize, load: &Load, late: Nanos) -> Option<String> {
        const WHOLE: u128 = 1 << 32;
        let own = &self.chain.tasks[task];
        let alone = load.cpu.lower()?.value.0.saturating_add(load.gpu.lower()?.value.0);
        let computes = self.asks[task].is_some_and(|asks| asks > Nanos::ZERO);
        // Whether it computes again and again is what follows, so its own activations have to be sure without that.
        if own.activated.is_some_and(|(by, _)| !self.ends[by]) {
            return None;
        }
        if alone > own.period.0 {
            let (alone, period) = (Nanos(alone), own.period);
            return Some(format!(
                "its activations pile up, as {alone} by itself are more than its period of {period}"
            ));
        }
        let counts =
            |other: usize| other == task || (self.is_beside(task, other) && self.asks_all(task, other));
        // Rounded down, so that it is more than the whole only if it is.
        let shares = (0..self.asks.len()).filter(|&other| counts(other)).map(|other| {
            let asks = self.asks[other].map_or(0, |asks| asks.0);
            u128::from(asks) * WHOLE / u128::from(self.chain.tasks[other].period.0.max(1))
        });
        let share: u128 = shares.sum();
        (late.0 > alone && computes && share > WHOLE).then(|| {
            let down = if self.is_by_priority(own) { " down to its priority" } else { "" };
            format!(
                "activations pile up, as tasks{down} ask for {} of the time of {}",
                people::percent(share as f64 / WHOLE as f64),
                self.chain.cores[own.core].name
            )
        })
    }

    fn is_by_priority(&self, own: &Host) -> bool {
        self.chain.cores[own.core].scheduler == Scheduler::FixedPriority
    }

    /// Whether another task of its core may go before it.
    fn is_beside(&self, task: usize, other: usize) -> bool {
        let (own, other) = (&self.chain.tasks[task], &self.chain.tasks[other]);
        other.core == own.core && (!self.is_by_priority(own) || other.priority <= own.priority)
    }

    /// Whether another task surely computes all that it asks for, if the jobs of this one do not pile up.
    fn asks_all(&self, task: usize, other: usize) -> bool {
        let host = &self.chain.tasks[other];
        let keeps = host.wait == Wait::Spin || host.segments.iter().all(|segment| segment.kind.is_on_core());
        self.ends[other] || (keeps && self.is_beside(task, other) && self.is_activated(task, other))
    }

    /// Whether another task is surely activated once a period, if the jobs of this one do not pile up.
    fn is_activated(&self, task: usize, other: usize) -> bool {
        let Some((by, _)) = self.chain.tasks[other].activated else { return true };
        let by_priority = self.is_by_priority(&self.chain.tasks[task]);
        self.ends[by] || (by_priority && (by == task || self.asks_all(task, by)))
    }
}
