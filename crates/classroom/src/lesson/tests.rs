//! Tests of lessons: what is read and refused, what checks say, and that every built-in lesson can be done.

mod numbers;
mod visits;

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::check::{Check, Seen, Start};
use super::question::Verdict;
use super::values::{Path, Take};
use super::visit::Standing;
use super::{Lesson, Visit, builtin, read};
use crate::level::Level;
use kit::import::json as text_of;
use kit::scenario::link::View;

/// A lesson of one step on two warps, with something in that step.
fn one_step(step: &str) -> String {
    let scenario = r#"{"warpspan": 1, "warps": {"kernel": "LCL", "count": 2, "machine": {"L": 1, "C": 1}}}"#;
    format!(
        r#"{{"lesson": 1, "title": "T", "steps": [{{"title": "S", "text": "x", "scenario": {scenario}, {step}}}]}}"#
    )
}

fn lesson(text: &str) -> Lesson {
    read(text).unwrap_or_else(|problems| unreachable!("{problems:?}"))
}

fn wrong(text: &str, expected: &Expect) {
    let said = match read(text) {
        Ok(lesson) => format!("read: {}", lesson.title),
        Err(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    };
    expected.assert_eq(&said);
}

fn check(text: &str) -> Check {
    let step = format!(r#""do": "x", "hide": true, "check": {text}, "solution": {{"set": {{}}}}"#);
    lesson(&one_step(&step)).steps.remove(0).check.unwrap_or_else(|| unreachable!("there is one"))
}

#[test]
fn every_built_in_lesson_is_read() {
    for builtin in builtin::BUILTINS {
        let lesson = read(builtin.text);
        assert!(lesson.is_ok(), "{}: {lesson:#?}", builtin.name);
        let lesson = lesson.unwrap_or_else(|_| unreachable!("just seen"));
        assert!((4..=8).contains(&lesson.steps.len()), "{}: {} steps", builtin.name, lesson.steps.len());
        assert!(
            !lesson.summary.is_empty()
                && ["Warps", "Code", "Blocks", "Tasks", "Chains", "Traces", "Waves"]
                    .contains(&lesson.topic.as_str())
        );
        for step in &lesson.steps {
            assert!(
                step.check.is_none() || !step.hint.is_empty(),
                "{}, {}: no hint",
                builtin.name,
                step.title
            );
            assert!(
                step.check.is_none() || !step.after.is_empty(),
                "{}, {}: no end",
                builtin.name,
                step.title
            );
        }
    }
}

#[test]
fn the_list_begins_with_what_is_easiest() {
    let level = |level: Option<Level>| Level::ALL.into_iter().position(|own| Some(own) == level);
    let levels: Vec<usize> =
        builtin::BUILTINS.iter().map(|of| level(lesson(of.text).level).unwrap_or_default()).collect();
    assert!(levels.is_sorted(), "{levels:?}");
    assert!(builtin::BUILTINS.iter().all(|of| lesson(of.text).level.is_some()));
    assert_eq!(builtin::BUILTINS.first().map(|of| of.name), Some("latency-hiding"));
}

#[test]
fn every_file_is_listed() -> std::io::Result<()> {
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../www/lessons"))? {
        let name = entry?.file_name().to_string_lossy().replace(".json", "");
        assert!(builtin::named(&name).is_some(), "{name} is not offered");
    }
    Ok(())
}

#[test]
fn every_step_of_every_built_in_lesson_can_be_done_and_is_not_done_at_first() {
    let mut findings = Vec::new();
    for builtin in builtin::BUILTINS {
        let lesson = lesson(builtin.text);
        for (step, outcome) in lesson.steps.iter().zip(super::prove::outcomes(&lesson)) {
            if !outcome.is_good() {
                findings.push(format!("{}, {}: {outcome:?}", builtin.name, step.title));
            }
        }
    }
    assert!(findings.is_empty(), "{findings:#?}");
}

#[test]
fn what_cannot_be_done_is_noticed() {
    use super::prove::{Outcome, outcomes};
    let outcome = |step: &str| outcomes(&lesson(&one_step(step))).next();
    let check = |check: &str, solution: &str| {
        outcome(&format!(r#""do": "x", "check": {check}, "solution": {solution}"#))
    };
    let more = r#"{"report": "/makespan", "more_than": {"start": "/makespan"}}"#;
    assert_eq!(check(more, r#"{"set": {"/warps/count": 3}}"#), Some(Outcome::Solved));
    assert_eq!(check(more, r#"{"set": {"/title": "other"}}"#), Some(Outcome::NotSolved));
    let small = r#"{"report": "/makespan", "at_least": 1}"#;
    assert_eq!(check(small, r#"{"set": {"/warps/count": 3}}"#), Some(Outcome::MetAtOnce));
    assert_eq!(
        outcome(r#""hint": "", "do": "Look.""#.replace(r#""hint": "", "#, "").as_str()),
        Some(Outcome::Read)
    );
    let two_right = r#"{"answer": {"ask": "?", "choices": ["a", "A"], "right": "a"}}"#;
    assert_eq!(outcome(&format!(r#""check": {two_right}"#)), Some(Outcome::NotSolved));
}

#[test]
fn what_is_wrong_is_said_all_at_once_and_where() {
    wrong("", &expect!["document: nothing in it, expected a lesson, {\"lesson\": 1, ...}"]);
    wrong("[1]", &expect!["document: a list of 1, expected an object"]);
    wrong(
        r#"{"lesson": 2, "title": "x", "steps": []}"#,
        &expect!["lesson: made for a newer version (2) of lessons, expected 1; a newer Warpspan reads it"],
    );
    wrong(
        r#"{"lesson": 1, "tittle": "x", "minutes": 0, "steps": []}"#,
        &expect![[r#"
            tittle: unknown key, close to "title", expected one of lesson, title, summary, minutes, level, topic, steps
            title: missing, expected a text
            minutes: 0, expected a whole number, 1 to 600
            steps: a list of 0, expected a list of 1 to 50 steps"#]],
    );
    wrong(
        r#"{"lesson": 1, "title": "x", "steps": [{"title": "", "text": []}, {"text": 3, "example": "figure", "check": {}}]}"#,
        &expect![[r#"
            steps[0].title: a text of 0 characters, expected 1 to 120 characters
            steps[0].text: a list of 0, expected a text, or a list of paragraphs
            steps[0]: nothing to look at, expected an "example" or a "scenario" in the first step
            steps[1].title: missing, expected a text
            steps[1].text: 3, expected a text in quotes
            steps[1].example: "figure", expected the name of a built-in example, such as "figure-2"
            steps[1].check: none of them, expected exactly one of report, document, worst_case, view, answer, revealed, all, any"#]],
    );
}

#[test]
fn a_step_must_fit_together() {
    wrong(
        &one_step(r#""set": {"warps": 1, "/warps/count": 99}, "view": {"step": -1, "zoom": 2}, "hint": "h""#),
        &expect![[r#"
            steps[0].set.warps: no place, expected a place such as "/warps/count"
            steps[0].set.warps.count: 99, expected a whole number, 1 to 64
            steps[0].view.zoom: unknown key, expected one of step, t0, t1, sel, rows
            steps[0].view.step: -1, expected a whole number from 0 up
            steps[0].hint: there is no check, expected a "check" beside it"#]],
    );
    wrong(
        &one_step(
            r#""check": {"all": [{"revealed": true}, {"report": "/makespan", "at_least": "9", "more": 1}]}"#,
        ),
        &expect![[r#"
            steps[0].check.all[1].more: unknown key, expected one of report, take, divided_by, tolerance, equals, at_least, at_most, more_than, less_than, changed
            steps[0].check.all[1].at_least: "9", expected a number, or {"report": a place}"#]],
    );
    wrong(
        &one_step(
            r#""check": {"any": [{"revealed": true}, {"view": "step", "at_least": 3}, {"report": "/makespan", "changed": true}]}"#,
        ),
        &expect![[r#"
            steps[0].do: missing, expected what to do, in a sentence
            steps[0].hide: nothing is hidden, expected true, as the check waits for it to be revealed"#]],
    );
    wrong(
        &one_step(
            r#""do": "x", "check": {"all": [{"answer": {"ask": "?", "choices": ["a", "b"], "right": "c"}}, {"answer": {"ask": "?", "number": 1}}, {"report": "makespan", "equals": 1}, {"view": "zoom", "equals": 1}, {"document": "/warps"}]}"#,
        ),
        &expect![[r#"
            steps[0].check.all[0].answer.right: "c", expected one of the choices, word for word
            steps[0].check.all[2].report: "makespan", expected a place such as "/makespan" or "/kernels/label=K2/end"
            steps[0].check.all[3].view: "zoom", expected one of step, t0, t1, sel, rows
            steps[0].check.all[4]: no comparison, expected one of equals, at_least, at_most, more_than, less_than, changed"#]],
    );
    wrong(
        &one_step(r#""do": "x", "check": {"report": "/makespan", "equals": 1}"#),
        &expect![[r#"steps[0].solution: missing, expected what meets the check, for "Show me""#]],
    );
}

#[test]
fn controls_set_what_the_document_allows() {
    let slider = |more: &str| {
        one_step(&format!(r#""controls": [{{"label": "Warps", "place": "/warps/count", {more}}}]"#))
    };
    wrong(&slider(r#""least": 1, "most": 9"#), &expect!["read: T"]);
    wrong(
        &slider(r#""least": 0, "most": 65"#),
        &expect![[r#"
            steps[0].controls[0].least.warps.count: 0, expected a whole number, 1 to 64
            steps[0].controls[0].most.warps.count: 65, expected a whole number, 1 to 64"#]],
    );
    wrong(
        &slider(r#""least": 4, "most": 4"#),
        &expect!["steps[0].controls[0].most: 4, expected more than 4, the least"],
    );
    wrong(
        &slider(r#""least": 1, "most": 8, "by": 2, "step": 1"#),
        &expect![[r#"
            steps[0].controls[0].step: unknown key, expected one of label, place, least, most, by, unit
            steps[0].controls[0].by: 2, expected a number that leads from 1 to 8 in whole steps"#]],
    );
    wrong(
        &one_step(
            r#""controls": [{"label": "x"}, {"place": "/warps/*", "least": 1, "most": 2.5},
                {"label": "x", "choices": [{"label": "a", "set": {"/warps/count": 3}}]},
                {"label": "x", "choices": [{"label": "a", "set": {}}, {"label": "b", "set": {"/warps/machine/L": 0}}]}]"#,
        ),
        &expect![[r#"
            steps[0].controls[0]: neither of them, expected a "place" with "least" and "most", or "choices"
            steps[0].controls[1].place: "/warps/*", expected a place such as "/warps/count"
            steps[0].controls[1].most: 2.5, expected a whole number, 0 to 1000000000000
            steps[0].controls[1].label: missing, expected a text
            steps[0].controls[2].choices: a list of 1, expected 2 to 6 choices
            steps[0].controls[3].choices[0].set: no single value, expected values by places such as "/warps/count"
            steps[0].controls[3].choices[1].set.warps.machine.L: no L unit, but the kernel has 2 L instructions, expected 1 to 1024"#]],
    );
    wrong(
        &one_step(r#""controls": []"#),
        &expect!["steps[0].controls: a list of 0, expected a list of 1 to 4 controls"],
    );
}

#[test]
fn controls_read_and_write_values_and_force_none() {
    use super::controls::Kind;
    let step = r#""controls": [
        {"label": "Warps", "place": "/warps/count", "least": 1, "most": 9, "unit": "warps"},
        {"label": "Issue", "choices": [{"label": "1", "set": {"/warps/machine/issue": 1}},
            {"label": "any", "set": {"/warps/machine/issue": null}}]}]"#;
    let step = lesson(&one_step(step)).steps.remove(0);
    let document = step.opens.clone().unwrap_or_default();
    let [Kind::Slider(slider), Kind::Choices(choices)] =
        &[step.controls[0].kind.clone(), step.controls[1].kind.clone()]
    else {
        unreachable!("as written")
    };
    let count = |document: &Value| document["warps"]["count"].clone();
    assert_eq!((slider.value(&document), slider.said(Some(2))), (Some(2), "2 warps".to_owned()));
    assert_eq!([7, 40].map(|to| count(&slider.moved(&document, to))), [json!(7), json!(9)]);
    let more = json!({"warps": {"count": 40}});
    assert_eq!((slider.value(&more), count(&more)), (Some(40), json!(40)));
    assert_eq!((slider.value(&json!({})), slider.said(None)), (None, "not set".to_owned()));
    // What is left out is as good as taken away.
    let held = |document: &Value| choices.iter().map(|choice| choice.holds(document)).collect::<Vec<_>>();
    assert_eq!(held(&document), [false, true]);
    let one = choices[0].chosen(&document);
    assert_eq!((held(&one), choices[1].chosen(&one)), (vec![true, false], document.clone()));
    let fits =
        |document: &Value| step.controls.iter().map(|control| control.fits(document)).collect::<Vec<_>>();
    assert_eq!(fits(&document), [true, true]);
    assert_eq!(fits(&more), [true, false]);
    assert_eq!(fits(&json!({"blocks": {}})), [false, false]);
    assert_eq!(fits(&Value::Null), [false, false]);
}

#[test]
fn controls_of_a_step_that_goes_on_are_held_against_what_the_solution_before_leads_to() {
    let second = |most: u32| {
        let first = r#""do": "x", "check": {"document": "/warps/memory/miss", "equals": 4},
            "solution": {"set": {"/warps/memory": {"mode": "pipelined", "miss": 4}}}"#;
        one_step(first).replacen(
            "}]}",
            &format!(
                r#"}}, {{"title": "S", "text": "x",
                "controls": [{{"label": "Latency", "place": "/warps/memory/miss", "least": 1, "most": {most}}}]}}]}}"#
            ),
            1,
        )
    };
    wrong(&second(9), &expect!["read: T"]);
    wrong(
        &second(99_999_999),
        &expect!["steps[1].controls[0].most.warps.memory.miss: 99999999, expected a whole number, 1 to 1000"],
    );
}

#[test]
fn places_lead_to_values() {
    let tree = json!({"kernels": [{"label": "K1", "end": 4}, {"label": "K2", "end": 10}], "a/b": {"~": 1}, "steps": [[4, 2], [8, 5]]});
    let find = |path: &str, take: Option<Take>| Path::parse(path).and_then(|path| path.find(&tree, take));
    let cases = [
        ("/kernels/1/end", None, Some(json!(10))),
        ("/kernels/label=K1/end", None, Some(json!(4))),
        ("/kernels/label=K3/end", None, None),
        ("/kernels/*/end", None, Some(json!([4, 10]))),
        ("/kernels/*/end", Some(Take::Max), Some(json!(10))),
        ("/kernels/*/end", Some(Take::Min), Some(json!(4))),
        ("/kernels/*/end", Some(Take::Sum), Some(json!(14))),
        ("/kernels", Some(Take::Count), Some(json!(2))),
        ("/kernels/*/label", Some(Take::Last), Some(json!("K2"))),
        ("/a~1b/~0", None, Some(json!(1))),
        ("/steps/0=8/1", None, Some(json!(5))),
        ("/steps/7", None, None),
        ("steps", None, None),
    ];
    for (path, take, expected) in cases {
        assert_eq!(find(path, take), expected, "{path} {take:?}");
    }
    let mut changed = tree.clone();
    for (path, value) in
        [("/kernels/*/end", json!(1)), ("/new/key", json!(2)), ("/a~1b", Value::Null), ("/steps/9", json!(1))]
    {
        if let Some(path) = Path::parse(path) {
            path.put(&mut changed, value);
        }
    }
    assert_eq!(
        text_of::line(&changed),
        r#"{"kernels":[{"label":"K1","end":1},{"label":"K2","end":1}],"steps":[[4,2],[8,5]],"new":{"key":2}}"#
    );
}

#[test]
fn checks_compare() {
    let (report, document) =
        (json!({"makespan": 9, "end": 4_000_000, "ok": true}), json!({"warps": {"count": 3}}));
    let start = Start {
        document: json!({"warps": {"count": 2}}),
        report: Some(json!({"makespan": 8})),
        view: View::default(),
    };
    let view = View { step: Some(4), t1: Some(6.0), sel: Some("2:1".to_owned()), ..View::default() };
    let cases = [
        (r#"{"report": "/makespan", "equals": 9}"#, true),
        (r#"{"report": "/makespan", "equals": 8, "tolerance": 1}"#, true),
        (r#"{"report": "/makespan", "at_least": 9, "at_most": 9}"#, true),
        (r#"{"report": "/makespan", "more_than": 9}"#, false),
        (r#"{"report": "/makespan", "more_than": {"start": "/makespan"}}"#, true),
        (r#"{"report": "/makespan", "less_than": {"report": "/end", "divided_by": 1000000}}"#, false),
        (r#"{"report": "/makespan", "changed": true}"#, true),
        (r#"{"report": "/end", "changed": true}"#, false),
        (r#"{"report": "/nothing", "at_most": 9}"#, false),
        (r#"{"report": "/ok", "equals": true}"#, true),
        (r#"{"document": "/warps/count", "changed": true}"#, true),
        (r#"{"document": "/warps", "equals": {"count": 3}}"#, true),
        (r#"{"view": "step", "at_least": 4}"#, true),
        (r#"{"view": "t0", "at_most": 1}"#, true),
        (r#"{"view": "t1", "less_than": 6}"#, false),
        (r#"{"view": "sel", "equals": "2:1"}"#, true),
        (r#"{"view": "rows", "changed": true}"#, false),
        (r#"{"revealed": true}"#, true),
        (r#"{"any": [{"view": "step", "equals": 9}, {"revealed": true}]}"#, true),
        (r#"{"all": [{"view": "step", "equals": 9}, {"revealed": true}]}"#, false),
    ];
    let seen = Seen {
        report: Some(&report),
        document: &document,
        view: &view,
        worst_case: None,
        revealed: true,
        answer: None,
        start: &start,
    };
    for (text, expected) in cases {
        assert_eq!(check(text).is_met(&seen), expected, "{text}");
    }
    let worst = json!({"makespan": 9, "exact": true});
    let proven = check(r#"{"worst_case": "/exact", "equals": true}"#);
    assert!(!proven.needs_report() && !proven.is_met(&seen), "nobody has searched");
    assert!(proven.is_met(&Seen { report: None, worst_case: Some(&worst), ..seen }));
    let whole = Seen { view: &View::default(), ..seen };
    assert!(check(r#"{"view": "step", "more_than": 1000000}"#).is_met(&whole), "the end is after every step");
}

#[test]
fn answers_are_judged() {
    let report = json!({"end": 4_500_000, "rule": "X1"});
    let (document, view, start) = (Value::Null, View::default(), Start::default());
    let seen = Seen {
        report: Some(&report),
        document: &document,
        view: &view,
        worst_case: None,
        revealed: true,
        answer: None,
        start: &start,
    };
    let verdict = |kind: &str, answer: &str, seen: &Seen<'_>| {
        let check = check(&format!(r#"{{"answer": {{"ask": "?", {kind}}}}}"#));
        check.question().map(|question| question.verdict(answer, seen))
    };
    let number = r#""number": {"report": "/end", "divided_by": 1000000}, "unit": "ms""#;
    let (right, wrong) = (Some(Verdict::Right), Some(Verdict::Wrong));
    for (kind, answer, expected) in [
        (number, " 4.5 ", right),
        (number, "4.50 ms", right),
        (number, "4", wrong),
        (number, "four", Some(Verdict::NoNumber)),
        (number, "", Some(Verdict::NoNumber)),
        (number, "nan", Some(Verdict::NoNumber)),
        (r#""number": 9, "tolerance": 0.5"#, "9.4", right),
        (r#""text": ["head of line", {"report": "/rule"}]"#, " Head  of LINE", right),
        (r#""text": ["head of line", {"report": "/rule"}]"#, "x1", right),
        (r#""text": {"report": "/rule"}"#, "R2", wrong),
        (r#""choices": ["a", "b"], "right": "b""#, "b", right),
        (r#""choices": ["a", "b"], "right": "b""#, "a", wrong),
    ] {
        assert_eq!(verdict(kind, answer, &seen), expected, "{kind}: {answer}");
    }
    assert_eq!(verdict(number, "4.5", &Seen { report: None, ..seen }), Some(Verdict::TooEarly));
}
