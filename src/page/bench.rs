//! A conjecture's result on the page: the document and the report it came from, laid out as rows and columns.

use serde_json::Value;

use crate::import::json;
use crate::report::{Cell, ConjectureReport, Parameter, Totals, conjecture_report};
use crate::scenario::Question;

/// A conjecture whose cells have been judged, all or some of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The document that was run.
    pub text: String,
    /// The notes.
    pub notes: String,
    /// The report.
    pub report: ConjectureReport,
}

/// A parameter that varies, and its place among the parameters.
pub type Axis<'a> = (usize, &'a Parameter);

impl Judged {
    /// Joins a document and the report line a worker made of it; `None` if they do not fit each other.
    pub fn new(text: &str, line: &str) -> Option<Self> {
        let scenario = crate::scenario::read(text).ok()?;
        let Question::Conjecture(asked) = &scenario.question else { return None };
        let told = json::parse(line).ok()?;
        let mut report = conjecture_report(&scenario, asked, &[]);
        if told.get("claim")?.get("formula")?.as_str()? != report.claim.formula {
            return None;
        }
        let cells: Vec<Cell> = told.get("cells")?.as_array()?.iter().map(cell).collect::<Option<_>>()?;
        if !cells.iter().map(|cell| &cell.at).eq(report.cells.iter().map(|cell| &cell.at)) {
            return None;
        }
        report.totals = Totals::of(&cells);
        report.cells = cells;
        report.seconds = told.get("seconds")?.as_f64()?;
        Some(Self { text: text.to_owned(), notes: scenario.notes, report })
    }

    /// What rows and columns stand for; a parameter with one value is neither.
    pub fn axes(&self) -> (Option<Axis<'_>>, Option<Axis<'_>>) {
        let parameters = self.report.parameters.iter().enumerate();
        let mut varying = parameters.filter(|(_, parameter)| parameter.values.len() > 1);
        match (varying.next(), varying.next()) {
            (Some(rows), Some(columns)) => (Some(rows), Some(columns)),
            (only, _) => (None, only),
        }
    }

    /// The cells row by row.
    pub fn rows(&self) -> impl Iterator<Item = &[Cell]> {
        // The last parameter that varies changes fastest.
        let width = self.axes().1.map_or(1, |(_, parameter)| parameter.values.len());
        self.report.cells.chunks(width)
    }

    /// The scenario that shows the refutation in a cell, laid out for people.
    pub fn refutation(&self, cell: usize) -> Option<String> {
        self.report.cells.get(cell)?.witness.as_ref().map(json::pretty)
    }
}

/// A cell as it is told.
fn cell(told: &Value) -> Option<Cell> {
    let text = |key: &str| told.get(key).and_then(Value::as_str).map(str::to_owned);
    let number = |key: &str| told.get(key).and_then(Value::as_i64);
    let cycles = |key: &str| number(key).and_then(|n| u32::try_from(n).ok());
    let at = told.get("at")?.as_array()?.iter().map(|n| u32::try_from(n.as_u64()?).ok());
    Some(Cell {
        at: at.collect::<Option<_>>()?,
        warps: number("warps").and_then(|n| usize::try_from(n).ok()),
        claimed: text("claimed"),
        allowed: number("allowed"),
        lower: cycles("lower"),
        upper: cycles("upper"),
        upper_by: text("upper_by"),
        verdict: text("verdict")?,
        margin: number("margin"),
        why: text("why"),
        witness: told.get("witness").filter(|witness| witness.is_object()).cloned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(inside: &str) -> (Judged, crate::report::Report) {
        let text = format!(r#"{{"warpspan":1,"notes":"n","conjecture":{{{inside}}}}}"#);
        let Ok(scenario) = crate::scenario::read(&text) else { unreachable!("{text}") };
        let report = crate::job::run(scenario);
        match Judged::new(&text, &report.line()) {
            Some(judged) => (judged, report),
            None => unreachable!("a report fits its document"),
        }
    }

    const RARAVI: &str = r#""claim":{"named":"raravi"},"ranges":{"n":[16,48,16],"rep":[1,2]}"#;

    #[test]
    fn what_a_worker_tells_is_read_back_whole() {
        let odd = r#""claim":{"formula":"9/(W-1)/2","says":"exactly"},"kernel":"LC","machine":{"L":1,"C":1},"ranges":{"W":[1,3]}"#;
        for inside in [RARAVI, odd] {
            let (judged, report) = judged(inside);
            assert_eq!(crate::report::Report::Conjecture(Box::new(judged.report.clone())), report);
            assert_eq!(Judged::new(&judged.text, "{}"), None);
        }
        assert_eq!(Judged::new(&judged(odd).0.text, &judged(RARAVI).1.line()), None);
    }

    #[test]
    fn rows_and_columns() {
        let names = |judged: &Judged| {
            let (rows, columns) = judged.axes();
            [rows, columns].map(|axis| axis.map(|(_, parameter)| parameter.name.clone()).unwrap_or_default())
        };
        let (two, _) = judged(RARAVI);
        assert_eq!(names(&two), ["n", "rep"]);
        let verdicts: Vec<Vec<&str>> =
            two.rows().map(|row| row.iter().map(|cell| cell.verdict.as_str()).collect()).collect();
        assert_eq!(
            verdicts,
            [["confirmed", "refuted"], ["confirmed", "confirmed"], ["confirmed", "confirmed"]]
        );
        let (one, _) = judged(r#""claim":{"named":"raravi"},"ranges":{"n":[16,48,16],"rep":2}"#);
        assert_eq!((names(&one), one.rows().count()), (["".to_owned(), "n".to_owned()], 1));
        let (none, _) = judged(r#""claim":{"named":"raravi"},"ranges":{"n":16,"rep":2}"#);
        assert_eq!((names(&none), none.rows().count()), (["".to_owned(), "".to_owned()], 1));
    }

    #[test]
    fn a_refutation_is_one_text_away() {
        let (judged, _) = judged(RARAVI);
        let open = |cell| judged.refutation(cell).map(|text| crate::scenario::read(&text).is_ok());
        assert_eq!([open(0), open(1), open(9)], [None, Some(true), None]);
    }
}
