//! Values of examiner files: counts, times and sizes, as the program that reads them takes them.

use serde_json::Value;

use base::Nanos;
use base::problem::quoted;
use kit::import::reader::{Reader, shown};

/// A number of threads or blocks: a whole number, or one for each of up to three dimensions, which are multiplied.
pub(super) fn count(reader: &mut Reader, path: &str, value: &Value) -> Option<u32> {
    let Value::Array(items) = value else {
        return reader.small(path, value, 1..=u32::MAX);
    };
    if items.is_empty() || items.len() > 3 {
        reader.problem(path, shown(value), "a whole number, or a list of 1 to 3");
        return None;
    }
    let each = reader.numbers(path, value, 1..=u32::MAX)?;
    let product = each.iter().try_fold(1_u32, |product, &n| product.checked_mul(n));
    if product.is_none() {
        reader.problem(path, "the product is too large", format!("at most {}", u32::MAX));
    }
    product
}

/// Seconds; what is negative counts as none.
pub(super) fn seconds(reader: &mut Reader, path: &str, value: &Value) -> Option<Nanos> {
    let Some(seconds) = value.as_f64() else {
        reader.problem(path, shown(value), "a number of seconds");
        return None;
    };
    let nanos = Nanos::from_seconds(seconds.max(0.0));
    if nanos.is_none() {
        reader.problem(path, shown(value), "a number of seconds below 6e9");
    }
    nanos
}

/// Nanoseconds: a number, or one in quotes as older files have it.
pub(super) fn nanos(reader: &mut Reader, path: &str, value: &Value) -> Option<Nanos> {
    let number = value.as_u64().map(Nanos).or_else(|| {
        let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?;
        Nanos::from_seconds(number / 1e9)
    });
    let number = number.filter(|nanos| nanos.0 < 6_000_000_000_000_000_000);
    if number.is_none() {
        reader.problem(path, shown(value), "a number of nanoseconds from 0 to below 6e18");
    }
    number
}

/// Bytes of so many 4-byte integers.
pub(super) fn words(reader: &mut Reader, path: &str, value: &Value) -> Option<u64> {
    reader.whole(path, value, 0..=1 << 60).map(|words| words * 4)
}

/// Bytes of shared memory of so many 4-byte integers.
pub(super) fn shared_memory(reader: &mut Reader, path: &str, value: &Value) -> Option<u32> {
    reader.small(path, value, 0..=u32::MAX / 4).map(|words| words * 4)
}

/// A limit of rounds: 0 and what is negative mean none.
pub(super) fn rounds(reader: &mut Reader, path: &str, value: &Value) -> Option<i64> {
    let number = value.as_i64().or_else(|| value.as_f64().map(|number| number as i64));
    if number.is_none() {
        reader.problem(path, shown(value), "a whole number; 0 for no limit");
    }
    number
}

/// One of several words.
pub(super) fn one_of<T: Copy>(
    reader: &mut Reader,
    path: &str,
    value: &Value,
    words: &[(&str, T)],
) -> Option<T> {
    let text = reader.text(path, value)?;
    let found = words.iter().find(|(word, _)| word.eq_ignore_ascii_case(text.trim()));
    if found.is_none() {
        let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        reader.problem(path, quoted(&text), format!("one of {}", names.join(", ")));
    }
    found.map(|(_, meaning)| *meaning)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::import::json;

    fn read<T: std::fmt::Debug>(
        text: &str,
        read: impl FnOnce(&mut Reader, &str, &Value) -> Option<T>,
    ) -> String {
        let mut reader = Reader::default();
        let value = read(&mut reader, "x", &json::parse(text).unwrap_or_default());
        let problems: Vec<String> = reader.into_problems().iter().map(ToString::to_string).collect();
        value.map_or(problems.join("\n"), |value| format!("{value:?}"))
    }

    #[test]
    fn counts_are_products() {
        assert_eq!(read("512.0", count), "512");
        assert_eq!(read("[16, 16]", count), "256");
        assert_eq!(read("[2,3,4]", count), "24");
        assert_eq!(read("[1,2,3,4]", count), "x: a list of 4, expected a whole number, or a list of 1 to 3");
        assert_eq!(read("[65536,65536]", count), "x: the product is too large, expected at most 4294967295");
        assert_eq!(read("[1,0]", count), "x[1]: 0, expected a whole number, 1 to 4294967295");
    }

    #[test]
    fn times_are_numbers_of_every_form() {
        assert_eq!(read("5e9", nanos), "Nanos(5000000000)");
        assert_eq!(read("\" 5000000000 \"", nanos), "Nanos(5000000000)");
        assert_eq!(read("9007199254740993", nanos), "Nanos(9007199254740993)");
        assert_eq!(read("-1", nanos), "x: -1, expected a number of nanoseconds from 0 to below 6e18");
        assert_eq!(
            read("\"soon\"", nanos),
            "x: \"soon\", expected a number of nanoseconds from 0 to below 6e18"
        );
        assert_eq!(read("-0.5", seconds), "Nanos(0)");
        assert_eq!(read("0.25", seconds), "Nanos(250000000)");
        assert_eq!(read("1e300", seconds), "x: 1e300, expected a number of seconds below 6e9");
    }
}
