//! Made recordings for tests.

use base::Seeded;
use traces::Trace;
use traces::trace::{Call, Device, Direction, Does, Kind, Limits, Operation, Shape, Stream, Thread};

/// Two devices with two streams each; threads whose calls lie within each other, and operations that may overlap.
pub fn trace(number: u64, operations: u32) -> Trace {
    let mut seeded = Seeded::new(number, 3);
    let limits = Limits { multiprocessors: Some(4), warp: Some(32), threads: Some(128), ..Limits::default() };
    let device = |number| Device { number, name: "A made-up GPU".to_owned(), limits };
    let stream = |number: u32| Stream { device: number / 2, number: i64::from(number), ..Stream::default() };
    let mut trace = Trace {
        names: ["", "launch", "=sum, \"of\"", "copy"].map(str::to_owned).to_vec(),
        devices: vec![device(0), device(1)],
        streams: (0..4).map(stream).collect(),
        threads: (0..2).map(|number| Thread { process: 7, number, name: "worker".to_owned() }).collect(),
        ..Trace::default()
    };
    for id in 0..operations {
        let at = i64::from(id) * 50 + i64::from(seeded.below(400));
        let does = if seeded.below(4) == 0 { Does::AwaitDevice(seeded.below(2)) } else { Does::Other };
        let (thread, end) = (seeded.below(2), at + i64::from(seeded.below(300)));
        trace.calls.push(Call { thread, name: seeded.below(2), start: at, end, does });
        let start = at + i64::from(seeded.below(500));
        let kind = match seeded.below(3) {
            0 => Kind::Copy(Direction::ToHost, 64),
            _ => Kind::Kernel(Shape { grid: [9, 1, 1], block: [64, 1, 1], ..Shape::default() }.into()),
        };
        let (stream, end) = (seeded.below(4), start + i64::from(seeded.below(300)));
        let name = 2 + seeded.below(2);
        trace.operations.push(Operation {
            id,
            stream,
            name,
            start,
            end,
            call: None,
            graph_node: false,
            kind,
        });
    }
    trace.calls.sort_by_key(|call| (call.start, call.end));
    trace.operations.sort_by_key(|own| (own.start, own.end, own.id));
    for place in 0..trace.operations.len() {
        let begun = trace.calls.partition_point(|call| call.start <= trace.operations[place].start);
        trace.operations[place].call = (begun as u32).checked_sub(1 + seeded.below(3));
    }
    trace
}
