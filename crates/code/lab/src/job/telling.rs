//! When a search tells what is proven: at once, and then whenever that has become narrower, but not too often.
//!
//! Lines are as long as the schedules they hold, and whoever shows them keeps them. So pauses grow with the time that the
//! search has taken, and there are about ten lines for every factor of ten; and they grow with the schedule.

/// Seconds between two lines at least.
const PAUSE: f64 = 0.3;
/// The same, as a share of the time that has passed.
const SHARE: f64 = 0.25;
/// The same, for every instruction of a schedule: some ten times as long as a line of it takes to be written and read.
const EACH: f64 = 5e-5;

/// The bracket of the worst case, and that of the best case where it is sought.
type Brackets = ((u64, u64), Option<(u64, u64)>);

/// What has been told, and when there is more to tell.
#[derive(Debug)]
pub(super) struct Telling {
    /// Seconds of work so far, as whoever drives the job counts them.
    pub(super) seconds: f64,
    told: Option<Brackets>,
    next: f64,
    pause: f64,
}

impl Telling {
    /// Of schedules with so many instructions; nothing is told yet.
    pub(super) fn of(instructions: usize) -> Self {
        Self { seconds: 0.0, told: None, next: 0.0, pause: PAUSE + instructions as f64 * EACH }
    }

    /// Whether the bracket is to be told now; it is told then. It is asked for only where it is time.
    pub(super) fn is_due(&mut self, bracket: impl FnOnce() -> Brackets) -> bool {
        if self.seconds < self.next {
            return false;
        }
        let now = Some(bracket());
        let narrower = self.told != now;
        self.told = now;
        self.next = self.seconds + if narrower { self.pause.max(self.seconds * SHARE) } else { PAUSE };
        narrower
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_told_at_once_and_others_after_a_while() {
        let mut telling = Telling::of(1_000);
        assert!(telling.is_due(|| ((10, 20), None)) && !telling.is_due(|| ((11, 20), None)), "too soon");
        telling.seconds = 0.34;
        assert!(!telling.is_due(|| unreachable!("a schedule of a thousand takes its time")));
        telling.seconds = 0.36;
        assert!(!telling.is_due(|| ((10, 20), None)), "nothing new");
        telling.seconds = 0.67;
        assert!(telling.is_due(|| ((12, 20), None)));
        telling.seconds = 1.1;
        assert!(telling.is_due(|| ((12, 19), None)) && !telling.is_due(|| ((13, 19), None)));
    }

    #[test]
    fn lines_grow_rare() {
        let mut telling = Telling::of(0);
        let mut told = 0;
        for tick in 0..36_000u32 {
            telling.seconds = f64::from(tick) / 10.0;
            told += usize::from(telling.is_due(|| ((tick.into(), 100_000), None)));
        }
        assert!((20..60).contains(&told), "{told} lines in an hour");
    }
}
