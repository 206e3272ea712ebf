//! Periods and deadlines of tasks, rounded down to whole nanoseconds, as shorter ones are worse.

use super::activation::Activation;
use super::mapped::Mapper;
use super::questions::Asked;
use base::Nanos;
use chain::{Code, Safe};

/// A period in nanoseconds where nothing in the model has one: 100 ms.
const PERIOD: u64 = 100_000_000;

impl Mapper<'_> {
    /// The period and the deadline of a task.
    pub(super) fn times(
        &mut self,
        task: usize,
        activation: &Activation,
        longest: Option<u64>,
        at: &str,
    ) -> (u64, u64) {
        let name = self.model.tasks.get(task).map_or("", |task| task.name.as_str());
        let path = format!("{at}.period");
        // Shorter is worse.
        let said = activation.period.map(|period| (period / 1_000, period % 1_000));
        let period = said.map_or(longest.unwrap_or(PERIOD), |(period, _)| period).max(1);
        let shown = Nanos(period).to_string();
        let ask = |code: Code, why: String| {
            Asked::new(code, path.as_str(), format!("the period of {name}"), shown.as_str(), why)
        };
        let mut asked: Vec<Asked> = Vec::new();
        for (code, safe, remark) in &activation.remarks {
            let why = match said {
                Some(_) => remark.clone(),
                None => format!("{remark}; the longest period of the model, or 100 ms"),
            };
            asked.push(ask(*code, why).safe(if said.is_some() { *safe } else { Safe::Neither }));
        }
        match said {
            None if asked.is_empty() => {
                let why = "no stimulus activates it; the longest period of the model, or 100 ms".to_owned();
                asked.push(ask(Code::Period, why));
            }
            Some((0, part)) => {
                let why = format!("{part} ps is less than a nanosecond, the shortest period there is here");
                asked.push(ask(Code::Period, why));
            }
            Some((_, part)) if part > 0 => {
                let why = format!("{part} ps more are left out, as periods are whole nanoseconds");
                asked.push(ask(Code::Period, why).safe(Safe::Upper));
            }
            _ => {}
        }
        for asked in asked {
            self.questions.add(asked);
        }
        (period, self.deadline(task, period, at))
    }

    /// The shortest response that is required, in the constraints or by the task itself; else the period.
    fn deadline(&mut self, task: usize, period: u64, at: &str) -> u64 {
        let said = self.model.tasks.get(task);
        let name = said.map_or("", |task| task.name.as_str());
        let constraints =
            self.model.deadlines.iter().filter(|one| self.model.tasks.find(&one.task) == Some(task));
        let own = said.and_then(|task| task.within);
        let required = constraints.map(|one| one.within).chain(own).min();
        match required.map(|deadline| (deadline / 1_000).max(1)) {
            Some(deadline) if deadline > period => {
                let why =
                    "the model requires a response later than the next activation, which is not looked at";
                let (what, value) = (format!("the deadline of {name}"), Nanos(period).to_string());
                let asked = Asked::new(Code::Deadline, format!("{at}.deadline"), what, value, why);
                self.questions.add(asked.safe(Safe::Upper));
                period
            }
            Some(deadline) => deadline,
            None => period,
        }
    }
}
