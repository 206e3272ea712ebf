//! What can happen in a cycle: every maximal and fair choice of warps, up to renaming them.

use super::State;
use crate::warps::{Fairness, Kernel, Machine, PerUnit, Unit};

/// The states that may follow a state; warps that are done stay where they are.
pub fn successors(kernel: &Kernel, machine: &Machine, fairness: &Fairness, state: &State) -> Vec<State> {
    let blocks = fairness.blocks(kernel.len());
    let mut groups: Vec<Group> = Vec::new();
    for same in state.chunk_by(|a, b| a == b) {
        let position = usize::from(same[0]);
        if position < kernel.len() {
            let (unit, block) = (kernel.units()[position], blocks[position]);
            groups.push(Group { position: same[0], count: same.len() as u32, unit, block });
        }
    }
    let mut moves = Moves { groups, chosen: Vec::new(), out: Vec::new(), state };
    moves.block(0, machine.capacity, machine.issue_limit());
    moves.out
}

/// Warps at the same position.
struct Group {
    position: u16,
    count: u32,
    unit: Unit,
    block: u32,
}

struct Moves<'a> {
    groups: Vec<Group>,
    /// How many warps of each group so far execute.
    chosen: Vec<u32>,
    out: Vec<State>,
    state: &'a State,
}

impl Moves<'_> {
    /// Chooses for the sub-block that begins with this group, and all later ones.
    fn block(&mut self, from: usize, free: PerUnit<u32>, slots: u32) {
        let Some(first) = self.groups.get(from) else {
            self.emit();
            return;
        };
        let same = self.groups[from..].iter().take_while(|group| group.block == first.block).count();
        self.group(from, from + same, free, slots);
    }

    fn group(&mut self, at: usize, end: usize, free: PerUnit<u32>, slots: u32) {
        if at == end {
            if slots == 0 || self.is_full(end, free) {
                self.block(end, free, slots);
            }
            return;
        }
        let (unit, count) = (self.groups[at].unit, self.groups[at].count);
        for taken in 0..=count.min(free[unit]).min(slots) {
            let mut left = free;
            left[unit] -= taken;
            self.chosen.push(taken);
            self.group(at + 1, end, left, slots - taken);
            self.chosen.pop();
        }
    }

    /// Whether nobody of the sub-block that ends here waits for a unit that is free.
    fn is_full(&self, end: usize, free: PerUnit<u32>) -> bool {
        let block = self.groups[end - 1].block;
        let waits = |(group, &taken): (&Group, &u32)| {
            group.block == block && taken < group.count && free[group.unit] > 0
        };
        !self.groups[..end].iter().zip(&self.chosen).any(waits)
    }

    fn emit(&mut self) {
        let mut next = self.state.clone();
        for (group, &taken) in self.groups.iter().zip(&self.chosen) {
            let first = self.state.partition_point(|&position| position < group.position);
            for position in &mut next[first..first + taken as usize] {
                *position += 1;
            }
        }
        next.sort_unstable();
        self.out.push(next);
    }
}
