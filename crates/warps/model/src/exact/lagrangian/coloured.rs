//! The relaxation beside the last warp (module `victim`), with a crowd that knows more of where it is: each of its warps
//! has a colour, which says what it waits for now and something of what comes then.
//!
//! Claim. Let every position of the string have a colour, so that all positions of a colour wait for the same unit. A
//! cell says how many warps of the crowd have which colour. What module `victim` says of cells of classes holds of these.
//!
//! Proof. Its proof takes phases as they come: it uses that all instructions of a phase are on one unit, that a warp
//! leaves a phase after its last instruction and enters the one that follows, and that a class is a set of phases of one
//! unit. It does not use that the next phase is on another unit. So it holds for the string with every instruction a
//! phase of its own: the same string, the same schedules. Colours are classes of these phases. As all have one
//! instruction, who executes leaves, and there is nothing left to be kept.
//!
//! Which colours, is free to be chosen, as prices are: any prove something. At first there is one for each unit. Then one
//! is split in two, by the colour of the position after: those after which a certain colour comes, and the others. Every
//! such split is tried with a few warps, where it takes no time, and the one that proves least of them is made, until
//! there would be too many cells for all warps. What is proven of all of them is proven with the fewest colours that are
//! as good for few. So colours come to say what matters in this string: how many instructions are left in a run, as far
//! as runs differ, and which unit comes then. Where that leaves much open, splits go on from there later, with room for
//! more cells.

use super::super::instance::{Instance, Phase, Place};
use super::aggregates::{CLASSES, Partition, count};
use super::evaluate::PARTS;
use super::victim::VictimBound;

/// The most values at first: one for each position and cell. Later there may be as many as in module `victim`.
const MOST_VALUES: u64 = 6_000_000;
/// Warps of the crowd with which colours are tried, at most.
const FEW: usize = 3;
/// Prices tried with them.
const TRIES: u32 = 15;
/// Parts of a cycle that say nothing after so few prices.
const LITTLE: i64 = 64;
/// Parts of a cycle with few warps that are not worth more colours with all: good prices for fewer are found sooner.
const ENOUGH: i64 = 256;

/// For each position its colour.
type Colours = Vec<usize>;

/// The bound; in the making until `step` says so.
#[derive(Debug)]
pub struct ColouredBound {
    /// The problem with every instruction a phase of its own.
    split: Instance,
    found: u32,
    memory: u64,
    crowd: usize,
    /// Colours after each split, and what they prove of a few warps.
    splits: Vec<(i64, Colours)>,
    /// What may come next: how much it tells apart, and the colours.
    candidates: Vec<(usize, Colours)>,
    /// The best of those tried: what it proves, in coarse parts, how little it tells apart, and then all of it.
    best: Option<((i64, usize), i64, Colours)>,
    trial: Option<Box<VictimBound>>,
    /// The colours chosen, as an index of splits.
    chosen: Option<usize>,
    /// Splits that another bound has made already; none where there is no other.
    known: usize,
}

impl ColouredBound {
    /// To be made for a problem in about `memory` bytes; `None` if it is too large. `found` cycles are known to be
    /// possible.
    pub fn new(instance: &Instance, found: u32, memory: u64) -> Option<Self> {
        let crowd = (instance.warps as usize).checked_sub(1).filter(|&crowd| crowd > 0 && crowd < 128)?;
        let mut split = instance.clone();
        let unit = |at: u32| instance.phases[instance.phase_of[at as usize] as usize];
        split.phases = (0..instance.length).map(|at| Phase { start: at, length: 1, ..unit(at) }).collect();
        split.phase_of = (0..instance.length).collect();
        let units = split.phases.iter().map(|phase| phase.unit).collect();
        let mut bound = Self {
            split,
            found,
            memory,
            crowd,
            splits: Vec::new(),
            candidates: Vec::new(),
            best: None,
            trial: None,
            chosen: None,
            known: 0,
        };
        let units = renumber(units);
        if instance.work() > super::victim::MOST_INSTRUCTIONS || !bound.fits(&units) {
            return None;
        }
        bound.candidates.push((0, units));
        Some(bound)
    }

    /// One with more colours than these, to be made in about `memory` bytes; `None` if there is no room for any.
    pub fn finer(&self, found: u32, memory: u64) -> Option<Self> {
        let mut finer = Self {
            split: self.split.clone(),
            found,
            memory,
            crowd: self.crowd,
            splits: self.splits.clone(),
            candidates: Vec::new(),
            best: None,
            trial: None,
            chosen: None,
            known: self.chosen? + 1,
        };
        finer.candidates = finer.room_for(&self.splits.last()?.1);
        (!finer.candidates.is_empty()).then_some(finer)
    }

    /// Goes on; whether there is more to do.
    pub fn step(&mut self, budget: u64) -> bool {
        let Some(trial) = &mut self.trial else { return self.next() };
        if trial.step(&self.split, budget) {
            return true;
        }
        if let Some(chosen) = self.chosen {
            if trial.parts().is_some() {
                return false;
            }
            // It took too much: fewer colours.
            self.splits.truncate(chosen);
            self.trial = None;
            return !self.splits.is_empty();
        }
        let proven = trial.parts().unwrap_or(i64::MAX);
        self.trial = None;
        if let Some((apart, colours)) = self.candidates.pop() {
            let rank = (proven / LITTLE, usize::MAX - apart);
            if self.best.as_ref().is_none_or(|best| rank < best.0) {
                self.best = Some((rank, proven, colours));
            }
        }
        true
    }

    /// The bound from the start on.
    pub fn all(&self) -> Option<u32> {
        let parts = self.parts(&[Place { at: 0, warps: self.split.warps }])?;
        Some((parts.max(0) / i64::from(PARTS)) as u32)
    }

    /// The bound from warps at these positions on, in parts of a cycle.
    pub fn parts(&self, places: &[Place]) -> Option<i64> {
        self.trial.as_ref()?.parts_from(places)
    }

    /// The same where the one at position `last` ends last; below 0 where it cannot.
    pub fn parts_beside(&self, places: &[Place], last: u32) -> Option<i64> {
        self.trial.as_ref()?.parts_beside(places, last)
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        self.trial.as_ref().map_or(0, |trial| trial.bytes())
    }

    /// Cells of all positions.
    pub fn cells(&self) -> u64 {
        self.trial.as_ref().map_or(0, |trial| trial.cells())
    }

    /// Goes to the next colours; whether there are any.
    fn next(&mut self) -> bool {
        if self.candidates.is_empty() && self.chosen.is_none() {
            let Some((_, proven, colours)) = self.best.take() else { return false };
            self.candidates = self.room_for(&colours);
            self.splits.push((proven, colours));
        }
        let (colours, crowd) = match self.candidates.last() {
            Some((_, colours)) => (colours, self.crowd.min(FEW)),
            None => {
                let least = self.splits.iter().map(|&(proven, _)| proven).min().unwrap_or(0);
                let enough = |(proven, _): &&(i64, Colours)| *proven <= least.saturating_add(ENOUGH);
                self.chosen = self.splits.iter().position(|split| enough(&split));
                let Some(chosen) = self.chosen.filter(|&chosen| chosen >= self.known) else { return false };
                (&self.splits[chosen].1, self.crowd)
            }
        };
        let trial = VictimBound::of(&self.split, self.found, self.memory, vec![partition(colours)], crowd);
        self.trial = Some(Box::new(match self.chosen {
            None => trial.at_once(TRIES),
            Some(_) if self.known > 0 => trial.closely().patiently(),
            Some(_) => trial.closely(),
        }));
        true
    }

    /// One of these colours split, in every way that there is room for.
    fn room_for(&self, colours: &Colours) -> Vec<(usize, Colours)> {
        candidates(colours).into_iter().filter(|(_, colours)| self.fits(colours)).collect()
    }

    /// Is there room for all warps with these colours?
    fn fits(&self, colours: &Colours) -> bool {
        let partition = partition(colours);
        let most = VictimBound::most_cells(&self.split, self.memory);
        let few = if self.known > 0 { u64::MAX } else { MOST_VALUES };
        let most = most.min(few / (u64::from(self.split.length) + 1));
        partition.tracked.len() <= CLASSES && count(&self.split, &partition, self.crowd) <= most
    }
}

fn partition(colours: &Colours) -> Partition {
    let most = colours.iter().copied().max().unwrap_or(0);
    Partition { class_of: colours.clone(), tracked: vec![false; most + 1], at_once: true }
}

/// Colours by number, in the order they come in.
fn renumber(colours: Colours) -> Colours {
    let mut seen = Vec::new();
    let number = |colour| {
        seen.iter().position(|&other| other == colour).unwrap_or_else(|| {
            seen.push(colour);
            seen.len() - 1
        })
    };
    colours.into_iter().map(number).collect()
}

/// One colour split in two by what comes after, in every way; with each, how many pairs of positions it tells apart.
fn candidates(colours: &Colours) -> Vec<(usize, Colours)> {
    let count = colours.iter().copied().max().unwrap_or(0) + 1;
    let after: Vec<usize> = colours.iter().copied().skip(1).chain([count]).collect();
    let mut candidates = Vec::new();
    for colour in 0..count {
        let mut sizes = vec![0; count + 1];
        let own = colours.iter().zip(&after).filter(|&(&own, _)| own == colour);
        own.for_each(|(_, &then)| sizes[then] += 1);
        let all: usize = sizes.iter().sum();
        let mut kinds: Vec<usize> = (0..=count).filter(|&then| sizes[then] > 0).collect();
        if kinds.len() <= 2 {
            // Either is the rest of the other.
            kinds.pop();
        }
        for then in kinds {
            let split = |(&own, &next): (&usize, &usize)| {
                if own == colour && next == then { count } else { own }
            };
            let split = colours.iter().zip(&after).map(split).collect();
            candidates.push((sizes[then] * (all - sizes[then]), split));
        }
    }
    candidates
}
