//! A schedule: in which cycle each warp executes each of its instructions.

use super::kernel::Kernel;
use super::machine::Machine;
use super::memory::Mode;
use super::order::Order;
use super::unit::{PerUnit, Unit};
use base::sort;

/// Cycles, from 1, in which every instruction of every warp starts; within a warp they ascend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    length: usize,
    /// Warp by warp.
    cycles: Vec<u32>,
    /// How many cycles each instruction takes, likewise; empty where each takes one.
    lasts: Vec<u16>,
}

/// Who starts in one cycle: `(warp, instruction)`, by warp.
pub type CycleContent = Vec<(usize, usize)>;

impl Schedule {
    /// Takes one list of cycles per warp; `None` unless all have `length` cycles, ascending from 1.
    pub fn new(warps: &[Vec<u32>], length: usize) -> Option<Self> {
        let sound = |cycles: &Vec<u32>| {
            cycles.len() == length && cycles[0] > 0 && cycles.windows(2).all(|pair| pair[0] < pair[1])
        };
        (length > 0 && !warps.is_empty() && warps.iter().all(sound)).then(|| Self {
            length,
            cycles: warps.concat(),
            lasts: Vec::new(),
        })
    }

    /// The same cycles, with instructions that last so long, warp by warp; `None` where one starts before that
    /// before it is over.
    pub fn lasting(mut self, lasts: Vec<u16>) -> Option<Self> {
        if lasts.len() != self.cycles.len() {
            return None;
        }
        if lasts.iter().any(|&cycles| cycles != 1) {
            self.lasts = lasts;
        }
        let sound = |warp| (1..self.length).all(|i| self.ready(warp, i) <= self.warp(warp)[i]);
        (0..self.warps()).all(sound).then_some(self)
    }

    /// Whether any instruction takes another time than one cycle.
    pub fn is_lasting(&self) -> bool {
        !self.lasts.is_empty()
    }

    /// How many cycles an instruction takes.
    pub fn lasts(&self, warp: usize, instruction: usize) -> u32 {
        self.lasts.get(warp * self.length + instruction).map_or(1, |&cycles| cycles.into())
    }

    /// Puts the cycles of an order's entries back together, as reports carry them.
    pub fn from_order(order: &[u16], cycles: &[u32], warps: usize) -> Option<Self> {
        let mut rows = vec![Vec::new(); warps];
        for (&warp, &cycle) in order.iter().zip(cycles) {
            rows.get_mut(usize::from(warp))?.push(cycle);
        }
        let length = rows.first()?.len();
        Self::new(&rows, length)
    }

    /// The number of warps.
    pub fn warps(&self) -> usize {
        self.cycles.len() / self.length
    }

    /// Instructions per warp.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The cycles of one warp's instructions.
    pub fn warp(&self, warp: usize) -> &[u32] {
        &self.cycles[warp * self.length..(warp + 1) * self.length]
    }

    /// The last cycle in which anything executes.
    pub fn makespan(&self) -> u32 {
        // A warp ends with its last instruction.
        (0..self.warps()).map(|warp| self.ready(warp, self.length) - 1).max().unwrap_or(0)
    }

    /// The first cycle in which an instruction could have run: the one after its predecessor's last.
    pub fn ready(&self, warp: usize, instruction: usize) -> u32 {
        match instruction.checked_sub(1) {
            None => 1,
            Some(before) => self.warp(warp)[before] + self.lasts(warp, before),
        }
    }

    /// Who starts in each cycle; entry 0 is cycle 1.
    pub fn by_cycle(&self) -> Vec<CycleContent> {
        let mut content = vec![Vec::new(); self.makespan() as usize];
        for warp in 0..self.warps() {
            for (instruction, &cycle) in self.warp(warp).iter().enumerate() {
                content[cycle as usize - 1].push((warp, instruction));
            }
        }
        content
    }

    /// The order read off column by column, top to bottom (B, section IV).
    ///
    /// Constructing from it gives this schedule again if this schedule is work-conserving.
    pub fn to_order(&self) -> Order {
        let mut places: Vec<usize> = (0..self.cycles.len()).collect();
        sort::sort_by_key(&mut places, |&place| self.cycles[place]);
        let warp = |place: usize| u16::try_from(place / self.length).unwrap_or(u16::MAX);
        Order::from_complete(places.into_iter().map(warp).collect())
    }

    /// The share of each kind's capacity that is used over the makespan; 0 for kinds that are not there. Loads
    /// under way use theirs where they hold it.
    pub fn utilisation(&self, kernel: &Kernel, machine: &Machine, mode: Option<Mode>) -> PerUnit<f64> {
        let totals = kernel.totals();
        let further: u64 = match mode {
            Some(Mode::Held) => self.lasts.iter().map(|&cycles| u64::from(cycles) - 1).sum(),
            _ => 0,
        };
        PerUnit::from_fn(|unit: Unit| {
            let offered = f64::from(machine.capacity[unit]) * f64::from(self.makespan());
            let held = if unit == Unit::LoadStore { further as f64 } else { 0.0 };
            let used = f64::from(totals[unit]) * self.warps() as f64 + held;
            if offered > 0.0 { used / offered } else { 0.0 }
        })
    }

    /// The cycles of an order's entries (B: warpCycleStr).
    pub fn cycles_of(&self, order: &Order) -> Vec<u32> {
        let mut next = vec![0usize; self.warps()];
        let cycle_of = |&warp: &u16| {
            let warp = usize::from(warp);
            next[warp] += 1;
            self.warp(warp)[next[warp] - 1]
        };
        order.ids().iter().map(cycle_of).collect()
    }
}
