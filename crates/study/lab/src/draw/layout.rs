//! Where everything of a chart stands: scales, ticks, legend; and which dot is at a place.

use kit::draw::{Axes, Scale, Tick, words};

use super::legend::{self, Item};
use super::ticks::round;
use super::{Look, SIZE};
use crate::page::{Chart, Dot, chart};
use crate::scenario::Kind;

/// Room for the numbers and the name of the axis, below the plot.
const BELOW: f64 = 42.0;
/// Room above the plot for half a number.
const ABOVE: f64 = 10.0;
/// Room for the name of the axis upwards.
const NAME: f64 = 20.0;
/// The plot is never lower than this.
const LOWEST: f64 = 120.0;
/// A dot farther from the pointer is not meant.
const REACH: f64 = 26.0;
/// Words of places beyond this are cut.
const LONGEST_WORD: f64 = 120.0;

/// A dot by the number of its series, and its own there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// Which series.
    pub series: usize,
    /// Which of its dots.
    pub dot: usize,
}

/// The chart's measures, in pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Width of the picture.
    pub width: f64,
    /// Height of the picture.
    pub height: f64,
    /// To the right.
    pub x: Scale,
    /// Upwards: its `left` is the bottom of the plot.
    pub y: Scale,
    /// What stands along the axis to the right.
    pub across: Vec<Tick>,
    /// What stands along the one upwards.
    pub up: Vec<Tick>,
    pub(super) legend: Vec<Item>,
}

impl Layout {
    /// The measures of a chart.
    pub fn new(chart: &Chart, look: &Look) -> Self {
        let sound = |value: f64| if value.is_finite() { value.clamp(0.0, 32_768.0) } else { 0.0 };
        let width = sound(look.width).max(160.0);
        let legend = legend::items(chart, width, look.titled);
        let top = legend::height(&legend, look.titled) + NAME + ABOVE;
        let height = sound(look.height).max(top + LOWEST + BELOW).round();
        let ((x0, x1), (y0, y1)) = ranges(chart);
        let y = Scale { from: y0, to: y1, left: (height - BELOW).round(), right: top.round() };
        let whole = places(chart).all(|x| x.fract() == 0.0);
        // Before there is anything, nobody knows how far numbers upwards go.
        let up = match chart.count() > 0 || chart.up.share {
            true => marks(&chart.up, &y, false, |_| 40.0),
            false => worded(&chart.up, &y, |_| 26.0).unwrap_or_default(),
        };
        let widest =
            up.iter().map(|tick| words::width(&tick.label, SIZE).min(LONGEST_WORD)).fold(0.0, f64::max);
        let left = (widest + 16.0).max(36.0).min(width / 2.0).round();
        let x = Scale { from: x0, to: x1, left, right: (width - 16.0).max(left + 8.0).round() };
        let room = |label: &str| words::width(label, SIZE).min(LONGEST_WORD) + 14.0;
        let across = match places(chart).next() {
            Some(_) => marks(&chart.across, &x, whole, room),
            None => worded(&chart.across, &x, room).unwrap_or_default(),
        };
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

    /// Where a place of both axes is, cut to the plot.
    pub fn pixel(&self, x: f64, y: f64) -> (f64, f64) {
        (self.x.pixel(x).clamp(self.x.left, self.x.right), self.height_of(y))
    }

    /// Where a value is, cut to the plot.
    pub fn height_of(&self, y: f64) -> f64 {
        self.y.pixel(y).clamp(self.top(), self.bottom())
    }

    /// Where a dot is.
    pub fn spot(&self, chart: &Chart, spot: Spot) -> Option<(f64, f64)> {
        let dot = chart.series.get(spot.series)?.dots.get(spot.dot)?;
        let (x, y) = self.pixel(dot.x, middle(chart, dot));
        Some((x + self.shift(chart, spot.series), y))
    }

    /// How far a series stands beside the middle of its place, where several stand side by side.
    pub fn shift(&self, chart: &Chart, series: usize) -> f64 {
        if chart.kind != Kind::Box {
            return 0.0;
        }
        let count = chart.series.len().max(1) as f64;
        (series as f64 - (count - 1.0) / 2.0) * self.box_width(chart)
    }

    /// How much room a box has.
    pub fn box_width(&self, chart: &Chart) -> f64 {
        (self.apart(chart) * 0.8 / chart.series.len().max(1) as f64).clamp(2.0, 46.0)
    }

    /// The least pixels between two places to the right.
    fn apart(&self, chart: &Chart) -> f64 {
        let mut places: Vec<f64> = chart.dots().map(|(_, dot)| self.x.pixel(dot.x)).collect();
        places.sort_by(f64::total_cmp);
        let gaps = places.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 0.5);
        gaps.fold(self.x.right - self.x.left, f64::min)
    }

    /// Width and height of a cell of a heat map.
    pub fn cell(&self) -> (f64, f64) {
        (self.x.per_unit().abs(), self.y.per_unit().abs())
    }

    /// The dot at a place: of a heat map the cell, else the nearest, if it is near.
    pub fn hit(&self, chart: &Chart, (x, y): (f64, f64)) -> Option<Spot> {
        let inside = (self.x.left - 8.0..=self.x.right + 8.0).contains(&x)
            && (self.top() - 8.0..=self.bottom() + 8.0).contains(&y);
        if !inside {
            return None;
        }
        let spots = chart.series.iter().enumerate().flat_map(|(series, own)| {
            own.dots.iter().enumerate().map(move |(dot, it)| (Spot { series, dot }, it))
        });
        if chart.kind == Kind::Heat {
            let (w, h) = self.cell();
            let within = |dot: &Dot| {
                let (px, py) = (self.x.pixel(dot.x), self.y.pixel(dot.y));
                (px - x).abs() <= w / 2.0 && (py - y).abs() <= h / 2.0
            };
            return spots.into_iter().find(|(_, dot)| within(dot)).map(|(spot, _)| spot);
        }
        let reach = if chart.kind == Kind::Box { REACH.max(self.box_width(chart)) } else { REACH };
        let far = |spot: Spot, dot: &Dot| {
            let (px, py) = self.pixel(dot.x, middle(chart, dot));
            let px = px + self.shift(chart, spot.series);
            if chart.kind == Kind::Box {
                // Anywhere between the whiskers is the box.
                let (low, high) = (self.height_of(dot.five[0]), self.height_of(dot.five[4]));
                return (px - x).abs() + (y - low).max(high - y).max(0.0);
            }
            (px - x).hypot(py - y)
        };
        let found = spots.map(|(spot, dot)| (spot, far(spot, dot))).filter(|(_, far)| *far <= reach);
        found.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(spot, _)| spot)
    }
}

/// The height of a dot: of a box its median.
pub(super) fn middle(chart: &Chart, dot: &Dot) -> f64 {
    if chart.kind == Kind::Box { dot.five[2] } else { dot.y }
}

/// What stands along an axis.
fn marks(axis: &chart::Axis, scale: &Scale, whole: bool, room: impl Fn(&str) -> f64) -> Vec<Tick> {
    worded(axis, scale, &room).unwrap_or_else(|| {
        let widest =
            round(scale, 48.0, axis.share, whole).iter().map(|tick| room(&tick.label)).fold(0.0, f64::max);
        round(scale, widest.max(26.0), axis.share, whole)
    })
}

/// The words of an axis, as many as there is room for; none if it is one of numbers.
fn worded(axis: &chart::Axis, scale: &Scale, room: impl Fn(&str) -> f64) -> Option<Vec<Tick>> {
    let all = axis.words.as_ref()?;
    let apart = scale.per_unit().abs().max(1e-9);
    let widest = all.iter().map(|word| room(word)).fold(1.0, f64::max);
    let every = (widest / apart).ceil().max(1.0) as usize;
    let every = if apart >= widest.min(44.0) { 1 } else { every };
    let words = all.iter().enumerate().step_by(every);
    Some(words.map(|(at, word)| Tick { at: at as f64, label: word.clone() }).collect())
}

/// What stands to the right: the numbers of the study's axis, and dots.
fn places(chart: &Chart) -> impl Iterator<Item = f64> {
    chart.across.numbers.iter().copied().chain(chart.dots().map(|(_, dot)| dot.x))
}

/// From where to where both axes go.
fn ranges(chart: &Chart) -> ((f64, f64), (f64, f64)) {
    let named =
        |words: &Option<Vec<String>>| words.as_ref().map(|words| (-0.5, words.len().max(1) as f64 - 0.5));
    let across = named(&chart.across.words).unwrap_or_else(|| {
        let margin = match chart.kind {
            Kind::Box => 0.06,
            Kind::Scatter => 0.04,
            Kind::Line | Kind::Heat => 0.0,
        };
        spread(places(chart), margin, chart.kind == Kind::Scatter)
    });
    let up = named(&chart.up.words).unwrap_or_else(|| {
        if chart.up.share {
            return (0.0, 1.0);
        }
        let ends = chart.dots().flat_map(|(_, dot)| match chart.kind {
            Kind::Box => [dot.five[0], dot.five[4]],
            Kind::Line => dot.interval.unwrap_or([dot.y, dot.y]),
            Kind::Scatter | Kind::Heat => [dot.y, dot.y],
        });
        spread(ends, 0.06, true)
    });
    (across, up)
}

/// A range around values with a margin; from 0 where that is near.
fn spread(values: impl Iterator<Item = f64>, margin: f64, near_zero: bool) -> (f64, f64) {
    let (low, high) = values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        return (0.0, 1.0);
    }
    if low == high {
        let room = (low.abs() * 0.1).max(0.5);
        return (low - room, high + room);
    }
    let room = (high - low) * margin;
    let from = if near_zero && low >= 0.0 && low <= high * 0.4 { 0.0 } else { low - room };
    (from, high + room)
}
