//! Puts names, registers and devices where only their numbers were known.

use super::{Agent, Import, Named};
use crate::draft::{Awaits, awaits};
use traces::Trace;
use traces::trace::{Device, Does, Kind, Limits, Source};

impl Import {
    pub(super) fn finish(mut self) -> Trace {
        self.joins.sort();
        let processes: Vec<i64> = self.draft.streams.iter().map(|stream| stream.process).collect();
        let process = |stream: u32| processes.get(stream as usize).copied().unwrap_or_default();
        self.joins.join(&mut self.draft, process, &self.correlations);
        self.name_operations();
        self.name_calls();
        self.describe_devices();
        self.draft.finish(Source::Rocprof)
    }

    fn name_operations(&mut self) {
        for (operation, (process, named)) in self.draft.operations.iter_mut().zip(&self.kernels) {
            let name = match named {
                Named::Symbol(id) => {
                    let symbol = self.symbols.get(&(*process, *id));
                    if let Kind::Kernel(shape) = &mut operation.kind {
                        shape.registers = symbol.and_then(|symbol| symbol.registers);
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
