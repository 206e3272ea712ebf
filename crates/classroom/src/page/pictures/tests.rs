//! Pictures one after the other, and that every example has one.

use super::*;
use kit::scenario::builtin::BUILTINS;

/// Examples that compute for longer than a test may.
const LONG: [&str; 6] = [
    "raravi-formula",
    "raravi-drawn",
    "extrapolation",
    "chain-camera",
    "chain-exclusive",
    "chain-acceptance",
];

fn document(name: &str) -> Value {
    let found = BUILTINS.iter().find(|example| example.name == name).map(|example| example.text);
    found.and_then(|found| text::parse(found).ok()).unwrap_or_default()
}

fn line(document: &Value) -> String {
    let Ok(scenario) = labs::ALL.from_tree(document) else { unreachable!("an example is valid") };
    labs::ALL.run(&scenario).line()
}

#[test]
fn every_example_has_a_picture_but_those_that_take_long() {
    for example in BUILTINS.iter().filter(|example| !LONG.contains(&example.name)) {
        if WITHOUT.contains(&example.name) {
            continue;
        }
        let begins = as_it_begins(&document(example.name));
        let Some(list) = picture(&begins, &line(&begins)) else { unreachable!("{} has none", example.name) };
        assert_eq!((list.width, list.height), (WIDE, HIGH));
        let words = list.marks.iter().filter(|mark| matches!(mark, kit::draw::Mark::Text { .. })).count();
        assert_eq!(words, 0, "{}", example.name);
    }
}

#[test]
fn they_are_made_one_after_the_other() {
    let figure = document("figure-2");
    let mut pictures = Pictures::of([figure.clone(), Value::Null, document("voronoi-exact")]);
    assert_eq!(pictures.stage(1), &Stage::Without);
    let Some((1, asked)) = pictures.seen(0) else { unreachable!("it is run") };
    assert_eq!(asked, text::line(&figure));
    assert_eq!(
        (pictures.seen(0), pictures.seen(1), pictures.seen(2), pictures.seen(9)),
        (None, None, None, None)
    );
    assert_eq!(pictures.stage(2), &Stage::Awaited);
    assert_eq!(pictures.heard(1, &Heard::Progress { done: 1, total: 2 }), None);
    assert_eq!(pictures.heard(7, &Heard::Report(None)), None, "nobody asked for that");
    let Some((2, asked)) = pictures.heard(1, &Heard::Report(Some(line(&figure)))) else {
        unreachable!("the next one has its turn")
    };
    assert!(asked.contains("round-robin") && !asked.contains("exact\":"), "{asked}");
    assert!(matches!(pictures.stage(0), Stage::Drawn(_)));
    assert_eq!(pictures.heard(2, &Heard::Crashed("a trap".to_owned())), None);
    assert_eq!(pictures.stage(2), &Stage::Without);
}
