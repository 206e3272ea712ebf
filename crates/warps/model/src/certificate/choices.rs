//! Who may execute in a cycle, where warps that want the same are counted together.

use super::Model;
use super::work::Work;

/// Warps that want a place on a kind of unit with the same urgency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanting {
    /// The kind of unit.
    pub unit: usize,
    /// The sub-block their instruction is in.
    pub block: u32,
    /// How many warps.
    pub warps: u32,
}

/// What a cycle offers.
#[derive(Debug, Clone, Copy)]
pub struct Offer {
    units: [u32; 4],
    issue: u32,
}

impl Offer {
    /// That of a machine.
    pub fn of(model: &Model<'_>) -> Self {
        Self { units: model.machine.capacity.0, issue: model.machine.issue_limit() }
    }

    /// Every number of warps that may execute of each group. Groups stand in the order of their sub-blocks.
    ///
    /// A choice is allowed if it fits and every group with a warp left over is kept waiting by those of its
    /// own and earlier sub-blocks alone: its unit is full of them, or they take all issue slots.
    ///
    /// Where the work is over, not all of them.
    pub fn choices(&self, groups: &[Wanting], work: &Work) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        self.extend(groups, work, &mut Vec::new(), &mut found);
        found
    }

    fn extend(&self, groups: &[Wanting], work: &Work, chosen: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
        if !work.spend(1 + chosen.len() as u64) {
            return;
        }
        let taken = |unit: Option<usize>, chosen: &[u32]| -> u32 {
            let counts =
                groups.iter().zip(chosen).filter(|(group, _)| unit.is_none_or(|unit| group.unit == unit));
            counts.map(|(_, &warps)| warps).sum()
        };
        let at = chosen.len();
        // At the end of a sub-block: is everyone of it who waits kept waiting?
        if at > 0 && groups.get(at).is_none_or(|next| next.block != groups[at - 1].block) {
            let block = groups[at - 1].block;
            let left_over = groups[..at]
                .iter()
                .zip(&*chosen)
                .filter(|(group, warps)| group.block == block && **warps < group.warps);
            let issue_full = taken(None, chosen) >= self.issue;
            for (group, _) in left_over {
                if !issue_full && taken(Some(group.unit), chosen) < self.units[group.unit] {
                    return;
                }
            }
        }
        let Some(group) = groups.get(at) else {
            found.push(chosen.clone());
            return;
        };
        let room = (self.units[group.unit] - taken(Some(group.unit), chosen))
            .min(self.issue - taken(None, chosen))
            .min(group.warps);
        for warps in 0..=room {
            chosen.push(warps);
            self.extend(groups, work, chosen, found);
            chosen.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const L: usize = 0;
    const C: usize = 1;

    fn chosen(issue: u32, groups: &[(usize, u32, u32)], work: &Work) -> Vec<Vec<u32>> {
        let offer = Offer { units: [1, 2, 0, 0], issue };
        let wanting = |&(unit, block, warps): &(usize, u32, u32)| Wanting { unit, block, warps };
        offer.choices(&groups.iter().map(wanting).collect::<Vec<_>>(), work)
    }

    #[test]
    fn nobody_waits_but_for_a_full_unit_or_full_issue_slots_of_their_own_and_earlier_sub_blocks() {
        let all = |issue, groups: &[_]| chosen(issue, groups, &Work::new(u64::MAX));
        assert_eq!(all(9, &[]), [Vec::<u32>::new()]);
        assert_eq!(all(9, &[(L, 0, 2), (C, 0, 3)]), [[1, 2]]);
        assert_eq!(all(9, &[(C, 0, 2), (L, 0, 1), (C, 0, 1)]), [[1, 1, 1], [2, 1, 0]]);
        assert_eq!(all(2, &[(L, 0, 1), (C, 0, 2)]), [[0, 2], [1, 1]]);
        assert_eq!(all(9, &[(C, 0, 1), (C, 1, 2)]), [[1, 1]]);
        assert_eq!(all(1, &[(L, 0, 2), (C, 1, 1)]), [[1, 0]]);
        assert_eq!(all(2, &[(L, 0, 2), (C, 1, 2), (C, 2, 2)]), [[1, 1, 0]]);
    }

    /// A choice that is extended counts one, and one more for each group before.
    #[test]
    fn work_is_what_was_looked_at() {
        let groups = [(L, 0, 1), (L, 0, 1)];
        let counted = 1 + 2 * 2 + 3 * 3;
        let of = |units| {
            let work = Work::new(units);
            let found = chosen(9, &groups, &work).len();
            (found, work.is_over())
        };
        assert_eq!(of(counted), (2, false));
        assert_eq!(of(counted - 1), (1, true));
    }
}
