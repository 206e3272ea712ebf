//! Kernels as the analysis sees them, and how much of the device they ask for (P, section 3.2).

use super::super::workload::Kernel;
use base::Nanos;

/// A kernel: {T, C, g, b} in P.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// What people call it.
    pub label: String,
    /// The separation of its releases (T), where it has one.
    pub period: Option<Nanos>,
    /// How long each of its blocks takes (C).
    pub time: Nanos,
    /// Blocks (g).
    pub blocks: u32,
    /// Threads of a block (b).
    pub threads: u32,
    /// When it must be done, counted from its release. In P that is the period.
    pub deadline: Option<Nanos>,
}

impl Task {
    /// A kernel whose blocks all take as long as its first. Its deadline is its period where it has no other.
    pub fn of(kernel: &Kernel) -> Self {
        Self {
            label: kernel.label.clone(),
            period: kernel.period,
            time: kernel.duration.of(0),
            blocks: kernel.blocks,
            threads: kernel.threads,
            deadline: kernel.deadline.or(kernel.period),
        }
    }

    /// C * g * b: the time of all its threads together, in nanoseconds. No product of the three is too large.
    pub fn work(&self) -> u128 {
        u128::from(self.time.0) * u128::from(self.blocks) * u128::from(self.threads)
    }

    /// u = C * g * b / T: threads it keeps busy on average. None without a period.
    pub fn utilisation(&self) -> Option<f64> {
        let period = self.period.filter(|period| *period > Nanos::ZERO)?;
        Some(self.work() as f64 / period.0 as f64)
    }

    /// Whether a completion meets the deadline. None without a deadline.
    pub fn meets(&self, completion: Nanos) -> Option<bool> {
        self.deadline.map(|deadline| completion <= deadline)
    }
}

/// What a set of kernels asks of the device on average.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Utilisation {
    /// U: the sum over the kernels, in threads.
    pub total: f64,
    /// That as a share of all threads of the device: over 1, not all periods can be kept for ever.
    pub share: f64,
    /// Kernels that have no period and are not in the sum.
    pub without_period: usize,
}

/// The sum of the utilisations; none where no kernel has a period.
pub fn utilisation(tasks: &[Task], device_threads: u64) -> Option<Utilisation> {
    let each: Vec<f64> = tasks.iter().filter_map(Task::utilisation).collect();
    let total: f64 = each.iter().sum();
    (!each.is_empty()).then(|| Utilisation {
        total,
        share: total / device_threads.max(1) as f64,
        without_period: tasks.len() - each.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::published;
    use super::*;

    #[test]
    fn utilisation_of_the_published_kernels() {
        let tasks = published();
        let each: Vec<f64> = tasks.iter().filter_map(Task::utilisation).collect();
        let threads = [8.0, 42.0, 12.0, 25.0].map(|work| work * 512.0 / 15.0);
        assert_eq!(each, threads);
        let all = utilisation(&tasks, 4_096).expect("they have periods");
        assert_eq!((all.total, all.without_period), (87.0 * 512.0 / 15.0, 0));
        assert_eq!(all.share, 87.0 / 120.0);
    }

    #[test]
    fn without_a_period_there_is_none() {
        let mut tasks = published();
        tasks.iter_mut().for_each(|task| task.period = None);
        assert_eq!(utilisation(&tasks, 4_096), None);
        tasks[0].period = Some(Nanos::ZERO);
        assert_eq!(tasks[0].utilisation(), None);
        tasks[1].period = Some(Nanos(15));
        assert_eq!(utilisation(&tasks, 4_096).map(|all| all.without_period), Some(3));
    }

    #[test]
    fn the_largest_numbers_fit() {
        let huge = Task {
            label: String::new(),
            period: Some(Nanos(1)),
            time: Nanos::NEVER,
            blocks: u32::MAX,
            threads: u32::MAX,
            deadline: None,
        };
        assert!(huge.utilisation().is_some_and(f64::is_finite));
        assert_eq!(huge.meets(Nanos::NEVER), None);
    }

    #[test]
    fn a_deadline_is_met_until_it_is_over() {
        let task = &published()[0];
        assert_eq!([14, 15, 16].map(|at| task.meets(Nanos(at))), [true, true, false].map(Some));
    }
}
