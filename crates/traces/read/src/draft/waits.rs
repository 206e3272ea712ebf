//! What calls wait for where no record of the file says it: their own copies, and the only device of their process.

use super::calls::{Copies, copies};
use super::{Awaits, Draft, Memory};
use std::collections::{BTreeMap, BTreeSet};
use traces::trace::{Does, Kind};

impl Draft {
    /// Lets calls wait for their own copies, unless the file says for what they wait or that they returned before.
    /// Has to be called once operations have their calls.
    pub fn wait_for_copies(&mut self) {
        let mut last: BTreeMap<u32, (i64, u32)> = BTreeMap::new();
        for (own, place) in self.operations.iter().zip(0_u32..) {
            if let (Kind::Copy(..), Some(call)) = (&own.kind, own.call) {
                let end = last.entry(call).or_insert((own.end, place));
                *end = (own.end, place).max(*end);
            }
        }
        for (call, (end, place)) in last {
            let (Some(own), Some(called)) = (self.operations.get(place as usize), self.call_at(call)) else {
                continue;
            };
            let Kind::Copy(direction, _) = own.kind else { continue };
            let name = self.names.get(called.name);
            let does = match copies(name, direction, self.memory(place)) {
                Some(Copies::Itself) if end <= called.end => Does::AwaitOperation(place),
                Some(Copies::Stream) => Does::AwaitStream(own.stream),
                _ => continue,
            };
            if called.does == Does::Other {
                self.call_does(call, does);
            }
        }
    }

    fn memory(&self, place: u32) -> Memory {
        let found = self.memories.binary_search_by_key(&place, |own| own.0).ok();
        found.and_then(|found| self.memories.get(found)).map_or(Memory::Unknown, |own| own.1)
    }

    /// Lets calls that wait for a device, as their names say, wait for the only one that their process used.
    pub(super) fn wait_for_only_devices(&mut self) {
        let mut used: BTreeMap<i64, BTreeSet<u32>> = BTreeMap::new();
        for stream in &self.streams {
            used.entry(stream.process).or_default().insert(stream.device);
        }
        let Self { calls, names, threads, .. } = self;
        for call in calls.iter_mut().filter(|call| call.does == Does::AwaitUnknown) {
            let process = threads.get(call.thread as usize).map(|thread| thread.process);
            let devices = process.and_then(|process| used.get(&process)).filter(|devices| devices.len() == 1);
            let device = devices.and_then(BTreeSet::first);
            if let Some(device) = device.filter(|_| names.awaits(call.name) == Some(Awaits::Device)) {
                call.does = Does::AwaitDevice(*device);
            }
        }
    }
}
