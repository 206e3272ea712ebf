//! The seed of a cell, made of the study's seed, the point and the sample: any cell can be drawn again alone.
//!
//! A point enters as its text, so that its cells keep their seeds when an axis gets more values.

use base::Seeded;

/// Seeds have so many bits: JSON's numbers are whole up to there wherever they are read.
const BITS: u32 = 53;

/// The seed of a sample of a point.
pub fn seed_of(study: u64, point: &str, sample: u64) -> u64 {
    let of_point = Seeded::new(study, fnv(point.as_bytes())).wide();
    Seeded::new(of_point, sample).wide() >> (u64::BITS - BITS)
}

/// FNV-1a, 64 bits.
fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn seeds_are_the_same_on_every_machine() {
        assert_eq!([seed_of(1, "", 0), seed_of(1, "a", 0), seed_of(2, "a", 1)], SEEDS);
    }

    const SEEDS: [u64; 3] = [3_071_489_422_508_497, 8_913_522_511_839_902, 2_497_275_907_120_596];

    #[test]
    fn every_cell_has_its_own() {
        let seeds: HashSet<u64> = (0..100)
            .flat_map(|point| (0..100).map(move |sample| seed_of(7, &format!("[{point}]"), sample)))
            .collect();
        assert_eq!(seeds.len(), 10_000);
        assert!(seeds.iter().all(|seed| *seed < 1 << 53));
    }
}
