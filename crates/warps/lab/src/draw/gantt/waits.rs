//! What rows wait for, as thin marks that differ in shape as well as in colour: a line at half the height for data, a
//! low bar for a unit, dots for an issue slot, a hollow bar where nothing is in the way, a stop where a row is done.

use super::{DENSE, Frame, Scale, clipped};
use kit::draw::list::{DrawList, Ink, Mark};
use kit::timeline::{Timeline, Wait, WaitKind};

/// The least distance between two dots, in pixels.
const DOTS_APART: f64 = 6.0;
/// Shorter waits are not drawn where cells are drawn as density, so that marks follow the pixels.
const SHORTEST: f64 = 3.0;

/// Draws the waits of all rows, kind by kind, so that a canvas changes its colour as rarely as possible.
pub(super) fn draw(list: &mut DrawList, timeline: &Timeline, frame: &Frame, scale: &Scale) {
    for &(kind, _) in &timeline.wait_legend {
        for row in 0..timeline.tracks.len() {
            let place = frame.row_at(timeline, row);
            for wait in timeline.waits(row, frame.t0, frame.t1).filter(|wait| wait.kind == kind) {
                mark(list, &wait, place, scale);
            }
        }
    }
}

fn mark(list: &mut DrawList, wait: &Wait, (top, height): (f64, f64), scale: &Scale) {
    let (x, w) = clipped(wait.start, wait.end, scale);
    if scale.per_unit() < DENSE && w < SHORTEST && wait.kind != WaitKind::Done {
        return;
    }
    let (middle, w) = (top + height / 2.0, (w - 1.0).max(1.0));
    let ink = Ink::Wait(wait.kind);
    match wait.kind {
        WaitKind::Data => list.rect((x, middle - 1.0), (w, 2.0), ink),
        WaitKind::Unit => {
            let h = (height / 4.0).floor().clamp(2.0, 4.0);
            list.rect((x, top + height - h - 1.0), (w, h), ink);
        }
        WaitKind::Slot => {
            let size = if height >= 14.0 { 3.0 } else { 2.0 };
            // Dots stand still on the axis, so that panning moves them and does not make them flicker.
            let step = (DOTS_APART / scale.per_unit()).ceil().max(1.0);
            let mut cycle = (wait.start / step).floor() * step;
            while cycle < wait.end {
                let dot = scale.pixel(cycle + 0.5);
                if cycle >= wait.start.floor() && dot >= scale.left && dot <= scale.right {
                    list.rect((dot - size / 2.0, middle - size / 2.0), (size, size), ink);
                }
                cycle += step;
            }
        }
        WaitKind::Free => {
            let h = (height / 2.0).floor();
            list.marks.push(Mark::Frame { x: x + 0.5, y: middle - h / 2.0, w, h, ink, line: 1.0 });
        }
        // Where the end is not in sight, nothing is to be seen.
        WaitKind::Done if wait.start > scale.from => {
            let h = (height / 2.0).floor();
            list.rect((x, middle - h / 2.0), (2.0, h), ink);
        }
        WaitKind::Done => {}
    }
}
