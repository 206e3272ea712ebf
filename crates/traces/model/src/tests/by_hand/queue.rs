//! What the head-of-queue rule needs.

use super::{call, ground, kernel, launch, run};
use crate::causes::Causes;
use crate::queue::queues;
use crate::trace::{Does, Trace};

#[test]
fn what_the_rule_of_the_queue_needs_of_blocks() {
    let mut trace = ground();
    // Two multiprocessors, each with room for one block: two waves, by 10 and by 30 at the latest.
    for (stream, times, blocks) in [(2, (10, 30), 4), (3, (15, 40), 1)] {
        let by = call(&mut trace, 0, (0, 1), Does::Other);
        run(&mut trace, stream, times, by, kernel(blocks, 64));
    }
    let causes = Causes::of(&trace);
    // By 15 a block had run, for 5 at most; the one that ended last ran for 15 at least.
    assert_eq!(queues(&causes)[0].uneven, Some((0, 1, 200)));
    trace.streams[3].priority = Some(-1);
    let causes = Causes::of(&trace);
    assert_eq!((queues(&causes)[0].amid, queues(&causes)[0].uneven), (0, None));
    // Where the last wave had begun, nothing is needed.
    trace.streams[3].priority = None;
    (trace.operations[1].start, trace.operations[1].end) = (20, 40);
    let causes = Causes::of(&trace);
    assert_eq!(queues(&causes)[0].amid, 0);
}

#[test]
fn a_kernel_came_to_the_queue_when_it_was_launched_or_nobody_knows() {
    let mut trace = ground();
    // The second of stream 2 was permitted at 20, the one of stream 3 only launched at 25, and begins first.
    for (stream, called, ran) in [(2, 0, (5, 20)), (3, 25, (26, 40)), (2, 4, (30, 50))] {
        launch(&mut trace, stream, (called, called + 1), ran);
    }
    let of = |trace: &Trace| {
        let found = queues(&Causes::of(trace))[0];
        (found.all, found.kernels, found.overtaken, found.later)
    };
    trace.calls.sort_by_key(|call| call.start);
    for (place, call) in [0, 2, 1].into_iter().enumerate() {
        trace.operations[place].call = Some(call);
    }
    trace.check().unwrap();
    assert_eq!(of(&trace), (3, 3, 1, 5));
    trace.operations[2].call = None;
    assert_eq!(of(&trace), (3, 2, 0, 0));
    trace.operations.iter_mut().for_each(|own| own.call = None);
    assert_eq!(of(&trace), (3, 0, 0, 0));
}
