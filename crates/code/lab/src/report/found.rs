//! What a job came to: a schedule, and what nothing is beyond.

use code::exact::{Best, Shortest};
use code::{Launch, Policy, Schedule};

/// What a search came to.
#[derive(Debug, Clone)]
pub struct Found {
    pub(super) schedule: Schedule,
    pub(super) makespan: u32,
    pub(super) upper: u64,
    pub(super) by: &'static str,
    pub(super) states: Option<u64>,
    pub(super) shortest: Option<Shortest>,
    /// Whether more memory might tell more of the best case.
    pub(super) best_short: bool,
    pub(super) policies: [u32; Policy::ALL.len()],
    /// Whether it is to be told why each instruction waited.
    pub(super) waits: bool,
}

impl Found {
    /// A schedule, what nothing is beyond and why, and what each policy takes with the longest latencies.
    pub fn new(
        launch: &Launch,
        schedule: Schedule,
        (upper, by): (u64, &'static str),
        policies: [u32; Policy::ALL.len()],
    ) -> Self {
        Self {
            makespan: schedule.makespan(launch),
            schedule,
            upper,
            by,
            states: None,
            shortest: None,
            best_short: false,
            policies,
            waits: true,
        }
    }

    /// The same, after a look at so many states.
    #[must_use]
    pub fn after(self, states: u64) -> Self {
        Self { states: Some(states), ..self }
    }

    /// The same, beside what is known of the best case.
    #[must_use]
    pub fn beside(self, best: Option<&Best>) -> Self {
        Self { shortest: best.map(Best::known), best_short: best.is_some_and(Best::gave_up), ..self }
    }

    /// The same, to be told without why each instruction waited.
    #[must_use]
    pub fn without_waits(self) -> Self {
        Self { waits: false, ..self }
    }

    /// The schedule.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// What nothing is beyond.
    pub fn upper(&self) -> u64 {
        self.upper
    }
}
