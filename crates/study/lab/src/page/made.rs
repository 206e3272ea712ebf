//! Studies made of a document: a few for each lab, with an axis that one would ask about first.
//!
//! Whether such a study makes sense in every cell its worker says, as of any other.

use kit::import::json;
use serde_json::{Map, Value, json};

use super::suggest::{lab_of, paths};

/// So many are offered at most.
const MOST: usize = 4;
/// Searches are asked for no more warps than this.
const SEARCHED: u64 = 8;

/// A study that can be made.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// What it asks: `Over warps, 1 to 64`.
    pub label: String,
    /// What is measured.
    pub about: String,
    /// The study, as a document.
    pub document: Value,
}

impl Choice {
    /// Its document as text, laid out for people.
    pub fn text(&self) -> String {
        json::pretty(&self.document)
    }
}

/// What is made of a base.
struct Made<'a> {
    title: &'a str,
    base: Value,
    axes: Vec<Value>,
    samples: u64,
    measures: Vec<(&'a str, &'a str)>,
    draw: Value,
}

impl Made<'_> {
    fn choice(self, label: String) -> Choice {
        let names: Vec<String> = self.measures.iter().map(|(name, _)| format!("“{name}”")).collect();
        let about = format!("measures {}", base::people::listed(&names));
        let measures: Map<String, Value> =
            self.measures.iter().map(|(name, text)| ((*name).to_owned(), Value::from(*text))).collect();
        let mut study = Map::new();
        study.insert("base".to_owned(), self.base);
        study.insert("axes".to_owned(), Value::Array(self.axes));
        if self.samples > 1 {
            study.insert("samples".to_owned(), Value::from(self.samples));
        }
        study.insert("measures".to_owned(), Value::Object(measures));
        study.insert("draw".to_owned(), self.draw);
        let mut letters = label.chars();
        let lower: String = letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect();
        let title = if self.title.is_empty() { label.clone() } else { format!("{}: {lower}", self.title) };
        Choice { label, about, document: json!({"warpspan": 1, "title": title, "study": study}) }
    }
}

/// What can be made of a document; none of what is no base.
pub fn choices(tree: &Value) -> Vec<Choice> {
    let Some(lab) = lab_of(tree) else { return Vec::new() };
    let base = as_base(tree);
    let mut made = match lab {
        "warps" => of_warps(&base),
        "conjecture" => of_conjecture(&base),
        "blocks" => of_blocks(&base),
        "tasks" => of_tasks(&base),
        "chain" => of_chain(&base),
        _ => Vec::new(),
    };
    made.extend(over_numbers(&base, lab));
    let mut known: Vec<String> = Vec::new();
    made.retain(|choice| {
        let fresh = !known.contains(&choice.label);
        known.push(choice.label.clone());
        fresh
    });
    made.truncate(MOST);
    made
}

/// The document as a base: without its notes, and without limits in seconds.
fn as_base(tree: &Value) -> Value {
    let mut base = tree.clone();
    if let Some(map) = base.as_object_mut() {
        map.shift_remove("notes");
    }
    clockless(&mut base);
    base
}

fn clockless(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.shift_remove("time_limit");
            map.values_mut().for_each(clockless);
        }
        Value::Array(items) => items.iter_mut().for_each(clockless),
        _ => {}
    }
}

fn title(base: &Value) -> &str {
    base.get("title").and_then(Value::as_str).unwrap_or_default()
}

fn line(x: &str, y: &str) -> Value {
    json!([{"kind": "line", "x": x, "y": y}])
}

/// The base with something else at a place.
fn with(base: &Value, pointer: &str, value: Value) -> Value {
    let mut changed = base.clone();
    if let Some(place) = changed.pointer_mut(pointer) {
        *place = value;
    }
    changed
}

fn of_warps(base: &Value) -> Vec<Choice> {
    let method = base.pointer("/warps/method");
    let has = |key: &str| method.is_some_and(|method| method.get(key).is_some());
    let searched = has("exact") || has("beam") || has("anneal");
    let mut own = base.clone();
    let Some(warps) = own.get_mut("warps").and_then(Value::as_object_mut) else { return Vec::new() };
    // Orders and schedules are of one number of warps, and so are references and missing loads.
    warps.shift_remove("references");
    if has("order") || has("schedule") || !warps.contains_key("method") {
        warps.insert("method".to_owned(), json!({"initial": "round-robin"}));
    }
    if let Some(memory) = warps.get_mut("memory").and_then(Value::as_object_mut) {
        memory.shift_remove("missing");
    }
    let initial = warps.get("method").is_some_and(|method| method.get("initial").is_some());
    let (title, most) = (title(base), if searched { SEARCHED } else { 64 });
    let count = json!({"path": "warps.count", "name": "warps", "from": 1, "to": most});
    let measures = if searched {
        vec![("lower", "lower"), ("upper", "upper"), ("ratio", "upper / lower")]
    } else {
        vec![("makespan", "makespan"), ("each", "makespan / document.warps.count"), ("upper", "upper")]
    };
    let drawn = if searched {
        json!([{"kind": "line", "x": "warps", "y": ["lower", "upper"]}])
    } else {
        line("warps", "makespan")
    };
    let mut made = vec![
        Made {
            title,
            base: own.clone(),
            axes: vec![count.clone()],
            samples: 1,
            measures: measures.clone(),
            draw: drawn,
        }
        .choice(format!("Over warps, 1 to {most}")),
    ];
    if initial {
        let names =
            ["round-robin", "fixed-priority", "most-pending", "greedy-then-oldest", "loose-round-robin"];
        let schedulers = json!({"path": "warps.method.initial", "name": "scheduler", "values": names});
        let by = json!([{"kind": "line", "x": "warps", "y": "makespan", "by": "scheduler"}]);
        let measures = measures.clone();
        let base = with(&own, "/warps/method", json!({"initial": "round-robin"}));
        made.push(
            Made { title, base, axes: vec![count, schedulers], samples: 1, measures, draw: by }
                .choice("Over warps, five schedulers beside each other".to_owned()),
        );
    }
    if own.pointer("/warps/memory/miss").is_some_and(Value::is_u64) {
        let hit = own.pointer("/warps/memory/hit").and_then(Value::as_u64).unwrap_or(1);
        let axis = json!({"path": "warps.memory.miss", "name": "miss", "from": hit, "to": hit + 63});
        let (base, measures) = (own.clone(), measures.clone());
        let draw = line("miss", if searched { "upper" } else { "makespan" });
        made.push(
            Made { title, base, axes: vec![axis], samples: 1, measures, draw }
                .choice("Over the cycles of a load that misses".to_owned()),
        );
    }
    let cores = own.pointer("/warps/machine/C").and_then(Value::as_u64);
    if cores.is_some_and(|cores| cores > 0) {
        let axis = json!({"path": "warps.machine.C", "name": "cores", "from": 1, "to": 16});
        let draw = if searched { line("cores", "upper") } else { line("cores", "makespan") };
        made.push(
            Made { title, base: own.clone(), axes: vec![axis], samples: 1, measures: measures.clone(), draw }
                .choice("Over CUDA cores, 1 to 16".to_owned()),
        );
    }
    if own.pointer("/warps/kernel").is_some() && cores.is_some() && own.pointer("/warps/sub_blocks").is_none()
    {
        let drawn = json!({"generate": "kernel", "length": 8, "letters": {"L": 1, "C": 2}});
        let axis = json!({"path": "warps.kernel.length", "name": "length", "from": 2, "to": 16, "step": 2});
        let y = if searched { "upper" } else { "makespan" };
        let draw = json!([{"kind": "box", "x": "length", "y": y}]);
        let base = with(&own, "/warps/kernel", drawn);
        made.push(
            Made { title, base, axes: vec![axis], samples: 20, measures, draw }
                .choice("Over the length of random kernels".to_owned()),
        );
    }
    made
}

fn of_conjecture(base: &Value) -> Vec<Choice> {
    let Some(ranges) = base.pointer("/conjecture/ranges").and_then(Value::as_object) else {
        return Vec::new();
    };
    let mut own = base.clone();
    let mut axes = Vec::new();
    for (name, range) in ranges {
        let Some(ends) = range.as_array().filter(|ends| ends.len() > 1) else { continue };
        let number = |at: usize| ends.get(at).and_then(Value::as_u64);
        let (Some(from), Some(to)) = (number(0), number(1)) else { continue };
        let Some(place) = own.pointer_mut("/conjecture/ranges").and_then(|ranges| ranges.get_mut(name))
        else {
            continue;
        };
        *place = Value::from(from);
        let path = kit::import::reader::join("conjecture.ranges", name);
        axes.push(
            json!({"path": path, "name": name, "from": from, "to": to, "step": number(2).unwrap_or(1)}),
        );
    }
    let measures = vec![
        ("refuted", "cells[0].verdict == \"refuted\""),
        ("open", "cells[0].verdict == \"open\""),
        ("worst", "cells[0].lower"),
    ];
    let name = |at: usize| {
        axes.get(at).and_then(|axis: &Value| axis.get("name")?.as_str()).unwrap_or_default().to_owned()
    };
    let (x, y) = (name(0), name(1));
    let draw = match axes.len() {
        0 => return Vec::new(),
        1 => json!([{"kind": "line", "x": x, "y": "worst"}]),
        _ => json!([{"kind": "heat", "x": x, "y": y, "z": "refuted"}]),
    };
    let label = if axes.len() == 1 { format!("Over {x}") } else { format!("Over {x} and {y}, as a map") };
    vec![Made { title: title(base), base: own, axes, samples: 1, measures, draw }.choice(label)]
}

fn of_blocks(base: &Value) -> Vec<Choice> {
    let mut own = base.clone();
    let Some(blocks) = own.get_mut("blocks").and_then(Value::as_object_mut) else { return Vec::new() };
    let Some(device) = blocks.get("device").cloned() else { return Vec::new() };
    let streams = json!({"generate": "workload", "kernels": 2, "blocks": [1, 12], "threads": 128,
        "duration": [1_000_000, 10_000_000]});
    *blocks = Map::from_iter([("device".to_owned(), device), ("streams".to_owned(), streams)]);
    let axis = json!({"path": "blocks.streams.kernels", "name": "kernels", "from": 2, "to": 8});
    let draw = json!([{"kind": "box", "x": "kernels", "y": "end"}]);
    let measures = vec![("end", "end"), ("first", "min(kernels[*].end)")];
    let made = Made { title: title(base), base: own, axes: vec![axis], samples: 30, measures, draw };
    vec![made.choice("Over the number of random kernels, on this device".to_owned())]
}

fn of_tasks(base: &Value) -> Vec<Choice> {
    let listed = base.pointer("/tasks/set").or_else(|| base.get("tasks")).and_then(Value::as_array);
    let count = listed.map_or(3, Vec::len).clamp(1, 8);
    let drawn = json!({"generate": "tasks", "count": count, "utilisation": 0.5, "requirement": [100, 1000]});
    let mut own = base.clone();
    if let Some(tasks) = own.get_mut("tasks") {
        *tasks = drawn;
    }
    let axis = json!({"path": "tasks.utilisation", "name": "utilisation", "from": 0.1, "to": 1, "step": 0.1});
    let measures = vec![("schedulable", "schedulable"), ("by_equation", "schedulable_by_equation")];
    let draw = json!([{"kind": "line", "x": "utilisation", "y": ["schedulable", "by_equation"]}]);
    let made = Made { title: title(base), base: own, axes: vec![axis], samples: 50, measures, draw };
    vec![made.choice(format!("Over the utilisation of {}", base::people::counted(count, "random task")))]
}

fn of_chain(base: &Value) -> Vec<Choice> {
    let mut made = Vec::new();
    if base.pointer("/chain/sharing").is_some() {
        let sharing = json!({"path": "chain.sharing", "name": "sharing", "values": ["shared", "exclusive"]});
        let tasks = base.pointer("/chain/tasks").and_then(Value::as_array);
        let period = tasks.and_then(|tasks| tasks.first()?.get("period")?.as_u64());
        if let Some(period) = period {
            let values = around(period);
            let periods = json!({"path": "chain.tasks[0].period", "name": "period of the first task", "values": values});
            let draw =
                json!([{"kind": "line", "x": "period of the first task", "y": "accepted", "by": "sharing"}]);
            let mut own = base.clone();
            // A deadline that is written may be beyond a shorter period.
            if let Some(task) = own.pointer_mut("/chain/tasks/0").and_then(Value::as_object_mut) {
                task.shift_remove("deadline");
            }
            made.push(
                Made {
                    title: title(base),
                    base: own,
                    axes: vec![periods, sharing],
                    samples: 1,
                    measures: CHAIN.to_vec(),
                    draw,
                }
                .choice("Over the period of the first task, GPU shared or exclusive".to_owned()),
            );
        }
    }
    made
}

const CHAIN: [(&str, &str); 2] = [
    ("accepted", "has(verdict.schedulable) and verdict.schedulable"),
    ("missed", "has(verdict.schedulable) and not verdict.schedulable"),
];

/// What is measured of a lab where a number changes.
fn measured(lab: &str) -> Vec<(&'static str, &'static str)> {
    match lab {
        "warps" => vec![("makespan", "makespan"), ("upper", "upper")],
        "conjecture" => vec![("refuted", "cells[0].verdict == \"refuted\""), ("worst", "cells[0].lower")],
        "blocks" => vec![("end", "end")],
        "tasks" => vec![("schedulable", "schedulable"), ("utilisation", "utilisation")],
        "chain" => CHAIN.to_vec(),
        _ => Vec::new(),
    }
}

/// Numbers that say how much there is to do: what one changes first.
const TELLING: [&str; 10] =
    ["cycles", "duration", "period", "blocks", "threads", "ticks", "e", "deadline", "priority", "clock"];

/// Over a number of the document: its values are around what stands there.
fn over_numbers(base: &Value, lab: &str) -> Vec<Choice> {
    let measures = measured(lab);
    let Some((first, _)) = measures.first().copied() else { return Vec::new() };
    let last = |place: &str| place.rsplit(['.', ']']).next().unwrap_or_default().to_owned();
    let mut places = paths(base);
    places.retain(|(place, number)| {
        TELLING.contains(&last(place).as_str()) && number.parse::<u64>().is_ok_and(|number| number > 0)
    });
    let rank = |place: &str| TELLING.iter().position(|word| *word == last(place)).unwrap_or(TELLING.len());
    places.sort_by_key(|(place, _)| rank(place));
    let mut known = Vec::new();
    places.retain(|(place, _)| {
        let fresh = !known.contains(&last(place));
        known.push(last(place));
        fresh
    });
    let made = places.into_iter().take(3).filter_map(|(place, number)| {
        let number = number.parse().ok()?;
        let mut values = around(number);
        match last(&place).as_str() {
            // More than there is may not fit, nor a period that is shorter than its deadline.
            "threads" | "deadline" => values.retain(|value| *value <= number),
            "period" => values.retain(|value| *value >= number),
            _ => {}
        }
        let axes = vec![json!({"path": place, "values": values})];
        let draw = line(&place, first);
        let made = Made {
            title: title(base),
            base: base.clone(),
            axes,
            samples: 1,
            measures: measures.clone(),
            draw,
        };
        Some(made.choice(format!("Over {place}")))
    });
    made.collect()
}

/// Whole numbers around one: from a quarter of it to four times as much.
fn around(number: u64) -> Vec<u64> {
    if number <= 8 {
        return (1..=(2 * number).max(8)).collect();
    }
    let shares = [25, 50, 75, 90, 100, 110, 125, 150, 200, 300, 400u64];
    let mut values: Vec<u64> =
        shares.iter().map(|share| (number.saturating_mul(*share) / 100).max(1)).collect();
    values.dedup();
    values
}
