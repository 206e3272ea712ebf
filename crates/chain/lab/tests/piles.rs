//! That activations pile up, held against runs that are followed for long.

#![allow(missing_docs)]

use base::Seeded;
use chain_lab::LINKED;
use chain_lab::report::chain::WholeReport;
use serde_json::{Value, json};
use std::collections::VecDeque;
use warpspan_chain_lab as chain_lab;

#[derive(Clone, Copy)]
enum Piece {
    Cpu(u64),
    Copy(u64),
    Activate(usize),
    Await(usize),
}

struct Task {
    core: usize,
    period: u64,
    deadline: u64,
    priority: u64,
    spins: bool,
    is_activated: bool,
    pieces: Vec<Piece>,
}

struct Tasks {
    by_deadlines: bool,
    all: Vec<Task>,
}

impl Tasks {
    fn report(&self) -> WholeReport {
        let piece = |piece: &Piece| match *piece {
            Piece::Cpu(time) => json!({ "cpu": time }),
            Piece::Copy(time) => json!({ "copy": "in", "duration": time }),
            Piece::Activate(task) => json!({ "activate": format!("t{task}") }),
            Piece::Await(task) => json!({ "await": format!("t{task}") }),
        };
        let task = |(number, task): (usize, &Task)| {
            let mut value = json!({
                "name": format!("t{number}"), "core": format!("c{}", task.core), "deadline": task.deadline,
                "priority": task.priority, "wait": if task.spins { "spin" } else { "suspend" },
                "segments": task.pieces.iter().map(piece).collect::<Vec<Value>>(),
            });
            if !task.is_activated {
                value["period"] = json!(task.period);
            }
            value
        };
        let scheduler = if self.by_deadlines { "edf" } else { "fixed-priority" };
        let cores: Vec<Value> =
            (0..2).map(|core| json!({ "name": format!("c{core}"), "scheduler": scheduler })).collect();
        let tasks: Vec<Value> = self.all.iter().enumerate().map(task).collect();
        let tree = json!({ "warpspan": 1, "chain": { "kernels": [], "cores": cores, "tasks": tasks } });
        let scenario = LINKED.from_tree(&tree).unwrap_or_else(|problems| unreachable!("{problems:?}"));
        serde_json::from_str(&LINKED.run(&scenario).line()).expect("a report")
    }

    /// How many jobs of a task are there at two instants, where time activates everybody once a period and of equal
    /// priorities that of others goes first.
    fn jobs_left(&self, judged: usize, instants: [u64; 2]) -> [usize; 2] {
        let mut jobs: Vec<VecDeque<u64>> = self.all.iter().map(|_| VecDeque::new()).collect();
        // Of the first job of each: its piece, and what is left of that.
        let mut at: Vec<(usize, u64)> = vec![(0, 0); self.all.len()];
        let mut begun = vec![false; self.all.len()];
        let (mut activated, mut over) = (vec![0_u64; self.all.len()], vec![0_u64; self.all.len()]);
        let mut engine: VecDeque<usize> = VecDeque::new();
        let mut found = [0; 2];
        for now in 0..=instants[1] {
            for (which, task) in self.all.iter().enumerate() {
                if !task.is_activated && now % task.period == 0 {
                    jobs[which].push_back(now);
                    activated[which] += 1;
                }
            }
            for (left, instant) in found.iter_mut().zip(instants) {
                if now == instant {
                    *left = jobs[judged].len();
                }
            }
            // All that takes no time.
            let holders = loop {
                let mut changed = false;
                for (which, task) in self.all.iter().enumerate() {
                    if jobs[which].is_empty() {
                        continue;
                    }
                    let Some(&piece) = task.pieces.get(at[which].0) else {
                        jobs[which].pop_front();
                        over[which] += 1;
                        (at[which], begun[which], changed) = ((0, 0), false, true);
                        continue;
                    };
                    if !begun[which] {
                        begun[which] = true;
                        changed = true;
                        at[which].1 = match piece {
                            Piece::Cpu(time) => time,
                            Piece::Copy(time) => {
                                engine.push_back(which);
                                time
                            }
                            Piece::Activate(_) => 0,
                            Piece::Await(of) => activated[of],
                        };
                    }
                    let through = match piece {
                        Piece::Cpu(_) => at[which].1 == 0,
                        Piece::Copy(_) => at[which].1 == 0,
                        Piece::Activate(_) => false,
                        Piece::Await(of) => over[of] >= at[which].1,
                    };
                    if through {
                        if matches!(piece, Piece::Copy(_)) {
                            engine.pop_front();
                        }
                        (at[which], begun[which], changed) = ((at[which].0 + 1, 0), false, true);
                    }
                }
                if changed {
                    continue;
                }
                let holders: Vec<Option<usize>> =
                    (0..2).map(|core| self.chosen(core, judged, &jobs, &at)).collect();
                // Who has its core activates.
                let activates =
                    holders.iter().flatten().find_map(|&which| match self.all[which].pieces[at[which].0] {
                        Piece::Activate(of) => Some((which, of)),
                        _ => None,
                    });
                let Some((which, of)) = activates else { break holders };
                jobs[of].push_back(now);
                activated[of] += 1;
                (at[which], begun[which]) = ((at[which].0 + 1, 0), false);
            };
            for which in holders.into_iter().flatten() {
                if let Piece::Cpu(_) = self.all[which].pieces[at[which].0] {
                    at[which].1 -= 1;
                }
            }
            if let Some(&first) = engine.front() {
                at[first].1 -= 1;
            }
        }
        found
    }

    fn chosen(
        &self,
        core: usize,
        judged: usize,
        jobs: &[VecDeque<u64>],
        at: &[(usize, u64)],
    ) -> Option<usize> {
        let wants = |&which: &usize| {
            let task = &self.all[which];
            let waits = |place: usize| matches!(task.pieces[place], Piece::Copy(_) | Piece::Await(_));
            task.core == core && !jobs[which].is_empty() && (task.spins || !waits(at[which].0))
        };
        let rank = |which: &usize| {
            let task = &self.all[*which];
            let first = if self.by_deadlines { jobs[*which][0] + task.deadline } else { task.priority };
            (first, *which == judged, *which)
        };
        (0..self.all.len()).filter(wants).min_by_key(rank)
    }
}

fn tasks(random: &mut Seeded) -> Tasks {
    let count = 2 + random.below(3) as usize;
    let mut all: Vec<Task> = (0..count)
        .map(|_| {
            let period = [10, 20][random.below(2) as usize];
            let mut pieces = vec![Piece::Cpu(1 + u64::from(random.below(7)))];
            match random.below(6) {
                0 | 1 => pieces.push(Piece::Copy(1 + u64::from(random.below(6)))),
                2 => pieces = vec![],
                _ => {}
            }
            Task {
                core: usize::from(random.below(4) == 0),
                period,
                deadline: 1 + u64::from(random.below(period as u32)),
                priority: 1 + u64::from(random.below(4)),
                spins: random.below(5) == 0,
                is_activated: false,
                pieces,
            }
        })
        .collect();
    // An earlier one activates a later one.
    for of in 1..count {
        if random.below(2) == 0 {
            let by = random.below(of as u32) as usize;
            (all[of].is_activated, all[of].period) = (true, all[by].period);
            all[of].deadline = all[of].deadline.min(all[of].period);
            let place = random.below(all[by].pieces.len() as u32 + 1) as usize;
            all[by].pieces.insert(place, Piece::Activate(of));
            if random.below(4) == 0 {
                all[by].pieces.push(Piece::Await(of));
            }
        }
    }
    for task in &mut all {
        if task.pieces.is_empty() {
            task.pieces.push(Piece::Cpu(1 + u64::from(random.below(7))));
        }
    }
    Tasks { by_deadlines: random.below(3) == 0, all }
}

#[test]
fn who_is_told_to_pile_up_does() {
    let mut random = Seeded::new(1, 0);
    let mut told = [0; 2];
    for round in 0..500 {
        let tasks = tasks(&mut random);
        let report = tasks.report();
        for (which, of) in report.tasks.iter().enumerate().filter(|(_, of)| of.piles_up) {
            let left = tasks.jobs_left(which, [1_000, 4_000]);
            assert!(
                left[0] + 2 < left[1],
                "round {round}: {} has {left:?} jobs: {}\n{}",
                of.name,
                of.because,
                report.tasks.iter().map(|of| format!("{of:?}\n")).collect::<String>()
            );
            let own = of.because.contains("by itself are more");
            told[usize::from(own)] += 1;
        }
    }
    assert!(told.iter().all(|&count| count > 10), "{told:?}");
}

/// Whether activations of the last task pile up, which is late, and what is told of it.
fn because(tasks: Value) -> (bool, String) {
    let tree = json!({ "warpspan": 1, "chain": {
        "kernels": [], "cores": [{ "name": "c" }, { "name": "d" }], "tasks": tasks
    } });
    let scenario = LINKED.from_tree(&tree).unwrap_or_else(|problems| unreachable!("{problems:?}"));
    let report: WholeReport = serde_json::from_str(&LINKED.run(&scenario).line()).expect("a report");
    let last = report.tasks.last().expect("a task");
    assert_eq!(last.meets, Some(false), "{}", last.because);
    (last.piles_up, last.because.clone())
}

/// All three ask for 110 %, but who is below the task that is late activates no more often than it has its core.
#[test]
fn who_is_below_activates_no_more_than_there_is_time_for() {
    let with = |priority: u32, core: &str| {
        because(json!([
            { "name": "X", "core": core, "period": 10, "priority": priority, "segments": [{ "activate": "H" }] },
            { "name": "H", "core": "c", "priority": 2, "segments": [{ "cpu": 6 }] },
            { "name": "L", "core": "c", "period": 10, "deadline": 9, "priority": 3, "segments": [{ "cpu": 5 }] },
        ]))
    };
    let (piles, why) = with(4, "c");
    assert!(!piles && !why.contains("pile"), "{why}");
    for (priority, core) in [(1, "c"), (4, "d")] {
        let (piles, why) = with(priority, core);
        assert!(piles && why.ends_with("ask for 110 % of the time of c"), "{core}: {why}");
    }
}

/// A task above that by itself takes longer than its period gets to less than it asks for.
#[test]
fn who_falls_behind_while_it_waits_asks_for_less() {
    let (piles, why) = because(json!([
        { "name": "W", "core": "c", "period": 10, "priority": 1, "segments": [{ "cpu": 6 }, { "copy": "in", "duration": 6 }] },
        { "name": "L", "core": "c", "period": 20, "deadline": 9, "priority": 2, "segments": [{ "cpu": 9 }] },
    ]));
    assert!(!piles && !why.contains("pile"), "{why}");
}

/// Who is activated by a task that never gets its core is not there.
#[test]
fn who_is_never_activated_does_not_pile_up() {
    let (piles, why) = because(json!([
        { "name": "Z", "core": "c", "period": 10, "priority": 1, "segments": [{ "cpu": 12 }] },
        { "name": "X", "core": "c", "period": 10, "priority": 2, "segments": [{ "activate": "L" }] },
        { "name": "L", "core": "c", "priority": 3, "deadline": 9, "segments": [{ "cpu": 11 }] },
    ]));
    assert!(!piles && !why.contains("pile"), "{why}");
}

/// Whom a task activates that falls behind itself does not fall behind.
#[test]
fn who_is_activated_seldom_does_not_pile_up() {
    let (piles, why) = because(json!([
        { "name": "X", "core": "d", "period": 10, "segments": [{ "cpu": 14 }, { "activate": "L" }] },
        { "name": "L", "core": "c", "deadline": 9, "segments": [{ "cpu": 12 }] },
    ]));
    assert!(!piles && !why.contains("pile"), "{why}");
}
