//! Attacks on what the bound leaves out: units that are held for some cycles one after the other, short stalls, barriers,
//! shared units, other blocks.

use std::sync::Arc;

use base::{Control, Seeded};

use super::{all_paths, overlap, upper};
use crate::engine::{Chooser, Engine};
use crate::longest::{Search, Settings};
use crate::tests::{oracle, random};
use crate::{Instruction, Launch, Machine, Scope, Set, Unit, Wait, Warp};

/// Few results, many holds of two cycles and more.
pub fn drawn(rng: &mut Seeded, warps: u32, length: u32) -> Launch {
    let mut below = |bound: u32| rng.below(bound);
    let partitions = 1 + below(5) / 3;
    let scope = |shared: bool| if shared { Scope::Multiprocessor } else { Scope::Partition };
    let units: Vec<Unit> = (0..2 + below(2))
        .map(|_| Unit { name: "u".to_owned(), scope: scope(below(4) == 0), count: 1 + below(20) / 19 })
        .collect();
    let (results, barriers) = (below(4), below(4) == 0);
    let long = below(2) == 0;
    let streams = 1 + below(4) / 3;
    let mut code = Vec::new();
    let mut paths = Vec::new();
    for _ in 0..streams {
        let first = code.len() as u32;
        for _ in 0..2 + below(length - 1) {
            let mut own = Instruction::plain(below(units.len() as u32) as u16, 2, 1 + below(5) / 2);
            match below(8) {
                0 => own.hold = 1,
                1 => own.hold = 3 + below(3),
                2 if below(3) == 0 => (own.unit, own.hold) = (None, 1),
                3 => own.stall += below(4),
                4 if long => (own.hold, own.stall) = (3 + below(5), 1 + below(2)),
                _ => {}
            }
            if below(12) < results {
                let least = 1 + below(3);
                own.sets.push(Set { board: 0, least, most: least + below(4), hit: None });
            }
            if below(12) < results {
                own.waits.push(Wait { board: 0, left: 0 });
            }
            own.barrier = barriers && below(6) == 0;
            code.push(own);
        }
        paths.push((first..code.len() as u32).collect::<Vec<u32>>());
    }
    let blocks = 1 + below(6) / 5;
    let count = 2 + below(warps - 1);
    let warp = |warp: u32| Warp {
        stream: below(streams) as usize,
        partition: warp % partitions,
        block: below(blocks) as usize,
    };
    let warps = (0..count).map(warp).collect();
    let machine = Machine { partitions, issue: 1 + below(30) / 29, units };
    match Launch::new(machine, code, paths, warps, None) {
        Ok(launch) => launch,
        Err(problems) => unreachable!("{problems:?}"),
    }
}

/// Whether something is left out for some warp in its first segment.
fn leaves_out(launch: &Launch) -> bool {
    let paths = all_paths(launch);
    let whole = paths.iter().all(|own| own.segments.len() == 1);
    (0..launch.warps().len()).any(|warp| overlap::saved(launch, &paths, (warp, 0), 0, whole) > 0)
}

#[test]
fn no_schedule_of_a_small_launch_is_beyond() {
    let mut rng = Seeded::new(61, 0);
    let (mut tried, mut met) = (0, 0);
    for _ in 0..4_000 {
        let launch = drawn(&mut rng, 4, 5);
        if !leaves_out(&launch) {
            continue;
        }
        let Some((_, most)) = oracle::extremes(&launch, 20_000) else { continue };
        let above = upper(&launch);
        assert!(u64::from(most) <= above, "{most} of {above}: {launch:?}");
        tried += 1;
        met += u32::from(u64::from(most) == above);
    }
    assert!(tried > 600 && met > 60, "{tried} {met}");
}

struct Random(Seeded);

impl Chooser for Random {
    fn key(&mut self, _: u32, warp: usize, _: usize, _: u32) -> u64 {
        u64::from(warp == 0) << 40 | u64::from(self.0.below(1_000))
    }
}

#[test]
fn nothing_that_is_found_of_larger_ones_is_beyond() {
    let mut rng = Seeded::new(62, 0);
    let mut tried = 0;
    for round in 0..150 {
        let launch = drawn(&mut rng, 9, 40);
        let above = upper(&launch);
        tried += u32::from(leaves_out(&launch));
        let settings = Settings { tastes: 80, iterations: 200, seed: round };
        let mut search = Search::new(&Arc::new(launch.clone()), settings);
        while search.step(&mut Control::unlimited()) {}
        assert!(u64::from(search.makespan()) <= above, "{} of {above}: {launch:?}", search.makespan());
        for stream in 0..10 {
            let latencies = random::latencies(&mut rng, &launch);
            let keys = &mut Random(Seeded::new(round, stream));
            let makespan = Engine::new(&launch).play(&launch, &latencies, keys);
            assert!(u64::from(makespan) <= above, "{makespan} of {above}: {launch:?}");
        }
    }
    assert!(tried > 50, "{tried}");
}
