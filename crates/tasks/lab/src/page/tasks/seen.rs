//! A result as the panel shows it: a set with its verdict, or an experiment.

use crate::report::tasks::{ExperimentReport, TasksReport};
use kit::import::json;

/// What a worker told, read back.
#[derive(Debug, Clone, PartialEq)]
pub enum Seen {
    /// A set of tasks.
    Set(Box<TasksReport>),
    /// An experiment.
    Experiment(Box<ExperimentReport>),
}

impl Seen {
    /// A line of JSON read back; none where it is no report of this lab.
    pub fn new(line: &str) -> Option<Self> {
        let tree = json::parse(line).ok()?;
        if tree.get("experiment").is_some() {
            return serde_json::from_value(tree).ok().map(|report| Self::Experiment(Box::new(report)));
        }
        serde_json::from_value(tree).ok().map(|report| Self::Set(Box::new(report)))
    }

    /// The result of a set.
    pub fn set(&self) -> Option<&TasksReport> {
        match self {
            Self::Set(report) => Some(report),
            Self::Experiment(_) => None,
        }
    }
}
