//! List scheduling: from a priority list to a schedule (B, figure 4).
//!
//! Ids are read left to right; that warp's next instruction goes into the earliest cycle after its previous
//! one with a free unit of its kind and a free issue slot. The result is always work-conserving, and every
//! work-conserving schedule arises from some order. Placements never move later, so "the next cycle that is
//! not full" only ever grows: union-find with path halving finds it in almost constant time.

use super::kernel::Kernel;
use super::machine::Machine;
use super::order::Order;
use super::schedule::Schedule;
use super::unit::{PerUnit, Unit};

/// Where one entry of an order went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placement {
    /// The warp that was read, from 0.
    pub warp: usize,
    /// Which of its instructions was next, from 0.
    pub instruction: usize,
    /// The kind of unit it needs.
    pub unit: Unit,
    /// The cycle after the warp's previous instruction.
    pub ready: u32,
    /// The cycle it went into.
    pub cycle: u32,
}

/// A schedule in the making; one instruction at a time.
#[derive(Debug, Clone)]
pub struct Construction {
    kernel: Kernel,
    rows: Vec<Vec<u32>>,
    units: PerUnit<SlotFinder>,
    issue: SlotFinder,
}

impl Construction {
    /// An empty schedule of `warps` warps.
    pub fn start(kernel: &Kernel, machine: &Machine, warps: usize) -> Self {
        Self {
            kernel: kernel.clone(),
            rows: vec![Vec::with_capacity(kernel.len()); warps],
            units: PerUnit::from_fn(|unit| SlotFinder::new(machine.capacity[unit])),
            issue: SlotFinder::new(machine.issue_limit()),
        }
    }

    /// Places the next instruction of a warp; `None` if the warp has no instruction left or its unit is not there.
    pub fn place(&mut self, warp: usize) -> Option<Placement> {
        let row = self.rows.get_mut(warp)?;
        let instruction = row.len();
        let unit = *self.kernel.units().get(instruction)?;
        let lane = &mut self.units[unit];
        if lane.capacity == 0 {
            return None;
        }
        let ready = row.last().map_or(1, |&cycle| cycle + 1);
        let mut cycle = ready;
        loop {
            cycle = lane.next_free(cycle);
            let issued = self.issue.next_free(cycle);
            if issued == cycle {
                break;
            }
            cycle = issued;
        }
        lane.take(cycle);
        self.issue.take(cycle);
        row.push(cycle);
        Some(Placement { warp, instruction, unit, ready, cycle })
    }

    /// How many warps execute on a kind of unit in a cycle so far.
    pub fn used(&self, unit: Unit, cycle: u32) -> u32 {
        self.units[unit].used_in(cycle)
    }

    /// How many warps issue in a cycle so far.
    pub fn issued(&self, cycle: u32) -> u32 {
        self.issue.used_in(cycle)
    }

    /// The cycles placed so far, warp by warp.
    pub fn rows(&self) -> &[Vec<u32>] {
        &self.rows
    }

    /// The finished schedule; `None` while instructions are missing.
    pub fn finish(&self) -> Option<Schedule> {
        Schedule::new(&self.rows, self.kernel.len())
    }
}

/// The schedule of an order; `None` if the order or the machine does not fit the kernel.
pub fn construct(kernel: &Kernel, machine: &Machine, order: &Order, warps: usize) -> Option<Schedule> {
    let mut construction = Construction::start(kernel, machine, warps);
    for &warp in order.ids() {
        construction.place(usize::from(warp))?;
    }
    construction.finish()
}

/// One resource over the cycles: how much is used, and which cycle is next to have some left.
#[derive(Debug, Clone)]
struct SlotFinder {
    capacity: u32,
    used: Vec<u32>,
    /// Forest over cycles: a full cycle points at a later one, a free cycle at itself.
    next: Vec<u32>,
}

impl SlotFinder {
    fn new(capacity: u32) -> Self {
        Self { capacity, used: Vec::new(), next: Vec::new() }
    }

    fn used_in(&self, cycle: u32) -> u32 {
        self.used.get(cycle as usize).copied().unwrap_or(0)
    }

    fn next_free(&mut self, from: u32) -> u32 {
        let mut cycle = from as usize;
        while cycle < self.next.len() && self.next[cycle] as usize != cycle {
            let parent = self.next[cycle] as usize;
            if parent < self.next.len() {
                self.next[cycle] = self.next[parent];
            }
            cycle = parent;
        }
        u32::try_from(cycle).unwrap_or(u32::MAX)
    }

    fn take(&mut self, cycle: u32) {
        while self.next.len() <= cycle as usize {
            self.next.push(u32::try_from(self.next.len()).unwrap_or(u32::MAX));
            self.used.push(0);
        }
        self.used[cycle as usize] += 1;
        if self.used[cycle as usize] >= self.capacity {
            self.next[cycle as usize] = cycle + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Start, check};
    use base::Seeded;

    /// The naive twin: scan cycle by cycle and count.
    fn construct_naively(kernel: &Kernel, machine: &Machine, order: &Order, warps: usize) -> Vec<Vec<u32>> {
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); warps];
        for &warp in order.ids() {
            let warp = usize::from(warp);
            let unit = kernel.units()[rows[warp].len()];
            let mut cycle = rows[warp].last().map_or(1, |last| last + 1);
            loop {
                let running: Vec<Unit> = rows
                    .iter()
                    .flat_map(|row| row.iter().enumerate())
                    .filter(|&(_, &c)| c == cycle)
                    .map(|(i, _)| kernel.units()[i])
                    .collect();
                let same = running.iter().filter(|&&u| u == unit).count();
                if same < machine.capacity[unit] as usize && running.len() < machine.issue_limit() as usize {
                    break;
                }
                cycle += 1;
            }
            rows[warp].push(cycle);
        }
        rows
    }

    #[test]
    fn agrees_with_the_naive_twin_and_is_always_valid() {
        let mut rng = Seeded::new(2013, 0);
        for round in 0..2_000 {
            let warps = 1 + rng.below(6) as usize;
            let text: String =
                (0..=rng.below(9)).map(|_| ['L', 'C', 'S', 'D'][rng.below(4) as usize]).collect();
            let Ok(kernel) = Kernel::parse(&text) else { unreachable!("{text}") };
            let capacity = PerUnit::from_fn(|_| 1 + rng.below(3));
            let issue = [None, Some(1), Some(2), Some(4)][rng.below(4) as usize];
            let machine = Machine { capacity, issue };
            let order = Start::Random(round).order(&kernel, &machine, warps);
            let naive = construct_naively(&kernel, &machine, &order, warps);
            let fast = construct(&kernel, &machine, &order, warps);
            assert_eq!(fast, Schedule::new(&naive, kernel.len()), "{text} {machine:?} {order:?}");
            assert_eq!(check(&kernel, &machine, &naive), []);
        }
    }

    #[test]
    fn a_column_order_gives_its_schedule_back() -> Result<(), String> {
        let kernel = Kernel::parse("3L 2C S L C").map_err(|e| e.what)?;
        let machine = Machine { capacity: PerUnit([1, 2, 1, 0]), issue: Some(3) };
        for seed in 0..200 {
            let order = Start::Random(seed).order(&kernel, &machine, 5);
            let schedule = construct(&kernel, &machine, &order, 5).ok_or("complete")?;
            let again = schedule.to_order();
            assert_eq!(Order::new(again.ids().to_vec(), 5, kernel.len()).as_ref(), Ok(&again));
            assert_eq!(construct(&kernel, &machine, &again, 5).as_ref(), Some(&schedule));
            assert!(schedule.cycles_of(&again).is_sorted());
        }
        Ok(())
    }

    #[test]
    fn a_missing_unit_places_nothing() -> Result<(), String> {
        let kernel = Kernel::parse("LC").map_err(|e| e.what)?;
        let machine = Machine { capacity: PerUnit([1, 0, 0, 0]), issue: None };
        let order = Start::RoundRobin.order(&kernel, &machine, 2);
        assert_eq!(construct(&kernel, &machine, &order, 2), None);
        Ok(())
    }
}
