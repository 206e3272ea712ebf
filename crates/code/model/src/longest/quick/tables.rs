//! What a quick beam knows of a launch of one partition, and states as rows of numbers.
//!
//! A state is one row: the last cycle in which anything settled is under way; how many have issued in its cycle; for each
//! warp who it is, its place, the cycle from which on it may issue by its stall, and for each scoreboard when it is clear at
//! the earliest and at the latest; then until when places of units are taken. Cycles that are over are 0, and warps alike
//! stand in the order of their numbers, so that states that are the same are the same rows, but for the first number and
//! for the names of warps.

use std::sync::Arc;

use crate::bounds::all_paths;
use crate::bounds::work::SCALE;
use crate::launch::{Launch, MOST_BOARDS};

/// The cycle that never comes, and the place that is not there.
pub const NEVER: u32 = u32::MAX;

/// Where the last cycle, the instructions issued in the present one, and the first warp are in a row.
pub const END: usize = 0;
pub const ISSUED: usize = 1;
const FIRST: usize = 2;
/// Where in a warp's part its name, its place, its stall and its first scoreboard are.
pub const NAME: usize = 0;
pub const PLACE: usize = 1;
pub const FROM: usize = 2;
const BOARDS: usize = 3;

/// What a cycle is in scores.
const FINE: u64 = 1 << 12;

/// How states are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taste {
    /// How many sixteenths of what others' work weighs in a warp's way count.
    pub others: u64,
    /// How many parts in 256 of what is left of all warps count, beside the one that has the most left.
    pub all: u64,
}

/// An instruction of a stream.
#[derive(Debug, Default)]
pub struct Step {
    pub stall: u32,
    pub hold: u32,
    /// Where its unit's places are in a row, and how many there are; none of what takes no place.
    pub pool: usize,
    pub places: usize,
    /// Where in a warp's part the scoreboards are that it waits for.
    pub waits: Vec<usize>,
    /// The same of what it sets, with the range of cycles; 0 where nobody waits for it.
    pub sets: Vec<(usize, u32, u32)>,
    pub barrier: bool,
    /// Barriers before it.
    pub passed: u32,
}

/// What a stream does.
#[derive(Debug)]
struct Way {
    steps: Vec<Step>,
    /// All its barriers.
    passed: u32,
    /// The longest way of its own from each place to the end.
    longest: Vec<u64>,
    /// For each place and scoreboard the first place from there on that waits for it.
    waits: Vec<u32>,
    /// For each stream and place what all from there on weighs for this one.
    others: Vec<Vec<u64>>,
}

/// The tables.
#[derive(Debug)]
pub struct Tables {
    /// The launch.
    pub launch: Arc<Launch>,
    taste: Taste,
    ways: Vec<Way>,
    /// The stream and the block of each warp.
    stream: Vec<usize>,
    block: Vec<usize>,
    /// How long a warp's part is, where units begin, and how long a row is.
    part: usize,
    pools: usize,
    pub row: usize,
}

impl Tables {
    /// Those of a launch of one partition.
    pub fn new(launch: &Arc<Launch>, taste: Taste) -> Self {
        let mut boards: Vec<u8> = (0..MOST_BOARDS).collect();
        let waits = || launch.code().iter().flat_map(|own| &own.waits);
        boards.retain(|&board| waits().any(|wait| wait.board == board));
        let warps = launch.warps();
        let part = BOARDS + 2 * boards.len();
        let pools = FIRST + warps.len() * part;
        let mut row = pools;
        let mut units = Vec::new();
        for unit in &launch.machine().units {
            units.push((row, unit.count as usize));
            row += unit.count as usize;
        }
        let mut tables = Self {
            launch: Arc::clone(launch),
            taste,
            ways: Vec::new(),
            stream: warps.iter().map(|warp| warp.stream).collect(),
            block: warps.iter().map(|warp| warp.block).collect(),
            part,
            pools,
            row,
        };
        tables.ways = (0..launch.streams().len()).map(|stream| tables.way(stream, &boards, &units)).collect();
        tables.weigh();
        tables
    }

    fn way(&self, stream: usize, boards: &[u8], units: &[(usize, usize)]) -> Way {
        let own = &self.launch.streams()[stream];
        let at = |place: usize| &self.launch.code()[own.path[place] as usize];
        let length = own.path.len();
        let found = |board: u8| boards.iter().position(|&one| one == board);
        // Where a number of results may be left under way they take their longest.
        let counts = |board: u8| {
            (0..length).any(|place| at(place).waits.iter().any(|wait| wait.board == board && wait.left > 0))
        };
        let mut waits = vec![NEVER; (length + 1) * boards.len()];
        let mut steps = Vec::with_capacity(length);
        for place in (0..length).rev() {
            let one = at(place);
            let (before, after) = waits.split_at_mut((place + 1) * boards.len());
            let here = &mut before[place * boards.len()..];
            let set = |set: &crate::launch::Set| {
                let board = found(set.board).filter(|&board| after[board] != NEVER);
                let least = if counts(set.board) { set.most } else { set.least };
                (board.map_or(0, |board| BOARDS + 2 * board), least, set.most)
            };
            let (pool, places) = one.unit.map_or((0, 0), |unit| units[usize::from(unit)]);
            let taken: Vec<usize> = one.waits.iter().filter_map(|wait| found(wait.board)).collect();
            steps.push(Step {
                stall: one.stall,
                hold: one.hold,
                pool,
                places,
                waits: taken.iter().map(|board| BOARDS + 2 * board).collect(),
                sets: one.sets.iter().map(set).collect(),
                barrier: one.barrier,
                passed: own.barriers[place],
            });
            here.copy_from_slice(&after[..boards.len()]);
            taken.into_iter().for_each(|board| here[board] = place as u32);
        }
        steps.reverse();
        Way { steps, passed: own.barriers[length], longest: Vec::new(), waits, others: Vec::new() }
    }

    /// How long ways are, and what others weigh in them.
    fn weigh(&mut self) {
        let launch = &*self.launch;
        let slot = SCALE.div_ceil(launch.machine().issue.into());
        for (way, paths) in self.ways.iter_mut().zip(all_paths(launch)) {
            let mut later = 0;
            way.longest = paths.longest.clone();
            for segment in paths.segments.iter().rev() {
                way.longest[segment.from..segment.to].iter_mut().for_each(|one| *one += later);
                later = way.longest[segment.from];
            }
            for other in launch.streams() {
                let mut after = vec![0; other.path.len() + 1];
                for place in (0..other.path.len()).rev() {
                    let done = &launch.code()[other.path[place] as usize];
                    let held = done.unit.map_or(0, |unit| {
                        let one = SCALE.div_ceil(paths.others[usize::from(unit)].into());
                        one.max(slot) - slot + u64::from(done.hold - 1) * one
                    });
                    after[place] = after[place + 1] + (slot + held) * self.taste.others / (SCALE * 16 / FINE);
                }
                way.others.push(after);
            }
        }
    }

    /// The row before the first cycle.
    pub fn start(&self) -> Vec<u32> {
        let mut row = vec![0; self.row];
        let mut order: Vec<usize> = (0..self.stream.len()).collect();
        order.sort_by_key(|&warp| (self.stream[warp], self.block[warp]));
        for (at, warp) in order.into_iter().enumerate() {
            row[FIRST + at * self.part] = warp as u32;
        }
        row
    }

    /// How many warps there are.
    pub fn warps(&self) -> usize {
        self.stream.len()
    }

    /// The part of a row that is about the warp that stands there.
    pub fn of<'a>(&self, row: &'a [u32], at: usize) -> &'a [u32] {
        &row[FIRST + at * self.part..FIRST + (at + 1) * self.part]
    }

    /// The same, to be changed.
    pub fn of_mut<'a>(&self, row: &'a mut [u32], at: usize) -> &'a mut [u32] {
        &mut row[FIRST + at * self.part..FIRST + (at + 1) * self.part]
    }

    /// A warp's next instruction; none after the last.
    pub fn next(&self, own: &[u32]) -> Option<&Step> {
        self.ways[self.stream[own[NAME] as usize]].steps.get(own[PLACE] as usize)
    }

    /// The block of a warp.
    pub fn block(&self, own: &[u32]) -> usize {
        self.block[own[NAME] as usize]
    }

    /// Whether two warps that stand beside each other stand the same.
    pub fn same(&self, row: &[u32], at: usize) -> bool {
        let (one, two) = (self.of(row, at - 1), self.of(row, at));
        self.alike(one, two) && one[PLACE..] == two[PLACE..]
    }

    fn alike(&self, one: &[u32], two: &[u32]) -> bool {
        let (one, two) = (one[NAME] as usize, two[NAME] as usize);
        (self.stream[one], self.block[one]) == (self.stream[two], self.block[two])
    }

    /// From when on a warp may issue but for units and barriers: at the earliest, and at the latest.
    fn there(step: &Step, own: &[u32]) -> (u32, u32) {
        let from = (own[FROM], own[FROM]);
        step.waits.iter().fold(from, |(soon, late), &at| (soon.max(own[at]), late.max(own[at + 1])))
    }

    /// From when on a warp may issue: at the earliest, and at the latest.
    pub fn ready(&self, row: &[u32], at: usize) -> (u32, u32) {
        let own = self.of(row, at);
        let Some(step) = self.next(own) else { return (NEVER, NEVER) };
        let (mut soon, mut late) = Self::there(step, own);
        if step.barrier {
            let all = (0..self.warps()).map(|at| self.of(row, at));
            for other in all.filter(|other| self.block(other) == self.block(own)) {
                let there = match self.next(other) {
                    None if self.ways[self.stream[other[NAME] as usize]].passed > step.passed => continue,
                    None => (other[FROM], other[FROM]),
                    Some(next) if next.passed > step.passed => continue,
                    Some(next) if next.passed == step.passed && next.barrier => Self::there(next, other),
                    Some(_) => return (NEVER, NEVER),
                };
                (soon, late) = (soon.max(there.0), late.max(there.1));
            }
        }
        let free = if step.places > 0 { row[step.pool] } else { 0 };
        (soon.max(free), late.max(free))
    }

    /// Forgets what is over before a cycle.
    pub fn tidy(&self, row: &mut [u32], cycle: u32) {
        let left = |until: &mut u32| *until *= u32::from(*until > cycle);
        for at in 0..self.warps() {
            self.of_mut(row, at)[FROM..].iter_mut().for_each(left);
        }
        row[self.pools..].iter_mut().for_each(left);
    }

    /// Puts warps alike in order.
    pub fn sort(&self, row: &mut [u32]) {
        for mut at in 1..self.warps() {
            while at > 0 {
                let both = &mut row[FIRST + (at - 1) * self.part..FIRST + (at + 1) * self.part];
                let (one, two) = both.split_at_mut(self.part);
                if !self.alike(one, two) || one[PLACE..] <= two[PLACE..] {
                    break;
                }
                one.swap_with_slice(two);
                at -= 1;
            }
        }
    }

    /// What a row promises before a cycle.
    pub fn score(&self, row: &[u32], cycle: u32) -> u64 {
        let (mut best, mut all) = (0, 0);
        let warps = || (0..self.warps()).map(|at| self.of(row, at));
        let boards = (self.part - BOARDS) / 2;
        for (stream, way) in self.ways.iter().enumerate() {
            let weighs = |own: &[u32]| way.others[self.stream[own[NAME] as usize]][own[PLACE] as usize];
            let mut weight = None;
            for own in warps().filter(|own| self.stream[own[NAME] as usize] == stream) {
                let place = own[PLACE] as usize;
                if place == way.steps.len() {
                    continue;
                }
                let mut left = u64::from(own[FROM].saturating_sub(cycle)) + way.longest[place];
                for board in (0..boards).filter(|board| own[BOARDS + 2 * board + 1] > cycle) {
                    if let Some(&longest) = way.longest.get(way.waits[place * boards + board] as usize) {
                        left = left.max(u64::from(own[BOARDS + 2 * board + 1] - cycle) + longest);
                    }
                }
                let everybody = *weight.get_or_insert_with(|| warps().map(weighs).sum::<u64>());
                let left = left * FINE + everybody - weighs(own);
                best = best.max(left);
                all += left;
            }
        }
        best + all * self.taste.all / 256
    }

    /// A number that tells rows from others.
    pub fn hash(&self, row: &[u32]) -> u64 {
        let mut hash = u64::from(row[ISSUED]);
        let mut mix = |&word: &u32| {
            hash = (hash ^ u64::from(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            hash ^= hash >> 29;
        };
        for at in 0..self.warps() {
            self.of(row, at)[PLACE..].iter().for_each(&mut mix);
        }
        row[self.pools..].iter().for_each(&mut mix);
        hash
    }
}
