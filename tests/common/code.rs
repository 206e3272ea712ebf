//! What must hold of every report of machine code.

use serde_json::Value;

/// Bounds in order, and a schedule that ends when it says.
pub fn sound(report: &Value) {
    let number = |key: &str| report[key].as_u64().unwrap_or_else(|| unreachable!("{key}: {}", report[key]));
    let (makespan, lower, upper) = (number("makespan"), number("lower"), number("upper"));
    assert!(number("at_least") <= makespan && makespan <= lower && lower <= upper);
    assert_eq!(report["exact"] == true, lower == upper);
    let rows: Vec<(u64, u64, u64, u64)> =
        serde_json::from_value(report["schedule"].clone()).expect("rows of four numbers");
    assert!(rows.iter().all(|row| (1..=number("count")).contains(&row.0) && row.2 <= row.3));
    assert!(rows.windows(2).all(|pair| pair[0].2 <= pair[1].2), "in the order of issue");
    assert_eq!(rows.iter().map(|row| row.3).max(), Some(makespan));
    assert_eq!(report["waits"].as_array().map(Vec::len), Some(rows.len()));
    assert!(!report["assumptions"].as_array().expect("a list").is_empty());
}
