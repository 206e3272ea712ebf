//! The cells of a heat map: a colour of nine steps for each value, with the number where there is room for it.

use kit::draw::list::{Align, Hatch, Ink, Mark};
use kit::draw::words::{text, width};

use super::{Layout, SIZE};
use crate::page::{Chart, says};

/// Room around the number of a cell.
const ROOM: f64 = 8.0;

/// Draws the cells.
pub(super) fn draw(chart: &Chart, layout: &Layout, out: &mut Vec<Mark>) {
    let Some(tone) = &chart.tone else { return };
    let (w, h) = layout.cell();
    let gap = if w.min(h) >= 8.0 { 1.0 } else { 0.0 };
    for (_, dot) in chart.dots() {
        let level = level(dot.value, tone.range);
        let (x, y) = (layout.x.pixel(dot.x), layout.y.pixel(dot.y));
        let (left, top) = ((x - w / 2.0 + gap).round(), (y - h / 2.0 + gap).round());
        let (right, bottom) = ((x + w / 2.0).round(), (y + h / 2.0).round());
        let (wide, high) = ((right - left).max(1.0), (bottom - top).max(1.0));
        out.push(Mark::Rect { x: left, y: top, w: wide, h: high, ink: Ink::Heat(level), hatch: Hatch::None });
        let said = says::value(dot.value, tone.share);
        if width(&said, SIZE) + ROOM <= wide && high >= SIZE + 4.0 {
            // Pale cells are near the ground, strong ones near the text.
            let ink = if level >= 5 { Ink::Ground } else { Ink::Text };
            out.push(text((x, y), said, ink, SIZE, Align::Middle));
        }
    }
}

/// Which of the nine steps a value is in.
fn level(value: f64, (low, high): (f64, f64)) -> u8 {
    let share = if high > low { (value - low) / (high - low) } else { 0.5 };
    (share.clamp(0.0, 1.0) * 8.0).round() as u8
}
