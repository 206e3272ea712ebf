//! The verdict on a chain in plain words, how its run stands, and its weakest link.

use crate::report::chain::Verdict as Found;
use crate::report::chain::{Evidence, WholeReport};
use crate::timeline::chain::{Node, Row, Walk};
use base::people;
use kit::page::told::ToldOfTrial;

/// How a verdict is meant: a colour, a sign and a word each, so that none of them is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Every deadline is met, proven.
    Proven,
    /// Every deadline is met if what was simulated holds.
    Simulated,
    /// A deadline can be missed.
    Missed,
    /// Not decided.
    Open,
}

impl Tone {
    /// The tone of a verdict.
    pub fn of(found: &Found) -> Self {
        match (found.schedulable, found.kind) {
            (Some(true), Evidence::Simulated | Evidence::Lower) => Self::Simulated,
            (Some(true), _) => Self::Proven,
            (Some(false), _) => Self::Missed,
            (None, _) => Self::Open,
        }
    }

    /// Its name in style sheets.
    pub fn name(self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::Simulated => "simulated",
            Self::Missed => "missed",
            Self::Open => "open",
        }
    }

    /// Its sign.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Proven => "✓",
            Self::Simulated => "~",
            Self::Missed => "✗",
            Self::Open => "?",
        }
    }
}

/// A verdict in a few words, where there is room for no more: `met`, `can be missed`.
pub fn word(found: &Found) -> &'static str {
    match (Tone::of(found), found.kind) {
        (Tone::Proven, _) => "met",
        (Tone::Simulated, _) => "met, simulated",
        (Tone::Missed, Evidence::Simulated) => "missed, simulated",
        (Tone::Missed, _) => "can be missed",
        (Tone::Open, _) => "open",
    }
}

/// The verdict in a sentence.
pub fn verdict(report: &WholeReport, running: bool) -> &'static str {
    if report.tasks.is_empty() {
        return "No host task is given, so there is no deadline to meet.";
    }
    match (Tone::of(&report.verdict), report.verdict.kind) {
        (Tone::Proven, _) => "Every deadline is met: proven.",
        (Tone::Simulated, _) => "All deadlines are met, under an unproven assumption.",
        (Tone::Missed, Evidence::Simulated) => "A deadline is missed in a simulated case.",
        (Tone::Missed, _) => "A deadline can be missed.",
        (Tone::Open, _) if running => "Still being computed.",
        (Tone::Open, _) => "Open: it is not decided whether every deadline is met.",
    }
}

/// The reason as a sentence.
pub fn because(report: &WholeReport) -> String {
    sentence(&report.verdict.because)
}

/// A clause with a capital in front and a full stop behind; names of tasks keep their letters.
pub fn sentence(clause: &str) -> String {
    let clause = clause.trim();
    if clause.is_empty() {
        return String::new();
    }
    let named = clause.split([' ', ':', ',']).next().unwrap_or_default();
    let is_name = clause[named.len()..].starts_with(':');
    let mut letters = clause.chars();
    let first: String = match letters.next() {
        Some(first) if !is_name => first.to_uppercase().collect(),
        Some(first) => first.to_string(),
        None => String::new(),
    };
    let end = if clause.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}

/// What the button to the weakest link says, and where it leads.
pub fn weakest(report: &WholeReport) -> Option<(Node, String)> {
    let node = Walk::new(report).weakest(report)?;
    let name = match node.row {
        Row::Kernel(place) => &report.kernels.get(place)?.name,
        Row::Task(place) => &report.tasks.get(place)?.name,
    };
    Some((node, format!("{name}, {}", station_words(node))))
}

fn station_words(node: Node) -> String {
    let heading = node.station.heading();
    let mut letters = heading.chars();
    let first = letters.next().map(|first| first.to_lowercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}

/// How the run stands.
pub fn state(told: &ToldOfTrial, report: Option<&WholeReport>) -> String {
    if told.running {
        return match (told.done, told.total) {
            (_, 0) => "Starting…".to_owned(),
            (done, total) => format!("{} done", people::percent(done.min(total) as f64 / total as f64)),
        };
    }
    if let Some(said) = told.instead(report.is_some()) {
        return said.to_owned();
    }
    let Some(report) = report else { return String::new() };
    let took = people::duration(report.seconds);
    if told.stopped {
        format!("Stopped after {took}; this is what was known by then.")
    } else {
        format!("Computed in {took}.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::chain::sample;

    #[test]
    fn verdicts_and_what_they_are_worth() {
        let said = |report: &WholeReport| {
            (verdict(report, false), word(&report.verdict), Tone::of(&report.verdict).sign())
        };
        assert_eq!(
            said(&sample::open()),
            ("Open: it is not decided whether every deadline is met.", "open", "?")
        );
        assert_eq!(
            said(&sample::meets()),
            ("All deadlines are met, under an unproven assumption.", "met, simulated", "~")
        );
        assert_eq!(said(&sample::missed()), ("A deadline can be missed.", "can be missed", "✗"));
        let mut proven = sample::meets();
        proven.verdict.kind = Evidence::Upper;
        assert_eq!(said(&proven), ("Every deadline is met: proven.", "met", "✓"));
        assert_eq!(verdict(&sample::begun(), true), "Still being computed.");
        assert_eq!(
            verdict(&WholeReport::default(), false),
            "No host task is given, so there is no deadline to meet."
        );
    }

    #[test]
    fn the_weakest_link_has_a_name() {
        let said = |report: &WholeReport| weakest(report).map(|(_, said)| said);
        assert_eq!(said(&sample::meets()).as_deref(), Some("edges, kernel on the GPU"));
        assert_eq!(said(&sample::open()).as_deref(), Some("log, host task"));
        assert_eq!(said(&sample::begun()), None);
    }

    #[test]
    fn clauses_become_sentences() {
        assert_eq!(sentence("every response is below its deadline"), "Every response is below its deadline.");
        assert_eq!(sentence("log: it is late."), "log: it is late.");
        assert_eq!(sentence(" "), "");
        assert_eq!(sentence("ß"), "SS.");
    }
}
