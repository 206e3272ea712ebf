//! The `warps` part of a document with `code` or `sass`: what is executed on what, and how schedules are sought.

mod fits;
mod remarks;
pub(crate) mod written;

use std::sync::Arc;

use serde_json::{Value, json};

use base::problem::quoted;
use code::Launch;
use code::Policy;
use code::launch::MOST_WARPS;
use code_read::{Asked, Changes, Listing, Made, Trips};
pub use fits::Fits;
use kit::import::reader::{Fields, LONGEST_PROGRAM, Reader};

/// A question about machine code.
#[derive(Debug, Clone)]
pub struct CodeScenario {
    /// What is asked about.
    pub launch: Arc<Launch>,
    /// The listing it was made of; none where the document writes it out.
    pub made: Option<Arc<Made>>,
    /// How a schedule is found.
    pub method: Method,
    /// What of the document means something else than it seems to.
    pub remarks: Vec<String>,
    /// How many of its blocks a multiprocessor holds; none where neither a listing nor the document says what they take.
    pub fits: Option<Fits>,
}

impl PartialEq for CodeScenario {
    fn eq(&self, other: &Self) -> bool {
        self.launch == other.launch
            && self.method == other.method
            && self.remarks == other.remarks
            && self.fits == other.fits
            && self.source() == other.source()
    }
}

impl CodeScenario {
    fn source(&self) -> Option<(&str, &[code_read::Row])> {
        self.made.as_ref().map(|made| (&made.function[..], &made.rows[..]))
    }
}

/// How a schedule is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// As a policy makes it.
    Policy(Policy),
    /// The longest that can be found.
    Longest {
        /// Iterations of annealing; none is as many as take some seconds.
        iterations: Option<u64>,
        /// Names the random numbers.
        seed: u64,
    },
    /// The longest that a beam finds.
    Beam {
        /// How many states of each cycle are kept.
        width: u32,
        /// Whether states are judged by a proven upper bound first.
        guided: bool,
    },
    /// The longest of all, by trying all that may be.
    Exact {
        /// Bytes that the search may keep.
        memory: u64,
        /// Whether the shortest schedule is sought as well.
        shortest: bool,
    },
}

/// The most iterations.
const MOST_ITERATIONS: u64 = 1_000_000_000;
/// The widest beam.
const WIDEST_BEAM: u32 = 1_000_000;
/// How wide one is unasked.
const USUAL_WIDTH: u32 = 1_000;
/// The most threads a unit serves in a cycle.
const MOST_LANES: u32 = 1024;
/// Bytes an exact search keeps at most, unasked.
const USUAL_MEMORY: u64 = 256 << 20;
/// How many warps where a listing does not say: two a partition of most architectures.
const USUAL_WARPS: usize = 8;

/// The document of a listing.
pub fn document_of_listing(text: &str, listing: &Listing) -> Value {
    let name = listing.functions.first().map_or("", |own| &own.name[..]);
    let title = format!("{name:.60}, machine code");
    json!({
        "warpspan": 1,
        "title": title,
        "notes": format!("Opened with {USUAL_WARPS} warps of one block and the first function; latencies and units by a table of its architecture."),
        "warps": { "sass": text, "count": USUAL_WARPS, "method": { "longest": {} } },
    })
}

/// Reads the `warps` object.
pub fn read(reader: &mut Reader, path: &str, value: &Value) -> Option<CodeScenario> {
    let fields = reader.object(path, value)?;
    let is_text = fields.get("sass").is_some();
    if is_text && fields.get("code").is_some() {
        reader.problem(path, "code and sass together", "exactly one of \"code\" and \"sass\"");
        return None;
    }
    match is_text {
        true => reader.only(
            &fields,
            &[
                "sass",
                "function",
                "architecture",
                "loops",
                "latencies",
                "lanes",
                "count",
                "block",
                "registers",
                "shared",
                "misses",
                "method",
            ],
        ),
        false => reader.only(
            &fields,
            &[
                "code",
                "machine",
                "path",
                "architecture",
                "count",
                "block",
                "registers",
                "shared",
                "misses",
                "method",
            ],
        ),
    }
    let before = reader.noted();
    let shape = shape(reader, &fields);
    let method = method(reader, &fields);
    let given = fits::given(reader, &fields, is_text);
    if reader.noted() > before {
        return None;
    }
    let shape = shape?;
    let asked = asked(reader, &fields, shape, method?)?;
    let fits = Fits::of(asked.made.as_deref(), given, shape);
    Some(CodeScenario { fits, ..asked })
}

/// What stands in an object that is no question by itself, for so many warps of one block: what is executed, and on
/// what. Other keys of it are the caller's.
pub fn of_block(reader: &mut Reader, fields: &Fields<'_>, warps: usize) -> Option<CodeScenario> {
    let shape = Shape { count: warps, block: None, misses: None };
    asked(reader, fields, shape, Method::Longest { iterations: None, seed: 1 })
}

/// The question, of a listing or of what is written out.
fn asked(reader: &mut Reader, fields: &Fields<'_>, shape: Shape, method: Method) -> Option<CodeScenario> {
    let (launch, made) = match fields.get("sass") {
        Some(_) => listing(reader, fields, shape)?,
        None => written::read(reader, fields, shape)?,
    };
    remarks::possible(reader, fields, &launch)?;
    let remarks = remarks::all(fields, &launch, made.is_some());
    Some(CodeScenario { launch: Arc::new(launch), made: made.map(Arc::new), method, remarks, fits: None })
}

/// How many warps, how many are a block, and how many results may be misses.
pub(crate) fn shape(reader: &mut Reader, fields: &Fields<'_>) -> Option<Shape> {
    let count = reader.required(
        fields,
        "count",
        &format!("a whole number, 1 to {MOST_WARPS}"),
        |reader, path, value| reader.small(path, value, 1..=MOST_WARPS as u32).map(|n| n as usize),
    );
    let block = reader.optional(fields, "block", |reader, path, value| {
        reader.small(path, value, 1..=MOST_WARPS as u32).map(|n| n as usize)
    });
    let misses =
        reader.optional(fields, "misses", |reader, path, value| reader.small(path, value, 0..=u32::MAX - 1));
    Some(Shape { count: count?, block, misses })
}

/// How many warps, and how they belong together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    count: usize,
    block: Option<usize>,
    misses: Option<u32>,
}

fn listing(reader: &mut Reader, fields: &Fields<'_>, shape: Shape) -> Option<(Launch, Option<Made>)> {
    let text = reader.required(fields, "sass", "the text of a listing", |reader, path, value| {
        reader.text_up_to(LONGEST_PROGRAM, path, value)
    })?;
    let function = reader.optional(fields, "function", Reader::text);
    let architecture =
        reader.optional(fields, "architecture", |reader, path, value| reader.small(path, value, 1..=999));
    let trips = match fields.get("loops") {
        None => Some(Trips::default()),
        Some(value) => trips(reader, &fields.path_of("loops"), value),
    }?;
    let changes = changes(reader, fields)?;
    let Shape { count: warps, block, misses } = shape;
    let asked = Asked { function, warps, block, trips, architecture, misses, changes };
    let made = code_read::read(&text).and_then(|listing| code_read::launch(&listing, &asked));
    match made {
        Ok(made) => Some((made.launch.clone(), Some(made))),
        Err(problems) => {
            for problem in problems {
                let place = match &problem.place[..] {
                    own @ ("function" | "architecture" | "loops" | "latencies" | "lanes") => {
                        fields.path_of(own)
                    }
                    place => format!("{}: {place}", fields.path_of("sass")),
                };
                reader.problem(place, problem.what, problem.expected);
            }
            None
        }
    }
}

/// Rows of the tables that are to be others: `"latencies": {"global": [34, 466]}`, `"lanes": {"special": 4}`.
fn changes(reader: &mut Reader, fields: &Fields<'_>) -> Option<Changes> {
    let before = reader.noted();
    let mut changes = Changes::default();
    if let Some(value) = fields.get("latencies") {
        let rows = reader.object(&fields.path_of("latencies"), value)?;
        for name in rows.keys() {
            let path = rows.path_of(name);
            if let Some(((least, most), hit)) =
                rows.get(name).and_then(|row| written::latency(reader, &path, row))
            {
                let hit = hit.unwrap_or(most).clamp(least, most);
                changes.latencies.insert(name.to_owned(), (least, hit, most));
            }
        }
    }
    if let Some(value) = fields.get("lanes") {
        let rows = reader.object(&fields.path_of("lanes"), value)?;
        for name in rows.keys() {
            let lanes = rows.get(name).and_then(|row| reader.small(&rows.path_of(name), row, 1..=MOST_LANES));
            if let Some(lanes) = lanes {
                changes.lanes.insert(name.to_owned(), lanes);
            }
        }
    }
    (reader.noted() == before).then_some(changes)
}

/// `16`, or `{"0xc0": 16}`, or by label `{".L_x_0": 16}`.
fn trips(reader: &mut Reader, path: &str, value: &Value) -> Option<Trips> {
    const MOST: u32 = 1_000_000;
    if !value.is_object() {
        let all = reader.small(path, value, 1..=MOST)?;
        return Some(Trips { all: Some(all), ..Trips::default() });
    }
    let fields = reader.object(path, value)?;
    let mut trips = Trips::default();
    for key in fields.keys() {
        let address = key.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
        let count = fields.get(key).and_then(|value| reader.small(&fields.path_of(key), value, 1..=MOST));
        match (address, count?) {
            (Some(address), count) => trips.each.insert(address, count).is_some(),
            (None, count) => trips.labels.insert(key.to_owned(), count).is_some(),
        };
    }
    Some(trips)
}

fn method(reader: &mut Reader, fields: &Fields<'_>) -> Option<Method> {
    let usual = Method::Longest { iterations: None, seed: 1 };
    let Some(value) = fields.get("method") else { return Some(usual) };
    let path = fields.path_of("method");
    let fields = reader.object(&path, value)?;
    let before = reader.noted();
    reader.only(&fields, &["policy", "longest", "beam", "exact"]);
    match fields.keys().collect::<Vec<_>>()[..] {
        ["policy"] => {
            let name = reader.required(&fields, "policy", "a name", Reader::text)?;
            let policy = Policy::ALL.into_iter().find(|policy| policy.name() == name);
            if policy.is_none() {
                let names: Vec<&str> = Policy::ALL.iter().map(|policy| policy.name()).collect();
                reader.problem(
                    fields.path_of("policy"),
                    quoted(&name),
                    format!("one of {}", names.join(", ")),
                );
            }
            policy.map(Method::Policy)
        }
        ["longest"] => {
            let own = reader.object(&fields.path_of("longest"), fields.get("longest")?)?;
            reader.only(&own, &["iterations", "seed"]);
            let before = reader.noted();
            let iterations = reader.optional(&own, "iterations", |reader, path, value| {
                reader.whole(path, value, 1..=MOST_ITERATIONS)
            });
            let seed =
                reader.optional(&own, "seed", |reader, path, value| reader.whole(path, value, 0..=u64::MAX));
            (reader.noted() == before).then(|| Method::Longest { iterations, seed: seed.unwrap_or(1) })
        }
        ["beam"] => {
            let own = reader.object(&fields.path_of("beam"), fields.get("beam")?)?;
            reader.only(&own, &["width", "guided"]);
            let before = reader.noted();
            let width = reader
                .optional(&own, "width", |reader, path, value| reader.small(path, value, 1..=WIDEST_BEAM));
            let guided = reader.optional(&own, "guided", Reader::truth).unwrap_or(false);
            let width = width.unwrap_or(USUAL_WIDTH);
            (reader.noted() == before).then_some(Method::Beam { width, guided })
        }
        ["exact"] => {
            let own = reader.object(&fields.path_of("exact"), fields.get("exact")?)?;
            reader.only(&own, &["memory_limit", "shortest"]);
            let before = reader.noted();
            let limit = reader
                .optional(&own, "memory_limit", |reader, path, value| reader.whole(path, value, 1..=4096));
            let shortest = reader.optional(&own, "shortest", Reader::truth).unwrap_or(true);
            let memory = limit.map_or(USUAL_MEMORY, |mebibytes| mebibytes << 20);
            (reader.noted() == before).then_some(Method::Exact { memory, shortest })
        }
        // An unknown key is told by itself.
        _ if reader.noted() > before => None,
        _ => {
            reader.problem(path, "not one method", "one of \"policy\", \"longest\", \"beam\" and \"exact\"");
            None
        }
    }
}
