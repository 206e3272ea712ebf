//! Blocks that are elsewhere, or begin at another time, than in the run that this one is compared with.
//!
//! Those that are large enough have a frame of their own inside their outline; of the others the band tells from when
//! until when there are any, along its upper edge.

use super::bands::{Coat, Lane};
use super::{clipped, rect};
use kit::draw::list::{Ink, Mark};
use kit::draw::scale::Scale;

/// Smaller blocks have no frame.
const SMALLEST: f64 = 9.0;
/// How thick the frame is.
const THICK: f64 = 3.0;
/// Frames at the most, of the largest blocks.
const MOST_FRAMES: usize = 300;

/// A block, the band it is in, and where: left and top edge, width and height.
struct Found {
    lane: usize,
    place: (f64, f64, f64, f64),
}

impl Found {
    fn is_large(&self) -> bool {
        self.place.2 >= SMALLEST && self.place.3 >= SMALLEST
    }

    fn area(&self) -> f64 {
        self.place.2 * self.place.3
    }
}

/// All of them in the bands that can be seen.
pub(super) fn marks(lanes: &[Lane<'_>], scale: &Scale) -> Vec<Mark> {
    let (mut large, mut small): (Vec<Found>, Vec<Found>) =
        found(lanes, scale).into_iter().partition(Found::is_large);
    base::sort::sort_by(&mut large, |a, b| b.area().total_cmp(&a.area()));
    small.extend(large.drain(large.len().min(MOST_FRAMES)..));
    let mut out = along(lanes, &mut small);
    out.extend(large.iter().flat_map(frame));
    out
}

fn found(lanes: &[Lane<'_>], scale: &Scale) -> Vec<Found> {
    let mut all = Vec::new();
    for (number, lane) in lanes.iter().enumerate() {
        let Coat::Blocks(panel) = lane.coat else { continue };
        if !panel.timeline.differs.contains(&true) {
            continue;
        }
        for piece in lane.track.pieces.within(None, scale.from, scale.to) {
            if panel.timeline.is_different(panel.trace, piece.run as usize, piece.item) {
                let (x, w) = clipped(piece.start, piece.end, scale);
                let (y, h) = lane.place(piece.low, piece.high);
                all.push(Found { lane: number, place: (x, y, w, h) });
            }
        }
    }
    all
}

/// Lines along the bands, from when until when there are any of these.
fn along(lanes: &[Lane<'_>], small: &mut [Found]) -> Vec<Mark> {
    base::sort::sort_by(small, |a, b| a.lane.cmp(&b.lane).then(a.place.0.total_cmp(&b.place.0)));
    let mut out = Vec::new();
    for own in small.chunk_by(|a, b| a.lane == b.lane) {
        let Some(lane) = own.first().and_then(|found| lanes.get(found.lane)) else { continue };
        let mut open: Option<(f64, f64)> = None;
        let mut tell = |(from, to): (f64, f64)| {
            out.push(rect((from, lane.y), (to - from, THICK), Ink::Changed));
        };
        for Found { place: (x, _, w, _), .. } in own {
            let (from, to) = (*x, x + w.max(1.0));
            open = match open {
                Some((left, right)) if from <= right + 1.0 => Some((left, right.max(to))),
                other => {
                    other.into_iter().for_each(&mut tell);
                    Some((from, to))
                }
            };
        }
        open.into_iter().for_each(&mut tell);
    }
    out
}

fn frame(found: &Found) -> [Mark; 4] {
    let (x, y, w, h) = found.place;
    let (x, y, w, h) = (x + 1.0, y + 1.0, w - 1.0, h - 1.0);
    let side = |at: (f64, f64), size: (f64, f64)| rect(at, size, Ink::Changed);
    [
        side((x, y), (w, THICK)),
        side((x, y + h - THICK), (w, THICK)),
        side((x, y + THICK), (THICK, h - 2.0 * THICK)),
        side((x + w - THICK, y + THICK), (THICK, h - 2.0 * THICK)),
    ]
}
