//! Benchmarks of an examiner's configuration, and logs, in the form: what is simple enough to be a field.

use serde_json::Value;

use super::path::Key::{self, At, Named, Of};
use super::path::{field, get, item, items, remove, set};
use super::units::Unit;
use super::{Holds, Slot, fits};
use kit::scenario;

/// Where the benchmarks of a document stand.
pub const BENCHMARKS: [Key; 3] = [Of("blocks"), Of("examiner"), Of("benchmarks")];
/// Where its logs stand.
pub const MEASURED: [Key; 2] = [Of("blocks"), Of("measured")];

/// Benchmarks whose kernels stand in a list of their own, with their own blocks and threads.
const LISTS: [&str; 3] = ["multikernel", "stream_action", "task_host"];
const SPINS: [&str; 3] = ["timer_spin", "timer_spin_default_stream", "sharedmem_timer_spin"];

/// What a benchmark is, by the base name of its file: `timer_spin` of `timer_spin.so`.
pub fn kind(benchmark: &Value) -> String {
    let file = benchmark.get("filename").and_then(Value::as_str).unwrap_or_default();
    let base = file.rsplit(['/', '\\']).next().unwrap_or_default();
    base.strip_suffix(".so").unwrap_or(base).to_owned()
}

/// Its label; its place where it has none.
pub fn label(benchmark: &Value, place: usize) -> String {
    let given = ["label", "log_name"].iter().find_map(|key| benchmark.get(key)?.as_str());
    given.map_or_else(|| format!("benchmark {}", place + 1), str::to_owned)
}

/// The fields of a benchmark, and what of it stands under JSON only.
pub fn slots(tree: &Value, place: usize) -> (Vec<Slot>, Vec<&'static str>) {
    let at = [&BENCHMARKS[..], &[At(place)]].concat();
    let Some(benchmark) = get(tree, &at) else { return (Vec::new(), Vec::new()) };
    let kind = kind(benchmark);
    let slot = |key, label, holds, usual| Slot::of(&at, key, label, holds, usual);
    let mut slots = vec![slot("label", "Label", Holds::Name, "")];
    let mut elsewhere = Vec::new();
    if LISTS.contains(&kind.as_str()) {
        elsewhere.push("its kernels");
    }
    if kind != "multikernel" && kind != "task_host" {
        slots.push(slot("block_count", "Blocks", Holds::Number, ""));
        slots.push(slot("thread_count", "Threads", Holds::Number, ""));
    }
    if SPINS.contains(&kind.as_str()) {
        let info = field(&at, "additional_info");
        let (time, shared) = match get(tree, &info) {
            Some(Value::Object(_)) => (field(&info, "duration"), Some(field(&info, "shared_memory_size"))),
            _ => (info, None),
        };
        slots.push(Slot { label: "Time, ms", path: time, holds: Holds::Time(Unit::Millis), usual: "" });
        slots.extend(shared.filter(|path| get(tree, path).is_some()).map(|path| Slot {
            label: "Shared, ints",
            path,
            holds: Holds::Number,
            usual: "",
        }));
    } else if !LISTS.contains(&kind.as_str()) && !kind.is_empty() {
        let path = vec![Of("blocks"), Of("durations"), Named(kind)];
        slots.push(Slot { label: "Time, ms", path, holds: Holds::Time(Unit::Millis), usual: "10" });
    }
    slots.push(slot("release_time", "Release, s", Holds::Number, "0"));
    slots.push(slot("max_iterations", "Rounds", Holds::Number, "as above"));
    slots.push(slot("max_time", "Time, s", Holds::Number, "as above"));
    slots.push(slot("stream_priority", "Priority", Holds::Number, "none"));
    // Numbers in texts, as older files have them, are times in nanoseconds whatever the field shows.
    let simple = |slot: &Slot| {
        let value = get(tree, &slot.path);
        let text =
            matches!(slot.holds, Holds::Time(_)) && value.is_some_and(|value| is_number(value.as_str()));
        fits(value, slot.holds) && !text
    };
    elsewhere.extend(slots.iter().filter(|slot| !simple(slot)).map(|slot| slot.label));
    slots.retain(simple);
    (slots, elsewhere)
}

fn is_number(text: Option<&str>) -> bool {
    text.is_some_and(|text| text.trim().parse::<f64>().is_ok())
}

/// The logs of a document by name, with what they are of.
pub fn logs(tree: &Value) -> Vec<(String, String)> {
    let read = |(place, log): (usize, &Value)| {
        let text = |key: &str| log.get(key).and_then(Value::as_str).map(str::to_owned);
        let name = text("label").or_else(|| text("benchmark_name")).or_else(|| text("file"));
        let about = match (text("file"), text("scenario_name")) {
            (Some(_), _) => "damaged".to_owned(),
            (None, scenario) => scenario.unwrap_or_default(),
        };
        (name.unwrap_or_else(|| format!("log {}", place + 1)), about)
    };
    items(tree, &MEASURED).iter().enumerate().map(read).collect()
}

/// The document with more logs; each is a file name and its text.
pub fn with_more_logs(tree: &Value, more: &[(String, String)]) -> Value {
    let new = scenario::document_of_logs(more);
    let all = [items(tree, &MEASURED), items(&new, &MEASURED)].concat();
    set(tree, &MEASURED, Value::Array(all))
}

/// The document without a log; without the list where that was the last and there is something else.
pub fn without_log(tree: &Value, place: usize) -> Value {
    let rest = remove(tree, &item(&MEASURED, place));
    let runs = ["streams", "examiner"].iter().any(|key| get(tree, &[Of("blocks"), Of(key)]).is_some());
    if items(&rest, &MEASURED).is_empty() && runs { remove(&rest, &MEASURED) } else { rest }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::page::blocks::form::{shown, written};

    fn tree(benchmark: Value) -> Value {
        json!({"blocks": {"examiner": {"name": "S", "benchmarks": [benchmark]}}})
    }

    fn told(benchmark: Value) -> String {
        let tree = tree(benchmark);
        let (slots, elsewhere) = slots(&tree, 0);
        let shown: Vec<String> = slots
            .iter()
            .map(|slot| format!("{}={}", slot.label, shown(get(&tree, &slot.path), slot.holds)))
            .collect();
        format!("{} | {}", shown.join(" "), elsewhere.join(", "))
    }

    #[test]
    fn simple_benchmarks_are_fields() {
        let spin = json!({"filename": "./bin/timer_spin.so", "label": "K1", "thread_count": 512,
            "block_count": [2, 2], "additional_info": 500_000_000, "release_time": 0.5});
        assert_eq!(
            told(spin),
            "Label=K1 Threads=512 Time, ms=500 Release, s=0.5 Rounds= Time, s= Priority= | Blocks"
        );
        let shared = json!({"filename": "sharedmem_timer_spin.so", "thread_count": 1, "block_count": 1,
            "additional_info": {"duration": 1000, "shared_memory_size": 8192}});
        assert!(told(shared).contains("Time, ms=0.001 Shared, ints=8192"));
    }

    #[test]
    fn lists_of_kernels_and_numbers_in_texts_stay_under_json() {
        let list = json!({"filename": "multikernel.so", "additional_info": [{}]});
        assert_eq!(told(list), "Label= Release, s= Rounds= Time, s= Priority= | its kernels");
        let text = json!({"filename": "timer_spin.so", "additional_info": "1000"});
        assert!(told(text).ends_with("| Time, ms"));
    }

    #[test]
    fn times_that_depend_on_data_are_set_for_the_benchmark() {
        let tree = tree(json!({"filename": "mandelbrot.so"}));
        let (slots, _) = slots(&tree, 0);
        let Some(slot) = slots.iter().find(|slot| slot.label == "Time, ms") else { unreachable!() };
        let changed = written(&tree, &slot.path, slot.holds, "2.5");
        assert_eq!(changed["blocks"]["durations"], json!({"mandelbrot": 2_500_000}));
    }

    #[test]
    fn logs_by_what_they_are_of() {
        let tree = json!({"blocks": {"measured": [
            {"label": "K1", "scenario_name": "S"}, {"file": "a.json", "text": "{"}, {}, 7,
        ]}});
        let names: Vec<String> =
            logs(&tree).into_iter().map(|(name, about)| format!("{name}: {about}")).collect();
        assert_eq!(names, ["K1: S", "a.json: damaged", "log 3: ", "log 4: "]);
    }

    #[test]
    fn logs_come_and_go() {
        let log = |name: &str| (name.to_owned(), format!(r#"{{"label": "{name}", "times": [{{}}]}}"#));
        let one = with_more_logs(&json!({"blocks": {"streams": []}}), &[log("a")]);
        let two = with_more_logs(&one, &[log("b")]);
        assert_eq!(logs(&two), [("a".to_owned(), String::new()), ("b".to_owned(), String::new())]);
        assert_eq!(logs(&without_log(&two, 0)), [("b".to_owned(), String::new())]);
        assert_eq!(without_log(&one, 0), json!({"blocks": {"streams": []}}));
        let alone = json!({"blocks": {"measured": [{}]}});
        assert_eq!(without_log(&alone, 0), json!({"blocks": {"measured": []}}));
    }
}
