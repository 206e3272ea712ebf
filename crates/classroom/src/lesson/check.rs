//! What tells that a step was done: conditions on the report, the document, the view and an answer.

use serde_json::Value;

use super::question::Question;
use super::values::{self, Path, Take};
use kit::scenario::link::View;

/// Where a link says nothing of a window's edge or of the player, it is further than anything.
const FAR: f64 = 1e300;

/// A check.
#[derive(Debug, Clone, PartialEq)]
pub enum Check {
    /// A value of the report or the document is as it should be.
    Value(Found, Vec<Compare>),
    /// The page is looked at in a way.
    Sight(Sight, Vec<Compare>),
    /// A question was answered.
    Answer(Question),
    /// What was hidden is not any more.
    Revealed,
    /// All of these.
    All(Vec<Check>),
    /// One of these at least.
    Any(Vec<Check>),
}

/// Where a value is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The report on the screen.
    Report,
    /// The document on the page.
    Document,
    /// The first report of this step.
    Start,
    /// What the search for the worst case has found about the warps on the page.
    WorstCase,
}

impl Source {
    /// Their names in documents.
    pub const ALL: [(&'static str, Self); 4] = [
        ("report", Self::Report),
        ("document", Self::Document),
        ("start", Self::Start),
        ("worst_case", Self::WorstCase),
    ];
}

/// A value that is looked up.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Where.
    pub source: Source,
    /// At which place.
    pub path: Path,
    /// What is made of several.
    pub take: Option<Take>,
    /// What it is divided by: nanoseconds may be asked for in milliseconds.
    pub divided_by: f64,
}

/// What something is compared with.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// A value as it is written.
    Given(Value),
    /// A value that is looked up.
    Found(Found),
}

/// A comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum Compare {
    /// The same; numbers may differ by the tolerance.
    Equals(Operand, f64),
    /// No smaller.
    AtLeast(Operand),
    /// No larger.
    AtMost(Operand),
    /// Larger.
    MoreThan(Operand),
    /// Smaller.
    LessThan(Operand),
    /// Not what it was at the start of the step.
    Changed,
}

/// A part of how the page is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    /// Step of the player; its end is larger than any number.
    Step,
    /// Left edge of the window.
    From,
    /// Right edge of the window.
    To,
    /// What is selected.
    Selected,
    /// What rows stand for.
    Rows,
}

impl Sight {
    /// Their names in documents.
    pub const ALL: [(&'static str, Self); 5] = [
        ("step", Self::Step),
        ("t0", Self::From),
        ("t1", Self::To),
        ("sel", Self::Selected),
        ("rows", Self::Rows),
    ];

    fn of(self, view: &View) -> Value {
        let number = |number: Option<f64>, else_: f64| values::number(number.unwrap_or(else_));
        let text = |text: &Option<String>| Some(Value::from(text.clone().unwrap_or_default()));
        let found = match self {
            Self::Step => number(view.step.map(|step| step as f64), FAR),
            Self::From => number(view.t0, -FAR),
            Self::To => number(view.t1, FAR),
            Self::Selected => text(&view.sel),
            Self::Rows => text(&view.rows),
        };
        found.unwrap_or_default()
    }
}

/// What a step began with.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Start {
    /// The document.
    pub document: Value,
    /// Its report.
    pub report: Option<Value>,
    /// How it was looked at.
    pub view: View,
}

/// What a check is held against.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// The report of the document, if there is one.
    pub report: Option<&'a Value>,
    /// What the search for its worst case has found, where somebody has begun one.
    pub worst_case: Option<&'a Value>,
    /// The document.
    pub document: &'a Value,
    /// How it is looked at.
    pub view: &'a View,
    /// Whether nothing is hidden.
    pub revealed: bool,
    /// The answer that was given.
    pub answer: Option<&'a str>,
    /// What the step began with.
    pub start: &'a Start,
}

impl Found {
    /// The value, where there is one.
    pub fn value(&self, seen: &Seen<'_>) -> Option<Value> {
        let tree = match self.source {
            Source::Report => seen.report?,
            Source::Document => seen.document,
            Source::Start => seen.start.report.as_ref()?,
            Source::WorstCase => seen.worst_case?,
        };
        self.within(tree)
    }

    /// The value at the start of the step.
    fn first(&self, seen: &Seen<'_>) -> Option<Value> {
        match self.source {
            Source::Document => self.within(&seen.start.document),
            Source::Report | Source::Start => self.within(seen.start.report.as_ref()?),
            Source::WorstCase => None,
        }
    }

    fn within(&self, tree: &Value) -> Option<Value> {
        let found = self.path.find(tree, self.take)?;
        match found.as_f64() {
            Some(number) if self.divided_by != 1.0 => values::number(number / self.divided_by),
            _ => Some(found),
        }
    }
}

impl Operand {
    /// What it stands for.
    pub fn value(&self, seen: &Seen<'_>) -> Option<Value> {
        match self {
            Self::Given(value) => Some(value.clone()),
            Self::Found(found) => found.value(seen),
        }
    }

    fn needs_report(&self) -> bool {
        matches!(self, Self::Found(Found { source: Source::Report | Source::Start, .. }))
    }
}

impl Compare {
    fn holds(&self, value: &Value, first: Option<&Value>, seen: &Seen<'_>) -> bool {
        let numbers = |operand: &Operand| Some((value.as_f64()?, operand.value(seen)?.as_f64()?));
        let so =
            |operand: &Operand, is: fn(f64, f64) -> bool| numbers(operand).is_some_and(|(a, b)| is(a, b));
        match self {
            Self::Equals(operand, tolerance) => match numbers(operand) {
                Some((a, b)) => (a - b).abs() <= *tolerance,
                None => operand.value(seen).is_some_and(|wanted| wanted == *value),
            },
            Self::AtLeast(operand) => so(operand, |a, b| a >= b),
            Self::AtMost(operand) => so(operand, |a, b| a <= b),
            Self::MoreThan(operand) => so(operand, |a, b| a > b),
            Self::LessThan(operand) => so(operand, |a, b| a < b),
            Self::Changed => first.is_some_and(|first| first != value),
        }
    }

    fn needs_report(&self) -> bool {
        match self {
            Self::Equals(operand, _)
            | Self::AtLeast(operand)
            | Self::AtMost(operand)
            | Self::MoreThan(operand)
            | Self::LessThan(operand) => operand.needs_report(),
            Self::Changed => false,
        }
    }
}

impl Check {
    /// Whether it is met.
    pub fn is_met(&self, seen: &Seen<'_>) -> bool {
        let all = |is: &[Compare], value: Option<Value>, first: Option<Value>| {
            value.is_some_and(|value| is.iter().all(|is| is.holds(&value, first.as_ref(), seen)))
        };
        match self {
            Self::Value(found, is) => all(is, found.value(seen), found.first(seen)),
            Self::Sight(sight, is) => all(is, Some(sight.of(seen.view)), Some(sight.of(&seen.start.view))),
            Self::Answer(question) => seen.answer.is_some_and(|answer| question.is_right(answer, seen)),
            Self::Revealed => seen.revealed,
            Self::All(checks) => checks.iter().all(|check| check.is_met(seen)),
            Self::Any(checks) => checks.iter().any(|check| check.is_met(seen)),
        }
    }

    /// The question in it.
    pub fn question(&self) -> Option<&Question> {
        match self {
            Self::Answer(question) => Some(question),
            Self::All(checks) | Self::Any(checks) => checks.iter().find_map(Self::question),
            _ => None,
        }
    }

    /// Whether it, or a part of it, is like this.
    pub fn has(&self, like: &dyn Fn(&Self) -> bool) -> bool {
        let within = match self {
            Self::All(checks) | Self::Any(checks) => checks.iter().any(|check| check.has(like)),
            _ => false,
        };
        within || like(self)
    }

    /// Whether it can only be judged once there is a report.
    pub fn needs_report(&self) -> bool {
        self.has(&|check| match check {
            Self::Value(found, is) => {
                matches!(found.source, Source::Report | Source::Start) || is.iter().any(Compare::needs_report)
            }
            Self::Sight(_, is) => is.iter().any(Compare::needs_report),
            Self::Answer(question) => question.right().is_some_and(Operand::needs_report),
            Self::Revealed | Self::All(_) | Self::Any(_) => false,
        })
    }

    /// Whether the right answer and revealing what is hidden are all it takes.
    pub fn is_solved_by_answer(&self) -> bool {
        match self {
            Self::Answer(_) | Self::Revealed => true,
            Self::Value(..) | Self::Sight(..) => false,
            Self::All(checks) => checks.iter().all(Self::is_solved_by_answer),
            Self::Any(checks) => checks.iter().any(Self::is_solved_by_answer),
        }
    }
}
