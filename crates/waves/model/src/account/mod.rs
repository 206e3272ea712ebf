//! The account: every cycle of every wave has one cause with its witness, and they add up to the wave's life exactly.
//!
//! An instruction comes up at its clock, stalls, and issues. What is before its clock is a gap, `gap.rs`; what is
//! between that and its issue a stall, `stall.rs`. Each lays claims over the stretch, the surest first.
//!
//! Assumptions: [`crate::ASSUMPTIONS`].

mod gap;
mod pairs;
mod stall;
mod stretch;
mod way;

use crate::barriers::Barriers;
use crate::capture::{Capture, Kind};
use crate::cause::{Cause, Part, Sums, Witness};
use crate::latency::Latencies;
use crate::required::Required;
use crate::units::{Unit, Units};
use pairs::Pairs;
use way::Ways;

/// The account of a capture, and what it was made of.
pub struct Account<'c> {
    /// The capture.
    pub capture: &'c Capture,
    /// By wave: its parts, in order.
    pub parts: Vec<Vec<Part>>,
    /// By wave: what its waits require.
    pub required: Vec<Required>,
    /// Who met at barriers.
    pub barriers: Barriers,
    /// Who was on units, and holds as measured.
    pub units: Units,
    /// Latencies as measured.
    pub latencies: Latencies,
    ways: Ways,
}

/// What the account of a wave is made with.
struct Maker<'a> {
    capture: &'a Capture,
    required: &'a [Required],
    barriers: &'a Barriers,
    units: &'a Units,
    latencies: &'a Latencies,
    pairs: Pairs,
    ways: &'a Ways,
}

/// Where in a wave the account is.
struct Place {
    /// The wave.
    wave: u32,
    /// The instruction.
    item: u32,
    /// Whether the wave is the first time at its line.
    first: bool,
    /// The jump that was taken last, and the address it led to.
    jump: Option<(u32, u64)>,
    /// The place of the instruction among the wave's waits, if it is one.
    waits: usize,
}

impl<'c> Account<'c> {
    /// Makes it.
    pub fn of(capture: &'c Capture) -> Self {
        let required: Vec<Required> = capture.waves.iter().map(|wave| Required::of(capture, wave)).collect();
        let barriers = Barriers::of(capture);
        let units = Units::of(capture);
        let latencies = Latencies::of(capture, &required);
        let ways = Ways::of(capture, &required, &latencies);
        let maker = Maker {
            capture,
            required: &required,
            barriers: &barriers,
            units: &units,
            latencies: &latencies,
            pairs: Pairs::of(capture),
            ways: &ways,
        };
        let mut seen = vec![u32::MAX; capture.lines.len()];
        let parts = (0..).zip(&capture.waves).map(|(wave, _)| maker.wave(wave, &mut seen)).collect();
        Self { capture, parts, required, barriers, units, latencies, ways }
    }

    /// Cycles of a wave by cause.
    pub fn sums(&self, wave: usize) -> Sums {
        let mut sums = Sums::default();
        for part in self.parts.get(wave).into_iter().flatten() {
            sums.add(part.cause, part.cycles());
        }
        sums
    }

    /// How many operations of an instruction's way were under way on its compute unit at a time.
    pub fn under_way(&self, wave: u32, item: u32, at: i64) -> usize {
        let Some(own) = self.capture.waves.get(wave as usize) else { return 0 };
        let unit = self.capture.instr(wave, item).and_then(|instr| Unit::of(self.capture, instr));
        let unit = unit.filter(|unit| *unit == Unit::Lds).unwrap_or(Unit::Memory);
        self.ways.under(own.se, own.cu, unit, at).map_or(0, |(_, count)| count)
    }
}

impl Maker<'_> {
    fn wave(&self, wave: u32, seen: &mut [u32]) -> Vec<Part> {
        let Some(own) = self.capture.waves.get(wave as usize) else { return Vec::new() };
        let mut parts = Vec::with_capacity(own.instrs.len() * 2 + 2);
        let mut at = own.begin;
        let mut jump = None;
        let mut waits = 0;
        let edge = |from, to, cause| Part { item: None, from, to, cause, witness: None };
        for (item, instr) in (0_u32..).zip(&own.instrs) {
            let first = match seen.get_mut(instr.line as usize) {
                Some(known) => std::mem::replace(known, wave) != wave,
                None => false,
            };
            if let Some((of, None)) = jump {
                let target = self.capture.line(instr).map(|line| line.address);
                jump = Some((of, target));
            }
            let here = jump.and_then(|(of, target)| Some((of, target?)));
            let place = Place { wave, item, first, jump: here, waits };
            let from = instr.clock.max(at);
            if at < from {
                if item == 0 {
                    parts.push(edge(at, from, Cause::Start));
                } else {
                    self.gap(&place, at, from, &mut parts);
                }
                at = from;
            }
            let issued = instr.issued().max(at).min(own.end.max(at));
            self.stall(&place, at, issued, &mut parts);
            // Where instructions overlap, as from gfx10 on, one counts as issuing until the next comes up.
            let next = own.instrs.get(item as usize + 1).map_or(own.end, |next| next.clock);
            let until = instr.end().min(next.max(issued)).min(own.end).max(issued);
            if issued < until {
                let witness = Some(Witness { wave, item });
                parts.push(Part { item: Some(item), from: issued, to: until, cause: Cause::Issue, witness });
            }
            at = until;
            if instr.kind == Kind::Jump {
                jump = Some((item, None));
            }
            waits += usize::from(self.capture.op(instr).is_some_and(|op| !op.waits.is_empty()));
        }
        if at < own.end {
            let cause = if own.instrs.is_empty() { Cause::Unexplained } else { Cause::End };
            parts.push(edge(at, own.end, cause));
        }
        parts
    }
}
