//! Why no instruction had come up.

use super::pairs::What;
use super::stretch::Stretch;
use super::{Maker, Place};
use crate::capture::Kind;
use crate::cause::{Cause, Part, Witness};
use crate::units::Unit;

/// So long after its end a result may be waited for.
const LATENCY: i64 = 40;

impl Maker<'_> {
    /// Explains the cycles between an instruction and the one before it.
    pub(super) fn gap(&self, place: &Place, from: i64, to: i64, into: &mut Vec<Part>) {
        let mut stretch = Stretch::new(place.item, from, to);
        self.explain(place, to, &mut stretch);
        stretch.finish(into);
    }

    fn explain(&self, place: &Place, to: i64, stretch: &mut Stretch) {
        let Some(wave) = self.capture.waves.get(place.wave as usize) else { return };
        let Some(instr) = wave.instrs.get(place.item as usize) else { return };
        let Some(before) = place.item.checked_sub(1) else { return };
        let Some(previous) = wave.instrs.get(before as usize) else { return };
        let witness = |item| Some(Witness { wave: place.wave, item });
        match previous.kind {
            Kind::Jump => return stretch.rest(Cause::Fetch, witness(before)),
            // That a jump is not taken is a result, too.
            Kind::Next => return stretch.rest(Cause::Dependency, witness(before)),
            _ => {}
        }
        if let Some((item, _)) = self.producer(place, |before, own| own.needs(before)) {
            let end = self.capture.instr(place.wave, item).map_or(i64::MIN, |instr| instr.end());
            if to <= end.saturating_add(LATENCY) {
                return stretch.rest(Cause::Dependency, witness(item));
            }
        }
        if self.pairs.same(What::Gap, previous.line, instr.line, instr.clock.saturating_sub(previous.end())) {
            return stretch.rest(Cause::Dependency, witness(before));
        }
        if let Some(unit) = Unit::of(self.capture, instr) {
            self.chosen(place, (wave.se, wave.cu, wave.simd), unit, stretch);
        }
        self.any(place, instr, What::Gap, stretch);
    }
}
