//! No input leads to a panic: every reader, and the run after it, with thousands of damaged and strange inputs.
//!
//! Inputs are made from seeds by seeded mutation, so the same ones are tried everywhere; overflow is checked, as in all
//! tests. What broke once stands in `tests/fuzz/corpus`, a folder for each target, and is tried first, as it is.
//!
//! | variable | meaning |
//! |---|---|
//! | `WARPSPAN_EFFORT` | inputs of the cheapest readers, the others have a share of it; `full` for as many as with `CI=true` |
//! | `WARPSPAN_SEED` | another number, other inputs |
//! | `WARPSPAN_KEEP` | a folder that always holds the input that is tried: what a hang or an abort leaves behind |
//! | `WARPSPAN_SEEDS` | a folder that is given the seeds, those of each target in a folder of its own |
//!
//! The same targets run under cargo-fuzz, in the folder `fuzz`. No program here has unsafe code of its own, so that they
//! do without a sanitizer:
//!
//! ```sh
//! WARPSPAN_SEEDS=$PWD/corpus WARPSPAN_EFFORT=0 cargo test --test fuzz
//! cargo +nightly fuzz run --sanitizer none scenario corpus/scenario -- -timeout=10 -rss_limit_mb=1024 -max_len=65536
//! ```

#![cfg(not(target_arch = "wasm32"))]

mod archives;
mod campaign;
mod mutate;
mod seeds;
mod targets;
mod tree;

use std::fs;
use std::path::Path;

/// A test for each target.
macro_rules! fuzzed {
    ($($name:ident),*) => {
        $(#[test] fn $name() { campaign::fuzz(stringify!($name)); })*

        const TESTED: &[&str] = &[$(stringify!($name)),*];
    };
}

fuzzed!(
    words,
    sniff,
    scenario,
    link,
    gzip,
    zip,
    several,
    certificate,
    ptx,
    amalthea,
    configuration,
    log,
    lesson,
    exercises,
    reproduction,
    page,
    run
);

/// Every target is tested here, and is a program for cargo-fuzz; every folder of the corpus is of a target.
#[test]
fn both_drivers_have_all_targets() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = fs::read_to_string(root.join("fuzz/Cargo.toml")).expect("the programs for cargo-fuzz");
    for target in &targets::TARGETS {
        assert!(TESTED.contains(&target.name), "{} has no test", target.name);
        assert!(manifest.contains(&format!("name = \"{}\"", target.name)), "{} is no program", target.name);
        let program = root.join(format!("fuzz/fuzz_targets/{}.rs", target.name));
        let program = fs::read_to_string(program).expect("its program");
        assert!(program.contains(&format!("input({:?}, data)", target.name)), "{}", target.name);
    }
    assert_eq!(TESTED.len(), targets::TARGETS.len());
    for folder in fs::read_dir(root.join("tests/fuzz/corpus")).expect("what broke once") {
        let name = folder.expect("a folder").file_name();
        assert!(TESTED.iter().any(|target| name == *target), "{name:?} is of no target");
    }
}

/// Inputs that are all refused would say nothing of what comes after reading.
#[test]
fn many_inputs_can_be_run() {
    let run = targets::TARGETS.iter().find(|target| target.name == "run").expect("a target");
    let pool = seeds::of(run);
    let mut mutator = mutate::Mutator::new(&pool, 1);
    let read = |input: Vec<u8>| warpspan::scenario::read(&String::from_utf8_lossy(&input)).is_ok();
    let runs = (0..400).filter(|_| read(mutator.input())).count();
    println!("{runs} of 400 inputs can be run");
    assert!(runs > 60, "only {runs} of 400 inputs can be run");
}

/// The same seed makes the same inputs, and most of them are not what they were made from.
#[test]
fn mutation_is_repeatable_and_changes_something() {
    for target in &targets::TARGETS {
        let pool = seeds::of(target);
        assert!(pool.texts.len() >= 3, "{} has {} seeds", target.name, pool.texts.len());
        let made = |seed| {
            let mut mutator = mutate::Mutator::new(&pool, seed);
            (0..50).map(|_| mutator.input()).collect::<Vec<_>>()
        };
        let inputs = made(7);
        assert_eq!(inputs, made(7), "{}", target.name);
        assert_ne!(inputs, made(8), "{}", target.name);
        let changed = inputs.iter().filter(|input| !pool.texts.contains(input)).count();
        assert!(changed > 35, "{}: {changed} of 50", target.name);
    }
}
