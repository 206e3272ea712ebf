//! Elements that say a time, a frequency, a size or a rate: a value and its unit, in whole numbers of the smallest.
//!
//! A value without a unit is left out and noted, as nobody knows what it means; zero needs none.

use super::quantities::{Decimal, bits_of, hertz_of, picoseconds_of};
use super::ticks::number;
use super::xml::{Cursor, Element};
use base::Problem;
use base::problem::quoted;

/// The unit that a name stands for, as a number of the smallest one.
type Unit = fn(&str) -> Option<u128>;

/// What a value without unit or with a wrong one leaves: nothing; else the whole number at or above it, and whether
/// that is exactly it.
type Amount = Option<(u64, bool)>;

/// The value of an element in the smallest unit, rounded up; its own children are passed over.
fn measure(
    cursor: &mut Cursor<'_>,
    element: &Element,
    unit: Unit,
    units: &str,
) -> Result<Option<u64>, Problem> {
    let amount = amount(cursor, element, unit, units);
    if let Some((up, false)) = amount {
        cursor
            .note(element.place, format!("{} is rounded up, to {up} of the smallest unit", written(element)));
    }
    cursor.finish()?;
    Ok(amount.map(|(amount, _)| amount))
}

/// A value and its unit as they are written.
fn written(element: &Element) -> String {
    let of = |name: &str| element.get(name).unwrap_or_default();
    format!("{} {}", of("value"), of("unit"))
}

fn amount(cursor: &mut Cursor<'_>, element: &Element, unit: Unit, units: &str) -> Amount {
    let text = element.get("value").unwrap_or("0").to_owned();
    amount_of(cursor, element, &text, unit, units)
}

fn amount_of(cursor: &mut Cursor<'_>, element: &Element, text: &str, unit: Unit, units: &str) -> Amount {
    let value = number(cursor, element, "value", text)?;
    if value.up() == Some(0) {
        return Some((0, true));
    }
    let name = element.get("unit").unwrap_or_default();
    if name.is_empty() || name == "_undefined_" {
        cursor.doubt(element.place, format!("{value} without a unit, in <{}>, is left out", element.name));
        return None;
    }
    let Some(factor) = unit(name) else {
        cursor.problem(element.place, format!("unit={}", quoted(name)), units);
        return None;
    };
    let amount = value.times(factor, 1);
    if amount.is_none() {
        cursor.problem(element.place, format!("{}, which is too much", written(element)), "a smaller number");
    }
    amount
}

/// A time in picoseconds.
pub fn time(cursor: &mut Cursor<'_>, element: &Element) -> Result<Option<u64>, Problem> {
    measure(cursor, element, picoseconds_of, "s, ms, us, ns or ps")
}

/// A time in picoseconds, rounded down, where less is the worse: a period, a deadline.
pub fn time_down(cursor: &mut Cursor<'_>, element: &Element) -> Result<Option<u64>, Problem> {
    let amount = amount(cursor, element, picoseconds_of, "s, ms, us, ns or ps");
    let down = amount.map(|(up, exact)| if exact { up } else { up - 1 });
    if let Some((_, false)) = amount {
        let text = format!("{} is rounded down, to {} ps", written(element), down.unwrap_or_default());
        cursor.note(element.place, text);
    }
    cursor.finish()?;
    Ok(down)
}

/// A period in picoseconds, rounded down. One of nothing is none; where no value is written at all, nothing is said.
pub fn period(cursor: &mut Cursor<'_>, element: &Element) -> Result<Option<u64>, Problem> {
    if element.get("value").is_some() {
        // Asked for again below, where problems with the text itself are told.
        let down =
            element.get("value").and_then(Decimal::parse).zip(element.get("unit").and_then(picoseconds_of));
        let up = down.and_then(|(value, unit)| value.times(unit, 1));
        if up.is_some_and(|(up, exact)| up == 0 || up == 1 && !exact) {
            let what = format!("a {} of {}", element.name, written(element));
            cursor.problem(element.place, what, "1 ps or more");
        }
    }
    let period = time_down(cursor, element)?;
    Ok(period.filter(|&period| period > 0))
}

/// A frequency in hertz, rounded down: a slower clock is the worse one; and whether that is exactly it.
pub fn frequency(cursor: &mut Cursor<'_>, element: &Element) -> Result<Option<(u64, bool)>, Problem> {
    let hertz = amount(cursor, element, hertz_of, "Hz, kHz, MHz or GHz");
    let hertz = match hertz {
        Some((up, false)) => {
            let down = up - 1;
            cursor.note(element.place, format!("{} is rounded down, to {down} Hz", written(element)));
            Some((down, false))
        }
        exact => exact,
    };
    cursor.finish()?;
    Ok(hertz.filter(|&(hertz, _)| hertz > 0))
}

/// A size in bits. Old models say the number of bits alone.
pub fn size(cursor: &mut Cursor<'_>, element: &Element) -> Result<Option<u64>, Problem> {
    match element.get("numberBits").map(str::to_owned) {
        Some(bits) => {
            let bits = number(cursor, element, "numberBits", &bits).and_then(Decimal::up);
            cursor.finish()?;
            Ok(bits)
        }
        None => {
            measure(cursor, element, bits_of, "bit, B or byte, alone or with k, M, G, T, Ki, Mi, Gi or Ti")
        }
    }
}

/// A rate in bits per second.
pub fn rate(cursor: &mut Cursor<'_>, element: &Element) -> Result<Option<u64>, Problem> {
    measure(cursor, element, bits_of, "a unit such as MBPerSecond")
}

/// How far a time varies, in picoseconds: from so much too early to so much too late. Nothing where there is no bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// The least, which may lie before zero.
    pub least: Option<i128>,
    /// The most.
    pub most: Option<i128>,
}

impl Times {
    /// Nothing is known.
    const UNKNOWN: Self = Self { least: None, most: None };

    fn one(amount: Option<i128>) -> Self {
        Self { least: amount, most: amount }
    }

    /// How far apart both are, counted from zero where that lies between them or at the nearer side of it.
    pub fn width(self) -> Option<u64> {
        let (least, most) = self.least.zip(self.most)?;
        u64::try_from(most.max(0) - least.min(0)).ok()
    }
}

/// Reads a time that varies: a value alone, or bounds as elements. What varies without a bound on a side has none there;
/// a
/// side that is not written is zero where the format leaves zeros out.
pub fn times(cursor: &mut Cursor<'_>, element: &Element) -> Result<Times, Problem> {
    let mut times = Times::UNKNOWN;
    if element.get("value").is_some() {
        times = Times::one(signed(cursor, element));
    }
    // A constant or a bound of zero is written without its value.
    if element.kind.ends_with("Constant") && times == Times::UNKNOWN {
        times = Times::one(Some(0));
    }
    let (mut is_bounded, mut varies, mut is_open) = (false, false, element.kind.contains("Gauss"));
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "lowerBound" | "min" => {
                times.least = signed(cursor, &child);
                (is_bounded, varies) = (true, true);
                cursor.finish()?;
            }
            "upperBound" | "max" => {
                times.most = signed(cursor, &child);
                (is_bounded, varies) = (true, true);
                cursor.finish()?;
            }
            "value" => {
                times = Times::one(signed(cursor, &child));
                cursor.finish()?;
            }
            "entries" => {
                let inner = self::times(cursor, &child)?;
                times.least = times.least.into_iter().chain(inner.least).min();
                times.most = times.most.into_iter().chain(inner.most).max();
            }
            "deviation" => times = self::times(cursor, &child)?,
            // How it is spread says nothing of how far.
            "distribution" | "mean" | "average" | "sd" => {
                varies = true;
                is_open |= child.kind.contains("Gauss") || child.kind.contains("Normal");
                cursor.leave()?;
            }
            _ => cursor.pass_over(&child)?,
        }
    }
    if is_bounded && varies && !is_open {
        times.least = times.least.or(Some(0));
    }
    Ok(times)
}

/// A time in picoseconds that may be negative, rounded away from zero.
fn signed(cursor: &mut Cursor<'_>, element: &Element) -> Option<i128> {
    let text = element.get("value").unwrap_or("0").to_owned();
    let (sign, size) = match text.trim().strip_prefix('-') {
        Some(size) => (-1, size.to_owned()),
        None => (1, text),
    };
    let (amount, _) = amount_of(cursor, element, &size, picoseconds_of, "s, ms, us, ns or ps")?;
    Some(sign * i128::from(amount))
}
