//! The report of the warps lab.

use serde::{Deserialize, Serialize};

use super::memory::{self, MemoryReport};
use super::ptx::PtxReport;
use super::search::ShortestReport;
use crate::import::ptx::{Holds, NOT_WHAT_RUNS, STRING_ONLY};
use crate::scenario::{Method, WarpsScenario};
use base::StopReason;
use base::people;
use kit::import::json;
use kit::report::{Told, micro};
use kit::scenario::Scenario;
use warps::order::{OrderCount, count_orders, count_unique_orders};
use warps::{ASSUMPTIONS, FAIR_SUB_BLOCKS, Fairness, Machine, Order, PerUnit, Schedule, Start, bounds};

/// What is known about the makespan of a warps scenario.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WarpsReport {
    /// The scenario's title.
    pub scenario: String,
    /// Always `warps`.
    pub lab: String,
    /// How long the computation took.
    pub seconds: f64,
    /// The normalised instruction string in run-length form.
    pub kernel: String,
    /// The walk through PTX the kernel comes from.
    pub ptx: Option<PtxReport>,
    /// The number of warps.
    pub count: usize,
    /// How the schedule was found.
    pub method: String,
    /// The makespan of the schedule below.
    pub makespan: u32,
    /// A lower bound on the worst case: the longest schedule found.
    pub lower: u32,
    /// A proven upper bound on the worst case.
    pub upper: Option<u32>,
    /// The name of that bound.
    pub upper_by: Option<String>,
    /// Whether both bounds meet, and so the worst case is proven.
    pub exact: bool,
    /// The order, warps from 1.
    pub order: Vec<u16>,
    /// The cycle of each entry of the order.
    pub cycles: Vec<u32>,
    /// The machine in the model's terms.
    pub machine: Capacities,
    /// Who may go before whom: `work-conserving` or `sub-block`.
    pub fairness: String,
    /// How many instructions of the normalised kernel stand before each boundary, where sub-blocks are fair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sub_blocks: Option<Vec<u32>>,
    /// How long loads take, and which of them miss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryReport>,
    /// The share of each kind's capacity in use.
    pub utilisation: Utilisation,
    /// How many orders there are.
    pub orders: Orders,
    /// How many there are up to renaming of warps.
    pub unique_orders: Orders,
    /// What was rounded, repeated or decided on the way.
    pub notes: Vec<String>,
    /// What the result takes for granted.
    pub assumptions: Vec<String>,
    /// What each chain of an annealing did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chains: Option<Vec<ChainReport>>,
    /// States an exact search has seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// Seconds, lower and upper bound of an exact search: first at its start, then at every narrowing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bracket: Option<Vec<(f64, u32, u32)>>,
    /// The best case, where an exact search sought it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shortest: Option<ShortestReport>,
    /// What each of the known ways to take turns takes, beside an exact search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starts: Option<Vec<(String, u32)>>,
    /// Why a beam or an exact search ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<StopReason>,
}

/// What one chain of an annealing did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChainReport {
    /// How its first order was made.
    pub start: String,
    /// The longest makespan it found; 0 if it has not begun.
    pub best: u32,
    /// How many iterations it has done.
    pub iterations: u64,
    /// The seconds it has computed.
    pub seconds: f64,
    /// Iteration, seconds the chain had computed, and makespan: first of the start, then of every improvement.
    pub improvements: Vec<(u64, f64, u32)>,
}

impl ChainReport {
    /// That of a chain which has nothing yet, not even its start.
    pub fn not_begun(start: &str) -> Self {
        Self { start: start.to_owned(), best: 0, iterations: 0, seconds: 0.0, improvements: Vec::new() }
    }
}

/// Capacities in warps per cycle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(non_snake_case)] // the letters of the model are the keys
pub struct Capacities {
    /// Load/store.
    pub L: u32,
    /// CUDA core.
    pub C: u32,
    /// Special function.
    pub S: u32,
    /// Double precision.
    pub D: u32,
    /// Issue limit, or null for none.
    pub issue: Option<u32>,
}

/// Shares from 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(non_snake_case)]
pub struct Utilisation {
    /// Load/store.
    pub L: f64,
    /// CUDA core.
    pub C: f64,
    /// Special function.
    pub S: f64,
    /// Double precision.
    pub D: f64,
}

/// A number of orders.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Orders {
    /// All its digits, where there are few enough.
    pub exact: Option<String>,
    /// Its decimal logarithm, to six digits: the last ones differ between mathematical libraries.
    pub log10: f64,
}

impl From<OrderCount> for Orders {
    fn from(count: OrderCount) -> Self {
        Self { exact: count.exact.map(|n| n.to_string()), log10: (count.log10 * 1e6).round() / 1e6 }
    }
}

impl From<&Machine> for Capacities {
    fn from(machine: &Machine) -> Self {
        let PerUnit([l, c, s, d]) = machine.capacity;
        Self { L: l, C: c, S: s, D: d, issue: machine.issue }
    }
}

impl From<PerUnit<f64>> for Utilisation {
    fn from(PerUnit(shares): PerUnit<f64>) -> Self {
        let [l, c, s, d] = shares.map(|share| (share * 1e6).round() / 1e6);
        Self { L: l, C: c, S: s, D: d }
    }
}

/// The report of a finished schedule.
pub fn warps_report(
    scenario: &Scenario,
    warps: &WarpsScenario,
    order: &Order,
    schedule: &Schedule,
) -> WarpsReport {
    let (kernel, machine) = (&warps.kernel, &warps.normalised.machine);
    let makespan = schedule.makespan();
    // With loads that take their time a search says what is proven; programs that link none are told.
    let upper = match &warps.memory {
        None => bounds::blocked_cycles(kernel, machine, warps.count),
        Some(_) => None,
    };
    WarpsReport {
        scenario: scenario.title.clone(),
        lab: "warps".to_owned(),
        seconds: 0.0,
        kernel: kernel.to_string(),
        ptx: PtxReport::of(warps),
        count: warps.count,
        method: method_name(&warps.method),
        makespan,
        lower: makespan,
        upper,
        upper_by: upper.map(|_| bounds::BLOCKED_CYCLES.to_owned()),
        exact: upper == Some(makespan),
        order: order.ids().iter().map(|id| id + 1).collect(),
        cycles: schedule.cycles_of(order),
        machine: machine.into(),
        fairness: warps.fairness.name().to_owned(),
        sub_blocks: match &warps.fairness {
            Fairness::WorkConserving => None,
            Fairness::SubBlock(boundaries) => Some(boundaries.clone()),
        },
        memory: warps.memory.as_ref().map(|memory| MemoryReport::new(memory, kernel, schedule)),
        utilisation: schedule.utilisation(kernel, machine, warps.memory.as_ref().map(|m| m.mode)).into(),
        orders: count_orders(warps.count, kernel.len()).into(),
        unique_orders: count_unique_orders(warps.count, kernel.len()).into(),
        notes: notes(warps),
        assumptions: assumptions(warps),
        chains: None,
        states: None,
        bracket: None,
        shortest: None,
        starts: None,
        stop: None,
    }
}

impl WarpsReport {
    /// Notes what all chains of a search did; the longest makespan any of them found is the lower bound.
    pub fn note_chains(&mut self, chains: Vec<ChainReport>) {
        self.lower = chains.iter().map(|chain| chain.best).fold(self.lower, u32::max);
        self.exact = self.upper == Some(self.lower);
        self.seconds = micro(chains.iter().map(|chain| chain.seconds).sum());
        self.chains = Some(chains);
    }

    /// Notes what is proven and taken for granted where loads take their time.
    pub fn note_loads(&mut self, warps: &WarpsScenario) {
        let Some(memory) = &warps.memory else { return };
        let (upper, by) = memory::bound(warps, memory);
        (self.upper, self.upper_by) = (upper, upper.map(|_| by.to_owned()));
        self.exact = upper == Some(self.lower);
        self.assumptions.splice(0..0, memory::assumptions(memory));
    }
}

/// What came up on the way from PTX to the string, and from the string to the machine.
fn notes(warps: &WarpsScenario) -> Vec<String> {
    let mut notes = warps.ptx.as_ref().map_or_else(Vec::new, |walk| walk.warnings.clone());
    notes.extend(warps.normalised.notes_for(&warps.kernel));
    if warps.fairness != Fairness::WorkConserving
        && let Some((order, origin)) = listed(warps)
        && warps.fairness.arranged(&order, warps.kernel.len()) != order
    {
        notes.push(format!(
            "The order was arranged: all entries of a sub-block stand before those of the next, otherwise as {origin}. Only such orders make fair schedules."
        ));
    }
    notes
}

/// An order that was there before anybody asked for fairness, and where it is from.
fn listed(warps: &WarpsScenario) -> Option<(Order, &'static str)> {
    match &warps.method {
        Method::Order(order) => Some((order.clone(), "given")),
        Method::Initial(start @ (Start::RoundRobin | Start::FixedPriority | Start::Random(_))) => {
            Some((start.order(&warps.kernel, &warps.normalised.machine, warps.count), "the start has it"))
        }
        _ => None,
    }
}

fn assumptions(warps: &WarpsScenario) -> Vec<String> {
    let path = warps.ptx.as_deref().map(|walk| match walk.holds() {
        Holds::String => STRING_ONLY,
        Holds::Path | Holds::Range => ONE_PATH,
    });
    let mut all = match &warps.memory {
        Some(_) => Vec::new(),
        None => {
            let fair = matches!(warps.fairness, Fairness::SubBlock(_)).then_some(FAIR_SUB_BLOCKS);
            ASSUMPTIONS.into_iter().chain(fair).map(str::to_owned).collect()
        }
    };
    all.extend(path.into_iter().flat_map(|path| [path, NOT_WHAT_RUNS]).map(str::to_owned));
    all
}

/// What a result takes for granted whose kernel comes from PTX.
const ONE_PATH: &str = "All warps take the one path through the kernel that is stated, and one instruction of PTX on it is one instruction here.";

fn method_name(method: &Method) -> String {
    match method {
        Method::Initial(start) => start.name().to_owned(),
        Method::Order(_) => "given order".to_owned(),
        Method::Schedule(_) => "given schedule".to_owned(),
        Method::Anneal(anneal) => format!(
            "annealing, {}, {}",
            people::counted(anneal.starts.len(), "chain"),
            anneal.settings.neighbourhood.name()
        ),
        Method::Beam(beam) => {
            let guided = if beam.guided { ", guided by upper bounds" } else { "" };
            format!("beam of {}{guided}", people::counted(beam.width as usize, "state"))
        }
        Method::Exact(_) => "exact search".to_owned(),
    }
}

impl Told for WarpsReport {
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
