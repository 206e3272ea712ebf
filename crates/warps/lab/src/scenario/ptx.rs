//! PTX instead of a kernel string: the text, which kernel of it, and the path through that.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::import::ptx::{self, Branch, Choice, Choices, Iterations, Path, Trips, Turns, Walk};
use base::people;
use kit::import::reader::{Fields, LONGEST_PROGRAM, Reader, shown};
use kit::lab::Labs;
use kit::scenario::version::CURRENT;
use warps::presets::{PRESETS, Preset};
use warps::{Kernel, Unit};

const PATHS: &str = "\"fall-through\", or an object with one of \"loops\", \"longest\" and \"branches\"";
const MOST_ITERATIONS: u32 = 1_000_000;

/// The most loops or branches one path names.
const MOST_NAMED: usize = 1_000;

/// What a document is made with that is PTX and nothing else.
const WARPS: u32 = 16;
const PRESET: &str = "cc-6.2";

/// Reads `ptx`, `entry` and `path` and walks.
pub fn read(reader: &mut Reader, fields: &Fields<'_>, value: &Value) -> Option<Arc<Walk>> {
    let text = reader.text_up_to(LONGEST_PROGRAM, &fields.path_of("ptx"), value);
    // Mangled names of templates are long.
    let entry = reader.optional(fields, "entry", Reader::prose);
    let path = match fields.get("path") {
        None => Some(Path::FallThrough),
        Some(value) => path(reader, &fields.path_of("path"), value),
    };
    if entry.is_none() && fields.get("entry").is_some() {
        return None;
    }
    let (text, path) = text.zip(path)?;
    let module = match ptx::read(&text) {
        Ok(module) => module,
        Err(problems) => {
            for problem in problems {
                let place = format!("{} {}", fields.path_of("ptx"), problem.place);
                reader.problem(place, problem.what, problem.expected);
            }
            return None;
        }
    };
    match ptx::walk(&module, entry.as_deref(), &path) {
        Ok(walk) => Some(Arc::new(walk)),
        Err(problem) => {
            reader.problem(format!("{}.{}", fields.path(), problem.place), problem.what, problem.expected);
            None
        }
    }
}

fn path(reader: &mut Reader, place: &str, value: &Value) -> Option<Path> {
    if value.as_str() == Some("fall-through") {
        return Some(Path::FallThrough);
    }
    if !value.is_object() {
        reader.problem(place, shown(value), PATHS);
        return None;
    }
    let fields = reader.object(place, value)?;
    reader.only(&fields, &["loops", "longest", "branches"]);
    let found: Vec<&str> =
        ["loops", "longest", "branches"].into_iter().filter(|key| fields.get(key).is_some()).collect();
    match found[..] {
        ["branches"] => branches(reader, &fields.path_of("branches"), fields.get("branches")?),
        [name] => {
            let iterations = iterations(reader, &fields.path_of(name), fields.get(name)?)?;
            Some(if name == "loops" { Path::Loops(iterations) } else { Path::Longest(iterations) })
        }
        _ => {
            let what =
                if found.is_empty() { "no path".to_owned() } else { "several paths together".to_owned() };
            reader.problem(place, what, PATHS);
            None
        }
    }
}

/// `{"iterations": 3}`, `{"iterations": {"Loop": [2, 16]}}`; once if left out, which is an assumption.
fn iterations(reader: &mut Reader, place: &str, value: &Value) -> Option<Iterations> {
    let fields = reader.object(place, value)?;
    reader.only(&fields, &["iterations"]);
    let place = fields.path_of("iterations");
    match fields.get("iterations") {
        None => Some(Iterations::Once),
        Some(each @ Value::Object(_)) => {
            let labels = named(reader, &place, each)?;
            let times = labels.keys().map(|label| {
                let value = labels.get(label)?;
                trips(reader, &labels.path_of(label), value).map(|trips| (label.to_owned(), trips))
            });
            let times: Vec<_> = times.collect();
            times.into_iter().collect::<Option<_>>().map(Iterations::Each)
        }
        Some(all) => trips(reader, &place, all).map(Iterations::All),
    }
}

/// `16`, or `[2, 16]`: at least and at most so often.
fn trips(reader: &mut Reader, place: &str, value: &Value) -> Option<Trips> {
    if !value.is_array() {
        return reader.small(place, value, 0..=MOST_ITERATIONS).map(Trips::from);
    }
    match reader.numbers(place, value, 0..=MOST_ITERATIONS)?[..] {
        [least, most] if least <= most => Some(Trips { least, most }),
        ref numbers => {
            let what = people::listed(&numbers.iter().map(u32::to_string).collect::<Vec<_>>());
            let what = if numbers.is_empty() { "nothing".to_owned() } else { what };
            reader.problem(place, what, "two numbers: the fewest rounds, and the most, which are no fewer");
            None
        }
    }
}

/// `{"Done": "taken", "line 17": ["not-taken", "taken"]}`.
fn branches(reader: &mut Reader, place: &str, value: &Value) -> Option<Path> {
    let fields = named(reader, place, value)?;
    let mut all = Vec::new();
    let mut sound = true;
    for key in fields.keys() {
        let line = key.strip_prefix("line ").and_then(|line| line.parse().ok());
        let branch = line.map_or_else(|| Branch::To(key.to_owned()), Branch::Line);
        let place = fields.path_of(key);
        let turns = match fields.get(key)? {
            Value::Array(items) => {
                let mut each = Vec::with_capacity(items.len());
                for (i, item) in items.iter().enumerate() {
                    each.extend(choice(reader, &format!("{place}[{i}]"), item));
                }
                (each.len() == items.len()).then_some(Turns::Each(each))
            }
            one => choice(reader, &place, one).map(Turns::Always),
        };
        sound &= turns.is_some();
        all.extend(turns.map(|turns| Choices { branch, turns }));
    }
    sound.then_some(Path::Branches(all))
}

/// An object whose keys name loops or branches.
fn named<'a>(reader: &mut Reader, place: &str, value: &'a Value) -> Option<Fields<'a>> {
    let fields = reader.object(place, value)?;
    let count = fields.keys().count();
    if count > MOST_NAMED {
        reader.problem(place, people::counted(count, "key"), format!("at most {MOST_NAMED}"));
        return None;
    }
    Some(fields)
}

fn choice(reader: &mut Reader, place: &str, value: &Value) -> Option<Choice> {
    match value {
        Value::String(text) if text == "taken" => Some(Choice::Taken),
        Value::String(text) if text == "not-taken" => Some(Choice::NotTaken),
        Value::String(text) => Some(Choice::Label(text.clone())),
        other => {
            reader.problem(place, shown(other), "\"taken\", \"not-taken\" or a label");
            None
        }
    }
}

/// The document for a text that is PTX alone: its first kernel, sixteen warps, and the preset that its target
/// names, if there is one. Its notes say so.
pub fn document_of_ptx(text: &str) -> Value {
    let module = ptx::read(text).ok();
    let kernel = module
        .as_ref()
        .and_then(|module| module.kernels().next())
        .map_or(ptx::FRAGMENT, |kernel| kernel.name);
    let (preset, why) = machine_of(module.as_ref().and_then(|module| module.target));
    let notes = format!(
        "The text was PTX alone. It is asked with {WARPS} warps, round-robin, on the path that takes no conditional branch; the machine is {preset}, {why}."
    );
    object([
        ("warpspan", Value::from(CURRENT)),
        ("title", Value::from(format!("{kernel:.60}, from PTX"))),
        ("notes", Value::from(notes)),
        (
            "warps",
            object([
                ("ptx", Value::from(text)),
                ("count", Value::from(WARPS)),
                ("machine", object([("preset", Value::from(preset))])),
                ("method", object([("initial", Value::from("round-robin"))])),
            ]),
        ),
    ])
}

/// The document for a text that is PTX alone where a scenario is there already: warps, machine and method stay as
/// far as the new kernel leaves them valid, and what its title and notes said about the old kernel goes.
pub fn document_of_ptx_in(present: &Value, text: &str) -> Value {
    in_place(crate::LABS, present, "ptx", document_of_ptx(text))
}

/// A text that is longer is not looked at as a kernel string.
const LONGEST_KERNEL: usize = 10_000;

/// The same for a text that is a kernel string and nothing else.
pub fn kernel_in(present: &Value, text: &str) -> Option<Value> {
    let is_kernel = text.len() <= LONGEST_KERNEL && Kernel::parse(text).is_ok();
    is_kernel.then(|| document_of_kernel_in(present, text.trim()))
}

/// The same for a kernel string; where no warps are asked about, a document around it.
pub fn document_of_kernel_in(present: &Value, text: &str) -> Value {
    let units = Kernel::parse(text).map(|kernel| kernel.totals()).unwrap_or_default();
    let mut machine = Map::new();
    for (unit, least, capacity) in
        [(Unit::LoadStore, 0, 1), (Unit::Core, 0, 4), (Unit::Special, 1, 1), (Unit::Double, 1, 1)]
    {
        if units[unit] >= least {
            machine.insert(unit.letter().to_string(), Value::from(capacity));
        }
    }
    let warps = object([
        ("kernel", Value::from(text)),
        ("count", Value::from(WARPS)),
        ("machine", Value::Object(machine)),
        ("method", object([("initial", Value::from("round-robin"))])),
    ]);
    let title = Value::from(format!("{text:.60}"));
    in_place(
        crate::QUICK,
        present,
        "kernel",
        object([("warpspan", Value::from(CURRENT)), ("title", title), ("warps", warps)]),
    )
}

/// A document with the kernel of another one, which stands under this key, if these labs read it.
fn in_place(labs: &Labs, present: &Value, source: &str, new: Value) -> Value {
    let present = kit::scenario::version::upgraded(present).unwrap_or_default();
    let Some(old) = present.get("warps").and_then(Value::as_object) else { return new };
    let Some(defaults) = new.get("warps").and_then(Value::as_object) else { return new };
    // An order is one of instructions, and a machine may lack a unit that the new kernel needs.
    for dropped in [&[][..], &["method"], &["machine"], &["machine", "method"]] {
        let mut warps = Map::new();
        warps.insert(source.to_owned(), defaults.get(source).cloned().unwrap_or_default());
        for (key, value) in old {
            // References are of the old kernel.
            let own = ["kernel", "ptx", "entry", "path", "references"].contains(&key.as_str());
            let value = if dropped.contains(&key.as_str()) { defaults.get(key) } else { Some(value) };
            if let Some(value) = value.filter(|_| !own) {
                warps.insert(key.clone(), value.clone());
            }
        }
        let title = new.get("title").cloned().unwrap_or_default();
        let document =
            object([("warpspan", Value::from(CURRENT)), ("title", title), ("warps", Value::Object(warps))]);
        if kit::scenario::from_tree(labs, &document).is_ok() {
            return document;
        }
    }
    new
}

fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let mut map = Map::new();
    for (key, value) in fields {
        map.insert(key.to_owned(), value);
    }
    Value::Object(map)
}

/// The preset for a target such as `sm_75` or `sm_90a`, and why that one: where there is none of that name, the
/// last one before it, or the first of all.
fn machine_of(target: Option<&str>) -> (&'static str, String) {
    let Some(target) = target else {
        return (PRESET, "the preset taken where there is no target".to_owned());
    };
    let Some(wanted) = capability(target) else {
        return (PRESET, format!("taken because its target {target:.40} names no compute capability"));
    };
    let known = |preset: &&Preset| preset.name.strip_prefix("cc-").and_then(numbers);
    if let Some(preset) = PRESETS.iter().find(|preset| known(preset) == Some(wanted)) {
        return (preset.name, "the preset that its target names".to_owned());
    }
    let before = PRESETS.iter().filter(|preset| known(preset).is_some_and(|known| known < wanted));
    let (preset, which) = match before.max_by_key(known) {
        Some(preset) => (preset, "the last one before it"),
        None => (&PRESETS[0], "the first there is"),
    };
    let name = preset.name;
    (name, format!("{which}: there is no preset for its target {target:.40}"))
}

/// `(12, 0)` for `sm_120a`.
fn capability(target: &str) -> Option<(u32, u32)> {
    let digits = target.strip_prefix("sm_")?.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let (major, minor) = digits.split_at_checked(digits.len().checked_sub(1)?)?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

fn numbers(capability: &str) -> Option<(u32, u32)> {
    let (major, minor) = capability.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_string_takes_the_place_of_the_kernel() {
        let text = |name: &str| {
            let example = kit::scenario::builtin::BUILTINS.iter().find(|example| example.name == name);
            let tree = example.map(|example| kit::import::json::parse(example.text));
            tree.and_then(Result::ok).unwrap_or_default()
        };
        let put = |name: &str, kernel: &str| {
            let document = document_of_kernel_in(&text(name), kernel);
            let read = kit::scenario::from_tree(crate::QUICK, &document);
            assert!(read.is_ok(), "{name}: {read:?}");
            (document["title"].clone(), document["warps"].clone())
        };
        let (title, warps) = put("voronoi-anneal", "5L 2C");
        let anneals = warps["method"]["anneal"].is_object();
        assert_eq!((title, anneals, warps.get("references")), ("5L 2C".into(), true, None));
        // An order of another kernel, a machine without the unit, a document without warps, and none.
        assert_eq!(put("figure-2", "LCCL").1["method"]["initial"], "round-robin");
        assert_eq!(put("voronoi-16", "L S").1["machine"], serde_json::json!({"L": 1, "C": 4, "S": 1}));
        for other in ["paredes-example", "nothing"] {
            let (_, warps) = put(other, "2(LC)");
            assert_eq!((&warps["kernel"], &warps["count"]), (&"2(LC)".into(), &WARPS.into()));
        }
        assert_eq!(put("voronoi-ptx", "LC").1.get("ptx"), None);
    }

    #[test]
    fn every_target_has_a_machine_and_a_true_sentence() {
        let told = |target| {
            let (preset, why) = machine_of(target);
            format!("{preset}, {why}")
        };
        assert_eq!(told(Some("sm_90a")), "cc-9.0, the preset that its target names");
        assert_eq!(
            told(Some("sm_120a")),
            "cc-9.0, the last one before it: there is no preset for its target sm_120a"
        );
        assert_eq!(
            told(Some("sm_88")),
            "cc-8.7, the last one before it: there is no preset for its target sm_88"
        );
        assert_eq!(
            told(Some("sm_13")),
            "cc-2.0, the first there is: there is no preset for its target sm_13"
        );
        assert_eq!(
            told(Some("map_f64_to_f32")),
            "cc-6.2, taken because its target map_f64_to_f32 names no compute capability"
        );
        assert_eq!(told(None), "cc-6.2, the preset taken where there is no target");
        assert!(PRESETS.iter().all(|preset| preset.name.strip_prefix("cc-").and_then(numbers).is_some()));
    }
}
