//! Where everything of the demand chart stands: scales, ticks, legend; and which interval is at a place.

use super::{Look, MARGIN, SIZE, legend, number};
use crate::timeline::tasks::Demand;
use kit::draw::scale::{Scale, tick_step};
use kit::draw::{Axes, Tick, words};

/// Room for the words of the marks, above the plot.
const MARKS: f64 = 36.0;
/// Room for the numbers and the name of the axis, below it.
const AXIS: f64 = 40.0;
/// The plot is never lower than this.
const LOWEST: f64 = 180.0;
/// A pointer this near to a step means the step, in pixels.
const NEAR: f64 = 6.0;
/// Nothing reaches further, so that pixels stay exact.
const LONGEST: f64 = 1e15;
/// Space between two numbers of the axis.
const APART: f64 = 18.0;

/// The chart's measures, in pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Width of the picture.
    pub width: f64,
    /// Height of the picture.
    pub height: f64,
    /// From intervals to pixels.
    pub x: Scale,
    /// From demand to pixels: its `left` is the bottom of the plot, its `right` the top.
    pub y: Scale,
    /// Intervals with a number on the axis.
    pub across: Vec<Tick>,
    /// Demands with a number on the axis.
    pub up: Vec<Tick>,
    /// What is in the legend.
    pub(super) legend: Vec<legend::Item>,
}

impl Layout {
    /// The measures of a chart.
    pub fn new(demand: &Demand, look: &Look) -> Self {
        let width = sound(look.width).clamp(120.0, 32_768.0);
        let legend = legend::items(demand, width, look.pinned);
        let top = legend::height(&legend) + MARKS;
        let height = sound(look.height).clamp(0.0, 32_768.0).max(top + LOWEST + AXIS);
        let t0 = sound(look.t0).clamp(0.0, LONGEST);
        let t1 = sound(look.t1).clamp(t0 + 1e-3 + t0 * 1e-12, LONGEST * 2.0);
        let (from, to) = range(demand, t0, t1);
        let y = Scale { from, to, left: height - AXIS, right: top };
        let up = ticks(&y, |_| 26.0);
        let widest = up.iter().map(|tick| words::width(&tick.label, SIZE)).fold(0.0, f64::max);
        let left = (widest + 34.0).max(52.0).min(width / 2.0).round();
        let x = Scale { from: t0, to: t1, left, right: (width - MARGIN).max(left + 1.0) };
        let across = ticks(&x, |value| words::width(&number(value), SIZE) + APART);
        Self { width, height, x, y, across, up, legend }
    }

    /// Both axes.
    pub(super) fn axes(&self) -> Axes<'_> {
        let Self { x, y, across, up, width, .. } = self;
        Axes { x, y, across, up, width: *width, size: SIZE }
    }

    /// The top edge of the plot.
    pub fn top(&self) -> f64 {
        self.y.right
    }

    /// The bottom edge of the plot.
    pub fn bottom(&self) -> f64 {
        self.y.left
    }

    /// Where an interval is, if it is in the window.
    pub fn place(&self, t: u64) -> Option<f64> {
        let x = self.x.pixel(t as f64);
        (self.x.left - 0.5..=self.x.right + 0.5).contains(&x).then_some(x)
    }

    /// Where a demand is, cut to the plot.
    pub fn level(&self, demand: u64) -> f64 {
        self.y.pixel(demand as f64).clamp(self.top(), self.bottom())
    }

    /// Whether a place is on the strip where the numbers of the axis stand.
    pub fn is_on_axis(&self, (x, y): (f64, f64)) -> bool {
        x >= self.x.left - NEAR && y > self.bottom() && y <= self.bottom() + AXIS
    }

    /// The interval that a place on the axis is at: beside it the first or the last that is in sight.
    pub fn along(&self, demand: &Demand, x: f64) -> Option<u64> {
        let last = self.x.pixel(demand.horizon as f64).min(self.x.right);
        self.hit(demand, x.clamp(self.x.left, last.max(self.x.left)), self.bottom())
    }

    /// The interval at a place: a step that is near, else the nearest whole number; none outside of the plot or
    /// beyond the horizon.
    pub fn hit(&self, demand: &Demand, x: f64, y: f64) -> Option<u64> {
        let inside = (self.x.left - NEAR..=self.x.right + NEAR).contains(&x)
            && (self.top() - MARKS..=self.bottom() + AXIS).contains(&y);
        if !inside {
            return None;
        }
        let t = self.x.value(x).clamp(self.x.from, self.x.to);
        let near = demand.nearest(t).filter(|&step| (self.x.pixel(step as f64) - x).abs() <= NEAR);
        let whole = near.unwrap_or(t.max(0.0).round() as u64);
        (whole <= demand.horizon).then_some(whole)
    }
}

fn sound(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}

/// From which demand to which: all of it from 0, or in a narrower window what happens there.
fn range(demand: &Demand, t0: f64, t1: f64) -> (f64, f64) {
    let both = |t: f64| {
        let t = t.floor().max(0.0) as u64;
        let exact = demand.at(t);
        (exact, demand.at_by_equation(t).unwrap_or(exact))
    };
    let (low, high) = (both(t0), both(t1));
    let top = t1.max(high.0 as f64).max(high.1 as f64);
    if t0 <= 0.0 {
        return (0.0, top * 1.03);
    }
    let bottom = t0.min(low.0 as f64).min(low.1 as f64);
    let spare = (top - bottom).max(1.0) * 0.05;
    ((bottom - spare).max(0.0), top + spare)
}

/// Round numbers along a scale, as far apart as `room` says for the largest of them.
fn ticks(scale: &Scale, room: impl Fn(f64) -> f64) -> Vec<Tick> {
    let gap = room(scale.to);
    let step = tick_step(scale.per_unit().abs(), gap);
    let first = (scale.from / step).ceil();
    let values = (0..400).map(|i| (first + f64::from(i)) * step).take_while(|&value| value <= scale.to);
    values.map(|at| Tick { at, label: number(at) }).collect()
}
