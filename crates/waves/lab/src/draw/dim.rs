//! What a search does not find steps back, in rows and in lanes.

use super::{AXIS, Look, Place};
use crate::page::Run;
use crate::page::seek::Hit;
use kit::draw::dim::Spots;
use kit::draw::{DrawList, Scale};

/// Lays a veil over everything in sight that was not found.
pub fn dim(list: &mut DrawList, run: &Run, look: &Look, found: &[Hit]) {
    let scale = look.scale();
    let mut lit = vec![false; run.len()];
    // What was found may be of the capture before.
    let mut light = |place: u32| lit.get_mut(place as usize).into_iter().for_each(|lit| *lit = true);
    for hit in found {
        match *hit {
            Hit::Line(line) => run.of_line(line).iter().for_each(|place| light(*place)),
            Hit::Bar(place) => light(place),
        }
    }
    for own in look.places(run) {
        let top = own.top + AXIS - look.down;
        let (top, bottom) = (top.max(AXIS), top + own.high);
        if bottom <= AXIS || top >= look.height {
            continue;
        }
        let mut spots = Spots::default();
        match own.what {
            Place::Row(row) => {
                for place in run.within(row, scale.from, scale.to).filter(|place| lit[*place]) {
                    let bar = run.bar(row, place);
                    spots.add(clipped(bar.start, bar.end, &scale), (top, bottom));
                }
            }
            Place::Lane(lane) => {
                for held in run.lanes.within(lane, scale.from, scale.to) {
                    if held.by.is_some_and(|by| lit.get(by) == Some(&true)) {
                        spots.add(clipped(held.from, held.to, &scale), (top, bottom));
                    }
                }
            }
            Place::Engine(_) => {}
        }
        spots.dim(list, (scale.left, scale.right), (top, bottom.min(look.height)));
    }
}

fn clipped(from: f64, to: f64, scale: &Scale) -> (f64, f64) {
    (scale.pixel(from).max(scale.left), scale.pixel(to).min(scale.right))
}
