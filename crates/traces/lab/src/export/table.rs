//! The operations of a run as CSV: a row for each, in order of their starts, with what a report tells of it.

use kit::export::csv::row;
use traces::{Causes, Trace};

use crate::report::{Told, told};

const HEADER: [&str; 21] = [
    "id",
    "device",
    "stream",
    "kind",
    "name",
    "start_ns",
    "end_ns",
    "earliest_ns",
    "cause",
    "witness",
    "witness_operation",
    "witness_call",
    "before",
    "launching_ns",
    "latency_ns",
    "unexplained_ns",
    "direction",
    "bytes",
    "blocks_per_multiprocessor",
    "occupancy",
    "waves",
];

/// A trace for which [`Trace::check`] finds nothing as a table. Times are from the first operation.
pub fn csv(trace: &Trace) -> String {
    let causes = Causes::of(trace);
    let begins = trace.operations.first().map_or(0, |own| own.start);
    let mut table = row(HEADER.map(str::to_owned));
    for own in told(&causes, begins) {
        table.push_str(&row(fields(own)));
    }
    table
}

fn fields(own: Told) -> [String; 21] {
    let some = |field: Option<String>| field.unwrap_or_default();
    let witness = own.witness.unwrap_or_default();
    let fills = own.occupancy.as_ref();
    let name = witness.name.or(witness.process.map(|process| format!("process {process}")));
    let before = own.before.map(|before| match before.name {
        Some(name) => format!("{} {name}", before.did),
        None => before.did.to_owned(),
    });
    [
        own.id.to_string(),
        own.device.to_string(),
        own.stream.to_string(),
        own.kind.to_owned(),
        own.name,
        own.start.to_string(),
        own.end.to_string(),
        some(own.earliest.map(|earliest| earliest.to_string())),
        own.cause.to_owned(),
        some(name),
        some(witness.operation.map(|operation| operation.to_string())),
        some(witness.call.map(|call| call.to_string())),
        some(before),
        own.launching.to_string(),
        own.latency.to_string(),
        own.unexplained.to_string(),
        some(own.direction.map(str::to_owned)),
        some(own.bytes.map(|bytes| bytes.to_string())),
        some(fills.map(|fills| fills.blocks.to_string())),
        some(fills.and_then(|fills| fills.share).map(|share| share.to_string())),
        some(fills.and_then(|fills| fills.waves).map(|waves| waves.to_string())),
    ]
}
