//! Blocking by non-preemptive sections of tasks of lower priority.
//!
//! A section is what a job computes from where it begins or goes on to where it waits or ends; of a task that spins it
//! is the whole job. A section of a task that is not preempted runs to its end once it has begun.
//!
//! Invariant: [`LowerPriority::most`] is no less than the sum of so many different sections that run within any time so long.

use super::host::Load;
use super::model::{Chain, Wait};

/// What a task computes without waiting, time after time: no list is empty. None where a time is not known.
pub fn non_preemptive_sections(chain: &Chain, loads: &[Load], task: usize) -> Option<Vec<u64>> {
    let host = &chain.tasks[task];
    let mut all = vec![0u64];
    for (segment, time) in host.segments.iter().zip(&loads[task].segments) {
        if segment.kind.is_on_core() || host.wait == Wait::Spin {
            let last = all.last_mut()?;
            *last = last.checked_add(time.upper()?.value.0)?;
        } else if all.last() != Some(&0) {
            all.push(0);
        }
    }
    all.retain(|&section| section > 0);
    if all.is_empty() {
        all.push(0);
    }
    Some(all)
}

/// The sections of a task that is not preempted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocker {
    /// How long each is.
    pub sections: Vec<u64>,
    /// Least time between its activations.
    pub period: u64,
    /// No job of it takes longer than this, counted from where its activation would be if none came late; none where that is
    /// not known.
    pub response: Option<u64>,
}

impl Blocker {
    /// The most jobs that run within any time so long. One that runs in it has its place in the series of activations in
    /// it or less than its response time before; nothing limits the number of those that pile up.
    fn jobs(&self, within: u128) -> Option<u128> {
        let response = u128::from(self.response?);
        Some(within.checked_add(response)?.div_ceil(u128::from(self.period.max(1))))
    }
}

/// All tasks that may hold one up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LowerPriority {
    blockers: Vec<Blocker>,
    /// Every section and whose it is, the longest first.
    sorted: Vec<(u64, usize)>,
}

impl LowerPriority {
    /// These tasks.
    pub fn new(blockers: Vec<Blocker>) -> Self {
        let all = blockers.iter().enumerate();
        let mut sorted: Vec<(u64, usize)> = all
            .flat_map(|(of, blocker)| blocker.sections.iter().map(move |&section| (section, of)))
            .collect();
        sorted.retain(|&(section, _)| section > 0);
        base::sort::sort_by(&mut sorted, |a, b| b.cmp(a));
        Self { blockers, sorted }
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    /// The longest that so many different sections take which run within any time so long; none where that is too
    /// large.
    pub fn most(&self, mut times: u128, within: u128) -> Option<u128> {
        let mut sum = 0u128;
        for &(section, of) in &self.sorted {
            if times == 0 {
                break;
            }
            let taken = self.blockers[of].jobs(within).map_or(times, |jobs| jobs.min(times));
            sum = sum.checked_add(taken.checked_mul(section.into())?)?;
            times -= taken;
        }
        Some(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_count_as_often_as_they_can_run() {
        let often = Blocker { sections: vec![3, 5], period: 10, response: Some(10) };
        let unknown = Blocker { sections: vec![4], period: 1000, response: None };
        let below = LowerPriority::new(vec![often.clone(), unknown]);
        // Within 5: two jobs of the first, so 5 twice, then 4 for ever.
        assert_eq!([0, 1, 2, 3, 9].map(|times| below.most(times, 5)), [0, 5, 10, 14, 38].map(Some));
        let once = LowerPriority::new(vec![Blocker { period: 100, ..often }]);
        // One job: 5 and 3, and there are no more sections.
        assert_eq!([1, 2, 3].map(|times| once.most(times, 90)), [5, 8, 8].map(Some));
        assert_eq!(once.most(3, 91), Some(13), "two jobs");
        assert_eq!(
            (LowerPriority::default().most(7, 7), LowerPriority::default().is_empty()),
            (Some(0), true)
        );
        let huge = Blocker { sections: vec![u64::MAX], period: 1, response: None };
        assert_eq!(LowerPriority::new(vec![huge]).most(u128::MAX, 1), None);
    }
}
