//! Measured times: what a tolerance forgives and what it does not, clocks that differ, calls that take their time.

use expect_test::expect;

use super::{checked_with, lines};
use crate::check::{CheckConfig, CopyTimes, Exactness, Processes};
use base::Nanos;

/// A tolerance of 5, clocks that agree.
fn loose() -> CheckConfig<'static> {
    CheckConfig { tolerance: Nanos(5), exactness: Exactness::Loose, ..CheckConfig::default() }
}

fn found(config: &CheckConfig, text: &str) -> String {
    lines(&checked_with(config, text))
}

#[test]
fn a_block_may_end_a_little_after_the_next_has_started_on_its_place() {
    let text = "device sms=1
                K1 s @0 t=1024 : 0:0-105 0:100-200";
    assert_eq!(found(&loose(), text), "");
    expect![
        "R2 at 99 ns: block 1 of K1 starts on SM 0, which has 0 threads free; expected 1,024 threads free"
    ]
    .assert_eq(&found(&loose(), &text.replace("0:100", "0:99")));
}

#[test]
fn a_block_shorter_than_the_tolerance_still_needs_its_place() {
    let text = "device sms=1
                stream s1
                K1 s @0 t=1024 : 0:0-100
                K2 s1 @0 : 0:50-52";
    expect!["R2 at 50 ns: block 0 of K2 starts on SM 0, which has 0 threads free; expected 512 threads free"]
        .assert_eq(&found(&loose(), text));
    // Which of two that start together was first, and over before the other began, nobody knows.
    assert_eq!(found(&loose(), &text.replace("0:50-52", "0:3-5")), "");
    // K1 started too long before the end of K2 to have started after it.
    assert!(
        found(&loose(), &text.replace("0:0-100", "0:10-100").replace("0:50-52", "0:14-18"))
            .contains("R2 at 14 ns")
    );
    // What has ended is gone, and cannot be gone once more.
    let text = "device sms=1
                stream s1
                stream s2
                K1 s @0 : 0:0-100
                K2 s1 @0 : 0:12-19
                K3 s2 @0 t=1024 : 0:14-16";
    expect![
        "R2 at 14 ns: block 0 of K3 starts on SM 0, which has 512 threads free; expected 1,024 threads free"
    ]
    .assert_eq(&found(&loose(), text));
}

#[test]
fn an_urgent_kernel_that_has_left_its_queue_does_not_come_back() {
    let text = "stream high prio=-1
                K1 s @0 : 0:12-30 0:17-40
                K2 high @10 : 1:14-20";
    assert_eq!(found(&loose(), text), "");
    expect!["A2 at 17 ns: block 1 of K1 starts at 17 ns, while K2, of higher priority, has blocks to start; expected a start from 23 ns on, when the last of K2 started"].assert_eq(&found(&loose(), &text.replace("1:14-20", "1:23-30")));
}

#[test]
fn blocks_of_two_processes_may_overlap_within_the_tolerance() {
    let config = CheckConfig { processes: Processes::NeverTogether, ..loose() };
    let together = |first: &str, second: &str| {
        let text = format!("stream other process=1\nK1 s @0 : 0:{first}\nK2 other @0 : 0:{second}");
        found(&config, &text).contains("P1 at")
    };
    assert!(together("0-100", "50-80") && together("0-100", "94-130") && !together("0-100", "95-130"));
    // As short as they are, they began and ended while the other ran; or nobody knows.
    assert!(together("0-100", "50-52") && together("10-100", "14-16") && !together("10-100", "14-15"));
    assert!(!together("14-100", "14-19") && together("14-100", "14-20"));
    let copies = |first: &str, second: &str| {
        let text = format!("stream other\ncopy C1 s @0 : {first}\ncopy C2 other @0 : {second}");
        found(&loose(), &text).contains("C2 at")
    };
    assert!(copies("0-100", "50-80") && copies("0-100", "94-130") && !copies("0-100", "95-130"));
    assert!(copies("0-100", "50-52") && copies("10-100", "14-16") && !copies("10-100", "14-15"));
    assert!(!copies("14-100", "14-19") && copies("14-100", "14-20"));
}

#[test]
fn blocks_may_stand_a_little_out_of_their_slices() {
    let text = "stream other process=1
                slice 0 0-100
                slice 1 97-200
                slice 0 200-300
                K1 s @0 : 0:0-105
                K2 other @0 : 0:95-205";
    assert_eq!(found(&loose(), text), "");
    expect!["P1 at 106 ns: block 0 of K1 runs while its process does not have the device; expected one process at a time"]
        .assert_eq(&found(&loose(), &text.replace("0-105", "0-106")));
    expect!["P1 at 91 ns: block 0 of K2 runs while its process does not have the device; expected one process at a time"]
        .assert_eq(&found(&loose(), &text.replace("95-205", "91-205")));
    expect!["wrong-slice at 94 ns: process 1 has the device from 94 ns to 200 ns; expected a start from 100 ns on, and an end after it"]
        .assert_eq(&found(&loose(), &text.replace("97-200", "94-200")));
}

#[test]
fn blocks_of_two_kernels_may_interleave_within_the_tolerance() {
    let text = "stream s1
                stream s2
                K0 s @0 : 0:0-90 0:0-100 1:0-100 1:0-90
                K1 s1 @10 : 0:92-150 1:104-150 0:101-150
                K2 s2 @20 : 1:99-120";
    assert_eq!(found(&loose(), text), "");
    expect![
        "X1 at 98 ns: block 0 of K2 starts at 98 ns, while K1, queued before it, has blocks to start; expected a start from 104 ns on, when the last of K1 started"
    ]
    .assert_eq(&found(&loose(), &text.replace("1:99", "1:98")));
    // Launched that close together, either may be the first.
    assert_eq!(found(&loose(), &text.replace("1:99", "1:98").replace("@20", "@15")), "");
}

#[test]
fn clocks_of_host_and_device_may_differ() {
    let text = "K1 s @20 : 0:10-30";
    expect![
        "G1 at 10 ns: block 0 of K1 starts at 10 ns, before the call was made; expected a start from 20 ns on"
    ]
    .assert_eq(&found(&loose(), text));
    let config = CheckConfig { clocks: Nanos(5), ..loose() };
    assert_eq!(found(&config, text), "");
    let seen = [Some(Nanos(20))];
    let config = CheckConfig { synchronised: &seen, ..config };
    assert_eq!(found(&config, text), "");
    expect![
        "G4 at 31 ns: K1 still runs, to 31 ns, after the host saw its stream idle; expected an end by 20 ns"
    ]
    .assert_eq(&found(&config, &text.replace("10-30", "10-31")));
}

#[test]
fn clocks_that_differ_do_not_change_the_order_of_calls() {
    // Both calls by the clock of the host: K1 was first, whatever the device's clock says.
    let text = "stream s1
                stream s2
                K0 s @0 : 0:0-200 0:0-200 1:0-150
                K1 s1 @20 t=1024 : 1:150-190
                K2 s2 @40 : 1:50-100";
    let config = CheckConfig { clocks: Nanos(1_000), ..loose() };
    expect![
        "X1 at 50 ns: block 0 of K2 starts at 50 ns, while K1, queued before it, has blocks to start; expected a start from 150 ns on, when the last of K1 started"
    ]
    .assert_eq(&found(&config, text));
    // K1 now gets to the head by the clock of the device, 30 ns before K2's call: too close to tell.
    let text = &text.replace("stream s2", "stream s2\nK3 s1 @0 t=1 : 1:0-10");
    assert_eq!(found(&CheckConfig { clocks: Nanos(30), ..loose() }, text), "");
    assert!(found(&CheckConfig { clocks: Nanos(20), ..loose() }, text).starts_with("X1"));
}

#[test]
fn a_launch_may_get_through_at_any_time_until_the_call_returns() {
    let text = "stream s1
                K1 s @0 t=1024 : 0:60-90 1:60-90
                K2 s1 @20 : 0:30-60";
    assert!(found(&loose(), text).starts_with("X1"));
    let returned = [Some(Nanos(50))];
    assert_eq!(found(&CheckConfig { returned: &returned, ..loose() }, text), "");
    // What has started has got through: by 40 at the latest, by the clock of the host.
    let config = CheckConfig { returned: &returned, clocks: Nanos(10), ..loose() };
    let text = "stream s1
                K1 s @0 : 0:30-60 1:200-210
                K2 s1 @45 : 1:60-70";
    assert_eq!(found(&config, text), "");
    assert!(found(&config, &text.replace("@45", "@46")).starts_with("X1 at 60 ns"));
}

#[test]
fn of_two_calls_at_about_the_same_time_either_may_be_the_first_for_the_null_stream_too() {
    let text = "stream null null
                K1 s @0 : 0:10-100
                K2 null @3 : 1:10-90";
    assert_eq!(found(&loose(), text), "");
    assert_eq!(found(&loose(), &text.replace("@3", "@5")), "");
    assert!(found(&loose(), &text.replace("@3", "@6")).starts_with("N1"));
    // K1 may have waited for K2 until 90: K3 did not overtake it.
    let text = "stream null null
                stream free free
                K1 s @0 : 0:95-100
                K2 null @3 : 1:10-90
                K3 free @20 : 0:25-50";
    assert_eq!(found(&loose(), text), "");
    assert!(found(&loose(), &text.replace("null @3", "null @6")).contains("X1 at 25 ns: block 0 of K3"));
}

#[test]
fn a_copy_of_which_only_the_call_was_timed_was_somewhere_in_between() {
    let text = "stream s1
                copy C1 s @0 : 0-100
                copy C2 s1 @10 : 10-90
                K1 s @90 : 0:50-200";
    let around = CheckConfig { copies: CopyTimes::AroundCalls, ..loose() };
    assert!(found(&loose(), text).contains("C2 at 10 ns"));
    expect![
        "G1 at 50 ns: block 0 of K1 starts at 50 ns, before the call was made; expected a start from 90 ns on"
    ]
    .assert_eq(&found(&around, text));
    assert_eq!(found(&around, &text.replace("@90", "@40")), "");
    // It was over before its stream got to it.
    expect![
        "C1 at 60 ns: C2 starts at 60 ns, before K1 has ended; expected a start from 100 ns on, when K1 ended"
    ]
    .assert_eq(&found(&around, "K1 s @0 : 0:0-100\ncopy C2 s @60 : 60-90"));
}

#[test]
fn copies_of_which_only_the_calls_were_timed_by_another_clock() {
    let around = CheckConfig { copies: CopyTimes::AroundCalls, clocks: Nanos(10), ..loose() };
    // It ended at 90 by the device's clock, at the earliest.
    expect!["G2 at 84 ns: block 0 of K1 starts at 84 ns, before C1 has ended; expected a start from 90 ns on, when C1 ended"]
        .assert_eq(&found(&around, "copy C1 s @0 : 100-200\nK1 s @10 : 0:84-95"));
    assert_eq!(found(&around, "copy C1 s @0 : 100-200\nK1 s @10 : 0:85-95"), "");
    // It had not started by 90, and the other by 80.
    let text = "stream s1
                copy C1 s @0 : 100-120
                copy C2 s1 @50 : 50-70";
    expect!["C3 at 50 ns: C2 starts at 50 ns, before C1, which was queued before it; expected a start from 90 ns on, when C1 started"]
        .assert_eq(&found(&around, text));
    assert_eq!(found(&around, &text.replace("50-70", "50-75")), "");
    // By 110 it had ended, so that K1 was in its queue for sure.
    let text = "stream s1
                copy C1 s @0 : 0-100
                K1 s @1 : 0:300-310
                K2 s1 @125 : 1:135-145";
    assert_eq!(found(&around, text), "");
    assert!(found(&around, &text.replace("@125", "@126")).starts_with("X1 at 135 ns: block 0 of K2"));
    // The same if the host saw that at 100, and by 105 if it saw it at 95.
    let seen = [Some(Nanos(100))];
    assert_eq!(found(&CheckConfig { synchronised_copies: &seen, ..around.clone() }, text), "");
    let seen = [Some(Nanos(95))];
    assert!(found(&CheckConfig { synchronised_copies: &seen, ..around }, text).starts_with("X1 at 135 ns"));
}

#[test]
fn what_breaks_one_rule_is_seen_by_the_others_as_it_was() {
    // K2 may follow as soon as the host may have seen K1 gone.
    let config = CheckConfig { clocks: Nanos(5), ..loose() };
    let seen = [Some(Nanos(20))];
    let text = "K1 s @0 : 0:0-31
                K2 s @15 : 1:16-40";
    expect![
        "G4 at 31 ns: K1 still runs, to 31 ns, after the host saw its stream idle; expected an end by 20 ns"
    ]
    .assert_eq(&found(&CheckConfig { synchronised: &seen, ..config }, text));
    // Of two blocks the first is too early for its stream; the second only overtakes.
    let config = CheckConfig { clocks: Nanos(10), ..loose() };
    let text = "stream s1
                stream s2
                K0 s @0 : 0:0-95
                K1 s1 @0 t=1024 : 1:200-300
                K2 s @100 : 1:88-120 1:100-120";
    expect![[r#"
        G2 at 88 ns: block 0 of K2 starts at 88 ns, before K0 has ended; expected a start from 95 ns on, when K0 ended
        X1 at 100 ns: block 1 of K2 starts at 100 ns, while K1, queued before it, has blocks to start; expected a start from 200 ns on, when the last of K1 started"#]].assert_eq(&found(&config, text));
}

#[test]
fn blocks_that_are_missing_are_told_and_hide_no_more_than_they_must() {
    let text = "K1 s @0 grid=3 : 0:0-100 0:0-90
                K2 s @0 : 1:95-120";
    expect![[r#"
        G2 at 94 ns: block 0 of K2 starts at 94 ns, before K1 has ended; expected a start from 100 ns on, when K1 ended
        missing-blocks at 0 s: K1: 2 blocks; expected 3 blocks"#]]
    .assert_eq(&found(&loose(), &text.replace("1:95", "1:94")));
}

#[test]
fn late_blocks_are_told_with_how_late() {
    let text = "device sms=1
                stream s1
                K1 s @0 : 0:5-100 0:22-110
                K2 s1 @0 t=1024 : 0:113-130
                copy C1 s1 @140 : 150-160";
    let checked = checked_with(&loose(), text);
    assert!(checked.conforms());
    let late: Vec<String> =
        checked.remarks.iter().map(|remark| format!("{} {}", remark.at, remark.text)).collect();
    expect![[r#"
        22 ns block 1 of K1 started 17 ns after there was room for it on a multiprocessor
        150 ns C1 started 10 ns after its engine was free"#]]
    .assert_eq(&late.join("\n"));
}

#[test]
fn the_clocks_of_a_long_run_are_given_more() {
    let (_, trace) = crate::small::small("K1 s @1000000000 : 0:2000000000-11000000000");
    let config = CheckConfig::measured(&trace);
    assert_eq!((config.tolerance, config.clocks), (Nanos(50_000), Nanos(700_000)));
    assert_eq!((config.copies, config.exactness), (CopyTimes::AroundCalls, Exactness::Loose));
}
