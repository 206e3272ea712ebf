//! Bounds of blocks that replace each other against drawn schedules of small ones. `WARPSPAN_EFFORT=10` draws ten times as
//! many.

use base::Seeded;

use super::naive::{LEAVE, Leave, Run, TASTES, Taste, Way};
use super::{Replaced, outlasts};
use crate::bounds::{attacks, one_after_the_other};
use crate::tests::random;
use crate::{Instruction, Launch, Machine, Scope, Set, Unit, Wait, Warp};

const SMALL: random::Size = random::Size {
    warps: 3,
    partitions: 3,
    length: 4,
    latency: 5,
    range: 2,
    streams: 2,
    sets: 40,
    barriers: 20,
};

fn way(rng: &mut Seeded) -> Way {
    Way {
        first: TASTES[rng.below(TASTES.len() as u32) as usize],
        leave: LEAVE[rng.below(LEAVE.len() as u32) as usize],
        anywhere: rng.below(2) == 0,
        longest: rng.below(4) > 0,
    }
}

/// The same warps as one block.
fn as_block(launch: &Launch) -> Launch {
    let warps = launch.warps().iter().map(|warp| Warp { block: 0, ..*warp }).collect();
    let paths = launch.streams().iter().map(|stream| stream.path.clone()).collect();
    match Launch::new(launch.machine().clone(), launch.code().to_vec(), paths, warps, None) {
        Ok(launch) => launch,
        Err(problems) => unreachable!("{problems:?}"),
    }
}

/// The longest run of some tries; asserts that none is beyond what is claimed, whatever of it.
fn longest(launch: &Launch, (blocks, room, sms): (usize, usize, usize), tries: u32, rng: &mut Seeded) -> u64 {
    let Some(own) = Replaced::new(launch) else { unreachable!("one block") };
    let (n, places, all) = (blocks as u64, room as u64, one_after_the_other(launch));
    let claimed = match sms {
        1 => own.most(n, places).min(all * n),
        _ => own.full((n - 1) / sms as u64, places) + own.rest(places),
    };
    let mut most = 0;
    for _ in 0..tries {
        let way = way(rng);
        let run = Run::new(launch, (blocks, room, sms), way, rng);
        assert!(run.over() <= claimed, "{} of {claimed}, {blocks} of {room}: {way:?} {launch:?}", run.over());
        for block in &run.blocks {
            let on = run.blocks.iter().filter(|other| other.sm == block.sm).count() as u64;
            let took = block.over - block.start + 1;
            assert!(
                took <= own.one(on, places).min(all * on),
                "{took} of {}, {on}: {way:?} {launch:?}",
                own.one(on, places)
            );
        }
        most = most.max(run.over());
    }
    most
}

/// How many of them are reached, and how many are less than a fifth away.
#[derive(Debug, Default)]
struct Tight {
    tried: u32,
    met: u32,
    near: u32,
}

impl Tight {
    fn note(&mut self, most: u64, claimed: u64) {
        self.tried += 1;
        self.met += u32::from(most == claimed);
        self.near += u32::from(most * 5 > claimed * 4);
    }
}

#[test]
fn no_schedule_with_replacement_is_beyond() {
    let mut rng = Seeded::new(71, 0);
    let mut tight = Tight::default();
    for round in 0..effort(4_000) {
        let launch = match round % 2 {
            0 => as_block(&random::launch(&mut rng, SMALL)),
            _ => as_block(&attacks::drawn(&mut rng, 3, 5)),
        };
        let Some(own) = Replaced::new(&launch) else { continue };
        let room = 1 + rng.below(3) as usize;
        let blocks = room + 1 + rng.below(4) as usize;
        let most = longest(&launch, (blocks, room, 1), 12, &mut rng);
        let all = one_after_the_other(&launch) * blocks as u64;
        tight.note(most, own.most(blocks as u64, room as u64).min(all));
    }
    assert!(tight.tried > 3_500 && tight.met > 250 && tight.near > 600, "{tight:?}");
}

#[test]
fn nor_on_several_multiprocessors() {
    let mut rng = Seeded::new(72, 0);
    let mut tight = Tight::default();
    for round in 0..effort(2_000) {
        let launch = match round % 2 {
            0 => as_block(&random::launch(&mut rng, SMALL)),
            _ => as_block(&attacks::drawn(&mut rng, 3, 5)),
        };
        let Some(own) = Replaced::new(&launch) else { continue };
        let (room, sms) = (1 + rng.below(2) as usize, 2 + rng.below(2) as usize);
        let blocks = room * sms + 1 + rng.below(6) as usize;
        let most = longest(&launch, (blocks, room, sms), 8, &mut rng);
        let claimed = own.full((blocks as u64 - 1) / sms as u64, room as u64) + own.rest(room as u64);
        tight.note(most, claimed);
    }
    assert!(tight.tried > 1_500 && tight.near > 80, "{tight:?}");
}

fn effort(rounds: u32) -> u32 {
    let times = std::env::var("WARPSPAN_EFFORT").ok().and_then(|text| text.parse::<u32>().ok());
    rounds * times.unwrap_or(1)
}

/// Parts of cycles: several issue at once, units have several places, holds outlast blocks, barriers everywhere.
fn parts(rng: &mut Seeded) -> Launch {
    let mut below = |bound: u32| rng.below(bound);
    let scope = |shared: bool| if shared { Scope::Multiprocessor } else { Scope::Partition };
    let unit = |scope, count| Unit { name: "u".to_owned(), scope, count };
    let units = vec![unit(scope(below(2) == 0), 1 + below(3)), unit(scope(below(2) == 0), 2)];
    let machine = Machine { partitions: 1 + below(4) / 3, issue: 1 + below(3), units };
    let (barriers, results) = (1 + below(4), below(3));
    let mut code = Vec::new();
    let mut paths = Vec::new();
    for _ in 0..1 + below(2) {
        let first = code.len() as u32;
        for _ in 0..1 + below(4) {
            let mut own = Instruction::plain(below(2) as u16, 1, 1 + below(4) / 3);
            match below(5) {
                0 | 1 => own.unit = None,
                2 => own.hold = 2 + below(4),
                _ => {}
            }
            own.barrier = below(barriers) == 0;
            if below(4) < results {
                own.sets.push(Set { board: 0, least: 1, most: 1 + below(9), hit: None });
            }
            if below(4) < results {
                own.waits.push(Wait { board: 0, left: 0 });
            }
            code.push(own);
        }
        paths.push((first..code.len() as u32).collect::<Vec<u32>>());
    }
    let streams = paths.len() as u32;
    let warps = (0..1 + below(3)).map(|_| Warp { stream: below(streams) as usize, partition: 0, block: 0 });
    let warps = warps.collect();
    match Launch::new(machine, code, paths, warps, None) {
        Ok(launch) => launch,
        Err(problems) => unreachable!("{problems:?}"),
    }
}

#[test]
fn nor_where_parts_of_cycles_add_up() {
    let mut rng = Seeded::new(73, 0);
    let mut tight = Tight::default();
    for _ in 0..effort(4_000) {
        let launch = parts(&mut rng);
        let Some(own) = Replaced::new(&launch) else { continue };
        let (room, sms) = (1 + rng.below(4) as usize, 1 + rng.below(4) as usize / 3);
        let blocks = room * sms + rng.below(5) as usize + usize::from(sms > 1);
        let most = longest(&launch, (blocks, room, sms), 10, &mut rng);
        let all = one_after_the_other(&launch) * blocks as u64;
        if sms == 1 {
            tight.note(most, own.most(blocks as u64, room as u64).min(all));
        }
    }
    assert!(tight.tried > 2_000 && tight.met > 250 && tight.near > 500, "{tight:?}");
}

fn block(machine: Machine, code: Vec<Instruction>, warps: usize) -> (Launch, Replaced) {
    let Ok(launch) = Launch::uniform(machine, code, warps) else { unreachable!("sound") };
    let Some(own) = Replaced::new(&launch) else { unreachable!("one block") };
    (launch, own)
}

fn plain_unit(count: u32, issue: u32) -> Machine {
    let unit = Unit { name: "u".to_owned(), scope: Scope::Partition, count };
    Machine { partitions: 1, issue, units: vec![unit] }
}

const FAIR: Way = Way { first: Taste::Oldest, leave: Leave::Issued, anywhere: false, longest: true };

/// A load of 20 cycles and what needs it: a block takes 21. Two places, three blocks: the third starts after one of them.
#[test]
fn by_hand() {
    let load = Set { board: 0, least: 20, most: 20, hit: None };
    let code = vec![
        Instruction { sets: vec![load], ..Instruction::plain(0, 1, 1) },
        Instruction { waits: vec![Wait { board: 0, left: 0 }], ..Instruction::plain(0, 1, 1) },
    ];
    let (launch, own) = block(plain_unit(1, 1), code, 1);
    assert_eq!((own.own, own.weighs / super::SCALE, own.holds), (21, 2, 0));
    // Twice 21, and three blocks of two instructions each; one block is kept waiting by the two others.
    assert_eq!((own.most(3, 2), own.most(2, 2), own.one(3, 2)), (42 + 6, 21 + 2, 21 + 4));
    // Five blocks: two before the last on one of two places, and three that need not be looked at throughout, and one that is.
    assert_eq!((own.most(5, 2), own.most(5, 1)), (63 + 2 * 4, 5 * 21));
    assert_eq!((own.full(5, 2), own.rest(2)), (42 + 2 * 4, 21 + 2));
    let takes = |blocks, room| Run::new(&launch, (blocks, room, 1), FAIR, &mut Seeded::new(1, 0)).over();
    assert_eq!((takes(3, 2), takes(5, 2), takes(5, 1)), (43, 65, 105));
}

/// A place that the warp holds itself leaves one for others: one of them is enough to fill the unit.
#[test]
fn own_places_count() {
    let pair = [Instruction::plain(0, 100, 1), Instruction::plain(0, 1, 100)];
    let code = (0..3).flat_map(|_| pair.clone()).collect();
    let (launch, own) = block(plain_unit(2, 2), code, 1);
    let takes = Run::new(&launch, (2, 2, 1), FAIR, &mut Seeded::new(1, 0)).over();
    assert_eq!((takes, own.own, own.most(2, 2)), (501, 302, 302 + 303));
}

/// A hold that is left blocks the next block, and is paid for by the cycles that its own block has left.
#[test]
fn holds_that_are_left_are_paid_for() {
    let code = vec![Instruction::plain(0, 9, 1), Instruction { unit: None, ..Instruction::plain(0, 1, 1) }];
    let (launch, own) = block(plain_unit(1, 1), code, 1);
    let takes = Run::new(&launch, (4, 1, 1), FAIR, &mut Seeded::new(1, 0)).over();
    // The hold lasts to cycle 9, the second instruction is in 2: seven cycles later.
    assert_eq!((takes, own.most(4, 1), outlasts(&launch)), (36, 36, 7));
}

/// More blocks and less room never make a bound less, and together is no more than replaced.
#[test]
fn bounds_grow_with_blocks() {
    let mut rng = Seeded::new(74, 0);
    for _ in 0..500 {
        let launch = as_block(&random::launch(&mut rng, SMALL));
        let Some(own) = Replaced::new(&launch) else { continue };
        for room in 1..5 {
            for blocks in 1..12 {
                assert!(own.most(blocks, room) <= own.most(blocks + 1, room), "{blocks} {room}: {launch:?}");
                assert!(own.full(blocks, room) <= own.full(blocks + 1, room), "{blocks} {room}: {launch:?}");
            }
        }
    }
}

/// Warps with different numbers of barriers have no bound of their own.
#[test]
fn different_barriers_have_none() {
    let plain = Instruction::plain(0, 1, 1);
    let code = vec![plain.clone(), Instruction { barrier: true, ..plain }];
    let warps = [0, 1].map(|stream| Warp { stream, partition: 0, block: 0 }).to_vec();
    let Ok(launch) = Launch::new(plain_unit(1, 1), code, vec![vec![0], vec![0, 1]], warps, None) else {
        unreachable!("sound")
    };
    assert_eq!(Replaced::new(&launch), None);
}
