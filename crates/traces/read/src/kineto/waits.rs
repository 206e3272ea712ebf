//! What calls and streams wait for: `cuda_sync` events, which name the call that recorded an event, and its stream.

use super::Import;
use super::event::Event;
use crate::draft::Awaits;
use std::collections::BTreeMap;
use traces::trace::{Does, Record, Wait};

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
        let mut records = BTreeMap::new();
        for waiting in std::mem::take(&mut self.waiting) {
            let call = waiting.correlation.and_then(|number| self.joins.find(0, number, waiting.at));
            let at = call.and_then(|call| self.draft.call_at(call)).map_or(waiting.at, |call| call.start);
            let record = self.record(&waiting, at, &mut records);
            if waiting.awaits == Awaits::InStream {
                match waiting.stream {
                    Some(number) => {
                        let stream = self.stream_near(waiting.device, waiting.context, number);
                        self.draft.waits.push(Wait { stream, record, call, at });
                    }
                    None => self.draft.leave_out("streams told to wait, without their number", 1),
                }
                continue;
            }
            let does = match waiting.awaits {
                Awaits::Stream => waiting.stream.map(|number| {
                    Does::AwaitStream(self.stream_near(waiting.device, waiting.context, number))
                }),
                Awaits::Device => Some(Does::AwaitDevice(self.draft.device(waiting.device))),
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
    fn record(&mut self, waiting: &Waiting, at: i64, records: &mut BTreeMap<u32, u32>) -> Option<u32> {
        let (number, correlation) = waiting.recorded?;
        let call = self.joins.find(0, correlation, at)?;
        if let Some(known) = records.get(&call) {
            return Some(*known);
        }
        let at = self.draft.call_at(call)?.start;
        let stream = self.stream_near(waiting.device, waiting.context, number);
        let place = u32::try_from(self.draft.records.len()).ok()?;
        self.draft.records.push(Record { stream, event: waiting.event, call: Some(call), at });
        records.insert(call, place);
        Some(place)
    }

    /// A stream of a context; where the context has none of the number and just one other of the device has, that one.
    fn stream_near(&mut self, device: i64, context: i64, number: i64) -> u32 {
        if self.draft.known_stream([device, context, number]).is_none() {
            let others: Vec<u32> = self
                .draft
                .stream_keys()
                .filter(|(key, _)| matches!(key, [of, _, found] if (*of, *found) == (device, number)))
                .map(|(_, place)| place)
                .take(2)
                .collect();
            if let [other] = others[..] {
                return other;
            }
        }
        self.stream(device, context, number)
    }
}
