//! The oracle held against what was worked out by hand, and the comparisons against reports with a number changed.

use serde_json::{Value, json};
use warpspan::base::Seeded;

use crate::small::{Like, Small, draw, near};
use crate::verdict::{Demand, Truth, bound, first_violation, truth};
use crate::{against, brute, compare, honest};

/// A vertex that needs `e` within `d`, at most once a period.
fn sporadic(name: &str, e: u64, d: u64, period: u64) -> Small {
    Small::new(name, &[e], &[d], &[], period)
}

/// The task and the sporadic one of the scenario that only the equation rejects.
fn rejected() -> [Small; 2] {
    let edges = [(0, 1, 40), (0, 2, 30), (1, 3, 30), (2, 3, 40)];
    [
        Small::new("branch", &[10, 10, 20, 10], &[30, 20, 40, 30], &edges, 100),
        sporadic("single", 80, 120, 200),
    ]
}

#[test]
fn a_vertex_alone() {
    let roomy = sporadic("t", 2, 3, 5);
    assert_eq!(brute::exact(&roomy, 13), [0, 0, 0, 2, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6]);
    assert_eq!(brute::equation(&roomy, 13), brute::exact(&roomy, 13));
    // The deadline is longer than the period: the next triggering waits for it all the same.
    let long = sporadic("t", 2, 5, 4);
    assert_eq!(brute::exact(&long, 15), [0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6]);
    assert_eq!((long.longest(), long.rate(), long.roomy()), (5, (2, 5), false));
    // The equation takes a loop every 4 for granted.
    assert_eq!(brute::equation(&long, 8), [0, 0, 0, 0, 2, 2, 2, 2, 4]);
}

#[test]
fn a_chain_by_hand() {
    // b at 0, then a at 4, then b at 6: 5 within 4 + 2 + 4 = 10; a, b within 6 needs 3.
    let chain = Small::new("t", &[1, 2], &[2, 4], &[(0, 1, 2)], 10);
    assert_eq!(brute::exact(&chain, 12), [0, 0, 1, 1, 2, 2, 3, 3, 3, 3, 5, 5, 5]);
    // The second a may follow the first after 10 only: b, a, b, a, b takes 4 + 10 + 2 + 4 = 20.
    assert_eq!(brute::exact(&chain, 20)[16..], [6, 6, 6, 6, 8]);
    assert_eq!((chain.demand(), chain.longest()), (3, 6));
}

#[test]
fn a_job_whose_deadline_is_outside_does_not_count() {
    // a must be done after 9 only, b within 1; b, a, b takes 1 + 2 + 1 = 4 and counts both b.
    let early = Small::new("t", &[5, 1], &[9, 1], &[(0, 1, 2)], 10);
    assert_eq!(brute::exact(&early, 9)[1..], [1, 1, 1, 2, 2, 2, 2, 2, 6]);
    assert_eq!(brute::equation(&early, 3), [0, 1, 1, 6], "the equation counts it");
    assert!(!early.separated());
}

#[test]
fn the_equation_splices_a_fragment_to_a_loop() {
    let task = Small::splice();
    let (exact, equation) = (brute::exact(&task, 60), brute::equation(&task, 60));
    assert_eq!((exact[21], equation[21], exact[41], equation[41]), (21, 22, 40, 41));
    assert_eq!((task.demand(), task.longest(), task.separated(), task.roomy()), (19, 20, true, true));
    assert!((0..=60).all(|t| exact[t] <= equation[t]));
}

#[test]
fn branches_and_their_loops() {
    let [branch, _] = rejected();
    let (exact, equation) = (brute::exact(&branch, 130), brute::equation(&branch, 130));
    // Both branches with what lies between them take 130, whichever comes first.
    for jobs in [[(1, 0), (3, 30), (0, 60), (2, 90)], [(2, 0), (3, 40), (0, 70), (1, 110)]] {
        assert_eq!(brute::legal(&branch, &jobs), Ok(()));
        assert_eq!([129, 130].map(|t| brute::counted(&branch, &jobs, t) == 50), [false, true]);
    }
    assert_eq!([19, 20, 39, 40, 99, 100, 129, 130].map(|t| exact[t]), [0, 10, 10, 20, 30, 40, 40, 50]);
    assert_eq!([100, 119, 120].map(|t| equation[t]), [40, 40, 50]);
}

#[test]
fn only_the_equation_rejects() {
    let set = rejected();
    assert_eq!(truth(&set, Demand::Exact, 2_000), Truth::Meets);
    assert_eq!(truth(&set, Demand::Equation, 2_000), Truth::Misses { t: 120, demand: 130 });
    assert_eq!(bound(&set, Demand::Exact), Some(1_200));
    assert!(set.iter().all(|task| task.separated() && task.roomy()));
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/www/scenarios/tasks-equation-rejects.json");
    let document: Value =
        serde_json::from_str(&std::fs::read_to_string(file).expect("it is there")).expect("JSON");
    let told: Vec<Small> = document["tasks"]["set"].as_array().expect("a list").iter().map(read).collect();
    assert_eq!(told, set);
}

/// With one task, separated, of a rate up to one: where aE + dbf(t - aP) is more than t, dbf(t - aP) is more than
/// t - aP, and in so short an interval that the equation is exact there.
#[test]
fn the_equation_decides_a_task_alone() {
    let mut rng = Seeded::new(17, 0);
    let (mut meet, mut miss) = (0, 0);
    for number in 0..400 {
        let like = Like { separated: true, possible: true, ..Like::kind(number) };
        let set = [if number % 2 == 0 { draw(&mut rng, like, "t") } else { near(&mut rng, "t") }];
        if bound(&set, Demand::Equation).is_none_or(|bound| bound > 250) {
            continue;
        }
        let found = truth(&set, Demand::Exact, 250);
        assert_eq!(truth(&set, Demand::Equation, 250), found, "{set:?}");
        (meet, miss) = if found == Truth::Meets { (meet + 1, miss) } else { (meet, miss + 1) };
    }
    assert!(meet >= 100 && miss >= 10, "{meet} and {miss}");
}

/// A task of a document with other names for its vertices.
fn read(told: &Value) -> Small {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let vertices = list(&told["vertices"]);
    let of = |key: &str| vertices.iter().map(|v| v[key].as_u64().expect("a number")).collect();
    let place = |name: &Value| vertices.iter().position(|v| v["name"] == *name).expect("a vertex");
    let edge = |e: &Value| (place(&e[0]), place(&e[1]), e[2].as_u64().expect("a number"));
    Small {
        name: told["name"].as_str().expect("a name").to_owned(),
        e: of("e"),
        d: of("d"),
        edges: list(&told["edges"]).iter().map(edge).collect(),
        period: told["period"].as_u64().expect("a number"),
    }
}

#[test]
fn verdicts_by_hand() {
    // 2 in every 4 and 1 in every 2 fill the processor; any more is too much.
    let full = [sporadic("a", 2, 4, 4), sporadic("b", 1, 2, 2)];
    assert_eq!(truth(&full, Demand::Exact, 100), Truth::NotUpTo(100));
    let over = [sporadic("a", 2, 3, 4), sporadic("b", 1, 2, 2), sporadic("c", 1, 10, 10)];
    assert_eq!(first_violation(&over, Demand::Exact, 100), Some((11, 12)));
    let some = [sporadic("a", 1, 4, 4), sporadic("b", 1, 2, 2)];
    assert_eq!((truth(&some, Demand::Exact, 100), bound(&some, Demand::Exact)), (Truth::Meets, Some(16)));
}

#[test]
fn what_is_legal() {
    let task = Small::splice();
    let errors = |jobs: &[(usize, u64)]| brute::legal(&task, jobs).err().unwrap_or_default();
    assert_eq!(errors(&[(3, 0), (4, 6), (0, 9), (1, 12), (4, 19), (0, 29)]), "");
    assert_eq!(errors(&[(3, 0), (4, 6), (0, 8)]), "v0 at 8 is less than 3 after v4 at 6");
    assert_eq!(errors(&[(0, 0), (4, 9)]), "v4 does not follow v0");
    assert_eq!(errors(&[(0, 0), (1, 2)]), "v1 at 2 is less than 3 after v0 at 0");
    assert_eq!(
        errors(&[(0, 0), (1, 3), (4, 10), (0, 19)]),
        "the source at 0 and 19: less than a period apart"
    );
    assert_eq!(brute::counted(&task, &[(0, 0), (1, 3), (4, 10)], 12), 10);
}

#[test]
fn what_is_found_is_attained() {
    let mut rng = Seeded::new(11, 0);
    for number in 0..100 {
        let task = draw(&mut rng, Like::kind(number), "t");
        let exact = brute::exact(&task, 40);
        for t in [0, 1, 7, 20, 40] {
            let jobs = brute::attaining(&task, t);
            assert_eq!(brute::legal(&task, &jobs), Ok(()), "{task:?}: {jobs:?}");
            assert_eq!(brute::counted(&task, &jobs, t), exact[t as usize], "{task:?}: {jobs:?}");
        }
    }
}

/// A document with a change at a place.
fn changed(report: &Value, place: &str, to: Value) -> Value {
    let mut other = report.clone();
    *other.pointer_mut(place).unwrap_or_else(|| unreachable!("{place} in {report}")) = to;
    other
}

#[test]
fn comparisons_accept_the_truth() {
    let mut rng = Seeded::new(13, 0);
    for number in 0..40 {
        let set = against::decided(&mut rng, 60, number);
        if matches!(truth(&set, Demand::Equation, 60), Truth::NotUpTo(_)) {
            continue; // where it was not looked, no report can be made
        }
        let report = honest::report(&set, 30, 60);
        let wrong = [compare::all(&set, &report, 60), compare::most(&set, &report, 60)].concat();
        assert_eq!(wrong, [""; 0], "{report}");
    }
}

#[test]
fn comparisons_accept_nothing_else() {
    let set = [Small::new("a", &[1, 2], &[4, 4], &[(0, 1, 4)], 12), sporadic("b", 4, 7, 9)];
    let report = honest::report(&set, 40, 300);
    let wrong = |report: &Value| [compare::all(&set, report, 300), compare::most(&set, report, 300)].concat();
    assert_eq!(wrong(&report), [""; 0], "{report}");
    assert_eq!(report["tightest"], json!({"t": 7, "demand": 6, "margin": 1}));
    assert_eq!(report["sensitivity"]["growth_fraction"], "8/7");
    let mut changes = vec![
        ("/dbf/0/steps/0/1", json!(1)),
        ("/equation/1/steps/0/0", json!(6)),
        ("/schedulable", json!(false)),
        ("/schedulable", Value::Null),
        ("/schedulable_by_equation", json!(false)),
        ("/first_violation", json!({"t": 7, "demand": 8})),
        ("/tightest/margin", json!(9)),
        ("/tightest", json!({"t": 12, "demand": 9, "margin": 3})),
        ("/witness/0/jobs/0/time", json!(4)),
        ("/witness/0/demand", json!(1)),
        ("/witness/1/jobs", json!([])),
        ("/set/0/longest", json!(7)),
        ("/set/1/vertices/0/most", Value::Null),
        ("/sensitivity/growth_fraction", json!("7/6")),
        ("/sensitivity/growth_fraction", json!("9/8")),
        ("/sensitivity/limited_at", Value::Null),
    ];
    for place in ["/set/0/vertices/0/most", "/set/0/vertices/1/most", "/set/1/vertices/0/most"] {
        let most = report.pointer(place).and_then(Value::as_u64).expect("a number");
        changes.extend([(place, json!(most - 1)), (place, json!(most + 1))]);
    }
    for (place, to) in changes {
        let other = changed(&report, place, to.clone());
        assert_ne!(other, report, "{place}: {to} changes nothing");
        assert!(!wrong(&other).is_empty(), "{place}: {to} went unnoticed in {report}");
    }
}
