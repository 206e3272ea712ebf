//! What a search does not find steps back.

use super::{AXIS, Look};
use crate::page::Run;
use kit::draw::DrawList;
use kit::draw::dim::Spots;

/// Lays a veil over every bar in sight that was not found; found are the places of bars.
pub fn dim(list: &mut DrawList, run: &Run, look: &Look, found: &[u32]) {
    let scale = look.scale();
    let mut lit = vec![false; run.len()];
    // What was found may be of the run before.
    found.iter().for_each(|place| lit.get_mut(*place as usize).into_iter().for_each(|lit| *lit = true));
    let high = look.row_height(run);
    for row in 0..run.rows.len() {
        let top = look.top(run, row);
        let (top, bottom) = (top.max(AXIS), top + high);
        if bottom <= AXIS || top >= look.height {
            continue;
        }
        let mut spots = Spots::default();
        for place in run.within(row, scale.from, scale.to).filter(|place| lit[*place]) {
            let bar = run.bar(row, place);
            let (left, right) = (scale.pixel(bar.start), scale.pixel(bar.end));
            if right >= scale.left && left <= scale.right {
                spots.add((left.max(scale.left), right.min(scale.right)), (top, bottom));
            }
        }
        spots.dim(list, (scale.left, scale.right), (top, bottom.min(look.height)));
    }
}
