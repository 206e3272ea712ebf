//! What a chain takes for granted: the document's own list, and what reading it took besides.
//!
//! Invariant: every entry touches something. One that names no number it stands in touches the place it names, and
//! one that names no place touches everything.

use serde_json::Value;

use super::{ChainScenario, Ptx, Source, listed};
use base::people;
use blocks::presets;
use blocks_lab::scenario::blocks::choice;
use chain::{Assumption, Code, Safe, SegmentKind, Touched, Work};
use kit::import::reader::{Fields, Reader};
use warps_lab::import::ptx;
use warps_lab::import::ptx::{Branch, Choices, Iterations, Path};

/// The most entries.
const MOST: usize = 1_000;
/// The most places of an entry.
const MOST_TOUCHED: usize = 1_000;

/// Reads the list of a document.
pub fn read(reader: &mut Reader, fields: &Fields<'_>) -> Option<Vec<Assumption>> {
    let Some(value) = fields.get("assumed") else { return Some(Vec::new()) };
    let path = fields.path_of("assumed");
    let items = reader.list(&path, value)?;
    if items.len() > MOST {
        reader.problem(&path, people::counted(items.len(), "assumption"), format!("at most {MOST}"));
        return None;
    }
    let read = items.iter().enumerate().map(|(i, item)| {
        let fields = reader.object(&format!("{path}[{i}]"), item)?;
        entry(reader, &fields)
    });
    let read: Vec<Option<Assumption>> = read.collect();
    read.into_iter().collect()
}

fn entry(reader: &mut Reader, fields: &Fields<'_>) -> Option<Assumption> {
    reader.only(fields, &["what", "value", "why", "path", "code", "touches", "safe"]);
    let mut text = |key: &str| match fields.get(key) {
        None => Some(String::new()),
        Some(value) => reader.text(&fields.path_of(key), value),
    };
    let (value, why, path) = (text("value"), text("why"), text("path"));
    let what = reader.required(fields, "what", "what is assumed", Reader::text);
    let codes = Code::ALL.map(|code| (code, code.name()));
    let code = match fields.get("code") {
        None => Some(Code::Other),
        Some(_) => choice(reader, fields, "code", &codes),
    };
    let safe = match fields.get("safe") {
        None => Some(Safe::Neither),
        Some(_) => choice(reader, fields, "safe", &[(Safe::Upper, "upper"), (Safe::Lower, "lower")]),
    };
    let touches = match fields.get("touches") {
        None => Some(vec![Touched::at(path.as_deref().unwrap_or_default())]),
        Some(value) => touches(reader, &fields.path_of("touches"), value),
    };
    Some(Assumption {
        what: what?,
        value: value?,
        why: why?,
        path: path?,
        code: code?,
        touches: touches?,
        safe: safe?,
    })
}

fn touches(reader: &mut Reader, path: &str, value: &Value) -> Option<Vec<Touched>> {
    let items = reader.list(path, value)?;
    if !(1..=MOST_TOUCHED).contains(&items.len()) {
        let expected = format!("1 to {MOST_TOUCHED} places");
        reader.problem(path, people::counted(items.len(), "place"), expected);
        return None;
    }
    let read: Vec<Option<Touched>> = items
        .iter()
        .enumerate()
        .map(|(i, item)| reader.text(&format!("{path}[{i}]"), item).map(|place| Touched::at(&place)))
        .collect();
    read.into_iter().collect()
}

/// Adds what is taken for granted without the document: what listings may lack, how fast copies are, which way PTX goes,
/// and what else listings do not say.
pub fn add_by_reading(asked: &mut ChainScenario) {
    let mut found = listed::grave(asked);
    found.extend(copies(asked));
    found.extend(ways(asked));
    found.extend(listed::others(asked));
    asked.chain.assumed.extend(found);
}

/// A preset's copy rate is a round number, and its engines may be a guess.
fn copies(asked: &ChainScenario) -> Vec<Assumption> {
    let written = asked.document.get("device");
    let said = |key: &str| written.and_then(|device| device.get(key)).is_some();
    let named = match written {
        Some(device) => device.get("preset").and_then(Value::as_str),
        None => Some(blocks_lab::scenario::blocks::device::DEFAULT),
    };
    let mut found = Vec::new();
    let segments = |by_bytes: &dyn Fn(&Value) -> bool| -> Vec<Touched> {
        let mut touched = Vec::new();
        for (t, task) in asked.chain.tasks.iter().enumerate() {
            for (s, segment) in task.segments.iter().enumerate() {
                let written = asked.document.get("tasks").and_then(|all| all.get(t)?.get("segments")?.get(s));
                if matches!(segment.kind, SegmentKind::Copy { .. }) && written.is_none_or(by_bytes) {
                    touched.push(Touched::Segment(t, s));
                }
            }
        }
        touched
    };
    let by_rate = segments(&|written| written.get("duration").is_none());
    if !by_rate.is_empty() && !said("copy_rate") {
        found.push(Assumption {
            what: "how fast copies are".to_owned(),
            value: format!("{} bytes a second", people::grouped(asked.chain.device.copy_speed.host.into())),
            why: "no \"copy_rate\" is given; presets have a round number, which nobody measured".to_owned(),
            path: "chain.device.copy_rate".to_owned(),
            code: Code::CopyRate,
            touches: by_rate,
            safe: Safe::Neither,
        });
    }
    let guessed =
        named.and_then(presets::named).filter(|preset| preset.copy_engines.1 == presets::Origin::Assumed);
    let any = segments(&|_| true);
    if let Some(preset) = guessed
        && !any.is_empty()
        && !said("copy_engines")
    {
        found.push(Assumption {
            what: "how many engines copies have".to_owned(),
            value: preset.copy_engines.0.to_string(),
            why: format!("no \"copy_engines\" is given, and nobody reports them of {}", preset.name),
            path: "chain.device.copy_engines".to_owned(),
            code: Code::CopyRate,
            touches: any,
            safe: Safe::Neither,
        });
    }
    found
}

/// PTX whose way nobody chose.
fn ways(asked: &ChainScenario) -> Vec<Assumption> {
    let kernels = asked.chain.kernels.iter().zip(&asked.sources).enumerate();
    let found = kernels.filter_map(|(place, (kernel, source))| {
        let (Work::Instructions(of), Some(Source::Ptx(source))) = (&kernel.work, source) else { return None };
        let written = asked.document.get("kernels").and_then(|all| all.get(place)?.get("path"));
        let (code, what, value, why) = match not_chosen(source, written) {
            Some(Open::Rounds(labels)) => {
                (Code::Loop, listed::loops_once(&kernel.name, &labels), "", NOT_SAID)
            }
            Some(Open::Branches) => (
                Code::Path,
                format!("the way at branches of {}", kernel.name),
                "no branch is taken",
                NOT_SAID,
            ),
            // What reading the program could not decide.
            None => {
                let what = format!("what is left open of {}", kernel.name);
                (Code::Loop, what, "as stated in \"path\"", of.assumed.as_deref()?)
            }
        };
        Some(Assumption {
            what,
            value: value.to_owned(),
            why: why.to_owned(),
            path: format!("chain.kernels[{place}].path"),
            code,
            touches: vec![Touched::Kernel(place)],
            safe: Safe::Neither,
        })
    });
    found.collect()
}

/// Of each kernel the loops that go round once because nobody says how often, in a clause; nothing where there are none.
pub fn rounds_assumed(asked: &ChainScenario) -> Vec<String> {
    let kernels = asked.chain.kernels.iter().zip(&asked.sources);
    let listed = kernels.map(|(kernel, source)| listed::once(&kernel.name, source.as_ref()));
    let mut all: Vec<String> = listed.map(Option::unwrap_or_default).collect();
    for of in ways(asked) {
        if let (Code::Loop, "", [Touched::Kernel(place)]) = (of.code, &*of.value, &*of.touches)
            && let Some(own) = all.get_mut(*place)
        {
            own.clone_from(&of.what);
        }
    }
    all
}

/// What a path leaves open.
enum Open {
    /// The rounds of loops: once each. The labels that they begin at, as far as these are known.
    Rounds(Vec<String>),
    /// The way at branches: none is taken.
    Branches,
}

/// Why that is open.
const NOT_SAID: &str = "\"path\" does not say it, and another way may take longer";

/// What a path leaves open: the rounds of loops, or the way at branches.
fn not_chosen(source: &Ptx, written: Option<&Value>) -> Option<Open> {
    let module = ptx::read(&source.text).ok()?;
    let outline = ptx::outline(&module, Some(&source.walk.entry));
    let counted = |written: Option<&Value>| {
        let of = written.and_then(|path| path.get("loops").or_else(|| path.get("longest")));
        of.and_then(|of| of.get("iterations")).is_some()
    };
    let labels: Vec<String> = outline.loops.iter().map(|head| head.label.clone()).collect();
    let mut rounds = labels.clone();
    let open = match &source.walk.path {
        Path::FallThrough => true,
        Path::Loops(iterations) | Path::Longest(iterations) => match iterations {
            Iterations::Each(each) => {
                rounds.retain(|own| !each.iter().any(|(label, _)| label == own));
                !rounds.is_empty()
            }
            _ => !counted(written),
        },
        Path::Branches(choices) => outline.forks.iter().any(|fork| {
            let named = |choices: &Choices| match &choices.branch {
                Branch::To(label) => fork.label.as_ref() == Some(label),
                Branch::Line(line) => *line == fork.line,
            };
            !choices.iter().any(named)
        }),
    };
    if open && !labels.is_empty() {
        // Branches that are chosen one by one say less of loops.
        let known = !matches!(source.walk.path, Path::Branches(_));
        return Some(Open::Rounds(if known { rounds } else { Vec::new() }));
    }
    let ways = written.is_none() && !outline.forks.is_empty();
    ways.then_some(Open::Branches)
}
