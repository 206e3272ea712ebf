//! Steps as columns of pixels: at most one value for each, and areas and lines made of them.

use super::layout::Layout;
use super::{Mark, rect};
use crate::timeline::tasks::{Demand, value};
use kit::draw::list::{Hatch, Ink};

/// Rectangles of all areas together, about.
const MOST_AREAS: usize = 2_400;

/// A value that holds from a pixel on, and the last interval that led to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    /// The pixel.
    pub(super) x: f64,
    /// The interval.
    pub(super) t: u64,
    /// The value.
    pub(super) value: u64,
}

/// The values of steps in the window, in columns so many pixels wide: the last value of each.
pub(super) fn points(steps: &[(u64, u64)], layout: &Layout, column: f64) -> Vec<Point> {
    let scale = &layout.x;
    let start = scale.from.floor().max(0.0) as u64;
    let mut out = vec![Point { x: scale.left, t: start, value: value(steps, start) }];
    let first = steps.partition_point(|&(t, _)| t <= start);
    let last = steps.partition_point(|&(t, _)| t as f64 <= scale.to);
    let seen = steps.get(first..last).unwrap_or_default();
    let columns = ((scale.right - scale.left) / column).ceil().max(1.0);
    let dense = seen.len() as f64 > 4.0 * columns;
    let mut next = 0;
    while let Some(&(t, _)) = seen.get(next) {
        let x = scale.pixel(t as f64);
        let number = ((x - scale.left) / column).round();
        let end = scale.value(scale.left + (number + 0.5) * column);
        // Where steps are far apart, looking at each is quicker than looking for the end of its column.
        let after = if dense {
            next + seen[next..].partition_point(|&(t, _)| (t as f64) < end)
        } else {
            next + seen[next..].iter().take_while(|&&(t, _)| (t as f64) < end).count()
        };
        let (t, value) = seen[after.max(next + 1) - 1];
        let x = if column > 1.0 || dense { scale.left + number * column } else { x.round() };
        let point = Point { x: x.min(scale.right), t, value };
        match out.last_mut() {
            Some(last) if last.x >= point.x => *last = Point { x: last.x, ..point },
            _ => out.push(point),
        }
        next = after.max(next + 1);
    }
    out
}

/// A line along the steps; `shown` says which stretches of pixels are drawn.
pub(super) fn step_line(
    points: &[Point],
    layout: &Layout,
    (ink, thick): (Ink, f64),
    end: f64,
    shown: impl Fn(f64, f64) -> bool,
    out: &mut Vec<Mark>,
) {
    let half = (thick / 2.0).floor();
    let (top, bottom) = (layout.top(), layout.bottom());
    let level = |value: u64| layout.level(value).round();
    let inside = |value: u64| {
        let y = layout.y.pixel(value as f64);
        y >= top - 1.0 && y <= bottom + 1.0
    };
    let mut flat: Option<(f64, f64, f64)> = None; // from, to, height: lines that go on at the same height are one
    let mut before: Option<Point> = None;
    for (place, point) in points.iter().enumerate() {
        let to = points.get(place + 1).map_or(end, |next| next.x);
        let y = level(point.value);
        if let Some(before) = before.filter(|_| shown(point.x, to)) {
            let from = level(before.value);
            if from > y {
                out.push(rect((point.x - half, y - half), (thick, from - y + thick), ink));
            }
        }
        before = Some(*point);
        let is_shown = shown(point.x, to) && inside(point.value) && to > point.x;
        flat = match flat {
            Some((x0, x1, height)) if is_shown && height == y && x1 >= point.x => Some((x0, to, y)),
            other => {
                if let Some((x0, x1, height)) = other {
                    out.push(rect((x0, height - half), (x1 - x0, thick), ink));
                }
                is_shown.then_some((point.x, to, y))
            }
        };
    }
    if let Some((x0, x1, height)) = flat {
        out.push(rect((x0, height - half), (x1 - x0, thick), ink));
    }
}

/// The areas of all layers below the sum, in columns as wide as it takes to keep them few.
pub(super) fn areas(demand: &Demand, layout: &Layout, end: f64) -> Vec<Mark> {
    let mut column = 1.0;
    loop {
        let marks = stacked(demand, layout, end, column);
        if marks.len() <= MOST_AREAS || column >= 64.0 {
            return marks;
        }
        column *= 2.0;
    }
}

fn stacked(demand: &Demand, layout: &Layout, end: f64, column: f64) -> Vec<Mark> {
    let points = points(&demand.sum, layout, column);
    let mut below = vec![0_u64; points.len()];
    let mut out = Vec::new();
    for layer in &demand.layers {
        let mut open: Option<(f64, f64, f64, f64)> = None; // left, right, top, bottom
        let mut close = |open: Option<(f64, f64, f64, f64)>| {
            if let Some((x, right, y, bottom)) = open.filter(|(.., top, bottom)| bottom > top) {
                let (ink, hatch) = (Ink::Class(layer.class), Hatch::Class(layer.class));
                out.push(Mark::Rect { x, y, w: right - x, h: bottom - y, ink, hatch });
            }
        };
        for (place, (point, below)) in points.iter().zip(&mut below).enumerate() {
            let to = points.get(place + 1).map_or(end, |next| next.x);
            let bottom = layout.level(*below).round();
            *below = below.saturating_add(value(&layer.steps, point.t));
            let top = layout.level(*below).round();
            open = match open {
                Some((x, right, y, low)) if right >= point.x && (y, low) == (top, bottom) => {
                    Some((x, to, y, low))
                }
                other => {
                    close(other);
                    Some((point.x, to, top, bottom))
                }
            };
        }
        close(open);
    }
    out
}
