//! What page and worker say to each other: one closed enum each way, a job id in every message.
//!
//! The worker speaks first: `Ready` with its build id. Reports travel as their line of JSON, so a large one
//! crosses as one string.

use serde::{Deserialize, Serialize};

use base::{Problem, StopReason};
use kit::job::Progress;
use study_lab::Asked;
use warps_lab::job::anneal::ChainState;

/// From the page to a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToWorker {
    /// Run this scenario.
    Start {
        /// The id every answer carries.
        job: u32,
        /// The scenario document.
        text: String,
    },
    /// Run this scenario and write the certificate of its result.
    Certify {
        /// The id every answer carries.
        job: u32,
        /// The scenario document.
        text: String,
    },
    /// Say whether this is a scenario.
    Check {
        /// The id every answer carries.
        job: u32,
        /// The scenario document.
        text: String,
    },
    /// Advance one chain of this scenario for a while.
    Chain {
        /// The id every answer carries.
        job: u32,
        /// The scenario document.
        text: String,
        /// Which of its chains, from 0.
        chain: usize,
        /// Where the chain is; none at its start.
        from: Option<ChainState>,
        /// The iteration to stop after.
        until: u64,
        /// How long to go on, in milliseconds.
        milliseconds: f64,
    },
    /// Do something of the study in this document.
    Study {
        /// The id every answer carries.
        job: u32,
        /// The document.
        text: String,
        /// What.
        asked: Asked,
    },
    /// Do nothing for that job until it is to go on.
    Pause {
        /// Which job.
        job: u32,
    },
    /// Go on with that job.
    Resume {
        /// Which job.
        job: u32,
    },
    /// Stop that job and give what there is.
    Cancel {
        /// Which job.
        job: u32,
    },
}

/// From a worker to the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
        /// How much work it has been so far, in units of [`base::Control`]: the same on every machine.
        work: u64,
    },
    /// What the job has found meanwhile.
    News {
        /// Which job.
        job: u32,
        /// A line of JSON; of a study several, a row in each.
        line: String,
    },
    /// Where the chain is.
    Chain {
        /// Which job.
        job: u32,
        /// The chain.
        state: ChainState,
        /// Whether the job is over.
        over: bool,
    },
    /// The job is over; what it was to write is the report.
    Done {
        /// Which job.
        job: u32,
        /// Why it ended.
        reason: StopReason,
        /// The report line; none where the job was stopped before it had anything.
        report: Option<String>,
        /// How much work it was, in the same units.
        work: u64,
    },
    /// The worker has nothing to do; said after every job.
    Idle {
        /// How much memory it holds. Of what a job took, nothing is given back while the worker lives.
        bytes: u64,
    },
    /// The scenario is no scenario.
    Refused {
        /// Which job.
        job: u32,
        /// What is wrong with it.
        problems: Vec<Problem>,
    },
}

impl ToWorker {
    /// The job a message is about.
    pub fn job(&self) -> u32 {
        match self {
            ToWorker::Start { job, .. }
            | ToWorker::Certify { job, .. }
            | ToWorker::Check { job, .. }
            | ToWorker::Chain { job, .. }
            | ToWorker::Study { job, .. }
            | ToWorker::Pause { job }
            | ToWorker::Resume { job }
            | ToWorker::Cancel { job } => *job,
        }
    }
}

impl FromWorker {
    /// The job a message is about.
    pub fn job(&self) -> Option<u32> {
        match self {
            FromWorker::Ready { .. } | FromWorker::Idle { .. } => None,
            FromWorker::Progress { job, .. }
            | FromWorker::News { job, .. }
            | FromWorker::Chain { job, .. }
            | FromWorker::Done { job, .. }
            | FromWorker::Refused { job, .. } => Some(*job),
        }
    }
}
