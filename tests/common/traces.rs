//! What must hold of every report of a recorded run.

use serde_json::Value;

/// Times of devices add up, and every operation is there; a run whose files are elsewhere says so.
pub fn sound(report: &Value) {
    if report["waits_for"].as_array().is_some_and(|files| !files.is_empty()) {
        return;
    }
    let number =
        |of: &Value, key: &str| of[key].as_i64().unwrap_or_else(|| unreachable!("{key}: {}", of[key]));
    for device in report["devices"].as_array().expect("devices") {
        let (busy, idle) = (number(device, "busy"), number(device, "idle"));
        assert_eq!(busy + idle, number(device, "end") - number(device, "start"), "{device}");
        let causes = device["causes"].as_object().expect("causes");
        assert_eq!(causes.values().filter_map(Value::as_i64).sum::<i64>(), idle, "{device}");
    }
    let operations = report["ops"].as_array().map_or(0, Vec::len);
    assert_eq!(i64::try_from(operations), Ok(number(report, "operations")));
    assert!(report["assumptions"].as_array().is_some_and(|all| !all.is_empty()));
}
