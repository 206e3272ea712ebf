//! The critical chain of a shader engine: from its last cycle back through witnesses to its first, by cause.
//!
//! From a wait it goes to when what was waited for issued, in the wave that issued it: what that wave did meanwhile did
//! not matter. Its steps are without gaps, so their cycles add up to the whole time.

use crate::account::Account;
use crate::cause::{Cause, Part, Sums, Witness};

/// A step of the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The wave that it goes through.
    pub wave: u32,
    /// Its instruction; none before the first and after the last.
    pub item: Option<u32>,
    /// From this cycle on.
    pub from: i64,
    /// Up to this one.
    pub to: i64,
    /// To what they went.
    pub cause: Cause,
    /// To whom the chain goes on.
    pub witness: Option<Witness>,
}

/// The chain of a shader engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// The engine.
    pub se: u32,
    /// Its first cycle.
    pub begin: i64,
    /// Its last one.
    pub end: i64,
    /// The steps, the last first.
    pub steps: Vec<Step>,
}

impl Chain {
    /// Its cycles by cause.
    pub fn sums(&self) -> Sums {
        let mut sums = Sums::default();
        self.steps.iter().for_each(|step| sums.add(step.cause, step.to.abs_diff(step.from)));
        sums
    }
}

/// The chains of all shader engines.
pub fn critical(account: &Account) -> Vec<Chain> {
    let waves = &account.capture.waves;
    let mut engines: Vec<u32> = waves.iter().map(|wave| wave.se).collect();
    engines.sort_unstable();
    engines.dedup();
    engines.into_iter().filter_map(|se| chain(account, se)).collect()
}

fn chain(account: &Account, se: u32) -> Option<Chain> {
    let waves = &account.capture.waves;
    let own = || (0_u32..).zip(waves).filter(|(_, wave)| wave.se == se);
    let begin = own().map(|(_, wave)| wave.begin).min()?;
    let (mut wave, end) = own()
        .map(|(place, wave)| (place, wave.end))
        .max_by_key(|&(place, end)| (end, std::cmp::Reverse(place)))?;
    let mut steps = Vec::new();
    let mut at = end;
    while at > begin {
        let (step, next) = step_before(account, wave, at, begin);
        steps.push(step);
        (wave, at) = next;
    }
    Some(Chain { se, begin, end, steps })
}

/// The chain back from a cycle of a wave, the last step first: so many steps at most.
pub fn back(account: &Account, mut wave: u32, mut at: i64, most: usize) -> Vec<Step> {
    let waves = &account.capture.waves;
    let Some(se) = waves.get(wave as usize).map(|wave| wave.se) else { return Vec::new() };
    let begin = waves.iter().filter(|wave| wave.se == se).map(|wave| wave.begin).min().unwrap_or(at);
    let mut steps = Vec::new();
    while at > begin && steps.len() < most {
        let (step, next) = step_before(account, wave, at, begin);
        steps.push(step);
        (wave, at) = next;
    }
    steps
}

/// The step that ends at a cycle of a wave, and from where the chain goes on: always earlier.
fn step_before(account: &Account, wave: u32, at: i64, begin: i64) -> (Step, (u32, i64)) {
    let Some(part) = before(account, wave, at) else {
        // Before the wave: what had its slot, if anything had.
        let former = earlier(account, wave, at);
        let from = former.map_or(begin, |(_, end)| end);
        let step = Step { wave, item: None, from, to: at, cause: Cause::Start, witness: None };
        return (step, former.unwrap_or((wave, begin)));
    };
    let (next, from) = origin(account, wave, &part, at);
    let from = from.max(begin);
    let step = Step { wave, item: part.item, from, to: at, cause: part.cause, witness: part.witness };
    (step, (next, from))
}

/// The part of a wave's life in which the cycle before a time lies.
fn before(account: &Account, wave: u32, at: i64) -> Option<Part> {
    let parts = account.parts.get(wave as usize)?;
    let place = parts.partition_point(|part| part.from < at);
    parts.get(place.checked_sub(1)?).copied()
}

/// The wave that had a wave's slot before it, and its end.
fn earlier(account: &Account, wave: u32, at: i64) -> Option<(u32, i64)> {
    let waves = &account.capture.waves;
    let own = waves.get(wave as usize)?;
    let same = |other: &crate::capture::Wave| {
        (other.se, other.cu, other.simd, other.slot) == (own.se, own.cu, own.simd, own.slot)
    };
    let before = (0..).zip(waves).filter(|(place, other)| *place != wave && same(other) && other.end <= at);
    before.map(|(place, other)| (place, other.end)).max_by_key(|&(_, end)| end)
}

/// Where a part leads: to its witness, or to its own beginning.
fn origin(account: &Account, wave: u32, part: &Part, at: i64) -> (u32, i64) {
    let stays = (wave, part.from);
    let Some(witness) = part.witness else { return stays };
    let Some(instr) = account.capture.instr(witness.wave, witness.item) else { return stays };
    let (to, from) = match part.cause {
        Cause::Data | Cause::MemoryPath | Cause::Unit | Cause::Chosen => (witness.wave, instr.issued()),
        Cause::Barrier => (witness.wave, instr.clock),
        _ => return stays,
    };
    // What began later, or within the part itself, leads nowhere.
    if from < at && !(to == wave && from >= part.from) { (to, from) } else { stays }
}
