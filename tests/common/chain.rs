//! What must hold of every report of a chain.

use serde_json::Value;
use warpspan::report::chain::{Figure, WholeReport};

/// Sides in order, verdicts that follow from them.
pub fn sound(report: &Value) {
    let report: WholeReport = serde_json::from_value(report.clone()).expect("a report can be read back");
    for task in &report.tasks {
        let value = |side: &Option<Figure>| side.as_ref().map(|figure| figure.value);
        let (lower, upper) = (value(&task.response.lower), value(&task.response.upper));
        assert!(lower.zip(upper).is_none_or(|(lower, upper)| lower <= upper), "{task:?}");
        assert!(task.meets != Some(true) || upper.is_some_and(|upper| upper <= task.deadline), "{task:?}");
        assert!(task.meets != Some(false) || lower.is_some_and(|lower| lower > task.deadline), "{task:?}");
    }
    let met = report.tasks.iter().all(|task| task.meets == Some(true)) && !report.tasks.is_empty();
    assert_eq!(report.verdict.schedulable == Some(true), met, "{:?}", report.verdict);
    assert!(report.seconds >= 0.0 && !report.assumptions.is_empty() && !report.kernels.is_empty());
}
