//! How much work a study is, from a few of its cells.

use base::Control;

use crate::{CellRun, Study};

/// So many cells are tried, evenly spread.
const TRIED: u64 = 5;
/// And each for so many units at most.
const MOST: u64 = 20_000_000;

/// How much work a study is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Estimate {
    /// Cells.
    pub cells: u64,
    /// Units of work of all of them, some tens of nanoseconds each.
    pub units: u64,
    /// Whether a cell took longer than it was tried: it is at least so much.
    pub at_least: bool,
}

impl Study {
    /// Tries some of its cells: the first, the last and some between.
    pub fn estimate(&self) -> Estimate {
        let cells = self.cells();
        let last = cells.saturating_sub(1);
        let mut tried: Vec<u64> = (0..TRIED).map(|i| last * i / (TRIED - 1)).collect();
        tried.dedup();
        let (mut spent, mut at_least) = (0u64, false);
        for index in &tried {
            let Some(cell) = self.cell(*index) else { continue };
            let mut run = CellRun::start(cell);
            at_least |= run.step(&mut Control::slice(MOST)).is_none();
            spent += run.spent();
        }
        let units = u128::from(spent) * u128::from(cells) / tried.len().max(1) as u128;
        Estimate { cells, units: u64::try_from(units).unwrap_or(u64::MAX), at_least }
    }
}
