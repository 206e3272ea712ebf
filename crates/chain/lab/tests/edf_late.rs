//! Tasks by earliest deadline that come late: what is told to meet its deadlines is held against runs, unit by unit.

#![allow(missing_docs)]

use base::Seeded;
use chain_lab::LINKED;
use chain_lab::report::chain::WholeReport;
use serde_json::{Value, json};
use warpspan_chain_lab as chain_lab;

/// A task that only computes.
#[derive(Debug, Clone, Copy)]
struct Task {
    cpu: u64,
    period: u64,
    jitter: u64,
    deadline: u64,
}

fn report(tasks: &[Task]) -> WholeReport {
    let task = |(number, of): (usize, &Task)| {
        json!({
            "name": format!("t{number}"), "period": of.period, "jitter": of.jitter, "deadline": of.deadline,
            "segments": [{ "cpu": of.cpu }],
        })
    };
    let tasks: Vec<Value> = tasks.iter().enumerate().map(task).collect();
    let tree = json!({ "warpspan": 1, "chain": {
        "kernels": [], "cores": [{ "name": "cpu", "scheduler": "edf" }], "tasks": tasks
    } });
    let scenario = LINKED.from_tree(&tree).unwrap_or_else(|problems| unreachable!("{problems:?}"));
    serde_json::from_str(&LINKED.run(&scenario).line()).expect("a report")
}

/// Activations of a task up to some time: places a period apart from `begin` on, each late by `late` of its number.
fn activations(task: &Task, begin: u64, until: u64, mut late: impl FnMut(u64) -> u64) -> Vec<u64> {
    let places = (0..).map(|number| begin + number * task.period).take_while(|&place| place < until);
    let mut all: Vec<u64> =
        (0..).zip(places).map(|(number, place)| place + late(number).min(task.jitter)).collect();
    all.sort_unstable();
    all
}

/// Whether some job is late: each unit of time goes to a job with the earliest deadline.
fn misses(tasks: &[Task], runs: &[Vec<u64>], until: u64) -> bool {
    let jobs = tasks
        .iter()
        .zip(runs)
        .flat_map(|(task, all)| all.iter().map(|&at| (at + task.deadline, at, task.cpu)));
    let mut jobs: Vec<(u64, u64, u64)> = jobs.collect();
    jobs.sort_unstable();
    for now in 0..until {
        if let Some(job) = jobs.iter_mut().find(|job| job.1 <= now && job.2 > 0) {
            job.2 -= 1;
        }
        if jobs.iter().any(|&(deadline, _, left)| deadline <= now + 1 && left > 0) {
            return true;
        }
    }
    false
}

/// Somebody late whose next activation is not, in the worst company: 3 at 0 and 3 at 6, and 11 beside them, have until 16.
#[test]
fn the_next_activation_comes_sooner_than_the_deadline_of_one_that_was_late() {
    let tasks = [
        Task { cpu: 3, period: 10, jitter: 4, deadline: 10 },
        Task { cpu: 11, period: 100, jitter: 0, deadline: 16 },
    ];
    assert!(misses(&tasks, &[vec![0, 6, 16, 26], vec![0]], 30));
    let found = report(&tasks);
    assert_ne!(found.verdict.schedulable, Some(true), "{}", found.verdict.because);
    let one_less = [tasks[0], Task { cpu: 10, ..tasks[1] }];
    assert!(!misses(&one_less, &[vec![0, 6, 16, 26], vec![0]], 30));
    assert_eq!(report(&one_less).verdict.schedulable, Some(true));
}

/// What is told to meet its deadlines does so in every run that is followed, also where it has as much to do as may be.
#[test]
fn no_run_is_late_where_none_is_told_to_be() {
    let mut rng = Seeded::new(61, 0);
    let mut sooner = 0;
    for round in 0..20 {
        let mut draw =
            |from: u64, to: u64| from + u64::from(rng.below(u32::try_from(to - from + 1).unwrap_or(1)));
        let mut tasks: Vec<Task> = (0..draw(1, 2))
            .map(|_| {
                let period = draw(6, 20);
                let (cpu, jitter, deadline) =
                    (draw(1, period / 2), draw(0, period * 2 / 3), draw(period / 2, period));
                Task { cpu, period, jitter, deadline }
            })
            .collect();
        let deadline = draw(10, 40);
        let last = |cpu: u64| Task { cpu, period: 60, jitter: 0, deadline };
        let told = |cpu: u64| {
            let all: Vec<Task> = tasks.iter().copied().chain([last(cpu)]).collect();
            report(&all).verdict.schedulable == Some(true)
        };
        let Some(most) = (1..=deadline).take_while(|&cpu| told(cpu)).last() else { continue };
        sooner += usize::from(tasks.iter().any(|task| task.period - task.jitter < task.deadline));
        tasks.push(last(most));
        for run in 0..100 {
            // Most come together, those that may be late as late as they may, and then no more; others by chance.
            let runs: Vec<Vec<u64>> =
                tasks
                    .iter()
                    .map(|task| match draw(0, 3) {
                        0 if run > 0 => {
                            let begin = draw(0, task.period);
                            activations(task, begin, 160, |_| draw(0, task.jitter))
                        }
                        _ => activations(task, 40 - task.jitter, 160, |number| {
                            if number == 0 { task.jitter } else { 0 }
                        }),
                    })
                    .collect();
            assert!(!misses(&tasks, &runs, 140), "round {round}: {tasks:?} with {runs:?}");
        }
    }
    assert!(sooner > 5, "{sooner} sets have a task whose next activation may come sooner than its deadline");
}

/// `ask` waits for `answer`, which has time until 20 and comes behind `other` with a deadline of 12 under EDF: at 11, and
/// `ask` has until 10. By priorities `answer` goes first. What EDF would do is not told by how long it takes then.
#[test]
fn a_wait_by_priorities_says_nothing_of_edf() {
    let told = |scheduler: &str| {
        let tree = json!({ "warpspan": 1, "chain": {
            "kernels": [], "cores": [{ "name": "cpu", "scheduler": scheduler }], "tasks": [
                { "name": "ask", "priority": 2, "period": 20, "deadline": 10, "segments": [{ "activate": "answer" }, { "await": "answer" }] },
                { "name": "answer", "priority": 1, "deadline": 20, "segments": [{ "cpu": 2 }] },
                { "name": "other", "priority": 3, "period": 100, "deadline": 12, "segments": [{ "cpu": 9 }] },
            ]
        } });
        let scenario = LINKED.from_tree(&tree).unwrap_or_else(|problems| unreachable!("{problems:?}"));
        let report: WholeReport = serde_json::from_str(&LINKED.run(&scenario).line()).expect("a report");
        let takes = report.tasks[0].response.lower.as_ref().map(|figure| figure.value);
        (takes, report.verdict.schedulable, report.cores[0].edf)
    };
    assert_eq!(told("edf"), (Some(11), Some(false), None));
    let (_, schedulable, edf) = told("fixed-priority");
    assert_eq!((schedulable, edf), (Some(true), None));
}
