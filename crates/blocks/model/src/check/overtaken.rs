//! Who was before whom in a queue for sure, and which of those was there the longest.
//!
//! One entered before another for sure if it did so however the clock of the host is set against that of the
//! device. With times of call `L`, times of release `R`, clocks apart by at most `c` and tolerance `e`, J is before
//! K for sure if and only if `R_J + e < max(L_K - c, R_K)` and `L_J + e < max(L_K, R_K - c)`: two conditions on J,
//! so a sweep over one and a tree over the other find the longest in `n log n`.

use super::facts::Facts;
use super::streams::Entry;
use base::Nanos;

/// One that was before another in its queue, and until when it was there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Longest {
    pub until: Nanos,
    pub whom: usize,
}

/// For each of the operations of one queue, given in the order of issue, the one that was before it for sure and
/// stayed the longest.
pub(super) fn longest_before(facts: &Facts, entries: &[Entry], queue: &[usize]) -> Vec<Option<Longest>> {
    let mut found = sure(facts, entries, queue);
    if facts.is_exact() {
        tied(facts, entries, queue, &mut found);
    }
    found
}

fn sure(facts: &Facts, entries: &[Entry], queue: &[usize]) -> Vec<Option<Longest>> {
    let (tolerance, clocks) = (facts.config.tolerance, facts.config.clocks);
    let by_release = sorted(queue.len(), |i| entries[queue[i]].released.1);
    let mut calls: Vec<Nanos> = queue.iter().map(|&op| entries[op].issued.1).collect();
    base::sort::sort(&mut calls);
    calls.dedup();
    let bound = |i: usize| {
        let Entry { issued: (issued, _), released: (released, _), .. } = entries[queue[i]];
        ((issued - clocks).max(released), issued.max(released - clocks))
    };
    let mut tree = Tree(vec![None; calls.len()]);
    let mut found = vec![None; queue.len()];
    let mut next = by_release.iter().copied().peekable();
    for i in sorted(queue.len(), |i| bound(i).0) {
        let (release, call) = bound(i);
        // What had nothing to wait for has no time of release: its call alone counts.
        let is_released = |at: Nanos| at == Nanos::ZERO || at + tolerance < release;
        while let Some(j) = next.next_if(|&j| is_released(entries[queue[j]].released.1)) {
            let rank = calls.partition_point(|&at| at < entries[queue[j]].issued.1);
            tree.raise(rank, Longest { until: facts.ops[queue[j]].queued_until, whom: queue[j] });
        }
        found[i] = tree.longest_below(calls.partition_point(|&at| at + tolerance < call));
    }
    found
}

/// Of those that enter at one instant, all times being exact, the first issued is the first in the queue, unless
/// something that both began and ended at that instant let one of them in later.
fn tied(facts: &Facts, entries: &[Entry], queue: &[usize], found: &mut [Option<Longest>]) {
    let at = |i: usize| entries[queue[i]].entered_by(Nanos::ZERO);
    let by_time = sorted(queue.len(), at);
    for group in by_time.chunk_by(|&a, &b| at(a) == at(b)) {
        if group.first().is_none_or(|&first| facts.is_twice(at(first))) {
            continue;
        }
        let mut longest: Option<Longest> = None;
        for &i in group.iter().filter(|&&i| !entries[queue[i]].early) {
            found[i] = later(found[i], longest);
            let own = Longest { until: facts.ops[queue[i]].queued_until, whom: queue[i] };
            longest = later(longest, Some(own));
        }
    }
}

fn later(a: Option<Longest>, b: Option<Longest>) -> Option<Longest> {
    if b.map(|b| b.until) > a.map(|a| a.until) { b } else { a }
}

/// Indices from 0, ascending by a time; of equal times, ascending.
fn sorted(count: usize, time: impl Fn(usize) -> Nanos) -> Vec<usize> {
    let mut keys: Vec<(Nanos, usize)> = (0..count).map(|i| (time(i), i)).collect();
    base::sort::sort(&mut keys);
    keys.into_iter().map(|(_, i)| i).collect()
}

/// The longest of a prefix (Fenwick's tree).
struct Tree(Vec<Option<Longest>>);

impl Tree {
    fn raise(&mut self, rank: usize, value: Longest) {
        let mut at = rank + 1;
        while at <= self.0.len() {
            self.0[at - 1] = later(self.0[at - 1], Some(value));
            at += at & at.wrapping_neg();
        }
    }

    fn longest_below(&self, count: usize) -> Option<Longest> {
        let (mut at, mut found) = (count, None);
        while at > 0 {
            found = later(found, self.0[at - 1]);
            at &= at - 1;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seeded;

    #[test]
    fn the_tree_finds_what_a_search_finds() {
        let mut rng = Seeded::new(5, 0);
        for size in 1..40 {
            let (mut tree, mut plain) = (Tree(vec![None; size]), vec![None; size]);
            for whom in 0..60 {
                let rank = rng.below(size as u32) as usize;
                let value = Longest { until: Nanos(u64::from(rng.below(1_000_000))), whom };
                tree.raise(rank, value);
                plain[rank] = later(plain[rank], Some(value));
                let count = rng.below(size as u32 + 1) as usize;
                let expected = plain[..count].iter().fold(None, |found, &value| later(found, value));
                assert_eq!(tree.longest_below(count), expected);
            }
        }
    }
}
