//! The demand of a set that was pinned, as dashes over the chart of another one: on the same axes.

use super::lines::{points, step_line};
use super::{Layout, Look, Mark, legend, rect};
use crate::timeline::tasks::Demand;
use kit::draw::DrawList;
use kit::draw::list::Ink;

/// How thick its line is, and the ground around it, which sets it apart from what it lies on.
const THICK: f64 = 3.0;
const AROUND: f64 = 1.0;
/// From dash to dash, and how long each is.
const DASHES: (f64, f64) = (12.0, 8.0);

/// Draws that line: all of it that is in sight.
pub fn pinned(list: &mut DrawList, demand: &Demand, pinned: &Demand, look: &Look) {
    let plan = Layout::new(demand, look);
    let end = plan.x.pixel((pinned.horizon as f64).min(plan.x.to)).clamp(plan.x.left, plan.x.right);
    let points = points(&pinned.sum, &plan, 1.0);
    let mut solid = Vec::new();
    step_line(&points, &plan, (legend::PINNED, THICK), end, |_, _| true, &mut solid);
    let dashes: Vec<Mark> = solid.iter().flat_map(dashed).collect();
    list.marks.extend(dashes.iter().filter_map(around));
    list.marks.extend(dashes);
}

/// The dashes of a piece of the line; they stand still in the picture while the piece gets longer.
fn dashed(piece: &Mark) -> Vec<Mark> {
    let Mark::Rect { x, y, w, h, ink, .. } = *piece else { return Vec::new() };
    let (from, long) = if w >= h { (x, w) } else { (y, h) };
    let (step, dash) = DASHES;
    let first = (from / step).floor();
    let count = ((from + long) / step - first).ceil().clamp(0.0, 4_096.0) as u32;
    let part = |i: u32| {
        let start = (first + f64::from(i)) * step;
        let (a, b) = (start.max(from), (start + dash).min(from + long));
        (b - a > 0.5)
            .then(|| if w >= h { rect((a, y), (b - a, h), ink) } else { rect((x, a), (w, b - a), ink) })
    };
    (0..count).filter_map(part).collect()
}

/// The ground around a dash.
fn around(dash: &Mark) -> Option<Mark> {
    let Mark::Rect { x, y, w, h, .. } = *dash else { return None };
    Some(rect((x - AROUND, y - AROUND), (w + 2.0 * AROUND, h + 2.0 * AROUND), Ink::Ground))
}
