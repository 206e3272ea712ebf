//! Which call an operation, a synchronisation or a record belongs to, by the number that both carry.
//!
//! 1. Numbers are told apart by process. Calls of one number that lie within each other on one thread are one: a
//!    runtime's call made a driver's with the same number. The innermost that had begun is taken.
//! 2. Where several calls of one number could have launched an operation, because numbers wrap around, it is the one
//!    that had begun before; of several that had, the one that fits the calls of its neighbours in the stream; where all
//!    of that number are in one stream and there are as many as calls, the one in its turn. Otherwise it is not known.
//! 3. Where all began later (clocks differ), it is the first, if that began no more than a millisecond later.
//!
//! Invariant: what is not known stays none, and is counted, calls that begin too late for 3 by themselves.

use super::{Draft, Names};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use traces::trace::Operation;

/// Calls by process and number.
#[derive(Default)]
pub struct Joins {
    keys: Vec<Key>,
    sorted: bool,
    /// The processes of all calls, in order.
    processes: Vec<i64>,
    /// Where the calls were that were looked for last: the next are mostly beside them.
    near: Cell<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    process: i64,
    number: i64,
    start: i64,
    call: u32,
}

/// A call that begins longer than this after an operation did not launch it, however much clocks differ.
pub const SKEW: i64 = 1_000_000;

/// Calls of one number within each other, the outermost first.
type Nest = Vec<(i64, u32)>;

/// What is known of an operation's call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Launch {
    /// None has its number.
    Nothing,
    /// All that have it begin too late.
    Later,
    /// This one.
    Call(u32),
    /// One of several.
    Several,
}

impl Joins {
    /// Adds a call.
    pub fn add(&mut self, process: i64, number: i64, start: i64, call: u32) {
        self.keys.push(Key { process, number, start, call });
        self.sorted = false;
    }

    /// Of so many calls.
    pub fn of_about(count: usize) -> Self {
        Self { keys: Vec::with_capacity(count), ..Self::default() }
    }

    /// Has to be called after the last call was added.
    pub fn sort(&mut self) {
        traces::woven::sort(&mut self.keys);
        let alike = self.keys.chunk_by(|one, other| one.process == other.process);
        self.processes = alike.filter_map(|keys| Some(keys.first()?.process)).collect();
        self.sorted = true;
    }

    /// The calls of a number.
    fn of(&self, process: i64, number: i64) -> &[Key] {
        debug_assert!(self.sorted, "calls are sorted before they are looked for");
        let before = |key: &Key| (key.process, key.number) < (process, number);
        let (mut from, mut to, mut step) = (self.near.get(), self.near.get(), 1);
        while from > 0 && !self.keys.get(from - 1).is_some_and(before) {
            (to, from, step) = (from, from.saturating_sub(step), 2 * step);
        }
        while self.keys.get(to).is_some_and(before) {
            (from, to, step) = (to, self.keys.len().min(to + step), 2 * step);
        }
        let between = self.keys.get(from..to).unwrap_or_default();
        let first = from + between.partition_point(before);
        self.near.set(first);
        let rest = self.keys.get(first..).unwrap_or_default();
        let count = rest.iter().take_while(|key| (key.process, key.number) == (process, number)).count();
        rest.get(..count).unwrap_or_default()
    }

    /// The calls of a number that can be meant, those within each other together.
    fn nests(
        &self,
        draft: &Draft,
        process: i64,
        number: i64,
        can: impl Fn(&Names, u32) -> bool,
    ) -> Vec<Nest> {
        let mut nests: Vec<Nest> = Vec::new();
        let mut outer = None;
        for key in self.of(process, number) {
            let Some(call) = draft.call_at(key.call).filter(|call| can(&draft.names, call.name)) else {
                continue;
            };
            match nests.last_mut() {
                Some(nest)
                    if outer.is_some_and(|(thread, end)| thread == call.thread && call.start <= end) =>
                {
                    nest.push((key.start, key.call));
                }
                _ => {
                    outer = Some((call.thread, call.end));
                    nests.push(vec![(key.start, key.call)]);
                }
            }
        }
        nests
    }

    /// The call of a number within which something on the host began: of one process, or of any if that is not known.
    pub fn around(&self, draft: &Draft, process: Option<i64>, number: i64, at: i64) -> Option<u32> {
        let processes = process.map_or_else(|| self.processes.clone(), |process| vec![process]);
        let nests = processes.into_iter().flat_map(|process| self.nests(draft, process, number, |_, _| true));
        let nests: Vec<Nest> = nests.collect();
        let end = |nest: &Nest| {
            nest.first().and_then(|(_, call)| draft.call_at(*call)).map_or(i64::MIN, |call| call.end)
        };
        let within = |nest: &&Nest| nest.first().is_some_and(|first| first.0 <= at) && at <= end(nest);
        let mut around = nests.iter().filter(within);
        match (around.next(), around.next()) {
            (Some(nest), None) => innermost(nest, at),
            (None, _) if nests.len() == 1 => innermost(nests.first()?, at),
            _ => None,
        }
    }

    /// The only call of a number and a kind that had begun by a time: of one process, or of any if that is not known.
    pub fn only(
        &self,
        draft: &Draft,
        process: Option<i64>,
        number: i64,
        at: i64,
        can: impl Fn(&str) -> bool,
    ) -> Option<u32> {
        let processes = process.map_or_else(|| self.processes.clone(), |process| vec![process]);
        let can = |names: &Names, name| can(names.get(name));
        let nests = processes.into_iter().flat_map(|process| self.nests(draft, process, number, can));
        let mut begun = nests.filter(|nest| nest.first().is_some_and(|first| first.0 <= at));
        let only = begun.next().filter(|_| begun.next().is_none())?;
        innermost(&only, at)
    }

    /// Whether a process has a call of a number that can have launched what began at a time.
    pub fn launched(&self, draft: &Draft, process: i64, number: i64, at: i64) -> bool {
        let begun = |nest: &Nest| nest.first().is_some_and(|first| first.0 <= at.saturating_add(SKEW));
        self.nests(draft, process, number, Names::can_launch).iter().any(begun)
    }

    /// Ties operations to their calls, by the process and the number of each, and counts those that stay without.
    pub fn join(&self, draft: &mut Draft, process: impl Fn(u32) -> Option<i64>, numbers: &[Option<i64>]) {
        let mut open: BTreeMap<(i64, i64), Vec<u32>> = BTreeMap::new();
        let mut same: BTreeMap<(i64, i64), Vec<u32>> = BTreeMap::new();
        let mut later = 0;
        for place in 0..u32::try_from(draft.operations.len()).unwrap_or(u32::MAX) {
            // 0 stands for none.
            let number = numbers.get(place as usize).copied().flatten().filter(|&number| number != 0);
            let key = draft.operations.get(place as usize).and_then(|own| process(own.stream)).zip(number);
            let Some(key) = key else { continue };
            if let [only] = self.of(key.0, key.1) {
                // Nearly all numbers are of one call.
                let call = draft.call_at(only.call).filter(|call| draft.names.can_launch(call.name));
                let start = call.map(|_| only.start);
                if let Some(operation) = draft.operations.get_mut(place as usize) {
                    let begun = start.is_some_and(|start| start <= operation.start.saturating_add(SKEW));
                    operation.call = begun.then_some(only.call);
                    later += u64::from(start.is_some() && !begun);
                }
                continue;
            }
            let nests = self.nests(draft, key.0, key.1, Names::can_launch);
            if nests.len() > 1 {
                same.entry(key).or_default().push(place);
            }
            let Some(operation) = draft.operations.get_mut(place as usize) else { continue };
            match launch(&nests, operation.start) {
                Launch::Nothing => {}
                Launch::Later => later += 1,
                Launch::Call(call) => operation.call = Some(call),
                Launch::Several => open.entry(key).or_default().push(place),
            }
        }
        let (mut several, mut foreign) = (0, 0);
        if !open.is_empty() {
            let neighbours = Neighbours::of(draft);
            for (key, places) in open {
                let nests = self.nests(draft, key.0, key.1, Names::can_launch);
                let all = same.get(&key).map(Vec::as_slice).unwrap_or_default();
                several += settle(draft, &neighbours, &nests, all, &places);
            }
        }
        let without = draft.operations.iter().filter(|own| own.call.is_none());
        let mut without = without.count() as u64;
        for own in &draft.operations {
            foreign += u64::from(process(own.stream).is_none());
        }
        without = without.saturating_sub(foreign);
        draft.leave_out(
            "operations of which it is not known which of several processes launched them",
            foreign,
        );
        draft.leave_out("operations whose launch is one of several calls of one number", several);
        draft.leave_out("operations whose call begins more than a millisecond after them", later);
        let without = without.saturating_sub(several).saturating_sub(later);
        draft.leave_out("operations whose launching call is not in the file", without);
    }
}

/// The innermost call that had begun, else the outermost.
fn innermost(nest: &Nest, at: i64) -> Option<u32> {
    let begun = nest.iter().filter(|(start, _)| *start <= at);
    begun.max().or(nest.first()).map(|(_, call)| *call)
}

/// What launched an operation that began at a time, as far as that alone tells.
fn launch(nests: &[Nest], at: i64) -> Launch {
    let begins = |nest: &Nest| nest.first().map_or(i64::MAX, |first| first.0);
    let begun = nests.partition_point(|nest| begins(nest) <= at);
    let found = match begun {
        0 => match nests.first() {
            Some(nest) if begins(nest).saturating_sub(at) > SKEW => return Launch::Later,
            first => first,
        },
        1 => nests.first(),
        _ => return Launch::Several,
    };
    found.and_then(|nest| innermost(nest, at)).map_or(Launch::Nothing, Launch::Call)
}

/// Between which calls the calls of operations lie, by the operations beside them in their streams; and the calls that
/// launched a kernel, which none launches twice.
struct Neighbours(Vec<(i64, i64)>, BTreeSet<u32>);

impl Neighbours {
    fn of(draft: &Draft) -> Self {
        let mut order: Vec<(u32, i64, i64, usize)> = draft
            .operations
            .iter()
            .enumerate()
            .map(|(place, own)| (own.stream, own.start, own.end, place))
            .collect();
        base::sort::sort(&mut order);
        let mut between = vec![(i64::MIN, i64::MAX); order.len()];
        let called = |place: usize| {
            let call = draft.operations.get(place).and_then(|own| own.call);
            call.and_then(|call| draft.call_at(call)).map(|call| call.start)
        };
        let (mut stream, mut last) = (None, i64::MIN);
        for &(own, .., place) in &order {
            if stream != Some(own) {
                (stream, last) = (Some(own), i64::MIN);
            }
            if let Some(between) = between.get_mut(place) {
                between.0 = last;
            }
            last = called(place).map_or(last, |call| call.max(last));
        }
        (stream, last) = (None, i64::MAX);
        for &(own, .., place) in order.iter().rev() {
            if stream != Some(own) {
                (stream, last) = (Some(own), i64::MAX);
            }
            if let Some(between) = between.get_mut(place) {
                between.1 = last;
            }
            last = called(place).map_or(last, |call| call.min(last));
        }
        let kernel = |call: &u32| {
            let name = draft.call_at(*call).map(|call| draft.names.get(call.name));
            name.is_some_and(|name| name.contains("LaunchKernel"))
        };
        Self(between, draft.operations.iter().filter_map(|own| own.call).filter(kernel).collect())
    }
}

/// Ties operations of one number of which several calls can have launched each; how many stay without.
fn settle(draft: &mut Draft, neighbours: &Neighbours, nests: &[Nest], all: &[u32], open: &[u32]) -> u64 {
    let turns = turns(draft, nests, all);
    let mut several = 0;
    for place in open {
        let Some(operation) = draft.operations.get_mut(*place as usize) else { continue };
        let (from, to) = neighbours.0.get(*place as usize).copied().unwrap_or((i64::MIN, i64::MAX));
        let to = to.min(operation.start);
        let fits = |nest: &&Nest| {
            nest.first().is_some_and(|(begins, _)| (from..=to).contains(begins))
                && nest.iter().all(|(_, call)| !neighbours.1.contains(call))
        };
        let mut fitting = nests.iter().filter(fits);
        let only = fitting.next().filter(|_| fitting.next().is_none());
        let turn = turns.iter().position(|turn| turn == place).and_then(|turn| nests.get(turn));
        match turn.or(only).and_then(|nest| innermost(nest, operation.start)) {
            Some(call) => operation.call = Some(call),
            None => several += 1,
        }
    }
    several
}

/// All operations of a number in the order of their calls, where that is certain: they are in one stream, as many as
/// there are calls, none is a node of a graph, and none began long before its call.
fn turns(draft: &Draft, nests: &[Nest], all: &[u32]) -> Vec<u32> {
    let own = |place: &u32| draft.operations.get(*place as usize).map(|own| (own, *place));
    let mut turns: Vec<_> = all.iter().filter_map(own).collect();
    turns.sort_by_key(|(own, place)| (own.start, own.end, *place));
    let stream = turns.first().map(|turn| turn.0.stream);
    let follows = |((own, _), nest): (&(&Operation, u32), &Nest)| {
        nest.first().is_some_and(|first| first.0 <= own.start.saturating_add(SKEW))
    };
    let certain = turns.len() == nests.len()
        && turns.iter().all(|(own, _)| Some(own.stream) == stream && !own.graph_node)
        && turns.iter().zip(nests).all(follows);
    if certain { turns.into_iter().map(|turn| turn.1).collect() } else { Vec::new() }
}

#[cfg(test)]
mod tests;
