//! The page about the analysis of blocks says what the analysis says: tables and numbers are computed again.

#![cfg(not(target_arch = "wasm32"))]

use std::fs;
use std::path::Path;

use warpspan::base::Nanos;
use warpspan::blocks::analysis::assumptions::ASSUMED;
use warpspan::blocks::analysis::closed_form::Line;
use warpspan::blocks::analysis::{Effort, Task, closed_form, completions, response, worst};

fn holds(wanted: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/blocks-analysis.md");
    let text = fs::read_to_string(path).expect("the page is there");
    assert!(text.contains(wanted), "docs/blocks-analysis.md should have\n{wanted}");
}

fn task(label: &str, time: u64, blocks: u32) -> Task {
    Task { label: label.into(), period: None, time: Nanos(time), blocks, threads: 512, deadline: None }
}

fn published() -> [Task; 4] {
    [task("K1", 4, 2), task("K2", 6, 7), task("K3", 6, 2), task("K4", 5, 5)]
}

fn listed(times: impl IntoIterator<Item = Nanos>) -> String {
    times.into_iter().map(|time| time.0.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_assumption_is_listed() {
    let rows = ASSUMED.iter().map(|(name, sentence)| format!("| {name} | {sentence} |\n"));
    holds(&rows.collect::<String>());
}

#[test]
fn the_steps_of_the_example() {
    let tasks = published();
    let rows = response(&tasks, 8).steps.into_iter().map(|step| {
        let enough = if step.free >= step.wanted { "yes" } else { "no" };
        let completion = step.completion.map_or(String::new(), |time| time.0.to_string());
        let later = step.after.later.iter().map(|(time, places)| format!("({}, {places})", time.0));
        format!(
            "| {} | {} | {} | {} | {enough} | {completion} | {} | {} | {} |\n",
            tasks[step.kernel].label,
            step.wanted,
            step.at.0,
            step.free,
            step.after.at.0,
            step.after.free,
            later.collect::<Vec<_>>().join(" ")
        )
    });
    holds(&rows.collect::<String>());
}

#[test]
fn the_launch_orders() {
    let tasks = published();
    let row = |order: [usize; 4]| {
        let labels: Vec<&str> = order.iter().map(|&which| &*tasks[which - 1].label).collect();
        let completions = completions(order.iter().map(|&which| &tasks[which - 1]), 8);
        format!("| {} | {} |\n", labels.join(" "), listed(completions))
    };
    let orders = [[1, 2, 3, 4], [2, 3, 4, 1], [2, 4, 1, 3], [2, 1, 3, 4]];
    holds(&orders.map(row).concat());
    let worst = worst(&tasks, 8, Effort::default()).expect("there are few");
    holds(&format!("it is {}.", listed(worst.iter().map(|worst| worst.completion))));
}

#[test]
fn what_is_wrong_in_print() {
    let lines = |tasks: &[Task]| closed_form(tasks, 3).expect("equal times");
    let printed = |lines: &[Line]| -> Vec<String> {
        lines.iter().map(|line| line.printed.completion.to_string()).collect()
    };
    let right = |lines: &[Line]| -> Vec<String> {
        lines.iter().map(|line| line.corrected.completion.0.to_string()).collect()
    };
    let (waves, fit) = (lines(&[task("", 9, 6)]), lines(&[task("", 5, 3), task("", 5, 6)]));
    for (what, lines) in [("one kernel of 6 blocks", waves), ("kernels of 3 and 6 blocks", fit)] {
        let (printed, right) = (printed(&lines).join(" and "), right(&lines).join(" and "));
        holds(&format!(", {what} | {printed} | {right} |\n"));
    }
}
