//! Text to JSON tree: strict JSON, keys in order, a key given twice is an error.
//!
//! Files of the examiner may give a key twice, there and where a document holds one below `examiner`: the first
//! counts, later ones are kept as `key (2)`, `key (3)` up to `key (9)`.
//!
//! Invariant: a tree takes no more than 400 MiB, whatever its text; a value of two letters takes 72 bytes.

use std::cell::Cell;
use std::fmt;
use std::io::{self, Write};

use serde::Serialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::ser::{Formatter, Serializer};
use serde_json::{Map, Number, Value};

use crate::import::{LONGEST, too_long};
use base::Problem;
use base::problem::quoted;

/// Parses strict JSON.
pub fn parse(text: &str) -> Result<Value, Problem> {
    parse_with(text, Twice::Refused, &Budget::default())
}

/// Parses JSON in which a key may be given twice: the first counts, the others are kept under other names.
pub fn parse_loose(text: &str) -> Result<Value, Problem> {
    parse_loose_into(text, &Budget::default())
}

/// The same, where several trees share the budget of one.
pub fn parse_loose_into(text: &str, budget: &Budget) -> Result<Value, Problem> {
    parse_with(text, Twice::Kept, budget)
}

/// Whether a text is not read because of all the values in it.
pub fn is_too_large(problem: &Problem) -> bool {
    problem.what == TOO_MANY
}

fn parse_with(text: &str, twice: Twice, budget: &Budget) -> Result<Value, Problem> {
    if text.len() > LONGEST {
        return Err(too_long());
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut source = serde_json::Deserializer::from_str(text);
    let reading = Reading { twice, budget };
    let tree = reading.deserialize(&mut source).and_then(|tree| source.end().map(|()| tree));
    tree.map_err(|error| {
        let place = format!("line {} column {}", error.line(), error.column());
        let said = error.to_string();
        let what = said.rsplit_once(" at line ").map_or(said.as_str(), |(what, _)| what);
        match what.strip_prefix(TWICE) {
            Some(key) => Problem::at(place, format!("{TWICE}{key}"), "each key once"),
            None if what.contains("recursion limit") => {
                Problem::at(place, "nested too deep", "at most 127 levels")
            }
            None if what == TOO_MANY => Problem::at(place, TOO_MANY, "at most 5 million numbers or so"),
            None if what == "expected ident" || what == "expected value" && error.column() <= 1 => {
                Problem::at(
                    place,
                    "neither JSON nor PTX nor XML",
                    "a scenario, a configuration or log, PTX, an AMALTHEA model, a link or a kernel string",
                )
            }
            None => match what.strip_prefix("expected ") {
                Some(expected) => Problem::at(place, "not valid JSON", expected),
                None => Problem::at(place, format!("not valid JSON: {what}"), instead(what)),
            },
        }
    })
}

/// What JSON has where a parser says this.
fn instead(what: &str) -> &'static str {
    match what {
        "trailing comma" => "no comma after the last",
        "trailing characters" => "its end",
        "key must be a string" => "a name in quotes",
        _ if what.starts_with("EOF") => "the rest of it",
        _ => "what JSON has here",
    }
}

/// A value on one line, in its shortest form.
pub fn line<T: Serialize + ?Sized>(value: &T) -> String {
    let mut out = Vec::new();
    // Plain data with text for keys, into memory: writing it cannot fail.
    let _ = value.serialize(&mut Serializer::with_formatter(&mut out, Plain));
    String::from_utf8(out).unwrap_or_default()
}

/// Writes floats with the standard library's digits instead of a second table of powers, which would be a
/// tenth of the page.
struct Plain;

impl Formatter for Plain {
    fn write_f64<W: Write + ?Sized>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        write!(writer, "{value:?}")
    }
}

/// The document laid out for people: short values on one line.
pub fn pretty(tree: &Value) -> String {
    let mut out = String::new();
    write_pretty(tree, 0, &mut out);
    out.push('\n');
    out
}

fn write_pretty(value: &Value, indent: usize, out: &mut String) {
    const LINE: usize = 96;
    let flat = flat(value);
    if flat.len() + indent <= LINE && indent > 0 {
        out.push_str(&flat);
        return;
    }
    let gap = " ".repeat(indent + 2);
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (i, (key, value)) in map.iter().enumerate() {
                out.push_str(if i == 0 { "{\n" } else { ",\n" });
                out.push_str(&gap);
                out.push_str(&line(key));
                out.push_str(": ");
                write_pretty(value, indent + 2, out);
            }
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            out.push('}');
        }
        Value::Array(items) if items.iter().any(|item| item.is_array() || item.is_object()) => {
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i == 0 { "[\n" } else { ",\n" });
                out.push_str(&gap);
                write_pretty(item, indent + 2, out);
            }
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            out.push(']');
        }
        _ => out.push_str(&flat),
    }
}

/// One line with spaces after commas and colons.
fn flat(value: &Value) -> String {
    match value {
        Value::Object(map) if !map.is_empty() => {
            let items: Vec<String> =
                map.iter().map(|(key, value)| format!("{}: {}", line(key), flat(value))).collect();
            format!("{{ {} }}", items.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(flat).collect::<Vec<_>>().join(", ")),
        other => line(other),
    }
}

const TWICE: &str = "key given twice: ";
const TOO_MANY: &str = "so many values before this place that they take more than 400 MiB";

/// Cells of 72 bytes, the size of a value, that a tree may have.
const MOST_CELLS: usize = 5 << 20;
/// Cells of a list or an object beside its items: they begin with room for four.
const CONTAINER: usize = 5;
/// Cells of a key, beside its value: a text, and its place in a table that may be half empty.
const KEY: usize = 3;

/// The field of a document that holds a file of the examiner.
const EXAMINER: &str = "examiner";

/// What becomes of a key given twice in one object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Twice {
    Refused,
    Kept,
}

impl Twice {
    /// The name under which a value is kept whose key is there already; `None` once there are many.
    fn name(map: &Map<String, Value>, key: &str) -> Option<String> {
        (2..10).map(|again| format!("{key} ({again})")).find(|name| !map.contains_key(name))
    }
}

/// How many cells are left.
pub struct Budget(Cell<usize>);

impl Default for Budget {
    fn default() -> Self {
        Self(Cell::new(MOST_CELLS))
    }
}

impl Budget {
    fn take<E: Error>(&self, cells: usize) -> Result<(), E> {
        self.0.set(self.0.get().checked_sub(cells).ok_or_else(|| E::custom(TOO_MANY))?);
        Ok(())
    }
}

/// How a text is read, and where to.
#[derive(Clone, Copy)]
struct Reading<'a> {
    twice: Twice,
    budget: &'a Budget,
}

impl<'de> DeserializeSeed<'de> for Reading<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.budget.take(1)?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reading<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        self.budget.take(CONTAINER - 1)?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        self.budget.take(CONTAINER - 1)?;
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            self.budget.take(KEY)?;
            let again = map.contains_key(&key);
            if again && self.twice == Twice::Refused {
                return Err(A::Error::custom(format!("{TWICE}{}", quoted(&key))));
            }
            let twice = if key == EXAMINER { Twice::Kept } else { self.twice };
            let value = entries.next_value_seed(Self { twice, ..self })?;
            if let Some(name) = if again { Twice::name(&map, &key) } else { Some(key) } {
                map.insert(name, value);
            }
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn wrong(text: &str, expected: Expect) {
        let shown =
            parse(text).map_or_else(|problem| problem.to_string(), |tree| format!("accepted: {tree}"));
        expected.assert_eq(&shown);
    }

    #[test]
    fn broken_text_says_line_and_column() {
        wrong("{\"a\": 1,\n \"b\" 2}", expect!["line 2 column 6: not valid JSON, expected `:`"]);
        wrong(
            "{\"a\":1,\"a\":2}",
            expect![[r#"line 1 column 10: key given twice: "a", expected each key once"#]],
        );
        wrong(
            "[1e999]",
            expect!["line 1 column 6: not valid JSON: number out of range, expected what JSON has here"],
        );
        wrong(
            &"[".repeat(100_000),
            expect!["line 1 column 128: nested too deep, expected at most 127 levels"],
        );
    }

    #[test]
    fn values_that_would_fill_the_memory_are_refused() {
        let said = |text: &str| parse(text).err().map(|problem| problem.to_string()).unwrap_or_default();
        let list = |item: &str, count| format!("[{}0]", item.repeat(count));
        let expected = format!(": {TOO_MANY}, expected at most 5 million numbers or so");
        for (item, cells) in [("0,", 1), ("[],", CONTAINER), ("{\"a\":0},", CONTAINER + KEY + 1)] {
            let most = (MOST_CELLS - CONTAINER - 1) / cells;
            assert!(said(&list(item, most + 1)).ends_with(&expected), "{item}");
            if item == "[]," {
                assert_eq!(said(&list(item, most)), "");
            }
        }
    }

    #[test]
    fn files_of_the_examiner_may_give_a_key_twice() -> Result<(), Problem> {
        let text = r#"{"a":1,"a":2,"b":[{"a":3,"a":4,"a":5}]}"#;
        let kept = r#"{"a":1,"a (2)":2,"b":[{"a":3,"a (2)":4,"a (3)":5}]}"#;
        assert_eq!(line(&parse_loose(text)?), kept);
        assert_eq!(line(&parse(&format!(r#"{{"examiner":{text}}}"#))?), format!(r#"{{"examiner":{kept}}}"#));
        assert!(parse(&format!(r#"{{"other":{text}}}"#)).is_err());
        let often = parse_loose(&format!("{{{}\"a\":0}}", "\"a\":0,".repeat(50)))?;
        assert_eq!(often.as_object().map(Map::len), Some(9));
        Ok(())
    }

    #[test]
    fn pretty_text_is_the_same_tree() -> Result<(), Problem> {
        let text = r#"{"warpspan":1,"warps":{"kernel":"LCL","count":4,"machine":{"L":1,"C":1},"method":{"schedule":[[1,2],[3]]}}}"#;
        let tree = parse(text)?;
        expect![[r#"
            {
              "warpspan": 1,
              "warps": {
                "kernel": "LCL",
                "count": 4,
                "machine": { "L": 1, "C": 1 },
                "method": { "schedule": [[1, 2], [3]] }
              }
            }
        "#]]
        .assert_eq(&pretty(&tree));
        assert_eq!(parse(&pretty(&tree))?, tree);
        assert_eq!(line(&tree), text);
        Ok(())
    }

    #[test]
    fn numbers_are_written_as_they_were_read() -> Result<(), Problem> {
        let text = r#"[0,-1,18446744073709551615,0.5,1.0,-0.0,1e300,1.5e-7,123456789012.25]"#;
        let tree = parse(text)?;
        assert_eq!(line(&tree), text);
        assert_eq!(line(&tree), tree.to_string().replace("1e+300", "1e300"), "as the library writes it");
        Ok(())
    }
}
