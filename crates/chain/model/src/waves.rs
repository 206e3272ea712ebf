//! One multiprocessor that runs more blocks of a kernel than it holds at once: what ends is replaced.
//!
//! Assumes: 1. nothing but these blocks is on the multiprocessor; 2. a block leaves with its last warp, and the next
//! starts in the cycle after that; 3. warps are served work-conserving, whoever is new. Then with `n` blocks of `w`
//! warps, `R` of them at once, `n > R`, and `I` instructions in the string:
//!
//! *Sequence.* Take the block that ends last. Either it started at once, or it waited until then, and all that time `R`
//! blocks were there; so it started when one of them ended. Take that one, and so on until one that started at
//! once. `R` blocks do so, so the chain has at most `q = n - R + 1` of them. Their times follow each other without
//! a gap. In each look at the warp that ends last: it executes its `I` cycles, or it is blocked. All `q` of these
//! warps execute in their own stretch only, so what blocks them is of the other `n w - q` warps.
//!
//! *Blocked cycles.* In one of them the unit the warp needs is full, or all issue slots are. Without an issue limit a
//! full unit `U` executes `c_U` instructions of others, of `(n w - q) n_U` in all, so there are at most
//! `floor((n w - q) n_U / c_U)` such cycles for each unit. With one, every instruction weighs
//! `1 / min(c_U, issue)` as in module `bounds`, and there are at most as many blocked cycles as all weigh.
//!
//! So it takes at most `q I` cycles and the blocked ones. Besides, every cycle executes something.
//!
//! *Pipelined loads.* A warp then has its own path in place of `I`: the cycles of its loads, all of them missing if any
//! may, and one for each other instruction. A cycle of it is one of its path or a blocked one as before, as a
//! load takes its unit in one cycle only; and in every cycle some warp is on its path.

use super::model::Sm;
use super::units::Cycles;
use warps::{Kernel, Machine, Unit};

/// No more cycles than this, `capacity` blocks at once (`R` above); none where it fits no 64 bits or a unit is missing.
pub fn at_most(kernel: &Kernel, sm: &Sm, warps: u64, blocks: u64, capacity: u64) -> Option<Cycles> {
    let chain = blocks.saturating_sub(capacity) + 1;
    let all = blocks.checked_mul(warps)?;
    let path = u128::from(sm.path(kernel).1);
    let own = u128::from(chain) * path;
    let blocked = blocked(kernel, &sm.machine, all.saturating_sub(chain))?;
    let busy = u128::from(all) * path;
    u64::try_from((own + blocked).min(busy)).ok().map(Cycles)
}

/// After the last block has started, whatever the others have left: no more cycles than this until all have ended.
/// The warp that ends last has its own string at most, and the others theirs.
pub fn rest_at_most(kernel: &Kernel, sm: &Sm, warps: u64) -> Option<Cycles> {
    let blocked = blocked(kernel, &sm.machine, warps.saturating_sub(1))?;
    u64::try_from(u128::from(sm.path(kernel).1) + blocked).ok().map(Cycles)
}

/// The most cycles in which warps, one after the other, are blocked by so many others.
fn blocked(kernel: &Kernel, machine: &Machine, others: u64) -> Option<u128> {
    let totals = kernel.totals();
    let used: Vec<Unit> = Unit::ALL.into_iter().filter(|&unit| totals[unit] > 0).collect();
    let serves = |unit: Unit| u128::from(machine.serves(unit));
    if used.iter().any(|&unit| serves(unit) == 0) {
        return None;
    }
    let work = |unit: Unit| u128::from(others).checked_mul(u128::from(totals[unit]));
    if machine.issue.is_none() {
        return used.iter().map(|&unit| Some(work(unit)? / serves(unit))).sum();
    }
    let denominator: u128 = used.iter().map(|&unit| serves(unit)).product();
    let weight: Option<u128> =
        used.iter().map(|&unit| work(unit)?.checked_mul(denominator / serves(unit))).sum();
    Some(weight? / denominator)
}

/// Whom a multiprocessor serves first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// Who came first.
    Oldest,
    /// Who came last.
    Newest,
    /// Who is farthest in the string.
    Ahead,
    /// Who is least far.
    Behind,
}

impl First {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Oldest, Self::Newest, Self::Ahead, Self::Behind];
}

/// Instructions that are simulated at the most.
const MOST: u64 = 100_000;

/// A schedule that takes as long: the longest of a few, followed cycle by cycle. None where that is too much work, or
/// where loads take longer than a cycle.
pub fn at_least(kernel: &Kernel, sm: &Sm, warps: u64, blocks: u64, capacity: u64) -> Option<Cycles> {
    let work = blocks.checked_mul(warps)?.checked_mul(kernel.len() as u64)?;
    if work > MOST || sm.memory.is_some() {
        return None;
    }
    First::ALL.into_iter().map(|first| simulate(kernel, &sm.machine, (warps, blocks, capacity), first)).max()
}

/// A warp that still has instructions: its block, and its place in the string.
type Warp = (usize, usize);

/// Runs blocks with replacement.
fn simulate(
    kernel: &Kernel,
    machine: &Machine,
    (warps, blocks, capacity): (u64, u64, u64),
    first: First,
) -> Cycles {
    let units = kernel.units();
    let (mut resident, mut started) = (0, 0);
    // Of each block that has started, how many warps still have instructions.
    let mut unfinished: Vec<u64> = Vec::new();
    // In the order in which they came; `served` in that in which they are served.
    let mut running: Vec<Warp> = Vec::new();
    let mut served: Vec<usize> = Vec::new();
    let mut cycles = 0;
    loop {
        while started < blocks && resident < capacity && warps != 0 && !units.is_empty() {
            let block = unfinished.len();
            running.extend((0..warps).map(|_| (block, 0)));
            unfinished.push(warps);
            (resident, started) = (resident + 1, started + 1);
        }
        if running.is_empty() {
            return Cycles(cycles);
        }
        cycles += 1;
        served.clear();
        served.extend(0..running.len());
        match first {
            First::Oldest => {}
            First::Newest => served.reverse(),
            First::Ahead => base::sort::sort_by_key(&mut served, |&warp| std::cmp::Reverse(running[warp].1)),
            First::Behind => base::sort::sort_by_key(&mut served, |&warp| running[warp].1),
        }
        let (mut free, mut issue) = (machine.capacity, machine.issue_limit());
        for &warp in &served {
            if issue == 0 {
                break;
            }
            let (block, at) = &mut running[warp];
            let unit = units[*at];
            if free[unit] > 0 {
                free[unit] -= 1;
                issue -= 1;
                *at += 1;
                if *at == units.len() {
                    unfinished[*block] -= 1;
                    resident -= u64::from(unfinished[*block] == 0);
                }
            }
        }
        running.retain(|&(_, at)| at < units.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seeded;
    use warps::{Memory, Misses, Mode, PerUnit};

    /// The naive twin: a random work-conserving choice in every cycle; a warp is its place and when it goes on.
    fn any(
        kernel: &Kernel,
        (machine, load): (&Machine, u64),
        warps: usize,
        mut left: u64,
        capacity: usize,
        rng: &mut Seeded,
    ) -> u64 {
        let units = kernel.units();
        let mut running: Vec<Vec<(usize, u64)>> = Vec::new();
        let mut cycles = 0;
        loop {
            while left > 0 && running.len() < capacity {
                running.push(vec![(0, 0); warps]);
                left -= 1;
            }
            if running.is_empty() {
                return cycles;
            }
            let mut all: Vec<(usize, usize)> =
                (0..running.len()).flat_map(|b| (0..warps).map(move |w| (b, w))).collect();
            rng.shuffle(&mut all);
            if rng.below(2) == 0 {
                // Starve one block, so that the others pass it.
                all.sort_by_key(|&(b, _)| b == 0);
            }
            let (mut free, mut issue) = (machine.capacity, machine.issue_limit());
            for (b, w) in all {
                let (at, ready) = running[b][w];
                if at < units.len() && ready <= cycles && issue > 0 && free[units[at]] > 0 {
                    free[units[at]] -= 1;
                    issue -= 1;
                    let takes = if units[at] == Unit::LoadStore { load } else { 1 };
                    running[b][w] = (at + 1, cycles + takes);
                }
            }
            cycles += 1;
            running.retain(|block| block.iter().any(|&(at, ready)| at < units.len() || ready > cycles));
        }
    }

    #[test]
    fn no_schedule_with_replacement_takes_longer() {
        let mut rng = Seeded::new(31, 0);
        let mut tight = 0;
        for round in 0..600 {
            let text: String =
                (0..=rng.below(5)).map(|_| ['L', 'C', 'S', 'D'][rng.below(3) as usize]).collect();
            let Ok(kernel) = Kernel::parse(&text) else { unreachable!("{text}") };
            let issue = [None, Some(1), Some(2)][rng.below(3) as usize];
            let machine = Machine { capacity: PerUnit::from_fn(|_| 1 + rng.below(2)), issue };
            let (warps, capacity) = (1 + rng.below(3) as usize, 1 + rng.below(3) as usize);
            let blocks = capacity as u64 + u64::from(rng.below(5));
            let most = at_most(&kernel, &Sm::plain(machine), warps as u64, blocks, capacity as u64)
                .expect("it is small");
            let least = at_least(&kernel, &Sm::plain(machine), warps as u64, blocks, capacity as u64)
                .expect("it is small");
            let longest =
                (0..40).map(|_| any(&kernel, (&machine, 1), warps, blocks, capacity, &mut rng)).max();
            assert!(longest <= Some(most.0), "round {round}: {text} {longest:?} over {most:?}");
            assert!(least <= most, "round {round}");
            tight += usize::from(longest.max(Some(least.0)) == Some(most.0));
        }
        assert!(tight > 60, "{tight} of 600 bounds are reached");
    }

    #[test]
    fn nor_with_loads_that_take_longer() {
        let mut rng = Seeded::new(32, 0);
        let mut tight = 0;
        for round in 0..300 {
            let text: String = (0..=rng.below(4)).map(|_| ['L', 'C', 'L'][rng.below(3) as usize]).collect();
            let Ok(kernel) = Kernel::parse(&text) else { unreachable!("{text}") };
            let issue = [None, Some(1), Some(2)][rng.below(3) as usize];
            let machine = Machine { capacity: PerUnit::from_fn(|_| 1 + rng.below(2)), issue };
            let miss = 2 + rng.below(4);
            let memory = Memory { mode: Mode::Pipelined, hit: 1, miss, misses: Misses::All, missing: None };
            let sm = Sm { machine, memory: Some(memory) };
            let (warps, capacity) = (1 + rng.below(3) as usize, 1 + rng.below(3) as usize);
            let blocks = capacity as u64 + u64::from(rng.below(4));
            let most = at_most(&kernel, &sm, warps as u64, blocks, capacity as u64).expect("it is small");
            let longest = (0..40)
                .map(|_| any(&kernel, (&machine, miss.into()), warps, blocks, capacity, &mut rng))
                .max();
            assert!(longest <= Some(most.0), "round {round}: {text} {longest:?} over {most:?}");
            tight += usize::from(longest == Some(most.0));
        }
        assert!(tight > 20, "{tight} of 300 bounds are reached");
    }

    #[test]
    fn one_block_after_the_other_is_exact() {
        let kernel = Kernel::parse("LCL").expect("a string");
        let machine = Machine { capacity: PerUnit([1, 1, 0, 0]), issue: None };
        // One warp at a time, five blocks: 15 cycles, whatever is done.
        assert_eq!(at_most(&kernel, &Sm::plain(machine), 1, 5, 1), Some(Cycles(15)));
        assert_eq!(at_least(&kernel, &Sm::plain(machine), 1, 5, 1), Some(Cycles(15)));
        assert_eq!(at_most(&kernel, &Sm::plain(machine), u64::MAX, u64::MAX, 1), None);
    }
}
