//! The axis in exact decimals of one unit, the lines of the grid, and the names of rows.

use super::layout::{Kind, Layout, Row};
use super::words::{self, fitted, text};
use super::{GUTTER, Layers, Look, line, rect};
use base::people;
use kit::draw::list::{Align, Ink};
use kit::draw::scale::Scale;

/// Numbers along the axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Ticks {
    /// Their unit.
    pub unit: &'static str,
    /// Nanoseconds and number of each.
    pub at: Vec<(u64, String)>,
}

/// Names of rows.
pub(super) const NAME: f64 = 12.0;
/// Room between two numbers.
const APART: f64 = 22.0;
/// Numbers at the most.
const MOST_TICKS: f64 = 120.0;

/// Round numbers for a window, far enough apart to be read; no digit is lost.
pub fn ticks(scale: &Scale) -> Ticks {
    let (from, to) = (scale.from.max(0.0), scale.to.max(0.0));
    let (unit, digits) = match to {
        t if t < 1e3 => ("ns", 0),
        t if t < 1e6 => ("µs", 3),
        t if t < 1e9 => ("ms", 6),
        _ => ("s", 9),
    };
    let mut step = 1u64;
    for factor in [2, 0, 2].into_iter().cycle().take(57) {
        let widest = words::width(&decimal(to as u64, step, digits), NAME) + APART;
        if step as f64 * scale.per_unit() >= widest && (to - from) / step as f64 <= MOST_TICKS {
            break;
        }
        step = if factor == 0 { step / 2 * 5 } else { step.saturating_mul(factor) };
    }
    let first = (from / step as f64).ceil() as u64;
    let mut at = Vec::new();
    for i in first..first.saturating_add(1_000) {
        let Some(nanos) = i.checked_mul(step).filter(|&nanos| nanos as f64 <= to) else { break };
        at.push((nanos, decimal(nanos, step, digits)));
    }
    Ticks { unit, at }
}

/// A time in a unit of 10^digits nanoseconds, with as many decimals as the steps between such times have.
fn decimal(nanos: u64, step: u64, digits: u32) -> String {
    let one = 10u64.pow(digits);
    let whole = people::grouped((nanos / one).into());
    let zeros = (0..digits).take_while(|&n| step.is_multiple_of(10u64.pow(n + 1))).count();
    let decimals = digits as usize - zeros;
    if decimals == 0 {
        return whole;
    }
    let rest = format!("{:0width$}", nanos % one, width = digits as usize);
    format!("{whole}.{}", &rest[..decimals])
}

/// Draws bands, grid, axis, and what rows are called.
pub(super) fn draw(layers: &mut Layers, layout: &Layout, scale: &Scale, look: &Look) {
    let ticks = ticks(scale);
    for row in layout.rows.iter().filter(|row| row.is_seen(look)) {
        if matches!(row.kind, Kind::Processes | Kind::Engine(_) | Kind::Sm(_) | Kind::InUse) {
            let (y, h) = row.inside();
            layers.ground.push(rect((scale.left, y), (scale.right - scale.left + 1.0, h + 1.0), Ink::Band));
        }
    }
    let last = layout.rows.iter().rposition(|row| row.kind == Kind::Axis);
    for (i, row) in layout.rows.iter().enumerate() {
        match row.kind {
            Kind::Axis => {
                grid(layers, layout, row, &ticks, scale);
                layers.ground.push(line((scale.left, row.y), (scale.right, row.y), Ink::Muted, 1.0));
                if Some(i) == last {
                    numbers(layers, row, &ticks, scale);
                }
            }
            Kind::TopAxis => numbers(layers, row, &ticks, scale),
            _ => {}
        }
    }
}

/// Lines through the bands of a run.
fn grid(layers: &mut Layers, layout: &Layout, axis: &Row, ticks: &Ticks, scale: &Scale) {
    let Some((top, bottom)) = layout.grid(axis.panel) else { return };
    for &(nanos, _) in &ticks.at {
        let x = scale.pixel(nanos as f64).round();
        layers.ground.push(line((x, top), (x, axis.y + 4.0), Ink::Grid, 1.0));
        layers.ground.push(line((x, axis.y + axis.h), (x, bottom), Ink::Grid, 1.0));
    }
}

fn numbers(layers: &mut Layers, row: &Row, ticks: &Ticks, scale: &Scale) {
    let y = row.y + row.h / 2.0 + 2.0;
    layers.words.push(text((GUTTER - 16.0, y), ticks.unit, Ink::Muted, NAME, Align::End));
    for (nanos, number) in &ticks.at {
        let x = scale.pixel(*nanos as f64).round();
        let half = words::width(number, NAME) / 2.0;
        if x - half >= GUTTER - 14.0 && x + half <= scale.right + super::MARGIN {
            layers.words.push(text((x, y), number.clone(), Ink::Muted, NAME, Align::Middle));
        }
    }
}

/// The name of a row in the room at the left, where it is high enough for one.
pub(super) fn name(layers: &mut Layers, row: &Row, label: &str) {
    let (y, h) = row.inside();
    if h >= 9.0 {
        let room = GUTTER - 10.0;
        let size = [NAME, NAME - 1.0, NAME - 2.0].into_iter().find(|&size| words::width(label, size) <= room);
        let size = size.unwrap_or(NAME - 1.0);
        let label = fitted(label, room, size);
        layers.words.push(text((GUTTER - 8.0, y + h / 2.0), label, Ink::Muted, size, Align::End));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(from: f64, to: f64) -> String {
        let ticks = ticks(&Scale { from, to, left: 64.0, right: 664.0 });
        let numbers: Vec<String> = ticks.at.into_iter().map(|(_, number)| number).collect();
        format!("{} {}", numbers.join(" "), ticks.unit)
    }

    #[test]
    fn numbers_are_round_and_exact_from_nanoseconds_to_hours() {
        assert_eq!(shown(0.0, 12.0), "0 1 2 3 4 5 6 7 8 9 10 11 12 ns");
        assert_eq!(shown(0.0, 999.0), "0 100 200 300 400 500 600 700 800 900 ns");
        assert_eq!(shown(1_000.0, 1_100.0), "1.00 1.01 1.02 1.03 1.04 1.05 1.06 1.07 1.08 1.09 1.10 µs");
        assert_eq!(shown(0.0, 12e6), "0 1 2 3 4 5 6 7 8 9 10 11 12 ms");
        assert_eq!(shown(0.1e9, 1.05e9), "0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1.0 s");
        assert_eq!(shown(0.0, 7.2e12), "0 1,000 2,000 3,000 4,000 5,000 6,000 7,000 s");
        assert_eq!(shown(3.6e12, 3.6e12 + 100.0), "3,600.00000000 3,600.00000005 3,600.00000010 s");
    }

    #[test]
    fn odd_windows_have_few_numbers() {
        for (from, to) in [(-5.0, -1.0), (0.0, 1e-3), (0.0, 1.6e19), (1.5e19, 1.6e19), (0.25, 0.75)] {
            let ticks = ticks(&Scale { from, to, left: 64.0, right: 65.0 });
            assert!(ticks.at.len() < 5, "{ticks:?}");
        }
    }
}
