//! What checking a measured run came to: every violation of a rule, with what was found and expected.

use serde::{Deserialize, Serialize};

use crate::import::examiner::align::Measured;
use crate::scenario::BlocksScenario;
use base::{Nanos, people};
use blocks::check::{CheckConfig, Checked, Finding, FindingKind, Processes, Remark, Violation, check};
use blocks::{Device, Rule, Setup, Subject};

/// What the check of a run found.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct CheckReport {
    /// What the run is called.
    pub scenario: String,
    /// Always `blocks`.
    pub lab: String,
    /// How long the check took.
    pub seconds: f64,
    /// Whether what could be looked at breaks no rule and does not contradict itself.
    pub conforms: bool,
    /// `conforms`, `conforms-as-far-as-recorded` where logs lack something, `contradicts-itself` or `violated`.
    #[serde(default)]
    pub verdict: String,
    /// The device it was held against.
    pub device: String,
    /// How the device is known.
    pub device_by: String,
    /// Nanoseconds by which times may differ and still be the same.
    pub tolerance: u64,
    /// Nanoseconds by which the clocks of host and device may differ on top of that.
    pub clocks: u64,
    /// Launches that were looked at.
    pub kernels: usize,
    /// Blocks that were looked at.
    pub blocks: usize,
    /// Launches that the logs speak of.
    #[serde(default)]
    pub recorded_kernels: usize,
    /// Blocks that the launches in the logs have.
    #[serde(default)]
    pub recorded_blocks: usize,
    /// Whether logs are cut off or broken, so that there were more launches than they speak of.
    #[serde(default)]
    pub cut: bool,
    /// The time of the logs, in nanoseconds, that is 0 here.
    #[serde(default)]
    pub begins: i64,
    /// Everything that breaks a rule, in order of time.
    pub violations: Vec<ViolationReport>,
    /// What the record itself lacks or contradicts, in order of time; `rule` is the name of what is wrong.
    pub inconsistencies: Vec<ViolationReport>,
    /// What breaks no rule but could have gone otherwise.
    pub remarks: Vec<ViolationReport>,
    /// How many more of each there are than are listed.
    pub left_out: usize,
    /// What the reader should know about how the logs were understood.
    pub warnings: Vec<String>,
}

/// Something found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ViolationReport {
    /// The rule, or the name of what is wrong.
    pub rule: String,
    /// When, in nanoseconds after the first thing measured.
    pub time: u64,
    /// The kernel it is about; empty where it is about none.
    pub kernel: String,
    /// The kernel's stream.
    pub stream: String,
    /// The launch it is about, by its place in the report.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub launch: Option<usize>,
    /// The block it is about, from 0.
    pub block: Option<u32>,
    /// What was found.
    pub found: String,
    /// What was expected.
    pub expected: String,
    /// Nanoseconds by which times may differ and still be the same.
    pub tolerance: u64,
}

/// Holds what was measured against the rules; none where nothing was.
pub fn check_report(title: &str, asked: &BlocksScenario) -> Option<CheckReport> {
    let measured = asked.measured.as_ref()?;
    let usual = CheckConfig::measured(&measured.trace);
    let config = CheckConfig {
        tolerance: asked.tolerance.unwrap_or(usual.tolerance),
        clocks: asked.clocks.unwrap_or(usual.clocks),
        returned: &measured.returned,
        behind_unseen: &measured.behind_unseen,
        synchronised: &measured.synchronised,
        processes: Processes::RemarkOverlaps,
        ..usual
    };
    let Judged { device, checked, notes } = judged(measured, &config);
    let written = Written { measured, device: &device, tolerance: config.tolerance };
    let mut report = written.report(title, &checked, config.clocks);
    report.warnings.extend(notes);
    report.warnings.extend(processes(measured, &checked));
    Some(report)
}

/// A run held against a device.
struct Judged {
    device: String,
    checked: Checked,
    notes: Vec<String>,
}

/// Checks a run. Where several devices may be the one it is from, what is told is broken on each of them: it is judged by
/// the one with the smallest limits that the run keeps, and the others are named.
fn judged(measured: &Measured, config: &CheckConfig) -> Judged {
    let on = |device: &Device| {
        check(&Setup { device: device.clone(), ..measured.setup.clone() }, &measured.trace, config)
    };
    let own = &measured.setup.device;
    let mut best = (own, check(&measured.setup, &measured.trace, config));
    let mut notes = Vec::new();
    for other in &measured.other_devices {
        let names = (&best.0.name, &other.name);
        if over_limits(&best.1) == 0 {
            notes.push(format!(
                "the logs may as well be of {}; the smaller limits of {} are kept, so the verdict is the same",
                names.1, names.0
            ));
            continue;
        }
        let checked = on(other);
        if over_limits(&checked) < over_limits(&best.1) {
            let broken = people::plural(over_limits(&best.1), "time", "times");
            notes.push(format!(
                "judged by the limits of {}; if the run was on {}, it goes over a limit of a multiprocessor (R1, R2, R3) {broken}: name the device",
                names.1, names.0
            ));
            best = (other, checked);
        }
    }
    Judged { device: best.0.name.clone(), checked: best.1, notes }
}

/// How often limits of multiprocessors are broken.
fn over_limits(checked: &Checked) -> usize {
    [Rule::R1, Rule::R2, Rule::R3].into_iter().map(|rule| checked.broken.get(rule)).sum()
}

/// That P1 is not judged, and what there is to say of it.
fn processes(measured: &Measured, checked: &Checked) -> Option<String> {
    let first = measured.setup.streams.first()?.process;
    measured.setup.streams.iter().find(|stream| stream.process != first)?;
    let what = "P1 is not judged: logs do not tell which process has the device";
    Some(match checked.overlaps.len() {
        0 => format!("{what}; no blocks of two processes overlap"),
        n => format!(
            "{what}; blocks of {} overlap with those of another process, which the rule allows only where the device stops \
             a process in the middle of its blocks (remarks name them)",
            people::counted(n, "kernel")
        ),
    })
}

/// What findings are written with.
struct Written<'a> {
    measured: &'a Measured,
    device: &'a str,
    tolerance: Nanos,
}

impl Written<'_> {
    fn report(&self, title: &str, checked: &Checked, clocks: Nanos) -> CheckReport {
        let broken = checked.findings.iter().filter(|finding| finding.kind == FindingKind::NoSuchSm);
        let mut violations: Vec<_> = checked.violations.iter().map(|found| self.violation(found)).collect();
        // There are no threads on an SM that is not there.
        violations.extend(broken.map(|finding| self.finding(finding, Rule::R2.name())));
        base::sort::sort_by_key(&mut violations, |violation| violation.time);
        let others = checked.findings.iter().filter(|finding| finding.kind != FindingKind::NoSuchSm);
        let inconsistencies: Vec<_> =
            others.map(|finding| self.finding(finding, finding.kind.name())).collect();
        let contradicts = checked.findings.iter().any(|finding| finding.kind != FindingKind::MissingBlocks);
        let mut remarks: Vec<_> = checked.remarks.iter().map(|remark| self.remark(remark)).collect();
        let overlaps = checked.overlaps.len();
        remarks.extend(checked.overlaps.iter().map(|found| self.violation(found)));
        base::sort::sort_by_key(&mut remarks, |remark| remark.time);
        let recorded = self.measured.recorded;
        let violated = !checked.conforms() || !violations.is_empty();
        let verdict = match (violated, contradicts, recorded.is_whole()) {
            (true, ..) => "violated",
            (_, true, _) => "contradicts-itself",
            (_, _, false) => "conforms-as-far-as-recorded",
            _ => "conforms",
        };
        let all = overlaps + checked.broken.sum() + checked.all_findings + checked.all_remarks;
        CheckReport {
            scenario: title.to_owned(),
            lab: "blocks".to_owned(),
            seconds: 0.0,
            conforms: !violated && !contradicts,
            verdict: verdict.to_owned(),
            device: self.device.to_owned(),
            device_by: self.measured.device_guess.clone().unwrap_or_else(|| "given".to_owned()),
            tolerance: self.tolerance.0,
            clocks: clocks.0,
            kernels: checked.examined.kernels,
            blocks: checked.examined.blocks,
            recorded_kernels: recorded.kernels[0],
            recorded_blocks: recorded.blocks[0],
            cut: recorded.cut,
            begins: self.measured.shift,
            left_out: all.saturating_sub(violations.len() + inconsistencies.len() + remarks.len()),
            violations,
            inconsistencies,
            remarks,
            warnings: self.measured.warnings.iter().map(ToString::to_string).collect(),
        }
    }

    fn violation(&self, violation: &Violation) -> ViolationReport {
        let about = self.about(Some(violation.subject), violation.block);
        ViolationReport {
            rule: violation.rule.name().to_owned(),
            time: violation.at.0,
            found: violation.found.clone(),
            expected: violation.expected.clone(),
            ..about
        }
    }

    fn finding(&self, finding: &Finding, rule: &str) -> ViolationReport {
        ViolationReport {
            rule: rule.to_owned(),
            time: finding.at.0,
            found: finding.found.clone(),
            expected: finding.expected.clone(),
            ..self.about(finding.subject, finding.block)
        }
    }

    fn remark(&self, remark: &Remark) -> ViolationReport {
        ViolationReport {
            rule: "late".to_owned(),
            time: remark.at.0,
            found: remark.text.clone(),
            ..self.about(Some(remark.subject), remark.block)
        }
    }

    /// What something is about, and nothing found yet.
    fn about(&self, subject: Option<Subject>, block: Option<u32>) -> ViolationReport {
        let (setup, trace) = (&self.measured.setup, &self.measured.trace);
        let run = match subject {
            Some(Subject::Kernel(launch)) => trace.kernels.get(launch),
            _ => None,
        };
        let launch = match subject {
            Some(Subject::Kernel(launch)) => Some(launch),
            _ => None,
        };
        let kernel = run.and_then(|run| setup.kernels.get(run.kernel));
        let stream = run.and_then(|run| setup.streams.get(run.stream));
        ViolationReport {
            rule: String::new(),
            time: 0,
            kernel: kernel.map_or_else(String::new, |kernel| kernel.label.clone()),
            stream: stream.map_or_else(String::new, |stream| stream.label.clone()),
            launch,
            block,
            found: String::new(),
            expected: String::new(),
            tolerance: self.tolerance.0,
        }
    }
}
