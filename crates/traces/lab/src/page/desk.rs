//! What the worker that holds a recording does for the page: it reads, replays and answers; it knows no browser.

use super::packed::Packed;
use super::says::{Said, said};
use super::seam::FromHolder;
use crate::export::{blocks, warps};
use crate::job::changed_run;
use crate::report::{CANDIDATES, Report};
use crate::scenario::TraceScenario;
use crate::scenario::change::{changes, document};
use base::Problem;
use traces::leads::leads;
use traces::replay::Replay;

/// A recording that is held.
pub struct Desk<'a> {
    replay: Replay<'a>,
}

impl<'a> Desk<'a> {
    /// Over a run that can be replayed.
    pub fn new(replay: Replay<'a>) -> Self {
        Self { replay }
    }

    /// What is reported of it, with what replays tell.
    pub fn reported(&self, report: Report) -> FromHolder {
        let found = leads(&self.replay, CANDIDATES);
        let trace = self.replay.causes.trace;
        let said = |lead: &traces::leads::Lead| {
            document(trace, &lead.change, lead.name).map(|change| kit::import::json::line(&change))
        };
        let changes = found.iter().map(said).collect();
        FromHolder::Reported { line: report.with_replays(&self.replay, &found).line(), changes }
    }

    /// Why an operation started when it did.
    pub fn said(&self, place: u32) -> Option<Said> {
        said(self.replay.causes, place)
    }

    /// The document of what a device began between two times of the page's axis.
    pub fn blocks(&self, device: u32, from: f64, to: f64) -> FromHolder {
        let trace = self.replay.causes.trace;
        let begins = Packed::origin(trace);
        let time = |at: f64| begins.saturating_add(at as i64);
        let document = blocks(trace, device, time(from), time(to));
        FromHolder::Blocks(document.map(|tree| kit::import::json::pretty(&tree)))
    }

    /// The document of a kernel's warps, with its code.
    pub fn warps(&self, place: u32, code: &str) -> FromHolder {
        let document = warps(self.replay.causes.trace, place, code);
        FromHolder::Warps(document.map(|tree| kit::import::json::pretty(&tree)))
    }

    /// What comes of the changes that a document wants.
    pub fn changed(&self, asked: &TraceScenario) -> Result<FromHolder, Vec<Problem>> {
        let trace = self.replay.causes.trace;
        let changes = changes(trace, &asked.changes)?;
        let after = self.replay.replay(&changes);
        let run = changed_run(&self.replay, &after);
        let begins = Packed::origin(trace);
        let mut times = Vec::with_capacity(after.operations.len() * 16);
        for (start, end) in &after.operations {
            for time in [start, end] {
                times.extend_from_slice(&(time.saturating_sub(begins) as f64).to_le_bytes());
            }
        }
        let moved = u32::try_from(run.moved).unwrap_or(u32::MAX);
        let turned = u32::try_from(run.turned).unwrap_or(u32::MAX);
        Ok(FromHolder::Changed { sooner: run.sooner as f64, moved, turned, times: times.into() })
    }
}
