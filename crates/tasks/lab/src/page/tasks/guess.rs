//! What can be guessed about a set of tasks: the verdict, and the most that can be demanded in an interval.

use crate::report::tasks::TasksReport;
use base::people;
use kit::page::guess::{Answer, Question};

/// What is asked about a set.
pub fn questions(report: &TasksReport) -> Vec<Question> {
    let number = |n: u64| people::grouped(n.into());
    let verdict = report.schedulable.map(|meets| {
        let options = vec!["yes".to_owned(), "no".to_owned()];
        Question::new("Does EDF meet every deadline?", Answer::Choice(options, usize::from(!meets)))
    });
    let tight = report.first_violation.map(|first| (first.t, first.demand));
    let tight = tight.or(report.tightest.map(|found| (found.t, found.demand)));
    let demand = tight.map(|(t, demand)| {
        let asks = format!("How much execution can be demanded within an interval of {}?", number(t));
        Question::new(asks, Answer::Number(demand as f64, ""))
    });
    // Rounds that last longer than the period need less.
    let (given, used) = match report.sensitivity.as_ref().and_then(|found| found.long_run) {
        Some(long) => ("what rounds need by how long they last, in per cent", long),
        None => ("the sum of E(T)/P(T), in per cent", report.utilisation),
    };
    let utilisation = Question {
        given: given.to_owned(),
        ..Question::new("How much of the time is taken in the long run?", Answer::Number(used * 100.0, "%"))
    };
    verdict.into_iter().chain(demand).chain(Some(utilisation)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tasks::{Tightest, Violation};

    #[test]
    fn the_tight_interval_is_asked_for() {
        let report = TasksReport {
            schedulable: Some(true),
            tightest: Some(Tightest { t: 40, demand: 38, margin: 2 }),
            utilisation: 0.75,
            ..TasksReport::default()
        };
        let all = questions(&report);
        assert_eq!(all[0].answer, Answer::Choice(vec!["yes".to_owned(), "no".to_owned()], 0));
        assert_eq!(all[1].answer, Answer::Number(38.0, ""));
        assert_eq!(all[2].answer, Answer::Number(75.0, "%"));
        let late = TasksReport {
            schedulable: Some(false),
            first_violation: Some(Violation { t: 7, demand: 9 }),
            ..report
        };
        assert_eq!(questions(&late)[1].answer, Answer::Number(9.0, ""));
        assert!(questions(&late)[0].judge("no").is_some_and(|judged| judged.right));
    }
}
