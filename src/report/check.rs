//! What checking a measured run came to: every violation of a rule, with what was found and expected.

use serde::{Deserialize, Serialize};

use crate::base::Nanos;
use crate::blocks::check::{CheckConfig, Checked, Finding, FindingKind, Remark, Violation, check};
use crate::blocks::{Rule, Subject};
use crate::import::examiner::align::Measured;
use crate::scenario::BlocksScenario;

/// What the check of a run found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckReport {
    /// What the run is called.
    pub scenario: String,
    /// Always `blocks`.
    pub lab: String,
    /// How long the check took.
    pub seconds: f64,
    /// Whether it breaks no rule and does not contradict itself.
    pub conforms: bool,
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
    let mut config = CheckConfig {
        returned: &measured.returned,
        synchronised: &measured.synchronised,
        ..CheckConfig::measured(&measured.trace)
    };
    // Whoever says how exact times are means all of them.
    if let Some(tolerance) = asked.tolerance {
        (config.tolerance, config.clocks) = (tolerance, Nanos::ZERO);
    }
    let checked = check(&measured.setup, &measured.trace, &config);
    Some(Written { measured, tolerance: config.tolerance }.report(title, &checked, config.clocks))
}

/// What findings are written with.
struct Written<'a> {
    measured: &'a Measured,
    tolerance: Nanos,
}

impl Written<'_> {
    fn report(&self, title: &str, checked: &Checked, clocks: Nanos) -> CheckReport {
        let broken = checked.findings.iter().filter(|finding| finding.kind == FindingKind::NoSuchSm);
        let mut violations: Vec<_> = checked.violations.iter().map(|found| self.violation(found)).collect();
        // There are no threads on an SM that is not there.
        violations.extend(broken.map(|finding| self.finding(finding, Rule::R2.name())));
        violations.sort_by_key(|violation| violation.time);
        let others = checked.findings.iter().filter(|finding| finding.kind != FindingKind::NoSuchSm);
        let inconsistencies: Vec<_> =
            others.map(|finding| self.finding(finding, finding.kind.name())).collect();
        let contradicts = checked.findings.iter().any(|finding| finding.kind != FindingKind::MissingBlocks);
        let remarks: Vec<_> = checked.remarks.iter().map(|remark| self.remark(remark)).collect();
        let all = checked.broken.sum() + checked.all_findings + checked.all_remarks;
        CheckReport {
            scenario: title.to_owned(),
            lab: "blocks".to_owned(),
            seconds: 0.0,
            conforms: checked.conforms() && violations.is_empty() && !contradicts,
            device: self.measured.setup.device.name.clone(),
            device_by: self.measured.device_guess.clone().unwrap_or_else(|| "given".to_owned()),
            tolerance: self.tolerance.0,
            clocks: clocks.0,
            kernels: checked.examined.kernels,
            blocks: checked.examined.blocks,
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
