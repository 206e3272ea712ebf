//! A model as it was read: plain data, whole numbers, references as they are written.

pub use super::act::{Act, Branch, By, Item, Measure, Turns, Waiting, Way, Work};
use super::notes::{Note, PassedOver, Place};
use super::quantities::Decimal;
use super::refs::{Ref, Table};
use super::ticks::Spread;

/// All that was read of a model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Model {
    /// The version that the model's namespace says, such as `0.9.7`; empty without one.
    pub version: String,
    /// The names of its files, where it has several.
    pub files: Vec<String>,
    /// Tasks and interrupt routines.
    pub tasks: Table<Task>,
    /// What tasks call.
    pub runnables: Table<Runnable>,
    /// What runnables read and write: labels, mode labels and channels.
    pub labels: Table<Label>,
    /// What activates tasks.
    pub stimuli: Table<Stimulus>,
    /// Kinds of processing units.
    pub definitions: Table<Definition>,
    /// Processing units: cores, GPUs, accelerators.
    pub units: Table<Unit>,
    /// Memories.
    pub memories: Table<Memory>,
    /// Kinds of memories.
    pub memory_types: Table<Memory>,
    /// Features of processing units: how many instructions a tick does, by category and name.
    pub features: Table<Feature>,
    /// What clocks units: frequency domains and quartzes.
    pub clocks: Table<Clock>,
    /// Schedulers and interrupt controllers.
    pub schedulers: Table<Scheduler>,
    /// Which scheduler a task has.
    pub allocations: Vec<Allocation>,
    /// Which memory a label is in.
    pub placements: Vec<Placement>,
    /// Response times that are required.
    pub deadlines: Vec<Deadline>,
    /// Semaphores.
    pub semaphores: Table<Semaphore>,
    /// What was read in one of several ways, or holds that no step models: the whole result rests on it.
    pub doubts: Vec<Note>,
    /// How many more of these there were.
    pub more_doubts: usize,
    /// What takes time in no task: overheads of the operating system, protection of data.
    pub overheads: Vec<Overhead>,
    /// Elements that were not read.
    pub passed_over: Vec<PassedOver>,
    /// Remarks on what was read.
    pub notes: Vec<Note>,
    /// How many more remarks there were.
    pub more_notes: usize,
}

/// A task or an interrupt routine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub place: Place,
    /// Whether it is an interrupt routine.
    pub is_interrupt: bool,
    /// What activates it.
    pub stimuli: Vec<Ref>,
    /// Its priority, where the task itself has one.
    pub priority: Option<i64>,
    /// Whether it may be preempted, as written; empty where it is not said.
    pub preemption: String,
    /// The response time that it requires itself, in picoseconds.
    pub within: Option<u64>,
    /// Its group of tasks that do not preempt each other; 0 for none.
    pub group: u64,
    /// How many of its jobs may be there at once, before activations are lost; 0 where that is not said.
    pub jobs: u64,
    /// What it does.
    pub items: Vec<Item>,
    /// What tools keep with it: keys and values.
    pub custom: Vec<(String, String)>,
}

/// What tasks call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runnable {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub place: Place,
    /// What it does.
    pub items: Vec<Item>,
    /// What tools keep with it: keys and values.
    pub custom: Vec<(String, String)>,
}

/// Data in a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub place: Place,
    /// Its size in bits.
    pub bits: Option<u64>,
}

/// What activates tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stimulus {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub place: Place,
    /// When it comes.
    pub arrival: Arrival,
    /// What may hold it back, or change its pace.
    pub conditions: Vec<Condition>,
}

/// What else decides when a stimulus comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// Only every so many times, or only under a condition: it comes no more often than without.
    Fewer(String),
    /// Its time base is not the real one.
    Clock,
}

/// When a stimulus comes; times in picoseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arrival {
    /// Again and again.
    Periodic {
        /// How long after each other.
        period: Option<u64>,
        /// When first.
        offset: u64,
        /// How late at most, with how early; nothing where there is no bound.
        jitter: Option<u64>,
    },
    /// Once.
    Single {
        /// When.
        at: u64,
    },
    /// Never sooner than a time after the one before.
    Sporadic {
        /// That time.
        gap: Option<u64>,
    },
    /// Several times within each period.
    Burst {
        /// The period.
        period: Option<u64>,
        /// How often in it.
        count: u64,
        /// How long after each other at least.
        gap: Option<u64>,
    },
    /// When another task says so.
    Triggered,
    /// In a way that is not read, by its type.
    Other(String),
}

/// What a processing unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnitKind {
    /// A core.
    Cpu,
    /// A graphics processor.
    Gpu,
    /// Another accelerator.
    Accelerator,
}

/// A kind of processing unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub place: Place,
    /// What it is, where the model says so.
    pub kind: Option<UnitKind>,
    /// Instructions in a tick, where the definition itself says so.
    pub per_tick: Option<Decimal>,
    /// Features, which may say so too.
    pub features: Vec<Ref>,
}

/// How many instructions of a category a tick does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feature {
    /// Its name.
    pub name: String,
    /// The category.
    pub category: String,
    /// How many.
    pub value: Option<Decimal>,
}

/// What clocks units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clock {
    /// Its name.
    pub name: String,
    /// Its frequency in hertz.
    pub hertz: Option<u64>,
    /// Whether that was rounded, or is one of several.
    pub is_sure: bool,
}

/// A processing unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub place: Place,
    /// What kind of unit it is.
    pub definition: Option<Ref>,
    /// What clocks it.
    pub clock: Option<Ref>,
    /// What part of that frequency it has.
    pub ratio: Option<Decimal>,
    /// The structures it is in, outermost first.
    pub within: Vec<String>,
    /// The memories it reaches.
    pub reaches: Vec<Access>,
}

/// How a unit reaches a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// The memory.
    pub memory: Option<Ref>,
    /// Ticks to read.
    pub read: Option<Spread>,
    /// Ticks to write.
    pub write: Option<Spread>,
    /// Bits per second.
    pub rate: Option<u64>,
    /// Elements on the way.
    pub path: Vec<Ref>,
}

/// A memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub place: Place,
    /// Its size in bits.
    pub bits: Option<u64>,
    /// The structures it is in, outermost first.
    pub within: Vec<String>,
    /// Its kind, which may say the size.
    pub definition: Option<Ref>,
}

/// What gives units to tasks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scheduler {
    /// Its name.
    pub name: String,
    /// How it does so, by its type.
    pub algorithm: String,
    /// The units it gives.
    pub units: Vec<Ref>,
    /// Whether another scheduler decides before it.
    pub has_parent: bool,
}

/// What limits how many tasks are somewhere at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Semaphore {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub place: Place,
    /// Whether somebody may hold it at the beginning.
    pub is_taken: bool,
}

/// What takes time in no task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overhead {
    /// Where it begins.
    pub place: Place,
    /// What it is.
    pub what: String,
    /// Why it is no part of the chain.
    pub why: String,
    /// Whether it only takes time; else it may hold tasks up.
    pub is_time: bool,
}

/// Which scheduler a task has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allocation {
    /// Where it begins.
    pub place: Place,
    /// The task.
    pub task: Option<Ref>,
    /// Its scheduler.
    pub scheduler: Option<Ref>,
    /// The units it may run on; all of the scheduler where there are none.
    pub affinity: Vec<Ref>,
    /// Its priority.
    pub priority: Option<i64>,
}

/// Which memory a label is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    /// The label.
    pub label: Ref,
    /// The memory.
    pub memory: Ref,
}

/// A response time that is required.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deadline {
    /// Where it begins.
    pub place: Place,
    /// Whose.
    pub task: Ref,
    /// How long, in picoseconds.
    pub within: u64,
}
