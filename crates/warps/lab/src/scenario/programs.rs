//! Who walks through the PTX of a document: a program that holds what reads PTX, or one that asks another program.
//!
//! Invariant: who asks reads the same documents, with the same problems at the same places. A walk crosses as a line of
//! JSON, without the lines of its source. Before there is anybody to ask, such a document is [`Unwalked`].

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

use super::ptx;
use crate::import::ptx::{Counts, LoopMet, Path, Stated, Trips, Unknown, Walk};
use base::Problem;
use kit::import::json;
use kit::import::reader::{Fields, Reader};
use warps::{Kernel, PerUnit};

/// The keys of a program and the path through it.
const KEYS: [&str; 3] = ["ptx", "entry", "path"];

/// Walks through the program that stands in the fields of a question about warps.
pub trait Programs {
    /// Reads `ptx`, `entry` and `path`, and walks.
    fn walk(&self, reader: &mut Reader, fields: &Fields<'_>, ptx: &Value) -> Option<Arc<Walk>>;
}

/// Does so itself.
pub struct Here;

impl Programs for Here {
    fn walk(&self, reader: &mut Reader, fields: &Fields<'_>, ptx: &Value) -> Option<Arc<Walk>> {
        ptx::read(reader, fields, ptx)
    }
}

/// Has [`whom_to_ask`] do it.
pub struct Elsewhere;

/// What answers a question as [`answer`] does.
pub type Walker = Rc<dyn Fn(&str) -> Option<String>>;

thread_local! {
    static WALKER: RefCell<Option<Walker>> = const { RefCell::new(None) };
}

/// From now on this is asked.
pub fn ask(walker: Walker) {
    WALKER.with(|known| *known.borrow_mut() = Some(walker));
}

fn whom_to_ask() -> Option<Walker> {
    WALKER.with(|known| known.borrow().clone())
}

/// A question about warps whose program nobody has walked through, as there is nobody to ask yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unwalked;

/// Whether what stands under `warps` has a program and there is nobody to walk through it.
pub fn is_unwalked(value: &Value) -> bool {
    value.get("ptx").is_some() && value.get("kernel").is_none() && whom_to_ask().is_none()
}

impl Programs for Elsewhere {
    fn walk(&self, reader: &mut Reader, fields: &Fields<'_>, _ptx: &Value) -> Option<Arc<Walk>> {
        let mut asked = Map::new();
        for key in KEYS {
            if let Some(value) = fields.get(key) {
                asked.insert(key.to_owned(), value.clone());
            }
        }
        let answer = whom_to_ask()?(&json::line(&Value::Object(asked)))?;
        let answer = json::parse(&answer).ok()?;
        if let Some(walked) = answer.get("Walked") {
            return Some(Arc::new(walk(walked)?));
        }
        for problem in answer.get("Wrong")?.as_array()? {
            let [place, what, expected] = ["place", "what", "expected"].map(|key| text(&problem[key]));
            reader.problem(place?, what?, expected?);
        }
        None
    }
}

/// Walks through a program that stands in a line of JSON under the keys that a document has for it, and tells of it in
/// another line.
pub fn answer(asked: &str) -> String {
    let mut reader = Reader::default();
    let walk = json::parse(asked).ok().and_then(|asked| {
        let fields = reader.object("warps", &asked)?;
        ptx::read(&mut reader, &fields, fields.get("ptx")?)
    });
    let answer = match walk {
        Some(walk) => Answer::Walked(Box::new(Crossed::of(&walk))),
        None => Answer::Wrong(reader.into_problems()),
    };
    serde_json::to_string(&answer).unwrap_or_default() // plain data
}

#[derive(Serialize)]
enum Answer {
    Walked(Box<Crossed>),
    Wrong(Vec<Problem>),
}

/// Label, line, executed, trips, who says so, and whether it is endless.
type CrossedLoop = (String, u32, u32, Option<(u32, u32)>, String, bool);

/// A walk on its way. Of the path only the kind crosses: what it is in full stands in the document. It is written by
/// its type and read from the tree that documents are read from, as a reader of each type of its own made the program
/// that every visitor loads larger by a hundredth.
#[derive(Serialize)]
struct Crossed {
    entry: String,
    path: String,
    kernel: String,
    fewest: Option<String>,
    /// Instructions of each unit, and those on none.
    counts: ([u32; 4], u32),
    /// Opcodes and their lines.
    unknown: Vec<(String, Vec<u32>)>,
    loops: Vec<CrossedLoop>,
    /// Instructions that the path meets, and all.
    met: (u32, u32),
    /// Assumed, cautions, warnings.
    said: [Vec<String>; 3],
}

impl Crossed {
    fn of(walk: &Walk) -> Self {
        let PerUnit(units) = walk.counts.units;
        let trips = |trips: &Trips| (trips.least, trips.most);
        let of_loop = |own: &LoopMet| {
            let stated = own.stated.name().to_owned();
            (own.label.clone(), own.line, own.executed, own.trips.as_ref().map(trips), stated, own.endless)
        };
        Self {
            entry: walk.entry.clone(),
            path: walk.path.name().to_owned(),
            kernel: walk.kernel.to_string(),
            fewest: walk.fewest.as_ref().map(Kernel::to_string),
            counts: (units, walk.counts.none),
            unknown: walk.unknown.iter().map(|own| (own.opcode.clone(), own.lines.clone())).collect(),
            loops: walk.loops.iter().map(of_loop).collect(),
            met: (walk.met, walk.of),
            said: [walk.assumed.clone(), walk.cautions.clone(), walk.warnings.clone()],
        }
    }
}

/// The walk that crossed.
fn walk(crossed: &Value) -> Option<Walk> {
    let counts = &crossed["counts"];
    let mut units = [0; 4];
    for (unit, count) in units.iter_mut().zip(counts[0].as_array()?) {
        *unit = number(count)?;
    }
    let texts = |value: &Value| list(value, text);
    Some(Walk {
        entry: text(&crossed["entry"])?,
        path: Path::named(crossed["path"].as_str()?)?,
        kernel: Kernel::parse(crossed["kernel"].as_str()?).ok()?,
        fewest: match crossed["fewest"].as_str() {
            Some(fewest) => Some(Kernel::parse(fewest).ok()?),
            None => None,
        },
        counts: Counts { units: PerUnit(units), none: number(&counts[1])? },
        lines: Vec::new(),
        steps: Vec::new(),
        unknown: list(&crossed["unknown"], |own| {
            Some(Unknown { opcode: text(&own[0])?, lines: list(&own[1], number)? })
        })?,
        loops: list(&crossed["loops"], |own| {
            let trips = &own[3];
            Some(LoopMet {
                label: text(&own[0])?,
                line: number(&own[1])?,
                executed: number(&own[2])?,
                trips: match trips.is_null() {
                    true => None,
                    false => Some(Trips { least: number(&trips[0])?, most: number(&trips[1])? }),
                },
                stated: Stated::named(own[4].as_str()?)?,
                endless: own[5].as_bool()?,
            })
        })?,
        met: number(&crossed["met"][0])?,
        of: number(&crossed["met"][1])?,
        assumed: texts(&crossed["said"][0])?,
        cautions: texts(&crossed["said"][1])?,
        warnings: texts(&crossed["said"][2])?,
    })
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn number(value: &Value) -> Option<u32> {
    value.as_u64()?.try_into().ok()
}

fn list<T>(value: &Value, each: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    value.as_array()?.iter().map(each).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::WarpsScenario;

    const PROGRAMS: [&str; 6] = [
        r#""ptx": "ld.global.f32 f1, [a];\nadd.f32 f1, f1, f2;\nst.global.f32 [a], f1;""#,
        r#""path": {"loops": {"iterations": {"Loop": [2, 16]}}}, "ptx": "Loop:\n  sin.approx.f32 f1, f1; frobnicate f1;\n@p bra Loop;\nret;""#,
        r#""path": {"branches": {"Loop": ["taken", "not-taken"]}}, "ptx": "Loop: add.f32 f1, f1, f2;\n@p bra Loop;\nret;""#,
        r#""ptx": ".entry k()\n{\n  add.f32 %f1 %f2;\n  bra Nowhere;\n}""#,
        r#""entry": "other", "ptx": ".visible .entry k() { ret; }""#,
        r#""path": "elsewhere", "ptx": "add.f32 f1, f1, f2;""#,
    ];

    fn document(program: &str) -> String {
        format!(
            r#"{{"warpspan": 1, "warps": {{{program}, "count": 2, "machine": {{"L": 1, "C": 4, "S": 1}}, "x": 1}}}}"#
        )
    }

    #[test]
    fn who_asks_reads_the_same() {
        ask(Rc::new(|asked| Some(answer(asked))));
        let mut read = 0;
        for program in PROGRAMS {
            let wrong = document(program);
            let own = kit::scenario::read(crate::LABS, &wrong).map(drop);
            assert_eq!(kit::scenario::read(crate::QUICK, &wrong).map(drop), own, "{wrong}");
            let text = wrong.replace(", \"x\": 1", "");
            let (own, asked) =
                (kit::scenario::read(crate::LABS, &text), kit::scenario::read(crate::QUICK, &text));
            match (own, asked) {
                (Ok(own), Ok(asked)) => {
                    let of = |read: &kit::scenario::Scenario| read.asked::<WarpsScenario>().cloned();
                    let (Some(own), Some(asked)) = (of(&own), of(&asked)) else {
                        unreachable!("about warps")
                    };
                    let report = crate::report::PtxReport::of;
                    assert_eq!((&own.kernel, report(&own)), (&asked.kernel, report(&asked)), "{text}");
                    let said = |warps: &WarpsScenario| warps.ptx.as_ref().map(|walk| walk.warnings.clone());
                    assert_eq!(said(&own), said(&asked));
                    read += 1;
                }
                (own, asked) => assert_eq!(own.map(drop), asked.map(drop), "{text}"),
            }
        }
        assert_eq!(read, 3, "programs without a mistake");
    }

    #[test]
    #[allow(clippy::disallowed_methods, reason = "whom to ask is known thread by thread")]
    fn before_there_is_anybody_to_ask_it_waits() {
        let there = std::thread::spawn(|| {
            let waits = |text: &str| {
                kit::scenario::read(crate::QUICK, text).is_ok_and(|read| read.asked::<Unwalked>().is_some())
            };
            let kernel = document(r#""kernel": "LC""#).replace(", \"x\": 1", "");
            (waits(&document(PROGRAMS[0])), waits(&kernel))
        });
        assert!(there.join().is_ok_and(|found| found == (true, false)));
    }
}
