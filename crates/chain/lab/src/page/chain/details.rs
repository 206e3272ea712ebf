//! How the number of a station comes about, as rows for tables.

use crate::report::chain::{
    Bracket, CoreLink, Evidence, Figure, Grid, KernelLink, Part, TaskLink, WholeReport,
};
use crate::scenario::OTHER_DEVICE;
use crate::timeline::chain::worth::{clock, full, time};
use crate::timeline::chain::{Node, Row, Station, Worth};
use crate::words::{nobody_says, sentence};
use base::people::{counted, grouped, percent};

/// A number with what it is worth, for tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worthy {
    /// What it is worth.
    pub worth: Worth,
    /// The number.
    pub text: String,
}

impl Worthy {
    /// A pair of bounds, short.
    pub fn of(bracket: &Bracket) -> Self {
        Self { worth: Worth::of_bracket(bracket), text: crate::timeline::chain::worth::short(bracket) }
    }
}

/// One side of a bound, with its reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// Which side: `At most`.
    pub side: &'static str,
    /// What it is worth.
    pub worth: Worth,
    /// The number with every digit.
    pub value: String,
    /// Where it is from.
    pub why: String,
}

/// Both sides of a bound; one where they are the same.
pub fn sides(bracket: &Bracket) -> Vec<Side> {
    let side = |side, figure: &Figure| Side {
        side,
        worth: Worth::of(figure.kind),
        value: full(figure),
        why: sentence(warps::bounds::in_words(&figure.why)),
    };
    // What rests on an assumption may be a bound that is proven under it: nothing need have been simulated.
    let named = |figure: &Figure| match figure.kind {
        Evidence::Exact => "Exactly",
        Evidence::Given => "Given",
        Evidence::Simulated => "At most, if as assumed",
        Evidence::Upper => "At most",
        Evidence::Lower => "At least",
    };
    let least = |figure: &Figure| match figure.kind {
        Evidence::Simulated => "At least, if as assumed",
        _ => "At least",
    };
    match (&bracket.lower, &bracket.upper) {
        (Some(lower), Some(upper)) if lower.value == upper.value => {
            let assumed = upper.kind == Evidence::Simulated;
            vec![side(if assumed { "Exactly, if as assumed" } else { named(upper) }, upper)]
        }
        (lower, upper) => {
            let upper = upper.iter().map(|figure| side(named(figure), figure));
            upper.chain(lower.iter().map(|figure| side(least(figure), figure))).collect()
        }
    }
}

/// That loops of a kernel go round once since nobody says how often, in a sentence.
pub fn once(kernel: &KernelLink) -> Option<String> {
    (!kernel.once.is_empty()).then(|| nobody_says(&kernel.once))
}

/// What is said of a kernel wherever it is looked at, in sentences: what its listing may lack, and that it is for another
/// multiprocessor.
pub fn told(kernel: &KernelLink) -> Vec<String> {
    let other = kernel.rests.iter().filter(|rest| rest.on == OTHER_DEVICE);
    kernel.grave().chain(other).map(|rest| rest.said.clone()).collect()
}

/// What is said at the top of the details of a station.
pub fn heading(report: &WholeReport, node: Node) -> Option<String> {
    Some(match node.row {
        Row::Kernel(place) => {
            let name = &report.kernels.get(place)?.name;
            match node.station {
                Station::Code => format!("The instructions of {name}"),
                Station::Warps => format!("The warps of {name} on one multiprocessor"),
                Station::Block => format!("A block of {name}"),
                _ => format!("{name} on the GPU"),
            }
        }
        Row::Task(place) => {
            let name = &report.tasks.get(place)?.name;
            match node.station {
                Station::Task => format!("{name} on the host"),
                _ => format!("The deadline of {name}"),
            }
        }
    })
}

/// The lab that shows what a station is about, as a part of the report.
pub fn part_of(report: &WholeReport, node: Node) -> Option<&Part> {
    let id = match node.row {
        Row::Kernel(place) => {
            let kernel = report.kernels.get(place)?;
            if node.station == Station::Gpu { &kernel.gpu_part } else { &kernel.part }
        }
        Row::Task(place) => &core_of(report, report.tasks.get(place)?)?.part,
    };
    super::part(report, id.as_deref()?)
}

/// What the button to a part says.
pub fn button(part: &Part) -> String {
    let warps = &part.document["warps"];
    let lab = match part.lab.as_str() {
        "warps" if ["sass", "code"].iter().any(|key| warps.get(key).is_some()) => "Code",
        "warps" => "Warps",
        "blocks" => "Blocks",
        "tasks" => "Tasks",
        _ => "Chain",
    };
    format!("Open in {lab}")
}

/// The core of a task.
pub fn core_of<'a>(report: &'a WholeReport, task: &TaskLink) -> Option<&'a CoreLink> {
    report.cores.iter().find(|core| core.name == task.core)
}

/// A limit of residency: what it is called, how many blocks it allows, whether it is the one that counts.
pub fn limits(kernel: &KernelLink) -> Vec<(String, String, bool)> {
    let name = |name: &str| match name {
        "threads" => "Threads".to_owned(),
        "registers" => "Registers".to_owned(),
        "shared_memory" => "Shared memory".to_owned(),
        "blocks" => "Blocks of an SM".to_owned(),
        "grid" => "Blocks of the grid".to_owned(),
        other => other.to_owned(),
    };
    let row = |limit: &crate::report::chain::Limit| {
        let blocks = limit.blocks.map_or_else(|| "no limit".to_owned(), |blocks| grouped(blocks.into()));
        (name(&limit.name), blocks, limit.name == kernel.residency.limited_by)
    };
    kernel.residency.limits.iter().map(row).collect()
}

/// How cycles become the nanoseconds of a block, in a sentence; nothing while they are not known, or where its bound has
/// another reason.
pub fn conversion(report: &WholeReport, kernel: &KernelLink) -> Option<String> {
    let cycles = kernel.makespan.upper.as_ref().or(kernel.makespan.lower.as_ref())?;
    let nanos = kernel.block.upper.as_ref().or(kernel.block.lower.as_ref())?;
    let told = u128::from(cycles.value) * 1_000_000_000;
    if told.div_ceil(report.gpu.clock.max(1).into()) != u128::from(nanos.value) {
        return None;
    }
    Some(format!("{} ÷ {}, rounded up: {}.", full(cycles), clock(report.gpu.clock), full(nanos)))
}

/// A multiprocessor of a grid as a bar.
#[derive(Debug, Clone, PartialEq)]
pub struct SmBar {
    /// `SM 0`.
    pub name: String,
    /// What it does, in words.
    pub about: String,
    /// Its makespan.
    pub number: Worthy,
    /// Its lower and upper side as shares of the largest one.
    pub shares: (f64, f64),
}

/// What a way of assigning blocks is called.
pub fn assignment(grid: &Grid) -> String {
    match grid.assignment.as_str() {
        "known" => "As the document assigns blocks".to_owned(),
        "round-robin" => "Blocks in turn".to_owned(),
        "rules" => "By the published rules".to_owned(),
        "worst" => "Any assignment".to_owned(),
        other => other.to_owned(),
    }
}

/// The multiprocessors of a grid.
pub fn sm_bars(grid: &Grid) -> Vec<SmBar> {
    let value = |figure: &Option<Figure>| figure.as_ref().map_or(0, |figure| figure.value);
    let most = grid.sms.iter().map(|sm| value(&sm.makespan.upper).max(value(&sm.makespan.lower))).max();
    let most = most.unwrap_or(0).max(1) as f64;
    let many = |n: u64, thing: &str| counted(usize::try_from(n).unwrap_or(usize::MAX), thing);
    let bar = |sm: &crate::report::chain::GridSm| SmBar {
        name: format!("SM {}", sm.sm),
        about: format!(
            "{}, {} at once, filled {}",
            many(sm.blocks, "block"),
            many(sm.warps, "warp"),
            many(sm.waves, "time")
        ),
        number: Worthy::of(&sm.makespan),
        shares: (
            value(&sm.makespan.lower) as f64 / most,
            value(&sm.makespan.upper).max(value(&sm.makespan.lower)) as f64 / most,
        ),
    };
    grid.sms.iter().map(bar).collect()
}

/// A segment of a task: what it does, its amount, how long it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentLine {
    /// `cpu`, `copy` or `kernel`, for its colour.
    pub does: String,
    /// The same in words.
    pub what: String,
    /// As the document gives it.
    pub amount: String,
    /// How long it takes.
    pub time: Worthy,
    /// Why.
    pub why: String,
}

/// The segments of a task.
pub fn segments(task: &TaskLink) -> Vec<SegmentLine> {
    let line = |part: &crate::report::chain::SegmentLink| {
        let what = match (part.does.as_str(), part.label.as_str()) {
            ("cpu", "" | "computes") => "Computes".to_owned(),
            ("cpu", label) => format!("Computes: {label}"),
            ("copy", "" | "copies") => "Copies".to_owned(),
            ("copy", "in" | "copy in" | "copies in") => "Copies to the GPU".to_owned(),
            ("copy", "out" | "copy out" | "copies out") => "Copies from the GPU".to_owned(),
            ("copy", label) => format!("Copies: {label}"),
            ("activate", label) => format!("Activates {label}"),
            ("await", label) => format!("Waits for {label}"),
            (_, label) => format!("Kernel {label}"),
        };
        let why = part
            .time
            .upper
            .as_ref()
            .or(part.time.lower.as_ref())
            .map(|figure| sentence(warps::bounds::in_words(&figure.why)));
        SegmentLine {
            does: part.does.clone(),
            what,
            amount: part.amount.clone(),
            time: Worthy::of(&part.time),
            why: why.unwrap_or_default(),
        }
    };
    task.segments.iter().map(line).collect()
}

/// Facts of a task beside its numbers: names and values.
pub fn facts_of_task(report: &WholeReport, task: &TaskLink) -> Vec<(&'static str, String)> {
    let waits =
        if task.suspends { "gives its core away while it waits" } else { "keeps its core while it waits" };
    let mut facts = vec![
        ("Period", format!("{} ns ({})", grouped(task.period.into()), time(task.period))),
        ("Deadline", format!("{} ns ({})", grouped(task.deadline.into()), time(task.deadline))),
        ("Priority", format!("{} on {}; it {waits}", task.priority, task.core)),
    ];
    if let Some(core) = core_of(report, task) {
        let scheduler = match core.scheduler.as_str() {
            "edf" => "earliest deadline first",
            _ => "fixed priorities",
        };
        let share = percent(core.utilisation);
        facts.push((
            "Core",
            format!("{}, {}, {scheduler}; {share} of its time is asked for", core.name, clock(core.clock)),
        ));
        facts.push(("EDF", edf(core)));
    }
    if !task.response_by.is_empty() {
        facts.push(("Method", task.response_by.clone()));
    }
    facts
}

/// What EDF would do on a core.
fn edf(core: &CoreLink) -> String {
    let told = match core.edf {
        Some(true) => "meets every deadline of this core",
        Some(false) => "cannot meet every deadline of this core",
        None => "not decided for this core",
    };
    let worth =
        if core.edf.is_some() { format!(" ({})", Worth::of(core.edf_kind).words()) } else { String::new() };
    let violation = core
        .edf_violation
        .map(|(t, demand)| format!("; in {} there can be {} to execute", time(t), time(demand)));
    let because = if core.edf_because.is_empty() { String::new() } else { format!(": {}", core.edf_because) };
    format!("{told}{worth}{because}{}", violation.unwrap_or_default())
}

/// A launch order in words.
pub fn order(names: &[String]) -> Option<String> {
    (!names.is_empty()).then(|| names.join(" → "))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::timeline::chain::{Walk, sample};
    use code_lab::report::Rest;

    #[test]
    fn both_sides_have_their_reasons() {
        let report = sample::open();
        let said = |bracket: &Bracket| {
            sides(bracket)
                .into_iter()
                .map(|side| format!("{} {} {}", side.worth.sign(), side.side, side.value))
                .collect::<Vec<_>>()
        };
        assert_eq!(said(&report.kernels[0].makespan), ["= Exactly 154 cycles"]);
        assert_eq!(said(&report.kernels[1].makespan), ["≤ At most 110 cycles", "≥ At least 92 cycles"]);
        assert_eq!(
            said(&report.kernels[1].completion),
            ["~ At most, if as assumed 2,439 ns", "≥ At least 71 ns"]
        );
        let mut read = report.kernels[1].completion.clone();
        read.lower = read.lower.map(|lower| Figure { kind: Evidence::Simulated, ..lower });
        assert_eq!(said(&read), ["~ At most, if as assumed 2,439 ns", "~ At least, if as assumed 71 ns"]);
        read.lower.clone_from(&read.upper);
        assert_eq!(said(&read), ["~ Exactly, if as assumed 2,439 ns"]);
        assert_eq!(said(&Bracket::default()), [""; 0]);
        assert!(sides(&report.kernels[1].makespan)[0].why.starts_with("The cycles in which others keep"));
    }

    #[test]
    fn a_kernel_tells_what_its_listing_may_lack() {
        let rest =
            |on: &'static str| Rest { on: on.into(), what: String::new(), said: format!("{on} of it.") };
        let mut kernel = sample::open().kernels[1].clone();
        assert_eq!(told(&kernel), [""; 0]);
        kernel.rests = ["loops", "end", "rounds", "tables", "device"].map(rest).to_vec();
        assert_eq!(told(&kernel), ["loops of it.", "end of it.", "device of it."]);
        kernel.once = "the loop at 0x00c0 of edges goes round once".to_owned();
        assert_eq!(told(&kernel), ["end of it.", "device of it."]);
    }

    #[test]
    fn every_station_knows_its_lab() {
        let report = sample::open();
        let walk = Walk::new(&report);
        let labs: Vec<String> = walk
            .nodes()
            .into_iter()
            .map(|node| {
                part_of(&report, node)
                    .map(|part| format!("{} {}", node.station.key(), button(part)))
                    .unwrap_or_default()
            })
            .collect();
        assert_eq!(labs[0], "code Open in Warps");
        assert_eq!(labs[3], "gpu Open in Blocks");
        assert_eq!(labs[8], "task Open in Tasks");
        assert_eq!(labs[12], "", "cycles that are given have no lab");
        let of = |warps: Value| Part {
            lab: "warps".to_owned(),
            document: json!({"warps": warps}),
            ..Part::default()
        };
        assert_eq!(button(&of(json!({"sass": ""}))), "Open in Code");
        assert_eq!(button(&of(json!({"kernel": "LC"}))), "Open in Warps");
        assert!(walk.nodes().into_iter().all(|node| heading(&report, node).is_some()));
    }

    #[test]
    fn cycles_become_nanoseconds_in_sight() {
        let report = sample::open();
        let said = conversion(&report, &report.kernels[0]);
        assert_eq!(said.as_deref(), Some("154 cycles ÷ 1.3 GHz, rounded up: 119 ns."));
        assert_eq!(conversion(&report, &KernelLink::default()), None);
        // A block that is bounded by something else than what its multiprocessor takes.
        let mut other = report.kernels[0].clone();
        if let Some(upper) = &mut other.block.upper {
            upper.value *= 29;
        }
        assert_eq!(conversion(&report, &other), None);
    }

    #[test]
    fn bars_are_shares_of_the_longest() {
        let bars = sm_bars(&sample::open().kernels[0].grids[1]);
        assert_eq!((bars.len(), bars[0].shares), (1, (0.5, 1.0)));
        assert_eq!(bars[0].about, "8 blocks, 16 warps at once, filled 2 times");
        assert_eq!(sm_bars(&Grid::default()), []);
    }

    #[test]
    fn the_limit_that_counts_is_marked() {
        let rows = limits(&sample::open().kernels[1]);
        assert!(rows.contains(&("Registers".to_owned(), "4".to_owned(), true)));
        assert!(rows.contains(&("Shared memory".to_owned(), "no limit".to_owned(), false)));
    }

    #[test]
    fn a_task_says_how_it_is_scheduled() {
        let report = sample::open();
        let facts = facts_of_task(&report, &report.tasks[0]);
        let of = |name: &str| {
            facts.iter().find(|(own, _)| *own == name).map(|(_, said)| said.clone()).unwrap_or_default()
        };
        assert_eq!(of("Core"), "cpu, 1.2 GHz, fixed priorities; 29.5 % of its time is asked for");
        assert_eq!(of("Period"), "20,000 ns (20 µs)");
        assert!(
            of("EDF")
                .starts_with("meets every deadline of this core (proven upper bound): in every interval")
        );
    }
}
