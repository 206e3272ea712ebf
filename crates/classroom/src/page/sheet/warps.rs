//! The sheet of a schedule of warps.

use super::{Fact, Sheet, empty, fact, schedule};
use base::people;
use warps_lab::page::Shown;
use warps_lab::timeline::Rows;

/// The sheet of a document about warps and its report; none where it is another.
pub(super) fn sheet(document: &str, line: &str, link: &str) -> Option<Sheet> {
    let shown = Shown::new(document, line)?;
    let report = &shown.report;
    let cycles = |n: u32| people::counted(n as usize, "cycle");
    let whole = shown.whole_picture(Rows::Warps);
    let rows = whole.tracks.iter().map(|track| track.label.clone()).collect();
    let bounds = match report.upper {
        Some(upper) if upper == report.lower => format!("{} exactly", cycles(upper)),
        Some(upper) => format!("{} to {}", report.lower, cycles(upper)),
        None => format!("at least {}", cycles(report.lower)),
    };
    let by = report.upper_by.as_ref().map_or(String::new(), |by| format!("upper bound proven by: {by}"));
    Some(Sheet {
        given: vec![
            fact("Kernel", report.kernel.clone()),
            fact("Warps", report.count.to_string()),
            fact("Machine", machine(&shown)),
            fact("Turns are taken", report.fairness.clone()),
            fact("Order", report.method.clone()),
        ],
        asked: "Draw the schedule: in which cycle does each instruction run? How many cycles does it take?",
        blank: Some(empty(rows, f64::from(report.makespan), whole.axis, link)),
        picture: Some(schedule(&whole, &shown.title, link)),
        found: vec![
            Fact {
                hint: verdict(report.exact).to_owned(),
                ..fact("This schedule takes", cycles(report.makespan))
            },
            Fact { hint: by, ..fact("The worst case takes", bounds) },
            fact("Units in use", used(&shown)),
        ],
        assumes: report.notes.iter().chain(&report.assumptions).cloned().collect(),
        ..Sheet::default()
    })
}

fn verdict(exact: bool) -> &'static str {
    if exact { "proven to be the worst case" } else { "a lower bound on the worst case, not a proof" }
}

/// Kinds of unit that are there, with their capacities.
fn kinds(shown: &Shown) -> Vec<(&'static str, u32, f64)> {
    let (machine, used) = (&shown.report.machine, &shown.report.utilisation);
    let all = [
        ("L", machine.L, used.L),
        ("C", machine.C, used.C),
        ("S", machine.S, used.S),
        ("D", machine.D, used.D),
    ];
    all.into_iter().filter(|(_, capacity, _)| *capacity > 0).collect()
}

fn machine(shown: &Shown) -> String {
    let parts: Vec<String> =
        kinds(shown).iter().map(|(kind, capacity, _)| format!("{kind} = {capacity}")).collect();
    let issue = match shown.report.machine.issue {
        Some(issue) => format!("at most {} issue", people::counted(issue as usize, "warp")),
        None => "no issue limit".to_owned(),
    };
    format!("{} warps per cycle, {issue}", parts.join(", "))
}

fn used(shown: &Shown) -> String {
    let part = |(kind, _, share): &(&str, u32, f64)| format!("{kind} {}", people::percent(*share));
    kinds(shown).iter().map(part).collect::<Vec<_>>().join(", ")
}
