//! The name of an example that is no longer that example.

use serde_json::Value;

use super::edit;
use super::session::Question;
use crate::scenario::builtin::LISTED;

/// What a title ends in that was an example's.
const CHANGED: &str = " (changed)";

/// A title with as many warps as there are, where it tells a number of them.
fn counted(title: &str, tree: &Value) -> String {
    let told = || {
        let (before, after) = title.split_once(" warps")?;
        let word = before.rfind(' ').map_or(0, |space| space + 1);
        let tells = ["Three", "Four"].contains(&&before[word..])
            || before[word..].starts_with(|letter: char| letter.is_ascii_digit());
        let count = edit::get(tree, &["warps", "count"]).filter(|_| tells)?.as_u64()?;
        Some([&before[..word], &count.to_string(), " warps", after].concat())
    };
    told().unwrap_or_else(|| title.to_owned())
}

/// An edited document under a name of its own, where it was an example and asks something else now: its title says that
/// it was changed, and the notes, which are about the example, are gone. An edit that a form made before it heard of the
/// new name keeps that. Each document is there with its tree; none where nothing is to be renamed.
pub fn named(before: (&str, &Value), written: (&str, &Value), field: &str) -> Option<Value> {
    anew(before, written).or_else(|| still(before.1, written.1, field))
}

fn anew((before, old): (&str, &Value), (written, new): (&str, &Value)) -> Option<Value> {
    if !LISTED.iter().any(|example| example.is(before)) {
        return None;
    }
    let title = edit::get(old, &["title"])?;
    let same = Question::of(before, Some(old)) == Question::of(written, Some(new));
    if same || new.get("title") != Some(title) {
        return None;
    }
    let named = edit::set(new, &["title"], Value::from(counted(title.as_str()?, new) + CHANGED));
    // What is tried of a recorded run is beside what its notes are about.
    let run = |tree: &Value| edit::get(&edit::remove(tree, &["trace", "changes"]), &["trace"]).cloned();
    let kept = new.get("notes") != old.get("notes") || run(old).is_some_and(|own| run(new) == Some(own));
    Some(if kept { named } else { edit::remove(&named, &["notes"]) })
}

/// What a form made before it heard of the new name keeps that. Other edits of what was an example tell their number of
/// warps. None where nothing is to be said.
fn still(old: &Value, new: &Value, field: &str) -> Option<Value> {
    let title = edit::get(old, &["title"])?.as_str()?;
    let (was, now) = (title.strip_suffix(CHANGED)?, new.get("title")?.as_str()?);
    let name = counted(title, new);
    if field == "title" || now == name || now != was && now != title {
        return None;
    }
    let named = edit::set(new, &["title"], Value::from(name));
    let kept = field == "notes" || old.get("notes").is_some();
    Some(if kept { named } else { edit::remove(&named, &["notes"]) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::json;
    use crate::scenario::builtin::FIRST;

    fn with(text: &str, path: &[&str], value: Value) -> String {
        let Ok(tree) = json::parse(text) else { unreachable!("valid") };
        json::pretty(&edit::set(&tree, path, value))
    }

    fn renamed(before: &str, written: &str) -> Option<String> {
        let (old, new) = (json::parse(before).ok()?, json::parse(written).ok()?);
        anew((before, &old), (written, &new)).map(|tree| json::pretty(&tree))
    }

    fn still_renamed(before: &str, written: &str, field: &str) -> Option<String> {
        let (old, new) = (json::parse(before).ok()?, json::parse(written).ok()?);
        still(&old, &new, field).map(|tree| json::pretty(&tree))
    }

    #[test]
    fn an_example_that_asks_something_else_says_so_once() {
        let edited = with(FIRST, &["warps", "count"], Value::from(4));
        let named = renamed(FIRST, &edited).and_then(|text| json::parse(&text).ok()).unwrap_or_default();
        assert_eq!(named["title"], "Voronoi, 4 warps, round-robin (changed)");
        assert_eq!((named.get("notes"), &named["warps"]["count"]), (None, &Value::from(4)));
        let named = json::pretty(&named);
        let again = with(&named, &["warps", "count"], Value::from(5));
        assert_eq!(renamed(&named, &again), None);
        let told = still_renamed(&named, &again, "warps.count").unwrap_or_default();
        assert!(told.contains("Voronoi, 5 warps, round-robin (changed)"), "{told}");
        assert_eq!(still_renamed(&named, &with(&named, &["warps", "kernel"], "LC".into()), "kernel"), None);
    }

    #[test]
    fn what_a_form_writes_before_it_has_heard_keeps_the_name() {
        let kernel = with(FIRST, &["warps", "kernel"], Value::from("LCCL"));
        let named = renamed(FIRST, &kernel).unwrap_or_default();
        let late = with(&kernel, &["warps", "count"], Value::from(3));
        let told = still_renamed(&named, &late, "warps.count").and_then(|text| json::parse(&text).ok());
        let told = told.unwrap_or_default();
        assert_eq!(told["title"], "Voronoi, 3 warps, round-robin (changed)");
        assert_eq!((told.get("notes"), &told["warps"]["count"]), (None, &Value::from(3)));
        assert_eq!(still_renamed(&named, &late, "title"), None, "who takes it away means it");
        assert_eq!(still_renamed(&kernel, &late, "warps.count"), None);
        let own = with(&named, &["title"], Value::from("Mine"));
        assert_eq!(still_renamed(&named, &own, "warps.count"), None);
    }

    #[test]
    fn what_is_tried_of_a_recorded_run_leaves_its_notes() {
        let run =
            LISTED.iter().find(|example| example.name == "loss-in-every-step").map(|example| example.file());
        let text =
            run.and_then(|file| std::fs::read_to_string(format!("www/{file}")).ok()).unwrap_or_default();
        let change = serde_json::json!([{"operations": [0], "takes": 50}]);
        let named = renamed(&text, &with(&text, &["trace", "changes"], change)).unwrap_or_default();
        let named = json::parse(&named).unwrap_or_default();
        assert!(named["title"].as_str().is_some_and(|title| title.ends_with(CHANGED)), "{named}");
        assert_eq!(named["notes"], json::parse(&text).unwrap_or_default()["notes"]);
        let other = with(&text, &["trace", "file"], "mine.json".into());
        let named = renamed(&text, &other).and_then(|text| json::parse(&text).ok()).unwrap_or_default();
        assert_eq!(named.get("notes"), None);
    }

    #[test]
    fn a_title_tells_how_many_warps_there_are() {
        let tree = serde_json::json!({ "warps": { "count": 12 } });
        let cases = [
            ("Four warps of LCL", "12 warps of LCL"),
            ("64 warps of 1,000 instructions", "12 warps of 1,000 instructions"),
            ("Why warps wait", "Why warps wait"),
            ("64 threads, warp after warp", "64 threads, warp after warp"),
        ];
        for (title, told) in cases {
            assert_eq!(counted(title, &tree), told);
        }
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
