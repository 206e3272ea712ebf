//! The tasks of a report as they were computed with, so that more can be asked of them.

use crate::report::tasks::{TasksReport, WitnessReport};
use tasks::witness::witness;

/// Sets with more pairs than this take too long while someone waits.
pub const MOST_PAIRS: u64 = 200_000;

/// Whether witnesses of any interval can be computed while someone waits.
pub fn is_quick(report: &TasksReport) -> bool {
    report.set.iter().map(|task| task.pairs).fold(0, u64::saturating_add) < MOST_PAIRS
}

/// Whether the report's own witness is of this interval.
pub fn is_own(report: &TasksReport, t: u64) -> bool {
    report.witness.iter().any(|of| of.t == t)
}

/// Witnesses of an interval: the report's own where they are of it, else computed; none where that takes too long
/// or a task cannot be read.
pub fn witnesses(report: &TasksReport, t: u64) -> Option<Vec<WitnessReport>> {
    if is_own(report, t) {
        return Some(report.witness.clone());
    }
    if !is_quick(report) {
        return None;
    }
    report
        .set
        .iter()
        .map(|of| {
            let task = of.task()?;
            Some(WitnessReport::of(&task, &witness(&task, t)))
        })
        .collect()
}

/// The vertices of a task's witness in the order of their triggering, by their place in the task.
pub fn marked(report: &TasksReport, witness: &WitnessReport, task: usize) -> Vec<usize> {
    let Some(of) = report.set.get(task) else { return Vec::new() };
    let place = |name: &str| of.vertices.iter().position(|vertex| vertex.name == name);
    witness.jobs.iter().filter_map(|job| place(&job.vertex)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::tasks::sample;

    #[test]
    fn tasks_are_what_they_were() {
        let report = sample::differs();
        let Some(again) = report.set.first().and_then(|of| of.task()) else { unreachable!("a sound task") };
        assert_eq!((again.demand(), again.longest(), again.vertices().len()), (26, 24, 5));
        let mut wrong = report.set[0].clone();
        wrong.edges.push(("v9".into(), "v0".into(), 3));
        assert_eq!(wrong.task(), None);
        let later = crate::report::tasks::TaskReport { restart: Some(90), ..report.set[0].clone() };
        assert_eq!(later.task().map(|task| task.gap()), Some(90));
    }

    #[test]
    fn witnesses_of_other_intervals_only_of_small_sets() {
        let mut report = sample::fits();
        assert_eq!(witnesses(&report, 4).as_ref(), Some(&report.witness));
        let other = witnesses(&report, 9).map(|all| all.iter().map(|of| (of.task.clone(), of.t)).collect());
        assert_eq!(other, Some(vec![("camera".into(), 9), ("filter".into(), 9), ("planner".into(), 9)]));
        report.set[0].pairs = MOST_PAIRS;
        assert_eq!(witnesses(&report, 9), None);
        assert!(witnesses(&report, 4).is_some(), "the report's own is there");
    }

    #[test]
    fn vertices_of_a_witness_in_their_order() {
        let report = sample::differs();
        assert_eq!(marked(&report, &report.witness[0], 0), [3, 4, 0]);
        assert_eq!(marked(&report, &report.witness[0], 7), [0; 0]);
    }
}
