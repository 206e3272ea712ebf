//! The tables beneath the chart: the tasks of the set, and how much their vertices may grow.

use crate::report::tasks::{Sensitivity, TaskReport, TasksReport};
use base::people;

/// A task as a line of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskLine {
    /// Its name.
    pub name: String,
    /// Vertices, period, E, utilisation, longest path, pairs.
    pub numbers: [String; 6],
    /// Whether its demand is exact, and why not.
    pub exact: String,
}

/// A task as a line.
pub fn task_line(task: &TaskReport) -> TaskLine {
    let number = |n: u64| people::grouped(n.into());
    let mut why = Vec::new();
    if !task.separated {
        why.push("a deadline is longer than a separation after it");
    }
    if !task.roomy {
        why.push("the period is shorter than the longest path");
    }
    let exact = match (task.exact, why.is_empty()) {
        (true, true) => "exact".to_owned(),
        (true, false) => format!("exact; for equation (1) {}", why.join(", and ")),
        (false, true) => "an upper bound".to_owned(),
        (false, false) => format!("an upper bound: {}", why.join(", and ")),
    };
    let numbers = [
        number(task.vertices.len() as u64),
        number(task.period),
        number(task.demand),
        people::percent(task.utilisation),
        number(task.longest),
        number(task.pairs),
    ];
    TaskLine { name: task.name.clone(), numbers, exact }
}

/// How much a vertex may grow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VertexLine {
    /// Its task, by its place.
    pub task: usize,
    /// `task: vertex`.
    pub name: String,
    /// What it needs.
    pub e: u64,
    /// The most it may need.
    pub most: Option<u64>,
}

impl VertexLine {
    /// How much more it may need, or below 0 how much less it must.
    fn change(&self) -> Option<i64> {
        let change = i128::from(self.most?) - i128::from(self.e);
        Some(i64::try_from(change).unwrap_or(if change < 0 { i64::MIN } else { i64::MAX }))
    }

    /// What is between the two, in words.
    pub fn room(&self) -> String {
        let number = |n: u64| people::grouped(n.into());
        match self.most {
            None => NONE.to_owned(),
            Some(most) if most == self.e => "none".to_owned(),
            Some(most) if most > self.e => format!("{} more", number(most - self.e)),
            Some(most) => format!("{} less", number(self.e - most)),
        }
    }
}

/// All vertices, those that may grow least first; where something must shrink, those that mend it by shrinking least
/// first. Those of which nothing is known come last.
pub fn vertex_lines(report: &TasksReport) -> Vec<VertexLine> {
    let of_task = |(task, of): (usize, &TaskReport)| {
        let name = of.name.clone();
        let line = move |v: &crate::report::tasks::VertexReport| VertexLine {
            task,
            name: format!("{name}: {}", v.name),
            e: v.e,
            most: v.most,
        };
        of.vertices.iter().map(line).collect::<Vec<_>>()
    };
    let mut lines: Vec<VertexLine> = report.set.iter().enumerate().flat_map(of_task).collect();
    base::sort::sort_by_key(&mut lines, |line| line.change().map_or(u64::MAX, i64::unsigned_abs));
    lines
}

/// What stands where no number would do, or none was found.
pub const NONE: &str = "—";

/// What the table of vertices is, and what its dashes mean.
pub fn vertices_in_words(report: &TasksReport, lines: &[VertexLine]) -> &'static str {
    let apart = report.sensitivity.as_ref().is_some_and(|found| found.long_run.is_some());
    match lines.iter().filter(|line| line.most.is_some()).count() {
        known if known == lines.len() && apart => "Each vertex by itself, while all others stay as they are:",
        known if known > 0 && apart => {
            "Each vertex by itself, while all others stay as they are. A dash: whatever it needs, a deadline is missed, or nothing was found out."
        }
        known if known == lines.len() => {
            "Each vertex by itself, while all others stay as they are and the utilisation does not exceed 100 %:"
        }
        0 if report.schedulable == Some(false) => "No vertex was found that mends it by itself.",
        0 => "By how much a single vertex may grow was not found out.",
        _ => {
            "Each vertex by itself, while all others stay as they are and the utilisation does not exceed 100 %. A dash: whatever it needs, a deadline is missed, or nothing was found out."
        }
    }
}

/// By how much all requirements may grow, and what stops them.
pub fn growth(found: &Sensitivity, lines: &[VertexLine]) -> String {
    let number = |n: u64| people::grouped(n.into());
    let factor = factor(found.growth);
    let fraction = match found.growth_fraction.as_str() {
        "" => String::new(),
        text if *text == factor => String::new(),
        text => format!(" ({})", fraction(text)),
    };
    let how = if let Some(most) = found.growth_most {
        // Up: more than this is not possible.
        let most = (most * 1_000.0 - 1e-6).ceil() / 1_000.0;
        format!(
            "All requirements together may grow to {factor} times what they are, and to no more than {most} times"
        )
    } else if found.growth < 1.0 {
        format!("All requirements together must shrink to {factor} times{fraction} what they are")
    } else {
        format!("All requirements together may grow to {factor} times{fraction} what they are")
    };
    let limit = match found.limited_at {
        None if found.long_run.is_some() => {
            "; what rounds need in the long run limits them, which must not exceed all of the time".to_owned()
        }
        Some(at) => format!(
            "; the interval of {} limits them, in which there are {} to execute",
            number(at.t),
            number(at.demand)
        ),
        None => "; the utilisation limits them, which must not exceed 1".to_owned(),
    };
    let least = match lines.first().map(|line| (line, line.change())) {
        Some((line, Some(change))) if found.growth < 1.0 && change < 0 => {
            format!(" By itself, {} mends it with the least change: {}.", line.name, line.room())
        }
        Some((line, Some(0))) => format!(" By itself, {} must not grow at all.", line.name),
        Some((line, Some(_))) => format!(" By itself, {} may grow least: {}.", line.name, line.room()),
        _ => String::new(),
    };
    format!("{how}{limit}.{least}")
}

/// A fraction with its numbers grouped.
pub fn fraction(text: &str) -> String {
    let part = |part: &str| part.trim().parse().map_or_else(|_| part.to_owned(), people::grouped);
    text.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// A factor with as many digits as matter, rounded down: it must not promise more than there is.
fn factor(value: f64) -> String {
    let down = (value * 1_000.0 + 1e-6).floor() / 1_000.0;
    format!("{down}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::tasks::sample;

    #[test]
    fn a_task_says_whether_it_is_exact() {
        let report = sample::overloaded();
        let line = task_line(&report.set[1]);
        assert_eq!(line.numbers, ["2", "10", "8", "80 %", "11", "12"]);
        assert_eq!(
            line.exact,
            "an upper bound: a deadline is longer than a separation after it, and the period is shorter than the longest path"
        );
        assert_eq!(task_line(&report.set[0]).exact, "exact");
    }

    #[test]
    fn vertices_with_the_least_room_first() {
        let lines = vertex_lines(&sample::overloaded());
        let said: Vec<String> = lines.iter().map(|line| format!("{} {}", line.name, line.room())).collect();
        assert_eq!(said, ["a: v0 2 less", "b: v0 2 less", "b: v1 —"]);
        let lines = vertex_lines(&sample::differs());
        assert_eq!((lines[0].room(), lines[4].room()), ("none".to_owned(), "1 more".to_owned()));
    }

    #[test]
    fn growth_and_what_limits_it() {
        let said = |report: TasksReport| {
            let lines = vertex_lines(&report);
            report.sensitivity.as_ref().map(|found| growth(found, &lines)).unwrap_or_default()
        };
        assert_eq!(
            said(sample::fits()),
            "All requirements together may grow to 2.5 times (5/2) what they are; the utilisation limits them, which must not exceed 1. By itself, camera: grab may grow least: 3 more."
        );
        assert_eq!(
            said(sample::overloaded()),
            "All requirements together must shrink to 0.666 times (2/3) what they are; the interval of 4 limits them, in which there are 6 to execute. By itself, a: v0 mends it with the least change: 2 less."
        );
    }

    #[test]
    fn rounds_longer_than_the_period_are_limited_by_the_long_run() {
        let mut report = sample::fits();
        let found = report.sensitivity.as_mut().expect("it has one");
        (found.long_run, found.growth_most) = (Some(0.4), Some(2.666_66));
        assert!(
            growth(found, &[])
                .contains("may grow to 2.5 times what they are, and to no more than 2.667 times; ")
        );
        found.growth_most = None;
        let said = growth(found, &[]);
        assert!(said.ends_with(
            "; what rounds need in the long run limits them, which must not exceed all of the time."
        ));
        let lines = vertex_lines(&report);
        assert!(
            vertices_in_words(&report, &lines)
                .starts_with("Each vertex by itself, while all others stay as they are. ")
        );
        assert!(vertices_in_words(&report, &lines[..1]).ends_with("stay as they are:"));
    }

    #[test]
    fn dashes_are_explained() {
        let report = sample::overloaded();
        let mut lines = vertex_lines(&report);
        assert!(vertices_in_words(&report, &lines).contains("A dash: "));
        lines.pop();
        assert!(vertices_in_words(&report, &lines).ends_with("exceed 100 %:"));
        lines.iter_mut().for_each(|line| line.most = None);
        assert!(vertices_in_words(&report, &lines).starts_with("No vertex"));
        assert!(vertices_in_words(&sample::fits(), &lines).ends_with("was not found out."));
        assert_eq!((fraction("1920/31853"), fraction("a/b")), ("1,920/31,853".to_owned(), "a/b".to_owned()));
    }
}
