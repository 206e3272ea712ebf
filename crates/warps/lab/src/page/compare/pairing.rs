//! Pairs of rows and columns with the largest sum of weights (Hungarian method, Kuhn 1955, in the form with
//! prices that takes time cubic in the number of rows).
//!
//! Same weights, same pairs: where several pairings are best, the order of rows and columns decides.

/// The column of each row, every column taken once; `weights` is square.
pub(super) fn heaviest(weights: &[Vec<i64>]) -> Vec<usize> {
    let n = weights.len();
    // Rows and columns count from 1; column 0 holds the row that is being placed.
    let (mut row_price, mut column_price) = (vec![0i64; n + 1], vec![0i64; n + 1]);
    let mut row_of = vec![0usize; n + 1];
    for row in 1..=n {
        row_of[0] = row;
        let (mut slack, mut before) = (vec![i64::MAX; n + 1], vec![0usize; n + 1]);
        let mut reached = vec![false; n + 1];
        let mut column = 0;
        while row_of[column] != 0 {
            reached[column] = true;
            let from = row_of[column];
            let (mut least, mut nearest) = (i64::MAX, 0);
            for to in (1..=n).filter(|&to| !reached[to]) {
                let loss = -weights[from - 1][to - 1] - row_price[from] - column_price[to];
                if loss < slack[to] {
                    (slack[to], before[to]) = (loss, column);
                }
                if slack[to] < least {
                    (least, nearest) = (slack[to], to);
                }
            }
            for to in 0..=n {
                if reached[to] {
                    row_price[row_of[to]] += least;
                    column_price[to] -= least;
                } else {
                    slack[to] -= least;
                }
            }
            column = nearest;
        }
        while column != 0 {
            row_of[column] = row_of[before[column]];
            column = before[column];
        }
    }
    let mut column_of = vec![0; n];
    for column in 1..=n {
        column_of[row_of[column] - 1] = column - 1;
    }
    column_of
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seeded;

    /// The largest sum over all ways to give the rows from `row` on a column that is not taken.
    fn by_trying(weights: &[Vec<i64>], row: usize, taken: &mut Vec<usize>) -> i64 {
        if row == weights.len() {
            return 0;
        }
        let free: Vec<usize> = (0..weights.len()).filter(|column| !taken.contains(column)).collect();
        let sums = free.into_iter().map(|column| {
            taken.push(column);
            let sum = weights[row][column] + by_trying(weights, row + 1, taken);
            taken.pop();
            sum
        });
        sums.max().unwrap_or(0)
    }

    #[test]
    fn no_other_pairing_is_heavier() {
        let mut rng = Seeded::new(5, 0);
        for round in 0..400u32 {
            let n = round % 6 + 1;
            let bound = if round % 2 == 0 { 4 } else { 1_000 };
            let weights: Vec<Vec<i64>> =
                (0..n).map(|_| (0..n).map(|_| i64::from(rng.below(bound))).collect()).collect();
            let pairs = heaviest(&weights);
            let mut columns = pairs.clone();
            columns.sort_unstable();
            assert_eq!(columns, (0..n as usize).collect::<Vec<_>>());
            let sum: i64 = pairs.iter().zip(&weights).map(|(&column, row)| row[column]).sum();
            assert_eq!(sum, by_trying(&weights, 0, &mut Vec::new()), "{weights:?}");
        }
    }
}
