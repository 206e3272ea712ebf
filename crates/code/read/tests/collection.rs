//! The collection of our own kernels (`tests/sass`, made by `tests/sass/make.py`), read whole: its control fields against a
//! second decoder that cuts digits out of the text, and schedules of every kernel against the rules and the bounds.

#![allow(missing_docs)]

use std::sync::Arc;

use base::Control;
use code::certificate::{Claim, Proof, judge};
use code::check::check;
use code::longest::{Search, Settings};
use code::{Policy, bounds, schedule};
use warpspan_code_read::{Architecture, Asked, Trips, launch, read};

const NUMBERS: [u32; 10] = [50, 61, 70, 75, 80, 86, 89, 90, 100, 120];

/// The listing of an architecture. Packed by gzip without a name: ten bytes before, eight behind.
fn text(number: u32) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/sass/collection");
    let packed = std::fs::read(format!("{folder}/sm_{number}.sass.gz")).expect("a listing");
    let plain =
        miniz_oxide::inflate::decompress_to_vec(&packed[10..packed.len() - 8]).expect("packed by gzip");
    String::from_utf8(plain).expect("text")
}

/// Stall, yield, write scoreboard, read scoreboard and wait mask, each as a number.
type Fields = [u64; 5];

/// Fields out of 21 digits of a word written in twos, the first one the highest bit.
fn fields(digits: &str) -> Fields {
    let number = |from: usize, to: usize| u64::from_str_radix(&digits[from..to], 2).expect("digits");
    [number(17, 21), number(16, 17), number(13, 16), number(10, 13), number(4, 10)]
}

/// What stands between `/*` and `*/` at the end of a line, if it is a word of 64 bits.
fn word(line: &str) -> Option<String> {
    let inner = line.trim().strip_suffix("*/")?.rsplit_once("/*")?.1.trim();
    let digits = inner.strip_prefix("0x").filter(|digits| digits.len() == 16)?;
    Some(format!("{:064b}", u64::from_str_radix(digits, 16).ok()?))
}

/// The fields of all instructions of a listing, in order, by the second decoder.
fn decoded(text: &str, old: bool) -> Vec<Fields> {
    let mut found = Vec::new();
    let mut three: Vec<Fields> = Vec::new();
    for line in text.lines() {
        let Some(word) = word(line) else { continue };
        let instruction = line.contains(';');
        match (old, instruction) {
            // A word for the three that follow, the first one at its low end.
            (true, false) => {
                three = [43..64, 22..43, 1..22].map(|at| fields(&word[at])).to_vec();
            }
            (true, true) => found.push(three.remove(0)),
            // The second word of an instruction.
            (false, false) => found.push(fields(&word[2..23])),
            (false, true) => {}
        }
    }
    found
}

#[test]
fn control_fields_are_those_of_a_second_decoder() {
    let mut kernels = 0;
    for number in NUMBERS {
        let text = text(number);
        let listing = read(&text).expect("it is read");
        assert_eq!(listing.skipped, 0, "sm_{number}: {:?}", listing.first_skipped);
        let lines = listing.functions.iter().flat_map(|own| &own.lines);
        let ours: Vec<Fields> = lines
            .map(|line| {
                let own = line.control.expect("a control field");
                let board = |board: Option<u8>| board.map_or(7, u64::from);
                [own.stall.into(), u64::from(!own.yields), board(own.write), board(own.read), own.wait.into()]
            })
            .collect();
        assert_eq!(ours, decoded(&text, number < 70), "sm_{number}");
        assert!(ours.len() > 1_000, "sm_{number}");
        kernels += listing.functions.len();
    }
    assert!(kernels >= 100, "only {kernels}");
}

#[test]
fn every_kernel_has_schedules_that_keep_the_rules_and_its_bounds() {
    let (mut shortest, mut longest) = (usize::MAX, 0);
    for number in NUMBERS {
        let listing = read(&text(number)).expect("it is read");
        let partitions = Architecture::of(number).expect("an architecture").partitions as usize;
        for own in &listing.functions {
            let asked = Asked {
                function: Some(own.name.clone()),
                warps: partitions * 2,
                trips: Trips { all: Some(4), ..Trips::default() },
                ..Asked::default()
            };
            let made = launch(&listing, &asked).expect("a launch");
            let place = format!("sm_{number} {}", own.name);
            assert!(made.architecture.numbers.contains(&number), "{place}");
            assert!(
                made.assumed.iter().all(|text| !text.contains("table of opcodes")),
                "{place}: {:?}",
                made.assumed
            );
            assert!(made.gaps.is_empty() && made.walk.cut.is_none(), "{place}: {:?}", made.gaps);
            let steps = made.walk.steps.len();
            (shortest, longest) = (shortest.min(steps), longest.max(steps));
            let (least, most) = (bounds::lower(&made.launch), bounds::upper(&made.launch));
            for latencies in [schedule::longest(&made.launch), schedule::shortest(&made.launch)] {
                let schedule = Policy::LooseRoundRobin.schedule(&made.launch, latencies);
                assert_eq!(check(&made.launch, &schedule), [], "{place}");
                let makespan = u64::from(schedule.makespan(&made.launch));
                assert!(least <= makespan && makespan <= most, "{place}: {makespan} of {least} to {most}");
            }
        }
    }
    assert!(shortest < 20 && longest > 1_000, "{shortest} to {longest}");
}

/// With one warp a partition these are exact by stretches alone, which the checker derives by itself.
#[test]
fn what_is_exact_by_stretches_is_certified() {
    for (number, name) in [(86, "hash_2"), (89, "horner_6"), (89, "saxpy"), (120, "saxpy")] {
        let listing = read(&text(number)).expect("it is read");
        let function = listing.functions.iter().find(|own| own.name.contains(name));
        let asked = Asked {
            function: function.map(|own| own.name.clone()),
            warps: 4,
            trips: Trips { all: Some(16), ..Trips::default() },
            ..Asked::default()
        };
        let own = Arc::new(launch(&listing, &asked).expect("a launch").launch);
        let mut search = Search::new(&own, Settings { tastes: 200, iterations: 2_000, seed: 1 });
        while search.step(&mut Control::unlimited()) {}
        let (schedule, lower, upper) = (search.best(), search.makespan(), search.upper());
        assert_eq!((u64::from(lower), search.upper_by()), (upper, bounds::STRETCHES), "{name}");
        assert!(bounds::upper(&own) > upper, "{name}");
        let judged = |upper: u64| judge(&own, &Claim { schedule, lower, upper }, 0);
        let verdict = judged(upper);
        assert_eq!((verdict.accepted, verdict.proof), (true, Some(Proof::Stretches(upper))), "{name}");
        assert!(!judged(upper - 1).accepted, "{name}");
    }
}

/// Loops whose rounds are given have gone round so often each time, wherever the way came by.
#[test]
fn rounds_are_those_of_the_way() {
    let mut given = 0;
    for number in NUMBERS {
        let listing = read(&text(number)).expect("it is read");
        for own in &listing.functions {
            let trips = Trips { all: Some(5), ..Trips::default() };
            let asked = Asked { function: Some(own.name.clone()), trips, ..Asked::default() };
            let made = launch(&listing, &asked).expect("it is walked through");
            for own in made.walk.loops.iter().filter(|own| !own.left && own.trips.is_some()) {
                assert_eq!(own.rounds, (5, 5), "sm_{number} {} {own:?}", made.function);
                given += 1;
            }
        }
    }
    assert!(given > 50, "{given}");
}
