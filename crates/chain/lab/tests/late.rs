//! Tasks that miss their deadlines: by how much, and whether by more and more.

#![allow(missing_docs)]

use chain_lab::LINKED;
use chain_lab::page::chain::lines;
use chain_lab::report::chain::{TaskLink, WholeReport};
use serde_json::{Value, json};
use warpspan_chain_lab as chain_lab;

/// The last task of a chain without kernels, and its line.
fn last(tasks: Value, scheduler: &str) -> (TaskLink, String) {
    let tree = json!({ "warpspan": 1, "chain": {
        "kernels": [], "cores": [{ "name": "cpu", "scheduler": scheduler }], "tasks": tasks
    } });
    let scenario = LINKED.from_tree(&tree).unwrap_or_else(|problems| unreachable!("{problems:?}"));
    let report: WholeReport = serde_json::from_str(&LINKED.run(&scenario).line()).expect("a report");
    let room = lines::tasks(&report).pop().expect("a line").room;
    (report.tasks.last().expect("a task").clone(), room)
}

fn task(name: &str, cpu: u64, period: u64, deadline: u64) -> Value {
    json!({ "name": name, "period": period, "deadline": deadline, "segments": [{ "cpu": cpu }] })
}

/// 6 of 10 and 5 of 10 are more than there is: what is left over grows. 6 of 10 and 5 of 20 are less: in a run the lower
/// task takes 17 at the worst, and no more.
#[test]
fn activations_that_pile_up_are_told_from_one_that_is_late() {
    let (piles, room) = last(json!([task("high", 6, 10, 9), task("low", 5, 10, 10)]), "fixed-priority");
    assert_eq!((piles.meets, piles.piles_up), (Some(false), true));
    assert!(
        piles.because.ends_with(
            "; activations pile up, as tasks down to its priority ask for 110 % of the time of cpu"
        ),
        "{}",
        piles.because
    );
    assert!(room.ends_with(" late, and activations pile up"), "{room}");
    let (late, room) = last(json!([task("high", 6, 10, 9), task("low", 5, 20, 10)]), "fixed-priority");
    assert_eq!((late.meets, late.piles_up), (Some(false), false));
    assert_eq!(late.response.lower.map(|figure| figure.value), Some(17));
    assert!(!late.because.contains("pile") && !room.contains("pile"), "{} {room}", late.because);
}

/// Earliest deadline first knows no priorities: all tasks of the core count.
#[test]
fn demand_above_the_whole_piles_up_by_deadlines_too() {
    let (own, _) = last(json!([task("one", 6, 10, 10), task("two", 5, 10, 10)]), "edf");
    assert_eq!((own.meets, own.piles_up), (Some(false), true), "{}", own.because);
    assert!(
        own.because.ends_with("; activations pile up, as tasks ask for 110 % of the time of cpu"),
        "{}",
        own.because
    );
}

/// What is below a task does not count for it.
#[test]
fn who_is_below_makes_nothing_pile_up() {
    let tasks = json!([task("low", 5, 10, 10), task("high", 6, 10, 5)]);
    let (high, _) = last(tasks, "fixed-priority");
    assert_eq!((high.meets, high.piles_up), (Some(false), false), "it is late by itself: {}", high.because);
}

/// A task that takes longer than its period by itself.
#[test]
fn a_task_longer_than_its_period_piles_up() {
    let (own, _) = last(json!([task("slow", 12, 10, 10)]), "fixed-priority");
    assert_eq!((own.meets, own.piles_up), (Some(false), true));
    assert!(
        own.because
            .ends_with("its activations pile up, as 12 ns by itself are more than its period of 10 ns"),
        "{}",
        own.because
    );
}

/// A task that waits for each of its kernels finds the GPU empty every time, whatever their order: 10 and 20.
#[test]
fn a_task_by_itself_does_not_wait_for_a_kernel_that_is_over() {
    for sharing in ["exclusive", "shared"] {
        let kernel = |name: &str, cycles: u64| json!({ "name": name, "cycles": cycles, "threads": 32 });
        let tree = json!({ "warpspan": 1, "chain": {
            "clock": 1_000_000_000, "sharing": sharing, "order": ["a", "b"], "kernels": [kernel("a", 10), kernel("b", 20)],
            "tasks": [{ "name": "task", "period": 100, "deadline": 35, "segments": [{ "launch": "a" }, { "launch": "b" }] }],
        } });
        let scenario = LINKED.from_tree(&tree).unwrap_or_else(|problems| unreachable!("{problems:?}"));
        let report: WholeReport = serde_json::from_str(&LINKED.run(&scenario).line()).expect("a report");
        let response = &report.tasks[0].response;
        let sides = [&response.lower, &response.upper].map(|side| side.as_ref().map(|figure| figure.value));
        assert_eq!((sides, report.tasks[0].meets), ([Some(30); 2], Some(true)), "{sharing}");
    }
}
