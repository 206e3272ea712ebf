//! Builds the graph of a replay from the constraints of all operations, and gives every edge its lag.
//!
//! The lag of an edge is what was recorded between its nodes, but no more than what was recorded between the node and the
//! latest of what it comes after, or than the shortest after such a cause (`soonest`), whichever is longer; and not less
//! than that either unless it was itself less.
//! Where operations were moved to other streams, what comes together there keeps no overlap that another order left.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::graph::{Edge, EdgeKind, Graph};
use super::host;
use super::joins::Joins;
use super::soonest::Soonest;
use crate::cause::Cause;
use crate::causes::Causes;
use crate::constraints::{After, Constraints};
use crate::events::{Events, Passed};
use crate::order::{NONE, Order, narrow};

/// Another order of operations, and the stream of each.
pub(super) type Moved<'a> = (&'a Order, &'a [u32]);

/// What edges are built from.
pub(super) struct Parts<'a> {
    pub causes: &'a Causes<'a>,
    pub order: &'a Order,
    pub events: &'a Events,
    /// How much earlier than its node an edge says that something was.
    pub before: BTreeMap<u32, i64>,
    /// Where operations were moved: those which another order may have brought together.
    pub mixed: Option<Vec<bool>>,
}

/// The graph of a recording, or of one with operations moved.
pub(super) fn build(causes: &Causes, moved: Option<Moved>) -> Graph {
    let Some((order, streams)) = moved else {
        return graph(causes, &causes.order, &causes.events, Cow::Borrowed(&causes.constraints), None);
    };
    let events = Events::of(causes.trace, order);
    let constraints = Constraints::of(causes.trace, order, &events);
    graph(causes, order, &events, Cow::Owned(constraints), Some(streams))
}

fn graph(
    causes: &Causes,
    order: &Order,
    events: &Events,
    constraints: Cow<Constraints>,
    moved: Option<&[u32]>,
) -> Graph {
    let mixed = moved.map(|streams| mixed(causes, streams));
    let mut parts = Parts { causes, order, events, before: BTreeMap::new(), mixed };
    let mut graph = Graph::default();
    let operations = narrow(order.sequence.len());
    graph.records = 3 * operations;
    graph.waits = graph.records + narrow(causes.trace.records.len());
    graph.slices = graph.waits + narrow(causes.trace.waits.len());
    graph.lines = graph.slices + narrow(causes.trace.slices.len());
    let copies = copies(causes, &constraints);
    let mut joins = Joins::of(&parts);
    graph.calls = graph.lines + narrow(copies.len()) + narrow(joins.len());
    graph.reserve(
        graph.calls as usize + 2 * causes.trace.calls.len(),
        constraints.len() + 3 * order.sequence.len(),
    );
    let streams =
        order.first.windows(2).flat_map(|pair| (pair[0]..pair[1]).map(move |place| (place, pair[0])));
    for (place, begin) in streams {
        add_operation(&mut graph, &mut parts, (&constraints, &copies), place, begin);
    }
    drop(constraints);
    add_events(&mut graph, &parts);
    // Slices stay where they are.
    causes.trace.slices.iter().for_each(|slice| graph.node(slice.start));
    add_copies(&mut graph, &parts, &copies);
    joins.add(&mut graph);
    host::add_calls(&mut graph, &parts, &joins);
    graph.first.push(narrow(graph.edges.len()));
    graph.sort();
    lags(&mut graph, &parts);
    graph
}

impl Graph {
    /// Makes room for so many nodes, and for so many edges beside those of calls.
    fn reserve(&mut self, nodes: usize, edges: usize) {
        self.recorded.reserve_exact(nodes);
        self.first.reserve_exact(nodes + 1);
        self.edges.reserve_exact(edges + nodes.saturating_sub(self.calls as usize));
    }

    /// A node: the edges added next lead into it.
    pub(super) fn node(&mut self, recorded: i64) {
        self.first.push(narrow(self.edges.len()));
        self.recorded.push(recorded);
    }

    /// An edge into the last node.
    pub(super) fn edge(&mut self, from: u32, kind: EdgeKind) {
        self.edges.push(Edge { from, kind, lag: 0 });
    }
}

fn add_operation(
    graph: &mut Graph,
    parts: &mut Parts,
    (constraints, copies): (&Constraints, &[(u32, u32)]),
    place: u32,
    begin: u32,
) {
    let (trace, order) = (parts.causes.trace, parts.order);
    let operation = order.sequence[place as usize];
    let own = &trace.operations[operation as usize];
    graph.node(own.start);
    for one in constraints.before(operation) {
        let kind = EdgeKind::After(one.cause);
        match one.after {
            After::Call(call) => graph.edge(graph.calls + 2 * call, kind),
            After::Done(place) => graph.edge(3 * place + 2, kind),
            After::End(_) if one.cause == Cause::CopyEngine => {
                let line = copies.partition_point(|copy| copy.0 < operation);
                graph.edge(graph.lines + narrow(line), kind);
            }
            After::End(before) => graph.edge(3 * order.place[before as usize] + 1, kind),
            After::Held(before, by, _) => {
                parts.before.insert(narrow(graph.edges.len()), i64::try_from(by).unwrap_or(i64::MAX));
                graph.edge(3 * order.place[before as usize] + 1, kind);
            }
            After::Passed(wait) => graph.edge(graph.waits + wait, kind),
            After::Slice(slice) => graph.edge(graph.slices + slice, kind),
        }
    }
    graph.node(own.end);
    graph.edge(3 * place, EdgeKind::Length);
    graph.node(order.done(trace, place));
    graph.edge(3 * place + 1, EdgeKind::Join);
    if place > begin {
        graph.edge(3 * place - 1, EdgeKind::Join);
    }
}

/// Copies that follow others on a copy engine, and the one before each.
fn copies(causes: &Causes, constraints: &Constraints) -> Vec<(u32, u32)> {
    let before = |operation: u32| {
        constraints.before(operation).iter().find_map(|one| match one.after {
            After::End(before) if one.cause == Cause::CopyEngine => Some((operation, before)),
            _ => None,
        })
    };
    (0..narrow(causes.trace.operations.len())).filter_map(before).collect()
}

/// Every copy follows all before it on its engine, so that one which need not lets nobody else go first.
fn add_copies(graph: &mut Graph, parts: &Parts, copies: &[(u32, u32)]) {
    for (_, before) in copies {
        graph.node(parts.causes.trace.operations[*before as usize].end);
        graph.edge(3 * parts.order.place[*before as usize] + 1, EdgeKind::Join);
        if let Ok(line) = copies.binary_search_by_key(before, |copy| copy.0) {
            graph.edge(graph.lines + narrow(line), EdgeKind::Join);
        }
    }
}

/// Records follow their streams and the waits there; waits follow records and the waits before them.
fn add_events(graph: &mut Graph, parts: &Parts) {
    let (trace, events) = (parts.causes.trace, parts.events);
    let time = |passed: Option<Passed>, at: i64| passed.map_or(at, |passed| passed.time);
    let mut beside = events.beside.iter().peekable();
    for record in 0..trace.records.len() {
        graph.node(time(events.record[record], trace.records[record].at));
        if events.place[record] != NONE {
            graph.edge(3 * events.place[record] + 2, EdgeKind::Join);
        }
        while let Some((_, place)) = beside.next_if(|(own, _)| *own as usize == record) {
            graph.edge(3 * place + 2, EdgeKind::Join);
        }
        let wait = events.wait[record];
        if wait != NONE && events.passed[wait as usize].is_some() {
            graph.edge(graph.waits + wait, EdgeKind::Join);
        }
    }
    for wait in 0..trace.waits.len() {
        graph.node(time(events.passed[wait], trace.waits[wait].at));
        let record = events.waits_for(trace, wait);
        if let Some(record) = record.filter(|&record| events.record[record as usize].is_some()) {
            graph.edge(graph.records + record, EdgeKind::Join);
        }
        let before = events.before[wait];
        if before != NONE && events.passed[before as usize].is_some() {
            graph.edge(graph.waits + before, EdgeKind::Join);
        }
    }
}

/// Gives every edge its lag.
fn lags(graph: &mut Graph, parts: &Parts) {
    let soonest = Soonest::of(parts.causes, graph);
    let mut lags: Vec<(usize, i64)> = Vec::new();
    for node in 0..narrow(graph.recorded.len()) {
        let edges = graph.first[node as usize] as usize..graph.first[node as usize + 1] as usize;
        let kept = || edges.clone().filter(|&index| graph.edges[index].from != NONE);
        let Some(latest) = kept().map(|index| since(graph, parts, index)).max() else { continue };
        let recorded = graph.recorded[node as usize];
        let residual = residual(graph, parts, node).unwrap_or(recorded.saturating_sub(latest)).max(0);
        let lag = |index: usize| {
            let own = recorded.saturating_sub(since(graph, parts, index));
            let residual = residual.max(soonest.after(
                parts.causes,
                graph,
                &parts.order.sequence,
                node,
                &graph.edges[index],
            ));
            let lag =
                if own < 0 && together(graph, parts, node, index) { residual } else { own.min(residual) };
            (index, lag.saturating_sub(before(parts, index)))
        };
        lags.extend(kept().map(lag));
        lags.drain(..).for_each(|(index, lag)| graph.edges[index].lag = lag);
    }
}

/// When that was recorded which an edge says something comes after.
fn since(graph: &Graph, parts: &Parts, index: usize) -> i64 {
    graph.recorded[graph.edges[index].from as usize].saturating_sub(before(parts, index))
}

fn before(parts: &Parts, index: usize) -> i64 {
    parts.before.get(&narrow(index)).copied().unwrap_or(0)
}

/// Where operations were moved: what had passed as recorded since the latest of what an operation came after.
fn residual(graph: &Graph, parts: &Parts, node: u32) -> Option<i64> {
    parts.mixed.as_ref().filter(|_| node < graph.records && node.is_multiple_of(3))?;
    let why = parts.causes.why[parts.order.sequence[node as usize / 3] as usize];
    why.earliest.map(|_| why.residual)
}

/// Whether an edge holds between operations which only another order brought together.
fn together(graph: &Graph, parts: &Parts, node: u32, index: usize) -> bool {
    let Some(mixed) = &parts.mixed else { return false };
    let edge = &graph.edges[index];
    let was = |node: u32| node < graph.records && mixed[parts.order.sequence[node as usize / 3] as usize];
    let waits = matches!(edge.kind, EdgeKind::After(cause) if cause != Cause::Launch);
    waits && (was(node) || was(edge.from))
}

/// The operations that are in a stream with any that was moved there.
fn mixed(causes: &Causes, streams: &[u32]) -> Vec<bool> {
    let mut mixed = vec![false; causes.trace.streams.len()];
    for (own, &stream) in causes.trace.operations.iter().zip(streams) {
        mixed[stream as usize] |= own.stream != stream;
    }
    streams.iter().map(|&stream| mixed[stream as usize]).collect()
}
