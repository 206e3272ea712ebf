//! Listings of our own kernels as the disassemblers of CUDA 12.4 and 13 print them.

#![allow(missing_docs)]

use code::check::check;
use code::longest::{Search, Settings};
use warpspan_code_read::{Asked, Class, Listing, Made, Timing, Trips, launch, looks_like, read};

fn fixture(name: &str) -> Listing {
    let path = format!("{}/tests/fixtures/{name}.sass", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("a fixture");
    assert!(looks_like(&text), "{name}");
    read(&text).expect("it is read")
}

fn made(name: &str, trips: Option<u32>) -> Made {
    let trips = Trips { all: trips, ..Trips::default() };
    launch(&fixture(name), &Asked { trips, ..Asked::default() }).expect("it is walked through")
}

#[test]
fn saxpy_for_turing() {
    let made = made("saxpy-sm_75", None);
    assert_eq!(
        (made.function.as_str(), made.architecture.name, made.timing),
        ("saxpy", "Turing", Timing::Words)
    );
    assert_eq!(made.walk.steps, (0..14).collect::<Vec<_>>());
    let load = &made.launch.code()[9];
    assert_eq!(made.rows[9].text, "LDG.E.SYS R3, [R2]");
    assert_eq!((load.stall, load.sets[0].board, made.rows[9].class), (4, 2, Class::Global));
    let multiply = &made.launch.code()[11];
    assert_eq!((multiply.stall, multiply.waits.len(), multiply.waits[0].board), (8, 1, 2));
    assert_eq!(made.walk.loops, []);
}

#[test]
fn loops_that_the_text_decides_are_not_asked_for() {
    for (name, rounds) in [
        ("hash_32-sm_100", 32),
        ("async_4-sm_86", 4),
        ("gather_4-sm_89", 4),
        ("branches_4-sm_75", 4),
        ("mma_4-sm_80", 4),
    ] {
        let made = made(name, None);
        let [own] = &made.walk.loops[..] else { unreachable!("{name}: one loop") };
        assert_eq!((own.trips, own.known), (None, true), "{name}");
        let begins = made.rows.iter().position(|row| row.address == own.address).expect("its first line");
        let times = made.walk.steps.iter().filter(|&&at| at as usize == begins).count();
        assert_eq!((times, own.rounds), (rounds, (rounds as u32, rounds as u32)), "{name}");
    }
}

#[test]
fn a_loop_that_nobody_decides_is_told() {
    // The same loop with its bound in a register.
    let path = format!("{}/tests/fixtures/hash_32-sm_100.sass", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("a fixture").replace("UR4, 0x20, UPT", "UR4, UR9, UPT");
    let listing = read(&text).expect("it is read");
    let once = launch(&listing, &Asked::default()).expect("a launch");
    assert_eq!(once.walk.steps.len(), 21);
    assert!(once.assumed[0].starts_with("The loop at 0x0090 was gone round once"), "{:?}", once.assumed);
    let given = |trips: Trips| launch(&listing, &Asked { trips, ..Asked::default() });
    let each = Trips { each: [(0x90, 5)].into(), ..Trips::default() };
    let five = given(each).expect("a launch");
    assert_eq!(five.walk.steps.len(), 21 + 4 * 8);
    assert!(five.assumed.iter().all(|text| !text.contains("loop")));
    let wrong = given(Trips { each: [(0x40, 5)].into(), ..Trips::default() });
    assert_eq!(
        wrong.map(|_| ()).unwrap_err()[0].to_string(),
        "loops: no loop begins at 0x0040, expected 0x0090"
    );
}

#[test]
fn every_listing_is_read_and_its_schedules_keep_the_rules() {
    let folder = format!("{}/tests/fixtures", env!("CARGO_MANIFEST_DIR"));
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("fixtures")
        .filter_map(|entry| {
            entry.ok()?.file_name().into_string().ok()?.strip_suffix(".sass").map(str::to_owned)
        })
        .collect();
    names.sort();
    assert!(names.len() > 15);
    for name in names {
        let listing = fixture(&name);
        assert_eq!(listing.skipped, 0, "{name}: {:?}", listing.first_skipped);
        let old = name.ends_with("sm_50") || name.ends_with("sm_61");
        let timing = if old { Timing::ControlWords } else { Timing::Words };
        let made = made(&name, Some(3));
        assert_eq!(made.timing, timing, "{name}");
        let number: u32 = name.rsplit('_').next().and_then(|digits| digits.parse().ok()).expect("a number");
        assert!(made.architecture.numbers.contains(&number), "{name}");
        assert!(
            made.assumed.iter().all(|text| !text.contains("table of opcodes")),
            "{name}: {:?}",
            made.assumed
        );
        let settings = Settings { tastes: 8, iterations: 8, seed: 1 };
        let mut search = Search::new(&std::sync::Arc::new(made.launch.clone()), settings);
        while search.step(&mut base::Control::unlimited()) {}
        assert_eq!(check(&made.launch, search.best()), [], "{name}");
        let upper = code::bounds::upper(&made.launch);
        assert!(u64::from(search.makespan()) <= upper, "{name}");
        assert!(upper < 3 * u64::from(search.makespan()), "{name}: {upper} of {}", search.makespan());
    }
}

/// Without words stalls and scoreboards are derived; nothing then uses a result before it is there.
#[test]
fn text_without_words_opens() {
    for name in ["saxpy-sm_75", "reduce_256-sm_75", "matmul_4_16-sm_90", "random_60_1-sm_86"] {
        let path = format!("{}/tests/fixtures/{name}.sass", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("a fixture");
        // As Compiler Explorer shows it: no addresses and no words.
        let plain: Vec<String> = text
            .lines()
            .filter_map(|line| {
                let rest = line.trim().strip_prefix("/*")?.split_once("*/")?.1.trim();
                (!rest.is_empty()).then(|| format!(" {}", rest.split(';').next().unwrap_or_default().trim()))
            })
            .collect();
        let text = format!("kernel(int):\n{}\n", plain.join("\n"));
        assert!(looks_like(&text), "{name}");
        let listing = read(&text).expect("it is read");
        let number = name.rsplit('_').next().and_then(|digits| digits.parse().ok());
        let derived =
            launch(&listing, &Asked { architecture: number, ..Asked::default() }).expect("a launch");
        assert_eq!((derived.timing, derived.function.as_str()), (Timing::None, "kernel(int)"));
        assert!(derived.assumed.iter().any(|text| text.contains("derived from registers")));
        assert_eq!(derived.rows.len(), made(name, None).rows.len());
        // Who reads what a load writes waits for its scoreboard.
        let waits = derived.launch.code().iter().filter(|own| !own.waits.is_empty()).count();
        assert!(waits > 1, "{name}");
    }
}

#[test]
fn damaged_listings_are_told() {
    let wrong = |text: &str| read(text).map(|_| ()).unwrap_err()[0].to_string();
    assert_eq!(
        wrong("hello"),
        "document: no instruction in it, expected text of cuobjdump -sass, nvdisasm -hex or Compiler Explorer"
    );
    assert_eq!(
        wrong("//\n.version 8.3\n.target sm_75\n.visible .entry add()\n{\n  ret;\n}\n"),
        "document: PTX, which is assembled before it runs, expected text of cuobjdump -sass, nvdisasm -hex or Compiler Explorer"
    );
    let path = format!("{}/tests/fixtures/saxpy-sm_75.sass", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("a fixture");
    let lines: Vec<&str> = text.lines().collect();
    // A word is missing: timing would be that of another instruction.
    let cut: Vec<&str> = lines.iter().enumerate().filter(|(i, _)| *i != 9).map(|(_, line)| *line).collect();
    let said = wrong(&cut.join("\n"));
    assert!(said.contains(" from 0x00") && said.contains(" on do not fit its instructions"), "{said}");
    words_that_do_not_fit(&lines);
    // Cut anywhere it is read or refused, never worse.
    for at in 0..text.len() {
        if let Some(listing) = text.get(..at).and_then(|text| read(text).ok()) {
            let _ = launch(&listing, &Asked::default());
        }
    }
}

/// The place is that of the instruction that has lost its word, or of the word that has lost its instruction.
fn words_that_do_not_fit(lines: &[&str]) {
    let place = |cut: &[usize]| {
        let left = lines.iter().enumerate().filter(|(at, _)| !cut.contains(&(at + 1)));
        let left: Vec<&str> = left.map(|(_, line)| *line).collect();
        read(&left.join("\n")).map(|_| ()).map_err(|problems| problems[0].place.clone())
    };
    // Lines 5 and 6 are the first instruction and its second word, 7 and 8 the next.
    assert_eq!(place(&[6]), Err("line 5".to_owned()));
    assert_eq!(place(&[10]), Err("line 9".to_owned()));
    assert_eq!(place(&[9]), Err("line 9".to_owned()), "a word without an instruction");
    assert_eq!(place(&[10, 20]), Err("line 9".to_owned()), "the first of two");
    assert_eq!(place(&[36]), Err("line 35".to_owned()), "the last one");
    assert_eq!(place(&[5, 36]), Err("line 34".to_owned()));
    assert_eq!(place(&[5]), Ok(()), "what is left of an instruction before the first one");
}

/// A text that was cut begins with the second word of an instruction that is gone: the others keep their own.
#[test]
fn a_word_before_the_first_instruction_is_nobody_s() {
    for name in ["saxpy-sm_75", "matmul_4_16-sm_90"] {
        let path = format!("{}/tests/fixtures/{name}.sass", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("a fixture");
        let whole = read(&text).expect("it is read");
        let first = whole.functions[0].lines[0].number;
        // With the name and the architecture above it, and without.
        for from in [0, first] {
            let left = text.lines().enumerate().filter(|(at, _)| *at >= from && *at + 1 != first);
            let cut = left.map(|(_, line)| line).collect::<Vec<_>>().join("\n");
            let cut = read(&cut).expect("it is read");
            let (own, all) = (&cut.functions[0], &whole.functions[0]);
            assert_eq!((own.timing, own.lines.len()), (Timing::Words, all.lines.len() - 1), "{name}");
            assert!(own.lines.iter().zip(&all.lines[1..]).all(|(a, b)| a.control == b.control), "{name}");
        }
    }
}

/// Of Maxwell and Pascal a word has the fields of three instructions: one that is missing takes its own along, and those of
/// a word that is missing are nobody's.
#[test]
fn fields_of_three_stay_with_their_instructions() {
    for name in ["saxpy-sm_50", "stream_4-sm_61", "reduce_256-sm_61"] {
        let path = format!("{}/tests/fixtures/{name}.sass", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("a fixture");
        let whole = read(&text).expect("it is read");
        let of = |listing: &Listing| -> Vec<_> {
            let lines = listing.functions[0].lines.iter();
            lines.map(|line| (line.address, line.control.expect("a field"))).collect()
        };
        let all = of(&whole);
        let lines: Vec<&str> = text.lines().collect();
        let without = |number: usize| -> String {
            let kept = (1..).zip(&lines).filter(|(at, _)| *at != number).map(|(_, line)| *line);
            kept.collect::<Vec<_>>().join("\n")
        };
        for (at, line) in whole.functions[0].lines.iter().enumerate() {
            let rest = of(&read(&without(line.number)).expect("it is read without that line"));
            let others: Vec<_> = all.iter().copied().filter(|own| own.0 != all[at].0).collect();
            assert_eq!(rest, others, "{name} without line {}", line.number);
        }
        // The second word: the first one is not that of six.
        let word = |line: &str| line.trim().starts_with("/* 0x");
        let second = (1..).zip(&lines).filter(|(_, line)| word(line)).nth(1).map_or(0, |(at, _)| at);
        let first = whole.functions[0].lines.iter().find(|line| line.number > second).expect("a line");
        let problem = format!("{:?}", read(&without(second)).expect_err("a word is missing"));
        assert!(problem.contains(&format!("{}", first.number - 1)), "{name}: {problem}");
    }
}
