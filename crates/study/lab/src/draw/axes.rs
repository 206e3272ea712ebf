//! Grid, numbers and names of both axes.

use kit::draw::list::{Align, Ink, Mark};
use kit::draw::words::{fitted, text};

use super::{Layout, SIZE};
use crate::page::Chart;
use crate::scenario::Kind;

/// Lines of the grid; a heat map has none.
pub(super) fn grid(chart: &Chart, layout: &Layout, out: &mut Vec<Mark>) {
    if chart.kind != Kind::Heat {
        layout.axes().grid(out);
    }
}

/// The axes with their numbers and names.
pub(super) fn draw(chart: &Chart, layout: &Layout, out: &mut Vec<Mark>) {
    if chart.kind != Kind::Heat {
        layout.axes().lines(out);
    }
    layout.axes().words(out);
    let across = fitted(&format!("{} →", chart.across.name), layout.width - 20.0, SIZE);
    out.push(text((layout.x.right, layout.bottom() + 31.0), across, Ink::Text, SIZE, Align::End));
    let up = fitted(&format!("↑ {}", chart.up.name), layout.width - 20.0, SIZE);
    out.push(text((10.0, layout.top() - 18.0), up, Ink::Text, SIZE, Align::Start));
}
