//! Periods whose logarithms are uniform (Emberson, Stafford and Davis 2010, section III): as many between 1 and 10
//! milliseconds as between 10 and 100.
//!
//! A power of the ratio is put together of square roots, which are the same on every machine.

use base::Seeded;

/// A whole number from `low` to `high`, which are from 1 up, its logarithm uniform.
pub fn log_uniform(rng: &mut Seeded, low: u64, high: u64) -> u64 {
    let (low, high) = (low.max(1), high.max(low.max(1)));
    // One more than the last, as numbers are rounded down: each stands for what lies between it and the next.
    let ratio = (high as f64 + 1.0) / low as f64;
    let (mut root, mut power) = (ratio.sqrt(), 1.0);
    let share = rng.below(u32::MAX);
    for bit in (0..u32::BITS).rev() {
        if share >> bit & 1 == 1 {
            power *= root;
        }
        root = root.sqrt();
    }
    ((low as f64 * power) as u64).clamp(low, high)
}

/// A whole number from `low` to `high`, all equally likely.
pub fn uniform(rng: &mut Seeded, low: u64, high: u64) -> u64 {
    low + rng.below_wide(high.saturating_sub(low).saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_in_each_decade() {
        let mut rng = Seeded::new(3, 0);
        let drawn: Vec<u64> = (0..30_000).map(|_| log_uniform(&mut rng, 10, 9_999)).collect();
        assert!(drawn.iter().all(|period| (10..=9_999).contains(period)));
        for low in [10, 100, 1_000] {
            let count = drawn.iter().filter(|period| (low..10 * low).contains(*period)).count();
            assert!((9_600..10_400).contains(&count), "{low}: {count}");
        }
        assert!((0..100).all(|_| log_uniform(&mut rng, 7, 7) == 7));
        let large: Vec<u64> = (0..100).map(|_| log_uniform(&mut rng, 1, 1_000_000_000_000)).collect();
        assert!(large.iter().all(|period| (1..=1_000_000_000_000).contains(period)));
    }

    #[test]
    fn uniform_numbers_reach_both_ends() {
        let mut rng = Seeded::new(3, 0);
        let drawn: Vec<u64> = (0..1_000).map(|_| uniform(&mut rng, 5, 8)).collect();
        assert!((5..=8).all(|wanted| drawn.contains(&wanted)) && drawn.iter().all(|n| (5..=8).contains(n)));
    }
}
