//! Bounds beside replays and the measurement, where instructions issue for long, or hold their unit longer than was measured.

use crate::account::Account;
use crate::bracket::brackets;
use crate::capture::{Capture, Instr, Kind, Line, Wave};
use crate::isa::{Generation, Op};
use crate::replay::{Machine, Policy, Unknown, streams};

const MATRIX: &str = "v_mfma_f32_32x32x8_f16 a[0:15], v[40:41], v[44:45], 0";
const ADD: &str = "v_add_u32_e32 v60, v61, v62";
const EXP: &str = "v_exp_f32_e32 v60, v61";

/// Waves of one SIMD that take turns at an instruction which issues for so long, and holds its unit for so much longer.
fn capture(text: &str, waves: i64, rounds: i64, issues: u32, more: i64) -> Capture {
    let texts = [text, "s_endpgm"];
    let line = |(place, text): (usize, &&str)| Line {
        number: place as u32 + 1,
        text: (*text).to_owned(),
        source: String::new(),
        address: 8 * place as u64,
        kernel: None,
        op: Op::of(text, Generation::Gfx9),
    };
    let wave = |which: i64| {
        let (begin, mut instrs) = (1000 + 4 * which, Vec::new());
        let mut clock = begin + 28;
        for round in 0..rounds {
            let issued = (1028 + (round * waves + which) * (i64::from(issues) + more)).max(clock);
            let stall = (issued - clock) as u32;
            instrs.push(Instr { clock, kind: Kind::Valu, stall, duration: stall + issues, line: 0 });
            clock = issued + i64::from(issues);
        }
        instrs.push(Instr { clock, kind: Kind::Message, stall: 0, duration: 4, line: 1 });
        Wave { se: 0, cu: 1, simd: 0, slot: which as u32, n: 0, begin, end: clock + 4, instrs }
    };
    Capture {
        lines: texts.iter().enumerate().map(line).collect(),
        waves: (0..waves).map(wave).collect(),
        ..Capture::default()
    }
}

/// All of waves, rounds and cycles of issue.
fn drawn() -> impl Iterator<Item = (i64, i64, u32)> {
    (1..5).flat_map(|waves| (1..9).flat_map(move |r| [4, 16, 32, 64, 132].map(|issues| (waves, r, issues))))
}

#[test]
fn no_replay_that_leaves_no_unit_idle_ends_after_the_bound() {
    let mut late = 0;
    for (text, (waves, rounds, issues)) in
        [MATRIX, ADD, EXP].into_iter().flat_map(|t| drawn().map(move |d| (t, d)))
    {
        let capture = capture(text, waves, rounds, issues, 0);
        let account = Account::of(&capture);
        let streams = streams(&account);
        let found = brackets(&account, &streams);
        let [bracket] = &found[..] else { unreachable!("one SIMD: {found:?}") };
        let told = format!("{text}: {waves} waves, {rounds} times {issues}");
        assert!(bracket.holds(), "{told}: {bracket:?}");
        for policy in [Policy::Oldest, Policy::RoundRobin] {
            let replayed = Machine::of(&account).replay(&streams, policy, Unknown::Most);
            let end = replayed.lives.iter().flatten().map(|(_, end)| *end).max();
            assert!(end <= bracket.worst, "{told}: {end:?} after {bracket:?}");
            assert!(bracket.best <= end, "{told}: {end:?} before {bracket:?}");
            late += usize::from(bracket.best < end);
        }
    }
    assert!(late > 300, "in {late} replays waves wait for each other");
}

/// Eight times 64 cycles each: one wave issues while the other waits, in the capture and when it is replayed.
#[test]
fn what_issues_for_long_holds_its_unit_so_long_in_replays_too() {
    let capture = capture(ADD, 2, 8, 64, 0);
    let account = Account::of(&capture);
    let streams = streams(&account);
    for policy in [Policy::Oldest, Policy::RoundRobin] {
        let replayed = Machine::of(&account).replay(&streams, policy, Unknown::Most);
        let end = replayed.lives.iter().flatten().map(|(_, end)| *end).max();
        assert_eq!(end, capture.waves.iter().map(|wave| wave.end).max());
    }
}

/// Holds that last longer than the account counts: too few are seen to measure them, or they differ.
#[test]
fn a_measurement_without_an_idle_unit_keeps_to_its_bounds() {
    let mut blamed = 0;
    for (text, (waves, rounds, issues)) in
        [MATRIX, EXP].into_iter().flat_map(|t| drawn().map(move |d| (t, d)))
    {
        for more in [12, 60, 200] {
            let capture = capture(text, waves, rounds, issues, more);
            let account = Account::of(&capture);
            let found = brackets(&account, &streams(&account));
            let [bracket] = &found[..] else { unreachable!("one SIMD: {found:?}") };
            let told = format!("{text}: {waves} waves, {rounds} times {issues} and {more}");
            assert!(bracket.holds() || bracket.idle.is_some(), "{told}: {bracket:?}");
            blamed += usize::from(waves > 1 && bracket.idle.is_none());
        }
    }
    assert!(blamed > 100, "{blamed}");
}
