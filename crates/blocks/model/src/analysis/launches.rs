//! What host programs issue at time 0, in which order, and what they issue besides.
//!
//! This follows programs only as far as they get without time passing. Whatever may wait counts as waiting: what
//! comes after it is late. So what is found to be launched at 0 is, and in this order.

use super::super::workload::{Action, Program, Repeat, Workload};
use base::Nanos;

/// A kernel put into a stream, as indices of the setup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Launch {
    /// Which stream.
    pub stream: usize,
    /// Which kernel.
    pub kernel: usize,
}

/// What all programs issue.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Issued {
    /// Kernels launched at time 0, in this order.
    pub at_once: Vec<Launch>,
    /// Kernels launched later, or perhaps later.
    pub late: Vec<Launch>,
    /// Kernels launched in a round that is, or may be, repeated.
    pub again: Vec<Launch>,
    /// Copies issued at any time.
    pub copies: Vec<usize>,
}

/// Follows the programs of a workload.
pub fn issued(workload: &Workload) -> Issued {
    // Programs in lockstep begin when all of them are there, after everybody else has got as far as possible.
    let (in_lockstep, alone): (Vec<&Program>, Vec<&Program>) =
        workload.programs.iter().partition(|program| program.repeat.lockstep);
    let together = in_lockstep.iter().all(|program| program.repeat.release == Nanos::ZERO);
    let gate = if together { Moment::Zero } else { Moment::Later };
    let mut issued = Issued::default();
    let programs = alone.into_iter().map(|program| (program, Moment::Zero));
    for (program, moment) in programs.chain(in_lockstep.into_iter().map(|program| (program, gate))) {
        Walk { workload, program, issued: &mut issued, moment }.repeat(&program.repeat);
    }
    issued
}

/// Whether time may have passed for a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moment {
    Zero,
    Later,
}

/// A program on its way.
struct Walk<'a> {
    workload: &'a Workload,
    program: &'a Program,
    issued: &'a mut Issued,
    moment: Moment,
}

impl Walk<'_> {
    /// One round stands for all: a second one is only noted.
    fn repeat(&mut self, repeat: &Repeat) {
        self.sleep(repeat.release);
        if repeat.rounds == Some(0) || repeat.time == Some(Nanos::ZERO) {
            return;
        }
        let before = (self.issued.at_once.len(), self.issued.late.len());
        repeat.body.iter().for_each(|action| self.act(action));
        if repeat.rounds != Some(1) {
            let Issued { at_once, late, again, .. } = &mut *self.issued;
            again.extend_from_slice(&at_once[before.0..]);
            again.extend_from_slice(&late[before.1..]);
        }
    }

    fn act(&mut self, action: &Action) {
        match action {
            &Action::Launch { stream, kernel } => match self.moment {
                Moment::Zero => self.issued.at_once.push(Launch { stream, kernel }),
                Moment::Later => self.issued.late.push(Launch { stream, kernel }),
            },
            Action::Copy { copy, wait, .. } => {
                self.issued.copies.push(*copy);
                self.moment = if *wait { Moment::Later } else { self.moment };
            }
            Action::Sleep(time) => self.sleep(*time),
            Action::WaitStream(stream) => self.wait(|of| of == *stream),
            Action::WaitDevice => {
                let (streams, process) = (&self.workload.setup.streams, self.program.process);
                self.wait(|of| streams.get(of).is_none_or(|stream| stream.process == process));
            }
            Action::Repeat(repeat) => self.repeat(repeat),
        }
    }

    fn sleep(&mut self, time: Nanos) {
        if time > Nanos::ZERO {
            self.moment = Moment::Later;
        }
    }

    /// Waits unless nothing was put into these streams so far.
    fn wait(&mut self, concerns: impl Fn(usize) -> bool) {
        if self.issued.at_once.iter().any(|launch| concerns(launch.stream)) {
            self.moment = Moment::Later;
        }
    }
}
