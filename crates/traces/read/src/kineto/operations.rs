//! What becomes of an event: an operation, a call, something that waits, a name, or nothing.

use super::Import;
use super::event::{Args, Event};
use super::waits::Waiting;
use crate::draft::{Awaits, Found, awaits};
use crate::json::Scaled;
use traces::trace::{Direction, Does, Kind, Shape, Stream};

impl Import {
    /// Takes in an event.
    pub(super) fn event(&mut self, event: &mut Event) {
        match (event.phase.as_str(), event.category.as_str()) {
            ("X", "kernel" | "Kernel" | "gpu_memcpy" | "Memcpy" | "gpu_memset" | "Memset") => {
                self.operation(event)
            }
            ("X", "cuda_runtime" | "cuda_driver" | "Runtime" | "hip_runtime" | "hip_driver") => {
                self.call(event)
            }
            ("X", "cuda_sync") => self.waiting(event),
            ("M", _) => self.called(event),
            (phase, "") => self.draft.leave_out(&format!("events of phase {phase} without a category"), 1),
            ("X", category) => self.draft.leave_out(&format!("events of category {category}"), 1),
            (phase, category) => {
                self.draft.leave_out(&format!("events of category {category} and phase {phase}"), 1);
            }
        }
    }

    /// When an event began and ended.
    fn time(&mut self, event: &Event) -> Option<(i64, i64)> {
        let zero = Scaled { value: 0, exact: true };
        let time = event.start.and_then(|start| {
            let length = event.length.unwrap_or(zero);
            if !start.exact || !length.exact {
                self.draft.leave_out("fractions of nanoseconds, which were rounded", 1);
            }
            Some((start.value, start.value.checked_add(length.value)?))
        });
        if time.is_none() {
            self.draft.leave_out("operations and calls without a time", 1);
        }
        time
    }

    /// The stream of a number on a device.
    pub(super) fn stream(&mut self, device: i64, context: i64, number: i64) -> u32 {
        self.draft.stream([device, context, number], |draft| Stream {
            device: draft.device(device),
            context,
            number,
            ..Stream::default()
        })
    }

    fn operation(&mut self, event: &Event) {
        let args = &event.args;
        let (Some(device), Some(number)) = (args.device.or(event.process), args.stream.or(event.thread))
        else {
            return self.draft.leave_out("operations without a device or a stream", 1);
        };
        let Some((start, end)) = self.time(event) else { return };
        let stream = self.stream(device, args.context.unwrap_or(0), number);
        if let Some(stream) = self.draft.streams.get_mut(stream as usize)
            && args.priority.is_some()
        {
            stream.priority = args.priority;
        }
        let kind = self.kind(event);
        let name = self.draft.names.place(&event.name);
        let graph_node = args.graph_node;
        if self.draft.operation(Found { stream, name, start, end, graph_node, kind }).is_some() {
            self.correlations.push(args.correlation);
        }
    }

    fn kind(&mut self, event: &Event) -> Kind {
        let bytes = event.args.bytes.unwrap_or(0);
        match event.category.as_str() {
            "gpu_memcpy" | "Memcpy" => Kind::Copy(direction(&event.name), bytes),
            "gpu_memset" | "Memset" => Kind::Set(bytes),
            _ => {
                if event.args.grid.is_none() || event.args.block.is_none() {
                    self.draft.leave_out("launch shapes of kernels, which the file does not say", 1);
                }
                Kind::Kernel(shape(&event.args))
            }
        }
    }

    fn call(&mut self, event: &Event) {
        let (Some(process), Some(number)) = (event.process, event.thread) else {
            return self.draft.leave_out("calls without a process or a thread", 1);
        };
        let Some((start, end)) = self.time(event) else { return };
        let thread = self.draft.thread(process, number);
        let name = self.draft.names.place(&event.name);
        let Some(place) = self.draft.call(thread, name, start, end) else { return };
        if let Some(correlation) = event.args.correlation {
            self.joins.add(0, correlation, start, place);
        }
        if matches!(awaits(&event.name), Some(Awaits::Stream | Awaits::Event | Awaits::Device)) {
            self.draft.call_does(place, Does::AwaitUnknown);
        }
    }

    fn waiting(&mut self, event: &Event) {
        let Some((start, _)) = self.time(event) else { return };
        match Waiting::of(event, start) {
            Some(waiting) => self.waiting.push(waiting),
            None => self.draft.leave_out("synchronisations of a kind that is not known", 1),
        }
    }

    fn called(&mut self, event: &mut Event) {
        if let ("thread_name", Some(process), Some(thread)) =
            (event.name.as_str(), event.process, event.thread)
            && let Some(called) = event.args.called.take()
        {
            self.called.insert((process, thread), called);
        }
    }
}

fn shape(args: &Args) -> Shape {
    Shape {
        grid: args.grid.unwrap_or_default(),
        block: args.block.unwrap_or_default(),
        registers: args.registers.map(|registers| if registers == 255 { 256 } else { registers }),
        // Opted in to more than 48 KiB, it is written as 0, so 0 says nothing.
        shared: args.shared.filter(|&shared| shared > 0),
        estimated: args.occupancy.map(|percent| percent / 100.0),
    }
}

/// The direction of a copy, by its name: "Memcpy HtoD (Pageable -> Device)".
fn direction(name: &str) -> Direction {
    let has = |words: [&str; 2]| words.iter().any(|word| name.contains(word));
    if has(["HtoD", "HostToDevice"]) {
        Direction::ToDevice
    } else if has(["DtoH", "DeviceToHost"]) {
        Direction::ToHost
    } else if has(["PtoP", "PeerToPeer"]) {
        Direction::Between
    } else if has(["DtoD", "DeviceToDevice"]) {
        Direction::Within
    } else {
        Direction::Other
    }
}
