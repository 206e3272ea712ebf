//! The report of a study against sums over its rows that are made the plain way.

use super::*;

fn close(a: &Value, b: f64) -> bool {
    a.as_f64().is_some_and(|a| (a - b).abs() <= 1e-9 * b.abs().max(1.0))
}

#[test]
fn points_sum_up_their_rows() {
    let text = SMALL.replace(
        "\"each\"",
        r#""long": "makespan >= 5", "kind": "if(makespan >= 5, \"long\", \"short\")", "each""#,
    );
    let study = sound(&text);
    let rows: Vec<Value> = (0..study.cells()).map(|cell| row(&study, cell)).collect();
    let scenario = ALL.read(&document(&text)).unwrap_or_else(|problems| unreachable!("{problems:?}"));
    let report: Value = serde_json::from_str(&ALL.run(&scenario).line()).unwrap_or_default();
    assert_eq!(
        (&report["lab"], &report["cells"], &report["failed"]),
        (&"study".into(), &18.into(), &0.into())
    );
    let points = report["points"].as_array().cloned().unwrap_or_default();
    assert_eq!(points.len(), 6);
    for point in points {
        let own: Vec<&Value> =
            rows.iter().filter(|row| row["point"] == point["point"]).map(|row| &row["values"]).collect();
        assert_eq!(point["cells"], own.len());
        let mut numbers: Vec<f64> = own.iter().filter_map(|values| values["makespan"].as_f64()).collect();
        numbers.sort_by(f64::total_cmp);
        let mean = numbers.iter().sum::<f64>() / 3.0;
        let variance = numbers.iter().map(|n| (n - mean) * (n - mean)).sum::<f64>() / 2.0;
        let told = &point["values"]["makespan"];
        assert_eq!(told["count"], 3);
        for (key, expected) in [
            ("mean", mean),
            ("deviation", variance.sqrt()),
            ("min", numbers[0]),
            ("median", numbers[1]),
            ("max", numbers[2]),
            ("quartile_1", (numbers[0] + numbers[1]) / 2.0),
            ("quartile_3", (numbers[1] + numbers[2]) / 2.0),
        ] {
            assert!(close(&told[key], expected), "{key} {told} {numbers:?}");
        }
        // Student's quantile for two degrees of freedom.
        let half = 4.303 * (variance / 3.0).sqrt();
        assert!(
            close(&told["interval"][0], mean - half) && close(&told["interval"][1], mean + half),
            "{told}"
        );
        let long = own.iter().filter(|values| values["long"] == true).count();
        assert_eq!(
            (&point["values"]["long"]["count"], &point["values"]["long"]["holds"]),
            (&3.into(), &long.into())
        );
        let texts = &point["values"]["kind"]["texts"];
        assert_eq!(texts["long"].as_u64().unwrap_or(0), long as u64, "{texts}");
    }
}
