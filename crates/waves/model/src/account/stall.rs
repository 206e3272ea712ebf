//! Why an instruction that had come up did not issue.

use super::pairs::What;
use super::stretch::{Claim, Stretch};
use super::{Maker, Place};
use crate::capture::{Instr, Wave};
use crate::cause::{Cause, Part, Witness};
use crate::isa::{Class, Op};
use crate::units::{Event, Simd, Unit, slot};

/// So long after its issue a matrix instruction, beyond its hold, may still be waited for.
const MATRIX_LATENCY: i64 = 48;
/// So long after its end another vector instruction may be waited for.
const VECTOR_LATENCY: i64 = 24;
/// So long after its issue a memory instruction may still read its registers.
const READS_REGISTERS: i64 = 128;
/// So long after its hold, as measured, an instruction may still hold its unit.
const LONGER: i64 = 64;
/// So many instructions back a result is looked for.
pub(super) const BACK: usize = 24;
/// So many bytes behind a jump's target code counts as just jumped to.
const JUMPED: u64 = 256;

impl Maker<'_> {
    /// Explains the cycles before an instruction issues.
    pub(super) fn stall(&self, place: &Place, from: i64, to: i64, into: &mut Vec<Part>) {
        if from >= to {
            return;
        }
        let Some(wave) = self.capture.waves.get(place.wave as usize) else { return };
        let Some(instr) = wave.instrs.get(place.item as usize) else { return };
        let mut stretch = Stretch::new(place.item, from, to);
        let class = self.capture.op(instr).map_or(Class::Other, |op| op.class);
        match class {
            Class::Wait => self.wait(place, &mut stretch),
            Class::Barrier | Class::BarrierWait => self.barrier(place, from, to, &mut stretch),
            Class::Told => stretch.rest(Cause::Told, Some(own(place))),
            _ => self.unit(place, wave, instr, to, &mut stretch),
        }
        stretch.finish(into);
    }

    /// A wait: the last operation that its counters still require; of two counters' the one that takes longer as a rule.
    fn wait(&self, place: &Place, stretch: &mut Stretch) {
        let required = self.required.get(place.wave as usize).and_then(|own| own.waits.get(place.waits));
        let Some((_, asked)) = required.filter(|(item, _)| *item == place.item) else {
            // Its counters are not known.
            return;
        };
        let Some(wave) = self.capture.waves.get(place.wave as usize) else { return };
        let expected = |item: &u32| {
            let instr = wave.instrs.get(*item as usize)?;
            let usual = self.capture.op(instr).and_then(|op| self.latencies.usual(&op.name, op.class));
            Some(instr.issued().saturating_add(usual.unwrap_or_default()))
        };
        match asked.iter().copied().max_by_key(|item| (expected(item), *item)) {
            Some(item) => stretch.rest(Cause::Data, Some(Witness { wave: place.wave, item })),
            // Nothing is under way: the wait takes its own time.
            None => stretch.rest(Cause::Told, Some(own(place))),
        }
    }

    /// A barrier: the last to arrive, and for that one the barrier itself.
    fn barrier(&self, place: &Place, from: i64, to: i64, stretch: &mut Stretch) {
        match self.barriers.last(place.wave, place.item) {
            Some((last, stay)) if last != place.wave => {
                let witness = Some(Witness { wave: last, item: stay.told });
                // Beyond that somebody who is not in the capture must have been later.
                let until = to.min(stay.arrived.saturating_add(crate::barriers::SEEN));
                stretch.lay([Claim { from, to: until.max(from), cause: Cause::Barrier, witness }]);
                stretch.rest(Cause::Barrier, None);
            }
            Some((_, stay)) => {
                let until = to.min(stay.arrived.saturating_add(crate::barriers::SEEN)).max(from);
                stretch.lay([Claim { from, to: until, cause: Cause::Unit, witness: Some(own(place)) }]);
                stretch.rest(Cause::Barrier, None);
            }
            None => stretch.rest(Cause::Barrier, None),
        }
    }

    /// What needs a unit: who was chosen, who holds it, what is on the way before it; then what any instruction waits for.
    fn unit(&self, place: &Place, wave: &Wave, instr: &Instr, to: i64, stretch: &mut Stretch) {
        let simd = (wave.se, wave.cu, wave.simd);
        let op = self.capture.op(instr);
        let matrix = op.is_some_and(|op| op.class == Class::Matrix);
        match Unit::of(self.capture, instr) {
            Some(Unit::Vector) if matrix => {
                self.held(place, simd, Unit::Vector, stretch, |event| event.matrix);
                self.chosen_last(place, simd, to, stretch);
                self.results(place, to, stretch);
                self.longer(place, simd, stretch, |class| class == Class::Matrix);
            }
            Some(Unit::Vector) => {
                self.matrix_result(place, to, stretch);
                self.chosen(place, simd, Unit::Vector, stretch);
                self.held(place, simd, Unit::Vector, stretch, |event| !event.matrix);
                self.held(place, simd, Unit::Vector, stretch, |event| event.matrix);
                self.results(place, to, stretch);
                self.longer(place, simd, stretch, |class| {
                    matches!(class, Class::Transcendental | Class::Double)
                });
                self.overwritten(place, to, stretch);
            }
            Some(unit @ (Unit::Memory | Unit::Lds)) => {
                self.chosen(place, simd, unit, stretch);
                self.held(place, simd, unit, stretch, |_| true);
                self.way(wave, unit, stretch);
                self.results(place, to, stretch);
            }
            Some(unit) => {
                self.chosen(place, simd, unit, stretch);
                self.held(place, simd, unit, stretch, |_| true);
                self.results(place, to, stretch);
            }
            None => {}
        }
        self.any(place, instr, What::Stall, stretch);
    }

    /// Slots that went to other waves of the SIMD.
    pub(super) fn chosen(&self, place: &Place, simd: Simd, unit: Unit, stretch: &mut Stretch) {
        let slot = slot(self.capture.generation);
        self.events(place, simd, unit, stretch, |event, others| {
            others.then_some((event.issued, event.issued.saturating_add(slot), Cause::Chosen))
        });
    }

    /// The same for matrix instructions, which others of the vector unit issue beside: only slots of older waves, and
    /// without another one between them and the issue. A slot that was free, or that a younger wave got, shows that the
    /// instruction was not ready: arbiters take the oldest.
    fn chosen_last(&self, place: &Place, simd: Simd, to: i64, stretch: &mut Stretch) {
        let slot = slot(self.capture.generation);
        let Some(&(from, _)) = stretch.open().first() else { return };
        let begin = |wave: u32| self.capture.waves.get(wave as usize).map(|wave| wave.begin);
        let older = |other: u32| (begin(other), other) < (begin(place.wave), place.wave);
        let mut edge = to;
        for event in self.units.near(simd, Unit::Vector, from, to).iter().rev() {
            if event.issued.saturating_add(slot) < edge {
                break;
            }
            if event.who.wave == place.wave {
                continue;
            }
            if !older(event.who.wave) {
                break;
            }
            edge = edge.min(event.issued);
        }
        self.events(place, simd, Unit::Vector, stretch, |event, others| {
            let last = others && event.issued >= edge;
            last.then_some((event.issued, event.issued.saturating_add(slot), Cause::Chosen))
        });
    }

    /// Cycles in which the unit is held.
    fn held(
        &self,
        place: &Place,
        simd: Simd,
        unit: Unit,
        stretch: &mut Stretch,
        which: impl Fn(&Event) -> bool,
    ) {
        self.events(place, simd, unit, stretch, |event, _| {
            which(event).then_some((event.issued, event.held, Cause::Unit))
        });
    }

    /// A hold that lasts longer than measured: the last slow instruction of the unit, if its hold ended shortly before.
    fn longer(&self, place: &Place, simd: Simd, stretch: &mut Stretch, slow: impl Fn(Class) -> bool) {
        let claims: Vec<Claim> = stretch
            .open()
            .iter()
            .filter_map(|&(from, to)| {
                let near = self.units.near(simd, Unit::Vector, from, from).iter().rev();
                let last = near.filter(|event| event.who != own(place)).find(|event| {
                    let instr = self.capture.instr(event.who.wave, event.who.item);
                    instr.and_then(|instr| self.capture.op(instr)).is_some_and(|op| slow(op.class))
                })?;
                let touches = last.held.saturating_add(LONGER) >= from;
                touches.then_some(Claim { from, to, cause: Cause::Unit, witness: Some(last.who) })
            })
            .collect();
        stretch.lay(claims);
    }

    /// Lays claims of a unit's events over what is open.
    fn events(
        &self,
        place: &Place,
        simd: Simd,
        unit: Unit,
        stretch: &mut Stretch,
        claim: impl Fn(&Event, bool) -> Option<(i64, i64, Cause)>,
    ) {
        let (Some(&(from, _)), Some(&(_, to))) = (stretch.open().first(), stretch.open().last()) else {
            return;
        };
        let near = self.units.near(simd, unit, from, to).iter();
        let near = near.filter(|event| event.who != own(place));
        stretch.lay(near.filter_map(|event| {
            let (from, to, cause) = claim(event, event.who.wave != place.wave)?;
            Some(Claim { from, to, cause, witness: Some(event.who) })
        }));
    }

    /// A matrix instruction whose result is needed: it holds the unit first, then its result takes its time.
    fn matrix_result(&self, place: &Place, to: i64, stretch: &mut Stretch) {
        let Some((item, before)) = self.producer(place, |before, own| {
            before.class == Class::Matrix && (own.needs(before) || own.overwrites(before))
        }) else {
            return;
        };
        let Some(instr) = self.capture.instr(place.wave, item) else { return };
        let hold = self.units.holds.get(&(Unit::Vector, before.name.clone())).map_or(16, |hold| hold.cycles);
        let (issued, held) = (instr.issued(), instr.issued().saturating_add(hold));
        if to > held.saturating_add(MATRIX_LATENCY) {
            return;
        }
        let witness = Some(Witness { wave: place.wave, item });
        stretch.lay([
            Claim { from: issued, to: held, cause: Cause::Unit, witness },
            Claim { from: held, to, cause: Cause::Dependency, witness },
        ]);
    }

    /// An earlier vector or scalar instruction whose result is needed, shortly before.
    fn results(&self, place: &Place, to: i64, stretch: &mut Stretch) {
        if stretch.done() {
            return;
        }
        let makes = |class: Class| class.is_vector() || class == Class::Scalar;
        let Some((item, before)) =
            self.producer(place, |before, own| makes(before.class) && own.needs(before))
        else {
            return;
        };
        let Some(instr) = self.capture.instr(place.wave, item) else { return };
        let latency = if before.class == Class::Matrix { MATRIX_LATENCY + 64 } else { VECTOR_LATENCY };
        if to <= instr.end().saturating_add(latency) {
            stretch.rest(Cause::Dependency, Some(Witness { wave: place.wave, item }));
        }
    }

    /// A memory instruction under way whose registers this one overwrites.
    fn overwritten(&self, place: &Place, to: i64, stretch: &mut Stretch) {
        if stretch.done() {
            return;
        }
        let goes = |class: Class| class.is_memory() || class.is_lds();
        let found = self.producer(place, |before, own| goes(before.class) && own.overwrites(before));
        let Some((item, _)) = found else { return };
        let Some(instr) = self.capture.instr(place.wave, item) else { return };
        if to <= instr.issued().saturating_add(READS_REGISTERS) {
            stretch.rest(Cause::MemoryPath, Some(Witness { wave: place.wave, item }));
        }
    }

    /// The way to memory is full: the oldest operation under way.
    fn way(&self, wave: &Wave, unit: Unit, stretch: &mut Stretch) {
        let claims: Vec<Claim> = stretch
            .open()
            .iter()
            .filter_map(|&(from, to)| {
                let (who, _) = self.ways.under(wave.se, wave.cu, unit, from)?;
                Some(Claim { from, to, cause: Cause::MemoryPath, witness: Some(who) })
            })
            .collect();
        stretch.lay(claims);
    }

    /// The last instruction before this one, not far back, of which something holds.
    pub(super) fn producer(&self, place: &Place, holds: impl Fn(&Op, &Op) -> bool) -> Option<(u32, &Op)> {
        let wave = self.capture.waves.get(place.wave as usize)?;
        let op = self.capture.op(wave.instrs.get(place.item as usize)?)?;
        let near = wave.instrs.get((place.item as usize).saturating_sub(BACK)..place.item as usize)?;
        (1..).zip(near.iter().rev()).find_map(|(back, instr)| {
            let before = self.capture.op(instr)?;
            holds(before, op).then_some((place.item - back, before))
        })
    }

    /// What any instruction may wait for: what this pair of lines always takes, code that is new, or just jumped to.
    pub(super) fn any(&self, place: &Place, instr: &Instr, what: What, stretch: &mut Stretch) {
        let Some(before) = place.item.checked_sub(1).filter(|_| !stretch.done()) else { return };
        let witness = Witness { wave: place.wave, item: before };
        let Some(previous) = self.capture.instr(place.wave, before) else { return };
        let value = match what {
            What::Gap => instr.clock.saturating_sub(previous.end()),
            What::Stall => i64::from(instr.stall),
        };
        let jumped = place.jump.filter(|(_, target)| {
            let address = self.capture.line(instr).map(|line| line.address);
            address.is_some_and(|address| address.checked_sub(*target).is_some_and(|past| past < JUMPED))
        });
        if self.pairs.same(what, previous.line, instr.line, value) {
            stretch.rest(Cause::Dependency, Some(witness));
        } else if let Some((jump, _)) = jumped {
            stretch.rest(Cause::Fetch, Some(Witness { wave: place.wave, item: jump }));
        } else if place.first {
            stretch.rest(Cause::Fetch, Some(witness));
        }
    }
}

fn own(place: &Place) -> Witness {
    Witness { wave: place.wave, item: place.item }
}
