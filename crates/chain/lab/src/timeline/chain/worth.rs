//! Numbers of a chain in words: what each is worth, in its own unit. Cycles, nanoseconds and ticks never mix.
//!
//! Short forms round times outwards: an upper side up, a lower side down. Full forms have every digit.

use crate::report::chain::{Bracket, Evidence, Figure, Unit};
use base::people::grouped;

/// What a number, or a pair of bounds, is worth to someone who relies on its upper side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Worth {
    /// The worst case itself, proven.
    Exact,
    /// Written in the document.
    Given,
    /// A proven upper bound.
    Upper,
    /// Proven to be reached; nothing is known from above.
    Lower,
    /// An upper side that holds under an assumption. What is displayed does not call it simulated, as documents and tables
    /// do: of most such numbers a bound was computed, and nothing was simulated.
    Simulated,
    /// Not known.
    Unknown,
}

impl Worth {
    /// All of them, best first, as legends list them.
    pub const ALL: [Self; 6] =
        [Self::Exact, Self::Given, Self::Upper, Self::Lower, Self::Simulated, Self::Unknown];

    /// The worth of one number.
    pub fn of(kind: Evidence) -> Self {
        match kind {
            Evidence::Exact => Self::Exact,
            Evidence::Given => Self::Given,
            Evidence::Upper => Self::Upper,
            Evidence::Lower => Self::Lower,
            Evidence::Simulated => Self::Simulated,
        }
    }

    /// What a pair of bounds is worth: its upper side decides where there is one.
    pub fn of_bracket(bracket: &Bracket) -> Self {
        match (&bracket.lower, &bracket.upper) {
            (_, Some(upper)) => Self::of(upper.kind),
            (Some(_), None) => Self::Lower,
            (None, None) => Self::Unknown,
        }
    }

    /// The sign in its badge.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Exact => "=",
            Self::Given => "•",
            Self::Upper => "≤",
            Self::Lower => "≥",
            Self::Simulated => "~",
            Self::Unknown => "?",
        }
    }

    /// Its name in style sheets and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Given => "given",
            Self::Upper => "upper",
            Self::Lower => "lower",
            Self::Simulated => "simulated",
            Self::Unknown => "unknown",
        }
    }

    /// What it means, for legends.
    pub fn words(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Given => "given in the document",
            Self::Upper => "proven upper bound",
            Self::Lower => "lower bound",
            Self::Simulated => "under an assumption",
            Self::Unknown => "not known",
        }
    }
}

/// Which way a rounded number may be off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Round {
    Up,
    Down,
}

/// Nanoseconds of a unit of time, and its sign, the largest first.
const SCALES: [(u64, &str); 4] = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "µs"), (1, "ns")];
/// A number of cycles is short in millions from here on.
const MILLIONS: u64 = 10_000_000;

/// A number of thousandths without the noughts at its end: `1.5`, `12,345`.
fn thousandths(n: u128) -> String {
    match n % 1_000 {
        0 => grouped(n / 1_000),
        rest => format!("{}.{}", grouped(n / 1_000), format!("{rest:03}").trim_end_matches('0')),
    }
}

/// The scale in which a time is short: that of the largest unit it has one of.
fn scale(nanos: u64) -> (u64, &'static str) {
    SCALES.iter().find(|&&(one, _)| nanos >= one).copied().unwrap_or((1, "ns"))
}

/// A multiple of a step, next to a number.
fn stepped(n: u128, step: u128, round: Round) -> u128 {
    match round {
        Round::Up => n.div_ceil(step) * step,
        Round::Down => n / step * step,
    }
}

fn in_thousandths(value: u64, one: u64, round: Round) -> u128 {
    stepped(u128::from(value) * 1_000, one.into(), round) / u128::from(one)
}

fn scaled(nanos: u64, one: u64, round: Round) -> String {
    thousandths(in_thousandths(nanos, one, round))
}

/// With four digits: more would look as if they were known.
fn four_digits(value: u64, one: u64, round: Round) -> String {
    let exact = in_thousandths(value, one, round);
    let step = [1_000_000, 100_000, 10_000].iter().position(|&least| exact >= least);
    thousandths(stepped(exact, step.map_or(1, |place| [1_000, 100, 10][place]), round))
}

/// A time as short as it can be said, rounded up: `1.5 ms`, `118.463 µs`, `900 ns`.
pub fn time(nanos: u64) -> String {
    let (one, sign) = scale(nanos);
    format!("{} {sign}", scaled(nanos, one, Round::Up))
}

/// A time that is left, with four digits: it must not look like more.
pub fn time_left(nanos: u64) -> String {
    let (one, sign) = scale(nanos);
    format!("{} {sign}", four_digits(nanos, one, Round::Down))
}

/// A time above a bound, with four digits: it must not look like less.
pub fn time_over(nanos: u64) -> String {
    let (one, sign) = scale(nanos);
    format!("{} {sign}", four_digits(nanos, one, Round::Up))
}

/// A number with its unit and every digit: `154 cycles`, `118,463 ns`.
pub fn full(figure: &Figure) -> String {
    let value = grouped(figure.value.into());
    let one = figure.value == 1;
    match figure.unit {
        Unit::Cycles => format!("{value} {}", if one { "cycle" } else { "cycles" }),
        Unit::Ticks => format!("{value} {}", if one { "tick" } else { "ticks" }),
        Unit::Ns => format!("{value} ns"),
    }
}

/// A pair of bounds as short as it can be said: `154 to 160 cycles`, `118.5 µs`; a dash where nothing is known.
/// What is exact or given keeps its digits.
pub fn short(bracket: &Bracket) -> String {
    let (lower, upper) = (bracket.lower.as_ref(), bracket.upper.as_ref());
    let Some(most) = upper.or(lower) else { return "—".to_owned() };
    let apart = lower.filter(|lower| lower.unit == most.unit && lower.value < most.value);
    let (one, sign) = match most.unit {
        Unit::Ns => scale(most.value),
        _ if most.value < MILLIONS => {
            let from = apart.map(|lower| format!("{} to ", grouped(lower.value.into()))).unwrap_or_default();
            return from + &full(most);
        }
        Unit::Cycles => (1_000_000, "M cycles"),
        Unit::Ticks => (1_000_000, "M ticks"),
    };
    let round = if upper.is_some() { Round::Up } else { Round::Down };
    let exact = matches!(most.kind, Evidence::Exact | Evidence::Given);
    let says = if exact { scaled } else { four_digits };
    let most = says(most.value, one, round);
    match apart.map(|lower| four_digits(lower.value, one, Round::Down)).filter(|least| *least != most) {
        Some(least) => format!("{least} to {most} {sign}"),
        None => format!("{most} {sign}"),
    }
}

/// The upper side of a pair of bounds as short as it can be said; the lower one where there is no other.
pub fn most(bracket: &Bracket) -> String {
    short(&Bracket {
        lower: bracket.lower.clone().filter(|_| bracket.upper.is_none()),
        upper: bracket.upper.clone(),
    })
}

/// A pair of bounds in words, with what it is worth and every digit.
pub fn spoken(bracket: &Bracket) -> String {
    let least = |upper: &Figure| {
        let lower = bracket.lower.as_ref().filter(|lower| lower.value < upper.value);
        lower.map(|lower| format!("; at least {}{}", full(lower), assumed(lower))).unwrap_or_default()
    };
    let meet = |upper: &Figure| bracket.lower.as_ref().is_some_and(|lower| lower.value == upper.value);
    match (&bracket.lower, &bracket.upper) {
        (None, None) => "not known".to_owned(),
        (Some(lower), None) => {
            format!("at least {}{}; nothing is known from above", full(lower), assumed(lower))
        }
        (_, Some(upper)) => match upper.kind {
            Evidence::Exact => format!("exactly {}", full(upper)),
            Evidence::Given => format!("{}, as the document says", full(upper)),
            Evidence::Upper => format!("at most {}, proven{}", full(upper), least(upper)),
            Evidence::Lower => format!("at least {}", full(upper)),
            Evidence::Simulated if meet(upper) => format!("exactly {}{}", full(upper), assumed(upper)),
            Evidence::Simulated => format!("at most {}{}{}", full(upper), assumed(upper), least(upper)),
        },
    }
}

/// Behind a number that rests on an assumption.
fn assumed(figure: &Figure) -> &'static str {
    if figure.kind == Evidence::Simulated { ", under an assumption" } else { "" }
}

/// A clock in words: `1.3 GHz`, `600 MHz`.
pub fn clock(hertz: u64) -> String {
    for (one, sign) in [(1_000_000_000_u64, "GHz"), (1_000_000, "MHz"), (1_000, "kHz")] {
        if hertz >= one {
            return format!("{} {sign}", thousandths(u128::from(hertz) * 1_000 / u128::from(one)));
        }
    }
    format!("{hertz} Hz")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(value: u64, unit: Unit, kind: Evidence) -> Figure {
        Figure { value, unit, kind, why: String::new(), rests_on: Vec::new() }
    }

    fn bracket(lower: Option<u64>, upper: Option<(u64, Evidence)>, unit: Unit) -> Bracket {
        Bracket {
            lower: lower.map(|value| figure(value, unit, Evidence::Lower)),
            upper: upper.map(|(value, kind)| figure(value, unit, kind)),
        }
    }

    #[test]
    fn times_are_short_and_rounded_outwards() {
        let said = [0, 1, 900, 1_000, 9_999, 12_345, 118_462, 1_500_000, 12_345_678, 2_000_000_000].map(time);
        let wanted = [
            "0 ns",
            "1 ns",
            "900 ns",
            "1 µs",
            "9.999 µs",
            "12.345 µs",
            "118.462 µs",
            "1.5 ms",
            "12.346 ms",
            "2 s",
        ];
        assert_eq!(said, wanted.map(str::to_owned));
        assert_eq!([time_left(12_345_678), time_over(12_341_000)], ["12.34 ms", "12.35 ms"]);
        assert_eq!([time_left(3_254_481), time_over(1_999_999)], ["3.254 ms", "2 ms"]);
    }

    #[test]
    fn brackets_show_both_sides_where_they_differ() {
        let cycles = |lower, upper| short(&bracket(lower, upper, Unit::Cycles));
        assert_eq!(cycles(Some(154), Some((160, Evidence::Upper))), "154 to 160 cycles");
        assert_eq!(cycles(Some(160), Some((160, Evidence::Exact))), "160 cycles");
        assert_eq!(cycles(Some(1), None), "1 cycle");
        assert_eq!(cycles(None, None), "—");
        let nanos = |lower, upper| short(&bracket(Some(lower), Some((upper, Evidence::Upper)), Unit::Ns));
        assert_eq!(nanos(118_462, 123_077), "118.4 to 123.1 µs");
        assert_eq!(nanos(900, 12_345_678), "0 to 12.35 ms");
        assert_eq!(nanos(12_345_671, 12_345_678), "12.34 to 12.35 ms");
        assert_eq!(short(&bracket(None, Some((12_345_678, Evidence::Exact)), Unit::Ns)), "12.346 ms");
        assert_eq!(cycles(None, Some((39_000_000, Evidence::Given))), "39 M cycles");
        assert_eq!(cycles(Some(7_812_345), Some((39_123_456, Evidence::Upper))), "7.812 to 39.13 M cycles");
    }

    #[test]
    fn the_upper_side_says_what_a_pair_is_worth() {
        let worth = |lower, upper| Worth::of_bracket(&bracket(lower, upper, Unit::Ns));
        assert_eq!(worth(Some(1), Some((2, Evidence::Simulated))), Worth::Simulated);
        assert_eq!(worth(Some(1), Some((1, Evidence::Exact))), Worth::Exact);
        assert_eq!((worth(Some(1), None), worth(None, None)), (Worth::Lower, Worth::Unknown));
        assert!(Worth::ALL.is_sorted());
    }

    #[test]
    fn what_a_screen_reader_says_has_every_digit() {
        let said = |lower, upper| spoken(&bracket(lower, upper, Unit::Ns));
        assert_eq!(
            said(Some(118_462), Some((123_077, Evidence::Upper))),
            "at most 123,077 ns, proven; at least 118,462 ns"
        );
        assert_eq!(said(Some(5), Some((5, Evidence::Exact))), "exactly 5 ns");
        assert_eq!(said(None, Some((5, Evidence::Given))), "5 ns, as the document says");
        assert_eq!(said(Some(5), None), "at least 5 ns; nothing is known from above");
        assert_eq!(said(None, None), "not known");
        assert_eq!(
            said(Some(3), Some((5, Evidence::Simulated))),
            "at most 5 ns, under an assumption; at least 3 ns"
        );
        assert_eq!(said(Some(5), Some((5, Evidence::Simulated))), "exactly 5 ns, under an assumption");
        let read = |value| Some(figure(value, Unit::Cycles, Evidence::Simulated));
        assert_eq!(
            spoken(&Bracket { lower: read(3), upper: read(5) }),
            "at most 5 cycles, under an assumption; at least 3 cycles, under an assumption"
        );
        assert_eq!(full(&figure(1, Unit::Ticks, Evidence::Given)), "1 tick");
    }

    #[test]
    fn clocks_in_words() {
        let said = [1_300_000_000, 1_000_000_000, 600_000_000, 32_768, 50].map(clock);
        assert_eq!(said, ["1.3 GHz", "1 GHz", "600 MHz", "32.768 kHz", "50 Hz"]);
    }
}
