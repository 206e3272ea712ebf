//! Is a list of cycles a schedule of the model? Capacities, issue limit, order within a warp, and work
//! conservation: in no cycle does a warp wait while its unit and an issue slot are free (B, section III-C).
//! Where sub-blocks are to be fair, no warp executes in place of one that waits in an earlier sub-block.
//!
//! Shares no code with the construction, so that each can be held against the other.

use std::fmt;

use super::fairness::Fairness;
use super::kernel::Kernel;
use super::machine::Machine;
use super::unit::{PerUnit, Unit};
use base::{people, sort};

/// At most this many violations are listed.
const MOST: usize = 1_000;

/// One rule broken in one cycle. Warps and instructions count from 1 in here, as they are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Violation {
    /// A warp's instruction does not come after the one before it.
    Order {
        /// The warp.
        warp: u32,
        /// The instruction that is too early.
        instruction: u32,
        /// Its cycle.
        cycle: u32,
        /// The cycle of the instruction before.
        after: u32,
    },
    /// More warps on a kind of unit than it serves.
    Capacity {
        /// The cycle.
        cycle: u32,
        /// The kind of unit.
        unit: Unit,
        /// Warps executing on it.
        warps: Vec<u32>,
        /// Warps it can serve.
        capacity: u32,
    },
    /// More warps issue than may.
    Issue {
        /// The cycle.
        cycle: u32,
        /// Warps issuing.
        warps: Vec<u32>,
        /// Warps that may.
        limit: u32,
    },
    /// A unit and an issue slot are free while warps wait for that unit.
    Idle {
        /// The cycle.
        cycle: u32,
        /// The kind of unit.
        unit: Unit,
        /// Warps it has room for.
        free: u32,
        /// Warps waiting for it.
        warps: Vec<u32>,
    },
    /// A warp executes in place of one that waits in an earlier sub-block.
    Unfair {
        /// The cycle.
        cycle: u32,
        /// The warp that waits.
        waiting: u32,
        /// Its sub-block, from 1.
        waiting_block: u32,
        /// The warp that executes instead.
        instead: u32,
        /// That one's sub-block, from 1.
        instead_block: u32,
    },
}

impl Violation {
    /// The cycle in which the rule is broken.
    pub fn cycle(&self) -> u32 {
        match self {
            Violation::Order { cycle, .. }
            | Violation::Capacity { cycle, .. }
            | Violation::Issue { cycle, .. }
            | Violation::Idle { cycle, .. }
            | Violation::Unfair { cycle, .. } => *cycle,
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Violation::Order { warp, instruction, cycle, after } => write!(
                f,
                "out of order at cycle {cycle}: instruction {instruction} of warp {warp} does not come after instruction {} in cycle {after}",
                instruction - 1
            ),
            Violation::Capacity { cycle, unit, warps, capacity } => write!(
                f,
                "over capacity at cycle {cycle}: {} execute on {}, which serves {}",
                people::named("warp", warps),
                unit.lettered(),
                people::counted(*capacity as usize, "warp")
            ),
            Violation::Issue { cycle, warps, limit } => write!(
                f,
                "over the issue limit at cycle {cycle}: {} issue, the limit is {limit}",
                people::named("warp", warps)
            ),
            Violation::Idle { cycle, unit, free, warps } => write!(
                f,
                "not work-conserving at cycle {cycle}: {} has room for {} and {} on {}",
                unit.lettered(),
                people::counted(*free as usize, "warp"),
                people::named("warp", warps) + if warps.len() == 1 { " is pending" } else { " are pending" },
                unit.letter()
            ),
            Violation::Unfair { cycle, waiting, waiting_block, instead, instead_block } => write!(
                f,
                "unfair at cycle {cycle}: warp {instead} executes in sub-block {instead_block} while warp {waiting} waits in sub-block {waiting_block} and could have its place"
            ),
        }
    }
}

/// All violations, cycle by cycle; `rows[w][i]` is the cycle of warp `w`'s instruction `i`, from 1.
///
/// Each row must have as many cycles as the kernel has instructions.
pub fn check(kernel: &Kernel, machine: &Machine, rows: &[Vec<u32>]) -> Vec<Violation> {
    check_fair(kernel, machine, &Fairness::WorkConserving, rows)
}

/// The same, and that the schedule is as fair as asked.
pub fn check_fair(
    kernel: &Kernel,
    machine: &Machine,
    fairness: &Fairness,
    rows: &[Vec<u32>],
) -> Vec<Violation> {
    let mut violations = out_of_order(rows);
    let blocks = fairness.blocks(kernel.len());
    let last = rows.iter().flatten().copied().max().unwrap_or(0);
    let mut running = vec![PerUnit::<Vec<Entry>>::default(); last as usize + 1];
    for (warp, row) in (1..).zip(rows) {
        for (i, &cycle) in row.iter().enumerate() {
            running[cycle as usize][kernel.units()[i]].push(Entry { warp, block: blocks[i] });
        }
    }
    let mut next = vec![0usize; rows.len()];
    for cycle in 1..=last {
        let here = &running[cycle as usize];
        overfull(cycle, machine, here, &mut violations);
        let waiting = waiting_in(cycle, kernel, &blocks, rows, &mut next);
        idle(cycle, machine, here, &waiting, &mut violations);
        unfair(cycle, machine, here, &waiting, &mut violations);
        if violations.len() >= MOST {
            break;
        }
    }
    sort::sort_by_key(&mut violations, Violation::cycle);
    violations.truncate(MOST);
    violations
}

/// A warp in a cycle, from 1, and the sub-block of its instruction.
#[derive(Debug, Clone, Copy)]
struct Entry {
    warp: u32,
    block: u32,
}

fn out_of_order(rows: &[Vec<u32>]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (warp, row) in (1..).zip(rows) {
        for (instruction, pair) in (2..).zip(row.windows(2)) {
            if pair[1] <= pair[0] {
                violations.push(Violation::Order { warp, instruction, cycle: pair[1], after: pair[0] });
            }
        }
    }
    violations
}

fn warps_of<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Vec<u32> {
    entries.into_iter().map(|entry| entry.warp).collect()
}

fn overfull(cycle: u32, machine: &Machine, running: &PerUnit<Vec<Entry>>, violations: &mut Vec<Violation>) {
    for unit in Unit::ALL {
        let (entries, capacity) = (&running[unit], machine.capacity[unit]);
        if entries.len() > capacity as usize {
            violations.push(Violation::Capacity { cycle, unit, warps: warps_of(entries), capacity });
        }
    }
    let issued: usize = running.0.iter().map(Vec::len).sum();
    if issued > machine.issue_limit() as usize {
        let mut warps = warps_of(running.0.iter().flatten());
        sort::sort(&mut warps);
        violations.push(Violation::Issue { cycle, warps, limit: machine.issue_limit() });
    }
}

/// Warps whose next instruction is possible in this cycle and comes later.
fn waiting_in(
    cycle: u32,
    kernel: &Kernel,
    blocks: &[u32],
    rows: &[Vec<u32>],
    next: &mut [usize],
) -> PerUnit<Vec<Entry>> {
    let mut waiting = PerUnit::<Vec<Entry>>::default();
    for ((warp, row), next) in (1..).zip(rows).zip(next) {
        while row.get(*next).is_some_and(|&c| c < cycle) {
            *next += 1;
        }
        if row.get(*next).is_some_and(|&c| c > cycle) {
            waiting[kernel.units()[*next]].push(Entry { warp, block: blocks[*next] });
        }
    }
    waiting
}

fn idle(
    cycle: u32,
    machine: &Machine,
    running: &PerUnit<Vec<Entry>>,
    waiting: &PerUnit<Vec<Entry>>,
    violations: &mut Vec<Violation>,
) {
    let issued = running.0.iter().map(|entries| entries.len() as u32).sum();
    let slots = machine.issue_limit().saturating_sub(issued);
    for unit in Unit::ALL {
        let free = machine.capacity[unit].saturating_sub(running[unit].len() as u32).min(slots);
        if free > 0 && !waiting[unit].is_empty() {
            violations.push(Violation::Idle { cycle, unit, free, warps: warps_of(&waiting[unit]) });
        }
    }
}

/// A warp could have the place of another if both need the same unit, or if its own unit has room and only
/// the issue slots are taken. One violation for each warp that waits, against the latest sub-block.
fn unfair(
    cycle: u32,
    machine: &Machine,
    running: &PerUnit<Vec<Entry>>,
    waiting: &PerUnit<Vec<Entry>>,
    violations: &mut Vec<Violation>,
) {
    for unit in Unit::ALL {
        let room = running[unit].len() < machine.capacity[unit] as usize;
        let rivals = || running[unit].iter().chain(running.0.iter().flatten().filter(|_| room));
        let Some(latest) = rivals().max_by_key(|entry| entry.block) else { continue };
        for entry in waiting[unit].iter().filter(|entry| entry.block < latest.block) {
            violations.push(Violation::Unfair {
                cycle,
                waiting: entry.warp,
                waiting_block: entry.block + 1,
                instead: latest.warp,
                instead_block: latest.block + 1,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn verdict(kernel: &str, issue: Option<u32>, rows: &[&[u32]], expected: Expect) {
        let Ok(kernel) = Kernel::parse(kernel) else { unreachable!("test kernels parse") };
        let machine = Machine { capacity: PerUnit([1, 1, 0, 0]), issue };
        let rows: Vec<Vec<u32>> = rows.iter().map(|row| row.to_vec()).collect();
        let lines: Vec<String> = check(&kernel, &machine, &rows).iter().map(ToString::to_string).collect();
        expected.assert_eq(&lines.join("\n"));
    }

    #[test]
    fn b_figure_2_is_valid() {
        verdict("LCL", None, &[&[1, 2, 5], &[2, 3, 6], &[3, 4, 7], &[4, 5, 8]], expect![""]);
    }

    #[test]
    fn b_figure_3_is_not_work_conserving_at_cycle_5() {
        verdict(
            "LCL",
            None,
            &[&[1, 2, 9], &[2, 3, 6], &[3, 4, 7], &[4, 5, 8]],
            expect![
                "not work-conserving at cycle 5: L (load/store) has room for 1 warp and warps 1, 2 and 3 are pending on L"
            ],
        );
    }

    #[test]
    fn capacity_and_issue_and_order() {
        verdict(
            "LC",
            None,
            &[&[1, 2], &[1, 3]],
            expect!["over capacity at cycle 1: warps 1 and 2 execute on L (load/store), which serves 1 warp"],
        );
        verdict(
            "LC",
            Some(1),
            &[&[1, 2], &[2, 3]],
            expect!["over the issue limit at cycle 2: warps 1 and 2 issue, the limit is 1"],
        );
        verdict("LC", Some(1), &[&[1, 2], &[3, 4]], expect![""]);
        verdict(
            "LC",
            None,
            &[&[2, 1]],
            expect![[r#"
            out of order at cycle 1: instruction 2 of warp 1 does not come after instruction 1 in cycle 2
            not work-conserving at cycle 1: L (load/store) has room for 1 warp and warp 1 is pending on L"#]],
        );
    }

    #[test]
    fn who_overtakes_an_earlier_sub_block_is_named() {
        let Ok(kernel) = Kernel::parse("LL") else { unreachable!("it parses") };
        let machine = Machine { capacity: PerUnit([1, 0, 0, 0]), issue: None };
        let rows = [vec![1, 2], vec![3, 4]];
        assert_eq!(check(&kernel, &machine, &rows), []);
        let found = check_fair(&kernel, &machine, &Fairness::SubBlock(vec![1]), &rows);
        let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
        expect!["unfair at cycle 2: warp 1 executes in sub-block 2 while warp 2 waits in sub-block 1 and could have its place"]
            .assert_eq(&lines.join("\n"));
    }

    #[test]
    fn another_unit_is_overtaken_only_for_its_issue_slot() {
        let Ok(kernel) = Kernel::parse("LC") else { unreachable!("it parses") };
        let fair = Fairness::SubBlock(vec![1]);
        let verdict = |issue, rows: &[Vec<u32>]| {
            let machine = Machine { capacity: PerUnit([1, 1, 0, 0]), issue };
            check_fair(&kernel, &machine, &fair, rows).len()
        };
        // Warp 3 waits because the one L is busy, not because of warp 1 on C.
        assert_eq!(verdict(None, &[vec![1, 2], vec![2, 3], vec![3, 4]]), 0);
        assert_eq!(verdict(Some(1), &[vec![1, 2], vec![3, 4]]), 1);
        assert_eq!(verdict(Some(1), &[vec![1, 3], vec![2, 4]]), 0);
    }

    #[test]
    fn what_is_broken_is_told_cycle_by_cycle() {
        verdict(
            "LC",
            None,
            &[&[3, 2]],
            expect![[r#"
                not work-conserving at cycle 1: L (load/store) has room for 1 warp and warp 1 is pending on L
                out of order at cycle 2: instruction 2 of warp 1 does not come after instruction 1 in cycle 3
                not work-conserving at cycle 2: L (load/store) has room for 1 warp and warp 1 is pending on L"#]],
        );
    }

    #[test]
    fn a_gap_nobody_fills_is_idle() {
        verdict(
            "LC",
            None,
            &[&[1, 3]],
            expect![
                "not work-conserving at cycle 2: C (CUDA core) has room for 1 warp and warp 1 is pending on C"
            ],
        );
    }
}
