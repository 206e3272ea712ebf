//! What changed between a set of tasks that was pinned and the one on the screen, in numbers.

use super::summary::verdict;
use crate::report::tasks::{TaskReport, TasksReport, Tightest};
use base::people;
use kit::page::compared::{Change, Good, Way};

/// No more tasks and vertices are listed.
const MOST: usize = 24;

/// What changed: the verdict, the whole, then task by task where they are called the same.
pub fn changes(before: &TasksReport, after: &TasksReport) -> Vec<Change> {
    let number = |n: u64| people::grouped(n.into());
    let share = |millionths: u64| people::percent(millionths as f64 / 1e6);
    let used = |report: &TasksReport| (report.utilisation * 1e6).round() as u64;
    let least = |report: &TasksReport| report.tightest.map_or("not known".to_owned(), slack);
    let first = |report: &TasksReport| match report.first_violation {
        Some(first) => format!("{} in {}", number(first.demand), number(first.t)),
        None => "none".to_owned(),
    };
    let mut all = vec![
        Change::text("Verdict", verdict(before).words, verdict(after).words),
        Change::number("Utilisation", [used(before), used(after)], Good::Less, &share),
        Change::text("Least slack", least(before), least(after)),
        Change::text("First violation", first(before), first(after)),
        Change::number("Tasks", [before.set.len() as u64, after.set.len() as u64], Good::Neither, &number),
    ];
    let mut own = Vec::new();
    for task in &after.set {
        if let Some(known) = before.set.iter().find(|known| known.name == task.name) {
            own.extend(of_task(known, task));
        }
    }
    own.retain(|change| change.difference.way != Way::Same);
    let more = own.len().saturating_sub(MOST);
    all.extend(own.into_iter().take(MOST));
    if more > 0 {
        all.push(Change::text(
            "Further numbers",
            String::new(),
            format!("{} changed, too", number(more as u64)),
        ));
    }
    all
}

fn of_task(before: &TaskReport, after: &TaskReport) -> Vec<Change> {
    let number = |n: u64| people::grouped(n.into());
    let name = &after.name;
    let mut all = vec![
        Change::number(format!("{name}: E"), [before.demand, after.demand], Good::Less, &number),
        Change::number(format!("{name}: period"), [before.period, after.period], Good::Neither, &number),
    ];
    for vertex in &after.vertices {
        let Some(known) = before.vertices.iter().find(|known| known.name == vertex.name) else { continue };
        let called = |what: &str| format!("{name}: {} {what}", vertex.name);
        all.push(Change::number(called("needs"), [known.e, vertex.e], Good::Less, &number));
        all.push(Change::number(called("deadline"), [known.d, vertex.d], Good::Neither, &number));
    }
    all
}

fn slack(found: Tightest) -> String {
    let sign = if found.margin < 0 { "−" } else { "" };
    let margin = people::grouped(found.margin.unsigned_abs().into());
    format!("{sign}{margin} in {}", people::grouped(found.t.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::tasks::sample;

    #[test]
    fn what_changed_is_told_in_numbers() {
        let before = sample::fits();
        let mut after = before.clone();
        after.utilisation = 0.5;
        after.set[2].vertices[1].e = 9;
        after.set[2].demand = 12;
        let all = changes(&before, &after);
        let told = |name: &str| {
            let found = all.iter().find(|change| change.name == name);
            found.map(|change| {
                (change.difference.both.join(" to "), change.difference.more.clone(), change.difference.way)
            })
        };
        let own = |both: &str, more: &str, way| Some((both.to_owned(), more.to_owned(), way));
        assert_eq!(told("planner: E"), own("8 to 12", "+4", Way::Worse));
        assert_eq!(told("planner: plan needs"), own("5 to 9", "+4", Way::Worse));
        assert_eq!(told("Least slack"), own("3 in 4 to 3 in 4", "", Way::Same));
        assert_eq!(told("camera: E"), None);
        assert!(told("Utilisation").is_some_and(|own| own.2 == Way::Worse));
        let over = changes(&before, &sample::overloaded());
        assert!(over[0].difference.way == Way::Other && over[3].difference.both[1] == "6 in 4", "{over:?}");
    }
}
