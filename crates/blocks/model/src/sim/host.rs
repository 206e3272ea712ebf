//! Host programs: each acts as far as it gets without time passing, in the order of the workload.
//!
//! Programs in lockstep meet at a gate before each round. It opens once everybody else is as far as they get,
//! so that they go on in their order whoever came last.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::workload::{Setup, Workload};
use super::script::{Script, Step};
use super::{NONE, STEPS_AN_OPERATION, Simulation};
use base::Nanos;

/// A program and how far it is.
#[derive(Debug)]
struct Actor {
    script: Script,
    /// Its process, by its place in the simulation's list.
    process: usize,
    /// The next step.
    at: usize,
    /// The repeats it is in, the outermost first.
    frames: Vec<Frame>,
    /// Whether others end with it.
    ends_others: bool,
}

#[derive(Debug, Clone, Copy)]
struct Frame {
    /// The round, from 0.
    round: u64,
    /// When the first round could begin.
    start: Nanos,
}

/// Whether a program goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pace {
    On,
    Waits,
}

/// All programs.
#[derive(Debug)]
pub(super) struct Host {
    actors: Vec<Actor>,
    /// The one that acts.
    acting: Option<u32>,
    /// Those that may go on.
    ready: BinaryHeap<Reverse<u32>>,
    sleepers: BinaryHeap<Reverse<(Nanos, u32)>>,
    /// Those before a round in lockstep.
    gate: Vec<u32>,
    /// Programs in lockstep that are not over.
    together: usize,
    /// Programs that others end with, and how many of them are not over.
    leading: Option<usize>,
    /// Programs that are over.
    over: usize,
    /// Why nothing is issued any more.
    closed: Option<Closed>,
    /// Steps taken.
    steps: u64,
}

/// Why programs were stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Closed {
    /// There would be too many blocks or copies.
    Blocks,
    /// They took too many steps.
    Steps,
}

impl Host {
    /// All programs at their beginning; `process` finds processes by number.
    pub(super) fn new(workload: &Workload, process: impl Fn(u32) -> usize) -> Self {
        let actor = |program: &super::super::workload::Program, setup: &Setup| Actor {
            script: Script::of(program, setup),
            process: process(program.process),
            at: 0,
            frames: Vec::new(),
            ends_others: program.ends_others,
        };
        let actors: Vec<Actor> = workload.programs.iter().map(|p| actor(p, &workload.setup)).collect();
        Self {
            acting: None,
            ready: (0u32..).zip(&actors).map(|(index, _)| Reverse(index)).collect(),
            sleepers: BinaryHeap::new(),
            gate: Vec::new(),
            together: actors.iter().filter(|actor| actor.script.together()).count(),
            leading: Some(actors.iter().filter(|actor| actor.ends_others).count()).filter(|&count| count > 0),
            over: 0,
            closed: None,
            steps: 0,
            actors,
        }
    }

    /// Whether all programs came to their end.
    pub(super) fn is_over(&self) -> bool {
        self.over == self.actors.len()
    }

    /// Why programs were stopped, where they were.
    pub(super) fn closed(&self) -> Option<Closed> {
        self.closed
    }

    /// A program that waited may look again whether it goes on.
    pub(super) fn wake(&mut self, actor: u32) {
        if self.closed.is_none() {
            self.ready.push(Reverse(actor));
        }
    }

    /// When the next sleeper wakes.
    pub(super) fn next_time(&self) -> Nanos {
        self.sleepers.peek().map_or(Nanos::NEVER, |Reverse((time, _))| *time)
    }

    /// Wakes those who slept until now.
    pub(super) fn wake_sleepers(&mut self, now: Nanos) {
        while let Some(&Reverse((time, actor))) = self.sleepers.peek()
            && time <= now
        {
            self.sleepers.pop();
            self.ready.push(Reverse(actor));
        }
    }

    /// No program issues anything any more.
    pub(super) fn close(&mut self, why: Closed) {
        self.closed = Some(why);
        self.acting = None;
        self.ready.clear();
        self.sleepers.clear();
        self.gate.clear();
    }

    /// The program that acts next at this instant.
    fn next(&mut self) -> Option<u32> {
        if self.acting.is_none() {
            if self.ready.is_empty() && self.together > 0 && self.gate.len() == self.together {
                self.ready.extend(self.gate.drain(..).map(Reverse));
            }
            self.acting = self.ready.pop().map(|Reverse(actor)| actor);
        }
        self.acting
    }

    /// Sleeps until then; no time at all goes by for somebody who is there already.
    fn sleep(&mut self, actor: u32, now: Nanos, until: Nanos) -> Pace {
        if until <= now {
            return Pace::On;
        }
        self.sleepers.push(Reverse((until, actor)));
        Pace::Waits
    }

    /// Comes to a repeat.
    fn enter(&mut self, actor: u32, now: Nanos, index: usize) -> Pace {
        let it = &mut self.actors[actor as usize];
        let start = now + it.script.loops[index].release;
        it.frames.push(Frame { round: 0, start });
        self.sleep(actor, now, start)
    }

    /// Begins a round, or leaves the repeat.
    fn round(&mut self, actor: u32, now: Nanos, index: usize) -> Pace {
        let it = &mut self.actors[actor as usize];
        let repeat = it.script.loops[index];
        let Some(frame) = it.frames.last() else { return Pace::On };
        let ended = index == 0 && !it.ends_others && self.leading == Some(0);
        let enough = ended || repeat.rounds.is_some_and(|rounds| frame.round >= rounds);
        if enough || repeat.time.is_some_and(|time| now.since(frame.start) >= time) {
            it.frames.pop();
            it.at = repeat.after;
            self.together -= usize::from(repeat.together);
            return Pace::On;
        }
        if repeat.together {
            self.gate.push(actor);
            return Pace::Waits;
        }
        Pace::On
    }

    /// Notes that a program is over.
    fn ended(&mut self, ends_others: bool) {
        self.over += 1;
        if ends_others {
            self.leading = self.leading.map(|leading| leading.saturating_sub(1));
        }
    }

    /// Ends a round.
    fn again(&mut self, actor: u32, index: usize) -> Pace {
        let it = &mut self.actors[actor as usize];
        it.at = it.script.loops[index].head;
        if let Some(frame) = it.frames.last_mut() {
            frame.round += 1;
        }
        Pace::On
    }
}

impl Simulation {
    /// Lets the next program take one step; `false` once all are as far as they get.
    pub(super) fn host_acts(&mut self) -> bool {
        let Some(actor) = self.host.next() else { return false };
        self.host.steps += 1;
        if self.host.steps > self.most_steps + STEPS_AN_OPERATION * self.ops.len() as u64 {
            self.host.close(Closed::Steps);
            return true;
        }
        if self.act(actor) == Pace::Waits {
            self.host.acting = None;
        }
        true
    }

    fn act(&mut self, actor: u32) -> Pace {
        let it = &mut self.host.actors[actor as usize];
        let Some(&step) = it.script.steps.get(it.at) else {
            let ends_others = it.ends_others;
            self.host.ended(ends_others);
            return Pace::Waits;
        };
        it.at += 1;
        let round = it.frames.first().map_or(0, |frame| u32::try_from(frame.round).unwrap_or(u32::MAX));
        match step {
            Step::Launch { stream, kernel } => {
                if self.launch(stream, kernel, round).is_none() {
                    return self.too_many();
                }
                Pace::On
            }
            Step::Copy { stream, copy, wait } => {
                let Some(op) = self.issue_copy(stream, copy, round) else { return self.too_many() };
                if wait {
                    self.ops[op as usize].waiter = actor;
                    return Pace::Waits;
                }
                Pace::On
            }
            Step::Sleep(nanos) => self.host.sleep(actor, self.now, self.now + nanos),
            Step::WaitStream(stream) => {
                let line = &mut self.streams[stream];
                if line.head == NONE {
                    return Pace::On;
                }
                line.waiters.push(actor);
                self.looks_again(actor)
            }
            Step::WaitDevice => {
                let process = &mut self.processes[it.process];
                if process.busy_streams == 0 {
                    return Pace::On;
                }
                process.waiters.push(actor);
                self.looks_again(actor)
            }
            Step::Enter(index) => self.host.enter(actor, self.now, index),
            Step::Round(index) => self.host.round(actor, self.now, index),
            Step::Again(index) => self.host.again(actor, index),
        }
    }

    /// Waits, and takes the same step once more when it is woken.
    fn looks_again(&mut self, actor: u32) -> Pace {
        self.host.actors[actor as usize].at -= 1;
        Pace::Waits
    }

    fn too_many(&mut self) -> Pace {
        self.host.close(Closed::Blocks);
        Pace::Waits
    }
}
