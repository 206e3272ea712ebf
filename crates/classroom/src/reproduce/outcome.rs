//! What came of an item: each published value beside ours.

use serde::Serialize;
use serde_json::{Value, json};

use super::paper::{Comparison, Item};
use super::verdict::{Claim, Verdict, judge, ratio};
use base::{Problem, people};
use kit::import::json;

/// An item held against a report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// The item's id.
    pub item: String,
    /// How long the report took, in seconds.
    pub seconds: f64,
    /// A row for each of its values, in their order.
    pub values: Vec<Row>,
}

/// A published value beside ours.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// What it is the value of.
    pub what: String,
    /// As published.
    pub published: Value,
    /// Ours; none where it could not be read.
    pub ours: Option<Value>,
    /// Ours as a multiple of the published one, where both are numbers.
    pub ratio: Option<f64>,
    /// How they compare; none where they could not be compared.
    pub verdict: Option<Verdict>,
    /// How they are known to compare.
    pub expected: Verdict,
    /// The reason, where there is one to tell.
    pub why: String,
    /// What went wrong, where something did.
    pub problem: Option<String>,
}

impl Row {
    /// Whether it compares as it is known to.
    pub fn is_as_expected(&self) -> bool {
        self.verdict == Some(self.expected)
    }

    /// The word for how it compares.
    pub fn word(&self) -> &'static str {
        self.verdict.map_or("unread", Verdict::word)
    }
}

impl Outcome {
    /// An item held against the line of its report, or against what [`refused`] makes of a refusal.
    pub fn of_line(item: &Item, line: &str) -> Self {
        match json::parse(line) {
            Ok(report) => Self::of(item, &report),
            Err(problem) => Self::without_report(item, &problem.to_string()),
        }
    }

    /// An item held against its report.
    pub fn of(item: &Item, report: &Value) -> Self {
        let values = item.comparisons.iter().map(|comparison| row(comparison, comparison.ours.of(report)));
        let seconds = report.get("seconds").and_then(Value::as_f64).unwrap_or(0.0);
        Self { item: item.id.clone(), seconds, values: values.collect() }
    }

    /// An item that could not be run.
    pub fn without_report(item: &Item, why: &str) -> Self {
        let values = item.comparisons.iter().map(|comparison| row(comparison, Err(why.to_owned())));
        Self { item: item.id.clone(), seconds: 0.0, values: values.collect() }
    }

    /// `3 values: 2 agree, 1 refuted. All are as expected.`
    pub fn sentence(&self) -> String {
        Totals::of([self]).verdicts()
    }

    /// Whether every value compares as it is known to.
    pub fn is_as_expected(&self) -> bool {
        self.values.iter().all(Row::is_as_expected)
    }
}

fn row(comparison: &Comparison, ours: Result<Value, String>) -> Row {
    let (mut ours, mut problem) = match ours {
        Ok(ours) => (Some(ours), None),
        Err(problem) => (None, Some(problem)),
    };
    let published = &comparison.published;
    let verdict = ours.as_ref().and_then(|ours| judge(comparison.claim, published, ours, comparison.within));
    if ours.is_some() && verdict.is_none() {
        problem = Some("these values cannot be compared".to_owned());
    }
    // Of a longer text only what was looked for is worth showing.
    if comparison.claim == Claim::Within && verdict == Some(Verdict::Agree) {
        ours = Some(published.clone());
    }
    Row {
        what: comparison.what.clone(),
        published: published.clone(),
        ratio: ours.as_ref().and_then(|ours| ratio(published, ours)),
        ours,
        verdict,
        expected: comparison.expect,
        why: comparison.why.clone(),
        problem,
    }
}

/// What stands in place of a report where a document is refused.
pub fn refused(problems: &[Problem]) -> String {
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    json::line(&json!({"refused": lines}))
}

/// How many values compare how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Totals {
    /// Items.
    pub items: usize,
    /// Values in them.
    pub values: usize,
    /// Those that agree.
    pub agree: usize,
    /// Those that differ.
    pub differ: usize,
    /// Those that are refuted.
    pub refuted: usize,
    /// Those that could not be read or compared.
    pub unread: usize,
    /// Those that do not compare as they are known to.
    pub unexpected: usize,
}

impl Totals {
    /// Of some outcomes.
    pub fn of<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        let mut totals = Self::default();
        for outcome in outcomes {
            totals.items += 1;
            for row in &outcome.values {
                totals.values += 1;
                totals.unexpected += usize::from(!row.is_as_expected());
                *match row.verdict {
                    Some(Verdict::Agree) => &mut totals.agree,
                    Some(Verdict::Differ) => &mut totals.differ,
                    Some(Verdict::Refuted) => &mut totals.refuted,
                    None => &mut totals.unread,
                } += 1;
            }
        }
        totals
    }

    /// `12 items, 40 values: 35 agree, 3 differ, 2 refuted. All are as expected.`
    pub fn sentence(&self) -> String {
        format!("{}, {}", people::counted(self.items, "item"), self.verdicts())
    }

    /// The same without the number of items.
    fn verdicts(&self) -> String {
        let counts = [
            (self.agree, "agree"),
            (self.differ, "differ"),
            (self.refuted, "refuted"),
            (self.unread, "could not be read"),
        ];
        let parts =
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
        let expected = match self.unexpected {
            0 => "All are as expected.".to_owned(),
            n => format!("{} not as expected.", people::plural(n, "is", "are")),
        };
        let parts = parts.collect::<Vec<_>>().join(", ");
        format!("{}: {parts}. {expected}", people::counted(self.values, "value"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::read;

    fn item() -> Item {
        let text = r#"{"paper": "X", "title": "t", "authors": "a", "items": [{
            "id": "x", "place": "p", "title": "t", "says": "s", "scenario": "figure-2", "values": [
                {"what": "makespan", "published": 8, "ours": "/makespan"},
                {"what": "bound", "published": 7, "claim": "at-most", "ours": "/makespan", "expect": "refuted", "why": "w"},
                {"what": "kernel", "published": "LCL", "claim": "at-most", "ours": "/kernel"},
                {"what": "nothing", "published": 1, "ours": "/none"}
            ]
        }]}"#;
        read(text)
            .ok()
            .and_then(|paper| paper.items.into_iter().next())
            .unwrap_or_else(|| unreachable!("it reads"))
    }

    #[test]
    fn values_stand_side_by_side() {
        let outcome = Outcome::of_line(&item(), r#"{"seconds": 0.5, "makespan": 8, "kernel": "LCL"}"#);
        let told: Vec<_> = outcome.values.iter().map(|row| (row.word(), row.is_as_expected())).collect();
        assert_eq!(told, [("agree", true), ("refuted", true), ("unread", false), ("unread", false)]);
        assert_eq!(outcome.seconds, 0.5);
        assert_eq!(outcome.values[1].ratio, Some(8.0 / 7.0));
        assert_eq!(outcome.values[3].problem.as_deref(), Some("/none: no field none"));
        assert!(!outcome.is_as_expected());
        let totals = Totals::of([&outcome]);
        assert_eq!(
            totals.sentence(),
            "1 item, 4 values: 1 agree, 1 refuted, 2 could not be read. 2 are not as expected."
        );
    }

    #[test]
    fn a_refusal_or_none_at_all_is_told() {
        let line = refused(&[Problem::at("warps.count", "0", "a whole number")]);
        assert_eq!(line, r#"{"refused":["warps.count: 0, expected a whole number"]}"#);
        let outcome = Outcome::of_line(&item(), &line);
        assert!(outcome.values.iter().all(|row| row.verdict.is_none()));
        let outcome = Outcome::without_report(&item(), "the worker died");
        assert!(outcome.values.iter().all(|row| row.problem.as_deref() == Some("the worker died")));
    }
}
