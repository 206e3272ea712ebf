//! PTX in the document as the form edits it: string or program, the path, rounds of loops, choices at branches.

use serde_json::{Map, Value};

use crate::import::ptx::{Fork, LoopHead};
use base::people;
use kit::page::edit;

const WARPS: &[&str] = &["warps"];
const PTX: &[&str] = &["warps", "ptx"];
const PATH: &[&str] = &["warps", "path"];
const BRANCHES: &[&str] = &["warps", "path", "branches"];

/// Kinds of path as the document names them.
pub const PATHS: [&str; 4] = ["fall-through", "loops", "longest", "branches"];

/// The most characters of a program that the form edits; a browser takes seconds to lay out much more.
const MOST_EDITED: usize = 200_000;
/// The most lines of one.
const MOST_LINES: usize = 5_000;

/// What the form shows of a program that is too long to be edited in it: its beginning, in whole lines where there are
/// any, and how much that is of it. None where all of it is shown.
pub fn excerpt(text: &str) -> Option<(String, String)> {
    let many = text.match_indices('\n').nth(MOST_LINES - 1).map(|(end, _)| end + 1);
    let long = text.char_indices().nth(MOST_EDITED).map(|(end, _)| end);
    let end = many.into_iter().chain(long).min().filter(|&end| end < text.len())?;
    let shown = match text[..end].rfind('\n') {
        Some(line) => &text[..=line],
        None => &text[..end],
    };
    let count = |text: &str| people::grouped(text.split_inclusive('\n').count() as u128);
    let said = match (count(shown), count(text)) {
        (_, all) if all == "1" => {
            format!("The first {} characters", people::grouped(shown.chars().count() as u128))
        }
        (part, all) => format!("Lines 1 to {part} of {all}"),
    };
    Some((shown.to_owned(), said))
}

/// Whether the kernel is taken from PTX.
pub fn is_ptx(tree: &Value) -> bool {
    edit::get(tree, PTX).is_some()
}

/// The document with an empty program in place of the kernel string.
pub fn with_ptx(tree: &Value) -> Value {
    with_kernel(tree, "ptx", Value::from(""))
}

/// The document with a kernel string in place of the program.
pub fn with_string(tree: &Value, kernel: &str) -> Value {
    with_kernel(tree, "kernel", Value::from(kernel))
}

/// Puts the one key where string, program and what belongs to them began.
fn with_kernel(tree: &Value, key: &str, value: Value) -> Value {
    let mut warps = Map::new();
    let mut value = Some(value);
    for (old, kept) in edit::get(tree, WARPS).and_then(Value::as_object).into_iter().flatten() {
        if !["kernel", "ptx", "entry", "path"].contains(&old.as_str()) {
            warps.insert(old.clone(), kept.clone());
        } else if let Some(value) = value.take() {
            warps.insert(key.to_owned(), value);
        }
    }
    if let Some(value) = value {
        warps.insert(key.to_owned(), value);
    }
    edit::set(tree, WARPS, Value::Object(warps))
}

/// The kind of path, one of [`PATHS`]; empty where the document has something else there.
pub fn path_kind(tree: &Value) -> &'static str {
    let found = |name: &&&str| match edit::get(tree, PATH) {
        None => **name == PATHS[0],
        Some(Value::String(text)) => text == PATHS[0] && **name == PATHS[0],
        Some(path) => path.get(**name).is_some(),
    };
    PATHS.iter().find(found).copied().unwrap_or_default()
}

/// The document with another kind of path; rounds of loops are kept.
pub fn with_path(tree: &Value, kind: &str) -> Value {
    if kind == PATHS[0] {
        return edit::remove(tree, PATH);
    }
    let mut inner = Map::new();
    if kind != "branches" {
        let rounds = iterations(tree).cloned().unwrap_or_else(|| Value::from(1));
        inner.insert("iterations".to_owned(), rounds);
    }
    let mut path = Map::new();
    path.insert(kind.to_owned(), Value::Object(inner));
    edit::set(tree, PATH, Value::Object(path))
}

/// The rounds of all loops, or by label.
fn iterations(tree: &Value) -> Option<&Value> {
    let path = edit::get(tree, PATH)?;
    path.get("loops").or_else(|| path.get("longest"))?.get("iterations")
}

/// The rounds of all loops together; none where each has its own.
pub fn rounds(tree: &Value) -> Option<&Value> {
    iterations(tree).filter(|all| !all.is_object())
}

/// The rounds of one loop; none where it is not named.
pub fn rounds_of<'a>(tree: &'a Value, label: &str) -> Option<&'a Value> {
    match iterations(tree)? {
        Value::Object(each) => each.get(label),
        all => Some(all),
    }
}

/// The document with the rounds of all loops as someone typed them.
pub fn with_rounds(tree: &Value, text: &str) -> Value {
    let place = ["warps", "path", path_kind(tree), "iterations"];
    if text.trim().is_empty() {
        edit::remove(tree, &place)
    } else {
        edit::set(tree, &place, trips_or_text(text))
    }
}

/// The document with the rounds of one loop as someone typed them; the others stay.
pub fn with_rounds_of(tree: &Value, loops: &[LoopHead], label: &str, text: &str) -> Value {
    let mut each = Map::new();
    match iterations(tree) {
        Some(Value::Object(old)) => each = old.clone(),
        Some(all) => each.extend(loops.iter().map(|head| (head.label.clone(), all.clone()))),
        None => {}
    }
    if text.trim().is_empty() {
        each.shift_remove(label);
    } else {
        each.insert(label.to_owned(), trips_or_text(text));
    }
    edit::set(tree, &["warps", "path", path_kind(tree), "iterations"], Value::Object(each))
}

/// The trip count of one loop as someone typed it beside the source: `16`, or `2..16`. On the path that falls
/// through, stating one makes it a path on which loops go round.
pub fn with_trips(tree: &Value, loops: &[LoopHead], label: &str, text: &str) -> Value {
    match path_kind(tree) {
        "loops" | "longest" => with_rounds_of(tree, loops, label, text),
        "fall-through" if !text.trim().is_empty() => {
            let mut each = Map::new();
            each.insert(label.to_owned(), trips_or_text(text));
            edit::set(
                &with_path(tree, "loops"),
                &["warps", "path", "loops", "iterations"],
                Value::Object(each),
            )
        }
        _ => tree.clone(),
    }
}

/// A trip count as it is typed: `16`, `2..16`, or what else the document has there.
pub fn trips_text(value: Option<&Value>) -> String {
    match value {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(pair)) => {
            let each: Vec<String> = pair.iter().map(Value::to_string).collect();
            each.join("..")
        }
        Some(other) => other.to_string(),
    }
}

/// What someone typed as a trip count.
pub fn trips_or_text(text: &str) -> Value {
    match text.split_once("..") {
        Some((least, most)) => Value::Array(vec![edit::number_or_text(least), edit::number_or_text(most)]),
        None => edit::number_or_text(text),
    }
}

/// What the document says about a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Chosen {
    /// Not taken, also where it says nothing.
    NotTaken,
    /// Taken each time.
    Taken,
    /// Taken so many times, then not.
    First(usize),
    /// Not taken so many times, then once.
    After(usize),
    /// Of a `brx.idx`: the label it goes to.
    To(String),
    /// Anything else.
    Other,
}

/// Turns at a branch at the most: a path executes no more instructions.
const MOST_TIMES: usize = warps::MOST_INSTRUCTIONS;

/// The choice at a branch.
pub fn chosen(tree: &Value, fork: &Fork) -> Chosen {
    let Some(all) = edit::get(tree, BRANCHES) else { return Chosen::NotTaken };
    let by_label = || fork.label.as_ref().and_then(|label| all.get(label));
    match all.get(&fork.key).or_else(by_label) {
        None => Chosen::NotTaken,
        Some(Value::String(text)) => match text.as_str() {
            "not-taken" => Chosen::NotTaken,
            "taken" => Chosen::Taken,
            label => Chosen::To(label.to_owned()),
        },
        Some(Value::Array(turns)) => match turns.split_last() {
            Some((last, rest))
                if last == "taken" && rest.iter().all(|turn| turn == "not-taken") && !rest.is_empty() =>
            {
                Chosen::After(rest.len())
            }
            _ if turns.iter().all(|turn| turn == "taken") => Chosen::First(turns.len()),
            _ => Chosen::Other,
        },
        Some(_) => Chosen::Other,
    }
}

/// The document with another choice at a branch.
pub fn with_choice(tree: &Value, fork: &Fork, chosen: &Chosen) -> Value {
    let value = match chosen {
        Chosen::NotTaken => Value::from("not-taken"),
        Chosen::Taken => Value::from("taken"),
        Chosen::First(times) => Value::from(vec!["taken"; (*times).min(MOST_TIMES)]),
        Chosen::After(times) => {
            let mut turns = vec!["not-taken"; (*times).clamp(1, MOST_TIMES)];
            turns.push("taken");
            Value::from(turns)
        }
        Chosen::To(label) => Value::from(label.as_str()),
        Chosen::Other => return tree.clone(),
    };
    let place = ["warps", "path", "branches", &fork.key];
    let without = edit::remove(tree, &place);
    // Nothing need be said about a branch that is not taken, unless its label says otherwise.
    if *chosen == Chosen::NotTaken && self::chosen(&without, fork) == Chosen::NotTaken {
        return without;
    }
    edit::set(tree, &place, value)
}

/// What choices name that are made at no branch of the program.
pub fn strays(tree: &Value, forks: &[Fork]) -> Vec<String> {
    let known = |name: &str| {
        let line = name.strip_prefix("line ").and_then(|line| line.parse().ok());
        forks.iter().any(|fork| fork.label.as_deref() == Some(name) || Some(fork.line) == line)
    };
    let named = edit::get(tree, BRANCHES).and_then(Value::as_object).into_iter().flatten();
    named.map(|(name, _)| name.clone()).filter(|name| !known(name)).collect()
}

/// The document without the choice that goes by a name.
pub fn without_choice(tree: &Value, name: &str) -> Value {
    edit::remove(tree, &["warps", "path", "branches", name])
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use kit::import::json;

    fn tree(warps: &str) -> Value {
        json::parse(&format!(r#"{{"warps": {{{warps}}}}}"#)).unwrap_or_default()
    }

    fn check(found: &Value, expected: &Expect) {
        expected.assert_eq(&json::line(found["warps"].as_object().map_or(found, |_| &found["warps"])));
    }

    #[test]
    fn of_a_long_program_the_beginning_is_shown() {
        assert_eq!(excerpt(""), None);
        assert_eq!(excerpt("nop;\n"), None);
        assert_eq!(excerpt(&"x".repeat(MOST_EDITED)), None);
        assert_eq!(excerpt(&"nop;\n".repeat(MOST_LINES)), None);
        let said = |text: &str| excerpt(text).map(|(shown, said)| (shown.len(), said));
        assert_eq!(
            said(&"nop;\n".repeat(MOST_LINES + 1)),
            Some((5 * MOST_LINES, "Lines 1 to 5,000 of 5,001".to_owned()))
        );
        assert_eq!(
            said(&format!("nop;\n{}", "x".repeat(MOST_EDITED))),
            Some((5, "Lines 1 to 1 of 2".to_owned()))
        );
        let wide = "ä".repeat(MOST_EDITED + 1);
        assert_eq!(said(&wide), Some((2 * MOST_EDITED, "The first 200,000 characters".to_owned())));
    }

    #[test]
    fn string_and_program_change_places() {
        let old = tree(r#""count": 2, "kernel": "LCL", "machine": {}"#);
        let program = with_ptx(&old);
        assert!(is_ptx(&program) && !is_ptx(&old));
        check(&program, &expect![[r#"{"count":2,"ptx":"","machine":{}}"#]]);
        let program = tree(r#""ptx": "ret;", "entry": "k", "path": "fall-through", "count": 2"#);
        check(&with_string(&program, "2L"), &expect![[r#"{"kernel":"2L","count":2}"#]]);
        check(&with_string(&tree(""), "2L"), &expect![[r#"{"kernel":"2L"}"#]]);
    }

    #[test]
    fn kinds_of_path() {
        let program = tree(r#""ptx": "ret;""#);
        assert_eq!(path_kind(&program), "fall-through");
        let loops = with_rounds(&with_path(&program, "loops"), "12");
        check(&loops, &expect![[r#"{"ptx":"ret;","path":{"loops":{"iterations":12}}}"#]]);
        let longest = with_path(&loops, "longest");
        assert_eq!((path_kind(&longest), rounds(&longest)), ("longest", Some(&Value::from(12))));
        check(&with_path(&longest, "branches"), &expect![[r#"{"ptx":"ret;","path":{"branches":{}}}"#]]);
        check(&with_path(&longest, "fall-through"), &expect![[r#"{"ptx":"ret;"}"#]]);
        assert_eq!(path_kind(&tree(r#""path": "backwards""#)), "");
    }

    #[test]
    fn rounds_of_all_loops_and_of_each() {
        let heads = ["A", "B"].map(|label| LoopHead { label: label.to_owned(), line: 1 });
        let all = tree(r#""path": {"loops": {"iterations": 4}}"#);
        let each = with_rounds_of(&all, &heads, "B", "7");
        check(&each, &expect![[r#"{"path":{"loops":{"iterations":{"A":4,"B":7}}}}"#]]);
        assert_eq!((rounds(&each), rounds_of(&each, "A")), (None, Some(&Value::from(4))));
        check(
            &with_rounds_of(&each, &heads, "A", " "),
            &expect![[r#"{"path":{"loops":{"iterations":{"B":7}}}}"#]],
        );
        check(&with_rounds(&each, "2"), &expect![[r#"{"path":{"loops":{"iterations":2}}}"#]]);
        check(&with_rounds(&each, ""), &expect![[r#"{"path":{"loops":{}}}"#]]);
        check(&with_rounds(&each, "some"), &expect![[r#"{"path":{"loops":{"iterations":"some"}}}"#]]);
    }

    #[test]
    fn trip_counts_beside_the_source() {
        let heads = ["A", "B"].map(|label| LoopHead { label: label.to_owned(), line: 1 });
        let falls = tree(r#""ptx": "ret;""#);
        let one = with_trips(&falls, &heads, "A", "16");
        check(&one, &expect![[r#"{"ptx":"ret;","path":{"loops":{"iterations":{"A":16}}}}"#]]);
        let two = with_trips(&one, &heads, "B", " 2..9");
        check(&two, &expect![[r#"{"ptx":"ret;","path":{"loops":{"iterations":{"A":16,"B":[2,9]}}}}"#]]);
        assert_eq!(
            (trips_text(rounds_of(&two, "A")), trips_text(rounds_of(&two, "B"))),
            ("16".into(), "2..9".into())
        );
        assert_eq!(with_trips(&two, &heads, "B", ""), one);
        assert_eq!(with_trips(&falls, &heads, "A", " "), falls);
        let chosen = tree(r#""path": {"branches": {}}"#);
        assert_eq!(with_trips(&chosen, &heads, "A", "3"), chosen);
        check(
            &with_trips(&falls, &heads, "A", "2..x"),
            &expect![[r#"{"ptx":"ret;","path":{"loops":{"iterations":{"A":[2,"x"]}}}}"#]],
        );
    }

    #[test]
    fn choices_at_a_branch() {
        let fork =
            Fork { line: 4, label: Some("Out".to_owned()), targets: Vec::new(), key: "line 4".to_owned() };
        let none = tree(r#""path": {"branches": {}}"#);
        assert_eq!(chosen(&none, &fork), Chosen::NotTaken);
        for choice in [Chosen::Taken, Chosen::First(3), Chosen::After(2), Chosen::To("A".to_owned())] {
            let changed = with_choice(&none, &fork, &choice);
            assert_eq!(chosen(&changed, &fork), choice);
            assert_eq!(with_choice(&changed, &fork, &Chosen::NotTaken), none);
        }
        check(
            &with_choice(&none, &fork, &Chosen::After(2)),
            &expect![[r#"{"path":{"branches":{"line 4":["not-taken","not-taken","taken"]}}}"#]],
        );
        let by_label = tree(r#""path": {"branches": {"Out": "taken"}}"#);
        assert_eq!(chosen(&by_label, &fork), Chosen::Taken);
        check(
            &with_choice(&by_label, &fork, &Chosen::NotTaken),
            &expect![[r#"{"path":{"branches":{"Out":"taken","line 4":"not-taken"}}}"#]],
        );
        let listed = tree(r#""path": {"branches": {"Out": ["taken", "not-taken", "taken"]}}"#);
        assert_eq!(chosen(&listed, &fork), Chosen::Other);
        let strange = tree(
            r#""path": {"branches": {"line 4": "taken", "line 5": "taken", "Out": "taken", "In": "taken"}}"#,
        );
        assert_eq!(strays(&strange, &[fork]), ["line 5", "In"]);
        check(&without_choice(&by_label, "Out"), &expect![[r#"{"path":{"branches":{}}}"#]]);
    }
}
