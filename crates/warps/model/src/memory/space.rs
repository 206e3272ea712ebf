//! States at the beginning of a cycle, and what can follow them.
//!
//! A state holds for each warp how many instructions it has started and how many cycles it waits until it may start
//! the next; and how many misses may still come. A wait is always that for a load, so where places are held the
//! warps that wait are those that hold one. Which warp is which plays no part: codes are sorted.
//!
//! What cannot matter any more is made equal: misses beyond the loads that are left, and waits of warps that have
//! started all they have, of which only the longest counts as soon as they hold nothing anybody needs.

use super::bounds::Bounds;
use super::{Misses, Mode, Problem};
use crate::{PerUnit, Unit};

/// Bits of a code that hold the wait.
const WAIT: u32 = 10;

/// The states of a problem.
#[derive(Debug, Clone)]
pub struct Space {
    units: Vec<Unit>,
    capacity: PerUnit<u32>,
    issue: u32,
    held: bool,
    hit: u32,
    miss: u32,
    /// Whether loads may miss or hit.
    choice: bool,
    misses: u32,
    warps: usize,
    /// The bound on what is left of a state.
    pub bounds: Bounds,
}

/// What lists choices: room for them.
#[derive(Debug, Clone, Default)]
pub struct Lister {
    classes: Vec<Class>,
    /// Pending warps of each kind in this class and those after it.
    after: Vec<PerUnit<u32>>,
    child: Vec<u32>,
}

/// Pending warps that are equally far, and what becomes of them in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Class {
    /// Instructions they have started.
    pub at: u32,
    /// How many they are.
    pub count: u32,
    /// How many of them start.
    pub starts: u32,
    /// How many of these miss.
    pub misses: u32,
}

/// What follows a state: the classes with what becomes of them, the codes and misses left, and the cycles it takes.
pub struct Step<'a> {
    /// The choice.
    pub classes: &'a [Class],
    /// The codes that come out, sorted.
    pub codes: &'a [u32],
    /// Misses that may still come.
    pub misses: u32,
    /// Cycles until then; where nobody can start, more than one.
    pub cycles: u32,
}

/// A warp's place in a code.
pub fn place(code: u32) -> (usize, u32) {
    ((code >> WAIT) as usize, code & ((1 << WAIT) - 1))
}

fn code(at: u32, wait: u32) -> u32 {
    at << WAIT | wait
}

impl Space {
    /// The states of a problem; `None` where the kernel needs a unit that is not there, or which loads miss is given.
    pub fn new(problem: &Problem) -> Option<Self> {
        let (memory, loads) = (problem.memory, problem.loads());
        if memory.missing.is_some() {
            return None;
        }
        let choice = problem.settled().is_none();
        let all = memory.misses == Misses::All;
        Some(Self {
            units: problem.kernel.units().to_vec(),
            capacity: problem.machine.capacity,
            issue: problem.machine.issue_limit(),
            held: memory.mode == Mode::Held,
            hit: if all { memory.miss } else { memory.hit },
            miss: memory.miss,
            choice,
            misses: if choice { problem.most_misses().min(loads) as u32 } else { 0 },
            warps: problem.warps,
            bounds: Bounds::new(problem)?,
        })
    }

    /// Words of a state.
    pub fn words(&self) -> usize {
        (self.warps + 1).div_ceil(2)
    }

    /// The state at the beginning, and the misses that may come.
    pub fn start(&self) -> (Vec<u32>, u32) {
        (vec![0; self.warps], self.misses)
    }

    /// A state in words.
    pub fn pack(codes: &[u32], misses: u32, words: &mut Vec<u64>) {
        words.clear();
        let mut all = codes.iter().copied().chain([misses]);
        while let Some(low) = all.next() {
            words.push(u64::from(low) | u64::from(all.next().unwrap_or(0)) << 32);
        }
    }

    /// The codes and misses of a state in words.
    pub fn unpack(&self, words: &[u64], codes: &mut Vec<u32>) -> u32 {
        codes.clear();
        codes.extend(words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]));
        let misses = codes[self.warps];
        codes.truncate(self.warps);
        misses
    }

    /// Cycles until all is complete, if all warps have started all they have.
    pub fn finished(&self, codes: &[u32]) -> Option<u32> {
        let places = codes.iter().map(|&code| place(code));
        let done = places.clone().all(|(at, _)| at == self.units.len());
        done.then(|| places.map(|(_, wait)| wait).max().unwrap_or(0))
    }

    /// The bound on what is left.
    pub fn rest(&self, codes: &[u32], misses: u32) -> u32 {
        self.bounds.rest(codes.iter().map(|&code| place(code)), misses)
    }

    /// What is left, each start weighted by how few places its unit has: what looks as if it takes long.
    pub fn work(&self, codes: &[u32], misses: u32) -> u64 {
        let each = |&code: &u32| {
            let (at, wait) = place(code);
            self.bounds.work(at) + self.bounds.waits(wait)
        };
        codes.iter().map(each).sum::<u64>() + self.bounds.late(misses)
    }

    /// Of those that have started all they have only the longest wait counts.
    fn level(&self, codes: &mut [u32]) {
        let end = self.units.len() as u32;
        let Some(longest) = codes.iter().copied().filter(|&other| other > code(end, 0)).max() else { return };
        let mut kept = false;
        for other in codes.iter_mut().filter(|other| **other > code(end, 0)) {
            if *other == longest && !kept {
                kept = true;
            } else {
                *other = code(end, 0);
            }
        }
    }
}

impl Lister {
    /// Lists what can follow a state; `visit` says whether to go on. Whether all of it was listed.
    pub fn expand(
        &mut self,
        space: &Space,
        codes: &[u32],
        misses: u32,
        visit: &mut dyn FnMut(&Step<'_>) -> bool,
    ) -> bool {
        let mut free = space.capacity;
        self.classes.clear();
        let mut soonest = u32::MAX;
        for &code in codes {
            let (at, wait) = place(code);
            if wait > 0 {
                soonest = soonest.min(wait);
                if space.held {
                    free[Unit::LoadStore] = free[Unit::LoadStore].saturating_sub(1);
                }
            } else if at < space.units.len() {
                match self.classes.last_mut().filter(|class| class.at == at as u32) {
                    Some(class) => class.count += 1,
                    None => self.classes.push(Class { at: at as u32, count: 1, starts: 0, misses: 0 }),
                }
            }
        }
        let mut waiting = PerUnit::default();
        self.after.clear();
        for class in self.classes.iter().rev() {
            self.after.push(waiting);
            waiting[space.units[class.at as usize]] += class.count;
        }
        self.after.reverse();
        let most = Unit::ALL.into_iter().map(|unit| free[unit].min(waiting[unit])).sum::<u32>();
        // As many start as can: either all that have places, or as many as there are slots.
        let starts = most.min(space.issue);
        if starts == 0 {
            return soonest == u32::MAX || self.follow(space, codes, misses, soonest, visit);
        }
        self.choose(space, codes, misses, (0, free, starts), visit)
    }

    /// Decides how many of a class start, and goes on to the next: the class, free places and starts that are left.
    fn choose(
        &mut self,
        space: &Space,
        codes: &[u32],
        misses: u32,
        (class, free, left): (usize, PerUnit<u32>, u32),
        visit: &mut dyn FnMut(&Step<'_>) -> bool,
    ) -> bool {
        let Some(&Class { at, count, .. }) = self.classes.get(class) else {
            return self.follow(space, codes, misses, 1, visit);
        };
        let unit = space.units[at as usize];
        let after = self.after[class];
        for starts in 0..=count.min(free[unit]).min(left) {
            let mut free = free;
            free[unit] -= starts;
            let possible: u32 = Unit::ALL.into_iter().map(|unit| free[unit].min(after[unit])).sum();
            if possible < left - starts {
                continue;
            }
            let most = if space.choice && unit == Unit::LoadStore { starts.min(misses) } else { 0 };
            for missing in 0..=most {
                self.classes[class] = Class { at, count, starts, misses: missing };
                if !self.choose(space, codes, misses - missing, (class + 1, free, left - starts), visit) {
                    return false;
                }
            }
        }
        true
    }

    /// The state after the choice that was made.
    fn follow(
        &mut self,
        space: &Space,
        codes: &[u32],
        misses: u32,
        cycles: u32,
        visit: &mut dyn FnMut(&Step<'_>) -> bool,
    ) -> bool {
        let mut child = std::mem::take(&mut self.child);
        child.clear();
        let mut class = 0;
        let mut behind = 0;
        for &old in codes {
            let (at, wait) = place(old);
            if wait > 0 {
                child.push(code(at as u32, wait - cycles));
            } else if at == space.units.len() {
                child.push(old);
            } else {
                // The classes stand as the codes do.
                let Class { count, starts, misses, .. } = self.classes[class];
                let load = space.units[at] == Unit::LoadStore;
                child.push(match behind {
                    n if n < misses => code(at as u32 + 1, space.miss - 1),
                    n if n < starts => code(at as u32 + 1, if load { space.hit - 1 } else { 0 }),
                    _ => old,
                });
                behind += 1;
                if behind == count {
                    (class, behind) = (class + 1, 0);
                }
            }
        }
        let loads: u32 = child.iter().map(|&code| space.bounds.loads(place(code).0)).sum();
        let misses = misses.min(loads);
        if !space.held || loads == 0 {
            space.level(&mut child);
        }
        child.sort_unstable();
        let go_on = visit(&Step { classes: &self.classes, codes: &child, misses, cycles });
        self.child = child;
        go_on
    }
}
