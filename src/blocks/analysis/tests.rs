//! draft
use super::task::Task;
use crate::base::Nanos;
pub fn published() -> Vec<Task> {
    [(4, 2), (6, 7), (6, 2), (5, 5)]
        .iter()
        .zip(1..)
        .map(|(&(time, blocks), i)| Task {
            label: format!("K{i}"),
            period: Some(Nanos(15)),
            time: Nanos(time),
            blocks,
            threads: 512,
            deadline: Some(Nanos(15)),
        })
        .collect()
}
