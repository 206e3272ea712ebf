//! The UNC CUDA scheduling examiner: its configurations as workloads, its logs as measured runs.
//!
//! What the format allows is accepted: keys in any case, comments anywhere, unknown keys. Whatever is assumed, left
//! out or not understood is told in a [`Warning`]; only what cannot be run at all is a problem. Nothing here reads
//! a file or a clock.

pub mod align;
pub mod config;
mod guess;
pub mod log;
mod notes;
mod section;
mod value;

use std::collections::BTreeMap;

use base::Nanos;

pub use notes::Warning;

/// What a configuration leaves open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// How long a block takes of benchmarks whose time depends on data, by the name of the benchmark; and how long
    /// a round takes of benchmarks that use no GPU. [`DEFAULT_DURATION`] for all others.
    pub durations: BTreeMap<String, Nanos>,
    /// How the benchmarks of a task host run.
    pub nested: Nested,
    /// What freeing memory does.
    pub free: Free,
    /// Rounds of a benchmark that nothing limits.
    pub default_rounds: u64,
}

/// How long a block takes where nothing says so: 10 ms.
pub const DEFAULT_DURATION: Nanos = Nanos(10_000_000);

impl Default for Options {
    fn default() -> Self {
        Self {
            durations: BTreeMap::new(),
            nested: Nested::default(),
            free: Free::default(),
            default_rounds: 1,
        }
    }
}

/// How the benchmarks of a task host run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Nested {
    /// At the same time, each a thread or a process with a stream of its own, as the examiner runs them.
    #[default]
    SideBySide,
    /// One after another in one stream.
    InOrder,
}

/// What freeing memory does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Free {
    /// It waits until everything of the process has ended.
    #[default]
    Synchronises,
    /// It takes no time.
    Instant,
}
