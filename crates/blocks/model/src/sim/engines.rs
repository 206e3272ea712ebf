//! Copy engines: one copy at a time on each (C2, C3).

use std::collections::VecDeque;

use super::super::device::Device;
use super::super::trace::Verdict;
use super::super::workload::{Copy, Direction};
use super::{Simulation, Stage, What};
use base::Nanos;

/// What the simulation knows of a copy.
#[derive(Debug, Clone, Copy)]
pub(super) struct Transfer {
    pub(super) engine: u16,
    pub(super) duration: Nanos,
}

impl Transfer {
    /// With two engines or more, the second takes copies to the host.
    pub(super) fn of(copy: &Copy, device: &Device) -> Self {
        let second = device.copy_engines > 1 && copy.direction == Direction::Out;
        Self { engine: u16::from(second), duration: copy.duration }
    }
}

/// A copy engine and its CE queue.
#[derive(Debug, Default)]
pub(super) struct Engine {
    pub(super) queue: VecDeque<u32>,
    /// The copy on it, and when that ends.
    pub(super) busy: Option<(u32, Nanos)>,
}

impl Engine {
    /// When its copy ends.
    pub(super) fn next_time(&self) -> Nanos {
        self.busy.map_or(Nanos::NEVER, |(_, end)| end)
    }
}

impl Simulation {
    /// Ends the copies that end now.
    pub(super) fn copies_end(&mut self) {
        for engine in 0..self.engines.len() {
            if let Some((op, end)) = self.engines[engine].busy
                && end <= self.now
            {
                self.engines[engine].busy = None;
                self.end(op);
            }
        }
    }

    /// Gives each free engine the head of its queue.
    pub(super) fn copies_start(&mut self) {
        for index in 0..self.engines.len() {
            let engine = &mut self.engines[index];
            if engine.busy.is_some() {
                continue;
            }
            let Some(op) = engine.queue.pop_front() else { continue };
            let next = engine.queue.front().copied();
            let it = &mut self.ops[op as usize];
            it.stage = Stage::Running;
            let What::Copy(run) = it.what else { continue };
            let run = &mut self.record.trace.copies[run as usize];
            run.start = self.now;
            let end = self.now + self.copies[run.copy].duration;
            self.engines[index].busy = Some((op, end));
            self.decide(op, Verdict::Copying);
            self.touch(next);
        }
    }
}
