//! What is said of cells, and that every cell of every picture has something said of it.

use super::*;
use crate::timeline::{Pictured, Rows};
use expect_test::{Expect, expect};

fn shown(more: &str) -> Shown {
    let text = format!(r#"{{"warpspan": 1, "warps": {{{more}}}}}"#);
    let Ok(scenario) = crate::LINKED.read(&text) else { unreachable!("valid: {more}") };
    let line = crate::LINKED.run(&scenario).line();
    let Some(shown) = Shown::new(&text, &line) else { unreachable!("it fits: {line}") };
    shown
}

/// Lines of what there is to say of some cells of a picture of warps and units.
fn said(shown: &Shown, steps: usize, cells: &[(usize, u32)], expected: Expect) {
    let (picture, _) = shown.picture(steps, Rows::Warps.with_lanes(1.0));
    let line = |&(row, cycle): &(usize, u32)| {
        let target = Target::at(&picture, row, f64::from(cycle) - 0.5)?;
        shown.hovered(&picture, steps, target)
    };
    let lines: Vec<String> = cells.iter().map(|cell| line(cell).unwrap_or_default()).collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn a_warp_says_what_it_waits_for_and_who_has_it() {
    let shown = shown(
        r#""kernel": "LCCL", "count": 3, "machine": {"L": 1, "C": 1}, "method": {"initial": "fixed-priority"}"#,
    );
    said(
        &shown,
        shown.steps(),
        &[(2, 1), (2, 5), (0, 5), (0, 1), (3, 5), (4, 8)],
        expect![[r#"
            Cycle 1: warp 3 is idle. Its next instruction 3:1 (L) could run, but the only load/store unit executes 1:1.
            Cycle 5: warp 3 is idle. Its next instruction 3:2 (C) could run since cycle 4, but the only CUDA core executes 2:3.
            Cycle 5: warp 1 has nothing left since cycle 5.
            Cycle 1: warp 1 executes 1:1 (L, load/store).
            Cycle 5: the load/store unit idles: 1 warp waits for the CUDA core, 1 executes on the CUDA core, 1 has nothing left.
            Cycle 8: the CUDA core idles: 1 warp executes on the load/store unit, 2 have nothing left."#]],
    );
    assert_eq!(shown.why_idle(2, 5), {
        let picture = shown.whole_picture(Rows::Warps);
        shown.hovered(&picture, shown.steps(), Target::Idle { row: 2, cycle: 5 }).unwrap_or_default()
    });
    // After some steps the rest is not placed.
    said(
        &shown,
        4,
        &[(0, 1), (0, 5), (1, 1), (2, 8), (3, 2)],
        expect![[r#"
            Cycle 1: warp 1 executes 1:1 (L, load/store).
            Cycle 5: warp 1 has nothing left since cycle 5.
            Cycle 1: warp 2 is idle. Its next instruction 2:1 (L) is not placed yet.
            Cycle 8: warp 3 is idle. Its next instruction 3:1 (L) is not placed yet.
            Cycle 2: the load/store unit idles: 2 warps are not placed yet, 1 executes on the CUDA core."#]],
    );
}

#[test]
fn loads_under_way_and_held_units_are_named() {
    let memory = |mode: &str| {
        shown(&format!(
            r#""kernel": "LCL", "count": 3, "machine": {{"L": 2, "C": 1}},
               "memory": {{"mode": "{mode}", "miss": 4}}, "method": {{"initial": "fixed-priority"}}"#
        ))
    };
    said(
        &memory("pipelined"),
        9,
        &[(0, 1), (0, 2), (2, 1), (0, 9), (2, 10), (3, 3), (5, 1)],
        expect![[r#"
            Cycle 1: warp 1 executes 1:1 (L, load/store); its data is there after cycle 4.
            Cycle 2: warp 1 is idle. It waits until cycle 4 for the data of its load 1:1.
            Cycle 1: warp 3 is idle. Its next instruction 3:1 (L) could run, but both load/store units execute 1:1 and 2:1.
            Cycle 9: warp 1 is idle. It waits until cycle 9 for the data of its load 1:3. The cycle has no eligible warp.
            Cycle 10: warp 3 is idle. It waits until cycle 11 for the data of its load 3:3. The cycle has no eligible warp.
            Cycle 3: both load/store units idle, no eligible warp: 3 warps wait for data.
            Cycle 1: the CUDA core idles: 1 warp waits for a load/store unit, 2 execute on a load/store unit."#]],
    );
    said(
        &memory("held"),
        9,
        &[(0, 1), (0, 3), (2, 3), (5, 1), (3, 12)],
        expect![[r#"
            Cycles 1 to 4: warp 1 executes 1:1 (L, load/store).
            Cycles 1 to 4: warp 1 executes 1:1 (L, load/store).
            Cycle 3: warp 3 is idle. Its next instruction 3:1 (L) could run since cycle 1, but both load/store units execute 1:1 (until cycle 4) and 2:1 (until cycle 4).
            Cycle 1: the CUDA core idles: 1 warp waits for a load/store unit, 2 execute on a load/store unit.
            Cycles 9 to 12: warp 2 executes 2:3 (L, load/store)."#]],
    );
}

#[test]
fn issue_slots_and_fair_sub_blocks_are_named() {
    let slots = |issue: u32| {
        shown(&format!(
            r#""kernel": "CL", "count": 9, "machine": {{"C": 8, "L": 1, "issue": {issue}}},
               "method": {{"initial": "fixed-priority"}}"#
        ))
    };
    said(
        &slots(1),
        18,
        &[(2, 1), (2, 2)],
        expect![[r#"
        Cycle 1: warp 3 is idle. Its next instruction 3:1 (C) could run and a CUDA core has room, but the only issue slot is taken by 1:1.
        Cycle 2: warp 3 is idle. Its next instruction 3:1 (C) could run since cycle 1 and a CUDA core has room, but the only issue slot is taken by 1:2."#]],
    );
    said(
        &slots(7),
        18,
        &[(8, 1), (1, 2)],
        expect![[r#"
        Cycle 1: warp 9 is idle. Its next instruction 9:1 (C) could run and a CUDA core has room, but all 7 issue slots are taken by 1:1, 2:1, 3:1, 4:1, 5:1, 6:1 and 1 more.
        Cycle 2: warp 2 is idle. Its next instruction 2:2 (L) could run, but the only load/store unit executes 1:2."#]],
    );
    let fair = shown(
        r#""kernel": "LL", "count": 3, "machine": {"L": 1}, "fairness": "sub-block", "sub_blocks": [1],
           "method": {"initial": "fixed-priority"}"#,
    );
    said(
        &fair,
        6,
        &[(0, 2), (2, 1), (0, 3), (1, 4)],
        expect![[r#"
        Cycle 2: warp 1 is idle. Its next instruction 1:2 (L) could run, but the only load/store unit executes 2:1. Earlier sub-blocks go first.
        Cycle 1: warp 3 is idle. Its next instruction 3:1 (L) could run, but the only load/store unit executes 1:1.
        Cycle 3: warp 1 is idle. Its next instruction 1:2 (L) could run since cycle 2, but the only load/store unit executes 3:1. Earlier sub-blocks go first.
        Cycle 4: warp 2 is idle. Its next instruction 2:2 (L) could run since cycle 3, but the only load/store unit executes 1:2."#]],
    );
}

#[test]
fn a_schedule_that_lets_a_warp_wait_for_nothing_says_so() {
    let mut shown = shown(r#""kernel": "LC", "count": 2, "machine": {"L": 1, "C": 1}"#);
    let Some(schedule) = warps::Schedule::new(&[vec![1, 4], vec![2, 3]], 2) else {
        unreachable!("it ascends")
    };
    shown.schedule = schedule;
    expect!["Cycle 2: warp 1 is idle. Its next instruction 1:2 (C) could run: the CUDA core has room and so has the issue. The schedule lets it wait all the same."].assert_eq(&shown.why_idle(0, 2));
}

#[test]
fn details_of_what_is_selected() {
    let shown = shown(r#""kernel": "LC", "count": 2, "machine": {"L": 1, "C": 1}"#);
    let picture = shown.whole_picture(Rows::Warps);
    let details = |target| shown.details_of(&picture, shown.steps(), target);
    let selected = Target::Span { row: 1, id: (1, 0) };
    assert_eq!(details(selected), Some(shown.details((1, 0))));
    assert_eq!(details(Target::Idle { row: 1, cycle: 1 }), Some(shown.why_idle(1, 1)));
    assert_eq!(details(Target::Idle { row: 2, cycle: 1 }), None);
    assert_eq!(details(Target::Idle { row: 1, cycle: 9 }), None);
    assert_eq!(details(Target::Idle { row: 1, cycle: 0 }), None);
    assert_eq!(details(Target::Span { row: 1, id: (9, 0) }), None);
}

#[test]
fn every_cell_of_every_picture_answers() {
    for memory in
        ["", r#", "memory": {"mode": "held", "miss": 4}"#, r#", "memory": {"mode": "pipelined", "miss": 3}"#]
    {
        let shown = shown(&format!(
            r#""kernel": "LCSCL", "count": 5, "machine": {{"L": 2, "C": 2, "S": 1, "issue": 3}},
               "method": {{"initial": "most-pending"}}{memory}"#
        ));
        let pictures: [Pictured; 3] = [Rows::Warps.into(), Rows::Units.into(), Rows::Warps.with_lanes(0.5)];
        for what in pictures {
            for steps in 0..=shown.steps() {
                let (picture, _) = shown.picture(steps, what);
                for row in 0..picture.tracks.len() {
                    for cycle in 1..=shown.schedule.makespan() {
                        let target = Target::at(&picture, row, f64::from(cycle) - 0.5);
                        let said = target.and_then(|target| shown.hovered(&picture, steps, target));
                        assert!(
                            said.is_some_and(|said| said.ends_with('.')),
                            "{what:?} {steps} {row} {cycle}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_cycle_says_what_all_warps_do() {
    let memory = r#""kernel": "LCL", "count": 3, "machine": {"L": 1, "C": 1, "issue": 1},
        "memory": {"mode": "pipelined", "miss": 4}, "method": {"initial": "fixed-priority"}"#;
    let shown = shown(memory);
    let all = shown.steps();
    let said: Vec<String> = (0..=12).filter_map(|cycle| shown.moment(all, cycle)).collect();
    expect![[r#"
        Cycle 1: executing 1:1 on L; 2 warps wait for the load/store unit.
        Cycle 2: executing 2:1 on L; 1 warp waits for data, 1 waits for the load/store unit.
        Cycle 3: executing 3:1 on L; 2 warps wait for data.
        Cycle 4: nothing executes, no eligible warp; 3 warps wait for data.
        Cycle 5: executing 1:2 on C; 2 warps wait for data.
        Cycle 6: executing 1:3 on L; 1 warp waits for data, 1 waits for an issue slot.
        Cycle 7: executing 2:2 on C; 1 warp waits for data, 1 waits for the CUDA core.
        Cycle 8: executing 2:3 on L; 1 warp waits for data, 1 waits for an issue slot.
        Cycle 9: executing 3:2 on C; 2 warps wait for data.
        Cycle 10: executing 3:3 on L; 1 warp waits for data, 1 has nothing left.
        Cycle 11: nothing executes, no eligible warp; 2 warps wait for data, 1 has nothing left.
        Cycle 12: nothing executes, no eligible warp; 1 warp waits for data, 2 have nothing left."#]]
    .assert_eq(&said.join("\n"));
    assert_eq!([1, 5, 6].map(|cycle| shown.running(all, cycle)), [vec![0], vec![1], vec![2]]);
    // What is not placed yet does not execute.
    expect!["Cycle 2: nothing executes; 1 warp waits for data, 2 are not placed yet."]
        .assert_eq(&shown.moment(1, 2).unwrap_or_default());
    assert_eq!((shown.running(1, 1), shown.running(1, 2)), (vec![0], vec![]));
    // As in the tips of units that idle; and each instruction once, whoever executes it.
    let shown = self::shown(r#""kernel": "C", "count": 9, "machine": {"C": 8}"#);
    expect!["Cycle 1: executing 1:1, 2:1, 3:1, 4:1, 5:1, 6:1 and 2 more on C; 1 warp waits for a CUDA core."]
        .assert_eq(&shown.moment(9, 1).unwrap_or_default());
    assert_eq!((shown.running(9, 1), shown.running(9, 3)), (vec![0], vec![]));
}
