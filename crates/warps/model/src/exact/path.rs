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
    in_turn(instance, |w, _| w)
}

/// A long schedule, at once: in each cycle those go first who are farthest behind, and one warp after all others. They
/// keep together, so that they stand in its way wherever it is, and hardly one of them is left when it goes on alone.
pub fn starving(instance: &Instance) -> Option<Schedule> {
    let last = instance.warps as usize - 1;
    in_turn(instance, |w, done| if w == last { usize::MAX } else { done })
}

/// The schedule in which in each cycle those go first of whom a key is least, which knows how many instructions a warp
/// has executed; earlier sub-blocks before later ones.
fn in_turn(instance: &Instance, key: impl Fn(usize, usize) -> usize) -> Option<Schedule> {
    let mut rows = vec![Vec::with_capacity(instance.length as usize); instance.warps as usize];
    let mut order: Vec<(u32, usize, usize)> = Vec::new();
    for cycle in 1.. {
        let phase = |row: &Vec<u32>| instance.phase_of.get(row.len()).map(|&q| instance.phases[q as usize]);
        order.clear();
        let waits = |w: usize| phase(&rows[w]).map(|phase| (phase.block, key(w, rows[w].len()), w));
        order.extend((0..rows.len()).filter_map(waits));
        if order.is_empty() {
            break;
        }
        base::sort::sort(&mut order);
        let (mut free, mut issue) = (instance.capacity, instance.issue);
        for &(_, _, w) in &order {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::Problem;
    use crate::{Fairness, Kernel, Machine, PerUnit, check_fair};
    use base::Seeded;

    /// Both schedules keep the rules, and the one that starves a warp is mostly the longer one.
    #[test]
    fn the_first_schedules_keep_the_rules() {
        let mut rng = Seeded::new(61, 0);
        let (mut longer, mut shorter) = (0, 0);
        for _ in 0..300 {
            let text: String =
                (0..=rng.below(12)).map(|_| ['L', 'C', 'S', 'D'][rng.below(4) as usize]).collect();
            let Ok(kernel) = Kernel::parse(&text) else { unreachable!("{text}") };
            let capacity = PerUnit::from_fn(|_| 1 + rng.below(2));
            let machine = Machine { capacity, issue: [None, Some(1), Some(2)][rng.below(3) as usize] };
            let boundaries = (0..=kernel.len() as u32).filter(|_| rng.below(4) == 0).collect();
            let warps = 1 + rng.below(9) as usize;
            for fairness in [Fairness::WorkConserving, Fairness::SubBlock(boundaries)] {
                let problem = Problem { kernel: &kernel, machine: &machine, warps, fairness: &fairness };
                let Some(instance) = Instance::new(&problem) else { unreachable!("all units are there") };
                let [greedy, starving] = [greedy(&instance), starving(&instance)].map(|made| {
                    let Some(made) = made else { unreachable!("complete") };
                    let rows: Vec<Vec<u32>> = (0..warps).map(|warp| made.warp(warp).to_vec()).collect();
                    assert_eq!(check_fair(&kernel, &machine, &fairness, &rows), [], "{text} {machine:?}");
                    made.makespan()
                });
                longer += u32::from(starving > greedy);
                shorter += u32::from(starving < greedy);
            }
        }
        assert!(longer > 100 && longer > 4 * shorter, "longer {longer} times, shorter {shorter} times");
    }
}
