//! Random numbers that are the same on every machine: ChaCha8, one stream per chain.
//!
//! What stored results depend on is sampled here, so that a new version of a library cannot change them. For all else
//! it is one of `rand`'s generators: distributions and sequences of that crate draw from it.

use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A generator named by a seed and a stream number.
#[derive(Debug, Clone)]
pub struct Seeded(ChaCha8Rng);

impl Seeded {
    /// The generator of chain `stream` under `seed`.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        Self(rng)
    }

    /// The same generator after `drawn` numbers of 32 bits.
    pub fn resumed(seed: u64, stream: u64, drawn: u64) -> Self {
        let mut resumed = Self::new(seed, stream);
        resumed.0.set_word_pos(u128::from(drawn));
        resumed
    }

    /// How many numbers of 32 bits were drawn.
    pub fn drawn(&self) -> u64 {
        self.0.get_word_pos() as u64
    }

    /// A number from 0 up to but not including 1, in steps of 2^-32.
    pub fn share(&mut self) -> f64 {
        f64::from(self.0.next_u32()) / 4_294_967_296.0
    }

    /// A number in `0..bound`, every one equally likely (`bound` at least 1).
    pub fn below(&mut self, bound: u32) -> u32 {
        // Multiply-shift with rejection (Lemire 2019): exact, and one multiplication as a rule.
        loop {
            let wide = u64::from(self.0.next_u32()) * u64::from(bound);
            let low = wide as u32;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (wide >> 32) as u32;
            }
        }
    }

    /// 64 bits.
    pub fn wide(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..bound` of 64 bits, every one equally likely (`bound` at least 1).
    pub fn below_wide(&mut self, bound: u64) -> u64 {
        loop {
            let wide = u128::from(self.wide()) * u128::from(bound);
            let low = wide as u64;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (wide >> 64) as u64;
            }
        }
    }

    /// Puts `items` in an order drawn uniformly (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (2..=items.len()).rev() {
            let pick = self.below(u32::try_from(end).unwrap_or(u32::MAX)) as usize;
            items.swap(end - 1, pick);
        }
    }
}

/// Draws the same numbers as the sampling above, 32 bits at a time.
impl RngCore for Seeded {
    fn next_u32(&mut self) -> u32 {
        self.0.next_u32()
    }

    fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        self.0.fill_bytes(bytes);
    }
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;

    #[test]
    fn same_seed_same_numbers_other_stream_other_numbers() {
        let draw = |stream| {
            let mut rng = Seeded::new(1, stream);
            [rng.below(1000), rng.below(1000), rng.below(1000), rng.below(1000)]
        };
        assert_eq!(draw(0), draw(0));
        assert_ne!(draw(0), draw(1));
    }

    #[test]
    fn a_resumed_generator_goes_on_where_it_was() {
        let mut rng = Seeded::new(9, 4);
        for _ in 0..1_003 {
            rng.below(10);
        }
        let mut resumed = Seeded::resumed(9, 4, rng.drawn());
        let numbers = |rng: &mut Seeded| [rng.below(1_000), rng.below(1_000), rng.below(1_000)];
        assert_eq!(numbers(&mut resumed), numbers(&mut rng));
        let share = rng.share();
        assert!((0.0..1.0).contains(&share) && share == resumed.share());
    }

    #[test]
    fn it_is_a_generator_of_rand() {
        let drawn = Seeded::new(5, 2).random_iter().take(4).collect::<Vec<u32>>();
        let mut again = Seeded::new(5, 2);
        assert_eq!(drawn, [0; 4].map(|_| again.next_u32()));
        assert!((10..20).contains(&again.random_range(10..20)));
        assert_eq!(again.drawn(), 5);
    }

    #[test]
    fn below_is_uniform_enough() {
        let mut rng = Seeded::new(7, 0);
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[rng.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|&n| (9_500..10_500).contains(&n)), "{seen:?}");
    }

    #[test]
    fn a_shuffle_keeps_all_items() {
        let mut items: Vec<u32> = (0..100).collect();
        Seeded::new(3, 0).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
