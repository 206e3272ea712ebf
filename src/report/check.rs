//! What checking a measured run came to: every violation of a rule, with what was found and expected.

use serde::{Deserialize, Serialize};

/// What the check of a run found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct CheckReport {
    /// What the run is called.
    pub scenario: String,
    /// Always `blocks`.
    pub lab: String,
    /// How long the check took.
    pub seconds: f64,
    /// Whether it breaks no rule and is consistent.
    pub conforms: bool,
    /// The device it was held against.
    pub device: String,
    /// How the device is known.
    pub device_by: String,
    /// Nanoseconds by which times may differ and still be the same.
    pub tolerance: u64,
    /// How many kernels and blocks were looked at.
    pub kernels: usize,
    /// Blocks.
    pub blocks: usize,
    /// Everything that breaks a rule, in order of time.
    pub violations: Vec<ViolationReport>,
    /// What breaks no rule but could have gone otherwise.
    pub remarks: Vec<ViolationReport>,
    /// What the reader should know about how the logs were understood.
    pub warnings: Vec<String>,
}

/// Something found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ViolationReport {
    /// The rule, or the name of the inconsistency.
    pub rule: String,
    /// When, in nanoseconds of the run's axis.
    pub time: u64,
    /// The kernel it is about.
    pub kernel: String,
    /// The kernel's place in the report.
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
