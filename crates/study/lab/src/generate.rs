//! Generators: objects that stand in a base in place of a value, and become a random one.
//!
//! Every field of a generator is a place like any other, so an axis can set it. Generators within generators come
//! first. Each draws from a stream of its own: what one draws changes nothing for the others.

use base::Seeded;
use kit::import::reader::{Fields, Reader, join, shown};
use serde_json::{Map, Value, json};
use study::utilisations::{BILLION, Limits, NoDivision};
use study::{kernels, periods, recurring, utilisations};

/// The key by which a generator is known, and its kinds.
const KEY: &str = "generate";
const KINDS: [(&str, Make); 7] = [
    ("kernel", kernel),
    ("tasks", tasks),
    ("hosts", hosts),
    ("workload", workload),
    ("number", number),
    ("choice", choice),
    ("seed", seed),
];
/// The largest number that is whole wherever it is read.
const LARGEST: u64 = (1 << 53) - 1;
/// The longest periods and durations.
const LONGEST: u64 = 1_000_000_000_000;

type Make = fn(&mut Reader, &Fields<'_>, &mut Seeded) -> Option<Value>;

/// Whether there is a generator in a tree.
pub fn any(tree: &Value) -> bool {
    match tree {
        Value::Object(map) => map.contains_key(KEY) || map.values().any(any),
        Value::Array(items) => items.iter().any(any),
        _ => false,
    }
}

/// Puts what they draw in the place of all generators of a tree; what is wrong with them is noted at their places.
pub fn drawn(reader: &mut Reader, tree: &mut Value, seed: u64) {
    let mut ordinal = 0;
    walk(reader, "", tree, seed, &mut ordinal);
}

fn walk(reader: &mut Reader, path: &str, tree: &mut Value, seed: u64, ordinal: &mut u64) {
    match tree {
        Value::Object(map) => {
            map.iter_mut().for_each(|(key, inner)| walk(reader, &join(path, key), inner, seed, ordinal));
        }
        Value::Array(items) => {
            items
                .iter_mut()
                .enumerate()
                .for_each(|(i, inner)| walk(reader, &format!("{path}[{i}]"), inner, seed, ordinal));
        }
        _ => {}
    }
    let Some(kind) = tree.get(KEY) else { return };
    let mut rng = Seeded::new(seed, *ordinal);
    *ordinal += 1;
    let known = kind.as_str().and_then(|kind| KINDS.into_iter().find(|(name, _)| *name == kind));
    let Some((_, make)) = known else {
        let names: Vec<String> = KINDS.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        reader.problem(join(path, KEY), shown(kind), format!("one of {}", names.join(", ")));
        *tree = Value::Null;
        return;
    };
    let made = reader.object(path, tree).and_then(|fields| make(reader, &fields, &mut rng));
    *tree = made.unwrap_or(Value::Null);
}

/// A whole number, or a range `[low, high]` from which one is drawn.
fn whole(
    reader: &mut Reader,
    fields: &Fields<'_>,
    key: &str,
    range: std::ops::RangeInclusive<u64>,
    otherwise: Option<[u64; 2]>,
) -> Option<[u64; 2]> {
    let expected =
        format!("a whole number or a range such as [1, 8], within {} to {}", range.start(), range.end());
    let Some(value) = fields.get(key) else {
        if otherwise.is_none() {
            reader.problem(fields.path_of(key), "missing", expected);
        }
        return otherwise;
    };
    let path = fields.path_of(key);
    match value {
        Value::Array(items) => {
            let read = |i: usize, reader: &mut Reader| {
                reader.whole(&format!("{path}[{i}]"), items.get(i)?, range.clone())
            };
            if items.len() != 2 {
                reader.problem(&path, shown(value), expected);
                return None;
            }
            let (low, high) = (read(0, reader), read(1, reader));
            let (low, high) = (low?, high?);
            if low > high {
                reader.problem(&path, format!("{low} to {high}"), "a range that ascends");
                return None;
            }
            Some([low, high])
        }
        value => reader.whole(&path, value, range).map(|number| [number, number]),
    }
}

fn between(rng: &mut Seeded, [low, high]: [u64; 2]) -> u64 {
    periods::uniform(rng, low, high)
}

/// A utilisation in billionths.
fn utilisation(
    reader: &mut Reader,
    fields: &Fields<'_>,
    key: &str,
    most: f64,
    otherwise: Option<u64>,
) -> Option<u64> {
    let path = fields.path_of(key);
    match fields.get(key) {
        Some(value) => {
            reader.number(&path, value, 0.0..=most).map(|share| (share * BILLION as f64).round() as u64)
        }
        None => {
            if otherwise.is_none() {
                reader.problem(path, "missing", format!("a number, 0 to {most}"));
            }
            otherwise
        }
    }
}

/// The utilisations of `count` tasks by the fields `utilisation`, `algorithm`, `least` and `most`.
fn divided(
    reader: &mut Reader,
    fields: &Fields<'_>,
    rng: &mut Seeded,
    count: usize,
    most: f64,
) -> Option<Vec<u64>> {
    let sum = utilisation(reader, fields, "utilisation", most, None);
    let algorithm = reader.optional(fields, "algorithm", Reader::text);
    let limited = match algorithm.as_deref() {
        None if fields.get("algorithm").is_none() => {
            fields.get("least").is_some() || fields.get("most").is_some()
        }
        Some("uunifast") => false,
        Some("drs") => true,
        None => return None,
        Some(other) => {
            let expected = "\"uunifast\" or \"drs\"";
            reader.problem(fields.path_of("algorithm"), base::problem::quoted(other), expected);
            return None;
        }
    };
    if !limited {
        for key in ["least", "most"] {
            if fields.get(key).is_some() {
                reader.problem(
                    fields.path_of(key),
                    "given with uunifast, which has no limits",
                    "\"algorithm\": \"drs\"",
                );
            }
        }
        return Some(utilisations::uniform(rng, count, sum?));
    }
    let least = utilisation(reader, fields, "least", 1.0, Some(0));
    let upper = utilisation(reader, fields, "most", 1.0, Some(BILLION));
    let limits = vec![Limits { least: least?, most: upper? }; count];
    let shown = |part: u64| part as f64 / BILLION as f64;
    match utilisations::rescaled(rng, &limits, sum?) {
        Ok(drawn) => Some(drawn),
        Err(NoDivision::Sum { least, most }) => {
            let expected =
                format!("{} to {} for {count} tasks within their limits", shown(least), shown(most));
            reader.problem(fields.path_of("utilisation"), format!("{}", shown(sum?)), expected);
            None
        }
        Err(NoDivision::Order) => {
            reader.problem(fields.path_of("least"), "more than \"most\"", "at most as much as \"most\"");
            None
        }
        Err(NoDivision::Attempts) => {
            reader.problem(fields.path_of("utilisation"), "no division found", "limits that leave more room");
            None
        }
    }
}

/// An instruction string.
fn kernel(reader: &mut Reader, fields: &Fields<'_>, rng: &mut Seeded) -> Option<Value> {
    reader.only(fields, &[KEY, "length", "letters"]);
    let length = whole(reader, fields, "length", 1..=10_000, None);
    let weights = match fields.get("letters") {
        None => Some(['L', 'C'].map(|letter| kernels::Weight { letter, weight: 1 }).to_vec()),
        Some(value) => letters(reader, &fields.path_of("letters"), value),
    };
    let (length, weights) = (length?, weights?);
    let length = between(rng, length) as usize;
    Some(Value::from(kernels::string(rng, length, &weights)))
}

fn letters(reader: &mut Reader, path: &str, value: &Value) -> Option<Vec<kernels::Weight>> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &["L", "C", "S", "D"]);
    let mut weights = Vec::new();
    for letter in ['L', 'C', 'S', 'D'] {
        if let Some(value) = fields.get(&letter.to_string()) {
            let weight = reader.small(&fields.path_of(&letter.to_string()), value, 0..=1_000_000)?;
            weights.push(kernels::Weight { letter, weight });
        }
    }
    if weights.iter().all(|weight| weight.weight == 0) {
        reader.problem(path, "no letter with a weight", "such as {\"L\": 1, \"C\": 3}");
        return None;
    }
    Some(weights)
}

/// Recurring tasks with branches, for the lab of tasks.
fn tasks(reader: &mut Reader, fields: &Fields<'_>, rng: &mut Seeded) -> Option<Value> {
    let known = [
        KEY,
        "count",
        "utilisation",
        "algorithm",
        "least",
        "most",
        "vertices",
        "fan",
        "requirement",
        "deadline",
    ];
    reader.only(fields, &known);
    let count = whole(reader, fields, "count", 1..=100, None);
    let vertices = whole(reader, fields, "vertices", 1..=100, Some([1, 1]));
    let fan = whole(reader, fields, "fan", 1..=100, Some([2, 2]));
    let requirement = whole(reader, fields, "requirement", 1..=1_000_000, Some([100, 100]));
    let deadline = utilisation(reader, fields, "deadline", 1.0, Some(BILLION));
    let count = between(rng, count?) as usize;
    let divided = divided(reader, fields, rng, count, 100.0);
    let (vertices, fan, requirement, deadline) = (vertices?, fan?, requirement?, deadline?);
    let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let made = divided?.into_iter().enumerate().map(|(i, part)| {
        let shape = recurring::Shape {
            vertices: narrow(between(rng, vertices)),
            fan: narrow(between(rng, fan)),
            most: narrow(between(rng, requirement)),
            deadline,
        };
        // A task of no utilisation at all would have no period.
        let task = recurring::task(rng, shape, part.clamp(1_000, BILLION));
        let vertices = task.vertices.iter().enumerate();
        let vertices: Vec<Value> =
            vertices.map(|(v, (e, d))| json!({"name": format!("v{}", v + 1), "e": e, "d": d})).collect();
        let edge = |(from, to, p): &(usize, usize, u64)| json!([format!("v{}", from + 1), format!("v{}", to + 1), p]);
        let edges: Vec<Value> = task.edges.iter().map(edge).collect();
        json!({"name": format!("task {}", i + 1), "period": task.period, "vertices": vertices, "edges": edges})
    });
    Some(Value::Array(made.collect()))
}

/// Tasks on the host that launch kernels, for chains: each computes, launches, and computes again.
fn hosts(reader: &mut Reader, fields: &Fields<'_>, rng: &mut Seeded) -> Option<Value> {
    let known = [KEY, "count", "utilisation", "algorithm", "least", "most", "periods", "cores", "kernels"];
    reader.only(fields, &known);
    let count = whole(reader, fields, "count", 1..=100, None);
    let range = whole(reader, fields, "periods", 1_000..=LONGEST, None);
    let cores = names(reader, fields, "cores");
    let kernels = names(reader, fields, "kernels");
    let count = between(rng, count?) as usize;
    let divided = divided(reader, fields, rng, count, 100.0);
    let (range, cores, kernels) = (range?, cores?, kernels?);
    let mut load = vec![0u64; cores.len()];
    let made = divided?.into_iter().enumerate().map(|(i, part)| {
        let period = periods::log_uniform(rng, range[0], range[1]);
        // Worst fit: the core with the least load so far, the first of several.
        let core = (0..load.len()).min_by_key(|core| load[*core]).unwrap_or(0);
        load[core] += part;
        let work = ((u128::from(period) * u128::from(part) / u128::from(BILLION)) as u64).max(2);
        let before = 1 + rng.below_wide(work - 1);
        let kernel = &kernels[rng.below(u32::try_from(kernels.len()).unwrap_or(1)) as usize];
        json!({
            "name": format!("task {}", i + 1), "core": cores[core], "period": period,
            "segments": [{"cpu": before}, {"launch": kernel}, {"cpu": work - before}],
        })
    });
    Some(Value::Array(made.collect()))
}

fn names(reader: &mut Reader, fields: &Fields<'_>, key: &str) -> Option<Vec<String>> {
    let items = reader.required(fields, key, "a list of names", Reader::list)?;
    if !(1..=100).contains(&items.len()) {
        reader.problem(fields.path_of(key), base::people::counted(items.len(), "name"), "1 to 100 names");
        return None;
    }
    let place = |i: usize| format!("{}[{i}]", fields.path_of(key));
    items.iter().enumerate().map(|(i, item)| reader.text(&place(i), item)).collect()
}

/// Streams of one kernel each, for blocks.
fn workload(reader: &mut Reader, fields: &Fields<'_>, rng: &mut Seeded) -> Option<Value> {
    reader.only(fields, &[KEY, "kernels", "blocks", "threads", "duration", "period", "deadline"]);
    let count = whole(reader, fields, "kernels", 1..=100, None);
    let blocks = whole(reader, fields, "blocks", 1..=1_000_000, None);
    let duration = whole(reader, fields, "duration", 1..=LONGEST, None);
    let threads = match fields.get("threads") {
        Some(Value::Array(_)) => {
            reader.optional(fields, "threads", |reader, path, value| reader.numbers(path, value, 1..=1024))
        }
        _ => whole(reader, fields, "threads", 1..=1024, None)
            .map(|[one, _]| vec![u32::try_from(one).unwrap_or(1)]),
    };
    if threads.as_ref().is_some_and(Vec::is_empty) {
        reader.problem(fields.path_of("threads"), "an empty list", "numbers of threads to choose from");
        return None;
    }
    let mut fixed = Vec::new();
    for key in ["period", "deadline"] {
        if let Some(value) = fields.get(key) {
            fixed.push((key, reader.whole(&fields.path_of(key), value, 1..=LONGEST)?));
        }
    }
    let (blocks, duration, threads) = (blocks?, duration?, threads?);
    let count = between(rng, count?);
    let made = (1..=count).map(|k| {
        let mut own = Map::new();
        own.insert("kernel".to_owned(), Value::from(format!("K{k}")));
        own.insert("blocks".to_owned(), Value::from(between(rng, blocks)));
        let threads = threads[rng.below(u32::try_from(threads.len()).unwrap_or(1)) as usize];
        own.insert("threads".to_owned(), Value::from(threads));
        own.insert("duration".to_owned(), Value::from(between(rng, duration)));
        own.extend(fixed.iter().map(|(key, value)| ((*key).to_owned(), Value::from(*value))));
        json!({"label": format!("stream {k}"), "operations": [own]})
    });
    Some(Value::Array(made.collect()))
}

/// A whole number, all of a range equally likely.
fn number(reader: &mut Reader, fields: &Fields<'_>, rng: &mut Seeded) -> Option<Value> {
    reader.only(fields, &[KEY, "from", "to"]);
    let mut end = |key: &str| {
        reader.required(fields, key, "a whole number", |reader, path, value| {
            reader.whole(path, value, 0..=LARGEST)
        })
    };
    let (from, to) = (end("from"), end("to"));
    let (from, to) = (from?, to?);
    if from > to {
        reader.problem(fields.path_of("to"), to.to_string(), format!("at least {from}"));
        return None;
    }
    Some(Value::from(periods::uniform(rng, from, to)))
}

/// One of several values.
fn choice(reader: &mut Reader, fields: &Fields<'_>, rng: &mut Seeded) -> Option<Value> {
    reader.only(fields, &[KEY, "of"]);
    let items = reader.required(fields, "of", "a list of values", Reader::list)?;
    let count = u32::try_from(items.len()).ok().filter(|count| *count > 0);
    if count.is_none() {
        reader.problem(fields.path_of("of"), "an empty list", "at least one value");
    }
    items.get(rng.below(count?) as usize).cloned()
}

/// A seed for a method that takes one.
fn seed(reader: &mut Reader, fields: &Fields<'_>, rng: &mut Seeded) -> Option<Value> {
    reader.only(fields, &[KEY]);
    Some(Value::from(rng.wide() >> 11))
}
