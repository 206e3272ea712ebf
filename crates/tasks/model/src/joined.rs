//! T': two copies of a task joined by an edge from sink to source (N, section II-B), in the order of Algorithm 1.
//!
//! The source of the first copy is a dummy without demand, deadline or separations. Paths through T' are what a task
//! can do while its source is triggered at most once.

use super::Task;

/// The joined graph. Rows count from 0, and every edge leads to a later row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joined {
    /// Execution requirement of each row.
    pub e: Vec<u64>,
    /// Deadline of each row.
    pub d: Vec<u64>,
    /// The edges into each row: from which one, and the separation.
    pub into: Vec<Vec<(usize, u64)>>,
    /// How many rows the task alone has.
    pub half: usize,
}

impl Joined {
    /// The joined graph of a task.
    pub fn of(task: &Task) -> Self {
        let half = task.order().len();
        let mut row = vec![0; half];
        task.order().iter().enumerate().for_each(|(place, &v)| row[v] = place);
        let own = |of: fn(&super::Vertex) -> u64| -> Vec<u64> {
            let once = task.order().iter().map(|&v| of(&task.vertices()[v]));
            let mut twice: Vec<u64> = once.clone().chain(once).collect();
            twice[0] = 0;
            twice
        };
        let mut into = vec![Vec::new(); 2 * half];
        for edge in task.edges() {
            let (from, to) = (row[edge.from], row[edge.to]);
            into[to].push((from, if from == 0 { 0 } else { edge.p }));
            into[half + to].push((half + from, edge.p));
        }
        into[half].push((half - 1, if half == 1 { 0 } else { task.gap() }));
        Self { e: own(|v| v.e), d: own(|v| v.d), into, half }
    }

    /// How many rows there are: n of the published algorithm.
    pub fn rows(&self) -> usize {
        self.e.len()
    }

    /// The columns of the published table, one for every demand from 1 on: n times the largest requirement.
    pub fn columns(&self) -> u64 {
        self.rows() as u64 * self.e.iter().max().copied().unwrap_or(0)
    }

    /// The largest demand of a path: no cell beyond this column is ever filled.
    pub fn reach(&self) -> u64 {
        let mut best: Vec<u64> = Vec::with_capacity(self.rows());
        for (row, into) in self.into.iter().enumerate() {
            best.push(self.e[row] + into.iter().map(|&(from, _)| best[from]).max().unwrap_or(0));
        }
        best.into_iter().max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small::{diamond, task};

    #[test]
    fn two_copies_and_a_dummy() {
        let joined = Joined::of(&diamond());
        assert_eq!(joined.e, [0, 3, 6, 1, 2, 3, 6, 1]);
        assert_eq!(joined.d, [0, 8, 10, 4, 5, 8, 10, 4]);
        assert_eq!(joined.into[3], [(1, 12), (2, 15)]);
        assert_eq!(joined.into[1], [(0, 0)]);
        assert_eq!(joined.into[4], [(3, 4)]);
        assert_eq!(joined.into[5], [(4, 10)]);
        assert_eq!((joined.rows(), joined.columns(), joined.reach()), (8, 48, 16));
    }

    #[test]
    fn a_vertex_alone_is_a_dummy_and_itself() {
        let joined = Joined::of(&task(9, &[(2, 5)], &[]));
        assert_eq!((joined.e, joined.into), (vec![0, 2], vec![vec![], vec![(0, 0)]]));
    }
}
