//! What is read and refused, what is drawn, and that perfect answers get full marks.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::draw::{Draw, drawn, filled, folded, seed};
use super::grade::grade;
use super::{Answers, Exercises, builtin, read};

/// Students whose answers are graded.
const STUDENTS: usize = 50;

fn set() -> Exercises {
    let text = builtin::named("warps-and-blocks").unwrap_or_default();
    read(text).unwrap_or_else(|problems| unreachable!("{problems:#?}"))
}

fn wrong<T>(found: Result<T, Vec<base::Problem>>, expected: &Expect) {
    let said = match found {
        Ok(_) => "read".to_owned(),
        Err(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    };
    expected.assert_eq(&said);
}

/// Perfect answers of a student.
fn perfect(set: &Exercises, student: &str) -> Answers {
    let answer = |own: super::Given| {
        let report = own.report().unwrap_or_default();
        (
            own.name.clone(),
            own.right(&report).unwrap_or_else(|| unreachable!("{}: no right answer", own.name)),
        )
    };
    let given = set.given(student).unwrap_or_default().into_iter().map(answer).collect();
    Answers { exercises: set.name.clone(), student: student.to_owned(), given }
}

#[test]
fn every_file_is_listed_under_its_name() -> std::io::Result<()> {
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../www/exercises"))? {
        let name = entry?.file_name().to_string_lossy().replace(".json", "");
        let text = builtin::named(&name).unwrap_or_default();
        assert_eq!(read(text).map(|set| set.name), Ok(name));
    }
    Ok(())
}

#[test]
fn perfect_answers_get_full_marks_and_damaged_ones_do_not() {
    let set = set();
    assert!(set.exercises.len() >= 10);
    for number in 0..STUDENTS {
        let student = format!("Student {number}");
        let answers = perfect(&set, &student);
        let graded = grade(&set, &answers).unwrap_or_else(|problems| unreachable!("{student}: {problems:?}"));
        assert_eq!((graded.points, graded.of), (set.points(), set.points()), "{student}: {graded:#?}");
        // One answer damaged, another for each student.
        let at = number % set.exercises.len();
        let mut damaged = answers.clone();
        let own = &mut damaged.given[at].1;
        *own = own.parse::<f64>().map_or_else(
            |_| if own == "R1" { "R2".to_owned() } else { "R1".to_owned() },
            |right| (right + 1.0).to_string(),
        );
        let points = grade(&set, &damaged).map(|graded| graded.points);
        assert_eq!(
            points,
            Ok(set.points() - set.exercises[at].points),
            "{student}, {}",
            set.exercises[at].name
        );
        // One answer left out.
        let mut missing = answers;
        missing.given.remove(at);
        assert_eq!(grade(&set, &missing).map(|graded| graded.points), points);
    }
}

#[test]
fn students_have_numbers_of_their_own_and_always_the_same() {
    let set = set();
    let numbers = |student: &str| {
        let given = set.given(student).unwrap_or_default();
        given.into_iter().map(|own| own.drawn).collect::<Vec<_>>()
    };
    assert_eq!(numbers("Ada Lovelace"), numbers("  ada   LOVELACE "));
    let mut known: Vec<_> = (0..STUDENTS).map(|number| numbers(&number.to_string())).collect();
    known.dedup();
    assert_eq!(known.len(), STUDENTS, "neighbours have the same numbers");
    expect![[r#"[("n", Number(5)), ("kernel", String("CLC"))]"#]]
        .assert_eq(&format!("{:?}", numbers("Ada Lovelace").first().cloned().unwrap_or_default()));
}

#[test]
fn what_is_drawn_is_put_in() {
    let drawn = vec![("n".to_owned(), json!(3)), ("k".to_owned(), json!("LCL"))];
    let template = json!({"a": {"drawn": "n"}, "b": [{"drawn": "n", "times": 2, "plus": 0.5}, "{n} of {k}, {m}"], "c": {"drawn": "k"}});
    let expected = json!({"a": 3, "b": [6.5, "3 of LCL, {m}"], "c": "LCL"});
    assert_eq!(filled(&template, &drawn), expected);
    assert_eq!(folded(" a  B "), "a b");
    let range = Draw::Range { from: 2, to: 9, step: 3 };
    assert_eq!((range.choices(), range.at(2)), (3, Value::from(8)));
    let draws = vec![("n".to_owned(), range)];
    let mut seen: Vec<Value> =
        (0..60).map(|at| super::draw::drawn(&draws, seed(&at.to_string()), "x")[0].1.clone()).collect();
    seen.sort_by_key(|value| value.as_u64());
    seen.dedup();
    assert_eq!(seen, [2, 5, 8].map(Value::from), "every value is drawn by somebody");
    assert_ne!(super::draw::drawn(&draws, 1, "x").len(), 0);
}

#[test]
fn what_is_wrong_with_a_set_is_said_all_at_once_and_where() {
    wrong(read(""), &expect!["document: nothing in it, expected exercises, {\"exercises\": 1, ...}"]);
    wrong(
        read(r#"{"exercises": 2, "name": "x", "title": "x", "list": []}"#),
        &expect![
            "exercises: made for a newer version (2) of exercises, expected 1; a newer Warpspan reads it"
        ],
    );
    wrong(
        read(r#"{"exercises": 1, "name": "A b", "titel": "x", "list": []}"#),
        &expect![[r#"
            titel: unknown key, close to "title", expected one of exercises, name, title, summary, level, list
            name: "A b", expected 1 to 40 small letters, digits and hyphens
            title: missing, expected a text
            list: a list of 0, expected a list of 1 to 50 exercises"#]],
    );
    let scenario = r#"{"warpspan": 1, "warps": {"kernel": "LCL", "count": {"drawn": "n"}, "machine": {"L": 1, "C": 1}}}"#;
    let answer = r#""answer": {"ask": "How many?", "number": {"report": "/makespan"}}"#;
    let one = |own: &str| {
        format!(
            r#"{{"exercises": 1, "name": "x", "title": "x", "list": [{{"name": "a", "title": "A", {own}}}]}}"#
        )
    };
    wrong(
        read(&one(&format!(
            r#""text": "{{m}} warps", "draw": {{"n": {{"from": 60, "to": 70}}}}, "scenario": {scenario}, {answer}"#
        ))),
        &expect![[r#"
            list[0].text: {m}, expected one of n
            list[0].scenario.warps.count: 70, expected a whole number, 1 to 64"#]],
    );
    wrong(
        read(&one(&format!(
            r#""text": "x", "draw": {{"n": {{"from": 4, "to": 2}}, "k": {{"one_of": []}}}}, "scenario": {scenario}, "points": 0"#
        ))),
        &expect![[r#"
            list[0].points: 0, expected a whole number, 1 to 100
            list[0].draw.n.to: 2, expected no less than "from", and a million steps at most
            list[0].draw.k.one_of: a list of 0, expected 1 to 200 numbers, or texts of 200 letters without {"#]],
    );
    wrong(
        read(&one(&format!(r#""text": "x", "scenario": {scenario}, "answers": 1"#))),
        &expect![[r#"
            list[0].answers: unknown key, close to "answer", expected one of name, points, draw, title, text, example, scenario, set, view, hide, answer
            list[0].scenario.warps.count.drawn: "n", expected something under "draw"
            list[0].scenario.warps.count: an object, expected a whole number, 1 to 64
            list[0].answer: missing, expected a question, {"ask": ...}"#]],
    );
}

#[test]
fn answers_are_there_and_back_and_damage_is_noticed() {
    let set = set();
    let answers = perfect(&set, "Ada");
    let text = answers.document();
    assert_eq!(Answers::read(&text).as_ref(), Ok(&answers));
    let first = &answers.given[0].1;
    wrong(
        Answers::read(&text.replacen(&format!("\"{first}\""), "\"99\"", 1)),
        &expect![[
            r#"checksum: "48275c37866f140e", expected 4b85d6d0eb34f057; something in the file was changed"#
        ]],
    );
    wrong(
        Answers::read(&text.replace("\"Ada\"", "\"Bob\"")),
        &expect![[r#"
            seed: "e70bc0190530e13b", expected 004d4419134a0a54, that of the student
            checksum: "48275c37866f140e", expected 9c3c797aff9210eb; something in the file was changed"#]],
    );
    wrong(
        Answers::read(r#"{"answers": 1, "given": {"a": []}, "student": " "}"#),
        &expect![[r#"
        exercises: missing, expected the name of the set
        student: nothing in it, expected who answers
        given.a: a list of 0, expected a text in quotes"#]],
    );
    let form = Answers::form("warps-and-blocks", "Ada", &["waves"]).replace("\"\"", "4");
    assert_eq!(Answers::read(&form).map(|read| read.given), Ok(vec![("waves".to_owned(), "4".to_owned())]));
    let other =
        Answers { exercises: "other".to_owned(), given: vec![("x".to_owned(), "1".to_owned())], ..answers };
    wrong(
        grade(&set, &other),
        &expect![[r#"
        exercises: "other", expected "warps-and-blocks", the set that is graded
        given.x: no such exercise, expected one of round-robin, fixed-priority, bottleneck, busy, issue, latency, hiding, worst, best, barrier, threads, shared, limit, waves, tail"#]],
    );
    assert_eq!(drawn(&[], 1, "x"), vec![]);
}
