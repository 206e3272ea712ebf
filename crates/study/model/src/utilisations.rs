//! Utilisations of tasks that add up to a sum, drawn uniformly.
//!
//! [`uniform`] has the distribution of UUniFast (Bini and Buttazzo 2005): the gaps between sorted uniform numbers, which
//! need no powers. [`rescaled`] is Dirichlet-Rescale (Griffin, Bate and Davis 2020): each utilisation within limits of
//! its own.
//!
//! Invariant: utilisations are whole billionths, and their sum is exactly what was asked for.

use base::Seeded;

/// The unit of utilisations.
pub const BILLION: u64 = 1_000_000_000;

/// `count` numbers from 0 up with this sum, each division of it equally likely.
pub fn uniform(rng: &mut Seeded, count: usize, sum: u64) -> Vec<u64> {
    let mut cuts: Vec<u64> = (1..count).map(|_| rng.below_wide(sum.saturating_add(1))).collect();
    cuts.sort_unstable();
    cuts.push(sum);
    let mut before = 0;
    let gaps = cuts.into_iter().map(|cut| cut - std::mem::replace(&mut before, cut));
    if count == 0 { Vec::new() } else { gaps.collect() }
}

/// What a utilisation may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// At least this.
    pub least: u64,
    /// At most this.
    pub most: u64,
}

/// Why there is no such division.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoDivision {
    /// The limits do not admit the sum.
    Sum {
        /// The least sum.
        least: u64,
        /// The largest one.
        most: u64,
    },
    /// Some limits are the wrong way round.
    Order,
    /// It was not found within many attempts.
    Attempts,
}

/// How often a draw is rescaled before another one is made; rounding wears it out.
const MOST_RESCALES: usize = 1_000;
/// How many draws are made.
const MOST_DRAWS: usize = 1_000;

/// One number for each of the limits, within them, with this sum, each such division equally likely.
pub fn rescaled(rng: &mut Seeded, limits: &[Limits], sum: u64) -> Result<Vec<u64>, NoDivision> {
    if limits.iter().any(|limit| limit.least > limit.most) {
        return Err(NoDivision::Order);
    }
    let total = |part: fn(&Limits) -> u64| limits.iter().map(part).fold(0u64, u64::saturating_add);
    let (least, most) = (total(|limit| limit.least), total(|limit| limit.most));
    if !(least..=most).contains(&sum) {
        return Err(NoDivision::Sum { least, most });
    }
    let rooms: Vec<u64> = limits.iter().map(|limit| limit.most - limit.least).collect();
    let (above, below) = (sum - least, most - sum);
    // What is left of the rooms is divided instead where that is less: fewer draws leave their limits.
    let drawn = within(rng, &rooms, above.min(below)).ok_or(NoDivision::Attempts)?;
    let taken = |(limit, drawn): (&Limits, u64)| {
        if above <= below { limit.least + drawn } else { limit.most - drawn }
    };
    Ok(limits.iter().zip(drawn).map(taken).collect())
}

/// Numbers from 0 up to their rooms with this sum.
fn within(rng: &mut Seeded, rooms: &[u64], sum: u64) -> Option<Vec<u64>> {
    if sum == 0 {
        return Some(vec![0; rooms.len()]);
    }
    (0..MOST_DRAWS).find_map(|_| {
        let mut at: Vec<f64> = uniform(rng, rooms.len(), sum).into_iter().map(|n| n as f64).collect();
        for _ in 0..MOST_RESCALES {
            // All divisions in which these are over their rooms are a smaller simplex: it is stretched to the whole.
            let over: Vec<usize> = (0..at.len()).filter(|i| at[*i] > rooms[*i] as f64).collect();
            if over.is_empty() {
                return rounded(&at, rooms, sum);
            }
            let rest = sum as f64 - over.iter().map(|i| rooms[*i] as f64).sum::<f64>();
            if rest <= 0.0 {
                return None;
            }
            over.iter().for_each(|i| at[*i] -= rooms[*i] as f64);
            at.iter_mut().for_each(|part| *part *= sum as f64 / rest);
        }
        None
    })
}

/// Whole numbers next to these, with exactly this sum and within the rooms; none where rounding took too much.
fn rounded(at: &[f64], rooms: &[u64], sum: u64) -> Option<Vec<u64>> {
    let mut whole: Vec<u64> =
        at.iter().zip(rooms).map(|(part, room)| (part.max(0.0) as u64).min(*room)).collect();
    let found: u64 = whole.iter().sum();
    let off = found.abs_diff(sum);
    // Each part was rounded down by less than one; more than that is what the stretching lost.
    if off > at.len() as u64 + sum / 1_000_000 {
        return None;
    }
    let mut left = off;
    while left > 0 {
        let before = left;
        for (part, room) in whole.iter_mut().zip(rooms) {
            if left == 0 {
                break;
            }
            let step = left.div_ceil(rooms.len() as u64);
            let step = if found < sum { step.min(room - *part) } else { step.min(*part) };
            *part = if found < sum { *part + step } else { *part - step };
            left -= step;
        }
        if left == before {
            return None;
        }
    }
    Some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_exact() {
        let mut rng = Seeded::new(1, 0);
        for count in 1..40 {
            let sum = rng.below_wide(8 * BILLION);
            let drawn = uniform(&mut rng, count, sum);
            assert_eq!((drawn.len(), drawn.iter().sum::<u64>()), (count, sum));
        }
        assert_eq!(uniform(&mut rng, 0, 5), []);
    }

    /// The mean of each is the same, and half of two are below half of the sum.
    #[test]
    fn no_place_is_favoured() {
        let mut rng = Seeded::new(2, 0);
        let mut sums = [0u64; 5];
        let mut small = 0;
        for _ in 0..20_000 {
            let drawn = uniform(&mut rng, 5, BILLION);
            sums.iter_mut().zip(&drawn).for_each(|(sum, n)| *sum += n);
            // Beyond a share x of the sum with probability (1 - x)^4: 0.0625 for a half.
            small += u32::from(drawn[0] > BILLION / 2);
        }
        for sum in sums {
            let mean = sum / 20_000;
            assert!((196_000_000..204_000_000).contains(&mean), "{mean}");
        }
        assert!((1_150..1_350).contains(&small), "{small}");
    }

    #[test]
    fn limits_are_kept_and_the_sum_is_exact() {
        let mut rng = Seeded::new(3, 0);
        for _ in 0..2_000 {
            let count = 1 + rng.below(20) as usize;
            let limits: Vec<Limits> = (0..count)
                .map(|_| {
                    let least = rng.below_wide(BILLION / 2);
                    Limits { least, most: least + rng.below_wide(BILLION) }
                })
                .collect();
            let (least, most) = limits.iter().fold((0, 0), |(a, b), l| (a + l.least, b + l.most));
            let sum = least + rng.below_wide(most - least + 1);
            let drawn = match rescaled(&mut rng, &limits, sum) {
                Ok(drawn) => drawn,
                Err(why) => unreachable!("{why:?} for {limits:?}, {sum}"),
            };
            assert_eq!(drawn.iter().sum::<u64>(), sum);
            assert!(drawn.iter().zip(&limits).all(|(n, limit)| (limit.least..=limit.most).contains(n)));
        }
    }

    /// Two in a square: each is uniform between what the other's limit leaves.
    #[test]
    fn what_the_limits_leave_is_uniform() {
        let mut rng = Seeded::new(4, 0);
        let limits = [Limits { least: 0, most: 600_000_000 }, Limits { least: 0, most: 700_000_000 }];
        let mut bins = [0u32; 6];
        for _ in 0..12_000 {
            let Ok(drawn) = rescaled(&mut rng, &limits, BILLION) else { unreachable!("fits") };
            // The first lies between 0.3 and 0.6.
            bins[((drawn[0] - 300_000_000) / 50_000_001) as usize] += 1;
        }
        assert!(bins.iter().all(|count| (1_850..2_150).contains(count)), "{bins:?}");
    }

    #[test]
    fn what_cannot_be_divided_says_why() {
        let mut rng = Seeded::new(5, 0);
        let limits = [Limits { least: 1, most: 2 }; 3];
        assert_eq!(rescaled(&mut rng, &limits, 7), Err(NoDivision::Sum { least: 3, most: 6 }));
        assert_eq!(rescaled(&mut rng, &limits, 2), Err(NoDivision::Sum { least: 3, most: 6 }));
        assert_eq!(rescaled(&mut rng, &[Limits { least: 2, most: 1 }], 2), Err(NoDivision::Order));
        assert_eq!(rescaled(&mut rng, &limits, 6), Ok(vec![2, 2, 2]));
        assert_eq!(rescaled(&mut rng, &limits, 3), Ok(vec![1, 1, 1]));
    }
}
