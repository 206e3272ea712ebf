//! Density: cells of a grid in the colour of what covers them most, in four strengths by how much they are covered.

use crate::timeline::blocks::{CLASSES, Level, Piece, ROWS};
use kit::draw::scale::Scale;
use kit::timeline::Class;

/// A row of the grid is at least so many pixels high.
const ROW: f64 = 7.0;

/// How much of a cell each class covers, as a share.
type Cell = [f32; CLASSES];

/// How a cell looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shade {
    /// What covers most of it.
    pub class: Class,
    /// In quarters, how much is covered: 1 to 4.
    pub level: u8,
}

/// Cells of one look that stand together: rows and columns, each from the first to before the last.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Patch {
    rows: (usize, usize),
    columns: (usize, usize),
    pub shade: Shade,
}

/// The cells of a band in a window.
pub(super) struct Grid {
    /// Columns are 2^log nanoseconds wide and stand still on the axis.
    log: u8,
    /// The number of the first column, counted from time 0.
    first: u64,
    rows: usize,
    /// Column by column, each from the bottom up.
    cells: Vec<Cell>,
}

impl Grid {
    /// A band's cells with what a level holds, for columns of 2^log nanoseconds.
    pub fn new(level: Option<&Level>, log: u8, scale: &Scale, height: f64) -> Self {
        let width = 2f64.powi(log.into());
        let [first, last] = [scale.from, scale.to].map(|t| (t.max(0.0) / width) as u64);
        let rows = rows(height);
        let columns = (last.saturating_sub(first) as usize).min(100_000) + 1;
        let mut grid = Self { log, first, rows, cells: vec![[0.0; CLASSES]; columns * rows] };
        if let Some(level) = level {
            level.columns(log, scale.from, scale.to, |at, column| {
                let Some(at) = at.checked_sub(first).map(|at| at as usize).filter(|&at| at < columns) else {
                    return;
                };
                for (row, parts) in column.chunks(ROWS / rows).enumerate() {
                    for class in 0..CLASSES {
                        let sum: f32 = parts.iter().map(|part| part[class]).sum();
                        grid.cells[at * rows + row][class] = sum / parts.len() as f32;
                    }
                }
            });
        }
        grid
    }

    fn columns(&self) -> usize {
        self.cells.len() / self.rows
    }

    /// Adds a piece of a band that is `top` high.
    pub fn add(&mut self, piece: &Piece, class: Class, top: u32) {
        let width = 2f64.powi(self.log.into());
        let part = |from: f64, to: f64, cell: usize| {
            (to.min(cell as f64 + 1.0) - from.max(cell as f64)).max(0.0) as f32
        };
        let [from, to] = [piece.start, piece.end].map(|t| t / width - self.first as f64);
        let [low, high] =
            [piece.low, piece.high].map(|edge| f64::from(edge) * self.rows as f64 / f64::from(top.max(1)));
        let class = usize::from(class) % CLASSES;
        for column in from.max(0.0) as usize..(to.max(0.0).ceil() as usize).min(self.columns()) {
            for row in low as usize..(high.ceil() as usize).min(self.rows) {
                self.cells[column * self.rows + row][class] += part(from, to, column) * part(low, high, row);
            }
        }
    }

    /// Whether it can be made coarser.
    pub fn is_wide(&self) -> bool {
        self.columns() > 1
    }

    /// Makes columns twice as wide, and rows twice as high where columns are wider than high rows.
    pub fn coarsen(&mut self) {
        let mut cells = vec![[0.0; CLASSES]; (self.columns() / 2 + 1) * self.rows];
        for (i, cell) in self.cells.iter().enumerate() {
            let column = (i / self.rows) as u64 + self.first % 2;
            let place = (column / 2) as usize * self.rows + i % self.rows;
            for (sum, share) in cells[place].iter_mut().zip(cell) {
                *sum += share / 2.0;
            }
        }
        (self.cells, self.first, self.log) = (cells, self.first / 2, self.log + 1);
        // An odd number of columns leaves the last one empty.
        let is_empty = |column: &[Cell]| column.iter().flatten().all(|&share| share == 0.0);
        while self.columns() > 1 && is_empty(&self.cells[self.cells.len() - self.rows..]) {
            self.cells.truncate(self.cells.len() - self.rows);
        }
    }

    /// What is drawn: as few rectangles as stand together by looks, going from left to right.
    pub fn patches(&self) -> Vec<Patch> {
        let mut open: Vec<Patch> = Vec::new();
        let mut done: Vec<Patch> = Vec::new();
        for (at, column) in self.cells.chunks(self.rows).enumerate() {
            let mut next: Vec<Patch> = Vec::new();
            for (rows, shade) in stripes(column) {
                let goes_on = |patch: &Patch| (patch.rows, patch.shade) == (rows, shade);
                let from = open.iter().position(goes_on).map(|found| open.swap_remove(found).columns.0);
                next.push(Patch { rows, columns: (from.unwrap_or(at), at + 1), shade });
            }
            done.append(&mut open);
            open = next;
        }
        done.append(&mut open);
        done
    }

    /// From when to when a patch reaches, and from which to which share of the band's height.
    pub fn place(&self, patch: &Patch) -> ((f64, f64), (f64, f64)) {
        let time = |column: usize| (self.first + column as u64) as f64 * 2f64.powi(self.log.into());
        let share = |row: usize| row as f64 / self.rows as f64;
        ((time(patch.columns.0), time(patch.columns.1)), (share(patch.rows.0), share(patch.rows.1)))
    }
}

/// How many rows a band of this height has: a power of two.
fn rows(height: f64) -> usize {
    let most = (height / ROW).floor() as usize;
    [8, 4, 2].into_iter().find(|&rows| rows <= most.min(ROWS)).unwrap_or(1)
}

/// A column's cells from the bottom up, those of one look together.
fn stripes(column: &[Cell]) -> Vec<((usize, usize), Shade)> {
    let mut out: Vec<((usize, usize), Shade)> = Vec::new();
    for (row, cell) in column.iter().enumerate() {
        let Some(found) = shade(cell) else { continue };
        match out.last_mut() {
            Some(((_, high), last)) if *high == row && *last == found => *high = row + 1,
            _ => out.push(((row, row + 1), found)),
        }
    }
    out
}

/// What covers most of a cell, and how much of it is covered at all.
fn shade(cell: &Cell) -> Option<Shade> {
    let whole = cell.iter().sum::<f32>();
    let (class, _) = (0u8..).zip(cell).max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)))?;
    // A hair of a cell more or less makes no other quarter.
    (whole > 0.0).then(|| Shade { class, level: (whole * 4.0 - 0.02).ceil().clamp(1.0, 4.0) as u8 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(start: f64, end: f64, low: u32, high: u32) -> Piece {
        Piece { start, end, low, high, run: 0, item: 0 }
    }

    fn grid(from: f64, to: f64, height: f64) -> Grid {
        Grid::new(None, 3, &Scale { from, to, left: 0.0, right: 100.0 }, height)
    }

    /// Times, rows in eighths of the height, class and level of each patch.
    fn shown(grid: &Grid) -> String {
        let shown = |patch: &Patch| {
            let ((from, to), (low, high)) = grid.place(patch);
            let Shade { class, level } = patch.shade;
            format!("{from}-{to} {}-{}: {class} {level}", low * 8.0, high * 8.0)
        };
        let mut all: Vec<String> = grid.patches().iter().map(shown).collect();
        all.sort();
        all.join(", ")
    }

    #[test]
    fn a_cell_is_coloured_by_what_covers_it_most() {
        let mut grid = grid(16.0, 60.0, 60.0);
        grid.add(&piece(0.0, 48.0, 0, 512), 2, 1_024); // from before the window
        grid.add(&piece(56.0, 60.0, 512, 1_024), 3, 1_024);
        grid.add(&piece(60.0, 61.0, 512, 1_024), 1, 1_024);
        assert_eq!(shown(&grid), "16-48 0-4: 2 4, 56-64 4-8: 3 3");
        grid.coarsen();
        assert_eq!(shown(&grid), "16-48 0-4: 2 4, 48-64 4-8: 3 2");
    }

    #[test]
    fn the_coarsest_grid_is_one_column() {
        let mut grid = grid(8.0, 1e4, 20.0);
        grid.add(&piece(100.0, 200.0, 0, 10), 0, 10);
        let mut steps = 0;
        while grid.is_wide() {
            grid.coarsen();
            steps += 1;
        }
        assert!(steps < 16 && grid.patches().len() == 1);
    }

    #[test]
    fn low_bands_have_few_rows() {
        assert_eq!([4.0, 13.0, 20.0, 40.0, 72.0, 500.0].map(rows), [1, 1, 2, 4, 8, 8]);
    }
}
