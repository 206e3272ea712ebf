//! What a text is: content decides, never the file name.
//!
//! One table names every format there is, with how to recognise it. Formats that are recognised but not
//! read yet say so.

#[cfg(feature = "chain")]
pub mod amalthea;
#[cfg(feature = "blocks")]
pub mod examiner;
pub mod gzip;
pub mod json;
pub mod ptx;
pub mod reader;
pub mod several;
pub mod zip;

use crate::base::Problem;

/// The longest text that is read at all: 64 MiB.
pub const LONGEST: usize = 64 << 20;

/// The problem of a text that is longer.
pub fn too_long() -> Problem {
    let most = LONGEST >> 20;
    Problem::at("document", format!("more than {most} MiB of text"), format!("at most {most} MiB"))
}

/// A format of input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Nothing but spaces.
    Empty,
    /// A share link or its part after `#`.
    Link,
    /// A configuration of the UNC scheduling examiner.
    ExaminerConfig,
    /// A log the UNC scheduling examiner wrote.
    ExaminerLog,
    /// An AMALTHEA model, or whatever else is XML.
    Amalthea,
    /// PTX: a module, or instructions alone.
    Ptx,
    /// A certificate of a result.
    Certificate,
    /// A lesson.
    Lesson,
    /// A Warpspan scenario, or what comes closest to one.
    Scenario,
}

/// Whether a text is of a format.
type Fits = fn(&str) -> bool;

/// Formats in the order they are tried; the first that fits wins.
const TABLE: [(Kind, Fits); 8] = [
    (Kind::Empty, |text| text.is_empty()),
    (Kind::Link, |text| {
        text.lines().count() == 1 && !text.starts_with('{') && text.contains("v=") && text.contains("&c=")
    }),
    // No other format begins so; what is XML but no model is told by what reads models.
    (Kind::Amalthea, |text| text.starts_with('<')),
    (Kind::Ptx, ptx::looks_like),
    (Kind::Certificate, |text| has_keys(text, &["warpspan_certificate"])),
    (Kind::Lesson, |text| has_keys(text, &["lesson", "steps"]) && !has_keys(text, &["warpspan"])),
    (Kind::ExaminerConfig, |text| {
        // The HIP plugin framework has the same format with another list: recognised, so that it is named.
        let lists = has_keys(text, &["benchmarks"]) || has_keys(text, &["plugins"]);
        lists && !has_keys(text, &["warpspan"])
    }),
    (Kind::ExaminerLog, |text| {
        has_keys(text, &["scenario_name", "times"]) && !has_keys(text, &["warpspan"]) || is_cut_log(text)
    }),
];

/// Recognises a text by its content.
pub fn sniff(text: &str) -> Kind {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    TABLE.into_iter().find(|(_, fits)| fits(text)).map_or(Kind::Scenario, |(kind, _)| kind)
}

impl Kind {
    /// The problem of a format that is recognised but no scenario, or not read here.
    pub fn not_yet(self) -> Option<Problem> {
        match self {
            Kind::Certificate => {
                let what = "this is a certificate, which is checked and not run";
                Some(Problem::at("document", what, "a scenario, or \"warpspan check\""))
            }
            Kind::Lesson => {
                let what = "this is a lesson, which is gone through on the page";
                Some(Problem::at("document", what, "a scenario, or \"warpspan lesson\""))
            }
            #[cfg(not(feature = "chain"))]
            Kind::Amalthea => {
                let what = "this is XML, which is read as an AMALTHEA model where chains are";
                Some(Problem::at("document", what, "a scenario, or \"warpspan run\""))
            }
            #[cfg(feature = "chain")]
            Kind::Amalthea => None,
            Kind::Empty
            | Kind::Link
            | Kind::Ptx
            | Kind::Scenario
            | Kind::ExaminerConfig
            | Kind::ExaminerLog => None,
        }
    }
}

/// Whether a JSON text has all these as top-level keys; broken text has none.
fn has_keys(text: &str, keys: &[&str]) -> bool {
    if !text.starts_with('{') || !keys.iter().all(|key| text.contains(&format!("\"{key}\""))) {
        return false;
    }
    json::parse_loose(text).is_ok_and(|tree| keys.iter().all(|key| tree.get(key).is_some()))
}

/// Whether a text is the log of an examiner that was killed while it wrote, or that wrote what is no JSON.
fn is_cut_log(text: &str) -> bool {
    let has = |key: &str| text.contains(&format!("\"{key}\""));
    text.starts_with('{')
        && has("scenario_name")
        && has("times")
        && !has("warpspan")
        && json::parse_loose(text).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_decides() {
        assert_eq!(sniff(" \n"), Kind::Empty);
        assert_eq!(sniff(r#"{"warpspan":1,"blocks":{"examiner":{"benchmarks":[]}}}"#), Kind::Scenario);
        assert_eq!(sniff(r#"{"name":"x","max_iterations":1,"benchmarks":[]}"#), Kind::ExaminerConfig);
        assert_eq!(sniff(r#"{"name":"x","plugins":[]}"#), Kind::ExaminerConfig);
        assert_eq!(
            sniff(r#"{"name":"x","comment":"1","comment":"2","benchmarks":[]}"#),
            Kind::ExaminerConfig
        );
        assert_eq!(sniff(r#"{"scenario_name":"x","times":[{}]}"#), Kind::ExaminerLog);
        assert_eq!(sniff(r#"{"scenario_name":"x","times":[{},{"cpu_ti"#), Kind::ExaminerLog);
        assert_eq!(
            sniff(
                "<?xml version=\"1.0\"?><am:Amalthea xmlns:am=\"http://app4mc.eclipse.org/amalthea/1.0\"/>"
            ),
            Kind::Amalthea
        );
        assert_eq!(sniff("\u{feff} <am:Amalthea xmlns:am=\"http://x\"/>"), Kind::Amalthea);
        assert_eq!(sniff("\n\u{feff}<am:Amalthea/>\u{feff}"), Kind::Amalthea);
        assert_eq!(sniff(".version 6.0\n.visible .entry k() { ret; }"), Kind::Ptx);
        assert_eq!(sniff("/* one */ Loop: @!p add.f32 $f1, $f2, $f3;\nbra Loop;"), Kind::Ptx);
        assert_eq!(sniff("let x = 1; call(x); stop(x);"), Kind::Scenario);
        assert_eq!(sniff("#v=1&s=abc&c=00000000"), Kind::Link);
        assert_eq!(sniff(r#"{"warpspan_certificate": 1}"#), Kind::Certificate);
        assert_eq!(sniff(r#"{"lesson": 1, "title": "x", "steps": []}"#), Kind::Lesson);
        assert_eq!(sniff(r#"{"warpspan": 1, "lesson": 1, "steps": []}"#), Kind::Scenario);
        assert_eq!(sniff("not json"), Kind::Scenario);
    }

    #[test]
    fn a_warps_scenario_that_mentions_benchmarks_is_one() {
        assert_eq!(sniff(r#"{"warpspan":1,"notes":"\"benchmarks\""}"#), Kind::Scenario);
    }
}
