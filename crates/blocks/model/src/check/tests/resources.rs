//! Rules of SMs and copy engines, each broken by one number.

use expect_test::expect;

use super::{breaks, breaks_with, checked, lines};
use crate::check::CheckConfig;
use crate::rule::Rule;
use base::Nanos;

#[test]
fn r1_registers_and_places() {
    breaks(
        Rule::R1,
        "K1 s @0 t=64 regs=64 : 0:0-9 0:0-9 0:1-8",
        "0:1-8",
        "1:1-8",
        expect![
            "R1 at 1 ns: block 2 of K1 starts on SM 0, which has 0 registers free; expected 4,096 registers free"
        ],
    );
    breaks(
        Rule::R1,
        "K1 s @0 t=1 : 0:0-9 0:0-9 0:0-9 0:0-9 0:8-20",
        "0:8-20",
        "0:9-20",
        expect![
            "R1 at 8 ns: block 4 of K1 starts on SM 0, which has 0 places for blocks free; expected 1 place for a block free"
        ],
    );
}

#[test]
fn r2_threads() {
    breaks(
        Rule::R2,
        "K1 s @0 : 0:0-10 0:0-10 0:9-19",
        "0:9-19",
        "0:10-19",
        expect![
            "R2 at 9 ns: block 2 of K1 starts on SM 0, which has 0 threads free; expected 512 threads free"
        ],
    );
    breaks(
        Rule::R2,
        "device granularity=32
                      K1 s @0 t=500 : 0:0-10 0:0-10
                      K2 s @0 t=513 : 0:10-20 0:10-19",
        "0:10-19",
        "0:20-29",
        expect![
            "R2 at 10 ns: block 1 of K2 starts on SM 0, which has 480 threads free; expected 544 threads free"
        ],
    );
    // One block that stays too long does not make all later ones wrong.
    breaks(
        Rule::R2,
        "K1 s @0 : 0:0-10 0:0-11 0:10-20 0:10-20 0:20-30 0:20-30",
        "0:0-11",
        "0:0-10",
        expect![
            "R2 at 10 ns: block 3 of K1 starts on SM 0, which has 0 threads free; expected 512 threads free"
        ],
    );
}

#[test]
fn r3_shared_memory() {
    breaks(
        Rule::R3,
        "K1 s @0 t=1 shared=500 : 0:0-10 0:0-10 0:9-19",
        "0:9-19",
        "0:10-19",
        expect![
            "R3 at 9 ns: block 2 of K1 starts on SM 0, which has 0 bytes of shared memory free; expected 500 bytes of shared memory free"
        ],
    );
}

#[test]
fn c1_a_copy_starts_before_it_is_at_the_head() {
    let text = "K1 s @0 : 0:0-10
                copy C1 s @0 : 8-12";
    breaks(
        Rule::C1,
        text,
        "8-12",
        "10-12",
        expect![
            "C1 at 8 ns: C1 starts at 8 ns, before K1 has ended; expected a start from 10 ns on, when K1 ended"
        ],
    );
}

#[test]
fn c2_two_copies_on_one_engine() {
    let text = "stream s1
                copy C1 s @0 : 0-10
                copy C2 s1 @0 : 9-12";
    breaks(
        Rule::C2,
        text,
        "9-12",
        "10-12",
        expect!["C2 at 9 ns: C2 starts while its engine is busy with C1; expected a start from 10 ns on"],
    );
    let two = "device engines=2
               stream s1
               copy C1 s @0 in e=0 : 0-10
               copy C2 s1 @0 out e=1 : 9-12";
    assert_eq!(lines(&checked(two)), "", "each has an engine of its own");
}

#[test]
fn c3_a_copy_overtakes_one_of_its_queue() {
    let text = "stream s1
                stream s2
                copy C0 s @0 : 0-10
                copy C1 s1 @1 : 15-18
                copy C2 s2 @2 : 10-15";
    breaks(
        Rule::C3,
        text,
        "10-15",
        "18-23",
        expect![
            "C3 at 10 ns: C2 starts at 10 ns, before C1, which was queued before it; expected a start from 15 ns on, when C1 started"
        ],
    );
}

#[test]
fn c4_a_copy_goes_on_after_the_host_saw_its_stream_idle() {
    let seen = [Some(Nanos(10))];
    let config = CheckConfig { synchronised_copies: &seen, ..CheckConfig::simulated() };
    breaks_with(
        &config,
        Rule::C4,
        "copy C1 s @0 : 0-11",
        "0-11",
        "0-10",
        expect![
            "C4 at 11 ns: C1 still runs, to 11 ns, after the host saw its stream idle; expected an end by 10 ns"
        ],
    );
}

#[test]
fn m1_a_block_runs_where_its_kernel_may_not() {
    breaks(
        Rule::M1,
        "K1 s @0 mask=1 : 1:0-10 0:0-10",
        "0:0-10",
        "1:0-10",
        expect!["M1 at 0 s: block 1 of K1 starts on SM 0, which its kernel is kept away from; expected SM 1"],
    );
}
