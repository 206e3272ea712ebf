//! Which orders a change turns around that a replay keeps: what it then says is no more than one way it may go.
//!
//! 1. Whatever threads put into a stream, record there, tell it to wait for, or wait for there themselves is kept in the
//!    order of their calls. Where a change lets a call begin before one of another thread that had begun before it and is
//!    about the same stream, the run may go another way. Streams that the null stream ties together count as one.
//! 2. Copies are kept in their order on an engine. Where one could go before another that was before it, so may that.
//!
//! What is counted is what comes before something that had come before it, each once.

use std::collections::BTreeMap;

use super::change::Plan;
use super::graph::{EdgeKind, Graph};
use crate::cause::Cause;
use crate::causes::Causes;
use crate::constraints::copy_line;
use crate::nulls::groups;
use crate::order::{NONE, Order, narrow};
use crate::trace::{Does, Trace};

/// Calls in the order of their recorded beginnings, list by list: those about one stream, or about streams that the null
/// stream ties together, where they are of several threads.
pub(super) type Lists = Vec<Vec<u32>>;

/// How many things go before something that a replay keeps before them.
pub(super) fn turned(
    causes: &Causes,
    (graph, order): (&Graph, &Order),
    lists: &Lists,
    plan: &Plan,
    times: &[i64],
) -> u64 {
    let mut seen = vec![false; if lists.is_empty() { 0 } else { causes.trace.calls.len() }];
    lists.iter().for_each(|list| out_of_turn(causes.trace, graph, times, list, &mut seen));
    let calls = seen.into_iter().filter(|seen| *seen).count() as u64;
    calls + copies(causes, graph, order, plan, times)
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
    if trace.threads.len() < 2 {
        return Lists::new();
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
    let mut lists = Lists::new();
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
        lists.push(all);
    }
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
fn out_of_turn(trace: &Trace, graph: &Graph, times: &[i64], all: &[u32], seen: &mut [bool]) {
    let begins = |call: u32| times[(graph.calls + 2 * call) as usize];
    let mut latest = i64::MIN;
    for together in all.chunk_by(|a, b| trace.calls[*a as usize].start == trace.calls[*b as usize].start) {
        for &call in together {
            seen[call as usize] |= begins(call) < latest;
        }
        latest = together.iter().map(|&call| begins(call)).max().unwrap_or(latest).max(latest);
    }
}

/// Copies that could begin before one that is before them on their engine, and could not as recorded.
fn copies(causes: &Causes, graph: &Graph, order: &Order, plan: &Plan, times: &[i64]) -> u64 {
    let mut lines: BTreeMap<(u32, bool), (i64, i64)> = BTreeMap::new();
    let mut turned = 0;
    for (operation, own) in (0..).zip(&causes.trace.operations) {
        let device = causes.trace.streams[order.stream[operation as usize] as usize].device;
        let Some(to) = copy_line(&own.kind) else { continue };
        let node = 3 * order.place[operation as usize];
        let (mut held, mut was, mut now) = (false, i64::MIN, i64::MIN);
        for (index, edge) in (graph.first[node as usize]..).zip(graph.entering(node)) {
            let lag = plan.lag(node, index, edge).filter(|_| edge.from != NONE);
            if edge.kind == EdgeKind::After(Cause::CopyEngine) {
                held |= lag.is_some();
            } else if let Some(lag) = lag {
                was = was.max(graph.recorded[edge.from as usize].saturating_add(edge.lag));
                now = now.max(times[edge.from as usize].saturating_add(lag));
            }
        }
        let latest = lines.entry((device, to)).or_insert((i64::MIN, i64::MIN));
        // How long after the last of those before it, as recorded and as changed.
        let since = |(this, before): (i64, i64)| this.saturating_sub(before);
        turned += u64::from(held && now < latest.1 && since((now, latest.1)) < since((was, latest.0)));
        *latest = (latest.0.max(was), latest.1.max(now));
    }
    turned
}
