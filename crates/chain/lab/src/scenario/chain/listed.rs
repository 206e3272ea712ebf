//! What kernels given as listings of machine code rest on: as the lab of machine code has it, and which multiprocessor.
//!
//! Invariant: whatever such a kernel rests on touches all of it, so nothing made of it is a proof.

use serde_json::Value;

use super::{ChainScenario, Source};
use crate::words::sentences;
use base::people;
use blocks::presets;
use blocks_lab::scenario::blocks::device;
use chain::{Assumption, Code, Safe, Touched};
use code_lab::report::rests::Made;
use code_lab::report::{Rest, rests};

/// What is told of a kernel whose listing is for another multiprocessor than the chain's.
pub const OTHER_DEVICE: &str = "device";

/// The listing of a kernel, as it was read.
fn listing(source: Option<&Source>) -> Option<&Made> {
    match source {
        Some(Source::Code(code)) => code.made.as_deref(),
        _ => None,
    }
}

/// Of each kernel what it rests on, the gravest first; nothing where it is no listing.
pub fn all(asked: &ChainScenario) -> Vec<Vec<Rest>> {
    let of = |source: &Option<Source>| {
        let made = listing(source.as_ref());
        let own = made.map(rests::rests).unwrap_or_default();
        own.into_iter().chain(made.and_then(|made| other_device(asked, made))).collect()
    };
    asked.sources.iter().map(of).collect()
}

/// The multiprocessor that the document names, and its compute capability as listings write it.
fn multiprocessor(asked: &ChainScenario) -> Option<(String, u32)> {
    let preset = |own: &Value| own.get("preset").and_then(Value::as_str).map(str::to_owned);
    let named = match asked.document.get("device") {
        Some(written) => preset(written),
        None => Some(device::DEFAULT.to_owned()),
    };
    if let Some(preset) = named.as_deref().and_then(presets::named) {
        let (major, minor) = preset.capability;
        let said = format!("how many blocks and warps a multiprocessor holds is that of {}", preset.label);
        return Some((said, u32::from(major) * 10 + u32::from(minor)));
    }
    let written = preset(asked.document.get("machine")?)?;
    let (major, minor) = written.strip_prefix("cc-")?.split_once('.')?;
    let number = major.parse::<u32>().ok()?.checked_mul(10)?.checked_add(minor.parse().ok()?)?;
    Some(("the multiprocessor that the document names is another".to_owned(), number))
}

/// That a listing is for another multiprocessor than the one whose blocks are counted.
fn other_device(asked: &ChainScenario, made: &Made) -> Option<Rest> {
    let own = made.number;
    let (said, has) = multiprocessor(asked).filter(|(_, has)| *has != own)?;
    Some(Rest {
        on: OTHER_DEVICE.into(),
        what: format!("code for sm_{own}, multiprocessor sm_{has}"),
        said: format!("Latencies and lanes are those for sm_{own}; {said}, sm_{has}."),
    })
}

/// Where the loops begin that the way goes round once because nobody says how often, and those that it leaves before.
fn open(made: &Made) -> (Vec<String>, Vec<String>) {
    let (left, once): (Vec<_>, Vec<_>) = rests::open(made).partition(|own| own.left);
    let at = |all: Vec<&_>| all.into_iter().map(|own| rests::place(made, own)).collect();
    (at(once), at(left))
}

/// The loops of a kernel that go round once because nobody says how often, in a clause; nothing where there are none.
pub fn once(kernel: &str, source: Option<&Source>) -> Option<String> {
    let (once, _) = open(listing(source)?);
    (!once.is_empty()).then(|| loops_once(kernel, &once))
}

/// What of a kernel is most likely not as it is: loops once, a text that was cut, or that was not all understood.
pub fn grave(asked: &ChainScenario) -> Vec<Assumption> {
    let mut found = Vec::new();
    for (place, rests) in all(asked).into_iter().enumerate() {
        let (Some(kernel), source) = (asked.chain.kernels.get(place), asked.sources.get(place)) else {
            continue;
        };
        let name = &kernel.name;
        let mut add = |what: String, why: &str, key: &str, code: Code| {
            found.push(Assumption {
                what,
                value: String::new(),
                why: why.to_owned(),
                path: format!("chain.kernels[{place}].{key}"),
                code,
                touches: vec![Touched::Kernel(place)],
                safe: Safe::Neither,
            });
        };
        for rest in rests.iter().filter(|rest| rest.is_grave()) {
            if rest.on != "loops" {
                let what = format!("the listing of {name} is whole ({})", rest.what);
                add(what, &rest.said, "sass", Code::Work);
                continue;
            }
            let made = source.and_then(|source| listing(source.as_ref()));
            let (once, left) = made.map(open).unwrap_or_default();
            if !once.is_empty() {
                let why = "nobody says how often: \"loops\" of the kernel can say it";
                add(loops_once(name, &once), why, "loops", Code::Loop);
            }
            if !left.is_empty() {
                let (loops, is) =
                    if left.len() == 1 { ("the loop at", "is") } else { ("the loops at", "are") };
                let what =
                    format!("{loops} {} of {name} {is} left before a round is over", people::listed(&left));
                add(what, "others out of it are not followed", "sass", Code::Path);
            }
        }
    }
    found
}

/// What else the listings of kernels do not say: ways, tables, rounds that are exactly those given.
pub fn others(asked: &ChainScenario) -> Vec<Assumption> {
    let kernels = asked.chain.kernels.iter().zip(&asked.sources).zip(all(asked)).enumerate();
    let found = kernels.filter_map(|(place, ((kernel, source), rests))| {
        let made = listing(source.as_ref())?;
        // Where a rule has decided, each branch is told by itself; the multiprocessor has a line of its own.
        let told =
            rests.iter().filter(|rest| !rest.is_grave() && rest.on != "way" && rest.on != OTHER_DEVICE);
        let all = made.details.iter().map(String::as_str).chain(told.map(|rest| &*rest.said));
        Some(Assumption {
            what: format!("what the machine code of {} takes", kernel.name),
            value: "as read".to_owned(),
            why: sentences(all),
            path: format!("chain.kernels[{place}].sass"),
            code: Code::Work,
            touches: vec![Touched::Kernel(place)],
            safe: Safe::Neither,
        })
    });
    found.collect()
}

/// That loops go round once, in a clause that has the places where they begin, as far as these are known.
pub fn loops_once(kernel: &str, loops: &[String]) -> String {
    const NAMED: usize = 4;
    let more = loops.len().saturating_sub(NAMED);
    let named: Vec<String> = loops.iter().take(NAMED).cloned().collect();
    let named = if more > 0 {
        format!("{} and {} more", named.join(", "), people::grouped(more as u128))
    } else {
        people::listed(&named)
    };
    match loops.len() {
        0 => format!("loops of {kernel} go round once each, where nothing is said"),
        1 => format!("the loop at {named} of {kernel} goes round once"),
        _ => format!("the loops at {named} of {kernel} go round once each"),
    }
}
