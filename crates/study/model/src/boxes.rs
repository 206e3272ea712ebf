//! The numbers of a box plot (Tukey 1977): quartiles, whiskers to the last value within 1.5 times their distance, and
//! what lies outside.

use super::statistics::quantile;

/// A box.
#[derive(Debug, Clone, PartialEq)]
pub struct BoxNumbers {
    /// The lowest value that is no outlier.
    pub whisker_low: f64,
    /// A quarter is below.
    pub quartile_1: f64,
    /// Half are below.
    pub median: f64,
    /// Three quarters are below.
    pub quartile_3: f64,
    /// The highest value that is no outlier.
    pub whisker_high: f64,
    /// The others, ascending.
    pub outliers: Vec<f64>,
}

/// The box of these values; none where there are none.
pub fn box_of(values: &[f64]) -> Option<BoxNumbers> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let [quartile_1, median, quartile_3] = [0.25, 0.5, 0.75].map(|share| quantile(&sorted, share));
    let reach = 1.5 * (quartile_3 - quartile_1);
    let within = |value: &f64| (quartile_1 - reach..=quartile_3 + reach).contains(value);
    Some(BoxNumbers {
        whisker_low: *sorted.iter().find(|value| within(value))?,
        quartile_1,
        median,
        quartile_3,
        whisker_high: *sorted.iter().rev().find(|value| within(value))?,
        outliers: sorted.into_iter().filter(|value| !within(value)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outliers_are_told_apart() {
        let Some(found) = box_of(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 30.0, -20.0]) else {
            unreachable!("some")
        };
        assert_eq!((found.quartile_1, found.median, found.quartile_3), (2.0, 4.0, 6.0));
        assert_eq!((found.whisker_low, found.whisker_high), (1.0, 7.0));
        assert_eq!(found.outliers, [-20.0, 30.0]);
        assert!(box_of(&[5.0]).is_some_and(|one| one.whisker_low == 5.0 && one.outliers.is_empty()));
        assert_eq!(box_of(&[]), None);
    }
}
