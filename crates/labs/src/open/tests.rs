//! What is opened is one thing, and whatever is no part of it is named.

use super::*;

const WARPS: &str =
    r#"{"warpspan": 1, "title": "Own", "warps": {"kernel": "LCL", "count": 3, "machine": {"L": 1, "C": 1}}}"#;
const CONFIG: &str = r#"{"name": "S", "max_iterations": 1, "max_time": 0, "gpu_device_id": 0, "use_processes": false,
    "benchmarks": [{"filename": "x", "log_name": "l", "label": "K1", "thread_count": 32, "block_count": 1, "data_size": 0,
        "additional_info": {}}]}"#;
const LOG: &str = r#"{"scenario_name": "S", "times": [{}]}"#;
const PTX: &str = "ld.global.f32 %f1, [%r1];\nadd.f32 %f2, %f1, %f1;";
const LESSON: &str = r#"{"lesson": 1, "title": "x", "steps": []}"#;

/// What only workers read: its mistakes are told when it is tried.
const STUDY: &str = r#"{"warpspan": 1, "study": {"base": {}, "measures": 3}}"#;

/// What comes of files: what is shown, in brackets what it was read from, and whatever there is to tell.
fn files(present: Option<&str>, files: &[(&str, &str)]) -> (String, Vec<String>) {
    let mut opening = Opening::beside(present);
    for (name, text) in files {
        opening.file(name, Some(text.as_bytes()));
    }
    told(opening.over())
}

fn told(outcome: Outcome) -> (String, Vec<String>) {
    let shown = match outcome.opened {
        None => "nothing".to_owned(),
        Some(Opened::Lesson(_)) => "a lesson".to_owned(),
        Some(Opened::Link { source, .. }) => format!("a link [{source}]"),
        Some(Opened::Document { text, source, .. }) => {
            let tree = json::parse(&text).unwrap_or_default();
            let lab = OPENED.iter().find(|lab| tree.get(lab.key()).is_some()).map_or("none", |lab| lab.key());
            format!("{lab} [{source}]")
        }
    };
    let line = |trouble: Trouble| format!("{}: {}", trouble.source, trouble.problems[0]);
    (shown, outcome.troubles.into_iter().map(line).collect())
}

#[test]
fn a_study_is_opened_as_it_is_written() {
    assert_eq!(files(None, &[("a.json", STUDY)]), ("study [a.json]".to_owned(), Vec::new()));
}

#[test]
fn one_thing_is_shown_and_the_rest_is_told() {
    let none: &[String] = &[];
    for (given, shown) in [
        (&[("a.json", WARPS)][..], "warps [a.json]"),
        (&[("a.txt", "5L 9C")], "warps [a.txt]"),
        (&[("k.ptx", PTX)], "warps [k.ptx]"),
        (&[("k.ptx", PTX), ("a.json", WARPS)], "warps [k.ptx]"),
        (&[("c.json", CONFIG)], "blocks [c.json]"),
        (&[("l.json", LOG), ("c.json", CONFIG)], "blocks [l.json]"),
        (&[("l.json", LOG), ("m.json", LOG)], "blocks [2 logs]"),
        (&[("l.json", LESSON)], "a lesson"),
        (&[("l.txt", "#v=1&s=abc&c=00000000")], "a link [l.txt]"),
        (&[], "nothing"),
    ] {
        assert_eq!(files(None, given), (shown.to_owned(), none.to_vec()), "{given:?}");
    }
    let (shown, troubles) = files(None, &[("a.json", WARPS), ("c.json", CONFIG), ("d.json", "{")]);
    assert_eq!((shown.as_str(), troubles.len()), ("blocks [c.json]", 2));
    assert!(
        troubles
            .iter()
            .any(|line| line.starts_with("a.json") && line.contains("\"c.json\" was opened in its place"))
    );
    assert!(troubles.iter().any(|line| line.starts_with("d.json")));
}

#[test]
fn what_cannot_be_read_leaves_the_page_as_it_is() {
    let mut opening = Opening::beside(Some(WARPS));
    opening.file("gone.json", None);
    opening.file("b.json", Some(b"\xff\xfe\x00"));
    opening.file("c.json", Some(br#"{"warpspan": 1, "warps": {"kernel": "LXL"}}"#));
    let outcome = opening.over();
    assert_eq!(outcome.opened, None);
    assert!(outcome.troubles.iter().all(|trouble| !trouble.beside && !trouble.problems.is_empty()));
    assert_eq!(outcome.troubles.len(), 3);
}

#[test]
fn what_belongs_together_joins_what_is_there() {
    let document = |outcome: Outcome| match outcome.opened {
        Some(Opened::Document { text, .. }) => json::parse(&text).unwrap_or_default(),
        other => unreachable!("{other:?}"),
    };
    let joined = document(text(Some(WARPS), "the pasted text", PTX));
    assert_eq!((joined["warps"]["count"].as_u64(), joined["warps"].get("kernel")), (Some(3), None));
    let kernel = document(text(Some(WARPS), "the pasted text", " 2L 3C "));
    assert_eq!(
        (kernel["warps"]["kernel"].as_str(), kernel["warps"]["count"].as_u64()),
        (Some("2L 3C"), Some(3))
    );
    let config = document(text(None, "c.json", CONFIG));
    let page = json::pretty(&config);
    let logs = document(text(Some(&page), "l.json", LOG));
    assert!(logs["blocks"].get("examiner").is_some() && logs["blocks"].get("measured").is_some());
}

#[test]
fn a_document_stays_as_it_is_written() {
    let Some(Opened::Document { text, source, done }) = text(None, "the pasted text", WARPS).opened else {
        unreachable!("a document")
    };
    assert_eq!((text.as_str(), source.as_str()), (WARPS, "the pasted text"));
    assert_eq!(done, "Opened the pasted text; Undo brings back what was there");
}

/// Listings are machine code, PTX is none, and neither takes over what is the other's.
#[test]
fn listings_open_beside_ptx() {
    const LISTING: &str = include_str!("../../../code/read/tests/fixtures/saxpy-sm_75.sass");
    let of = |present: Option<&str>, name: &str, text: &str| {
        let mut opening = Opening::beside(present);
        opening.file(name, Some(text.as_bytes()));
        match opening.over().opened {
            Some(Opened::Document { text, .. }) => json::parse(&text).unwrap_or_default(),
            _ => Value::Null,
        }
    };
    let code = of(Some(WARPS), "a.sass", LISTING);
    assert_eq!((code["warps"]["sass"].as_str(), code["warps"].get("kernel")), (Some(LISTING), None));
    assert!(scenario::from_tree(OPENED, &code).is_ok());
    let present = json::pretty(&code);
    for (name, text) in [("k.ptx", PTX), ("k.txt", "5L 9C")] {
        let warps = of(Some(&present), name, text);
        assert_eq!(warps["warps"].get("sass"), None, "{name}");
        assert!(scenario::from_tree(OPENED, &warps).is_ok(), "{name}");
    }
}
