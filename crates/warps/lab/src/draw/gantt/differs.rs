//! The tint behind cells that run in another cycle in the schedule they are compared with.

use std::sync::Arc;

use super::{DENSE, Frame, clipped};
use kit::draw::Scale;
use kit::draw::list::{DrawList, Ink};
use kit::timeline::Timeline;

/// What differs between two schedules on one axis: instructions of warps, ascending.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Differs {
    /// Of the one on the screen.
    pub here: Arc<[(u32, u32)]>,
    /// Of the one beneath it, by its own warps.
    pub beneath: Arc<[(u32, u32)]>,
}

/// Height of the tint where cells are too narrow to stand before it.
const STRIP: f64 = 3.0;

/// Tints cells behind what is drawn of them; where they are narrow, at the foot of their rows.
pub(super) fn draw(list: &mut DrawList, timeline: &Timeline, frame: &Frame, scale: &Scale) {
    let heading = timeline.headings.first().map(|(row, _)| *row);
    for (row, track) in timeline.tracks.iter().enumerate() {
        let beneath = heading.is_some_and(|heading| row > heading);
        let ids = if beneath { &frame.differs.beneath } else { &frame.differs.here };
        if ids.is_empty() {
            continue;
        }
        let (y, h) = frame.row_at(timeline, row);
        let (y, h) = if scale.per_unit() < DENSE { (y + h - STRIP, STRIP) } else { (y, h) };
        // What touches is one stretch.
        let mut open: Option<(f64, f64)> = None;
        let differing =
            track.within(frame.t0, frame.t1).iter().filter(|span| ids.binary_search(&span.id).is_ok());
        for (x, w) in differing.map(|span| clipped(span.start, span.end, scale)) {
            match &mut open {
                Some(open) if x <= open.1 + 0.5 => open.1 = open.1.max(x + w),
                _ => {
                    put(list, open.replace((x, x + w)), (y, h));
                }
            }
        }
        put(list, open, (y, h));
    }
}

fn put(list: &mut DrawList, stretch: Option<(f64, f64)>, (y, h): (f64, f64)) {
    if let Some((from, to)) = stretch {
        list.rect((from, y), (to - from, h), Ink::Differs);
    }
}
