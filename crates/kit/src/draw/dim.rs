//! What does not match a search steps back: a veil over all of a picture's rows but for what was found.
//!
//! Invariant: the veil never lies twice over a place, never over a spot, and everywhere else within its edges.

use super::list::{DrawList, Ink};

/// A rectangle that stands out: its left and right edge, its top and bottom.
pub type Spot = (f64, f64, f64, f64);

/// No spot is narrower.
const NARROWEST: f64 = 3.0;
/// More spots than these in a row are as high as the row, so that they can be put together.
const MOST: usize = 1_500;

/// Spots of a row, from left to right.
#[derive(Debug, Clone, Default)]
pub struct Spots {
    all: Vec<Spot>,
}

impl Spots {
    /// Adds one; whole pixels, put together with the last where they touch and are as high.
    pub fn add(&mut self, (left, right): (f64, f64), (top, bottom): (f64, f64)) {
        let (left, right) = (left.floor(), right.ceil().max(left.floor() + NARROWEST));
        match self.all.last_mut() {
            Some(last) if (last.2, last.3) == (top, bottom) && (last.0..=last.1).contains(&left) => {
                last.1 = last.1.max(right);
            }
            _ => self.all.push((left, right, top, bottom)),
        }
    }

    /// Lays the veil over a row but for them.
    pub fn dim(self, list: &mut DrawList, (left, right): (f64, f64), (top, bottom): (f64, f64)) {
        let mut all = self.all;
        if all.len() > MOST {
            base::sort::sort_by(&mut all, |a, b| a.0.total_cmp(&b.0));
            let mut whole = Self::default();
            all.iter().for_each(|spot| whole.add((spot.0, spot.1), (top, bottom)));
            all = whole.all;
        }
        veil(list, (left, right, top, bottom), all);
    }
}

/// Lays a veil over a rectangle but for some spots.
pub fn veil(list: &mut DrawList, (left, right, top, bottom): Spot, mut spots: Vec<Spot>) {
    spots.retain(|spot| spot.1 > left && spot.0 < right && spot.3 > top && spot.2 < bottom);
    base::sort::sort_by(&mut spots, |a, b| a.0.total_cmp(&b.0));
    let mut edges = vec![left, right];
    edges.extend(spots.iter().flat_map(|spot| [spot.0, spot.1]).filter(|edge| (left..right).contains(edge)));
    base::sort::sort_by(&mut edges, f64::total_cmp);
    edges.dedup();
    let (mut next, mut active) = (0, Vec::<Spot>::new());
    let mut before: (f64, Vec<(f64, f64)>) = (left, Vec::new());
    for &edge in &edges {
        active.retain(|spot| spot.1 > edge);
        while spots.get(next).is_some_and(|spot| spot.0 <= edge) {
            active.extend(Some(spots[next]).filter(|spot| spot.1 > edge));
            next += 1;
        }
        let free = if edge < right { between(&active, (top, bottom)) } else { Vec::new() };
        if free != before.1 {
            for &(from, to) in &before.1 {
                list.rect((before.0, from), (edge - before.0, to - from), Ink::Future);
            }
            before = (edge, free);
        }
    }
}

/// What spots leave free of a height.
fn between(spots: &[Spot], (top, bottom): (f64, f64)) -> Vec<(f64, f64)> {
    let mut covered: Vec<(f64, f64)> = spots.iter().map(|spot| (spot.2, spot.3)).collect();
    base::sort::sort_by(&mut covered, |a, b| a.0.total_cmp(&b.0));
    let (mut free, mut at) = (Vec::new(), top);
    for (from, to) in covered {
        if from > at {
            free.push((at, from.min(bottom)));
        }
        at = at.max(to);
    }
    if at < bottom {
        free.push((at, bottom));
    }
    free
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::list::Mark;

    /// How often the veil lies over the middle of a pixel.
    fn over(list: &DrawList, (x, y): (f64, f64)) -> usize {
        let is = |mark: &&Mark| matches!(mark, Mark::Rect { x: left, y: top, w, h, .. } if (*left..left + w).contains(&x) && (*top..top + h).contains(&y));
        list.marks.iter().filter(is).count()
    }

    #[test]
    fn the_veil_lies_once_over_all_but_the_spots() {
        let mut rng = base::Seeded::new(4, 0);
        for round in 0..300 {
            let mut number = |below: u32| f64::from(rng.below(below));
            let spots: Vec<Spot> = (0..round % 9)
                .map(|_| {
                    let (x, y) = (number(40) - 4.0, number(20) - 4.0);
                    (x, x + 1.0 + number(12), y, y + 1.0 + number(9))
                })
                .collect();
            let mut list = DrawList::new(40.0, 20.0);
            veil(&mut list, (5.0, 35.0, 3.0, 17.0), spots.clone());
            for (x, y) in (0..40).flat_map(|x| (0..20).map(move |y| (f64::from(x) + 0.5, f64::from(y) + 0.5)))
            {
                let inside = (5.0..35.0).contains(&x) && (3.0..17.0).contains(&y);
                let spot = spots.iter().any(|s| (s.0..s.1).contains(&x) && (s.2..s.3).contains(&y));
                assert_eq!(over(&list, (x, y)), usize::from(inside && !spot), "{x} {y} {spots:?}");
            }
        }
    }

    #[test]
    fn many_spots_of_a_row_are_few_marks() {
        let mut spots = Spots::default();
        for at in 0..100_000 {
            spots.add((f64::from(at) / 100.0, f64::from(at) / 100.0), (0.0, f64::from(at % 7)));
        }
        let mut list = DrawList::new(1_000.0, 10.0);
        spots.dim(&mut list, (0.0, 1_010.0), (0.0, 10.0));
        assert!(list.marks.len() < 4, "{}", list.marks.len());
    }
}
