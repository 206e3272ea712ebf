//! The name of an example that is no longer that example.

use serde_json::Value;

use super::edit;
use super::session::Question;
use crate::import::json;
use crate::scenario::builtin::LISTED;

/// What a title ends in that was an example's.
const CHANGED: &str = " (changed)";

/// An edited document under a name of its own, where it was an example and asks something else now: its title says that
/// it was changed, and the notes, which are about the example, are gone. None where nothing is to be renamed.
pub fn renamed(before: &str, written: &str) -> Option<String> {
    if !LISTED.iter().any(|example| example.is(before)) {
        return None;
    }
    let (old, new) = (json::parse(before).ok()?, json::parse(written).ok()?);
    let title = edit::get(&old, &["title"])?;
    let same = Question::of(before, Some(&old)) == Question::of(written, Some(&new));
    if same || new.get("title") != Some(title) {
        return None;
    }
    let named = edit::set(&new, &["title"], Value::from(format!("{}{CHANGED}", title.as_str()?)));
    let kept = new.get("notes") != old.get("notes");
    Some(json::pretty(&if kept { named } else { edit::remove(&named, &["notes"]) }))
}

/// The same for an edit that a form made before it heard of the new name: that stays. None where nothing is to be said.
pub fn still_renamed(before: &str, written: &str, field: &str) -> Option<String> {
    let (old, new) = (json::parse(before).ok()?, json::parse(written).ok()?);
    let title = edit::get(&old, &["title"])?.as_str()?;
    let was = title.strip_suffix(CHANGED)?;
    if field == "title" || new.get("title").and_then(Value::as_str) != Some(was) {
        return None;
    }
    let named = edit::set(&new, &["title"], Value::from(title));
    let kept = field == "notes" || old.get("notes").is_some();
    Some(json::pretty(&if kept { named } else { edit::remove(&named, &["notes"]) }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::builtin::FIRST;

    fn with(text: &str, path: &[&str], value: Value) -> String {
        let Ok(tree) = json::parse(text) else { unreachable!("valid") };
        json::pretty(&edit::set(&tree, path, value))
    }

    #[test]
    fn an_example_that_asks_something_else_says_so_once() {
        let edited = with(FIRST, &["warps", "count"], Value::from(4));
        let named = renamed(FIRST, &edited).and_then(|text| json::parse(&text).ok()).unwrap_or_default();
        assert_eq!(named["title"], "Voronoi, 16 warps, round-robin (changed)");
        assert_eq!((named.get("notes"), &named["warps"]["count"]), (None, &Value::from(4)));
        let again = with(&json::pretty(&named), &["warps", "count"], Value::from(5));
        assert_eq!(renamed(&json::pretty(&named), &again), None);
    }

    #[test]
    fn what_a_form_writes_before_it_has_heard_keeps_the_name() {
        let kernel = with(FIRST, &["warps", "kernel"], Value::from("LCCL"));
        let named = renamed(FIRST, &kernel).unwrap_or_default();
        let late = with(&kernel, &["warps", "count"], Value::from(3));
        let told = still_renamed(&named, &late, "warps.count").and_then(|text| json::parse(&text).ok());
        let told = told.unwrap_or_default();
        assert_eq!(told["title"], "Voronoi, 16 warps, round-robin (changed)");
        assert_eq!((told.get("notes"), &told["warps"]["count"]), (None, &Value::from(3)));
        assert_eq!(still_renamed(&named, &late, "title"), None, "who takes it away means it");
        assert_eq!(still_renamed(&kernel, &late, "warps.count"), None);
        let own = with(&named, &["title"], Value::from("Mine"));
        assert_eq!(still_renamed(&named, &own, "warps.count"), None);
    }

    #[test]
    fn names_of_ones_own_are_left_alone() {
        for (path, value) in [(["title"], "Mine"), (["notes"], "Mine")] {
            assert_eq!(renamed(FIRST, &with(FIRST, &path, Value::from(value))), None);
        }
        let both = with(&with(FIRST, &["title"], "Mine".into()), &["warps", "count"], Value::from(4));
        assert_eq!(renamed(FIRST, &both), None);
        assert_eq!(renamed(FIRST, "{"), None);
        let noted = with(&with(FIRST, &["notes"], "Mine".into()), &["warps", "count"], Value::from(4));
        assert!(
            renamed(FIRST, &noted).is_some_and(|text| text.contains("Mine") && text.contains("(changed)"))
        );
    }
}
