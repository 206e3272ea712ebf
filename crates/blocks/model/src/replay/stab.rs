//! Which of many spans of steps contain a step: those that begin before it, in order, searched for late ends.
//!
//! A tree of maxima over the ends; finding `k` spans takes `k log n`.

/// Spans in the order in which they begin.
#[derive(Debug, Clone, Default)]
pub(super) struct Spans {
    /// The latest end below each node; the children of `i` are `2i` and `2i + 1`, leaves begin at `leaves`.
    latest: Vec<u32>,
    leaves: usize,
}

impl Spans {
    /// The spans with these ends.
    pub fn new(ends: &[u32]) -> Self {
        let leaves = ends.len().next_power_of_two();
        let mut latest = vec![0; 2 * leaves];
        latest[leaves..leaves + ends.len()].copy_from_slice(ends);
        for i in (1..leaves).rev() {
            latest[i] = latest[2 * i].max(latest[2 * i + 1]);
        }
        Self { latest, leaves }
    }

    /// Those of the first `count` that end after `step`, in order.
    pub fn open(&self, count: usize, step: u32, mut found: impl FnMut(usize)) {
        // Nodes to look at, with the first leaf and the number of leaves below each.
        let mut nodes = vec![(1, 0, self.leaves)];
        while let Some((node, first, size)) = nodes.pop() {
            if first >= count || self.latest.get(node).is_none_or(|&latest| latest <= step) {
                continue;
            }
            if size == 1 {
                found(first);
            } else {
                nodes.push((2 * node + 1, first + size / 2, size / 2));
                nodes.push((2 * node, first, size / 2));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seeded;

    #[test]
    fn finds_what_a_look_at_all_finds() {
        let mut rng = Seeded::new(1, 0);
        for size in 0..40 {
            let ends: Vec<u32> = (0..size).map(|_| rng.below(50)).collect();
            let spans = Spans::new(&ends);
            for _ in 0..20 {
                let (count, step) = (rng.below(size + 2) as usize, rng.below(50));
                let mut found = Vec::new();
                spans.open(count, step, |i| found.push(i));
                let all = ends.iter().enumerate().take(count).filter(|(_, end)| **end > step);
                assert_eq!(found, all.map(|(i, _)| i).collect::<Vec<_>>());
            }
        }
    }
}
