//! What a search does not find steps back.

use super::{AXIS, Look, clipped};
use crate::page::Seen;
use crate::page::seek::Hit;
use kit::draw::DrawList;
use kit::draw::dim::Spots;

/// Lays a veil over everything in sight that was not found.
pub fn dim(list: &mut DrawList, seen: &Seen, look: &Look, found: &[Hit]) {
    let (report, timeline) = (&seen.report, &seen.timeline);
    let (scale, tops) = (look.scale(), look.tops(timeline));
    let mut lines = vec![false; report.code.len()];
    let mut entries = vec![false; report.schedule.len()];
    for hit in found {
        // What was found may be of the result before.
        let own = match *hit {
            Hit::Line(line) => lines.get_mut(line),
            Hit::Entry(entry) => entries.get_mut(entry as usize),
        };
        if let Some(own) = own {
            *own = true;
        }
    }
    for (row, own) in timeline.rows.iter().enumerate() {
        let (top, bottom) = (AXIS + tops[row] - look.down, AXIS + tops[row + 1] - look.down);
        if bottom <= AXIS || top >= look.height {
            continue;
        }
        let (mut spots, top) = (Spots::default(), top.max(AXIS));
        for bar in own.bars_within(scale.from, scale.to) {
            let entry = bar.entry as usize;
            if entries[entry] || lines[report.schedule[entry].1 as usize] {
                let (x, w) = clipped(f64::from(bar.from), f64::from(bar.to), &scale);
                spots.add((x, x + w), (top, bottom));
            }
        }
        spots.dim(list, (scale.left, scale.right), (top, bottom.min(look.height)));
    }
}
