//! What is asked about: instructions, who executes which of them, and on what machine.

use super::machine::{Machine, Scope};
use base::Problem;

/// The most warps: what one multiprocessor keeps resident at the most.
pub const MOST_WARPS: usize = 64;
/// The most partitions, and the most instructions that one of them issues in a cycle.
pub const MOST_PARTITIONS: u32 = 8;
/// The most instructions that a partition issues in a cycle: there are no more warps.
pub const MOST_ISSUED: u32 = MOST_WARPS as u32;
/// The most kinds of units, and the most places of each.
pub const MOST_UNITS: u32 = 64;
/// The most scoreboards of a warp.
pub const MOST_BOARDS: u8 = 16;
/// The most cycles that an instruction stalls, holds its unit, or takes until its result is there.
pub const SLOWEST: u32 = 100_000;
/// The most instructions that one warp executes.
pub const MOST_EXECUTED: usize = 100_000;
/// The most cycles all instructions may take one after the other: no schedule is longer.
pub const MOST_CYCLES: u64 = 1 << 31;

/// A scoreboard that an instruction sets when it issues, and that clears once its latency is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Set {
    /// The scoreboard.
    pub board: u8,
    /// The shortest latency: whoever waits may issue that many cycles later.
    pub least: u32,
    /// The longest.
    pub most: u32,
    /// Latencies above this count as misses; none where there is nothing to miss.
    pub hit: Option<u32>,
}

/// A scoreboard that an instruction waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Wait {
    /// The scoreboard.
    pub board: u8,
    /// How many of those who set it may still be under way.
    pub left: u32,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// The unit of which it takes a place; none needs an issue slot only.
    pub unit: Option<u16>,
    /// For how many cycles, at least one.
    pub hold: u32,
    /// The warp's next instruction issues so many cycles later at the earliest, at least one.
    pub stall: u32,
    /// Scoreboards that it sets.
    pub sets: Vec<Set>,
    /// Scoreboards that it waits for.
    pub waits: Vec<Wait>,
    /// Whether it issues only when all warps of its block have come to theirs.
    pub barrier: bool,
}

impl Instruction {
    /// One that takes a place of a unit for so many cycles and nothing else.
    pub fn plain(unit: u16, hold: u32, stall: u32) -> Self {
        Self { unit: Some(unit), hold, stall, sets: Vec::new(), waits: Vec::new(), barrier: false }
    }

    /// Cycles until its unit is free and all its results are there, at the most.
    pub fn longest(&self) -> u32 {
        self.sets.iter().map(|set| set.most).max().unwrap_or(0).max(self.hold)
    }
}

/// A warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Warp {
    /// Which of the streams it executes.
    pub stream: usize,
    /// The partition it belongs to.
    pub partition: u32,
    /// The block it belongs to, whose warps wait for each other at barriers.
    pub block: usize,
}

/// What is asked about. Once made it keeps all limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    machine: Machine,
    code: Vec<Instruction>,
    streams: Vec<Stream>,
    warps: Vec<Warp>,
    misses: Option<u32>,
    /// Where the latencies of a warp begin.
    offsets: Vec<usize>,
}

/// The instructions that a warp executes, one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream {
    /// Places in the code.
    pub path: Vec<u32>,
    /// How many scoreboards are set before each instruction, and in all.
    pub sets: Vec<u32>,
    /// How many barriers stand before each instruction, and in all.
    pub barriers: Vec<u32>,
}

impl Launch {
    /// Makes one, or says what is wrong: in `machine`, `code`, `streams`, `warps`.
    pub fn new(
        machine: Machine,
        code: Vec<Instruction>,
        paths: Vec<Vec<u32>>,
        warps: Vec<Warp>,
        misses: Option<u32>,
    ) -> Result<Self, Vec<Problem>> {
        let problems = flaws(&machine, &code, &paths, &warps);
        if !problems.is_empty() {
            return Err(problems);
        }
        let stream = |path: Vec<u32>| {
            let (mut sets, mut barriers) = (vec![0], vec![0]);
            for &at in &path {
                let own = &code[at as usize];
                sets.push(sets[sets.len() - 1] + own.sets.len() as u32);
                barriers.push(barriers[barriers.len() - 1] + u32::from(own.barrier));
            }
            Stream { path, sets, barriers }
        };
        let streams: Vec<Stream> = paths.into_iter().map(stream).collect();
        let mut offsets = vec![0];
        for warp in &warps {
            let sets = streams[warp.stream].sets.last().copied().unwrap_or(0);
            offsets.push(offsets[offsets.len() - 1] + sets as usize);
        }
        Ok(Self { machine, code, streams, warps, misses, offsets })
    }

    /// All warps execute the whole code once, as one block, and belong to partitions by their number modulo the
    /// partitions.
    pub fn uniform(machine: Machine, code: Vec<Instruction>, warps: usize) -> Result<Self, Vec<Problem>> {
        let path = (0..code.len() as u32).collect();
        let partition = |warp: usize| warp as u32 % machine.partitions.max(1);
        let warps = (0..warps).map(|warp| Warp { stream: 0, partition: partition(warp), block: 0 }).collect();
        Self::new(machine, code, vec![path], warps, None)
    }

    /// So many of it beside each other, each with blocks of its own: warps belong to partitions by their number, as in
    /// [`Launch::uniform`]. None where that is more than a launch may be.
    pub fn times(&self, times: usize) -> Option<Self> {
        let blocks = 1 + self.warps.iter().map(|warp| warp.block).max()?;
        let count = self.warps.len().checked_mul(times).filter(|&count| count <= MOST_WARPS)?;
        let warp = |number: usize| {
            let own = self.warps[number % self.warps.len()];
            let partition = number as u32 % self.machine.partitions;
            Warp { partition, block: own.block + number / self.warps.len() * blocks, ..own }
        };
        let paths = self.streams.iter().map(|stream| stream.path.clone()).collect();
        let warps = (0..count).map(warp).collect();
        Self::new(self.machine.clone(), self.code.clone(), paths, warps, self.misses).ok()
    }

    /// The machine.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The instructions, as they stand in the source.
    pub fn code(&self) -> &[Instruction] {
        &self.code
    }

    /// The warps.
    pub fn warps(&self) -> &[Warp] {
        &self.warps
    }

    /// What is executed, by whom it may be.
    pub fn streams(&self) -> &[Stream] {
        &self.streams
    }

    /// How many latencies may be misses; none is no limit.
    pub fn misses(&self) -> Option<u32> {
        self.misses
    }

    /// What a warp executes.
    pub fn stream(&self, warp: usize) -> &Stream {
        &self.streams[self.warps[warp].stream]
    }

    /// How many instructions a warp executes.
    pub fn length(&self, warp: usize) -> usize {
        self.stream(warp).path.len()
    }

    /// What a warp executes at a place.
    pub fn at(&self, warp: usize, place: usize) -> &Instruction {
        &self.code[self.stream(warp).path[place] as usize]
    }

    /// The number of a latency among all: that of a warp's instruction and one of the scoreboards it sets.
    pub fn latency(&self, warp: usize, place: usize, set: usize) -> usize {
        self.offsets[warp] + self.stream(warp).sets[place] as usize + set
    }

    /// How many latencies there are.
    pub fn latencies(&self) -> usize {
        self.offsets[self.warps.len()]
    }

    /// All latencies in order: warp, place in its stream, and what is set.
    pub fn sets(&self) -> impl Iterator<Item = (usize, usize, Set)> {
        (0..self.warps.len()).flat_map(move |warp| {
            (0..self.length(warp))
                .flat_map(move |place| self.at(warp, place).sets.iter().map(move |&set| (warp, place, set)))
        })
    }

    /// How many instructions there are in all.
    pub fn instructions(&self) -> usize {
        (0..self.warps.len()).map(|warp| self.length(warp)).sum()
    }

    /// The pool a warp's instruction takes a place from.
    pub fn pool(&self, warp: usize, place: usize) -> Option<usize> {
        let unit = self.at(warp, place).unit?;
        Some(self.machine.pool(unit, self.warps[warp].partition))
    }
}

fn flaws(machine: &Machine, code: &[Instruction], paths: &[Vec<u32>], warps: &[Warp]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut within = |place: String, value: u64, least: u64, most: u64| {
        if value < least || value > most {
            problems.push(Problem::at(
                place,
                value.to_string(),
                format!("a whole number, {least} to {most}"),
            ));
        }
    };
    within("machine.partitions".to_owned(), machine.partitions.into(), 1, MOST_PARTITIONS.into());
    within("machine.issue".to_owned(), machine.issue.into(), 1, MOST_ISSUED.into());
    within("machine.units".to_owned(), machine.units.len() as u64, 0, MOST_UNITS.into());
    for unit in &machine.units {
        within(format!("machine.units.{:.60}.count", unit.name), unit.count.into(), 1, MOST_UNITS.into());
    }
    let slowest = u64::from(SLOWEST);
    for (i, own) in code.iter().enumerate() {
        within(format!("code[{i}].hold"), own.hold.into(), 1, slowest);
        within(format!("code[{i}].stall"), own.stall.into(), 1, slowest);
        if let Some(unit) = own.unit {
            let unknown = u64::from(usize::from(unit) >= machine.units.len());
            within(format!("code[{i}].unit: not one of the machine's"), unknown, 0, 0);
        }
        for set in &own.sets {
            let place = format!("code[{i}].sets.{}", set.board);
            within(place.clone(), set.board.into(), 0, u64::from(MOST_BOARDS) - 1);
            within(place.clone(), set.least.into(), 1, slowest);
            within(place, set.most.into(), set.least.into(), slowest);
        }
        for wait in &own.waits {
            let board = u64::from(wait.board);
            within(format!("code[{i}].waits"), board, 0, u64::from(MOST_BOARDS) - 1);
        }
    }
    within("warps".to_owned(), warps.len() as u64, 1, MOST_WARPS as u64);
    for (i, path) in paths.iter().enumerate() {
        within(format!("streams[{i}]"), path.len() as u64, 1, MOST_EXECUTED as u64);
        let last = path.iter().max().copied().unwrap_or(0);
        within(format!("streams[{i}]"), last.into(), 0, (code.len() as u64).saturating_sub(1));
    }
    for (i, warp) in warps.iter().enumerate() {
        within(format!("warps[{i}].stream"), warp.stream as u64, 0, (paths.len() as u64).saturating_sub(1));
        let last = u64::from(machine.partitions.saturating_sub(1));
        within(format!("warps[{i}].partition"), warp.partition.into(), 0, last);
    }
    let lasts =
        |&at: &u32| code.get(at as usize).map_or(0, |own| u64::from(own.longest()) + u64::from(own.stall));
    let of = |warp: &Warp| paths.get(warp.stream).map_or(0, |path| path.iter().map(lasts).sum::<u64>());
    within("code".to_owned(), warps.iter().map(of).sum(), 0, MOST_CYCLES);
    problems
}

impl Launch {
    /// Whether two warps execute the same, belong to the same block, and share all units.
    pub fn alike(&self, one: usize, other: usize) -> bool {
        self.warps[one] == self.warps[other]
    }

    /// Whether partitions differ in nothing but their number: each has the same warps, all of one block.
    pub fn symmetric(&self) -> bool {
        let of = |partition: u32| {
            let mut own: Vec<(usize, usize)> = self
                .warps
                .iter()
                .filter(|warp| warp.partition == partition)
                .map(|warp| (warp.stream, warp.block))
                .collect();
            own.sort_unstable();
            own
        };
        let first = of(0);
        (1..self.machine.partitions).all(|partition| of(partition) == first)
    }

    /// Whether a unit is shared by all warps.
    pub fn shared(&self, unit: u16) -> bool {
        self.machine.units[usize::from(unit)].scope == Scope::Multiprocessor
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Unit;

    fn refused(machine: &Machine, code: Vec<Instruction>, warps: usize) -> Vec<String> {
        match Launch::uniform(machine.clone(), code, warps) {
            Ok(_) => Vec::new(),
            Err(problems) => problems.iter().map(ToString::to_string).collect(),
        }
    }

    #[test]
    fn what_keeps_no_limit_is_refused() {
        let unit = Unit { name: "u".to_owned(), scope: Scope::Partition, count: 1 };
        let machine = Machine { partitions: 1, issue: 1, units: vec![unit] };
        let plain = Instruction::plain(0, 1, 1);
        assert_eq!(refused(&machine, vec![plain.clone()], 1), [""; 0]);
        assert_eq!(
            refused(&machine, vec![plain.clone()], 65),
            ["warps: 65, expected a whole number, 1 to 64"]
        );
        let none = Machine { units: Vec::new(), ..machine.clone() };
        assert_eq!(refused(&none, vec![plain.clone()], 1).len(), 1);
        let still = Machine { issue: 0, ..machine.clone() };
        assert_eq!(
            refused(&still, vec![plain.clone()], 1),
            ["machine.issue: 0, expected a whole number, 1 to 64"]
        );
        let own = Instruction { hold: 0, stall: 0, ..plain.clone() };
        assert_eq!(refused(&machine, vec![own], 1).len(), 2);
        let set = Set { board: 16, least: 3, most: 2, hit: None };
        assert_eq!(refused(&machine, vec![Instruction { sets: vec![set], ..plain.clone() }], 1).len(), 2);
        let slow = Instruction::plain(0, SLOWEST, SLOWEST);
        assert_eq!(refused(&machine, vec![slow; 1_000], 64).len(), 1);
        assert_eq!(refused(&machine, Vec::new(), 1).len(), 1);
    }
}
