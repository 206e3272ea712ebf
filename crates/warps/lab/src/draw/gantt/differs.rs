//! The tint of cells that run in another cycle in the schedule they are compared with, and of rows that only one has.

use std::sync::Arc;

use super::{Frame, clipped};
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
    /// Warps that only one of them has: the one on the screen, and the other.
    pub alone: [Arc<[u32]>; 2],
}

/// Dashes at the foot of rows that only one has are so wide and high, and stand twice as far apart.
const STRIPE: f64 = 3.0;

/// Tints cells behind what is drawn of them, or before it, at the foot of their rows; rows that only one has altogether.
pub(super) fn draw(list: &mut DrawList, timeline: &Timeline, frame: &Frame, scale: &Scale, before: bool) {
    let heading = timeline.headings.first().map(|(row, _)| *row);
    for (row, track) in timeline.tracks.iter().enumerate() {
        let beneath = heading.is_some_and(|heading| row > heading);
        let ids = if beneath { &frame.differs.beneath } else { &frame.differs.here };
        if ids.is_empty() {
            continue;
        }
        let (y, h) = frame.row_at(timeline, row);
        let own = row - heading.filter(|_| beneath).map_or(0, |heading| heading + 1);
        if frame.differs.alone[usize::from(beneath)].contains(&(own as u32)) && !timeline.is_lane(row) {
            if before {
                list.rect((0.0, y), (4.0, h), Ink::Differs);
                continue;
            }
            let mut x = scale.left;
            while x + STRIPE <= scale.right {
                list.rect((x, y + h - STRIPE), (STRIPE, STRIPE), Ink::Differs);
                x += 3.0 * STRIPE;
            }
            continue;
        }
        let foot = (h / 4.0).round().clamp(3.0, 8.0);
        let (y, h) = if before { (y + h - foot, foot) } else { (y, h) };
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
