//! Where everything of a chart stands.

use super::{Frame, Spread};
use crate::timeline::Convergence;
use crate::timeline::convergence::{Axis, Chain, Corner, ImprovementId, StartKind};
use kit::draw::Scale;

/// Room for the numbers of the vertical axis.
const LEFT: f64 = 52.0;
/// Room for the numbers and the name of the horizontal axis.
const BOTTOM: f64 = 46.0;
/// Room for the name of the vertical axis.
const TOP: f64 = 30.0;
/// Room for a title.
const TITLE: f64 = 24.0;
/// Room for a row of the legend.
const LEGEND_ROW: f64 = 20.0;
/// Width of an entry of the legend.
const LEGEND_ENTRY: f64 = 132.0;
/// Room at the right edge.
const MARGIN: f64 = 14.0;
/// Room for the names of lines, where the picture is wide enough for it.
const NAMES: f64 = 192.0;
/// Pictures at least this wide name their lines beside the plot.
const WIDE: f64 = 640.0;
/// An improvement farther from the pointer is not meant.
const REACH: f64 = 24.0;
/// A reference that would take more than this share of the height for itself stays out of sight.
const FARTHEST: f64 = 1.5;

/// A rectangle in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    /// Left edge.
    pub left: f64,
    /// Top edge.
    pub top: f64,
    /// Right edge.
    pub right: f64,
    /// Bottom edge.
    pub bottom: f64,
}

impl Area {
    /// Whether a point lies in it.
    pub fn holds(&self, x: f64, y: f64) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }
}

/// Where everything stands, for some data in some frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Where the lines are.
    pub area: Area,
    /// From the spread axis to pixels.
    pub x: Scale,
    /// From makespans to pixels, upwards.
    pub y: Scale,
    /// What the axis counts.
    pub axis: Axis,
    /// How it spreads it.
    pub spread: Spread,
    /// Where the logarithmic axis puts 0.
    pub origin: f64,
    /// Where the entries of the legend stand.
    pub legend: Legend,
}

/// What an entry of the legend is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// The largest of all chains.
    Envelope,
    /// What a search with proofs has narrowed the worst case to.
    Bracket,
    /// Chains of a start.
    Chains(StartKind),
}

impl Entry {
    /// Its name.
    pub fn label(self) -> &'static str {
        match self {
            Entry::Envelope => "largest of all",
            Entry::Bracket => "proven bracket",
            Entry::Chains(kind) => kind.label(),
        }
    }
}

/// The legend of a picture that stands alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Legend {
    left: f64,
    in_row: usize,
}

impl Legend {
    /// The left end of an entry, in the middle of its height.
    pub fn entry(&self, number: usize) -> (f64, f64) {
        let (row, column) = (number / self.in_row, number % self.in_row);
        (self.left + column as f64 * LEGEND_ENTRY, TITLE + (row as f64 + 0.6) * LEGEND_ROW)
    }
}

impl Layout {
    /// Plans a picture.
    pub fn new(data: &Convergence, frame: &Frame) -> Self {
        let (area, legend) = layout(data, frame);
        let origin = origin(data, frame.axis);
        let (from, to) = frame.zoom.unwrap_or_else(|| whole(data, frame.axis, frame.spread));
        let (low, high) = heights(data, frame);
        // plotters counts the last pixel as inside.
        let (right, bottom) = (area.right - 1.0, area.bottom - 1.0);
        Self {
            area,
            x: Scale { from, to, left: area.left, right },
            y: Scale { from: low, to: high, left: bottom, right: area.top },
            axis: frame.axis,
            spread: frame.spread,
            origin,
            legend,
        }
    }

    /// A value on the spread axis.
    pub fn spread(&self, value: f64) -> f64 {
        spread(value, self.spread, self.origin)
    }

    /// The value at a place of the spread axis.
    pub fn value(&self, place: f64) -> f64 {
        match self.spread {
            Spread::Linear => place,
            Spread::Log => 10f64.powf(place),
        }
    }

    /// The pixel of a point.
    pub fn pixel(&self, at: f64, makespan: u32) -> (f64, f64) {
        (self.x.pixel(self.spread(at)), self.y.pixel(f64::from(makespan)))
    }

    /// The improvement nearest to a pixel, among those in sight.
    pub fn nearest(&self, data: &Convergence, frame: &Frame, x: f64, y: f64) -> Option<ImprovementId> {
        if !self.area.holds(x, y) {
            return None;
        }
        let distance = |id: ImprovementId| {
            let (chain, improvement) = data.improvement(id)?;
            let (px, py) = self.pixel(improvement.at(self.axis), improvement.makespan);
            let seen = frame.shows(chain) && px >= self.area.left - 0.5 && px <= self.area.right + 0.5;
            let far = (px - x).hypot(py - y);
            (seen && far <= REACH).then_some(far)
        };
        let found = data.ids().filter_map(|id| Some((id, distance(id)?)));
        found.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(id, _)| id)
    }

    /// The part of a staircase that is in sight, on the spread axis, with its corners drawn out.
    pub fn path(&self, staircase: &[Corner]) -> Vec<(f64, f64)> {
        let mut path: Vec<(f64, f64)> = Vec::new();
        for (i, &(at, makespan)) in staircase.iter().enumerate() {
            let start = self.spread(at);
            let end = staircase.get(i + 1).map_or(start, |next| self.spread(next.0));
            let (from, to) = (start.max(self.x.from), end.min(self.x.to));
            if from > to {
                continue; // out of sight
            }
            let y = f64::from(makespan);
            if path.last() != Some(&(from, y)) {
                path.push((from, y));
            }
            if to > from {
                path.push((to, y));
            }
        }
        path
    }
}

impl Frame {
    /// Whether a chain is shown.
    pub fn shows(&self, chain: &Chain) -> bool {
        !self.hidden.contains(&chain.kind)
    }

    /// The kinds of chains that are shown.
    pub fn kinds(&self, data: &Convergence) -> Vec<StartKind> {
        let shown =
            |kind: &StartKind| data.chains.iter().any(|chain| chain.kind == *kind && self.shows(chain));
        StartKind::ALL.into_iter().filter(shown).collect()
    }

    /// The entries of the legend.
    pub fn legend(&self, data: &Convergence) -> Vec<Entry> {
        let chains = (!data.chains.is_empty()).then_some(Entry::Envelope);
        let bracket = data.bracket.as_ref().map(|_| Entry::Bracket);
        let kinds = self.kinds(data).into_iter().map(Entry::Chains);
        chains.into_iter().chain(bracket).chain(kinds).collect()
    }

    /// Whether lines are named beside the plot, and not within it.
    pub fn is_wide(&self) -> bool {
        self.width >= WIDE
    }
}

/// All of the spread axis.
pub fn whole(data: &Convergence, axis: Axis, kind: Spread) -> (f64, f64) {
    let origin = origin(data, axis);
    let from = if kind == Spread::Log { origin.log10() } else { 0.0 };
    let end = spread(data.end(axis), kind, origin);
    // Before anything has happened the axis still needs a width.
    (from, if end > from { end } else { from + 1.0 })
}

fn spread(value: f64, kind: Spread, origin: f64) -> f64 {
    match kind {
        Spread::Linear => value,
        Spread::Log => value.max(origin).log10(),
    }
}

/// Half a decade before the decade of the first improvement that is not at 0.
fn origin(data: &Convergence, axis: Axis) -> f64 {
    let all = data.chains.iter().flat_map(|chain| &chain.improvements).map(|i| i.at(axis));
    let proven = data.bracket.iter().filter(|_| axis == Axis::Seconds).flat_map(|bracket| &bracket.steps);
    let positive = all.chain(proven.map(|step| step.seconds)).filter(|&at| at > 0.0);
    let least = match axis {
        Axis::Seconds => 1e-6,
        Axis::Iterations => 1.0,
    };
    let end = data.end(axis);
    let first = positive.fold(if end > 0.0 { end } else { 1.0 }, f64::min).max(least);
    10f64.powf(first.log10().floor() - 0.5)
}

fn layout(data: &Convergence, frame: &Frame) -> (Area, Legend) {
    let entries = frame.legend(data).len();
    let in_row = (((frame.width - LEFT - MARGIN) / LEGEND_ENTRY).floor() as usize).max(1);
    let head = match frame.heading {
        Some(_) => TITLE + LEGEND_ROW * entries.div_ceil(in_row) as f64,
        None => 0.0,
    };
    let names = if frame.is_wide() { NAMES } else { MARGIN };
    let (left, top) = (LEFT, TOP + head);
    let right = (frame.width - names).max(left + 2.0);
    let bottom = (frame.height - BOTTOM).max(top + 2.0);
    (Area { left, top, right: right.round(), bottom: bottom.round() }, Legend { left, in_row })
}

/// The makespans in sight: all chains shown, and references that are not too far from them.
fn heights(data: &Convergence, frame: &Frame) -> (f64, f64) {
    let shown = data.chains.iter().filter(|chain| frame.shows(chain));
    let mut makespans: Vec<f64> =
        shown.flat_map(|chain| &chain.improvements).map(|i| f64::from(i.makespan)).collect();
    // Of the bracket the present bounds, and where the lower one began.
    let steps = data.bracket.iter().flat_map(|bracket| &bracket.steps);
    makespans.extend(steps.clone().next().map(|step| f64::from(step.lower)));
    makespans.extend(steps.last().into_iter().flat_map(|step| [step.lower, step.upper]).map(f64::from));
    // The envelope is always drawn; its first corner is its lowest.
    let envelope = data.envelope(frame.axis);
    makespans.extend([envelope.first(), envelope.last()].into_iter().flatten().map(|c| f64::from(c.1)));
    let low = makespans.iter().copied().fold(f64::INFINITY, f64::min);
    let high = makespans.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if low > high {
        return (0.0, 1.0);
    }
    let far = FARTHEST * (high - low).max(8.0);
    let bounds = data.bracket.iter().flat_map(|bracket| &bracket.steps).map(|step| step.upper);
    let near = data.references.iter().map(|reference| reference.makespan).chain(bounds).map(f64::from);
    let (low, high) = near
        .filter(|&makespan| makespan >= low - far && makespan <= high + far)
        .fold((low, high), |(low, high), makespan| (low.min(makespan), high.max(makespan)));
    let room = ((high - low) * 0.06).ceil().max(1.0);
    ((low - room).max(0.0), high + room)
}

#[cfg(test)]
mod tests {
    use super::super::sample::{data, frame};
    use super::*;

    #[test]
    fn everything_lies_within_the_plot() {
        for spread in [Spread::Linear, Spread::Log] {
            let (data, frame) = (data(), frame(spread));
            let layout = Layout::new(&data, &frame);
            for id in data.ids() {
                let (_, improvement) = data.improvement(id).unwrap_or_else(|| unreachable!("listed"));
                let (x, y) = layout.pixel(improvement.at(Axis::Seconds), improvement.makespan);
                assert!(layout.area.holds(x, y), "{spread:?} {improvement:?} at {x}, {y}");
            }
            assert!(layout.y.from.fract() == 0.0 && layout.y.to.fract() == 0.0);
        }
    }

    #[test]
    fn the_logarithmic_axis_puts_zero_at_its_origin() {
        let layout = Layout::new(&data(), &frame(Spread::Log));
        assert!((layout.origin.log10() + 4.5).abs() < 1e-9, "{}", layout.origin);
        assert_eq!(layout.pixel(0.0, 154).0, layout.area.left);
        assert!((layout.value(layout.spread(0.2)) - 0.2).abs() < 1e-12);
        assert!((layout.pixel(10.0, 154).0 - (layout.area.right - 1.0)).abs() < 1e-9);
    }

    #[test]
    fn the_nearest_improvement_is_found_where_it_is_drawn() {
        for spread in [Spread::Linear, Spread::Log] {
            let (data, mut frame) = (data(), frame(spread));
            let layout = Layout::new(&data, &frame);
            let drawn = |id| {
                let (_, improvement) = data.improvement(id).unwrap_or_else(|| unreachable!("listed"));
                layout.pixel(improvement.at(Axis::Seconds), improvement.makespan)
            };
            for id in [(0, 2), (1, 3), (1, 0)] {
                let (x, y) = drawn(id);
                assert_eq!(layout.nearest(&data, &frame, x + 2.0, y - 1.0), Some(id), "{spread:?}");
            }
            let (x, y) = drawn((1, 3));
            assert_eq!(layout.nearest(&data, &frame, x + 60.0, y), None);
            assert_eq!(layout.nearest(&data, &frame, layout.area.left - 5.0, y), None);
            frame.hidden = vec![StartKind::Random];
            assert_eq!(layout.nearest(&data, &frame, x, y), None);
        }
    }

    #[test]
    fn far_references_stay_out_of_sight_and_near_ones_do_not() {
        let layout = Layout::new(&data(), &frame(Spread::Log));
        assert!(layout.y.to >= 160.0 && layout.y.to < 281.0, "{:?}", layout.y);
        let mut near = data();
        near.references[1].makespan = 176;
        assert!(Layout::new(&near, &frame(Spread::Log)).y.to > 176.0);
    }

    #[test]
    fn paths_are_cut_to_the_window() {
        let mut frame = frame(Spread::Linear);
        frame.zoom = Some((1.0, 3.0));
        let data = data();
        let layout = Layout::new(&data, &frame);
        let path = layout.path(&data.chains[0].staircase(Axis::Seconds));
        assert_eq!(path, [(1.0, 158.0), (3.0, 158.0)]);
        frame.zoom = Some((0.1, 3.0));
        let path = Layout::new(&data, &frame).path(&data.chains[0].staircase(Axis::Seconds));
        assert_eq!(path, [(0.1, 155.0), (0.2, 155.0), (0.2, 158.0), (3.0, 158.0)]);
    }

    #[test]
    fn a_chart_of_nothing_has_a_plan() {
        for spread in [Spread::Linear, Spread::Log] {
            let layout = Layout::new(&Convergence::default(), &frame(spread));
            assert!(layout.x.per_unit().is_finite() && layout.y.per_unit().is_finite(), "{layout:?}");
        }
        let mut tiny = frame(Spread::Log);
        (tiny.width, tiny.height) = (10.0, 10.0);
        assert!(Layout::new(&data(), &tiny).x.per_unit() > 0.0);
    }
}
