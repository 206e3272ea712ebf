//! Grid, numbers and names of both axes.

use kit::draw::list::{Align, Ink, Mark};
use kit::draw::words::{fitted, text, width};

use super::{Layout, SIZE};
use crate::page::Chart;
use crate::scenario::Kind;

fn line(from: (f64, f64), to: (f64, f64), ink: Ink) -> Mark {
    Mark::Line { from, to, ink, line: 1.0 }
}

/// Lines of the grid; a heat map has none.
pub(super) fn grid(chart: &Chart, layout: &Layout, out: &mut Vec<Mark>) {
    if chart.kind == Kind::Heat {
        return;
    }
    for tick in &layout.up {
        let y = layout.y.pixel(tick.at).round();
        out.push(line((layout.x.left, y), (layout.x.right, y), Ink::Grid));
    }
    for tick in &layout.across {
        let x = layout.x.pixel(tick.at).round();
        out.push(line((x, layout.top()), (x, layout.bottom()), Ink::Grid));
    }
}

/// The axes with their numbers and names.
pub(super) fn draw(chart: &Chart, layout: &Layout, out: &mut Vec<Mark>) {
    let (left, right, top, bottom) = (layout.x.left, layout.x.right, layout.top(), layout.bottom());
    if chart.kind != Kind::Heat {
        out.push(line((left, bottom), (right, bottom), Ink::Muted));
        out.push(line((left, top), (left, bottom), Ink::Muted));
    }
    for tick in &layout.up {
        let y = layout.y.pixel(tick.at).round();
        let said = fitted(&tick.label, left - 10.0, SIZE);
        out.push(text((left - 7.0, y), said, Ink::Muted, SIZE, Align::End));
    }
    let apart = layout.across.windows(2).map(|pair| (pair[1].at - pair[0].at) * layout.x.per_unit());
    let room = apart.fold(right - left, f64::min).max(24.0) - 6.0;
    for tick in &layout.across {
        let said = fitted(&tick.label, room, SIZE);
        let half = width(&said, SIZE) / 2.0;
        let x = layout.x.pixel(tick.at).round().min(layout.width - 2.0 - half).max(half + 2.0);
        if chart.kind != Kind::Heat {
            let at = layout.x.pixel(tick.at).round();
            out.push(line((at, bottom), (at, bottom + 4.0), Ink::Muted));
        }
        out.push(text((x, bottom + 14.0), said, Ink::Muted, SIZE, Align::Middle));
    }
    let across = fitted(&format!("{} →", chart.across.name), layout.width - 20.0, SIZE);
    out.push(text((right, bottom + 31.0), across, Ink::Text, SIZE, Align::End));
    let up = fitted(&format!("↑ {}", chart.up.name), layout.width - 20.0, SIZE);
    out.push(text((10.0, top - 18.0), up, Ink::Text, SIZE, Align::Start));
}
