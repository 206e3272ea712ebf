//! Round numbers along an axis, whole or not, and how they are written.

use base::people;
use kit::draw::scale::tick_step;
use kit::draw::{Scale, Tick};

/// So many ticks at most.
const MOST: usize = 200;

/// Round numbers on a scale, so many pixels apart at least; whole ones where only such stand there.
pub fn round(scale: &Scale, gap: f64, share: bool, whole: bool) -> Vec<Tick> {
    let range = (scale.to - scale.from).abs();
    if !range.is_finite() || range <= 0.0 {
        return Vec::new();
    }
    // Counted in tiny units of the range, since steps begin at 1.
    let unit = 10f64.powf(range.log10().floor() - 4.0);
    let step = tick_step(scale.per_unit().abs() * unit, gap) * unit;
    let step = if whole { step.max(1.0) } else { step };
    let first = (scale.from / step - 1e-9).ceil();
    let values = (0..MOST).map(|i| (first + i as f64) * step);
    let values = values.take_while(|value| *value <= scale.to + step * 1e-9);
    values.map(|at| Tick { at, label: label(at, step, share) }).collect()
}

/// A value as a tick says it, with as many decimals as its step needs.
fn label(value: f64, step: f64, share: bool) -> String {
    let (value, step) = if share { (value * 100.0, step * 100.0) } else { (value, step) };
    let end = if share { " %" } else { "" };
    let sign = if value < -step / 2.0 { "\u{2212}" } else { "" };
    let size = value.abs();
    for (least, unit, name) in [(1e9, 1e9, "G"), (1e6, 1e6, "M")] {
        if step >= least / 10.0 && size >= least {
            let decimals = usize::from(step < least);
            return format!("{sign}{:.decimals$}{name}{end}", size / unit);
        }
    }
    if step >= 0.999_999 {
        return format!("{sign}{}{end}", people::grouped(size.round().min(1e18) as u128));
    }
    let decimals = (1..=12).find(|n| step * 10f64.powi(*n) >= 0.999_999).unwrap_or(12);
    format!("{sign}{size:.0$}{end}", usize::try_from(decimals).unwrap_or(12))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(from: f64, to: f64, share: bool) -> String {
        let scale = Scale { from, to, left: 0.0, right: 400.0 };
        round(&scale, 60.0, share, false).into_iter().map(|tick| tick.label).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(0.0, 64.0, false), "0 10 20 30 40 50 60");
        assert_eq!(labels(0.0, 1.0, true), "0 % 20 % 40 % 60 % 80 % 100 %");
        assert_eq!(labels(0.4, 1.8, false), "0.5 1.0 1.5");
        assert_eq!(labels(-2.0, 2.0, false), "\u{2212}2 \u{2212}1 0 1 2");
        assert_eq!(labels(0.0, 5e6, false), "0 1M 2M 3M 4M 5M");
        assert_eq!(labels(1.0, 1.0, false), "");
        assert_eq!(labels(1e-7, 5e-7, false), "0.0000001 0.0000002 0.0000003 0.0000004 0.0000005");
        assert_eq!(labels(0.0, f64::INFINITY, false), "");
        let narrow = Scale { from: 0.8, to: 3.2, left: 0.0, right: 900.0 };
        let whole: Vec<String> =
            round(&narrow, 60.0, false, true).into_iter().map(|tick| tick.label).collect();
        assert_eq!(whole, ["1", "2", "3"]);
    }
}
