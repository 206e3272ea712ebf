//! Blocks that replace each other, cycle by cycle, from the rules as they are written.

use std::collections::BTreeMap;

use base::Seeded;

use crate::launch::{Instruction, Launch};

/// Who goes first, when blocks leave, and what they find.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    /// Who goes first.
    pub first: Taste,
    /// When blocks leave: with their last issue, when all of them is over, or at any time between.
    pub leave: Leave,
    /// Whether a block's first warp goes to any partition; else to the one that its place has.
    pub anywhere: bool,
    /// Whether all latencies are at their longest.
    pub longest: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taste {
    /// Anyone in every cycle.
    Any,
    /// The blocks with the least keys, which are drawn.
    Drawn,
    /// Who came first, or last.
    Oldest,
    Newest,
    /// All but those on the first place.
    PlaceLast,
    /// All but the block that has waited longest.
    OldestLast,
    /// All but one warp of each block.
    OneLast,
}

pub const TASTES: [Taste; 7] = [
    Taste::Any,
    Taste::Drawn,
    Taste::Oldest,
    Taste::Newest,
    Taste::PlaceLast,
    Taste::OldestLast,
    Taste::OneLast,
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leave {
    Issued,
    Over,
    Between,
}

pub const LEAVE: [Leave; 3] = [Leave::Issued, Leave::Over, Leave::Between];

/// A block that has started.
#[derive(Debug, Clone)]
pub struct Block {
    /// Its multiprocessor, and its place there.
    pub sm: usize,
    place: usize,
    pub start: u64,
    /// The partition of its first warp.
    offset: u32,
    /// Of each warp when its instructions issued, and the latencies of what they set.
    issued: Vec<Vec<(u64, Vec<u32>)>>,
    /// The last cycle in which it is there, once that is known.
    leaves: Option<u64>,
    /// The last cycle in which anything of it is under way, so far.
    pub over: u64,
    key: u32,
}

/// A grid, on so many multiprocessors of so many places.
pub struct Run<'a> {
    launch: &'a Launch,
    pub blocks: Vec<Block>,
}

impl Block {
    fn place(&self, warp: usize) -> usize {
        self.issued[warp].len()
    }

    fn done(&self, launch: &Launch) -> bool {
        (0..self.issued.len()).all(|warp| self.place(warp) == launch.length(warp))
    }

    fn partition(&self, launch: &Launch, warp: usize) -> u32 {
        (self.offset + warp as u32) % launch.machine().partitions
    }

    /// Whether a warp's next instruction may issue, but for its unit, its slot and the other warps.
    fn may_alone(&self, launch: &Launch, warp: usize, cycle: u64) -> bool {
        let place = self.place(warp);
        if place == launch.length(warp) {
            return false;
        }
        if place > 0 && cycle < self.issued[warp][place - 1].0 + u64::from(launch.at(warp, place - 1).stall) {
            return false;
        }
        launch.at(warp, place).waits.iter().all(|wait| {
            let mut under_way = 0;
            for (earlier, (issued, latencies)) in self.issued[warp].iter().enumerate() {
                for (set, latency) in launch.at(warp, earlier).sets.iter().zip(latencies) {
                    under_way += u32::from(set.board == wait.board && issued + u64::from(*latency) > cycle);
                }
            }
            under_way <= wait.left
        })
    }

    fn may(&self, launch: &Launch, warp: usize, cycle: u64) -> bool {
        if !self.may_alone(launch, warp, cycle) {
            return false;
        }
        let barriers =
            |warp: usize| (0..self.place(warp)).filter(|&place| launch.at(warp, place).barrier).count();
        !launch.at(warp, self.place(warp)).barrier
            || (0..self.issued.len()).all(|other| {
                let place = self.place(other);
                place == launch.length(other)
                    || barriers(other) > barriers(warp)
                    || barriers(other) == barriers(warp)
                        && launch.at(other, place).barrier
                        && self.may_alone(launch, other, cycle)
            })
    }
}

impl<'a> Run<'a> {
    /// Runs blocks in some way.
    pub fn new(
        launch: &'a Launch,
        (blocks, room, sms): (usize, usize, usize),
        way: Way,
        rng: &mut Seeded,
    ) -> Self {
        let mut run = Self { launch, blocks: Vec::new() };
        let mut here: Vec<Vec<Option<usize>>> = vec![vec![None; room]; sms];
        let machine = launch.machine();
        let mut cycle = 0;
        loop {
            cycle += 1;
            for place in here.iter_mut().flatten() {
                let left = |block: usize| run.blocks[block].leaves.is_some_and(|last| last < cycle);
                *place = place.filter(|&block| !left(block));
            }
            let mut free: Vec<(usize, usize)> = (0..sms)
                .flat_map(|sm| (0..room).map(move |place| (sm, place)))
                .filter(|&(sm, place)| here[sm][place].is_none())
                .collect();
            rng.shuffle(&mut free);
            for (sm, place) in free {
                if run.blocks.len() == blocks {
                    break;
                }
                here[sm][place] = Some(run.blocks.len());
                let fixed = place * launch.warps().len();
                run.blocks.push(Block {
                    sm,
                    place,
                    start: cycle,
                    offset: if way.anywhere { rng.below(machine.partitions) } else { fixed as u32 },
                    issued: vec![Vec::new(); launch.warps().len()],
                    leaves: None,
                    over: cycle,
                    key: rng.below(8),
                });
            }
            if here.iter().flatten().all(Option::is_none) {
                return run;
            }
            for sm in &here {
                run.cycle(sm, cycle, way, rng);
            }
            assert!(cycle < 200_000, "it comes to an end");
        }
    }

    /// One cycle of a multiprocessor.
    fn cycle(&mut self, here: &[Option<usize>], cycle: u64, way: Way, rng: &mut Seeded) {
        let launch = self.launch;
        let blocks: Vec<usize> = here.iter().flatten().copied().collect();
        let Some(&first) = blocks.first() else { return };
        let sm = self.blocks[first].sm;
        let mut may: Vec<(usize, usize)> = blocks
            .iter()
            .flat_map(|&block| (0..launch.warps().len()).map(move |warp| (block, warp)))
            .filter(|&(block, warp)| self.blocks[block].may(launch, warp, cycle))
            .collect();
        rng.shuffle(&mut may);
        let oldest = blocks.iter().copied().min_by_key(|&block| (self.blocks[block].start, block));
        may.sort_by_key(|&(block, warp)| {
            let of = &self.blocks[block];
            match way.first {
                Taste::Any => 0,
                Taste::Drawn => of.key.into(),
                Taste::Oldest => of.start,
                Taste::Newest => u64::MAX - of.start,
                Taste::PlaceLast => u64::from(of.place == 0),
                Taste::OldestLast => u64::from(Some(block) == oldest),
                Taste::OneLast => u64::from(warp as u32 == of.key % launch.warps().len() as u32),
            }
        });
        let mut slots = BTreeMap::<u32, u32>::new();
        for (block, warp) in may {
            let partition = self.blocks[block].partition(launch, warp);
            let own = launch.at(warp, self.blocks[block].place(warp)).clone();
            let slot = slots.entry(partition).or_default();
            let full = own.unit.is_some_and(|unit| {
                let pool = launch.machine().pool(unit, partition);
                self.taken(sm, pool, cycle) >= launch.machine().units[usize::from(unit)].count
            });
            if *slot < launch.machine().issue && !full {
                *slot += 1;
                self.issue((block, warp), &own, cycle, way, rng);
            }
        }
    }

    fn issue(
        &mut self,
        (block, warp): (usize, usize),
        own: &Instruction,
        cycle: u64,
        way: Way,
        rng: &mut Seeded,
    ) {
        let drawn = |set: &crate::Set| match way.longest {
            true => set.most,
            false => set.least + rng.below(set.most - set.least + 1),
        };
        let latencies: Vec<u32> = own.sets.iter().map(drawn).collect();
        let lasts = latencies.iter().copied().max().unwrap_or(0).max(own.hold);
        let of = &mut self.blocks[block];
        of.over = of.over.max(cycle + u64::from(lasts) - 1);
        of.issued[warp].push((cycle, latencies));
        if of.done(self.launch) {
            of.leaves = Some(match way.leave {
                Leave::Issued => cycle,
                Leave::Over => of.over,
                Leave::Between => cycle + u64::from(rng.below((of.over - cycle) as u32 + 1)),
            });
        }
    }

    /// How many places of a pool are taken, by whoever is or was there.
    fn taken(&self, sm: usize, pool: usize, cycle: u64) -> u32 {
        let mut taken = 0;
        for block in self.blocks.iter().filter(|block| block.sm == sm && block.over >= cycle) {
            for (warp, row) in block.issued.iter().enumerate() {
                let partition = block.partition(self.launch, warp);
                for (place, (issued, _)) in row.iter().enumerate() {
                    let own = self.launch.at(warp, place);
                    let of = own.unit.map(|unit| self.launch.machine().pool(unit, partition));
                    taken += u32::from(of == Some(pool) && cycle < issued + u64::from(own.hold));
                }
            }
        }
        taken
    }

    /// The last cycle in which anything is under way.
    pub fn over(&self) -> u64 {
        self.blocks.iter().map(|block| block.over).max().unwrap_or(0)
    }
}
