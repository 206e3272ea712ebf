//! Random launches.

use base::Seeded;

use crate::launch::{Instruction, Launch, Set, Wait, Warp};
use crate::machine::{Machine, Scope, Unit};

/// How large launches get.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    pub warps: u32,
    pub partitions: u32,
    pub length: u32,
    pub latency: u32,
    /// The widest range of latencies.
    pub range: u32,
    pub streams: u32,
    /// How many instructions in a hundred set a scoreboard.
    pub sets: u32,
    /// How many in a hundred are barriers, in launches that have any.
    pub barriers: u32,
}

pub fn machine(rng: &mut Seeded, size: Size) -> Machine {
    let unit = |rng: &mut Seeded| Unit {
        name: "u".to_owned(),
        scope: if rng.below(3) == 0 { Scope::Multiprocessor } else { Scope::Partition },
        count: if rng.below(4) == 0 { 2 } else { 1 },
    };
    let units = (0..rng.below(4)).map(|_| unit(rng)).collect();
    Machine { partitions: 1 + rng.below(size.partitions), issue: 1 + u32::from(rng.below(6) == 0), units }
}

pub fn instruction(rng: &mut Seeded, machine: &Machine, size: Size, kinds: u32) -> Instruction {
    let units = machine.units.len() as u32;
    let small = |rng: &mut Seeded| if rng.below(2) == 0 { 1 } else { 1 + rng.below(3) };
    let mut own = Instruction {
        unit: (units > 0 && rng.below(5) > 0).then(|| rng.below(units.max(1)) as u16),
        hold: small(rng),
        stall: 1 + rng.below(4),
        sets: Vec::new(),
        waits: Vec::new(),
        barrier: kinds > 1 && rng.below(100) < size.barriers,
    };
    let share = size.sets;
    let set = |rng: &mut Seeded| {
        let least = 1 + rng.below(size.latency);
        let most = least + rng.below(size.range + 1);
        let hit = (rng.below(3) == 0).then(|| least + rng.below(3));
        Set { board: rng.below(2) as u8, least, most, hit }
    };
    if rng.below(100) < share {
        own.sets.push(set(rng));
        if rng.below(6) == 0 {
            own.sets.push(set(rng));
        }
    }
    if rng.below(3) == 0 {
        let left = if rng.below(4) == 0 { 1 } else { 0 };
        own.waits.push(Wait { board: rng.below(2) as u8, left });
    }
    if own.unit.is_none() {
        own.hold = 1;
    }
    own
}

pub fn launch(rng: &mut Seeded, size: Size) -> Launch {
    let machine = machine(rng, size);
    let kinds = rng.below(3);
    let mut code = Vec::new();
    let mut paths = Vec::new();
    for _ in 0..1 + rng.below(size.streams) {
        let length = 1 + rng.below(size.length);
        let first = code.len() as u32;
        code.extend((0..length).map(|_| instruction(rng, &machine, size, kinds)));
        paths.push((first..first + length).collect());
    }
    let count = 1 + rng.below(size.warps);
    let blocks = 1 + rng.below(2);
    let streams = paths.len() as u32;
    let warps = (0..count).map(|warp| Warp {
        stream: if rng.below(2) == 0 { 0 } else { rng.below(streams) as usize },
        partition: warp % machine.partitions,
        block: if rng.below(3) == 0 { rng.below(blocks) as usize } else { 0 },
    });
    let warps = warps.collect();
    let misses = (rng.below(3) == 0).then(|| rng.below(3));
    match Launch::new(machine, code, paths, warps, misses) {
        Ok(launch) => launch,
        Err(problems) => unreachable!("{problems:?}"),
    }
}

/// Latencies within their ranges, with no more misses than there may be.
pub fn latencies(rng: &mut Seeded, launch: &Launch) -> Vec<u32> {
    let mut left = launch.misses().unwrap_or(u32::MAX);
    let mut draw = |set: Set| {
        let latency = set.least + rng.below(set.most - set.least + 1);
        match set.hit {
            Some(hit) if latency > hit && set.least <= hit => {
                if left == 0 {
                    return hit.min(latency);
                }
                left -= 1;
                latency
            }
            _ => latency,
        }
    };
    launch.sets().map(|(_, _, set)| draw(set)).collect()
}
