//! What must hold of the papers' files: they read, their scenarios read, and their texts are sentences.
//!
//! That items compare as they are known to is in `tests/reproduce.rs`, which runs them all.

use std::collections::HashSet;

use super::{Item, Paper, Verdict, papers};

fn all() -> Vec<Paper> {
    papers().unwrap_or_else(|problems| unreachable!("{problems:?}"))
}

fn items() -> Vec<Item> {
    all().into_iter().flat_map(|paper| paper.items).collect()
}

#[test]
fn items_have_names_of_their_own_that_tell_the_paper() {
    let mut seen = HashSet::new();
    for item in items() {
        assert!(item.id.starts_with(&format!("{}-", item.paper.to_lowercase())), "{}", item.id);
        assert!(seen.insert(item.id.clone()), "{} twice", item.id);
    }
    assert_eq!(
        all().iter().map(|paper| paper.letter.as_str()).collect::<Vec<_>>(),
        ["B", "R", "P", "N", "A", "M"]
    );
}

#[test]
fn papers_are_called_by_the_author_of_their_letter() {
    let names: Vec<String> = all().iter().map(Paper::short).collect();
    assert_eq!(
        names,
        ["Berezovskyi 2013", "Raravi 2010", "Paredes 2019", "Nunna 2012", "Amert 2017", "MI350X rocprofv3"]
    );
}

#[test]
fn every_item_opens_by_a_short_link() {
    for item in items() {
        let link = item.link().map(|link| link.len());
        assert!(link.as_ref().is_ok_and(|length| *length <= 2_000), "{}: {link:?}", item.id);
    }
}

/// A scenario is valid, or its item is about the refusal.
#[test]
fn scenarios_read_unless_that_is_the_point() {
    for item in items() {
        let about_refusal = item.comparisons.iter().all(|value| value.ours.at.text().starts_with("/refused"));
        let read = labs::ALL.from_tree(&item.document);
        assert_eq!(read.is_err(), about_refusal, "{}: {:?}", item.id, read.err());
    }
}

#[test]
fn texts_are_sentences() {
    for item in items() {
        assert!(item.says.ends_with('.'), "{}: {}", item.id, item.says);
        for value in &item.comparisons {
            assert!(value.why.is_empty() || value.why.ends_with('.'), "{}: {}", item.id, value.why);
            assert!(!value.what.ends_with('.'), "{}: {}", item.id, value.what);
        }
    }
}

/// The whole list stays short enough to be run while one waits.
#[test]
fn the_whole_list_takes_a_minute_at_the_most() {
    let seconds: f64 = items().iter().map(|item| item.seconds).sum();
    assert!(seconds <= 60.0, "{seconds} s");
}

/// A verdict that nothing in the list has would be a word without a use.
#[test]
fn every_verdict_occurs() {
    for verdict in Verdict::ALL {
        let occurs = items().iter().flat_map(|item| &item.comparisons).any(|value| value.expect == verdict);
        assert!(occurs, "{}", verdict.word());
    }
}
