//! Which warp may go before which: beyond being work-conserving, the fairness the papers assume.

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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries_cut_the_string() {
        assert_eq!(Fairness::WorkConserving.blocks(3), [0, 0, 0]);
        // C LLC LLC S: the first C with the first sub-block, the store with the last.
        assert_eq!(Fairness::SubBlock(vec![4]).blocks(8), [0, 0, 0, 0, 1, 1, 1, 1]);
        // Boundaries at either end separate nothing.
        assert_eq!(Fairness::SubBlock(vec![0, 1, 2, 3]).blocks(3), [0, 1, 2]);
    }
}
