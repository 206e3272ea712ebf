//! What a crowd may do in a cycle beside one more warp: choices of cells, with the other warp executing or waiting.

use std::ops::Range;

use super::super::super::instance::Instance;
use super::super::aggregates::{CLASSES, Choice, ClassAggregates, Partition};

/// The most choices listed.
const MOST_CHOICES: usize = 7_000_000;
/// The most vectors of warps between two phases.
const MOST_HANDS: usize = 400;

/// Choices of each cell.
#[derive(Debug, Default)]
pub struct Lists {
    from: Vec<u32>,
    pub choices: Vec<Choice>,
}

impl Lists {
    /// The choices of a cell, as indices.
    pub fn of(&self, cell: usize) -> Range<usize> {
        self.from[cell] as usize..self.from[cell + 1] as usize
    }

    fn close(&mut self) {
        self.from.push(self.choices.len() as u32);
    }
}

/// Warps between two phases: the class of the one that arrives first, its exits, and the others.
#[derive(Debug)]
pub struct Arriving {
    pub warps: usize,
    pub less: usize,
    pub exits: Vec<usize>,
}

/// Cells of a crowd, with the choices beside one more warp for each kind of unit that it waits for.
#[derive(Debug)]
pub struct Beside {
    pub cells: ClassAggregates,
    /// Where it executes.
    pub moves: [Lists; 4],
    /// Where it is kept waiting.
    pub waits: [Lists; 4],
    pub hands: Vec<Arriving>,
    /// All exits of all hands.
    pub arrivals: usize,
    /// The cell of the start.
    pub start: usize,
}

impl Beside {
    /// A crowd of so many; `None` where it would take too much.
    pub fn new(instance: &Instance, partition: Partition, crowd: usize) -> Option<Self> {
        let mut cells = ClassAggregates::bare(instance, partition, crowd)?;
        let (mut moves, mut waits): ([Lists; 4], [Lists; 4]) = Default::default();
        let mut count = 0;
        for unit in (0..4).filter(|&unit| instance.phases.iter().any(|phase| phase.unit == unit)) {
            moves[unit].close();
            waits[unit].close();
            for cell in 0..cells.content.len() {
                for (choice, executes) in cells.each_choice(instance, cell, Some(unit))? {
                    let list = if executes { &mut moves[unit] } else { &mut waits[unit] };
                    list.choices.push(choice);
                    count += 1;
                }
                if count > MOST_CHOICES || cells.hands.len() > MOST_HANDS {
                    return None;
                }
                moves[unit].close();
                waits[unit].close();
            }
        }
        let arriving = |hand: &[u8; CLASSES]| {
            let mut less = *hand;
            let class = less.iter().position(|&n| n > 0).unwrap_or(0);
            less[class] = less[class].saturating_sub(1);
            Arriving {
                warps: hand.iter().map(|&n| usize::from(n)).sum(),
                less: cells.hands.iter().position(|&other| other == less).unwrap_or(0),
                exits: (0..cells.exits.len()).filter(|&exit| cells.exits[exit].from == class).collect(),
            }
        };
        let hands: Vec<Arriving> = cells.hands.iter().map(arriving).collect();
        let mut content = [0; 2 * CLASSES];
        let (first, length) = (cells.partition.class_of[0], instance.phases[0].length as u16);
        content[first] = crowd as u16;
        // Of a class that is not tracked more may be left than this has room for.
        content[CLASSES + first] = crowd as u16 * if cells.partition.tracked[first] { length } else { 1 };
        let start = cells.find(&content) as usize;
        let arrivals = hands.iter().skip(1).map(|hand| hand.exits.len()).sum();
        Some(Self { cells, moves, waits, hands, arrivals, start })
    }

    /// Where prices would be of exits that cost nothing.
    pub fn certain(&self) -> impl Iterator<Item = usize> + '_ {
        let cells = &self.cells;
        (0..cells.exits.len()).filter(|&exit| cells.is_certain(exit)).map(|exit| cells.unit.len() + exit)
    }

    /// What trying prices costs, about.
    pub fn work(&self, instance: &Instance) -> u64 {
        let cells = self.cells.content.len();
        let lists = |unit: usize| self.moves[unit].choices.len() + 2 * self.waits[unit].choices.len();
        let all = instance.phases.iter().map(|phase| lists(phase.unit) as u64 * u64::from(phase.length));
        all.sum::<u64>() + u64::from(instance.length) * (cells * self.arrivals) as u64
    }

    /// Bytes held, with the values of hands while prices are tried.
    pub fn bytes(&self) -> u64 {
        let lists = self.moves.iter().chain(&self.waits);
        let lists = lists.map(|list| (list.choices.len() * 8 + list.from.len() * 4) as u64).sum::<u64>();
        self.cells.bytes() + lists + (self.hands.len() * self.cells.content.len() * 8) as u64
    }
}
