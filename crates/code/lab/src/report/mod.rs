//! The report on machine code: what is proven, the schedule, and why every instruction waited.

mod found;
mod lines;
mod occupancy;
mod parts;
pub mod rests;
mod rows;
mod stated;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::scenario::{CodeScenario, Method};
use base::{StopReason, people};
use code::reasons::Reasons;
use code::{Policy, bounds};
use kit::import::json;
use kit::report::{Told, micro};

pub use found::Found;
pub use occupancy::{Allows, OccupancyReport};
pub use parts::{
    Critical, Kind, Line, LoopReport, MachineReport, PolicyReport, Rest, ShortestReport, Tables, Why,
};

/// What is taken for granted in any case.
pub const ASSUMPTIONS: [&str; 5] = [
    "A partition that could issue an instruction issues one, and no warp issues two in a cycle.",
    "A warp's instructions issue in order; stalls, holds and latencies are those that are written.",
    "Every latency may be any number of cycles in its range, each by itself.",
    "All warps are ready at cycle 1, and all instructions are at hand when they may issue.",
    "All warps execute the same instructions.",
];

/// What is said where a report does not tell it.
const LATER: &str = "Why each instruction waited is told once the search has ended.";

/// What is said where the search for the best case ended too soon.
const SHORT: &str = "The search for the best case ended for want of memory; with a larger \"memory_limit\" it may prove more.";

/// What is said where a search for the worst case that was asked for could not begin.
const MANY: &str = "These are too many warps for a search through all states: what stands here is what other searches found and what formulas prove.";

/// What is said where it ended too soon.
const FULL: &str = "The search for the worst case ended for want of memory; with a larger \"memory_limit\" it may prove more.";

/// The report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CodeReport {
    /// The scenario's title.
    pub scenario: String,
    /// Always `warps`.
    pub lab: Text,
    /// How long it took.
    pub seconds: f64,
    /// The function, where the code is from a listing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The architecture whose tables were taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub architecture: Option<Text>,
    /// Where stalls and scoreboards are from: `words`, `control words`, `derived`, or `document`.
    pub timing: Text,
    /// How many warps.
    pub count: usize,
    /// How the schedule was found.
    pub method: String,
    /// The makespan of the schedule below.
    pub makespan: u32,
    /// The longest schedule found, those of all policies among them: a lower bound on the worst case.
    pub lower: u32,
    /// A proven upper bound on the worst case.
    pub upper: u64,
    /// Its name.
    pub upper_by: Text,
    /// Whether both meet, so that the worst case is proven.
    pub exact: bool,
    /// No schedule takes less.
    pub at_least: u64,
    /// The best case, where it was sought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortest: Option<ShortestReport>,
    /// What the bounds hold for: `document`, or `assumed` where they rest on what stands in `assumed` and on tables.
    pub holds: Text,
    /// States that a beam or an exact search looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// What each policy takes with the longest latencies.
    pub policies: Vec<PolicyReport>,
    /// The multiprocessor.
    pub machine: MachineReport,
    /// The instructions.
    pub code: Vec<Line>,
    /// Warp from 1, place in `code` from 0, the cycle it issues and the last one in which it holds its unit or a result
    /// of it is not there; cycles from 1, in the order of issue.
    pub schedule: Vec<(usize, u32, u32, u32)>,
    /// For each of these why it waited, in order: first and last cycle, and the reason. Reasons are `stall`; `scoreboard`
    /// with its number and the place in the way of what sets it; `barrier` with the warp that comes last; `unit` and
    /// `slot` with the warp and the place in the way of what holds or takes it.
    pub waits: Vec<Vec<(u32, u32, Why)>>,
    /// The critical path.
    pub critical: Critical,
    /// Loops of the function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loops: Option<Vec<LoopReport>>,
    /// Units, latencies and where they are from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<Tables>,
    /// What a multiprocessor holds of such blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occupancy: Option<OccupancyReport>,
    /// Lines of the listing that were not understood: before which place in `code` each stands, its number in the text,
    /// and the line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<(usize, usize, String)>,
    /// What the numbers rest on that is not proven, in a few words each, the gravest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rests: Vec<Rest>,
    /// What was assumed about the code.
    pub assumed: Vec<String>,
    /// What else a reader should know.
    pub notes: Vec<String>,
    /// What every result of this kind takes for granted.
    pub assumptions: Vec<Text>,
    /// Why the search ended.
    pub stop: StopReason,
}

/// Names that reports take from tables.
type Text = Cow<'static, str>;

/// The report of what was found.
pub fn report(title: &str, asked: &CodeScenario, found: &Found, stop: StopReason) -> CodeReport {
    let launch = &*asked.launch;
    let made = asked.made.as_deref();
    let reasons = Reasons::of(launch, &found.schedule);
    let rows = rows::rows(launch, &found.schedule);
    let lower = found.policies.into_iter().fold(found.makespan, u32::max);
    let policies = Policy::ALL.into_iter().zip(found.policies);
    let exact = found.upper == u64::from(lower);
    let exact_is_out = matches!(asked.method, Method::Exact { .. }) && found.states.is_none() && !exact;
    let mut assumed = made.map_or_else(Vec::new, |made| made.assumed.clone());
    if made.is_some() {
        assumed.push(
            "Units and latencies are those of the report's tables; some of them nobody has measured."
                .to_owned(),
        );
    }
    CodeReport {
        scenario: title.to_owned(),
        lab: "warps".into(),
        seconds: 0.0,
        function: made.map(|made| made.function.clone()),
        architecture: made.map(|made| made.architecture.name.into()),
        timing: stated::timing(made).into(),
        count: launch.warps().len(),
        method: match asked.method {
            Method::Policy(policy) => policy.name().to_owned(),
            Method::Longest { .. } => "longest found".to_owned(),
            Method::Beam { width, guided } => {
                let guided = if guided { ", guided by upper bounds" } else { "" };
                format!("beam of {}{guided}", people::counted(width as usize, "state"))
            }
            Method::Exact { .. } => "exact search".to_owned(),
        },
        makespan: found.makespan,
        lower,
        upper: found.upper,
        upper_by: found.by.into(),
        exact,
        at_least: bounds::lower(launch),
        shortest: found.shortest.as_ref().map(|shortest| rows::shortest(launch, shortest)),
        holds: if made.is_some() { "assumed" } else { "document" }.into(),
        states: found.states,
        policies: policies
            .map(|(policy, makespan)| PolicyReport { policy: policy.name().into(), makespan })
            .collect(),
        machine: stated::machine(launch.machine()),
        code: lines::lines(asked, &reasons),
        waits: if found.waits { rows::waits(&rows, &reasons) } else { Vec::new() },
        schedule: rows.iter().map(|row| row.1).collect(),
        critical: rows::critical(launch, &found.schedule, &reasons),
        loops: made.map(stated::loops),
        tables: made.map(|made| stated::tables(&made.tables)),
        occupancy: asked.fits.as_ref().map(occupancy::report),
        left_out: made.map_or_else(Vec::new, |made| made.left_out.clone()),
        rests: rests_of(asked),
        assumed,
        notes: made
            .map_or_else(Vec::new, |made| made.notes.clone())
            .into_iter()
            .chain(asked.remarks.iter().cloned())
            .chain(asked.fits.as_ref().and_then(crate::scenario::Fits::note))
            .chain((!found.waits).then(|| LATER.to_owned()))
            .chain((exact_is_out && stop == StopReason::Done).then(|| MANY.to_owned()))
            .chain((stop == StopReason::MemoryLimit).then(|| FULL.to_owned()))
            .chain(found.best_short.then(|| SHORT.to_owned()))
            .collect(),
        assumptions: ASSUMPTIONS.iter().map(|&text| text.into()).collect(),
        stop,
    }
}

/// What the numbers rest on, the gravest first; more warps than there is room for come behind what a listing lacks.
fn rests_of(asked: &CodeScenario) -> Vec<Rest> {
    let Some(made) = asked.made.as_deref() else { return Vec::new() };
    let mut all = rests::rests(made);
    if let Some((fits, said)) = asked.fits.as_ref().and_then(|fits| Some((fits, fits.note()?))) {
        let place = all.iter().position(|rest| !rest.is_grave()).unwrap_or(all.len());
        all.insert(place, rests::too_many(asked.launch.warps().len(), fits.held.warps, said));
    }
    all
}

impl Told for CodeReport {
    fn line(&self) -> String {
        json::line(self)
    }

    fn note(&mut self, text: String) {
        self.notes.insert(0, text);
    }

    fn took(&mut self, seconds: f64) {
        self.seconds = micro(seconds);
    }
}
