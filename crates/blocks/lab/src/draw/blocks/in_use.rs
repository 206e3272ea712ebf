//! How much is in use over time on the whole device, against what it has: a step line.
//!
//! Where steps are too many to be told apart, each column shows the least and the most.

use super::bands::amount;
use super::layout::{Kind, Layout, Row};
use super::words::text;
use super::{GUTTER, Layers, Look, Panel, axis, clipped, column_log, line, rect};
use crate::timeline::blocks::BlocksTimeline;
use kit::draw::list::{Align, Ink};
use kit::draw::scale::Scale;

/// More steps than this in a window are drawn in columns.
const MOST_STEPS: usize = 200;
/// Columns are at least this wide, and less than twice that.
const COLUMN: f64 = 3.0;
/// Columns at the most, about.
const MOST_COLUMNS: f64 = 400.0;

/// A stretch of time in which no less and no more than so much is in use.
struct Stretch {
    from: f64,
    to: f64,
    least: u64,
    most: u64,
}

/// Draws the rows that show it.
pub(super) fn draw(layers: &mut Layers, panels: &[Panel<'_>], layout: &Layout, scale: &Scale, look: &Look) {
    for row in layout.rows.iter().filter(|row| row.is_seen(look) && row.kind == Kind::InUse) {
        let Some(panel) = panels.get(row.panel) else { continue };
        let timeline = panel.timeline;
        axis::name(layers, row, "in use");
        let (y, h) = row.inside();
        // More than there is for a moment, as clocks jitter, does not change the scale.
        let most: u64 = timeline.sms.iter().map(|sm| u64::from(sm.top)).sum();
        let top = text((GUTTER - 8.0, y + 6.0), amount(timeline.measure, most), Ink::Muted, 10.0, Align::End);
        layers.words.push(top);
        let height = |value: u64| (value as f64 * h / most.max(1) as f64).min(h).round();
        for stretch in stretches(timeline, scale) {
            let (x, w) = clipped(stretch.from, stretch.to, scale);
            let [low, high] = [stretch.least, stretch.most].map(|value| y + h - height(value));
            if w <= 0.0 || stretch.most == 0 {
                continue;
            }
            if stretch.least > 0 {
                layers.things.push(rect((x, low), (w, y + h - low + 1.0), Ink::Grid));
            }
            if low - high < 1.5 {
                layers.things.push(line((x, low), (x + w, low), Ink::Muted, 1.5));
            } else {
                layers.things.push(rect((x, high), (w, low - high + 1.0), Ink::Muted));
            }
        }
    }
}

fn stretches(timeline: &BlocksTimeline, scale: &Scale) -> Vec<Stretch> {
    let (from, to) = (scale.from.max(0.0), scale.to.min(timeline.end));
    let steps = timeline.in_use.within(from, to);
    let mut out: Vec<Stretch> = Vec::new();
    if steps.len() <= MOST_STEPS {
        let mut add = |from: f64, to: f64, value| out.push(Stretch { from, to, least: value, most: value });
        let (mut at, mut value) = (from, timeline.in_use.at(from));
        for (next, after) in steps {
            add(at, next, value);
            (at, value) = (next, after);
        }
        add(at, to, value);
        return out;
    }
    let pixels = COLUMN.max((scale.right - scale.left) / MOST_COLUMNS);
    let width = 2f64.powi(column_log(scale, pixels).into());
    let first = (from / width).floor();
    for column in 0..=((to / width).ceil() - first).clamp(0.0, 10_000.0) as u64 {
        let start = (first + column as f64) * width;
        let (least, most) = timeline.in_use.extremes(start, start + width);
        match out.last_mut() {
            Some(last) if (last.least, last.most) == (least, most) => last.to = start + width,
            _ => out.push(Stretch { from: start, to: start + width, least, most }),
        }
    }
    out
}

/// The row at which it stands, for clicks: how much is in use at a time.
pub(super) fn value(panel: &Panel<'_>, row: &Row, t: f64) -> Option<u64> {
    (row.kind == Kind::InUse).then(|| panel.timeline.in_use.at(t))
}
