//! Blocks that are elsewhere, or begin at another time, than in the run that this one is compared with.
//!
//! Those that are wide enough have a frame of their own inside their outline; of the others the band tells from when
//! until when there are any, along its upper edge.

use super::bands::{Coat, Lane};
use super::{clipped, rect};
use kit::draw::list::{Ink, Mark};
use kit::draw::scale::Scale;

/// Smaller blocks have no frame.
const SMALLEST: f64 = 9.0;
/// How thick the frame is.
const THICK: f64 = 3.0;
/// Frames at the most; the smallest of more blocks have none.
const MOST_FRAMES: usize = 600;

/// All of them in the bands that can be seen.
pub(super) fn marks(lanes: &[Lane<'_>], scale: &Scale) -> Vec<Mark> {
    let mut out = Vec::new();
    let mut framed: Vec<(f64, f64, f64, f64)> = Vec::new();
    for lane in lanes {
        let Coat::Blocks(panel) = lane.coat else { continue };
        if panel.timeline.differs.is_empty() {
            continue;
        }
        let mut along: Vec<(f64, f64)> = Vec::new();
        for piece in lane.track.pieces.within(None, scale.from, scale.to) {
            if !panel.timeline.is_different(panel.trace, piece.run as usize, piece.item) {
                continue;
            }
            let (x, w) = clipped(piece.start, piece.end, scale);
            let (y, h) = lane.place(piece.low, piece.high);
            if w >= SMALLEST && h >= SMALLEST && framed.len() < MOST_FRAMES {
                framed.push((x + 1.0, y + 1.0, w - 1.0, h - 1.0));
            } else {
                along.push((x, x + w.max(1.0)));
            }
        }
        base::sort::sort_by(&mut along, |a, b| a.0.total_cmp(&b.0));
        let mut open: Option<(f64, f64)> = None;
        let mut tell =
            |(from, to): (f64, f64)| out.push(rect((from, lane.y), (to - from, THICK), Ink::Changed));
        for (from, to) in along {
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
    for (x, y, w, h) in framed {
        out.push(rect((x, y), (w, THICK), Ink::Changed));
        out.push(rect((x, y + h - THICK), (w, THICK), Ink::Changed));
        out.push(rect((x, y + THICK), (THICK, h - 2.0 * THICK), Ink::Changed));
        out.push(rect((x + w - THICK, y + THICK), (THICK, h - 2.0 * THICK), Ink::Changed));
    }
    out
}
