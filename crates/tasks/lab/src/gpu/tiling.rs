//! How a table is laid out in the buffers of a device: in how many tiles, how wide, and which workgroups to try.

use std::fmt;
use std::ops::Range;

use base::people;
use tasks::Joined;
use tasks::dense::NEVER;
use tasks::tiles;

/// The most cells of a table.
const MOST_CELLS: u64 = 1 << 30;
/// The most bytes of a buffer, whatever the device allows.
const MOST_BYTES: u64 = 1 << 30;
/// The most cells that are compared at a time, with their halo.
const MOST_COMPARED: u64 = 1 << 27;
/// Workgroups to try have at least so many threads, and at most so many.
const SIZES: [u32; 6] = [32, 64, 128, 256, 512, 1024];
/// Cells of the part of a table on which workgroups are tried.
const TRIED: u64 = 1 << 22;
/// Threads of a workgroup of the halo's shader.
pub const HALO_SIZE: u32 = 64;

/// What a device allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a buffer that a shader uses.
    pub binding: u64,
    /// Bytes of any buffer.
    pub buffer: u64,
    /// Threads of a workgroup.
    pub threads: u32,
    /// Threads of a workgroup in one direction.
    pub across: u32,
    /// Workgroups in one direction.
    pub groups: u32,
}

/// What every device allows.
impl Default for Limits {
    fn default() -> Self {
        Self { binding: 128 << 20, buffer: 256 << 20, threads: 256, across: 256, groups: 65_535 }
    }
}

/// Why a table is not filled on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TooMuch {
    /// It has so many cells.
    Cells(u64),
    /// Its intervals need more than 32 bits.
    Intervals,
    /// Columns that must be at hand together need so many bytes.
    Bytes(u64),
}

impl fmt::Display for TooMuch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grouped = |number: &u64| people::grouped(u128::from(*number));
        match self {
            TooMuch::Cells(cells) => write!(
                f,
                "the table has {} cells, and more than {} are not filled here",
                grouped(cells),
                grouped(&MOST_CELLS)
            ),
            TooMuch::Intervals => f.write_str("its intervals need more than 32 bits"),
            TooMuch::Bytes(bytes) => {
                write!(
                    f,
                    "the largest requirement needs {} bytes at a time, more than there are",
                    grouped(bytes)
                )
            }
        }
    }
}

/// How a table is laid out. Columns count from 0, and column 0 is there too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tiling {
    /// Rows of the table.
    pub rows: u32,
    /// Its columns.
    pub width: u32,
    /// Columns that a tile takes over from the one before.
    pub halo: u32,
    /// Columns of a tile; the last one may have fewer.
    pub tile: u32,
    /// Columns that are compared at a time; a tile has a multiple of them, or is all there is.
    pub piece: u32,
}

impl Tiling {
    /// The layout of the published table on a device; about `compared` cells are compared at a time.
    pub fn new(joined: &Joined, limits: &Limits, compared: u64) -> Result<Self, TooMuch> {
        let (rows, width, halo) = (joined.rows() as u64, joined.columns() + 1, tiles::halo(joined));
        let cells = width.saturating_mul(rows);
        let fits = |number: u64| u32::try_from(number).map_err(|_| TooMuch::Cells(cells));
        if cells > MOST_CELLS {
            return Err(TooMuch::Cells(cells));
        }
        if tiles::Tiles::new(joined, 0, 0).is_err() {
            return Err(TooMuch::Intervals);
        }
        let room = limits.binding.min(limits.buffer).min(MOST_BYTES) / 4 / rows;
        let most = room.saturating_sub(halo).min(u64::from(limits.groups) * u64::from(SIZES[0]));
        let piece = halo.max((compared / rows).min(most)).clamp(1, width);
        let tile = if width <= most { width } else { most / piece * piece };
        let at_once = rows * (halo + piece);
        if tile == 0 || at_once > MOST_COMPARED {
            return Err(TooMuch::Bytes(4 * at_once));
        }
        Ok(Self {
            rows: fits(rows)?,
            width: fits(width)?,
            halo: fits(halo)?,
            tile: fits(tile)?,
            piece: fits(piece)?,
        })
    }

    /// From row to row in a tile's buffer.
    pub fn stride(&self) -> u32 {
        self.halo + self.tile
    }

    /// Numbers in a tile's buffer.
    pub fn cells_of_a_tile(&self) -> usize {
        self.rows as usize * self.stride() as usize
    }

    /// Cells of the table.
    pub fn cells(&self) -> u64 {
        u64::from(self.rows) * u64::from(self.width)
    }

    /// The columns of each tile.
    pub fn tiles(&self) -> impl Iterator<Item = Range<u32>> + use<> {
        ranges(0..self.width, self.tile)
    }

    /// The columns of a tile that are compared at a time.
    pub fn pieces(&self, tile: &Range<u32>) -> impl Iterator<Item = Range<u32>> + use<> {
        ranges(tile.clone(), self.piece)
    }

    /// The columns of the part on which workgroups are tried.
    pub fn tried(&self) -> u32 {
        let columns = (TRIED / u64::from(self.rows)).max(1).min(u64::from(self.tile));
        u32::try_from(columns).unwrap_or(NEVER)
    }
}

/// A range in stretches of a length.
fn ranges(whole: Range<u32>, length: u32) -> impl Iterator<Item = Range<u32>> {
    let end = whole.end;
    whole.step_by(length.max(1) as usize).map(move |start| start..end.min(start.saturating_add(length)))
}

impl Limits {
    /// Sizes of workgroups to try.
    pub fn sizes(&self) -> Vec<u32> {
        let most = self.threads.min(self.across);
        SIZES.into_iter().filter(|&size| size <= most).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tasks::random;
    use tasks::small::task;

    #[test]
    fn published_sizes_on_common_devices() {
        let joined = Joined::of(&random::task(50, 10_000, 5, 1));
        let told = |limits: &Limits| {
            Tiling::new(&joined, limits, 1 << 22).map(|tiling| (tiling.tiles().count(), tiling.tile))
        };
        let large = Limits { binding: 2 << 30, buffer: 2 << 30, ..Limits::default() };
        assert!(matches!(told(&large), Ok((1, _))), "{:?}", told(&large));
        let Ok((tiles, tile)) = told(&Limits::default()) else { unreachable!("it fits in tiles") };
        assert!(tiles == 4 && u64::from(tile) * 100 * 4 <= 128 << 20, "{tiles} of {tile}");
        assert_eq!(
            (large.sizes(), Limits { threads: 1024, across: 1024, ..large }.sizes().len()),
            (vec![32, 64, 128, 256], 6)
        );
    }

    #[test]
    fn what_does_not_fit_says_why() {
        let told = |vertices: &[(u64, u64)], edges: &[(usize, usize, u64)]| {
            Tiling::new(&Joined::of(&task(9, vertices, edges)), &Limits::default(), 0)
                .map_or_else(|why| why.to_string(), |tiling| format!("{tiling:?}"))
        };
        assert_eq!(
            told(&[(1 << 40, 1)], &[]),
            "the table has 4,398,046,511,106 cells, and more than 1,073,741,824 are not filled here"
        );
        assert_eq!(told(&[(1, 1 << 40)], &[]), "its intervals need more than 32 bits");
        assert_eq!(
            told(&[(1 << 25, 1), (1, 1)], &[(0, 1, 1)]),
            "the largest requirement needs 1,073,741,824 bytes at a time, more than there are"
        );
    }
}
