//! Values as a reader sees them: `160`, `1 2 2 3`, `(4, 2) (6, 6)`, `agree`.

use serde_json::Value;

use base::people;

/// A value on one line.
pub fn shown(value: &Value) -> String {
    match value {
        Value::Array(items) if items.is_empty() => "none".to_owned(),
        Value::Array(items) => items.iter().map(inner).collect::<Vec<_>>().join(separator(items)),
        other => plain(other),
    }
}

fn separator(items: &[Value]) -> &'static str {
    if items.iter().any(|item| item.as_str().is_some_and(|text| text.contains(' '))) { ", " } else { " " }
}

fn inner(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("({})", items.iter().map(inner).collect::<Vec<_>>().join(", ")),
        other => plain(other),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(truth) => if *truth { "yes" } else { "no" }.to_owned(),
        Value::Null => "none".to_owned(),
        Value::Number(number) => match (number.as_u64(), number.as_f64()) {
            (Some(whole), _) => people::grouped(whole.into()),
            (None, Some(float)) => rounded(float),
            (None, None) => number.to_string(),
        },
        other => other.to_string(),
    }
}

/// Four digits that matter.
fn rounded(number: f64) -> String {
    let magnitude = if number == 0.0 { 0.0 } else { number.abs().log10().floor() };
    let decimals = (3.0 - magnitude).clamp(0.0, 12.0) as usize;
    let text = format!("{number:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values() {
        let table = [
            (json!(160), "160"),
            (json!(2_000_000), "2,000,000"),
            (json!(-3), "-3"),
            (json!(0.909), "0.909"),
            (json!(147.683716), "147.7"),
            (json!(0.000123456), "0.0001235"),
            (json!([1, 2, 2, 3]), "1 2 2 3"),
            (json!([[4, 2], [6, 6]]), "(4, 2) (6, 6)"),
            (json!([]), "none"),
            (json!(null), "none"),
            (json!(true), "yes"),
            (json!("L C"), "L C"),
            (json!(["round-robin", "random"]), "round-robin random"),
            (json!(["a b", "c"]), "a b, c"),
        ];
        for (value, expected) in table {
            assert_eq!(shown(&value), expected);
        }
    }
}
