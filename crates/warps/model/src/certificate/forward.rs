//! Forward reachability with pruning: no state is left that could take longer than claimed.
//!
//! A state is dropped when even the most it can still take ends it in time. If none is left, none takes
//! longer.

use std::collections::HashSet;

use super::phases::{Group, Phases};
use super::work::Work;

/// How many states of phases there were before none was left; `None` where there are more than that, or one
/// comes to its end late, or the work is over.
pub fn phases(
    phases: &Phases,
    upper: u32,
    most: u64,
    work: &Work,
    reach: impl Fn(&[Group]) -> u32,
) -> Option<u64> {
    let mut layer = HashSet::from([phases.start()]);
    let (mut cycle, mut states) = (0, 1);
    while !layer.is_empty() {
        cycle += 1;
        let mut next = HashSet::new();
        for state in &layer {
            for executing in phases.choices(state, work) {
                phases.each_successor(state, &executing, work, &mut |state| {
                    if cycle + reach(state) > upper && !next.contains(state) {
                        next.insert(state.to_vec());
                    }
                });
            }
            if states + next.len() as u64 > most || work.is_over() {
                return None;
            }
        }
        let late = |state: &Vec<Group>| state.iter().all(|group| group.warps == 0);
        if next.iter().any(late) {
            return None;
        }
        states += next.len() as u64;
        layer = next;
    }
    Some(states)
}

/// The same with the positions of all warps.
pub fn positions(
    phases: &Phases,
    upper: u32,
    most: u64,
    work: &Work,
    reach: impl Fn(&[Group]) -> u32,
) -> Option<u64> {
    let mut layer = HashSet::from([vec![0u16; phases.warps() as usize]]);
    let (mut cycle, mut states) = (0, 1);
    while !layer.is_empty() {
        cycle += 1;
        let mut next: HashSet<Vec<u16>> = HashSet::new();
        let mut late = false;
        for state in &layer {
            phases.each_step(state, work, &mut |state| {
                let groups = phases.of_positions(state);
                late |= cycle > upper && groups.iter().all(|group| group.warps == 0);
                if cycle + reach(&groups) > upper && !next.contains(state) {
                    next.insert(state.to_vec());
                }
            });
            if late || states + next.len() as u64 > most || work.is_over() {
                return None;
            }
        }
        states += next.len() as u64;
        layer = next;
    }
    Some(states)
}
