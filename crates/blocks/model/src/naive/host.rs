//! Step 2 of the twin: host programs, with the repeats they are in as a stack.

use super::super::workload::Action;
use super::{Level, Naive, Op, Wait};

impl<'a> Naive<'a> {
    pub(super) fn step_2_programs(&mut self) -> bool {
        let mut acted = false;
        loop {
            for actor in 0..self.actors.len() {
                while !self.closed && self.act(actor) {
                    acted = true;
                }
            }
            let together = (0..self.actors.len()).filter(|&actor| {
                self.workload.programs[actor].repeat.lockstep && self.actors[actor].wait != Wait::Over
            });
            let together: Vec<usize> = together.collect();
            let all = together.iter().all(|&actor| self.actors[actor].wait == Wait::Gate);
            if together.is_empty() || !all || self.closed {
                return acted;
            }
            for actor in together {
                self.actors[actor].wait = Wait::Nothing;
                self.actors[actor].levels[0].next = Some(0);
            }
        }
    }

    /// One thing a program does; whether it did.
    fn act(&mut self, actor: usize) -> bool {
        let keeps = match self.actors[actor].wait {
            Wait::Nothing => false,
            Wait::Until(time) => self.now < time,
            Wait::Stream(stream) => self.head(stream).is_some(),
            Wait::Device => {
                let process = self.workload.programs[actor].process;
                let streams = &self.workload.setup.streams;
                (0..streams.len()).any(|it| streams[it].process == process && self.head(it).is_some())
            }
            Wait::Op(op) => self.ops[op].end.is_none(),
            Wait::Gate | Wait::Over => true,
        };
        if keeps {
            return false;
        }
        let now = self.now;
        let others_ended = self.others_ended(actor);
        let it = &mut self.actors[actor];
        it.wait = Wait::Nothing;
        let depth = it.levels.len();
        let Some(level) = it.levels.last_mut() else {
            it.wait = Wait::Over;
            return true;
        };
        let repeat = level.repeat;
        match level.next {
            None => {
                let enough =
                    depth == 1 && others_ended || repeat.rounds.is_some_and(|rounds| level.round == rounds);
                if enough || repeat.time.is_some_and(|time| now - level.start >= time.0) {
                    it.levels.pop();
                } else if depth == 1 && repeat.lockstep {
                    it.wait = Wait::Gate;
                } else {
                    level.next = Some(0);
                }
            }
            Some(next) if next == repeat.body.len() => {
                level.round += 1;
                level.next = None;
            }
            Some(next) => {
                level.next = Some(next + 1);
                self.does(actor, &repeat.body[next]);
            }
        }
        true
    }

    /// Whether there are programs with which this one ends, and all of them are over.
    fn others_ended(&self, actor: usize) -> bool {
        let programs = &self.workload.programs;
        let mut leading = (0..programs.len()).filter(|&it| programs[it].ends_others).peekable();
        !programs[actor].ends_others
            && leading.peek().is_some()
            && leading.all(|it| self.actors[it].wait == Wait::Over)
    }

    fn does(&mut self, actor: usize, action: &'a Action) {
        let wait = match *action {
            Action::Launch { stream, kernel } => {
                let launched: usize = self.ops.iter().map(|op| op.blocks.len()).sum();
                let blocks = self.workload.setup.kernels[kernel].blocks as usize;
                if (launched + blocks) as u64 > self.workload.most_blocks {
                    self.closed = true;
                } else {
                    self.issue(actor, stream, Some(kernel), None, blocks);
                }
                Wait::Nothing
            }
            Action::Copy { stream, copy, wait } => {
                let copies = self.ops.iter().filter(|op| op.copy.is_some()).count();
                if copies as u64 == self.workload.most_blocks {
                    self.closed = true;
                } else {
                    self.issue(actor, stream, None, Some(copy), 0);
                }
                if wait && !self.closed { Wait::Op(self.ops.len() - 1) } else { Wait::Nothing }
            }
            Action::Sleep(nanos) => Wait::Until(self.now + nanos.0),
            Action::WaitStream(stream) => Wait::Stream(stream),
            Action::WaitDevice => Wait::Device,
            Action::Repeat(ref repeat) => {
                let start = self.now + repeat.release.0;
                self.actors[actor].levels.push(Level { repeat, start, round: 0, next: None });
                Wait::Until(start)
            }
        };
        self.actors[actor].wait = if self.closed { Wait::Over } else { wait };
    }

    fn issue(
        &mut self,
        actor: usize,
        stream: usize,
        kernel: Option<usize>,
        copy: Option<usize>,
        blocks: usize,
    ) {
        let round = self.actors[actor].levels[0].round as u32;
        let blocks = vec![(0, 0, None); blocks];
        let (queued, start, dispatched, end) = (None, None, None, None);
        let issued = self.now;
        self.ops.push(Op { stream, kernel, copy, round, issued, queued, start, dispatched, end, blocks });
    }
}
