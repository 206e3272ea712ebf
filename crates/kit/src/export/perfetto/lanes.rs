//! Lanes for events, so that no two of a lane overlap: not in time, and not in the arithmetic of those who read it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use base::Nanos;

/// Lanes in which nothing overlaps, from 1.
#[derive(Default)]
pub struct Lanes {
    count: u32,
    free: BinaryHeap<Reverse<u32>>,
    /// From when on each of the others is free.
    busy: BinaryHeap<Reverse<(Nanos, u32)>>,
}

impl Lanes {
    /// How many there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The lowest lane that is free for an event; events come ascending by start.
    pub fn take(&mut self, start: Nanos, end: Nanos) -> u32 {
        while let Some(&Reverse((until, lane))) = self.busy.peek()
            && until <= start
        {
            self.busy.pop();
            self.free.push(Reverse(lane));
        }
        let lane = self.free.pop().map_or(self.count + 1, |Reverse(lane)| lane);
        self.count = self.count.max(lane);
        self.busy.push(Reverse((free_from(start, end), lane)));
        lane
    }
}

/// From when on another event may stand behind one, for readers that compute in floating point.
fn free_from(start: Nanos, end: Nanos) -> Nanos {
    let mut next = end;
    // An event without length is nested in one that starts with it, so it has a lane of its own for a moment.
    let mut more = u64::from(end == start);
    next.0 = next.0.saturating_add(more);
    while next < Nanos::NEVER && !is_clear(start, end, next) {
        more = (more * 2).max(1);
        next.0 = next.0.saturating_add(more);
    }
    next
}

/// Whether an event has ended when another starts: added up in microseconds, and cut to nanoseconds.
fn is_clear(start: Nanos, end: Nanos, next: Nanos) -> bool {
    let [from, length, next] = [start, end.since(start), next].map(|time| time.0 as f64 / 1e3);
    let whole = |micros: f64| (micros * 1e3).floor();
    from + length <= next && whole(from) + whole(length) <= whole(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lanes(events: &[(u64, u64)]) -> Vec<u32> {
        let mut lanes = Lanes::default();
        events.iter().map(|&(start, end)| lanes.take(Nanos(start), Nanos(end))).collect()
    }

    #[test]
    fn the_lowest_free_lane_is_taken() {
        assert_eq!(
            lanes(&[(0, 8_000), (0, 4_000), (4_000, 9_000), (8_000, 9_000), (9_000, 9_500)]),
            [1, 2, 2, 1, 1]
        );
        assert_eq!(lanes(&[(5, 5), (5, 5), (5, 9), (6, 7)]), [1, 2, 3, 1]);
    }

    #[test]
    fn what_touches_may_overlap_once_it_is_rounded() {
        // 0.1 + 0.2 is more than 0.3.
        assert!(!is_clear(Nanos(100), Nanos(300), Nanos(300)));
        assert_eq!(lanes(&[(100, 300), (300, 400), (301, 400)]), [1, 2, 1]);
        for start in (0..4_000_000_000).step_by(123_456_789) {
            let free = free_from(Nanos(start), Nanos(start + 987_654_321));
            assert!(
                free.0 <= start + 987_654_322 && is_clear(Nanos(start), Nanos(start + 987_654_321), free)
            );
        }
        assert_eq!(free_from(Nanos(7), Nanos::NEVER), Nanos::NEVER);
    }
}
