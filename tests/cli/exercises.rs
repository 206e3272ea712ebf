//! `exercises` and `grade`: a student's sheet, and what answers to it are worth.

use super::{Scratch, Value, warpspan};
use expect_test::expect;

const SET: &str = "warps-and-blocks";

/// The right answers of a student, as a file.
fn perfect(student: &str) -> String {
    let solved = warpspan(&["exercises", SET, "--student", student, "--solutions"]);
    let right: Vec<&str> = solved.out.lines().filter_map(|line| line.strip_prefix("Right: ")).collect();
    let form = warpspan(&["exercises", SET, "--student", student, "--form"]).out;
    let mut tree: Value = serde_json::from_str(&form).unwrap_or_default();
    let given = tree["given"].as_object_mut().expect("a place for answers");
    assert_eq!(given.len(), right.len(), "{}", solved.out);
    for (place, answer) in given.values_mut().zip(right) {
        *place = Value::from(answer);
    }
    tree.to_string()
}

#[test]
fn a_sheet_has_the_students_own_numbers() {
    let sheet = |student: &str| warpspan(&["exercises", SET, "--student", student]);
    let ada = sheet("Ada");
    assert_eq!((ada.status, ada.err.as_str()), (0, ""));
    assert_eq!(
        ada.out,
        sheet(" ADA ").out.replace("ADA", "Ada"),
        "the same numbers however the name is written"
    );
    assert!(
        ada.out.starts_with("# Warps and blocks\n\nAda, ") && ada.out.contains("Answer: ____________ cycles")
    );
    assert!(!ada.out.contains('{') && ada.out != sheet("Bob").out.replace("Bob", "Ada"), "{}", ada.out);
    let lines = warpspan(&["exercises", SET, "--student", "Ada", "--json"]).out;
    let first: Value = serde_json::from_str(lines.lines().next().unwrap_or_default()).unwrap_or_default();
    assert_eq!(first["exercise"], "round-robin");
    assert_eq!(first["scenario"]["warps"]["count"], first["drawn"]["n"]);
    assert_eq!(warpspan(&["exercises"]).out, "warps-and-blocks\n");
    assert!(warpspan(&["exercises", SET]).out.contains("  waves: 1 point; drawn: g, t, ms\n"));
}

#[test]
fn answers_are_graded_and_bad_files_leave_the_others_alone() {
    let ada = Scratch::new(perfect("Ada").as_bytes());
    let wrong: Value = serde_json::from_str(&perfect("Bob")).unwrap_or_default();
    let mut wrong = wrong;
    wrong["student"] = "=1+1".into();
    wrong["given"]["waves"] = "none".into();
    let wrong = Scratch::new(wrong.to_string().as_bytes());
    let bad = Scratch::new(br#"{"answers": 1, "exercises": "other", "student": "X", "given": {"waves": 3}}"#);
    let broken = Scratch::new(b"{");
    let graded = warpspan(&["grade", SET, ada.path(), bad.path(), broken.path(), wrong.path()]);
    assert_eq!(graded.status, 2);
    let rows: Vec<Vec<&str>> = graded.out.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 3, "{}", graded.out);
    assert_eq!(format!("points ({})", rows[1][2]), rows[0][2], "full marks: {}", graded.out);
    assert_eq!(rows[2][1], "'=1+1", "no formula for a spreadsheet");
    assert_ne!(rows[2][2], rows[1][2]);
    let told = graded.err.replace(bad.path(), "BAD").replace(broken.path(), "BROKEN");
    expect![[r#"
        BAD: exercises: "other", expected "warps-and-blocks", the set that is graded
        BROKEN: line 1 column 1: not valid JSON: EOF while parsing an object, expected the rest of it
    "#]]
    .assert_eq(&told);
    let line = warpspan(&["grade", SET, ada.path(), "--json"]).out;
    let line: Value = serde_json::from_str(&line).unwrap_or_default();
    assert_eq!((&line["points"], &line["student"]), (&line["of"], &Value::from("Ada")));
}

#[test]
fn a_set_that_cannot_be_read_is_told() {
    let set = Scratch::new(br#"{"exercises": 1, "name": "x", "title": "X"}"#);
    for words in [&["exercises", set.path(), "--student", "Ada"][..], &["grade", set.path(), "a.json"]] {
        let answer = warpspan(words);
        assert_eq!((answer.status, answer.out.as_str()), (2, ""));
        assert!(answer.err.contains("list: missing, expected a list of exercises"), "{}", answer.err);
    }
    assert_eq!(warpspan(&["exercises", "nothing-of-that-name"]).status, 2);
}
