//! Results as others read them: one line of JSON per scenario. Each lab has a report of its own, with public fields.

use std::any::Any;
use std::fmt;

use serde::Serialize;

/// What every lab's report can do.
pub trait Told: Any {
    /// The report as one line of JSON; a certificate as it is.
    fn line(&self) -> String;

    /// Adds to what the reader should know, before everything else.
    fn note(&mut self, text: String);

    /// Notes how long the work took.
    fn took(&mut self, seconds: f64);
}

/// The result of a scenario: one lab's own. Two are equal if they say the same.
pub struct Report(Box<dyn Told>);

impl Report {
    /// A lab's report.
    pub fn new<T: Told>(report: T) -> Self {
        Self(Box::new(report))
    }

    /// The report, if it is of this kind.
    pub fn of<T: Told>(&self) -> Option<&T> {
        (&*self.0 as &dyn Any).downcast_ref()
    }

    /// The report itself, if it is of this kind; nothing else is to be made of another one.
    pub fn into<T: Told>(self) -> Option<T> {
        let report: Box<dyn Any> = self.0;
        report.downcast().ok().map(|report| *report)
    }

    /// The report as one line of JSON; a certificate as it is.
    pub fn line(&self) -> String {
        self.0.line()
    }

    /// Adds to what the reader should know, before everything else.
    pub fn note(&mut self, text: String) {
        self.0.note(text);
    }

    /// Notes how long the work took.
    pub fn took(&mut self, seconds: f64) {
        self.0.took(seconds);
    }
}

/// What is said of something whose files whoever runs the document does not have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Waits {
    /// The scenario's title.
    pub scenario: String,
    /// The lab's name.
    pub lab: &'static str,
    /// The files.
    pub waits_for: Vec<String>,
}

impl Told for Waits {
    fn line(&self) -> String {
        crate::import::json::line(self)
    }

    fn note(&mut self, _text: String) {}

    fn took(&mut self, _seconds: f64) {}
}

impl PartialEq for Report {
    fn eq(&self, other: &Self) -> bool {
        self.line() == other.line()
    }
}

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line())
    }
}

/// Seconds to the microsecond, as reports have them.
pub fn micro(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}
