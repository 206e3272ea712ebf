//! What comes out of Nsight's tables: `fixtures/nsight.sql` says what is in them.

mod fixtures;

use fixtures::{left_out, name, operation, read};
use traces::trace::{Direction, Does, Kind, StreamKind};

#[test]
fn operations_join_calls_of_their_own_process() {
    let trace = read(&fixtures::nsight());
    assert_eq!(trace.operations.len(), 7);
    let call = |id| operation(&trace, id).call.map(|call| trace.calls[call as usize].start);
    // The number 1 occurs in two processes, and twice in one.
    assert_eq!([0, 1, 2].map(call), [Some(5000), Some(1000), Some(1050)]);
    // All nodes of a graph share one launch.
    assert_eq!([3, 4].map(call), [Some(1400), Some(1400)]);
    assert!(operation(&trace, 3).graph_node && !operation(&trace, 1).graph_node);
    // The call of the set is not in the file.
    assert_eq!(call(7), None);
    assert_eq!(name(&trace, 1), "void scale<float>(float*, int)");
    assert_eq!(left_out(&trace, "operations that end before they begin"), 1);
    assert_eq!(left_out(&trace, "calls that end before they begin"), 1);
}

#[test]
fn shapes_and_bytes() {
    let trace = read(&fixtures::nsight());
    let Kind::Kernel(shape) = &operation(&trace, 1).kind else { panic!("a kernel") };
    assert_eq!((shape.grid, shape.block), ([10, 2, 1], [128, 1, 1]));
    assert_eq!((shape.registers, shape.shared), (Some(256), Some(1536)));
    assert_eq!(operation(&trace, 6).kind, Kind::Copy(Direction::ToHost, 4096));
    assert_eq!(operation(&trace, 7).kind, Kind::Set(64));
}

#[test]
fn devices_are_those_of_the_process() {
    let trace = read(&fixtures::nsight());
    let names: Vec<&str> = trace.devices.iter().map(|device| device.name.as_str()).collect();
    assert_eq!(names, ["First", "Second"]);
    assert_eq!(left_out(&trace, "devices on which nothing ran"), 1);
    let device = |id| trace.streams[operation(&trace, id).stream as usize].device;
    assert_eq!([device(1), device(2)], [0, 1]);
    let limits = trace.devices[1].limits;
    assert_eq!(
        (limits.capability, limits.threads, limits.shared_of_block),
        (Some((9, 0)), Some(2048), Some(232_448))
    );
}

#[test]
fn streams_have_kinds_and_priorities() {
    let trace = read(&fixtures::nsight());
    let of = |process, number| {
        trace.streams.iter().find(|stream| (stream.process, stream.number) == (process, number)).unwrap()
    };
    assert_eq!((of(10, 7).kind, of(10, 7).priority), (StreamKind::Null, Some(0)));
    assert_eq!((of(10, 13).kind, of(10, 13).priority), (StreamKind::Blocking, Some(-5)));
    // Said by its context alone.
    assert_eq!((of(11, 7).kind, of(11, 7).priority), (StreamKind::Null, None));
    assert_eq!(left_out(&trace, "streams into which nothing was put"), 1);
    assert_eq!(trace.threads[0].name, "main thread");
}

#[test]
fn what_waits_for_what() {
    let trace = read(&fixtures::nsight());
    let stream = |number| {
        let found = trace.streams.iter().position(|stream| (stream.process, stream.number) == (10, number));
        u32::try_from(found.unwrap()).unwrap()
    };
    assert_eq!(trace.records.len(), 1);
    assert_eq!((trace.records[0].stream, trace.records[0].at, trace.records[0].event), (stream(7), 1200, 40));
    assert_eq!(trace.waits.len(), 1);
    assert_eq!(
        (trace.waits[0].stream, trace.waits[0].record, trace.waits[0].at),
        (stream(13), Some(0), 1300)
    );
    let does = |start| trace.calls.iter().find(|call| call.start == start).unwrap().does;
    // A copy to memory that is not pinned is waited for by its call; and a synchronisation whose number is an older
    // version's.
    let copy = trace.operations.iter().position(|own| own.id == 6).unwrap() as u32;
    assert_eq!([does(1600), does(3200)], [Does::AwaitOperation(copy), Does::AwaitStream(stream(13))]);
    assert_eq!(
        [does(3400), does(3600), does(1000)],
        [Does::AwaitRecord(0), Does::AwaitDevice(0), Does::Other]
    );
}

#[test]
fn time_slices_are_paired() {
    let trace = read(&fixtures::nsight());
    assert_eq!(trace.slices.len(), 1);
    assert_eq!((trace.slices[0].process, trace.slices[0].start, trace.slices[0].end), (10, 1000, 6000));
    assert_eq!(left_out(&trace, "whose beginning was not recorded"), 1);
}

#[test]
fn another_database_is_a_problem() {
    let file = fixtures::tables();
    let problems = warpspan_traces_read::read(&mut &file[..], &mut |_| true).unwrap_err();
    assert_eq!(problems[0].what, "a database with the tables plain, long, keyed, empty");
}
