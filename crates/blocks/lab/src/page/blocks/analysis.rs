//! What the response-time analysis says, in words and rows of tables.

use super::Seen;
use crate::report::analysis::{
    AnalysisReport, FormulaReport, OrderReport, StepReport, TaskReport, UtilisationReport, WorstOrder,
};
use crate::report::blocks::BlocksReport;
use base::{Nanos, people};
use kit::page::told::InOrder;

/// Stands where there is no number.
const NONE: &str = "—";
/// Pairs of `h` that are written out.
const MOST_PAIRS: usize = 12;
/// Kernels that a title names.
const MOST_NAMES: usize = 8;

/// A column of the table of kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// How long a block takes.
    Time,
    /// Blocks.
    Blocks,
    /// Threads of a block.
    Threads,
    /// The separation of releases.
    Period,
    /// Threads kept busy on average.
    Utilisation,
    /// Completion by the analysis.
    Analysed,
    /// Completion in the simulation.
    Simulated,
    /// Completion as measured.
    Measured,
    /// Completion as published.
    Published,
    /// The deadline, and whether it is met.
    Deadline,
}

impl Column {
    const ALL: [Self; 10] = [
        Self::Time,
        Self::Blocks,
        Self::Threads,
        Self::Period,
        Self::Utilisation,
        Self::Analysed,
        Self::Simulated,
        Self::Measured,
        Self::Published,
        Self::Deadline,
    ];

    /// Its head, and what that means.
    pub fn head(self) -> (&'static str, &'static str) {
        match self {
            Self::Time => ("C", "how long a block takes"),
            Self::Blocks => ("g", "blocks"),
            Self::Threads => ("b", "threads of a block"),
            Self::Period => ("T", "period"),
            Self::Utilisation => ("u", "threads kept busy on average: C g b / T"),
            Self::Analysed => ("Analysis", "completion by the analysis"),
            Self::Simulated => ("Simulation", "completion in the simulation, after the launch"),
            Self::Measured => ("Measured", "completion in the measured run, after the launch"),
            Self::Published => ("Published", "completion as published"),
            Self::Deadline => ("Deadline", "after the launch, and whether it is met in the simulation"),
        }
    }
}

/// A kernel in the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelRow {
    /// Its name.
    pub label: String,
    /// What stands in the columns.
    pub cells: Vec<String>,
    /// Whether it misses its deadline.
    pub misses: bool,
}

/// The table of kernels: columns with something in them, and the rows.
pub fn kernels(report: &BlocksReport, analysis: &AnalysisReport) -> (Vec<Column>, Vec<KernelRow>) {
    let cells: Vec<Vec<Option<String>>> = analysis
        .tasks
        .iter()
        .enumerate()
        .map(|(place, task)| Column::ALL.map(|column| cell(report, place, task, column)).to_vec())
        .collect();
    let used = |place: &usize| cells.iter().any(|row| row[*place].is_some());
    let places: Vec<usize> = (0..Column::ALL.len()).filter(used).collect();
    let row = |(task, row): (&TaskReport, &Vec<Option<String>>)| KernelRow {
        label: task.label.clone(),
        cells: places.iter().map(|&place| row[place].clone().unwrap_or_else(|| NONE.to_owned())).collect(),
        misses: in_time(task) == Some(false),
    };
    let rows = analysis.tasks.iter().zip(&cells).map(row).collect();
    (places.iter().map(|&place| Column::ALL[place]).collect(), rows)
}

/// Whether it is complete in time, as simulated.
fn in_time(task: &TaskReport) -> Option<bool> {
    Some(task.simulated? <= task.deadline?)
}

fn cell(report: &BlocksReport, place: usize, task: &TaskReport, column: Column) -> Option<String> {
    let time = |nanos: Option<u64>| nanos.map(|nanos| Nanos(nanos).to_string());
    match column {
        Column::Time => Some(time(task.time).unwrap_or_else(|| "differ".to_owned())),
        Column::Blocks => Some(people::grouped(task.blocks.into())),
        Column::Threads => Some(people::grouped(task.threads.into())),
        Column::Period => time(task.period),
        Column::Utilisation => task.utilisation.map(threads),
        Column::Analysed => time(report.response.as_ref()?.get(place).map(|done| done.completion)),
        Column::Simulated => time(task.simulated),
        Column::Measured => time(measured(report, &task.label)),
        Column::Published => {
            time(report.references.iter().find(|of| of.kernel == task.label).map(|of| of.published))
        }
        Column::Deadline => {
            let deadline = time(task.deadline)?;
            Some(match in_time(task) {
                Some(true) => format!("{deadline}, met"),
                Some(false) => format!("{deadline}, missed"),
                None => deadline,
            })
        }
    }
}

/// When a kernel was complete in the measured run, after its launch, at worst; to the microsecond.
fn measured(report: &BlocksReport, label: &str) -> Option<u64> {
    let runs = report.measured.as_ref()?.kernels.iter().filter(|run| run.label == label);
    let latest = runs.map(|run| run.end.saturating_sub(run.launched)).max()?;
    Some((latest + 500) / 1_000 * 1_000)
}

/// A number of threads with one digit after the point, where it is not whole.
fn threads(threads: f64) -> String {
    let tenths = (threads * 10.0).round().clamp(0.0, 1e15) as u64;
    let whole = people::grouped((tenths / 10).into());
    if tenths.is_multiple_of(10) { whole } else { format!("{whole}.{}", tenths % 10) }
}

/// What the kernels ask of the device together, in a sentence or two.
pub fn utilisation(all: &UtilisationReport, device_threads: u64) -> String {
    let mut said = format!(
        "Together the kernels keep {} of {} threads busy on average: {} of the device.",
        threads(all.total),
        people::grouped(device_threads.into()),
        people::percent(all.share)
    );
    if all.share > 1.0 {
        said += " That is more than there is: they cannot keep up with their periods for ever.";
    }
    if all.without_period > 0 {
        said += &format!(" {} without a period not counted.", people::counted(all.without_period, "kernel"));
    }
    said
}

/// What does not hold here: what is assumed, and why it is not so.
pub fn failing(analysis: &AnalysisReport) -> Vec<(String, String)> {
    let failing = analysis.assumptions.iter().filter(|assumption| !assumption.holds);
    failing.map(|of| (of.sentence.clone(), of.why.clone().unwrap_or_default())).collect()
}

/// What the places of the device are, in a sentence.
pub fn places(order: &OrderReport) -> String {
    let held = people::counted(order.places as usize, "block");
    match order.basis.as_str() {
        "published" => format!("The device holds {held} at a time."),
        _ => format!(
            "The device holds {held} at a time, whichever kernels they are of: an extension of the published case, in \
            which blocks have one size and only threads limit."
        ),
    }
}

/// The worst launch order of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderRow {
    /// The kernel.
    pub label: String,
    /// Its latest completion.
    pub completion: String,
    /// The order that gives it.
    pub order: String,
    /// What proves it.
    pub proof: String,
    /// Whether its deadline is met whatever the order; empty where it has none.
    pub verdict: &'static str,
    /// Whether that is the order of the document, or what opens one in which it is.
    pub open: Open,
}

/// How to see an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Open {
    /// It is the order of the document.
    Here,
    /// What the page is asked for, to open the document in that order.
    With(InOrder),
    /// The document cannot be put into that order.
    Cannot,
}

/// The worst launch orders, with documents under a title.
pub fn worst_orders(seen: &Seen, title: &str) -> Vec<OrderRow> {
    let report = &seen.report;
    let (Some(worst), Some(analysis)) = (&report.worst_order, &report.analysis) else { return Vec::new() };
    let row = |(worst, task): (&WorstOrder, &TaskReport)| {
        let completion = Nanos(worst.completion).to_string();
        OrderRow {
            label: worst.label.clone(),
            order: worst.order.join(", "),
            proof: proof(worst),
            verdict: match (task.deadline, worst.meets) {
                (None, _) => "",
                (Some(_), Some(true)) => "always met",
                (Some(_), Some(false)) => "missed",
                (Some(_), None) => "not known",
            },
            open: match &worst.places {
                None => Open::Cannot,
                Some(places) if places.is_sorted() => Open::Here,
                Some(places) => {
                    let notes = format!(
                        "The launch order in which {} is complete as late as {}: at {completion}.",
                        worst.label,
                        if worst.proof.is_some() { "it can be" } else { "was found" }
                    );
                    let title = in_order(title, &worst.order);
                    Open::With(InOrder { places: places.clone(), title, notes })
                }
            },
            completion,
        }
    };
    worst.kernels.iter().zip(&analysis.tasks).map(row).collect()
}

/// The title of a document in another order: `Four kernels, launched K2, K4, K1, K3`.
fn in_order(title: &str, order: &[String]) -> String {
    const LAUNCHED: &str = ", launched ";
    let base = title.split(LAUNCHED).next().unwrap_or_default();
    let base = if base.is_empty() { "Kernels" } else { base };
    let more = if order.len() > MOST_NAMES { ", …" } else { "" };
    let names: Vec<&str> = order.iter().map(String::as_str).take(MOST_NAMES).collect();
    format!("{base}{LAUNCHED}{}{more}", names.join(", "))
}

/// What proves a worst case.
pub fn proof(worst: &WorstOrder) -> String {
    match worst.proof.as_deref() {
        Some("all orders") => format!("proven by all {} orders", orders(worst.order.len())),
        Some(_) => "proven by a bound on every order".to_owned(),
        None => format!("the latest found, not proven; at most {}", Nanos(worst.upper)),
    }
}

/// So many orders of some kernels.
fn orders(kernels: usize) -> String {
    let all = (2..=kernels as u128).try_fold(1_u128, |all, n| all.checked_mul(n));
    match all {
        Some(all) if all < 1_000_000_000_000 => people::grouped(all),
        Some(all) => people::scientific((all as f64).log10()),
        None => "".to_owned(),
    }
}

/// A step in the table: kernel, question, blocks placed, `f`, `t_a`, `g_f`, `h`.
pub fn step(analysis: &AnalysisReport, step: &StepReport) -> [String; 7] {
    let label = analysis.tasks.get(step.kernel).map_or(NONE, |task| task.label.as_str());
    let later = step.later.iter().take(MOST_PAIRS);
    let mut pairs: Vec<String> = later.map(|&(at, places)| format!("({}, {places})", Nanos(at))).collect();
    if step.later.len() > MOST_PAIRS {
        pairs.push("…".to_owned());
    }
    [
        label.to_owned(),
        format!("{} ≥ {}? {}", step.free, step.wanted, if step.enough { "yes" } else { "no" }),
        people::grouped(step.placed.into()),
        step.completion.map_or_else(|| NONE.to_owned(), |done| Nanos(done).to_string()),
        Nanos(step.next_at).to_string(),
        people::grouped(step.next_free.into()),
        if pairs.is_empty() { "{ }".to_owned() } else { format!("{{{}}}", pairs.join(", ")) },
    ]
}

/// A line of the closed form: kernel, then `t_a'`, `g_f'` and `f` as printed and as corrected.
pub fn formula(analysis: &AnalysisReport, line: &FormulaReport) -> [String; 7] {
    let label = analysis.tasks.get(line.kernel).map_or(NONE, |task| task.label.as_str());
    let (at, free, done) = line.printed;
    let (sound_at, sound_free, sound_done) = line.corrected;
    [
        label.to_owned(),
        half_time(at),
        half(free),
        half_time(done),
        Nanos(sound_at).to_string(),
        people::grouped(sound_free.into()),
        Nanos(sound_done).to_string(),
    ]
}

/// A number that may end in a half.
fn half(number: f64) -> String {
    let doubled = (number * 2.0).clamp(0.0, 1e15) as u64;
    let whole = people::grouped((doubled / 2).into());
    if doubled.is_multiple_of(2) { whole } else { format!("{whole}.5") }
}

/// A time that may end in half a nanosecond.
fn half_time(nanos: f64) -> String {
    if nanos.fract() == 0.0 { Nanos(nanos as u64).to_string() } else { format!("{} ns", half(nanos)) }
}

/// What is wrong with the printed formula at a kernel.
pub fn erratum(line: &FormulaReport) -> Option<&'static str> {
    Some(match line.erratum.as_deref()? {
        "exact-fit" => {
            "Erratum: it takes exactly the places that are free (g = g_f), and α is ½ instead of 0."
        }
        "whole-waves" => {
            "Erratum: what does not fit fills whole waves (g − g_f is a multiple of g_max), and one wave too many is counted."
        }
        _ if line.agrees => {
            "Its t_a and g_f are wrong since an earlier kernel; the completion is right by chance."
        }
        _ => "Wrong since an earlier kernel.",
    })
}

#[cfg(test)]
mod tests;
