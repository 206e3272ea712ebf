//! Path reconstruction: from states back to a schedule in which each warp has its row.

use super::instance::{Instance, Place};
use super::pack::StateCode;
use crate::Schedule;

/// The schedule of a path of keys from the start to the end.
///
/// How many warps advance from each position follows from two neighbouring states, from the first position
/// on; which of them do is free, and those with the lowest numbers are taken.
pub fn to_schedule<'a>(
    instance: &Instance,
    code: &StateCode,
    keys: impl IntoIterator<Item = &'a [u64]>,
) -> Option<Schedule> {
    let mut rows = vec![Vec::with_capacity(instance.length as usize); instance.warps as usize];
    // The warps at each position, the last to arrive at the end.
    let mut before: Vec<Place> = Vec::new();
    let mut after = Vec::new();
    for (cycle, key) in (0..).zip(keys) {
        code.decode(key, &mut after);
        if cycle > 0 {
            advance(&mut rows, &before, &after, cycle);
        }
        std::mem::swap(&mut before, &mut after);
    }
    Schedule::new(&rows, instance.length as usize)
}

fn advance(rows: &mut [Vec<u32>], before: &[Place], after: &[Place], cycle: u32) {
    let count = |places: &[Place], at: u32| places.iter().find(|p| p.at == at).map_or(0, |p| p.warps);
    let mut moving = Vec::new();
    let mut entered = Place::default();
    for place in before {
        let came = if entered.at == place.at { entered.warps } else { 0 };
        let take = (place.warps + came).saturating_sub(count(after, place.at));
        let here = (0..rows.len()).filter(|&w| rows[w].len() == place.at as usize);
        moving.extend(here.take(take as usize));
        entered = Place { at: place.at + 1, warps: take };
    }
    moving.into_iter().for_each(|w| rows[w].push(cycle));
}

/// Some schedule, at once: in each cycle the lowest numbers go first, earlier sub-blocks before later ones.
pub fn greedy(instance: &Instance) -> Option<Schedule> {
    let mut rows = vec![Vec::with_capacity(instance.length as usize); instance.warps as usize];
    let mut order: Vec<(u32, usize)> = Vec::new();
    for cycle in 1.. {
        let phase = |row: &Vec<u32>| instance.phase_of.get(row.len()).map(|&q| instance.phases[q as usize]);
        order.clear();
        order.extend((0..rows.len()).filter_map(|w| phase(&rows[w]).map(|phase| (phase.block, w))));
        if order.is_empty() {
            break;
        }
        base::sort::sort(&mut order);
        let (mut free, mut issue) = (instance.capacity, instance.issue);
        for &(_, w) in &order {
            let Some(unit) = phase(&rows[w]).map(|phase| phase.unit) else { continue };
            if free[unit] > 0 && issue > 0 {
                free[unit] -= 1;
                issue -= 1;
                rows[w].push(cycle);
            }
        }
    }
    Schedule::new(&rows, instance.length as usize)
}
