//! What is known so far while an export is read: the draft, and numbers that later tables refer to.

use super::operations::called;
use crate::draft::{Awaits, Draft, Joins, awaits};
use std::collections::BTreeMap;
use traces::trace::{Does, Kind, Stream};

/// What is known so far.
#[derive(Default)]
pub(super) struct State {
    pub draft: Draft,
    pub joins: Joins,
    /// The number of the call of every operation.
    pub correlations: Vec<Option<i64>>,
    pub texts: Texts,
    /// The GPU of a process's device number.
    pub gpus: BTreeMap<(i64, i64), i64>,
    /// The device, by its number, of a process's context.
    pub contexts: BTreeMap<(i64, i64), i64>,
    /// Records by process, event and the number that ties them to what waits for them; with their places.
    pub tied: BTreeMap<(i64, i64, i64), u32>,
    /// Records by process, event and time.
    pub recorded: BTreeMap<(i64, i64, i64), u32>,
}

/// The process within a serialised id.
pub(super) fn process(global: i64) -> i64 {
    (global >> 24) & 0xff_ffff
}

/// The thread within a serialised id.
pub(super) fn thread(global: i64) -> i64 {
    global & 0xff_ffff
}

impl State {
    /// The device of a process's number: its GPU's number where the file says which that is.
    pub fn device(&mut self, process: i64, number: i64) -> u32 {
        let number = self.gpus.get(&(process, number)).copied().unwrap_or(number);
        self.draft.device(number)
    }

    /// The stream of a number in a context; where the context's device is not known, that of the row is taken.
    pub fn stream(&mut self, process: i64, context: i64, number: i64, device: i64) -> u32 {
        let device = self.contexts.get(&(process, context)).copied().unwrap_or(device);
        if let Some(found) = self.draft.known_stream([process, context, number]) {
            return found;
        }
        let device = self.device(process, device);
        self.draft.stream([process, context, number], |_| Stream {
            device,
            process,
            context,
            number,
            ..Stream::default()
        })
    }

    /// Ties operations to the calls of their process.
    pub fn join(&mut self) {
        self.joins.sort();
        let processes: Vec<i64> = self.draft.streams.iter().map(|stream| stream.process).collect();
        let process = |stream: u32| processes.get(stream as usize).copied().unwrap_or_default();
        self.joins.join(&mut self.draft, process, &self.correlations);
        self.correlations = Vec::new();
    }

    /// Gives operations and calls their names, by the numbers of texts; and calls what their names say.
    pub fn name(&mut self, found: &[(i64, String)]) {
        let names: BTreeMap<i64, u32> =
            found.iter().map(|(id, text)| (*id, self.draft.names.place(text))).collect();
        let unnamed = self.draft.names.place("");
        let places: Vec<u32> =
            self.texts.ids.iter().map(|id| names.get(id).copied().unwrap_or(unnamed)).collect();
        let named = |slot: u32| places.get(slot as usize).copied().unwrap_or(unnamed);
        for operation in &mut self.draft.operations {
            operation.name = match operation.kind {
                Kind::Kernel(_) => named(operation.name),
                _ => self.draft.names.place(called(&operation.kind)),
            };
        }
        for call in &mut self.draft.calls {
            call.name = named(call.name);
            if matches!(
                awaits(self.draft.names.get(call.name)),
                Some(Awaits::Stream | Awaits::Event | Awaits::Device)
            ) {
                call.does = Does::AwaitUnknown;
            }
        }
    }
}

/// Texts that are referred to by numbers, before they are read.
#[derive(Default)]
pub(super) struct Texts {
    ids: Vec<i64>,
    slots: BTreeMap<i64, u32>,
}

impl Texts {
    /// A slot for a text.
    pub fn slot(&mut self, id: i64) -> u32 {
        let next = u32::try_from(self.ids.len()).unwrap_or(u32::MAX);
        let slot = *self.slots.entry(id).or_insert(next);
        if slot == next {
            self.ids.push(id);
        }
        slot
    }

    /// Whether a text is referred to.
    pub fn wanted(&self, id: i64) -> bool {
        self.slots.contains_key(&id)
    }
}
