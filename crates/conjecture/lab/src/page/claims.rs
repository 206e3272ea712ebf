//! The form of a conjecture as plain state: named claims and what they bring, and the ranges as rows of fields.

use serde_json::{Map, Value, json};

use kit::page::edit;

/// The part of the document this is about.
const PART: &str = "conjecture";
/// What a named claim brings; a document may say something else.
const BROUGHT: [&str; 5] = ["kernel", "machine", "fairness", "sub_blocks", "warps"];
/// Fields of a range, in the order of a document.
const ENDS: usize = 3;
/// At most so many parameters.
pub const MOST_RANGES: usize = 6;

/// A claim with a name, as far as the form has to know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named {
    /// Its name in documents.
    pub name: &'static str,
    /// What the form calls it.
    pub label: &'static str,
    /// Its formula.
    pub formula: &'static str,
    /// Whether it is about Raravi's machine and kernel; else about the Voronoi diagram on a Kepler.
    groups: bool,
    /// How many warps there are.
    warps: &'static str,
    /// Ranges to begin with, as name, from and to.
    ranges: &'static [(&'static str, &'static [u32])],
}

const UP_TO_FOUR: &[(&str, &[u32])] = &[("W", &[1, 4])];

const fn voronoi(name: &'static str, label: &'static str, formula: &'static str) -> Named {
    Named { name, label, formula, groups: false, warps: "W", ranges: UP_TO_FOUR }
}

/// All claims with a name.
pub const CLAIMS: [Named; 7] = [
    Named {
        groups: true,
        warps: "ceil(n/16)",
        ranges: &[("n", &[16, 64, 16]), ("rep", &[1, 3])],
        ..voronoi("raravi", "Raravi's finishing time", "3*W + 2 + 2*W*(rep - 1)")
    },
    Named {
        ranges: &[("W", &[2, 4]), ("g", &[1, 2])],
        ..voronoi("extrapolation", "Extrapolating from groups of g", "ceil(W/g) * exact(g)")
    },
    Named {
        warps: "a + b",
        ranges: &[("a", &[1, 2]), ("b", &[1, 2])],
        ..voronoi("sub-additive", "Two groups add up", "exact(a) + exact(b)")
    },
    voronoi("berezovskyi", "44 cycles for every four warps", "44 * ceil(W/4)"),
    voronoi("blocked-cycles", "Cycles in which others keep the last warp from issuing", "blocked"),
    voronoi("one-by-one", "One instruction per cycle", "W * I"),
    voronoi("busy-cycles", "Busy cycles of all units", "busy"),
];

/// The named claim of a document, if it has one.
pub fn named(tree: &Value) -> Option<Named> {
    let name = edit::get(tree, &[PART, "claim", "named"])?;
    CLAIMS.into_iter().find(|claim| name == claim.name)
}

/// Whether the document leaves everything a named claim brings to the claim.
pub fn is_as_published(tree: &Value) -> bool {
    named(tree).is_some() && BROUGHT.iter().all(|key| edit::get(tree, &[PART, key]).is_none())
}

/// The document with a named claim, which then brings its own kernel, machine, fairness and warps; or, without a
/// name, with the same formula as one's own.
pub fn with_claim(tree: &Value, name: &str) -> Value {
    let claim = CLAIMS.into_iter().find(|claim| claim.name == name);
    let Some(claim) = claim else {
        let formula = named(tree).map_or("W * I", |claim| claim.formula);
        return edit::set(&spelt_out(tree), &[PART, "claim"], json!({ "formula": formula }));
    };
    let tree = edit::set(&as_published(tree), &[PART, "claim"], json!({ "named": name }));
    let known: Vec<String> = ranges(&tree).into_iter().map(|range| range.name).collect();
    if claim.ranges.iter().all(|(name, _)| known.iter().any(|known| known == name))
        && known.len() == claim.ranges.len()
    {
        return tree;
    }
    let ranges: Map<String, Value> =
        claim.ranges.iter().map(|(name, values)| ((*name).to_owned(), json!(values))).collect();
    edit::set(&tree, &[PART, "ranges"], Value::Object(ranges))
}

/// The document without what its named claim brings anyway.
pub fn as_published(tree: &Value) -> Value {
    BROUGHT.iter().fold(tree.clone(), |tree, key| edit::remove(&tree, &[PART, key]))
}

/// The document with what its named claim brings written out where it says nothing else.
pub fn spelt_out(tree: &Value) -> Value {
    let Some(claim) = named(tree) else { return tree.clone() };
    let (kernel, machine) = if claim.groups {
        ("C rep(LLC) L", json!({"L": 1, "C": 2, "issue": 2}))
    } else {
        ("5L 9C 2L 9C", json!({"L": 1, "C": 4}))
    };
    let mut brought = vec![("kernel", json!(kernel)), ("machine", machine)];
    if claim.groups {
        brought.push(("fairness", json!("sub-block")));
    }
    if claim.warps != "W" {
        brought.push(("warps", json!(claim.warps)));
    }
    let missing = brought.into_iter().filter(|(key, _)| edit::get(tree, &[PART, key]).is_none());
    missing.fold(tree.clone(), |tree, (key, value)| edit::set(&tree, &[PART, key], value))
}

/// A parameter as a row of fields: from alone is one value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RangeRow {
    /// Its name.
    pub name: String,
    /// From, to, step.
    pub ends: [String; ENDS],
}

/// The ranges of a document.
pub fn ranges(tree: &Value) -> Vec<RangeRow> {
    let ranges = edit::get(tree, &[PART, "ranges"]).and_then(Value::as_object).into_iter().flatten();
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let row = |(name, value): (&String, &Value)| {
        let mut ends: [String; ENDS] = Default::default();
        match value {
            Value::Array(items) => ends.iter_mut().zip(items).for_each(|(end, item)| *end = text(item)),
            one => ends[0] = text(one),
        }
        RangeRow { name: name.clone(), ends }
    };
    ranges.map(row).collect()
}

/// The document with one of its ranges changed; a name that another one has changes nothing.
pub fn with_range(tree: &Value, place: usize, row: &RangeRow) -> Value {
    let mut rows = ranges(tree);
    let taken = rows.iter().enumerate().any(|(i, other)| i != place && other.name == row.name);
    match rows.get_mut(place) {
        Some(old) if !taken => *old = row.clone(),
        _ => return tree.clone(),
    }
    with_ranges(tree, &rows)
}

/// The document without one of its ranges.
pub fn without_range(tree: &Value, place: usize) -> Value {
    let rows = ranges(tree);
    let kept: Vec<RangeRow> =
        rows.into_iter().enumerate().filter(|(i, _)| *i != place).map(|(_, row)| row).collect();
    with_ranges(tree, &kept)
}

/// The document with one range more.
pub fn with_another_range(tree: &Value) -> Value {
    let mut rows = ranges(tree);
    let free = |name: &&str| rows.iter().all(|row| row.name != *name);
    let name = ["W", "rep", "cap_L", "cap_C", "issue", "x", "y", "z"].into_iter().find(free);
    rows.push(RangeRow {
        name: name.unwrap_or("p").to_owned(),
        ends: ["1".to_owned(), String::new(), String::new()],
    });
    with_ranges(tree, &rows)
}

fn with_ranges(tree: &Value, rows: &[RangeRow]) -> Value {
    let value = |row: &RangeRow| {
        let given = row.ends.iter().rposition(|end| !end.trim().is_empty()).map_or(1, |last| last + 1);
        match &row.ends[..given] {
            [one] => edit::number_or_text(one),
            several => Value::Array(several.iter().map(|end| edit::number_or_text(end)).collect()),
        }
    };
    let ranges: Map<String, Value> = rows.iter().map(|row| (row.name.clone(), value(row))).collect();
    edit::set(tree, &[PART, "ranges"], Value::Object(ranges))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LINKED;
    use crate::scenario::ConjectureScenario;
    use conjecture::PUBLISHED;
    use kit::import::json::{line, pretty};

    fn document(inside: &str) -> Value {
        kit::import::json::parse(&format!(r#"{{"warpspan":1,"conjecture":{inside}}}"#)).unwrap_or_default()
    }

    #[test]
    fn the_form_knows_every_claim_and_writes_out_what_it_brings() {
        for (claim, published) in CLAIMS.iter().zip(&PUBLISHED) {
            assert_eq!(
                (claim.name, claim.formula, claim.warps),
                (published.name, published.formula, published.warps)
            );
            let own = with_claim(&document("{}"), claim.name);
            assert!(is_as_published(&own));
            let all = spelt_out(&own);
            assert!(!is_as_published(&all) && as_published(&all) == own);
            let question = |tree: &Value| match LINKED
                .read(&pretty(tree))
                .map(|scenario| scenario.asked::<ConjectureScenario>().cloned())
            {
                Ok(Some(asked)) => asked,
                other => unreachable!("{other:?}"),
            };
            assert_eq!(question(&own), question(&all), "{}", claim.name);
            let formula = question(&with_claim(&own, ""));
            assert_eq!(formula.claim.formula.text(), claim.formula);
        }
        assert_eq!(CLAIMS.len(), PUBLISHED.len());
    }

    #[test]
    fn ranges_are_rows() {
        let tree = document(r#"{"ranges":{"W":[1,6],"rep":2,"x":[0,9,"three"]}}"#);
        let rows = ranges(&tree);
        let told: Vec<String> =
            rows.iter().map(|row| format!("{}: {}", row.name, row.ends.join(" "))).collect();
        assert_eq!(told, ["W: 1 6 ", "rep: 2  ", "x: 0 9 three"]);
        let ends = |from: &str, to: &str, step: &str| [from, to, step].map(str::to_owned);
        let change = |place, name: &str, ends| {
            line(&with_range(&tree, place, &RangeRow { name: name.to_owned(), ends })["conjecture"]["ranges"])
        };
        assert_eq!(change(1, "r", ends("2", "4", " ")), r#"{"W":[1,6],"r":[2,4],"x":[0,9,"three"]}"#);
        assert_eq!(change(0, "W", ends("", "6", "")), r#"{"W":["",6],"rep":2,"x":[0,9,"three"]}"#);
        assert_eq!(change(0, "x", ends("1", "", "")), line(&tree["conjecture"]["ranges"]));
        assert_eq!(line(&without_range(&tree, 2)["conjecture"]["ranges"]), r#"{"W":[1,6],"rep":2}"#);
        assert_eq!(line(&with_another_range(&document("{}"))["conjecture"]), r#"{"ranges":{"W":1}}"#);
    }
}
