//! An adversary of the bounds: it seeks runs in which a task is late, on a simulator of its own.
//!
//! `WARPSPAN_EFFORT` is the number of systems; a few without it. Nothing here depends on a clock.

mod linked;
mod search;
mod simulator;

use serde_json::{Value, json};
use warpspan::base::Seeded;
use warpspan::chain::Evidence;

use super::solved;
use search::late;
use simulator::{JOBS, Piece, Plan, System, Task, run};

/// Systems without `WARPSPAN_EFFORT`.
const SYSTEMS: u64 = 40;
/// Runs for each task of a system.
const RUNS: u32 = 120;
/// Runs in search of one that takes as long as a lower side says, where none that begins together does.
const SOUGHT: u32 = 20_000;
/// Runs that begin with all tasks together.
const TOGETHER: u32 = 4;
/// How long they last where a lower side is of a run that is as long: jobs of a task that asks for too much pile up.
const LONG: u64 = 400_000;

fn number(rng: &mut Seeded, most: u32) -> u64 {
    1 + u64::from(rng.below(most))
}

/// A system of one of a few families.
fn system(rng: &mut Seeded) -> System {
    let family = rng.below(6);
    let (cores, engines) = (1 + rng.below(2) as usize, 1 + rng.below(2) as usize);
    let kernels = (0..1 + rng.below(2)).map(|_| (number(rng, 6), number(rng, 4))).collect::<Vec<_>>();
    let count = 2 + rng.below(4) as usize;
    let cores = if family < 2 { 1 } else { cores };
    let mut tasks = Vec::new();
    for t in 0..count {
        // Pieces that are many and short, above computing that nobody interrupts; or anything.
        let blocking = family < 2;
        let pieces: Vec<Piece> = if blocking && t == 0 {
            let turns = 1 + rng.below(3);
            let turn = |rng: &mut Seeded| [Piece::Cpu(number(rng, 3)), Piece::In(number(rng, 2))];
            let turns: Vec<Piece> = (0..turns).flat_map(|_| turn(rng)).collect();
            turns.into_iter().chain([Piece::Cpu(number(rng, 6))]).collect()
        } else if blocking {
            vec![Piece::Cpu(number(rng, if t == 1 { 14 } else { 6 }))]
        } else {
            let piece = |rng: &mut Seeded| match rng.below(5) {
                0..=2 => Piece::Cpu(number(rng, 7)),
                3 if rng.below(2) == 0 => Piece::In(number(rng, 5)),
                3 => Piece::Out(number(rng, 5)),
                _ => Piece::Launch(rng.below(u32::try_from(kernels.len()).expect("few")) as usize),
            };
            (0..1 + rng.below(4)).map(|_| piece(rng)).collect()
        };
        let period = if blocking && t > 0 { 150 + number(rng, 250) } else { 15 + number(rng, 60) };
        tasks.push(Task {
            core: rng.below(u32::try_from(cores).expect("few")) as usize,
            period,
            deadline: if rng.below(3) == 0 { period.min(10 + number(rng, 60)) } else { period },
            priority: if family == 5 { 1 + t as u64 / 2 } else { 1 + t as u64 },
            spins: !blocking && rng.below(4) == 0,
            preemptive: if blocking { t < 2 } else { family != 2 || rng.below(3) > 0 },
            jitter: 0,
            activated: false,
            pieces,
        });
    }
    let edf = (0..cores).map(|_| family == 4 && rng.below(2) == 0).collect();
    System { edf, tasks, kernels, places: number(rng, 4), exclusive: rng.below(2) == 0, engines }
}

fn document(system: &System) -> Value {
    let kernels: Vec<Value> = (system.kernels.iter().enumerate())
        .map(|(i, &(cycles, blocks))| json!({"name": format!("k{i}"), "cycles": cycles, "blocks": blocks, "threads": 32}))
        .collect();
    let piece = |piece: &Piece| match *piece {
        Piece::Cpu(time) => json!({"cpu": time}),
        Piece::In(time) => json!({"copy": "in", "duration": time}),
        Piece::Out(time) => json!({"copy": "out", "duration": time}),
        Piece::Launch(kernel) => json!({"launch": format!("k{kernel}")}),
        Piece::Activate(task) => json!({"activate": format!("t{task}")}),
        Piece::Await(task) => json!({"await": format!("t{task}")}),
    };
    let task = |(i, task): (usize, &Task)| {
        json!({
            "jitter": task.jitter,
            "name": format!("t{i}"), "core": format!("c{}", task.core), "period": task.period,
            "deadline": task.deadline, "priority": task.priority, "preemptive": task.preemptive,
            "wait": if task.spins { "spin" } else { "suspend" },
            "segments": task.pieces.iter().map(piece).collect::<Vec<_>>(),
        })
    };
    let core = |(i, &edf): (usize, &bool)| json!({"name": format!("c{i}"), "scheduler": if edf { "edf" } else { "fixed-priority" }});
    json!({
        "device": {
            "sms": 1, "threads": 1024, "blocks": system.places, "threads_per_block": 1024,
            "copy_engines": system.engines,
        },
        "clock": 1_000_000_000, "sharing": if system.exclusive { "exclusive" } else { "shared" },
        "kernels": kernels,
        "cores": system.edf.iter().enumerate().map(core).collect::<Vec<_>>(),
        "tasks": system.tasks.iter().enumerate().map(task).collect::<Vec<_>>(),
    })
}

/// How bounds stood against the adversary.
#[derive(Debug, Default)]
struct Score {
    bounds: u64,
    reached: u64,
    /// Those that are reached by random runs alone, as many of them.
    by_chance: u64,
    /// Lower sides that are proven, all of which a run reaches.
    lower: u64,
}

/// Runs that begin with all tasks together and in which nothing is shorter than it may be, and those of each task alone
/// with those that wait for others or are activated by them: what lower sides speak of.
fn unhurried(system: &System, until: u64, rng: &mut Seeded, worst: &mut [u64]) {
    for turn in 0..TOGETHER {
        let mut plan = search::together(system, rng);
        if turn == 0 {
            plan.rank.sort_unstable();
        }
        let seen = run(system, &plan, until);
        worst.iter_mut().zip(&seen).for_each(|(worst, &seen)| *worst = seen.max(*worst));
    }
    for (task, worst) in worst.iter_mut().enumerate() {
        let mut alone = search::together(system, rng);
        let others = |other: usize| other != task && !system.tasks[other].is_linked();
        alone.offsets.iter_mut().enumerate().filter(|at| others(at.0)).for_each(|(_, first)| *first = 1_200);
        *worst = run(system, &alone, 1_200)[task].max(*worst);
    }
}

/// Seeks a run beyond the bounds of a system.
fn attack(system: &System, runs: u32, rng: &mut Seeded, score: &mut Score) {
    let document = document(system);
    let (_, solved) = solved(document.clone());
    let upper = |task: usize| solved.tasks[task].response.upper().map(|figure| figure.value.0);
    let mut worst = vec![0; system.tasks.len()];
    let mut chance = vec![0; system.tasks.len()];
    for aim in (0..system.tasks.len()).filter(|&aim| upper(aim).is_some()) {
        let found = late(system, aim, runs, rng);
        for (task, &seen) in found.worst.iter().enumerate() {
            worst[task] = seen.max(worst[task]);
            if let Some(upper) = upper(task) {
                let by = &solved.tasks[task].by;
                let plan = &found.plan;
                assert!(seen <= upper, "task {task} takes {seen}, over {upper} ({by})\n{document}\n{plan:?}");
            }
        }
        for _ in 0..runs {
            let plan = search::random(system, rng);
            let seen = run(system, &plan, 1_200);
            chance.iter_mut().zip(&seen).for_each(|(worst, &seen)| *worst = seen.max(*worst));
        }
    }
    let lower = |task: usize| {
        let lower = solved.tasks[task].response.lower();
        let proven = lower.filter(|side| matches!(side.kind(), Evidence::Exact | Evidence::Lower));
        proven.map(|side| side.value.0)
    };
    unhurried(system, 1_200, rng, &mut worst);
    if (0..worst.len()).any(|task| lower(task) > Some(worst[task].max(chance[task]))) {
        unhurried(system, LONG, rng, &mut worst);
    }
    // Where some begin later than others, the way there has to be sought.
    for task in 0..worst.len() {
        if lower(task) > Some(worst[task].max(chance[task])) {
            let seen = late(system, task, SOUGHT, rng).worst[task];
            worst[task] = seen.max(worst[task]);
        }
    }
    for (task, &seen) in worst.iter().enumerate() {
        let (seen, chance) = (seen.max(chance[task]), chance[task]);
        if let Some(told) = lower(task) {
            // One that spins for a task which it keeps from its core never ends, and nothing below it does.
            let never = seen == 0 && system.tasks.iter().any(Task::is_linked) && upper(task).is_none();
            assert!(
                told <= seen || never,
                "task {task}: {told} is said to be reached, {seen} is\n{document}"
            );
            score.lower += 1;
        }
        let Some(upper) = upper(task) else { continue };
        assert!(seen <= upper, "task {task} takes {seen}, over {upper}\n{document}");
        // A lower side is no more than what can be, whatever it is worth.
        let lower = solved.tasks[task].response.lower().map(|figure| figure.value.0);
        assert!(lower <= Some(upper), "{lower:?} over {upper}\n{document}");
        score.bounds += 1;
        score.reached += u64::from(seen == upper);
        score.by_chance += u64::from(chance == upper);
    }
}

/// Attacks as many systems as there shall be, drawn from one stream; how many, and how bounds stood.
fn attack_all(stream: u64, draw: fn(&mut Seeded) -> System) -> (u64, Score) {
    let effort = std::env::var("WARPSPAN_EFFORT").ok().and_then(|effort| effort.parse().ok());
    let systems: u64 = effort.unwrap_or(SYSTEMS);
    let mut score = Score::default();
    for seed in 0..systems {
        let mut rng = Seeded::new(seed, stream);
        let system = draw(&mut rng);
        attack(&system, RUNS, &mut rng, &mut score);
    }
    println!("{systems} systems: {score:?}");
    (systems, score)
}

#[test]
fn no_run_that_is_sought_takes_longer_than_the_upper_side() {
    let (systems, score) = attack_all(77, system);
    assert!(score.bounds > systems && score.reached * 4 > score.bounds, "{score:?}");
}

/// One core, one engine, nothing on the GPU.
fn host(tasks: Vec<Task>) -> System {
    System { edf: vec![false], tasks, kernels: Vec::new(), places: 1, exclusive: true, engines: 1 }
}

fn task(priority: u64, (period, deadline): (u64, u64), preemptive: bool, pieces: &[Piece]) -> Task {
    let (spins, jitter, activated) = (false, 0, false);
    Task {
        core: 0,
        period,
        deadline,
        priority,
        spins,
        preemptive,
        jitter,
        activated,
        pieces: pieces.to_vec(),
    }
}

/// A task below one that waits, above two that nobody interrupts: each of them may delay a piece of the first task, and so
/// push it towards its next job. L1 0-4, j 4-5, L2 5-9, j 9-12 and so on: k, activated at 6, ends at 27.
#[test]
fn pieces_above_that_are_blocked_count() {
    let system = host(vec![
        task(1, (20, 20), true, &[Piece::Cpu(1), Piece::In(1), Piece::Cpu(3)]),
        task(2, (1000, 1000), true, &[Piece::Cpu(11)]),
        task(3, (1000, 1000), false, &[Piece::Cpu(4)]),
        task(4, (1000, 1000), false, &[Piece::Cpu(4)]),
    ]);
    let mut rng = Seeded::new(5, 5);
    attack(&system, 4_000, &mut rng, &mut Score::default());
    // Without the blocking of tasks above the bound would be 20: the search has to get beyond that by itself.
    assert!(late(&system, 1, 8_000, &mut Seeded::new(5, 5)).worst[1] > 20);
    // L1 at 0, j and L2 at 1, k at 6; all take as long as they may.
    let plan = Plan {
        offsets: vec![1, 6, 0, 1],
        gaps: vec![[0; JOBS]; 4],
        late: vec![[0; JOBS]; 4],
        shorter: system.tasks.iter().map(|task| vec![0; task.pieces.len() * JOBS]).collect(),
        rank: vec![0, 1, 2, 3],
    };
    assert_eq!(run(&system, &plan, 200)[1], 21);
    let upper = solved(document(&system)).1.tasks[1].response.upper().map(|figure| figure.value.0);
    assert_eq!(upper, Some(23));
}

/// The same with a deadline that is missed: three waits, four tasks below.
#[test]
fn a_deadline_that_is_missed_by_blocking_above_is_not_called_met() {
    let (cpu, copy) = (Piece::Cpu, Piece::In);
    let mut tasks = vec![
        task(1, (100, 100), true, &[cpu(1), copy(1), cpu(1), copy(1), cpu(1), copy(1), cpu(20)]),
        task(2, (2000, 100), true, &[cpu(59)]),
    ];
    tasks.extend((3..7).map(|priority| task(priority, (2000, 2000), false, &[cpu(15)])));
    let (_, solved) = solved(document(&host(tasks)));
    let k = &solved.tasks[1];
    assert!(k.response.upper().is_none_or(|figure| figure.value.0 >= 116), "{:?}", k.response);
    assert_ne!(k.verdict.meets, Some(true));
}

/// A job that runs once cannot hold up twice: the longest stretches that can run count, each as often as its job can.
#[test]
fn one_job_below_blocks_once() {
    let (cpu, copy) = (Piece::Cpu, Piece::In);
    let system =
        host(vec![task(1, (20, 20), true, &[cpu(2), copy(1), cpu(4)]), task(2, (60, 60), false, &[cpu(7)])]);
    let response =
        |task: usize| solved(document(&system)).1.tasks[task].response.upper().map(|figure| figure.value.0);
    // 7 and 7: it begins after the other, and does not meet it again. The other: 7 + 2 + 1 + 4.
    assert_eq!((response(0), response(1)), (Some(14), Some(14)));
    attack(&system, 100, &mut Seeded::new(6, 6), &mut Score::default());
}

/// Tasks of one priority may run in any order, so each counts as above the others.
#[test]
fn equals_disturb_each_other() {
    let (cpu, copy) = (Piece::Cpu, Piece::In);
    let system = host(vec![
        task(1, (40, 40), true, &[cpu(3), copy(2), cpu(3)]),
        task(1, (50, 50), true, &[cpu(5)]),
        task(1, (60, 60), true, &[cpu(4)]),
    ]);
    let response =
        |task: usize| solved(document(&system)).1.tasks[task].response.upper().map(|figure| figure.value.0);
    assert_eq!([0, 1, 2].map(response), [Some(17), Some(17), Some(17)]);
    attack(&system, 100, &mut Seeded::new(7, 7), &mut Score::default());
}

/// A task that spins and is preempted waits on without a core: what it spins is no demand that has to fit.
#[test]
fn spinning_is_no_demand_where_others_preempt() {
    let mut long = task(2, (20, 20), true, &[Piece::Cpu(1), Piece::In(10), Piece::Cpu(1)]);
    long.spins = true;
    let mut system = host(vec![task(1, (4, 4), true, &[Piece::Cpu(2)]), long]);
    for edf in [true, false] {
        system.edf = vec![edf];
        let (_, solved) = solved(document(&system));
        assert_ne!(solved.verdict.meets, Some(false), "{:?}", solved.verdict);
        for seed in 0..4 {
            let found = late(&system, 1, 200, &mut Seeded::new(seed, 8));
            assert!(found.worst[1] <= 20 && found.worst[0] <= 4, "{:?}", found.worst);
        }
    }
}
