//! What a document took for granted: values that nobody has said or proven, and which numbers they stand in.
//!
//! Invariant: what an entry touches is never less than what it says. A place that is not understood, that lies outside
//! the chain or that names a whole thing touches all of that thing, and in doubt everything.

/// A value that is taken for granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumption {
    /// What.
    pub what: String,
    /// What is taken.
    pub value: String,
    /// Why.
    pub why: String,
    /// Where it stands in the document.
    pub path: String,
    /// What sort of thing it is.
    pub code: Code,
    /// The numbers it stands in.
    pub touches: Vec<Touched>,
    /// The side that holds whatever is true.
    pub safe: Safe,
}

/// What sort of thing is taken for granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Code {
    /// The least time between activations.
    Period,
    /// How late an activation may be.
    Jitter,
    /// A deadline.
    Deadline,
    /// A priority, or which of several equal ones goes first.
    Priority,
    /// The core that a task is on.
    Core,
    /// How a core chooses, or what it may interrupt.
    Scheduling,
    /// What a core does while its task waits.
    Wait,
    /// Waiting that was dropped: for events, for other tasks.
    Waiting,
    /// A semaphore or another resource that is not modelled.
    Resource,
    /// Work of which not all, or none, is known.
    Work,
    /// How often a loop turns.
    Loop,
    /// Which way a program goes.
    Path,
    /// The bytes of a copy.
    Size,
    /// How fast copies go, or on how many engines.
    CopyRate,
    /// A frequency.
    Clock,
    /// The GPU, a multiprocessor of it, or a grid on it.
    Gpu,
    /// How kernels of several tasks share the GPU.
    Sharing,
    /// Anything else.
    #[default]
    Other,
}

impl Code {
    /// All of them, as the reference lists them.
    pub const ALL: [Self; 18] = [
        Self::Period,
        Self::Jitter,
        Self::Deadline,
        Self::Priority,
        Self::Core,
        Self::Scheduling,
        Self::Wait,
        Self::Waiting,
        Self::Resource,
        Self::Work,
        Self::Loop,
        Self::Path,
        Self::Size,
        Self::CopyRate,
        Self::Clock,
        Self::Gpu,
        Self::Sharing,
        Self::Other,
    ];

    /// What documents call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Period => "period",
            Self::Jitter => "jitter",
            Self::Deadline => "deadline",
            Self::Priority => "priority",
            Self::Core => "core",
            Self::Scheduling => "scheduling",
            Self::Wait => "wait",
            Self::Waiting => "waiting",
            Self::Resource => "resource",
            Self::Work => "work",
            Self::Loop => "loop",
            Self::Path => "path",
            Self::Size => "size",
            Self::CopyRate => "copy-rate",
            Self::Clock => "clock",
            Self::Gpu => "gpu",
            Self::Sharing => "sharing",
            Self::Other => "other",
        }
    }
}

/// Which sides hold whatever is true in place of what was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Safe {
    /// None: every number it touches rests on it.
    #[default]
    Neither,
    /// It is no better than what is true, so upper sides hold.
    Upper,
    /// It is no worse than what is true, so lower sides hold.
    Lower,
}

/// A number of a chain that an assumption stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Touched {
    /// All of them.
    Everything,
    /// All of a task.
    Task(usize),
    /// When a task is activated: its period, jitter.
    Activation(usize),
    /// The deadline of a task.
    Deadline(usize),
    /// The priority of a task.
    Priority(usize),
    /// Whether a task may be interrupted.
    Preemptive(usize),
    /// What its core does while a task waits.
    Wait(usize),
    /// Which core a task is on.
    Allocation(usize),
    /// A segment of a task.
    Segment(usize, usize),
    /// All of a kernel.
    Kernel(usize),
    /// How a core schedules.
    Core(usize),
    /// The clock of a core.
    CoreClock(usize),
    /// How fast copies are, and on how many engines.
    Copies,
    /// The GPU: what kernels take on it.
    Gpu,
}

impl Touched {
    /// What a place in the document stands for: `chain.tasks[3].period`.
    pub fn at(path: &str) -> Self {
        let Some(rest) = path.trim().strip_prefix("chain.") else { return Self::Everything };
        let (first, rest) = rest.split_once('.').unwrap_or((rest, ""));
        let (name, index) = match first.split_once('[') {
            None => (first, None),
            Some((name, index)) => {
                let index = index.strip_suffix(']').and_then(|index| index.parse::<usize>().ok());
                let Some(index) = index else { return Self::Everything };
                (name, Some(index))
            }
        };
        match (name, index) {
            ("tasks", Some(task)) => of_task(task, rest),
            ("kernels", Some(kernel)) => Self::Kernel(kernel),
            ("cores", Some(core)) if rest == "clock" => Self::CoreClock(core),
            ("cores", Some(core)) => Self::Core(core),
            ("device", None) if rest.starts_with("copy_") => Self::Copies,
            ("machine" | "clock" | "memory" | "sharing" | "order", None) => Self::Gpu,
            _ => Self::Everything,
        }
    }
}

fn of_task(task: usize, rest: &str) -> Touched {
    match rest {
        "period" | "activation" | "jitter" => Touched::Activation(task),
        "deadline" => Touched::Deadline(task),
        "priority" => Touched::Priority(task),
        "preemptive" => Touched::Preemptive(task),
        "wait" => Touched::Wait(task),
        "core" => Touched::Allocation(task),
        _ => {
            let index = rest.strip_prefix("segments[").and_then(|rest| rest.split_once(']'));
            match index.and_then(|(index, _)| index.parse().ok()) {
                Some(segment) => Touched::Segment(task, segment),
                None => Touched::Task(task),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_touch_no_less_than_they_say() {
        let known = [
            ("chain.tasks[3].period", Touched::Activation(3)),
            ("chain.tasks[3].activation", Touched::Activation(3)),
            ("chain.tasks[0].segments[2].bytes", Touched::Segment(0, 2)),
            ("chain.tasks[0].segments[2]", Touched::Segment(0, 2)),
            ("chain.tasks[0].segments", Touched::Task(0)),
            ("chain.tasks[0].segments[x]", Touched::Task(0)),
            ("chain.tasks[0]", Touched::Task(0)),
            ("chain.tasks[0].name", Touched::Task(0)),
            ("chain.kernels[1].blocks", Touched::Kernel(1)),
            ("chain.cores[1].clock", Touched::CoreClock(1)),
            ("chain.cores[1].scheduler", Touched::Core(1)),
            ("chain.device.copy_rate", Touched::Copies),
            ("chain.machine", Touched::Gpu),
        ];
        for (path, touched) in known {
            assert_eq!(Touched::at(path), touched, "{path}");
        }
        for path in [
            "",
            "chain",
            "chain.tasks",
            "chain.tasks[x].period",
            "chain.device",
            "chain.device.sms",
            "tasks[0]",
        ] {
            assert_eq!(Touched::at(path), Touched::Everything, "{path}");
        }
    }
}
