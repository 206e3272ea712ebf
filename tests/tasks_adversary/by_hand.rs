//! The adversary held against what was worked out by hand: its simulator, its rules, and its climbs.

use std::collections::BTreeMap;

use warpspan::base::Seeded;

use crate::edf::{lateness, loads};
use crate::model::{Job, Task, Walk, broken, needed};
use crate::search::{Plan, most};

fn task(e: &[u64], d: &[u64], edges: &[(usize, usize, u64)], period: u64) -> Task {
    let leaving = |v: usize| edges.iter().filter(|edge| edge.0 == v).map(|edge| (edge.1, edge.2)).collect();
    let leaving = (0..e.len()).map(leaving).collect();
    Task { name: "t".to_owned(), e: e.to_vec(), d: d.to_vec(), leaving, period, restart: None }
}

fn job(vertex: usize, at: u64) -> Job {
    Job { vertex, at }
}

#[test]
fn the_earliest_deadline_runs_first() {
    let long = task(&[6], &[12], &[], 20);
    let short = task(&[2], &[3], &[], 20);
    // The long one runs 0-1, the short one 1-3, the long one 3-8: four before its deadline, the other one before.
    let both = [loads(&long, &[job(0, 0)], 0, (1, 1)), loads(&short, &[job(0, 0)], 1, (1, 1))].concat();
    assert_eq!(lateness(both.clone()), Some(-1));
    assert_eq!(lateness(both[..1].to_vec()), Some(-6));
    // Twice the work: 1-5 and 5-16, one after 4 and four after 12.
    let twice = [loads(&long, &[job(0, 0)], 0, (1, 2)), loads(&short, &[job(0, 0)], 1, (1, 2))].concat();
    assert_eq!(lateness(twice), Some(4));
    assert_eq!(lateness(Vec::new()), None);
}

#[test]
fn rules_of_sequences() {
    let chain = task(&[1, 2], &[2, 4], &[(0, 1, 2)], 10);
    assert_eq!(broken(&chain, &[job(1, 0), job(0, 4), job(1, 6), job(0, 14)]), None);
    assert!(broken(&chain, &[job(1, 0), job(0, 3)]).is_some(), "before the deadline of the sink");
    assert!(broken(&chain, &[job(0, 0), job(1, 1)]).is_some(), "before the separation is over");
    assert!(broken(&chain, &[job(0, 0), job(1, 2), job(0, 9)]).is_some(), "before the period is over");
    assert!(broken(&chain, &[job(0, 0), job(0, 10)]).is_some(), "no edge");
    let walk = Walk { first: 1, usual: vec![0; 2], others: BTreeMap::new(), waits: BTreeMap::new() };
    assert_eq!(walk.jobs(&chain, 14), [job(1, 0), job(0, 4), job(1, 6), job(0, 14)]);
    assert_eq!(needed(&chain, &walk.jobs(&chain, 10), 10), (5, 6));
    let soon = Task { restart: Some(1), ..chain };
    assert_eq!(walk.jobs(&soon, 5), [job(1, 0), job(0, 1), job(1, 3)]);
}

/// The task of which equation (1) says 22 and 41, and 21 and 40 is the most.
#[test]
fn the_climb_finds_what_is_the_most() {
    let edges = [(0, 1, 3), (0, 2, 5), (0, 3, 5), (1, 3, 8), (1, 4, 7), (2, 4, 4), (3, 4, 6)];
    let splice = task(&[5, 5, 3, 5, 4], &[3, 5, 1, 6, 3], &edges, 20);
    let mut rng = Seeded::new(1, 1);
    for (t, demand) in [(3, 5), (20, 21), (21, 21), (41, 40)] {
        assert_eq!(most(&splice, t, 900, &mut rng, |_| {}).0, demand, "within {t}");
    }
}

/// Only the equation rejects these two; 120 within 120 is the tightest interval.
#[test]
fn the_climb_leaves_no_room_where_there_is_none() {
    let edges = [(0, 1, 40), (0, 2, 30), (1, 3, 30), (2, 3, 40)];
    let branch = task(&[10, 10, 20, 10], &[30, 20, 40, 30], &edges, 100);
    let set = [branch, task(&[80], &[120], &[], 200)];
    let mut rng = Seeded::new(2, 2);
    let plan = Plan::together(&set, 120, 200, &mut rng);
    assert_eq!(plan.late(&set, 200, (1, 1), (200, &mut rng)).lateness, Some(0));
}
