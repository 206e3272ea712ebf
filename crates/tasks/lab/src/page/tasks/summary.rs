//! The verdict on a set in plain words and a few numbers, and how its run stands.

use super::{Seen, fraction};
use crate::report::tasks::{TasksReport, Tightest, Violation};
use base::people;
use kit::page::tile::{Tile, Tone};
use kit::page::told::ToldOfTrial;

/// A verdict in words, and whether it is good news.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The words.
    pub words: String,
    /// How they are meant.
    pub tone: Tone,
}

/// Whether EDF meets every deadline, by the exact demand.
pub fn verdict(report: &TasksReport) -> Verdict {
    match (report.schedulable, report.first_violation) {
        (Some(true), _) => Verdict { words: "EDF meets every deadline.".to_owned(), tone: Tone::Good },
        (Some(false), Some(first)) => Verdict {
            words: format!("EDF cannot meet every deadline: {}.", there_can_be(first)),
            tone: Tone::Bad,
        },
        (Some(false), None) => {
            Verdict { words: "EDF cannot meet every deadline.".to_owned(), tone: Tone::Bad }
        }
        (None, _) => {
            Verdict { words: "Not decided whether EDF meets every deadline.".to_owned(), tone: Tone::Plain }
        }
    }
}

/// What the verdict rests on, and what EDF is, in sentences.
pub fn because(report: &TasksReport) -> String {
    let mut letters = report.because.chars();
    let told = letters.next().map(|first| format!("{}{}. ", first.to_uppercase(), letters.as_str()));
    let told = told.unwrap_or_default();
    format!("{told}EDF, earliest deadline first, always executes the job whose deadline is next.")
}

/// What the published test says beside that.
pub fn by_equation(report: &TasksReport) -> String {
    let first = report.first_violation_by_equation;
    match (report.schedulable_by_equation, report.schedulable, first) {
        (None, ..) => "The published test does not decide it.".to_owned(),
        (Some(true), ..) => "The published test accepts the set.".to_owned(),
        (Some(false), Some(true), Some(first)) => format!(
            "The published test rejects the set all the same: by its equation {}, but that is more than there ever is.",
            there_can_be(first)
        ),
        (Some(false), _, Some(first)) if report.first_violation != Some(first) => {
            format!("The published test rejects the set: by its equation {}.", there_can_be(first))
        }
        (Some(false), ..) => "The published test rejects the set too.".to_owned(),
    }
}

fn there_can_be(first: Violation) -> String {
    let number = |n: u64| people::grouped(n.into());
    format!("in an interval of {} there can be {} to execute", number(first.t), number(first.demand))
}

/// What reports call t_max.
const LONGEST: &str = "Longest interval to check";
/// What the published test is like.
const TOO_CAREFUL: &str = "safe, but may reject too much";

/// What a check is.
const CHECK: &str = "one interval by one test; both tests count";

/// The numbers of a result.
pub fn tiles(report: &TasksReport) -> Vec<Tile> {
    let said = |value: Option<bool>| match value {
        Some(true) => ("accepted", Tone::Good),
        Some(false) => ("rejected", Tone::Bad),
        None => ("not decided", Tone::Plain),
    };
    let (exact, tone) = said(report.schedulable);
    let all = fraction(&report.utilisation_fraction);
    let used = match report.sensitivity.as_ref().and_then(|found| found.long_run) {
        Some(long) => {
            format!("{all} of the time at the period; rounds last longer, and need {}", people::percent(long))
        }
        None => format!("{all} of the time"),
    };
    // Rounds that last longer than the period may be in time all the same.
    let is_over = report.utilisation > 1.0 && report.schedulable != Some(true);
    let mut tiles = vec![
        Tile { tone, ..tile("exact", "By exact demand", exact.to_owned(), "right in every case".to_owned()) },
        {
            let (equation, tone) = said(report.schedulable_by_equation);
            // The published test may be wrong about such a set; that is no bad news about the set.
            let is_wrong = report.schedulable == Some(true) && report.schedulable_by_equation == Some(false);
            let tone = if is_wrong { Tone::Plain } else { tone };
            Tile {
                tone,
                ..tile("equation", "By the published test", equation.to_owned(), TOO_CAREFUL.to_owned())
            }
        },
        Tile {
            tone: if is_over { Tone::Bad } else { Tone::Plain },
            ..tile("utilisation", "Utilisation", people::percent(report.utilisation), used)
        },
        match report.t_max {
            Some(t_max) => tile(
                "t-max",
                LONGEST,
                people::hundredths(t_max),
                "no need to check intervals beyond this".to_owned(),
            ),
            None => tile("t-max", LONGEST, "none".to_owned(), "the utilisation is 100 % or more".to_owned()),
        },
    ];
    if let Some(first) = report.first_violation {
        let value = format!("{} in {}", grouped(first.demand), grouped(first.t));
        let hint = "the shortest interval with too much to execute".to_owned();
        tiles.push(Tile { tone: Tone::Bad, ..tile("violation", "First violation", value, hint) });
    }
    // At the first violation there is nothing to add, and under overload there is always something tighter.
    let is_new =
        |tightest: &Tightest| !is_over && report.first_violation.is_none_or(|first| first.t != tightest.t);
    tiles.extend(report.tightest.filter(is_new).map(tightest));
    tiles.push(tile("checked", "Checks made", grouped(report.checked), CHECK.to_owned()));
    tiles
}

fn tightest(found: Tightest) -> Tile {
    let hint = format!("in an interval of {}: {} to execute", grouped(found.t), grouped(found.demand));
    let label = if found.margin < 0 { "Overload" } else { "Least slack" };
    tile("tightest", label, grouped(found.margin.unsigned_abs()), hint)
}

fn grouped(n: u64) -> String {
    people::grouped(n.into())
}

fn tile(id: &'static str, label: &'static str, value: String, hint: String) -> Tile {
    Tile { id, label, value, hint, tone: Tone::Plain }
}

/// How the run stands, in a sentence.
pub fn state(told: &ToldOfTrial, seen: Option<&Seen>) -> String {
    if told.running {
        return match (told.done, told.total) {
            (_, 0) => "Starting…".to_owned(),
            (done, total) => format!("{} done", people::percent(done.min(total) as f64 / total as f64)),
        };
    }
    if let Some(said) = told.instead(seen.is_some()) {
        return said.to_owned();
    }
    let Some(seen) = seen else { return String::new() };
    let seconds = match seen {
        Seen::Set(report) => report.seconds,
        Seen::Experiment(report) => report.seconds,
    };
    let took = people::duration(seconds);
    if told.stopped {
        format!("Stopped after {took}; this is what was known by then.")
    } else {
        format!("Computed in {took}.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::tasks::sample;

    fn told(report: &TasksReport) -> String {
        let mut lines = vec![verdict(report).words, by_equation(report)];
        lines.extend(
            tiles(report).iter().map(|tile| format!("{}: {} ({})", tile.label, tile.value, tile.hint)),
        );
        lines.join("\n")
    }

    #[test]
    fn a_set_that_fits() {
        expect_test::expect![[r#"
            EDF meets every deadline.
            The published test accepts the set.
            By exact demand: accepted (right in every case)
            By the published test: accepted (safe, but may reject too much)
            Utilisation: 40 % (2/5 of the time)
            Longest interval to check: 23.33 (no need to check intervals beyond this)
            Least slack: 3 (in an interval of 4: 1 to execute)
            Checks made: 9 (one interval by one test; both tests count)"#]]
        .assert_eq(&told(&sample::fits()));
    }

    #[test]
    fn a_set_with_a_violation() {
        expect_test::expect![[r#"
            EDF cannot meet every deadline: in an interval of 4 there can be 6 to execute.
            The published test rejects the set too.
            By exact demand: rejected (right in every case)
            By the published test: rejected (safe, but may reject too much)
            Utilisation: 110 % (11/10 of the time)
            Longest interval to check: none (the utilisation is 100 % or more)
            First violation: 6 in 4 (the shortest interval with too much to execute)
            Checks made: 2 (one interval by one test; both tests count)"#]]
        .assert_eq(&told(&sample::overloaded()));
    }

    #[test]
    fn rounds_longer_than_the_period_are_no_bad_news() {
        let mut report =
            TasksReport { utilisation: 1.2, utilisation_fraction: "6/5".to_owned(), ..sample::fits() };
        if let Some(found) = &mut report.sensitivity {
            found.long_run = Some(0.6);
        }
        let said = tiles(&report);
        assert_eq!(said[2].hint, "6/5 of the time at the period; rounds last longer, and need 60 %");
        assert!(said[2].tone == Tone::Plain && said.iter().any(|tile| tile.id == "tightest"));
        report.schedulable = None;
        assert_eq!(tiles(&report)[2].tone, Tone::Bad);
    }

    #[test]
    fn a_set_on_which_the_published_test_is_too_careful() {
        let report = sample::differs();
        assert_eq!(
            by_equation(&report),
            "The published test rejects the set all the same: by its equation in an interval of 21 there can be 22 to execute, but that is more than there ever is."
        );
        let tones: Vec<Tone> = tiles(&report)[..2].iter().map(|tile| tile.tone).collect();
        assert_eq!(tones, [Tone::Good, Tone::Plain]);
        let undecided = TasksReport { schedulable: None, schedulable_by_equation: None, ..report };
        assert_eq!(verdict(&undecided).words, "Not decided whether EDF meets every deadline.");
        assert_eq!(by_equation(&undecided), "The published test does not decide it.");
    }

    #[test]
    fn reasons_are_sentences() {
        let report = TasksReport { because: "it fits".to_owned(), ..sample::fits() };
        assert!(because(&report).starts_with("It fits. EDF, earliest deadline first,"));
        assert!(because(&TasksReport::default()).starts_with("EDF, "));
        let large =
            TasksReport { t_max: Some(24_010_980.4), utilisation_fraction: "53398/169661".into(), ..report };
        let said: Vec<Tile> = tiles(&large);
        assert_eq!((&*said[2].hint, &*said[3].value), ("53,398/169,661 of the time", "24,010,980"));
    }

    #[test]
    fn how_a_run_stands() {
        let seen = Seen::Set(Box::new(sample::fits()));
        let told = ToldOfTrial { job: 1, ..ToldOfTrial::default() };
        assert_eq!(state(&told, Some(&seen)), "Computed in 2 ms.");
        let running = ToldOfTrial { running: true, done: 3, total: 10, ..told.clone() };
        assert_eq!(state(&running, Some(&seen)), "30 % done");
        assert_eq!(state(&ToldOfTrial { total: 0, ..running }, None), "Starting…");
        let stopped = ToldOfTrial { stopped: true, ..told.clone() };
        assert_eq!(state(&stopped, Some(&seen)), "Stopped after 2 ms; this is what was known by then.");
        assert_eq!(state(&stopped, None), "Stopped before anything was known.");
        let stale = ToldOfTrial { stale: true, ..told };
        assert_eq!(state(&stale, Some(&seen)), "The document has changed; this is of the one before.");
    }
}
