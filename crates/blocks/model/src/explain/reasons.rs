//! Reasons to wait as sentences, with the numbers.

use super::words::{MOST_NAMED, Words};
use super::{free, kernel};
use crate::replay::State;
use crate::resources::{Resource, Resources};
use crate::rule::Rule;
use crate::trace::{Hold, OpId, Subject, Trace};
use crate::workload::Setup;
use base::people;

/// Why an operation waits, in numbers. For several sentences about one run, [`Words`] counts launches once.
pub fn hold_sentence(setup: &Setup, trace: &Trace, state: &State, op: OpId, hold: Hold) -> String {
    Words::new(setup, trace).hold(state, op, hold)
}

impl Words<'_> {
    /// Why an operation waits, in numbers.
    pub fn hold(&self, state: &State, op: OpId, hold: Hold) -> String {
        let name = |other: OpId| self.names.op(other);
        let why = match hold {
            Hold::Behind(other) => format!("{}, before it in its stream, has not ended", name(other)),
            Hold::NullWaits(other) => {
                let other = name(other);
                format!(
                    "it is in the null stream, and {other}, issued before it in a blocking stream, has not ended"
                )
            }
            Hold::WaitsForNull(other) => {
                format!("{}, issued before it in the null stream, has not ended", name(other))
            }
            Hold::NotHead(other) => format!("{} stands before it in the queue", name(other)),
            Hold::Urgent(other) => format!("{}, of higher priority, has blocks to start", name(other)),
            Hold::Process(process) => match state.device {
                Some(device) if device == process => format!("process {process} has the device"),
                _ => format!("process {process} has the device next"),
            },
            Hold::Engine(other) => format!("its copy engine is busy with {}", name(other)),
            Hold::Threads => self.short(state, op, &[Resource::Threads]),
            Hold::SharedMemory => self.short(state, op, &[Resource::SharedMemory]),
            Hold::Registers => self.short(state, op, &[Resource::Registers]),
            Hold::BlockLimit => self.short(state, op, &[Resource::Blocks]),
            Hold::Mixed => self.short(state, op, &Resource::ALL),
        };
        let rule = match hold.rule() {
            Rule::G2 if self.is_copy(op) => Rule::C1,
            Rule::X1 if self.is_copy(op) => Rule::C2,
            rule => rule,
        };
        format!("{} waits: {why} ({}).", name(op), rule.name())
    }

    /// What the next block of a kernel needs, and what there is on each SM it may use.
    fn short(&self, state: &State, op: OpId, of: &[Resource]) -> String {
        let (Some(kernel), Some(Subject::Kernel(run))) =
            (kernel(self.setup, self.trace, op), self.trace.subject(op))
        else {
            return "no multiprocessor has room for it".to_owned();
        };
        let stream = self.setup.streams.get(self.trace.kernels[run].stream);
        let process = stream.map_or(0, |stream| stream.process);
        let mut queued = state.ee.iter().flat_map(|queue| &queue.ops);
        let left = queued.find(|(other, _)| *other == op).map_or(kernel.blocks, |(_, left)| *left);
        let need = Resources::of_block(&self.setup.device, kernel);
        let usable = kernel.mask.below(self.setup.device.sms);
        let free = |sm| (sm, free(self.setup, self.trace, state, usize::from(sm), process));
        let sms: Vec<(u16, Resources)> = usable.map(free).collect();
        let lacking = |resource: &Resource| sms.iter().any(|(_, free)| free.lacks_of(*resource, need));
        let short = Short {
            need,
            whole: Resources::of_sm(&self.setup.device),
            lacking: of.iter().copied().filter(lacking).collect(),
            sms: &sms,
        };
        format!("block {} needs {}; {}", kernel.blocks.saturating_sub(left), short.needed(), short.there())
    }
}

/// What a block needs, and what is free.
struct Short<'a> {
    need: Resources,
    whole: Resources,
    /// What some SM has too little of.
    lacking: Vec<Resource>,
    sms: &'a [(u16, Resources)],
}

impl Short<'_> {
    /// `512 threads`.
    fn needed(&self) -> String {
        let amounts = self.lacking.iter().map(|&resource| resource.counted(self.need.get(resource)));
        people::listed(&amounts.collect::<Vec<_>>())
    }

    /// `SM 0 has 0 of 2,048 free, SM 1 has 256`, or less about many.
    fn there(&self) -> String {
        let count = self.sms.len();
        match self.lacking[..] {
            [resource] if count > MOST_NAMED => {
                let most = self.sms.iter().map(|(_, free)| free.get(resource)).max().unwrap_or_default();
                let [most, whole] = [most, self.whole.get(resource)].map(|n| people::grouped(n.into()));
                format!("none of {count} multiprocessors has more than {most} of {whole} free")
            }
            [resource] => {
                let on = |(i, (sm, free)): (usize, &(u16, Resources))| {
                    let [free, whole] =
                        [free.get(resource), self.whole.get(resource)].map(|n| people::grouped(n.into()));
                    if i == 0 {
                        format!("SM {sm} has {free} of {whole} free")
                    } else {
                        format!("SM {sm} has {free}")
                    }
                };
                self.sms.iter().enumerate().map(on).collect::<Vec<_>>().join(", ")
            }
            _ if count > MOST_NAMED => format!("each of {count} multiprocessors lacks one of these"),
            _ => self.sms.iter().map(|(sm, free)| self.mixed(*sm, *free)).collect::<Vec<_>>().join(", "),
        }
    }

    /// `SM 0 has 100 threads and 0 places for blocks`: only what it has too little of.
    fn mixed(&self, sm: u16, free: Resources) -> String {
        let short = self.lacking.iter().filter(|&&resource| free.lacks_of(resource, self.need));
        let amounts: Vec<String> = short.map(|&resource| resource.counted(free.get(resource))).collect();
        format!("SM {sm} has {} free", people::listed(&amounts))
    }
}
