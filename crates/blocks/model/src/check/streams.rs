//! When each operation got to the head of its stream's queue, and whether it waited for that: G1, G2, G4, C1, C4,
//! N1, N2.
//!
//! Queue times of the trace are not used: an operation gets to the head once it was issued and all earlier ones of
//! its stream have ended, and goes on once N1 or N2 lets it. Each operation is told about once, under the first of
//! G1, G2 (C1) and N1 (N2) that it breaks. One that the host saw ended counts as ended from then on, so that one
//! wrong end is told once (G4, C4) and not again for all that followed on time.
//!
//! Behind something that is not in the trace an operation may have entered its queue as late as it started.

use super::across::Across;
use super::facts::{Facts, Op};
use super::fault::{Faults, Why};
use crate::rule::Rule;
use crate::trace::Subject;
use base::Nanos;

/// When an operation could enter its EE or CE queue. Of each pair, the earliest and the latest possible.
#[derive(Clone)]
pub(super) struct Entry {
    /// When it was issued, by the clock of the host.
    pub issued: (Nanos, Nanos),
    /// When all it had to wait for had ended.
    pub released: (Nanos, Nanos),
    /// Whether it started too early, so that its place in the queue is not known.
    pub early: bool,
}

impl Entry {
    /// The latest time at which it entered, by the clock of the device.
    pub fn entered_by(&self, clocks: Nanos) -> Nanos {
        self.released.1.max(self.issued.1 + clocks)
    }
}

/// Ends of several operations: the latest, whose it is, and the latest possible.
#[derive(Clone, Copy, Default)]
pub(super) struct Ends {
    pub earliest: Nanos,
    pub whose: Option<usize>,
    pub latest: Nanos,
}

impl Ends {
    pub fn take(&mut self, end: (Nanos, Nanos), whose: usize) {
        self.take_all(Self { earliest: end.0, whose: Some(whose), latest: end.1 });
    }

    pub fn take_all(&mut self, other: Self) {
        if self.whose.is_none() || other.whose.is_some() && other.earliest > self.earliest {
            (self.earliest, self.whose) = (other.earliest, other.whose);
        }
        self.latest = self.latest.max(other.latest);
    }
}

/// The entry of each operation; what starts too early or ends too late is told.
pub(super) fn entries(facts: &Facts, faults: &mut Faults) -> Vec<Entry> {
    let idle = seen_idle(facts);
    let ends: Vec<(Nanos, Nanos)> = (0..facts.ops.len()).map(|i| end_of(facts, i, idle[i], faults)).collect();
    let across = Across::new(facts, &ends);
    let mut streams = vec![Ends::default(); facts.setup.streams.len()];
    let mut entries = Vec::with_capacity(facts.ops.len());
    for (i, op) in facts.ops.iter().enumerate() {
        entries.push(entry(facts, i, streams[op.stream], across.before(facts, i), faults));
        streams[op.stream].take(ends[i], i);
    }
    entries
}

/// When the host first saw the stream of each operation idle after it.
fn seen_idle(facts: &Facts) -> Vec<Nanos> {
    let mut streams = vec![Nanos::NEVER; facts.setup.streams.len()];
    let mut idle = vec![Nanos::NEVER; facts.ops.len()];
    for (i, op) in facts.ops.iter().enumerate().rev() {
        let seen = match op.subject {
            Subject::Kernel(run) => facts.config.idle_at(run),
            Subject::Copy(run) => facts.config.idle_after_copy_at(run),
        };
        let stream = &mut streams[op.stream];
        *stream = (*stream).min(seen.unwrap_or(Nanos::NEVER));
        idle[i] = *stream;
    }
    idle
}

/// When an operation ended as far as those after it are concerned; G4 and C4 on the way.
fn end_of(facts: &Facts, i: usize, idle: Nanos, faults: &mut Faults) -> (Nanos, Nanos) {
    let (op, clocks) = (&facts.ops[i], facts.config.clocks);
    if idle == Nanos::NEVER {
        return op.end;
    }
    let rule = if is_copy(op) { Rule::C4 } else { Rule::G4 };
    faults.examined.add(rule, 1);
    let latest = op.end.1.min(idle + clocks);
    if idle + clocks + facts.config.tolerance >= op.end.0 {
        return (op.end.0, latest.max(op.end.0));
    }
    faults.add(rule, op.end.0, i, None, Why::SeenIdle(idle));
    (op.end.0.min(idle - clocks), latest)
}

fn entry(facts: &Facts, i: usize, stream: Ends, (rule, other): (Rule, Ends), faults: &mut Faults) -> Entry {
    let (op, tolerance, clocks) = (&facts.ops[i], facts.config.tolerance, facts.config.clocks);
    let mut released = (stream.earliest.max(other.earliest), stream.latest.max(other.latest));
    let mut issued = op.issued;
    if let Subject::Kernel(run) = op.subject
        && facts.config.is_behind_unseen(run)
    {
        // Nothing tells when the unseen ended; its own start is the first sign that it is over.
        released.1 = Nanos::NEVER;
    }
    let Some(start) = op.start else { return Entry { issued, released, early: false } };

    let head = if is_copy(op) { Rule::C1 } else { Rule::G2 };
    faults.examined.add(Rule::G1, 1);
    faults.examined.add(head, usize::from(stream.whose.is_some()));
    faults.examined.add(rule, usize::from(other.whose.is_some()));
    let broken = if start + tolerance + clocks < op.issued.0 {
        Some((Rule::G1, Why::BeforeCall(op.issued.0)))
    } else {
        [(head, stream), (rule, other)]
            .into_iter()
            .find(|(_, ends)| start + tolerance < ends.earliest)
            .and_then(|(rule, ends)| {
                ends.whose.map(|whom| (rule, Why::Before { whom, until: ends.earliest }))
            })
    };
    match broken {
        None => {
            // What has started has entered its queue.
            released.1 = released.1.min(start).max(released.0.min(start));
            issued.1 = issued.1.min(start + clocks).max(issued.0);
            Entry { issued, released, early: false }
        }
        Some((rule, why)) => {
            let at = facts.copy(op).map_or(start, |copy| copy.start);
            faults.add(rule, at, i, op.first, why);
            tell_early_blocks(facts, i, released.0.max(op.issued.0 - clocks), faults);
            released.0 = Nanos::ZERO;
            issued.0 = if rule == Rule::G1 { Nanos::ZERO } else { issued.0 };
            Entry { issued, released, early: true }
        }
    }
}

/// Marks the blocks that were too early with their kernel.
fn tell_early_blocks(facts: &Facts, i: usize, not_before: Nanos, faults: &mut Faults) {
    for (index, block) in facts.blocks_of(i) {
        if block.start + facts.config.tolerance < not_before {
            faults.told[index] = true;
        }
    }
}

fn is_copy(op: &Op) -> bool {
    matches!(op.subject, Subject::Copy(_))
}
