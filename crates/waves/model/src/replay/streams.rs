//! What is replayed: one stream of executed instructions per wave, with what the measurement says of each.
//!
//! Kept as measured: gaps and stalls that are no matter of other waves (fetch, dependencies, told waits, a full memory
//! path, a unit that the wave's own instruction held), latencies of operations, the time a barrier takes. Left to the
//! replay: which wave is chosen, how long units are held by other waves, when waits and barriers end.

use crate::account::Account;
use crate::cause::{Cause, Part};
use crate::isa::Class;
use crate::required::Returned;
use crate::units::Unit;

/// How a time before an instruction's issue comes about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// On a unit of its SIMD.
    Unit(Unit),
    /// It waits for operations of its wave: those in [`Step::asked`].
    Wait,
    /// It arrives at its work-group's barrier of this number and waits there.
    Barrier(u32),
    /// It arrives there and goes on.
    Signal,
    /// Neither.
    Plain,
}

/// An instruction to be replayed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What it is.
    pub what: What,
    /// Cycles between the one before and this one coming up, as measured.
    pub gap: i64,
    /// Cycles that it stalls for its own sake, as measured; of a wait the least one, of a barrier what it takes.
    pub own: i64,
    /// Cycles that it issues.
    pub issues: i64,
    /// Cycles that it holds its unit against other waves.
    pub hold: i64,
    /// Cycles from its issue to its return: at least and at most, as far as waits show it.
    pub latency: (i64, i64),
    /// Places of what it waits for.
    pub asked: Vec<u32>,
    /// Whether it is a matrix instruction.
    pub matrix: bool,
    /// Its line's place.
    pub line: u32,
}

/// A wave to be replayed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream {
    /// When it begins, if nothing had its slot before.
    pub begin: i64,
    /// The wave that had its slot before, and how long after that one's end it begins.
    pub after: Option<(u32, i64)>,
    /// Its instructions.
    pub steps: Vec<Step>,
    /// Cycles after the last one.
    pub tail: i64,
}

/// All streams of a capture.
pub fn streams(account: &Account) -> Vec<Stream> {
    (0..account.capture.waves.len()).map(|wave| stream(account, wave)).collect()
}

fn stream(account: &Account, place: usize) -> Stream {
    let wave = &account.capture.waves[place];
    let mut own = Of { account, place, known: known(account, place), barriers: 0, waits: 0 };
    let mut steps: Vec<Step> = (0..wave.instrs.len()).map(|item| own.step(item)).collect();
    let mut tail = 0;
    for part in &account.parts[place] {
        own.add(part, &mut steps, &mut tail);
    }
    own.settle(&mut steps);
    Stream { begin: wave.begin, after: before(account, place), steps, tail }
}

/// The wave that had a slot before, and the time between.
fn before(account: &Account, place: usize) -> Option<(u32, i64)> {
    let own = &account.capture.waves[place];
    let same = |other: &crate::capture::Wave| {
        (other.se, other.cu, other.simd, other.slot) == (own.se, own.cu, own.simd, own.slot)
    };
    // Waves stand by slot and number: the one before, if any, is the one before.
    let before = place.checked_sub(1)?;
    let other = &account.capture.waves[before];
    (same(other) && other.end <= own.begin).then_some((before as u32, own.begin - other.end))
}

/// A stream being made.
struct Of<'a, 'c> {
    account: &'a Account<'c>,
    place: usize,
    /// By instruction: its latency as a wait that was named shows it.
    known: Vec<Option<i64>>,
    barriers: u32,
    waits: usize,
}

/// Latencies that a stalled wait shows: of the operation that the account names.
fn known(account: &Account, place: usize) -> Vec<Option<i64>> {
    let wave = &account.capture.waves[place];
    let mut known = vec![None; wave.instrs.len()];
    for part in &account.parts[place] {
        let (Cause::Data, Some(item), Some(witness)) = (part.cause, part.item, part.witness) else {
            continue;
        };
        let (wait, op) = (&wave.instrs[item as usize], &wave.instrs[witness.item as usize]);
        if wait.stall > 4 {
            known[witness.item as usize] = Some(wait.issued() - op.issued());
        }
    }
    known
}

impl Of<'_, '_> {
    fn step(&mut self, item: usize) -> Step {
        let capture = self.account.capture;
        let instr = &capture.waves[self.place].instrs[item];
        let op = capture.op(instr);
        let class = op.map_or(Class::Other, |op| op.class);
        let mut asked = Vec::new();
        let what = match class {
            Class::Wait => {
                let waits = &self.account.required[self.place].waits;
                if let Some((_, items)) = waits.get(self.waits).filter(|(wait, _)| *wait as usize == item) {
                    asked.clone_from(items);
                }
                What::Wait
            }
            Class::Barrier | Class::BarrierWait => {
                self.barriers += 1;
                What::Barrier(self.barriers - 1)
            }
            Class::Signal => What::Signal,
            _ => Unit::of(capture, instr).map_or(What::Plain, What::Unit),
        };
        self.waits += usize::from(op.is_some_and(|op| !op.waits.is_empty()));
        let hold = match what {
            What::Unit(unit) => self.account.units.held(capture, unit, instr),
            _ => 0,
        };
        let matrix = class == Class::Matrix;
        Step {
            what,
            gap: 0,
            own: 0,
            issues: 0,
            hold,
            latency: self.latency(item),
            asked,
            matrix,
            line: instr.line,
        }
    }

    /// From issue to return, at least and at most.
    fn latency(&self, item: usize) -> (i64, i64) {
        let instr = &self.account.capture.waves[self.place].instrs[item];
        match (self.known[item], self.account.required[self.place].returned[item]) {
            (Some(known), _) => (known, known),
            (None, Some(Returned::At(time) | Returned::By(time))) => (0, time - instr.issued()),
            (None, None) => (0, 0),
        }
    }

    /// Puts a part of the account where the replay keeps it, if it does.
    fn add(&self, part: &Part, steps: &mut [Step], tail: &mut i64) {
        let cycles = part.to - part.from;
        let Some(item) = part.item else {
            match (part.cause, steps.first_mut()) {
                (Cause::Start, Some(first)) => first.gap += cycles,
                _ => *tail += cycles,
            }
            return;
        };
        let instr = &self.account.capture.waves[self.place].instrs[item as usize];
        let step = &mut steps[item as usize];
        if part.cause == Cause::Issue {
            // Clipped where the next instruction comes up sooner.
            step.issues += cycles;
        }
        let others = part.witness.is_some_and(|witness| witness.wave as usize != self.place);
        let replayed = match part.cause {
            Cause::Issue | Cause::Chosen | Cause::Data => true,
            Cause::Barrier => true,
            Cause::Unit => others,
            _ => false,
        };
        if part.to <= instr.clock {
            step.gap += if replayed { 0 } else { cycles };
        } else if !replayed {
            step.own += cycles;
        }
    }

    /// What waits and barriers take for their own sake.
    fn settle(&self, steps: &mut [Step]) {
        let wave = &self.account.capture.waves[self.place];
        for (item, step) in steps.iter_mut().enumerate() {
            let stall = i64::from(wave.instrs[item].stall);
            match step.what {
                What::Wait => step.own = if step.asked.is_empty() { stall } else { stall.min(4) },
                What::Barrier(_) => {
                    let last = self.account.barriers.last(self.place as u32, item as u32);
                    let taken = last.map(|(_, stay)| wave.instrs[item].issued() - stay.arrived);
                    step.own =
                        taken.filter(|taken| (0..=crate::barriers::SEEN).contains(taken)).unwrap_or(stall);
                }
                _ => {}
            }
        }
    }
}
