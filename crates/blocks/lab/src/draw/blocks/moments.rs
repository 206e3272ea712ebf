//! Under the axis: arrows up for releases and launches, arrows down for deadlines, a row for each stream.
//!
//! What is closer together than a few pixels is one arrow, with how many it stands for.

use super::layout::{Kind, Layout, Row, streams_of_row};
use super::words::{self, fitted, text};
use super::{Layers, Look, Panel, axis, column_log, line};
use crate::timeline::blocks::{Moment, Point};
use base::people;
use kit::draw::list::{Align, Ink, Mark};
use kit::draw::scale::Scale;

/// Points that are closer than this may be drawn as one.
const APART: f64 = 8.0;
/// Groups of all rows at the most.
const MOST_GROUPS: f64 = 500.0;
/// Arrows that have less room than this on average lose their heads.
const HEADS: f64 = 18.0;
/// Kernels that are named beside one arrow.
const MOST_NAMES: usize = 3;
/// Launches of an arrow that are counted one by one.
const MOST_COUNTED: usize = 1_000;
/// Labels of arrows.
const LABEL: f64 = 11.0;

/// Points that are drawn as one arrow.
pub(super) struct Group<'a> {
    /// Where it stands.
    pub x: f64,
    /// The points, ascending.
    pub points: &'a [Point],
}

/// The points of a window in groups; of so many rows there are few enough. Groups stand still on the axis while it
/// is panned.
pub(super) fn groups<'a>(points: &'a [Point], scale: &Scale, rows: usize) -> Vec<Group<'a>> {
    let apart = APART.max((scale.right - scale.left) * rows as f64 / MOST_GROUPS);
    let width = 2f64.powi(column_log(scale, apart).into());
    let mut groups = Vec::new();
    let mut from = points.partition_point(|point| point.at < scale.from);
    while let Some(first) = points.get(from).filter(|point| point.at <= scale.to) {
        let end = ((first.at / width).floor() + 1.0) * width;
        let to = from + points[from..].partition_point(|point| point.at < end).max(1);
        groups.push(Group { x: scale.pixel(first.at), points: &points[from..to] });
        from = to;
    }
    groups
}

/// Draws all rows of launches.
pub(super) fn draw(layers: &mut Layers, panels: &[Panel<'_>], layout: &Layout, scale: &Scale, look: &Look) {
    let rows = layout.moment_rows();
    for row in layout.rows.iter().filter(|row| row.is_seen(look)) {
        let (Kind::Moments(number), Some(panel)) = (row.kind, panels.get(row.panel)) else { continue };
        let streams = streams_of_row(&panel.timeline.points, number);
        if let [stream] = streams[..]
            && let Some(stream) = panel.setup.streams.get(stream)
        {
            axis::name(layers, row, &stream.label);
        }
        for points in streams.iter().filter_map(|&stream| panel.timeline.points.get(stream)) {
            let [starts, deadlines] =
                [&points.starts, &points.deadlines].map(|points| groups(points, scale, rows));
            let room = scale.right - scale.left;
            let heads = |groups: &[Group<'_>]| match groups.len() as f64 * HEADS <= room {
                true => Heads::Drawn,
                false => Heads::LeftOut,
            };
            arrows(layers, panel, row, &starts, (heads(&starts), scale.right));
            for group in &deadlines {
                down(layers, panel, row, group, heads(&deadlines));
            }
        }
    }
}

/// Whether arrows have heads and labels.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Heads {
    Drawn,
    LeftOut,
}

/// Releases and launches of a stream.
fn arrows(
    layers: &mut Layers,
    panel: &Panel<'_>,
    row: &Row,
    groups: &[Group<'_>],
    (heads, right): (Heads, f64),
) {
    let (top, bottom) = (row.y + 2.0, row.y + row.h - 2.0);
    for (i, group) in groups.iter().enumerate() {
        let (ink, label) = look_of(panel, group.points);
        layers.things.push(line((group.x, bottom), (group.x, top), ink, 2.0));
        if heads == Heads::Drawn {
            layers.things.extend(head(group.x, top, 4.5, ink));
            let next = groups.get(i + 1).map_or(right, |next| next.x);
            let label = fitted(&label, next - group.x - 12.0, LABEL);
            if !label.is_empty() {
                let place = (group.x + 6.0, (top + bottom) / 2.0);
                layers.words.push(text(place, label, Ink::Muted, LABEL, Align::Start));
            }
        }
    }
}

/// The colour of an arrow, and what is written beside it.
fn look_of(panel: &Panel<'_>, points: &[Point]) -> (Ink, String) {
    // Each kernel with how often it is launched here; enough of them to say whether they are few.
    let mut kernels: Vec<(usize, u32, usize)> = Vec::new();
    for point in points.iter().take(MOST_COUNTED) {
        let Moment::Launch(run) = point.what else { continue };
        let Some(launch) = panel.trace.kernels.get(run as usize) else { continue };
        match kernels.iter().position(|&(kernel, ..)| kernel == launch.kernel) {
            Some(known) => kernels[known].2 += 1,
            None => kernels.push((launch.kernel, run, 1)),
        }
        if kernels.len() > MOST_NAMES {
            break;
        }
    }
    let class = |run: u32| panel.timeline.classes.get(run as usize).copied().unwrap_or(0);
    let ink = match kernels[..] {
        [] => return (Ink::Muted, "release".to_owned()),
        [(_, run, _)] => Ink::Class(class(run)),
        _ => Ink::Text,
    };
    if kernels.len() > MOST_NAMES || points.len() > MOST_COUNTED {
        return (ink, people::plural(points.len(), "launch", "launches"));
    }
    let name = |&(kernel, _, times): &(usize, u32, usize)| {
        let label = panel.setup.kernels.get(kernel).map_or("", |kernel| kernel.label.as_str());
        if times == 1 { label.to_owned() } else { format!("{label} ×{}", people::grouped(times as u128)) }
    };
    (ink, kernels.iter().map(name).collect::<Vec<_>>().join(", "))
}

/// A deadline, or several; those that were missed say so.
fn down(layers: &mut Layers, panel: &Panel<'_>, row: &Row, group: &Group<'_>, heads: Heads) {
    let (top, bottom) = (row.y + 2.0, row.y + row.h - 2.0);
    layers.things.push(line((group.x, top), (group.x, bottom), Ink::Text, 1.0));
    if heads == Heads::LeftOut {
        return;
    }
    layers.things.extend(head(group.x, bottom, -4.5, Ink::Text));
    let is_late = |point: &Point| match point.what {
        Moment::Deadline(run) => {
            panel.trace.kernels.get(run as usize).is_some_and(|kernel| kernel.end.0 as f64 > point.at)
        }
        _ => false,
    };
    if group.points.iter().take(MOST_COUNTED).any(is_late) {
        let place = (group.x - 5.0, (top + bottom) / 2.0);
        if group.x - super::GUTTER > words::width("late", LABEL) + 6.0 {
            layers.words.push(text(place, "late", Ink::Text, LABEL, Align::End));
        }
    }
}

/// The two lines of an arrow's head; a negative size points down.
fn head(x: f64, y: f64, size: f64, ink: Ink) -> [Mark; 2] {
    [-4.0, 4.0].map(|side| line((x, y), (x + side, y + size), ink, 1.5))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_close_together_are_one_group_wherever_the_window_stands() {
        let points: Vec<Point> =
            [0.0, 1.0, 2.0, 40.0, 41.0, 900.0].map(|at| Point { at, what: Moment::Release(0) }).to_vec();
        let counts = |from: f64, to: f64| {
            let scale = Scale { from, to, left: 0.0, right: 1_000.0 };
            groups(&points, &scale, 1).iter().map(|group| group.points.len()).collect::<Vec<_>>()
        };
        assert_eq!(counts(0.0, 1_000.0), [3, 2, 1]);
        assert_eq!(counts(30.0, 1_030.0), [2, 1]);
        assert_eq!(counts(0.0, 50.0), [1, 1, 1, 1, 1]);
        assert_eq!(counts(50.0, 60.0), [0; 0]);
    }
}
