//! From an order, or a way to take turns, to a schedule in which loads take their time.
//!
//! Placing entry by entry into the earliest cycle with room, as published, is not work-conserving where places are
//! held: a long load may find a place too late in a gap that is too short. So time goes cycle by cycle. In each
//! cycle the warps whose previous instruction is complete are asked in the sequence in which their next
//! instructions stand in the order; whoever finds a free place of its unit and a free issue slot starts.
//!
//! 1. *What comes out is work-conserving.* While a cycle's warps are asked, places and slots only become fewer. A
//!    warp that was refused for want of a place or a slot would be refused at the end of the cycle too.
//! 2. *Every work-conserving schedule comes out of some order*: the one that lists its instructions by the cycles
//!    in which they start. By induction both are alike up to a cycle, so the same warps can be asked in it. Those
//!    that start stand before those that start later, so they are asked first; they fit, for they fit together in
//!    the schedule. Nobody else fits then: the schedule is work-conserving.
//! 3. *Where every instruction takes one cycle this is the published construction*: there an instruction takes the
//!    first cycle after its predecessor's in which those before it in the order leave a place and a slot, and here
//!    those behind it are asked after it.
//!
//! Cycles in which nobody can start are skipped: the next that matters is that in which a load is complete.

use super::{Mode, Problem};
use crate::dispatch::{Policy, rearranged};
use crate::fairness::Fairness;
use crate::{Order, Schedule, Start, Unit};
use base::Seeded;

/// The schedule of an order, given which loads miss; `None` if the order or the machine does not fit the kernel.
pub fn construct(problem: &Problem, order: &Order, missed: &[(u16, u16)]) -> Option<Schedule> {
    let mut places = vec![Vec::with_capacity(problem.kernel.len()); problem.warps];
    for (place, &warp) in order.ids().iter().enumerate() {
        places.get_mut(usize::from(warp))?.push(place);
    }
    if places.iter().any(|places| places.len() != problem.kernel.len()) {
        return None;
    }
    play(problem, missed, |pending, next, _| {
        pending.sort_by_key(|&warp| places[usize::from(warp)][next[usize::from(warp)]]);
    })
}

/// The schedule of a start, given which loads miss. Schedulers ask as they do without memory; a warp that waits for
/// its load keeps its place in their list, and what ran last is what ran in the last cycle in which anything started.
pub fn started(problem: &Problem, start: Start, missed: &[(u16, u16)]) -> Option<Schedule> {
    let policy = match start {
        Start::MostPending => Policy::MostPending,
        Start::GreedyThenOldest => Policy::GreedyThenOldest,
        Start::LooseRoundRobin => Policy::LooseRoundRobin,
        Start::RoundRobin | Start::FixedPriority | Start::Random(_) => {
            let order =
                start.fair_order(problem.kernel, problem.machine, &Fairness::WorkConserving, problem.warps);
            return construct(problem, &order, missed);
        }
    };
    let mut list: Vec<u16> = (0..problem.warps as u16).collect();
    play(problem, missed, |pending, next, ran| {
        if !ran.is_empty() {
            let mut left = std::mem::take(&mut list);
            left.retain(|&warp| next[usize::from(warp)] < problem.kernel.len());
            list = rearranged(left, ran, policy);
        }
        let asked: Vec<u16> = list.iter().copied().filter(|warp| pending.contains(warp)).collect();
        *pending = asked;
    })
}

/// An order that is shuffled by a generator.
pub fn shuffled(problem: &Problem, rng: &mut Seeded) -> Vec<u8> {
    let mut ids: Vec<u8> =
        (0..problem.warps as u8).cycle().take(problem.warps * problem.kernel.len()).collect();
    rng.shuffle(&mut ids);
    ids
}

/// Plays cycle by cycle. `ask` is handed the warps that could start, how many instructions each warp has started,
/// and who started in the last cycle that was played in which anybody did, once; it puts the warps in a sequence.
fn play(
    problem: &Problem,
    missed: &[(u16, u16)],
    mut ask: impl FnMut(&mut Vec<u16>, &[usize], &[u16]),
) -> Option<Schedule> {
    let (kernel, machine, warps) = (problem.kernel, problem.machine, problem.warps);
    let held = problem.memory.mode == Mode::Held;
    let durations = problem.memory.durations(kernel, warps, missed);
    let mut rows: Vec<Vec<u32>> = vec![Vec::with_capacity(kernel.len()); warps];
    let (mut next, mut ready) = (vec![0usize; warps], vec![1u32; warps]);
    // The first cycles in which places that are held are free again.
    let mut holding: Vec<u32> = Vec::new();
    let (mut pending, mut ran): (Vec<u16>, Vec<u16>) = (Vec::new(), Vec::new());
    let mut cycle = 1u32;
    let mut left = warps * kernel.len();
    while left > 0 {
        holding.retain(|&free| free > cycle);
        let could = |warp: &u16| {
            let warp = usize::from(*warp);
            next[warp] < kernel.len() && ready[warp] <= cycle
        };
        pending.clear();
        pending.extend((0..warps as u16).filter(could));
        ask(&mut pending, &next, &ran);
        ran.clear();
        let (mut free, mut slots) = (machine.capacity, machine.issue_limit());
        free[Unit::LoadStore] = free[Unit::LoadStore].saturating_sub(holding.len() as u32);
        for &warp in &pending {
            let w = usize::from(warp);
            let unit = kernel.units()[next[w]];
            if slots > 0 && free[unit] > 0 {
                slots -= 1;
                free[unit] -= 1;
                let cycles = u32::from(durations[w * kernel.len() + next[w]]);
                rows[w].push(cycle);
                next[w] += 1;
                ready[w] = cycle + cycles;
                if held && cycles > 1 {
                    holding.push(cycle + cycles);
                }
                ran.push(warp);
            }
        }
        left -= ran.len();
        cycle = if ran.is_empty() {
            // Until a load is complete nothing changes.
            let later = (0..warps).filter(|&w| next[w] < kernel.len() && ready[w] > cycle).map(|w| ready[w]);
            later.chain(holding.iter().copied()).min()?
        } else {
            cycle + 1
        };
    }
    Schedule::new(&rows, kernel.len())?.lasting(durations)
}
