//! What comes out of logs of the scheduling examiner, alone and beside a profiler's export.

mod fixtures;

use fixtures::{left_out, name, read};
use traces::trace::{Does, Kind, Source};
use traces::{Causes, join};

#[test]
fn kernels_run_from_their_first_block_to_their_last() {
    let trace = read(&fixtures::examiner());
    assert_eq!(trace.source, Source::Examiner);
    let times: Vec<(i64, i64)> = trace.operations.iter().map(|own| (own.start, own.end)).collect();
    assert_eq!(times, [(68_823_573, 6_068_700_000), (6_081_000_000, 7_500_000_000)]);
    let Kind::Kernel(shape) = &trace.operations[1].kind else { panic!("a kernel") };
    assert_eq!((shape.grid[0], shape.block[0], shape.shared), (3, 64, Some(8192)));
    assert_eq!((name(&trace, 0), trace.threads[0].name.as_str()), ("GPUSpin", "Kernel 1"));
    // The first was waited for; its call returned a fraction of a nanosecond later than is kept.
    let does: Vec<Does> = trace.calls.iter().map(|call| call.does).collect();
    assert_eq!(does, [Does::Other, Does::AwaitStream(0), Does::Other]);
    assert_eq!(Causes::of(&trace).awaited(1), Some(0));
    assert_eq!(left_out(&trace, "blocks of which the log has no times"), 1);
    assert_eq!(left_out(&trace, "hold against the rules"), 4);
}

#[test]
fn logs_are_recordings_only_where_that_is_asked() {
    let log = fixtures::examiner();
    assert_eq!(warpspan_traces_read::sniff(&mut &log[..]), None);
    assert!(warpspan_traces_read::sniff_any(&mut &log[..]).is_some());
    assert_eq!(warpspan_traces_read::sniff_any(&mut &b"{\"times\": [1]}"[..]), None);
}

#[test]
fn logs_of_a_run_share_a_device_and_an_export_has_its_own() {
    let log = || read(&fixtures::examiner());
    let both = join(vec![log(), log()]);
    assert_eq!((both.devices.len(), both.streams.len(), both.operations.len()), (1, 2, 4));
    both.check().unwrap();
    let all = join(vec![read(&fixtures::kineto()), log(), log()]);
    all.check().unwrap();
    let kineto = read(&fixtures::kineto());
    assert_eq!(all.devices.len(), kineto.devices.len() + 1);
    // Seconds since a start, and nanoseconds since 1970: that is told.
    assert_eq!(left_out(&all, "apart from those of all others"), 1);
}
