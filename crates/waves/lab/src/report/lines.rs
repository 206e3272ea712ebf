//! Cycles by line of code and by line of source.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use waves::Account;
use waves::cause::Sums;

use super::by_cause;

/// A line of code.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OfLine {
    /// Its number in the file.
    pub line: u32,
    /// The instruction.
    pub text: String,
    /// Where in the source it is from.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// How often it was executed.
    pub hits: u64,
    /// The cycles before it and of it, by cause.
    pub causes: Map<String, Value>,
}

/// A line of source.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OfSource {
    /// The path and the line.
    pub source: String,
    /// Its cycles by cause.
    pub causes: Map<String, Value>,
}

/// How often each line was executed, and its cycles by cause; by place among the lines.
pub fn by_line(account: &Account) -> Vec<(u64, Sums)> {
    let mut found = vec![(0, Sums::default()); account.capture.lines.len()];
    for (wave, parts) in account.capture.waves.iter().zip(&account.parts) {
        for instr in &wave.instrs {
            if let Some(own) = found.get_mut(instr.line as usize) {
                own.0 += 1;
            }
        }
        for part in parts {
            let instr = part.item.and_then(|item| wave.instrs.get(item as usize));
            if let Some(own) = instr.and_then(|instr| found.get_mut(instr.line as usize)) {
                own.1.add(part.cause, part.cycles());
            }
        }
    }
    found
}

/// The lines that were executed.
pub fn lines(account: &Account) -> Vec<OfLine> {
    let own = by_line(account);
    let lines = account.capture.lines.iter().zip(own).filter(|(_, (hits, _))| *hits > 0);
    let line = |(line, (hits, sums)): (&waves::Line, (u64, Sums))| OfLine {
        line: line.number,
        text: line.text.clone(),
        source: line.source.clone(),
        hits,
        causes: by_cause(&sums),
    };
    lines.map(line).collect()
}

/// Lines of source, those with most cycles first.
pub fn sources(account: &Account) -> Vec<OfSource> {
    let mut found: BTreeMap<&str, Sums> = BTreeMap::new();
    for (line, (_, sums)) in account.capture.lines.iter().zip(by_line(account)) {
        if !line.source.is_empty() && sums.total() > 0 {
            found.entry(&line.source).or_default().add_all(&sums);
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|(source, sums)| (std::cmp::Reverse(sums.total()), *source));
    found
        .into_iter()
        .map(|(source, sums)| OfSource { source: source.to_owned(), causes: by_cause(&sums) })
        .collect()
}
