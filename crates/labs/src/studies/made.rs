//! Studies made of a document: of every example there are some, and each of them can be run.

use kit::scenario::builtin::BUILTINS;
use serde_json::Value;
use study_lab::Study;
use study_lab::page::made::choices;

use crate::ALL;

/// Examples of which one cell takes longer than a test may.
const LONG: [&str; 6] =
    ["large", "many-blocks", "chain-camera", "chain-exclusive", "tasks-experiment", "extrapolation"];

/// The keys of the labs of which studies are offered.
const VARIED: [&str; 5] = ["warps", "conjecture", "blocks", "tasks", "chain"];

#[test]
fn studies_can_be_made_of_every_example() {
    let mut wrong = Vec::new();
    for example in BUILTINS.iter().filter(|example| example.group != "Studies") {
        let Ok(tree) = serde_json::from_str::<Value>(example.text) else { unreachable!("JSON") };
        let made = choices(&tree);
        if VARIED.iter().any(|key| tree.get(key).is_some()) {
            let fits = (1..=4).contains(&made.len());
            wrong.extend((!fits).then(|| format!("{}: {} studies", example.name, made.len())));
        }
        for choice in made {
            let scenario = match ALL.read(&choice.text()) {
                Ok(scenario) => scenario,
                Err(problems) => {
                    wrong.push(format!("{}: {}: {problems:?}", example.name, choice.label));
                    continue;
                }
            };
            let Some(study) = Study::of(&scenario) else { unreachable!("a study") };
            assert!(!study.draw().is_empty());
            if !LONG.contains(&example.name) && !example.group.contains("searches") {
                let row = study.evaluate(0).unwrap_or_default();
                let sound = row.contains("\"values\"");
                wrong.extend((!sound).then(|| format!("{}: {}: {row}", example.name, choice.label)));
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
}
