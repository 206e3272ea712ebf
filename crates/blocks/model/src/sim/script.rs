//! A host program laid out flat: steps with jumps in place of repeats within repeats.
//!
//! Steps about streams, kernels or copies that do not exist are left out.

use super::super::workload::{Action, Program, Repeat, Setup};
use base::Nanos;

/// One thing a program does.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    /// Launches a kernel.
    Launch { stream: usize, kernel: usize },
    /// Issues a copy.
    Copy { stream: usize, copy: usize, wait: bool },
    /// Sleeps.
    Sleep(Nanos),
    /// Waits until a stream's queue is empty.
    WaitStream(usize),
    /// Waits until all queues of its process are empty.
    WaitDevice,
    /// Comes to a repeat: sleeps until its release.
    Enter(usize),
    /// Is about to begin a round, if there is one more.
    Round(usize),
    /// Has ended a round: back to the step before.
    Again(usize),
}

/// A repeat, and where its steps stand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Loop {
    pub(super) release: Nanos,
    pub(super) rounds: Option<u64>,
    pub(super) time: Option<Nanos>,
    /// Whether its rounds begin together with those of other programs.
    pub(super) together: bool,
    /// Where `Step::Round` stands.
    pub(super) head: usize,
    /// Where it goes on afterwards.
    pub(super) after: usize,
}

/// A program's steps.
#[derive(Debug, Default)]
pub(super) struct Script {
    pub(super) steps: Vec<Step>,
    pub(super) loops: Vec<Loop>,
}

impl Script {
    /// The steps of a program.
    pub(super) fn of(program: &Program, setup: &Setup) -> Self {
        let mut script = Self::default();
        script.repeat(&program.repeat, setup);
        if let Some(outermost) = script.loops.first_mut() {
            outermost.together = program.repeat.lockstep;
        }
        script
    }

    /// Whether its rounds begin together with those of others.
    pub(super) fn together(&self) -> bool {
        self.loops.first().is_some_and(|outermost| outermost.together)
    }

    fn repeat(&mut self, repeat: &Repeat, setup: &Setup) {
        let index = self.loops.len();
        let head = self.steps.len() + 1;
        let Repeat { release, rounds, time, .. } = *repeat;
        self.loops.push(Loop { release, rounds, time, together: false, head, after: 0 });
        self.steps.extend([Step::Enter(index), Step::Round(index)]);
        for action in &repeat.body {
            self.action(action, setup);
        }
        self.steps.push(Step::Again(index));
        self.loops[index].after = self.steps.len();
    }

    fn action(&mut self, action: &Action, setup: &Setup) {
        let exists = |stream| stream < setup.streams.len();
        match *action {
            Action::Launch { stream, kernel } if exists(stream) && kernel < setup.kernels.len() => {
                self.steps.push(Step::Launch { stream, kernel });
            }
            Action::Copy { stream, copy, wait } if exists(stream) && copy < setup.copies.len() => {
                self.steps.push(Step::Copy { stream, copy, wait });
            }
            Action::WaitStream(stream) if exists(stream) => self.steps.push(Step::WaitStream(stream)),
            Action::Launch { .. } | Action::Copy { .. } | Action::WaitStream(_) => {}
            Action::Sleep(nanos) => self.steps.push(Step::Sleep(nanos)),
            Action::WaitDevice => self.steps.push(Step::WaitDevice),
            Action::Repeat(ref repeat) => self.repeat(repeat, setup),
        }
    }
}
