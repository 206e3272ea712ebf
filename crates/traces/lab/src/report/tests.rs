//! Sentences of a report, of small runs.

use super::*;
use traces::trace::{Call, Device, Kind, Operation, Shape, Stream, Thread};

/// Two kernels of two streams, the second of which came first, with the launches of so many of them.
fn queue(launches: u32) -> HeadOfQueue {
    let ran = |id: u32| {
        let (start, kind) = (10 + 10 * i64::from(id), Kind::Kernel(Shape::default().into()));
        let call = (id < launches).then_some(1 - id);
        Operation { id, stream: id, name: 0, start, end: start + 5, call, graph_node: false, kind }
    };
    let called =
        |start: i64| Call { thread: 0, name: 0, start, end: start + 1, does: traces::trace::Does::Other };
    let trace = Trace {
        names: vec!["k".to_owned()],
        devices: vec![Device::default()],
        streams: vec![Stream::default(), Stream { number: 1, ..Stream::default() }],
        threads: vec![Thread::default()],
        operations: vec![ran(0), ran(1)],
        calls: vec![called(1), called(3)],
        ..Trace::default()
    };
    assert_eq!(trace.check(), Ok(()));
    report_of("", &Causes::of(&trace), Detail::Summary).devices.remove(0).head_of_queue
}

#[test]
fn who_overtook_whom_is_said_of_so_many_kernels() {
    let says = |launches: u32| queue(launches).says;
    let later = "later than recorded (operation 1, overtaken by 0)";
    let both =
        format!("1 of 2 kernels were overtaken as recorded; the rule holds if each came up to 2 ns {later}");
    assert_eq!(says(2), both);
    let one = "none of 1 kernel whose launches are recorded, of 2 in all, was overtaken by one that came later \
               with no higher priority";
    assert_eq!(says(1), one);
    assert_eq!(says(0), "who overtook whom cannot be told, as no launches of kernels are recorded");
    assert_eq!((queue(0).kernels, queue(0).all, queue(0).overtaken), (0, 2, 0));
}
