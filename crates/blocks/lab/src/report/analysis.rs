//! The response-time analysis as a report tells it: assumptions, steps, closed form, worst launch orders.

use serde::{Deserialize, Serialize};

use super::BlocksReport;
use base::Nanos;
use blocks::analysis::closed_form::{Erratum, Halves, Line};
use blocks::analysis::launches::Launch;
use blocks::analysis::orders::Kept;
use blocks::analysis::response::{Step, Table};
use blocks::analysis::{
    Assumption, Basis, Case, Examined, Holds, Proven, Response, Task, Worst, closed_form, examine, response,
    utilisation,
};
use blocks::{Action, Durations, Kernel, Program, Trace, Workload};

/// Kernels that are listed at the most where they are not analysed.
const MOST_TASKS: usize = 1_000;

/// When a kernel completes by the analysis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Completion {
    /// The kernel.
    pub label: String,
    /// When it completes, in nanoseconds.
    pub completion: u64,
    /// Its deadline, where it has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub deadline: Option<u64>,
    /// Whether it meets that.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub meets: Option<bool>,
}

/// A published completion time beside ours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Published {
    /// The kernel.
    pub kernel: String,
    /// When it completes as published.
    pub published: u64,
    /// Where.
    pub source: String,
    /// When it completes in the simulation; none where there is no such kernel.
    pub simulated: Option<u64>,
    /// When it completes by the analysis, where its assumptions hold.
    pub analysed: Option<u64>,
    /// Whether ours are the published one.
    pub agrees: bool,
}

/// The launch order that is worst for each kernel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorstOrders {
    /// Whether every worst case is proven.
    pub exact: bool,
    /// One for each kernel, in the document's order.
    pub kernels: Vec<WorstOrder>,
}

/// The launch order that is worst for a kernel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorstOrder {
    /// The kernel.
    pub label: String,
    /// When it completes then: no order found makes it later.
    pub completion: u64,
    /// No order makes it later than this, proven.
    pub upper: u64,
    /// What proves it: `all orders`, `bound`, or nothing.
    pub proof: Option<String>,
    /// The order.
    pub order: Vec<String>,
    /// The same as places in the document's list of streams or benchmarks, from 0; none where they do not stand there
    /// one by one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub places: Option<Vec<usize>>,
    /// When each kernel completes in that order.
    pub completions: Vec<u64>,
    /// Whether the kernel meets its deadline then.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub meets: Option<bool>,
}

/// The analysis in full.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnalysisReport {
    /// What it takes for granted, and whether that holds here.
    pub assumptions: Vec<AssumptionReport>,
    /// The kernels: in launch order where the assumptions hold, else in the document's order.
    pub tasks: Vec<TaskReport>,
    /// What they ask of the device together, where any has a period.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub utilisation: Option<UtilisationReport>,
    /// What is known where the assumptions hold.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub order: Option<OrderReport>,
}

/// Something taken for granted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AssumptionReport {
    /// Its name.
    pub name: String,
    /// What it says.
    pub sentence: String,
    /// Whether it holds.
    pub holds: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub why: Option<String>,
}

/// A kernel as the analysis sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskReport {
    /// The kernel.
    pub label: String,
    /// C: how long each of its blocks takes; none where they differ.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub time: Option<u64>,
    /// g: its blocks.
    pub blocks: u32,
    /// b: threads of a block.
    pub threads: u32,
    /// T: the separation of its releases, where it has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub period: Option<u64>,
    /// Its deadline after its launch: its period where it has no other.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub deadline: Option<u64>,
    /// u: threads it keeps busy on average, where it has a period.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub utilisation: Option<f64>,
    /// The longest time from a launch to its completion in the simulation, where it was launched.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub simulated: Option<u64>,
}

/// What kernels ask of the device together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UtilisationReport {
    /// U: the sum of their utilisations, in threads.
    pub total: f64,
    /// That as a share of all threads of the device.
    pub share: f64,
    /// Kernels that have no period and are not in the sum.
    pub without_period: usize,
}

/// The analysis of the launch order of the document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OrderReport {
    /// g_max: blocks that the device holds at a time.
    pub places: u32,
    /// What that number rests on: `published` where blocks are alike and only threads limit, else `general`.
    pub basis: String,
    /// Algorithm 2, step by step.
    pub steps: Vec<StepReport>,
    /// Whether further steps are left out.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub steps_cut: bool,
    /// The formula for kernels of equal time, kernel by kernel; none where their times differ.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub closed_form: Vec<FormulaReport>,
}

/// A step of Algorithm 2.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepReport {
    /// The kernel, by its place in the list.
    pub kernel: usize,
    /// g_i: blocks it still has to start.
    pub wanted: u32,
    /// t_a before: when the next block can start.
    pub at: u64,
    /// g_f before: how many blocks can start then.
    pub free: u32,
    /// Whether g_f >= g_i.
    pub enough: bool,
    /// Blocks that start.
    pub placed: u32,
    /// f_i: the completion, where these were the last blocks.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub completion: Option<u64>,
    /// t_a after.
    pub next_at: u64,
    /// g_f after.
    pub next_free: u32,
    /// h after: later times and how many places become free at each.
    pub later: Vec<(u64, u32)>,
}

/// The formula for kernels of equal time, as printed and as corrected.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FormulaReport {
    /// The kernel, by its place in the list.
    pub kernel: usize,
    /// t_a', g_f' and f_i as printed; halves occur where it is wrong.
    pub printed: (f64, f64, f64),
    /// The same as corrected.
    pub corrected: (u64, u32, u64),
    /// What is wrong with the printed one: `exact-fit`, `whole-waves` or `inherited`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub erratum: Option<String>,
    /// Whether both say the same completion.
    pub agrees: bool,
}

/// Adds everything the analysis says to a report of a simulation.
pub(super) fn add(report: &mut BlocksReport, workload: &Workload, trace: &Trace, worst: Option<&[Worst]>) {
    let examined = examine(workload);
    if let Some(case) = &examined.case {
        let response = response(&case.tasks, case.places.all());
        report.response = Some(completions(case, &response));
        report.worst_order = worst.map(|worst| worst_orders(workload, case, worst));
    }
    report.analysis = Some(AnalysisReport::of(workload, trace, &examined));
}

fn completions(case: &Case, response: &Response) -> Vec<Completion> {
    let tasks = case.tasks.iter().zip(&response.completions);
    let completion = |(task, done): (&Task, &Nanos)| Completion {
        label: task.label.clone(),
        completion: done.0,
        deadline: task.deadline.map(|deadline| deadline.0),
        meets: task.meets(*done),
    };
    tasks.map(completion).collect()
}

fn worst_orders(workload: &Workload, case: &Case, worst: &[Worst]) -> WorstOrders {
    let programs = programs(workload, case);
    let order = |(task, worst): (&Task, &Worst)| WorstOrder {
        label: task.label.clone(),
        completion: worst.completion.0,
        upper: worst.upper.0,
        proof: match worst.proof {
            Proven::AllOrders => Some("all orders".to_owned()),
            Proven::Bound => Some("bound".to_owned()),
            Proven::NotProven => None,
        },
        order: worst.order.iter().filter_map(|&which| Some(case.tasks.get(which)?.label.clone())).collect(),
        places: programs
            .as_ref()
            .and_then(|programs| places(programs, &worst.order, workload.programs.len())),
        completions: worst.completions.iter().map(|done| done.0).collect(),
        meets: match worst.deadline(task) {
            Kept::Always => Some(true),
            Kept::NotAlways => Some(false),
            Kept::NoDeadline | Kept::Open => None,
        },
    };
    let kernels: Vec<WorstOrder> = case.tasks.iter().zip(worst).map(order).collect();
    WorstOrders { exact: kernels.iter().all(|kernel| kernel.proof.is_some()), kernels }
}

/// The program that launches each kernel of a case; none where their order is not that of the document.
fn programs(workload: &Workload, case: &Case) -> Option<Vec<usize>> {
    let first = workload.programs.first()?.repeat.lockstep;
    if workload.programs.iter().any(|program| program.repeat.lockstep != first) {
        return None; // those in lockstep come after all others
    }
    let launches = |program: &Program, launch: &Launch| {
        let own = Action::Launch { stream: launch.stream, kernel: launch.kernel };
        program.repeat.body.contains(&own)
    };
    let program = |launch: &Launch| workload.programs.iter().position(|program| launches(program, launch));
    let programs: Vec<usize> = case.launches.iter().map(program).collect::<Option<_>>()?;
    // One that launches several has them in an order of its own.
    (0..programs.len()).all(|i| !programs[..i].contains(&programs[i])).then_some(programs)
}

/// A launch order as an order of all programs; those that launch nothing stay where they are.
fn places(programs: &[usize], order: &[usize], all: usize) -> Option<Vec<usize>> {
    let mut places: Vec<usize> = (0..all).collect();
    let mut free = programs.to_vec();
    base::sort::sort(&mut free);
    for (place, &which) in free.into_iter().zip(order) {
        *places.get_mut(place)? = *programs.get(which)?;
    }
    Some(places)
}

impl AnalysisReport {
    fn of(workload: &Workload, trace: &Trace, examined: &Examined) -> Self {
        let setup = &workload.setup;
        let kernels: Vec<usize> = match &examined.case {
            Some(case) => case.launches.iter().map(|launch| launch.kernel).collect(),
            None => (0..setup.kernels.len().min(MOST_TASKS)).collect(),
        };
        let mut simulated = vec![None; setup.kernels.len()];
        for run in &trace.kernels {
            let took = Some(run.end.since(run.launched).0);
            if let Some(slot) = simulated.get_mut(run.kernel) {
                *slot = took.max(*slot);
            }
        }
        let of = |&index: &usize| Some(task_report(setup.kernels.get(index)?, simulated[index]));
        let tasks: Vec<Task> =
            kernels.iter().filter_map(|&index| setup.kernels.get(index)).map(Task::of).collect();
        let together = utilisation(&tasks, setup.device.threads());
        Self {
            assumptions: examined.assumptions.iter().map(AssumptionReport::from).collect(),
            tasks: kernels.iter().filter_map(of).collect(),
            utilisation: together.map(|all| UtilisationReport {
                total: all.total,
                share: all.share,
                without_period: all.without_period,
            }),
            order: examined.case.as_ref().map(OrderReport::of),
        }
    }
}

fn task_report(kernel: &Kernel, simulated: Option<u64>) -> TaskReport {
    let task = Task::of(kernel);
    let alike = match &kernel.duration {
        Durations::Same(_) => true,
        Durations::Each(each) => each.windows(2).all(|pair| pair[0] == pair[1]),
    };
    TaskReport {
        time: alike.then_some(task.time.0),
        blocks: task.blocks,
        threads: task.threads,
        period: task.period.map(|period| period.0),
        deadline: task.deadline.map(|deadline| deadline.0),
        utilisation: task.utilisation().filter(|_| alike),
        simulated,
        label: task.label,
    }
}

impl From<&Assumption> for AssumptionReport {
    fn from(assumption: &Assumption) -> Self {
        let why = match &assumption.holds {
            Holds::Yes => None,
            Holds::No(why) => Some(why.clone()),
        };
        Self {
            name: assumption.name.to_owned(),
            sentence: assumption.sentence.to_owned(),
            holds: why.is_none(),
            why,
        }
    }
}

impl OrderReport {
    fn of(case: &Case) -> Self {
        let places = case.places.all();
        let response = response(&case.tasks, places);
        let lines = closed_form(&case.tasks, places).unwrap_or_default();
        Self {
            places,
            basis: match case.places.basis {
                Basis::Published => "published".to_owned(),
                Basis::General => "general".to_owned(),
            },
            steps: response.steps.iter().map(StepReport::from).collect(),
            steps_cut: response.table == Table::Beginning,
            closed_form: lines.iter().enumerate().map(FormulaReport::of).collect(),
        }
    }
}

impl From<&Step> for StepReport {
    fn from(step: &Step) -> Self {
        Self {
            kernel: step.kernel,
            wanted: step.wanted,
            at: step.at.0,
            free: step.free,
            enough: step.free >= step.wanted,
            placed: step.placed,
            completion: step.completion.map(|done| done.0),
            next_at: step.after.at.0,
            next_free: step.after.free,
            later: step.after.later.iter().map(|&(at, places)| (at.0, places)).collect(),
        }
    }
}

impl FormulaReport {
    fn of((kernel, line): (usize, &Line)) -> Self {
        let number = |halves: Halves| halves.0 as f64 / 2.0;
        let (printed, corrected) = (&line.printed, &line.corrected);
        Self {
            kernel,
            printed: (number(printed.at), number(printed.free), number(printed.completion)),
            corrected: (corrected.at.0, corrected.free, corrected.completion.0),
            erratum: match line.erratum {
                Erratum::None => None,
                Erratum::ExactFit => Some("exact-fit".to_owned()),
                Erratum::WholeWaves => Some("whole-waves".to_owned()),
                Erratum::Inherited => Some("inherited".to_owned()),
            },
            agrees: line.agrees(),
        }
    }
}
