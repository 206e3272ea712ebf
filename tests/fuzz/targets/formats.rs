//! The formats that are read beside scenarios: compressed files, certificates, PTX, AMALTHEA, the examiner's files, lessons
//! and lists of published values.

use serde_json::{Value, json};
use warpspan::import::gzip::text_of;
use warpspan::import::{self, examiner, json, zip};
use warpspan::lesson::check::{Seen, Start};
use warpspan::lesson::marks::marked;
use warpspan::report::certificate::judge;
use warpspan::reproduce::Outcome;
use warpspan::scenario::link::View;
use warpspan::scenario::{self, certificate as certificates};
use warpspan::warps::certificate::Limits;
use warpspan::{exercises, lesson, reproduce};

use super::documents::run_tree;
use super::said::clear;
use super::text;

/// What a proof may take here.
const LIMITS: Limits = Limits { cells: 20_000, states: 200, work: 20_000_000 };

/// What a text is is told of every text, and whatever it is, it is read or refused with clear words.
pub fn sniff(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let kind = import::sniff(&text);
    assert_eq!(import::sniff(&format!("\u{feff} {text}\n")), kind, "spaces around it change nothing");
    if let Err(problems) = scenario::tree(&text) {
        clear(&problems);
    }
}

/// A file is text, or is unpacked, or is refused.
pub fn gzip(data: &[u8]) {
    if data.len() > super::LONGEST {
        return;
    }
    let plain = text_of(data);
    let unpacked = text_of(&packed(data));
    for problem in [&plain, &unpacked].into_iter().filter_map(|text| text.as_ref().err()) {
        clear(std::slice::from_ref(problem));
    }
    // What is packed is read as it would be without; what is packed twice stays packed.
    if !data.starts_with(&[0x1f, 0x8b, 8]) && !zip::is_zip(data) {
        assert_eq!(unpacked, plain);
    }
}

/// A gzip file.
pub fn packed(data: &[u8]) -> Vec<u8> {
    let mut file = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    file.extend(miniz_oxide::deflate::compress_to_vec(data, 1));
    file.extend(warpspan::base::crc32(data).to_le_bytes());
    file.extend((data.len() as u32).to_le_bytes());
    file
}

/// A certificate is refused or judged, as it is and with a checksum that fits.
pub fn certificate(data: &[u8]) {
    let Some(text) = text(data) else { return };
    judged(&text);
    if let Ok(Value::Object(mut map)) = json::parse(&text) {
        map.shift_remove("checksum");
        let mut tree = Value::Object(map);
        let sum = certificates::checksum(&tree);
        tree["checksum"] = sum.into();
        judged(&tree.to_string());
    }
}

fn judged(text: &str) {
    match certificates::read(text) {
        Ok(certificate) if certificate.count * certificate.kernel.len() <= 4_000 => {
            let verdict = judge(&certificate, LIMITS);
            assert_eq!(verdict.accepted, verdict.reasons.is_empty());
            assert!(verdict.accepted <= certificate.intact, "a changed file was accepted");
            assert!(verdict.upper.is_none_or(|upper| !verdict.accepted || verdict.lower <= upper));
            assert!(json::parse(&verdict.line()).is_ok());
        }
        Ok(_) => {}
        Err(problems) => clear(&problems),
    }
}

/// A program is read or refused; what is read makes a document that can be run or says why not.
pub fn ptx(data: &[u8]) {
    let Some(text) = text(data) else { return };
    if let Err(problems) = import::ptx::read(&text) {
        clear(&problems);
        return;
    }
    read_and_run(&scenario::document_of_ptx(&text), 4);
    let inside =
        json!({"warpspan": 1, "title": "t", "warps": {"kernel": "LCL", "count": 3, "machine": {"L": 1}}});
    if let Err(problems) = scenario::from_tree(&scenario::document_of_ptx_in(&inside, &text)) {
        clear(&problems);
    }
}

/// Reads a document made of a file; runs one in `every` that can be.
pub fn read_and_run(tree: &Value, every: usize) {
    match scenario::from_tree(tree) {
        Ok(_) if tree.to_string().len().is_multiple_of(every) => drop(run_tree(tree)),
        Ok(_) => {}
        Err(problems) => clear(&problems),
    }
}

/// A model is read or refused; what is read makes a chain.
pub fn amalthea(data: &[u8]) {
    let Some(text) = text(data) else { return };
    match scenario::document_of_amalthea(&text) {
        Ok(tree) => read_and_run(&tree, 8),
        Err(problems) => clear(&problems),
    }
}

/// A configuration is read loosely; what cannot be run says why not.
pub fn configuration(data: &[u8]) {
    let Some(text) = text(data) else { return };
    match json::parse_loose(&text) {
        Ok(tree) => read_and_run(&scenario::document_of_config(&tree), 4),
        Err(problem) => clear(&[problem]),
    }
}

/// A log is read as far as it is sound; it is replayed and checked.
pub fn log(data: &[u8]) {
    let Some(text) = text(data) else { return };
    match examiner::log::read("log.json", &text) {
        Ok(log) => {
            for kernel in &log.kernels {
                assert!(kernel.blocks >= 1 && kernel.threads >= 1, "{kernel:?}");
                assert!(kernel.runs.iter().all(|run| run.start <= run.end), "{kernel:?}");
            }
        }
        Err(problem) => clear(&[problem]),
    }
    let logs = scenario::logs_in("log.json", &text).unwrap_or_else(|| vec![("log.json".to_owned(), text)]);
    read_and_run(&scenario::document_of_logs(&logs), 4);
}

/// A lesson is refused, or each of its checks is held against what is not there and against its own documents.
pub fn lesson(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let lesson = match lesson::read(&text) {
        Ok(lesson) => lesson,
        Err(problems) => return clear(&problems),
    };
    let report = json!({"makespan": 3, "bound": 4.5, "upper": null, "tasks": [{"response": u64::MAX}, {}]});
    for (at, step) in lesson.steps.iter().enumerate() {
        let _ = marked(&step.title);
        let document = lesson.document(at).unwrap_or_default();
        let solved = step.solution.document(&document);
        if let Err(problems) = scenario::from_tree(&solved) {
            clear(&problems);
        }
        let Some(check) = &step.check else { continue };
        let start = Start { document, report: Some(report.clone()), view: View::default() };
        for report in [None, Some(&report), Some(&Value::Null)] {
            for answer in [None, Some(""), Some("3"), Some("-1e308"), step.solution.answer.as_deref()] {
                let view = &step.view;
                let worst_case = report;
                let seen = Seen {
                    report,
                    worst_case,
                    document: &solved,
                    view,
                    revealed: false,
                    answer,
                    start: &start,
                };
                let _ = check.is_met(&seen);
                if let (Some(question), Some(answer)) = (check.question(), answer) {
                    let _ = (question.verdict(answer, &seen), question.answer(&seen));
                }
            }
        }
    }
}

/// A set of exercises is refused, or given to a student; the same text is refused as answers, or graded.
pub fn exercises(data: &[u8]) {
    let Some(text) = text(data) else { return };
    match exercises::read(&text) {
        Err(problems) => clear(&problems),
        Ok(set) => match set.given("Ada") {
            Err(problems) => clear(&problems),
            Ok(given) => {
                for own in given {
                    let _ = (own.right(&Value::Null), own.verdict("3", &json!({"makespan": 3})));
                    if let Err(problems) = scenario::from_tree(&own.document) {
                        clear(&problems);
                    }
                }
            }
        },
    }
    match exercises::Answers::read(&text) {
        Err(problems) => clear(&problems),
        Ok(answers) => {
            let again = exercises::Answers::read(&answers.document());
            assert_eq!(again, Ok(answers), "answers are written and read again");
        }
    }
}

/// A list of published values is refused, or compared with reports that fit it badly.
pub fn reproduction(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let paper = match reproduce::read(&text) {
        Ok(paper) => paper,
        Err(problems) => return clear(&problems),
    };
    for item in &paper.items {
        let _ = (item.link(), item.text(), item.is_light());
        for line in ["", "{}", "[1, 2]", r#"{"makespan": 8, "chain": [], "tasks": [{"demand": [[1, 2]]}]}"#] {
            let outcome = Outcome::of_line(item, line);
            assert_eq!(outcome.values.len(), item.comparisons.len());
            let _ = (outcome.sentence(), outcome.is_as_expected());
        }
    }
}
