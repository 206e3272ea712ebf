//! Events recorded and waited for, and what calls of the host wait for.
//!
//! A synchronisation is a row beside its call. The call's name says what it is, where it says so; the number of its
//! kind is taken for others, since its meaning has changed between versions. Records are tied to what waits for them by
//! `eventSyncId`; where the file has no such number, the last record of the event before is taken.

use super::Import;
use super::state::{State, process};
use crate::draft::{Awaits, awaits};
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
    let process = row.int(4).map_or(0, process);
    let (Some(number), Some(event)) = (row.int(2), row.int(5)) else {
        return state.draft.leave_out("events recorded without a stream or a number", 1);
    };
    // The time of the device, where there is one, only helps to tell calls of one number apart.
    let near = row.int(7).filter(|&time| time > 0).unwrap_or(i64::MAX);
    let call = row.int(3).and_then(|number| state.joins.find(process, number, near));
    let Some((call, at)) = call.and_then(|call| Some((call, state.draft.call_at(call)?.start))) else {
        return state.draft.leave_out("events recorded by calls that are not in the file", 1);
    };
    let stream = state.stream(process, row.int(1).unwrap_or(0), number, row.int(0).unwrap_or(0));
    let place = u32::try_from(state.draft.records.len()).unwrap_or(u32::MAX);
    state.draft.records.push(Record { stream, event, call: Some(call), at });
    if let Some(tie) = row.int(6) {
        state.tied.insert((process, event, tie), place);
    }
    state.recorded.insert((process, event, at), place);
}

impl State {
    /// The record that something waits for.
    fn record(&self, process: i64, event: Option<i64>, tie: Option<i64>, at: i64) -> Option<u32> {
        let event = event.filter(|&event| event != NONE)?;
        let tied = tie.and_then(|tie| self.tied.get(&(process, event, tie)).copied());
        if tied.is_some() || tie.is_some_and(|_| !self.tied.is_empty()) {
            return tied;
        }
        let before = self.recorded.range((process, event, i64::MIN)..=(process, event, at));
        before.last().map(|(_, place)| *place)
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
    let process = row.int(6).map_or(0, process);
    let start = row.int(0).unwrap_or(0);
    let call = row.int(5).and_then(|number| state.joins.find(process, number, start));
    let at = call.and_then(|call| state.draft.call_at(call)).map_or(start, |call| call.start);
    let (device, context) = (row.int(2).unwrap_or(0), row.int(3).unwrap_or(0));
    let stream = row.int(4).filter(|&stream| stream != NONE && stream >= 0);
    let does = match state.awaits(call, row.int(7)) {
        Some(Awaits::InStream) => {
            let Some(number) = stream else {
                return state.draft.leave_out("streams told to wait, without their number", 1);
            };
            let stream = state.stream(process, context, number, device);
            let record = state.record(process, row.int(8), row.int(9), at);
            state.draft.waits.push(Wait { stream, record, call, at });
            return;
        }
        Some(Awaits::Stream) => {
            stream.map(|number| Does::AwaitStream(state.stream(process, context, number, device)))
        }
        Some(Awaits::Event) => state.record(process, row.int(8), row.int(9), at).map(Does::AwaitRecord),
        Some(Awaits::Device) => {
            let device = state.contexts.get(&(process, context)).copied().unwrap_or(device);
            Some(Does::AwaitDevice(state.device(process, device)))
        }
        None => None,
    };
    match call {
        Some(call) => state.draft.call_does(call, does.unwrap_or(Does::AwaitUnknown)),
        None => state.draft.leave_out("synchronisations whose call is not in the file", 1),
    }
}
