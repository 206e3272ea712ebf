//! Simulated annealing over the choices of a run: activations, times and ties that make one task late.

use warpspan::base::Seeded;

use super::simulator::{JOBS, Piece, Plan, System, run};

/// The longest time a piece may take by itself, which is what can be taken off it.
fn most(system: &System, piece: Piece) -> u64 {
    match piece {
        Piece::Cpu(time) | Piece::In(time) | Piece::Out(time) => time,
        Piece::Launch(kernel) => system.kernels[kernel].0,
        Piece::Activate(_) | Piece::Await(_) => 0,
    }
}

fn below(rng: &mut Seeded, most: u64) -> u64 {
    u64::from(rng.below(u32::try_from(most.max(1)).expect("small")))
}

/// A random plan; most pieces take as long as they may.
pub fn random(system: &System, rng: &mut Seeded) -> Plan {
    let count = system.tasks.len();
    let mut rank: Vec<usize> = (0..count).collect();
    rng.shuffle(&mut rank);
    let lazy = rng.below(2) == 0;
    // Anywhere, or close to each other: what holds up a job begins just before it.
    let close = if rng.below(2) == 0 { 2 + u64::from(rng.below(16)) } else { u64::MAX };
    let offsets = system.tasks.iter().map(|task| below(rng, task.period.min(close))).collect();
    let mut gap = || if lazy && rng.below(3) == 0 { u64::from(rng.below(12)) } else { 0 };
    let gaps = (0..count).map(|_| std::array::from_fn(|_| gap())).collect();
    let shorter = system.tasks.iter().map(|task| {
        let pieces = task.pieces.iter().cycle().take(task.pieces.len() * JOBS);
        let of = pieces.map(|&piece| if rng.below(5) == 0 { below(rng, most(system, piece)) } else { 0 });
        of.collect()
    });
    let shorter = shorter.collect();
    // The first as late as it may be and the others not, or anything.
    let mut late = |task: &super::simulator::Task| match task.jitter {
        0 => [0; JOBS],
        jitter if rng.below(2) == 0 => std::array::from_fn(|job| if job == 0 { jitter } else { 0 }),
        jitter => std::array::from_fn(|_| below(rng, jitter + 1)),
    };
    let late = system.tasks.iter().map(&mut late).collect();
    Plan { offsets, gaps, late, shorter, rank }
}

/// All tasks are activated together, the first time as late as they may be, from then on as often as they may, and every
/// piece takes as long as it may; who is first is open.
pub fn together(system: &System, rng: &mut Seeded) -> Plan {
    let count = system.tasks.len();
    let mut rank: Vec<usize> = (0..count).collect();
    rng.shuffle(&mut rank);
    let shorter = system.tasks.iter().map(|task| vec![0; task.pieces.len() * JOBS]).collect();
    let begin = system.tasks.iter().map(|task| task.jitter).max().unwrap_or(0);
    let offsets = system.tasks.iter().map(|task| begin - task.jitter).collect();
    let first = |jitter: u64| std::array::from_fn(|job| if job == 0 { jitter } else { 0 });
    let late = system.tasks.iter().map(|task| first(task.jitter)).collect();
    Plan { offsets, gaps: vec![[0; JOBS]; count], late, shorter, rank }
}

/// One or a few other choices.
fn changed(system: &System, plan: &Plan, rng: &mut Seeded) -> Plan {
    let mut plan = plan.clone();
    for _ in 0..1 + rng.below(2) {
        let t = rng.below(u32::try_from(system.tasks.len()).expect("few")) as usize;
        let task = &system.tasks[t];
        match rng.below(8) {
            0 => plan.offsets[t] = below(rng, task.period),
            // All that lies together moves a little.
            1..=3 => {
                let by = 1 + below(rng, 3);
                let up = rng.below(2) == 0;
                let at = &mut plan.offsets[t];
                *at = if up { *at + by } else { at.saturating_sub(by) };
            }
            4 => plan.gaps[t][rng.below(JOBS as u32) as usize] = below(rng, 10),
            5 => plan.gaps[t] = [0; JOBS],
            6 => {
                let place = rng.below(u32::try_from(plan.shorter[t].len()).expect("few")) as usize;
                let piece = task.pieces[place % task.pieces.len()];
                plan.shorter[t][place] = if rng.below(2) == 0 { 0 } else { below(rng, most(system, piece)) };
            }
            7 if task.jitter > 0 && rng.below(2) == 0 => {
                plan.late[t][rng.below(JOBS as u32) as usize] = below(rng, task.jitter + 1);
            }
            _ => {
                let with = rng.below(u32::try_from(plan.rank.len()).expect("few")) as usize;
                plan.rank.swap(t, with);
            }
        }
    }
    plan
}

/// What a search found.
#[derive(Debug, Clone)]
pub struct Found {
    /// The longest response of each task in any run.
    pub worst: Vec<u64>,
    /// The run that made the task late that was aimed at.
    pub plan: Plan,
}

/// Makes one task as late as so many runs allow.
pub fn late(system: &System, aim: usize, runs: u32, rng: &mut Seeded) -> Found {
    let until = 3 * system.tasks.iter().map(|task| task.period).max().unwrap_or(1);
    let until = until.min(1_200);
    let mut worst = vec![0; system.tasks.len()];
    let mut look = |plan: &Plan| {
        let seen = run(system, plan, until);
        worst.iter_mut().zip(&seen).for_each(|(worst, &seen)| *worst = seen.max(*worst));
        seen[aim]
    };
    let mut plan = random(system, rng);
    let mut at = look(&plan);
    let mut best = (at, plan.clone());
    for turn in 0..runs {
        if turn % 80 == 79 {
            // Begins again: from what was best, or from anywhere.
            plan = if rng.below(2) == 0 { best.1.clone() } else { random(system, rng) };
            at = look(&plan);
        }
        let next = changed(system, &plan, rng);
        let then = look(&next);
        let heat = 1 + (runs - turn) * 4 / runs.max(1);
        if then >= at || at - then <= u64::from(rng.below(heat)) {
            (plan, at) = (next, then);
        }
        if at > best.0 {
            best = (at, plan.clone());
        }
    }
    Found { worst, plan: best.1 }
}
