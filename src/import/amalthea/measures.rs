//! Elements that say a time, a frequency, a size or a rate: a value and its unit, in whole numbers of the smallest.
//!
//! A value without a unit is left out and noted, as nobody knows what it means; zero needs none.

use super::quantities::{Decimal, bits_of, hertz_of, picoseconds_of};
use super::ticks::number;
use super::xml::{Cursor, Element};
use crate::base::Problem;
use crate::base::problem::quoted;

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
    let value = number(cursor, element, "value", &text)?;
    if value.up() == Some(0) {
        return Some((0, true));
    }
    let name = element.get("unit").unwrap_or_default();
    if name.is_empty() || name == "_undefined_" {
        cursor.note(element.place, format!("{value} without a unit is left out"));
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

/// A frequency in hertz, rounded down: a slower clock is the worse one.
pub fn frequency(cursor: &mut Cursor<'_>, element: &Element) -> Result<Option<u64>, Problem> {
    let hertz = amount(cursor, element, hertz_of, "Hz, kHz, MHz or GHz");
    let hertz = match hertz {
        Some((up, false)) => {
            let down = up - 1;
            cursor.note(element.place, format!("{} is rounded down, to {down} Hz", written(element)));
            Some(down)
        }
        exact => exact.map(|(hertz, _)| hertz),
    };
    cursor.finish()?;
    Ok(hertz.filter(|&hertz| hertz > 0))
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
            measure(cursor, element, bits_of, "bit, B, or one of these with k, M, G, T, Ki, Mi, Gi or Ti")
        }
    }
}

/// A rate in bits per second.
pub fn rate(cursor: &mut Cursor<'_>, element: &Element) -> Result<Option<u64>, Problem> {
    measure(cursor, element, bits_of, "a unit such as MBPerSecond")
}

/// The least and the most of a time that varies, in picoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Times {
    /// The least.
    pub least: Option<u64>,
    /// The most.
    pub most: Option<u64>,
}

/// Reads a time that varies: a value alone, or bounds as elements.
pub fn times(cursor: &mut Cursor<'_>, element: &Element) -> Result<Times, Problem> {
    let mut times = Times::default();
    if element.get("value").is_some() {
        let amount = amount(cursor, element, picoseconds_of, "s, ms, us, ns or ps");
        let amount = amount.map(|(amount, _)| amount);
        times = Times { least: amount, most: amount };
    }
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            // A time may vary to both sides; before zero is no use here.
            "lowerBound" | "min" if child.get("value").is_some_and(|value| value.starts_with('-')) => {
                times.least = Some(0);
                cursor.finish()?;
            }
            "lowerBound" | "min" => times.least = time(cursor, &child)?,
            "upperBound" | "max" => times.most = time(cursor, &child)?,
            "value" => {
                let value = time(cursor, &child)?;
                times = Times { least: value, most: value };
            }
            "entries" | "deviation" => {
                let inner = self::times(cursor, &child)?;
                times.least = times.least.into_iter().chain(inner.least).min();
                times.most = times.most.into_iter().chain(inner.most).max();
            }
            _ => cursor.pass_over(&child)?,
        }
    }
    Ok(times)
}
