//! Comparisons: equal schedules, renamed warps, small differences by hand, random ones against a naive count.

use expect_test::{Expect, expect};

use super::*;
use base::Seeded;
use warps::{Start, construct};

const ONE_EACH: Machine = Machine { capacity: PerUnit([1, 1, 0, 0]), issue: None };

fn kernel(text: &str) -> Kernel {
    match Kernel::parse(text) {
        Ok(kernel) => kernel,
        Err(_) => unreachable!("test kernels parse"),
    }
}

fn schedule(rows: &[&[u32]]) -> Schedule {
    let rows: Vec<Vec<u32>> = rows.iter().map(|row| row.to_vec()).collect();
    match Schedule::new(&rows, rows[0].len()) {
        Some(schedule) => schedule,
        None => unreachable!("test schedules are sound"),
    }
}

fn built(kernel: &Kernel, machine: &Machine, start: Start, warps: usize) -> Schedule {
    match construct(kernel, machine, &start.order(kernel, machine, warps), warps) {
        Some(schedule) => schedule,
        None => unreachable!("the machine has every unit"),
    }
}

/// The same schedule with its warps in a random order.
fn shuffled(schedule: &Schedule, seed: u64) -> Schedule {
    let mut warps: Vec<usize> = (0..schedule.warps()).collect();
    Seeded::new(seed, 0).shuffle(&mut warps);
    let rows: Vec<&[u32]> = warps.iter().map(|&warp| schedule.warp(warp)).collect();
    self::schedule(&rows)
}

/// A document with `LCL` on four warps, one L and one C, run.
fn shown(method: &str) -> Shown {
    shown_with("LCL", 4, method)
}

fn shown_with(kernel: &str, count: usize, method: &str) -> Shown {
    let text = format!(
        r#"{{"warpspan": 1, "warps": {{"kernel": "{kernel}", "machine": {{"L": 1, "C": 1}}, "count": {count}, "method": {{"initial": "{method}"}}}}}}"#
    );
    let Ok(scenario) = crate::LINKED.read(&text) else { unreachable!("valid: {text}") };
    match Shown::new(&text, &crate::LINKED.run(&scenario).line()) {
        Some(shown) => shown,
        None => unreachable!("a report fits its scenario"),
    }
}

fn told(comparison: &Comparison, expected: Expect) {
    let mut lines = vec![comparison.told(), comparison.idle_told()];
    lines.extend((0..comparison.cycles.len()).filter_map(|i| comparison.row_told(i)));
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn equal_schedules_do_not_differ() {
    let comparison = Comparison::of(&shown("round-robin"), &shown("round-robin"));
    let Ok(comparison) = comparison else { unreachable!("the same kernel and warps") };
    assert_eq!(comparison.names, [0, 1, 2, 3]);
    assert_eq!((comparison.moved(), comparison.cycles.len(), comparison.nearest(1)), (0, 0, None));
    told(
        &comparison,
        expect![[r#"
        Every instruction runs in the same cycle as in the pinned one.
        Unused over all cycles: L 0 in the pinned one and 0 in this one, C 4 and 4. L, the scarcest unit, has room in 0 cycles of the pinned one and in 0 cycles of this one."#]],
    );
}

#[test]
fn renamed_warps_are_recognised() {
    let kernel = kernel("142(LLCCCLC)");
    let machine = Machine { capacity: PerUnit([1, 4, 0, 0]), issue: None };
    let here = built(&kernel, &machine, Start::Random(3), 64);
    for seed in 0..3 {
        let kept = shuffled(&here, seed);
        let comparison = Comparison::between(&kernel, (&machine, &here), (&machine, &kept));
        assert_eq!(comparison.moved(), 0);
        for (warp, &name) in comparison.names.iter().enumerate() {
            assert_eq!(kept.warp(warp), here.warp(name as usize));
        }
    }
}

#[test]
fn two_warps_changed_places_for_one_instruction() {
    // B, figure 2, with the last instructions of warps 1 and 3 exchanged.
    let here = schedule(&[&[1, 2, 5], &[2, 3, 6], &[3, 4, 7], &[4, 5, 8]]);
    let kept = schedule(&[&[1, 2, 7], &[2, 3, 6], &[3, 4, 5], &[4, 5, 8]]);
    let comparison = Comparison::between(&kernel("LCL"), (&ONE_EACH, &here), (&ONE_EACH, &kept));
    assert_eq!(comparison.names, [0, 1, 2, 3]);
    assert_eq!(comparison.counts(), [(5, 2), (7, 2)]);
    assert_eq!([1, 6, 7, 90].map(|cycle| comparison.nearest(cycle)), [Some(0), Some(0), Some(1), Some(1)]);
    told(
        &comparison,
        expect![[r#"
        2 of 12 instructions run in another cycle, between cycles 5 and 7; both take 8 cycles.
        Unused over all cycles: L 0 in the pinned one and 0 in this one, C 4 and 4. L, the scarcest unit, has room in 0 cycles of the pinned one and in 0 cycles of this one.
        Cycle 5. Only in the pinned one: L of warp 3 (instruction 3). Only in this one: L of warp 1 (instruction 3).
        Cycle 7. Only in the pinned one: L of warp 1 (instruction 3). Only in this one: L of warp 3 (instruction 3)."#]],
    );
}

#[test]
fn another_length_and_other_names() {
    let here = schedule(&[&[1, 2, 5], &[2, 3, 6], &[3, 4, 7], &[4, 5, 8]]);
    let kept = schedule(&[&[4, 5, 9], &[2, 3, 6], &[1, 2, 5], &[3, 4, 7]]);
    let comparison = Comparison::between(&kernel("LCL"), (&ONE_EACH, &here), (&ONE_EACH, &kept));
    assert_eq!(comparison.names, [3, 1, 0, 2]);
    assert_eq!((comparison.kept.idle.0, comparison.here.idle.0), ([1, 5, 0, 0], [0, 4, 0, 0]));
    assert_eq!(comparison.kept.scarce_idle, [8]);
    assert_eq!(comparison.here.scarce_idle, [0; 0]);
    told(
        &comparison,
        expect![[r#"
            1 of 12 instructions runs in another cycle, between cycles 8 and 9; the pinned one takes 9 cycles, this one 8, 1 fewer.
            Unused over all cycles: L 1 in the pinned one and 0 in this one, C 5 and 4. L, the scarcest unit, has room in 1 cycle of the pinned one and in 0 cycles of this one.
            Cycle 8. Only in the pinned one: nothing. Only in this one: L of warp 4 (instruction 3).
            Cycle 9, after the end of this one. Only in the pinned one: L of warp 1 (instruction 3). Only in this one: nothing."#]],
    );
    let lines = crate::export::csv::differences_csv(comparison.kernel(), &comparison.lines());
    expect![[r#"
        cycle,only_in,warp,instruction,unit,own_warp
        8,shown,4,3,L,4
        9,kept,4,3,L,1
    "#]]
    .assert_eq(&lines.replace('\r', ""));
}

#[test]
fn another_machine_is_told() {
    let kernel = kernel("2LC");
    let wide = Machine { capacity: PerUnit([4, 1, 0, 0]), issue: None };
    let [here, kept] = [&ONE_EACH, &wide].map(|machine| built(&kernel, machine, Start::RoundRobin, 4));
    let comparison = Comparison::between(&kernel, (&ONE_EACH, &here), (&wide, &kept));
    expect!["The machines differ. Unused over all cycles: L 16 in the pinned one and 1 in this one, C 2 and 5. C, the scarcest unit of the pinned one, has room in 2 cycles; L, that of this one, in 1 cycle."].assert_eq(&comparison.idle_told());
}

#[test]
fn what_cannot_be_compared_is_told() {
    let here = shown("round-robin");
    let other_kernel = shown_with("LCC", 4, "round-robin");
    let said = Comparison::of(&here, &other_kernel).err().unwrap_or_default();
    expect!["The schedules cannot be compared, their kernels differ: the pinned one L 2C, this one L C L."]
        .assert_eq(&said);
}

#[test]
fn one_may_have_more_warps_than_the_other() {
    let few = schedule(&[&[1, 2, 5], &[2, 3, 6]]);
    let many = schedule(&[&[1, 2, 5], &[3, 4, 7], &[2, 3, 6], &[4, 5, 8]]);
    let kernel = kernel("LCL");
    let of =
        |here: &Schedule, kept: &Schedule| Comparison::between(&kernel, (&ONE_EACH, here), (&ONE_EACH, kept));
    let more = of(&few, &many);
    assert_eq!((more.moved(), &more.alone), (0, &(vec![], vec![1, 3])));
    assert_eq!(more.differing(), (vec![], vec![(1, 0), (1, 1), (1, 2), (3, 0), (3, 1), (3, 2)]));
    told(
        &more,
        expect![[r#"
            0 of 6 instructions run in another cycle, between cycles 3 and 8; the pinned one takes 8 cycles, this one 6, 2 fewer. 2 warps are only in the pinned one.
            Unused over all cycles: L 0 in the pinned one and 2 in this one, C 4 and 4. L, the scarcest unit, has room in 0 cycles of the pinned one and in 2 cycles of this one.
            Cycle 3. Only in the pinned one: L of warp 2 (instruction 1). Only in this one: nothing.
            Cycle 4. Only in the pinned one: C of warp 2 (instruction 2), L of warp 4 (instruction 1). Only in this one: nothing.
            Cycle 5. Only in the pinned one: C of warp 4 (instruction 2). Only in this one: nothing.
            Cycle 7, after the end of this one. Only in the pinned one: L of warp 2 (instruction 3). Only in this one: nothing.
            Cycle 8, after the end of this one. Only in the pinned one: L of warp 4 (instruction 3). Only in this one: nothing."#]],
    );
    let fewer = of(&many, &few);
    assert_eq!((fewer.moved(), &fewer.alone), (0, &(vec![1, 3], vec![])));
    assert_eq!(fewer.differing(), (vec![(1, 0), (1, 1), (1, 2), (3, 0), (3, 1), (3, 2)], vec![]));
    assert!(fewer.told().ends_with(" 2 warps are only in this one."), "{}", fewer.told());
    assert!(
        fewer.names_told().is_some_and(|told| told.contains("for 1 of them")),
        "{:?}",
        fewer.names_told()
    );
}

#[test]
fn the_scarcest_unit_is_the_one_that_is_busy_longest() {
    let kernel = kernel("2L9C3S");
    let scarce = |capacity, issue| {
        let machine = Machine { capacity: PerUnit(capacity), issue };
        let schedule = built(&kernel, &machine, Start::RoundRobin, 3);
        Side::new(&kernel, (&machine, &schedule), Vec::new()).scarce
    };
    assert_eq!(scarce([1, 1, 1, 0], None), Unit::Core);
    assert_eq!(scarce([1, 9, 2, 0], None), Unit::LoadStore);
    assert_eq!(scarce([1, 9, 1, 0], None), Unit::Special);
    assert_eq!(scarce([1, 9, 1, 0], Some(2)), Unit::Core); // 9 in twos take longer than 3
}

/// Random orders: what each cycle holds only here and only there, counted from the cycles' contents.
#[test]
fn random_orders_against_a_naive_count() {
    let kernel = kernel("2L3CL2C");
    for seed in 0..60 {
        let machine = Machine { capacity: PerUnit([1, 2, 0, 0]), issue: (seed % 3 == 0).then_some(2) };
        let warps = seed as usize % 5 + 1;
        let [here, kept] =
            [seed, seed + 1_000].map(|seed| built(&kernel, &machine, Start::Random(seed), warps));
        let comparison = Comparison::between(&kernel, (&machine, &here), (&machine, &kept));
        let mut naive = 0;
        for cycle in 1..=here.makespan().max(kept.makespan()) {
            let content = |schedule: &Schedule, name: &dyn Fn(usize) -> u32| -> Vec<Selected> {
                let by_cycle = schedule.by_cycle();
                let content = by_cycle.get(cycle as usize - 1).into_iter().flatten();
                let mut content: Vec<_> = content.map(|&(warp, i)| (name(warp), i as u32)).collect();
                content.sort_unstable();
                content
            };
            let a = content(&here, &|warp| warp as u32);
            let b = content(&kept, &|warp| comparison.names[warp]);
            let without = |a: &[Selected], b: &[Selected]| -> Vec<Selected> {
                a.iter().filter(|one| !b.contains(one)).copied().collect()
            };
            let only = |side: &Side| side.only_in(cycle).iter().map(|placed| placed.1).collect::<Vec<_>>();
            assert_eq!(only(&comparison.here), without(&a, &b), "cycle {cycle}");
            assert_eq!(only(&comparison.kept), without(&b, &a), "cycle {cycle}");
            naive += without(&a, &b).len();
        }
        assert_eq!(comparison.moved(), naive);
        assert_eq!(comparison.counts().iter().map(|count| count.1).sum::<usize>(), 2 * naive);
        assert_eq!(comparison.lines().len(), 2 * naive);
    }
}
