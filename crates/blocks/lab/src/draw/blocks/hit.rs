//! What lies under the pointer.

use super::layout::{Kind, Layout, streams_of_row};
use super::moments::groups;
use super::{Look, Panel, Selected, axis, in_use};
use crate::timeline::blocks::{Moment, Track};
use base::Nanos;
use kit::draw::scale::Scale;

/// How far beside a narrow thing a click may be, in pixels.
const REACH: f64 = 3.0;
/// How far beside an arrow.
const ARROW: f64 = 6.0;

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// In which run.
    pub panel: usize,
    /// At which time, in nanoseconds.
    pub at: f64,
    /// What.
    pub what: What,
}

/// What can be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A block, a launch's arrow, or a copy.
    Thing(Selected),
    /// A deadline of this launch.
    Deadline(usize),
    /// The begin of a round.
    Release(u32),
    /// This process has the device.
    Process(u32),
    /// An SM with nothing there.
    Sm(u16),
    /// A copy engine with nothing there.
    Engine(u16),
    /// So much is in use on the whole device.
    InUse(u64),
    /// Nothing but the axis, or room between things.
    Nothing,
}

/// What is at a place of the picture; nothing outside of the plot.
pub fn hit(panels: &[Panel<'_>], look: &Look, x: f64, y: f64) -> Option<Hit> {
    let scale = look.scale();
    let layout = Layout::new(panels, look);
    let row = layout.at(y)?;
    let panel = panels.get(row.panel)?;
    if !(scale.left..=scale.right + 1.0).contains(&x) {
        return None;
    }
    let at = scale.value(x);
    let (top, h) = row.inside();
    let reach = REACH / scale.per_unit();
    // What is drawn reaches to the next whole pixel.
    let near = [0.0, 1.0, -1.0].map(|beside| ((top + h - y - beside) / h).clamp(0.0, 1.0));
    let piece = |track: &Track| {
        let at_share = |share: f64| {
            let height = (share * f64::from(track.top)).min(f64::from(track.top) - 0.5);
            track.pieces.at(at, height, reach).copied()
        };
        near.into_iter().find_map(at_share)
    };
    let timeline = panel.timeline;
    let what = match row.kind {
        Kind::Sm(sm) => timeline.sms.get(sm).and_then(piece).map_or(What::Sm(sm as u16), |piece| {
            What::Thing(Selected::Block { run: piece.run as usize, block: piece.item })
        }),
        Kind::Engine(engine) => timeline
            .engines
            .get(engine)
            .and_then(piece)
            .map_or(What::Engine(engine as u16), |piece| What::Thing(Selected::Copy(piece.run as usize))),
        Kind::Processes => timeline
            .processes
            .as_ref()
            .and_then(piece)
            .map_or(What::Nothing, |piece| What::Process(piece.run)),
        Kind::Moments(number) => moment(panel, number, (&scale, layout.moment_rows()), x),
        Kind::InUse => in_use::value(panel, row, at).map_or(What::Nothing, What::InUse),
        Kind::Legend | Kind::Title | Kind::Axis | Kind::TopAxis => What::Nothing,
    };
    Some(Hit { panel: row.panel, at, what })
}

/// Whether a place is on a strip where the numbers of the axis stand.
pub fn is_on_axis(panels: &[Panel<'_>], look: &Look, x: f64, y: f64) -> bool {
    x >= look.scale().left && axis::row_at(&Layout::new(panels, look), look, y).is_some()
}

/// The time at a place across the picture; beyond its edges that of the nearer one.
pub fn time_at(look: &Look, x: f64) -> Nanos {
    let scale = look.scale();
    Nanos(scale.value(x.clamp(scale.left, scale.right)).max(0.0) as u64)
}

/// The arrow next to a pixel.
fn moment(panel: &Panel<'_>, number: usize, (scale, rows): (&Scale, usize), x: f64) -> What {
    let points = &panel.timeline.points;
    let own = streams_of_row(points, number);
    let own = || own.iter().filter_map(|&stream| points.get(stream));
    let all = own()
        .flat_map(|points| [&points.starts, &points.deadlines])
        .flat_map(|points| groups(points, scale, rows));
    let near = all.filter(|group| (group.x - x).abs() <= ARROW);
    let nearest = near.min_by(|a, b| (a.x - x).abs().total_cmp(&(b.x - x).abs()));
    match nearest.and_then(|group| group.points.first().map(|point| point.what)) {
        Some(Moment::Launch(run)) => What::Thing(Selected::Launch(run as usize)),
        Some(Moment::Deadline(run)) => What::Deadline(run as usize),
        Some(Moment::Release(round)) => What::Release(round),
        None => What::Nothing,
    }
}
