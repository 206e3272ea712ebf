//! A run of blocks as the page shows it: the report a worker told, and the pictures made of it.

pub mod analysis;
mod beside;
mod by_kernel;
pub mod check;
mod chosen;
mod clock;
pub mod compared;
pub mod form;
pub mod guess;
mod lines;
mod moment;
mod neighbour;
mod played;
mod release;
mod runs;
#[cfg(test)]
mod sample;
pub mod seek;
pub mod summary;
mod totals;
mod view;
mod words;

pub use by_kernel::{ByKernel, KernelSums};
pub use chosen::Chosen;
pub use clock::Clock;
pub use lines::{Lines, MOST_LINES, Sort};
pub use moment::{Entry, Meter, Moment, Queue, Sm};
pub use neighbour::Direction;
pub use played::{MarkKind, Played};
pub use release::Release;
pub use runs::{HEIGHT, OneRun, Runs, Which};
pub use totals::{Sums, Totals};
pub use view::{View, measure_asked};
pub use words::going;

use crate::report::blocks::{BlocksReport, Pictured, picture};

/// A result on the screen.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// What the worker told.
    pub report: BlocksReport,
    /// What was simulated.
    pub simulated: Option<Pictured>,
    /// What was measured.
    pub measured: Option<Pictured>,
}

impl Seen {
    /// A result out of a report's line; none where it is no such report.
    pub fn new(line: &str) -> Option<Self> {
        let report: BlocksReport = serde_json::from_str(line).ok()?;
        let (simulated, measured) = picture(&report);
        Some(Self { report, simulated, measured })
    }

    /// One of its runs, where it was made.
    pub fn run(&self, which: Which) -> Option<&Pictured> {
        match which {
            Which::Simulated => self.simulated.as_ref(),
            Which::Measured => self.measured.as_ref(),
            Which::Pinned => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Seen;
    use kit::scenario::builtin::BUILTINS;

    /// The result of a document.
    pub fn seen(text: &str) -> Seen {
        let Ok(scenario) = crate::LINKED.read(text) else { unreachable!("{text}") };
        match Seen::new(&crate::LINKED.run(&scenario).line()) {
            Some(seen) => seen,
            None => unreachable!("a report of blocks"),
        }
    }

    /// The result of a built-in example.
    pub fn example(name: &str) -> Seen {
        let found = BUILTINS.iter().find(|example| example.name == name);
        seen(found.map_or("", |example| example.text))
    }
}
