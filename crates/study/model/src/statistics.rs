//! What is said of many measurements: mean with a confidence interval, quantiles; of truths their share with one.
//!
//! Intervals are of 95 %: Student's for a mean, which takes measurements for independent and about normal, or many;
//! Wilson's (1927) for a share. Sums go from the first measurement to the last, so that the same measurements in the
//! same order have the same mean on every machine.

/// The quantile 0.975 of Student's distribution with 1 to 30 degrees of freedom.
const STUDENT: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];
/// The same of the normal distribution.
const NORMAL: f64 = 1.959_964;

/// Numbers in short.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Numbers {
    /// How many.
    pub count: u64,
    /// Their mean.
    pub mean: f64,
    /// The standard deviation of a measurement; none for a single one.
    pub deviation: Option<f64>,
    /// The interval of 95 % for the mean; none for a single one.
    pub interval: Option<[f64; 2]>,
    /// The smallest.
    pub least: f64,
    /// A quarter is below.
    pub quartile_1: f64,
    /// Half are below.
    pub median: f64,
    /// Three quarters are below.
    pub quartile_3: f64,
    /// The largest.
    pub most: f64,
}

/// Truths in short.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// How many.
    pub count: u64,
    /// How many of them hold.
    pub holds: u64,
    /// Their share.
    pub share: f64,
    /// The interval of 95 % for the share.
    pub interval: [f64; 2],
}

/// Numbers in short; none where there are none.
pub fn numbers(values: &[f64]) -> Option<Numbers> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (least, most) = (*sorted.first()?, *sorted.last()?);
    let count = values.len() as f64;
    // Once more over what is left: large numbers close to each other lose nothing.
    let rough = values.iter().sum::<f64>() / count;
    let mean = rough + values.iter().map(|value| value - rough).sum::<f64>() / count;
    let squares = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
    let deviation = (values.len() > 1).then(|| (squares / (count - 1.0)).sqrt());
    let interval = deviation.map(|deviation| {
        let half = student(values.len() as u64 - 1) * deviation / count.sqrt();
        [mean - half, mean + half]
    });
    let at = |share| quantile(&sorted, share);
    Some(Numbers {
        count: values.len() as u64,
        mean,
        deviation,
        interval,
        least,
        quartile_1: at(0.25),
        median: at(0.5),
        quartile_3: at(0.75),
        most,
    })
}

/// The quantile of ascending numbers, between the two next to it in proportion (Hyndman and Fan's type 7); 0 of none.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let place = share.clamp(0.0, 1.0) * last as f64;
    let below = place.floor();
    let (low, high) = (sorted[below as usize], sorted[(below as usize + 1).min(last)]);
    low + (high - low) * (place - below)
}

/// How often something holds; none where nothing was looked at.
pub fn share(holds: u64, count: u64) -> Option<Share> {
    if count == 0 || holds > count {
        return None;
    }
    let (n, p, z) = (count as f64, holds as f64 / count as f64, NORMAL * NORMAL);
    let middle = (p + z / (2.0 * n)) / (1.0 + z / n);
    let half = NORMAL * (p * (1.0 - p) / n + z / (4.0 * n * n)).sqrt() / (1.0 + z / n);
    // At the ends the interval touches 0 or 1; rounding must not leave it short of them.
    let low = if holds == 0 { 0.0 } else { (middle - half).max(0.0) };
    let high = if holds == count { 1.0 } else { (middle + half).min(1.0) };
    Some(Share { count, holds, share: p, interval: [low, high] })
}

/// The quantile 0.975 of Student's distribution: a table, then the expansion of Cornish and Fisher.
pub fn student(freedom: u64) -> f64 {
    if let Some(known) = usize::try_from(freedom).ok().and_then(|n| STUDENT.get(n.checked_sub(1)?)) {
        return *known;
    }
    if freedom == 0 {
        return f64::INFINITY;
    }
    let (n, z) = (freedom as f64, NORMAL);
    let (z3, z5) = (z * z * z, z * z * z * z * z);
    z + (z3 + z) / (4.0 * n) + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * n * n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seeded;

    #[test]
    fn numbers_in_short() {
        let Some(found) = numbers(&[4.0, 1.0, 3.0, 2.0, 10.0]) else { unreachable!("some") };
        assert_eq!((found.count, found.mean, found.least, found.most), (5, 4.0, 1.0, 10.0));
        assert_eq!((found.quartile_1, found.median, found.quartile_3), (2.0, 3.0, 4.0));
        assert_eq!(found.deviation, Some(12.5f64.sqrt()));
        let [low, high] = found.interval.unwrap_or_default();
        assert!((low - (4.0 - 2.776 * (2.5f64).sqrt())).abs() < 1e-9 && (low + high - 8.0).abs() < 1e-9);
        assert_eq!(numbers(&[]), None);
        assert!(numbers(&[7.0]).is_some_and(|one| one.mean == 7.0 && one.interval.is_none()));
    }

    #[test]
    fn large_numbers_close_together_keep_their_spread() {
        let values: Vec<f64> = (0..100).map(|i| 1e15 + f64::from(i % 2)).collect();
        assert!(numbers(&values).is_some_and(|found| (found.mean - 1e15 - 0.5).abs() < 0.2
            && found.deviation.is_some_and(|deviation| (0.4..0.6).contains(&deviation))));
    }

    /// Wilson's interval of 8 in 10, as in any table of it.
    #[test]
    fn shares_have_wilsons_interval() {
        let Some(found) = share(8, 10) else { unreachable!("some") };
        assert!((found.interval[0] - 0.4902).abs() < 1e-4 && (found.interval[1] - 0.9433).abs() < 1e-4);
        assert_eq!(share(0, 10).map(|none| none.interval[0]), Some(0.0));
        assert_eq!(share(10, 10).map(|all| all.interval[1]), Some(1.0));
        assert_eq!((share(0, 0), share(2, 1)), (None, None));
    }

    #[test]
    fn students_quantiles_go_down_to_the_normal_one() {
        assert!((student(31) - 2.0395).abs() < 1e-3 && (student(100) - 1.9840).abs() < 1e-3);
        assert!((1..200).all(|n| student(n) > student(n + 1)));
        assert_eq!(student(0), f64::INFINITY);
    }

    /// The interval holds the mean as often as it says.
    #[test]
    fn nineteen_of_twenty_intervals_hold_the_mean() {
        let mut rng = Seeded::new(1, 0);
        let holds = (0..2_000).filter(|_| {
            let values: Vec<f64> = (0..8).map(|_| (0..12).map(|_| rng.share()).sum::<f64>()).collect();
            numbers(&values).and_then(|n| n.interval).is_some_and(|[low, high]| low <= 6.0 && 6.0 <= high)
        });
        let holds = holds.count();
        assert!((1_870..1_930).contains(&holds), "{holds}");
    }
}
