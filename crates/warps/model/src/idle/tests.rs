//! Every cell by brute force, on random kernels, machines, schedulers and orders, and on schedules that leave cycles
//! free.

use super::*;
use crate::memory::construct::started;
use crate::{Construction, Memory, Misses, Order, Start, construct, memory};
use base::Seeded;

/// A random question: what is asked about, whether loads take their time.
struct Asked {
    kernel: Kernel,
    machine: Machine,
    warps: usize,
    start: Start,
    memory: Option<Memory>,
    missed: Vec<(u16, u16)>,
}

fn asked(rng: &mut Seeded, seed: u64) -> Asked {
    let text: String = (0..=rng.below(9)).map(|_| ['L', 'C', 'S', 'L'][rng.below(4) as usize]).collect();
    let Ok(kernel) = Kernel::parse(&text) else { unreachable!("{text}") };
    let capacity = PerUnit::from_fn(|_| 1 + rng.below(3));
    let machine = Machine { capacity, issue: [None, Some(1), Some(2), Some(3)][rng.below(4) as usize] };
    let warps = 1 + rng.below(7) as usize;
    let start = match rng.below(7) as usize {
        fixed @ 0..5 => Start::FIXED[fixed],
        _ => Start::Random(seed),
    };
    let mode = [None, Some(Mode::Held), Some(Mode::Pipelined)][rng.below(3) as usize];
    let hit = 1 + rng.below(3);
    let memory = mode.map(|mode| Memory {
        mode,
        hit,
        miss: hit + rng.below(6),
        misses: Misses::AtMost(64),
        missing: None,
    });
    let loads: Vec<usize> = (0..kernel.len()).filter(|&i| kernel.units()[i] == Unit::LoadStore).collect();
    let all = (0..warps).flat_map(|warp| loads.iter().map(move |&i| (warp as u16, i as u16)));
    let missed = all.filter(|_| rng.below(3) == 0).collect();
    Asked { kernel, machine, warps, start, memory, missed }
}

fn schedule(asked: &Asked) -> Schedule {
    let Asked { kernel, machine, warps, start, .. } = asked;
    let made = match &asked.memory {
        Some(memory) => {
            started(&memory::Problem { kernel, machine, memory, warps: *warps }, *start, &asked.missed)
        }
        None => construct(kernel, machine, &start.order(kernel, machine, *warps), *warps),
    };
    let Some(made) = made else { unreachable!("complete") };
    made
}

/// The same schedule with some instructions, and all of the warp's after them, later: it may leave cycles free. A warp
/// that is moved behind all others never takes more than there is.
fn stretched(rng: &mut Seeded, schedule: &Schedule) -> Schedule {
    let (warps, length) = (schedule.warps(), schedule.length());
    let mut rows: Vec<Vec<u32>> = (0..warps).map(|warp| schedule.warp(warp).to_vec()).collect();
    let lasts = (0..warps).flat_map(|warp| (0..length).map(move |i| schedule.lasts(warp, i) as u16));
    let lasts = lasts.collect();
    let end = schedule.makespan();
    let cut = rng.below(length as u32) as usize;
    let later = end + rng.below(5);
    rows[0][cut..].iter_mut().for_each(|cycle| *cycle += later);
    let Some(made) = Schedule::new(&rows, length).and_then(|made| made.lasting(lasts)) else {
        unreachable!("it is later")
    };
    made
}

/// What a cell is, by looking at every instruction of every warp.
fn naive(asked: &Asked, schedule: &Schedule, placed: &[usize], warp: usize, cycle: u32) -> Cell {
    let mode = asked.memory.as_ref().map(|memory| memory.mode);
    let takes = |warp: usize, i: usize| if mode == Some(Mode::Held) { schedule.lasts(warp, i) } else { 1 };
    for i in 0..placed[warp] {
        let start = schedule.warp(warp)[i];
        if (start..start + takes(warp, i)).contains(&cycle) {
            return Cell::Executes(i);
        }
        if (start..start + schedule.lasts(warp, i)).contains(&cycle) {
            return Cell::Waits(Waiting::Data, i);
        }
    }
    let Some(next) = (0..schedule.length()).find(|&i| i >= placed[warp] || schedule.warp(warp)[i] > cycle)
    else {
        return Cell::Waits(Waiting::Done, schedule.length());
    };
    if next >= placed[warp] {
        return Cell::Waits(Waiting::Unplaced, next);
    }
    let unit = asked.kernel.units()[next];
    let (mut taken, mut issued) = (0, 0);
    for other in 0..schedule.warps() {
        for (i, &start) in schedule.warp(other).iter().enumerate() {
            issued += u32::from(start == cycle);
            let here = (start..start + takes(other, i)).contains(&cycle);
            taken += u32::from(here && asked.kernel.units()[i] == unit);
        }
    }
    let waiting = if taken == asked.machine.capacity[unit] {
        Waiting::Unit
    } else if asked.machine.issue == Some(issued) {
        Waiting::Slot
    } else {
        Waiting::Free
    };
    Cell::Waits(waiting, next)
}

const KINDS: [Waiting; 6] =
    [Waiting::Data, Waiting::Unit, Waiting::Slot, Waiting::Free, Waiting::Unplaced, Waiting::Done];

/// How many cells execute and how many are of each kind, from the gaps; each cell is held against the naive twin.
fn counted(asked: &Asked, schedule: &Schedule, cells: &Cells<'_>, placed: &[usize]) -> (u64, [u64; 6]) {
    let gaps: Vec<Vec<Gap>> = (0..cells.warps()).map(|warp| cells.gaps(warp)).collect();
    let reasons = cells.reasons(&gaps);
    let (mut executing, mut kinds) = (0, [0; 6]);
    for (warp, gaps) in gaps.iter().enumerate() {
        let mut row: Vec<Option<Cell>> = vec![None; cells.end as usize + 1];
        let mut fill = |from: u32, to: u32, cell: Cell| {
            for place in &mut row[from as usize..=to as usize] {
                assert_eq!(place.replace(cell), None, "no cell twice");
            }
        };
        for (i, &start) in cells.row(warp).iter().enumerate() {
            fill(start, start + cells.takes(warp, i) - 1, Cell::Executes(i));
        }
        for gap in gaps {
            match gap.cause {
                Cause::Always(waiting) => fill(gap.from, gap.to, Cell::Waits(waiting, gap.instruction)),
                Cause::Ready(unit) => {
                    for (from, to, waiting) in reasons.within(unit, gap.from, gap.to) {
                        fill(from, to, Cell::Waits(waiting, gap.instruction));
                    }
                }
            }
        }
        for cycle in 1..=cells.end {
            let cell = naive(asked, schedule, placed, warp, cycle);
            assert_eq!(row[cycle as usize], Some(cell), "warp {warp} cycle {cycle}");
            assert_eq!(cells.at(warp, cycle), cell, "warp {warp} cycle {cycle}");
            match cell {
                Cell::Executes(_) => executing += 1,
                Cell::Waits(waiting, _) => {
                    kinds[KINDS.iter().position(|&kind| kind == waiting).unwrap_or(9)] += 1
                }
            }
        }
    }
    (executing, kinds)
}

#[test]
fn every_cell_has_one_reason_and_it_is_the_naive_one() {
    let mut rng = Seeded::new(64, 0);
    let mut all = [0; 6];
    for seed in 0..3_000 {
        let asked = asked(&mut rng, seed);
        let mut schedule = schedule(&asked);
        let given = rng.below(4) == 0;
        if given {
            schedule = stretched(&mut rng, &schedule);
        }
        let mode = asked.memory.as_ref().map(|memory| memory.mode);
        let whole = vec![schedule.length(); asked.warps];
        let cells = Cells::whole(&asked.kernel, &asked.machine, mode, &schedule);
        let (executing, kinds) = counted(&asked, &schedule, &cells, &whole);
        let cells_of_all = asked.warps as u64 * u64::from(schedule.makespan());
        assert_eq!(executing + kinds.iter().sum::<u64>(), cells_of_all);
        assert_eq!(kinds[4], 0, "all is placed");
        assert!(given || kinds[3] == 0, "a work-conserving schedule lets nobody wait for nothing");
        for cycle in (1..=schedule.makespan()).filter(|_| !given) {
            let could = (0..asked.warps).any(|warp| match cells.at(warp, cycle) {
                Cell::Executes(instruction) => cells.start(warp, instruction) == cycle,
                Cell::Waits(waiting, _) => matches!(waiting, Waiting::Slot | Waiting::Free),
            });
            assert_eq!(cells.ineligible()[cycle as usize], !could, "cycle {cycle}");
        }
        // The same in the making.
        let part: Vec<usize> = whole.iter().map(|&length| rng.below(length as u32 + 1) as usize).collect();
        let cells = cells.up_to(part.clone());
        assert!(part == whole || !cells.ineligible().contains(&true), "nobody can tell yet");
        let (executing, partly) = counted(&asked, &schedule, &cells, &part);
        assert_eq!(executing + partly.iter().sum::<u64>(), cells_of_all);
        for (sum, (a, b)) in all.iter_mut().zip(kinds.iter().zip(partly)) {
            *sum += a + b;
        }
    }
    assert!(all.iter().all(|&cells| cells > 1_000), "every kind occurs: {all:?}");
}

#[test]
fn a_construction_leaves_nobody_waiting_for_nothing_at_any_step() {
    let mut rng = Seeded::new(65, 0);
    for seed in 0..300 {
        let asked = Asked { memory: None, ..asked(&mut rng, seed) };
        let order: Order = asked.start.order(&asked.kernel, &asked.machine, asked.warps);
        let end = schedule(&asked).makespan();
        let mut construction = Construction::start(&asked.kernel, &asked.machine, asked.warps);
        for &warp in order.ids() {
            let cells = Cells::of_rows(&asked.kernel, &asked.machine, construction.rows(), end);
            for warp in 0..asked.warps {
                for cycle in 1..=end {
                    assert!(!matches!(cells.at(warp, cycle), Cell::Waits(Waiting::Free | Waiting::Data, _)));
                }
            }
            construction.place(usize::from(warp));
        }
    }
}

#[test]
fn who_is_in_the_way_is_named() {
    let Ok(kernel) = Kernel::parse("LC") else { unreachable!("it parses") };
    let machine = Machine { capacity: PerUnit([1, 1, 0, 0]), issue: None };
    let rows = [vec![1, 2], vec![2, 3], vec![3, 4]];
    let Some(schedule) = Schedule::new(&rows, 2) else { unreachable!("it ascends") };
    let cells = Cells::whole(&kernel, &machine, None, &schedule);
    assert_eq!(cells.at(2, 2), Cell::Waits(Waiting::Unit, 0));
    assert_eq!(cells.on(Unit::LoadStore, 2), [(1, 0)]);
    assert_eq!(cells.issuing(2), [(0, 1), (1, 0)]);
    assert_eq!(cells.at(0, 3), Cell::Waits(Waiting::Done, 2));
    assert_eq!((cells.ready(0, 2), cells.ready(2, 0)), (3, 1));
}
