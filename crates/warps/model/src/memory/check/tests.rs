//! What the check says of schedules that break one rule, and that it misses nothing between two moments.

use super::*;
use crate::{Kernel, Machine, Memory, PerUnit};
use base::Seeded;
use expect_test::{Expect, expect};

/// A load takes 2 cycles, and 4 if it misses. There is one place of each kind, or two of `L` where the string says so.
fn said(
    (text, mode, misses): (&str, Mode, Misses),
    issue: Option<u32>,
    rows: &[&[u32]],
    missed: &[(u16, u16)],
    expected: Expect,
) {
    let (text, places) = text.strip_prefix("2 ").map_or((text, 1), |rest| (rest, 2));
    let Ok(kernel) = Kernel::parse(text) else { unreachable!("{text}") };
    let machine = Machine { capacity: PerUnit([places, 1, 0, 0]), issue };
    let memory = Memory { mode, hit: 2, miss: 4, misses, missing: None };
    let problem = Problem { kernel: &kernel, machine: &machine, memory: &memory, warps: rows.len() };
    let rows: Vec<Vec<u32>> = rows.iter().map(|row| row.to_vec()).collect();
    let lines: Vec<String> = check(&problem, &rows, missed).iter().map(ToString::to_string).collect();
    expected.assert_eq(&lines.join("\n"));
}

const HELD: (&str, Mode, Misses) = ("LC", Mode::Held, Misses::AtMost(1));

#[test]
fn an_instruction_waits_until_the_load_before_it_is_complete() {
    said(HELD, None, &[&[1, 3]], &[], expect![""]);
    said(HELD, None, &[&[1, 5]], &[(0, 0)], expect![""]);
    said(
        HELD,
        None,
        &[&[1, 2]],
        &[],
        expect![
            "out of order at cycle 2: instruction 2 of warp 1 starts before instruction 1 is complete at the end of cycle 2"
        ],
    );
    said(
        HELD,
        None,
        &[&[1, 4]],
        &[(0, 0)],
        expect![
            "out of order at cycle 4: instruction 2 of warp 1 starts before instruction 1 is complete at the end of cycle 4"
        ],
    );
}

#[test]
fn nobody_waits_for_a_free_place() {
    said(
        HELD,
        None,
        &[&[1, 4]],
        &[],
        expect!["not work-conserving at cycle 3: C (CUDA core) has a free place and warp 1 is pending on it"],
    );
    said(
        ("L", Mode::Pipelined, Misses::None),
        None,
        &[&[2], &[3]],
        &[],
        expect![
            "not work-conserving at cycle 1: L (load/store) has a free place and warps 1 and 2 are pending on it"
        ],
    );
    said(("2 L", Mode::Pipelined, Misses::None), Some(1), &[&[1], &[2]], &[], expect![""]);
}

#[test]
fn places_are_held_or_not_and_issue_slots_are_taken_once() {
    let (held, pipelined) = (("L", Mode::Held, Misses::None), ("L", Mode::Pipelined, Misses::None));
    said(held, None, &[&[1], &[3]], &[], expect![""]);
    said(pipelined, None, &[&[1], &[2]], &[], expect![""]);
    said(
        held,
        None,
        &[&[1], &[2]],
        &[],
        expect!["over capacity at cycle 2: 2 places of L (load/store) taken, which has 1"],
    );
    said(
        ("2 L", Mode::Held, Misses::None),
        Some(1),
        &[&[1], &[1]],
        &[],
        expect!["over the issue limit at cycle 1: 2 warps issue, the limit is 1"],
    );
}

#[test]
fn what_is_listed_as_missing_is_a_load_listed_once_and_as_many_as_may() {
    said(
        HELD,
        None,
        &[&[1, 3]],
        &[(0, 1)],
        expect!["instruction 2 of warp 1 is listed as missing and is no load, or twice"],
    );
    let all = ("LC", Mode::Held, Misses::All);
    said(
        all,
        None,
        &[&[1, 5]],
        &[(0, 0), (1, 0)],
        expect![[r#"
            instruction 1 of warp 2 is listed as missing and is no load, or twice
            2 loads listed as missing, not all"#]],
    );
    said(
        HELD,
        None,
        &[&[1, 5]],
        &[(0, 0), (0, 0)],
        expect![[r#"
            instruction 1 of warp 1 is listed as missing and is no load, or twice
            2 loads listed as missing, not at most 1"#]],
    );
    said(all, None, &[&[1, 3]], &[], expect!["0 loads listed as missing, not all"]);
    said(all, None, &[&[1, 5], &[5, 9]], &[(0, 0), (1, 0)], expect![""]);
    said(("LCC", Mode::Held, Misses::All), None, &[&[1, 5, 6]], &[(0, 0)], expect![""]);
    said(
        ("LC", Mode::Held, Misses::None),
        None,
        &[&[1, 5]],
        &[(0, 0)],
        expect!["1 load listed as missing, not none"],
    );
}

/// A load that is listed twice does not stand in for another one, however long the list.
#[test]
fn the_last_of_many_is_listed_once_too() {
    let Ok(kernel) = Kernel::parse("1100L") else { unreachable!("it parses") };
    let machine = Machine { capacity: PerUnit([1, 0, 0, 0]), issue: None };
    let memory = Memory { mode: Mode::Held, hit: 1, miss: 2, misses: Misses::All, missing: None };
    let problem = Problem { kernel: &kernel, machine: &machine, memory: &memory, warps: 1 };
    let mut missed: Vec<(u16, u16)> = (0..1_100).map(|load| (0, load)).collect();
    let mut row: Vec<u32> = (0..1_100).map(|load| 1 + 2 * load).collect();
    assert_eq!(check(&problem, &[row.clone()], &missed), []);
    (missed[1_098], row[1_099]) = ((0, 1_097), 2_198);
    let flaws = check(&problem, &[row], &missed);
    assert_eq!(flaws, [Flaw::NoLoad { warp: 1, instruction: 1_098 }]);
}

#[test]
fn a_list_that_is_given_is_kept_to() {
    let Ok(kernel) = Kernel::parse("LL") else { unreachable!("it parses") };
    let machine = Machine { capacity: PerUnit([1, 1, 0, 0]), issue: None };
    let missing = Some(vec![(0, 1)]);
    let memory = Memory { mode: Mode::Held, hit: 1, miss: 3, misses: Misses::AtMost(2), missing };
    let problem = Problem { kernel: &kernel, machine: &machine, memory: &memory, warps: 1 };
    assert_eq!(check(&problem, &[vec![1, 2]], &[(0, 1)]), []);
    let flaws = check(&problem, &[vec![1, 4]], &[(0, 0)]);
    assert_eq!(flaws, [Flaw::Misses { found: 1, allowed: "those that are given".to_owned() }]);
}

/// The first cycle with too many places taken, too many that issue, and somebody who waits in vain: cycle by cycle.
fn firsts(problem: &Problem, rows: &[Vec<u32>], missed: &[(u16, u16)]) -> [Option<u32>; 3] {
    let durations = problem.memory.durations(problem.kernel, problem.warps, missed);
    let mut found = [None; 3];
    for cycle in 1..40 {
        let (mut taken, mut waits, mut issued) = ([0; 4], [false; 4], 0);
        for (warp, row) in rows.iter().enumerate() {
            let mut over = 1;
            for (i, (&start, &unit)) in row.iter().zip(problem.kernel.units()).enumerate() {
                let end = start + u32::from(durations[warp * row.len() + i]);
                let holds = if problem.memory.mode == Mode::Held { end } else { start + 1 };
                taken[unit as usize] += u32::from((start..holds).contains(&cycle));
                waits[unit as usize] |= (over..start).contains(&cycle);
                issued += u32::from(start == cycle);
                over = end;
            }
        }
        let free = Unit::ALL.map(|unit| taken[unit as usize] < problem.machine.capacity[unit]);
        let over = Unit::ALL.iter().any(|&unit| taken[unit as usize] > problem.machine.capacity[unit]);
        let slot = issued < problem.machine.issue_limit();
        let idle = slot && free.iter().zip(waits).any(|(&free, waits)| free && waits);
        let now = [over, issued > problem.machine.issue_limit(), idle];
        for (first, now) in found.iter_mut().zip(now) {
            *first = first.or(now.then_some(cycle));
        }
    }
    found
}

#[test]
fn looking_where_something_changes_is_looking_at_every_cycle() {
    let mut rng = Seeded::new(77, 0);
    let mut seen = [0; 4];
    for round in 0..4_000 {
        let text: String = (0..=rng.below(3)).map(|_| ['L', 'L', 'C'][rng.below(3) as usize]).collect();
        let Ok(kernel) = Kernel::parse(&text) else { unreachable!("{text}") };
        let machine = Machine {
            capacity: PerUnit::from_fn(|_| 1 + rng.below(2)),
            issue: [None, Some(1), Some(2)][rng.below(3) as usize],
        };
        let mode = if round % 2 == 0 { Mode::Held } else { Mode::Pipelined };
        let (warps, hit) = (1 + rng.below(3) as usize, 1 + rng.below(2));
        let memory = Memory { mode, hit, miss: 3, misses: Misses::AtMost(99), missing: None };
        let problem = Problem { kernel: &kernel, machine: &machine, memory: &memory, warps };
        let loads = super::super::misses::loads(&problem);
        let missed: Vec<(u16, u16)> = loads.into_iter().filter(|_| rng.below(3) == 0).collect();
        let durations = memory.durations(&kernel, warps, &missed);
        let row = |warp: usize, rng: &mut Seeded| {
            let mut at = 1;
            let starts = (0..kernel.len()).map(|i| {
                let start = at + [0, 0, 1, 4][rng.below(4) as usize];
                at = start + u32::from(durations[warp * kernel.len() + i]);
                start
            });
            starts.collect::<Vec<u32>>()
        };
        let rows: Vec<Vec<u32>> = (0..warps).map(|warp| row(warp, &mut rng)).collect();
        let mut found = [None; 3];
        for flaw in check(&problem, &rows, &missed) {
            let (kind, at) = match flaw {
                Flaw::Capacity { cycle, .. } => (0, cycle),
                Flaw::Issue { cycle, .. } => (1, cycle),
                Flaw::Idle { cycle, .. } => (2, cycle),
                other => unreachable!("{other} {rows:?}"),
            };
            found[kind] = found[kind].or(Some(at));
            seen[kind] += 1;
        }
        assert_eq!(found, firsts(&problem, &rows, &missed), "{problem:?} {rows:?} {missed:?}");
        seen[3] += usize::from(found == [None; 3]);
    }
    assert!(seen.iter().all(|&n| n > 100), "{seen:?}");
}
