//! Layers of a graph in which every edge leads to the next one, put into an order with few crossings: barycentres,
//! to and fro, and the best order met (Sugiyama, Tagawa and Toda, 1981).

/// A graph in layers.
#[derive(Debug, Clone, Default)]
pub(super) struct Layers {
    /// What stands in each layer, from the top.
    pub(super) rows: Vec<Vec<usize>>,
    /// What leads to each item, from the layer before.
    pub(super) before: Vec<Vec<usize>>,
    /// What each item leads to, in the next layer.
    pub(super) after: Vec<Vec<usize>>,
}

/// Times that all layers are put in order, at the most.
const SWEEPS: usize = 16;
/// Sweeps without a better order after which it stays as it is.
const PATIENCE: usize = 4;

impl Layers {
    /// Layers of these numbers of items, each item in its layer, without edges.
    pub(super) fn new(layer: &[usize]) -> Self {
        let mut rows = vec![Vec::new(); layer.iter().max().map_or(0, |last| last + 1)];
        layer.iter().enumerate().for_each(|(item, &layer)| rows[layer].push(item));
        Self { rows, before: vec![Vec::new(); layer.len()], after: vec![Vec::new(); layer.len()] }
    }

    /// Joins an item to one of the next layer.
    pub(super) fn join(&mut self, from: usize, to: usize) {
        self.after[from].push(to);
        self.before[to].push(from);
    }

    /// Puts every layer into an order with few crossings.
    pub(super) fn sort(&mut self) {
        self.follow();
        let mut place = self.places();
        let mut best = (self.crossings(&place), self.rows.clone());
        let mut since = 0;
        for sweep in 0..SWEEPS {
            if best.0 == 0 || since == PATIENCE {
                break;
            }
            self.sweep(sweep % 2 == 0, &mut place);
            let crossings = self.crossings(&place);
            since += 1;
            if crossings < best.0 {
                best = (crossings, self.rows.clone());
                since = 0;
            }
        }
        self.rows = best.1;
    }

    /// A first order: what is met first when edges are followed comes first.
    fn follow(&mut self) {
        let mut seen = vec![false; self.after.len()];
        let mut rows = vec![Vec::new(); self.rows.len()];
        let mut layer = vec![0; self.after.len()];
        self.rows.iter().enumerate().for_each(|(at, row)| row.iter().for_each(|&item| layer[item] = at));
        let mut stack: Vec<usize> = self.rows.iter().flatten().rev().copied().collect();
        while let Some(item) = stack.pop() {
            if !std::mem::replace(&mut seen[item], true) {
                rows[layer[item]].push(item);
                stack.extend(self.after[item].iter().rev().filter(|&&next| !seen[next]));
            }
        }
        self.rows = rows;
    }

    fn places(&self) -> Vec<usize> {
        let mut place = vec![0; self.after.len()];
        self.rows.iter().for_each(|row| row.iter().enumerate().for_each(|(at, &item)| place[item] = at));
        place
    }

    fn sweep(&mut self, onward: bool, place: &mut [usize]) {
        let count = self.rows.len();
        for step in 1..count {
            let (at, near) = if onward { (step, &self.before) } else { (count - 1 - step, &self.after) };
            let row = &mut self.rows[at];
            let mut keyed: Vec<(f64, usize)> = row
                .iter()
                .map(|&item| match near[item].len() {
                    0 => (place[item] as f64, item),
                    some => (near[item].iter().map(|&n| place[n]).sum::<usize>() as f64 / some as f64, item),
                })
                .collect();
            base::sort::sort_by(&mut keyed, |a, b| a.0.total_cmp(&b.0));
            for (slot, (_, item)) in keyed.into_iter().enumerate() {
                (row[slot], place[item]) = (item, slot);
            }
        }
    }

    /// How many pairs of edges cross.
    pub(super) fn crossings(&self, place: &[usize]) -> usize {
        let mut ends = Vec::new();
        let mut sum = 0;
        for row in &self.rows {
            ends.clear();
            for &item in row {
                let first = ends.len();
                ends.extend(self.after[item].iter().map(|&next| place[next]));
                base::sort::sort(&mut ends[first..]);
            }
            let mut spare = ends.clone();
            sum += inversions(&mut ends, &mut spare);
        }
        sum
    }

    /// The crossings of the present order.
    #[cfg(test)]
    pub(super) fn crossed(&self) -> usize {
        self.crossings(&self.places())
    }
}

/// Pairs in the wrong order; sorts them.
fn inversions(list: &mut [usize], spare: &mut [usize]) -> usize {
    if list.len() < 2 {
        return 0;
    }
    let middle = list.len() / 2;
    let (left, right) = list.split_at_mut(middle);
    let (spare_left, spare_right) = spare.split_at_mut(middle);
    let mut sum = inversions(left, spare_left) + inversions(right, spare_right);
    let (mut i, mut j) = (0, 0);
    for slot in spare.iter_mut() {
        if j == right.len() || (i < left.len() && left[i] <= right[j]) {
            *slot = left[i];
            i += 1;
        } else {
            *slot = right[j];
            sum += left.len() - i;
            j += 1;
        }
    }
    list.copy_from_slice(spare);
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossings_are_counted_pair_by_pair() {
        let mut list = [3, 1, 2, 1];
        assert_eq!(inversions(&mut list.clone(), &mut list), 4);
    }

    #[test]
    fn a_tangled_ladder_is_untangled() {
        // Two rails of four steps, each drawn on the other side of the next.
        let mut layers = Layers::new(&[0, 0, 1, 1, 2, 2, 3, 3]);
        for (from, to) in [(0, 3), (1, 2), (3, 4), (2, 5), (4, 7), (5, 6)] {
            layers.join(from, to);
        }
        assert_eq!(layers.crossed(), 3);
        layers.sort();
        assert_eq!(layers.crossed(), 0);
    }
}
