//! Memory operations that are under way on a compute unit, as far as it is known.
//!
//! Assumes of an operation whose return nothing shows exactly: it takes no longer than is usual for its kind, and has
//! returned when a wait has seen it. Of those under way the oldest is the witness, as queues are left in order.

use std::collections::BTreeMap;

use crate::capture::Capture;
use crate::cause::Witness;
use crate::latency::Latencies;
use crate::required::Required;
use crate::units::Unit;

/// An operation.
#[derive(Debug, Clone, Copy)]
struct Under {
    issued: i64,
    returned: i64,
    who: Witness,
}

/// Operations by compute unit and way, in the order of issue.
#[derive(Default)]
pub(super) struct Ways(BTreeMap<(u32, u32, Unit), Vec<Under>>);

/// No queue holds more.
const LOOKED_AT: usize = 512;

impl Ways {
    /// Collects them.
    pub fn of(capture: &Capture, required: &[Required], latencies: &Latencies) -> Self {
        let mut found = Self::default();
        for ((wave, own), required) in (0..).zip(&capture.waves).zip(required) {
            for ((item, instr), returned) in (0..).zip(&own.instrs).zip(&required.returned) {
                let unit = Unit::of(capture, instr);
                let Some(unit @ (Unit::Memory | Unit::Lds)) = unit else { continue };
                let issued = instr.issued();
                let usual = capture.op(instr).and_then(|op| latencies.usual(&op.name, op.class));
                let usual = issued.saturating_add(usual.unwrap_or(if unit == Unit::Lds { 64 } else { 500 }));
                let seen = returned.map_or(own.end, |returned| returned.time());
                let exact = matches!(returned, Some(crate::required::Returned::At(_)));
                let returned = if exact { seen } else { seen.min(usual) };
                let under = Under { issued, returned, who: Witness { wave, item } };
                found.0.entry((own.se, own.cu, unit)).or_default().push(under);
            }
        }
        found.0.values_mut().for_each(|all| all.sort_by_key(|under| (under.issued, under.who)));
        found
    }

    /// The oldest operation that is under way at a time, and how many are.
    pub fn under(&self, se: u32, cu: u32, unit: Unit, at: i64) -> Option<(Witness, usize)> {
        let all = self.0.get(&(se, cu, unit))?;
        let end = all.partition_point(|under| under.issued < at);
        let near = all.get(end.saturating_sub(LOOKED_AT)..end)?;
        let mut under = near.iter().filter(|under| under.returned > at);
        let oldest = under.next()?.who;
        Some((oldest, 1 + under.count()))
    }
}
