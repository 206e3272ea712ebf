//! What must hold of every report of a study.

use serde_json::Value;

/// Points add up to all cells, and so do the values of each measure.
pub fn sound(report: &Value) {
    let number = |value: &Value| value.as_u64().unwrap_or_default();
    let points = report["points"].as_array().expect("points");
    let sum = |key: &str| points.iter().map(|point| number(&point[key])).sum::<u64>();
    assert_eq!((sum("cells"), sum("failed")), (number(&report["cells"]), number(&report["failed"])));
    for point in points {
        let worked = number(&point["cells"]) - number(&point["failed"]);
        for name in report["measures"].as_object().expect("measures").keys() {
            let told = &point["values"][name];
            let texts = told["texts"].as_object().into_iter().flat_map(|texts| texts.values().map(number));
            let counted = number(&told["count"]) + number(&told["unknown"]) + texts.sum::<u64>();
            assert_eq!(counted, worked, "{name}: {point}");
        }
    }
}
