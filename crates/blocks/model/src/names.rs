//! What people call the operations of a run: their label, and which launch it is where there are several.

use std::collections::BTreeMap;

use super::trace::{OpId, Subject, Trace};
use super::workload::Setup;

/// The names of all operations of a run.
#[derive(Debug, Clone)]
pub struct Names<'a> {
    setup: &'a Setup,
    trace: &'a Trace,
    kernels: Vec<u32>,
    copies: Vec<u32>,
}

impl<'a> Names<'a> {
    /// Counts who has which label.
    pub fn new(setup: &'a Setup, trace: &'a Trace) -> Self {
        let kernels = trace.kernels.iter().map(|run| labelled(kernel_label(setup, run.kernel), run.kernel));
        let copies = trace.copies.iter().map(|run| labelled(copy_label(setup, run.copy), run.copy));
        Self { setup, trace, kernels: ordinals(kernels), copies: ordinals(copies) }
    }

    /// `K2`, or `K2 (launch 3)` where that label was launched several times.
    pub fn kernel(&self, run: usize) -> String {
        let Some(launch) = self.trace.kernels.get(run) else { return format!("kernel {run}") };
        numbered(
            kernel_label(self.setup, launch.kernel),
            "kernel",
            launch.kernel,
            "launch",
            self.kernels[run],
        )
    }

    /// `Copy in`, or `Copy in (copy 3)` where that label was issued several times.
    pub fn copy(&self, run: usize) -> String {
        let Some(copy) = self.trace.copies.get(run) else { return format!("copy {run}") };
        numbered(copy_label(self.setup, copy.copy), "copy", copy.copy, "copy", self.copies[run])
    }

    /// The name of a launch or a copy.
    pub fn subject(&self, subject: Subject) -> String {
        match subject {
            Subject::Kernel(run) => self.kernel(run),
            Subject::Copy(run) => self.copy(run),
        }
    }

    /// The name of an operation.
    pub fn op(&self, op: OpId) -> String {
        self.trace.subject(op).map_or_else(|| format!("operation {}", op.0), |subject| self.subject(subject))
    }
}

fn kernel_label(setup: &Setup, index: usize) -> &str {
    setup.kernels.get(index).map_or("", |kernel| kernel.label.as_str())
}

fn copy_label(setup: &Setup, index: usize) -> &str {
    setup.copies.get(index).map_or("", |copy| copy.label.as_str())
}

/// What is counted together: the same label, or without one the same thing.
fn labelled(label: &str, index: usize) -> (&str, usize) {
    if label.is_empty() { (label, index) } else { (label, 0) }
}

fn numbered(label: &str, thing: &str, index: usize, launch: &str, ordinal: u32) -> String {
    match (label, ordinal) {
        ("", 0) => format!("{thing} {index}"),
        ("", n) => format!("{thing} {index} ({launch} {n})"),
        (label, 0) => label.to_owned(),
        (label, n) => format!("{label} ({launch} {n})"),
    }
}

/// Counts each label from 1; 0 for those that occur once.
fn ordinals<'l>(labels: impl Iterator<Item = (&'l str, usize)> + Clone) -> Vec<u32> {
    let mut seen = BTreeMap::<(&str, usize), (u32, u32)>::new();
    for label in labels.clone() {
        seen.entry(label).or_default().0 += 1;
    }
    let number = |label| {
        let (all, so_far) = seen.entry(label).or_default();
        *so_far += 1;
        if *all == 1 { 0 } else { *so_far }
    };
    labels.map(number).collect()
}
