//! Round ticks for a chart's axes.

use super::{Layout, Spread};
use crate::timeline::convergence::Axis;
use base::people;
use kit::draw::scale::tick_step;

/// A tick: its place on the (spread) axis and what is written there.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    /// Where.
    pub at: f64,
    /// What.
    pub label: String,
}

/// Pixels between ticks of the vertical axis.
const Y_GAP: f64 = 30.0;
/// Pixels between ticks of the horizontal axis.
const X_GAP: f64 = 76.0;
/// Windows of fewer decades have linear ticks.
const FEW_DECADES: f64 = 0.7;
/// The finest unit ticks are counted in.
const FINEST: f64 = 1e-9;

impl Layout {
    /// Whole makespans.
    pub fn y_ticks(&self) -> Vec<Tick> {
        let step = tick_step(self.y.per_unit().abs(), Y_GAP);
        multiples(step, self.y.from, self.y.to)
            .map(|at| Tick { at, label: people::grouped(at as u128) })
            .collect()
    }

    /// Round values of the horizontal axis.
    pub fn x_ticks(&self) -> Vec<Tick> {
        match self.spread {
            Spread::Log if self.x.to - self.x.from >= FEW_DECADES => self.decades(),
            _ => self.evenly(),
        }
    }

    fn evenly(&self) -> Vec<Tick> {
        let (from, to) = (self.value(self.x.from), self.value(self.x.to));
        let per_unit = (self.x.right - self.x.left) / (to - from);
        let whole = self.axis == Axis::Iterations;
        // Counted in tiny units, since steps begin at 1.
        let step = tick_step(per_unit * FINEST, X_GAP) * FINEST;
        let step = if whole { step.max(1.0) } else { step };
        let decimals = (0..9).find(|&n| step * 10f64.powi(n) >= 0.999).unwrap_or(9);
        multiples(step, from, to)
            .map(|value| Tick {
                at: self.spread(value),
                label: decimal(value, decimals.unsigned_abs() as usize),
            })
            .collect()
    }

    /// Powers of ten, with 2 and 5 of each where there is room; 0 at the origin.
    fn decades(&self) -> Vec<Tick> {
        let decade = self.x.per_unit();
        let every = (X_GAP / decade).ceil().max(1.0) as i32;
        let within: &[f64] = if decade >= 3.3 * X_GAP { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let first = self.origin.log10();
        let mut ticks = Vec::new();
        if self.x.from <= first {
            ticks.push(Tick { at: first, label: "0".to_owned() });
        }
        let (low, high) = (self.x.from.floor() as i32, self.x.to.ceil() as i32);
        for exponent in (low..=high).filter(|exponent| exponent.rem_euclid(every) == 0) {
            for factor in within {
                let at = f64::from(exponent) + factor.log10();
                let clear = at > first + 1e-9 && (at - first) * decade >= X_GAP / 2.0;
                if at >= self.x.from && at <= self.x.to && clear {
                    let value = factor * 10f64.powi(exponent);
                    ticks.push(Tick { at, label: decimal(value, exponent.min(0).unsigned_abs() as usize) });
                }
            }
        }
        ticks
    }
}

/// The multiples of a step within a range.
fn multiples(step: f64, from: f64, to: f64) -> impl Iterator<Item = f64> {
    let (first, last) = ((from / step - 1e-9).ceil() as i64, (to / step + 1e-9).floor() as i64);
    (first..=last).map(move |i| i as f64 * step)
}

/// A value with so many decimals; large whole ones in thousands or millions.
fn decimal(value: f64, decimals: usize) -> String {
    if decimals > 0 {
        return format!("{value:.decimals$}");
    }
    match value.round() as u64 {
        n if n >= 1_000_000 && n.is_multiple_of(1_000_000) => format!("{}M", n / 1_000_000),
        n if n >= 1_000_000 && n.is_multiple_of(100_000) => {
            format!("{}.{}M", n / 1_000_000, n / 100_000 % 10)
        }
        n if n >= 1_000 && n.is_multiple_of(1_000) => format!("{}k", n / 1_000),
        n => people::grouped(n.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{data, frame};
    use super::*;
    use crate::draw::chart::Frame;

    fn labels(change: impl FnOnce(&mut Frame)) -> (String, String) {
        let mut frame = frame(Spread::Log);
        change(&mut frame);
        let layout = Layout::new(&data(), &frame);
        let join = |ticks: Vec<Tick>| ticks.into_iter().map(|tick| tick.label).collect::<Vec<_>>().join(" ");
        (join(layout.x_ticks()), join(layout.y_ticks()))
    }

    #[test]
    fn ticks_are_round_and_makespans_whole() {
        assert_eq!(labels(|_| {}).0, "0 0.0001 0.001 0.01 0.1 1 10");
        assert_eq!(labels(|_| {}).1, "130 135 140 145 150 155 160");
        assert_eq!(labels(|frame| frame.spread = Spread::Linear).0, "0 2 4 6 8 10");
        assert_eq!(labels(|frame| frame.axis = Axis::Iterations).0, "0 1 10 100 1k 10k 100k 1M");
    }

    #[test]
    fn few_decades_and_narrow_pictures_have_fewer_or_finer_ticks() {
        assert_eq!(labels(|frame| frame.width = 360.0).0, "0 0.01 1");
        assert_eq!(labels(|frame| frame.zoom = Some((-1.0, 1.0))).0, "0.1 0.2 0.5 1 2 5 10");
        assert_eq!(labels(|frame| frame.zoom = Some((0.0, 0.3))).0, "1.0 1.2 1.4 1.6 1.8");
        let iterations = |frame: &mut Frame| (frame.axis, frame.spread) = (Axis::Iterations, Spread::Linear);
        assert_eq!(labels(iterations).0, "0 500k 1M 1.5M 2M");
        let near = |frame: &mut Frame| {
            (frame.spread, frame.zoom) = (Spread::Linear, Some((0.0, 0.004)));
        };
        assert_eq!(labels(near).0, "0.000 0.001 0.002 0.003 0.004");
    }

    #[test]
    fn makespans_stay_whole_where_there_is_room_for_more() {
        let (mut data, mut frame) = (data(), frame(Spread::Log));
        data.chains.truncate(1);
        data.references.clear();
        frame.height = 2_000.0;
        let labels: Vec<_> =
            Layout::new(&data, &frame).y_ticks().into_iter().map(|tick| tick.label).collect();
        assert_eq!(labels, ["153", "154", "155", "156", "157", "158", "159"]);
    }
}
