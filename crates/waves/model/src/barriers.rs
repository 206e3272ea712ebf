//! Who met at which barrier: waves of a compute unit that left every barrier together are of one work-group.
//!
//! Assumes: a work-group's waves leave a barrier within [`TOGETHER`] cycles of each other, and no other work-group of
//! the compute unit leaves as many barriers at just those times. A wave arrives when its instruction comes up, or at its
//! last signal where barriers are split.

use std::collections::BTreeMap;

use crate::capture::{Capture, Wave};
use crate::isa::Class;

/// So far apart, in cycles, waves of one work-group leave a barrier at most.
pub const TOGETHER: u64 = 8;
/// So long after the last arrival a barrier ends at most; where it takes longer somebody is not in the capture.
pub const SEEN: i64 = 64;
/// The most waves of a work-group.
const MOST: usize = 64;

/// A wave at a barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stay {
    /// The place of the instruction that waits.
    pub item: u32,
    /// The place of the one that tells of the arrival.
    pub told: u32,
    /// When it arrived.
    pub arrived: i64,
    /// When it left.
    pub left: i64,
}

impl Stay {
    /// Whether two waves may have been at one barrier: they left together, and nobody before the other had come.
    fn meets(&self, other: &Self) -> bool {
        self.left.abs_diff(other.left) <= TOGETHER && self.arrived <= other.left && other.arrived <= self.left
    }
}

/// All barriers of a capture.
#[derive(Debug, Clone, Default)]
pub struct Barriers {
    /// By wave: its barriers.
    pub stays: Vec<Vec<Stay>>,
    /// By wave: its work-group.
    pub group: Vec<u32>,
    /// By work-group: its waves.
    pub groups: Vec<Vec<u32>>,
}

impl Barriers {
    /// Finds them.
    pub fn of(capture: &Capture) -> Self {
        let stays: Vec<Vec<Stay>> = capture.waves.iter().map(|wave| stays(capture, wave)).collect();
        let mut units: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
        for (place, wave) in (0..).zip(&capture.waves) {
            units.entry((wave.se, wave.cu)).or_default().push(place);
        }
        let mut found = Self { group: vec![0; stays.len()], stays, groups: Vec::new() };
        for mut waves in units.into_values() {
            waves.sort_by_key(|&wave| (capture.waves[wave as usize].begin, wave));
            found.group_up(&waves);
        }
        found
    }

    /// Puts waves of a compute unit into work-groups: each to the one that left with it, the youngest if several did.
    fn group_up(&mut self, waves: &[u32]) {
        // By the time, in steps, of the first barrier's end: work-groups that left then.
        let mut known: BTreeMap<i64, Vec<u32>> = BTreeMap::new();
        for &wave in waves {
            let first = self.stays[wave as usize].first().map(|stay| stay.left / TOGETHER.cast_signed());
            let near = first.into_iter().flat_map(|step| [step - 1, step, step + 1]);
            let near = near.filter_map(|step| known.get(&step)).flatten().copied();
            let group = near.filter(|&group| self.fits(group, wave)).max();
            let group = group.unwrap_or_else(|| {
                let new = self.groups.len() as u32;
                self.groups.push(Vec::new());
                if let Some(step) = first {
                    known.entry(step).or_default().push(new);
                }
                new
            });
            self.group[wave as usize] = group;
            self.groups[group as usize].push(wave);
        }
    }

    fn fits(&self, group: u32, wave: u32) -> bool {
        let members = &self.groups[group as usize];
        let own = &self.stays[wave as usize];
        members.len() < MOST
            && members.iter().all(|&member| {
                let other = &self.stays[member as usize];
                own.len() == other.len() && own.iter().zip(other).all(|(own, other)| own.meets(other))
            })
    }

    /// The last to arrive at the barrier that a wave's instruction waits at, and its stay; nobody where the wave met
    /// no other there.
    pub fn last(&self, wave: u32, item: u32) -> Option<(u32, Stay)> {
        let own = self.stays.get(wave as usize)?;
        let number = own.binary_search_by_key(&item, |stay| stay.item).ok()?;
        let group = self.groups.get(*self.group.get(wave as usize)? as usize)?;
        if group.len() < 2 {
            return None;
        }
        let stay = |&wave: &u32| Some((wave, *self.stays.get(wave as usize)?.get(number)?));
        group.iter().filter_map(stay).max_by_key(|(wave, stay)| (stay.arrived, std::cmp::Reverse(*wave)))
    }
}

/// The barriers of a wave.
fn stays(capture: &Capture, wave: &Wave) -> Vec<Stay> {
    let mut found = Vec::new();
    let mut signal = None;
    for (item, own) in (0..).zip(&wave.instrs) {
        let class = capture.op(own).map(|op| op.class);
        let left = own.issued();
        match class {
            Some(Class::Signal) => signal = Some((item, left)),
            Some(Class::Barrier) => found.push(Stay { item, told: item, arrived: own.clock, left }),
            Some(Class::BarrierWait) => {
                let (told, arrived) = signal.take().unwrap_or((item, own.clock));
                found.push(Stay { item, told, arrived, left });
            }
            _ => {}
        }
    }
    found
}
