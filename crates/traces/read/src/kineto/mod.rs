//! The PyTorch profiler's trace (Kineto): events of Chrome's format, plain or packed with gzip.
//!
//! Operations carry no process: they join calls by `correlation`, and where calls of several processes were recorded,
//! each context is of the process that has calls for its operations. Events recorded into a stream are known where
//! something that waits names them. What the host does beside calls of CUDA or HIP is counted and left out.
//!
//! Invariants: times are exact, of decimal microseconds; a file that is cut off gives what came before. Kernels that
//! begin before their call, by clocks that differ, stay as they are.

mod devices;
mod event;
mod operations;
mod waits;

use crate::draft::{Draft, Joins, UNKNOWN};
use crate::json::{Reader, Stop};
use crate::source::Feed;
use base::Problem;
use event::Event;
use std::collections::BTreeMap;
use traces::Trace;
use traces::trace::Source;
use waits::Waiting;

/// A trace being read.
#[derive(Default)]
struct Import {
    draft: Draft,
    joins: Joins,
    /// The number of the call of every operation.
    correlations: Vec<Option<i64>>,
    waiting: Vec<Waiting>,
    /// Names of threads, by process and number.
    called: BTreeMap<(i64, i64), String>,
    /// Nanoseconds that are to be added to all times.
    base: i64,
    /// Whether there was a list of events.
    listed: bool,
}

/// Reads a trace.
pub fn read(feed: &mut dyn Feed) -> Result<Trace, Vec<Problem>> {
    let mut json = Reader::new(feed);
    let mut import = Import::default();
    let stop = import.document(&mut json).err();
    if !import.listed && stop.is_none() {
        return Err(vec![Problem::at("file", "no list of traceEvents", "a trace of the PyTorch profiler")]);
    }
    crate::ended(&json, stop, import.draft.operations.len() + import.draft.calls.len(), &mut import.draft)?;
    Ok(import.finish())
}

impl Import {
    fn document(&mut self, json: &mut Reader<'_>) -> Result<(), Stop> {
        if json.peek()? == b'[' {
            return self.events(json);
        }
        if !json.object()? {
            return Ok(());
        }
        while json.key()? {
            match json.text() {
                "traceEvents" => self.events(json)?,
                "deviceProperties" => devices::read(json, &mut self.draft)?,
                "baseTimeNanoseconds" => {
                    let base = json.int()?;
                    self.draft.leave_out("a base of all times that is no number", u64::from(base.is_none()));
                    self.base = base.unwrap_or(0);
                }
                _ => json.skip()?,
            }
        }
        Ok(())
    }

    fn events(&mut self, json: &mut Reader<'_>) -> Result<(), Stop> {
        if !json.array()? {
            return Ok(());
        }
        self.listed = true;
        let mut event = Event::default();
        while json.item()? {
            event.read(json)?;
            self.event(&mut event);
        }
        Ok(())
    }

    fn finish(mut self) -> Trace {
        self.joins.sort();
        self.joins.tell_processes(&mut self.draft, &self.correlations);
        let processes: Vec<i64> = self.draft.streams.iter().map(|stream| stream.process).collect();
        let known =
            |stream: u32| processes.get(stream as usize).copied().filter(|&process| process != UNKNOWN);
        self.joins.join(&mut self.draft, known, &self.correlations);
        self.read_waits();
        self.draft.wait_for_copies();
        self.name_threads();
        self.shift();
        self.draft.finish(Source::Kineto)
    }

    fn name_threads(&mut self) {
        for thread in &mut self.draft.threads {
            if let Some(called) = self.called.remove(&(thread.process, thread.number)) {
                thread.name = called;
            }
        }
    }

    /// Times are told from a base, which is added where all of them can bear it.
    fn shift(&mut self) {
        let Self { draft, base, .. } = self;
        let base = *base;
        let fits = |time: i64| time.checked_add(base).is_some();
        let all = draft.operations.iter().all(|operation| fits(operation.start) && fits(operation.end))
            && draft.calls.iter().all(|call| fits(call.start) && fits(call.end))
            && draft.records.iter().all(|record| fits(record.at))
            && draft.waits.iter().all(|wait| fits(wait.at));
        if base == 0 || !all {
            self.draft.leave_out(
                "the base of all times, with which they would not fit into 64 bits",
                u64::from(!all),
            );
            return;
        }
        draft.operations.iter_mut().for_each(|operation| {
            operation.start += base;
            operation.end += base;
        });
        draft.calls.iter_mut().for_each(|call| {
            call.start += base;
            call.end += base;
        });
        draft.records.iter_mut().for_each(|record| record.at += base);
        draft.waits.iter_mut().for_each(|wait| wait.at += base);
    }
}
