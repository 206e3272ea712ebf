//! The report on machine code: what is proven, the schedule, and why every instruction waited.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::scenario::{CodeScenario, Method};
use base::StopReason;
use code::reasons::{Reason, Reasons};
use code::{Launch, Policy, Schedule, bounds, critical, schedule};
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

    /// The schedule.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// What nothing is beyond.
    pub fn upper(&self) -> u64 {
        self.upper
    }
}

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
    /// The longest schedule found: a lower bound on the worst case.
    pub lower: u32,
    /// A proven upper bound on the worst case.
    pub upper: u64,
    /// Its name.
    pub upper_by: Text,
    /// Whether both meet, so that the worst case is proven.
    pub exact: bool,
    /// No schedule takes less.
    pub at_least: u64,
    /// What the bounds hold for: `document`, or `assumed` where they rest on what stands in `assumed` and on tables.
    pub holds: Text,
    /// States that an exact search looked at.
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
    /// What was assumed about the code.
    pub assumed: Vec<String>,
    /// What else a reader should know.
    pub notes: Vec<String>,
    /// What every result of this kind takes for granted.
    pub assumptions: Vec<Text>,
    /// Why the search ended.
    pub stop: StopReason,
}

/// A reason: its name and its numbers.
pub type Why = (Kind, Option<u32>, Option<u32>);

/// Names that reports take from tables.
type Text = Cow<'static, str>;

/// What is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The instruction before lets the next one issue so much later.
    Stall,
    /// A scoreboard is to be clear.
    Scoreboard,
    /// Other warps are to come to the barrier.
    Barrier,
    /// All places of a unit are held.
    Unit,
    /// The partition issues others.
    Slot,
    /// Nothing.
    Nothing,
}

/// The multiprocessor.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct MachineReport {
    /// Warp `w` from 1 is in partition `(w - 1) % partitions`.
    pub partitions: u32,
    /// How many instructions one issues in a cycle.
    pub issue: u32,
    /// Units: name, who shares it, how many instructions it takes at once.
    pub units: Vec<(String, Text, u32)>,
}

/// What the end of the schedule comes of, one cause after the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Critical {
    /// The warp that ends last, from 1.
    pub warp: usize,
    /// From what ends last to the first cycle: warp from 1, place in the way from 0, the cycle it issues, and why no
    /// earlier; null for what issues first.
    pub path: Vec<(usize, usize, u32, Option<Text>)>,
}

/// What a policy makes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyReport {
    /// Its name.
    pub policy: Text,
    /// The makespan.
    pub makespan: u32,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// Which share of all that warps waited that is.
    pub share: f64,
}

/// A loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopReport {
    /// Where it begins.
    pub address: u64,
    /// How often it goes round each time; null where the text decides that.
    pub trips: Option<u32>,
    /// Who says so: `text`, `given` or `assumed`.
    pub stated: Text,
}

/// The tables of an architecture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tables {
    /// Units: name, who shares it, lanes, where that is from.
    pub units: Vec<(Text, Text, u32, Text)>,
    /// Latencies: kind, shortest, longest hit, longest, where that is from.
    pub latencies: Vec<(Text, u32, u32, u32, Text)>,
}

/// The report of what was found.
pub fn report(title: &str, asked: &CodeScenario, found: &Found, stop: StopReason) -> CodeReport {
    let launch = &*asked.launch;
    let made = asked.made.as_deref();
    let reasons = Reasons::of(launch, &found.schedule);
    let rows = rows(launch, &found.schedule);
    let policies = Policy::ALL.into_iter().map(|policy| PolicyReport {
        policy: policy.name().into(),
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
        lab: "warps".into(),
        seconds: 0.0,
        function: made.map(|made| made.function.clone()),
        architecture: made.map(|made| made.architecture.name.into()),
        timing: timing(made).into(),
        count: launch.warps().len(),
        method: match asked.method {
            Method::Policy(policy) => policy.name().to_owned(),
            Method::Longest { .. } => "longest found".to_owned(),
            Method::Exact { .. } => "exact search".to_owned(),
        },
        makespan: found.makespan,
        lower: found.makespan,
        upper: found.upper,
        upper_by: found.by.into(),
        exact: found.upper == u64::from(found.makespan),
        at_least: bounds::lower(launch),
        holds: if made.is_some() { "assumed" } else { "document" }.into(),
        states: found.states,
        policies: policies.collect(),
        machine: machine(launch.machine()),
        code: lines(asked, &reasons),
        waits: waits(&rows, &reasons),
        schedule: rows.iter().map(|row| row.1).collect(),
        critical: critical_of(launch, &found.schedule, &reasons),
        loops: made.map(|made| {
            let told = made.walk.loops.iter().map(|own| LoopReport {
                address: own.address,
                trips: own.trips,
                stated: match (own.trips, own.known) {
                    (None, _) => "text".into(),
                    (_, true) => "given".into(),
                    (_, false) => "assumed".into(),
                },
            });
            told.collect()
        }),
        tables: made.map(|made| tables(&made.tables)),
        assumed,
        notes: made.map_or_else(Vec::new, |made| made.notes.clone()),
        assumptions: ASSUMPTIONS.iter().map(|&text| text.into()).collect(),
        stop,
    }
}

fn timing(made: Option<&code_read::Made>) -> &'static str {
    match made.map(|made| made.timing) {
        None => "document",
        Some(code_read::Timing::Words) => "words",
        Some(code_read::Timing::ControlWords) => "control words",
        Some(code_read::Timing::None) => "derived",
    }
}

fn machine(own: &code::Machine) -> MachineReport {
    let units = own.units.iter().map(|unit| (unit.name.clone(), unit.scope.name().into(), unit.count));
    MachineReport { partitions: own.partitions, issue: own.issue, units: units.collect() }
}

fn kind_of(reason: Reason) -> Kind {
    match reason {
        Reason::Stall => Kind::Stall,
        Reason::Scoreboard { .. } => Kind::Scoreboard,
        Reason::Barrier { .. } => Kind::Barrier,
        Reason::Unit { .. } => Kind::Unit,
        Reason::Slot { .. } => Kind::Slot,
        Reason::Nothing => Kind::Nothing,
    }
}

/// An instruction of a warp: both as [`Reasons`] have them, and its row in the report.
type Row = ((usize, usize), (usize, u32, u32, u32));

fn rows(launch: &Launch, schedule: &Schedule) -> Vec<Row> {
    let mut rows = Vec::with_capacity(launch.instructions());
    for (warp, row) in schedule.issued.iter().enumerate() {
        for (place, &issued) in row.iter().enumerate() {
            let at = launch.stream(warp).path[place];
            let row = (warp + 1, at, issued, schedule.finished(launch, warp, place));
            rows.push(((warp, place), row));
        }
    }
    rows.sort_by_key(|(_, row)| (row.2, row.0));
    rows
}

fn waits(rows: &[Row], reasons: &Reasons) -> Vec<Vec<(u32, u32, Why)>> {
    let number = |number: usize| u32::try_from(number).ok();
    let why = |reason: Reason| {
        let (one, other) = match reason {
            Reason::Stall | Reason::Nothing => (None, None),
            Reason::Scoreboard { board, by } => (Some(board.into()), number(by)),
            Reason::Barrier { by } => (number(by + 1), None),
            Reason::Unit { by } | Reason::Slot { by } => (number(by.0 + 1), number(by.1)),
        };
        (kind_of(reason), one, other)
    };
    let of = |&((warp, place), _): &Row| {
        reasons.at(warp, place).iter().map(|own| (own.from, own.to, why(own.reason))).collect()
    };
    rows.iter().map(of).collect()
}

fn critical_of(launch: &Launch, schedule: &Schedule, reasons: &Reasons) -> Critical {
    let path = critical::path(launch, schedule, reasons);
    let step = |cause: &critical::Cause| {
        let (warp, place) = cause.at;
        (warp + 1, place, schedule.issued[warp][place], cause.reason.map(|reason| reason.name().into()))
    };
    Critical { warp: path.first().map_or(0, |cause| cause.at.0 + 1), path: path.iter().map(step).collect() }
}

fn lines(asked: &CodeScenario, reasons: &Reasons) -> Vec<Line> {
    let launch = &*asked.launch;
    let rows = asked.made.as_ref().map(|made| &made.rows);
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
    let total = waited.iter().flatten().sum::<u64>().max(1);
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
            share: micro(waited[at].iter().sum::<u64>() as f64 / total as f64),
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

fn tables(own: &code_read::Tables) -> Tables {
    let unit = |lanes: &code_read::arch::Lanes| {
        (lanes.name().into(), lanes.scope.name().into(), lanes.lanes, lanes.source.into())
    };
    let latency = |own: &code_read::arch::Latency| {
        let name = own.class.map_or("operands", |class| class.name());
        (name.into(), own.least, own.hit, own.most, own.source.into())
    };
    Tables {
        units: own.units.iter().map(unit).collect(),
        latencies: own.latencies.iter().map(latency).collect(),
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
