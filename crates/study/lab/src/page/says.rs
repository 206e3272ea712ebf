//! What a dot says in words, for pointers, tables and screen readers.

use base::people;

use super::{Dot, Plan};
use crate::scenario::Kind;

/// A number with as many digits as one reads: whole ones whole, others with four that count.
pub fn number(value: f64) -> String {
    let size = value.abs();
    if value.fract() == 0.0 && size < 1e15 {
        let sign = if value < 0.0 { "\u{2212}" } else { "" };
        return format!("{sign}{}", people::grouped(size as u128));
    }
    if !(1e-6..1e15).contains(&size) {
        return format!("{value:.3e}").replace('-', "\u{2212}");
    }
    let before = size.log10().floor() as i32;
    let decimals = usize::try_from((3 - before).clamp(0, 9)).unwrap_or(0);
    let text = format!("{size:.decimals$}");
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let rest = rest.trim_end_matches('0');
    let whole = whole.parse::<u128>().map(people::grouped).unwrap_or_default();
    let sign = if value < 0.0 { "\u{2212}" } else { "" };
    if rest.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{rest}") }
}

/// A number, or a share as such.
pub fn value(value: f64, share: bool) -> String {
    if share { format!("{} %", number((value * 1_000.0).round() / 10.0)) } else { number(value) }
}

/// Everything there is to say of a dot.
pub fn dot(plan: &Plan, kind: Kind, dot: &Dot) -> String {
    let name = plan.names().nth(dot.measure).unwrap_or_default();
    let place = if dot.place.is_empty() { String::new() } else { format!("{}: ", dot.place) };
    if kind == Kind::Scatter {
        return format!("{place}{name} {}", number(dot.value));
    }
    let said = value(dot.value, dot.share);
    if dot.count == 1 {
        let said = match (dot.share, dot.value > 0.5) {
            (true, true) => "holds".to_owned(),
            (true, false) => "does not hold".to_owned(),
            (false, _) => said,
        };
        return format!("{place}{name} {said}");
    }
    let cells = people::counted(usize::try_from(dot.count).unwrap_or(usize::MAX), "cell");
    let interval = dot.interval.map_or(String::new(), |[low, high]| {
        format!(", 95 % interval {} to {}", value(low, dot.share), value(high, dot.share))
    });
    if dot.share {
        return format!("{place}{name} holds in {said} of {cells}{interval}");
    }
    let [least, .., most] = dot.five;
    format!(
        "{place}{name} {said} on average of {cells}{interval}, from {} to {}",
        number(least),
        number(most)
    )
}

/// Which scenario a click on a dot opens.
pub fn opens(dot: &Dot) -> &'static str {
    match (dot.count, dot.share) {
        (1, _) => "its scenario",
        (_, true) => "a cell for which it does not hold, where there is one",
        (_, false) => "the cell with the largest value",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_long_as_they_are_read() {
        for (found, said) in [
            (0.0, "0"),
            (12_345.0, "12,345"),
            (-3.0, "\u{2212}3"),
            (29.333_333, "29.33"),
            (0.125, "0.125"),
            (1_234.567, "1,235"),
            (-0.000_5, "\u{2212}0.0005"),
            (9.5, "9.5"),
            (1e300, "1.000e300"),
        ] {
            assert_eq!(number(found), said);
        }
        assert_eq!([value(0.0714, true), value(1.0, true)], ["7.1 %", "100 %"]);
    }
}
