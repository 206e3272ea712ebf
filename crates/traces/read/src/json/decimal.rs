//! Decimal numbers as whole numbers of a smaller unit, exactly: no float takes part.

/// A number in a smaller unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scaled {
    /// So many of the smaller unit.
    pub value: i64,
    /// Whether that is all: else it was rounded, half away from zero.
    pub exact: bool,
}

/// Digits that are looked at; those behind them only say that the number is not exact.
const MOST_DIGITS: usize = 36;

/// Reads a decimal number and multiplies it by ten, so many times: microseconds times three are nanoseconds. None where
/// the text is no number, or one too large.
pub fn scaled(text: &[u8], times: i32) -> Option<Scaled> {
    short(text, times).or_else(|| any(std::str::from_utf8(text).ok()?, times))
}

/// The same of what nearly all numbers are: a few digits that make a whole number; none of all others.
fn short(text: &[u8], times: i32) -> Option<Scaled> {
    let (negative, text) = text.strip_prefix(b"-").map_or((false, text), |rest| (true, rest));
    let (mut value, mut shift, mut fraction, mut digits): (u64, _, _, _) = (0, times, false, 0);
    for &byte in text {
        if byte == b'.' && !fraction {
            fraction = true;
            continue;
        }
        let digit = byte.checked_sub(b'0').filter(|&digit| digit < 10 && digits < 19)?;
        value = value * 10 + u64::from(digit);
        digits += 1;
        shift -= i32::from(fraction);
    }
    let power = 10_u64.checked_pow(u32::try_from(shift).ok()?)?;
    let value = i64::try_from(value.checked_mul(power)?).ok().filter(|_| digits > 0)?;
    Some(Scaled { value: if negative { -value } else { value }, exact: true })
}

fn any(text: &str, times: i32) -> Option<Scaled> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut read = Digits::default();
    read.all(whole, false)?;
    read.all(fraction, true)?;
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let (value, exact) = shifted(read.value, read.shift.checked_add(exponent)?.checked_add(times)?)?;
    let value = i64::try_from(if negative { -value } else { value }).ok()?;
    Some(Scaled { value, exact: exact && !read.more })
}

#[derive(Default)]
struct Digits {
    value: i128,
    count: usize,
    shift: i32,
    more: bool,
}

impl Digits {
    fn all(&mut self, text: &str, fraction: bool) -> Option<()> {
        for digit in text.bytes() {
            let digit = digit.checked_sub(b'0').filter(|&digit| digit < 10)?;
            if self.count < MOST_DIGITS {
                self.value = self.value * 10 + i128::from(digit);
                self.count += usize::from(self.value != 0);
                self.shift = self.shift.checked_sub(i32::from(fraction))?;
            } else {
                self.more |= digit != 0;
                self.shift = self.shift.checked_add(i32::from(!fraction))?;
            }
        }
        Some(())
    }
}

/// A number that is not negative, times a power of ten; and whether nothing was lost.
fn shifted(mut value: i128, shift: i32) -> Option<(i128, bool)> {
    if value == 0 {
        return Some((0, true));
    }
    if shift >= 0 {
        for _ in 0..shift {
            value = value.checked_mul(10).filter(|&value| value <= i128::from(i64::MAX))?;
        }
        return Some((value, true));
    }
    let power = 10_i128.checked_pow(shift.unsigned_abs());
    let Some(power) = power else { return Some((0, false)) };
    let (whole, rest) = (value / power, value % power);
    Some((whole + i128::from(rest >= power - rest), rest == 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<(i64, bool)>) {
        assert_eq!(scaled(text.as_bytes(), 3).map(|found| (found.value, found.exact)), expected, "{text}");
    }

    #[test]
    fn nanoseconds_of_microseconds() {
        check("1712195495505543.2", Some((1_712_195_495_505_543_200, true)));
        check("4.928", Some((4928, true)));
        check("0.0005", Some((1, false)));
        check("0.0004", Some((0, false)));
        check("-0.0005", Some((-1, false)));
        check("-12", Some((-12_000, true)));
        check("68.0", Some((68_000, true)));
        check("9007199254740993.001", Some((9_007_199_254_740_993_001, true)));
        check("1.5e3", Some((1_500_000, true)));
        check("15e-1", Some((1500, true)));
        check("0.00000000000000000000000000000000000000000000000001", Some((0, false)));
        check("1.0000000000000000000000000000000000000000000000000", Some((1000, true)));
        check("100000000000000000000000000000000000000000000000000e-45", Some((100_000_000, true)));
    }

    #[test]
    fn what_is_no_number() {
        for text in
            ["", "-", ".", "1e", "1x", "inf", "NaN", "9223372036854775.808", "1e999999999", "1e2147483647"]
        {
            check(text, None);
        }
        check("0e2147483640", Some((0, true)));
        check("1e-2147483600", Some((0, false)));
    }

    /// The short way gives what the other gives, or leaves it to that.
    #[test]
    fn short_numbers_are_read_as_any() {
        let (mut rng, mut short_ones) = (base::Seeded::new(5, 0), 0);
        for _ in 0..20_000 {
            let (length, known) = (rng.below(22), 11 + rng.below(4));
            let text: String =
                (0..length).map(|_| char::from(b"0123456789.-+e"[rng.below(known) as usize])).collect();
            let times = [0, 3, 9][rng.below(3) as usize];
            if let Some(found) = short(text.as_bytes(), times) {
                assert_eq!(any(&text, times), Some(found), "{text}");
                short_ones += 1;
            }
        }
        assert!(short_ones > 2_000, "{short_ones}");
    }
}
