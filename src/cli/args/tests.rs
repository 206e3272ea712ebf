//! What calls mean, and which are refused.

use super::*;

fn parsed(words: &[&str]) -> Result<Command, String> {
    parse(Parser::from_args(words))
}

#[test]
fn calls() {
    let through = Through::default;
    let run = |threads| Command::Run {
        files: vec!["a.json".into(), "-".into()],
        threads,
        through: through(),
        detail: Detail::Summary,
        waves: waves_lab::Detail::Summary,
    };
    assert_eq!(parsed(&["run", "a.json", "-"]), Ok(run(None)));
    assert_eq!(parsed(&["run", "--threads", "3", "a.json", "-"]), Ok(run(Some(3))));
    assert_eq!(parsed(&["--threads", "3", "run", "a.json", "-"]), Ok(run(Some(3))));
    assert_eq!(parsed(&["link", "a.json"]), Ok(Command::Link { file: "a.json".into(), through: through() }));
    assert_eq!(
        parsed(&["certify", "a.json"]),
        Ok(Command::Certify { file: "a.json".into(), through: through() })
    );
    let about =
        About { device: Some("titan-v".into()), config: None, tolerance: Some(2_500), clocks: Some(0) };
    assert_eq!(
        parsed(&["check", "a", "b", "--device", "titan-v", "--tolerance", "2.5", "--clocks", "0"]),
        Ok(Command::Check { files: vec!["a".into(), "b".into()], about })
    );
    let convert = Command::Convert { file: "a.json".into(), to: Format::Svg, out: None };
    assert_eq!(parsed(&["convert", "a.json", "--to", "svg"]), Ok(convert));
    let all = Command::Reproduce { items: Vec::new(), threads: None, answer: Answer::Table };
    assert_eq!(parsed(&["reproduce"]), Ok(all));
    let some = Command::Reproduce { items: vec!["b-fig-2".into()], threads: Some(2), answer: Answer::Lines };
    assert_eq!(parsed(&["reproduce", "--threads", "2", "b-fig-2", "--json"]), Ok(some));
    assert_eq!(parsed(&["lesson", "a", "b"]), Ok(Command::Lesson(vec!["a".into(), "b".into()])));
    let of = |set: Option<&str>, student: Option<&str>, printed| Command::Exercises {
        set: set.map(str::to_owned),
        student: student.map(str::to_owned),
        printed,
    };
    assert_eq!(parsed(&["exercises"]), Ok(of(None, None, Printed::Sheet)));
    let words = ["exercises", "s", "--student", "Ada", "--form"];
    assert_eq!(parsed(&words), Ok(of(Some("s"), Some("Ada"), Printed::Form)));
    let words = ["exercises", "s", "--student", "Ada", "--json"];
    assert_eq!(parsed(&words), Ok(of(Some("s"), Some("Ada"), Printed::Lines)));
    let grade = Command::Grade {
        set: "s".to_owned(),
        files: vec!["a".to_owned(), "b".to_owned()],
        answer: Answer::Table,
    };
    assert_eq!(parsed(&["grade", "s", "a", "b"]), Ok(grade));
    assert_eq!(parsed(&["schema"]), Ok(Command::Schema));
    let diff = |threshold| Command::Diff { before: "a".to_owned(), after: "b".to_owned(), threshold };
    assert_eq!(parsed(&["diff", "a", "b"]), Ok(diff(None)));
    for (share, millionths) in [("5%", 50_000), ("0.5", 5_000), ("0%", 0)] {
        let words = ["diff", "--threshold", share, "a", "b"];
        assert_eq!(parsed(&words), Ok(diff(Some(Millionths(millionths)))));
    }
    assert_eq!(parsed(&["run", "--help"]), Ok(Command::Help));
}

#[test]
fn wrong_calls_say_what_was_expected() {
    assert!(parsed(&["run", "a", "--threads", "0"]).is_err());
    assert!(parsed(&["link", "a", "--threads", "2"]).is_err());
    assert!(parsed(&["--threads", "2", "link", "a"]).is_err());
    for words in [
        &[][..],
        &["run"],
        &["check"],
        &["lesson"],
        &["exercises", "--student", "Ada"],
        &["exercises", "s", "--student", " "],
        &["exercises", "s", "--form"],
        &["exercises", "s", "--student", "Ada", "--form", "--json"],
        &["grade", "s"],
        &["run", "--student", "Ada", "a"],
        &["certify", "a", "b"],
        &["convert", "a"],
        &["convert", "a", "--to", "png"],
        &["run", "a", "--to", "svg"],
        &["run", "a", "--device", "titan-v"],
        &["check", "a", "--tolerance", "-1"],
        &["check", "a", "--clocks", "soon"],
        &["schema", "a"],
        &["diff", "a"],
        &["diff", "a", "b", "c"],
        &["diff", "a", "b", "--threshold", "-1"],
        &["diff", "a", "b", "--threshold", "some"],
        &["run", "a", "--threshold", "5%"],
        &["link"],
        &["link", "a", "b"],
        &["dance"],
        &["run", "--json", "a"],
        &["reproduce", "--to", "svg"],
        &["run", "--fast", "a"],
        &["run", "--path", "shortest", "a"],
        &["run", "--loop", "A", "a"],
        &["run", "--path", "fall-through", "--loop", "3", "a"],
        &["check", "--entry", "k", "a"],
    ] {
        assert!(parsed(words).is_err(), "{words:?}");
    }
}
