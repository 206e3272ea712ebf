//! When a step that is looked at counts as done.

use super::*;

#[test]
fn a_check_counts_once_it_was_not_met() {
    let step = |already: bool| {
        let text = format!(
            r#""do": "x", "already": {already}, "check": {{"report": "/makespan", "at_least": 5}}, "solution": {{"set": {{}}}}"#
        );
        lesson(&one_step(&text)).steps.remove(0)
    };
    let (document, view) = (json!({}), View::default());
    let (small, large) = (json!({"makespan": 4}), json!({"makespan": 5}));
    fn standing<'a>(document: &'a Value, view: &'a View, report: Option<&'a Value>) -> Standing<'a> {
        Standing {
            text: "new",
            document,
            report,
            worst_case: None,
            running: false,
            view,
            revealed: true,
            answer: None,
        }
    }
    let done = |already: bool, reports: &[&Value]| {
        let step = step(already);
        let mut visit = Visit::begun(&step, Some("new".to_owned()));
        visit.look(&step, &Standing { text: "old", ..standing(&document, &view, Some(&small)) });
        assert!(!visit.is_there(), "the page shows something else yet");
        visit.look(&step, &standing(&document, &view, None));
        for report in reports {
            visit.look(&step, &standing(&document, &view, Some(report)));
        }
        visit.done
    };
    assert!(done(false, &[&small, &large]));
    assert!(!done(false, &[&large, &large]));
    assert!(done(false, &[&large, &small, &large]));
    assert!(done(true, &[&large]));
    assert!(!done(true, &[&small]));
}
