//! For every operation, what had to happen before it could start.
//!
//! The rules and what they assume are [`crate::assumptions`] 2 to 10. Of what the null stream and events hold back, an
//! operation's list only has what the operations before it in its stream need not have waited for already.
//!
//! Invariant: lists are in the order of causes; whatever is named was recorded.

use std::collections::BTreeMap;

use crate::capacity::shortages;
use crate::cause::{Cause, Witness};
use crate::events::Events;
use crate::nulls::{Group, groups};
use crate::occupancy::Resource;
use crate::order::{NONE, Order, narrow};
use crate::slices::Slices;
use crate::trace::{Direction, Kind, Trace};
use crate::woven;

/// After what an operation could start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// The beginning of a call.
    Call(u32),
    /// The end of everything in a stream up to a place.
    Done(u32),
    /// The end of an operation.
    End(u32),
    /// So long before the end of a kernel that held what there was not enough of.
    Held(u32, u64, Resource),
    /// The passing of what a wait, and those before it in its stream, waited for.
    Passed(u32),
    /// The beginning of a slice.
    Slice(u32),
}

/// Something that had to happen before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Constraint {
    /// Of which kind.
    pub cause: Cause,
    /// After what.
    pub after: After,
}

/// The constraints of all operations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Constraints {
    first: Vec<u32>,
    list: Vec<Constraint>,
}

impl Constraints {
    /// Of a trace.
    pub fn of(trace: &Trace, order: &Order, events: &Events) -> Self {
        let graphs = within_graphs(trace, order);
        let nulls = null_streams(trace, order);
        let mut copies = copies_before(trace, order).into_iter().peekable();
        let (shortages, slices) = (shortages(trace, order), Slices::of(trace));
        let (mut null, mut shortage) = (0, 0);
        let mut all = Self {
            first: Vec::with_capacity(trace.operations.len() + 1),
            list: Vec::with_capacity(2 * trace.operations.len()),
        };
        for (operation, own) in trace.operations.iter().enumerate() {
            all.first.push(narrow(all.list.len()));
            let begin = all.list.len();
            let mut add = |cause, after| all.list.push(Constraint { cause, after });
            let (place, stream) = (order.place[operation], order.stream[operation]);
            if let Some(call) = own.call {
                add(Cause::Launch, After::Call(call));
            }
            if let Some(before) = before_batch(order, stream, place) {
                add(Cause::Stream, After::Done(before));
            }
            if let Ok(found) = graphs.binary_search_by_key(&place, |own| own.0) {
                add(Cause::Stream, After::End(graphs[found].1));
            }
            if let Some(wait) = new_wait(order, events, stream, place) {
                add(Cause::Event, After::Passed(wait));
            }
            while nulls.get(null).is_some_and(|one| one.0 as usize == operation) {
                add(Cause::NullStream, After::Done(nulls[null].1));
                null += 1;
            }
            if let Some((_, copy)) = copies.next_if(|own| own.0 as usize == operation) {
                add(Cause::CopyEngine, After::End(copy));
            }
            if let Some(one) = shortages.get(shortage).filter(|one| one.waiting as usize == operation) {
                let before = trace.operations[one.holding as usize].end.abs_diff(one.until);
                add(Cause::Room, After::Held(one.holding, before, one.lacking));
                shortage += 1;
            }
            if trace.slices.is_empty() {
                continue;
            }
            let latest = all.list[begin..].iter().map(|one| one.after.time(trace, order, events)).max();
            if let Some(slice) = latest.and_then(|latest| slices.waited(trace, order, operation, latest)) {
                all.list.push(Constraint { cause: Cause::Process, after: After::Slice(slice) });
            }
        }
        all.first.push(narrow(all.list.len()));
        all
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// What had to happen before an operation.
    pub fn before(&self, operation: u32) -> &[Constraint] {
        &self.list[self.first[operation as usize] as usize..self.first[operation as usize + 1] as usize]
    }
}

impl After {
    /// When that was.
    pub fn time(self, trace: &Trace, order: &Order, events: &Events) -> i64 {
        match self {
            Self::Call(call) => trace.calls[call as usize].start,
            Self::Done(place) => order.done(trace, place),
            Self::End(operation) => trace.operations[operation as usize].end,
            Self::Held(operation, before, _) => {
                trace.operations[operation as usize].end.saturating_sub_unsigned(before)
            }
            Self::Passed(wait) => events.passed[wait as usize].map_or(i64::MIN, |passed| passed.time),
            Self::Slice(slice) => trace.slices[slice as usize].start,
        }
    }

    /// Who is to blame.
    pub fn witness(self, order: &Order, events: &Events) -> Witness {
        match self {
            Self::Call(call) => Witness::Call(call),
            Self::Done(place) => Witness::Operation(order.last[place as usize]),
            Self::End(operation) => Witness::Operation(operation),
            Self::Held(operation, _, lacking) => Witness::Held { operation, lacking },
            Self::Passed(wait) => events.passed[wait as usize].map_or(Witness::Nothing, |passed| {
                Witness::Event { operation: passed.operation, wait: events.binding[wait as usize] }
            }),
            Self::Slice(slice) => Witness::Slice(slice),
        }
    }
}

/// The place before a batch in its stream, if it has one.
fn before_batch(order: &Order, stream: u32, place: u32) -> Option<u32> {
    let batch = order.batch[place as usize];
    (batch > order.begin(stream)).then(|| batch - 1)
}

/// By place, for nodes of graphs: the node of their batch which had ended last when they began.
fn within_graphs(trace: &Trace, order: &Order) -> Vec<(u32, u32)> {
    let mut before = Vec::new();
    let mut running: BTreeMap<(i64, u32), u32> = BTreeMap::new();
    let mut latest = None;
    for (place, &operation) in order.sequence.iter().enumerate() {
        if order.batch[place] as usize == place {
            running.clear();
            latest = None;
            if order.batch.get(place + 1).is_none_or(|&next| next as usize != place) {
                // A batch of one.
                continue;
            }
        }
        let own = &trace.operations[operation as usize];
        while let Some((&(end, node), _)) =
            running.first_key_value().filter(|((end, _), _)| *end <= own.start)
        {
            latest = latest.max(Some((end, node)));
            running.pop_first();
        }
        if let Some((_, node)) = latest {
            before.push((narrow(place), node));
        }
        running.insert((own.end, operation), operation);
    }
    before
}

/// The wait that holds for an operation and did not hold for what is before it in its stream.
fn new_wait(order: &Order, events: &Events, stream: u32, place: u32) -> Option<u32> {
    let holding = |place: u32| events.holding(stream, order.from[place as usize]);
    let wait = holding(place)?;
    let before = before_batch(order, stream, place).and_then(holding);
    (before != Some(wait) && events.passed[wait as usize].is_some()).then_some(wait)
}

/// Operations and the places that they follow because of a null stream, in the order of operations.
fn null_streams(trace: &Trace, order: &Order) -> Vec<(u32, u32)> {
    let mut follows = Vec::new();
    for Group { nulls, blocking } in groups(trace) {
        let put = put(order, &blocking);
        nulls.iter().for_each(|&null| follow_many(order, null, &put, &mut follows));
        for stream in blocking {
            nulls.iter().for_each(|&null| follow_one(order, stream, null, &mut follows));
        }
    }
    woven::sort(&mut follows);
    follows
}

/// The places of streams by when they were certainly put there.
pub(crate) fn put(order: &Order, streams: &[u32]) -> Vec<(i64, u32, u32)> {
    let mut put = Vec::new();
    for &stream in streams {
        let places = order.known(stream as usize);
        put.extend(places.map(|place| (order.by[place], narrow(place), stream)));
    }
    woven::sort(&mut put);
    put
}

/// Lets a null stream follow all blocking ones.
fn follow_many(order: &Order, null: u32, put: &[(i64, u32, u32)], follows: &mut Vec<(u32, u32)>) {
    let (mut next, mut fresh) = (0, BTreeMap::new());
    let mut batch = NONE;
    for place in order.first[null as usize]..order.first[null as usize + 1] {
        if order.batch[place as usize] != batch {
            batch = order.batch[place as usize];
            fresh.clear();
            while let Some(&(_, before, stream)) =
                put.get(next).filter(|put| put.0 <= order.from[place as usize])
            {
                let latest = fresh.entry(stream).or_insert(before);
                *latest = before.max(*latest);
                next += 1;
            }
        }
        follows.extend(fresh.values().map(|&before| (order.sequence[place as usize], before)));
    }
}

/// Lets a blocking stream follow a null one.
fn follow_one(order: &Order, stream: u32, null: u32, follows: &mut Vec<(u32, u32)>) {
    let put = |place: u32| order.put_by(null, order.from[place as usize]);
    for place in order.first[stream as usize]..order.first[stream as usize + 1] {
        let before = before_batch(order, stream, place).and_then(put);
        if let Some(last) = put(place).filter(|&last| Some(last) != before) {
            follows.push((order.sequence[place as usize], last));
        }
    }
}

/// On which copy engine of its device something is: of copies to the device, or to the host.
pub(crate) fn copy_line(kind: &Kind) -> Option<bool> {
    match kind {
        Kind::Copy(Direction::ToDevice, _) => Some(true),
        Kind::Copy(Direction::ToHost, _) => Some(false),
        _ => None,
    }
}

/// Copies between host and device in order, and the copy before each in that direction, where such copies never overlapped.
fn copies_before(trace: &Trace, order: &Order) -> Vec<(u32, u32)> {
    let mut lines: BTreeMap<(u32, bool), Vec<u32>> = BTreeMap::new();
    for (operation, place) in trace.operations.iter().zip(0..) {
        let device = trace.streams[order.stream[place as usize] as usize].device;
        if let Some(line) = copy_line(&operation.kind) {
            lines.entry((device, line)).or_default().push(place);
        }
    }
    let apart =
        |pair: &[u32]| trace.operations[pair[0] as usize].end <= trace.operations[pair[1] as usize].start;
    let alone = lines.into_values().filter(|line| line.windows(2).all(apart));
    let pairs = alone.flat_map(|line| line.windows(2).map(|pair| (pair[1], pair[0])).collect::<Vec<_>>());
    let mut before: Vec<(u32, u32)> = pairs.collect();
    woven::sort(&mut before);
    before
}
