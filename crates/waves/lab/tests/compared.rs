//! Two captures of one kernel: planted changes are found, and every figure is that of a walk over all stretches.

#![allow(missing_docs)]

use base::Seeded;
use warpspan_waves_lab as waves_lab;
use waves_lab::diff::{Side, between, diff};
use waves_lab::page::compared::{Compared, Way};
use waves_lab::{Account, Capture, Cause, captures};

fn capture(name: &str) -> Capture {
    let file = captures::file(name).expect("a shipped capture");
    waves_read::compact::read(file).expect("a sound one").capture
}

/// The capture with every wave held up by so many cycles at the first time at a line that waits for data.
fn held_up(capture: &Capture, line: usize, by: i64) -> Capture {
    let mut changed = capture.clone();
    for wave in &mut changed.waves {
        let Some(at) = wave.instrs.iter().position(|own| own.line as usize == line) else { continue };
        wave.instrs[at].stall += by as u32;
        wave.instrs[at].duration += by as u32;
        wave.instrs[at + 1..].iter_mut().for_each(|own| own.clock += by);
        wave.end += by;
    }
    changed
}

/// The line at which waves wait longest for data.
fn waits(capture: &Capture) -> usize {
    let account = Account::of(capture);
    let cycles = |line: usize| {
        let parts = capture.waves.iter().zip(&account.parts);
        let own = parts.flat_map(|(wave, parts)| parts.iter().map(move |part| (wave, part)));
        let here = own.filter(|(wave, part)| {
            part.cause == Cause::Data
                && part.item.is_some_and(|item| wave.instrs[item as usize].line as usize == line)
        });
        here.map(|(_, part)| part.cycles()).sum::<u64>()
    };
    (0..capture.lines.len()).max_by_key(|&line| cycles(line)).expect("lines")
}

#[test]
fn a_wait_that_takes_longer_is_found_at_its_line_and_its_cause() {
    for name in captures::NAMES {
        let before = capture(name);
        let line = waits(&before);
        let after = held_up(&before, line, 400);
        let sides = [&before, &after].map(|capture| Side::of(&Account::of(capture)));
        let there = Compared::of(("before", &sides[0]), ("after", &sides[1]));
        let first = &there.lines[0];
        assert_eq!(first.numbers, [Some(before.lines[line].number); 2], "{name}");
        assert_eq!((first.cycles.more.as_str(), first.cycles.way), ("+400", Way::Worse), "{name}");
        assert_eq!(first.mostly, (Cause::Data, "+400".to_owned()), "{name}");
        assert_eq!((there.causes[0].0, there.causes[0].1.more.as_str()), (Cause::Data, "+400"), "{name}");
        assert!(there.told[0].ends_with(" longer, worse."), "{}", there.told[0]);
        let back = Compared::of(("after", &sides[1]), ("before", &sides[0]));
        assert_eq!((back.lines[0].cycles.more.as_str(), back.way), ("−400", Way::Better));
        let same = Compared::of(("one", &sides[0]), ("other", &sides[0]));
        assert!(same.lines.is_empty() && same.way == Way::Same);
        assert!(same.causes.iter().all(|(_, own)| own.way == Way::Same && own.more == "0"));
    }
}

#[test]
fn two_kernels_are_taken_for_two() {
    let sides = ["rmsnorm", "layernorm"].map(|name| Side::of(&Account::of(&capture(name))));
    let there = Compared::of(("rmsnorm", &sides[0]), ("layernorm", &sides[1]));
    let told = there.told.join(" ");
    assert!(told.contains("these may be two kernels"), "{told}");
    assert!(told.contains("There are 16 waves instead of 64"), "{told}");
    assert!(told.contains("not listed"), "{told}");
}

/// Every figure again: all stretches of all waves, line by line, for lines found by looking at all lines before them.
#[test]
fn every_figure_is_that_of_a_walk_over_all_stretches() {
    let mut random = Seeded::new(3, 14);
    let before = capture("hgemm_splitk");
    for _ in 0..6 {
        let mut after = held_up(
            &before,
            random.below(before.lines.len() as u32) as usize,
            4 * i64::from(random.below(90)),
        );
        after.waves.truncate(1 + random.below(8) as usize);
        // Lines that are new, and lines that are gone.
        let swapped = random.below(after.lines.len() as u32) as usize;
        after.lines[swapped].text = "v_changed_b32 v0, v1".to_owned();
        let found = diff(("a", &before), ("b", &after), None);
        let naive = |capture: &Capture, number: Option<u32>, only: Option<Cause>| {
            let account = Account::of(capture);
            let mut sum = 0;
            for (wave, parts) in capture.waves.iter().zip(&account.parts) {
                for part in parts {
                    let line = part.item.map(|item| wave.instrs[item as usize].line as usize);
                    let own = line.and_then(|line| capture.lines.get(line)).map(|line| line.number);
                    let here = number.is_none_or(|number| own == Some(number));
                    if here && only.is_none_or(|only| only == part.cause) {
                        sum += part.cycles();
                    }
                }
            }
            let waves = capture.waves.len() as u64;
            (sum + waves / 2) / waves
        };
        for own in &found.causes {
            let cause = Cause::ALL.into_iter().find(|cause| cause.name() == own.cause);
            assert_eq!(own.cycles.before, naive(&before, None, cause), "{}", own.cause);
            assert_eq!(own.cycles.after, naive(&after, None, cause), "{}", own.cause);
        }
        for own in found.lines.iter().step_by(7) {
            let of = |capture: &Capture, number: Option<u32>| {
                number.map_or(0, |number| naive(capture, Some(number), None))
            };
            assert_eq!(own.cycles.before, of(&before, own.before_line), "{}", own.text);
            assert_eq!(own.cycles.after, of(&after, own.after_line), "{}", own.text);
            assert_eq!(own.cycles.more, own.cycles.after.cast_signed() - own.cycles.before.cast_signed());
        }
        let nth = |capture: &Capture, number: u32| {
            let at = capture.lines.iter().position(|line| line.number == number).expect("a line");
            let text = &capture.lines[at].text;
            (text.clone(), capture.lines[..at].iter().filter(|line| line.text == *text).count())
        };
        for own in &found.lines {
            if let (Some(one), Some(other)) = (own.before_line, own.after_line) {
                assert_eq!(nth(&before, one), nth(&after, other));
            }
        }
        // What crosses from the worker is what was summed up.
        let side = Side::of(&Account::of(&after));
        let text = serde_json::to_string(&side).expect("JSON");
        assert_eq!(serde_json::from_str::<Side>(&text).expect("a side"), side);
        let again = between(("a", &Side::of(&Account::of(&before))), ("b", &side), None);
        assert_eq!(again, found);
    }
}
