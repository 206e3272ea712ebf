//! What a search does not find steps back.

use super::{Layout, Look};
use crate::page::tasks::seek::Hit;
use crate::timeline::tasks::Demand;
use kit::draw::DrawList;
use kit::draw::dim::Spots;

/// Lays a veil over the intervals that were not found, up to the next at which the demand grows; none where only
/// vertices were found.
pub fn dim(list: &mut DrawList, demand: &Demand, look: &Look, found: &[Hit]) {
    if !found.is_empty() && !found.iter().any(|hit| matches!(hit, Hit::Step(_))) {
        return;
    }
    let plan = Layout::new(demand, look);
    let (left, right, rows) = (plan.x.left, plan.x.right, (plan.top(), plan.bottom()));
    let mut spots = Spots::default();
    for hit in found {
        let Hit::Step(t) = *hit else { continue };
        let next =
            demand.rows.get(demand.rows.partition_point(|row| *row <= t)).copied().unwrap_or(demand.horizon);
        let [from, to] = [t, next].map(|t| plan.x.pixel(t as f64));
        if to >= left && from <= right {
            spots.add((from.max(left) - 1.0, to.min(right)), rows);
        }
    }
    spots.dim(list, (left, right), rows);
}
