//! Attacks: short bursts on shared units, fixed stalls, ranges between them, barriers, two to four partitions.

use std::sync::Arc;

use base::{Control, Seeded};

use super::{STRETCHES, Stretches};
use crate::bounds::upper;
use crate::exact::{Goal, Search};
use crate::longest;
use crate::{Instruction, Launch, Machine, Scope, Set, Unit, Wait, Warp};

pub fn drawn(rng: &mut Seeded, partitions: u32, length: u32) -> Launch {
    let mut below = |bound: u32| rng.below(bound);
    let partitions = 2 + below(partitions - 1);
    let shared = 1 + below(2);
    let unit = |unit: u32, several: bool| Unit {
        name: "u".to_owned(),
        scope: if unit < shared { Scope::Multiprocessor } else { Scope::Partition },
        count: if unit < shared || !several { 1 } else { 2 },
    };
    let several = below(4) == 0;
    let units: Vec<Unit> = (0..=shared).map(|number| unit(number, several)).collect();
    let (results, barriers) = (1 + below(6), below(3) == 0);
    let (wide, stalls, boards) = (1 + below(9), 1 + below(6), 1 + below(2));
    let mut code = Vec::new();
    for _ in 0..1 + below(length) {
        let unit = if below(4) > 0 { below(shared) } else { shared };
        let mut own = Instruction::plain(unit as u16, 1 + below(3), 1 + below(stalls));
        if below(5) == 0 {
            (own.unit, own.hold) = (None, 1);
        }
        for _ in 0..1 + below(8) / 7 {
            if below(12) < results {
                let least = 1 + below(8);
                own.sets.push(Set {
                    board: below(boards) as u8,
                    least,
                    most: least + below(wide),
                    hit: None,
                });
            }
        }
        if below(12) < results {
            own.waits.push(Wait { board: below(boards) as u8, left: below(6) / 5 });
        }
        own.barrier = barriers && below(6) == 0;
        code.push(own);
    }
    let mut path: Vec<u32> = (0..code.len() as u32).collect();
    if below(4) == 0 {
        path.extend(0..code.len() as u32);
    }
    let apart = code.iter().all(|own| !own.barrier) && below(2) == 0;
    let warp = |warp: u32| Warp { stream: 0, partition: warp, block: if apart { warp as usize } else { 0 } };
    let machine = Machine { partitions, issue: 1 + below(9) / 8, units };
    match Launch::new(machine, code, vec![path], (0..partitions).map(warp).collect(), None) {
        Ok(launch) => launch,
        Err(problems) => unreachable!("{problems:?}"),
    }
}

/// How many are tried, on how many the bound is the worst case, and on how many it is less than the formula.
fn attacked(seed: u64, times: u32, length: u32) -> [u32; 3] {
    let mut rng = Seeded::new(seed, 0);
    let mut all = [0; 3];
    for _ in 0..times {
        let launch = Arc::new(drawn(&mut rng, 4, length));
        let above = Stretches::of(&launch);
        assert!(above.is_some(), "{launch:?}");
        let Some((above, mut search)) = above.zip(Search::new(&launch, Goal::Longest, 0, 4 << 20)) else {
            continue;
        };
        while search.step(4_000) && search.states() < 8_000 {}
        // Where that was not all, what was found is a schedule all the same.
        let most = search.bracket().0;
        assert!(most <= above, "{most} of {above}: {launch:?}");
        let is = [true, most == above, above < upper(&launch)];
        all.iter_mut().zip(is).for_each(|(all, is)| *all += u32::from(is));
    }
    all
}

#[test]
fn no_schedule_is_beyond() {
    let [tried, met, less] = attacked(71, 1_500, 4);
    assert!(tried == 1_500 && met > 1_000 && less > 200, "{met} {less}");
    let [tried, met, less] = attacked(72, 150, 8);
    assert!(tried == 150 && met > 60 && less > 30, "{met} {less}");
}

#[test]
fn nothing_that_is_found_of_longer_ones_is_beyond() {
    let mut rng = Seeded::new(73, 0);
    let (mut met, mut exact) = (0, 0);
    for seed in 0..150 {
        let launch = Arc::new(drawn(&mut rng, 4, 24));
        let Some(above) = Stretches::of(&launch) else { continue };
        let settings = longest::Settings { tastes: 60, iterations: 200, seed };
        let mut search = longest::Search::new(&launch, settings);
        while search.step(&mut Control::unlimited()) {}
        assert!(u64::from(search.makespan()) <= above, "{} of {above}: {launch:?}", search.makespan());
        assert_eq!(search.upper(), above.min(upper(&launch)), "{launch:?}");
        assert_eq!(search.upper_by() == STRETCHES, above < upper(&launch));
        met += u32::from(u64::from(search.makespan()) == search.upper());
        exact += u32::from(search.upper_by() == STRETCHES && u64::from(search.makespan()) == search.upper());
    }
    assert!(met > 40 && exact > 5, "{met} {exact}");
}

fn shared(partitions: u32) -> Machine {
    let unit = Unit { name: "u".to_owned(), scope: Scope::Multiprocessor, count: 1 };
    Machine { partitions, issue: 1, units: vec![unit] }
}

/// Two loads, and a store that waits for both, by four warps: the first of one waits for both of all others.
#[test]
fn who_is_late_once_is_not_held_up_by_the_same_again() {
    let load = |stall: u32| Instruction {
        sets: vec![Set { board: 0, least: 20, most: 60, hit: None }],
        ..Instruction::plain(0, 2, stall)
    };
    let store = Instruction { waits: vec![Wait { board: 0, left: 0 }], ..Instruction::plain(0, 2, 1) };
    let code = vec![load(6), load(2), store];
    let launch = Launch::uniform(shared(4), code, 4).unwrap_or_else(|problems| unreachable!("{problems:?}"));
    let launch = Arc::new(launch);
    // The others' two loads each, 12 cycles; of the formula's 18 the stores are never in the way of the last one.
    assert_eq!((upper(&launch), Stretches::of(&launch)), (86, Some(80)));
    let settings = longest::Settings { tastes: 200, iterations: 2_000, seed: 1 };
    let mut search = longest::Search::new(&launch, settings);
    while search.step(&mut Control::unlimited()) {}
    assert_eq!((u64::from(search.makespan()), search.upper()), (80, 80));
}

#[test]
fn what_it_is_not_made_for_is_left_alone() {
    let of = |machine: Machine, warps: usize| {
        let launch = Launch::uniform(machine, vec![Instruction::plain(0, 2, 1)], warps);
        launch.ok().and_then(|launch| Stretches::of(&Arc::new(launch)))
    };
    assert_eq!(of(shared(2), 2), Some(4));
    // Two warps in a partition; alone; two places.
    assert_eq!(of(shared(1), 2), None);
    assert_eq!(of(shared(2), 1), None);
    let mut two = shared(2);
    two.units[0].count = 2;
    assert_eq!(of(two, 2), None);
}

#[test]
fn more_arcs_than_can_be_looked_at_are_refused() {
    // Each hold ends after all that follow it, so that none is there for nothing.
    let falling = |length: u32| {
        let unit = Unit { name: "u".to_owned(), scope: Scope::Partition, count: 1 };
        let machine = Machine { partitions: 2, issue: 1, units: vec![unit] };
        let code = (0..length).map(|at| Instruction::plain(0, 99_000 - 2 * at, 1)).collect();
        Launch::uniform(machine, code, 2).map(|launch| Stretches::of(&Arc::new(launch)))
    };
    assert!(falling(300).is_ok_and(|bound| bound.is_some()));
    assert_eq!(falling(3_000).ok(), Some(None));
}
