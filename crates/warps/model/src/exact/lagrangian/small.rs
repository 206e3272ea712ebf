//! Dynamic programming over all states of a few warps: their longest schedules, exactly.
//!
//! Positions in ascending order `p_0 <= p_1 <= ...` have the rank `sum of C(p_i + i, i + 1)`, which falls when
//! a position does: so a state comes before all it leads to, and states are computed from the last rank down.

use super::super::instance::Instance;

/// States up to which a table is made.
const MOST_STATES: u64 = 600_000;

/// The most warps a table is made for.
const MOST_WARPS: usize = 5;

/// The table; in the making until `step` says so.
#[derive(Debug, Clone)]
pub struct SmallTable {
    warps: usize,
    length: usize,
    /// `choose[n][k]`, as far as ranks need it.
    choose: Vec<[u32; MOST_WARPS + 2]>,
    /// For each rank the longest schedule from there on.
    longest: Vec<u16>,
    /// Ranks still to be computed.
    left: usize,
}

impl SmallTable {
    /// A table for as many warps as there is room for.
    pub fn new(instance: &Instance) -> Self {
        Self::of(instance, MOST_WARPS)
    }

    /// A table for no more warps than that.
    pub fn of(instance: &Instance, most: usize) -> Self {
        let length = instance.length as usize;
        let count = |warps: usize| {
            (0..warps as u64).fold(1u64, |n, i| n.saturating_mul(instance.length as u64 + 1 + i) / (i + 1))
        };
        let most = most.min(instance.warps as usize);
        let warps = (1..=most).rev().find(|&warps| count(warps) <= MOST_STATES).unwrap_or(0);
        let mut choose = vec![[0u32; MOST_WARPS + 2]; length + warps + 1];
        for n in 0..choose.len() {
            choose[n][0] = 1;
            for k in 1..=warps.min(n) {
                choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            }
        }
        let states = if warps == 0 { 0 } else { count(warps) as usize };
        Self { warps, length, choose, longest: vec![0; states], left: states }
    }

    /// For how many warps it is.
    pub fn warps(&self) -> usize {
        self.warps
    }

    /// The longest schedule of all of them.
    pub fn all(&self) -> u16 {
        self.longest.first().copied().unwrap_or(0)
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        self.longest.len() as u64 * 2
    }

    /// Computes more of it; whether there is more to do.
    pub fn step(&mut self, instance: &Instance, budget: u64) -> bool {
        let (mut spent, mut at) = (0, [0usize; MOST_WARPS]);
        while self.left > 0 && spent < budget {
            self.left -= 1;
            self.positions(self.left, &mut at);
            self.longest[self.left] = self.best(instance, &at[..self.warps]);
            spent += 24 << self.warps;
        }
        self.left > 0
    }

    /// The positions of a rank.
    pub fn at(&self, rank: usize) -> Vec<usize> {
        let mut at = [0; MOST_WARPS];
        self.positions(rank, &mut at);
        at[..self.warps].to_vec()
    }

    /// Calls `visit` with the positions of every state and the longest schedule from there on.
    pub fn each(&self, visit: &mut dyn FnMut(&[usize], u16)) {
        let mut at = [0usize; MOST_WARPS];
        for &longest in &self.longest {
            visit(&at[..self.warps], longest);
            // The next in the order of ranks: the first position that may rise does.
            let ceiling = |i: usize| if i + 1 < self.warps { at[i + 1] } else { self.length };
            let Some(i) = (0..self.warps).find(|&i| at[i] < ceiling(i)) else { return };
            at[i] += 1;
            at[..i].fill(0);
        }
    }

    fn rank(&self, at: &[usize]) -> usize {
        at.iter().enumerate().map(|(i, &p)| self.choose[p + i][i + 1] as usize).sum()
    }

    fn positions(&self, mut rank: usize, at: &mut [usize]) {
        let mut p = self.length;
        for i in (0..self.warps).rev() {
            while self.choose[p + i][i + 1] as usize > rank {
                p -= 1;
            }
            at[i] = p;
            rank -= self.choose[p + i][i + 1] as usize;
        }
    }

    /// One more than the best of what all sets of warps that may execute lead to.
    fn best(&self, instance: &Instance, at: &[usize]) -> u16 {
        let unit = |p: usize| instance.phases[instance.phase_of[p] as usize].unit;
        let active = at.iter().filter(|&&p| p < self.length).count();
        let mut pending = [0u32; 4];
        at[..active].iter().for_each(|&p| pending[unit(p)] += 1);
        let need: u32 = (0..4).map(|u| pending[u].min(instance.capacity[u])).sum();
        let (need, mut best) = (need.min(instance.issue), 0);
        for set in (0u32..1 << active).filter(|set| set.count_ones() == need && need > 0) {
            let (mut next, mut busy) = ([0; MOST_WARPS], [0u32; 4]);
            next[..at.len()].copy_from_slice(at);
            for i in (0..active).filter(|i| set >> i & 1 == 1) {
                busy[unit(at[i])] += 1;
                next[i] += 1;
            }
            if (0..4).all(|u| busy[u] <= instance.capacity[u]) {
                next[..at.len()].sort_unstable();
                best = best.max(1 + self.longest[self.rank(&next[..at.len()])]);
            }
        }
        best
    }
}
