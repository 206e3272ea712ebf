//! What becomes of an event: an operation, a call, something that waits, a name, or nothing.

use super::Import;
use super::event::{Args, Event};
use super::waits::Waiting;
use crate::draft::{Awaits, Found, Memory, UNKNOWN};
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
        let Some(start) = event.start else {
            self.draft.leave_out("operations and calls without a time", 1);
            return None;
        };
        let length = event.length.unwrap_or_else(|| {
            self.draft.leave_out(
                "lengths of operations and calls, which the file does not say: taken to be none",
                1,
            );
            Some(Scaled { value: 0, exact: true })
        });
        let end = length.and_then(|length| start.value.checked_add(length.value));
        let Some((length, end)) = length.zip(end) else {
            self.draft.leave_out("operations and calls whose length is no number, or too large a one", 1);
            return None;
        };
        if !start.exact || !length.exact {
            self.draft.leave_out("fractions of nanoseconds, which were rounded", 1);
        }
        Some((start.value, end))
    }

    /// The stream of a number on a device; of which process it is, is told later.
    pub(super) fn stream(&mut self, device: i64, context: i64, number: i64) -> u32 {
        self.draft.stream([0, device, context, number], |draft| Stream {
            device: draft.device(0, device),
            process: UNKNOWN,
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
        let graph_node = args.graph_node.is_some();
        let copy = matches!(kind, Kind::Copy(..));
        if let Some(place) = self.draft.operation(Found { stream, name, start, end, graph_node, kind }) {
            self.correlations.push(args.correlation);
            if copy {
                self.draft.memories.push((place, memory(&event.name)));
            }
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
                Kind::Kernel(self.draft.shapes.shared(shape(&event.args)))
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
            self.joins.add(process, correlation, start, place);
        }
        if matches!(self.draft.names.awaits(name), Some(Awaits::Stream | Awaits::Event | Awaits::Device)) {
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
        // Some versions write 0 where a kernel was opted in to more than 48 KiB, so 0 says nothing.
        shared: args.shared.filter(|&shared| shared > 0),
        estimated: args.occupancy.map(|percent| percent / 100.0),
        blocks_each: args.blocks_each.map(|number| number as f32),
        warps_each: args.warps_each.map(|number| number as f32),
    }
}

/// In what memory of the host the bytes of a copy are, by its name: "Memcpy HtoD (Pageable -> Device)".
fn memory(name: &str) -> Memory {
    match (name.contains("Pageable"), name.contains("Pinned")) {
        (true, false) => Memory::Pageable,
        (false, true) => Memory::Pinned,
        _ => Memory::Unknown,
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
