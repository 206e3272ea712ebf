//! Enumeration of the maximal feasible selections of a cycle: the bases of a truncated partition matroid.
//!
//! Who executes in a cycle: every choice the model allows, each exactly once.
//!
//! The sets of warps that fit into a cycle (each unit's capacity, and the issue limit over all) are the
//! independent sets of a matroid: capacities bound disjoint classes, the limit truncates. So all maximal sets
//! have the same size, and that is what being work-conserving asks for.
//!
//! Sub-block fairness forbids a selected `b` and a waiting `a` of an earlier sub-block that could stand in
//! for it. A basis in which no single exchange improves the weight is one of the best weight (the exchange
//! property), for any weights that ascend with the sub-blocks; and a basis is best for all of them exactly if
//! it holds, for each `k`, as many warps of the sub-blocks up to `k` as any set that fits: the rank of those
//! warps, `min(issue, sum over units of min(capacity, warps there))`. Work-conserving alone is the case of one
//! sub-block.

use super::instance::Instance;

/// Warps that are alike: how many, where they wait, how urgent. Listed by ascending sub-block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Waiting {
    /// The kind of unit.
    pub unit: usize,
    /// The sub-block.
    pub block: u32,
    /// How many.
    pub warps: u32,
}

/// Lists the choices of one cycle; keeps its buffers.
#[derive(Debug, Clone, Default)]
pub struct Selector {
    waiting: Vec<Waiting>,
    /// For each entry, how many warps its sub-block has from it on, per unit.
    behind: Vec<[u32; 4]>,
    /// For each entry, how many are selected when its sub-block is through.
    rank: Vec<u32>,
    chosen: Vec<u32>,
}

impl Selector {
    /// Calls `visit` with the number selected of each entry, for every allowed choice, until it says no;
    /// whether it never did.
    pub fn each(
        &mut self,
        instance: &Instance,
        waiting: &[Waiting],
        visit: &mut dyn FnMut(&[u32]) -> bool,
    ) -> bool {
        self.waiting.clear();
        self.waiting.extend_from_slice(waiting);
        self.chosen.clear();
        self.chosen.resize(waiting.len(), 0);
        self.prepare(instance);
        self.descend(0, 0, instance.capacity, instance.issue, visit)
    }

    fn prepare(&mut self, instance: &Instance) {
        let count = self.waiting.len();
        self.rank.clear();
        self.behind.clear();
        self.behind.resize(count, [0; 4]);
        let mut sum = [0; 4];
        for entry in &self.waiting {
            sum[entry.unit] += entry.warps;
            self.rank.push((0..4).map(|u| instance.capacity[u].min(sum[u])).sum::<u32>().min(instance.issue));
        }
        for i in (0..count).rev() {
            if i + 1 < count && self.waiting[i + 1].block == self.waiting[i].block {
                self.behind[i] = self.behind[i + 1];
                self.rank[i] = self.rank[i + 1];
            }
            self.behind[i][self.waiting[i].unit] += self.waiting[i].warps;
        }
    }

    fn descend(
        &mut self,
        i: usize,
        selected: u32,
        free: [u32; 4],
        issue: u32,
        visit: &mut dyn FnMut(&[u32]) -> bool,
    ) -> bool {
        let Some(&entry) = self.waiting.get(i) else { return visit(&self.chosen) };
        let last = self.waiting.get(i + 1).is_none_or(|next| next.block != entry.block);
        let later = if last { [0; 4] } else { self.behind[i + 1] };
        let most = entry.warps.min(free[entry.unit]).min(issue);
        let elsewhere: u32 = (0..4).filter(|&u| u != entry.unit).map(|u| free[u].min(later[u])).sum();
        for take in (0..=most).rev() {
            let same = (free[entry.unit] - take).min(later[entry.unit]);
            if selected + take + (elsewhere + same).min(issue - take) < self.rank[i] {
                break; // Fewer of these only make it worse.
            }
            let mut left = free;
            left[entry.unit] -= take;
            self.chosen[i] = take;
            if !self.descend(i + 1, selected + take, left, issue - take, visit) {
                return false;
            }
        }
        self.chosen[i] = 0;
        true
    }
}
