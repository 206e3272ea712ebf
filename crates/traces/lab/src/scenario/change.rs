//! What a document wants changed of a recorded run, and what that means for a run that was read.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use base::Problem;
use base::problem::quoted;
use kit::import::reader::{Fields, Reader, shown};
use traces::replay::{Change, Share};
use traces::{Cause, Trace};

use super::MOST_CHANGES;

/// The most operations or calls that are named one by one.
pub const MOST_PLACES: usize = 1_000;
/// The largest share of its time that anything is made to take, in percent.
const LARGEST: u32 = 10_000;

/// A change as a document says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// Operations are changed.
    Operations(Which, OfOperations),
    /// Calls are changed.
    Calls(Which, OfCalls),
    /// Streams are one.
    Together(Vec<Lane>),
}

/// Which operations or calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// All of a name.
    Name(String),
    /// These: the numbers of operations, the places of calls.
    Places(Vec<u32>),
}

/// What is changed of operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfOperations {
    /// They take so many percent of their time.
    Takes(u32),
    /// They do not wait for this.
    Without(Cause),
    /// They are in another stream.
    Stream(Lane),
}

/// What is changed of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfCalls {
    /// They take so many percent of their own time.
    Takes(u32),
    /// They wait for nothing.
    NoWait,
    /// They return at once.
    AtOnce,
}

/// A stream: the numbers of its device and its own.
pub type Lane = (i64, i64);

/// Reads the list of changes.
pub(super) fn read_all(reader: &mut Reader, path: &str, value: &Value) -> Option<Vec<Wanted>> {
    let items = reader.list(path, value)?;
    if items.len() > MOST_CHANGES {
        let what = base::people::counted(items.len(), "change");
        reader.problem(path, what, format!("at most {MOST_CHANGES}"));
        return None;
    }
    let all: Vec<_> = (0..).zip(items).map(|(i, item)| read(reader, &format!("{path}[{i}]"), item)).collect();
    all.into_iter().collect()
}

fn read(reader: &mut Reader, path: &str, value: &Value) -> Option<Wanted> {
    let fields = reader.object(path, value)?;
    match (fields.get("operations"), fields.get("calls"), fields.get("streams")) {
        (Some(which), None, None) => {
            reader.only(&fields, &["operations", "takes", "without", "stream"]);
            let which = self::which(reader, &fields.path_of("operations"), which)?;
            Some(Wanted::Operations(which, of_operations(reader, &fields)?))
        }
        (None, Some(which), None) => {
            reader.only(&fields, &["calls", "takes", "waits", "at_once"]);
            let which = self::which(reader, &fields.path_of("calls"), which)?;
            Some(Wanted::Calls(which, of_calls(reader, &fields)?))
        }
        (None, None, Some(list)) => {
            reader.only(&fields, &["streams"]);
            let path = fields.path_of("streams");
            let items = reader.list(&path, list)?;
            if !(2..=MOST_PLACES).contains(&items.len()) {
                reader.problem(&path, base::people::counted(items.len(), "stream"), "two streams or more");
                return None;
            }
            let all: Vec<_> =
                (0..).zip(items).map(|(i, item)| lane(reader, &format!("{path}[{i}]"), item)).collect();
            Some(Wanted::Together(all.into_iter().collect::<Option<_>>()?))
        }
        _ => {
            reader.problem(path, "no change", "exactly one of \"operations\", \"calls\" and \"streams\"");
            None
        }
    }
}

fn which(reader: &mut Reader, path: &str, value: &Value) -> Option<Which> {
    match value {
        Value::String(_) => reader.text_up_to(10_000, path, value).map(Which::Name),
        Value::Array(items) if (1..=MOST_PLACES).contains(&items.len()) => {
            let place = |(i, item)| reader.small(&format!("{path}[{i}]"), item, 0..=u32::MAX - 1);
            let all: Vec<_> = (0usize..).zip(items).map(place).collect();
            Some(Which::Places(all.into_iter().collect::<Option<_>>()?))
        }
        other => {
            reader.problem(path, shown(other), format!("a name, or a list of 1 to {MOST_PLACES} numbers"));
            None
        }
    }
}

fn of_operations(reader: &mut Reader, fields: &Fields<'_>) -> Option<OfOperations> {
    match (fields.get("takes"), fields.get("without"), fields.get("stream")) {
        (Some(takes), None, None) => {
            reader.small(&fields.path_of("takes"), takes, 0..=LARGEST).map(OfOperations::Takes)
        }
        (None, Some(without), None) => {
            let cause =
                without.as_str().and_then(|name| Cause::ALL.into_iter().find(|one| one.name() == name));
            if cause.is_none() {
                let names = Cause::ALL.map(Cause::name).join(", ");
                reader.problem(fields.path_of("without"), shown(without), format!("one of {names}"));
            }
            cause.map(OfOperations::Without)
        }
        (None, None, Some(stream)) => {
            lane(reader, &fields.path_of("stream"), stream).map(OfOperations::Stream)
        }
        _ => {
            let expected = "exactly one of \"takes\", \"without\" and \"stream\"";
            reader.problem(fields.path(), "nothing that changes operations", expected);
            None
        }
    }
}

fn of_calls(reader: &mut Reader, fields: &Fields<'_>) -> Option<OfCalls> {
    match (fields.get("takes"), fields.get("waits"), fields.get("at_once")) {
        (Some(takes), None, None) => {
            reader.small(&fields.path_of("takes"), takes, 0..=LARGEST).map(OfCalls::Takes)
        }
        (None, Some(Value::Bool(false)), None) => Some(OfCalls::NoWait),
        (None, None, Some(Value::Bool(true))) => Some(OfCalls::AtOnce),
        _ => {
            let expected = "exactly one of \"takes\", \"waits\": false and \"at_once\": true";
            reader.problem(fields.path(), "nothing that changes calls", expected);
            None
        }
    }
}

fn lane(reader: &mut Reader, path: &str, value: &Value) -> Option<Lane> {
    let lane = value.as_array().and_then(|pair| match &pair[..] {
        [device, stream] => Some((device.as_i64()?, stream.as_i64()?)),
        _ => None,
    });
    if lane.is_none() {
        reader.problem(path, shown(value), "the numbers of a device and of its stream, as in [0, 7]");
    }
    lane
}

/// What the changes mean for a run; or all that it does not have of what they name, each at its place in a document.
pub fn changes(trace: &Trace, wanted: &[Wanted]) -> Result<Vec<Change>, Vec<Problem>> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let numbers: HashMap<u32, u32> =
        (0..).zip(&trace.operations).map(|(place, own)| (own.id, place)).collect();
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    for (i, one) in wanted.iter().enumerate() {
        match change(trace, &numbers, one) {
            Ok(change) => found.push(change),
            Err((key, what, expected)) => {
                problems.push(Problem::at(format!("trace.changes[{i}].{key}"), what, expected));
            }
        }
    }
    if problems.is_empty() { Ok(found) } else { Err(problems) }
}

type Wrong = (&'static str, String, &'static str);

fn change(trace: &Trace, numbers: &HashMap<u32, u32>, wanted: &Wanted) -> Result<Change, Wrong> {
    let stream = |key, (device, number): Lane| {
        let fits = |stream: &traces::trace::Stream| {
            stream.number == number && trace.devices[stream.device as usize].number == device
        };
        let place = (0..).zip(&trace.streams).find(|(_, stream)| fits(stream)).map(|(place, _)| place);
        place.ok_or((key, format!("no stream {number} on device {device}"), "a stream of the run"))
    };
    match wanted {
        Wanted::Operations(which, how) => {
            let all = match which {
                Which::Name(name) => {
                    let own = |(place, own): (u32, &traces::trace::Operation)| {
                        (trace.names[own.name as usize] == *name).then_some(place)
                    };
                    (0..).zip(&trace.operations).filter_map(own).collect()
                }
                Which::Places(ids) => {
                    ids.iter().filter_map(|id| numbers.get(id).copied()).collect::<Vec<_>>()
                }
            };
            let all = all_found("operations", which, all)?;
            Ok(match how {
                OfOperations::Takes(percent) => Change::Operations(all, share(*percent)),
                OfOperations::Without(cause) => Change::Without(*cause, all),
                OfOperations::Stream(lane) => Change::Moved(all, stream("stream", *lane)?),
            })
        }
        Wanted::Calls(which, how) => {
            let all = match which {
                Which::Name(name) => {
                    let own = |(place, own): (u32, &traces::trace::Call)| {
                        (trace.names[own.name as usize] == *name).then_some(place)
                    };
                    (0..).zip(&trace.calls).filter_map(own).collect()
                }
                Which::Places(places) => {
                    places.iter().copied().filter(|&place| (place as usize) < trace.calls.len()).collect()
                }
            };
            let all = all_found("calls", which, all)?;
            Ok(match how {
                OfCalls::Takes(percent) => Change::Calls(all, share(*percent)),
                OfCalls::NoWait => Change::NoWait(all),
                OfCalls::AtOnce => Change::AtOnce(all),
            })
        }
        Wanted::Together(lanes) => {
            let all: Result<Vec<u32>, Wrong> = lanes.iter().map(|&lane| stream("streams", lane)).collect();
            all.map(Change::Together)
        }
    }
}

/// What was found, if that is all that was asked for.
fn all_found(key: &'static str, which: &Which, found: Vec<u32>) -> Result<Vec<u32>, Wrong> {
    match which {
        Which::Name(name) if found.is_empty() => {
            Err((key, format!("none is called {}", quoted(name)), "a name that is in the run"))
        }
        Which::Places(places) if found.len() < places.len() => {
            let missing = base::people::counted(places.len() - found.len(), "number");
            Err((key, format!("{missing} that the run does not have"), "numbers of the run"))
        }
        _ => Ok(found),
    }
}

fn share(percent: u32) -> Share {
    Share { numerator: percent, denominator: 100 }
}

/// A change as a document says it: by name where all of a name is changed. None for one of so many that a document does
/// not list them.
pub fn document(trace: &Trace, change: &Change, name: Option<u32>) -> Option<Value> {
    let name = name.map(|name| trace.names[name as usize].as_str());
    let places = |places: &[u32]| (places.len() <= MOST_PLACES).then(|| json!(places));
    let calls = |calls: &[u32]| name.map(Value::from).or_else(|| places(calls));
    let operations = |all: &[u32]| {
        let ids: Vec<u32> = all.iter().map(|&place| trace.operations[place as usize].id).collect();
        name.map(Value::from).or_else(|| places(&ids))
    };
    let lane = |stream: u32| {
        let own = &trace.streams[stream as usize];
        json!([trace.devices[own.device as usize].number, own.number])
    };
    let percent = |share: &Share| {
        let whole = u64::from(share.numerator) * 100 / u64::from(share.denominator.max(1));
        Value::from(whole)
    };
    let (key, which, how, value) = match change {
        Change::AtOnce(all) => ("calls", calls(all)?, "at_once", Value::from(true)),
        Change::NoWait(all) => ("calls", calls(all)?, "waits", Value::from(false)),
        Change::Calls(all, share) => ("calls", calls(all)?, "takes", percent(share)),
        Change::Operations(all, share) => ("operations", operations(all)?, "takes", percent(share)),
        Change::Without(cause, all) => ("operations", operations(all)?, "without", cause.name().into()),
        Change::Moved(all, stream) => ("operations", operations(all)?, "stream", lane(*stream)),
        Change::Together(streams) => {
            return Some(json!({"streams": streams.iter().map(|&one| lane(one)).collect::<Vec<_>>()}));
        }
    };
    Some(Value::Object(Map::from_iter([(key.to_owned(), which), (how.to_owned(), value)])))
}
