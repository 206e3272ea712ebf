//! The job of an experiment: random tasks, and how long their demand takes in the published form and in this one.
//!
//! A step does one piece of work, so that whoever drives the job measures it. Pieces too short for a clock are done
//! again and again within a step, as often as fills it, and the time is divided.

use std::hint::black_box;

use crate::report::tasks::{ExperimentReport, ExperimentRow, TaskReport};
use crate::scenario::Experiment;
use base::{Control, StopReason, people};
use kit::job::{Job, Progress, Step};
use kit::report::Report;
use kit::scenario::Scenario;
use tasks::dense::{Table, TooLarge, undominated};
use tasks::pareto::ParetoFront;
use tasks::{Demand, Joined, Task, random};

/// A step shall last so many seconds.
const WANTED: f64 = 0.05;
/// A step that lasted so long is believed.
const ENOUGH: f64 = 0.02;
/// A piece is done so often at the most.
const MOST_TIMES: u64 = 1_000_000;

/// What is measured of a task, one after the other; what is compared at last is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece {
    Dense,
    Front,
    Exact,
    Compare,
}

/// Pieces of a task.
const PIECES: u64 = 4;

/// Measures random tasks.
pub struct ExperimentJob {
    asked: Experiment,
    report: ExperimentReport,
    /// The task at hand.
    at: Option<AtHand>,
    /// Rows that have been told of; none before anything was.
    told: Option<usize>,
}

/// A task that is being measured.
struct AtHand {
    task: Task,
    joined: Joined,
    piece: Piece,
    /// How often the piece is done in a step.
    times: u64,
    /// Whether it has been done, and how long that took is to be heard.
    done: bool,
    /// How long its parts have taken so far, where it is done in parts.
    seconds: f64,
    /// Whether there are more of them.
    goes_on: bool,
    table: Option<Result<Table, TooLarge>>,
    front: Option<ParetoFront>,
    row: ExperimentRow,
}

impl ExperimentJob {
    /// The job of an experiment.
    pub fn new(scenario: &Scenario, asked: Experiment) -> Self {
        let Experiment { most, fan, seed, .. } = asked;
        let report = ExperimentReport {
            scenario: scenario.title.clone(),
            lab: "tasks".into(),
            generated: format!(
                "One task of each size, with requirements up to {}, at most {} to a vertex, seed {seed}. {}",
                people::grouped(u128::from(most)),
                people::counted(fan as usize, "edge"),
                random::DRAWN,
            ),
            ..ExperimentReport::default()
        };
        Self { asked, report, at: None, told: None }
    }

    fn progress(&self) -> Progress {
        let begun = self.at.as_ref().map_or(0, |at| at.piece as u64);
        let total = self.asked.sizes.len() as u64 * PIECES;
        Progress {
            done: self.report.experiment.len() as u64 * PIECES + begun,
            total,
            best: None,
            bracket: None,
        }
    }

    /// Takes the comparison in: the row of this task is complete.
    fn close(&mut self, at: AtHand) {
        let AtHand { mut row, table, front, .. } = at;
        match (&table, &front) {
            (Some(Ok(table)), Some(front)) => row.equal = Some(same(table, front)),
            (Some(Err(why)), _) => self.report.warnings.push(left_out(row.vertices, *why)),
            _ => {}
        }
        self.report.experiment.push(row);
    }
}

impl AtHand {
    fn new(size: u32, asked: &Experiment) -> Self {
        let task = random::task(size, asked.most, asked.fan, asked.seed);
        let joined = Joined::of(&task);
        let row = ExperimentRow {
            vertices: task.vertices().len() as u64,
            edges: task.edges().len() as u64,
            cells: (joined.columns() + 1) * joined.rows() as u64,
            task: TaskReport::of(&task),
            ..ExperimentRow::default()
        };
        Self {
            task,
            joined,
            piece: Piece::Dense,
            times: 1,
            done: false,
            seconds: 0.0,
            goes_on: false,
            table: None,
            front: None,
            row,
        }
    }

    fn work(&mut self) {
        for _ in 0..self.times {
            match self.piece {
                // Once in parts, so that a step stays short; again only where that took next to no time.
                Piece::Dense => {
                    if !self.goes_on {
                        self.table = None; // so that there is one at a time
                        self.table = Some(Table::begin(black_box(&self.joined), self.joined.columns()));
                    }
                    let Some(Ok(table)) = &mut self.table else { continue };
                    self.goes_on = table.fill_more(black_box(&self.joined));
                }
                Piece::Front => self.front = Some(ParetoFront::of(black_box(&self.joined))),
                Piece::Exact => {
                    black_box(Demand::exact(black_box(&self.task)));
                }
                Piece::Compare => {}
            }
        }
        self.done = true;
    }

    /// Hears how long it took; goes on to the next piece once that can be believed.
    fn took(&mut self, seconds: f64) {
        if !std::mem::take(&mut self.done) {
            return;
        }
        self.seconds += seconds;
        if self.goes_on {
            return;
        }
        let seconds = std::mem::take(&mut self.seconds);
        let failed = self.piece == Piece::Dense && !matches!(self.table, Some(Ok(_)));
        let parted =
            self.piece == Piece::Dense && matches!(&self.table, Some(Ok(table)) if table.is_parted());
        if seconds < ENOUGH && self.times < MOST_TIMES && !failed && !parted {
            let more = (WANTED / seconds.max(1e-9)).clamp(2.0, 100.0);
            self.times = ((self.times as f64 * more) as u64).min(MOST_TIMES);
            return;
        }
        self.accept(seconds);
    }

    fn accept(&mut self, seconds: f64) {
        let ms = (seconds * 1e9 / self.times as f64).round() / 1e6;
        self.times = 1;
        self.piece = match self.piece {
            Piece::Dense => {
                self.row.dense_ms = matches!(self.table, Some(Ok(_))).then_some(ms);
                Piece::Front
            }
            Piece::Front => {
                let pairs = self.front.iter().flat_map(|front| &front.rows).map(|row| row.len() as u64);
                (self.row.front_ms, self.row.pairs) = (ms, pairs.sum());
                Piece::Exact
            }
            Piece::Exact => {
                self.row.exact_ms = ms;
                Piece::Compare
            }
            Piece::Compare => Piece::Compare,
        };
    }
}

impl Job for ExperimentJob {
    fn step(&mut self, _control: &mut Control) -> Step {
        let Some(mut at) = self.at.take() else {
            return match self.asked.sizes.get(self.report.experiment.len()) {
                Some(&size) => {
                    self.at = Some(AtHand::new(size, &self.asked));
                    Step::More(self.progress())
                }
                None => Step::Done(Report::new(self.report.clone())),
            };
        };
        if !at.goes_on && std::mem::take(&mut at.done) {
            at.accept(0.0); // nobody measures
        }
        if at.piece == Piece::Compare {
            self.close(at);
        } else {
            at.work();
            self.at = Some(at);
        }
        Step::More(self.progress())
    }

    fn took(&mut self, seconds: f64) {
        if let Some(at) = &mut self.at {
            at.took(seconds);
        }
    }

    fn news(&mut self) -> Option<String> {
        let known = self.report.experiment.len();
        (self.told.replace(known) != Some(known)).then(|| Report::new(self.report.clone()).line())
    }

    fn stop(&mut self, _reason: StopReason) -> Option<Report> {
        Some(Report::new(self.report.clone()))
    }
}

/// Whether the front holds what the table holds: the undominated cells of every row, and nothing else.
fn same(table: &Table, front: &ParetoFront) -> bool {
    front.rows.iter().enumerate().all(|(row, steps)| undominated(table.row(row)) == steps.pairs())
}

/// Why there is no published table of a task.
fn left_out(vertices: u64, why: TooLarge) -> String {
    let why = match why {
        TooLarge::Cells(cells) => format!("it would have {} cells", people::grouped(u128::from(cells))),
        TooLarge::Intervals => "its intervals need more than 32 bits".to_owned(),
    };
    format!("The published table of {vertices} vertices was left out: {why}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(sizes: &str) -> Scenario {
        let text = format!(
            r#"{{"warpspan":1,"title":"t","tasks":{{"experiment":{{"sizes":{sizes},"most":40,"fan":3,"seed":1}}}}}}"#
        );
        match crate::LINKED.read(&text) {
            Ok(scenario) => scenario,
            Err(problems) => unreachable!("{problems:?}"),
        }
    }

    /// Steps a job to its end; each step takes so long.
    fn measured(sizes: &str, seconds: impl Fn(usize) -> f64) -> (ExperimentReport, Vec<String>) {
        let mut job = crate::LINKED.start(&document(sizes));
        let mut lines = Vec::new();
        for step in 0.. {
            if let Step::Done(report) = job.step(&mut Control::unlimited()) {
                let Some(report) = report.into() else { unreachable!("an experiment") };
                return (report, lines);
            }
            job.took(seconds(step));
            lines.extend(job.news());
        }
        unreachable!("it ends")
    }

    #[test]
    fn rows_come_one_after_the_other_and_tables_are_the_same() {
        let (report, lines) = measured("[3, 9]", |_| 0.03);
        assert_eq!(lines.len(), 3);
        assert!(lines[0].contains(r#""experiment":[]"#), "{}", lines[0]);
        let told: Vec<_> =
            report.experiment.iter().map(|row| (row.vertices, row.equal, row.dense_ms)).collect();
        assert_eq!(told, [(3, Some(true), Some(30.0)), (9, Some(true), Some(30.0))]);
        assert!(
            report.experiment.iter().all(|row| row.front_ms == 30.0 && row.exact_ms == 30.0 && row.pairs > 0)
        );
        assert_eq!(report.experiment[1].task.task(), Some(random::task(9, 40, 3, 1)));
    }

    #[test]
    fn what_is_too_short_for_a_clock_is_done_more_often() {
        let times = std::cell::Cell::new(1.0);
        let mut at = AtHand::new(3, &Experiment { sizes: vec![3], most: 9, fan: 2, seed: 1 });
        while at.piece == Piece::Dense {
            at.work();
            times.set(at.times as f64);
            at.took(at.times as f64 * 1e-4);
        }
        assert_eq!(at.row.dense_ms, Some(0.1));
        assert!((ENOUGH..2.0 * WANTED).contains(&(times.get() * 1e-4)), "{}", times.get());
    }

    #[test]
    fn without_a_clock_there_are_no_times() {
        let Some(report) = crate::LINKED.run(&document("[4]")).into::<ExperimentReport>() else {
            unreachable!("an experiment")
        };
        assert_eq!((report.experiment[0].front_ms, report.experiment[0].equal), (0.0, Some(true)));
    }

    #[test]
    fn a_table_too_large_is_left_out_and_said_so() {
        let asked = Experiment { sizes: vec![200], most: 10_000, fan: 2, seed: 1 };
        let mut job = ExperimentJob::new(&document("[2]"), asked);
        while let Step::More(_) = job.step(&mut Control::unlimited()) {
            job.took(1.0);
        }
        let row = &job.report.experiment[0];
        assert_eq!((row.dense_ms, row.equal), (None, None));
        assert!(
            job.report.warnings[0].starts_with("The published table of 200 vertices was left out: it would")
        );
    }
}
