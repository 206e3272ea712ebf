//! Whether every step of a lesson can be done, found out by doing it: its document is run as it stands, which must not
//! meet its check, and then as its solution has it, which must.

use serde_json::Value;

use super::check::{Check, Seen, Start};
use super::{Lesson, Step};
use base::Problem;
use kit::import::json;
use kit::scenario::link::View;

/// What became of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// There is nothing to do in it.
    Read,
    /// Its solution meets its check, which was not met before.
    Solved,
    /// Its check is met from the start.
    MetAtOnce,
    /// Its solution does not meet its check.
    NotSolved,
    /// Its document, or that of its solution, cannot be run.
    Refused(Vec<Problem>),
}

impl Outcome {
    /// Whether this is how a step should be.
    pub fn is_good(&self) -> bool {
        matches!(self, Self::Read | Self::Solved)
    }

    /// In words.
    pub fn said(&self) -> &'static str {
        match self {
            Self::Read => "nothing to do",
            Self::Solved => "solved by its solution",
            Self::MetAtOnce => {
                "its check is met before anything is done; \"already\" says where that is meant"
            }
            Self::NotSolved => "its solution does not meet its check",
            Self::Refused(_) => "cannot be run",
        }
    }
}

/// What became of every step, as each is done; they go on from each other as on the page.
pub fn outcomes(lesson: &Lesson) -> impl Iterator<Item = Outcome> {
    let mut present: Option<Value> = None;
    lesson.steps.iter().map(move |step| {
        let begun = step.opens.clone().or_else(|| present.clone()).unwrap_or_default();
        present = step.leads_to(Some(begun.clone()));
        outcome(step, begun).unwrap_or_else(Outcome::Refused)
    })
}

fn outcome(step: &Step, begun: Value) -> Result<Outcome, Vec<Problem>> {
    let report = report(&begun)?;
    let Some(check) = &step.check else { return Ok(Outcome::Read) };
    let start = Start { document: begun, report: Some(report), view: step.view.clone() };
    let at_first = seen(&start.document, start.report.as_ref(), &step.view, &start);
    if check.is_met(&at_first) && !step.already {
        return Ok(Outcome::MetAtOnce);
    }
    let document = step.solution.document(&start.document);
    // Where a step only asks something, nothing is run again.
    let report = match &start.report {
        Some(same) if document == start.document => same.clone(),
        _ => self::report(&document)?,
    };
    let view = step.solution.view.as_ref().unwrap_or(&step.view);
    let then = Seen { revealed: true, ..seen(&document, Some(&report), view, &start) };
    let answer = step.solution.answer.clone();
    let answer = answer.or_else(|| check.question().and_then(|question| question.answer(&then)));
    let met = check.is_met(&Seen { answer: answer.as_deref(), ..then });
    Ok(if met && is_asked_well(check, &then) { Outcome::Solved } else { Outcome::NotSolved })
}

/// Of several choices exactly one is right.
fn is_asked_well(check: &Check, seen: &Seen<'_>) -> bool {
    use super::question::Kind;
    check.question().is_none_or(|question| match &question.kind {
        Kind::Choice(choices, _) => choices.iter().filter(|one| question.is_right(one, seen)).count() == 1,
        Kind::Number(..) | Kind::Text(_) => true,
    })
}

fn seen<'a>(document: &'a Value, report: Option<&'a Value>, view: &'a View, start: &'a Start) -> Seen<'a> {
    // Nobody presses the button: a check that a search meets is met in another way, too.
    Seen { report, worst_case: None, document, view, revealed: false, answer: None, start }
}

/// What the lab makes of a document.
pub(super) fn report(document: &Value) -> Result<Value, Vec<Problem>> {
    let scenario = labs::ALL.from_tree(document)?;
    json::parse(&labs::ALL.run(&scenario).line()).map_err(|problem| vec![problem])
}
