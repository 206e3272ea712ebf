//! Response-time analysis for a given launch order: Algorithm 2 with its table of steps (P, sections 3.5 and 3.6).
//!
//! Assumes what [`super::assumptions`] lists. `t_a` is the earliest time at which the next block can start, `g_f`
//! how many can start then, and `h` the later times at which places become free, with how many.
//!
//! Where the printed algorithm is silent, this one does what the example of section 3.6 does, or what has no effect:
//! 1. The pair with the least time is taken out of `h` when it becomes `(t_a, g_f)`.
//! 2. Pairs of equal times are merged into one.
//! 3. After a kernel that takes exactly what is free, `g_f` is 0 and `t_a` stays. The next kernel then begins with
//!    a step that places nothing and takes the next pair. The printed step would also add `(t_a + C, 0)` to
//!    `h`, a pair that frees nothing; here none is added.
//! 4. Blocks that take no time leave their places at once. Such a kernel ends at `t_a`, and nothing else changes.

use super::profile::AvailabilityProfile;
use super::task::Task;
use base::Nanos;

/// `t_a`, `g_f` and `h`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// `t_a`: when the next block can start, or could if there were a place left.
    pub at: Nanos,
    /// `g_f`: how many blocks can start then; 0 after a kernel that took exactly what was free.
    pub free: u32,
    /// `h`: later times and how many places become free at each, ascending.
    pub later: Vec<(Nanos, u32)>,
}

/// One turn of the loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Which kernel, in launch order from 0.
    pub kernel: usize,
    /// `g_i`: blocks it still has to start.
    pub wanted: u32,
    /// `t_a` before.
    pub at: Nanos,
    /// `g_f` before. The question of the step is whether this is at least `wanted`.
    pub free: u32,
    /// Blocks that start at `at`: the smaller of both.
    pub placed: u32,
    /// `f_i`: the completion, if these were the last blocks.
    pub completion: Option<Nanos>,
    /// What the next step begins with.
    pub after: State,
}

/// Whether the table of steps is whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// Every step is there.
    Whole,
    /// Only the first ones are; completions and states are complete all the same.
    Beginning,
}

/// What the analysis of one launch order says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// `f`: when each kernel is complete, in launch order. All are released at 0, so these are response times.
    pub completions: Vec<Nanos>,
    /// The state after each kernel.
    pub after: Vec<State>,
    /// The table of steps.
    pub steps: Vec<Step>,
    /// Whether it is whole.
    pub table: Table,
}

/// The table ends before it holds more pairs of time and count than this.
const MOST_PAIRS: usize = 20_000;

/// Algorithm 2 on `places` places (`g_max`), with its steps.
pub fn response(tasks: &[Task], places: u32) -> Response {
    let mut profile = AvailabilityProfile::new(places);
    let (mut completions, mut after) = (Vec::new(), Vec::new());
    for task in tasks {
        let start = profile.place(task.blocks, task.time);
        completions.push(start + task.time);
        after.push(State::of(&profile, start));
    }
    let (steps, table) = steps(tasks, places);
    debug_assert!(
        table == Table::Beginning || steps.iter().filter_map(|s| s.completion).eq(completions.clone())
    );
    Response { completions, after, steps, table }
}

/// The completions alone, for tasks in this order: fast however many blocks there are.
pub fn completions<'a>(tasks: impl IntoIterator<Item = &'a Task>, places: u32) -> Vec<Nanos> {
    let mut profile = AvailabilityProfile::new(places);
    tasks.into_iter().map(|task| profile.place(task.blocks, task.time) + task.time).collect()
}

impl State {
    /// The beginning.
    fn new(places: u32) -> Self {
        Self { at: Nanos::ZERO, free: places, later: Vec::new() }
    }

    /// The state of a profile after a kernel whose last block started at `start`.
    fn of(profile: &AvailabilityProfile, start: Nanos) -> Self {
        let mut later: Vec<(Nanos, u32)> =
            profile.steps().iter().map(|step| (step.from, step.places)).collect();
        let free = match later.first() {
            Some(&(from, places)) if from == start => {
                later.remove(0);
                places
            }
            _ => 0,
        };
        Self { at: start, free, later }
    }

    /// Takes the pair with the least time out of `h`.
    fn advance(&mut self) {
        if !self.later.is_empty() {
            (self.at, self.free) = self.later.remove(0);
        }
    }

    /// `h = {h; (time, places)}`, sorted, equal times merged.
    fn add(&mut self, time: Nanos, places: u32) {
        match self.later.binary_search_by_key(&time, |&(time, _)| time) {
            _ if places == 0 => {}
            Ok(at) => self.later[at].1 += places,
            Err(at) => self.later.insert(at, (time, places)),
        }
    }
}

/// The loop of Algorithm 2 as printed, up to as many steps as a table should have.
fn steps(tasks: &[Task], places: u32) -> (Vec<Step>, Table) {
    let mut state = State::new(places);
    let (mut steps, mut pairs) = (Vec::new(), 0);
    if places == 0 {
        return (steps, Table::Beginning);
    }
    for (kernel, task) in tasks.iter().enumerate() {
        let mut wanted = task.blocks;
        loop {
            if pairs > MOST_PAIRS {
                return (steps, Table::Beginning);
            }
            let step = step(&mut state, kernel, task, wanted);
            wanted -= step.placed;
            pairs += 1 + state.later.len();
            let done = step.completion.is_some();
            steps.push(step);
            if done {
                break;
            }
        }
    }
    (steps, Table::Whole)
}

/// One turn: what is free at `t_a` is taken, and if that was not enough, the next pair is looked at.
fn step(state: &mut State, kernel: usize, task: &Task, wanted: u32) -> Step {
    let (at, free) = (state.at, state.free);
    let takes_time = task.time > Nanos::ZERO;
    let (placed, completion) = if free > 0 && (free >= wanted || !takes_time) {
        if takes_time {
            state.add(at + task.time, wanted);
            state.free -= wanted;
        }
        (wanted, Some(at + task.time))
    } else {
        state.add(at + task.time, free);
        state.advance();
        (free, None)
    };
    Step { kernel, wanted, at, free, placed, completion, after: state.clone() }
}

#[cfg(test)]
mod tests {
    use super::super::tests::task;
    use super::*;

    #[test]
    fn a_table_ends_with_the_first_step_that_is_too_many() {
        // Each step of one place after the other leaves one pair: itself.
        let long = response(&[task(1, 30_000)], 1);
        assert_eq!((long.steps.len(), long.table), (MOST_PAIRS + 1, Table::Beginning));
        assert_eq!(long.completions, [Nanos(30_000)]);
        assert_eq!(response(&[task(1, 10_000)], 1).table, Table::Whole);
    }

    #[test]
    fn what_takes_no_time_waits_for_a_place_all_the_same() {
        let found = response(&[task(5, 2), task(0, 1)], 2);
        assert_eq!(found.completions, [5, 5].map(Nanos));
        let ends: Vec<Nanos> = found.steps.iter().filter_map(|step| step.completion).collect();
        assert_eq!(ends, found.completions);
    }
}
