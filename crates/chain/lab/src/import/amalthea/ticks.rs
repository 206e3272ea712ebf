//! Numbers that vary: the least, the mean and the most that a distribution says.
//!
//! What has no upper bound, as a normal distribution, gets none here: [`Spread::most`] is empty, and whoever needs a
//! worst case has to ask for it. A histogram's bound is that of its last entry. All forms of all versions end in
//! this one: attributes or elements called `value`, `lowerBound`, `upperBound`, `average`, `mean` and `sd`.

use super::notes::Place;
use super::quantities::Decimal;
use super::xml::{Cursor, Element};
use base::Problem;
use base::problem::quoted;

/// What is known of a number that varies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spread {
    /// Where it begins.
    pub place: Place,
    /// How it varies, by its type.
    pub shape: String,
    /// The least.
    pub least: Option<u64>,
    /// The mean.
    pub mean: Option<Decimal>,
    /// The standard deviation.
    pub deviation: Option<Decimal>,
    /// The most, where there is a bound.
    pub most: Option<u64>,
}

impl Spread {
    /// Nothing is known yet.
    fn empty(element: &Element) -> Self {
        Self {
            place: element.place,
            shape: element.kind.clone(),
            least: None,
            mean: None,
            deviation: None,
            most: None,
        }
    }

    /// A number that does not vary.
    #[cfg(test)]
    pub fn constant(value: u64) -> Self {
        let shape = "DiscreteValueConstant".to_owned();
        let mean = Some(Decimal::whole(value));
        let (least, most) = (Some(value), Some(value));
        Self { place: Place::FIRST, shape, least, mean, deviation: None, most }
    }

    /// A number to go on with where there is no bound: three standard deviations above the mean, the mean, or the
    /// least. It is no worst case.
    pub fn guess(&self) -> u64 {
        let above =
            |mean: Decimal| self.deviation.and_then(|deviation| mean.plus(deviation, 3)).or(Some(mean));
        let guess = self.mean.and_then(above).and_then(Decimal::up).unwrap_or_default();
        guess.max(self.least.unwrap_or_default())
    }

    /// What the guess is, in words.
    pub fn guess_is(&self) -> &'static str {
        match (self.mean, self.deviation) {
            (Some(_), Some(_)) => "the mean and three standard deviations",
            (Some(_), None) => "the mean",
            _ => "the least",
        }
    }
}

/// Whether leaving a bound out means zero: all but truncated distributions have both.
fn is_truncated(kind: &str) -> bool {
    kind.contains("Gauss")
}

/// Reads a number that varies, whatever its form.
pub fn read(cursor: &mut Cursor<'_>, element: &Element) -> Result<Spread, Problem> {
    let mut spread = Spread::empty(element);
    let constant =
        ["Constant", "LongObject", "IntegerObject", "DoubleObject", "FloatObject", "BigIntegerObject"];
    let is_constant = constant.iter().any(|kind| element.kind.ends_with(kind));
    // A value of zero is left out when it is written.
    let value = element.get("value").or(if is_constant { Some("0") } else { None });
    if let Some(value) = value.and_then(|text| number(cursor, element, "value", text)) {
        spread.least = value.down();
        spread.mean = Some(value);
        spread.most = value.up();
    }
    bounds(cursor, element, &mut spread);
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "lowerBound" | "min" => spread.least = read(cursor, &child)?.least.or(spread.least),
            "upperBound" | "max" => spread.most = read(cursor, &child)?.most.or(spread.most),
            "mean" | "average" | "avg" => spread.mean = read(cursor, &child)?.mean.or(spread.mean),
            "sd" => spread.deviation = read(cursor, &child)?.mean,
            "entries" => {
                let entry = read(cursor, &child)?;
                spread.least = spread.least.into_iter().chain(entry.least).min();
                spread.most = spread.most.into_iter().chain(entry.most).max();
            }
            "deviation" | "value" => {
                let inner = read(cursor, &child)?;
                let shape = if inner.shape.is_empty() { &spread.shape } else { &inner.shape };
                spread = Spread { shape: shape.clone(), place: spread.place, ..inner };
            }
            "distribution" => {
                let inner = read(cursor, &child)?;
                spread.shape.clone_from(&child.kind);
                spread.mean = spread.mean.or(inner.mean);
                spread.deviation = spread.deviation.or(inner.deviation);
            }
            _ => cursor.pass_over(&child)?,
        }
    }
    if let (Some(least), Some(most)) = (spread.least, spread.most)
        && least > most
    {
        cursor.note(element.place, format!("from {least} to {most} is taken the other way round"));
        (spread.least, spread.most) = (Some(most), Some(least));
    }
    Ok(spread)
}

fn bounds(cursor: &mut Cursor<'_>, element: &Element, spread: &mut Spread) {
    let mut said = |name: &str| {
        let text = element.get(name)?.to_owned();
        number(cursor, element, name, &text)
    };
    let lower = said("lowerBound").or_else(|| said("min"));
    let upper = said("upperBound").or_else(|| said("max"));
    spread.mean = said("average").or_else(|| said("mean")).or_else(|| said("avg")).or(spread.mean);
    spread.deviation = said("sd").or(spread.deviation);
    if let Some(upper) = upper {
        spread.most = upper.up();
    }
    let may_be_zero = element.kind.starts_with("Discrete") && !is_truncated(&element.kind);
    spread.least = match lower {
        Some(lower) if lower.is_negative() => Some(0),
        Some(lower) => lower.down(),
        None if may_be_zero && spread.most.is_some() && spread.least.is_none() => Some(0),
        None => spread.least,
    };
}

/// A number in an attribute; a problem where it is none.
pub fn number(cursor: &mut Cursor<'_>, element: &Element, name: &str, text: &str) -> Option<Decimal> {
    let number = Decimal::parse(text);
    if number.is_none() || name == "value" && number.is_some_and(Decimal::is_negative) {
        cursor.problem(element.place, format!("{name}={}", quoted(text)), "a number from 0 up");
        return None;
    }
    number
}
