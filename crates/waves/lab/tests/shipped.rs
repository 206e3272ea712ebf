//! The shipped captures: what is read of them, that the account adds up, and the figures that docs/waves.md prints.

#![allow(missing_docs)]

use warpspan_waves_lab::report::Named;
use warpspan_waves_lab::{Cause, Detail, Report, diff, export, report};
use waves::Capture;

const SHIPPED: [(&str, &[u8]); 3] = [
    ("hgemm_splitk", include_bytes!("../captures/hgemm_splitk.waves")),
    ("layernorm", include_bytes!("../captures/layernorm.waves")),
    ("rmsnorm", include_bytes!("../captures/rmsnorm.waves")),
];

fn capture(bytes: &[u8]) -> Capture {
    let packed = waves_read::compact::read(bytes).expect("a shipped capture");
    assert_eq!(packed.licence, "Apache-2.0");
    assert!(packed.source.contains("flydsl-kernel-profiling-lib"));
    packed.capture
}

fn reports() -> Vec<(Capture, Report)> {
    let made = |(name, bytes): (&str, &[u8])| {
        let capture = capture(bytes);
        let report = report(name, &capture, Detail::Instructions);
        (capture, report)
    };
    SHIPPED.into_iter().map(made).collect()
}

/// Thousandths of a share.
fn share(part: u64, whole: u64) -> u64 {
    (part * 1_000).checked_div(whole).unwrap_or(1_000)
}

#[test]
fn causes_add_up_and_issue_is_the_files() {
    for (capture, report) in reports() {
        for (wave, own) in capture.waves.iter().zip(&report.waves) {
            let sum: u64 = own.causes.values().filter_map(serde_json::Value::as_u64).sum();
            assert_eq!(sum, wave.life());
            // The file's issue cycles, but where one instruction comes up within another's, or reaches beyond the end.
            let starts = wave.instrs.iter().skip(1).map(|instr| instr.clock).chain([wave.end]);
            let issues = wave.instrs.iter().zip(starts).map(|(own, next)| own.end().min(next) - own.issued());
            assert_eq!(own.causes["issue"].as_i64(), Some(issues.sum()));
        }
        let items = report.items.as_ref().unwrap();
        let all: u64 = items.iter().map(|item| item.cycles).sum();
        assert_eq!(all, report.named.cycles);
        for item in items {
            let Some(witness) = item.witness else { continue };
            let effect = item.from + item.cycles.cast_signed();
            assert!(witness.clock < effect, "a witness before its effect: {item:?}");
            if item.cause == Cause::Barrier.name() {
                assert_ne!(witness.wave as usize, item.wave, "nobody waits for itself at a barrier");
            }
        }
    }
}

#[test]
fn chains_take_the_whole_time() {
    for (_, report) in reports() {
        for chain in &report.critical {
            let sum: u64 = chain.causes.values().filter_map(serde_json::Value::as_u64).sum();
            assert_eq!(sum, chain.end.abs_diff(chain.begin));
        }
    }
}

#[test]
fn as_much_is_named_as_is_told() {
    let expected = [("hgemm_splitk", 997, 998), ("layernorm", 993, 1_000), ("rmsnorm", 994, 1_000)];
    for ((_, report), (name, named, waits)) in reports().iter().zip(expected) {
        let Named { cycles, named: own, waits: of_waits, waits_named, barriers, barriers_named } =
            report.named;
        assert_eq!(report.scenario, name);
        assert_eq!((share(own, cycles), share(waits_named, of_waits)), (named, waits), "{name}");
        assert_eq!(barriers_named, barriers, "{name}");
    }
}

#[test]
fn the_oldest_wave_is_chosen() {
    for (_, report) in reports() {
        let fits = &report.replays.replay;
        assert!(fits[0].error <= 0.5 && fits[0].worst <= 7.0, "{fits:?}");
        assert!(fits[0].error <= fits[1].error);
        if report.scenario == "rmsnorm" {
            assert_eq!(fits[0].policy, "oldest first");
            assert!(fits[1].error > 3.0, "{fits:?}");
        }
    }
}

#[test]
fn the_measurement_lies_between_its_bounds() {
    for (_, report) in reports() {
        for bracket in &report.replays.brackets {
            assert!(bracket.between || bracket.idle.is_some(), "{}: {bracket:?}", report.scenario);
        }
    }
}

#[test]
fn what_takes_no_time_gains_no_less() {
    for (_, report) in reports() {
        assert!(!report.replays.what_if.is_empty());
        for tried in &report.replays.what_if {
            assert_eq!(tried.kind, "simulated");
            assert!(tried.changes > 0);
        }
    }
}

#[test]
fn a_capture_does_not_differ_from_itself() {
    let capture = capture(SHIPPED[1].1);
    let same = diff::diff(("a", &capture), ("b", &capture), Some(0));
    assert!(same.causes.iter().all(|cause| cause.cycles.more == 0), "{:?}", same.causes);
    assert!(same.lines.is_empty() && same.slower == Some(false));
    let mut slower = capture.clone();
    for wave in &mut slower.waves {
        // The first wait takes 100 cycles longer, and all that follows comes later.
        let first = wave.instrs.iter().position(|instr| instr.line == 5).unwrap();
        wave.instrs[first].stall += 100;
        wave.instrs[first].duration += 100;
        wave.instrs[first + 1..].iter_mut().for_each(|instr| instr.clock += 100);
        wave.end += 100;
    }
    let found = diff::diff(("a", &capture), ("b", &slower), Some(10_000));
    assert_eq!((found.life.more, found.slower), (100, Some(true)));
    assert_eq!((found.causes[0].cause, found.causes[0].cycles.more), ("data", 100));
    assert_eq!((found.lines[0].cause, found.lines[0].cycles.more), ("data", 100));
}

#[test]
fn exports_have_every_stretch() {
    let capture = capture(SHIPPED[0].1);
    let count = report("x", &capture, Detail::Instructions).items.unwrap().len();
    assert_eq!(export::csv(&capture).lines().count(), count + 1);
    let events: serde_json::Value = serde_json::from_str(&export::perfetto(&capture, "x")).unwrap();
    let drawn = |event: &&serde_json::Value| event["ph"] == "X";
    assert_eq!(events["traceEvents"].as_array().unwrap().iter().filter(drawn).count(), count);
}
