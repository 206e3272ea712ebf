//! The demand chart: areas by task, the sums as lines, the time there is, and what stands out.

use super::layout::Layout;
use super::lines::{areas, points, step_line};
use super::{Look, Mark, SIZE, legend, line, marks, rect};
use crate::timeline::tasks::Demand;
use kit::draw::list::{Align, DrawList, Ink};
use kit::draw::words::{text, width};

/// Draws the chart.
pub fn draw(demand: &Demand, look: &Look) -> DrawList {
    let layout = Layout::new(demand, look);
    let mut list = DrawList::new(layout.width, layout.height);
    list.rect((0.0, 0.0), (layout.width, layout.height), Ink::Ground);
    let out = &mut list.marks;
    layout.axes().grid(out);
    // Beyond the horizon nothing is known, so nothing is drawn.
    let end = layout.x.pixel((demand.horizon as f64).min(layout.x.to)).clamp(layout.x.left, layout.x.right);
    out.extend(areas(demand, &layout, end));
    stretches(&demand.over, &layout, out);
    time(&layout, out);
    if let Some(steps) = demand.sum_by_equation.as_deref().filter(|_| !demand.differing.is_empty()) {
        let differs = |from: f64, to: f64| overlaps(demand, &layout, from, to);
        step_line(&points(steps, &layout, 1.0), &layout, (legend::EQUATION, 2.0), end, differs, out);
    }
    step_line(&points(&demand.sum, &layout, 1.0), &layout, (legend::SUM, 2.0), end, |_, _| true, out);
    axis(&layout, out);
    legend::draw(&layout.legend, out);
    marks::draw(demand, &layout, look, out);
    list
}

/// Numbers and names of both axes.
fn axis(layout: &Layout, out: &mut Vec<Mark>) {
    let (right, bottom) = (layout.x.right, layout.bottom());
    layout.axes().lines(out);
    layout.axes().words(out);
    let long = ("↑ Demand within it", "Length of the interval →");
    let fits = 12.0 + width(long.0, SIZE) + 16.0 + width(long.1, SIZE) <= right;
    let (up, across) = if fits { long } else { ("↑ Demand", "Interval →") };
    out.push(text((right, bottom + 30.0), across, Ink::Muted, SIZE, Align::End));
    out.push(text((12.0, bottom + 30.0), up, Ink::Muted, SIZE, Align::Start));
}

/// Where there is more demand than time: from top to bottom, at least a pixel wide, one for each column.
fn stretches(over: &[(u64, u64)], layout: &Layout, out: &mut Vec<Mark>) {
    let scale = &layout.x;
    let first = over.partition_point(|&(_, to)| (to as f64) < scale.from);
    let (top, height) = (layout.top(), layout.bottom() - layout.top());
    let mut open: Option<(f64, f64)> = None;
    for &(from, to) in over[first..].iter().take_while(|&&(from, _)| from as f64 <= scale.to) {
        let x0 = scale.pixel(from as f64).clamp(scale.left, scale.right).round();
        let x1 = scale.pixel(to as f64).clamp(scale.left, scale.right).round().max(x0 + 1.0);
        open = match open {
            Some((left, right)) if x0 <= right => Some((left, x1.max(right))),
            other => {
                out.extend(other.map(|(x, right)| rect((x, top), (right - x, height), Ink::WrongVeil)));
                Some((x0, x1))
            }
        };
    }
    out.extend(open.map(|(x, right)| rect((x, top), (right - x, height), Ink::WrongVeil)));
}

/// The line on which there is as much demand as time.
fn time(layout: &Layout, out: &mut Vec<Mark>) {
    let from = layout.x.from.max(layout.y.from);
    let to = layout.x.to.min(layout.y.to);
    if from < to {
        let at = |t: f64| (layout.x.pixel(t), layout.y.pixel(t));
        out.push(line(at(from), at(to), legend::TIME, 2.0));
    }
}

/// Whether the sums differ anywhere between two pixels, in whole ones as lines are drawn.
fn overlaps(demand: &Demand, layout: &Layout, from: f64, to: f64) -> bool {
    let pixel = |t: u64| layout.x.pixel(t as f64).round();
    let ends = |&(begin, end): &(u64, u64)| pixel(end).max(pixel(begin) + 1.0);
    let next = demand.differing.partition_point(|stretch| ends(stretch) <= from);
    demand.differing.get(next).is_some_and(|&(begin, _)| pixel(begin) < to)
}
