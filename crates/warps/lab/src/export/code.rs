//! A question about warps as one about machine code, the general model: each instruction takes a place of its unit for a
//! cycle, and the next one of its warp may issue in the cycle after. Loads set a scoreboard for which what follows
//! waits, or hold their place.

use serde_json::{Map, Value, json};

use base::Problem;
use warps::{Fairness, Misses, Mode, Unit};

use crate::scenario::{Method, WarpsScenario};

/// The most places of a unit, and instructions in a cycle, that make a difference: there are no more warps.
const MOST: u32 = warps::MOST_WARPS as u32;

/// The document; a problem where the general model has no such thing.
pub fn code_document(title: &str, notes: &str, asked: &WarpsScenario) -> Result<Value, Problem> {
    if asked.fairness != Fairness::WorkConserving {
        let what = "machine code has no sub-blocks";
        return Err(Problem::at("warps.fairness", what, "\"work-conserving\""));
    }
    let loads = loads(asked)?;
    let kernel = asked.kernel.units();
    let used: Vec<Unit> = Unit::ALL.into_iter().filter(|unit| kernel.contains(unit)).collect();
    let instruction = |&unit: &Unit| {
        let mut own = Map::new();
        own.insert("unit".to_owned(), unit.letter().to_string().into());
        match loads {
            Some((Mode::Held, cycles)) if unit == Unit::LoadStore => {
                own.insert("hold".to_owned(), cycles.into());
                own.insert("stall".to_owned(), cycles.into());
            }
            Some((Mode::Pipelined, cycles)) if kernel.contains(&Unit::LoadStore) => {
                own.insert("waits".to_owned(), json!([0]));
                if unit == Unit::LoadStore {
                    own.insert("sets".to_owned(), json!({ "0": cycles }));
                }
            }
            _ => {}
        }
        Value::Object(own)
    };
    let machine = asked.normalised.machine;
    let places = |unit: Unit| machine.capacity[unit].clamp(1, MOST);
    let units: Map<String, Value> = used
        .iter()
        .map(|&unit| (unit.letter().to_string(), json!({ "per": "multiprocessor", "count": places(unit) })))
        .collect();
    let all: u32 = used.iter().map(|&unit| places(unit)).sum();
    let path: Vec<usize> = kernel.iter().filter_map(|unit| used.iter().position(|own| own == unit)).collect();
    let method = match asked.method {
        Method::Exact { .. } => json!({ "exact": {} }),
        _ => json!({ "longest": {} }),
    };
    let mut document = json!({
        "warpspan": 1,
        "title": title,
        "notes": notes,
        "warps": {
            "code": used.iter().map(instruction).collect::<Vec<Value>>(),
            "path": path,
            "machine": {
                "partitions": 1,
                "issue": machine.issue.unwrap_or(MOST).min(all).clamp(1, MOST),
                "units": units,
            },
            "count": asked.count,
            "method": method,
        },
    });
    if let (true, Some(document)) = (notes.is_empty(), document.as_object_mut()) {
        document.shift_remove("notes");
    }
    Ok(document)
}

/// How loads are served and how long each takes, where it is not a cycle.
fn loads(asked: &WarpsScenario) -> Result<Option<(Mode, u32)>, Problem> {
    let Some(memory) = &asked.memory else { return Ok(None) };
    let cycles = match memory.misses {
        _ if memory.missing.is_some() => None,
        _ if memory.hit == memory.miss => Some(memory.hit),
        Misses::None => Some(memory.hit),
        Misses::All => Some(memory.miss),
        Misses::AtMost(_) => None,
    };
    let cycles = cycles.ok_or_else(|| {
        let what = "machine code has ranges of latencies, in which a load may also take longer than a hit and less than a miss";
        Problem::at("warps.memory.misses", what, "\"all\" or \"none\", without \"missing\"")
    })?;
    Ok(Some((memory.mode, cycles)))
}
