//! Texts within the limit for length that hold so much that it would not fit into memory: refused, with the limit.

use warpspan::import::examiner::log;
use warpspan::scenario;

/// The first problem of a text.
fn said(text: &str) -> String {
    let problems = scenario::read(text).expect_err("too full");
    super::clear(&problems);
    problems[0].to_string()
}

#[test]
fn values_of_two_letters_each() {
    let list = format!("{{\"warpspan\": 1, \"notes\": [{}0]}}", "0,".repeat(6_000_000));
    let expected =
        "so many values before this place that they take more than 400 MiB, expected at most 5 million";
    assert!(said(&list).contains(expected), "{}", said(&list));
}

#[test]
fn a_log_of_empty_entries() {
    let start = "{\"scenario_name\": \"x\", \"times\": [";
    let entries = "{},".repeat(2_000_000);
    let whole = format!("{start}{entries}{{}}]}}");
    assert!(said(&whole).contains("so many values before this place"), "{}", said(&whole));
    // Of one that is broken as much is kept as there is room for.
    let broken = log::read("x.json", &format!("{start}{{broken}},{entries}")).expect("a log");
    let told =
        broken.warnings.iter().any(|warning| warning.text.ends_with("this and what follows is left out"));
    assert!(told && broken.lost, "{:?}", broken.warnings);
}

#[test]
fn a_program_of_very_many_instructions() {
    let program = |count| format!(".visible .entry k() {{ {} }}", "ret;".repeat(count));
    assert!(scenario::read(&program(1_000_000)).is_ok());
    assert_eq!(
        said(&program(1_000_001)),
        "line 1 column 4000028: more than 1,000,000 instructions and labels, expected at most 1,000,000"
    );
    let labels = format!("{}ret;", "a:".repeat(1_000_001));
    assert!(said(&format!(".visible .entry k() {{ {labels} }}")).contains("more than 1,000,000"));
}

#[test]
fn a_model_of_very_many_elements() {
    let model = format!("<am:Amalthea>{}</am:Amalthea>", "<a/>".repeat(1_000_000));
    assert!(
        said(&model).ends_with("more than 1,000,000 elements, expected at most 1,000,000"),
        "{}",
        said(&model)
    );
}

#[test]
fn a_model_of_very_many_files() {
    let file = "<?warpspan-file length=\"0\" name=\"a\"?>\n\n";
    assert_eq!(said(&file.repeat(70_000)), "document: more than 1,000 files, expected at most 1,000");
}
