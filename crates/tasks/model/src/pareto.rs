//! Algorithm 1 on Pareto fronts of interval and demand (N, section II-B): what [`super::dense`] computes, without its
//! empty cells.
//!
//! Of all sequences that end with a vertex only those matter that need more than every shorter one; a row keeps their
//! pairs of interval and demand. As in the published form deadlines are taken to follow one another along a path, so
//! the intervals are too short where a separation is shorter than the deadline before it: safe, but no longer exact.

use super::{Joined, StepFunction};

/// The front of every row of the joined graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParetoFront {
    /// Undominated pairs of interval and demand of the sequences that end with each row's vertex.
    pub rows: Vec<StepFunction>,
}

/// Whether rows are kept once no later row needs them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    Kept,
    Dropped,
}

impl ParetoFront {
    /// The fronts of all rows.
    pub fn of(joined: &Joined) -> Self {
        Self { rows: run(joined, Rows::Kept, usize::MAX).rows }
    }

    /// The undominated pairs over all rows: the demand of sequences that trigger the source once at most.
    pub fn whole(&self) -> StepFunction {
        let mut whole = StepFunction::default();
        let mut scratch = Vec::new();
        for row in &self.rows {
            whole.absorb(row, 0, 0, u64::MAX, &mut scratch);
        }
        whole
    }
}

/// The demand of sequences that trigger the source once at most, in the memory of the rows that are still needed, with
/// so many pairs for each row at the most; and whether any were left out, so that it is larger than published.
pub fn small(joined: &Joined, most: usize) -> (StepFunction, bool) {
    let ran = run(joined, Rows::Dropped, most);
    (ran.whole, ran.thinned)
}

struct Ran {
    rows: Vec<StepFunction>,
    whole: StepFunction,
    thinned: bool,
}

fn run(joined: &Joined, keep: Rows, most: usize) -> Ran {
    let mut needed: Vec<usize> = vec![0; joined.rows()];
    joined.into.iter().flatten().for_each(|&(from, _)| needed[from] += 1);
    let mut rows: Vec<StepFunction> = Vec::with_capacity(joined.rows());
    let (mut whole, mut scratch, mut thinned) = (StepFunction::default(), Vec::new(), false);
    for row in 0..joined.rows() {
        let (e, d) = (joined.e[row], joined.d[row]);
        let mut own = StepFunction::one(d, e);
        for &(from, p) in &joined.into[row] {
            // Line 8: the deadline of the vertex before goes, the separation and the own deadline come. Only the part
            // that is added can be short of zero, never the interval.
            own.absorb_after(&rows[from], joined.d[from], p + d, e, &mut scratch);
            needed[from] -= 1;
            if keep == Rows::Dropped && needed[from] == 0 {
                rows[from] = StepFunction::default();
            }
        }
        thinned |= own.thin(most);
        whole.absorb(&own, 0, 0, u64::MAX, &mut scratch);
        rows.push(own);
    }
    Ran { rows, whole, thinned }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense::{Table, undominated};
    use crate::small::{random, splice};

    #[test]
    fn every_row_is_what_the_table_holds() {
        let mut pairs = 0;
        for seed in 0..2_000 {
            let joined = Joined::of(&random(seed));
            let Ok(table) = Table::fill(&joined, joined.columns()) else { unreachable!("small tables") };
            let front = ParetoFront::of(&joined);
            for (row, steps) in front.rows.iter().enumerate() {
                assert_eq!(steps.pairs(), undominated(table.row(row)), "seed {seed}, row {row}");
                pairs += steps.len();
            }
            assert_eq!(front.whole().pairs(), undominated(table.shortest()), "seed {seed}");
            assert_eq!(small(&joined, usize::MAX), (front.whole(), false));
        }
        assert!(pairs > 20_000, "{pairs}");
    }

    #[test]
    fn the_known_example() {
        let (whole, _) = small(&Joined::of(&splice()), usize::MAX);
        assert_eq!([1, 3, 8, 13, 20].map(|t| whole.at(t)), [3, 5, 10, 15, 21]);
    }
}
