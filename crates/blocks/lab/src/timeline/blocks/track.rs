//! A band of the picture: its pieces, and what they look like from afar.

use super::dense::Dense;
use super::piece::Pieces;
use super::stack::{Item, cut, stack};
use kit::timeline::Class;

/// Blocks are cut into so many parts more than there are blocks, and no more.
pub(super) const MOST_CUTS: usize = 500_000;

/// A band: an SM, a copy engine, or the processes taking turns.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Track {
    /// What its full height stands for.
    pub top: u32,
    /// Where the device's limit is: below `top` only where more runs than the device takes.
    pub limit: u32,
    /// Its pieces.
    pub pieces: Pieces,
    /// Its pieces from afar.
    pub dense: Dense,
}

impl Track {
    /// Stacks items; those of a process that stood still while others had the device are cut to its stretches.
    pub(super) fn new(
        mut items: Vec<Item>,
        limit: u32,
        stretches: &[Vec<(f64, f64)>],
        class: impl Fn(u32) -> Class,
    ) -> Self {
        let mut pieces = Vec::new();
        let most = items.len() + MOST_CUTS;
        stack(&mut items, limit, |context, own| match stretches.get(context as usize) {
            Some(stretches) => {
                for &piece in own {
                    cut(piece, stretches, most.saturating_sub(pieces.len()), |part| pieces.push(part));
                }
            }
            None => pieces.extend_from_slice(own),
        });
        drop(items);
        let pieces = Pieces::new(pieces);
        let top = pieces.all().iter().map(|piece| piece.high).fold(limit.max(1), u32::max);
        let dense = Dense::new(&pieces, top, class);
        Self { top, limit, pieces, dense }
    }
}
