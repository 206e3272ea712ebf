//! Curves with bands, boxes with whiskers, clouds of dots, and the ring around what stands out.

use std::collections::HashSet;

use kit::draw::list::{Hatch, Ink, Mark};

use super::layout::{Layout, Spot, middle};
use super::shapes::{ink, pale, shape};
use crate::page::{Chart, Series};
use crate::scenario::Kind;

/// A band is drawn in columns of so many pixels.
const COLUMN: f64 = 2.0;
/// Shapes closer to each other than this are left out.
const APART: f64 = 9.0;

fn line(from: (f64, f64), to: (f64, f64), ink: Ink, line: f64) -> Mark {
    Mark::Line { from, to, ink, line }
}

fn rect(x: f64, y: f64, w: f64, h: f64, ink: Ink) -> Mark {
    Mark::Rect { x, y, w, h, ink, hatch: Hatch::None }
}

/// Means as lines, each over the band of its intervals. All bands are beneath all lines.
pub(super) fn lines(chart: &Chart, layout: &Layout, out: &mut Vec<Mark>) {
    let worded = chart.across.words.is_some();
    for (at, series) in chart.series.iter().enumerate() {
        if worded {
            whiskers(series, layout, at, out);
        } else {
            band(series, layout, at, out);
        }
    }
    for (at, series) in chart.series.iter().enumerate() {
        let points: Vec<(f64, f64)> = series.dots.iter().map(|dot| layout.pixel(dot.x, dot.y)).collect();
        for pair in points.windows(2) {
            out.push(line(pair[0], pair[1], ink(at), 2.0));
        }
        let mut last = f64::NEG_INFINITY;
        for &(x, y) in &points {
            if x - last >= APART {
                shape(at, (x, y), out);
                last = x;
            }
        }
    }
}

/// The intervals between points, in columns, with an edge above and below.
fn band(series: &Series, layout: &Layout, at: usize, out: &mut Vec<Mark>) {
    let ends: Vec<(f64, f64, f64)> = series
        .dots
        .iter()
        .filter_map(|dot| {
            let [low, high] = dot.interval?;
            Some((layout.pixel(dot.x, dot.y).0, layout.height_of(high), layout.height_of(low)))
        })
        .collect();
    if let [(x, high, low)] = ends[..] {
        out.push(line((x, high), (x, low), pale(at, 2), 2.0));
    }
    for pair in ends.windows(2) {
        let ((x0, high0, low0), (x1, high1, low1)) = (pair[0], pair[1]);
        let wide = x1 - x0;
        let columns = (wide / COLUMN).ceil().clamp(1.0, 2_000.0);
        for column in 0..columns as u32 {
            let share = (f64::from(column) + 0.5) / columns;
            let (high, low) = (high0 + (high1 - high0) * share, low0 + (low1 - low0) * share);
            if low - high >= 0.5 {
                let x = x0 + wide * f64::from(column) / columns;
                out.push(rect(x, high, wide / columns + 0.5, low - high, pale(at, 1)));
            }
        }
        out.push(line((x0, high0), (x1, high1), pale(at, 2), 1.0));
        out.push(line((x0, low0), (x1, low1), pale(at, 2), 1.0));
    }
}

/// The intervals of places that are no numbers: a bar at each.
fn whiskers(series: &Series, layout: &Layout, at: usize, out: &mut Vec<Mark>) {
    for dot in &series.dots {
        let Some([low, high]) = dot.interval else { continue };
        let (x, top) = layout.pixel(dot.x, high);
        let bottom = layout.height_of(low);
        out.push(line((x, top), (x, bottom), pale(at, 3), 2.0));
        for y in [top, bottom] {
            out.push(line((x - 4.0, y), (x + 4.0, y), pale(at, 3), 2.0));
        }
    }
}

/// Quartiles as boxes, with the median across, and the least and the most at the ends.
pub(super) fn boxes(chart: &Chart, layout: &Layout, out: &mut Vec<Mark>) {
    let wide = layout.box_width(chart);
    for (at, series) in chart.series.iter().enumerate() {
        let shift = layout.shift(chart, at);
        for dot in &series.dots {
            let x = layout.pixel(dot.x, dot.y).0 + shift;
            let [least, low, median, high, most] = dot.five.map(|value| layout.height_of(value));
            let half = (wide * 0.4).max(1.0);
            out.push(line((x, least), (x, low), ink(at), 1.5));
            out.push(line((x, high), (x, most), ink(at), 1.5));
            for y in [least, most] {
                out.push(line((x - half / 2.0, y), (x + half / 2.0, y), ink(at), 1.5));
            }
            let (ink, hatch) = (ink(at), Hatch::None);
            let tall = (low - high).max(1.0);
            out.push(Mark::Rect { x: x - half, y: high, w: 2.0 * half, h: tall, ink: pale(at, 2), hatch });
            out.push(Mark::Frame { x: x - half, y: high, w: 2.0 * half, h: tall, ink, line: 1.5 });
            out.push(line((x - half, median), (x + half, median), Ink::Text, 2.0));
        }
    }
}

/// A dot for each cell; those that nobody could tell apart are drawn once.
pub(super) fn cloud(chart: &Chart, layout: &Layout, out: &mut Vec<Mark>) {
    for (at, series) in chart.series.iter().enumerate() {
        let mut known = HashSet::new();
        for dot in &series.dots {
            let (x, y) = layout.pixel(dot.x, dot.y);
            let (x, y) = (x.round(), y.round());
            if known.insert((x as i32 / 2, y as i32 / 2)) {
                shape(at, (x, y), out);
            }
        }
    }
}

/// A ring around a dot; around the cell of a heat map and the box of a measure a frame.
pub(super) fn ring(chart: &Chart, layout: &Layout, spot: Spot, thick: f64, out: &mut Vec<Mark>) {
    let dot = chart.series.get(spot.series).and_then(|series| series.dots.get(spot.dot));
    let (Some(dot), Some((x, y))) = (dot, layout.spot(chart, spot)) else { return };
    let (w, h) = match chart.kind {
        Kind::Heat => layout.cell(),
        Kind::Box => {
            let (low, high) = (layout.height_of(dot.five[0]), layout.height_of(dot.five[4]));
            let wide = layout.box_width(chart) * 0.8 + 6.0;
            let frame = (x - wide / 2.0, high - 4.0, wide, low - high + 8.0);
            let (x, y, w, h) = frame;
            out.push(Mark::Frame { x, y, w, h, ink: Ink::Accent, line: thick });
            return;
        }
        Kind::Line | Kind::Scatter => (14.0, 14.0),
    };
    let y = if chart.kind == Kind::Heat { y } else { layout.height_of(middle(chart, dot)) };
    out.push(Mark::Frame { x: x - w / 2.0, y: y - h / 2.0, w, h, ink: Ink::Accent, line: thick });
}
