//! `run` on machine code: a listing of a disassembler, or a document whose warps have `code` or `sass`.

use serde_json::Value;

use super::progress::ProgressLine;
use super::through::Through;
use crate::base::Problem;
use crate::import::{Format, json, sniff};
use crate::job::Step;
use base::control::Pacer;

/// The document of a text that is machine code; none for everything else.
pub(super) fn document(text: &str, through: &Through) -> Option<Result<Value, Vec<Problem>>> {
    if code_lab::looks_like(text) {
        return Some(code_lab::document(text).and_then(|tree| through.in_listing(tree)));
    }
    let maybe = sniff(text) == Format::Scenario && (text.contains("\"code\"") || text.contains("\"sass\""));
    let tree = maybe.then(|| json::parse(text).ok()).flatten()?;
    code_lab::is_asked(&tree).then_some(Ok(tree))
}

/// The line of its report, and what it takes for granted.
pub(super) fn report(tree: &Value) -> Result<(String, Vec<String>), Vec<Problem>> {
    let scenario = code_lab::LINKED.from_tree(tree)?;
    let mut line = ProgressLine::start(&scenario.title);
    let mut job = code_lab::LINKED.start(&scenario);
    let mut pacer = Pacer::new(20.0);
    loop {
        let before = line.seconds();
        match job.step(&mut pacer.next()) {
            Step::More(progress) => {
                line.show(&progress);
                pacer.took((line.seconds() - before) * 1000.0);
            }
            Step::Done(mut report) => {
                report.took(line.seconds());
                line.clear();
                let told = report.of::<code_lab::report::CodeReport>();
                let warnings = told.map_or_else(Vec::new, |told| told.assumed.clone());
                return Ok((report.line() + "\n", warnings));
            }
        }
    }
}
