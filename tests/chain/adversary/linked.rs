//! Tasks that come late, that activate others and wait for them: numbers by hand, and an adversary of the bounds.

use serde_json::{Value, json};
use warpspan::base::Seeded;

use super::super::solved;
use super::search::late;
use super::simulator::{JOBS, Piece, Plan, System, run};
use super::{RUNS, SYSTEMS, Score, attack, attack_all, document, host, number, system, task};

/// A system in which some tasks are late, some are activated by others, and some of these are awaited.
fn linked(rng: &mut Seeded) -> System {
    let mut system = system(rng);
    let count = system.tasks.len();
    let few = |count: usize| u32::try_from(count).expect("few");
    for _ in 0..1 + rng.below(2) {
        let (by, of) = (rng.below(few(count)) as usize, rng.below(few(count)) as usize);
        // Whoever activates comes before whom it activates: there is no cycle.
        if by >= of || system.tasks[of].activated {
            continue;
        }
        let period = system.tasks[by].period;
        let target = &mut system.tasks[of];
        (target.period, target.deadline, target.activated) = (period, period, true);
        let pieces = &mut system.tasks[by].pieces;
        let at = rng.below(few(pieces.len()) + 1) as usize;
        pieces.insert(at, Piece::Activate(of));
        if rng.below(2) == 0 {
            let after = at + 1 + rng.below(few(pieces.len() - at)) as usize;
            pieces.insert(after, Piece::Await(of));
        }
    }
    // A task that was given another period gives it to those it activates.
    for _ in 0..count {
        for by in 0..count {
            for piece in system.tasks[by].pieces.clone() {
                if let Piece::Activate(of) = piece {
                    let period = system.tasks[by].period;
                    (system.tasks[of].period, system.tasks[of].deadline) = (period, period);
                }
            }
        }
    }
    for task in system.tasks.iter_mut().filter(|task| !task.activated) {
        task.jitter = if rng.below(3) == 0 { number(rng, 30) } else { 0 };
    }
    system
}

#[test]
fn no_run_of_tasks_that_activate_others_takes_longer_than_the_upper_side() {
    let (systems, score) = attack_all(78, linked);
    assert!(score.bounds > systems && score.reached * 6 > score.bounds, "{score:?}");
}

/// The document as if time activated all tasks, and nobody awaited anybody.
fn without_links(system: &System) -> Value {
    let mut document = document(system);
    for task in document["tasks"].as_array_mut().into_iter().flatten() {
        let segments = task["segments"].as_array_mut().expect("a list");
        segments.retain(|segment| segment.get("activate").is_none() && segment.get("await").is_none());
    }
    document
}

/// The adversary is worth something: equations without jitter and without waits for tasks are wrong, and it finds out.
#[test]
fn the_adversary_finds_runs_beyond_what_holds_without_links() {
    let (mut systems, mut beyond) = (0, 0);
    for seed in 0..SYSTEMS {
        let mut rng = Seeded::new(seed, 78);
        let system = linked(&mut rng);
        if !system.tasks.iter().any(|task| task.activated) {
            continue;
        }
        systems += 1;
        let (_, wrong) = solved(without_links(&system));
        let upper = |task: usize| wrong.tasks[task].response.upper().map(|figure| figure.value.0);
        let mut is_beyond = |aim: usize| {
            let found = late(&system, aim, RUNS, &mut rng);
            upper(aim).is_some_and(|upper| found.worst[aim] > upper)
        };
        beyond += u64::from((0..system.tasks.len()).any(|aim| upper(aim).is_some() && is_beyond(aim)));
    }
    println!("{beyond} of {systems} systems");
    assert!(beyond > 0, "none of {systems}");
}

fn upper(system: &System, task: usize) -> Option<u64> {
    solved(document(system)).1.tasks[task].response.upper().map(|figure| figure.value.0)
}

fn lower(system: &System, task: usize) -> Option<u64> {
    solved(document(system)).1.tasks[task].response.lower().map(|figure| figure.value.0)
}

fn plan(system: &System, offsets: &[u64]) -> Plan {
    let count = system.tasks.len();
    Plan {
        offsets: offsets.to_vec(),
        gaps: vec![[0; JOBS]; count],
        late: vec![[0; JOBS]; count],
        shorter: system.tasks.iter().map(|task| vec![0; task.pieces.len() * JOBS]).collect(),
        rank: (0..count).collect(),
    }
}

/// Two cores: a above b, which activates c at its end; c above d on the other core.
fn front_and_back() -> System {
    let (cpu, period) = (Piece::Cpu, 50);
    let mut system = host(vec![
        task(1, (100, 100), true, &[cpu(40)]),
        task(2, (period, period), true, &[cpu(10), Piece::Activate(2)]),
        task(1, (period, period), true, &[cpu(20)]),
        task(2, (200, 50), true, &[cpu(25)]),
    ]);
    (system.tasks[2].core, system.tasks[3].core, system.tasks[2].activated) = (1, 1, true);
    system.edf = vec![false, false];
    system
}

/// The first job of b ends at 50, its second at 60: c comes at 50 and 60, and holds d up twice: 65. If then a comes no sooner
/// than at 150, b activates c at 110 again: d, activated at 50, ends at 135.
#[test]
fn an_activation_may_be_as_late_as_the_task_that_causes_it() {
    let system = front_and_back();
    assert_eq!((upper(&system, 3), lower(&system, 3)), (Some(85), Some(65)));
    let mut worst = plan(&system, &[0, 0, 0, 50]);
    assert_eq!(run(&system, &worst, 400)[3], 65);
    worst.gaps[0][0] = 50;
    assert_eq!(run(&system, &worst, 400)[3], 85);
    // The second job of b may take no time: two jobs of c at once.
    assert_eq!(upper(&system, 2), Some(40));
    attack(&system, 200, &mut Seeded::new(9, 9), &mut Score::default());
    assert_eq!(solved(document(&system)).1.verdict.meets, Some(false));
}

/// 1, then 9 on the other core, then 1.
#[test]
fn a_task_waits_as_long_as_the_one_it_awaits_takes() {
    let cpu = Piece::Cpu;
    let asks = |period: u64, spins: bool| {
        let pieces = [cpu(1), Piece::Activate(1), Piece::Await(1), cpu(1)];
        let mut system = host(vec![
            task(1, (period, period), true, &pieces),
            task(1, (period, period), true, &[cpu(9)]),
            task(2, (40, 40), true, &[cpu(4)]),
        ]);
        (system.tasks[1].core, system.tasks[1].activated, system.tasks[0].spins) = (1, true, spins);
        system.edf = vec![false, false];
        system
    };
    // More than 10: jobs pile up.
    let short = solved(document(&asks(10, false))).1;
    let least = short.tasks[0].response.lower().map(|figure| figure.value.0);
    assert!(least > Some(10) && upper(&asks(10, false), 0).is_none(), "{least:?}");
    assert_eq!(upper(&asks(10, false), 1), Some(9));
    assert_eq!(short.verdict.meets, Some(false), "{:?}", short.verdict);
    let system = asks(20, false);
    assert_eq!(
        [0, 1].map(|task| (lower(&system, task), upper(&system, task))),
        [(Some(11), Some(11)), (Some(9), Some(9))]
    );
    // Below it: 4 and what it computes twice, 1 before and 1 after its wait; or all of it, where it spins.
    assert_eq!((upper(&system, 2), upper(&asks(20, true), 2)), (Some(6), Some(15)));
    for spins in [false, true] {
        attack(&asks(20, spins), 200, &mut Seeded::new(10, 10), &mut Score::default());
    }
}

/// What is done since the activation is over when the wait begins: 6 of 9.
#[test]
fn both_work_at_once() {
    let cpu = Piece::Cpu;
    let pieces = [cpu(1), Piece::Activate(1), cpu(6), Piece::Await(1), cpu(1)];
    let mut system = host(vec![task(1, (30, 30), true, &pieces), task(1, (30, 30), true, &[cpu(9)])]);
    (system.tasks[1].core, system.tasks[1].activated) = (1, true);
    system.edf = vec![false, false];
    assert_eq!((lower(&system, 0), upper(&system, 0)), (Some(11), Some(17)));
    attack(&system, 100, &mut Seeded::new(11, 11), &mut Score::default());
}

/// A task that spins for one below it on its own core waits for ever, and nothing says otherwise.
#[test]
fn spinning_for_a_task_below_is_no_bound() {
    let pieces = [Piece::Cpu(1), Piece::Activate(1), Piece::Await(1)];
    let mut system = host(vec![task(1, (30, 30), true, &pieces), task(2, (30, 30), true, &[Piece::Cpu(2)])]);
    system.tasks[1].activated = true;
    assert!(upper(&system, 0).is_some(), "where it gives its core away");
    attack(&system, 100, &mut Seeded::new(12, 12), &mut Score::default());
    system.tasks[0].spins = true;
    assert_eq!([0, 1].map(|task| upper(&system, task)), [None, None]);
}

/// Jobs that come late queue, and hold up others: by hand in module `busy_window`.
#[test]
fn jitter_of_a_task_that_time_activates() {
    let mut system =
        host(vec![task(1, (50, 50), true, &[Piece::Cpu(20)]), task(2, (200, 200), true, &[Piece::Cpu(25)])]);
    system.tasks[0].jitter = 40;
    assert_eq!([0, 1].map(|task| upper(&system, task)), [Some(30), Some(85)]);
    assert_eq!([0, 1].map(|task| lower(&system, task)), [Some(30), Some(85)]);
    attack(&system, 200, &mut Seeded::new(13, 13), &mut Score::default());
    // On a core with EDF it counts as one that comes the sooner: 20 of 10 do not fit.
    system.edf = vec![true];
    assert_eq!(upper(&system, 0), None);
    (system.tasks[0].jitter, system.tasks[1].deadline) = (10, 150);
    assert_eq!(upper(&system, 1), Some(150));
}

/// What is assumed of a task counts for those that it activates, on whatever core, and for those below them.
#[test]
fn what_a_task_rests_on_counts_for_those_it_activates() {
    let mut document = document(&front_and_back());
    document["assumed"] = json!([{"what": "how long a computes", "path": "chain.tasks[0].segments[0]"}]);
    let solved = solved(document).1;
    let proven = |task: usize| solved.tasks[task].response.upper().is_some_and(|figure| figure.is_proven());
    assert_eq!([0, 1, 2, 3].map(proven), [false; 4]);
}

/// What is assumed of a wait for a task counts for whoever waits, on both sides, and not for the other task.
#[test]
fn what_a_wait_for_a_task_rests_on() {
    let pieces = [Piece::Cpu(1), Piece::Activate(1), Piece::Await(1)];
    let mut system = host(vec![task(1, (30, 30), true, &pieces), task(1, (30, 30), true, &[Piece::Cpu(9)])]);
    (system.tasks[1].core, system.tasks[1].activated) = (1, true);
    system.edf = vec![false, false];
    let mut document = document(&system);
    let proven = |document: Value| {
        let of = |task: &warpspan::chain::solve::OfTask| {
            let sides = [task.response.lower(), task.response.upper()];
            sides.map(|side| side.is_some_and(|figure| figure.is_proven()))
        };
        solved(document).1.tasks.iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(proven(document.clone()), [[true, true], [true, true]]);
    for (path, expected) in [
        ("chain.tasks[0].segments[2]", [[false, false], [true, true]]),
        ("chain.tasks[0]", [[false, false], [true, true]]),
        ("chain.tasks[1].segments[0]", [[false, false], [false, false]]),
    ] {
        document["assumed"] = json!([{"what": "something", "path": path}]);
        assert_eq!(proven(document.clone()), expected, "{path}");
    }
}

/// A task whose response nobody knows activates at times that nobody knows.
#[test]
fn nothing_is_known_of_what_hangs_on_a_task_that_piles_up() {
    let mut system = front_and_back();
    system.tasks[0].pieces = vec![Piece::Cpu(90)];
    assert_eq!([1, 2, 3].map(|task| upper(&system, task)), [None; 3]);
}

/// Two tasks that have their core without a break until 4, and one below them that needs it for an instant, to activate another
/// task. Just at 4 the first comes again, and at 6 the second: nobody below has an instant until 10. So c comes at 10 and, as b may then
/// be alone, at 20, and holds up d twice.
#[test]
fn an_activation_waits_for_an_instant_on_its_core() {
    let cpu = Piece::Cpu;
    let with = |first: &[Piece]| {
        let mut system = host(vec![
            task(1, (4, 4), true, &[cpu(2)]),
            task(2, (6, 6), true, &[cpu(2)]),
            task(3, (20, 20), true, &[first, &[Piece::Activate(3)]].concat()),
            task(1, (20, 20), true, &[cpu(5)]),
            task(2, (100, 11), true, &[cpu(6)]),
        ]);
        (system.tasks[3].core, system.tasks[3].activated, system.tasks[4].core) = (1, true, 1);
        system.edf = vec![false, false];
        system
    };
    let system = with(&[]);
    // The tasks above come no more after 12.
    let mut worst = plan(&system, &[0, 0, 0, 0, 10]);
    (worst.gaps[0][2], worst.gaps[1][1]) = (1_000, 1_000);
    assert_eq!(run(&system, &worst, 400)[4], 16);
    assert_eq!(upper(&system, 4), Some(16));
    assert_ne!(solved(document(&system)).1.verdict.meets, Some(true));
    attack(&system, 200, &mut Seeded::new(14, 14), &mut Score::default());
    // After a wait as well; what computes before it has its core.
    for first in [Piece::In(1), cpu(1)] {
        attack(&with(&[first]), 200, &mut Seeded::new(15, 15), &mut Score::default());
    }
}
