//! Numbers with units, exactly: decimal texts become whole picoseconds, hertz and bits without a float between.

use std::cmp::Ordering;
use std::fmt;

/// A decimal number as it is written: `digits` times ten to the `exponent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal {
    digits: i128,
    exponent: i32,
}

/// More digits than any model needs, and few enough for sums and products to fit.
const MOST_DIGITS: usize = 30;
const LARGEST_EXPONENT: i32 = 40;

impl Decimal {
    /// A whole number.
    pub fn whole(number: u64) -> Self {
        Self { digits: i128::from(number), exponent: 0 }
    }

    /// Reads `12`, `-1.5`, `3.0E8`; nothing for what is no such number or too long.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (negative, mantissa) = match mantissa.strip_prefix(['-', '+']) {
            Some(rest) => (mantissa.starts_with('-'), rest),
            None => (false, mantissa),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() && fraction.is_empty() || !all(whole) || !all(fraction) {
            return None;
        }
        let fraction = fraction.trim_end_matches('0');
        let mut digits = format!("{}{fraction}", whole.trim_start_matches('0'));
        if digits.len() > MOST_DIGITS {
            return None;
        }
        if digits.is_empty() {
            digits.push('0');
        }
        let size: i128 = digits.parse().ok()?;
        let exponent = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
        let exponent = if size == 0 { 0 } else { exponent };
        (exponent.abs() <= LARGEST_EXPONENT)
            .then_some(Self { digits: if negative { -size } else { size }, exponent })
    }

    /// Whether the number is below zero.
    pub fn is_negative(self) -> bool {
        self.digits < 0
    }

    /// This number times a fraction, up to the next whole number, and whether that is exactly it. Nothing for what
    /// is negative or does not fit.
    pub fn times(self, over: u128, under: u128) -> Option<(u64, bool)> {
        let digits = u128::try_from(self.digits).ok()?;
        if digits == 0 {
            return Some((0, true));
        }
        let ten = 10_u128.checked_pow(self.exponent.unsigned_abs())?;
        let (over, under) = if self.exponent >= 0 {
            (over.checked_mul(ten)?, under)
        } else {
            (over, under.checked_mul(ten)?)
        };
        let common = gcd(over, under).max(1);
        let (over, under) = (over / common, under / common);
        let common = gcd(digits, under).max(1);
        let (digits, under) = (digits / common, under / common);
        let product = digits.checked_mul(over)?;
        Some((u64::try_from(product.div_ceil(under)).ok()?, product % under == 0))
    }

    /// The whole number at or above this one; nothing below zero or beyond 64 bits.
    pub fn up(self) -> Option<u64> {
        self.times(1, 1).map(|(number, _)| number)
    }

    /// The whole number at or below this one.
    pub fn down(self) -> Option<u64> {
        self.times(1, 1).map(|(number, exact)| if exact { number } else { number - 1 })
    }

    /// The sum of this number and a multiple of another.
    pub fn plus(self, other: Self, times: u32) -> Option<Self> {
        let exponent = self.exponent.min(other.exponent);
        let scaled = |number: Self| {
            let by = u32::try_from(number.exponent - exponent).ok()?;
            number.digits.checked_mul(10_i128.checked_pow(by)?)
        };
        let more = scaled(other)?.checked_mul(i128::from(times))?;
        Some(Self { digits: scaled(self)?.checked_add(more)?, exponent })
    }

    /// The larger one of two numbers, where they can be compared.
    pub fn larger(self, other: Self) -> Self {
        let exponent = self.exponent.min(other.exponent);
        let scaled = |number: Self| {
            let by = u32::try_from(number.exponent - exponent).ok()?;
            number.digits.checked_mul(10_i128.checked_pow(by)?)
        };
        match scaled(self).cmp(&scaled(other)) {
            Ordering::Less => other,
            _ => self,
        }
    }

    /// The number as a fraction of two whole ones; nothing for what is negative or does not fit.
    pub fn fraction(self) -> Option<(u128, u128)> {
        let digits = u128::try_from(self.digits).ok()?;
        let ten = 10_u128.checked_pow(self.exponent.unsigned_abs())?;
        if self.exponent >= 0 { Some((digits.checked_mul(ten)?, 1)) } else { Some((digits, ten)) }
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.exponent > 0 {
            return write!(f, "{}{}", self.digits, "0".repeat(self.exponent.unsigned_abs() as usize));
        }
        let places = self.exponent.unsigned_abs() as usize;
        let sign = if self.digits < 0 { "-" } else { "" };
        let digits = format!("{:0>width$}", self.digits.unsigned_abs(), width = places + 1);
        let (whole, fraction) = digits.split_at(digits.len() - places);
        let point = if fraction.is_empty() { "" } else { "." };
        write!(f, "{sign}{whole}{point}{fraction}")
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Picoseconds of a unit of time.
pub fn picoseconds_of(unit: &str) -> Option<u128> {
    Some(match unit {
        "s" => 1_000_000_000_000,
        "ms" => 1_000_000_000,
        "us" => 1_000_000,
        "ns" => 1_000,
        "ps" => 1,
        _ => return None,
    })
}

/// Hertz of a unit of frequency.
pub fn hertz_of(unit: &str) -> Option<u128> {
    Some(match unit {
        "Hz" => 1,
        "kHz" | "KHz" => 1_000,
        "MHz" => 1_000_000,
        "GHz" => 1_000_000_000,
        _ => return None,
    })
}

/// Bits of a unit of data: `bit`, `kbit`, `B`, `byte`, `kB`, `kbyte`, `KiB` and so on, however it is cased where that
/// leaves no doubt; and the same per second.
pub fn bits_of(unit: &str) -> Option<u128> {
    let unit = unit.strip_suffix("PerSecond").unwrap_or(unit);
    let (prefix, bits) =
        match (unit.strip_suffix("bit"), unit.strip_suffix("byte").or(unit.strip_suffix("Byte"))) {
            (Some(prefix), _) => (prefix, 1),
            (None, Some(prefix)) => (prefix, 8),
            (None, None) => (unit.strip_suffix('B')?, 8),
        };
    let factor: u128 = match prefix {
        "" => 1,
        "k" | "K" => 1_000,
        "M" => 1_000_000,
        "G" => 1_000_000_000,
        "T" => 1_000_000_000_000,
        "Ki" | "ki" => 1 << 10,
        "Mi" | "mi" => 1 << 20,
        "Gi" | "gi" => 1 << 30,
        "Ti" | "ti" => 1 << 40,
        _ => return None,
    };
    Some(factor * bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn decimals_are_exact() {
        let hertz = |text| decimal(text).times(1_000_000_000, 1);
        assert_eq!(hertz("2.5"), Some((2_500_000_000, true)));
        assert_eq!(hertz("1.3"), Some((1_300_000_000, true)));
        assert_eq!(hertz("0.0000000001"), Some((1, false)));
        assert_eq!(decimal("3.0E8").times(1, 1), Some((300_000_000, true)));
        assert_eq!(decimal("1E-3").times(1_000, 1), Some((1, true)));
        assert_eq!(decimal("100.0").up(), Some(100));
        assert_eq!((decimal("2.1").up(), decimal("2.1").down()), (Some(3), Some(2)));
        assert_eq!(decimal("-1").up(), None);
    }

    #[test]
    fn what_is_no_number() {
        for text in ["", ".", "-", "1,5", "0x10", "1e", "1e99", "NaN", "12 3", "1.2.3", &"9".repeat(31)] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_written_back() {
        for text in ["0", "12", "2.5", "-0.05", "1000"] {
            assert_eq!(decimal(text).to_string(), text);
        }
        assert_eq!(decimal("1.5E3").to_string(), "1500");
        assert_eq!(decimal("10").plus(decimal("0.5"), 3).map(|sum| sum.to_string()), Some("11.5".to_owned()));
    }

    #[test]
    fn units() {
        assert_eq!(bits_of("kB"), Some(8_000));
        assert_eq!(bits_of("MiB"), Some(8 << 20));
        assert_eq!(bits_of("Mbit"), Some(1_000_000));
        assert_eq!(bits_of("GBPerSecond"), Some(8_000_000_000));
        assert_eq!(
            (bits_of("byte"), bits_of("kbyte"), bits_of("MByte")),
            (Some(8), Some(8_000), Some(8_000_000))
        );
        assert_eq!(
            (bits_of("kibit"), bits_of("kiB"), bits_of("MiB")),
            (Some(1_024), Some(8_192), Some(8 << 20))
        );
        assert_eq!((bits_of("mbit"), bits_of("b"), bits_of("_undefined_")), (None, None, None));
        assert_eq!(bits_of("sec"), None);
        assert_eq!(picoseconds_of("us"), Some(1_000_000));
        assert_eq!(hertz_of("MHz"), Some(1_000_000));
    }
}
