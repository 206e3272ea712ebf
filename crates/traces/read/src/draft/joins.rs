//! Which call an operation belongs to, by the number that both carry.
//!
//! Numbers are told apart by process. Where one occurs several times, because it wrapped around or because a runtime's
//! call made a driver's with the same number, the call that began last before the time asked for is taken; where all
//! began later (clocks differ), the first. Operations belong to calls whose names say that they launch something.

use super::Draft;
use super::calls::launches;

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

/// A call that begins longer than this after an operation did not launch it, however much clocks differ.
const SKEW: i64 = 1_000_000;

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

    /// The call of a number that launched something which began at a time: the last before, else the first after.
    fn launch(&self, process: i64, number: i64, at: i64, can: impl Fn(u32) -> bool) -> Option<u32> {
        let first = self.keys.partition_point(|key| (key.process, key.number) < (process, number));
        let same = self.keys.get(first..).unwrap_or_default().iter();
        let same = same.take_while(|key| (key.process, key.number) == (process, number));
        let mut found: Option<&Key> = None;
        for key in same.filter(|key| can(key.call)) {
            if key.start <= at || found.is_none() && key.start - at <= SKEW {
                found = Some(key);
            }
        }
        found.map(|key| key.call)
    }

    /// Ties operations to their calls: the number of each is given in their order.
    pub fn join(&self, draft: &mut Draft, process: impl Fn(u32) -> i64, numbers: &[Option<i64>]) {
        let Draft { operations, calls, names, .. } = draft;
        // A call whose name is not known can.
        let can = |call: u32| {
            let name = calls.get(call as usize).map_or("", |call| names.get(call.name));
            name.is_empty() || launches(name)
        };
        for (operation, number) in operations.iter_mut().zip(numbers) {
            // 0 stands for none.
            let number = number.filter(|&number| number != 0);
            operation.call = number
                .and_then(|number| self.launch(process(operation.stream), number, operation.start, can));
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
        // The call at 500 launches nothing; one that begins long after is another's.
        let launch = |number, at| joins.launch(1, number, at, |call| call != 1);
        assert_eq!([launch(7, 9999), launch(7, 50)], [Some(0), Some(0)]);
        assert_eq!([launch(7, -2 * SKEW), launch(9, 0)], [None, None]);
    }
}
