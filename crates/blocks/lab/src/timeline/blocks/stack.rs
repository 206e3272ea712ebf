//! Where in its band each block stands: stacked like memory that is handed out, in the gap it fills best.
//!
//! Invariant: where what runs at a time fits the limit, nothing overlaps and nothing stands above the limit. For a
//! block that fits, but in no single gap, the others move together if few have to; else it is split. In measured
//! runs a block may seem to start shortly before the one whose place it takes has ended: then the two overlap for
//! that moment. What is truly too much stands above the limit, for all to see.

use super::piece::Piece;

/// Something that takes a share of a band for a while. Times are whole nanoseconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    /// Things of different contexts never run at the same time, so they may stand in the same place.
    pub context: u32,
    pub start: u64,
    pub end: u64,
    pub height: u32,
    pub run: u32,
    pub item: u32,
}

/// The share of its time by which something may outstay the start of what takes its place.
const SLACK: u64 = 50;
/// More things at a time than this are not kept apart.
const MOST_HELD: usize = 256;

/// The pieces of all items, which are sorted here; of each context in the order of their starts.
pub(super) fn stack(items: &mut [Item], limit: u32, mut tell: impl FnMut(u32, &[Piece])) {
    // Mostly in order already; equals keep theirs. What ended in the instant it started made room for the others.
    base::sort::sort_by_key(items, |item| (item.context, item.start, item.end > item.start));
    for own in items.chunk_by(|a, b| a.context == b.context) {
        let mut band =
            Band { limit, held: Vec::new(), gaps: Vec::new(), pieces: Vec::with_capacity(own.len()) };
        for item in own {
            band.held.retain(|held| held.item.end > item.start);
            band.place(item);
        }
        band.pieces.retain(|piece| piece.high > piece.low);
        tell(own[0].context, &band.pieces);
    }
}

/// A part of something that stands in the band.
#[derive(Debug, Clone, Copy)]
struct Held {
    low: u32,
    high: u32,
    item: Item,
    /// Its piece.
    piece: usize,
}

impl Held {
    fn is_of(&self, other: &Held) -> bool {
        (self.item.run, self.item.item) == (other.item.run, other.item.item)
    }
}

/// What stands in a band at a moment, from the bottom up.
struct Band {
    limit: u32,
    held: Vec<Held>,
    /// Where the next item goes.
    gaps: Vec<(u32, u32)>,
    /// All that ever stood in it.
    pieces: Vec<Piece>,
}

/// How an item fits.
enum Fit {
    /// In one gap.
    Whole,
    /// In several.
    Split,
    /// Not at all: it goes above the others.
    TooMuch,
}

impl Band {
    /// A piece of an item from a time on, and its number.
    fn piece(&mut self, item: &Item, since: u64, (low, high): (u32, u32)) -> usize {
        let Item { run, item, end, .. } = *item;
        self.pieces.push(Piece { start: since as f64, end: end as f64, low, high, run, item });
        self.pieces.len() - 1
    }

    fn place(&mut self, item: &Item) {
        if self.held.len() >= MOST_HELD {
            self.piece(item, item.start, (0, item.height));
            return;
        }
        if let Fit::TooMuch = self.fit(item.height) {
            self.held.retain(|held| !is_about_to_end(held, item));
        }
        if let Fit::Split = self.fit(item.height)
            && self.movers() < self.gaps.len()
        {
            self.move_together(item.start);
            self.fit(item.height);
        }
        for (low, high) in std::mem::take(&mut self.gaps) {
            let at = self.held.partition_point(|held| held.low < low);
            let piece = self.piece(item, item.start, (low, high));
            self.held.insert(at, Held { low, high, item: *item, piece });
        }
    }

    /// Finds where so much fits: in the gap it fills best, in several, or all above the others.
    fn fit(&mut self, height: u32) -> Fit {
        self.gaps.clear();
        let mut at = 0;
        for held in &self.held {
            let low = held.low.min(self.limit);
            if low > at {
                self.gaps.push((at, low));
            }
            at = at.max(held.high);
        }
        if self.limit > at {
            self.gaps.push((at, self.limit));
        }
        let size = |gap: &(u32, u32)| gap.1 - gap.0;
        let best = self.gaps.iter().copied().filter(|gap| size(gap) >= height).min_by_key(size);
        let room: u64 = self.gaps.iter().map(|gap| u64::from(size(gap))).sum();
        if let Some((low, _)) = best {
            self.gaps.clear();
            self.gaps.push((low, low + height));
            return Fit::Whole;
        }
        if room < u64::from(height) {
            let at = at.min(u32::MAX - 1);
            self.gaps.clear();
            self.gaps.push((at, at.saturating_add(height)));
            return Fit::TooMuch;
        }
        // The largest first, so that there are few.
        base::sort::sort_by_key(&mut self.gaps, |gap| std::cmp::Reverse(size(gap)));
        let mut left = height;
        self.gaps.retain_mut(|(low, high)| {
            *high = (*high).min(low.saturating_add(left));
            left -= *high - *low;
            high > low
        });
        Fit::Split
    }

    /// How many things stand elsewhere once all have moved together.
    fn movers(&self) -> usize {
        let mut at = 0u32;
        let mut count = 0;
        for (i, held) in self.held.iter().enumerate() {
            if !self.held[..i].iter().any(|before| before.is_of(held)) {
                count += usize::from(!held.is_whole_at(at));
                at = at.saturating_add(held.item.height);
            }
        }
        count
    }

    /// Moves all together at a time, the lowest first, each in one part.
    fn move_together(&mut self, now: u64) {
        let mut at = 0u32;
        let before = std::mem::take(&mut self.held);
        for held in &before {
            if self.held.iter().any(|moved| moved.is_of(held)) {
                self.leave(held.piece, now);
                continue; // a part of what has moved already
            }
            let place = (at, at.saturating_add(held.item.height));
            let mut moved = Held { low: place.0, high: place.1, ..*held };
            if !held.is_whole_at(at) {
                self.leave(held.piece, now);
                moved.piece = self.piece(&held.item, now, place);
            }
            at = place.1;
            self.held.push(moved);
        }
    }

    /// Ends a piece; one that only just began was never there.
    fn leave(&mut self, piece: usize, now: u64) {
        let piece = &mut self.pieces[piece];
        piece.end = now as f64;
        if piece.start == piece.end {
            piece.high = piece.low;
        }
    }
}

impl Held {
    /// Whether all of it stands at a height.
    fn is_whole_at(&self, low: u32) -> bool {
        self.low == low && self.high - self.low == self.item.height
    }
}

/// Whether something ends so soon after the start of a new item that only the clocks may be to blame.
fn is_about_to_end(held: &Held, item: &Item) -> bool {
    let shorter = (held.item.end - held.item.start).min(item.end.saturating_sub(item.start));
    held.item.end.saturating_sub(item.start) <= shorter / SLACK
}

/// The parts of a piece within stretches of time that ascend and are apart, so many at the most; all of it where it
/// touches none.
pub(super) fn cut(piece: Piece, stretches: &[(f64, f64)], most: usize, mut tell: impl FnMut(Piece)) {
    let first = stretches.partition_point(|&(_, end)| end <= piece.start);
    let mut found = false;
    for &(from, to) in stretches[first..].iter().take_while(|&&(from, _)| from < piece.end).take(most) {
        found = true;
        tell(Piece { start: piece.start.max(from), end: piece.end.min(to), ..piece });
    }
    if !found {
        tell(piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parts as `item low..high`, of items given as context, start, end and height.
    fn stacked(limit: u32, items: &[(u32, u64, u64, u32)]) -> String {
        let item = |(i, &(context, start, end, height)): (usize, &(u32, u64, u64, u32))| Item {
            context,
            start,
            end,
            height,
            run: 0,
            item: i as u32,
        };
        let mut items: Vec<Item> = items.iter().enumerate().map(item).collect();
        let mut out = Vec::new();
        stack(&mut items, limit, |_, pieces| out.extend_from_slice(pieces));
        out.sort_by(|a, b| a.item.cmp(&b.item).then(a.start.total_cmp(&b.start)).then(a.low.cmp(&b.low)));
        let shown = |piece: &Piece| {
            let moved = if piece.start > items[piece.item as usize].start as f64 { "then " } else { "" };
            format!("{moved}{} {}..{}", piece.item, piece.low, piece.high)
        };
        out.iter().map(shown).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn the_lowest_place_that_is_free_is_taken() {
        let items = [(0, 0, 10, 4), (0, 0, 20, 4), (0, 10, 20, 3), (0, 20, 30, 8)];
        assert_eq!(stacked(8, &items), "0 0..4, 1 4..8, 2 0..3, 3 0..8");
    }

    #[test]
    fn what_fits_in_no_single_place_is_split() {
        let items = [(0, 0, 10, 2), (0, 0, 20, 2), (0, 0, 10, 2), (0, 0, 20, 2), (0, 10, 20, 4)];
        assert_eq!(stacked(8, &items), "0 0..2, 1 2..4, 2 4..6, 3 6..8, 4 0..2, 4 4..6");
    }

    #[test]
    fn a_moment_too_long_is_forgiven_and_true_excess_stands_above_the_limit() {
        let items = [(0, 0, 1_003, 8), (0, 1_000, 2_000, 8)];
        assert_eq!(stacked(8, &items), "0 0..8, 1 0..8");
        let items = [(0, 0, 1_500, 8), (0, 1_000, 2_000, 8)];
        assert_eq!(stacked(8, &items), "0 0..8, 1 8..16");
    }

    #[test]
    fn contexts_do_not_mind_each_other() {
        assert_eq!(stacked(8, &[(0, 0, 10, 8), (1, 5, 15, 8)]), "0 0..8, 1 0..8");
    }

    #[test]
    fn a_flood_ends_in_one_place_and_not_in_a_long_wait() {
        let items: Vec<_> = (0..20_000).map(|_| (0, 0, 10, u32::MAX)).collect();
        assert_eq!(stacked(8, &items).matches(", ").count(), 19_999);
    }
}
