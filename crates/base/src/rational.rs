//! Exact fractions, and spans between two of them.
//!
//! Invariants: lowest terms, a positive denominator, both within 64 bits; an operation that would leave them gives
//! `None`, never a wrong value. So every product of two parts fits 128 bits, and comparing is exact.

use std::cmp::Ordering;
use std::fmt;

/// A fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rational {
    numerator: i64,
    denominator: i64,
}

impl Rational {
    /// Zero.
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };

    /// A fraction in lowest terms; `None` where the denominator is 0 or a part does not fit.
    pub fn new(numerator: i128, denominator: i128) -> Option<Self> {
        if denominator == 0 {
            return None;
        }
        let common = gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
        let common = i128::try_from(common).ok()? * denominator.signum();
        Some(Self {
            numerator: i64::try_from(numerator / common).ok()?,
            denominator: i64::try_from(denominator / common).ok()?,
        })
    }

    /// A whole number.
    pub fn whole(number: i64) -> Self {
        Self { numerator: number, denominator: 1 }
    }

    /// Whether it is a whole number.
    pub fn is_whole(self) -> bool {
        self.denominator == 1
    }

    /// The largest whole number that is not above it.
    pub fn floor(self) -> i64 {
        self.numerator.div_euclid(self.denominator)
    }

    /// The smallest whole number that is not below it.
    pub fn ceil(self) -> i64 {
        self.floor() + i64::from(!self.is_whole())
    }

    /// `-self`.
    pub fn negated(self) -> Option<Self> {
        Self::new(-self.top(), self.bottom())
    }

    /// `self + other`.
    pub fn plus(self, other: Self) -> Option<Self> {
        Self::new(self.top() * other.bottom() + other.top() * self.bottom(), self.bottom() * other.bottom())
    }

    /// `self * other`.
    pub fn times(self, other: Self) -> Option<Self> {
        Self::new(self.top() * other.top(), self.bottom() * other.bottom())
    }

    /// `self / other`; `None` if `other` is 0.
    pub fn over(self, other: Self) -> Option<Self> {
        Self::new(self.top() * other.bottom(), self.bottom() * other.top())
    }

    /// The closest number of 64 bits, the same on every machine.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    fn top(self) -> i128 {
        self.numerator.into()
    }

    fn bottom(self) -> i128 {
        self.denominator.into()
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.top() * other.bottom()).cmp(&(other.top() * self.bottom()))
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.numerator)?;
        if self.is_whole() { Ok(()) } else { write!(f, "/{}", self.denominator) }
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

/// All values between two: what is known of a number that is not known exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// It is at least this.
    pub low: Rational,
    /// It is at most this.
    pub high: Rational,
}

impl Span {
    /// One known value.
    pub fn exactly(value: Rational) -> Self {
        Self { low: value, high: value }
    }

    /// One known whole number.
    pub fn whole(number: u32) -> Self {
        Self::exactly(Rational::whole(number.into()))
    }

    /// The value, where it is known.
    pub fn known(self) -> Option<Rational> {
        (self.low == self.high).then_some(self.low)
    }

    /// The span of `f` over both ends of both spans; right for operations that are monotone in each operand.
    pub fn joined(self, other: Self, f: impl Fn(Rational, Rational) -> Option<Rational>) -> Option<Self> {
        let ends =
            [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)];
        let values: Vec<Rational> = ends.into_iter().map(|(a, b)| f(a, b)).collect::<Option<_>>()?;
        Some(Self { low: *values.iter().min()?, high: *values.iter().max()? })
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.known() {
            Some(value) => write!(f, "{value}"),
            None => write!(f, "{} to {}", self.low, self.high),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seeded;

    fn fraction(top: i128, bottom: i128) -> Rational {
        match Rational::new(top, bottom) {
            Some(fraction) => fraction,
            None => unreachable!("{top}/{bottom}"),
        }
    }

    /// Held against plain integer arithmetic over a common denominator.
    #[test]
    fn arithmetic_is_exact() {
        let mut rng = Seeded::new(5, 0);
        let mut number = move || i128::from(rng.below(2_001)) - 1_000;
        for _ in 0..20_000 {
            let (a, b, c, d) = (number(), number(), number(), number());
            if b == 0 || d == 0 {
                assert_eq!(Rational::new(a, 0), None);
                continue;
            }
            let (x, y) = (fraction(a, b), fraction(c, d));
            // Multiplied out, each result is an equation of integers.
            let equal = |sum: Option<Rational>, top: i128, bottom: i128| {
                let sum = sum.map(|sum| (sum.top(), sum.bottom()));
                sum.is_some_and(|(t, u)| {
                    t * bottom == top * u && u > 0 && gcd(t.unsigned_abs(), u.unsigned_abs()) == 1
                })
            };
            assert!(equal(x.plus(y), a * d + c * b, b * d));
            assert!(equal(x.times(y), a * c, b * d));
            assert!(if c == 0 { x.over(y).is_none() } else { equal(x.over(y), a * d, b * c) });
            assert!(equal(x.negated(), -a, b));
            let sign = b.signum() * d.signum();
            assert_eq!(x.cmp(&y), (a * d * sign).cmp(&(c * b * sign)));
            let (floor, ceil) = (i128::from(x.floor()), i128::from(x.ceil()));
            assert!(floor * x.bottom() <= x.top() && x.top() < (floor + 1) * x.bottom());
            assert!((ceil - 1) * x.bottom() < x.top() && x.top() <= ceil * x.bottom());
        }
    }

    #[test]
    fn what_does_not_fit_is_none() {
        let most = Rational::whole(i64::MAX);
        let least = Rational::whole(i64::MIN);
        assert_eq!(most.plus(Rational::whole(1)), None);
        assert_eq!(most.times(Rational::whole(2)), None);
        assert_eq!([least.negated(), least.over(Rational::whole(-1))], [None, None]);
        assert_eq!(most.over(most), Some(Rational::whole(1)));
        assert_eq!(fraction(1, i128::from(i64::MAX)).times(fraction(1, 3)), None);
        assert_eq!((least.floor(), most.ceil()), (i64::MIN, i64::MAX));
        assert_eq!(Rational::new(i128::MIN, i128::MIN), None, "refused, not wrong");
    }

    #[test]
    fn spans_hold_every_value() {
        let span = |low, high| Span { low: Rational::whole(low), high: Rational::whole(high) };
        assert_eq!(span(-2, 3).joined(span(-5, 1), Rational::times), Some(span(-15, 10)));
        assert_eq!(span(2, 3).to_string(), "2 to 3");
        assert_eq!(Span::exactly(fraction(-6, 4)).to_string(), "-3/2");
    }
}
