//! The response-time analysis as a report tells it: assumptions, steps, closed form, worst launch orders.

use serde::{Deserialize, Serialize};

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
