//! Items that are seen, asked for, run and stopped; tabs and what is told of them.

use super::*;
use base::Problem;

/// Three items of two papers; the second is heavy.
fn board() -> Board {
    let item = |id: &str, seconds: f64, expect: &str| {
        format!(
            r#"{{"id": "{id}", "place": "p", "title": "t", "says": "s", "scenario": "figure-2", "seconds": {seconds},
                "values": [{{"what": "w", "published": 8, "ours": "/makespan", "expect": "{expect}", "why": "y"}}]}}"#
        )
    };
    let paper = |letter: &str, items: &[String]| {
        let text = format!(
            r#"{{"paper": "{letter}", "title": "t", "authors": "a", "items": [{}]}}"#,
            items.join(", ")
        );
        crate::reproduce::read(&text).unwrap_or_else(|problems| unreachable!("{problems:?}"))
    };
    Board::new(vec![
        paper("X", &[item("x-1", 0.1, "agree"), item("x-2", 60.0, "refuted")]),
        paper("Y", &[item("y-1", 0.0, "differ")]),
    ])
}

#[test]
fn the_start_page_says_how_many_values_are_refuted() {
    let board =
        Board::new(crate::reproduce::papers().unwrap_or_else(|problems| unreachable!("{problems:?}")));
    assert_eq!(board.refuted().count(), kit::page::rooms::REFUTED);
}

fn jobs(actions: &[Action]) -> Vec<u32> {
    actions
        .iter()
        .map(|action| match action {
            Action::Start(job, _) | Action::Cancel(job) => *job,
        })
        .collect()
}

fn report(makespan: u32) -> Heard {
    Heard::Report(Some(format!(r#"{{"seconds": 0.1, "makespan": {makespan}}}"#)))
}

#[test]
fn what_is_seen_runs_if_it_is_light() {
    let mut board = board();
    assert_eq!(board.seen("x-2"), []);
    let actions = board.seen("x-1");
    assert_eq!(jobs(&actions), [1]);
    assert!(matches!(&actions[0], Action::Start(1, text) if text.contains("LCL")), "{actions:?}");
    assert_eq!(board.seen("x-1"), [], "once");
    assert_eq!(board.seen("no-such"), []);
    assert_eq!(board.heard(1, &report(8)), []);
    assert_eq!(board.outcome("x-1").map(Outcome::is_as_expected), Some(true));
    assert_eq!(board.seen("x-1"), [], "what is done stays");
    assert_eq!(jobs(&board.ask("x-1")), [2], "unless it is asked for again");
}

#[test]
fn all_run_a_few_at_a_time_and_the_heavy_last() {
    let mut board = board();
    assert_eq!(jobs(&board.ask_all()), [1, 2]);
    assert!(board.runs_all());
    assert_eq!(board.stage("y-1"), Some(&Stage::Running(1)));
    assert_eq!(board.stage("x-1"), Some(&Stage::Running(2)));
    assert_eq!(board.stage("x-2"), Some(&Stage::Queued));
    assert_eq!(jobs(&board.heard(1, &report(8))), [3]);
    assert_eq!(board.stage("x-2"), Some(&Stage::Running(3)));
    board.heard(2, &Heard::Refused(vec![Problem::at("warps", "0", "more")]));
    board.heard(3, &Heard::Crashed("trap".to_owned()));
    assert_eq!((board.done(), board.is_busy(), board.runs_all()), ((3, 3), false, false));
    assert_eq!(
        board.summary(),
        "All 3 items run, 3 values: 0 published values are refuted; 3 came out other than we had recorded."
    );
}

#[test]
fn stopping_leaves_what_is_done() {
    let mut board = board();
    board.ask_all();
    board.heard(1, &report(8));
    assert_eq!(jobs(&board.stop()), [2, 3]);
    assert_eq!(board.heard(2, &Heard::Report(None)), []);
    assert_eq!(board.heard(3, &report(7)), [], "the best it had is no result");
    assert_eq!((board.done(), board.is_busy()), ((1, 3), false));
    assert_eq!(board.stage("x-2"), Some(&Stage::Idle));
    assert!(
        board.summary().starts_with("1 of 3 items run: 1 of 3 values, 0 refuted; 1 came out other"),
        "{}",
        board.summary()
    );
}

#[test]
fn an_item_asked_for_comes_before_the_others() {
    let mut board = board();
    board.ask_all();
    board.ask("x-2");
    assert_eq!(board.stage("x-2"), Some(&Stage::Queued));
    assert_eq!(board.ask("x-1"), [], "it runs already");
    assert_eq!(jobs(&board.heard(2, &report(8))), [3]);
    assert_eq!(board.stage("x-2"), Some(&Stage::Running(3)));
}

#[test]
fn filters_go_by_what_is_known_and_then_by_what_came_out() {
    let mut board = board();
    let listed = |board: &Board, tab: Tab, show: Option<Verdict>| {
        let chosen = Chosen { tab, show };
        let ids: Vec<_> =
            board.items().filter(|item| board.is_listed(item, &chosen)).map(|item| item.id.clone()).collect();
        assert_eq!(board.listed(&chosen), ids.len());
        ids
    };
    assert_eq!(listed(&board, Tab::All, None), ["x-1", "x-2", "y-1"]);
    assert_eq!(listed(&board, Tab::Paper("X".to_owned()), None), ["x-1", "x-2"]);
    assert_eq!(listed(&board, Tab::Refuted, None), ["x-2"]);
    assert_eq!(board.refuted().map(|(item, at)| (item.id.as_str(), at)).collect::<Vec<_>>(), [("x-2", 0)]);
    assert_eq!(listed(&board, Tab::All, Some(Verdict::Differ)), ["y-1"]);
    board.seen("y-1");
    board.heard(1, &report(8));
    assert_eq!(listed(&board, Tab::All, Some(Verdict::Differ)), [""; 0], "it agrees, as it turned out");
}
