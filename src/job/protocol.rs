//! What page and worker say to each other: one closed enum each way, a job id in every message.
//!
//! The worker speaks first: `Ready` with its build id. Reports travel as their line of JSON, so a large one
//! crosses as one string.

use serde::{Deserialize, Serialize};

use super::Progress;
use crate::base::{Problem, StopReason};

/// From the page to a worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToWorker {
    /// Run this scenario.
    Start {
        /// The id every answer carries.
        job: u32,
        /// The scenario document.
        text: String,
    },
    /// Stop that job and give what there is.
    Cancel {
        /// Which job.
        job: u32,
    },
}

/// From a worker to the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FromWorker {
    /// The worker is up.
    Ready {
        /// Which build it is of.
        build: String,
    },
    /// The job goes on.
    Progress {
        /// Which job.
        job: u32,
        /// How far it is.
        progress: Progress,
    },
    /// The job is over.
    Done {
        /// Which job.
        job: u32,
        /// Why it ended.
        reason: StopReason,
        /// The report line; none where the job was stopped before it had anything.
        report: Option<String>,
    },
    /// The scenario is no scenario.
    Refused {
        /// Which job.
        job: u32,
        /// What is wrong with it.
        problems: Vec<Problem>,
    },
}

impl FromWorker {
    /// The job a message is about.
    pub fn job(&self) -> Option<u32> {
        match self {
            FromWorker::Ready { .. } => None,
            FromWorker::Progress { job, .. }
            | FromWorker::Done { job, .. }
            | FromWorker::Refused { job, .. } => Some(*job),
        }
    }
}
