//! Priority dispatching: warp schedulers cycle by cycle, and who is asked first in each.
//!
//! In each cycle the pending warps are asked in turn, and whoever finds its unit and an issue slot free
//! executes. Only the order of asking differs. Where sub-blocks are fair, warps in an earlier sub-block are
//! asked first; among those in the same one the policy decides. A scheduler that asks so is work-conserving.

use super::fairness::Fairness;
use super::kernel::Kernel;
use super::machine::Machine;
use base::sort;

/// Who is asked first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// A list, read from its head; who ran moves to the tail, in the order they ran (B, figure 8).
    MostPending,
    /// The warps that issued in the cycle before, then the others; each by age, which is their number.
    GreedyThenOldest,
    /// In a circle by number, beginning after the warp that was the last to issue.
    LooseRoundRobin,
}

/// The warps, from 0, in the order they execute under a policy.
pub fn dispatch(
    kernel: &Kernel,
    machine: &Machine,
    fairness: &Fairness,
    warps: usize,
    policy: Policy,
) -> Vec<u16> {
    let blocks = fairness.blocks(kernel.len());
    let mut ids: Vec<u16> = Vec::with_capacity(warps * kernel.len());
    let mut next = vec![0usize; warps];
    let mut list: Vec<u16> = (0..u16::try_from(warps).unwrap_or(u16::MAX)).collect();
    while !list.is_empty() {
        let before = ids.len();
        let mut asked = list.clone();
        sort::sort_by_key(&mut asked, |&warp| blocks[next[usize::from(warp)]]);
        let (mut free, mut slots) = (machine.capacity, machine.issue_limit());
        for warp in asked {
            let unit = kernel.units()[next[usize::from(warp)]];
            if slots > 0 && free[unit] > 0 {
                slots -= 1;
                free[unit] -= 1;
                ids.push(warp);
            }
        }
        let ran = &ids[before..];
        if ran.is_empty() {
            break; // a unit that is not there
        }
        for &warp in ran {
            next[usize::from(warp)] += 1;
        }
        let mut pending = list;
        pending.retain(|&warp| next[usize::from(warp)] < kernel.len());
        list = rearranged(pending, ran, policy);
    }
    ids
}

/// The list for the next cycle.
pub(super) fn rearranged(mut pending: Vec<u16>, ran: &[u16], policy: Policy) -> Vec<u16> {
    match policy {
        Policy::MostPending => {
            let stays = |warp: &u16| pending.contains(warp);
            let moved: Vec<u16> = ran.iter().copied().filter(stays).collect();
            pending.retain(|warp| !ran.contains(warp));
            pending.extend(moved);
        }
        Policy::GreedyThenOldest => sort::sort_by_key(&mut pending, |warp| (!ran.contains(warp), *warp)),
        Policy::LooseRoundRobin => {
            let last = ran.last().copied().unwrap_or_default();
            sort::sort_by_key(&mut pending, |&warp| (warp <= last, warp));
        }
    }
    pending
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Order, PerUnit, Start, check_fair, construct};
    use base::Seeded;

    fn played(text: &str, capacity: [u32; 4], issue: Option<u32>, warps: usize, policy: Policy) -> Vec<u16> {
        let Ok(kernel) = Kernel::parse(text) else { unreachable!("{text}") };
        let machine = Machine { capacity: PerUnit(capacity), issue };
        let ids = dispatch(&kernel, &machine, &Fairness::WorkConserving, warps, policy);
        ids.into_iter().map(|warp| warp + 1).collect()
    }

    #[test]
    fn a_greedy_scheduler_stays_with_a_warp_as_long_as_it_can() {
        // Warp 1 keeps the one issue slot; warp 2 begins when it is done.
        assert_eq!(played("LCL", [1, 1, 0, 0], Some(1), 2, Policy::GreedyThenOldest), [1, 1, 1, 2, 2, 2]);
        // Warps 1 and 2 both ran in cycle 2: both are asked before warp 3, so L goes to warp 1, C to warp 2.
        assert_eq!(
            played("LCL", [1, 1, 0, 0], None, 3, Policy::GreedyThenOldest),
            [1, 1, 2, 1, 2, 2, 3, 3, 3]
        );
    }

    #[test]
    fn a_loose_round_robin_goes_on_after_the_last_that_issued() {
        assert_eq!(played("LL", [1, 0, 0, 0], None, 3, Policy::LooseRoundRobin), [1, 2, 3, 1, 2, 3]);
        // A warp whose unit is busy is passed over, hence loose.
        assert_eq!(played("LCL", [1, 1, 0, 0], None, 2, Policy::LooseRoundRobin), [1, 2, 1, 2, 1, 2]);
    }

    #[test]
    fn every_start_is_as_fair_as_asked() {
        let mut rng = Seeded::new(5, 0);
        for _ in 0..500 {
            let warps = 1 + rng.below(6) as usize;
            let text: String =
                (0..=rng.below(9)).map(|_| ['L', 'C', 'S', 'D'][rng.below(4) as usize]).collect();
            let Ok(kernel) = Kernel::parse(&text) else { unreachable!("{text}") };
            let capacity = PerUnit::from_fn(|_| 1 + rng.below(3));
            let machine = Machine { capacity, issue: [None, Some(1), Some(2)][rng.below(3) as usize] };
            let boundaries = (0..=kernel.len() as u32).filter(|_| rng.below(3) == 0).collect();
            for fairness in [Fairness::WorkConserving, Fairness::SubBlock(boundaries)] {
                for start in [
                    Start::RoundRobin,
                    Start::FixedPriority,
                    Start::MostPending,
                    Start::GreedyThenOldest,
                    Start::LooseRoundRobin,
                    Start::Random(7),
                ] {
                    let order = start.fair_order(&kernel, &machine, &fairness, warps);
                    assert!(Order::new(order.ids().to_vec(), warps, kernel.len()).is_ok());
                    let Some(schedule) = construct(&kernel, &machine, &order, warps) else {
                        unreachable!("complete")
                    };
                    let rows: Vec<Vec<u32>> = (0..warps).map(|warp| schedule.warp(warp).to_vec()).collect();
                    assert_eq!(check_fair(&kernel, &machine, &fairness, &rows), [], "{start:?} {text}");
                }
            }
        }
    }
}
