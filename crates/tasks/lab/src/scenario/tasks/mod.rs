//! The `tasks` part of a scenario: a set of recurring tasks, or an experiment with random ones.

mod experiment;
mod task;

use std::collections::HashMap;

use serde_json::Value;

pub use experiment::Experiment;
use kit::import::reader::{Reader, shown};
use tasks::Task;

/// A question about recurring tasks.
#[derive(Debug, Clone, PartialEq)]
pub struct TasksScenario {
    /// What is asked.
    pub asked: Asked,
}

/// What is asked about recurring tasks.
#[derive(Debug, Clone, PartialEq)]
pub enum Asked {
    /// Whether these meet their deadlines.
    Set {
        /// The tasks.
        set: Vec<Task>,
        /// The longest interval whose demand is listed; none for t_max.
        horizon: Option<u64>,
    },
    /// How long it takes to compute the demand of random ones.
    Experiment(Experiment),
}

/// The most tasks of a set.
pub const MOST_TASKS: usize = 100;
/// The largest number of a task: all sums of them stay whole numbers wherever they are read.
pub const LARGEST: u64 = 1_000_000_000_000;

/// Reads the `tasks` of a document: a list of tasks, or an object with a `set` or an `experiment`.
pub fn read(reader: &mut Reader, path: &str, value: &Value) -> Option<TasksScenario> {
    let asked = match value {
        Value::Array(_) => Asked::Set { set: set(reader, path, value)?, horizon: None },
        Value::Object(_) => {
            let fields = reader.object(path, value)?;
            match (fields.get("set"), fields.get("experiment")) {
                (Some(list), None) => {
                    reader.only(&fields, &["set", "horizon"]);
                    let horizon = reader.optional(&fields, "horizon", |reader, path, value| {
                        reader.whole(path, value, 1..=LARGEST)
                    });
                    Asked::Set { set: set(reader, &fields.path_of("set"), list)?, horizon }
                }
                (None, Some(asked)) => {
                    reader.only(&fields, &["experiment"]);
                    Asked::Experiment(experiment::read(reader, &fields.path_of("experiment"), asked)?)
                }
                _ => {
                    reader.problem(path, "no question about tasks in it", "a \"set\" or an \"experiment\"");
                    return None;
                }
            }
        }
        other => {
            reader.problem(path, shown(other), "a list of tasks, or an object with a \"set\"");
            return None;
        }
    };
    Some(TasksScenario { asked })
}

fn set(reader: &mut Reader, path: &str, value: &Value) -> Option<Vec<Task>> {
    let items = reader.list(path, value)?;
    if !(1..=MOST_TASKS).contains(&items.len()) {
        let expected = format!("1 to {MOST_TASKS} tasks");
        reader.problem(path, base::people::counted(items.len(), "task"), expected);
        return None;
    }
    let tasks =
        items.iter().enumerate().map(|(i, item)| task::read(reader, &format!("{path}[{i}]"), i, item));
    let tasks: Vec<Option<Task>> = tasks.collect();
    let tasks: Vec<Task> = tasks.into_iter().collect::<Option<_>>()?;
    let mut known: HashMap<&str, usize> = HashMap::new();
    for (i, task) in tasks.iter().enumerate() {
        if let Some(first) = known.insert(task.name(), i) {
            let what = format!("the name of {path}[{first}] again");
            reader.problem(format!("{path}[{i}].name"), what, "a name of its own");
        }
    }
    Some(tasks)
}

#[cfg(test)]
mod tests;
