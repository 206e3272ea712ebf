//! Inside a worker of searches: holds a recorded run for a part of the page, and answers what it asks about it.
//!
//! A worker that holds a run lives as long as the run is looked at: whoever opens another one starts another worker, so
//! nothing of a run is ever given back.

use std::cell::RefCell;
use std::sync::Arc;

use js_sys::Array;
use wasm_bindgen::prelude::*;
use web_sys::File;

use super::held::{self, OnPage, PROGRESS_MS, now, say};
use crate::base::Problem;
use kit::scenario::Scenario;
use traces::{Causes, Replay, Trace, join};
use traces_lab::page::seam::{FromHolder, RECORDING, ToHolder};
use traces_lab::page::{Desk, Packed};
use traces_lab::report::Detail;
use traces_lab::scenario::{Given, TraceScenario};
use traces_read::source::{Chunked, Source};

thread_local! {
    static HELD: RefCell<Option<Desk<'static>>> = const { RefCell::new(None) };
}

/// Hears a message if it is about a recorded run; whether it was.
pub fn hear(data: &JsValue) -> bool {
    let Some((message, files)) = held::message::<ToHolder>(data, RECORDING) else { return false };
    match message {
        ToHolder::Open { text } => open(&text, &files),
        ToHolder::Operation { place } => HELD.with_borrow(|held| {
            if let Some(said) = held.as_ref().and_then(|held| held.said(place)) {
                say(&FromHolder::Operation { place, said: Box::new(said) });
            }
        }),
        ToHolder::Blocks { from, to, device } => HELD.with_borrow(|held| {
            if let Some(held) = held {
                say(&held.blocks(device, from, to));
            }
        }),
        ToHolder::Warps { place, code } => HELD.with_borrow(|held| {
            if let Some(held) = held {
                say(&held.warps(place, &code));
            }
        }),
        ToHolder::Change { text } => {
            let answer = asked(&text).and_then(|(_, asked)| {
                HELD.with_borrow(|held| {
                    held.as_ref().map_or_else(|| Err(Vec::new()), |held| held.changed(&asked))
                })
            });
            say(&answer.unwrap_or_else(FromHolder::Refused));
        }
    }
    true
}

fn asked(text: &str) -> Result<(Scenario, TraceScenario), Vec<Problem>> {
    let scenario = traces_lab::LINKED.read(text)?;
    match scenario.asked::<TraceScenario>().cloned() {
        Some(asked) => Ok((scenario, asked)),
        None => Err(vec![Problem::at("document", "no recorded run", "\"trace\"")]),
    }
}

fn open(text: &str, files: &Array) {
    let opened = asked(text).and_then(|(scenario, asked)| {
        let trace = match &asked.given {
            Given::Recorded(trace) => Arc::clone(trace),
            Given::Files(_) => Arc::new(read_all(files)?),
        };
        Ok((scenario, asked, trace))
    });
    match opened {
        Ok((scenario, asked, trace)) => {
            let trace: &'static Trace = Box::leak(Box::new(trace));
            let causes: &'static Causes<'static> = Box::leak(Box::new(Causes::of(trace)));
            // The picture and the account need no replays.
            let (packed, idle) = Packed::with_idle(causes);
            say(&FromHolder::Drawn(Box::new(packed)));
            let report = idle.report(&scenario.title, causes, Detail::Summary);
            say(&FromHolder::Reported { line: report.line(), changes: Vec::new() });
            let desk = Desk::new(Replay::of(causes));
            if !asked.changes.is_empty() {
                say(&desk.changed(&asked).unwrap_or_else(FromHolder::Refused));
            }
            say(&desk.reported(report));
            HELD.set(Some(desk));
        }
        Err(problems) => say(&FromHolder::Refused(problems)),
    }
}

fn read_all(files: &Array) -> Result<Trace, Vec<Problem>> {
    let files: Vec<File> = files.iter().filter_map(|file| file.dyn_into().ok()).collect();
    let total: f64 = files.iter().map(|file| file.size()).sum();
    let (mut before, mut told, mut all) = (0.0, 0.0, Vec::new());
    for file in files {
        let (size, name) = (file.size(), file.name());
        let mut progress = |read: u64| {
            let now = now();
            if now - told >= PROGRESS_MS {
                told = now;
                say(&FromHolder::Progress { read: before + (read as f64).min(size), total });
            }
            true
        };
        let mut source = Chunked::new(OnPage::new(file).map_err(|problem| vec![problem])?);
        let trace = traces_read::read(&mut source, &mut progress).map_err(|problems| {
            let named = |one: Problem| Problem::at(format!("{name}: {}", one.place), one.what, one.expected);
            problems.into_iter().map(named).collect::<Vec<_>>()
        })?;
        all.push(trace);
        before += size;
    }
    Ok(join(all))
}

impl Source for OnPage {
    fn len(&self) -> u64 {
        self.file.size() as u64
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> Result<usize, Problem> {
        let (from, to) = (offset as f64, offset as f64 + into.len() as f64);
        let bytes = self.bytes(from, to)?;
        let count = (bytes.length() as usize).min(into.len());
        if let Some(room) = into.get_mut(..count) {
            bytes.subarray(0, count as u32).copy_to(room);
        }
        Ok(count)
    }
}
