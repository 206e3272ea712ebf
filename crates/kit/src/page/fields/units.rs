//! Times of a document, which counts nanoseconds, as people write them. No digit is lost either way.

/// The unit of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Milliseconds.
    Millis,
    /// Microseconds.
    Micros,
}

/// What may be written behind a number, and how many digits after the point make it nanoseconds.
const SUFFIXES: [(&str, usize); 6] = [("ns", 0), ("us", 3), ("µs", 3), ("μs", 3), ("ms", 6), ("s", 9)];

impl Unit {
    /// Digits after the point.
    fn digits(self) -> usize {
        match self {
            Unit::Millis => 6,
            Unit::Micros => 3,
        }
    }

    /// Its sign.
    pub fn sign(self) -> &'static str {
        match self {
            Unit::Millis => "ms",
            Unit::Micros => "µs",
        }
    }

    /// What is expected of a text.
    pub fn expected(self) -> String {
        format!("a time in {}, or with a unit as in 2 s, 50 µs or 300 ns; up to 11 days", self.sign())
    }
}

/// A time in nanoseconds as a number of the unit: `1500000` is `1.5` ms.
pub fn shown(nanos: u64, unit: Unit) -> String {
    let digits = unit.digits();
    let one = 10_u64.pow(u32::try_from(digits).unwrap_or_default());
    let rest = format!("{:0digits$}", nanos % one);
    match rest.trim_end_matches('0') {
        "" => (nanos / one).to_string(),
        rest => format!("{}.{rest}", nanos / one),
    }
}

/// Nanoseconds of what someone typed: a number of the unit, or of another one written behind it. None for what is no
/// such number, and for one that is no whole number of nanoseconds.
pub fn read(text: &str, unit: Unit) -> Option<u64> {
    let text = text.trim();
    let suffix = SUFFIXES.iter().find_map(|(sign, digits)| Some((text.strip_suffix(sign)?, *digits)));
    let (number, digits) = suffix.unwrap_or((text, unit.digits()));
    decimal(number, digits)
}

/// A decimal number as a whole one, so many digits after the point and no more.
fn decimal(number: &str, digits: usize) -> Option<u64> {
    let (whole, rest) = number.trim_end().split_once('.').unwrap_or((number.trim_end(), ""));
    let rest = rest.trim_end_matches('0');
    let number = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
    if whole.is_empty() || !number(whole) || !number(rest) || rest.len() > digits {
        return None;
    }
    format!("{whole}{rest:0<digits$}").parse().ok()
}

/// What may be written behind a clock, and how many digits after the point make it hertz.
const CLOCKS: [(&str, usize); 4] = [("GHz", 9), ("MHz", 6), ("kHz", 3), ("Hz", 0)];
/// What is expected of a clock.
pub const CLOCK_EXPECTED: &str = "a clock in MHz, or with a unit as in 1.3 GHz; 1 MHz to 1,000 GHz";

/// A clock in hertz as megahertz: `1300000000` is `1300`.
pub fn shown_clock(hertz: u64) -> String {
    shown(hertz, Unit::Millis) // both have six digits after the point
}

/// Hertz of what someone typed: megahertz, or another unit written behind the number.
pub fn read_clock(text: &str) -> Option<u64> {
    let text = text.trim();
    let suffix = CLOCKS.iter().find_map(|(sign, digits)| Some((text.strip_suffix(sign)?, *digits)));
    let (number, digits) = suffix.unwrap_or((text, 6));
    decimal(number, digits)
}

#[cfg(test)]
mod tests {
    use super::Unit::{Micros, Millis};
    use super::*;
    use base::Seeded;

    #[test]
    fn nanoseconds_as_milliseconds() {
        let times = [0, 1, 1_500_000, 4_000_000_000, 1_000_001].map(|nanos| shown(nanos, Millis));
        assert_eq!(times, ["0", "0.000001", "1.5", "4000", "1.000001"]);
        assert_eq!([50_000, 1].map(|nanos| shown(nanos, Micros)), ["50", "0.001"]);
    }

    #[test]
    fn what_people_type() {
        let read = |text| read(text, Millis);
        assert_eq!(read("4"), Some(4_000_000));
        assert_eq!(read(" 1.5 "), Some(1_500_000));
        assert_eq!(read("1."), Some(1_000_000));
        assert_eq!(read("2 s"), Some(2_000_000_000));
        assert_eq!(read("50us"), Some(50_000));
        assert_eq!(read("50 µs"), Some(50_000));
        assert_eq!(read("300ns"), Some(300));
        assert_eq!(read("0.0000010"), Some(1));
        let wrong =
            ["", ".5", "-1", "1e3", "1.2.3", "0.0000001", "1,5", "s", "99999999999999999999", "+1", "1 h"];
        assert_eq!(wrong.map(read), wrong.map(|_| None));
    }

    #[test]
    fn clocks_that_people_type() {
        assert_eq!(shown_clock(1_300_500_000), "1300.5");
        let typed = ["1300", "1.3 GHz", "1300MHz", "32 kHz", "7 Hz", "fast", "1.5 Hz"].map(read_clock);
        let wanted = [
            Some(1_300_000_000),
            Some(1_300_000_000),
            Some(1_300_000_000),
            Some(32_000),
            Some(7),
            None,
            None,
        ];
        assert_eq!(typed, wanted);
    }

    #[test]
    fn no_digit_is_lost() {
        let mut rng = Seeded::new(3, 0);
        for _ in 0..2_000 {
            let nanos =
                (u64::from(rng.below(1 << 31)) << 20 | u64::from(rng.below(1 << 20))) >> rng.below(50);
            for unit in [Millis, Micros] {
                assert_eq!(read(&shown(nanos, unit), unit), Some(nanos));
            }
        }
    }
}
