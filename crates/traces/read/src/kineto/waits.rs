//! What calls and streams wait for: `cuda_sync` events, which name the call that recorded an event, and its stream.

use super::Import;
use super::event::Event;
use crate::draft::{Awaits, UNKNOWN, records};
use std::collections::BTreeMap;
use traces::trace::{Does, Record, Stream, Wait};

/// Something that waits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiting {
    awaits: Awaits,
    device: i64,
    context: i64,
    stream: Option<i64>,
    /// The number of its call.
    correlation: Option<i64>,
    at: i64,
    /// The stream of the record, and the number of the call that recorded it.
    recorded: Option<(i64, i64)>,
    event: i64,
}

/// Stands for none, in 32 bits without a sign.
const NONE: i64 = 0xffff_ffff;

impl Waiting {
    /// What an event says.
    pub(super) fn of(event: &Event, at: i64) -> Option<Self> {
        let args = &event.args;
        let awaits = match event.name.as_str() {
            "Stream Sync" => Awaits::Stream,
            "Context Sync" => Awaits::Device,
            "Event Sync" => Awaits::Event,
            "Stream Wait Event" => Awaits::InStream,
            _ => return None,
        };
        let some = |number: Option<i64>| number.filter(|&number| (0..NONE).contains(&number));
        Some(Self {
            awaits,
            device: some(args.device).or(some(event.process)).unwrap_or(0),
            context: args.context.unwrap_or(0),
            stream: some(args.stream),
            correlation: args.correlation,
            at,
            recorded: some(args.waits_for_stream).zip(some(args.waits_for_call)),
            event: args.waits_for_event.unwrap_or(-1),
        })
    }
}

impl Import {
    /// Makes records, waits, and calls that wait, of what was collected.
    pub(super) fn read_waits(&mut self) {
        let mut known = Known::default();
        for (stream, place) in self.draft.streams.iter().zip(0..) {
            known.streams.entry(stream.number).or_default().push(place);
            let process = Some(stream.process).filter(|&process| process != UNKNOWN);
            let same = known.processes.entry((stream.device, stream.context)).or_insert(process);
            *same = same.filter(|same| process == Some(*same));
        }
        for waiting in std::mem::take(&mut self.waiting) {
            let device = self.draft.device(0, waiting.device);
            let process = known.processes.get(&(device, waiting.context)).copied().flatten();
            let number = waiting.correlation.filter(|&number| number != 0);
            let call = number.and_then(|number| self.joins.around(&self.draft, process, number, waiting.at));
            let called = call.and_then(|call| self.draft.call_at(call));
            let at = called.map_or(waiting.at, |call| call.start);
            let process = process.or(called
                .and_then(|call| self.draft.threads.get(call.thread as usize))
                .map(|thread| thread.process));
            let record = self.record(&waiting, process, device, at, &mut known);
            if waiting.awaits == Awaits::InStream {
                match waiting.stream.and_then(|number| self.stream_of(&waiting, process, number, &mut known))
                {
                    Some(stream) => self.draft.waits.push(Wait { stream, record, call, at }),
                    None => self
                        .draft
                        .leave_out("streams told to wait, of which it is not known which they are", 1),
                }
                continue;
            }
            let does = match waiting.awaits {
                Awaits::Stream => {
                    let stream = waiting
                        .stream
                        .and_then(|number| self.stream_of(&waiting, process, number, &mut known));
                    stream.map(Does::AwaitStream)
                }
                Awaits::Device => Some(Does::AwaitDevice(device)),
                Awaits::Event | Awaits::InStream => record.map(Does::AwaitRecord),
            };
            match call {
                Some(call) => self.draft.call_does(call, does.unwrap_or(Does::AwaitUnknown)),
                None => self.draft.leave_out("synchronisations whose call is not in the file", 1),
            }
        }
        self.draft.count_unknown_records();
    }

    /// The record that something waits for, made when it is first waited for.
    fn record(
        &mut self,
        waiting: &Waiting,
        process: Option<i64>,
        device: u32,
        at: i64,
        known: &mut Known,
    ) -> Option<u32> {
        let (number, correlation) = waiting.recorded?;
        let call = self.joins.only(&self.draft, process, correlation, at, records)?;
        if let Some(known) = known.records.get(&call) {
            return Some(*known);
        }
        let at = self.draft.call_at(call)?.start;
        // The number of its stream is told, and not on which device that is.
        let found = known.streams.get(&number).map(Vec::as_slice).unwrap_or_default();
        let own = |place: &&u32| self.draft.streams.get(**place as usize);
        let mine = found.iter().filter(|place| {
            own(place).is_some_and(|own| process.is_none_or(|process| own.process == process))
        });
        let mine: Vec<u32> = mine.copied().collect();
        let stream = match only(&mine) {
            Some(one) => one,
            None if mine.is_empty() => self.stream_of(waiting, process, number, known)?,
            None => {
                let here = |place: &&u32| {
                    own(place).is_some_and(|own| (own.device, own.context) == (device, waiting.context))
                };
                let elsewhere = mine.iter().any(|place| own(&place).is_some_and(|own| own.device != device));
                let Some(one) =
                    only(&mine.iter().filter(here).copied().collect::<Vec<_>>()).filter(|_| !elsewhere)
                else {
                    self.draft
                        .leave_out("events recorded, of which the file does not say on which device", 1);
                    return None;
                };
                one
            }
        };
        let place = u32::try_from(self.draft.records.len()).ok()?;
        self.draft.records.push(Record { stream, event: waiting.event, call: Some(call), at });
        known.records.insert(call, place);
        Some(place)
    }

    /// The stream of a number in the context of something that waits; where that has none of the number and just one
    /// other of the device has, that one. None where several could be meant.
    fn stream_of(
        &mut self,
        waiting: &Waiting,
        process: Option<i64>,
        number: i64,
        known: &mut Known,
    ) -> Option<u32> {
        let device = self.draft.device(0, waiting.device);
        let found = known.streams.get(&number).map(Vec::as_slice).unwrap_or_default();
        let streams =
            || found.iter().filter_map(|place| Some((place, self.draft.streams.get(*place as usize)?)));
        let mine = || {
            streams().filter(|(_, own)| {
                own.device == device && process.is_none_or(|process| own.process == process)
            })
        };
        let here: Vec<u32> =
            mine().filter(|(_, own)| own.context == waiting.context).map(|(place, _)| *place).collect();
        let near: Vec<u32> = mine().map(|(place, _)| *place).collect();
        if !here.is_empty() || !near.is_empty() {
            return only(&here).or(only(&near).filter(|_| here.is_empty()));
        }
        let place = u32::try_from(self.draft.streams.len()).ok()?;
        let (context, process) = (waiting.context, process.unwrap_or(UNKNOWN));
        self.draft.streams.push(Stream { device, process, context, number, ..Stream::default() });
        known.streams.entry(number).or_default().push(place);
        Some(place)
    }
}

/// What is known while records and waits are read: processes of contexts, streams by numbers, and records by calls.
#[derive(Default)]
struct Known {
    processes: BTreeMap<(u32, i64), Option<i64>>,
    streams: BTreeMap<i64, Vec<u32>>,
    records: BTreeMap<u32, u32>,
}

/// The only one of a list.
fn only(list: &[u32]) -> Option<u32> {
    if let [only] = list { Some(*only) } else { None }
}
