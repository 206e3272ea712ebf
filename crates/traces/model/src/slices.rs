//! Which operations waited for their process to get the device, where switches between processes are recorded.
//!
//! An operation waited for its process if it began within a slice of it, that slice began after all else had permitted
//! the operation, and in between the device had worked for another process.

use std::collections::BTreeMap;

use crate::order::{Order, narrow};
use crate::trace::Trace;

/// The slices of one device.
#[derive(Debug, Default)]
struct Line {
    /// Places, by their beginnings.
    slices: Vec<u32>,
    /// By position: the latest end up to here, of which process, and the latest of any other process.
    latest: Vec<[Option<(i64, i64)>; 2]>,
    /// The positions of each process.
    own: BTreeMap<i64, Vec<u32>>,
}

/// The slices of all devices.
#[derive(Debug)]
pub struct Slices(Vec<Line>);

impl Slices {
    /// Of a trace.
    pub fn of(trace: &Trace) -> Self {
        let mut lines: Vec<Line> = trace.devices.iter().map(|_| Line::default()).collect();
        let mut places: Vec<u32> = (0..narrow(trace.slices.len())).collect();
        places.sort_by_key(|&place| {
            (trace.slices[place as usize].start, trace.slices[place as usize].end, place)
        });
        for place in places {
            let slice = &trace.slices[place as usize];
            let line = &mut lines[slice.device as usize];
            line.own.entry(slice.process).or_default().push(narrow(line.slices.len()));
            let before = line.latest.last().copied().unwrap_or_default();
            line.latest.push(later(before, (slice.end, slice.process)));
            line.slices.push(place);
        }
        Self(lines)
    }

    /// The slice that an operation waited for, if it did, where all else had permitted it at a time.
    pub fn waited(&self, trace: &Trace, order: &Order, operation: usize, permitted: i64) -> Option<u32> {
        let own = &trace.operations[operation];
        let stream = &trace.streams[order.stream[operation] as usize];
        let line = &self.0[stream.device as usize];
        let positions = line.own.get(&stream.process)?;
        let slice = |position: u32| &trace.slices[line.slices[position as usize] as usize];
        let count = positions.partition_point(|&position| slice(position).start <= own.start);
        let position = positions[count.checked_sub(1)?];
        let begun = slice(position);
        if begun.end < own.start || begun.start <= permitted {
            return None;
        }
        // Slices that begin together with it do not count as before.
        let before = line.slices.partition_point(|&other| trace.slices[other as usize].start < begun.start);
        let latest = line.latest[before.checked_sub(1)?];
        let other = latest.into_iter().flatten().find(|latest| latest.1 != stream.process)?;
        (other.0 > permitted).then_some(line.slices[position as usize])
    }
}

/// The latest end of all, and the latest of another process, with one more.
fn later(before: [Option<(i64, i64)>; 2], one: (i64, i64)) -> [Option<(i64, i64)>; 2] {
    match before {
        [None, _] => [Some(one), None],
        [Some(first), second] if first.1 == one.1 => {
            [Some(if one.0 > first.0 { one } else { first }), second]
        }
        [Some(first), _] if one.0 > first.0 => [Some(one), Some(first)],
        [first, Some(second)] if second.0 >= one.0 => [first, Some(second)],
        [first, _] => [first, Some(one)],
    }
}
