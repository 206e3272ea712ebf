//! Whether EDF meets all deadlines of a core, by demand (module `edf` of the tasks lab).
//!
//! A host task is a sporadic one: a vertex alone. Waiting counts as computing, which disturbs no less; so a set that
//! is schedulable this way is, and one that is not may be all the same. The other way round what each surely
//! computes, with nothing counted for waiting in suspension, has to fit into every interval under any scheduler:
//! a set that fails this misses a deadline.

use super::figure::Kind;
use super::host::Load;
use super::model::{Chain, Wait};
use crate::tasks::edf::decide;
use crate::tasks::{Demand, Rate, Sum, Task, Vertex};

/// The largest number the tasks lab is asked about.
pub const LARGEST: u64 = 1_000_000_000_000;

/// What is known by demand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Whether all deadlines are met; none: open.
    pub meets: Option<bool>,
    /// What that is worth.
    pub kind: Kind,
    /// The reason.
    pub because: String,
    /// The link that makes it worth no more.
    pub blame: Option<String>,
    /// An interval with more demand than time, and the demand.
    pub violation: Option<(u64, u64)>,
}

/// A task as one vertex, on its upper or its lower side; none where that is not known or too large.
fn sporadic(chain: &Chain, loads: &[Load], task: usize, upper: bool) -> Option<(Task, Kind, Option<String>)> {
    let host = &chain.tasks[task];
    let (cpu, gpu) = (&loads[task].cpu, &loads[task].gpu);
    let spins = host.wait == Wait::Spin;
    let parts = if upper {
        [cpu.upper.as_ref(), gpu.upper.as_ref()]
    } else {
        [cpu.lower.as_ref(), gpu.lower.as_ref()]
    };
    let mut e = 0u64;
    let (mut kind, mut blame) = (Kind::Exact, None);
    for (part, counts) in parts.into_iter().zip([true, upper || spins]) {
        if counts {
            let figure = part?;
            e = e.checked_add(figure.value.0)?;
            if figure.kind > kind {
                (kind, blame) = (figure.kind, figure.blame.clone());
            }
        }
    }
    let (d, period) = (host.deadline.0, host.period.0);
    if e.max(period) > LARGEST {
        return None;
    }
    let vertex = Vertex { name: host.name.clone(), e, d };
    let made = Task::new(host.name.clone(), period, vec![vertex], Vec::new()).ok()?;
    Some((made, kind, blame))
}

/// What is known by demand of the tasks of a core.
pub fn verdict(chain: &Chain, loads: &[Load], on: &[usize]) -> Verdict {
    let open = |because: &str| Verdict {
        meets: None,
        kind: Kind::Simulated,
        because: because.to_owned(),
        blame: None,
        violation: None,
    };
    let most: Option<Vec<_>> = on.iter().map(|&task| sporadic(chain, loads, task, true)).collect();
    let Some(most) = most else { return open("a time is not known, or too large to count demand with") };
    let above = decided(&most);
    if above.meets == Some(true) {
        if on.len() > 1 && on.iter().any(|&task| !chain.tasks[task].preemptive) {
            return open(
                "the demand of no interval exceeds it, but that tells little of tasks that are not preempted",
            );
        }
        let because = "the demand of no interval exceeds it, waiting counted as computing".to_owned();
        return Verdict { because, ..above };
    }
    let least: Option<Vec<_>> = on.iter().map(|&task| sporadic(chain, loads, task, false)).collect();
    let below = least.map(|least| decided(&least));
    match below {
        Some(below) if below.meets == Some(false) && below.kind != Kind::Simulated => {
            let (t, demand) = below.violation.unwrap_or_default();
            let because = format!("within {t} ns its tasks surely compute {demand} ns, whoever goes first");
            Verdict { because, ..below }
        }
        _ => {
            let because = match above.violation {
                Some((t, demand)) => format!(
                    "within {t} ns they may ask for {demand} ns if waiting is counted as computing, which is more than needs be"
                ),
                None => "demand does not decide it".to_owned(),
            };
            Verdict {
                meets: None,
                kind: Kind::Simulated,
                because,
                blame: above.blame,
                violation: above.violation,
            }
        }
    }
}

fn decided(tasks: &[(Task, Kind, Option<String>)]) -> Verdict {
    let set: Vec<Task> = tasks.iter().map(|(task, ..)| task.clone()).collect();
    let sum = Sum { demands: set.iter().map(Demand::exact).collect() };
    let decision = decide(&sum, &Rate::of(&set));
    let worst = tasks.iter().max_by_key(|(_, kind, _)| *kind);
    Verdict {
        meets: decision.verdict.schedulable(),
        kind: worst.map_or(Kind::Exact, |(_, kind, _)| *kind),
        because: String::new(),
        blame: worst.and_then(|(_, _, blame)| blame.clone()),
        violation: decision.violation.map(|point| (point.t, point.demand)),
    }
}
