//! Where in its band each block stands: stacked like memory that is handed out, lowest free place first.
//!
//! Invariant: where what runs at a time fits the limit, nothing overlaps and nothing stands above the limit. A
//! block for which there is room, but not in one place, is split into parts. In measured runs a block may seem to
//! start shortly before the one whose place it takes has ended: then the two overlap for that moment. What is
//! truly too much stands above the limit, for all to see.

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

/// Something that stands in the band.
#[derive(Debug, Clone, Copy)]
struct Held {
    low: u32,
    high: u32,
    start: u64,
    end: u64,
}

/// Places all items, which are sorted here, and tells each part: its item, its low and its high edge.
pub(super) fn stack(items: &mut [Item], limit: u32, mut tell: impl FnMut(&Item, u32, u32)) {
    items.sort_unstable_by_key(|item| (item.context, item.start, item.run, item.item));
    let mut band = Band { limit, held: Vec::new(), gaps: Vec::new() };
    let mut context = None;
    for item in items.iter() {
        if context.replace(item.context) != Some(item.context) {
            band.held.clear();
        }
        band.held.retain(|held| held.end > item.start);
        band.place(item, &mut tell);
    }
}

/// What stands in a band at a moment, from the bottom up.
struct Band {
    limit: u32,
    held: Vec<Held>,
    gaps: Vec<(u32, u32)>,
}

impl Band {
    fn place(&mut self, item: &Item, tell: &mut impl FnMut(&Item, u32, u32)) {
        if self.held.len() >= MOST_HELD {
            tell(item, 0, item.height);
            return;
        }
        if !self.fits(item.height) {
            self.held.retain(|held| !is_about_to_end(held, item));
            self.fits(item.height);
        }
        let gaps = std::mem::take(&mut self.gaps);
        for &(low, high) in &gaps {
            tell(item, low, high);
            let at = self.held.partition_point(|held| held.low < low);
            self.held.insert(at, Held { low, high, start: item.start, end: item.end });
        }
        self.gaps = gaps;
    }

    /// Finds where so much fits: one gap, several, or all above the others if there is too much. Tells whether
    /// it stays within the limit.
    fn fits(&mut self, height: u32) -> bool {
        self.gaps.clear();
        let mut at = 0;
        let mut room = 0u64;
        let top = Held { low: self.limit, high: self.limit, start: 0, end: 0 };
        for held in self.held.iter().chain([&top]) {
            let low = held.low.min(self.limit);
            if low > at {
                if low - at >= height {
                    self.gaps.clear();
                    self.gaps.push((at, at + height));
                    return true;
                }
                room += u64::from(low - at);
                self.gaps.push((at, low));
            }
            at = at.max(held.high);
        }
        if room >= u64::from(height) {
            self.keep_only(height);
            return true;
        }
        self.gaps.clear();
        let low = self.held.iter().map(|held| held.high).max().unwrap_or(0);
        self.gaps.push((low, low.saturating_add(height)));
        false
    }

    /// Cuts the gaps to so much in all, from the bottom up.
    fn keep_only(&mut self, height: u32) {
        let mut left = height;
        self.gaps.retain_mut(|(low, high)| {
            *high = (*high).min(low.saturating_add(left));
            left -= *high - *low;
            high > low
        });
    }
}

/// Whether something ends so soon after the start of a new item that only the clocks may be to blame.
fn is_about_to_end(held: &Held, item: &Item) -> bool {
    let shorter = (held.end - held.start).min(item.end.saturating_sub(item.start));
    held.end.saturating_sub(item.start) <= shorter / SLACK
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
        stack(&mut items, limit, |item, low, high| out.push(format!("{} {low}..{high}", item.item)));
        out.join(", ")
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
