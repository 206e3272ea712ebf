//! The availability profile of identical parallel machines: when each place is free, and list scheduling of blocks onto
//! it.
//!
//! A place holds one block at a time. The next block always goes to the place that is free first, as soon as it
//! is free; which one of several is the same, so only how many are free when is kept.
//!
//! Invariants: steps ascend by time, no two have the same time, none is empty, and places neither appear nor go.

use base::Nanos;

/// So many places that are free from the same time on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// From when they are free.
    pub from: Nanos,
    /// How many.
    pub places: u32,
}

/// All places.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct AvailabilityProfile {
    steps: Vec<Step>,
}

/// Memory is reused where a profile is overwritten, which searches do all the time.
impl Clone for AvailabilityProfile {
    fn clone(&self) -> Self {
        Self { steps: self.steps.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.steps.clone_from(&source.steps);
    }
}

/// From so many blocks for each step on, a kernel is put down in one go instead of step by step.
const MANY: usize = 64;

impl AvailabilityProfile {
    /// So many places, all free from the beginning.
    pub fn new(places: u32) -> Self {
        let steps = if places == 0 { Vec::new() } else { vec![Step { from: Nanos::ZERO, places }] };
        Self { steps }
    }

    /// When how many places are free.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// When the next block starts. Without a place, never.
    pub fn next(&self) -> Nanos {
        self.steps.first().map_or(Nanos::NEVER, |step| step.from)
    }

    /// Puts down the blocks of a kernel, each of which takes `time`; says when the last of them starts.
    pub fn place(&mut self, blocks: u32, time: Nanos) -> Nanos {
        if blocks == 0 || time == Nanos::ZERO || self.steps.is_empty() {
            return self.next(); // Blocks that take no time leave their places at once, for those after them.
        }
        if blocks as usize > MANY.saturating_mul(self.steps.len() + 1) {
            self.place_at_once(blocks, time)
        } else {
            self.place_by_steps(blocks, time)
        }
    }

    /// Step after step: as many blocks as are free first, then those that are free next.
    fn place_by_steps(&mut self, mut blocks: u32, time: Nanos) -> Nanos {
        loop {
            let first = &mut self.steps[0];
            let start = first.from;
            if blocks < first.places {
                first.places -= blocks;
                self.insert(Step { from: start + time, places: blocks });
                return start;
            }
            let places = self.steps.remove(0).places;
            self.insert(Step { from: start + time, places });
            blocks -= places;
            if blocks == 0 {
                return start;
            }
        }
    }

    fn insert(&mut self, step: Step) {
        let mut at = self.steps.len();
        while at > 0 && self.steps[at - 1].from > step.from {
            at -= 1;
        }
        match at.checked_sub(1).and_then(|before| self.steps.get_mut(before)) {
            Some(same) if same.from == step.from => same.places += step.places,
            _ => self.steps.insert(at, step),
        }
    }

    /// A place that is free from `f` on could start blocks at `f`, `f + time`, `f + 2 time` and so on. Blocks take
    /// the earliest of all these starts, so the last block has the start of its number, counted in their order.
    fn place_at_once(&mut self, blocks: u32, time: Nanos) -> Nanos {
        let (blocks, time) = (u128::from(blocks), u128::from(time.0));
        let first = u128::from(self.next().0);
        // The last start is the earliest by which there are enough of them.
        let (mut low, mut high) = (first, first + blocks * time);
        while low < high {
            let middle = low + (high - low) / 2;
            let until = |step: &Step| {
                let waited = middle.checked_sub(step.from.0.into());
                waited.map_or(0, |waited| u128::from(step.places) * (waited / time + 1))
            };
            if self.steps.iter().map(until).sum::<u128>() >= blocks {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        let last = low;
        // Every start before the last one is taken, and as many of those at the same time as are still needed.
        let mut left = blocks;
        let mut places = Vec::with_capacity(self.steps.len() + 1);
        let mut ready = 0;
        for step in &self.steps {
            let from = u128::from(step.from.0);
            let waves = last.saturating_sub(from).div_ceil(time);
            left -= waves * u128::from(step.places);
            match from + waves * time {
                free if free == last => ready += step.places,
                free => places.push((free, step.places)),
            }
        }
        let started = u32::try_from(left).unwrap_or(u32::MAX).min(ready);
        places.extend([(last, ready - started), (last + time, started)]);
        base::sort::sort(&mut places);
        self.steps.clear();
        for (from, places) in places.into_iter().filter(|&(_, places)| places > 0) {
            self.insert(Step { from: whole(from), places });
        }
        whole(last)
    }
}

fn whole(nanos: u128) -> Nanos {
    Nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seeded;

    /// The naive twin: every place by itself.
    struct Places(Vec<Nanos>);

    impl Places {
        fn place(&mut self, blocks: u32, time: Nanos) -> Nanos {
            let mut start = Nanos::ZERO;
            for _ in 0..blocks {
                let first = self.0.iter_mut().min().expect("a place");
                start = *first;
                *first += time;
            }
            start
        }

        fn steps(&self) -> Vec<Step> {
            let mut profile = AvailabilityProfile::default();
            self.0.iter().for_each(|&from| profile.insert(Step { from, places: 1 }));
            profile.steps
        }
    }

    #[test]
    fn runs_and_single_places_agree() {
        let mut rng = Seeded::new(1, 0);
        for round in 0..2_000 {
            let count = 1 + rng.below(9);
            let (mut profile, mut twin) =
                (AvailabilityProfile::new(count), Places(vec![Nanos::ZERO; count as usize]));
            for _ in 0..1 + rng.below(6) {
                let (blocks, time) = (1 + rng.below(30), Nanos(rng.below(9).into()));
                let mut other = profile.clone();
                let start = profile.place_either(blocks, time, false);
                assert_eq!(start, twin.place(blocks, time), "round {round}");
                assert_eq!(profile.steps, twin.steps(), "round {round}");
                assert_eq!(other.place_either(blocks, time, true), start, "round {round}");
                assert_eq!(other, profile, "round {round}");
            }
        }
    }

    impl AvailabilityProfile {
        fn place_either(&mut self, blocks: u32, time: Nanos, at_once: bool) -> Nanos {
            match time {
                Nanos::ZERO => self.place(blocks, time),
                _ if at_once => self.place_at_once(blocks, time),
                _ => self.place_by_steps(blocks, time),
            }
        }
    }

    #[test]
    fn huge_kernels_take_no_longer_than_small_ones() {
        let mut profile = AvailabilityProfile::new(8);
        profile.place(7, Nanos(10_000_000_000));
        assert_eq!(profile.place(4_000_000_000, Nanos(1)), Nanos(3_999_999_999));
        assert_eq!(profile.place(u32::MAX, Nanos(1)), Nanos(8_294_967_294));
    }

    #[test]
    fn what_takes_nothing_leaves_all_as_it_is() {
        let mut profile = AvailabilityProfile::new(3);
        profile.place(2, Nanos(7));
        let before = profile.clone();
        assert_eq!((profile.place(0, Nanos(5)), profile.place(5, Nanos::ZERO)), (Nanos::ZERO, Nanos::ZERO));
        assert_eq!(profile, before);
    }

    #[test]
    fn the_end_of_time_is_no_crash() {
        let mut profile = AvailabilityProfile::new(3);
        profile.place(u32::MAX, Nanos::NEVER);
        profile.place(5, Nanos::NEVER);
        assert_eq!(profile.place(1, Nanos(1)), Nanos::NEVER);
        assert_eq!(AvailabilityProfile::new(0).place(1, Nanos(1)), Nanos::NEVER);
    }
}
