//! Which call an operation belongs to, by the number that both carry.
//!
//! Numbers are told apart by process. Where one occurs several times, because it wrapped around or because a runtime's
//! call made a driver's with the same number, the call that began last before the time asked for is taken; where all
//! began later (clocks differ), the first.

use super::Draft;

/// Calls by process and number.
#[derive(Default)]
pub struct Joins {
    keys: Vec<Key>,
    sorted: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    process: i64,
    number: i64,
    start: i64,
    call: u32,
}

impl Joins {
    /// Adds a call.
    pub fn add(&mut self, process: i64, number: i64, start: i64, call: u32) {
        self.keys.push(Key { process, number, start, call });
        self.sorted = false;
    }

    /// Has to be called after the last call was added.
    pub fn sort(&mut self) {
        base::sort::sort(&mut self.keys);
        self.sorted = true;
    }

    /// The call of a number that is nearest before a time.
    pub fn find(&self, process: i64, number: i64, at: i64) -> Option<u32> {
        debug_assert!(self.sorted, "calls are sorted before they are looked for");
        let same = |key: &&Key| (key.process, key.number) == (process, number);
        let after =
            self.keys.partition_point(|key| (key.process, key.number, key.start) <= (process, number, at));
        let before = after.checked_sub(1).and_then(|place| self.keys.get(place)).filter(same);
        before.or_else(|| self.keys.get(after).filter(same)).map(|key| key.call)
    }

    /// Ties operations to their calls: the number of each is given in their order.
    pub fn join(&self, draft: &mut Draft, process: impl Fn(u32) -> i64, numbers: &[Option<i64>]) {
        for (operation, number) in draft.operations.iter_mut().zip(numbers) {
            operation.call =
                number.and_then(|number| self.find(process(operation.stream), number, operation.start));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_call_before() {
        let mut joins = Joins::default();
        for (call, (process, number, start)) in
            [(1, 7, 100), (1, 7, 500), (2, 7, 90), (1, 8, 1)].into_iter().enumerate()
        {
            joins.add(process, number, start, call as u32);
        }
        joins.sort();
        for (process, number, at, expected) in [
            (1, 7, 499, Some(0)),
            (1, 7, 500, Some(1)),
            (1, 7, 9999, Some(1)),
            (1, 7, 50, Some(0)),
            (2, 7, 600, Some(2)),
            (3, 7, 600, None),
            (1, 9, 600, None),
        ] {
            assert_eq!(joins.find(process, number, at), expected, "{process} {number} {at}");
        }
    }
}
