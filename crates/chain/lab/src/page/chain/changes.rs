//! What would be if something were different: each change with its verdict and the response of every task, against
//! deadlines and against what is.

use super::summary::{Tone, word};
use crate::report::chain::{Verdict, WholeReport};
use crate::timeline::chain::worth::time;

/// Tasks whose bars are in sight; the others are counted.
pub const MOST_TASKS: usize = 6;

/// A change.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// For tests: the change's id; empty for what is.
    pub id: String,
    /// What is different.
    pub what: String,
    /// How the verdict is meant.
    pub tone: Tone,
    /// The verdict in a few words.
    pub word: &'static str,
    /// Why.
    pub because: String,
    /// A bar for each task.
    pub bars: Vec<Bar>,
    /// The part of the report that asks it.
    pub part: Option<String>,
}

/// The response of a task as a bar. All of it are shares of the same length in every row of the task.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// The task.
    pub task: String,
    /// Its response then; none where nothing is known from above.
    pub response: Option<f64>,
    /// Its response as it is.
    pub present: Option<f64>,
    /// Its deadline.
    pub deadline: f64,
    /// Whether the response is above the deadline.
    pub over: bool,
    /// The response in words.
    pub text: String,
    /// All of it in a sentence.
    pub spoken: String,
}

/// What is, and then every change.
pub fn rows(report: &WholeReport) -> Vec<Row> {
    let upper = |at: usize| report.tasks[at].response.upper.as_ref().map(|figure| figure.value);
    let present: Vec<Option<u64>> = (0..report.tasks.len()).map(upper).collect();
    let row = |id: &str, what: &str, found: &Verdict, responses: &[Option<u64>], part: Option<&String>| Row {
        id: id.to_owned(),
        what: what.to_owned(),
        tone: Tone::of(found),
        word: word(found),
        because: found.because.clone(),
        bars: bars(report, &present, responses, found.schedulable == Some(true)),
        part: part.cloned(),
    };
    let first = row("", "As it is", &report.verdict, &present, None);
    let others = report.sensitivity.iter().map(|change| {
        row(&change.id, &change.what, &change.verdict, &change.responses, change.part.as_ref())
    });
    std::iter::once(first).chain(others).collect()
}

/// Where every deadline is met, none of them is over: the change may be about deadlines.
fn bars(report: &WholeReport, present: &[Option<u64>], responses: &[Option<u64>], met: bool) -> Vec<Bar> {
    let bar = |at: usize| {
        let task = &report.tasks[at];
        let own = |responses: &[Option<u64>]| responses.get(at).copied().flatten();
        let all = report.sensitivity.iter().filter_map(|change| own(&change.responses)).chain(own(present));
        let most = all.max().unwrap_or(0).max(task.deadline).max(1) as f64;
        let share = |nanos: u64| nanos as f64 / most;
        let response = own(responses);
        let over = !met && response.is_some_and(|response| response > task.deadline);
        let text = response.map_or_else(|| "not known".to_owned(), time);
        let spoken = format!(
            "{}: response {text}, deadline {}{}",
            task.name,
            time(task.deadline),
            match (response, own(present)) {
                (Some(then), Some(now)) if then != now => format!(", {} as it is", time(now)),
                _ => String::new(),
            }
        );
        Bar {
            task: task.name.clone(),
            response: response.map(share),
            present: own(present).map(share),
            deadline: share(task.deadline),
            over,
            text,
            spoken,
        }
    };
    (0..report.tasks.len().min(MOST_TASKS)).map(bar).collect()
}

/// How many changes keep every deadline, in a sentence.
pub fn in_words(report: &WholeReport) -> String {
    let all = report.sensitivity.len();
    let kept = report.sensitivity.iter().filter(|change| change.verdict.schedulable == Some(true)).count();
    let lost = report.sensitivity.iter().filter(|change| change.verdict.schedulable == Some(false)).count();
    format!(
        "{}: every deadline is met in {kept}, one is missed in {lost}, and {} stay open.",
        base::people::counted(all, "change"),
        all - kept - lost
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::chain::sample;

    #[test]
    fn every_change_stands_against_what_is() {
        let report = sample::open();
        let rows = rows(&report);
        assert_eq!(rows.len(), 6);
        assert_eq!((rows[0].what.as_str(), rows[0].word), ("As it is", "open"));
        let slow = &rows[3];
        assert_eq!((slow.word, slow.tone.sign()), ("can be missed", "✗"));
        let camera = &slow.bars[0];
        assert!(camera.over && camera.response == Some(1.0));
        assert_eq!(camera.present, rows[0].bars[0].response);
        assert_eq!(camera.spoken, "camera: response 14.01 µs, deadline 12 µs, 8.276 µs as it is");
        assert_eq!((rows[4].bars[0].response, rows[4].bars[0].text.as_str()), (None, "not known"));
        assert_eq!((rows[5].part.as_deref(), rows[5].tone), (None, Tone::Simulated));
        assert_eq!(
            in_words(&report),
            "5 changes: every deadline is met in 1, one is missed in 1, and 3 stay open."
        );
    }

    #[test]
    fn a_change_may_know_fewer_tasks() {
        let mut report = sample::open();
        report.sensitivity[0].responses.clear();
        assert_eq!(rows(&report)[1].bars[1].response, None);
    }
}
