//! A joined graph as the buffers that the shaders read.

use super::tiling::Tiling;
use tasks::Joined;

/// Numbers in the parameters of a row.
pub const PARAMETERS: usize = 8;

/// What the shaders read, numbers of 32 bits throughout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// For every edge where the row begins that it leaves, and what is added along it.
    pub pairs: Vec<u32>,
    /// For every row its first pair, how many there are, e and d.
    rows: Vec<[u32; 4]>,
    tiling: Tiling,
}

impl Packed {
    /// The buffers of a graph whose table is laid out as planned.
    pub fn of(joined: &Joined, tiling: Tiling) -> Self {
        let mut packed = Self { pairs: Vec::new(), rows: Vec::with_capacity(joined.rows()), tiling };
        for (row, into) in joined.into.iter().enumerate() {
            let (e, d) = (low(joined.e[row]), low(joined.d[row]));
            packed.rows.push([low(packed.pairs.len() as u64 / 2), low(into.len() as u64), e, d]);
            for &(from, p) in into {
                let added = low(p).wrapping_sub(low(joined.d[from])).wrapping_add(d);
                packed.pairs.extend([low(from as u64) * tiling.stride(), added]);
            }
        }
        packed
    }

    /// The parameters of every row for a tile that begins at a column, and at last those of its halo; each of them
    /// `apart` numbers after the one before.
    pub fn parameters(&self, start: u32, columns: u32, apart: usize) -> Vec<u32> {
        let (stride, halo) = (self.tiling.stride(), self.tiling.halo);
        let row = |(row, &[first, count, e, d]): (usize, &[u32; 4])| {
            [first, count, e, d, low(row as u64) * stride + halo, halo - e, start, columns]
        };
        let last = [stride, self.tiling.tile, halo, u32::from(start > 0), 0, 0, 0, 0];
        let all = self.rows.iter().enumerate().map(row).chain([last]);
        let mut out = vec![0; (self.rows.len() + 1) * apart];
        for (slot, parameters) in out.chunks_exact_mut(apart).zip(all) {
            slot[..PARAMETERS].copy_from_slice(&parameters);
        }
        out
    }
}

/// A number that the plan has found to fit.
fn low(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::Limits;
    use tasks::dense::{NEVER, Table};
    use tasks::random;

    /// What the shaders do with a tile, on a processor.
    fn imitate(packed: &Packed, cells: &mut [u32], start: u32, columns: u32) {
        let parameters = packed.parameters(start, columns, PARAMETERS);
        let mut each = parameters.chunks_exact(PARAMETERS);
        let Some([stride, tile, halo, before, ..]) = each.next_back() else { return };
        for at in (0..packed.rows.len()).flat_map(|row| (0..*halo as usize).map(move |i| (row, i))) {
            let at = at.0 * *stride as usize + at.1;
            cells[at] = if *before == 0 { NEVER } else { cells[at + *tile as usize] };
        }
        for row in each {
            let &[first, count, e, d, base, reach, start, columns] = row else { continue };
            for at in 0..columns {
                let pairs = &packed.pairs[2 * first as usize..][..2 * count as usize];
                let one = |pair: &[u32]| match cells[(pair[0] + reach + at) as usize] {
                    NEVER => NEVER,
                    known => known.wrapping_add(pair[1]),
                };
                let best = pairs.chunks_exact(2).map(one).min().unwrap_or(NEVER);
                cells[(base + at) as usize] = if e > 0 && start + at == e { d } else { best };
            }
        }
    }

    /// Every cell that the shaders would fill, for buffers of any size.
    #[test]
    fn the_shaders_tiles_hold_the_table() {
        let mut narrow = 0;
        for seed in 0..60 {
            let task = random::task(1 + (seed % 8) as u32, 1 + (seed % 14) as u32, 3, seed);
            let joined = Joined::of(&task);
            let Ok(table) = Table::fill(&joined, joined.columns()) else { unreachable!("a small table") };
            let bytes = [1 << 20, 4 * joined.rows() as u64 * 40];
            for (bytes, piece) in bytes.into_iter().flat_map(|bytes| [(bytes, 1 << 20), (bytes, 0)]) {
                let limits = Limits { binding: bytes, buffer: bytes, ..Limits::default() };
                let Ok(tiling) = Tiling::new(&joined, &limits, piece) else { unreachable!("it fits") };
                let packed = Packed::of(&joined, tiling);
                let mut cells = vec![7; tiling.cells_of_a_tile()];
                narrow += usize::from(tiling.tiles().count() > 1);
                for tile in tiling.tiles() {
                    imitate(&packed, &mut cells, tile.start, tile.len() as u32);
                    for row in 0..joined.rows() {
                        let base = row * tiling.stride() as usize + tiling.halo as usize;
                        let expected = &table.row(row)[tile.start as usize..tile.end as usize];
                        assert_eq!(
                            &cells[base..][..tile.len()],
                            expected,
                            "seed {seed}, row {row}, {tiling:?}"
                        );
                    }
                }
            }
        }
        assert!(narrow > 50, "only {narrow} tables in several tiles");
    }

    #[test]
    fn parameters_stand_as_far_apart_as_asked() {
        let joined = Joined::of(&random::task(3, 5, 2, 1));
        let Ok(tiling) = Tiling::new(&joined, &Limits::default(), 0) else { unreachable!("it fits") };
        let packed = Packed::of(&joined, tiling);
        let (near, apart) = (packed.parameters(0, 9, 8), packed.parameters(0, 9, 64));
        assert_eq!((near.len(), apart.len()), (7 * 8, 7 * 64));
        assert_eq!(apart[3 * 64..][..8], near[3 * 8..][..8]);
    }
}
