//! The report of a blocks scenario: what ran when and where, why it waited, and what the analysis says.
//!
//! All times are whole nanoseconds. The page makes its picture of this alone, so it holds the device and the
//! streams as well; [`picture`] turns it back into the model's own terms.

mod kernels;
mod picture;

use serde::{Deserialize, Serialize};

use kit::import::json;
use kit::report::{Told, micro};

pub use kernels::Named;
pub use picture::{Pictured, picture};

use crate::report::analysis::{self, AnalysisReport, Completion, Published, WorstOrders};
use crate::report::check_report;
use crate::scenario::{BlocksReference as Reference, BlocksScenario, MOST_BLOCKS_EVER};
use base::{Nanos, people};
use blocks::analysis::Worst;
use blocks::sim::{MOST_SLICES, MOST_STEPS};
use blocks::{Device, Run, Stop, Workload};
use kit::scenario::Scenario;

/// What came of a blocks scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BlocksReport {
    /// The scenario's title.
    pub scenario: String,
    /// Always `blocks`.
    pub lab: String,
    /// How long the computation took.
    pub seconds: f64,
    /// The device.
    pub device: DeviceReport,
    /// The streams.
    pub streams: Vec<StreamReport>,
    /// When the last thing ended.
    pub end: u64,
    /// Why the simulation ended: `done`, `too-many-blocks`, `too-many-steps`, `too-many-slices`, `stuck` or `cancelled`; none where nothing was simulated.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stop: Option<String>,
    /// The launches of kernels, in the order in which they were launched.
    pub kernels: Vec<KernelReport>,
    /// The copies, in the order in which they were issued.
    pub copies: Vec<CopyReport>,
    /// Which process had the device when, where there are several: process, start, end.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub slices: Vec<(u32, u64, u64)>,
    /// What was decided about which operation: when, about which, what, and by which rules.
    pub decisions: Vec<(u64, u32, String, String)>,
    /// How many further decisions are left out.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub decisions_left_out: usize,
    /// What the reader should know about how the document was understood.
    pub warnings: Vec<String>,
    /// When each kernel completes by the analysis, in launch order, where its assumptions hold.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub response: Option<Vec<Completion>>,
    /// The launch order that is worst for each kernel, where the analysis' assumptions hold.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub worst_order: Option<WorstOrders>,
    /// The analysis in full, and which of its assumptions hold.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub analysis: Option<AnalysisReport>,
    /// Published completion times beside ours.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub references: Vec<Published>,
    /// What was measured, and whether it keeps the rules.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub measured: Option<MeasuredReport>,
    /// What the simulation takes for granted.
    pub assumptions: Vec<String>,
}

/// A device.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct DeviceReport {
    /// What people call it.
    pub name: String,
    /// Streaming multiprocessors.
    pub sms: u16,
    /// Threads of one of them at the most.
    pub threads: u32,
    /// Blocks of one of them at the most.
    pub blocks: u32,
    /// Shared memory of one of them in bytes.
    pub shared_memory: u32,
    /// Registers of one of them.
    pub registers: u32,
    /// Threads of one block at the most.
    pub threads_per_block: u32,
    /// Shared memory of one block in bytes at the most.
    pub shared_memory_per_block: u32,
    /// Threads are handed out in multiples of this.
    pub thread_granularity: u32,
    /// Multiprocessors of one texture processing cluster.
    pub sms_per_tpc: u16,
    /// Copy engines.
    pub copy_engines: u16,
}

/// A stream.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StreamReport {
    /// What people call it.
    pub label: String,
    /// The lower, the more urgent.
    pub priority: i32,
    /// `blocking`, `non-blocking` or `null`.
    pub kind: String,
    /// The process it belongs to.
    pub process: u32,
}

/// A launch of a kernel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KernelReport {
    /// What people call the kernel.
    pub label: String,
    /// The label of its stream.
    pub stream: String,
    /// The number of its stream, from 0.
    pub stream_number: usize,
    /// Its place in the order of all operations, from 0.
    pub operation: u32,
    /// The round in which it was launched, from 1.
    pub round: u32,
    /// Threads of a block.
    pub threads: u32,
    /// Shared memory of a block in bytes.
    pub shared_memory: u32,
    /// Registers of a thread; 0 where nothing is known of them.
    pub registers: u32,
    /// Blocks of its grid.
    pub grid: u32,
    /// Its deadline after its launch.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub deadline: Option<u64>,
    /// The multiprocessors it may use, where not all.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sms: Option<Vec<u16>>,
    /// When it was launched.
    pub launched: u64,
    /// When it entered the execution queue.
    pub queued: u64,
    /// When its first block started.
    pub start: u64,
    /// When its last block started.
    pub dispatched: u64,
    /// When its last block ended.
    pub end: u64,
    /// What held it back: from, to, rule, and why.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub held: Vec<(u64, u64, String, String)>,
    /// Its blocks, in the order of their numbers: multiprocessor, start, end.
    pub blocks: Vec<(u16, u64, u64)>,
}

/// A copy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CopyReport {
    /// What people call it.
    pub label: String,
    /// The label of its stream.
    pub stream: String,
    /// The number of its stream, from 0.
    pub stream_number: usize,
    /// Its place in the order of all operations, from 0.
    pub operation: u32,
    /// The round in which it was issued, from 1.
    pub round: u32,
    /// `in`, `out`, `within` or `set`.
    pub direction: String,
    /// How much of it.
    pub bytes: u64,
    /// The engine it ran on, from 0.
    pub engine: u16,
    /// When it was issued.
    pub launched: u64,
    /// When it entered the copy queue.
    pub queued: u64,
    /// When it started.
    pub start: u64,
    /// When it was done.
    pub end: u64,
    /// What held it back: from, to, rule, and why.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub held: Vec<(u64, u64, String, String)>,
}

/// What was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeasuredReport {
    /// The device, given or guessed.
    pub device: DeviceReport,
    /// How the device is known.
    pub device_by: String,
    /// The streams: one for each log.
    pub streams: Vec<StreamReport>,
    /// When the last thing ended, after the first.
    pub end: u64,
    /// The launches of kernels.
    pub kernels: Vec<KernelReport>,
    /// What the check found.
    pub check: super::CheckReport,
}

impl From<&Device> for DeviceReport {
    fn from(device: &Device) -> Self {
        Self {
            name: device.name.clone(),
            sms: device.sms,
            threads: device.threads_per_sm,
            blocks: device.blocks_per_sm,
            shared_memory: device.shared_memory_per_sm,
            registers: device.registers_per_sm,
            threads_per_block: device.threads_per_block,
            shared_memory_per_block: device.shared_memory_per_block,
            thread_granularity: device.thread_granularity,
            sms_per_tpc: device.sms_per_tpc,
            copy_engines: device.copy_engines,
        }
    }
}

/// What the simulation takes for granted; reports and the page show these.
pub const ASSUMPTIONS: [&str; 5] = [
    "Issuing an operation takes no time, and neither does assigning a block.",
    "Blocks take as long as the document says, whatever runs beside them.",
    "Which multiprocessor a block goes to is not documented for hardware; the placement rule is a choice.",
    "Copies take as long as their bytes at the device's rate, whatever runs beside them.",
    "Programs that act at the same time act in the order of the document.",
];

/// The report of a run.
///
/// `worst` is what is known of the worst launch orders, where the analysis' assumptions hold.
pub fn blocks_report(
    scenario: &Scenario,
    asked: &BlocksScenario,
    run: Option<&Run>,
    worst: Option<&[Worst]>,
) -> BlocksReport {
    let mut report = BlocksReport {
        scenario: scenario.title.clone(),
        lab: "blocks".to_owned(),
        seconds: 0.0,
        device: asked.device().map(DeviceReport::from).unwrap_or_default(),
        streams: Vec::new(),
        end: 0,
        stop: None,
        kernels: Vec::new(),
        copies: Vec::new(),
        slices: Vec::new(),
        decisions: Vec::new(),
        decisions_left_out: 0,
        warnings: asked.warnings.iter().map(ToString::to_string).collect(),
        response: None,
        worst_order: None,
        analysis: None,
        references: Vec::new(),
        measured: None,
        assumptions: ASSUMPTIONS.map(str::to_owned).to_vec(),
    };
    if let (Some(workload), Some(run)) = (&asked.workload, run) {
        let setup = &workload.setup;
        report.streams = kernels::stream_reports(setup);
        (report.kernels, report.copies) = kernels::kernel_reports(setup, &run.trace, &run.decisions);
        let decisions = kernels::decision_reports(setup, &run.trace, &run.decisions);
        (report.decisions, report.decisions_left_out) = decisions;
        report.end = run.trace.end.0;
        report.stop = Some(stop_name(run.stop).to_owned());
        report.warnings.extend(cut(workload, run));
        report.slices =
            run.trace.slices.iter().map(|slice| (slice.process, slice.start.0, slice.end.0)).collect();
        analysis::add(&mut report, workload, &run.trace, worst);
    }
    if let (Some(measured), Some(check)) = (&asked.measured, check_report(&scenario.title, asked)) {
        let setup = &measured.setup;
        report.measured = Some(MeasuredReport {
            device: DeviceReport::from(measured.device_named(&check.device)),
            device_by: check.device_by.clone(),
            streams: kernels::stream_reports(setup),
            end: measured.trace.end.0,
            kernels: kernels::kernel_reports(setup, &measured.trace, &[]).0,
            check,
        });
    }
    report.references = asked.references.iter().map(|reference| published(&report, reference)).collect();
    report
}

/// A published completion time beside those of the report.
fn published(report: &BlocksReport, reference: &Reference) -> Published {
    let simulated = report.kernels.iter().find(|run| run.label == reference.kernel).map(|run| run.end);
    let response = report.response.iter().flatten();
    let analysed = response.clone().find(|done| done.label == reference.kernel).map(|done| done.completion);
    let published = reference.completion.0;
    let ours = [simulated, analysed];
    Published {
        kernel: reference.kernel.clone(),
        published,
        source: reference.source.clone(),
        simulated,
        analysed,
        agrees: ours.iter().flatten().all(|&ours| ours == published) && ours.iter().any(Option::is_some),
    }
}

/// What begins a warning that a run is cut.
const CUT: &str = "the run is cut";

/// The warnings of a report that tell of a cut.
pub fn cut_warnings(report: &BlocksReport) -> impl Iterator<Item = &String> {
    report.warnings.iter().filter(|warning| warning.starts_with(CUT))
}

/// That a simulation did not come to the end of its programs, and what limits it.
fn cut(workload: &Workload, run: &Run) -> Option<String> {
    let most = |number: u64| people::grouped(number.into());
    let why = match run.stop {
        Stop::Done => return None,
        Stop::TooManyBlocks => format!(
            "one more launch would make more than {} blocks, or more than so many copies (\"most_blocks\" of the document, {} at the most)",
            most(workload.most_blocks),
            most(MOST_BLOCKS_EVER)
        ),
        Stop::TooManySteps(at) => format!(
            "at {at} the programs had taken {} steps without launching or copying enough to need them",
            most(MOST_STEPS)
        ),
        Stop::TooManySlices(at) => format!(
            "by {at} the device had gone from one process to another {} times; a longer quantum in \"time_slice\" makes them fewer",
            most(MOST_SLICES as u64)
        ),
        Stop::Stuck(at) => format!(
            "at {at} something could not go on, or only after {}: later than times are counted",
            Nanos::NEVER
        ),
        Stop::Cancelled(at) => format!("it was stopped at {at}"),
    };
    let rest = match run.stop {
        Stop::TooManyBlocks | Stop::TooManySteps(_) => "what was launched before that is all there is",
        _ => "what had not ended by then is left out",
    };
    Some(format!("{CUT}: {why}; {rest}"))
}

/// Why a simulation ended, as reports write it.
pub fn stop_name(stop: Stop) -> &'static str {
    match stop {
        Stop::Done => "done",
        Stop::TooManyBlocks => "too-many-blocks",
        Stop::TooManySteps(_) => "too-many-steps",
        Stop::TooManySlices(_) => "too-many-slices",
        Stop::Stuck(_) => "stuck",
        Stop::Cancelled(_) => "cancelled",
    }
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Told for BlocksReport {
    fn line(&self) -> String {
        json::line(self)
    }

    fn note(&mut self, text: String) {
        self.warnings.insert(0, text);
    }

    fn took(&mut self, seconds: f64) {
        self.seconds = micro(seconds);
    }
}
