//! The worker pool as a state machine: what happened goes in, what to do comes out.
//!
//! Workers say `Ready` with their build before they get work. A worker that crashes is replaced and its job
//! is told; one that does not stop within [`PATIENCE_MS`] of a cancellation is terminated and replaced.
//! The memory of a wasm program never shrinks: a worker that holds more than [`MOST_IDLE_BYTES`] and has had nothing to
//! do for [`IDLE_MS`] is terminated, which gives its memory back; the next job starts another.
//! The browser's side, which owns the real workers and the clock, is in `src/ui`.

use std::collections::VecDeque;

use crate::base::StopReason;
use crate::job::Progress;
use crate::job::anneal::ChainState;
use crate::job::protocol::{FromWorker, ToWorker};

/// How long a worker may take to stop and to tell what it has found: much longer than a slice of work, so that one on
/// a slow machine is heard as well.
pub const PATIENCE_MS: f64 = 2_000.0;
/// How much memory a worker may hold that has nothing to do: several times what it starts with.
pub const MOST_IDLE_BYTES: u64 = 32 << 20;
/// How long a worker that holds more is kept for the next job: a search comes in many, one after the other.
pub const IDLE_MS: f64 = 5_000.0;
/// Workers that die before they are ready are replaced this often in a row.
const MOST_FAILURES: u32 = 2;

/// What a job's owner hears.
#[derive(Debug, Clone, PartialEq)]
pub enum Heard {
    /// How far the job is.
    Progress(Progress),
    /// How much work the job has been, told before how far it is and before its end.
    Worked(u64),
    /// The job is over.
    Done(StopReason, Option<String>),
    /// What the job has found meanwhile, as a line of JSON.
    News(String),
    /// Where the chain is that the job advances, and whether the job is over.
    Chain(ChainState, bool),
    /// The scenario was refused.
    Refused(Vec<crate::base::Problem>),
    /// The worker died; the job can be started again.
    Crashed(String),
}

/// What the browser's side has to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Start a worker for this slot, telling its generation.
    Spawn(usize, u32),
    /// Terminate the worker of this slot.
    Terminate(usize),
    /// Send a message to the worker of this slot.
    Post(usize, ToWorker),
    /// Tell a job's owner.
    Tell(u32, Heard),
    /// Page and worker are of different builds.
    Mismatch(String),
}

#[derive(Debug, Clone, PartialEq)]
enum State {
    Absent,
    Starting,
    Idle,
    Busy(u32),
    Stopping(u32, f64),
}

#[derive(Debug, Clone)]
struct Slot {
    state: State,
    generation: u32,
    /// How much memory it said it holds.
    bytes: u64,
    /// When it is given up, should it have nothing to do until then; set by the first tick that finds it so.
    idle_until: Option<f64>,
}

impl Slot {
    /// Whether it keeps more than a worker without work should.
    fn hoards(&self) -> bool {
        self.state == State::Idle && self.bytes > MOST_IDLE_BYTES
    }
}

/// All workers and the jobs waiting for one.
#[derive(Debug)]
pub struct Pool {
    build: String,
    slots: Vec<Slot>,
    waiting: VecDeque<ToWorker>,
    failures: u32,
}

impl Pool {
    /// A pool of at most `workers` workers of a build; none is started yet.
    pub fn new(workers: usize, build: &str) -> Self {
        let slot = Slot { state: State::Absent, generation: 0, bytes: 0, idle_until: None };
        Self {
            build: build.to_owned(),
            slots: vec![slot; workers.max(1)],
            waiting: VecDeque::new(),
            failures: 0,
        }
    }

    /// Starts the first worker before there is work for it.
    pub fn warm_up(&mut self) -> Vec<Action> {
        if self.slots[0].state == State::Absent { vec![self.spawn(0)] } else { Vec::new() }
    }

    /// Takes the message that starts a job; its id, which no other job has, is in every later message about it.
    pub fn submit(&mut self, work: ToWorker) -> Vec<Action> {
        self.waiting.push_back(work);
        self.failures = 0;
        self.assign()
    }

    /// Stops a job, wherever it is; nothing happens where it is not known.
    pub fn cancel(&mut self, job: u32, now: f64) -> Vec<Action> {
        if let Some(at) = self.waiting.iter().position(|waiting| waiting.job() == job) {
            self.waiting.remove(at);
            return vec![Action::Tell(job, Heard::Done(StopReason::Cancelled, None))];
        }
        match self.slots.iter().position(|slot| slot.state == State::Busy(job)) {
            Some(slot) => {
                self.slots[slot].state = State::Stopping(job, now + PATIENCE_MS);
                vec![Action::Post(slot, ToWorker::Cancel { job })]
            }
            None => Vec::new(),
        }
    }

    /// A message from a worker; `generation` tells the worker from its predecessors.
    pub fn hear(&mut self, slot: usize, generation: u32, message: FromWorker) -> Vec<Action> {
        if self.slots.get(slot).is_none_or(|s| s.generation != generation) {
            return Vec::new();
        }
        let ours = |state: &State| match *state {
            State::Busy(job) | State::Stopping(job, _) => message.job() == Some(job),
            _ => false,
        };
        let known = ours(&self.slots[slot].state);
        match message {
            FromWorker::Ready { build } if build == self.build => {
                self.slots[slot].state = State::Idle;
                self.failures = 0;
                self.assign()
            }
            FromWorker::Ready { build } => {
                self.slots[slot].state = State::Absent;
                vec![Action::Terminate(slot), Action::Mismatch(build)]
            }
            FromWorker::Idle { bytes } => {
                self.slots[slot].bytes = bytes;
                self.slots[slot].idle_until = None;
                Vec::new()
            }
            _ if !known => Vec::new(),
            FromWorker::Progress { job, progress, work } => {
                vec![Action::Tell(job, Heard::Worked(work)), Action::Tell(job, Heard::Progress(progress))]
            }
            FromWorker::News { job, line } => vec![Action::Tell(job, Heard::News(line))],
            FromWorker::Chain { job, state, over: false } => {
                vec![Action::Tell(job, Heard::Chain(state, false))]
            }
            FromWorker::Chain { job, state, over: true } => self.free(slot, job, Heard::Chain(state, true)),
            FromWorker::Done { job, reason, report, work } => {
                let mut actions = vec![Action::Tell(job, Heard::Worked(work))];
                actions.extend(self.free(slot, job, Heard::Done(reason, report)));
                actions
            }
            FromWorker::Refused { job, problems } => self.free(slot, job, Heard::Refused(problems)),
        }
    }

    /// A worker died, or never came up.
    pub fn died(&mut self, slot: usize, generation: u32, why: &str) -> Vec<Action> {
        let Some(current) = self.slots.get_mut(slot).filter(|s| s.generation == generation) else {
            return Vec::new();
        };
        let state = std::mem::replace(&mut current.state, State::Absent);
        let mut actions = vec![Action::Terminate(slot)];
        match state {
            State::Busy(job) => actions.push(Action::Tell(job, Heard::Crashed(why.to_owned()))),
            State::Stopping(job, _) => {
                actions.push(Action::Tell(job, Heard::Done(StopReason::Cancelled, None)))
            }
            State::Starting => self.failures += 1,
            State::Absent | State::Idle => {}
        }
        if self.failures > MOST_FAILURES {
            actions.extend(self.give_up(why));
        } else {
            actions.push(self.spawn(slot));
        }
        actions
    }

    /// No worker of this build is to be had: tells everyone who waits for one.
    pub fn give_up(&mut self, why: &str) -> Vec<Action> {
        self.waiting.drain(..).map(|work| Action::Tell(work.job(), Heard::Crashed(why.to_owned()))).collect()
    }

    /// Time passes: workers that were to stop and have not are replaced, and those that hold much memory for nothing
    /// are given up.
    pub fn tick(&mut self, now: f64) -> Vec<Action> {
        let mut actions = Vec::new();
        for slot in 0..self.slots.len() {
            if let State::Stopping(job, deadline) = self.slots[slot].state
                && now >= deadline
            {
                actions.push(Action::Terminate(slot));
                actions.push(Action::Tell(job, Heard::Done(StopReason::Cancelled, None)));
                actions.push(self.spawn(slot));
            } else if self.slots[slot].hoards()
                && now >= *self.slots[slot].idle_until.get_or_insert(now + IDLE_MS)
            {
                self.slots[slot].state = State::Absent;
                actions.push(Action::Terminate(slot));
            }
        }
        actions
    }

    /// Whether a worker is being waited for, to stop or to be given up, so that ticks are needed.
    pub fn needs_ticks(&self) -> bool {
        self.slots.iter().any(|slot| matches!(slot.state, State::Stopping(..)) || slot.hoards())
    }

    fn spawn(&mut self, slot: usize) -> Action {
        self.slots[slot].generation += 1;
        self.slots[slot].bytes = 0;
        self.slots[slot].idle_until = None;
        self.slots[slot].state = State::Starting;
        Action::Spawn(slot, self.slots[slot].generation)
    }

    fn free(&mut self, slot: usize, job: u32, heard: Heard) -> Vec<Action> {
        self.slots[slot].state = State::Idle;
        let mut actions = vec![Action::Tell(job, heard)];
        actions.extend(self.assign());
        actions
    }

    /// Gives waiting jobs to idle workers, and starts workers for those left over.
    fn assign(&mut self) -> Vec<Action> {
        let mut actions = Vec::new();
        for slot in 0..self.slots.len() {
            if self.slots[slot].state == State::Idle
                && let Some(work) = self.waiting.pop_front()
            {
                self.slots[slot].state = State::Busy(work.job());
                self.slots[slot].idle_until = None;
                actions.push(Action::Post(slot, work));
            }
        }
        let starting = self.slots.iter().filter(|slot| slot.state == State::Starting).count();
        for slot in 0..self.slots.len() {
            if self.waiting.len()
                > starting + actions.iter().filter(|a| matches!(a, Action::Spawn(..))).count()
                && self.slots[slot].state == State::Absent
            {
                let spawn = self.spawn(slot);
                actions.push(spawn);
            }
        }
        actions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ready() -> FromWorker {
        FromWorker::Ready { build: "b1".to_owned() }
    }

    fn done(job: u32) -> FromWorker {
        FromWorker::Done { job, reason: StopReason::Done, report: Some("{}".to_owned()), work: 7 }
    }

    fn start(job: u32) -> ToWorker {
        ToWorker::Start { job, text: format!("t{job}") }
    }

    /// A pool of one worker that is at work on job 1.
    fn busy() -> Pool {
        let mut pool = Pool::new(1, "b1");
        assert_eq!(pool.submit(start(1)), [Action::Spawn(0, 1)]);
        assert_eq!(pool.hear(0, 1, ready()), [Action::Post(0, start(1))]);
        pool
    }

    #[test]
    fn jobs_wait_for_a_ready_worker_and_run_in_turn() {
        let mut pool = busy();
        assert_eq!(pool.submit(start(2)), []);
        let worked = Action::Tell(1, Heard::Worked(7));
        let told = Action::Tell(1, Heard::Done(StopReason::Done, Some("{}".to_owned())));
        assert_eq!(pool.hear(0, 1, done(1)), [worked, told, Action::Post(0, start(2))]);
    }

    #[test]
    fn more_jobs_start_more_workers_up_to_the_limit() {
        let mut pool = Pool::new(2, "b1");
        assert_eq!(pool.submit(start(1)), [Action::Spawn(0, 1)]);
        assert_eq!(pool.submit(start(2)), [Action::Spawn(1, 1)]);
        assert_eq!(pool.submit(start(3)), []);
    }

    #[test]
    fn a_worker_of_another_build_gets_no_work() {
        let mut pool = Pool::new(1, "b1");
        pool.submit(start(1));
        let old = FromWorker::Ready { build: "b0".to_owned() };
        assert_eq!(pool.hear(0, 1, old), [Action::Terminate(0), Action::Mismatch("b0".to_owned())]);
        assert_eq!(pool.give_up("old"), [Action::Tell(1, Heard::Crashed("old".to_owned()))]);
    }

    #[test]
    fn a_crash_is_told_and_the_worker_replaced() {
        let mut pool = busy();
        let told = Action::Tell(1, Heard::Crashed("trap".to_owned()));
        assert_eq!(pool.died(0, 1, "trap"), [Action::Terminate(0), told, Action::Spawn(0, 2)]);
        assert_eq!(pool.hear(0, 1, done(1)), [], "the dead are not heard");
        pool.submit(start(2));
        assert_eq!(pool.hear(0, 2, ready()), [Action::Post(0, start(2))]);
    }

    #[test]
    fn a_worker_that_never_comes_up_is_given_up_on() {
        let mut pool = Pool::new(1, "b1");
        pool.submit(start(1));
        assert_eq!(pool.died(0, 1, "404"), [Action::Terminate(0), Action::Spawn(0, 2)]);
        assert_eq!(pool.died(0, 2, "404"), [Action::Terminate(0), Action::Spawn(0, 3)]);
        let told = Action::Tell(1, Heard::Crashed("404".to_owned()));
        assert_eq!(pool.died(0, 3, "404"), [Action::Terminate(0), told]);
        assert_eq!(pool.submit(start(2)), [Action::Spawn(0, 4)], "a new job tries again");
    }

    fn idle(bytes: u64) -> FromWorker {
        FromWorker::Idle { bytes }
    }

    #[test]
    fn memory_is_given_back_once_there_is_nothing_to_do() {
        let mut pool = busy();
        pool.hear(0, 1, done(1));
        assert_eq!(pool.hear(0, 1, idle(MOST_IDLE_BYTES + 1)), []);
        assert!(pool.needs_ticks());
        assert_eq!(pool.tick(1_000.0), [], "it is kept for a while, from the first tick on");
        assert_eq!(pool.tick(1_000.0 + IDLE_MS - 1.0), []);
        assert_eq!(pool.tick(1_000.0 + IDLE_MS), [Action::Terminate(0)]);
        assert!(!pool.needs_ticks());
        assert_eq!(pool.tick(1e9), []);
        assert_eq!(pool.submit(start(2)), [Action::Spawn(0, 2)], "the next job starts another");
        assert_eq!(pool.hear(0, 1, idle(1 << 40)), [], "the dead are not heard");
        assert_eq!(pool.hear(0, 2, ready()), [Action::Post(0, start(2))]);
        assert!(!pool.needs_ticks(), "the new one holds nothing");
    }

    #[test]
    fn little_memory_is_kept() {
        let mut pool = busy();
        pool.hear(0, 1, done(1));
        pool.hear(0, 1, idle(MOST_IDLE_BYTES));
        assert!(!pool.needs_ticks());
        assert_eq!(pool.tick(1e9), []);
    }

    #[test]
    fn a_worker_at_work_keeps_its_memory() {
        let mut pool = busy();
        pool.submit(start(2));
        // The next job begins before the worker has said what it holds.
        assert_eq!(pool.hear(0, 1, done(1)).last(), Some(&Action::Post(0, start(2))));
        pool.hear(0, 1, idle(1 << 30));
        assert!(!pool.needs_ticks());
        assert_eq!(pool.tick(1e9), []);
        // One job after the other: the time begins anew with each.
        pool.hear(0, 1, done(2));
        pool.hear(0, 1, idle(1 << 30));
        assert_eq!(pool.tick(0.0), []);
        assert_eq!(pool.submit(start(3)), [Action::Post(0, start(3))]);
        assert_eq!(pool.tick(IDLE_MS), []);
        pool.hear(0, 1, done(3));
        pool.hear(0, 1, idle(1 << 30));
        assert_eq!(pool.tick(2.0 * IDLE_MS), []);
        assert_eq!(pool.tick(3.0 * IDLE_MS), [Action::Terminate(0)]);
    }

    #[test]
    fn a_cancelled_worker_stops_or_is_replaced_in_time() {
        let mut pool = busy();
        assert_eq!(pool.cancel(1, 1000.0), [Action::Post(0, ToWorker::Cancel { job: 1 })]);
        assert!(pool.needs_ticks());
        assert_eq!(pool.tick(999.0 + PATIENCE_MS), []);
        let told = Action::Tell(1, Heard::Done(StopReason::Cancelled, None));
        assert_eq!(
            pool.tick(1000.0 + PATIENCE_MS),
            [Action::Terminate(0), told.clone(), Action::Spawn(0, 2)]
        );

        let mut pool = busy();
        pool.cancel(1, 0.0);
        let stopped = FromWorker::Done { job: 1, reason: StopReason::Cancelled, report: None, work: 3 };
        assert_eq!(pool.hear(0, 1, stopped), [Action::Tell(1, Heard::Worked(3)), told]);
        assert!(!pool.needs_ticks());

        let mut pool = busy();
        pool.submit(start(2));
        assert_eq!(pool.cancel(2, 0.0), [Action::Tell(2, Heard::Done(StopReason::Cancelled, None))]);
        assert_eq!(pool.cancel(77, 0.0), []);
    }
}
