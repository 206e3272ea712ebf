//! Events recorded and waited for, and what calls of the host wait for.
//!
//! A synchronisation is a row beside its call. The call's name says what it is, where it says so; the number of its
//! kind is taken for others, since its meaning has changed between versions. Records are tied to what waits for them by
//! `eventSyncId`; where that repeats, or the file has no such number, the last record of the event before is taken.

use super::Import;
use super::state::{Made, State};
use crate::draft::{Awaits, UNKNOWN, awaits, records};
use crate::source::Halt;
use crate::sqlite::Row;
use traces::trace::{Does, Record, Wait};

/// Stands for no event, and for no stream.
const NONE: i64 = 0xffff_ffff;

impl Import<'_> {
    pub(super) fn read_records(&mut self) -> Result<(), Halt> {
        let columns = [
            "deviceId",
            "contextId",
            "streamId",
            "correlationId",
            "globalPid",
            "eventId",
            "eventSyncId",
            "timestamp",
        ];
        self.rows("CUPTI_ACTIVITY_KIND_CUDA_EVENT", &columns, &mut |state, row| record(state, row))?;
        self.state.draft.count_unknown_records();
        Ok(())
    }

    pub(super) fn read_synchronisations(&mut self) -> Result<(), Halt> {
        let columns = [
            "start",
            "end",
            "deviceId",
            "contextId",
            "streamId",
            "correlationId",
            "globalPid",
            "syncType",
            "eventId",
            "eventSyncId",
        ];
        self.rows("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", &columns, &mut |state, row| {
            synchronisation(state, row)
        })?;
        Ok(())
    }
}

fn record(state: &mut State, row: &Row<'_>) {
    let process = row.int(4).map(|global| state.process(global));
    let (Some(number), Some(event)) = (row.int(2), row.int(5)) else {
        return state.draft.leave_out("events recorded without a stream or a number", 1);
    };
    // The time of the device, where there is one, only helps to tell calls of one number apart.
    let near = row.int(7).filter(|&time| time > 0).unwrap_or(i64::MAX);
    let State { joins, draft, .. } = &*state;
    let call = row.int(3).and_then(|number| joins.only(draft, process, number, near, records));
    let Some((call, at)) = call.and_then(|call| Some((call, draft.call_at(call)?.start))) else {
        let what = "events recorded by calls that are not in the file, or by one of several of one number";
        return state.draft.leave_out(what, 1);
    };
    let context = row.int(1).unwrap_or(0);
    let process = process.or_else(|| state.process_of(call));
    let Some(stream) = state.stream_of(process, row.int(0).unwrap_or(0), context, number) else {
        return state.draft.leave_out("events recorded into a stream of several contexts of one number", 1);
    };
    let place = u32::try_from(state.draft.records.len()).unwrap_or(u32::MAX);
    state.draft.records.push(Record { stream, event, call: Some(call), at });
    let tie = row.int(6);
    state.tied |= tie.is_some();
    let made = Made { place, context, at, tie };
    state.records.entry((process.unwrap_or(UNKNOWN), event)).or_default().push(made);
}

impl State {
    /// The process of a call.
    fn process_of(&self, call: u32) -> Option<i64> {
        let thread = self.draft.call_at(call)?.thread;
        self.draft.threads.get(thread as usize).map(|thread| thread.process)
    }

    /// The record that something waits for: of those of the event that are tied to it, or of all where the file ties
    /// none, the last one made before. None where events of that number of several contexts were recorded before.
    fn record(&mut self, process: Option<i64>, event: Option<i64>, tie: Option<i64>, at: i64) -> Option<u32> {
        let event = event.filter(|&event| event != NONE)?;
        let all = self.records.get(&(process.unwrap_or(UNKNOWN), event))?;
        let tie = tie.filter(|_| self.tied);
        let before = all.iter().filter(|made| made.at <= at && (tie.is_none() || made.tie == tie));
        let before: Vec<Made> = before.copied().collect();
        let last = before.iter().max_by_key(|made| (made.at, made.place))?;
        if before.iter().any(|made| made.context != last.context) {
            self.draft.leave_out("waits for an event that several contexts recorded by one number", 1);
            return None;
        }
        Some(last.place)
    }

    /// Whether a file that has records of a process has none of an event by a time.
    fn is_unrecorded(&self, process: Option<i64>, event: Option<i64>, at: i64) -> bool {
        let process = process.unwrap_or(UNKNOWN);
        let mut own = self.records.range((process, i64::MIN)..=(process, i64::MAX)).peekable();
        let Some(event) = event.filter(|&event| event != NONE && own.peek().is_some()) else { return false };
        self.records.get(&(process, event)).is_none_or(|all| all.iter().all(|made| made.at > at))
    }

    /// What a synchronisation is: by the name of its call, else by its number.
    fn awaits(&self, call: Option<u32>, number: Option<i64>) -> Option<Awaits> {
        let name = call.and_then(|call| self.draft.call_at(call)).map(|call| self.draft.names.get(call.name));
        name.and_then(awaits).or(match number {
            Some(1) => Some(Awaits::Event),
            Some(2) => Some(Awaits::InStream),
            Some(3) => Some(Awaits::Stream),
            Some(4) => Some(Awaits::Device),
            _ => None,
        })
    }
}

fn synchronisation(state: &mut State, row: &Row<'_>) {
    let process = row.int(6).map(|global| state.process(global));
    let start = row.int(0).unwrap_or(0);
    let number = row.int(5).filter(|&number| number != 0);
    let call = number.and_then(|number| state.joins.around(&state.draft, process, number, start));
    let process = process.or_else(|| call.and_then(|call| state.process_of(call)));
    let at = call.and_then(|call| state.draft.call_at(call)).map_or(start, |call| call.start);
    let (device, context) = (row.int(2).unwrap_or(0), row.int(3).unwrap_or(0));
    let stream = row.int(4).filter(|&stream| stream != NONE && stream >= 0);
    let does = match state.awaits(call, row.int(7)) {
        Some(Awaits::InStream) => {
            let stream = stream.and_then(|number| state.stream_of(process, device, context, number));
            let Some(stream) = stream else {
                return state
                    .draft
                    .leave_out("streams told to wait, of which it is not known which they are", 1);
            };
            let record = state.record(process, row.int(8), row.int(9), at);
            state.draft.waits.push(Wait { stream, record, call, at });
            return;
        }
        Some(Awaits::Stream) => {
            let stream = stream.and_then(|number| state.stream_of(process, device, context, number));
            stream.map(Does::AwaitStream)
        }
        Some(Awaits::Event) => match state.record(process, row.int(8), row.int(9), at) {
            Some(record) => Some(Does::AwaitRecord(record)),
            None if state.is_unrecorded(process, row.int(8), at) => {
                let what =
                    "waits for an event that nothing in the file had recorded before: no operation is blamed";
                state.draft.leave_out(what, 1);
                Some(Does::Other)
            }
            None => None,
        },
        Some(Awaits::Device) => process.and_then(|process| state.awaited_device(process, context, device)),
        None => None,
    };
    match call {
        Some(call) => state.draft.call_does(call, does.unwrap_or(Does::AwaitUnknown)),
        None => state.draft.leave_out("synchronisations whose call is not in the file", 1),
    }
}

impl State {
    /// The device of a context: the only one on which something ran there, or the one that the row says if it is among
    /// several; where nothing ran, that of the context.
    fn awaited_device(&mut self, process: i64, context: i64, row: i64) -> Option<Does> {
        let used = self.devices_of(process, context);
        if used.is_empty() {
            let number = self.contexts.get(&(process, context)).copied().unwrap_or(row);
            return Some(Does::AwaitDevice(self.device(process, number)));
        }
        let own = self.device(process, row);
        let only = used.first().copied().filter(|_| used.len() == 1);
        only.or(used.contains(&own).then_some(own)).map(Does::AwaitDevice)
    }
}
