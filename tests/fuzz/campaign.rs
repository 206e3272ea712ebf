//! Tries many inputs on a target, and tells of every place where one of them broke it, with the smallest such input.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Once;

use super::mutate::Mutator;
use super::seeds;
use super::targets::{TARGETS, Target};

/// Inputs of the cheapest readers where nothing else is said: some twenty seconds of one processor in all.
const FEW: usize = 8_000;
/// The same on a machine that only tests.
const MANY: usize = 100_000;
/// Attempts to make an input smaller that broke something.
const ATTEMPTS: usize = 3_000;

thread_local! {
    /// Where and why this thread panicked last, while it tries inputs.
    static BROKE: RefCell<Option<String>> = const { RefCell::new(None) };
    static TRYING: Cell<bool> = const { Cell::new(false) };
}

/// Tries what broke once, the seeds, and then what is made of them.
pub fn fuzz(name: &str) {
    listen();
    let target = TARGETS.iter().find(|target| target.name == name).expect("a target");
    let pool = seeds::of(target);
    write_seeds(name, &pool.texts);
    let mut found = BTreeMap::new();
    for input in &pool.texts {
        note(&mut found, target, input);
    }
    let count = effort() / target.cost;
    let mut mutator = Mutator::new(&pool, number("WARPSPAN_SEED").unwrap_or(1) as u64);
    for _ in 0..count {
        let input = mutator.input();
        note(&mut found, target, &input);
    }
    println!("{name}: {} seeds and {count} inputs made of them", pool.texts.len());
    if !found.is_empty() {
        let told: Vec<String> = found.iter().map(|(why, input)| keep(target, why, input)).collect();
        unreachable!("{name} broke in {} places:\n{}", found.len(), told.join("\n"));
    }
}

/// Writes the seeds for the other driver, where a folder for them is named.
fn write_seeds(name: &str, texts: &[Vec<u8>]) {
    let Some(folder) = std::env::var_os("WARPSPAN_SEEDS") else { return };
    let folder = Path::new(&folder).join(name);
    fs::create_dir_all(&folder).expect("a folder for seeds");
    for (number, text) in texts.iter().enumerate() {
        fs::write(folder.join(format!("seed-{number:03}")), text).expect("a seed can be written");
    }
}

fn number(variable: &str) -> Option<usize> {
    let text = std::env::var(variable).ok()?;
    Some(
        text.replace('_', "")
            .parse()
            .unwrap_or_else(|_| unreachable!("{variable} is {text}, expected a number")),
    )
}

/// As `WARPSPAN_EFFORT` says: a number, or `full` as in other tests.
fn effort() -> usize {
    let is = |variable: &str, value: &str| std::env::var_os(variable).is_some_and(|told| told == value);
    if is("WARPSPAN_EFFORT", "full") {
        return MANY;
    }
    number("WARPSPAN_EFFORT").unwrap_or(if is("CI", "true") { MANY } else { FEW })
}

/// Tries an input, and keeps it if it broke the target where none did before, or is smaller than what did.
fn note(found: &mut BTreeMap<String, Vec<u8>>, target: &Target, input: &[u8]) {
    if let Some(folder) = std::env::var_os("WARPSPAN_KEEP") {
        fs::write(Path::new(&folder).join(target.name), input).expect("the folder can be written to");
    }
    let Some(why) = broke(target, input) else { return };
    let known = found.get(&why);
    if known.is_none_or(|known| input.len() < known.len()) {
        found.insert(why, input.to_vec());
    }
}

/// Where and why an input breaks a target.
fn broke(target: &Target, input: &[u8]) -> Option<String> {
    TRYING.set(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    TRYING.set(false);
    outcome.err().map(|_| BROKE.take().unwrap_or_default())
}

/// Takes note of panics on threads that try inputs, in place of printing them.
fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !TRYING.get() {
                return usual(info);
            }
            let place = info.location().map_or(String::new(), |at| format!("{}:{}", at.file(), at.line()));
            let said = info.payload_as_str().unwrap_or_default();
            let said: String = said.chars().take_while(|c| *c != '\n' && *c != '{').take(60).collect();
            BROKE.set(Some(format!("{place}: {said}")));
        }));
    });
}

/// Makes an input smaller, writes it to a file, and says where it is.
fn keep(target: &Target, why: &str, input: &[u8]) -> String {
    let small = smaller(target, why, input.to_vec());
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    fs::create_dir_all(&folder).expect("a folder for what broke");
    let place: String =
        why.chars().take_while(|c| *c != ' ').map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let file = folder.join(format!("{}-{}", target.name, place.trim_end_matches('-')));
    fs::write(&file, &small).expect("what broke can be written");
    let start: String = String::from_utf8_lossy(&small).chars().take(300).collect();
    format!("  {why}\n    {} bytes in {}: {start:?}", small.len(), file.display())
}

/// The input without whatever is not needed to break the target in the same place.
fn smaller(target: &Target, why: &str, mut input: Vec<u8>) -> Vec<u8> {
    let mut attempts = 0;
    let mut piece = input.len() / 2;
    while piece > 0 {
        let mut at = 0;
        while at < input.len() && attempts < ATTEMPTS {
            let mut less = input.clone();
            less.drain(at..(at + piece).min(input.len()));
            attempts += 1;
            if broke(target, &less).as_deref() == Some(why) {
                input = less;
            } else {
                at += piece;
            }
        }
        piece /= 2;
    }
    input
}
