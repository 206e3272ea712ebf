//! The adversary's machine: runs a program moment by moment, and knows what each operation waited for.
//!
//! Written from the rules alone: an operation starts once its call has begun, what is before it in its stream is done,
//! the events are passed that its stream was told to wait for, the other side of the null stream is done, and for copies
//! the engine of its direction is free; after the last of these the machine takes as long as its lag for that kind says.

use super::program::{Action, Program, Sort};
use std::collections::BTreeMap;

/// A kind of cause, as it is called in reports.
pub type Kind = &'static str;

/// What an operation waited for: the kind, until when, and of whom: an operation, or for launches its call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cause {
    pub kind: Kind,
    pub time: i64,
    pub who: usize,
}

/// An operation as it ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    pub stream: usize,
    pub call: usize,
    /// 0 is a kernel, 1 a copy to the device, 2 a copy to the host.
    pub sort: u8,
    pub start: i64,
    pub end: i64,
    pub causes: Vec<Cause>,
    /// The kind after whose lag it started.
    pub bound: Kind,
}

/// A call as it was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Called {
    pub thread: usize,
    /// The step of its thread.
    pub step: usize,
    pub start: i64,
    pub end: i64,
    /// The operation that ended last of those it really waited for.
    pub awaited: Option<usize>,
}

/// A run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Run {
    pub operations: Vec<Ran>,
    pub calls: Vec<Called>,
    /// Records: stream, thread and number of the event, call.
    pub records: Vec<(usize, (usize, usize), usize)>,
    /// Waits of streams: stream, the record, call.
    pub waits: Vec<(usize, usize, usize)>,
}

/// An operation that has not started.
struct Queued {
    call: usize,
    stream: usize,
    sort: u8,
    takes: i64,
    /// Kind, operation.
    after: Vec<(Kind, usize)>,
}

struct Machine<'a> {
    program: &'a Program,
    run: Run,
    queued: BTreeMap<usize, Queued>,
    /// By stream: all that was put there.
    put: Vec<Vec<usize>>,
    /// By stream: what it was told to wait for since the last operation.
    told: Vec<Vec<usize>>,
    /// By event: what its record follows, and the record.
    events: BTreeMap<(usize, usize), (Vec<usize>, usize)>,
    engines: [Option<usize>; 2],
    next: Vec<usize>,
    now: Vec<i64>,
    /// By thread: a call that waits, and for what.
    waiting: Vec<Option<(usize, Vec<usize>)>>,
}

/// Lets a program run.
pub fn run(program: &Program) -> Run {
    let threads = program.threads.len();
    let mut machine = Machine {
        program,
        run: Run::default(),
        queued: BTreeMap::new(),
        put: vec![Vec::new(); program.streams.len()],
        told: vec![Vec::new(); program.streams.len()],
        events: BTreeMap::new(),
        engines: [None; 2],
        next: vec![0; threads],
        now: program.begins.clone(),
        waiting: vec![None; threads],
    };
    loop {
        machine.wake();
        let host = (0..threads).filter_map(|thread| Some((machine.due(thread)?, thread))).min();
        let device = machine.ready();
        match (host, device) {
            (None, None) => return machine.run,
            (Some((at, thread)), device) if device.as_ref().is_none_or(|ready| at <= ready.1) => {
                machine.step(thread, at);
            }
            (_, Some((operation, ..))) => machine.start(operation),
            (Some(_), None) => {}
        }
    }
}

impl Machine<'_> {
    /// When a thread makes its next call, unless it waits or has none.
    fn due(&self, thread: usize) -> Option<i64> {
        let step = self.program.threads[thread].get(self.next[thread])?;
        self.waiting[thread].is_none().then_some(self.now[thread] + step.pause)
    }

    /// Lets calls return whose waiting has an end.
    fn wake(&mut self) {
        for thread in 0..self.waiting.len() {
            let Some((call, all)) = &self.waiting[thread] else { continue };
            if all.iter().any(|own| self.queued.contains_key(own)) {
                continue;
            }
            let last = all.iter().map(|&own| (self.run.operations[own].end, own)).max();
            let called = &mut self.run.calls[*call];
            if let Some((end, own)) = last.filter(|last| last.0 > called.start) {
                called.awaited = Some(own);
                called.end = called.end.max(end + self.program.lags.back);
            }
            self.now[thread] = called.end;
            self.waiting[thread] = None;
        }
    }

    fn step(&mut self, thread: usize, at: i64) {
        let step = self.program.threads[thread][self.next[thread]];
        let call = self.run.calls.len();
        let end = at + step.takes;
        self.run.calls.push(Called { thread, step: self.next[thread], start: at, end, awaited: None });
        self.next[thread] += 1;
        self.now[thread] = end;
        let awaited = match step.action {
            Action::Kernel(stream, takes) => return self.put(call, stream, 0, takes, step.heeds),
            Action::Copy(stream, to, takes) => {
                return self.put(call, stream, if to { 1 } else { 2 }, takes, step.heeds);
            }
            Action::Record(stream, event) => {
                let all = self.held(stream).into_iter().chain(self.told[stream].iter().copied()).collect();
                let record = self.run.records.len();
                let event = self.program.event(thread, event);
                self.run.records.push((stream, event, call));
                self.events.insert(event, (all, record));
                return;
            }
            Action::Wait(stream, event) => {
                // Whoever waits for an event that nobody has recorded waits for nothing.
                let event = self.program.event(thread, event);
                if let Some((all, record)) = self.events.get(&event).cloned() {
                    self.told[stream].extend(all);
                    self.run.waits.push((stream, record, call));
                }
                return;
            }
            Action::AwaitStream(stream) => {
                // What a stream was told to wait for holds its synchronisation, too, even if nothing followed.
                self.held(stream).into_iter().chain(self.told[stream].iter().copied()).collect()
            }
            Action::AwaitDevice => self.put.iter().filter_map(|put| put.last().copied()).collect(),
            Action::AwaitEvent(event) => {
                let known = self.events.get(&self.program.event(thread, event));
                known.map(|(all, _)| all.clone()).unwrap_or_default()
            }
        };
        if step.waits {
            self.waiting[thread] = Some((call, awaited));
        }
    }

    /// The last operations of a stream, and for the null stream of the blocking ones.
    fn held(&self, stream: usize) -> Vec<usize> {
        let own = self.put[stream].last().copied().into_iter();
        let others = (0..self.put.len()).filter(|&other| {
            self.program.streams[stream] == Sort::Null && self.program.streams[other] == Sort::Blocking
        });
        own.chain(others.filter_map(|other| self.put[other].last().copied())).collect()
    }

    fn put(&mut self, call: usize, stream: usize, sort: u8, takes: i64, heeds: bool) {
        let operation = self.run.operations.len();
        let mut after: Vec<(Kind, usize)> = Vec::new();
        after.extend(self.put[stream].last().map(|&own| ("stream", own)));
        let told = std::mem::take(&mut self.told[stream]);
        if heeds {
            after.extend(told.into_iter().map(|own| ("event", own)));
        }
        let sorts = &self.program.streams;
        let other = match sorts[stream] {
            Sort::Null => Some(Sort::Blocking),
            Sort::Blocking => Some(Sort::Null),
            Sort::Free => None,
        };
        for one in (0..sorts.len()).filter(|&one| Some(sorts[one]) == other) {
            after.extend(self.put[one].last().map(|&own| ("null-stream", own)));
        }
        self.put[stream].push(operation);
        self.run.operations.push(Ran { stream, call, sort, start: 0, end: 0, causes: Vec::new(), bound: "" });
        self.queued.insert(operation, Queued { call, stream, sort, takes, after });
    }

    /// Of those that can start, the one that does so first: when, after which kind, and all its causes.
    fn ready(&self) -> Option<(usize, i64, Kind, Vec<Cause>)> {
        let all = self.queued.iter().filter_map(|(&operation, own)| {
            if own.after.iter().any(|(_, before)| self.queued.contains_key(before)) {
                return None;
            }
            let launched = self.run.calls[own.call].start;
            let mut causes = vec![Cause { kind: "launch", time: launched, who: own.call }];
            let ended =
                |&(kind, who): &(Kind, usize)| Cause { kind, time: self.run.operations[who].end, who };
            causes.extend(own.after.iter().map(ended));
            // An engine serves those that could go, the first first.
            let turn = self.last(&causes).0;
            if let Some(who) = own.sort.checked_sub(1).and_then(|engine| self.engines[engine as usize]) {
                causes.push(Cause { kind: "copy-engine", time: self.run.operations[who].end, who });
            }
            let (start, kind) = self.last(&causes);
            Some(((start, turn, operation), kind, causes))
        });
        let first = all.min_by_key(|one| one.0)?;
        Some((first.0.2, first.0.0, first.1, first.2))
    }

    /// When the last of some causes lets an operation start, and which that is.
    fn last(&self, causes: &[Cause]) -> (i64, Kind) {
        let lags = &self.program.lags;
        let lag = |kind: Kind| match kind {
            "launch" => lags.launch,
            "stream" => lags.stream,
            "event" => lags.event,
            "null-stream" => lags.null,
            _ => lags.copy,
        };
        causes.iter().map(|one| (one.time + lag(one.kind), one.kind)).max().unwrap_or_default()
    }

    fn start(&mut self, operation: usize) {
        let Some((_, start, bound, causes)) = self.ready().filter(|ready| ready.0 == operation) else {
            return;
        };
        let Some(queued) = self.queued.remove(&operation) else { return };
        if let Some(engine) = queued.sort.checked_sub(1) {
            self.engines[engine as usize] = Some(operation);
        }
        let own = &mut self.run.operations[operation];
        debug_assert_eq!(own.stream, queued.stream);
        (own.start, own.end, own.causes, own.bound) = (start, start + queued.takes, causes, bound);
    }
}

impl Run {
    /// When the last operation ends.
    pub fn end(&self) -> Option<i64> {
        self.operations.iter().map(|own| own.end).max()
    }
}
