//! Algorithm 1 in its published form (N, section II-B): the table of the shortest interval for every exact demand.
//!
//! Row by row, one cell for every demand from 1 to n·E. It is the reference for [`super::pareto`] and for the row
//! kernels of a GPU, not what answers are computed with.

use super::Joined;

/// What stands in a cell that no sequence reaches.
pub const NEVER: u32 = u32::MAX;
/// The most cells of a table: 512 MiB of them. The published experiment ends with one of 95 million.
pub const MOST_CELLS: u64 = 1 << 27;
/// Cells that are filled at once, where a table is filled little by little.
const AT_ONCE: usize = 1 << 21;

/// The filled table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Columns of a row; column 0 is there but never filled.
    width: usize,
    /// The rows one after the other: t^i of the paper, for sequences that end with vertex i.
    ending: Vec<u32>,
    /// Over all rows: t of the paper's last row.
    shortest: Vec<u32>,
}

/// Why a table is not filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TooLarge {
    /// It would have so many cells.
    Cells(u64),
    /// Its intervals need more than 32 bits.
    Intervals,
}

impl Table {
    /// Fills the table up to a demand; [`Joined::columns`] is the published one.
    pub fn fill(joined: &Joined, columns: u64) -> Result<Self, TooLarge> {
        let mut table = Self::begin(joined, columns)?;
        while table.fill_more(joined) {}
        Ok(table)
    }

    /// A table of which no row is filled yet. Its memory is asked for at once: growing it would take up to three times
    /// as much on the way.
    pub fn begin(joined: &Joined, columns: u64) -> Result<Self, TooLarge> {
        let cells = (columns + 1).saturating_mul(joined.rows() as u64);
        if cells > MOST_CELLS {
            return Err(TooLarge::Cells(cells));
        }
        if longest(joined) >= u64::from(NEVER) {
            return Err(TooLarge::Intervals);
        }
        let width = columns as usize + 1;
        let mut ending = Vec::new();
        ending.try_reserve_exact(cells as usize).map_err(|_| TooLarge::Cells(cells))?;
        Ok(Self { width, ending, shortest: vec![NEVER; width] })
    }

    /// Fills some more rows; whether there are others.
    pub fn fill_more(&mut self, joined: &Joined) -> bool {
        let mut left = AT_ONCE;
        while self.ending.len() < self.width * joined.rows() {
            let row = self.ending.len() / self.width;
            self.ending.resize(self.ending.len() + self.width, NEVER);
            self.fill_row(joined, row);
            if left <= self.width {
                break;
            }
            left -= self.width;
        }
        self.ending.len() < self.width * joined.rows()
    }

    /// Lines 7 to 9 of the algorithm for one vertex.
    fn fill_row(&mut self, joined: &Joined, row: usize) {
        let (before, own) = self.ending.split_at_mut(row * self.width);
        let own = &mut own[..self.width];
        let (e, d) = (joined.e[row] as usize, joined.d[row] as u32);
        for &(from, p) in &joined.into[row] {
            let source = &before[from * self.width..][..self.width];
            // What is added to an interval that ends with `from`: its deadline goes, p and the own deadline come.
            let added = (p as u32).wrapping_sub(joined.d[from] as u32).wrapping_add(d);
            if e < self.width {
                for (cell, &known) in own[e..].iter_mut().zip(&source[..self.width - e]) {
                    let longer = if known == NEVER { NEVER } else { known.wrapping_add(added) };
                    *cell = (*cell).min(longer);
                }
            }
        }
        if (1..self.width).contains(&e) {
            own[e] = d; // line 8: what begins here ends here, and nothing shorter does
        }
        for (cell, &known) in self.shortest.iter_mut().zip(own.iter()) {
            *cell = (*cell).min(known);
        }
    }

    /// The shortest interval in which sequences that end with this row's vertex need exactly this much.
    pub fn ending(&self, row: usize, demand: u64) -> Option<u64> {
        let cell = self.ending[row * self.width..][..self.width].get(usize::try_from(demand).ok()?)?;
        (*cell != NEVER).then_some(u64::from(*cell))
    }

    /// All cells of a row, by demand.
    pub fn row(&self, row: usize) -> &[u32] {
        &self.ending[row * self.width..][..self.width]
    }

    /// Whether it is so large that it is filled in parts.
    pub fn is_parted(&self) -> bool {
        self.ending.len() > AT_ONCE
    }

    /// The shortest interval over all rows, by demand.
    pub fn shortest(&self) -> &[u32] {
        &self.shortest
    }

    /// How many cells it has.
    pub fn cells(&self) -> usize {
        self.ending.len()
    }

    /// Line 12: the largest demand within an interval of this length.
    pub fn demand_within(&self, t: u64) -> u64 {
        let fits = |cell: &u32| *cell != NEVER && u64::from(*cell) <= t;
        self.shortest.iter().rposition(fits).unwrap_or(0) as u64
    }
}

/// The cells of a row that no cell of as much or more demand is as short as: interval and demand, by interval.
pub fn undominated(row: &[u32]) -> Vec<(u64, u64)> {
    let mut shortest = NEVER;
    let mut found = Vec::new();
    for (demand, &cell) in row.iter().enumerate().rev() {
        if cell < shortest {
            shortest = cell;
            found.push((u64::from(cell), demand as u64));
        }
    }
    found.reverse();
    found
}

/// At least as long as the longest interval of the table.
pub(super) fn longest(joined: &Joined) -> u64 {
    let mut best: Vec<u64> = Vec::with_capacity(joined.rows());
    for into in &joined.into {
        best.push(into.iter().map(|&(from, p)| best[from] + p).max().unwrap_or(0));
    }
    best.into_iter().max().unwrap_or(0) + joined.d.iter().max().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small::{diamond, splice};

    #[test]
    fn small_values_of_the_known_example() {
        let joined = Joined::of(&splice());
        let table = Table::fill(&joined, joined.columns());
        let values = table.map(|table| [0, 1, 2, 3, 8, 13, 20].map(|t| table.demand_within(t)));
        assert_eq!(values, Ok([0, 3, 3, 5, 10, 15, 21]));
    }

    #[test]
    fn a_narrower_table_holds_the_same() {
        let joined = Joined::of(&diamond());
        let (full, narrow) = (Table::fill(&joined, joined.columns()), Table::fill(&joined, joined.reach()));
        let (Ok(full), Ok(narrow)) = (full, narrow) else { unreachable!("small tables") };
        for row in 0..joined.rows() {
            assert_eq!(full.row(row)[..narrow.row(row).len()], *narrow.row(row));
            assert!(full.row(row)[narrow.row(row).len()..].iter().all(|&cell| cell == NEVER));
        }
    }

    #[test]
    fn a_table_too_large_says_how_large() {
        let mut joined = Joined::of(&diamond());
        joined.e[1] = 1 << 40;
        assert_eq!(Table::fill(&joined, joined.columns()), Err(TooLarge::Cells(8 * ((8 << 40) + 1))));
    }
}
