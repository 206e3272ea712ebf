//! Sorting in little code: one sort of places for all types.
//!
//! The page's wasm is loaded by everyone who opens the page, and the standard library's sorts are compiled
//! anew for every type and every order. What is sorted there is short or rare.

use std::cmp::Ordering;

/// Sorts by an order; equal items keep theirs.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut from = places(items.len(), &|a, b| compare(&items[a], &items[b]));
    // Cycle by cycle: each place takes its item and leaves its own to the place that comes next.
    for start in 0..from.len() {
        let mut to = start;
        loop {
            let source = std::mem::replace(&mut from[to], to);
            if source == start || source == to {
                break;
            }
            items.swap(to, source);
            to = source;
        }
    }
}

/// Sorts by a key; equal items keep their order.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// Sorts ascending.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, Ord::cmp);
}

/// From which place each item comes when all are sorted.
fn places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|&a, &b| compare(a, b));
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seeded;

    #[test]
    fn sorts_as_the_standard_library_does() {
        let mut rng = Seeded::new(3, 0);
        for count in 0..200 {
            let items: Vec<(u32, u32)> = (0..count).map(|i| (rng.below(1 + count / 3), i)).collect();
            let (mut ours, mut theirs) = (items.clone(), items.clone());
            sort_by_key(&mut ours, |item| item.0);
            theirs.sort_by_key(|item| item.0);
            assert_eq!(ours, theirs);
            sort_by(&mut ours, |a, b| b.cmp(a));
            theirs.sort_by(|a, b| b.cmp(a));
            assert_eq!(ours, theirs);
            sort(&mut ours);
            theirs.sort_unstable();
            assert_eq!(ours, theirs);
        }
    }
}
