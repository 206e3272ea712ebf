//! The pieces of a track, sorted so that those of a window are found without looking at the others.
//!
//! Pieces stand by octave of their length, and in each octave by their start. In an octave no piece is longer
//! than a known power of two, so those that reach into a window start within a known distance of it.

/// A rectangle in a band: a block, or a part of one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece {
    /// When it starts, in nanoseconds.
    pub start: f64,
    /// When it ends.
    pub end: f64,
    /// Its lower edge, in what the band measures.
    pub low: u32,
    /// Its upper edge.
    pub high: u32,
    /// The launch it belongs to; for copies the copy, for slices the process.
    pub run: u32,
    /// The block's number within its launch.
    pub item: u32,
}

impl Piece {
    /// How long it takes.
    pub fn length(&self) -> f64 {
        self.end - self.start
    }

    /// How many digits its length has in binary: less than 2^octave nanoseconds.
    pub(super) fn octave(&self) -> u8 {
        let nanos = self.length().max(0.0) as u64;
        (64 - nanos.leading_zeros()) as u8
    }

    /// Whether any of it lies within a window.
    fn touches(&self, t0: f64, t1: f64) -> bool {
        self.start < t1 && (self.end > t0 || self.start >= t0)
    }
}

/// Pieces, sorted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pieces {
    all: Vec<Piece>,
    /// Octaves that occur, ascending: the octave and where it ends in `all`.
    octaves: Vec<(u8, usize)>,
}

impl Pieces {
    pub(super) fn new(given: Vec<Piece>) -> Self {
        let mut counts = [0usize; 65];
        for piece in &given {
            counts[usize::from(piece.octave())] += 1;
        }
        let mut octaves = Vec::new();
        let mut next = [0usize; 65];
        let mut end = 0;
        for (octave, &count) in (0u8..).zip(&counts).filter(|&(_, &count)| count > 0) {
            next[usize::from(octave)] = end;
            end += count;
            octaves.push((octave, end));
        }
        let mut all = given.clone();
        for piece in given {
            let place = &mut next[usize::from(piece.octave())];
            all[*place] = piece;
            *place += 1;
        }
        let mut from = 0;
        for &(_, to) in &octaves {
            // As a rule they are in order.
            base::sort::sort_by(&mut all[from..to], |a, b| a.start.total_cmp(&b.start));
            from = to;
        }
        Self { all, octaves }
    }

    /// All of them.
    pub fn all(&self) -> &[Piece] {
        &self.all
    }

    /// The pieces of each octave, ascending.
    pub(super) fn by_octave(&self) -> impl Iterator<Item = (u8, &[Piece])> {
        let starts = [0].into_iter().chain(self.octaves.iter().map(|&(_, end)| end));
        starts.zip(&self.octaves).map(|(from, &(octave, to))| (octave, &self.all[from..to]))
    }

    /// The pieces that touch a window, of octaves above this one; without one, of all.
    pub fn within(&self, above: Option<u8>, t0: f64, t1: f64) -> impl Iterator<Item = &Piece> {
        self.near(above, t0, t1).flatten().filter(move |piece| piece.touches(t0, t1))
    }

    /// How many pieces touch a window, and few more.
    pub fn count(&self, above: Option<u8>, t0: f64, t1: f64) -> usize {
        self.near(above, t0, t1).map(<[Piece]>::len).sum()
    }

    /// Slices with all the pieces that touch a window and few others.
    fn near(&self, above: Option<u8>, t0: f64, t1: f64) -> impl Iterator<Item = &[Piece]> {
        let wanted = move |&(octave, _): &(u8, &[Piece])| above.is_none_or(|above| octave > above);
        self.by_octave().filter(wanted).map(move |(octave, pieces)| {
            let reach = 2f64.powi(octave.into());
            let first = pieces.partition_point(|piece| piece.start < t0 - reach);
            let last = pieces.partition_point(|piece| piece.start < t1);
            &pieces[first..last.max(first)]
        })
    }

    /// The piece at a time and height; without one, the nearest at that height that is no further than `reach`.
    pub fn at(&self, t: f64, height: f64, reach: f64) -> Option<&Piece> {
        let distance = |piece: &Piece| (piece.start - t).max(t - piece.end).max(0.0);
        let stands = |piece: &&Piece| f64::from(piece.low) <= height && height < f64::from(piece.high);
        let near = self.within(None, t - reach, t + reach.max(f64::MIN_POSITIVE)).filter(stands);
        // Of equals the one that started last: it is drawn over the others.
        near.min_by(|a, b| distance(a).total_cmp(&distance(b)).then(b.start.total_cmp(&a.start)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seeded;

    fn pieces() -> Vec<Piece> {
        let mut rng = Seeded::new(5, 0);
        let piece = |i| {
            let start = f64::from(rng.below(10_000));
            let most = 1 << rng.below(12);
            let length = f64::from(rng.below(most));
            Piece { start, end: start + length, low: 0, high: 1, run: 0, item: i }
        };
        (0..500).map(piece).collect()
    }

    #[test]
    fn a_window_finds_what_a_look_at_every_piece_finds() {
        let all = pieces();
        let sorted = Pieces::new(all.clone());
        for (t0, t1) in [(0.0, 20_000.0), (100.0, 101.0), (4_000.0, 4_100.0), (9_999.0, 12_500.0), (5.0, 4.0)]
        {
            let mut found: Vec<u32> = sorted.within(None, t0, t1).map(|piece| piece.item).collect();
            found.sort_unstable();
            let naive = all.iter().filter(|piece| piece.touches(t0, t1)).map(|piece| piece.item);
            assert_eq!(found, naive.collect::<Vec<_>>());
            assert!(sorted.count(None, t0, t1) >= found.len());
        }
        let long = sorted.within(Some(8), 0.0, 20_000.0);
        assert_eq!(long.count(), all.iter().filter(|piece| piece.length() >= 256.0).count());
    }

    #[test]
    fn the_piece_at_a_point_or_the_nearest_one() {
        let piece = |start, end, low, item| Piece { start, end, low, high: low + 4, run: 0, item };
        let all = Pieces::new(vec![piece(0.0, 10.0, 0, 0), piece(0.0, 20.0, 4, 1), piece(30.0, 30.0, 0, 2)]);
        let at = |t, height, reach| all.at(t, height, reach).map(|piece| piece.item);
        assert_eq!([at(5.0, 1.0, 0.0), at(5.0, 4.0, 0.0), at(15.0, 1.0, 0.0)], [Some(0), Some(1), None]);
        assert_eq!([at(12.0, 1.0, 3.0), at(29.0, 1.0, 3.0), at(50.0, 1.0, 3.0)], [Some(0), Some(2), None]);
    }
}
