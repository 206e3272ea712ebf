//! Where one can stand on a chain, and where each step leads.
//!
//! A kernel has four stations, from its instructions to its completion; a task has two, its response and its
//! deadline. The row of a kernel leads on to the row of the task that waits for it.

use crate::report::chain::{Evidence, KernelLink, WholeReport};
use crate::timeline::chain::Worth;

/// A station of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Station {
    /// The instructions of a warp.
    Code,
    /// The warps that one multiprocessor holds, in cycles.
    Warps,
    /// A block, in nanoseconds.
    Block,
    /// The kernel on the whole GPU.
    Gpu,
    /// The host task that waits for it.
    Task,
    /// Its deadline.
    Deadline,
}

impl Station {
    /// All of them from left to right.
    pub const ALL: [Self; 6] = [Self::Code, Self::Warps, Self::Block, Self::Gpu, Self::Task, Self::Deadline];
    /// Those of a kernel.
    pub const KERNEL: [Self; 4] = [Self::Code, Self::Warps, Self::Block, Self::Gpu];
    /// Those of a task.
    pub const TASK: [Self; 2] = [Self::Task, Self::Deadline];

    /// Its name in links and for tests.
    pub fn key(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Warps => "warps",
            Self::Block => "block",
            Self::Gpu => "gpu",
            Self::Task => "task",
            Self::Deadline => "deadline",
        }
    }

    /// What stands above it.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Code => "Instructions",
            Self::Warps => "Warps on one SM",
            Self::Block => "One block",
            Self::Gpu => "Kernel on the GPU",
            Self::Task => "Host task",
            Self::Deadline => "Deadline",
        }
    }

    /// Its place from the left.
    pub fn column(self) -> usize {
        Self::ALL.iter().position(|&station| station == self).unwrap_or_default()
    }
}

/// A row: a kernel or a task, by its place in the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Row {
    /// A kernel.
    Kernel(usize),
    /// A task.
    Task(usize),
}

/// A station of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node {
    /// The row.
    pub row: Row,
    /// The station in it.
    pub station: Station,
}

/// Which way a step goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toward {
    /// To the row above.
    Up,
    /// To the row below.
    Down,
    /// Toward the instructions.
    Back,
    /// Toward the deadline.
    On,
    /// To the first station of the row.
    Start,
    /// To the last one.
    End,
}

/// A task with the kernels it launches; or the kernels that nobody launches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The task.
    pub task: Option<usize>,
    /// Its kernels.
    pub kernels: Vec<usize>,
}

/// A chain in the order of its rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Walk {
    /// Its parts, from top to bottom.
    pub groups: Vec<Group>,
}

impl Walk {
    /// The walk along a report: tasks in their sequence, then kernels that nobody launches.
    pub fn new(report: &WholeReport) -> Self {
        let kernels_of = |name: Option<&str>| -> Vec<usize> {
            let is_of = |kernel: &KernelLink| match (kernel.task.as_deref(), name) {
                (Some(task), Some(name)) => task == name,
                (Some(task), None) => !report.tasks.iter().any(|known| known.name == task),
                (None, name) => name.is_none(),
            };
            (0..report.kernels.len()).filter(|&place| is_of(&report.kernels[place])).collect()
        };
        let group = |(place, task): (usize, &crate::report::chain::TaskLink)| Group {
            task: Some(place),
            kernels: kernels_of(Some(&task.name)),
        };
        let mut groups: Vec<Group> = report.tasks.iter().enumerate().map(group).collect();
        let loose = kernels_of(None);
        if !loose.is_empty() {
            groups.push(Group { task: None, kernels: loose });
        }
        Self { groups }
    }

    /// The kernels from top to bottom.
    pub fn kernels(&self) -> impl DoubleEndedIterator<Item = usize> {
        self.groups.iter().flat_map(|group| group.kernels.iter().copied())
    }

    /// The tasks from top to bottom.
    pub fn tasks(&self) -> impl DoubleEndedIterator<Item = usize> {
        self.groups.iter().filter_map(|group| group.task)
    }

    /// Every station, row by row; the kernels of a task before it.
    pub fn nodes(&self) -> Vec<Node> {
        let mut nodes = Vec::new();
        for group in &self.groups {
            for &kernel in &group.kernels {
                nodes.extend(Station::KERNEL.map(|station| Node { row: Row::Kernel(kernel), station }));
            }
            if let Some(task) = group.task {
                nodes.extend(Station::TASK.map(|station| Node { row: Row::Task(task), station }));
            }
        }
        nodes
    }

    /// Whether there is such a station.
    pub fn has(&self, node: Node) -> bool {
        match node.row {
            Row::Kernel(place) => {
                Station::KERNEL.contains(&node.station) && self.kernels().any(|of| of == place)
            }
            Row::Task(place) => Station::TASK.contains(&node.station) && self.tasks().any(|of| of == place),
        }
    }

    /// Where a step leads; none at the end of the way.
    pub fn step(&self, node: Node, toward: Toward) -> Option<Node> {
        let own = match node.row {
            Row::Kernel(_) => &Station::KERNEL[..],
            Row::Task(_) => &Station::TASK[..],
        };
        let at = own.iter().position(|&station| station == node.station)?;
        let within = |place: usize| own.get(place).map(|&station| Node { station, ..node });
        match toward {
            Toward::Up | Toward::Down => self.beside(node, toward == Toward::Down),
            Toward::On => within(at + 1).or_else(|| self.task_of(node.row)),
            Toward::Back => at.checked_sub(1).and_then(within).or_else(|| self.kernel_of(node.row)),
            Toward::Start => self
                .kernel_of(node.row)
                .map(|first| Node { station: Station::Code, ..first })
                .or_else(|| within(0)),
            Toward::End => match self.task_of(node.row) {
                Some(task) => Some(Node { station: Station::Deadline, ..task }),
                None => within(own.len() - 1),
            },
        }
    }

    fn beside(&self, node: Node, down: bool) -> Option<Node> {
        let next = |rows: &[usize], place: usize| {
            let at = rows.iter().position(|&row| row == place)?;
            let to = if down { at + 1 } else { at.checked_sub(1)? };
            rows.get(to).copied()
        };
        let row = match node.row {
            Row::Kernel(place) => Row::Kernel(next(&self.kernels().collect::<Vec<_>>(), place)?),
            Row::Task(place) => Row::Task(next(&self.tasks().collect::<Vec<_>>(), place)?),
        };
        Some(Node { row, ..node })
    }

    /// The station of the task that waits for a kernel.
    fn task_of(&self, row: Row) -> Option<Node> {
        let Row::Kernel(kernel) = row else { return None };
        let group = self.groups.iter().find(|group| group.kernels.contains(&kernel))?;
        group.task.map(|task| Node { row: Row::Task(task), station: Station::Task })
    }

    /// The last station of the first kernel that a task waits for.
    fn kernel_of(&self, row: Row) -> Option<Node> {
        let Row::Task(task) = row else { return None };
        let group = self.groups.iter().find(|group| group.task == Some(task))?;
        group.kernels.first().map(|&kernel| Node { row: Row::Kernel(kernel), station: Station::Gpu })
    }

    /// A station as links write it: `kernel:blur:warps`, `task:control:deadline`.
    pub fn name(report: &WholeReport, node: Node) -> Option<String> {
        let (kind, name) = match node.row {
            Row::Kernel(place) => ("kernel", &report.kernels.get(place)?.name),
            Row::Task(place) => ("task", &report.tasks.get(place)?.name),
        };
        Some(format!("{kind}:{name}:{}", node.station.key()))
    }

    /// The station of a link; none where there is none of that name.
    pub fn named(&self, report: &WholeReport, text: &str) -> Option<Node> {
        let (kind, rest) = text.split_once(':')?;
        let (name, key) = rest.rsplit_once(':')?;
        let station = Station::ALL.into_iter().find(|station| station.key() == key)?;
        let row = match kind {
            "kernel" => Row::Kernel(report.kernels.iter().position(|kernel| kernel.name == name)?),
            "task" => Row::Task(report.tasks.iter().position(|task| task.name == name)?),
            _ => return None,
        };
        Some(Node { row, station }).filter(|&node| self.has(node))
    }

    /// The station that makes the verdict no better than it is: the part the report names, and in it the first number
    /// that is worth no more.
    pub fn weakest(&self, report: &WholeReport) -> Option<Node> {
        let named = report.verdict.weakest.as_deref()?;
        let kernel = |name: &str| report.kernels.iter().position(|kernel| kernel.name == name);
        let task = |name: &str| report.tasks.iter().position(|task| task.name == name);
        let in_kernel = |place: usize, from: usize| {
            let own = &report.kernels[place];
            let weak = |station: &Station| is_weak(own, *station, report.verdict.kind);
            let station = Station::KERNEL[from..].iter().copied().find(weak).unwrap_or(Station::Gpu);
            Node { row: Row::Kernel(place), station }
        };
        let of_task = |place| Node { row: Row::Task(place), station: Station::Task };
        match named.split_once(':') {
            Some(("warps", name)) => {
                kernel(name).map(|place| Node { row: Row::Kernel(place), station: Station::Warps })
            }
            Some(("tasks", core)) => report.tasks.iter().position(|task| task.core == core).map(of_task),
            _ if named == "blocks" => self.kernels().next().map(|place| in_kernel(place, 3)),
            _ => task(named).map(of_task).or_else(|| kernel(named).map(|place| in_kernel(place, 1))),
        }
    }
}

/// Whether a station of a kernel is worth no more than a verdict.
fn is_weak(kernel: &KernelLink, station: Station, kind: Evidence) -> bool {
    let bracket = match station {
        Station::Warps => &kernel.makespan,
        Station::Block => &kernel.block,
        _ => &kernel.completion,
    };
    Worth::of_bracket(bracket) >= Worth::of(kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::chain::sample;

    fn way(report: &WholeReport, from: &str, steps: &[Toward]) -> Vec<String> {
        let walk = Walk::new(report);
        let mut at = walk.named(report, from);
        let said = |at: Option<Node>| at.and_then(|node| Walk::name(report, node)).unwrap_or_default();
        steps
            .iter()
            .map(|&toward| {
                at = at.and_then(|node| walk.step(node, toward));
                said(at)
            })
            .collect()
    }

    #[test]
    fn kernels_lead_to_the_task_that_waits_for_them() {
        let report = sample::open();
        let groups = Walk::new(&report).groups;
        assert_eq!(groups[0], Group { task: Some(0), kernels: vec![0, 1] });
        assert_eq!(groups[1], Group { task: Some(1), kernels: vec![] });
        assert_eq!(groups[2], Group { task: None, kernels: vec![2] });
    }

    #[test]
    fn one_walks_from_instructions_to_the_deadline_and_back() {
        use Toward::{Back, Down, End, On, Start, Up};
        let report = sample::open();
        assert_eq!(
            way(&report, "kernel:edges:code", &[On, On, On, On, On, On]),
            [
                "kernel:edges:warps",
                "kernel:edges:block",
                "kernel:edges:gpu",
                "task:camera:task",
                "task:camera:deadline",
                ""
            ]
        );
        assert_eq!(
            way(&report, "task:camera:deadline", &[Back, Back]),
            ["task:camera:task", "kernel:blur:gpu"]
        );
        assert_eq!(way(&report, "task:log:task", &[Back]), [""]);
        assert_eq!(
            way(&report, "kernel:blur:block", &[Down, Down, Down]),
            ["kernel:edges:block", "kernel:spare:block", ""]
        );
        assert_eq!(
            way(&report, "task:log:deadline", &[Up, Start, End]),
            ["task:camera:deadline", "kernel:blur:code", "task:camera:deadline"]
        );
        assert_eq!(way(&report, "kernel:spare:code", &[End]), ["kernel:spare:gpu"]);
    }

    #[test]
    fn a_station_comes_back_from_its_link() {
        let mut report = sample::open();
        report.kernels[0].name = "a:b".to_owned();
        report.tasks[0].name = "a:b".to_owned();
        let walk = Walk::new(&report);
        for node in walk.nodes() {
            let name = Walk::name(&report, node).unwrap_or_default();
            assert_eq!(walk.named(&report, &name), Some(node), "{name}");
        }
        for wrong in [
            "",
            "kernel",
            "kernel:edges",
            "kernel:edges:deadline",
            "task:log:warps",
            "core:a:b",
            "kernel:x:gpu",
        ] {
            assert_eq!(walk.named(&report, wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_weakest_link_is_a_station() {
        let weakest = |name: &str, kind| {
            let mut report = sample::open();
            (report.verdict.weakest, report.verdict.kind) = (Some(name.to_owned()), kind);
            let node = Walk::new(&report).weakest(&report);
            node.and_then(|node| Walk::name(&report, node)).unwrap_or_default()
        };
        assert_eq!(weakest("warps:edges", Evidence::Simulated), "kernel:edges:warps");
        assert_eq!(weakest("blur", Evidence::Simulated), "kernel:blur:gpu");
        assert_eq!(weakest("log", Evidence::Upper), "task:log:task");
        assert_eq!(weakest("tasks:cpu", Evidence::Upper), "task:camera:task");
        assert_eq!(weakest("blocks", Evidence::Simulated), "kernel:blur:gpu");
        assert_eq!(weakest("nobody", Evidence::Upper), "");
    }
}
