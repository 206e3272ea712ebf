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
    /// Those of them whose programs begin no round: all that end them are over before, or may be.
    pub barred: Vec<Launch>,
    /// Kernels launched in a round that is, or may be, repeated.
    pub again: Vec<Launch>,
    /// Copies issued at any time.
    pub copies: Vec<usize>,
}

/// Follows the programs of a workload.
pub fn issued(workload: &Workload) -> Issued {
    // Programs in lockstep begin when all of them are there, after everybody else has got as far as possible.
    let in_lockstep = || workload.programs.iter().filter(|program| program.repeat.lockstep);
    let together = in_lockstep().all(|program| program.repeat.release == Nanos::ZERO);
    let gate = if together { Moment::Zero } else { Moment::Later };
    let mut issued = Issued::default();
    let mut at_the_gate = Vec::new();
    // Whoever comes to its first round when all that end it are over does not begin it, in lockstep or not.
    let mut leading = workload.programs.iter().filter(|program| program.ends_others).count();
    let leads = leading > 0;
    for program in &workload.programs {
        let is_barred = leads && leading == 0 && !program.ends_others;
        let is_over = if program.repeat.lockstep {
            at_the_gate.push((program, is_barred));
            has_no_rounds(&program.repeat) && program.repeat.release == Nanos::ZERO
        } else {
            follow(workload, program, is_barred, Moment::Zero, &mut issued) == Moment::Zero
        };
        leading -= usize::from(program.ends_others && is_over);
    }
    for (program, is_barred) in at_the_gate {
        follow(workload, program, is_barred, gate, &mut issued);
    }
    issued
}

/// Follows a program, and says whether time may have passed when it is over.
fn follow(
    workload: &Workload,
    program: &Program,
    is_barred: bool,
    moment: Moment,
    issued: &mut Issued,
) -> Moment {
    let moment = if is_barred { Moment::Later } else { moment };
    let before = issued.late.len();
    let mut walk = Walk { workload, program, issued, moment };
    walk.repeat(&program.repeat);
    let moment = walk.moment;
    if is_barred {
        let Issued { late, barred, .. } = issued;
        barred.extend_from_slice(&late[before..]);
    }
    moment
}

fn has_no_rounds(repeat: &Repeat) -> bool {
    repeat.rounds == Some(0) || repeat.time == Some(Nanos::ZERO)
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
        if has_no_rounds(repeat) {
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
