//! Closed-form bounds on the makespan of work-conserving schedules, each with its proof: interference on the last warp;
//! capacity and length.

use super::kernel::Kernel;
use super::machine::Machine;
use super::unit::Unit;

/// The name of [`blocked_cycles`], as reports give it.
pub const BLOCKED_CYCLES: &str = "blocked cycles of the last warp";

/// The longest any work-conserving schedule can take: own cycles of the last warp plus the most cycles the
/// others can block it; `None` where the kernel needs a unit that is not there.
///
/// Proof. Take a warp that finishes last. In each cycle it executes, or it is blocked: its unit is full, or
/// all issue slots are taken. It executes in `I` cycles. Give every instruction of another warp on unit U the
/// weight `1 / min(cap_U, issue)`. A cycle in which unit U is full holds `cap_U` such instructions of weight
/// at least `1 / cap_U`; a cycle in which issue is full holds `issue` instructions of weight at least
/// `1 / issue`. So each blocked cycle has weight 1 or more, while the others weigh
/// `(W - 1) * sum over U of n_U / min(cap_U, issue)` altogether; there are at most as many blocked cycles.
///
/// The second bound is that every cycle executes something: `W * I`.
pub fn blocked_cycles(kernel: &Kernel, machine: &Machine, warps: usize) -> Option<u32> {
    let totals = kernel.totals();
    // Over the common denominator of all four, in exact integers.
    let serves = |unit: Unit| u128::from(machine.serves(unit));
    let used = kernel.kinds();
    let denominator: u128 = used.iter().map(|&unit| serves(unit)).product();
    if denominator == 0 {
        return None;
    }
    let weight: u128 = used.iter().map(|&unit| u128::from(totals[unit]) * (denominator / serves(unit))).sum();
    let blocked = weight * (warps as u128 - 1) / denominator;
    let own = kernel.len() as u128;
    u32::try_from((own + blocked).min(own * warps as u128)).ok()
}

/// What proves an upper bound, in words for people; reports and certificates keep its name.
pub fn in_words(by: &str) -> &str {
    match by {
        BLOCKED_CYCLES | "own and blocked cycles of the last warp" => {
            "the cycles in which others keep the warp that ends last from issuing"
        }
        "aggregated phases" | "refined phases" => "aggregated states",
        "priced crowds" | "last warp beside priced crowds" => "Lagrangian relaxation",
        "search" | "all states, cycle by cycle" => "a search of all states",
        _ => by,
    }
}

/// The name of [`capacity_and_length`], as reports give it.
pub const CAPACITY: &str = "capacity and length";

/// The shortest any schedule can take: one warp's instructions one after the other, and all instructions of a kind
/// at the rate of its unit, or of the issue slots; `None` where the kernel needs a unit that is not there.
///
/// It holds as well where some warps execute more than the string, in whatever order.
pub fn capacity_and_length(kernel: &Kernel, machine: &Machine, warps: usize) -> Option<u32> {
    let totals = kernel.totals();
    let all = |instructions: u64, rate: u32| match rate {
        0 => None,
        rate => Some((instructions * warps as u64).div_ceil(rate.into())),
    };
    let mut least = (kernel.len() as u64).max(all(kernel.len() as u64, machine.issue_limit())?);
    for unit in kernel.kinds() {
        least = least.max(all(totals[unit].into(), machine.capacity[unit])?);
    }
    u32::try_from(least).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PerUnit, Start, construct};
    use base::Seeded;

    #[test]
    fn one_warp_is_exact_and_voronoi_is_bracketed() -> Result<(), String> {
        let kernel = Kernel::parse("5L 9C 2L 9C").map_err(|e| e.what)?;
        let machine = Machine { capacity: PerUnit([1, 4, 0, 0]), issue: None };
        assert_eq!(blocked_cycles(&kernel, &machine, 1), Some(25));
        assert_eq!(blocked_cycles(&kernel, &machine, 16), Some(197)); // 25 + 105 + 67.5
        Ok(())
    }

    #[test]
    fn a_missing_unit_has_no_bound() -> Result<(), String> {
        let kernel = Kernel::parse("LC").map_err(|e| e.what)?;
        assert_eq!(
            blocked_cycles(&kernel, &Machine { capacity: PerUnit([1, 0, 0, 0]), issue: None }, 2),
            None
        );
        Ok(())
    }

    /// One warp alone, the fullest unit, the issue slots: whichever is longest, rounded up.
    #[test]
    fn no_schedule_is_shorter_than_a_warp_a_unit_or_the_issue_slots() {
        let least = |text, capacity, issue, warps| {
            let Ok(kernel) = Kernel::parse(text) else { unreachable!("{text}") };
            capacity_and_length(&kernel, &Machine { capacity: PerUnit(capacity), issue }, warps)
        };
        assert_eq!(least("2L 3C", [1, 4, 0, 0], None, 2), Some(5));
        assert_eq!(least("2L 3C", [1, 4, 0, 0], None, 7), Some(14));
        assert_eq!(least("L 3C", [2, 2, 0, 0], None, 7), Some(11)); // 21 / 2
        assert_eq!(least("L 3C", [2, 2, 0, 0], Some(1), 7), Some(28));
        assert_eq!(least("L 3C", [1, 0, 0, 0], None, 7), None);
    }

    /// Longest work-conserving schedule by trying every choice in every cycle.
    fn exhaustive(kernel: &Kernel, machine: &Machine, positions: &[usize]) -> u32 {
        let pending: Vec<usize> = (0..positions.len()).filter(|&w| positions[w] < kernel.len()).collect();
        let unit = |w: usize| kernel.units()[positions[w]];
        let fits = |set: &[usize]| {
            set.len() <= machine.issue_limit() as usize
                && Unit::ALL
                    .iter()
                    .all(|&u| set.iter().filter(|&&w| unit(w) == u).count() <= machine.capacity[u] as usize)
        };
        let mut longest = 0;
        for mask in 1u32..(1 << pending.len()) {
            let set: Vec<usize> =
                (0..pending.len()).filter(|i| mask >> i & 1 == 1).map(|i| pending[i]).collect();
            let more = |w: &&usize| !set.contains(w) && fits(&[set.as_slice(), &[**w]].concat());
            if fits(&set) && !pending.iter().any(|w| more(&w)) {
                let next: Vec<usize> =
                    (0..positions.len()).map(|w| positions[w] + usize::from(set.contains(&w))).collect();
                longest = longest.max(1 + exhaustive(kernel, machine, &next));
            }
        }
        longest
    }

    /// Warps that leave their loops at different times: subsequences of the string, each warp its own. The bounds of
    /// the whole string, and of what all have in common, hold for every schedule of them.
    #[test]
    fn bounds_hold_for_warps_that_execute_less() {
        let mut rng = Seeded::new(12, 0);
        for _ in 0..300 {
            let (head, body, tail) = ("LC", "CLS", "C");
            let (least, most) = (rng.below(2), 2 + rng.below(2));
            let text = |rounds: u32| format!("{head}{}{tail}", body.repeat(rounds as usize));
            let parse = |rounds| match Kernel::parse(&text(rounds)) {
                Ok(kernel) => kernel,
                Err(error) => unreachable!("{error:?}"),
            };
            let machine = Machine {
                capacity: PerUnit::from_fn(|_| 1 + rng.below(2)),
                issue: [None, Some(1), Some(2)][rng.below(3) as usize],
            };
            let rounds: Vec<u32> = (0..3).map(|_| least + rng.below(most - least + 1)).collect();
            let (upper, lower) = (
                blocked_cycles(&parse(most), &machine, 3).unwrap_or(0),
                capacity_and_length(&parse(least), &machine, 3).unwrap_or(u32::MAX),
            );
            for _ in 0..20 {
                // Greedy in the order of a new priority each cycle: work-conserving.
                let (mut at, mut cycles) = (vec![0; 3], 0);
                let strings: Vec<Kernel> = rounds.iter().map(|&rounds| parse(rounds)).collect();
                while (0..3).any(|warp| at[warp] < strings[warp].len()) {
                    cycles += 1;
                    let (mut free, mut slots) = (machine.capacity, machine.issue_limit());
                    let first = rng.below(3) as usize;
                    for warp in [first, (first + 1 + rng.below(2) as usize) % 3, 0, 1, 2] {
                        let Some(&unit) = strings[warp].units().get(at[warp] % 1000) else { continue };
                        if at[warp] < 1000 && free[unit] > 0 && slots > 0 {
                            (free[unit], slots) = (free[unit] - 1, slots - 1);
                            at[warp] += 1000; // once a cycle
                        }
                    }
                    at.iter_mut().for_each(|at| *at = if *at >= 1000 { *at - 999 } else { *at });
                }
                assert!(
                    lower <= cycles && cycles <= upper,
                    "{rounds:?} {machine:?}: {lower} {cycles} {upper}"
                );
            }
        }
    }

    #[test]
    fn never_below_the_exact_worst_case_on_random_instances() {
        let mut rng = Seeded::new(11, 0);
        for _ in 0..400 {
            let warps = 1 + rng.below(3) as usize;
            let text: String =
                (0..=rng.below(3)).map(|_| ['L', 'C', 'S', 'D'][rng.below(3) as usize]).collect();
            let Ok(kernel) = Kernel::parse(&text) else { unreachable!("{text}") };
            let machine = Machine {
                capacity: PerUnit::from_fn(|_| 1 + rng.below(2)),
                issue: [None, Some(1), Some(2)][rng.below(3) as usize],
            };
            let exact = exhaustive(&kernel, &machine, &vec![0; warps]);
            let bound = blocked_cycles(&kernel, &machine, warps).unwrap_or(0);
            assert!(bound >= exact, "{text} {machine:?} {warps}: {bound} < {exact}");
        }
    }

    #[test]
    fn never_below_any_constructed_schedule() -> Result<(), String> {
        let kernel = Kernel::parse("3L 4C S 2L D 2C").map_err(|e| e.what)?;
        for (issue, seed) in [None, Some(1), Some(3)].into_iter().flat_map(|i| (0..100).map(move |s| (i, s)))
        {
            let machine = Machine { capacity: PerUnit([1, 3, 1, 2]), issue };
            let order = Start::Random(seed).order(&kernel, &machine, 9);
            let makespan = construct(&kernel, &machine, &order, 9).ok_or("complete")?.makespan();
            assert!(blocked_cycles(&kernel, &machine, 9).ok_or("bounded")? >= makespan);
        }
        Ok(())
    }
}
