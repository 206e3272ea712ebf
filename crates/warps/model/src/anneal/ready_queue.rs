//! Ready queues by unit, ordered by position in the list.
//!
//! Three shapes for three sizes. Up to 4,096 entries of an order fit 64 words of bits and one word that says
//! which of them are in use; adding and taking are a few bit operations without a branch. Up to 262,144 fit
//! with one more level of such words. Longer orders keep short sorted lists, never longer than there are
//! warps.

/// The most entries one cycle serves: at most one of each warp.
pub const MOST_TAKEN: usize = 256;

/// The waiting instructions of all `UNITS` kinds of unit.
///
/// What says where they are is apart, [`ReadyQueues::Index`]: whoever plays keeps it in registers.
pub trait ReadyQueues<const UNITS: usize>: std::fmt::Debug + Send + 'static {
    /// Where an instruction will wait: a place in the order and a unit.
    type Link: Copy + Default + std::fmt::Debug + Send;

    /// What tells which parts of the memory are in use.
    type Index;

    /// The most places an order may have.
    const MOST: usize;

    /// Room for orders of so many places, at most [`Self::MOST`].
    fn holding(places: usize) -> Self;

    /// The link to a place and a unit; none for what follows a warp's last instruction.
    fn link(next: Option<(u32, u8)>) -> Self::Link;

    /// The index while nothing waits.
    fn nothing() -> Self::Index;

    /// Has the instruction at a link wait; a link to nothing does nothing.
    fn add(&mut self, index: &mut Self::Index, link: Self::Link);

    /// Takes the first places of a unit, at most `most`, appending to those taken; how many there are then.
    fn take(
        &mut self,
        index: &mut Self::Index,
        unit: usize,
        most: u32,
        taken: &mut [u32; MOST_TAKEN],
        count: usize,
    ) -> usize;

    /// Clears what the index says is in use.
    fn clear(&mut self, index: Self::Index);
}

/// Bits for each unit and word, and for each unit a summary of which words are in use.
#[derive(Debug, Clone)]
pub struct Bits {
    /// 64 words of a unit after those of the unit before; a unit above all others is for links to nothing.
    words: [u64; 8 * 64],
}

/// The unit of links to nothing.
const NOWHERE: u16 = 4 << 12;

impl<const UNITS: usize> ReadyQueues<UNITS> for Bits {
    /// The unit above twelve bits of the place.
    type Link = u16;

    type Index = [u64; UNITS];

    const MOST: usize = 64 * 64;

    fn holding(_places: usize) -> Self {
        Self { words: [0; 8 * 64] }
    }

    fn link(next: Option<(u32, u8)>) -> u16 {
        next.map_or(NOWHERE, |(place, unit)| u16::from(unit) << 12 | (place & 0xfff) as u16)
    }

    fn nothing() -> [u64; UNITS] {
        [0; UNITS]
    }

    #[inline(always)]
    fn add(&mut self, used: &mut [u64; UNITS], link: u16) {
        let word = usize::from(link >> 6) % (8 * 64);
        self.words[word] |= 1 << (link & 63);
        for (unit, used) in used.iter_mut().enumerate() {
            *used |= u64::from(word / 64 == unit) << (word % 64);
        }
    }

    #[inline(always)]
    fn take(
        &mut self,
        index: &mut [u64; UNITS],
        unit: usize,
        most: u32,
        taken: &mut [u32; MOST_TAKEN],
        mut count: usize,
    ) -> usize {
        let words = &mut self.words[unit % 8 * 64..][..64];
        let mut used = index[unit];
        let mut word = used.trailing_zeros() % 64;
        let mut bits = words[word as usize];
        for _ in 0..most {
            if used == 0 {
                break;
            }
            // The word after this one is read before it is known whether it is needed: this one is left empty
            // about every other time, so a branch would often be guessed wrong.
            let others = used & used.wrapping_sub(1);
            let next = others.trailing_zeros() % 64;
            let next_bits = words[next as usize];
            let rest = bits & bits.wrapping_sub(1);
            words[word as usize] = rest;
            taken[count % MOST_TAKEN] = word * 64 + bits.trailing_zeros();
            count += 1;
            let empty = rest == 0;
            used = if empty { others } else { used };
            word = if empty { next } else { word };
            bits = if empty { next_bits } else { rest };
        }
        index[unit] = used;
        count
    }

    fn clear(&mut self, index: [u64; UNITS]) {
        for (words, mut used) in self.words.chunks_exact_mut(64).zip(index) {
            while used != 0 {
                words[used.trailing_zeros() as usize] = 0;
                used &= used - 1;
            }
        }
    }
}

/// Bits as in [`Bits`], and words between them and the index that say which of them are in use.
#[derive(Debug, Clone)]
pub struct Deep {
    /// Words of a unit after those of the unit before.
    words: Vec<u64>,
    /// One bit for each word.
    groups: Vec<u64>,
    /// Groups of a unit.
    span: usize,
}

impl<const UNITS: usize> ReadyQueues<UNITS> for Deep {
    type Link = Option<(u32, u8)>;

    type Index = [u64; UNITS];

    const MOST: usize = 64 * 64 * 64;

    fn holding(places: usize) -> Self {
        let span = places.div_ceil(64 * 64);
        Self { words: vec![0; UNITS * span * 64], groups: vec![0; UNITS * span], span }
    }

    fn link(next: Option<(u32, u8)>) -> Self::Link {
        next
    }

    fn nothing() -> [u64; UNITS] {
        [0; UNITS]
    }

    #[inline]
    fn add(&mut self, used: &mut [u64; UNITS], link: Self::Link) {
        let Some((place, unit)) = link else { return };
        let (place, unit) = (place as usize, usize::from(unit) % UNITS);
        let word = unit * self.span * 64 + place / 64;
        self.words[word] |= 1 << (place % 64);
        self.groups[word / 64] |= 1 << (word % 64);
        used[unit] |= 1 << (place / (64 * 64));
    }

    #[inline]
    fn take(
        &mut self,
        index: &mut [u64; UNITS],
        unit: usize,
        most: u32,
        taken: &mut [u32; MOST_TAKEN],
        mut count: usize,
    ) -> usize {
        let first = unit * self.span;
        let mut used = index[unit];
        for _ in 0..most {
            if used == 0 {
                break;
            }
            let group = used.trailing_zeros() as usize;
            let in_group = self.groups[first + group];
            let word = group * 64 + in_group.trailing_zeros() as usize;
            let bits = self.words[first * 64 + word];
            let rest = bits & bits.wrapping_sub(1);
            self.words[first * 64 + word] = rest;
            taken[count % MOST_TAKEN] = (word * 64) as u32 + bits.trailing_zeros();
            count += 1;
            let left = if rest == 0 { in_group & in_group.wrapping_sub(1) } else { in_group };
            self.groups[first + group] = left;
            used = if left == 0 { used & used.wrapping_sub(1) } else { used };
        }
        index[unit] = used;
        count
    }

    fn clear(&mut self, index: [u64; UNITS]) {
        for (unit, mut used) in index.into_iter().enumerate() {
            while used != 0 {
                let group = unit * self.span + used.trailing_zeros() as usize;
                while self.groups[group] != 0 {
                    self.words[group * 64 + self.groups[group].trailing_zeros() as usize] = 0;
                    self.groups[group] &= self.groups[group] - 1;
                }
                used &= used - 1;
            }
        }
    }
}

/// For each unit a list sorted from the last place to the first.
#[derive(Debug, Clone)]
pub struct Sorted<const UNITS: usize>([Vec<u32>; UNITS]);

impl<const UNITS: usize> ReadyQueues<UNITS> for Sorted<UNITS> {
    type Link = Option<(u32, u8)>;

    type Index = ();

    const MOST: usize = u32::MAX as usize;

    fn holding(_places: usize) -> Self {
        Self(std::array::from_fn(|_| Vec::with_capacity(MOST_TAKEN)))
    }

    fn link(next: Option<(u32, u8)>) -> Self::Link {
        next
    }

    fn nothing() {}

    #[inline]
    fn add(&mut self, (): &mut (), link: Self::Link) {
        let Some((place, unit)) = link else { return };
        let list = &mut self.0[usize::from(unit) % UNITS];
        let at = list.partition_point(|&other| other > place);
        list.insert(at, place);
    }

    #[inline]
    fn take(
        &mut self,
        (): &mut (),
        unit: usize,
        most: u32,
        taken: &mut [u32; MOST_TAKEN],
        mut count: usize,
    ) -> usize {
        for _ in 0..most {
            let Some(place) = self.0[unit].pop() else { break };
            taken[count % MOST_TAKEN] = place;
            count += 1;
        }
        count
    }

    fn clear(&mut self, (): ()) {
        self.0.iter_mut().for_each(Vec::clear);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seeded;
    use std::collections::BTreeSet;

    fn behaves_like_sets<Q: ReadyQueues<3>>(most: u32) {
        let mut rng = Seeded::new(5, 0);
        let (mut queues, mut sets) = (Q::holding(most as usize), [const { BTreeSet::new() }; 3]);
        let mut index = Q::nothing();
        let mut taken = [0; MOST_TAKEN];
        for _ in 0..20_000 {
            let unit = rng.below(3) as usize;
            match rng.below(20) {
                0 => {
                    queues.clear(std::mem::replace(&mut index, Q::nothing()));
                    sets.iter_mut().for_each(BTreeSet::clear);
                }
                1 => queues.add(&mut index, Q::link(None)),
                2..11 => {
                    let place = rng.below(most);
                    if sets[unit].insert(place) {
                        queues.add(&mut index, Q::link(Some((place, unit as u8))));
                    }
                }
                _ => {
                    let most = rng.below(4);
                    taken[0] = 77;
                    let count = queues.take(&mut index, unit, most, &mut taken, 1);
                    let expected: Vec<u32> = (0..most).map_while(|_| sets[unit].pop_first()).collect();
                    assert_eq!((taken[0], &taken[1..count]), (77, &expected[..]));
                }
            }
        }
    }

    #[test]
    fn all_shapes_behave_like_sets() {
        behaves_like_sets::<Bits>(4_096);
        behaves_like_sets::<Deep>(5_000);
        behaves_like_sets::<Deep>(262_144);
        behaves_like_sets::<Sorted<3>>(1_000_000);
    }
}
