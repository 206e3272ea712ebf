//! The table of [`super::dense`] in tiles of columns, for tables that are not to be held as a whole.
//!
//! A cell needs earlier rows only as far back as the largest requirement. A tile therefore carries so many columns of
//! the tile before it, its halo, and is at least as wide itself.

use super::Joined;
use super::dense::{NEVER, TooLarge, longest};

/// The table, one tile after the other and row by row.
pub struct Tiles<'a> {
    joined: &'a Joined,
    /// Columns of the whole table, with column 0.
    width: usize,
    halo: usize,
    /// Columns of a tile; the last one may have fewer.
    tile: usize,
    /// The first column of this tile.
    start: usize,
    /// Rows of this tile that are filled.
    filled: usize,
    /// The rows one after the other: halo, then tile.
    cells: Vec<u32>,
}

impl<'a> Tiles<'a> {
    /// The tiles of a table up to a demand; they have at least so many columns as asked. Its first tile is begun.
    pub fn new(joined: &'a Joined, columns: u64, tile: usize) -> Result<Self, TooLarge> {
        let halo = halo(joined);
        let (Ok(width), Ok(halo)) = (usize::try_from(columns + 1), usize::try_from(halo)) else {
            return Err(TooLarge::Cells((columns + 1).saturating_mul(joined.rows() as u64)));
        };
        if longest(joined) >= u64::from(NEVER) {
            return Err(TooLarge::Intervals);
        }
        let tile = tile.max(halo).clamp(1, width);
        let cells = vec![NEVER; joined.rows() * (halo + tile)];
        Ok(Self { joined, width, halo, tile, start: 0, filled: 0, cells })
    }

    /// The columns of this tile.
    pub fn columns(&self) -> std::ops::Range<usize> {
        self.start..(self.start + self.tile).min(self.width)
    }

    /// Fills the next row of this tile; false where none is left.
    pub fn fill_row(&mut self) -> bool {
        let row = self.filled;
        if row == self.joined.rows() {
            return false;
        }
        self.filled += 1;
        let stride = self.halo + self.tile;
        let columns = self.columns();
        let (before, own) = self.cells.split_at_mut(row * stride);
        let own = &mut own[self.halo..][..columns.len()];
        own.fill(NEVER);
        let (e, d) = (self.joined.e[row] as usize, self.joined.d[row] as u32);
        for &(from, p) in &self.joined.into[row] {
            let source = &before[from * stride + self.halo - e..][..columns.len()];
            let added = (p as u32).wrapping_sub(self.joined.d[from] as u32).wrapping_add(d);
            for (cell, &known) in own.iter_mut().zip(source) {
                let longer = if known == NEVER { NEVER } else { known.wrapping_add(added) };
                *cell = (*cell).min(longer);
            }
        }
        if e > 0 && columns.contains(&e) {
            own[e - columns.start] = d;
        }
        true
    }

    /// Goes on to the next tile; false where this is the last one.
    pub fn advance(&mut self) -> bool {
        if self.start + self.tile >= self.width {
            return false;
        }
        while self.fill_row() {}
        for row in self.cells.chunks_exact_mut(self.halo + self.tile) {
            row.copy_within(self.tile.., 0);
        }
        self.start += self.tile;
        self.filled = 0;
        true
    }

    /// A filled row of this tile.
    pub fn row(&self, row: usize) -> &[u32] {
        &self.cells[row * (self.halo + self.tile) + self.halo..][..self.columns().len()]
    }
}

/// How far back a cell needs earlier rows: the largest requirement.
pub fn halo(joined: &Joined) -> u64 {
    joined.e.iter().max().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense::Table;
    use crate::random;
    use crate::small::{diamond, splice, task};

    #[test]
    fn tiles_equal_the_whole() {
        let drawn = (1..40).map(|seed| random::task(1 + (seed % 9) as u32, 12, 3, seed));
        for task in drawn.chain([diamond(), splice(), task(9, &[(0, 5)], &[])]) {
            let joined = Joined::of(&task);
            let Ok(whole) = Table::fill(&joined, joined.columns()) else { unreachable!("a small table") };
            for tile in [0, 13, 17, 40, 100_000] {
                let Ok(mut tiles) = Tiles::new(&joined, joined.columns(), tile) else {
                    unreachable!("small")
                };
                let mut reached = 0;
                loop {
                    while tiles.fill_row() {}
                    assert_eq!(tiles.columns().start, reached);
                    reached = tiles.columns().end;
                    for row in 0..joined.rows() {
                        assert_eq!(
                            tiles.row(row),
                            &whole.row(row)[tiles.columns()],
                            "row {row}, tiles of {tile}"
                        );
                    }
                    if !tiles.advance() {
                        break;
                    }
                }
                assert_eq!(reached as u64, joined.columns() + 1);
            }
        }
    }

    #[test]
    fn intervals_beyond_32_bits_are_told() {
        let joined = Joined::of(&task(9, &[(1, 1 << 33)], &[]));
        assert_eq!(Tiles::new(&joined, joined.columns(), 8).err(), Some(TooLarge::Intervals));
    }
}
