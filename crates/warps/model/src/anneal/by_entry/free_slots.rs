//! How many free slots cycles have, a bit for each cycle.

/// Cycles that are near: one less than a word has bits, so that what begins behind them is not nothing.
pub const NEAR: u32 = 63;

/// The bits of [`NEAR`] cycles.
const NEARLY: u64 = !0 >> 1;

/// The room of one kind of unit, or of the issue slots, in up to 64 cycles.
///
/// Each cycle counts what it holds in `DIGITS` binary digits, one word for each digit. It begins so far from
/// nothing that the count runs over, and the cycle is full, with as many as the capacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreeSlots<const DIGITS: usize> {
    /// The cycles with room.
    pub free: u64,
    digits: [u64; DIGITS],
}

impl<const DIGITS: usize> FreeSlots<DIGITS> {
    /// The largest capacity that the digits can count.
    pub const MOST: u32 = 1 << DIGITS;

    /// Cycles that hold nothing yet and have room for `capacity` each, at most [`Self::MOST`].
    pub fn empty(capacity: u32) -> Self {
        let begin = Self::MOST - capacity.clamp(1, Self::MOST);
        Self { free: !0, digits: std::array::from_fn(|i| if begin >> i & 1 == 1 { !0 } else { 0 }) }
    }

    /// Puts one more into a cycle with room, given as a bit; nothing where there is no bit.
    #[inline(always)]
    pub fn take(&mut self, cycle: u64) {
        let mut carry = cycle;
        for digit in &mut self.digits {
            let over = *digit & carry;
            *digit ^= carry;
            carry = over;
        }
        self.free ^= carry;
    }

    /// The cycles that hold anything.
    pub fn used(&self, empty: &Self) -> u64 {
        let digits = self.digits.iter().zip(&empty.digits);
        digits.fold(!self.free & empty.free, |used, (now, then)| used | (now ^ then))
    }

    /// The same in the first [`NEAR`] cycles only.
    pub fn near(self) -> Self {
        Self { free: self.free & NEARLY, digits: self.digits.map(|digit| digit & NEARLY) }
    }

    /// Leaves the first `by` of [`NEAR`] cycles behind, from 1 on; `far` holds the 64 cycles behind those.
    #[inline(always)]
    pub fn advance(&mut self, far: &mut Self, empty: &Self, by: u32) {
        let shift = |near: &mut u64, far: &mut u64, empty: u64| {
            *near = (*near >> by | *far << (NEAR - by)) & NEARLY;
            *far = *far >> by | empty & (!0 << (64 - by));
        };
        shift(&mut self.free, &mut far.free, empty.free);
        for i in 0..DIGITS {
            shift(&mut self.digits[i], &mut far.digits[i], empty.digits[i]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fills_up<const DIGITS: usize>() {
        for capacity in 1..=FreeSlots::<DIGITS>::MOST {
            let empty = FreeSlots::<DIGITS>::empty(capacity);
            let mut room = empty;
            for taken in 0..capacity {
                assert_eq!(room.free & 4, 4, "{taken} of {capacity}");
                assert_eq!(room.used(&empty), if taken > 0 { 4 } else { 0 });
                room.take(4);
            }
            assert_eq!((room.free, room.used(&empty)), (!4, 4), "{capacity}");
        }
    }

    #[test]
    fn a_cycle_is_full_with_as_many_as_the_capacity() {
        fills_up::<0>();
        fills_up::<2>();
        fills_up::<4>();
    }
}
