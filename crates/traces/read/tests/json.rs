//! What comes out of the JSON of the PyTorch profiler and of rocprofv3.

mod fixtures;

use fixtures::{gzip, kineto, left_out, name, operation, read, rocprof};
use traces::trace::{Direction, Does, Kind};
use warpspan_traces_read::{Format, sniff};

/// What the made trace adds to all times.
const BASE: i64 = 1_000_000_000_000_000_000;

#[test]
fn formats_are_told_by_content() {
    for (file, expected) in [
        (kineto(), Some(Format::Kineto { gzip: false })),
        (gzip(&kineto()), Some(Format::Kineto { gzip: true })),
        (rocprof(), Some(Format::Rocprof { gzip: false })),
        (gzip(&rocprof()), Some(Format::Rocprof { gzip: true })),
        (fixtures::nsight(), Some(Format::Nsight)),
        (br#"[{"ph": "X", "cat": "kernel", "name": "k"}]"#.to_vec(), Some(Format::Kineto { gzip: false })),
        (br#"{"traceEvents": [{"ph": "X", "cat": "blink"}]}"#.to_vec(), None),
        (b"{}".to_vec(), None),
        (b"text".to_vec(), None),
        (Vec::new(), None),
    ] {
        assert_eq!(sniff(&mut &file[..]), expected);
    }
}

#[test]
fn kineto_operations() {
    let trace = read(&kineto());
    assert_eq!(trace, read(&gzip(&kineto())));
    assert_eq!(trace.operations.len(), 3);
    let kernel = operation(&trace, 0);
    // It begins before its call, by another clock, and stays so.
    assert_eq!((kernel.start, kernel.end), (BASE + 100_001, BASE + 130_501));
    assert_eq!(kernel.call.map(|call| trace.calls[call as usize].start), Some(BASE + 100_250));
    assert!(kernel.graph_node);
    assert_eq!(name(&trace, 0), "aé<int>");
    let Kind::Kernel(shape) = &kernel.kind else { panic!("a kernel") };
    assert_eq!(
        (shape.grid, shape.registers, shape.shared, shape.estimated),
        ([4, 2, 1], Some(256), Some(1024), Some(0.5))
    );
    assert_eq!(operation(&trace, 1).kind, Kind::Copy(Direction::ToHost, 16));
    // The number 1 occurs twice: the nearest call before is taken.
    assert_eq!(operation(&trace, 2).call.map(|call| trace.calls[call as usize].start), Some(BASE + 900_000));
    assert_eq!(left_out(&trace, "fractions of nanoseconds"), 1);
    assert_eq!(left_out(&trace, "operations that end before they begin"), 1);
    assert_eq!(left_out(&trace, "events of category cpu_op"), 1);
    assert_eq!(trace.threads[0].name, "thread 90 (python)");
    assert_eq!((trace.devices.len(), trace.devices[0].limits.multiprocessors), (1, Some(108)));
    let streams: Vec<_> =
        trace.streams.iter().map(|stream| (stream.process, stream.number, stream.priority)).collect();
    assert_eq!(streams, [(9, 7, Some(-5)), (9, 20, None)]);
}

#[test]
fn kineto_waits() {
    let trace = read(&kineto());
    assert_eq!(trace.records.len(), 1);
    assert_eq!((trace.records[0].stream, trace.records[0].at), (0, BASE + 110_000));
    assert_eq!(trace.waits.len(), 1);
    assert_eq!(
        (trace.waits[0].stream, trace.waits[0].record, trace.waits[0].at),
        (1, Some(0), BASE + 112_000)
    );
    let does: Vec<Does> =
        trace.calls.iter().map(|call| call.does).filter(|does| *does != Does::Other).collect();
    // The first copies to pageable memory, and returns once that is done.
    let copy = trace.operations.iter().position(|own| own.id == 1).unwrap() as u32;
    let expected =
        [Does::AwaitOperation(copy), Does::AwaitStream(1), Does::AwaitRecord(0), Does::AwaitDevice(0)];
    assert_eq!(does, expected);
}

#[test]
fn rocprof_records() {
    let trace = read(&rocprof());
    assert_eq!(trace, read(&gzip(&rocprof())));
    assert_eq!((trace.operations.len(), trace.calls.len()), (3, 2));
    let Kind::Kernel(shape) = &operation(&trace, 0).kind else { panic!("a kernel") };
    assert_eq!(
        (shape.grid, shape.block, shape.registers, shape.shared),
        ([4, 2, 1], [256, 1, 1], Some(32), Some(512))
    );
    assert_eq!((name(&trace, 0), name(&trace, 1)), ("axpy", "kernel 99"));
    assert_eq!(operation(&trace, 0).call, Some(0));
    assert_eq!(operation(&trace, 1).call, None);
    assert_eq!(operation(&trace, 2).kind, Kind::Copy(Direction::ToDevice, 4096));
    assert_eq!(name(&trace, 2), "MEMORY_COPY_HOST_TO_DEVICE");
    let streams: Vec<_> = trace.streams.iter().map(|stream| (stream.process, stream.number)).collect();
    assert_eq!(streams, [(8, -1), (8, 5), (8, 16)]);
    assert_eq!((trace.devices[0].number, trace.devices[0].name.as_str()), (0, "MI350X"));
    assert_eq!(trace.devices[0].limits.threads, Some(2048));
    // The only device that the process used.
    assert_eq!(trace.calls[1].does, Does::AwaitDevice(0));
    assert_eq!(left_out(&trace, "records of hsa_api"), 3);
}

#[test]
fn what_is_cut_off_says_where() {
    let file = kineto();
    let trace = read(&file[..file.len() - 1000]);
    assert_eq!(trace.operations.len(), 2);
    let expected = format!("the text is cut off after byte {}", file.len() - 1000);
    assert_eq!(left_out(&trace, &expected), 1);
    let packed = gzip(&file);
    let trace = read(&packed[..packed.len() - 60]);
    assert_eq!(left_out(&trace, "gzip: it is cut off, near byte"), 1);
    let problems = warpspan_traces_read::read(&mut &file[..500], &mut |_| true).unwrap_err();
    assert_eq!(problems[0].what, "cut off after byte 500");
}

#[test]
fn a_reading_can_be_stopped() {
    for file in [kineto(), gzip(&rocprof()), fixtures::nsight()] {
        let problems = warpspan_traces_read::read(&mut &file[..], &mut |_| false).unwrap_err();
        assert_eq!(problems[0].what, "the reading was stopped");
    }
}
