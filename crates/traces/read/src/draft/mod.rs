//! A trace while it is being read: lists that grow in the file's order, with places that may still change.
//!
//! Invariants: what is refused (an operation that ends before it begins, one more than 32 bits can count) is counted
//! among what is left out; [`Draft::finish`] sorts everything and gives a trace that `Trace::check` accepts.

mod calls;
mod finish;
mod joins;
mod known;
mod processes;
mod waits;

use calls::launches;
pub use calls::{Awaits, Memory, awaits, records};
pub use joins::Joins;
pub use known::{Known, Shapes};

use std::collections::BTreeMap;
use traces::trace::{Call, Device, Does, Kind, LeftOut, Operation, Record, Slice, Stream, Thread, Wait};

/// Stands for a process that is not known.
pub const UNKNOWN: i64 = -1;

/// How far things may lie from the first of the file, in nanoseconds: no two are 2^63 apart then.
const FARTHEST: u64 = (1 << 62) - 1;

/// Different things left out that are told apart.
const MOST_LEFT_OUT: usize = 200;

/// How many operations, and how many calls, there is room for: on the page, where memory ends at 4 GiB, 3 million of each,
/// which with all that is told of them take some two thirds of that.
const ROOM: u32 = if cfg!(target_pointer_width = "32") { 3_000_000 } else { u32::MAX };

/// How many operations, and how many calls, a draft takes.
struct Room(u32);

impl Default for Room {
    fn default() -> Self {
        Self(ROOM)
    }
}

/// A trace being read.
#[derive(Default)]
pub struct Draft {
    pub names: Names,
    pub shapes: Shapes,
    pub devices: Vec<Device>,
    pub streams: Vec<Stream>,
    pub threads: Vec<Thread>,
    pub operations: Vec<Operation>,
    pub calls: Vec<Call>,
    pub records: Vec<Record>,
    pub waits: Vec<Wait>,
    pub slices: Vec<Slice>,
    /// Copies by their places, and in what memory of the host their bytes are.
    pub memories: Vec<(u32, Memory)>,
    room: Room,
    seen: u32,
    first: Option<i64>,
    left_out: BTreeMap<String, u64>,
    device_places: BTreeMap<[i64; 2], u32>,
    stream_places: Known<4, u32>,
    thread_places: Known<2, u32>,
}

/// What is known of an operation when it is read.
pub struct Found {
    pub stream: u32,
    pub name: u32,
    pub start: i64,
    pub end: i64,
    pub graph_node: bool,
    pub kind: Kind,
}

impl Draft {
    /// Counts something that the trace will not have.
    pub fn leave_out(&mut self, what: &str, count: u64) {
        if let Some(so_far) = self.left_out.get_mut(what) {
            *so_far = so_far.saturating_add(count);
        } else if count > 0 {
            let what = if self.left_out.len() < MOST_LEFT_OUT { what } else { "other things" };
            *self.left_out.entry(base::problem::one_line(what, 300)).or_default() += count;
        }
    }

    fn left_out(&mut self) -> Vec<LeftOut> {
        std::mem::take(&mut self.left_out).into_iter().map(|(what, count)| LeftOut { what, count }).collect()
    }

    /// The place of a device, by its host and its number.
    pub fn device(&mut self, host: i64, number: i64) -> u32 {
        let next = place(self.devices.len());
        let found = *self.device_places.entry([host, number]).or_insert(next);
        if found == next {
            self.devices.push(Device { number, ..Device::default() });
        }
        found
    }

    /// The place of a stream, by what tells it from others in the file; a new one is as said.
    pub fn stream(&mut self, key: [i64; 4], stream: impl FnOnce(&mut Self) -> Stream) -> u32 {
        if let Some(found) = self.known_stream(key) {
            return found;
        }
        let stream = stream(self);
        let next = place(self.streams.len());
        self.streams.push(stream);
        self.stream_places.insert(key, next);
        next
    }

    /// The place of a stream that has been seen.
    pub fn known_stream(&mut self, key: [i64; 4]) -> Option<u32> {
        self.stream_places.get(key)
    }

    /// The place of a thread, by its process and its number.
    pub fn thread(&mut self, process: i64, number: i64) -> u32 {
        if let Some(found) = self.known_thread(process, number) {
            return found;
        }
        let next = place(self.threads.len());
        self.threads.push(Thread { process, number, name: String::new() });
        self.thread_places.insert([process, number], next);
        next
    }

    /// The place of a thread that has been seen.
    pub fn known_thread(&mut self, process: i64, number: i64) -> Option<u32> {
        self.thread_places.get([process, number])
    }

    /// Makes room for so many calls, or as many as there is room for: how many that is. Lists grow without it, too, but
    /// are copied each time.
    pub fn expect_calls(&mut self, count: usize) -> usize {
        let count = count.min(self.room.0 as usize);
        self.calls.try_reserve_exact(count).map_or(0, |()| count)
    }

    /// The same for operations.
    pub fn expect_operations(&mut self, count: usize) -> usize {
        let count = count.min(self.room.0 as usize);
        self.operations.try_reserve_exact(count).map_or(0, |()| count)
    }

    /// A number for an operation that is added later.
    pub fn number(&mut self) -> u32 {
        let id = self.seen;
        self.seen = self.seen.saturating_add(1);
        id
    }

    /// Adds an operation, and gives its place.
    pub fn operation(&mut self, found: Found) -> Option<u32> {
        let id = self.number();
        self.numbered(id, found)
    }

    /// Adds an operation that has its number, and gives its place.
    pub fn numbered(&mut self, id: u32, found: Found) -> Option<u32> {
        if found.end < found.start {
            self.leave_out("operations that end before they begin", 1);
            return None;
        }
        if id == u32::MAX || place(self.operations.len()) >= self.room.0 {
            self.leave_out("operations for which there is no room, behind as many as there is room for", 1);
            return None;
        }
        if self.too_far(found.start, found.end) {
            return None;
        }
        let Found { stream, name, start, end, graph_node, kind } = found;
        self.operations.push(Operation { id, stream, name, start, end, call: None, graph_node, kind });
        Some(place(self.operations.len() - 1))
    }

    /// Whether something lies so far from the first operation or call of the file that times between them do not fit
    /// into 64 bits; it is left out then.
    fn too_far(&mut self, start: i64, end: i64) -> bool {
        let first = *self.first.get_or_insert(start);
        let far = start.abs_diff(first).max(end.abs_diff(first)) > FARTHEST;
        if far {
            self.leave_out("operations and calls more than 2^62 nanoseconds away from the first", 1);
        }
        far
    }

    /// Adds a call, and gives its place.
    pub fn call(&mut self, thread: u32, name: u32, start: i64, end: i64) -> Option<u32> {
        if end < start {
            self.leave_out("calls that end before they begin", 1);
            return None;
        }
        if self.too_far(start, end) {
            return None;
        }
        if place(self.calls.len()) >= self.room.0 {
            self.leave_out("calls for which there is no room, behind as many as there is room for", 1);
            return None;
        }
        self.calls.push(Call { thread, name, start, end, does: Does::Other });
        Some(place(self.calls.len() - 1))
    }

    /// A call by its place.
    pub fn call_at(&self, place: u32) -> Option<&Call> {
        self.calls.get(place as usize)
    }

    /// Says what a call does.
    pub fn call_does(&mut self, place: u32, does: Does) {
        if let Some(call) = self.calls.get_mut(place as usize) {
            call.does = does;
        }
    }

    /// Counts the calls that recorded an event, as their names say, and that no record is known of.
    pub fn count_unknown_records(&mut self) {
        let recorded = |call: &&Call| self.names.records(call.name);
        let unknown = self.calls.iter().filter(recorded).count().saturating_sub(self.records.len());
        self.leave_out("events recorded, of which the file does not say into which stream", unknown as u64);
    }
}

/// A place in a list; lists are never let grow beyond what it can say.
fn place(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// What a call of a name does, as the name says: looked at once for each name, and asked for each call.
#[derive(Clone, Copy)]
struct Says {
    awaits: Option<Awaits>,
    records: bool,
    can_launch: bool,
}

/// Names, each once.
#[derive(Default)]
pub struct Names {
    list: Vec<String>,
    says: Vec<Says>,
    places: BTreeMap<String, u32>,
}

impl Names {
    /// The place of a name.
    pub fn place(&mut self, name: &str) -> u32 {
        if let Some(&found) = self.places.get(name) {
            return found;
        }
        let next = place(self.list.len());
        self.list.push(name.to_owned());
        // One whose name is not known can launch something.
        let can_launch = name.is_empty() || launches(name);
        self.says.push(Says { awaits: awaits(name), records: records(name), can_launch });
        self.places.insert(name.to_owned(), next);
        next
    }

    /// The name at a place.
    pub fn get(&self, place: u32) -> &str {
        self.list.get(place as usize).map_or("", String::as_str)
    }

    /// What a call of that name waits for; none where it does not wait by its name.
    pub fn awaits(&self, place: u32) -> Option<Awaits> {
        self.says.get(place as usize)?.awaits
    }

    fn records(&self, place: u32) -> bool {
        self.says.get(place as usize).is_some_and(|says| says.records)
    }

    /// Whether a call of that name can launch something.
    fn can_launch(&self, place: u32) -> bool {
        self.says.get(place as usize).is_none_or(|says| says.can_launch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use traces::trace::Source;

    /// More than there is room for: the first are there, and the others are counted.
    #[test]
    fn there_is_room_for_so_many() {
        let mut draft = Draft { room: Room(3), ..Draft::default() };
        let device = draft.device(0, 0);
        let stream = draft.stream([0; 4], |_| Stream { device, ..Stream::default() });
        let thread = draft.thread(1, 1);
        for at in 0..5 {
            let found =
                Found { stream, name: 0, start: at, end: at + 1, graph_node: false, kind: Kind::Set(1) };
            assert_eq!(draft.operation(found).is_some(), at < 3);
            assert_eq!(draft.call(thread, 0, at, at + 1).is_some(), at < 3);
        }
        draft.names.place("it");
        let trace = draft.finish(Source::Nsight);
        assert_eq!((trace.check(), trace.operations.len(), trace.calls.len()), (Ok(()), 3, 3));
        let left: Vec<u64> = trace.left_out.iter().map(|left| left.count).collect();
        assert_eq!(left, [2, 2]);
    }
}
