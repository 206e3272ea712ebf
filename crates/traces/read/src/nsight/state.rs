//! What is known so far while an export is read: the draft, and numbers that later tables refer to.

use super::operations::called;
use crate::draft::{Awaits, Draft, Joins, Known, UNKNOWN};
use std::collections::{BTreeMap, BTreeSet};
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
    /// Records of each event of a process, in the order of the file.
    pub records: BTreeMap<(i64, i64), Vec<Made>>,
    /// Whether any record has a number that ties it to what waits for it.
    pub tied: bool,
    /// The first process of each number, with its host: as in a serialised id.
    processes: BTreeMap<i64, i64>,
    /// The serialised process that was met last, and what it is called.
    last_process: Option<(i64, i64)>,
    /// Hosts, in the order in which they were met.
    hosts: Vec<i64>,
    /// Numbers of processes on several hosts.
    shared: BTreeSet<i64>,
    /// Streams by process, context and number.
    streams: BTreeMap<(i64, i64, i64), Vec<u32>>,
}

/// An event recorded.
#[derive(Debug, Clone, Copy)]
pub(super) struct Made {
    /// The record's place.
    pub place: u32,
    pub context: i64,
    pub at: i64,
    /// The number that ties it to what waits for it.
    pub tie: Option<i64>,
}

/// The thread within a serialised id.
pub(super) fn thread(global: i64) -> i64 {
    global & 0xff_ffff
}

impl State {
    /// The process within a serialised id: its number, or, for one on another host than the first process of that
    /// number, its number and host.
    pub fn process(&mut self, global: i64) -> i64 {
        let whole = (global >> 24) & 0xff_ffff_ffff;
        if let Some((_, known)) = self.last_process.filter(|last| last.0 == whole) {
            return known;
        }
        let known = self.new_process(whole);
        self.last_process = Some((whole, known));
        known
    }

    fn new_process(&mut self, whole: i64) -> i64 {
        let number = whole & 0xff_ffff;
        let host = whole >> 24;
        if !self.hosts.contains(&host) {
            self.hosts.push(host);
        }
        if *self.processes.entry(number).or_insert(whole) == whole {
            return number;
        }
        self.shared.insert(number);
        whole
    }

    /// The process of a table that says its number, and its host or not; none where it may be one of several.
    pub fn process_told(&self, number: i64, host: Option<(i64, i64)>) -> Option<i64> {
        let Some((hardware, machine)) = host else {
            return (!self.shared.contains(&number)).then_some(number);
        };
        let whole = (hardware << 32) | (machine << 24) | number;
        let first = self.processes.get(&number).is_none_or(|first| *first == whole);
        Some(if first || !self.shared.contains(&number) { number } else { whole })
    }

    /// The host of a process, as a number that tells hosts apart: 0 for the first.
    fn host(&self, process: i64) -> i64 {
        let whole = self.processes.get(&process).copied().unwrap_or(process);
        let place = self.hosts.iter().position(|host| *host == whole >> 24);
        place.and_then(|place| i64::try_from(place).ok()).unwrap_or(0)
    }

    /// Whether there are several hosts.
    pub fn has_hosts(&self) -> bool {
        self.hosts.len() > 1
    }

    /// The device of a process's number: its GPU's number where the file says which that is.
    pub fn device(&mut self, process: i64, number: i64) -> u32 {
        let gpu = self.gpus.get(&(process, number)).filter(|_| !self.shared.contains(&process));
        let number = gpu.copied().unwrap_or(number);
        self.draft.device(self.host(process), number)
    }

    /// The device of a process that has a GPU's number.
    pub fn device_of_gpu(&mut self, process: i64, gpu: i64) -> u32 {
        self.draft.device(self.host(process), gpu)
    }

    /// The stream of a number in a context on a device.
    pub fn stream(&mut self, process: i64, device: i64, context: i64, number: i64) -> u32 {
        let key = [process, device, context, number];
        if let Some(known) = self.draft.known_stream(key) {
            return known;
        }
        let place = self.device(process, device);
        self.draft.stream(key, |_| Stream { device: place, process, context, number, ..Stream::default() })
    }

    /// The streams of a number in a context, of a process, or of any if that is not known.
    pub fn streams_of(&self, process: Option<i64>, context: i64, number: i64) -> Vec<u32> {
        match process {
            Some(process) => self.streams.get(&(process, context, number)).cloned().unwrap_or_default(),
            None => {
                let same = |key: &&(i64, i64, i64)| (key.1, key.2) == (context, number);
                let keys = self.streams.keys().filter(same);
                keys.filter_map(|key| self.streams.get(key)).flatten().copied().collect()
            }
        }
    }

    /// The stream of a row that need not say its device: the only one, or the one on the device that it says. None
    /// where several could be meant.
    pub fn stream_of(&mut self, process: Option<i64>, device: i64, context: i64, number: i64) -> Option<u32> {
        let found = self.streams_of(process, context, number);
        match found[..] {
            [] => {
                let process = process?;
                let device = self.contexts.get(&(process, context)).copied().unwrap_or(device);
                let stream = self.stream(process, device, context, number);
                self.streams.entry((process, context, number)).or_default().push(stream);
                Some(stream)
            }
            [only] => Some(only),
            _ => {
                let device = self.device(process?, device);
                let on = |place: &&u32| {
                    self.draft.streams.get(**place as usize).is_some_and(|own| own.device == device)
                };
                found.iter().find(on).copied()
            }
        }
    }

    /// The devices of a context's streams.
    pub fn devices_of(&self, process: i64, context: i64) -> BTreeSet<u32> {
        let streams = self.streams.range((process, context, i64::MIN)..=(process, context, i64::MAX));
        let places = streams.flat_map(|(_, places)| places);
        places.filter_map(|place| self.draft.streams.get(*place as usize)).map(|own| own.device).collect()
    }

    /// Ties operations to the calls of their process.
    pub fn join(&mut self) {
        self.joins.sort();
        self.joins.tell_processes(&mut self.draft, &self.correlations);
        let processes: Vec<i64> = self.draft.streams.iter().map(|stream| stream.process).collect();
        let known =
            |stream: u32| processes.get(stream as usize).copied().filter(|&process| process != UNKNOWN);
        self.joins.join(&mut self.draft, known, &self.correlations);
        self.correlations = Vec::new();
        for (stream, place) in self.draft.streams.iter().zip(0..) {
            self.streams.entry((stream.process, stream.context, stream.number)).or_default().push(place);
        }
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
                self.draft.names.awaits(call.name),
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
    slots: Known<1, u32>,
}

impl Texts {
    /// A slot for a text.
    pub fn slot(&mut self, id: i64) -> u32 {
        if let Some(slot) = self.slots.get([id]) {
            return slot;
        }
        let next = u32::try_from(self.ids.len()).unwrap_or(u32::MAX);
        self.ids.push(id);
        self.slots.insert([id], next);
        next
    }

    /// Whether a text is referred to.
    pub fn wanted(&self, id: i64) -> bool {
        self.slots.has([id])
    }
}
