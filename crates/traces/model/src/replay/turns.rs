//! Which orders a change turns around that a replay keeps: what it then says is no more than one way it may go.
//!
//! 1. Whatever threads put into a stream, record there, tell it to wait for, or wait for there themselves is kept in the
//!    order of their calls. Where a change lets a call begin before one of another thread that had begun before it and is
//!    about the same stream, the run may go another way. Streams that the null stream ties together count as one.
//! 2. Copies are kept in their order on an engine. Where one could go before another that was before it, so may that.
//!
//! 3. Where calls of two threads overlap it is not known which came first, and nothing holds what one launched behind what
//!    the other did in a stream that the null stream ties to its own. Where a change brings two such operations nearer to
//!    each other that ran one after the other, the later one may have waited for the other, and do so again.
//! 4. A wait for a whole device is held back by all that had ended when it returned, be it launched after it had begun. Where
//!    what was certainly there explains the recording and a change has it held back by the rest, it may return sooner, and
//!    its thread go first.
//!
//! What is counted is what comes before something that had come before it, or may, each once.

use super::change::Plan;
use super::graph::{EdgeKind, Graph};
use crate::cause::Cause;
use crate::causes::Causes;
use crate::constraints::copy_line;
use crate::nulls::groups;
use crate::order::{NONE, Order, narrow};
use crate::trace::{Does, Operation, Trace};

/// What several threads have to do with the same streams.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// Calls in the order of their recorded beginnings, list by list: those about one stream, or about streams that the
    /// null stream ties together, where they are of several threads.
    calls: Vec<Vec<u32>>,
    /// Operations of such calls that overlap, in different streams, one of which began after the other had ended.
    pairs: Vec<(u32, u32)>,
    /// Calls that more others overlap than are looked at: any change may have turned something there.
    crowded: u64,
    /// Copies in their order: where their nodes are, and their engines.
    copies: Vec<(u32, u32)>,
}

/// Of calls that overlap one, so many after it are looked at.
const OVERLAPPING: usize = 64;

/// By each of several plans, how many things but copies go before something that a replay keeps before them.
pub(super) fn turned<const LANES: usize>(
    causes: &Causes,
    (graph, order): (&Graph, &Order),
    lists: &Lists,
    plans: &[Plan],
    times: &[[i64; LANES]],
) -> [u64; LANES] {
    let mut turned = [0; LANES];
    if lists.calls.is_empty() {
        return turned;
    }
    let mut seen = vec![[false; LANES]; causes.trace.calls.len()];
    lists.calls.iter().for_each(|list| out_of_turn(causes.trace, graph, times, list, &mut seen));
    for (lane, plan) in plans.iter().enumerate() {
        let time = |node: u32| times[node as usize][lane];
        turned[lane] += seen.iter().filter(|seen| seen[lane]).count() as u64;
        turned[lane] += nearer(graph, order, lists, &time) + held_by_others(graph, plan, &time);
        let changed = || (0..).zip(&graph.recorded).any(|(node, &recorded)| time(node) != recorded);
        turned[lane] += if lists.crowded > 0 && changed() { lists.crowded } else { 0 };
    }
    turned
}

/// By stream: the first of those that the null stream ties it to, or itself.
fn domains(trace: &Trace) -> Vec<u32> {
    let mut domains: Vec<u32> = (0..narrow(trace.streams.len())).collect();
    for group in groups(trace) {
        let first = group.nulls[0];
        group.nulls.iter().chain(&group.blocking).for_each(|&stream| domains[stream as usize] = first);
    }
    domains
}

/// The lists of a recording, with operations in the streams of an order.
pub(super) fn lists(trace: &Trace, order: &Order) -> Lists {
    let copies = engines(trace, order);
    if trace.threads.len() < 2 {
        return Lists { copies, ..Lists::default() };
    }
    let domains = domains(trace);
    let mut touch = Touch { trace, all: vec![Vec::new(); trace.streams.len()] };
    for (own, &stream) in trace.operations.iter().zip(&order.stream) {
        touch.add(own.call, domains[stream as usize]);
    }
    for record in &trace.records {
        touch.add(record.call, domains[record.stream as usize]);
    }
    for wait in &trace.waits {
        touch.add(wait.call, domains[wait.stream as usize]);
        let record = wait.record.map(|record| trace.records[record as usize].stream);
        record.into_iter().for_each(|stream| touch.add(wait.call, domains[stream as usize]));
    }
    let mut broad: Vec<(u32, Option<u32>, i64)> = Vec::new();
    for (place, call) in (0..).zip(&trace.calls) {
        let process = trace.threads[call.thread as usize].process;
        match call.does {
            Does::AwaitStream(stream) => touch.add(Some(place), domains[stream as usize]),
            Does::AwaitRecord(record) => {
                touch.add(Some(place), domains[trace.records[record as usize].stream as usize]);
            }
            Does::AwaitDevice(device) => broad.push((place, Some(device), process)),
            Does::AwaitUnknown => broad.push((place, None, process)),
            Does::Other | Does::AwaitOperation(_) => {}
        }
    }
    let mut lists = Lists { copies, ..Lists::default() };
    for (stream, own) in trace.streams.iter().enumerate() {
        let mine = |one: &&(u32, Option<u32>, i64)| {
            one.2 == own.process && one.1.is_none_or(|device| device == own.device)
        };
        let waits = broad.iter().filter(mine).map(|one| one.0);
        let mut all = std::mem::take(&mut touch.all[stream]);
        if all.is_empty() || !several(trace, all.iter().copied().chain(waits.clone())) {
            continue;
        }
        all.extend(waits);
        all.sort_unstable();
        all.dedup();
        lists.calls.push(all);
    }
    (lists.pairs, lists.crowded) = pairs(trace, order, &domains);
    lists
}

/// Calls by what they are about.
struct Touch<'a> {
    trace: &'a Trace,
    all: Vec<Vec<u32>>,
}

impl Touch<'_> {
    fn add(&mut self, call: Option<u32>, domain: u32) {
        debug_assert!(call.is_none_or(|call| (call as usize) < self.trace.calls.len()));
        self.all[domain as usize].extend(call);
    }
}

/// Whether calls are of several threads.
fn several(trace: &Trace, calls: impl Iterator<Item = u32>) -> bool {
    let mut threads = calls.map(|call| trace.calls[call as usize].thread);
    let first = threads.next();
    threads.any(|thread| Some(thread) != first)
}

/// Marks those of some calls, in the order of their recorded beginnings, that begin before one before them.
fn out_of_turn<const LANES: usize>(
    trace: &Trace,
    graph: &Graph,
    times: &[[i64; LANES]],
    all: &[u32],
    seen: &mut [[bool; LANES]],
) {
    let mut latest = [i64::MIN; LANES];
    for together in all.chunk_by(|a, b| trace.calls[*a as usize].start == trace.calls[*b as usize].start) {
        let before = latest;
        for &call in together {
            let begins = &times[(graph.calls + 2 * call) as usize];
            for lane in 0..LANES {
                seen[call as usize][lane] |= begins[lane] < before[lane];
                latest[lane] = latest[lane].max(begins[lane]);
            }
        }
    }
}

/// Operations of calls that overlap, in different streams that the null stream ties together; and of how many calls not
/// all that overlap them are among those.
fn pairs(trace: &Trace, order: &Order, domains: &[u32]) -> (Vec<(u32, u32)>, u64) {
    let mut tied = vec![false; domains.len()];
    for (stream, &domain) in
        domains.iter().enumerate().filter(|(stream, domain)| *stream != **domain as usize)
    {
        (tied[stream], tied[domain as usize]) = (true, true);
    }
    let stream = |operation: u32| order.stream[operation as usize] as usize;
    let own = |operation: u32| &trace.operations[operation as usize];
    let call = |operation: u32| own(operation).call.map(|call| &trace.calls[call as usize]);
    let mut all: Vec<u32> = (0..narrow(trace.operations.len())).collect();
    all.retain(|&operation| tied[stream(operation)] && own(operation).call.is_some());
    all.sort_by_key(|&operation| own(operation).call);
    let (mut pairs, mut crowded) = (Vec::new(), 0);
    for (at, &first) in all.iter().enumerate() {
        let Some(before) = call(first) else { continue };
        let overlap = |next: &&u32| call(**next).is_some_and(|call| call.start < before.end);
        crowded += u64::from(all.get(at + 1 + OVERLAPPING).as_ref().is_some_and(overlap));
        for &next in all[at + 1..].iter().take(OVERLAPPING).take_while(overlap) {
            let (one, other) = if own(first).end <= own(next).start { (first, next) } else { (next, first) };
            let apart = stream(one) != stream(other) && domains[stream(one)] == domains[stream(other)];
            let of_two = call(next).is_some_and(|call| call.thread != before.thread);
            if apart && of_two && own(one).end <= own(other).start {
                pairs.push((one, other));
            }
        }
    }
    (pairs, crowded)
}

/// Pairs that are nearer to each other than they were.
fn nearer(graph: &Graph, order: &Order, lists: &Lists, times: &impl Fn(u32) -> i64) -> u64 {
    let nodes = |(one, other): &(u32, u32)| {
        let place = |operation: u32| 3 * order.place[operation as usize];
        (place(*one) + 1, place(*other))
    };
    let brought = |pair: &&(u32, u32)| {
        let (end, start) = nodes(pair);
        let recorded = |node: u32| graph.recorded[node as usize];
        times(start).saturating_sub(times(end)) < recorded(start).saturating_sub(recorded(end))
    };
    lists.pairs.iter().filter(brought).count() as u64
}

/// Waits that are held back by what was perhaps not there, and were not as recorded.
fn held_by_others(graph: &Graph, plan: &Plan, times: &impl Fn(u32) -> i64) -> u64 {
    let is_join = |node: u32| (graph.lines..graph.calls).contains(&node);
    let held = |awaits: &&[(u32, u32)]| {
        let edges = awaits.iter().map(|&(_, index)| (index, &graph.edges[index as usize]));
        let joins: Vec<_> = edges.filter(|(_, edge)| edge.from != NONE && is_join(edge.from)).collect();
        // Of the two joins of a call the first is of what was certainly there.
        let [(_, sure), (index, perhaps)] = joins[..] else { return false };
        let explained = graph.recorded[sure.from as usize] >= graph.recorded[perhaps.from as usize];
        let counts = plan.lag(graph.calls + 2 * awaits[0].0 + 1, index, perhaps).is_some();
        explained && counts && times(perhaps.from) > times(sure.from)
    };
    graph.awaits.chunk_by(|a, b| a.0 == b.0).filter(held).count() as u64
}

/// Copies in their order: the node at which each begins, and on which engine it is, of two for each device.
fn engines(trace: &Trace, order: &Order) -> Vec<(u32, u32)> {
    let engine = |(operation, own): (u32, &Operation)| {
        let device = trace.streams[order.stream[operation as usize] as usize].device;
        let node = 3 * order.place[operation as usize];
        copy_line(&own.kind).map(|to| (node, 2 * device + u32::from(to)))
    };
    (0..).zip(&trace.operations).filter_map(engine).collect()
}

/// By each of several plans, how many copies could begin before one that is before them on their engine, and could not as
/// recorded.
pub(super) fn copies<const LANES: usize>(
    graph: &Graph,
    lists: &Lists,
    plans: &[Plan],
    times: &[[i64; LANES]],
) -> [u64; LANES] {
    let engines = lists.copies.iter().map(|copy| copy.1 as usize + 1).max().unwrap_or(0);
    let mut engines = vec![[(i64::MIN, i64::MIN); LANES]; engines];
    let mut turned = [0; LANES];
    for &(node, engine) in &lists.copies {
        let (mut held, mut was, mut now) = ([false; LANES], [i64::MIN; LANES], [i64::MIN; LANES]);
        let edges = (graph.first[node as usize]..).zip(graph.entering(node));
        for (index, edge) in edges.filter(|(_, edge)| edge.from != NONE) {
            let from = &times[edge.from as usize];
            let recorded = graph.recorded[edge.from as usize].saturating_add(edge.lag);
            for (lane, plan) in plans.iter().enumerate() {
                let Some(lag) = plan.lag(node, index, edge) else { continue };
                if edge.kind == EdgeKind::After(Cause::CopyEngine) {
                    held[lane] = true;
                } else {
                    was[lane] = was[lane].max(recorded);
                    now[lane] = now[lane].max(from[lane].saturating_add(lag));
                }
            }
        }
        for lane in 0..plans.len() {
            let (held, was, now) = (held[lane], was[lane], now[lane]);
            let latest = &mut engines[engine as usize][lane];
            // How long after the last of those before it, as recorded and as changed.
            let since = |(this, before): (i64, i64)| this.saturating_sub(before);
            turned[lane] +=
                u64::from(held && now < latest.1 && since((now, latest.1)) < since((was, latest.0)));
            *latest = (latest.0.max(was), latest.1.max(now));
        }
    }
    turned
}
