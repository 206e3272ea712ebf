//! Results as they are shown: pictures, selections, totals, other titles.

use super::*;
use crate::timeline::Rows;
use expect_test::expect;

pub(in crate::page) fn figure_6() -> Shown {
    let Some(example) = kit::scenario::builtin::BUILTINS.iter().find(|b| b.name == "figure-6") else {
        unreachable!("built in")
    };
    shown(example.text)
}

pub(in crate::page) fn shown(text: &str) -> Shown {
    let Ok(scenario) = crate::LINKED.read(text) else { unreachable!("valid") };
    let line = crate::LINKED.run(&scenario).line();
    match Shown::new(text, &line) {
        Some(shown) => shown,
        None => unreachable!("a report fits its scenario"),
    }
}

#[test]
fn a_report_alone_has_its_picture() {
    let shown = figure_6();
    let line = kit::report::Report::new(shown.report.clone()).line();
    let whole = (shown.title.clone(), shown.whole_picture(Rows::Warps));
    assert_eq!(timeline_of(&line), Some(whole));
    for (from, to) in [
        ("\"kernel\":\"L", "\"kernel\":\"X"),
        ("\"kernel\":\"L", "\"kernel\":\"3L"),
        ("\"count\":3", "\"count\":2"),
        ("\"order\":[1", "\"order\":[0"),
        ("\"cycles\":[", "\"cycles\":[1,"),
        ("\"scenario\"", "\"title\""),
    ] {
        assert!(line.contains(from), "{from} in {line}");
        assert_eq!(timeline_of(&line.replacen(from, to, 1)), None, "{to}");
    }
    assert_eq!(timeline_of("{}"), None);
}

#[test]
fn details_say_where_when_and_why() {
    let shown = figure_6();
    expect![
        "warp 3, instruction 2 of 4, C (CUDA core), cycle 6; could not run in 4 to 5: the CUDA core is busy"
    ]
    .assert_eq(&shown.details((2, 1)));
    assert_eq!(shown.waited((2, 1)), Some((4, 5)));
    assert_eq!(shown.waited((0, 1)), None);
}

#[test]
fn arrows_move_within_and_between_warps() {
    let shown = figure_6();
    let step = |from, direction| shown.neighbour(Some(from), direction);
    assert_eq!(shown.neighbour(None, Direction::Down), (0, 0));
    assert_eq!(step((0, 0), Direction::Left), (0, 0));
    assert_eq!(step((0, 0), Direction::Right), (0, 1));
    assert_eq!(step((0, 3), Direction::Right), (0, 3));
    assert_eq!(step((0, 3), Direction::Down), (1, 1)); // cycle 4 in both
    assert_eq!(step((0, 0), Direction::Up), (0, 0));
}

#[test]
fn arrows_go_on_from_an_idle_cell() {
    let shown = figure_6();
    // Warp 3 is idle in cycles 4 and 5; its second instruction is in cycle 6.
    let step = |direction| shown.beside_idle((2, 4), direction);
    assert_eq!((step(Direction::Left), step(Direction::Right)), ((2, 0), (2, 1)));
    let (up, down) = (step(Direction::Up), step(Direction::Down));
    assert_eq!((up.0, down.0), (1, 2)); // it is the last row
    for (warp, instruction) in [up, down] {
        let far = |i: u32| shown.cycle((warp, i)).abs_diff(4);
        assert!((0..4).all(|i| far(instruction) <= far(i)), "warp {warp}");
    }
    assert_eq!(shown.beside_idle((2, 99), Direction::Down).0, 2, "there is no row below the last");
}

/// What a worker reports of a search, the page knows as well.
#[test]
fn a_search_comes_back_whole() {
    for method in [r#"{"exact": {}}"#, r#"{"exact": {"shortest": false}}"#, r#"{"beam": {"width": 2}}"#] {
        let text = format!(
            r#"{{"warpspan": 1, "warps": {{"kernel": "LCCL", "count": 3, "machine": {{"L": 1, "C": 1}}, "method": {method}}}}}"#
        );
        let Ok(scenario) = crate::LINKED.read(&text) else { unreachable!("valid") };
        let line = crate::LINKED.run(&scenario).line();
        let shown = Shown::new(&text, &line).map(|shown| shown.report);
        assert_eq!(shown.map(|report| kit::report::Report::new(report).line()), Some(line));
    }
}

/// The same where loads take their time: with their times, what misses, and why others wait.
#[test]
fn loads_come_back_as_long_as_they_take() {
    let run = |more: &str| {
        let text = format!(
            r#"{{"warpspan": 1, "warps": {{"kernel": "LCL", "count": 2, "machine": {{"L": 1, "C": 1}}, {more}}}}}"#
        );
        let Ok(scenario) = crate::LINKED.read(&text) else { unreachable!("valid: {more}") };
        let line = crate::LINKED.run(&scenario).line();
        let Some(shown) = Shown::new(&text, &line) else { unreachable!("it fits: {line}") };
        (line, shown)
    };
    for method in [
        r#""method": {"initial": "round-robin"}"#,
        r#""method": {"exact": {}}"#,
        r#""method": {"beam": {"width": 2}}"#,
    ] {
        for memory in [r#""mode": "held", "miss": 3"#, r#""mode": "pipelined", "miss": 3, "misses": 1"#] {
            let (line, shown) = run(&format!(r#""memory": {{{memory}}}, {method}"#));
            let again = kit::report::Report::new(shown.report.clone()).line();
            assert_eq!(again, line);
            let whole = (shown.title.clone(), shown.whole_picture(Rows::Warps));
            assert_eq!(timeline_of(&line), Some(whole.clone()));
            assert_eq!(shown.picture(shown.steps(), Rows::Warps).0, whole.1);
        }
    }
    let (_, shown) = run(r#""memory": {"mode": "held", "miss": 3}"#);
    expect!["warp 2, instruction 1 of 3, L (load/store), cycle 4 to 6; could not run in 1: the load/store unit is busy; in 2 to 3: the load/store unit is held by a load"]
        .assert_eq(&shown.details((1, 0)));
    expect!["warp 1, instruction 2 of 3, C (CUDA core), cycle 4; waited for its load until 3; ran as soon as it could"]
        .assert_eq(&shown.details((0, 1)));
}

#[test]
fn a_report_of_something_else_is_refused() {
    let shown = figure_6();
    let other = kit::scenario::builtin::BUILTINS[0].text;
    let line = kit::report::Report::new(shown.report.clone()).line();
    assert_eq!(Shown::new(other, &line), None);
    assert_eq!(Shown::new(&shown.text, "{}"), None);
}

#[test]
fn positions_and_totals() {
    let shown = figure_6();
    assert_eq!(shown.positions[0], (0, 0));
    assert_eq!(shown.positions[9], (2, 1));
    expect!["cycles 2 to 3, 2 cycles: 2 L load/store (100 % busy), 2 C CUDA core (100 % busy)"]
        .assert_eq(&shown.totals((2, 3), None, shown.steps(), None));
    expect!["cycles 2 to 3, 2 cycles: 2 L load/store (100 % busy), 2 C CUDA core (100 % busy). The same: 2 L load/store (100 % busy), 2 C CUDA core (100 % busy)"]
        .assert_eq(&shown.totals((2, 3), None, shown.steps(), Some(("The same", &shown))));
    let after = (shown.report.makespan + 1, shown.report.makespan + 4);
    expect!["cycles 9 to 12, 4 cycles: 0 L load/store (0 % busy), 0 C CUDA core (0 % busy)"]
        .assert_eq(&shown.totals(after, None, shown.steps(), None));
}

#[test]
fn selections_in_links() {
    assert_eq!(parse_selection("3:5"), Some((2, 4)));
    assert_eq!(selection_text((2, 4)), "3:5");
    assert_eq!((parse_cell("3@17"), cell_text((2, 17)).as_str()), (Some((2, 17)), "3@17"));
    assert_eq!(["0@1", "1@0", "x@1", "1@", "3:5"].map(parse_cell), [None; 5]);
    assert_eq!([parse_selection("0:1"), parse_selection("x"), parse_selection("1:")], [None; 3]);
}
