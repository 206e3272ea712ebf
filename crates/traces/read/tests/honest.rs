//! Files that do not say which of several things they mean: what they say is read, and what is not known is told so.

mod fixtures;

use fixtures::events::Events;
use fixtures::tables::{Cell, Table, database};
use fixtures::{left_out, operation, read};
use traces::Causes;
use traces::cause::Cause;
use traces::trace::{Does, StreamKind, Trace};

/// When the call of an operation began.
fn called(trace: &Trace, id: u32) -> Option<i64> {
    operation(trace, id).call.map(|call| trace.calls[call as usize].start)
}

const L: &str = "cudaLaunchKernel";

#[test]
fn kineto_numbers_that_come_again() {
    let events = |last: (i64, i64)| {
        Events::default()
            .call(1, L, (0, 5), 1)
            .kernel((0, 7), (10, 200), 1)
            .call(1, L, (20, 5), 5)
            .call(1, L, (212, 2), 5)
            .kernel((0, 7), (215, 10), 5)
            .kernel(last, (240, 10), 5)
            .file()
    };
    let trace = read(&events((0, 7)));
    assert_eq!([called(&trace, 1), called(&trace, 2)], [Some(20_000), Some(212_000)]);
    // In two streams nobody knows which was which.
    let trace = read(&events((0, 8)));
    assert_eq!([called(&trace, 1), called(&trace, 2)], [None, None]);
    assert_eq!(left_out(&trace, "one of several calls of one number"), 2);
}

#[test]
fn kineto_numbers_of_several_processes() {
    let file = |more: bool| {
        let events = Events::default()
            .call(100, L, (0, 5), 5)
            .call(200, L, (40, 5), 5)
            .kernel((0, 7), (50, 10), 5)
            .kernel((1, 7), (55, 10), 5);
        if !more {
            return events.file();
        }
        // Only one process has all numbers of a device.
        let events = events.call(100, L, (60, 5), 6).call(200, L, (70, 5), 7);
        events.kernel((0, 7), (80, 10), 6).kernel((1, 7), (85, 10), 7).file()
    };
    let trace = read(&file(true));
    assert_eq!(
        [0, 1, 2, 3].map(|id| called(&trace, id)),
        [Some(0), Some(40_000), Some(60_000), Some(70_000)]
    );
    assert_eq!(trace.streams.iter().map(|stream| stream.process).collect::<Vec<_>>(), [100, 200]);
    let trace = read(&file(false));
    assert_eq!([called(&trace, 0), called(&trace, 1)], [None, None]);
    assert_eq!(left_out(&trace, "which of several processes launched them"), 2);
}

#[test]
fn kineto_events_of_another_device() {
    let made = |stream: i64| {
        Events::default()
            .call(1, L, (0, 2), 1)
            .kernel((0, 7), (5, 300), 1)
            .call(1, L, (4, 2), 2)
            .kernel((1, stream), (15, 50), 2)
            .call(1, "cudaEventRecord", (20, 1), 3)
            .call(1, "cudaStreamWaitEvent", (24, 1), 4)
            .wait((0, 20), 24, 4, (3, stream))
            .call(1, L, (30, 2), 5)
            .kernel((0, 20), (310, 10), 5)
            .file()
    };
    // Both devices have a stream of this number: which one was meant is not said, and no event is blamed.
    let trace = read(&made(7));
    assert_eq!((trace.records.len(), trace.waits[0].record), (0, None));
    assert_eq!(left_out(&trace, "on which device"), 1);
    assert_eq!(Causes::of(&trace).why[2].cause, Cause::Launch);
    // Only the other one has.
    let trace = read(&made(9));
    let record = trace.records[trace.waits[0].record.unwrap() as usize];
    assert_eq!(trace.devices[trace.streams[record.stream as usize].device as usize].number, 1);
}

#[test]
fn kineto_records_of_a_number_that_comes_again() {
    let file = Events::default()
        .call(1, L, (0, 2), 1)
        .kernel((0, 7), (5, 100), 1)
        .call(1, "cudaEventRecord", (10, 1), 3)
        .call(1, "cudaMalloc", (12, 1), 3)
        .call(1, "cudaStreamWaitEvent", (14, 1), 4)
        .wait((0, 20), 14, 4, (3, 7))
        .call(1, "cudaEventRecord", (20, 1), 3)
        .call(1, "cudaStreamWaitEvent", (24, 1), 5)
        .wait((0, 21), 24, 5, (3, 7))
        .file();
    let trace = read(&file);
    // The first is the only record of the number before it; of the second there are two.
    assert_eq!(trace.records.iter().map(|record| record.at).collect::<Vec<_>>(), [10_000]);
    assert_eq!(trace.waits.iter().map(|wait| wait.record).collect::<Vec<_>>(), [Some(0), None]);
}

#[test]
fn kineto_calls_that_wait_for_their_own_copies() {
    let does = |call: &str, name: &str, ends: i64| {
        let file = Events::default().call(1, call, (10, 100), 1).copy(name, (20, ends - 20), 1).file();
        let trace = read(&file);
        trace.calls[0].does
    };
    let (host, device) = ("Memcpy DtoH (Device -> Pageable)", "Memcpy HtoD (Pageable -> Device)");
    assert_eq!(does("cudaMemcpy", host, 105), Does::AwaitOperation(0));
    assert_eq!(does("cudaMemcpyAsync", host, 105), Does::AwaitOperation(0));
    assert_eq!(does("cudaMemcpyAsync", "Memcpy DtoH (Device -> Pinned)", 105), Does::Other);
    assert_eq!(does("cudaMemcpy", device, 105), Does::AwaitStream(0));
    assert_eq!(does("cudaMemcpyAsync", device, 105), Does::Other);
    // It returned before: it did not wait, whatever its name says.
    assert_eq!(does("cudaMemcpy", host, 111), Does::Other);
}

#[test]
fn kineto_synchronisations_by_name_alone() {
    let does = |devices: &[i64], name: &str| {
        let mut events = Events::default();
        for (&device, number) in devices.iter().zip(1..) {
            events = events.call(1, L, (number, 1), number).kernel((device, 7), (5, 300), number);
        }
        read(&events.call(1, name, (10, 300), 9).file()).calls.last().unwrap().does
    };
    assert_eq!(does(&[0], "cudaDeviceSynchronize"), Does::AwaitDevice(0));
    assert_eq!(does(&[0, 1], "cudaDeviceSynchronize"), Does::AwaitUnknown);
    assert_eq!(does(&[0], "cudaStreamSynchronize"), Does::AwaitUnknown);
}

#[test]
fn kineto_times_that_cannot_be_read() {
    let run = |at: &str, length: &str| {
        let event = format!(
            r#"{{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": {at}{length}, "args": {{"device": 0,
            "stream": 7}}}}"#
        );
        read(&Events::default().kernel((0, 7), (1, 1), 1).add(&event).file())
    };
    for length in [r#", "dur": "1e30""#, r#", "dur": "soon""#, r#", "dur": 9223372036854775"#] {
        let trace = run("5", length);
        assert_eq!(
            (trace.operations.len(), left_out(&trace, "whose length is no number")),
            (1, 1),
            "{length}"
        );
    }
    assert_eq!(left_out(&run("5", ""), "taken to be none"), 1);
    assert_eq!(left_out(&run("1e30", ", \"dur\": 1"), "without a time"), 1);
    // Nearly as far from the first as there are numbers: the times between would not fit.
    let trace = run("9223372036854000", ", \"dur\": 1");
    assert_eq!((trace.operations.len(), left_out(&trace, "away from the first")), (1, 1));
    // What has no call is counted.
    assert_eq!(left_out(&run("5", ", \"dur\": 1"), "whose launching call is not in the file"), 2);
}

/// Where a serialised id has its host, process and thread.
fn global(host: i64, process: i64) -> Cell {
    Cell::Int((host << 48) | (process << 24) | 1)
}

fn kernels(rows: Vec<Vec<Cell>>) -> Table {
    let columns = "start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId \
                   INTEGER, globalPid INTEGER, demangledName INTEGER";
    Table { name: "CUPTI_ACTIVITY_KIND_KERNEL", columns, rows }
}

fn calls(rows: Vec<Vec<Cell>>) -> Table {
    let columns = "start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER";
    Table { name: "CUPTI_ACTIVITY_KIND_RUNTIME", columns, rows }
}

fn texts() -> Table {
    let names = [L, "cudaEventRecord", "cudaStreamWaitEvent", "cudaStreamSynchronize", "cudaMalloc"];
    let rows = (1..).zip(names).map(|(id, name)| vec![Cell::Int(id), name.into()]).collect();
    Table { name: "StringIds", columns: "id INTEGER PRIMARY KEY, value TEXT", rows }
}

/// A row of numbers, with an id somewhere.
fn row(before: &[i64], id: Cell, after: &[i64]) -> Vec<Cell> {
    let numbers = |all: &[i64]| all.iter().map(|&number| Cell::Int(number)).collect::<Vec<_>>();
    [numbers(before), vec![id], numbers(after)].concat()
}

#[test]
fn nsight_rows_on_another_device_than_their_context() {
    let contexts = Table {
        name: "TARGET_INFO_CUDA_CONTEXT_INFO",
        columns: "nullStreamId INTEGER, processId INTEGER, deviceId INTEGER, contextId INTEGER",
        rows: vec![row(&[7, 10, 0, 1], Cell::Null, &[])],
    };
    let trace = read(&database(&[
        texts(),
        calls(vec![row(&[0, 5], global(1, 10), &[1, 1]), row(&[20, 25], global(1, 10), &[2, 1])]),
        kernels(vec![
            row(&[10, 100, 0, 1, 7, 1], global(1, 10), &[1]),
            row(&[50, 200, 1, 1, 7, 2], global(1, 10), &[1]),
        ]),
        contexts,
    ]));
    let device =
        |id| trace.devices[trace.streams[operation(&trace, id).stream as usize].device as usize].number;
    assert_eq!((trace.streams.len(), device(0), device(1)), (2, 0, 1));
    assert_eq!(Causes::of(&trace).why.iter().map(|why| why.cause).collect::<Vec<_>>(), [Cause::Launch; 2]);
}

#[test]
fn nsight_processes_of_several_hosts() {
    let kinds = Table {
        name: "TARGET_INFO_CUDA_STREAM",
        columns: "processId INTEGER, contextId INTEGER, streamId INTEGER, priority INTEGER, flag INTEGER, \
                  hwId INTEGER, vmId INTEGER",
        rows: vec![row(&[144, 1, 7, 0, 2, 0, 2], Cell::Null, &[])],
    };
    let trace = read(&database(&[
        texts(),
        calls(vec![row(&[0, 5], global(1, 144), &[1, 1]), row(&[90, 95], global(2, 144), &[1, 1])]),
        kernels(vec![
            row(&[100, 200, 0, 1, 7, 1], global(1, 144), &[1]),
            row(&[210, 300, 0, 1, 7, 1], global(2, 144), &[1]),
        ]),
        kinds,
    ]));
    assert_eq!([called(&trace, 0), called(&trace, 1)], [Some(0), Some(90)]);
    // They have a device each, although both are number 0, and the second one's stream is told of.
    let stream = |id| &trace.streams[operation(&trace, id).stream as usize];
    assert_eq!((trace.devices.len(), trace.threads.len()), (2, 2));
    assert!(stream(0).device != stream(1).device && stream(0).process != stream(1).process);
    assert_eq!((stream(0).kind, stream(1).kind), (StreamKind::Unknown, StreamKind::NonBlocking));
}

#[test]
fn nsight_without_processes() {
    let file = |processes: [i64; 2]| {
        let rows = vec![
            row(&[10, 100, 0, 1, 7, 1], Cell::Null, &[1]),
            row(&[110, 200, 1, 1, 7, 1], Cell::Null, &[1]),
            row(&[210, 220, 1, 1, 7, 2], Cell::Null, &[1]),
        ];
        let made = vec![
            row(&[0, 5], global(1, processes[0]), &[1, 1]),
            row(&[20, 25], global(1, processes[1]), &[1, 1]),
            row(&[150, 155], global(1, processes[1]), &[2, 1]),
        ];
        read(&database(&[texts(), calls(made), kernels(rows)]))
    };
    // Only the second process has calls for what ran on device 1; both have one for what ran on device 0.
    let trace = file([1111, 2222]);
    assert_eq!([0, 1, 2].map(|id| called(&trace, id)), [None, Some(20), Some(150)]);
    assert_eq!(trace.streams.len(), 2);
    // Where there is only one it is that one's, and the number comes again: no call launches two kernels.
    let trace = file([1111, 1111]);
    assert_eq!([0, 1, 2].map(|id| called(&trace, id)), [Some(0), Some(20), Some(150)]);
}

/// Events recorded, and streams told to wait: beside two kernels, of which the first is recorded after.
fn with_events(records: Vec<Vec<Cell>>, waits: Vec<Vec<Cell>>, more: Vec<Vec<Cell>>) -> Trace {
    let records = Table {
        name: "CUPTI_ACTIVITY_KIND_CUDA_EVENT",
        columns: "timestamp INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER, \
                  eventId INTEGER, eventSyncId INTEGER, globalPid INTEGER",
        rows: records,
    };
    let waits = Table {
        name: "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
        columns: "start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId \
                  INTEGER, syncType INTEGER, eventId INTEGER, eventSyncId INTEGER, globalPid INTEGER",
        rows: waits,
    };
    let mut made = vec![
        row(&[0, 2], global(1, 10), &[1, 1]),
        row(&[10, 11], global(1, 10), &[2, 2]),
        row(&[12, 13], global(1, 10), &[3, 3]),
        row(&[14, 16], global(1, 10), &[4, 1]),
    ];
    made.extend(more);
    let ran = vec![
        row(&[5, 200, 0, 1, 13, 1], global(1, 10), &[1]),
        row(&[210, 220, 0, 1, 15, 4], global(1, 10), &[1]),
    ];
    read(&database(&[texts(), calls(made), kernels(ran), records, waits]))
}

#[test]
fn nsight_ties_of_events_that_come_again() {
    // The event is recorded again after the wait, with the same tie or none: the first record is meant.
    for tie in [Cell::Int(0), Cell::Null] {
        let tied = |before: &[i64]| [row(before, tie.clone(), &[]), vec![global(1, 10)]].concat();
        let trace = with_events(
            vec![tied(&[0, 0, 1, 13, 2, 77]), tied(&[0, 0, 1, 13, 5, 77])],
            vec![tied(&[12, 13, 0, 1, 15, 3, 2, 77])],
            vec![row(&[17, 18], global(1, 10), &[5, 2])],
        );
        let record = trace.waits[0].record.map(|record| trace.records[record as usize].at);
        assert_eq!((trace.records.len(), record), (2, Some(10)), "{tie:?}");
        assert_eq!(Causes::of(&trace).why[1].cause, Cause::Event);
    }
}

#[test]
fn nsight_events_of_one_number_in_two_contexts() {
    let trace = with_events(
        vec![
            row(&[0, 0, 1, 13, 2, 77, 1], global(1, 10), &[]),
            row(&[0, 1, 2, 14, 5, 77, 1], global(1, 10), &[]),
        ],
        vec![row(&[12, 13, 0, 1, 15, 3, 2, 77, 1], global(1, 10), &[])],
        vec![row(&[11, 12], global(1, 10), &[5, 2])],
    );
    assert_eq!((trace.records.len(), trace.waits[0].record), (2, None));
    assert_eq!(left_out(&trace, "several contexts recorded by one number"), 1);
}

#[test]
fn nsight_numbers_of_records_that_come_again() {
    // The number of the record's call comes again on one that records nothing, and it carries no time.
    let trace = with_events(
        vec![row(&[0, 0, 1, 13, 2, 77, 1], global(1, 10), &[])],
        vec![row(&[12, 13, 0, 1, 15, 3, 2, 77, 1], global(1, 10), &[])],
        vec![row(&[17, 18], global(1, 10), &[2, 5])],
    );
    assert_eq!(trace.records.iter().map(|record| record.at).collect::<Vec<_>>(), [10]);
}

#[test]
fn rocprof_parts_in_any_order() {
    let part = |order: [usize; 3]| {
        let parts = [
            r#""metadata": {"pid": 9}"#,
            r#""agents": [{"id": {"handle": 1}, "type": 1, "name": "cpu"},
                {"id": {"handle": 2}, "type": 2, "name": "gpu", "logical_node_type_id": 0}]"#,
            r#""buffer_records": {"memory_copy": [
                {"kind": 2, "operation": 1, "correlation_id": {"internal": 2}, "start_timestamp": 210,
                 "end_timestamp": 300, "src_agent_id": {"handle": 2}, "dst_agent_id": {"handle": 1}, "bytes": 10},
                {"kind": 2, "operation": 1, "correlation_id": {"internal": 3}, "start_timestamp": 310,
                 "end_timestamp": 400, "src_agent_id": {"handle": 1}, "dst_agent_id": {"handle": 2}, "bytes": 10}],
               "kernel_dispatch": [{"kind": 11, "operation": 2, "thread_id": 80, "correlation_id": {"internal": 1},
                "start_timestamp": 100, "end_timestamp": 200, "dispatch_info": {"agent_id": {"handle": 2},
                "queue_id": {"handle": 1}, "kernel_id": 3, "workgroup_size": {"x": 64, "y": 1, "z": 1},
                "grid_size": {"x": 640, "y": 1, "z": 1}}}],
               "hip_api": [{"kind": 1, "operation": 1, "thread_id": 80, "correlation_id": {"internal": 1},
                "start_timestamp": 50, "end_timestamp": 60}]}"#,
        ];
        let text = order.map(|place| parts[place]).join(", ");
        read(format!(r#"{{"rocprofiler-sdk-tool": [{{{text}}}]}}"#).as_bytes())
    };
    let trace = part([0, 1, 2]);
    assert_eq!((trace.operations.len(), trace.devices.len(), trace.streams[0].process), (3, 1, 9));
    let directions: Vec<_> = [0, 1].map(|id| operation(&trace, id).kind.clone()).to_vec();
    use traces::trace::{Direction, Kind};
    assert_eq!(directions, [Kind::Copy(Direction::ToHost, 10), Kind::Copy(Direction::ToDevice, 10)]);
    for order in [[2, 0, 1], [2, 1, 0], [1, 2, 0]] {
        assert_eq!(part(order), trace, "{order:?}");
    }
}
