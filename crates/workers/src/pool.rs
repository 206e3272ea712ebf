//! The worker pool as a state machine: what happened goes in, what to do comes out.
//!
//! Workers say `Ready` with their build before they get work. A worker that crashes is replaced and its job
//! is told; one that does not stop within [`PATIENCE_MS`] of a cancellation is terminated and replaced.
//! A job in a pause keeps its worker; others run beside it in one more.
//! The memory of a wasm program never shrinks: a worker that holds more than [`MOST_IDLE_BYTES`] and has had nothing to
//! do for [`IDLE_MS`] is terminated, which gives its memory back; the next job starts another.
//! The browser's side, which owns the real workers and the clock, is `crew`.

use std::collections::VecDeque;

use base::StopReason;
use kit::job::Progress;
use warps_lab::job::anneal::ChainState;

use crate::protocol::{FromWorker, ToWorker};

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
    Refused(Vec<base::Problem>),
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
    Paused(u32),
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

/// A slot without a worker.
const ABSENT: Slot = Slot { state: State::Absent, generation: 0, bytes: 0, idle_until: None };

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
    /// So many workers at the most, beside those with a job in a pause.
    most: usize,
    slots: Vec<Slot>,
    waiting: VecDeque<ToWorker>,
    /// Jobs that were paused before a worker had them.
    held: Vec<ToWorker>,
    failures: u32,
}

impl Pool {
    /// A pool of at most `workers` workers of a build; none is started yet.
    pub fn new(workers: usize, build: &str) -> Self {
        let most = workers.max(1);
        Self {
            build: build.to_owned(),
            most,
            slots: vec![ABSENT; most],
            waiting: VecDeque::new(),
            held: Vec::new(),
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
        let before = self.waiting.len() + self.held.len();
        self.waiting.retain(|waiting| waiting.job() != job);
        self.held.retain(|held| held.job() != job);
        if self.waiting.len() + self.held.len() < before {
            return vec![Action::Tell(job, Heard::Done(StopReason::Cancelled, None))];
        }
        match self.slot_of(job) {
            Some(slot) => {
                self.slots[slot].state = State::Stopping(job, now + PATIENCE_MS);
                vec![Action::Post(slot, ToWorker::Cancel { job })]
            }
            None => Vec::new(),
        }
    }

    /// Has nothing done for a job until it is to go on; nothing happens where it is not known.
    pub fn pause(&mut self, job: u32) -> Vec<Action> {
        if let Some(at) = self.waiting.iter().position(|waiting| waiting.job() == job) {
            self.held.extend(self.waiting.remove(at));
            return Vec::new();
        }
        let Some(slot) = self.slot_of(job) else { return Vec::new() };
        self.slots[slot].state = State::Paused(job);
        let mut actions = vec![Action::Post(slot, ToWorker::Pause { job })];
        actions.extend(self.assign());
        actions
    }

    /// Lets a job go on after a pause.
    pub fn resume(&mut self, job: u32) -> Vec<Action> {
        if let Some(at) = self.held.iter().position(|held| held.job() == job) {
            let work = self.held.remove(at);
            return self.submit(work);
        }
        match self.slots.iter().position(|slot| slot.state == State::Paused(job)) {
            Some(slot) => {
                self.slots[slot].state = State::Busy(job);
                vec![Action::Post(slot, ToWorker::Resume { job })]
            }
            None => Vec::new(),
        }
    }

    /// The slot whose worker has a job that is not being stopped.
    fn slot_of(&self, job: u32) -> Option<usize> {
        self.slots
            .iter()
            .position(|slot| matches!(slot.state, State::Busy(of) | State::Paused(of) if of == job))
    }

    /// A message from a worker; `generation` tells the worker from its predecessors.
    pub fn hear(&mut self, slot: usize, generation: u32, message: FromWorker) -> Vec<Action> {
        if self.slots.get(slot).is_none_or(|s| s.generation != generation) {
            return Vec::new();
        }
        let ours = |state: &State| match *state {
            State::Busy(job) | State::Paused(job) | State::Stopping(job, _) => message.job() == Some(job),
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
            State::Busy(job) | State::Paused(job) => {
                actions.push(Action::Tell(job, Heard::Crashed(why.to_owned())));
            }
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
        let count =
            |slots: &[Slot], is: fn(&State) -> bool| slots.iter().filter(|slot| is(&slot.state)).count();
        loop {
            let starting = count(&self.slots, |state| *state == State::Starting);
            let awake = count(&self.slots, |state| !matches!(state, State::Absent | State::Paused(_)));
            if self.waiting.len() <= starting || awake >= self.most {
                return actions;
            }
            let absent = self.slots.iter().position(|slot| slot.state == State::Absent);
            let slot = absent.unwrap_or(self.slots.len());
            if absent.is_none() {
                self.slots.push(ABSENT);
            }
            let spawn = self.spawn(slot);
            actions.push(spawn);
        }
    }
}

#[cfg(test)]
mod tests;
