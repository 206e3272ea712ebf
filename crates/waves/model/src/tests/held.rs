//! Bounds beside replays where matrix instructions issue for long and too few are there to measure how long they hold.

use crate::account::Account;
use crate::bracket::brackets;
use crate::capture::{Capture, Instr, Kind, Line, Wave};
use crate::isa::{Generation, Op};
use crate::replay::{Machine, Policy, Unknown, streams};

/// Waves of one SIMD that take turns at a matrix instruction which issues for so long.
fn capture(waves: i64, rounds: i64, issues: u32) -> Capture {
    let texts = ["v_mfma_f32_32x32x8_f16 a[0:15], v[40:41], v[44:45], 0", "s_endpgm"];
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
            let issued = (1028 + (round * waves + which) * i64::from(issues)).max(clock);
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

#[test]
fn no_replay_that_leaves_no_unit_idle_ends_after_the_bound() {
    let mut late = 0;
    for (waves, rounds, issues) in (1..5)
        .flat_map(|waves| (1..4).flat_map(move |r| [4, 16, 32, 64, 132].map(|issues| (waves, r, issues))))
    {
        let capture = capture(waves, rounds, issues);
        let account = Account::of(&capture);
        let streams = streams(&account);
        let found = brackets(&account, &streams);
        let [bracket] = &found[..] else { unreachable!("one SIMD: {found:?}") };
        for policy in [Policy::Oldest, Policy::RoundRobin] {
            let replayed = Machine::of(&account).replay(&streams, policy, Unknown::Most);
            let end = replayed.lives.iter().flatten().map(|(_, end)| *end).max();
            assert!(
                end <= bracket.worst,
                "{waves} waves, {rounds} times {issues}: {end:?} after {bracket:?}"
            );
            assert!(
                bracket.best <= end,
                "{waves} waves, {rounds} times {issues}: {end:?} before {bracket:?}"
            );
            late += usize::from(bracket.best < end);
        }
    }
    assert!(late > 40, "in {late} replays waves wait for each other");
}
