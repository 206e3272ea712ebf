//! The first drawing of a study made of its report: for pictures so small that nobody asks for more.

use kit::import::json;
use serde_json::Value;

use super::chart::{Axis, Chart, Dot, Series, Tone};
use crate::scenario::{Drawing, Kind};

/// What the first drawing of a document shows of its report; none where there is nothing of it.
pub fn chart(document: &Value, line: &str) -> Option<Chart> {
    let report = json::parse(line).ok()?;
    let drawing = serde_json::from_value::<Drawing>(report.get("draw")?.get(0)?.clone()).ok()?;
    let kind = if drawing.kind == Kind::Scatter { return None } else { drawing.kind };
    let heat = kind == Kind::Heat;
    let measures = if heat { drawing.z.iter().cloned().collect() } else { drawing.y.clone() };
    let up = if heat { drawing.y.first() } else { drawing.by.as_ref() };
    let points = report.get("points")?.as_array()?;
    let (mut across, mut rows) = (Vec::<&Value>::new(), Vec::<&Value>::new());
    let mut series: Vec<Series> = Vec::new();
    for point in points {
        let Some(x) = point.get("point")?.get(&drawing.x) else { continue };
        let above = up.and_then(|name| point["point"].get(name)).unwrap_or(&Value::Null);
        let (at, row) = (at(&mut across, x), at(&mut rows, above));
        for (which, name) in measures.iter().enumerate() {
            let Some(dot) = dot(&point["values"][name], which) else { continue };
            let (own, dot) = match heat {
                true => (0, Dot { x: at as f64, y: row as f64, ..dot }),
                false => (row * measures.len() + which, Dot { x: x.as_f64().unwrap_or(at as f64), ..dot }),
            };
            series
                .resize_with(series.len().max(own + 1), || Series { name: String::new(), dots: Vec::new() });
            series[own].dots.push(dot);
        }
    }
    let words = |known: &[&Value]| known.iter().map(|value| super::plan::word(value)).collect();
    let worded = heat || !across.iter().all(|value| value.is_number());
    let share = series.iter().flat_map(|series| &series.dots).all(|dot| dot.share);
    let values = || series.iter().flat_map(|series| &series.dots).map(|dot| dot.value);
    let range = if share {
        (0.0, 1.0)
    } else {
        (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
    };
    let title = document.get("title").and_then(Value::as_str).unwrap_or_default().to_owned();
    Some(Chart {
        kind,
        title,
        across: Axis { name: drawing.x, words: worded.then(|| words(&across)), ..Axis::default() },
        up: Axis { name: String::new(), words: heat.then(|| words(&rows)), share, ..Axis::default() },
        tone: heat.then(|| Tone { name: String::new(), range, share }),
        series,
    })
}

/// Which of the known values this is; it is known from now on.
fn at<'a>(known: &mut Vec<&'a Value>, value: &'a Value) -> usize {
    known.iter().position(|other| *other == value).unwrap_or_else(|| {
        known.push(value);
        known.len() - 1
    })
}

/// What a report says of a measure at a point.
fn dot(told: &Value, measure: usize) -> Option<Dot> {
    let number = |key: &str| told.get(key).and_then(Value::as_f64);
    let share = told.get("share").is_some();
    let value = number("mean").or_else(|| number("share"))?;
    let interval =
        told.get("interval").and_then(|both| Some([both.get(0)?.as_f64()?, both.get(1)?.as_f64()?]));
    let five = ["min", "quartile_1", "median", "quartile_3", "max"].map(|key| number(key).unwrap_or(value));
    let count = told.get("count").and_then(Value::as_u64).unwrap_or(1);
    let place = String::new();
    Some(Dot { x: 0.0, y: value, value, interval, five, count, measure, share, first: 0, worst: 0, place })
}
