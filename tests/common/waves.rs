//! What must hold of every report of a thread trace.

use serde_json::Value;

/// Causes of every wave add up to its life, and those of all waves to theirs; a capture that is elsewhere says so.
pub fn sound(report: &Value) {
    if report["waits_for"].as_array().is_some_and(|files| !files.is_empty()) {
        return;
    }
    let sum = |causes: &Value| -> i64 {
        causes.as_object().expect("causes").values().filter_map(Value::as_i64).sum()
    };
    let mut all = 0;
    for wave in report["waves"].as_array().expect("waves") {
        let (begin, end) = (wave["begin"].as_i64().expect("a clock"), wave["end"].as_i64().expect("a clock"));
        assert_eq!(sum(&wave["causes"]), end - begin, "{wave}");
        all += end - begin;
    }
    assert_eq!(sum(&report["causes"]), all);
    assert!(report["assumptions"].as_array().is_some_and(|all| !all.is_empty()));
}
