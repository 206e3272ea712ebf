//! Places in a document, as problems name them: `warps.machine.L`, `tasks[0].vertices[1].e`, `blocks."a b"`.

use std::fmt;

use base::problem::named;
use kit::import::reader::join;
use serde_json::Value;

/// The most steps of a path.
const MOST_STEPS: usize = 64;

/// A place in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path(Vec<Step>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
}

impl Path {
    /// Reads a path; says what belongs there where it is none.
    pub fn parse(text: &str) -> Result<Self, String> {
        let expected = || "a path such as warps.count or tasks[0].period".to_owned();
        let (mut steps, mut rest) = (Vec::new(), text);
        while !rest.is_empty() {
            let (step, left) = if let Some(inner) = rest.strip_prefix('[') {
                let (index, left) = inner.split_once(']').ok_or_else(expected)?;
                let fits = index.len() <= 9 && !index.is_empty() && index.bytes().all(|b| b.is_ascii_digit());
                (Step::Index(index.parse().ok().filter(|_| fits).ok_or_else(expected)?), left)
            } else {
                let rest =
                    if steps.is_empty() { rest } else { rest.strip_prefix('.').ok_or_else(expected)? };
                key(rest).ok_or_else(expected)?
            };
            steps.push(step);
            rest = left;
        }
        if steps.is_empty() || matches!(steps[0], Step::Index(_)) || steps.len() > MOST_STEPS {
            return Err(expected());
        }
        Ok(Self(steps))
    }

    /// What stands there.
    pub fn get<'a>(&self, tree: &'a Value) -> Option<&'a Value> {
        self.0.iter().try_fold(tree, |at, step| match step {
            Step::Key(key) => at.as_object()?.get(key),
            Step::Index(index) => at.as_array()?.get(*index),
        })
    }

    /// Puts something else there; whether there was anything.
    pub fn set(&self, tree: &mut Value, value: Value) -> bool {
        let place = self.0.iter().try_fold(tree, |at, step| match step {
            Step::Key(key) => at.as_object_mut()?.get_mut(key),
            Step::Index(index) => at.as_array_mut()?.get_mut(*index),
        });
        place.map(|place| *place = value).is_some()
    }

    /// Whether one is the other or within it.
    pub fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a == b)
    }

    /// Where a path leaves the tree: how far it leads, and what there is.
    pub fn missing(&self, tree: &Value) -> String {
        let (mut at, mut place) = (tree, String::new());
        for step in &self.0 {
            let next = match step {
                Step::Key(key) => at.get(key.as_str()),
                Step::Index(index) => at.get(*index),
            };
            let Some(next) = next else { break };
            at = next;
            place = step.after(&place);
        }
        let here = if place.is_empty() { "the base".to_owned() } else { named(&place) };
        match at {
            Value::Object(map) => {
                let keys: Vec<String> = map.keys().take(8).map(|key| named(key)).collect();
                format!("something in the base; {here} has {}", base::people::listed(&keys))
            }
            Value::Array(items) => {
                format!("something in the base; {here} is a list of {}", items.len())
            }
            other => format!("something in the base; {here} is {}", kit::import::reader::shown(other)),
        }
    }
}

/// The key a text begins with, and the rest.
fn key(text: &str) -> Option<(Step, &str)> {
    if text.starts_with('"') {
        let mut escaped = false;
        let end = text.char_indices().skip(1).find(|(_, c)| {
            let ends = *c == '"' && !escaped;
            escaped = *c == '\\' && !escaped;
            ends
        });
        let (quoted, rest) = text.split_at(end?.0 + 1);
        return Some((Step::Key(serde_json::from_str(quoted).ok()?), rest));
    }
    let end = text.find(['.', '[', ']', '"']).unwrap_or(text.len());
    let (key, rest) = text.split_at(end);
    (!key.is_empty()).then(|| (Step::Key(key.to_owned()), rest))
}

impl Step {
    fn after(&self, place: &str) -> String {
        match self {
            Step::Key(key) => join(place, key),
            Step::Index(index) => format!("{place}[{index}]"),
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.iter().fold(String::new(), |place, step| step.after(&place)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn paths_are_read_and_shown() {
        for text in
            ["warps.count", "tasks[0].vertices[12].e", "a.\"b c\".d", "blocks.\"x\\\"y\"[3]", "study.\"\""]
        {
            let path = Path::parse(text);
            assert_eq!(path.map(|path| path.to_string()).as_deref(), Ok(text));
        }
        for text in ["", ".", "a.", ".a", "[0]", "a[", "a[]", "a[x]", "a[-1]", "a]b", "a..b", "a[0]b", "\"a"]
        {
            assert!(Path::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn places_are_found_and_set() {
        let mut tree = json!({"a": [{"b": 1}, {"c": 2}]});
        let path = |text: &str| Path::parse(text).unwrap_or(Path(Vec::new()));
        assert_eq!(path("a[1].c").get(&tree), Some(&json!(2)));
        assert!(path("a[1].c").set(&mut tree, json!([])) && !path("a[1].b").set(&mut tree, json!(1)));
        assert_eq!(tree, json!({"a": [{"b": 1}, {"c": []}]}));
        assert!(path("a").meets(&path("a[0].b")) && !path("a[0]").meets(&path("a[1]")));
        assert_eq!(path("a[0].x").missing(&tree), "something in the base; a[0] has b");
        assert_eq!(path("a[2]").missing(&tree), "something in the base; a is a list of 2");
        assert_eq!(path("b").missing(&tree), "something in the base; the base has a");
        assert_eq!(path("a[0].b.c").missing(&tree), "something in the base; a[0].b is 1");
    }
}
