//! Every example on paper, and what a worksheet must not tell.

use super::*;
use kit::scenario::builtin::BUILTINS;

/// Examples that compute for longer than a test may.
const LONG: [&str; 11] = [
    "voronoi-anneal",
    "voronoi-gang",
    "voronoi-beam",
    "voronoi-exact",
    "voronoi-exact-issue-4",
    "raravi-formula",
    "raravi-drawn",
    "tasks-experiment",
    "many-blocks",
    "chain-camera",
    "chain-exclusive",
];

fn line(text: &str) -> String {
    let Ok(scenario) = labs::LINKED.read(text) else { unreachable!("an example is valid") };
    labs::LINKED.run(&scenario).line()
}

fn sheet(name: &str) -> Sheet {
    let text = BUILTINS.iter().find(|example| example.name == name).map_or("", |example| example.text);
    super::sheet(text, &[line(text)], None, "#v=1").unwrap_or_default()
}

#[test]
fn every_example_makes_a_sheet() {
    // Chains and studies have no sheet.
    let has = |group: &str| !["Chain", "Studies"].contains(&group);
    for example in BUILTINS.iter().filter(|example| !LONG.contains(&example.name) && has(example.group)) {
        let made = super::sheet(example.text, &[line(example.text)], None, "#v=1");
        let Some(sheet) = made else { panic!("{} makes none", example.name) };
        assert!(
            !sheet.title.is_empty() && !sheet.given.is_empty() && !sheet.found.is_empty(),
            "{}",
            example.name
        );
        assert!(
            sheet.picture.is_some_and(|svg| svg.starts_with("<svg") && svg.len() > 2_000),
            "{}",
            example.name
        );
        // A worksheet has what is taken for granted, and no answer.
        let granted = sheet.assumes.join(" ");
        let told = sheet.found.iter().find(|fact| fact.value.len() > 3 && granted.contains(&fact.value));
        assert_eq!(told, None, "{}: {granted}", example.name);
        for table in sheet.given_tables.iter().chain(&sheet.found_tables) {
            assert!(
                table.rows.iter().all(|row| row.len() == table.head.len()),
                "{} {}",
                example.name,
                table.title
            );
            assert!(table.given <= table.head.len());
        }
    }
}

#[test]
fn a_schedule_on_paper() {
    let sheet = sheet("figure-2");
    let told: Vec<String> =
        sheet.given.iter().chain(&sheet.found).map(|fact| format!("{}: {}", fact.name, fact.value)).collect();
    assert_eq!(
        told[..3],
        [
            "Kernel: L C L",
            "Warps: 4",
            "Machine: warps per cycle: L (load/store) 1, C (CUDA core) 1; no issue limit"
        ]
    );
    assert!(told.contains(&"This schedule takes: 8 cycles".to_owned()), "{told:?}");
}

#[test]
fn what_a_search_beside_it_has_proven_stands_on_paper() {
    let text =
        BUILTINS.iter().find(|example| example.name == "voronoi-16").map_or("", |example| example.text);
    let line = line(text);
    let found = |proven| {
        let sheet = super::sheet(text, std::slice::from_ref(&line), proven, "").unwrap_or_default();
        let words = |fact: &Fact| format!("{} ({})", fact.value, fact.hint);
        [words(&sheet.found[0]), words(&sheet.found[1])]
    };
    let [schedule, worst] = found(None);
    assert_eq!(schedule, "154 cycles (a lower bound on the worst case, not a proof)");
    assert!(worst.starts_with("154 to "), "{worst}");
    let [schedule, worst] = found(Some((160, 160)));
    assert_eq!(schedule, "154 cycles (not the longest: a longer one was found)");
    assert_eq!(worst, "160 cycles exactly (at most so many, proven by the search for the worst case)");
    let [schedule, worst] = found(Some((154, 154)));
    assert_eq!(schedule, "154 cycles (proven to be the worst case)");
    assert!(worst.starts_with("154 cycles exactly"), "{worst}");
    // One that is not over has narrowed it from one side, or not at all.
    let [schedule, worst] = found(Some((157, 170)));
    assert!(
        schedule.contains("not the longest") && worst.starts_with("157 to 170 cycles"),
        "{schedule}, {worst}"
    );
    assert_eq!(found(Some((10, 9_999))), found(None));
}

#[test]
fn a_worksheet_does_not_tell_how_long_it_takes() {
    let blank = sheet("figure-2").blank.unwrap_or_default();
    assert!(blank.contains(">10</text>") && !blank.contains("class"), "{blank}");
    assert!(blank.len() < sheet("figure-2").picture.unwrap_or_default().len());
    let blank = sheet("paredes-example").blank.unwrap_or_default();
    assert!(blank.contains("SM 1") && !blank.contains("K1:0") && blank.contains(">20</text>"), "{blank}");
    let blank = sheet("tasks-overload").blank.unwrap_or_default();
    assert!(!blank.contains("iolation") && !blank.contains("ightest"), "{blank}");
}

#[test]
fn what_does_not_fit_makes_no_sheet() {
    for (document, line) in [("", "{}"), ("{}", "{}"), ("{}", r#"{"lab":"warps"}"#), ("{}", "nonsense")] {
        assert_eq!(super::sheet(document, &[line.to_owned()], None, ""), None);
    }
    assert_eq!(super::sheet("{}", &[], None, ""), None);
}

#[test]
fn what_is_too_large_for_a_pencil_offers_what_fits() {
    let sheet = sheet("voronoi-16");
    assert_eq!(sheet.blank, None);
    let large = sheet.too_large.unwrap_or_else(|| unreachable!("16 warps and 154 cycles"));
    assert!(
        large.why.contains("16 warps") && !large.why.contains("154"),
        "it tells no answer: {}",
        large.why
    );
    let (warps, document) = large.fewer.unwrap_or_default();
    let smaller = super::sheet(&document, &[line(&document)], None, "").unwrap_or_default();
    assert_eq!(smaller.title, format!("Voronoi, {warps} warps, round-robin"));
    assert!(warps < 16 && smaller.blank.is_some() && smaller.too_large.is_none(), "{document}");
}

#[test]
fn a_worksheet_says_what_numbers_are_counted_in() {
    let figure = sheet("figure-2");
    let units: Vec<&str> = figure.found.iter().map(|fact| fact.unit.as_str()).collect();
    assert_eq!(units, ["cycles", "cycles", ""]);
    let given: Vec<&str> = figure.given.iter().map(|fact| fact.name.as_str()).collect();
    assert!(given.contains(&"Warps in this order"), "who draws it has to know");
    let blocks = sheet("head-of-line");
    assert_eq!(blocks.found_tables[0].asked_head(6), "Starts, ms");
    let asked: Vec<&str> =
        blocks.found.iter().filter(|fact| fact.asked).map(|fact| fact.name.as_str()).collect();
    assert!(!asked.contains(&"Launches"), "{asked:?}");
    let tasks = sheet("tasks-controller");
    let titles: Vec<&str> = tasks.found_tables.iter().filter_map(|table| table.asked.as_deref()).collect();
    assert!(titles.len() == 2 && titles[0].starts_with("Task control: "), "{titles:?}");
    assert!(tasks.found.iter().all(|fact| fact.name != "t_max"));
}
