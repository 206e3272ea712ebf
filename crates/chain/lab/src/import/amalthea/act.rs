//! What tasks and runnables do, as it was read.

use super::notes::Place;
use super::refs::Ref;
use super::ticks::Spread;

/// One thing that is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Where it begins.
    pub place: Place,
    /// Whether it is done only every so many times.
    pub is_counted: bool,
    /// What is done.
    pub act: Act,
}

/// What is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Several things, one after another.
    Group {
        /// What.
        items: Vec<Item>,
        /// Whether their order is as written.
        is_ordered: bool,
    },
    /// A processing unit works.
    Work(Work),
    /// A label is read or written.
    Access {
        /// Which one.
        label: Option<Ref>,
        /// How.
        way: Way,
        /// How often.
        times: u64,
        /// Whether instructions are executed for each part of it.
        has_instructions: bool,
    },
    /// A runnable runs.
    Call {
        /// Which one.
        runnable: Option<Ref>,
        /// Who runs it.
        by: By,
    },
    /// Tasks that wait for a stimulus are activated.
    Trigger(Option<Ref>),
    /// One of several branches is taken.
    Switch(Vec<Branch>),
    /// A loop.
    Loop {
        /// Its body.
        items: Vec<Item>,
        /// How often it turns.
        turns: Turns,
    },
    /// The task waits for events.
    Wait {
        /// Which.
        events: Vec<Ref>,
        /// Whether one of them is enough.
        is_any: bool,
        /// What its core does meanwhile.
        waiting: Waiting,
    },
    /// Events are set.
    Set {
        /// Which.
        events: Vec<Ref>,
        /// For whom; for all where nobody is named.
        task: Option<Ref>,
    },
    /// Events are cleared.
    Clear(Vec<Ref>),
    /// A semaphore is asked for or given back.
    Semaphore(Option<Ref>),
    /// The task ends.
    End,
    /// The task goes to another core.
    Migrate,
    /// A task that is not preempted lets others go first.
    Yield,
    /// Something that carries neither work nor waiting.
    Nothing,
    /// Something of a type that is not modelled, with what is in it.
    Unknown {
        /// The type, or the element's name where it has none.
        kind: String,
        /// What is in it, in the order of the text.
        items: Vec<Item>,
    },
}

/// A branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// What is done there.
    pub items: Vec<Item>,
    /// Whether it can be taken whatever else is: then it is up to chance.
    pub is_possible: bool,
}

/// How often a loop turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turns {
    /// At most so often.
    AtMost(u64),
    /// So often, where nothing says whether that is the most.
    About(u64),
    /// Nothing says how often.
    Unsaid,
}

/// Who runs what is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The caller.
    Caller,
    /// A server, which the caller waits for.
    Server,
    /// A server, while the caller goes on.
    Beside,
}

/// What a core does while its task waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Waiting {
    /// It waits, too.
    Active,
    /// It does something else.
    Passive,
    /// Nothing says what.
    Unsaid,
}

/// How a label is accessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// It is read.
    Read,
    /// It is written.
    Write,
    /// Nothing says how.
    Unsaid,
}

/// Work of a processing unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    /// What is counted.
    pub measure: Measure,
    /// On any unit that has no entry of its own.
    pub default: Option<Spread>,
    /// On units of a definition.
    pub extended: Vec<(Ref, Spread)>,
}

/// What work is counted in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Measure {
    /// Ticks of the unit's clock.
    Ticks,
    /// Instructions of a category, which may be empty: how many of them a tick does is a feature of the unit.
    Instructions(String),
}
