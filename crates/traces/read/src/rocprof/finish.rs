//! Puts names, registers and devices where only their numbers were known.

use super::{Agent, Import, Named};
use crate::draft::{Awaits, awaits};
use std::collections::BTreeSet;
use traces::Trace;
use traces::trace::{Device, Does, Kind, Limits, Shape, Source};

impl Import {
    pub(super) fn finish(mut self) -> Trace {
        self.joins.sort();
        self.name_calls();
        let processes: Vec<i64> = self.draft.streams.iter().map(|stream| stream.process).collect();
        let process = |stream: u32| processes.get(stream as usize).copied();
        self.joins.join(&mut self.draft, process, &self.correlations);
        self.draft.wait_for_copies();
        self.name_operations();
        self.give_processes();
        self.describe_devices();
        self.draft.finish(Source::Rocprof)
    }

    fn name_operations(&mut self) {
        for (operation, (process, named)) in self.draft.operations.iter_mut().zip(&self.kernels) {
            let name = match named {
                Named::Symbol(id) => {
                    let symbol = self.symbols.get(&(*process, *id));
                    if let Kind::Kernel(shape) = &mut operation.kind {
                        let registers = symbol.and_then(|symbol| symbol.registers);
                        *shape = self.draft.shapes.shared(Shape { registers, ..**shape });
                    }
                    symbol.map(|symbol| &symbol.name)
                }
                Named::Operation(kind, number) => self.names.get(&(*process, *kind, *number)),
            };
            operation.name = match name {
                Some(name) => self.draft.names.place(name),
                None => self.draft.names.place(&numbered(*named)),
            };
        }
    }

    fn name_calls(&mut self) {
        for (call, (process, named)) in self.draft.calls.iter_mut().zip(&self.calls) {
            let Named::Operation(kind, number) = *named else { continue };
            let name = self.names.get(&(*process, kind, number)).cloned().unwrap_or_else(|| numbered(*named));
            call.name = self.draft.names.place(&name);
            if matches!(awaits(&name), Some(Awaits::Stream | Awaits::Event | Awaits::Device)) {
                call.does = Does::AwaitUnknown;
            }
        }
    }

    /// So far processes are numbered by the parts of the file. Parts of one process, or of none, stay apart.
    fn give_processes(&mut self) {
        let mut told = BTreeSet::new();
        let numbers: Vec<i64> = (self.processes.iter().zip(2_i64..))
            .map(|(process, part)| process.filter(|&process| told.insert(process)).unwrap_or(-part))
            .collect();
        let number = |part: i64| {
            usize::try_from(part).ok().and_then(|part| numbers.get(part)).copied().unwrap_or_default()
        };
        self.draft.streams.iter_mut().for_each(|stream| stream.process = number(stream.process));
        self.draft.threads.iter_mut().for_each(|thread| thread.process = number(thread.process));
    }

    /// So far devices are numbered by the handles of agents.
    fn describe_devices(&mut self) {
        for device in &mut self.draft.devices {
            if let Some(agent) = self.agents.get(&device.number) {
                *device = described(agent, device.number);
            }
        }
    }
}

fn numbered(named: Named) -> String {
    match named {
        Named::Symbol(id) => format!("kernel {id}"),
        Named::Operation(kind, number) => format!("operation {number} of kind {kind}"),
    }
}

fn described(agent: &Agent, handle: i64) -> Device {
    let some = |number: Option<u32>| number.filter(|&number| number > 0);
    let limits = Limits {
        multiprocessors: some(agent.units),
        warp: some(agent.wave),
        threads: some(agent.waves).and_then(|waves| waves.checked_mul(agent.wave?)),
        shared: agent.shared.filter(|&bytes| bytes > 0),
        ..Limits::default()
    };
    Device { number: agent.number.or(agent.node).unwrap_or(handle), name: agent.name.clone(), limits }
}
