//! Calls, kernels, copies and sets: the rows of four tables.
//!
//! The names of copies and sets are not in the file; they are called what the profiler calls them. 255 registers of a
//! thread are allocated as 256 (the number has eight bits in the file).

use super::Import;
use super::state::{State, thread};
use crate::draft::{Found, Joins, Memory, UNKNOWN};
use crate::source::Halt;
use crate::sqlite::Row;
use traces::trace::{Direction, Kind, Shape};

/// The tables of operations.
const OPERATIONS: [&str; 3] =
    ["CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET"];

/// Columns that kernels, copies and sets share, in the order that [`State::add`] expects.
const SHARED: [&str; 8] =
    ["start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "graphNodeId"];

impl Import<'_> {
    pub(super) fn read_calls(&mut self) -> Result<(), Halt> {
        let columns = ["start", "end", "globalTid", "correlationId", "nameId"];
        let count = self.about("CUPTI_ACTIVITY_KIND_RUNTIME")?;
        self.state.joins = Joins::of_about(self.state.draft.expect_calls(count));
        self.rows("CUPTI_ACTIVITY_KIND_RUNTIME", &columns, &mut |state, row| {
            if call(state, row).is_none() {
                state.draft.leave_out("calls without a time or a thread", 1);
            }
        })?;
        Ok(())
    }

    pub(super) fn read_operations(&mut self) -> Result<(), Halt> {
        let with = |more: &[&'static str]| [&SHARED[..], more].concat();
        let mut count = 0;
        for table in OPERATIONS {
            count += self.about(table)?;
        }
        self.state.correlations = Vec::with_capacity(self.state.draft.expect_operations(count));
        let columns = with(&[
            "demangledName",
            "shortName",
            "registersPerThread",
            "gridX",
            "gridY",
            "gridZ",
            "blockX",
            "blockY",
            "blockZ",
            "staticSharedMemory",
            "dynamicSharedMemory",
        ]);
        self.rows("CUPTI_ACTIVITY_KIND_KERNEL", &columns, &mut |state, row| {
            let name = row.int(8).or_else(|| row.int(9)).unwrap_or(-1);
            let slot = state.texts.slot(name);
            let shape = state.draft.shapes.shared(shape(row));
            state.add(row, slot, Kind::Kernel(shape));
        })?;
        let columns = with(&["bytes", "copyKind", "srcDeviceId", "dstDeviceId", "srcKind", "dstKind"]);
        self.rows("CUPTI_ACTIVITY_KIND_MEMCPY", &columns, &mut |state, row| {
            let direction = direction(row);
            if let Some(place) = state.add(row, u32::MAX, Kind::Copy(direction, size(row))) {
                state.draft.memories.push((place, memory(row, direction)));
            }
        })?;
        let columns = with(&["bytes"]);
        self.rows("CUPTI_ACTIVITY_KIND_MEMSET", &columns, &mut |state, row| {
            let kind = Kind::Set(size(row));
            state.add(row, u32::MAX, kind);
        })?;
        self.rows("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", &["start"], &mut |state, _| {
            state.draft.leave_out("graphs recorded as a whole, without their nodes", 1);
        })?;
        Ok(())
    }
}

fn call(state: &mut State, row: &Row<'_>) -> Option<()> {
    let (start, end, global) = (row.int(0)?, row.int(1)?, row.int(2)?);
    let process = state.process(global);
    let thread = state.draft.thread(process, thread(global));
    let slot = state.texts.slot(row.int(4).unwrap_or(-1));
    let place = state.draft.call(thread, slot, start, end);
    if let (Some(place), Some(correlation)) = (place, row.int(3)) {
        state.joins.add(process, correlation, start, place);
    }
    Some(())
}

impl State {
    /// Adds an operation, from the columns that all kinds share; gives its place.
    fn add(&mut self, row: &Row<'_>, name: u32, kind: Kind) -> Option<u32> {
        let (Some(start), Some(end), Some(number)) = (row.int(0), row.int(1), row.int(4)) else {
            self.draft.leave_out("operations without a time or a stream", 1);
            return None;
        };
        let context = row.int(3).unwrap_or(0);
        let process = row.int(6).map_or(UNKNOWN, |global| self.process(global));
        let device = row.int(2).or_else(|| self.contexts.get(&(process, context)).copied()).unwrap_or(0);
        let stream = self.stream(process, device, context, number);
        let graph_node = row.int(7).is_some_and(|node| node != 0);
        let place = self.draft.operation(Found { stream, name, start, end, graph_node, kind })?;
        self.correlations.push(row.int(5));
        Some(place)
    }
}

fn shape(row: &Row<'_>) -> Shape {
    let three = |from: usize| [from, from + 1, from + 2].map(|place| row.small(place).unwrap_or(0));
    let shared = match (row.small(17), row.small(18)) {
        (None, None) => None,
        (fixed, asked) => Some(u64::from(fixed.unwrap_or(0)) + u64::from(asked.unwrap_or(0))),
    };
    Shape {
        grid: three(11),
        block: three(14),
        registers: row.small(10).map(|registers| if registers == 255 { 256 } else { registers }),
        shared,
        ..Shape::default()
    }
}

fn size(row: &Row<'_>) -> u64 {
    row.int(8).and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or(0)
}

/// In what memory of the host the bytes of a copy are, by the profiler's numbers of kinds of memory.
fn memory(row: &Row<'_>, direction: Direction) -> Memory {
    match row.int(if direction == Direction::ToHost { 13 } else { 12 }) {
        Some(0) => Memory::Pageable,
        Some(1) => Memory::Pinned,
        _ => Memory::Unknown,
    }
}

/// The direction of a copy, by the profiler's numbers of kinds of copies.
fn direction(row: &Row<'_>) -> Direction {
    match row.int(9) {
        Some(1 | 3 | 11) => Direction::ToDevice,
        Some(2 | 4 | 12) => Direction::ToHost,
        Some(10) => Direction::Between,
        Some(5..=8 | 13) => match (row.int(10), row.int(11)) {
            (Some(from), Some(to)) if from != to => Direction::Between,
            _ => Direction::Within,
        },
        _ => Direction::Other,
    }
}

/// What a copy or a set is called.
pub(super) fn called(kind: &Kind) -> &'static str {
    match kind {
        Kind::Kernel(_) => "",
        Kind::Copy(Direction::ToDevice, _) => "Memcpy Host-to-Device",
        Kind::Copy(Direction::ToHost, _) => "Memcpy Device-to-Host",
        Kind::Copy(Direction::Within, _) => "Memcpy Device-to-Device",
        Kind::Copy(Direction::Between, _) => "Memcpy Peer-to-Peer",
        Kind::Copy(Direction::Other, _) => "Memcpy",
        Kind::Set(_) => "Memset",
    }
}
