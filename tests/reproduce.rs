//! `warpspan reproduce` as scripts and people see it, and the whole list of published values.

#![cfg(not(target_arch = "wasm32"))]

mod common;

use common::{text, warpspan};
use expect_test::{Expect, expect};
use serde_json::Value;
use warpspan::base::Control;
use warpspan::job::{self, Job, Step};
use warpspan::report::Report;
use warpspan::reproduce::{Outcome, Row, papers, refused};
use warpspan::scenario;

fn printed(words: &[&str], expected: Expect) {
    let answer = warpspan(&[&["reproduce"], words].concat());
    assert_eq!((answer.status, answer.err.as_str()), (0, ""), "{words:?}");
    // How long it took is another time each time.
    let (told, _) = answer.out.rsplit_once(" Computed in ").expect("a sum at the end");
    expected.assert_eq(&format!("{told}\n"));
}

#[test]
fn an_item_is_a_small_table() {
    printed(
        &["b-fig-2"],
        expect![[r#"
            B  Fast Makespan Estimation for GPU Threads on a Single Streaming Multiprocessor (Berezovskyi, Bletsas and Petters 2013)

            b-fig-2  figure 2: A schedule of four warps
                                                        published                ours
              agree    makespan                         8                        8
              agree    warp cycle string (section VII)  1 2 2 3 3 4 4 5 5 6 7 8  1 2 2 3 3 4 4 5 5 6 7 8
              agree    cycles of warp 1                 1 2 5                    1 2 5
              agree    cycles of warp 2                 2 3 6                    2 3 6
              agree    cycles of warp 3                 3 4 7                    3 4 7
              agree    cycles of warp 4                 4 5 8                    4 5 8

            1 item, 6 values: 6 agree. All are as expected.
        "#]],
    );
}

#[test]
fn what_does_not_agree_has_a_reason() {
    printed(
        &["p-whole-waves", "b-fig-3"],
        expect![[r#"
            B  Fast Makespan Estimation for GPU Threads on a Single Streaming Multiprocessor (Berezovskyi, Bletsas and Petters 2013)

            b-fig-3  figure 3: A schedule that is none
                                               published                          ours
              agree    rule that is broken     not work-conserving                not work-conserving
              agree    where                   at cycle 5                         at cycle 5
              agree    unit that idles         L (load/store) has room            L (load/store) has room
              agree    warps that wait for it  warps 1, 2 and 3 are pending on L  warps 1, 2 and 3 are pending on L
              agree    mistakes                1                                  1

            P  AMALTHEA-based GPU Response Time Analysis for NVIDIA's Jetson TX2 (Leoncio Paredes Zevallos 2019)

            p-whole-waves  section 3.7, equations 3.12 to 3.15: Equal times: whole waves
                                                            published  ours
              agree    f by the printed formula             27         27
              refuted  completion time                      27         18
                       The kernel is complete at 18. g - g_f is a multiple of g_max, and the printed formula
                       counts a wave too many. With n = ceil((g - g_f) / g_max) waves it is right.
              agree    completion by the corrected formula  18         18

            2 items, 8 values: 7 agree, 1 refuted. All are as expected.
        "#]],
    );
}

#[test]
fn a_letter_is_all_of_a_paper() {
    let answer = warpspan(&["reproduce", "--json", "a"]);
    assert_eq!((answer.status, answer.err.as_str()), (0, ""));
    let papers = papers().expect("the papers read");
    let listed = papers.iter().find(|paper| paper.letter == "A").map(|paper| paper.items.len());
    assert_eq!(Some(answer.out.lines().count()), listed);
}

#[test]
fn a_line_of_json_has_what_a_script_needs() {
    let answer = warpspan(&["reproduce", "--json", "--threads", "1", "b-fig-5", "r-fig-3a-issue"]);
    assert_eq!((answer.status, answer.err.as_str()), (0, ""));
    let lines: Vec<Value> =
        answer.out.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    assert_eq!(
        lines.iter().map(|line| text(line, "item")).collect::<Vec<_>>(),
        ["b-fig-5", "r-fig-3a-issue"]
    );
    let opened = warpspan(&["open", text(&lines[0], "link")]);
    assert_eq!(opened.status, 0, "{}", opened.err);
    assert!(opened.out.contains("LCL"), "{}", opened.out);
    let row = &lines[1]["values"][0];
    let found = (&row["published"], &row["ours"], &row["verdict"], &row["expected"], &row["ratio"]);
    let (two, three, refuted, ratio) = (2.into(), 3.into(), "refuted".into(), 1.5.into());
    assert_eq!(found, (&two, &three, &refuted, &refuted, &ratio));
    assert_eq!(lines[1]["as_expected"], true);
}

#[test]
fn an_unknown_item_runs_nothing() {
    let answer = warpspan(&["reproduce", "b-fig-2", "b-fig-99", "z"]);
    assert_eq!((answer.status, answer.out.as_str()), (2, ""));
    expect![[r#"
        reproduce: "b-fig-99": expected the id of an item or the letter of a paper
        reproduce: "z": expected the id of an item or the letter of a paper
    "#]]
    .assert_eq(&answer.err);
}

/// All of them, as `warpspan reproduce` does on one thread.
#[test]
fn the_whole_list_compares_as_it_is_known_to() {
    let papers = papers().expect("the papers read");
    let mut compared = 0;
    for item in papers.iter().flat_map(|paper| &paper.items) {
        let line = match scenario::from_tree(&item.document) {
            Ok(scenario) => to_its_end(job::start(scenario)).line(),
            Err(problems) => refused(&problems),
        };
        let outcome = Outcome::of_line(item, &line);
        let other: Vec<&Row> = outcome.values.iter().filter(|row| !row.is_as_expected()).collect();
        assert!(other.is_empty(), "{}: {other:#?}", item.id);
        compared += outcome.values.len();
    }
    assert!(compared > 200, "{compared} values are compared");
}

/// Steps a job to its end and tells it after each step how long that took, always the same: what measures needs to know.
fn to_its_end(mut job: Box<dyn Job>) -> Report {
    loop {
        match job.step(&mut Control::slice(1 << 24)) {
            Step::More(_) => job.took(0.03),
            Step::Done(report) => return report,
        }
    }
}
