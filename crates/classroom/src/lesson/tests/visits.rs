//! What a step shows whichever way it is come to, and when it counts as done once it is looked at.

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

/// The documents of a lesson's steps, as somebody meets them who does each as **Show me** does and goes on.
fn walked(lesson: &Lesson) -> Vec<Value> {
    let mut on_page = Value::Null;
    let mut met = Vec::new();
    for step in &lesson.steps {
        if let Some(own) = &step.opens {
            on_page = own.clone();
        }
        met.push(on_page.clone());
        on_page = step.solution.document(&on_page);
    }
    met
}

#[test]
fn a_step_opened_alone_shows_what_it_shows_when_walked_to() {
    for builtin in builtin::BUILTINS {
        let lesson = lesson(builtin.text);
        for (at, walked) in walked(&lesson).iter().enumerate() {
            let alone = lesson.document(at);
            assert_eq!(alone.as_ref(), Some(walked), "{}, step {}", builtin.name, at + 1);
        }
    }
    let ninth = builtin::named("the-ninth-warp").map(|builtin| lesson(builtin.text));
    let ninth = ninth.unwrap_or_else(|| unreachable!("it is there"));
    let warps = |at| ninth.document(at).map(|document| document["warps"]["count"].clone());
    assert_eq!([0, 1, 2, 3, 4].map(warps), [1, 1, 2, 8, 9].map(|count| Some(json!(count))));
    assert_eq!(warps(99), warps(4), "after the last step is the last");
}

#[test]
fn values_alone_are_put_into_what_the_steps_before_lead_to() {
    let first = r#""do": "x", "check": {"document": "/warps/count", "equals": 4},
        "solution": {"set": {"/warps/count": 4}}"#;
    let then = |second: &str| {
        let second = format!(r#"}}, {{"title": "S", "text": "x", {second}}}]}}"#);
        one_step(first).replacen("}]}", &second, 1)
    };
    let read = lesson(&then(r#""set": {"/warps/machine/L": 2}"#));
    let warps = |at| read.document(at).map(|document| document["warps"].clone());
    let (count, loads) =
        (|at| warps(at).map(|of| of["count"].clone()), |at| warps(at).map(|of| of["machine"]["L"].clone()));
    assert_eq!((count(0), loads(0)), (Some(json!(2)), Some(json!(1))));
    assert_eq!((count(1), loads(1)), (Some(json!(4)), Some(json!(2))));
    wrong(
        &then(r#""set": {"/warps/count": 99}"#),
        &expect!["steps[1].set.warps.count: 99, expected a whole number, 1 to 64"],
    );
    let alone =
        r#"{"lesson": 1, "title": "T", "steps": [{"title": "S", "text": "x", "set": {"/warps/count": 2}}]}"#;
    wrong(
        alone,
        &expect![[
            r#"steps[0]: nothing to look at, expected an "example" or a "scenario" in the first step"#
        ]],
    );
}
