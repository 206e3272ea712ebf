//! From a block to the one beside it: for the arrow keys.

use super::{BlocksTimeline, Piece, Pieces};
use blocks::Trace;

/// Which way to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Way {
    /// To the block that starts next on the same SM; of those that start together, upwards.
    After,
    /// To the one before.
    Before,
    /// To the next SM with anything on it, upwards: to what runs there at the same time, or starts next.
    Up,
    /// The same downwards.
    Down,
}

impl BlocksTimeline {
    /// The block beside a block, as its launch and its number; none at the edges.
    pub fn beside(&self, trace: &Trace, run: usize, block: u32, way: Way) -> Option<(usize, u32)> {
        let parts = self.parts(trace, run, block);
        let order = |a: &&(u16, Piece), b: &&(u16, Piece)| place(&a.1).partial_cmp(&place(&b.1));
        let first = parts.iter().min_by(|a, b| order(a, b).unwrap_or(std::cmp::Ordering::Equal));
        let &(sm, piece) = first?;
        let sm = usize::from(sm);
        let found = match way {
            Way::After => next(&self.sms.get(sm)?.pieces, &piece),
            Way::Before => previous(&self.sms.get(sm)?.pieces, &piece),
            Way::Up => self.sms.iter().skip(sm + 1).find_map(|track| across(&track.pieces, &piece)),
            Way::Down => self.sms.iter().take(sm).rev().find_map(|track| across(&track.pieces, &piece)),
        };
        found.map(|found| (found.run as usize, found.item))
    }
}

/// The order in which blocks of an SM are gone through.
fn place(piece: &Piece) -> (f64, u32) {
    (piece.start, piece.low)
}

fn is_same(a: &Piece, b: &Piece) -> bool {
    (a.run, a.item) == (b.run, b.item)
}

/// The piece of another block that comes next.
fn next<'a>(pieces: &'a Pieces, from: &Piece) -> Option<&'a Piece> {
    let of_octave = |own: &'a [Piece]| {
        let first = own.partition_point(|piece| piece.start < from.start);
        let later = own[first..].iter().filter(|piece| place(piece) > place(from) && !is_same(piece, from));
        // Those that start together are not in the order of their heights.
        let start = later.clone().next()?.start;
        later.take_while(|piece| piece.start == start).min_by_key(|piece| piece.low)
    };
    let nearest = pieces.by_octave().filter_map(|(_, own)| of_octave(own));
    nearest.min_by(|a, b| a.start.total_cmp(&b.start).then(a.low.cmp(&b.low)))
}

/// The piece of another block that comes before.
fn previous<'a>(pieces: &'a Pieces, from: &Piece) -> Option<&'a Piece> {
    let of_octave = |own: &'a [Piece]| {
        let last = own.partition_point(|piece| piece.start <= from.start);
        let before =
            own[..last].iter().rev().filter(|piece| place(piece) < place(from) && !is_same(piece, from));
        let start = before.clone().next()?.start;
        before.take_while(|piece| piece.start == start).max_by_key(|piece| piece.low)
    };
    let nearest = pieces.by_octave().filter_map(|(_, own)| of_octave(own));
    nearest.max_by(|a, b| a.start.total_cmp(&b.start).then(a.low.cmp(&b.low)))
}

/// What runs on another SM when a piece starts, at the nearest height; or else what starts next, or last before.
fn across<'a>(pieces: &'a Pieces, from: &Piece) -> Option<&'a Piece> {
    let (t0, t1) = (from.start, from.start + 1.0);
    let running = pieces.within(None, t0, t1).min_by_key(|piece| piece.low.abs_diff(from.low));
    running.or_else(|| next(pieces, from)).or_else(|| previous(pieces, from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::blocks::sample::{lanes, tx2};
    use crate::timeline::blocks::{Measure, kernel_classes};

    #[test]
    fn the_arrow_keys_go_through_the_tx2_example() {
        let (setup, trace) = tx2();
        let timeline =
            BlocksTimeline::new(&setup, &trace, &kernel_classes(&[(&setup, &trace)])[0], Measure::Threads);
        let walk = |run, block, way| {
            let step = |&(run, block): &(usize, u32)| timeline.beside(&trace, run, block, way);
            let names = std::iter::successors(Some((run, block)), step)
                .map(|(run, block)| format!("{}:{block}", run + 1));
            names.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(walk(0, 0, Way::After), "1:0 2:0 2:2 2:4 2:6 3:1 4:1 4:3");
        assert_eq!(walk(3, 3, Way::Before), "4:3 4:1 3:1 2:6 2:4 2:2 2:0 1:0");
        assert_eq!(walk(1, 6, Way::Up), "2:6 3:0");
        assert_eq!(walk(2, 0, Way::Down), "3:0 2:6");
    }

    #[test]
    fn going_on_and_on_visits_every_block_of_an_sm_once() {
        let (setup, trace) = lanes(2_000);
        let timeline =
            BlocksTimeline::new(&setup, &trace, &kernel_classes(&[(&setup, &trace)])[0], Measure::Threads);
        let first =
            timeline.sms[1].pieces.all().iter().min_by(|a, b| place(a).partial_cmp(&place(b)).unwrap());
        let start = first.map(|piece| (piece.run as usize, piece.item));
        let step = |&(run, block): &(usize, u32)| timeline.beside(&trace, run, block, Way::After);
        let visited: std::collections::BTreeSet<_> = std::iter::successors(start, step).take(2_000).collect();
        assert_eq!(visited.len(), trace.blocks.iter().filter(|block| block.sm == 1).count());
    }
}
