//! Events as sentences.

use std::collections::BTreeSet;

use super::kernel;
use crate::device::Mask;
use crate::names::Names;
use crate::replay::{Event, EventKind};
use crate::resources::{Resource, Resources};
use crate::trace::{BlockRun, OpId, Subject, Trace};
use crate::workload::{Kernel, Setup};
use base::{Nanos, people};

/// So many SMs are named one by one.
pub(super) const MOST_NAMED: usize = 4;

/// What just happened, and the rule behind it. For several sentences about one run, [`Words`] counts launches once.
pub fn sentence(setup: &Setup, trace: &Trace, event: &Event) -> String {
    Words::new(setup, trace).event(event)
}

/// Who tells about a run.
pub struct Words<'a> {
    pub(super) setup: &'a Setup,
    pub(super) trace: &'a Trace,
    pub(super) names: Names<'a>,
}

impl<'a> Words<'a> {
    /// For one run.
    pub fn new(setup: &'a Setup, trace: &'a Trace) -> Self {
        Self { setup, trace, names: Names::new(setup, trace) }
    }

    /// What just happened, and the rule behind it.
    pub fn event(&self, event: &Event) -> String {
        let name = |op: &OpId| self.names.op(*op);
        match &event.kind {
            EventKind::Issued(op) => {
                let verb = if self.is_copy(*op) { "issued" } else { "launched" };
                format!("{} is {verb}: it enters the queue of {} (G1).", name(op), self.stream(*op))
            }
            EventKind::Queued(op) if self.is_copy(*op) => {
                format!("{} heads its stream's queue: it enters the copy queue (C1).", name(op))
            }
            EventKind::Queued(op) => {
                let (name, which) = (name(op), self.which(*op));
                format!("{name} heads its stream's queue: it enters the execution queue{which} (G2).")
            }
            EventKind::BlocksAssigned { kernel, first, count } => {
                self.assigned(event.at, *kernel, *first, *count)
            }
            EventKind::Dispatched(op) => {
                format!("The last block of {} has started: it leaves the execution queue (G3).", name(op))
            }
            EventKind::CopyStarted(op) => {
                let name = name(op);
                format!(
                    "{name} heads the copy queue and its engine is free: it starts (C2) and leaves that queue (C3)."
                )
            }
            EventKind::BlocksEnded { kernel, count } => {
                let sms = self.on_sms(*kernel, |block| block.end.max(block.start), event.at);
                let (have, what) = if *count == 1 { ("has", "it held") } else { ("have", "they held") };
                let (blocks, name) = (people::counted(*count as usize, "block"), self.names.kernel(*kernel));
                format!("{blocks} of {name} {have} ended on {sms}: what {what} is free again.")
            }
            EventKind::KernelEnded(op) => {
                format!("The last block of {} has ended: it leaves its stream's queue (G4).", name(op))
            }
            EventKind::CopyEnded(op) => format!("{} is done: it leaves its stream's queue (C4).", name(op)),
            EventKind::DeviceTo(Some(process)) => format!("Process {process} has the device now (P1)."),
            EventKind::DeviceTo(None) => "No process has the device now (P1).".to_owned(),
        }
    }

    pub(super) fn is_copy(&self, op: OpId) -> bool {
        matches!(self.trace.subject(op), Some(Subject::Copy(_)))
    }

    /// `stream high`, `stream 2` where it has no name.
    fn stream(&self, op: OpId) -> String {
        let index = match self.trace.subject(op) {
            Some(Subject::Kernel(run)) => self.trace.kernels[run].stream,
            Some(Subject::Copy(run)) => self.trace.copies[run].stream,
            None => return "its stream".to_owned(),
        };
        match self.setup.streams.get(index).map(|stream| stream.label.as_str()) {
            None | Some("") => format!("stream {index}"),
            Some(label) if label.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("stream")) => {
                label.to_owned()
            }
            Some(label) => format!("stream {label}"),
        }
    }

    /// Which execution queue, where there are several.
    fn which(&self, op: OpId) -> String {
        let Some(Subject::Kernel(run)) = self.trace.subject(op) else { return String::new() };
        let streams = &self.setup.streams;
        let Some(own) = streams.get(self.trace.kernels[run].stream) else { return String::new() };
        let mut text = String::new();
        if streams.iter().any(|other| other.priority != own.priority) {
            text += &format!(" of priority {}", own.priority);
        }
        if streams.iter().any(|other| other.process != own.process) {
            text += &format!(" of process {}", own.process);
        }
        text
    }

    fn assigned(&self, at: Nanos, run: usize, first: u32, count: u32) -> String {
        let (name, sms) = (self.names.kernel(run), self.on_sms(run, |block| block.start, at));
        let launch = self.trace.kernels.get(run);
        let Some(kernel) = launch.and_then(|launch| kernel(self.setup, self.trace, launch.op)) else {
            return format!("{} of {name} went to {sms}.", people::counted(count as usize, "block"));
        };
        let blocks = match count {
            1 => format!("Block {first}"),
            _ if count == kernel.blocks => format!("All {} blocks", people::grouped(count.into())),
            _ => people::counted(count as usize, "block"),
        };
        let each = if count == 1 { "it" } else { "each" };
        let may = if kernel.mask == Mask::ALL { "" } else { ", it may use these multiprocessors (M1)" };
        let needs = needs(self.setup, kernel);
        format!(
            "{blocks} of {name} went to {sms}: {name} heads the execution queue (X1){may}, and there was room for {each}: {needs}."
        )
    }

    /// The SMs of the blocks of a launch that start or end at a time: `SM 0 and SM 1`, `12 multiprocessors`.
    fn on_sms(&self, run: usize, time: fn(&BlockRun) -> Nanos, at: Nanos) -> String {
        let blocks =
            self.trace.kernels.get(run).and_then(|launch| self.trace.blocks.get(launch.blocks.clone()));
        let here = blocks.unwrap_or_default().iter().filter(|block| time(block) == at);
        let sms: BTreeSet<u16> = here.map(|block| block.sm).collect();
        if sms.len() > MOST_NAMED {
            return format!("{} multiprocessors", sms.len());
        }
        people::listed(&sms.into_iter().map(|sm| format!("SM {sm}")).collect::<Vec<_>>())
    }
}

/// `512 threads (R2), 8,192 bytes of shared memory (R3)`.
fn needs(setup: &Setup, kernel: &Kernel) -> String {
    let need = Resources::of_block(&setup.device, kernel);
    let some = |resource: &Resource| *resource != Resource::Blocks && need.get(*resource) > 0;
    let text =
        |resource: Resource| format!("{} ({})", resource.counted(need.get(resource)), resource.rule().name());
    Resource::ALL.into_iter().filter(some).map(text).collect::<Vec<_>>().join(", ")
}
