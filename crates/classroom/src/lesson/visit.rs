//! What is known of the step someone is at: how it began, and whether it is done.

use serde_json::Value;

use super::check::{Seen, Start};
use super::{Check, Step};
use kit::scenario::link::View;

/// A step someone is at.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Visit {
    /// The text that is on its way to the page; until it is there, the page still shows what was before.
    awaited: Option<String>,
    /// What the step began with.
    pub start: Start,
    /// Whether the check has been seen not to be met.
    armed: bool,
    /// Whether the step is done.
    pub done: bool,
}

/// How the page stands.
#[derive(Debug, Clone, Copy)]
pub struct Standing<'a> {
    /// The text of the document on it.
    pub text: &'a str,
    /// That document.
    pub document: &'a Value,
    /// Its report; none while there is no report of just this document.
    pub report: Option<&'a Value>,
    /// What the search for its worst case has found, where somebody has begun one.
    pub worst_case: Option<&'a Value>,
    /// Whether more is to come.
    pub running: bool,
    /// How it is looked at.
    pub view: &'a View,
    /// Whether nothing is hidden.
    pub revealed: bool,
    /// The answer that was given.
    pub answer: Option<&'a str>,
}

impl Visit {
    /// A step that was entered. `opened` is the text that was asked for; none where what is on the page stands.
    pub fn begun(step: &Step, opened: Option<String>) -> Self {
        let start =
            Start { document: step.opens.clone().unwrap_or_default(), report: None, view: step.view.clone() };
        Self { awaited: opened, start, ..Self::default() }
    }

    /// Whether the page has what the step opened.
    pub fn is_there(&self) -> bool {
        self.awaited.is_none()
    }

    /// What a check of this step is held against.
    pub fn seen<'a>(&'a self, standing: &Standing<'a>) -> Seen<'a> {
        Seen {
            report: standing.report,
            worst_case: standing.worst_case,
            document: standing.document,
            view: standing.view,
            revealed: standing.revealed,
            answer: standing.answer,
            start: &self.start,
        }
    }

    /// Looks at the page. A check counts once it has been seen not to be met: what was so from the start is nobody's
    /// doing, unless the step says that this is enough.
    pub fn look(&mut self, step: &Step, standing: &Standing<'_>) {
        if self.awaited.as_deref().is_some_and(|text| text != standing.text) {
            return;
        }
        self.awaited = None;
        if self.start.document.is_null() {
            self.start.document = standing.document.clone();
        }
        if self.start.report.is_none() && !standing.running {
            self.start.report = standing.report.cloned();
        }
        let Some(check) = &step.check else { return };
        if check.needs_report() && self.start.report.is_none() {
            return;
        }
        match check.is_met(&self.seen(standing)) {
            false => self.armed = true,
            true => self.done |= self.armed || step.already || check.question().is_some(),
        }
    }

    /// Whether the check of a step can be judged now.
    pub fn can_judge(&self, check: &Check) -> bool {
        self.is_there() && (!check.needs_report() || self.start.report.is_some())
    }
}
