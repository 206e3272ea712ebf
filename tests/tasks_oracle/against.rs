//! The program held against the oracle, on about two thousand random tasks: curves of a hundred tasks a document,
//! and verdicts, witnesses and sensitivity of sets of one to three.

use serde_json::Value;
use warpspan::base::Seeded;

use crate::common::run;
use crate::compare;
use crate::small::{Like, Small, document, draw, near};
use crate::verdict::{Demand, Truth, bound, truth};

/// The report of a set.
fn report(set: &[Small], horizon: u64) -> Value {
    let document = document(set, horizon);
    let answer = run(&document);
    assert_eq!((answer.status, answer.err.as_str()), (0, ""), "{document}");
    let report: Value = serde_json::from_str(&answer.out).expect("a report is JSON");
    assert_eq!(report["horizon"], horizon, "{document}");
    report
}

/// Fails with the first few of what is wrong.
fn nothing(wrong: compare::Wrong) {
    let first: Vec<_> = wrong.iter().take(5).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), first.join("\n"));
}

/// A hundred tasks of all kinds; their sums say nothing, only their curves are compared. Every fourth is much like
/// one whose equation is not exact.
fn hundred(stream: u64) -> Vec<Small> {
    let mut rng = Seeded::new(3, stream);
    let mut task = |number: usize| {
        let name = format!("t{number}");
        if number % 4 == 3 {
            near(&mut rng, &name)
        } else {
            draw(&mut rng, Like::kind(number / 4 * 3 + number % 4), &name)
        }
    };
    (0..100).map(&mut task).collect()
}

/// A set of one to three tasks whose verdict can be found by looking up to `limit`.
pub fn decided(rng: &mut Seeded, limit: u64, number: usize) -> Vec<Small> {
    loop {
        let count = 1 + rng.below(3);
        let mut like = Like::kind(number);
        (like.possible, like.stretch) = (true, u64::from(count + rng.below(2)));
        like.vertices = like.vertices.min(5);
        let set: Vec<Small> = (0..count).map(|place| draw(rng, like, &format!("t{place}"))).collect();
        let open = bound(&set, Demand::Exact).is_none_or(|bound| bound > limit);
        if !open || rng.below(8) == 0 && matches!(truth(&set, Demand::Exact, limit), Truth::Misses { .. }) {
            return set;
        }
    }
}

fn curves(streams: std::ops::Range<u64>) {
    for stream in streams {
        let set = hundred(stream);
        nothing(compare::curves(&set, &report(&set, [40, 90, 160][stream as usize % 3])));
    }
}

#[test]
fn curves_of_the_first_thousand() {
    curves(0..9);
}

#[test]
fn curves_of_the_second_thousand() {
    curves(9..17);
}

#[test]
fn verdicts_witnesses_and_growth_of_sets() {
    let mut rng = Seeded::new(5, 0);
    for number in 0..300 {
        let set = decided(&mut rng, 250, number);
        nothing(compare::all(&set, &report(&set, 30), 250));
    }
}

#[test]
fn the_most_a_vertex_may_need() {
    let mut rng = Seeded::new(7, 0);
    for number in 0..25 {
        let set = decided(&mut rng, 90, number);
        nothing(compare::most(&set, &report(&set, 30), 90));
    }
}

#[test]
fn the_set_that_only_the_equation_rejects() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/www/scenarios/tasks-equation-rejects.json");
    let answer = run(&std::fs::read_to_string(file).expect("it is there"));
    let report: Value = serde_json::from_str(&answer.out).expect("a report is JSON");
    assert_eq!((&report["schedulable"], &report["schedulable_by_equation"]), (&true.into(), &false.into()));
    assert_eq!(report["first_violation_by_equation"], serde_json::json!({"t": 120, "demand": 130}));
    assert_eq!(report["tightest"]["margin"], 0);
}

#[test]
fn the_questions_are_of_every_kind() {
    let mut rng = Seeded::new(5, 0);
    let sets: Vec<_> = (0..300).map(|number| decided(&mut rng, 250, number)).collect();
    let of = |which| sets.iter().filter(|set| truth(set, which, 250) == Truth::Meets).count();
    let (meet, accepted) = (of(Demand::Exact), of(Demand::Equation));
    assert!((80..220).contains(&meet) && (1..meet).contains(&accepted), "{meet}, {accepted} of 300");
    let over = sets.iter().filter(|set| bound(set, Demand::Exact).is_none()).count();
    assert!(over >= 10, "{over} sets need more than there is");
    let tasks = hundred(0);
    let regular: Vec<_> = tasks.iter().filter(|task| task.separated() && task.roomy()).collect();
    let alone = tasks.iter().filter(|task| task.size() == 1).count();
    assert!((25..75).contains(&regular.len()) && alone >= 2, "{} and {alone}", regular.len());
    let differ = |stream| {
        let differ = |task: &&Small| Demand::Exact.of(task, 64) != Demand::Equation.of(task, 64);
        hundred(stream).iter().filter(|task| task.separated() && task.roomy()).filter(differ).count()
    };
    let differing: usize = (0..3).map(differ).sum();
    assert!(differing >= 10, "{differing} of 300 regular tasks show that the equation is not exact");
}
