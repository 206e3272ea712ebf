//! What is found about a set of recurring tasks, and what an experiment with random ones measured.

mod drawn;
mod set;

use serde::{Deserialize, Serialize};

use kit::import::json;
use kit::report::{Told, micro};

pub use set::tasks_report;

/// The result of a set of tasks.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TasksReport {
    /// The title of the scenario.
    pub scenario: String,
    /// Always `tasks`.
    pub lab: String,
    /// How long it took.
    pub seconds: f64,
    /// And how long until the demand of every task, the verdicts and the witness were known.
    pub decided_seconds: f64,
    /// Whether EDF meets every deadline, by the exact demand; none where that could not be decided.
    pub schedulable: Option<bool>,
    /// Whether the published test says so, which uses equation (1); none where it could not be decided.
    pub schedulable_by_equation: Option<bool>,
    /// What the verdicts rest on, in a sentence.
    pub because: String,
    /// The sum of E(T)/P(T).
    pub utilisation: f64,
    /// The same as a fraction, `19/20`.
    pub utilisation_fraction: String,
    /// The published bound on the intervals that need checking; none for a utilisation of 1 or more.
    pub t_max: Option<f64>,
    /// The shortest interval whose exact demand exceeds it.
    pub first_violation: Option<Violation>,
    /// The shortest interval whose demand by equation (1) exceeds it.
    pub first_violation_by_equation: Option<Violation>,
    /// The interval with the least room left, by the exact demand.
    pub tightest: Option<Tightest>,
    /// The same by equation (1).
    pub tightest_by_equation: Option<Tightest>,
    /// How many intervals were looked at for both verdicts.
    pub checked: u64,
    /// The longest interval whose demand is listed below.
    pub horizon: u64,
    /// Where exact demand grows: for each task the pairs of interval and demand.
    pub dbf: Vec<Curve>,
    /// The same by equation (1).
    pub equation: Vec<Curve>,
    /// The tasks as the document has them, so that everything can be computed again from here.
    pub set: Vec<TaskReport>,
    /// Legal triggerings that need the demand of the first violation, or of the tightest interval: one for each task.
    pub witness: Vec<WitnessReport>,
    /// How much the requirements may grow.
    pub sensitivity: Option<Sensitivity>,
    /// What all of it takes for granted.
    pub assumptions: Vec<String>,
    /// What the reader should know about this set.
    pub warnings: Vec<String>,
}

/// An interval with more demand than time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// Its length.
    pub t: u64,
    /// What must be executed within it.
    pub demand: u64,
}

/// The interval with the least room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tightest {
    /// Its length.
    pub t: u64,
    /// What must be executed within it.
    pub demand: u64,
    /// Its length less the demand; below zero where a deadline is missed.
    pub margin: i64,
}

/// A demand-bound function as steps.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Curve {
    /// The task.
    pub task: String,
    /// Interval and demand wherever the demand grows, by interval.
    pub steps: Vec<(u64, u64)>,
}

/// A task of the set.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct TaskReport {
    /// Its name.
    pub name: String,
    /// Its period.
    pub period: u64,
    /// The least separation of its sink and the source, where the document says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restart: Option<u64>,
    /// Its vertices.
    pub vertices: Vec<VertexReport>,
    /// Its edges by the names of their vertices, with their separations.
    pub edges: Vec<(String, String, u64)>,
    /// E(T), the largest demand of a path from source to sink.
    pub demand: u64,
    /// E(T)/P(T).
    pub utilisation: f64,
    /// The longest path with the deadline of the sink: the period it needs at least.
    pub longest: u64,
    /// Whether every separation is at least the deadline before it.
    pub separated: bool,
    /// Whether the period leaves room for the longest path.
    pub roomy: bool,
    /// Whether the demand listed for it is exact; else it is an upper bound.
    pub exact: bool,
    /// Pairs of interval and demand that its exact demand was computed from.
    pub pairs: u64,
}

/// A vertex of a task.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct VertexReport {
    /// Its name.
    pub name: String,
    /// Execution requirement.
    pub e: u64,
    /// Relative deadline.
    pub d: u64,
    /// The largest requirement it may have while all else stays as it is; none where it was not computed, or where no
    /// requirement at all would do.
    pub most: Option<u64>,
}

/// A legal sequence of triggerings that attains a demand.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct WitnessReport {
    /// The task.
    pub task: String,
    /// The interval, from 0.
    pub t: u64,
    /// What the jobs below need that have trigger and deadline within it.
    pub demand: u64,
    /// The jobs, by their triggering.
    pub jobs: Vec<JobReport>,
}

/// One job of a witness.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct JobReport {
    /// Its vertex.
    pub vertex: String,
    /// When it is triggered.
    pub time: u64,
    /// When it must be done.
    pub deadline: u64,
    /// What it needs.
    pub e: u64,
    /// Whether it must be done within the interval.
    pub counted: bool,
}

/// How much execution requirements may grow.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Sensitivity {
    /// The factor by which every requirement may grow together; below 1 they must shrink.
    pub growth: f64,
    /// The same as a fraction, `21/20`; empty where it is too long, or where the factor is not known exactly.
    pub growth_fraction: String,
    /// Where the factor is not known exactly: `growth` is possible, more than this is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub growth_most: Option<f64>,
    /// The share of the time that is needed in the long run, where rounds last longer than the period, so that it is less
    /// than the utilisation says. Of a task with too many paths it is the least that it may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub long_run: Option<f64>,
    /// The interval that limits it; none where the utilisation does, or what is needed in the long run.
    pub limited_at: Option<Violation>,
    /// The vertex that may grow least of those computed, as `task: vertex`.
    pub limited_by: Option<String>,
}

/// What an experiment with random tasks measured.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ExperimentReport {
    /// The title of the scenario.
    pub scenario: String,
    /// Always `tasks`.
    pub lab: String,
    /// How long it took.
    pub seconds: f64,
    /// What was drawn and how, in a sentence.
    pub generated: String,
    /// One row for each size.
    pub experiment: Vec<ExperimentRow>,
    /// What the reader should know.
    pub warnings: Vec<String>,
}

/// One size of an experiment.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ExperimentRow {
    /// Vertices of the task.
    pub vertices: u64,
    /// Its edges.
    pub edges: u64,
    /// Cells of the published table.
    pub cells: u64,
    /// Milliseconds of the published form; none where its table is too large.
    pub dense_ms: Option<f64>,
    /// Milliseconds of the front of undominated pairs, for the same small values.
    pub front_ms: f64,
    /// Milliseconds of the exact demand up to t_max.
    pub exact_ms: f64,
    /// Pairs in the front.
    pub pairs: u64,
    /// Whether the front is what the table holds, cell by cell.
    pub equal: Option<bool>,
    /// The task, to be computed again elsewhere.
    pub task: TaskReport,
}

impl TasksReport {
    /// Notes how long it took until the verdicts were known.
    pub fn decided_in(&mut self, seconds: f64) {
        self.decided_seconds = micro(seconds);
    }
}

impl Told for TasksReport {
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

impl Told for ExperimentReport {
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
