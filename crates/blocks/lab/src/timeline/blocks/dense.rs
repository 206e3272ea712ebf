//! What narrow pieces look like from afar: how much of each cell of a grid they cover, and in which colour.
//!
//! A level is a grid of columns of 2^log nanoseconds and a fixed number of rows, and it holds every piece that is
//! narrower than half a column. Only cells with something in them are kept. Going up, a level is kept only where
//! it is much smaller than the one below it, or where many pieces join: so all levels together are no more than a
//! few times as many cells as there are pieces, however they are spread over time.

use super::piece::{Piece, Pieces};
use kit::timeline::Class;

/// Nothing is looked for after this.
const LATEST: f64 = 9e18;
/// Rows of the grid.
pub const ROWS: usize = 8;
/// Colours that are told apart: as many as colour and hatch make together.
pub const CLASSES: usize = 12;

/// A cell of the grid.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cell {
    column: u64,
    row: u8,
    class: Class,
    /// How much of it is covered, in nanoseconds.
    covered: f32,
}

/// What one column of the grid holds: how much of each row is covered by each class, as a share.
pub type Column = [[f32; CLASSES]; ROWS];

/// A level.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    log: u8,
    /// Pieces of this octave and of those below it are in it.
    octave: u8,
    cells: Vec<Cell>,
}

/// All levels of a track, the finest first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dense {
    levels: Vec<Level>,
}

impl Dense {
    /// The levels of a track whose band is `top` high.
    pub(super) fn new(pieces: &Pieces, top: u32, class: impl Fn(u32) -> Class) -> Self {
        let mut dense = Self::default();
        let end = pieces.all().iter().map(|piece| piece.end).fold(1.0, f64::max);
        let mut joining: Vec<&[Piece]> = Vec::new();
        let mut by_octave = pieces.by_octave().peekable();
        for log in 1..=64u8 {
            while let Some((_, more)) = by_octave.next_if(|&(octave, _)| octave < log) {
                joining.push(more);
            }
            let is_last = by_octave.peek().is_none() && 2f64.powi(log.into()) >= end;
            let count = joining.iter().map(|pieces| pieces.len()).sum();
            if dense.is_worthwhile(log, count) || is_last {
                let more: Vec<[Vec<Cell>; 2]> =
                    joining.iter().map(|pieces| cells(pieces, log, top, &class)).collect();
                let mut streams: Vec<Stream<'_>> = Vec::new();
                streams.extend(
                    dense.levels.last().map(|level| Stream { cells: &level.cells, shift: log - level.log }),
                );
                streams.extend(more.iter().flatten().map(|cells| Stream { cells, shift: 0 }));
                let cells = joined(streams);
                dense.levels.push(Level { log, octave: log - 1, cells });
                joining.clear();
            }
            if is_last {
                break;
            }
        }
        dense
    }

    /// Whether a level is worth its place.
    fn is_worthwhile(&self, log: u8, joining: usize) -> bool {
        let Some(below) = self.levels.last() else { return joining > 0 };
        if joining > 0 && joining * 4 >= below.cells.len() {
            return true;
        }
        let shift = log - below.log;
        let mut last = None;
        let differs = |cell: &&Cell| {
            let place = (cell.column >> shift, cell.row, cell.class);
            last.replace(place) != Some(place)
        };
        below.cells.iter().filter(differs).count() * 4 <= below.cells.len() * 3
    }

    /// The coarsest level with columns of at most 2^log nanoseconds.
    pub fn level(&self, log: u8) -> Option<&Level> {
        self.levels.iter().rev().find(|level| level.log <= log)
    }

    /// How many cells there are in all.
    pub fn cells(&self) -> usize {
        self.levels.iter().map(|level| level.cells.len()).sum()
    }
}

impl Level {
    /// Pieces of this octave and of those below it are in it; all others are not.
    pub fn octave(&self) -> u8 {
        self.octave
    }

    /// Tells the columns of 2^log nanoseconds that touch a window and hold anything, ascending.
    pub fn columns(&self, log: u8, t0: f64, t1: f64, mut tell: impl FnMut(u64, &Column)) {
        let shift = log.max(self.log) - self.log;
        let own = 2f64.powi(self.log.into());
        // Whole columns of the wanted width, though only a part may be in sight.
        let first = ((t0.clamp(0.0, LATEST) / own) as u64) >> shift << shift;
        let last = (((t1.clamp(0.0, LATEST) / own) as u64 >> shift) + 1) << shift;
        let from = self.cells.partition_point(|cell| cell.column < first);
        let to = self.cells.partition_point(|cell| cell.column < last).max(from);
        let whole = 2f32.powi((self.log + shift).into());
        for cells in self.cells[from..to].chunk_by(|a, b| a.column >> shift == b.column >> shift) {
            let mut column: Column = [[0.0; CLASSES]; ROWS];
            for cell in cells {
                column[usize::from(cell.row) % ROWS][usize::from(cell.class) % CLASSES] +=
                    cell.covered / whole;
            }
            tell(cells[0].column >> shift, &column);
        }
    }
}

/// The cells that pieces cover, which ascend by start: those in the columns they start in, and those in the next
/// ones, for each piece is narrower than a column. Both ascend by column.
fn cells(pieces: &[Piece], log: u8, top: u32, class: &impl Fn(u32) -> Class) -> [Vec<Cell>; 2] {
    let mut cells = [Vec::with_capacity(pieces.len()), Vec::new()];
    let width = 2f64.powi(log.into());
    let row_height = f64::from(top.max(1)) / ROWS as f64;
    for piece in pieces {
        let class = class(piece.run) % CLASSES as u8;
        let (low, high) = (f64::from(piece.low) / row_height, f64::from(piece.high) / row_height);
        // What takes no time at all is there, too.
        let end = piece.end.max(piece.start + 1.0);
        let first = (piece.start / width) as u64;
        for (column, cells) in (first..).zip(&mut cells) {
            let from = column as f64 * width;
            let time = end.min(from + width) - piece.start.max(from);
            if time <= 0.0 {
                continue;
            }
            for row in low as usize..(high.ceil() as usize).min(ROWS) {
                let share = high.min(row as f64 + 1.0) - low.max(row as f64);
                let covered = (time * share) as f32;
                cells.push(Cell { column, row: row as u8, class, covered });
            }
        }
    }
    cells
}

/// Cells that ascend by column, as numbered once columns are 2^shift times as wide.
struct Stream<'a> {
    cells: &'a [Cell],
    shift: u8,
}

/// All cells of some streams, those that are the same added up.
fn joined(mut streams: Vec<Stream<'_>>) -> Vec<Cell> {
    let mut out: Vec<Cell> = Vec::new();
    let next = |stream: &Stream<'_>| stream.cells.first().map(|cell| cell.column >> stream.shift);
    while let Some(column) = streams.iter().filter_map(next).min() {
        let from = out.len();
        for stream in &mut streams {
            let is_here = |cell: &&Cell| cell.column >> stream.shift == column;
            let count = stream.cells.iter().take_while(is_here).count();
            let (these, rest) = stream.cells.split_at(count);
            out.extend(these.iter().map(|cell| Cell { column, ..*cell }));
            stream.cells = rest;
        }
        merge(&mut out, from);
    }
    out.shrink_to_fit();
    out
}

/// Adds up cells of one column that are the same, from `from` on.
fn merge(cells: &mut Vec<Cell>, from: usize) {
    cells[from..].sort_unstable_by_key(|cell| (cell.row, cell.class));
    let mut kept = from;
    for i in from + 1..cells.len() {
        let cell = cells[i];
        if (cells[kept].row, cells[kept].class) == (cell.row, cell.class) {
            cells[kept].covered += cell.covered;
        } else {
            kept += 1;
            cells[kept] = cell;
        }
    }
    cells.truncate((kept + 1).min(cells.len()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seeded;

    /// How much is covered in all, in nanoseconds times rows.
    fn covered(level: &Level, log: u8) -> f64 {
        let mut sum = 0.0;
        level.columns(log, 0.0, 1e18, |_, column| {
            sum +=
                column.iter().flatten().map(|&share| f64::from(share)).sum::<f64>() * 2f64.powi(log.into());
        });
        sum
    }

    fn piece(start: u64, length: u64, low: u32, high: u32, run: u32) -> Piece {
        Piece { start: start as f64, end: (start + length) as f64, low, high, run, item: 0 }
    }

    #[test]
    fn every_level_covers_what_its_pieces_cover() {
        let mut rng = Seeded::new(1, 0);
        let make = |_| {
            let low = rng.below(7) * 100;
            let most = 1 << rng.below(10);
            let length = u64::from(rng.below(most));
            piece(u64::from(rng.below(50_000)), length.max(1), low, low + 100 + rng.below(100), rng.below(3))
        };
        let pieces = Pieces::new((0..3_000).map(make).collect());
        let dense = Dense::new(&pieces, 800, |run| run as Class);
        for level in &dense.levels {
            let narrow = pieces.all().iter().filter(|piece| piece.octave() <= level.octave);
            let expected: f64 =
                narrow.map(|piece| piece.length() * f64::from(piece.high - piece.low) / 100.0).sum();
            for log in [level.log, level.log + 2] {
                let found = covered(level, log);
                assert!((found - expected).abs() < expected * 1e-3, "{log}: {found} is not {expected}");
            }
        }
        let last = dense.levels.last().map_or(0, |level| level.octave);
        assert!(pieces.all().iter().all(|piece| piece.octave() <= last), "the last level holds everything");
    }

    #[test]
    fn a_column_tells_who_covers_it() {
        let pieces = Pieces::new((0..64).map(|i| piece(i * 4, 2, 0, 400, i as u32 % 2)).collect());
        let dense = Dense::new(&pieces, 800, |run| run as Class + 4);
        let Some(level) = dense.level(5) else { unreachable!("there are pieces") };
        let mut seen = 0;
        level.columns(5, 32.0, 95.0, |at, column| {
            assert!(at == 1 || at == 2);
            for (row, cell) in column.iter().enumerate() {
                let expected = if row < 4 { 0.25 } else { 0.0 };
                assert!((cell[4] - expected).abs() < 1e-6 && (cell[5] - expected).abs() < 1e-6);
            }
            seen += 1;
        });
        assert_eq!(seen, 2);
    }

    #[test]
    fn scattered_pieces_of_all_lengths_do_not_pile_up_levels() {
        let all = (0..20_000u64).map(|i| piece(i << 30, 1 << (i % 28), 0, 100, 0)).collect();
        let dense = Dense::new(&Pieces::new(all), 800, |_| 0);
        assert!(dense.cells() < 120_000, "{}", dense.cells());
        assert_eq!(Dense::new(&Pieces::default(), 800, |_| 0).cells(), 0);
    }
}
