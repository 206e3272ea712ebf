//! Which warp may go before which: beyond being work-conserving, the fairness the papers assume.

use super::order::Order;
use base::sort;

/// A rule on who executes when several warps compete.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Fairness {
    /// Whoever; only no unit and issue slot may stay free that a waiting warp could use.
    #[default]
    WorkConserving,
    /// Besides, no instruction of a sub-block executes in place of one of an earlier sub-block (Raravi and
    /// Andersson, section II). Each number says how many instructions of the string stand before a boundary
    /// between two sub-blocks; they ascend.
    SubBlock(Vec<u32>),
}

impl Fairness {
    /// The name scenarios use.
    pub fn name(&self) -> &'static str {
        match self {
            Fairness::WorkConserving => "work-conserving",
            Fairness::SubBlock(_) => "sub-block",
        }
    }

    /// For each of a kernel's instructions the sub-block it belongs to, from 0; all 0 where nothing is asked.
    pub fn blocks(&self, instructions: usize) -> Vec<u32> {
        let boundaries: &[u32] = match self {
            Fairness::WorkConserving => &[],
            Fairness::SubBlock(boundaries) => boundaries,
        };
        // Boundaries before the first instruction separate nothing.
        let inner: Vec<usize> = boundaries.iter().map(|&b| b as usize).filter(|&b| b > 0).collect();
        (0..instructions).map(|i| inner.partition_point(|&b| b <= i) as u32).collect()
    }

    /// The instructions of each sub-block: `(first, one past the last)`, none of them empty.
    pub fn ranges(&self, instructions: usize) -> Vec<(usize, usize)> {
        let blocks = self.blocks(instructions);
        let mut ranges = Vec::new();
        let mut first = 0;
        for same in blocks.chunk_by(|a, b| a == b) {
            ranges.push((first, first + same.len()));
            first += same.len();
        }
        ranges
    }

    /// The order with all entries of a sub-block before those of the next, otherwise as it was.
    ///
    /// Constructing from orders arranged so gives exactly the fair schedules: the construction serves an
    /// entry as if those behind it were not there, so none is displaced by one of a later sub-block. The
    /// other way round, the entries of a fair schedule, arranged by sub-block and then by cycle, give it
    /// back: who waits is behind everyone that fills its unit or the issue slots.
    pub fn arranged(&self, order: &Order, instructions: usize) -> Order {
        let blocks = self.blocks(instructions);
        let mut next = vec![0usize; order.ids().iter().max().map_or(0, |&warp| usize::from(warp) + 1)];
        let block_of = |&warp: &u16| {
            let instruction = &mut next[usize::from(warp)];
            *instruction += 1;
            blocks.get(*instruction - 1).copied().unwrap_or(u32::MAX)
        };
        let entries = order.ids().iter().map(block_of).zip(order.ids().iter().copied());
        let mut entries: Vec<(u32, u16)> = entries.collect();
        sort::sort_by_key(&mut entries, |&(block, _)| block);
        Order::from_complete(entries.into_iter().map(|(_, warp)| warp).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kernel, Machine, PerUnit, Start, check_fair, construct};
    use base::Seeded;

    #[test]
    fn boundaries_cut_the_string() {
        assert_eq!(Fairness::WorkConserving.blocks(3), [0, 0, 0]);
        // C LLC LLC S: the first C with the first sub-block, the store with the last.
        assert_eq!(Fairness::SubBlock(vec![4]).blocks(8), [0, 0, 0, 0, 1, 1, 1, 1]);
        // Boundaries at either end separate nothing.
        assert_eq!(Fairness::SubBlock(vec![0, 1, 2, 3]).blocks(3), [0, 1, 2]);
        assert_eq!(Fairness::SubBlock(vec![0, 1, 3]).ranges(3), [(0, 1), (1, 3)]);
        assert_eq!(Fairness::WorkConserving.ranges(3), [(0, 3)]);
    }

    #[test]
    fn an_order_is_arranged_by_sub_block() -> Result<(), String> {
        let order = Order::new(vec![0, 0, 0, 1, 1, 1], 2, 3).map_err(|e| format!("{e:?}"))?;
        let fair = Fairness::SubBlock(vec![1]);
        assert_eq!(fair.arranged(&order, 3).ids(), [0, 1, 0, 0, 1, 1]);
        assert_eq!(Fairness::WorkConserving.arranged(&order, 3), order);
        Ok(())
    }

    #[test]
    fn arranged_orders_make_fair_schedules_and_all_of_them() {
        let mut rng = Seeded::new(2010, 0);
        for seed in 0..1_000 {
            let warps = 1 + rng.below(5) as usize;
            let text: String =
                (0..=rng.below(8)).map(|_| ['L', 'C', 'S', 'D'][rng.below(3) as usize]).collect();
            let Ok(kernel) = Kernel::parse(&text) else { unreachable!("{text}") };
            let capacity = PerUnit::from_fn(|_| 1 + rng.below(2));
            let machine = Machine { capacity, issue: [None, Some(1), Some(2)][rng.below(3) as usize] };
            let boundaries = (0..=kernel.len() as u32).filter(|_| rng.below(3) == 0).collect();
            let fair = Fairness::SubBlock(boundaries);
            let order = fair.arranged(&Start::Random(seed).order(&kernel, &machine, warps), kernel.len());
            let Some(schedule) = construct(&kernel, &machine, &order, warps) else {
                unreachable!("complete")
            };
            let rows: Vec<Vec<u32>> = (0..warps).map(|warp| schedule.warp(warp).to_vec()).collect();
            assert_eq!(check_fair(&kernel, &machine, &fair, &rows), [], "{text} {machine:?} {fair:?}");
            // Its columns, arranged again, give it back.
            let again = fair.arranged(&schedule.to_order(), kernel.len());
            assert_eq!(construct(&kernel, &machine, &again, warps), Some(schedule));
        }
    }
}
