//! Texts that are too long to be shown are refused with their length and what is allowed, each at its place; whatever
//! is a little shorter is taken.

use serde_json::{Value, json};
use warpspan::import::json::line;
use warpspan::import::reader::{LONGEST_KERNEL, LONGEST_PROSE, LONGEST_TEXT, MOST_LINES, Reader};
use warpspan::scenario::{self, builtin, link};

fn told(document: &Value) -> Vec<String> {
    let problems = scenario::from_tree(document).err().unwrap_or_default();
    problems.iter().map(ToString::to_string).collect()
}

fn warps(key: &str, text: &str) -> Value {
    let mut document =
        json!({"warpspan": 1, "warps": {"kernel": "LCL", "count": 2, "machine": {"L": 1, "C": 1}}});
    document[key] = Value::from(text);
    document
}

#[test]
fn titles_and_notes() {
    assert_eq!(told(&warps("title", &"ä".repeat(LONGEST_TEXT))), [""; 0]);
    assert_eq!(
        told(&warps("title", &"ä".repeat(LONGEST_TEXT + 1))),
        ["title: a text of 4,001 characters, expected at most 4,000"]
    );
    assert_eq!(told(&warps("notes", &"ä".repeat(LONGEST_PROSE))), [""; 0]);
    assert_eq!(
        told(&warps("notes", &"a".repeat(LONGEST_PROSE + 1))),
        ["notes: a text of 100,001 characters, expected at most 100,000"]
    );
    assert_eq!(told(&warps("notes", &"a\n".repeat(MOST_LINES - 1))), [""; 0]);
    assert_eq!(
        told(&warps("notes", &"a\n".repeat(MOST_LINES))),
        ["notes: a text of 5,001 lines, expected at most 5,000"]
    );
}

#[test]
fn names_and_labels() {
    let long = "K".repeat(LONGEST_TEXT + 1);
    let what = "a text of 4,001 characters, expected at most 4,000";
    let blocks = json!({"warpspan": 1, "blocks": {"device": {"preset": "jetson-tx2"}, "streams": [{"operations": [
        {"kernel": long, "blocks": 4, "threads": 32, "duration": 1000}]}]}});
    assert_eq!(told(&blocks), [format!("blocks.streams[0].operations[0].kernel: {what}")]);
    let tasks = json!({"warpspan": 1, "tasks": [{"name": long, "period": 4, "vertices": [{"name": "a", "e": 1, "d": 4}]}]});
    assert_eq!(told(&tasks), [format!("tasks[0].name: {what}")]);
    let chain: Value = serde_json::from_str(
        builtin::BUILTINS.iter().find(|example| example.name == "chain-teaching").expect("an example").text,
    )
    .expect("JSON");
    let mut chain = chain;
    chain["chain"]["kernels"][0]["name"] = Value::from(long.clone());
    assert!(told(&chain).contains(&format!("chain.kernels[0].name: {what}")), "{:?}", told(&chain));
    let mut string = warps("title", "t");
    string["warps"]["kernel"] = Value::from("L ".repeat(LONGEST_KERNEL));
    assert_eq!(told(&string), ["warps.kernel: a text of 400,000 characters, expected at most 200,000"]);
}

/// The page shows a document before whoever reads its kind has answered: what it cannot show, it refuses itself.
#[test]
fn texts_in_documents_that_are_not_read_here() {
    let told = |document: Value| {
        let mut reader = Reader::default();
        let bounded = reader.bounded("blocks", &document);
        let told: Vec<String> = reader.into_problems().iter().map(ToString::to_string).collect();
        assert_eq!(bounded, told.is_empty());
        told
    };
    let (short, long) = ("K".repeat(LONGEST_KERNEL), "K".repeat(LONGEST_KERNEL + 1));
    assert_eq!(
        told(json!({"streams": [{"kernel": short}], "measured": [long], "ptx": long, "n": 1})),
        [""; 0]
    );
    assert_eq!(
        told(json!({"streams": [{"label": "a"}, {"kernel": long}]})),
        ["blocks.streams[1].kernel: a text of 200,001 characters, expected at most 200,000"]
    );
}

/// A name in a log is no one's to mend: its beginning is kept, and that is told.
#[test]
fn names_in_logs() {
    let text = line(
        &json!({"scenario_name": "s", "benchmark_name": "b", "label": "L".repeat(9_000), "max_resident_threads": 4096,
        "times": [{}, {"kernel_name": "k".repeat(5_000), "block_count": 1, "thread_count": 32, "block_times": [0.1, 0.2]}]}),
    );
    let log = warpspan::import::examiner::log::read("log.json", &text).expect("a log");
    assert_eq!(log.label.len(), LONGEST_TEXT);
    assert_eq!(log.kernels[0].name.as_deref().map(str::len), Some(LONGEST_TEXT));
    let told: Vec<String> = log.warnings.iter().map(ToString::to_string).collect();
    assert!(
        told.contains(&"label: a name of 9,000 characters; the first 4,000 are kept".to_owned()),
        "{told:?}"
    );
}

/// What the largest documents that travel in a link may hold is refused, or read in a moment.
#[test]
fn bombs_in_links_are_told() {
    for (key, text) in [("title", "A".repeat(3_900_000)), ("notes", "a\n".repeat(1_300_000))] {
        let link = link::write(&warps(key, &text), &link::View::default()).expect("it packs well");
        let opened = link::open(&link).expect("a link");
        assert_eq!(told(&opened.scenario).len(), 1, "{key}");
    }
}
