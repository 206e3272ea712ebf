//! Why every operation started when it did: the earliest start that each constraint permits, and the latest of these.
//!
//! 1. The binding constraint is the latest; of equal ones, the first in the order of causes.
//! 2. What passed since then is divided: until the launching call returned, launching, unless that call waits for the
//!    operation itself and something else was binding; then up to the device's latency, or until as long after that return
//!    as launches take, latency; the rest is unexplained. Together they are the residual, start less earliest, unless that
//!    is negative.
//! 3. A negative residual says that the constraint did not hold, or that clocks differ. It is told, and accounts ask for
//!    the latest constraint that held instead; a launch counts as one that held, for only clocks can make it late.
//! 4. A copy engine is inferred, not recorded. Where a copy began no later after its launch than any ever did that its
//!    launch alone held back, no engine held it: then nothing is blamed on that.
//!
//! Invariant: whatever is named as a witness was recorded, and as the assumptions say.

use crate::cause::{Cause, Witness};
use crate::constraints::{After, Constraint, Constraints, copy_line};
use crate::events::Events;
use crate::host::Host;
use crate::latency::{Latencies, latencies};
use crate::order::{Order, narrow};
use crate::trace::{Does, Trace};
use crate::waited::waited;

/// Why an operation started when it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Why {
    /// When all that is known permitted its start; none where nothing is known.
    pub earliest: Option<i64>,
    /// The kind of the binding constraint; unexplained where nothing is known.
    pub cause: Cause,
    /// What was waited for last.
    pub after: Option<After>,
    /// Start less earliest; negative where it began before.
    pub residual: i64,
    /// How much of that the launching call took until it returned.
    pub launching: u64,
    /// How much is the device's own latency.
    pub latency: u64,
    /// How much nothing explains.
    pub unexplained: u64,
}

/// The latest constraint of an operation and its time, if it has any.
pub(crate) type Binding = Option<(i64, Constraint)>;

/// All that is known of why operations started when they did.
#[derive(Debug)]
pub struct Causes<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// The order within streams.
    pub order: Order,
    /// Threads.
    pub host: Host,
    /// Records and waits.
    pub events: Events,
    /// By call: the operation that it waited for, or none.
    pub waited: Vec<u32>,
    /// What had to happen before each operation.
    pub constraints: Constraints,
    /// By device: how soon after its launch a copy ever began that its launch alone held back.
    soonest: Vec<Option<i64>>,
    /// The latency of each device.
    pub latency: Vec<Latencies>,
    /// By operation.
    pub why: Vec<Why>,
}

impl<'a> Causes<'a> {
    /// Of a trace for which [`Trace::check`] finds nothing.
    pub fn of(trace: &'a Trace) -> Self {
        let order = Order::of(trace);
        let events = Events::of(trace, &order);
        let waited = waited(trace, &order, &events);
        let constraints = Constraints::of(trace, &order, &events);
        let (host, why) = (Host::of(trace), Vec::with_capacity(trace.operations.len()));
        let (soonest, latency) = (Vec::new(), Vec::new());
        let mut causes = Self { trace, order, host, events, waited, constraints, soonest, latency, why };
        let all = 0..narrow(trace.operations.len());
        let mut bindings: Vec<Binding> = all.clone().map(|operation| causes.binding(operation)).collect();
        causes.soonest = causes.launches(&bindings);
        let engine = |one: &Constraint| one.cause == Cause::CopyEngine;
        for operation in all.clone().filter(|&one| causes.constraints.before(one).iter().any(engine)) {
            bindings[operation as usize] = causes.binding(operation);
        }
        causes.latency = latencies(&causes, &bindings);
        for (operation, binding) in all.zip(bindings) {
            causes.why.push(causes.explain(operation, binding));
        }
        causes
    }

    /// The latest constraint of an operation, and its time.
    fn binding(&self, operation: u32) -> Binding {
        latest(self.blamed(operation))
    }

    /// The latest that the recording does not refute.
    fn held(&self, operation: u32) -> Binding {
        let start = self.trace.operations[operation as usize].start;
        latest(self.blamed(operation).filter(|(time, one)| *time <= start || one.cause == Cause::Launch))
    }

    /// What an operation may be said to have waited for.
    fn blamed(&self, operation: u32) -> impl Iterator<Item = (i64, Constraint)> {
        let all = self.constraints.before(operation).iter().map(|one| (self.time(one.after), *one));
        all.filter(move |(_, one)| one.cause != Cause::CopyEngine || !self.only_launched(operation))
    }

    /// Whether a copy began as soon after its launch as any that its launch alone held back.
    fn only_launched(&self, operation: u32) -> bool {
        let own = &self.trace.operations[operation as usize];
        let soonest = self.soonest.get(self.device(operation) as usize).copied().flatten();
        let since = own.call.map(|call| own.start.saturating_sub(self.trace.calls[call as usize].start));
        since.zip(soonest).is_some_and(|(since, soonest)| since <= soonest)
    }

    /// By device: how soon after its launch a copy ever began that its launch alone held back; without any, a kernel.
    fn launches(&self, bindings: &[Binding]) -> Vec<Option<i64>> {
        let mut soonest = vec![[None::<i64>; 2]; self.trace.devices.len()];
        for (operation, (own, binding)) in (0..).zip(self.trace.operations.iter().zip(bindings)) {
            let binding = binding.filter(|binding| binding.1.cause == Cause::Launch);
            let Some((since, _)) = binding.filter(|binding| binding.0 <= own.start) else { continue };
            let time = own.start.saturating_sub(since);
            let known =
                &mut soonest[self.device(operation) as usize][usize::from(copy_line(&own.kind).is_none())];
            *known = Some(known.map_or(time, |known| known.min(time)));
        }
        soonest.into_iter().map(|[copies, others]| copies.or(others)).collect()
    }

    /// When something was that others come after.
    pub fn time(&self, after: After) -> i64 {
        after.time(self.trace, &self.order, &self.events)
    }

    /// Who is to blame for an operation's start, by its binding constraint.
    pub fn witness(&self, operation: u32) -> Witness {
        let after = self.why[operation as usize].after;
        after.map_or(Witness::Nothing, |after| after.witness(&self.order, &self.events))
    }

    /// As [`Causes::why`], of the latest constraint that the recording does not refute.
    pub fn why_held(&self, operation: u32) -> Why {
        let why = self.why[operation as usize];
        if why.residual >= 0 { why } else { self.explain(operation, self.held(operation)) }
    }

    /// The device of an operation.
    pub fn device(&self, operation: u32) -> u32 {
        self.trace.streams[self.trace.operations[operation as usize].stream as usize].device
    }

    fn explain(&self, operation: u32, binding: Binding) -> Why {
        let own = &self.trace.operations[operation as usize];
        let Some((earliest, Constraint { cause, after })) = binding else {
            let cause = Cause::Unexplained;
            return Why {
                earliest: None,
                cause,
                after: None,
                residual: 0,
                launching: 0,
                latency: 0,
                unexplained: 0,
            };
        };
        // A call that waits for what it launched has launched it before it returns: only where nothing else held it back
        // is the time within the call the host's.
        let own_wait = |call: &u32| self.trace.calls[*call as usize].does == Does::AwaitOperation(operation);
        let launching = own.call.filter(|call| cause == Cause::Launch || !own_wait(call));
        let returned = launching.map_or(earliest, |call| self.trace.calls[call as usize].end);
        let ready = returned.min(own.start).max(earliest);
        let rest = own.start.saturating_sub(ready).max(0).unsigned_abs();
        let latencies = &self.latency[self.device(operation) as usize];
        let after_launch = launching.map_or(0, |call| {
            let most = latencies.after_launch(&own.kind).most;
            let until = self.trace.calls[call as usize].end.saturating_add_unsigned(most);
            until.saturating_sub(ready).max(0).unsigned_abs()
        });
        let latency = rest.min(latencies.before(&own.kind).most.max(after_launch));
        let residual = own.start.saturating_sub(earliest);
        let launching = ready.saturating_sub(earliest).unsigned_abs();
        Why {
            earliest: Some(earliest),
            cause,
            after: Some(after),
            residual,
            launching,
            latency,
            unexplained: rest - latency,
        }
    }
}

/// The latest; of equal ones, the first in the order of causes, and within a cause the last.
fn latest(all: impl Iterator<Item = (i64, Constraint)>) -> Binding {
    all.reduce(|best, one| {
        let later = one.0 > best.0 || one.0 == best.0 && one.1.cause <= best.1.cause;
        if later { one } else { best }
    })
}
