//! The report on machine code: what is proven, the schedule, and why every instruction waited.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::scenario::{CodeScenario, Method};
use base::StopReason;
use code::reasons::{Reason, Reasons};
use code::{Launch, Policy, Schedule, bounds, schedule};
use kit::import::json;
use kit::report::{Told, micro};

/// What is taken for granted in any case.
const ASSUMPTIONS: [&str; 5] = [
    "A partition that could issue an instruction issues one, and no warp issues two in a cycle.",
    "A warp's instructions issue in order; stalls, holds and latencies are those that are written.",
    "Every latency may be any number of cycles in its range, each by itself.",
    "All warps are ready at cycle 1, and all instructions are at hand when they may issue.",
    "All warps execute the same instructions.",
];

/// What a search came to.
#[derive(Debug, Clone)]
pub struct Found {
    schedule: Schedule,
    makespan: u32,
    upper: u64,
    by: &'static str,
    states: Option<u64>,
}

impl Found {
    /// A schedule, what nothing is beyond, and why.
    pub fn new(
        launch: &Launch,
        schedule: Schedule,
        upper: u64,
        by: &'static str,
        states: Option<u64>,
    ) -> Self {
        Self { makespan: schedule.makespan(launch), schedule, upper, by, states }
    }
}

/// The report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CodeReport {
    /// The scenario's title.
    pub scenario: String,
    /// Always `warps`.
    pub lab: &'static str,
    /// How long it took.
    pub seconds: f64,
    /// The function, where the code is from a listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The architecture whose tables were taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub architecture: Option<&'static str>,
    /// Where stalls and scoreboards are from: `words`, `control words`, `derived`, or `document`.
    pub timing: &'static str,
    /// How many warps.
    pub count: usize,
    /// How the schedule was found.
    pub method: String,
    /// The makespan of the schedule below.
    pub makespan: u32,
    /// The longest schedule found: a lower bound on the worst case.
    pub lower: u32,
    /// A proven upper bound on the worst case.
    pub upper: u64,
    /// Its name.
    pub upper_by: &'static str,
    /// Whether both meet, so that the worst case is proven.
    pub exact: bool,
    /// No schedule takes less.
    pub at_least: u64,
    /// What the bounds hold for: `document`, or `assumed` where they rest on what stands in `assumed` and on tables.
    pub holds: &'static str,
    /// States that an exact search looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// What each policy takes with the longest latencies.
    pub policies: Vec<PolicyReport>,
    /// The instructions.
    pub code: Vec<Line>,
    /// Warp from 1, place in `code` from 0, the cycle it issues and the last one in which it holds its unit or a result
    /// of it is not there; cycles from 1, in the order of issue.
    pub schedule: Vec<(usize, u32, u32, u32)>,
    /// Loops of the function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loops: Option<Vec<LoopReport>>,
    /// Units, latencies and where they are from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<Tables>,
    /// What was assumed about the code.
    pub assumed: Vec<String>,
    /// What else a reader should know.
    pub notes: Vec<String>,
    /// What every result of this kind takes for granted.
    pub assumptions: Vec<&'static str>,
    /// Why the search ended.
    pub stop: StopReason,
}

/// What a policy makes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PolicyReport {
    /// Its name.
    pub policy: &'static str,
    /// The makespan.
    pub makespan: u32,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    /// Its address; by its place where there is none.
    pub address: u64,
    /// The text.
    pub text: String,
    /// The unit it holds.
    pub unit: Option<String>,
    /// For how long.
    pub hold: u32,
    /// Cycles to the next instruction.
    pub stall: u32,
    /// Whether another warp is preferred next.
    #[serde(rename = "yield")]
    pub yields: Option<bool>,
    /// The scoreboard that waits for its result.
    pub write: Option<u8>,
    /// The scoreboard that waits until its operands are read.
    pub read: Option<u8>,
    /// Scoreboards that it waits for.
    pub wait: Vec<u8>,
    /// How often all warps execute it.
    pub executed: u32,
    /// Cycles that warps waited before it in the schedule, by reason.
    pub waited: Map<String, Value>,
}

/// A loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LoopReport {
    /// Where it begins.
    pub address: u64,
    /// How often it goes round each time; null where the text decides that.
    pub trips: Option<u32>,
    /// Who says so: `text`, `given` or `assumed`.
    pub stated: &'static str,
}

/// The tables of an architecture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tables {
    /// Units: name, who shares it, lanes, where that is from.
    pub units: Vec<(&'static str, &'static str, u32, &'static str)>,
    /// Latencies: kind, shortest, longest hit, longest, where that is from.
    pub latencies: Vec<(&'static str, u32, u32, u32, &'static str)>,
}

/// The report of what was found.
pub fn report(title: &str, asked: &CodeScenario, found: &Found, stop: StopReason) -> CodeReport {
    let launch = &*asked.launch;
    let made = asked.made.as_deref();
    let policies = Policy::ALL.into_iter().map(|policy| PolicyReport {
        policy: policy.name(),
        makespan: policy.schedule(launch, schedule::longest(launch)).makespan(launch),
    });
    let mut assumed = made.map_or_else(Vec::new, |made| made.assumed.clone());
    if made.is_some() {
        assumed.push(
            "Units and latencies are those of the tables below; some of them nobody has measured.".to_owned(),
        );
    }
    CodeReport {
        scenario: title.to_owned(),
        lab: "warps",
        seconds: 0.0,
        function: made.map(|made| made.function.clone()),
        architecture: made.map(|made| made.architecture.name),
        timing: made.map_or("document", |made| match made.timing {
            code_read::Timing::Words => "words",
            code_read::Timing::ControlWords => "control words",
            code_read::Timing::None => "derived",
        }),
        count: launch.warps().len(),
        method: match asked.method {
            Method::Policy(policy) => policy.name().to_owned(),
            Method::Longest { .. } => "longest found".to_owned(),
            Method::Exact { .. } => "exact search".to_owned(),
        },
        makespan: found.makespan,
        lower: found.makespan,
        upper: found.upper,
        upper_by: found.by,
        exact: found.upper == u64::from(found.makespan),
        at_least: bounds::lower(launch),
        holds: if made.is_some() { "assumed" } else { "document" },
        states: found.states,
        policies: policies.collect(),
        code: lines(asked, &found.schedule),
        schedule: rows(launch, &found.schedule),
        loops: made.map(|made| {
            let told = made.walk.loops.iter().map(|own| LoopReport {
                address: own.address,
                trips: own.trips,
                stated: match (own.trips, own.known) {
                    (None, _) => "text",
                    (_, true) => "given",
                    (_, false) => "assumed",
                },
            });
            told.collect()
        }),
        tables: made.map(|made| tables(made.architecture)),
        assumed,
        notes: made.map_or_else(Vec::new, |made| made.notes.clone()),
        assumptions: ASSUMPTIONS.to_vec(),
        stop,
    }
}

fn rows(launch: &Launch, schedule: &Schedule) -> Vec<(usize, u32, u32, u32)> {
    let mut rows = Vec::with_capacity(launch.instructions());
    for (warp, row) in schedule.issued.iter().enumerate() {
        for (place, &issued) in row.iter().enumerate() {
            let at = launch.stream(warp).path[place];
            rows.push((warp + 1, at, issued, schedule.finished(launch, warp, place)));
        }
    }
    rows.sort_by_key(|row| (row.2, row.0));
    rows
}

fn lines(asked: &CodeScenario, schedule: &Schedule) -> Vec<Line> {
    let launch = &*asked.launch;
    let rows = asked.made.as_ref().map(|made| &made.rows);
    let reasons = Reasons::of(launch, schedule);
    let mut waited = vec![[0u64; 5]; launch.code().len()];
    let mut executed = vec![0u32; launch.code().len()];
    for warp in 0..launch.warps().len() {
        for (place, &at) in launch.stream(warp).path.iter().enumerate() {
            executed[at as usize] += 1;
            for one in reasons.at(warp, place) {
                waited[at as usize][kind(one.reason)] += u64::from(one.to - one.from + 1);
            }
        }
    }
    let line = |at: usize| {
        let own = &launch.code()[at];
        let row = rows.map(|rows| &rows[at]);
        let mut wait: Vec<u8> = own.waits.iter().map(|wait| wait.board).collect();
        wait.sort_unstable();
        wait.dedup();
        let shown = NAMES.into_iter().zip(waited[at]).filter(|(_, cycles)| *cycles > 0);
        Line {
            address: row.map_or(at as u64, |row| row.address),
            text: row.map_or_else(String::new, |row| row.text.clone()),
            unit: own.unit.map(|unit| launch.machine().units[usize::from(unit)].name.clone()),
            hold: own.hold,
            stall: row.map_or(own.stall, |row| row.control.stall.into()),
            yields: row.map(|row| row.control.yields),
            write: match row {
                Some(row) => row.control.write,
                None => own.sets.first().map(|set| set.board),
            },
            read: row.and_then(|row| row.control.read),
            wait,
            executed: executed[at],
            waited: shown.map(|(name, cycles)| (name.to_owned(), cycles.into())).collect(),
        }
    };
    (0..launch.code().len()).map(line).collect()
}

/// The reasons, in the order of [`kind`].
const NAMES: [&str; 5] = ["stall", "scoreboard", "barrier", "unit", "slot"];

fn kind(reason: Reason) -> usize {
    match reason {
        Reason::Stall => 0,
        Reason::Scoreboard { .. } => 1,
        Reason::Barrier { .. } => 2,
        Reason::Unit { .. } => 3,
        // No schedule that was found here lets anybody wait for nothing.
        Reason::Slot { .. } | Reason::Nothing => 4,
    }
}

fn tables(architecture: &code_read::Architecture) -> Tables {
    let unit = |lanes: &code_read::arch::Lanes| (lanes.name(), lanes.scope.name(), lanes.lanes, lanes.source);
    let latency = |own: &code_read::arch::Latency| {
        (own.class.map_or("operands", |class| class.name()), own.least, own.hit, own.most, own.source)
    };
    Tables {
        units: architecture.units.iter().map(unit).collect(),
        latencies: architecture.latencies.iter().map(latency).collect(),
    }
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
