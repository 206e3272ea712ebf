//! Numbers along an axis of nanoseconds, in exact decimals of one unit, and times in words.

use super::scale::Scale;
use super::words;
use base::people;

/// Numbers along the axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Ticks {
    /// Their unit.
    pub unit: &'static str,
    /// Nanoseconds and number of each.
    pub at: Vec<(u64, String)>,
}

/// Size of the numbers.
pub const SIZE: f64 = 12.0;
/// Room between two numbers.
const APART: f64 = 22.0;
/// Numbers at the most.
const MOST_TICKS: f64 = 120.0;

/// Round numbers for a window, far enough apart to be read; no digit is lost.
pub fn ticks(scale: &Scale) -> Ticks {
    let (from, to) = (scale.from.max(0.0), scale.to.max(0.0));
    let (unit, digits) = unit(to);
    let mut step = 1u64;
    for factor in [2, 0, 2].into_iter().cycle().take(57) {
        let widest = words::width(&decimal(to as u64, step, digits), SIZE) + APART;
        if step as f64 * scale.per_unit() >= widest && (to - from) / step as f64 <= MOST_TICKS {
            break;
        }
        step = if factor == 0 { step / 2 * 5 } else { step.saturating_mul(factor) };
    }
    let first = (from / step as f64).ceil() as u64;
    let mut at = Vec::new();
    for i in first..first.saturating_add(1_000) {
        let Some(nanos) = i.checked_mul(step).filter(|&nanos| nanos as f64 <= to) else { break };
        at.push((nanos, decimal(nanos, step, digits)));
    }
    Ticks { unit, at }
}

/// A time at a place of an axis, in its unit and as fine as a pixel there.
pub fn along(scale: &Scale, nanos: u64) -> String {
    let (unit, digits) = unit(scale.to);
    // A round width must not fall below itself.
    let pixel = (1.0 + 1e-9) / scale.per_unit().max(f64::MIN_POSITIVE);
    let mut step = 1u64;
    while step < 10u64.pow(digits) && step as f64 * 10.0 <= pixel {
        step *= 10;
    }
    format!("{} {unit}", decimal(nanos, step, digits))
}

/// The unit of an axis that goes so far, and its digits.
fn unit(to: f64) -> (&'static str, u32) {
    match to {
        t if t < 1e3 => ("ns", 0),
        t if t < 1e6 => ("µs", 3),
        t if t < 1e9 => ("ms", 6),
        _ => ("s", 9),
    }
}

/// A time in a unit of 10^digits nanoseconds, with as many decimals as the steps between such times have.
fn decimal(nanos: u64, step: u64, digits: u32) -> String {
    let one = 10u64.pow(digits);
    let whole = people::grouped((nanos / one).into());
    let zeros = (0..digits).take_while(|&n| step.is_multiple_of(10u64.pow(n + 1))).count();
    let decimals = digits as usize - zeros;
    if decimals == 0 {
        return whole;
    }
    let rest = format!("{:0width$}", nanos % one, width = digits as usize);
    format!("{whole}.{}", &rest[..decimals])
}

/// A time in the unit that fits it: three digits of it.
pub fn in_words(nanos: i64) -> String {
    let sign = if nanos < 0 { "−" } else { "" };
    let size = nanos.unsigned_abs();
    let rounded = |unit: f64, name: &str| {
        let value = size as f64 / unit;
        let digits = if value < 9.995 { 2 } else { usize::from(value < 99.95) };
        format!("{sign}{value:.digits$} {name}")
    };
    match size {
        0..1_000 => format!("{sign}{size} ns"),
        1_000..999_500 => rounded(1e3, "µs"),
        999_500..999_500_000 => rounded(1e6, "ms"),
        _ => rounded(1e9, "s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(from: f64, to: f64) -> String {
        let ticks = ticks(&Scale { from, to, left: 64.0, right: 664.0 });
        let numbers: Vec<String> = ticks.at.into_iter().map(|(_, number)| number).collect();
        format!("{} {}", numbers.join(" "), ticks.unit)
    }

    #[test]
    fn times_have_three_digits() {
        let said = [0, 999, 1_000, -41_237, 999_499, 999_500, 12_345_678, 3_000_000_000].map(in_words);
        assert_eq!(said, ["0 ns", "999 ns", "1.00 µs", "−41.2 µs", "999 µs", "1.00 ms", "12.3 ms", "3.00 s"]);
    }

    #[test]
    fn a_place_is_told_as_fine_as_it_is_drawn() {
        let at = |from, to, nanos| along(&Scale { from, to, left: 0.0, right: 1_000.0 }, nanos);
        assert_eq!(at(0.0, 43e9, 12_345_678_901), "12.34 s");
        assert_eq!(at(12.3e9, 12.4e9, 12_345_678_901), "12.3456 s");
        assert_eq!(at(12_345e6, 12_346e6, 12_345_678_901), "12.345678 s");
        assert_eq!(at(0.0, 900e3, 12_345), "12.3 µs");
        assert_eq!(at(0.0, 10e3, 1_234), "1.23 µs");
        assert_eq!(at(12_000.0, 12_100.0, 12_034), "12.034 µs");
        assert_eq!(at(0.0, 900.0, 12), "12 ns");
        assert_eq!(at(0.0, 4e12, 1_000_000_000), "1 s");
    }

    #[test]
    fn numbers_are_round_and_exact_from_nanoseconds_to_hours() {
        assert_eq!(shown(0.0, 12.0), "0 1 2 3 4 5 6 7 8 9 10 11 12 ns");
        assert_eq!(shown(0.0, 999.0), "0 100 200 300 400 500 600 700 800 900 ns");
        assert_eq!(shown(1_000.0, 1_100.0), "1.00 1.01 1.02 1.03 1.04 1.05 1.06 1.07 1.08 1.09 1.10 µs");
        assert_eq!(shown(0.0, 12e6), "0 1 2 3 4 5 6 7 8 9 10 11 12 ms");
        assert_eq!(shown(0.1e9, 1.05e9), "0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1.0 s");
        assert_eq!(shown(0.0, 7.2e12), "0 1,000 2,000 3,000 4,000 5,000 6,000 7,000 s");
        assert_eq!(shown(3.6e12, 3.6e12 + 100.0), "3,600.00000000 3,600.00000005 3,600.00000010 s");
    }

    #[test]
    fn odd_windows_have_few_numbers() {
        for (from, to) in [(-5.0, -1.0), (0.0, 1e-3), (0.0, 1.6e19), (1.5e19, 1.6e19), (0.25, 0.75)] {
            let ticks = ticks(&Scale { from, to, left: 64.0, right: 65.0 });
            assert!(ticks.at.len() < 5, "{ticks:?}");
        }
    }
}
