//! What lies over everything: the selection, the selected range, the player's cursor and what comes after it.

use super::bands::{Lane, lanes};
use super::layout::{Kind, Layout, Row, streams_of_row};
use super::{Future, Look, Panel, Selected, clipped, line, rect};
use crate::timeline::blocks::{Moment, Piece, Point, Points};
use kit::draw::list::{Ink, Mark};
use kit::draw::scale::Scale;

/// Pieces of a selected launch that are framed.
const MOST_FRAMES: usize = 300;

/// All of it, bottom first.
pub(super) fn marks(panels: &[Panel<'_>], layout: &Layout, scale: &Scale, look: &Look) -> Vec<Mark> {
    let mut out = Vec::new();
    if let Some(cursor) = look.cursor {
        future(&mut out, layout, scale, look, cursor);
    }
    if let Some((from, to)) = look.range {
        let (x, w) = clipped(from.min(to), from.max(to), scale);
        for (y, h) in stretches(layout, has_time) {
            out.push(rect((x, y), (w, h), Ink::Veil));
            for edge in [x, x + w] {
                out.push(line((edge, y), (edge, y + h), Ink::Accent, 1.0));
            }
        }
    }
    // What is still to come is not faded where somebody is pointed at it.
    let wrong = look.wrong.iter().take(MOST_FRAMES).map(|&(panel, what)| (panel, what, Ink::Wrong));
    let framed: Vec<_> = wrong.chain(look.selected.map(|(panel, what)| (panel, what, Ink::Accent))).collect();
    if !framed.is_empty() {
        let lanes = lanes(panels, layout, look);
        for (panel, what, ink) in framed {
            for (row, piece) in pieces(panels, panel, what, scale) {
                if let Some(lane) = lanes.iter().find(|lane| lane.is(panel, row)) {
                    out.extend(frame(lane, &piece, scale, ink));
                }
            }
        }
        out.extend(
            look.selected
                .map(|selected| waited(panels, layout, scale, selected, &lanes))
                .into_iter()
                .flatten(),
        );
    }
    out
}

/// The way from the arrow of a launch, along its row while it waits, to the block that is selected, or to the first.
fn waited(
    panels: &[Panel<'_>],
    layout: &Layout,
    scale: &Scale,
    (panel, selected): (usize, Selected),
    lanes: &[Lane<'_>],
) -> Vec<Mark> {
    let way = || {
        let known = panels.get(panel)?;
        let (Selected::Block { run, .. } | Selected::Launch(run)) = selected else { return None };
        let is_its = |point: &&Point| point.what == Moment::Launch(run as u32);
        let points = &known.timeline.points;
        let of = |(stream, all): (usize, &Points)| Some((stream, all.starts.iter().find(is_its)?.at));
        let (stream, launched) = points.iter().enumerate().find_map(of)?;
        let is_row = |row: &&Row| match row.kind {
            Kind::Moments(number) => row.panel == panel && streams_of_row(points, number).contains(&stream),
            _ => false,
        };
        let row = layout.rows.iter().find(is_row)?;
        let mut all = pieces(panels, panel, selected, scale);
        base::sort::sort_by(&mut all, |a, b| a.1.start.total_cmp(&b.1.start));
        let (kind, piece) = all.first()?;
        let lane = lanes.iter().find(|lane| lane.is(panel, *kind))?;
        let (top, high) = lane.place(piece.low, piece.high);
        let clip = |x: f64| x.clamp(scale.left, scale.right);
        let (from, to) = (clip(scale.pixel(launched)), clip(scale.pixel(piece.start)));
        let y = row.y + row.h / 2.0;
        let waits = piece.start > launched && to - from >= 1.0;
        let along = line((from, y), (to, y), Ink::Accent, 2.0);
        let there = (scale.from..=scale.to).contains(&piece.start);
        let up = there.then(|| line((to, y), (to, top + high), Ink::Accent, 2.0));
        waits.then(|| std::iter::once(along).chain(up).collect())
    };
    way().unwrap_or_default()
}

/// What is selected, with the rows it is in.
fn pieces(panels: &[Panel<'_>], panel: usize, selected: Selected, scale: &Scale) -> Vec<(Kind, Piece)> {
    let Some(panel) = panels.get(panel) else { return Vec::new() };
    let timeline = panel.timeline;
    match selected {
        Selected::Block { run, block } => {
            let parts = timeline.parts(panel.trace, run, block).into_iter();
            parts.map(|(sm, piece)| (Kind::Sm(sm.into()), piece)).collect()
        }
        Selected::Launch(run) => {
            let Some(launch) = panel.trace.kernels.get(run) else { return Vec::new() };
            let (from, to) = (scale.from.max(launch.start.0 as f64), scale.to.min(launch.end.0 as f64));
            let of_sm = |(sm, track): (usize, &'_ crate::timeline::blocks::Track)| {
                let own = track.pieces.within(None, from, to).filter(|piece| piece.run as usize == run);
                own.take(MOST_FRAMES).map(|&piece| (Kind::Sm(sm), piece)).collect::<Vec<_>>()
            };
            timeline.sms.iter().enumerate().flat_map(of_sm).take(MOST_FRAMES).collect()
        }
        Selected::Copy(copy) => {
            let Some(found) = panel.trace.copies.get(copy) else { return Vec::new() };
            let engine = usize::from(found.engine);
            let Some(track) = timeline.engines.get(engine) else { return Vec::new() };
            let (from, to) = (found.start.0 as f64, (found.end.0 as f64).max(found.start.0 as f64 + 1.0));
            let own = track.pieces.within(None, from, to).find(|piece| piece.run as usize == copy);
            own.map(|&piece| (Kind::Engine(engine), piece)).into_iter().collect()
        }
    }
}

/// A frame, with a light line inside that sets it apart from dark outlines.
fn frame(lane: &Lane<'_>, piece: &Piece, scale: &Scale, ink: Ink) -> Vec<Mark> {
    if piece.end < scale.from || piece.start > scale.to {
        return Vec::new();
    }
    let (x, w) = clipped(piece.start, piece.end, scale);
    let (y, h) = lane.place(piece.low, piece.high);
    let (w, h) = (w.max(3.0) + 1.0, h.max(3.0) + 1.0);
    let outer = Mark::Frame { x, y, w, h, ink, line: 2.0 };
    let (x, y, w, h) = (x + 2.0, y + 2.0, w - 4.0, h - 4.0);
    let inner = Mark::Frame { x, y, w, h, ink: Ink::Ground, line: 2.0 };
    if w > 4.0 && h > 4.0 { vec![outer, inner] } else { vec![outer] }
}

/// What comes after the cursor, and the cursor.
fn future(out: &mut Vec<Mark>, layout: &Layout, scale: &Scale, look: &Look, cursor: f64) {
    let x = scale.pixel(cursor).clamp(scale.left, scale.right);
    let w = scale.right + 2.0 - x;
    let ink = match look.future {
        Future::Dimmed => Ink::Future,
        Future::Hidden => Ink::Band,
    };
    if cursor <= scale.to {
        out.extend(stretches(layout, has_time).into_iter().map(|(y, h)| rect((x, y), (w, h), ink)));
    }
    if cursor >= scale.from && cursor <= scale.to {
        out.extend(
            stretches(layout, has_time).into_iter().map(|(y, h)| line((x, y), (x, y + h), Ink::Accent, 1.5)),
        );
    }
}

/// Rows that show what happens when; the numbers of the axis stay as they are.
fn has_time(row: &Row) -> bool {
    !matches!(row.kind, Kind::Legend | Kind::Title | Kind::Axis | Kind::TopAxis)
}

/// Top and height of rows that stand together.
fn stretches(layout: &Layout, wanted: impl Fn(&Row) -> bool) -> Vec<(f64, f64)> {
    let mut out: Vec<(f64, f64)> = Vec::new();
    for row in layout.rows.iter().filter(|row| wanted(row)) {
        match out.last_mut() {
            Some((y, h)) if (*y + *h - row.y).abs() < 0.5 => *h = row.y + row.h - *y,
            _ => out.push((row.y, row.h)),
        }
    }
    out
}
