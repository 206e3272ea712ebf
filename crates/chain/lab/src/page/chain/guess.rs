//! What can be guessed about a chain: the verdict, a makespan, and the response of a task.

use crate::report::chain::{Evidence, Figure, WholeReport};
use kit::page::guess::{Answer, Question};

/// What is asked about a chain.
pub fn questions(report: &WholeReport) -> Vec<Question> {
    let verdict = report.verdict.schedulable.map(|meets| {
        let options = vec!["yes".to_owned(), "no".to_owned()];
        Question::new("Does every task meet its deadline?", Answer::Choice(options, usize::from(!meets)))
    });
    let makespan = report.kernels.iter().find_map(|kernel| {
        let exact = kernel.makespan.upper.as_ref().filter(|figure| figure.kind == Evidence::Exact)?;
        let asks =
            format!("How many cycles do the warps of {} on one multiprocessor take at worst?", kernel.name);
        let given = kernel.string.clone().unwrap_or_default();
        Some(Question { given, ..Question::new(asks, Answer::Number(exact.value as f64, "cycles")) })
    });
    let response = report.tasks.iter().find_map(|task| {
        let upper = task.response.upper.as_ref()?;
        let asks =
            format!("How long after its activation is {} done at worst, as far as is known?", task.name);
        Some(Question::new(asks, number(upper)))
    });
    verdict.into_iter().chain(response).chain(makespan).collect()
}

fn number(figure: &Figure) -> Answer {
    Answer::Number(figure.value as f64, "ns")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::chain::sample;

    #[test]
    fn what_is_known_is_asked() {
        let all = questions(&sample::meets());
        assert_eq!(all.len(), 3);
        assert!(all[0].judge("yes").is_some_and(|judged| judged.right));
        assert_eq!(all[1].answer, Answer::Number(8276.0, "ns"));
        assert_eq!(all[2].answer, Answer::Number(154.0, "cycles"));
        assert_eq!(questions(&sample::open()).len(), 2, "an open verdict is not asked");
        assert_eq!(questions(&WholeReport::default()), []);
    }
}
