//! Where the idle time of a device, or of one stream, went: exact to the nanosecond.
//!
//! 1. Idle is when nothing runs, between the first start and the last end: on a device, in none of its streams.
//! 2. A stretch of idle time is blamed on the operation that ends it; of several that begin together, on the one that
//!    all else permitted first, for none of the others kept the device idle that long. It is divided in time: until the constraint that held
//!    it back last was met, that constraint; until its launching call returned, launch; up to the device's latency,
//!    latency; then unexplained.
//! 3. While a launch was late, what its thread was in counts: a call that waited for an operation is a wait of the host.
//!    The rest is told apart: time in any other call, the launching one among them; time in no call after such a wait
//!    within the same stretch; other time in no call.
//!
//! Invariants: busy and idle add up to end less start; the causes add up to idle; the parts of the time by launch add up
//! to that; none is ever rounded.

use crate::cause::{Cause, Witness};
use crate::causes::Causes;
use crate::host::Stretch;
use crate::order::{NONE, narrow};
use crate::trace::{Kind, Operation};

/// Whose idle time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// A device's, by its place.
    Device(u32),
    /// A stream's, by its place.
    Stream(u32),
}

/// Where the time went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Account {
    /// From when.
    pub start: i64,
    /// Until when.
    pub end: i64,
    /// Time in which something ran.
    pub busy: u64,
    /// Of that, time in which only copies and sets ran.
    pub only_copies: u64,
    /// Time in which nothing ran.
    pub idle: u64,
    /// The idle time by cause, in the order of [`Cause::ALL`].
    pub causes: [u64; 10],
    /// The time by launch, by what the launching thread did.
    pub late: Late,
}

/// The time by late launches, by what the launching thread did in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Late {
    /// It was in no call, and had waited for an operation within the same stretch: its own time came on top.
    pub waited: u64,
    /// It was in a call that did not wait for an operation, or in the launching one.
    pub called: u64,
    /// It was in no call, and had not waited.
    pub unrecorded: u64,
}

/// The accounts of all devices and streams, by their places; none where nothing ran.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Accounts {
    /// Devices.
    pub devices: Vec<Option<Account>>,
    /// Streams.
    pub streams: Vec<Option<Account>>,
}

/// A part of a stretch in which nothing ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// From when.
    pub start: i64,
    /// Until when.
    pub end: i64,
    /// Why.
    pub cause: Cause,
    /// Who is to blame.
    pub witness: Witness,
    /// The operation that ends the stretch.
    pub ended_by: u32,
    /// Whether a wait of the host is before it in the stretch.
    pub after_wait: bool,
}

impl Account {
    /// How much a cause took.
    pub fn of(&self, cause: Cause) -> u64 {
        self.causes[cause as usize]
    }
}

/// The account of a device or a stream, within an interval if one is given; none where nothing ran there, or the interval
/// lies outside.
pub fn account(causes: &Causes, scope: Scope, within: Option<(i64, i64)>) -> Option<Account> {
    let mut idle = Vec::new();
    let all = accounts(causes, &mut |own, part| {
        if own == scope {
            idle.push(*part);
        }
    });
    let whole = match scope {
        Scope::Device(device) => all.devices.get(device as usize),
        Scope::Stream(stream) => all.streams.get(stream as usize),
    };
    let whole = whole.copied().flatten()?;
    let Some((from, to)) = within else { return Some(whole) };
    let (start, end) = (from.max(whole.start), to.min(whole.end));
    if start > end {
        return None;
    }
    let mut account = Account { start, end, ..Account::default() };
    for part in idle {
        let cut = Part { start: part.start.max(start), end: part.end.min(end), ..part };
        if cut.start < cut.end {
            account.add(&cut, late(causes, &cut));
        }
    }
    account.busy = end.abs_diff(start) - account.idle;
    account.only_copies = account.busy - kernels(causes, scope, start, end);
    Some(account)
}

impl Account {
    /// Counts a part of a stretch in which nothing ran.
    fn add(&mut self, part: &Part, late: Late) {
        let length = part.end.abs_diff(part.start);
        self.causes[part.cause as usize] += length;
        self.idle += length;
        self.late.waited += late.waited;
        self.late.called += late.called;
        self.late.unrecorded += late.unrecorded;
    }
}

/// Divides the time of a part by what the launching thread did, if a late launch is to blame.
fn late(causes: &Causes, part: &Part) -> Late {
    if part.cause != Cause::Launch {
        return Late::default();
    }
    let call = causes.trace.operations[part.ended_by as usize].call;
    let stretches = call.map_or(&[][..], |call| {
        causes.host.between(causes.trace.calls[call as usize].thread, part.start, part.end)
    });
    let met = |own: &Stretch| own.end.min(part.end).abs_diff(own.start.max(part.start));
    let called = stretches.iter().map(met).sum();
    let own = part.end.abs_diff(part.start) - called;
    let (waited, unrecorded) = if part.after_wait { (own, 0) } else { (0, own) };
    Late { waited, called, unrecorded }
}

/// What is known of a scope while all operations are gone through once.
#[derive(Debug, Clone, Copy)]
struct Open {
    account: Account,
    kernels: u64,
    until: i64,
}

/// The accounts of all devices and streams, in one walk; every part of every idle stretch is told.
pub fn accounts(causes: &Causes, sink: &mut dyn FnMut(Scope, &Part)) -> Accounts {
    let trace = causes.trace;
    let mut devices: Vec<Option<Open>> = vec![None; trace.devices.len()];
    let mut streams: Vec<Option<Open>> = vec![None; trace.streams.len()];
    let (mut place, mut ends) = (0, Vec::new());
    // A stretch of a stream mostly is one of its device, too.
    let (mut last, mut divided) = (None, Vec::new());
    while let Some(first) = trace.operations.get(place as usize) {
        let rest = trace.operations[place as usize..].iter();
        let next = place + narrow(rest.take_while(|own| own.start == first.start).count());
        ending(causes, place..next, &mut ends);
        for &(scope, operation) in &ends {
            let open = match scope {
                Scope::Device(device) => &mut devices[device as usize],
                Scope::Stream(stream) => &mut streams[stream as usize],
            };
            let Some(open) = open.as_mut().filter(|open| open.account.end < first.start) else { continue };
            if last != Some((operation, open.account.end)) {
                last = Some((operation, open.account.end));
                divided.clear();
                stretch(causes, operation, open.account.end, &mut |part: Part| {
                    if part.start < part.end {
                        divided.push((part, late(causes, &part)));
                    }
                });
            }
            for (part, late) in &divided {
                open.account.add(part, *late);
                sink(scope, part);
            }
        }
        for own in place..next {
            let (device, stream) = (causes.device(own), trace.operations[own as usize].stream);
            ran(&mut devices[device as usize], &trace.operations[own as usize]);
            ran(&mut streams[stream as usize], &trace.operations[own as usize]);
        }
        place = next;
    }
    let all = |all: Vec<Option<Open>>| all.into_iter().map(|open| open.map(Open::finish)).collect();
    Accounts { devices: all(devices), streams: all(streams) }
}

/// Of operations that begin together, the one that ends a stretch of each scope: of a stream the first, for the others
/// follow it; of a device that of these which all else permitted first.
fn ending(causes: &Causes, together: std::ops::Range<u32>, ends: &mut Vec<(Scope, u32)>) {
    let stream = |own: u32| causes.trace.operations[own as usize].stream;
    ends.clear();
    if together.len() == 1 {
        let own = together.start;
        return ends.extend([(Scope::Device(causes.device(own)), own), (Scope::Stream(stream(own)), own)]);
    }
    let mut firsts: Vec<(u32, u32)> = together.map(|own| (stream(own), own)).collect();
    firsts.sort_unstable();
    firsts.dedup_by_key(|first| first.0);
    let mut devices: Vec<_> =
        firsts.iter().map(|&(_, own)| (causes.device(own), permitted(causes, own), own)).collect();
    devices.sort_unstable();
    devices.dedup_by_key(|first| first.0);
    let devices = devices.into_iter().map(|(device, _, own)| (Scope::Device(device), own));
    ends.extend(devices.chain(firsts.into_iter().map(|(stream, own)| (Scope::Stream(stream), own))));
}

/// Takes in an operation of a scope.
fn ran(open: &mut Option<Open>, own: &Operation) {
    let fresh = Account { start: own.start, end: own.end, ..Account::default() };
    let open = open.get_or_insert(Open { account: fresh, kernels: 0, until: own.start });
    open.account.end = open.account.end.max(own.end);
    if matches!(own.kind, Kind::Kernel(_)) && own.end > open.until {
        open.kernels += own.end.abs_diff(own.start.max(open.until));
        open.until = own.end;
    }
}

impl Open {
    fn finish(self) -> Account {
        let busy = self.account.end.abs_diff(self.account.start) - self.account.idle;
        Account { busy, only_copies: busy - self.kernels, ..self.account }
    }
}

/// When all that the recording does not refute had permitted an operation.
fn permitted(causes: &Causes, operation: u32) -> Option<i64> {
    causes.why_held(operation).earliest
}

/// The time within an interval in which kernels ran.
fn kernels(causes: &Causes, scope: Scope, start: i64, end: i64) -> u64 {
    let (mut covered, mut until) = (0, start);
    for (place, own) in (0..).zip(&causes.trace.operations) {
        let mine = match scope {
            Scope::Device(device) => causes.device(place) == device,
            Scope::Stream(stream) => own.stream == stream,
        };
        if mine && matches!(own.kind, Kind::Kernel(_)) {
            let (from, to) = (own.start.max(until), own.end.min(end));
            if from < to {
                covered += to.abs_diff(from);
                until = to;
            }
        }
    }
    covered
}

/// Divides the stretch from a time to the start of the operation that ends it.
fn stretch(causes: &Causes, operation: u32, from: i64, sink: &mut impl FnMut(Part)) {
    let own = &causes.trace.operations[operation as usize];
    let why = causes.why_held(operation);
    let whole = Part {
        start: from,
        end: own.start,
        cause: why.cause,
        witness: Witness::Nothing,
        ended_by: operation,
        after_wait: false,
    };
    let Some(earliest) = why.earliest else {
        return sink(whole);
    };
    let met = earliest.clamp(from, own.start);
    let ready = earliest.saturating_add_unsigned(why.launching).clamp(met, own.start);
    let late = earliest.saturating_add_unsigned(why.launching).saturating_add_unsigned(why.latency);
    let late = late.clamp(ready, own.start);
    let call = own.call.map_or(Witness::Nothing, Witness::Call);
    let mut after_wait = false;
    if why.cause == Cause::Launch {
        let whole = Part { end: met, witness: call, ..whole };
        after_wait = host(causes, own.call.unwrap_or(NONE), whole, sink);
    } else {
        let witness =
            why.after.map_or(Witness::Nothing, |after| after.witness(&causes.order, &causes.events));
        sink(Part { end: met, witness, ..whole });
    }
    sink(Part { start: met, end: ready, cause: Cause::Launch, witness: call, after_wait, ..whole });
    sink(Part { start: ready, end: late, cause: Cause::Latency, witness: Witness::Nothing, ..whole });
    sink(Part { start: late, cause: Cause::Unexplained, witness: Witness::Nothing, ..whole });
}

/// Divides the time before a late launch by what its thread was in; whether it waited.
fn host(causes: &Causes, call: u32, mut whole: Part, sink: &mut impl FnMut(Part)) -> bool {
    let Some(launch) = causes.trace.calls.get(call as usize) else {
        sink(whole);
        return false;
    };
    for stretch in causes.host.between(launch.thread, whole.start, whole.end) {
        let operation = causes.awaited(stretch.call);
        let (start, end) = (stretch.start.max(whole.start), stretch.end.min(whole.end));
        if let Some(operation) = operation.filter(|_| start < end) {
            let witness = Witness::Waited { call: stretch.call, operation };
            sink(Part { end: start, ..whole });
            sink(Part { start, end, cause: Cause::HostWait, witness, ..whole });
            (whole.start, whole.after_wait) = (end, true);
        }
    }
    sink(whole);
    whole.after_wait
}

impl Causes<'_> {
    /// The operation that a call really waited for: one that had not ended when the call began.
    pub fn awaited(&self, call: u32) -> Option<u32> {
        let operation = self.waited[call as usize];
        let ended = self.trace.operations.get(operation as usize)?.end;
        (ended > self.trace.calls[call as usize].start).then_some(operation)
    }
}
