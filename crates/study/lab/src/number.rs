//! Numbers of documents and reports: exact as long as they fit, else to the nearest number of 64 bits.

use std::cmp::Ordering;

use base::rational::Rational;
use serde_json::{Number as Json, Value};

/// A number.
#[derive(Debug, Clone, Copy)]
pub enum Number {
    /// A fraction.
    Exact(Rational),
    /// A finite number near what is meant.
    Close(f64),
}

impl Number {
    /// The number in a document: decimals are taken as they are written.
    pub fn of(number: &Json) -> Option<Self> {
        if let Some(whole) = number.as_i64() {
            return Some(Self::Exact(Rational::whole(whole)));
        }
        let close = number.as_f64()?;
        Some(decimal(&format!("{close:?}")).map_or(Self::Close(close), Self::Exact))
    }

    /// The nearest number of 64 bits.
    pub fn to_f64(self) -> f64 {
        match self {
            Self::Exact(fraction) => fraction.to_f64(),
            Self::Close(close) => close,
        }
    }

    /// As documents and rows have it: a whole number without decimals.
    pub fn to_json(self) -> Value {
        match self {
            Self::Exact(fraction) if fraction.is_whole() => Value::from(fraction.floor()),
            other => Json::from_f64(other.to_f64()).map_or(Value::Null, Value::Number),
        }
    }

    /// What comes of two; exactly where that fits. None where it is no finite number.
    pub fn with(
        self,
        other: Self,
        exact: impl Fn(Rational, Rational) -> Option<Rational>,
        close: impl Fn(f64, f64) -> f64,
    ) -> Option<Self> {
        if let (Self::Exact(a), Self::Exact(b)) = (self, other)
            && let Some(found) = exact(a, b)
        {
            return Some(Self::Exact(found));
        }
        let found = close(self.to_f64(), other.to_f64());
        found.is_finite().then_some(Self::Close(found))
    }

    /// Which of two is larger.
    pub fn compared(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Exact(a), Self::Exact(b)) => a.cmp(&b),
            _ => self.to_f64().total_cmp(&other.to_f64()),
        }
    }
}

/// `-1.25e3` as a fraction, where it fits.
fn decimal(text: &str) -> Option<Rational> {
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let top: i128 = format!("{whole}{decimals}").parse().ok()?;
    let exponent = exponent - i32::try_from(decimals.len()).ok()?;
    let scale = 10i128.checked_pow(exponent.unsigned_abs())?;
    if exponent < 0 { Rational::new(top, scale) } else { Rational::new(top.checked_mul(scale)?, 1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn number(value: &Value) -> Option<Number> {
        value.as_number().and_then(Number::of)
    }

    #[test]
    fn decimals_are_exact() {
        for (value, shown) in [
            (json!(0.1), "1/10"),
            (json!(-2.50), "-5/2"),
            (json!(3.0), "3"),
            (json!(1e3), "1000"),
            (json!(1e-5), "1/100000"),
        ] {
            assert!(
                matches!(number(&value), Some(Number::Exact(found)) if found.to_string() == shown),
                "{value}"
            );
        }
        assert!(matches!(number(&json!(1e300)), Some(Number::Close(found)) if found == 1e300));
        assert!(matches!(number(&json!(u64::MAX)), Some(Number::Close(_))));
    }

    #[test]
    fn what_does_not_fit_is_close() {
        let [Some(third), Some(large)] = [
            number(&json!(1)).and_then(|one| one.with(number(&json!(3))?, Rational::over, |a, b| a / b)),
            number(&json!(1e18)),
        ] else {
            unreachable!("numbers")
        };
        assert_eq!(third.to_json(), json!(1.0 / 3.0));
        let product = large.with(large, Rational::times, |a, b| a * b);
        assert!(matches!(product, Some(Number::Close(found)) if found == 1e36));
        assert!(third.compared(large) == Ordering::Less);
    }
}
