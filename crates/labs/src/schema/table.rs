//! What the readers asked, joined by place: which kinds of value a place may have, within which bounds, which keys.
//!
//! Invariants: 1. a bound that differs from one reading to the next depends on something else, and is none; 2. a key is
//! required only if every document that was taken has it and its reader insisted on it; 3. what a reader took without
//! asking its kind is a kind of its place, too.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use kit::import::asked::Asked;

/// The words on the way to a place.
pub type Path = Vec<String>;
/// All places.
pub type Table = BTreeMap<Path, Place>;

/// Stands for every item of a list.
pub const EACH: &str = "[]";
/// Stands for every key of an object whose keys are its author's own.
pub const ANY: &str = "*";

/// The ends of a range; one that is always the same, or none.
#[derive(Debug, Clone, PartialEq)]
pub struct Bounds {
    /// The least.
    pub low: Option<Value>,
    /// The most.
    pub high: Option<Value>,
}

/// What is known of a place.
#[derive(Debug, Default)]
pub struct Place {
    /// The keys it may have, in one or several ways, each with those that must be there, once one was taken.
    pub variants: BTreeMap<Vec<String>, Option<Vec<String>>>,
    /// Whether its keys are its author's own.
    pub is_map: bool,
    /// Whether a list was asked for.
    pub list: bool,
    /// Whether true or false was asked for.
    pub truth: bool,
    /// The most characters, where a text was asked for.
    pub text: Option<usize>,
    /// The range, where a whole number was asked for.
    pub whole: Option<Bounds>,
    /// The range, where a number was asked for.
    pub number: Option<Bounds>,
    /// Kinds of value that were taken without being asked for.
    pub taken: BTreeSet<&'static str>,
    /// What is said where it is missing; nothing where that differs.
    pub said: Option<Option<String>>,
    /// The words that a problem listed as all there are.
    pub listed: BTreeSet<String>,
    /// Texts that were taken.
    pub texts: BTreeSet<String>,
}

impl Place {
    /// Whether its objects have a definition.
    pub fn is_object(&self) -> bool {
        self.is_map || !self.variants.is_empty()
    }

    /// The words it may have, where these are all there are.
    pub fn words(&self) -> Option<Value> {
        let all = !self.listed.is_empty() && self.texts.is_subset(&self.listed);
        all.then(|| json!({"enum": self.listed}))
    }

    /// Adds a question; `true` if it is one of a kind that is new here.
    pub fn add(&mut self, asked: Asked<'_>) -> bool {
        let whole = |low: u64, high: u64| Bounds {
            low: Some(json!(low)),
            high: (high < u64::MAX).then(|| json!(high)),
        };
        match asked {
            Asked::Object | Asked::Required(..) => false,
            Asked::Keys(keys) => {
                let keys: Vec<String> = keys.iter().map(|&key| key.to_owned()).collect();
                let new = !self.variants.contains_key(&keys);
                self.variants.entry(keys).or_default();
                new
            }
            Asked::Text(most) => self.text.replace(self.text.unwrap_or(0).max(most)).is_none(),
            Asked::Truth => !std::mem::replace(&mut self.truth, true),
            Asked::List => !std::mem::replace(&mut self.list, true),
            Asked::Whole(low, high) => join(&mut self.whole, whole(low, high)),
            Asked::Number(low, high) => {
                join(&mut self.number, Bounds { low: Some(json!(low)), high: Some(json!(high)) })
            }
        }
    }

    /// Adds an object that was taken: its keys, and which of them its reader insisted on.
    pub fn add_taken(&mut self, keys: &[String], insisted: &[String]) -> bool {
        let Some(required) = self.variants.get_mut(keys) else { return false };
        let first = required.is_none();
        let before = required.take().unwrap_or_else(|| insisted.to_vec());
        *required = Some(before.into_iter().filter(|key| insisted.contains(key)).collect());
        first
    }

    /// Adds all that is known of another place that is the same.
    pub fn merge(&mut self, other: Self) {
        self.variants.extend(other.variants);
        self.is_map |= other.is_map;
        self.list |= other.list;
        self.truth |= other.truth;
        self.text = self.text.max(other.text);
        self.taken.extend(other.taken);
        self.listed.extend(other.listed);
        self.texts.extend(other.texts);
        for (known, other) in [(&mut self.whole, other.whole), (&mut self.number, other.number)] {
            if let Some(other) = other {
                join(known, other);
            }
        }
    }

    /// Adds what is said where a value is missing.
    pub fn add_said(&mut self, said: &str) {
        let same = self.said.as_ref().is_none_or(|known| known.as_deref() == Some(said));
        self.said = Some(same.then(|| said.to_owned()));
    }
}

/// Widens a range by another one; `true` if it is the first.
fn join(known: &mut Option<Bounds>, other: Bounds) -> bool {
    let Some(bounds) = known else {
        *known = Some(other);
        return true;
    };
    let low = bounds.low.take().filter(|low| Some(low) == other.low.as_ref());
    let high = bounds.high.take().filter(|high| Some(high) == other.high.as_ref());
    *bounds = Bounds { low, high };
    false
}

/// The place of a reader's path such as `warps.method.starts[3]`: `warps`, `method`, `starts`, `[]`. A list within
/// the items of a list of the same name is that list again.
pub fn place(path: &str) -> Path {
    let mut words: Path = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        let quoted = rest.strip_prefix('"').and_then(|inner| inner.find('"')).map(|end| end + 2);
        let end = match rest.as_bytes()[0] {
            b'[' => {
                words.push(EACH.to_owned());
                rest = rest.split_once(']').map_or("", |(_, rest)| rest);
                again(&mut words);
                rest = rest.strip_prefix('.').unwrap_or(rest);
                continue;
            }
            _ => quoted.or_else(|| rest.find(['.', '['])).unwrap_or(rest.len()),
        };
        words.push(rest[..end].to_owned());
        rest = rest[end..].strip_prefix('.').unwrap_or(&rest[end..]);
    }
    words
}

fn again(words: &mut Path) {
    if let [.., a, b, c, d] = &words[..]
        && a == c
        && b == d
        && b == EACH
        && a != EACH
    {
        words.truncate(words.len() - 2);
    }
}

/// The place below another one.
pub fn below(path: &Path, word: &str) -> Path {
    let mut path = path.clone();
    path.push(word.to_owned());
    again(&mut path);
    path
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn places_of_paths() {
        for (path, shown) in [
            ("", ""),
            ("warps.machine.L", "warps/machine/L"),
            ("warps.missing[3][1]", "warps/missing/[]/[]"),
            (
                "blocks.streams[0].operations[2].operations[1].kernel",
                "blocks/streams/[]/operations/[]/kernel",
            ),
            ("warps.path.branches.\"line 17.[\"[2]", "warps/path/branches/\"line 17.[\"/[]"),
        ] {
            assert_eq!(place(path).join("/"), shown);
        }
    }
}
