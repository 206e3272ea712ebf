//! The kernels and the tasks of a chain as lines of two tables, the twins of its picture.

use super::details::Worthy;
use super::summary::Tone;
use crate::report::chain::{KernelLink, TaskLink, Verdict, WholeReport};
use crate::timeline::chain::worth::{time, time_left};
use crate::timeline::chain::{Room, room};
use base::people::grouped;

/// The heads of the table of kernels.
pub const KERNEL_HEADS: [&str; 8] =
    ["Kernel", "From", "Grid", "On an SM", "Makespan", "Block", "Alone", "Completion"];
/// The heads of the table of tasks.
pub const TASK_HEADS: [&str; 9] =
    ["Task", "Core", "Priority", "Period", "Computes", "Waits", "Response", "Deadline", "Room"];

/// A kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelLine {
    /// Its name.
    pub name: String,
    /// Where its time is from.
    pub source: String,
    /// Blocks and threads.
    pub grid: String,
    /// Blocks on a multiprocessor at once.
    pub resident: String,
    /// Makespan, block, alone, completion.
    pub numbers: [Worthy; 4],
}

/// A task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskLine {
    /// Its name.
    pub name: String,
    /// Core, priority, period.
    pub facts: [String; 3],
    /// Time on the core, time it waits, response.
    pub numbers: [Worthy; 3],
    /// Its deadline.
    pub deadline: String,
    /// What is left, or how much is too much.
    pub room: String,
    /// How that is meant.
    pub tone: Tone,
}

/// The kernels.
pub fn kernels(report: &WholeReport) -> Vec<KernelLine> {
    let line = |kernel: &KernelLink| KernelLine {
        name: kernel.name.clone(),
        source: match kernel.source.as_str() {
            "ptx" => "PTX".to_owned(),
            "cycles" => "cycles".to_owned(),
            "sass" | "code" => "machine code".to_owned(),
            _ => "string".to_owned(),
        },
        grid: format!("{} × {}", grouped(kernel.blocks.into()), grouped(kernel.threads.into())),
        resident: match kernel.residency.blocks {
            0 => "—".to_owned(),
            blocks => grouped(blocks.into()),
        },
        numbers: [&kernel.makespan, &kernel.block, &kernel.alone, &kernel.completion].map(Worthy::of),
    };
    report.kernels.iter().map(line).collect()
}

/// The tasks.
pub fn tasks(report: &WholeReport) -> Vec<TaskLine> {
    let line = |task: &TaskLink| TaskLine {
        name: task.name.clone(),
        facts: [task.core.clone(), grouped(task.priority.into()), time(task.period)],
        numbers: [&task.cpu, &task.gpu, &task.response].map(Worthy::of),
        deadline: time(task.deadline),
        room: match room(task) {
            Room::Left(left) => format!("{} left", time_left(left)),
            Room::OverBound(over) => format!("{} over by the bound", time(over)),
            Room::Late(late) if task.piles_up => format!("{} late, and activations pile up", time(late)),
            Room::Late(late) => format!("{} late", time(late)),
            Room::Open => "open".to_owned(),
        },
        tone: Tone::of(&Verdict { schedulable: task.meets, kind: task.kind, ..Verdict::default() }),
    };
    report.tasks.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::chain::sample;

    #[test]
    fn a_line_for_each() {
        let report = sample::open();
        let line = &kernels(&report)[1];
        assert_eq!(
            (line.source.as_str(), line.grid.as_str(), line.resident.as_str()),
            ("PTX", "16 × 256", "4")
        );
        let numbers: Vec<String> =
            line.numbers.iter().map(|n| format!("{} {}", n.worth.sign(), n.text)).collect();
        assert_eq!(numbers, ["≤ 92 to 110 cycles", "≤ 71 to 85 ns", "≤ 71 to 339 ns", "~ 0.071 to 2.439 µs"]);
        let rooms: Vec<(String, Tone)> =
            tasks(&report).into_iter().map(|line| (line.room, line.tone)).collect();
        assert_eq!(rooms[0], ("3.724 µs left".to_owned(), Tone::Simulated));
        assert_eq!(rooms[1], ("500 ns over by the bound".to_owned(), Tone::Open));
        let mut missed = sample::missed();
        assert_eq!(tasks(&missed)[1].room, "1 µs late");
        missed.tasks[1].piles_up = true;
        assert_eq!(tasks(&missed)[1].room, "1 µs late, and activations pile up");
    }

    #[test]
    fn heads_and_cells_are_as_many() {
        assert_eq!(KERNEL_HEADS.len(), 4 + 4);
        assert_eq!(TASK_HEADS.len(), 1 + 3 + 3 + 2);
    }
}
