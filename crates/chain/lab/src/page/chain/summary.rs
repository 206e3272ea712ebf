//! The verdict on a chain in plain words, how its run stands, and its weakest link.

use crate::report::chain::Verdict as Found;
use crate::report::chain::{Evidence, WholeReport};
use crate::timeline::chain::{Node, Row, Walk};
use crate::words::nobody_says;
pub use crate::words::sentence;
use base::people;
use kit::page::told::ToldOfTrial;

/// How a verdict is meant: a colour, a sign and a word each, so that none of them is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Every deadline is met, proven.
    Proven,
    /// Every deadline is met if what was assumed is so.
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

/// A verdict in a few words, where there is room for no more: `met`, `can be missed`. What is met or missed only under
/// an assumption is not called simulated, as often no simulation gave it.
pub fn word(found: &Found) -> &'static str {
    match (Tone::of(found), found.kind) {
        (Tone::Proven, _) => "met",
        (Tone::Simulated, _) => "met, unproven",
        (Tone::Missed, Evidence::Simulated) => "missed, unproven",
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
        (Tone::Missed, Evidence::Simulated) => "A deadline is missed, under an unproven assumption.",
        (Tone::Missed, _) => "A deadline can be missed.",
        (Tone::Open, _) if running => "Still being computed.",
        (Tone::Open, _) => "Open: it is not decided whether every deadline is met.",
    }
}

/// Which loops are taken to go round once since nobody says how often, in a sentence; of many kernels the first two.
pub fn once(report: &WholeReport) -> Option<String> {
    const NAMED: usize = 2;
    let all: Vec<&str> =
        report.kernels.iter().map(|kernel| &*kernel.once).filter(|own| !own.is_empty()).collect();
    let more = match all.len().saturating_sub(NAMED) {
        0 => None,
        1 => Some("so do loops of 1 more kernel".to_owned()),
        more => Some(format!("so do loops of {more} more kernels")),
    };
    let named = all.iter().take(NAMED).map(|own| (*own).to_owned());
    let clauses: Vec<String> = named.chain(more).collect();
    (!clauses.is_empty()).then(|| nobody_says(&people::listed(&clauses)))
}

/// Which listings may lack something, or were not all understood, in a sentence; of many kernels the first two. Loops that
/// go round once have a sentence of their own.
pub fn partial(report: &WholeReport) -> Option<String> {
    const NAMED: usize = 2;
    let all: Vec<String> = report
        .kernels
        .iter()
        .filter_map(|kernel| {
            let what: Vec<&str> = kernel.grave().map(|rest| &*rest.what).collect();
            (!what.is_empty()).then(|| format!("of {} ({})", kernel.name, what.join("; ")))
        })
        .collect();
    let more = all.len().saturating_sub(NAMED);
    let more = (more > 0).then(|| format!("of {}", people::counted(more, "more kernel")));
    let named: Vec<String> = all.into_iter().take(NAMED).chain(more).collect();
    (!named.is_empty()).then(|| format!("Nothing is proven of the whole {}.", people::listed(&named)))
}

/// The reason as a sentence.
pub fn because(report: &WholeReport) -> String {
    sentence(&report.verdict.because)
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
    use code_lab::report::Rest;

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
            ("All deadlines are met, under an unproven assumption.", "met, unproven", "~")
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
    fn loops_that_nobody_counts_are_named_beside_the_verdict() {
        let mut report = sample::meets();
        assert_eq!(once(&report), None);
        let clause = |name: &str| format!("the loop at 0x00c0 of {name} goes round once");
        report.kernels[1].once = clause("edges");
        let said = once(&report);
        assert_eq!(
            said.as_deref(),
            Some("The loop at 0x00c0 of edges goes round once: nobody says how often.")
        );
        report.kernels[0].once = clause("blur");
        report.kernels[2].once = clause("spare");
        let said = once(&report);
        assert_eq!(
            said.as_deref(),
            Some(
                "The loop at 0x00c0 of blur goes round once, the loop at 0x00c0 of edges goes round once and so do loops of 1 more kernel: nobody says how often."
            )
        );
    }

    #[test]
    fn listings_that_may_lack_something_are_named_beside_the_verdict() {
        let rest =
            |on: &'static str, what: &str| Rest { on: on.into(), what: what.to_owned(), said: String::new() };
        let mut report = sample::meets();
        report.kernels[1].rests =
            vec![rest("rounds", "rounds of loop 0x00c0 given"), rest("tables", "tables of Turing")];
        assert_eq!(partial(&report), None, "neither is grave");
        report.kernels[1].rests.insert(0, rest("loops", "loop 0x00c0 once"));
        report.kernels[1].once = "the loop at 0x00c0 of edges goes round once".to_owned();
        assert_eq!(partial(&report), None, "loops have a sentence of their own");
        report.kernels[1].rests.insert(1, rest("end", "text ends without EXIT"));
        report.kernels[1].rests.insert(2, rest("lines", "2 lines left out"));
        assert_eq!(
            partial(&report).as_deref(),
            Some("Nothing is proven of the whole of edges (text ends without EXIT; 2 lines left out).")
        );
        report.kernels[0].rests = vec![rest("loops", "loop 0x0000 left in its first round")];
        report.kernels[2].rests = vec![rest("gap", "text begins at 0x0040")];
        assert_eq!(
            partial(&report).as_deref(),
            Some(
                "Nothing is proven of the whole of blur (loop 0x0000 left in its first round), of edges (text ends without EXIT; 2 lines left out) and of 1 more kernel."
            )
        );
    }
}
