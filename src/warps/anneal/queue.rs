//! The instructions waiting for one kind of unit, first in the order first.
//!
//! Two shapes for two sizes. Up to 4,096 entries of an order fit 64 words of bits and one word that says
//! which of them are not empty; adding and taking are a few bit operations. Longer orders keep a short
//! sorted list, never longer than there are warps.

/// Places in an order, taken smallest first.
pub trait Queue: Clone + Default {
    /// The most places an order may have.
    const MOST: usize;

    /// Adds a place that is not in it.
    fn add(&mut self, place: u32);

    /// Takes the smallest place out.
    fn take(&mut self) -> Option<u32>;

    /// The smallest place.
    fn first(&self) -> Option<u32>;

    /// Takes everything out.
    fn clear(&mut self);
}

/// Bits, and a summary of which words of them are in use.
#[derive(Debug, Clone)]
pub struct Bits {
    words: [u64; 64],
    used: u64,
}

impl Default for Bits {
    fn default() -> Self {
        Self { words: [0; 64], used: 0 }
    }
}

impl Queue for Bits {
    const MOST: usize = 64 * 64;

    #[inline]
    fn add(&mut self, place: u32) {
        let word = (place >> 6) & 63;
        self.words[word as usize] |= 1 << (place & 63);
        self.used |= 1 << word;
    }

    #[inline]
    fn take(&mut self) -> Option<u32> {
        if self.used == 0 {
            return None;
        }
        let word = self.used.trailing_zeros() & 63;
        let bits = &mut self.words[word as usize];
        let place = word * 64 + bits.trailing_zeros();
        *bits &= bits.wrapping_sub(1);
        self.used &= !(u64::from(*bits == 0) << word); // without a branch: it is as often empty as not
        Some(place)
    }

    #[inline]
    fn first(&self) -> Option<u32> {
        if self.used == 0 {
            return None;
        }
        let word = self.used.trailing_zeros() & 63;
        Some(word * 64 + self.words[word as usize].trailing_zeros())
    }

    #[inline]
    fn clear(&mut self) {
        while self.used != 0 {
            self.words[self.used.trailing_zeros() as usize & 63] = 0;
            self.used &= self.used - 1;
        }
    }
}

/// A list sorted from the largest to the smallest.
#[derive(Debug, Clone, Default)]
pub struct Sorted(Vec<u32>);

impl Queue for Sorted {
    const MOST: usize = u32::MAX as usize;

    #[inline]
    fn add(&mut self, place: u32) {
        let at = self.0.partition_point(|&other| other > place);
        self.0.insert(at, place);
    }

    #[inline]
    fn take(&mut self) -> Option<u32> {
        self.0.pop()
    }

    #[inline]
    fn first(&self) -> Option<u32> {
        self.0.last().copied()
    }

    #[inline]
    fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Seeded;
    use std::collections::BTreeSet;

    fn behaves_like_a_set<Q: Queue>(most: u32) {
        let mut rng = Seeded::new(5, 0);
        let (mut queue, mut set) = (Q::default(), BTreeSet::new());
        for _ in 0..20_000 {
            if rng.below(100) == 0 {
                queue.clear();
                set.clear();
            } else if rng.below(2) == 0 {
                let place = rng.below(most);
                if set.insert(place) {
                    queue.add(place);
                }
            } else {
                assert_eq!(queue.take(), set.pop_first());
            }
            assert_eq!(queue.first(), set.first().copied());
        }
    }

    #[test]
    fn both_shapes_behave_like_sets() {
        behaves_like_a_set::<Bits>(Bits::MOST as u32);
        behaves_like_a_set::<Sorted>(1_000_000);
    }
}
