//! What changed between a schedule of machine code that was pinned and the one on the screen, in numbers.

use super::listed::{Both, cycles_before};
use super::{Seen, says};
use crate::report::{CodeReport, Kind};
use base::people::{counted, grouped};
use kit::page::compared::{Change, Difference, Good, Way};

/// No more lines are listed.
const MOST: usize = 16;

/// What changed: the whole, what was waited for, and line by line where both are of the same code.
pub fn changes(before: &Seen, after: &Seen) -> Vec<Change> {
    let cycles = |n: u64| counted(usize::try_from(n).unwrap_or(usize::MAX), "cycle");
    let count = |n: u64| grouped(n.into());
    let both = |of: &dyn Fn(&CodeReport) -> u64| [of(&before.report), of(&after.report)];
    let mut all = vec![
        Change::number("This schedule takes", both(&|report| report.makespan.into()), Good::Less, &cycles),
        Change::number("The worst case, at most", both(&|report| report.upper), Good::Less, &cycles),
        Change::number(
            "The worst case, at least",
            both(&|report| report.lower.into()),
            Good::Neither,
            &cycles,
        ),
    ];
    if let (Some(first), Some(second)) = (&before.report.shortest, &after.report.shortest) {
        let shortest = [first.makespan.into(), second.makespan.into()];
        all.push(Change::number("The best case, at most", shortest, Good::Less, &cycles));
    }
    all.extend([
        Change::number("Warps", both(&|report| report.count as u64), Good::Neither, &count),
        Change::number(
            "Instructions issued",
            both(&|report| report.schedule.len() as u64),
            Good::Neither,
            &count,
        ),
    ]);
    for kind in [Kind::Scoreboard, Kind::Unit, Kind::Slot, Kind::Barrier, Kind::Stall] {
        let waited = both(&|report| waited(report, kind));
        if waited != [0, 0] {
            all.push(Change::number(format!("Waited: {}", says::called(kind)), waited, Good::Less, &cycles));
        }
    }
    let both = Both::of(before, after);
    let mut lines: Vec<(u64, Change)> = both
        .same()
        .map(|(old, line)| {
            let both = [cycles_before(before, old), cycles_before(after, line)];
            let name = format!("Waited before {}", says::name(&after.report.code[line], line));
            (both[0].abs_diff(both[1]), Change::number(name, both, Good::Less, &cycles))
        })
        .filter(|(_, change)| change.difference.way != Way::Same)
        .collect();
    lines.sort_by_key(|(by, _)| std::cmp::Reverse(*by));
    all.extend(lines.into_iter().take(MOST).map(|(_, change)| change));
    if !both.is_same() {
        let [added, removed, changed] = both.counts().map(|n| counted(n, "line"));
        let said = format!("{added} added, {removed} removed, {changed} changed");
        let before = counted(before.report.code.len(), "instruction");
        let after = counted(after.report.code.len(), "instruction");
        all.push(Change {
            name: format!("The listing: {said}"),
            difference: Difference::of_texts(before, after),
        });
    }
    all
}

/// Cycles that warps waited for something.
fn waited(report: &CodeReport, kind: Kind) -> u64 {
    let own = report.waits.iter().flatten().filter(|(.., why)| why.0 == kind);
    own.map(|(from, to, _)| u64::from(to + 1 - from)).sum()
}
