//! Sorting what is woven of a few sorted lists: streams, threads and processes of which a recording has one thing after
//! the other.
//!
//! Each item goes behind the greatest of the lists' ends that is not greater than it, which keeps these ends in order, so
//! that the first that fits is the one. The standard sort then finds as many runs as there are lists, and merges them.

/// So many lists are looked for.
const MOST: usize = 16;

/// Sorts; equal items keep their order.
pub fn sort<T: Ord + Clone>(items: &mut Vec<T>) {
    let falls = items.windows(2).filter(|pair| pair[1] < pair[0]).take(MOST).count();
    if falls == 0 {
        return;
    }
    // Where they fall so seldom, one list lies after the other already.
    if falls == MOST
        && let Some((lists, counts)) = unwoven(items)
    {
        *items = apart(items, &lists, &counts);
    }
    items.sort();
}

/// To which list each item belongs, and how many each has; none where there are too many.
fn unwoven<T: Ord>(items: &[T]) -> Option<(Vec<u8>, Vec<usize>)> {
    let (mut lists, mut ends, mut counts) = (Vec::with_capacity(items.len()), Vec::new(), Vec::new());
    for item in items {
        let list = ends.iter().position(|&end| end <= item).unwrap_or(ends.len());
        if list == ends.len() {
            if list == MOST {
                return None;
            }
            ends.push(item);
            counts.push(0);
        }
        ends[list] = item;
        counts[list] += 1;
        lists.push(list as u8);
    }
    Some((lists, counts))
}

/// One list after the other: of equal items, the later one is never in an earlier list.
fn apart<T: Clone>(items: &[T], lists: &[u8], counts: &[usize]) -> Vec<T> {
    let mut next = vec![0; counts.len()];
    for list in 1..counts.len() {
        next[list] = next[list - 1] + counts[list - 1];
    }
    let mut from = vec![0; items.len()];
    for (place, &list) in lists.iter().enumerate() {
        from[next[usize::from(list)]] = place;
        next[usize::from(list)] += 1;
    }
    from.into_iter().map(|place| items[place].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seeded;

    /// Items that are equal in what they are sorted by can still be told apart.
    #[derive(Debug, Clone)]
    struct Item(u32, usize);

    impl PartialEq for Item {
        fn eq(&self, other: &Self) -> bool {
            self.0 == other.0
        }
    }

    impl Eq for Item {}

    impl PartialOrd for Item {
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
            Some(self.cmp(other))
        }
    }

    impl Ord for Item {
        fn cmp(&self, other: &Self) -> std::cmp::Ordering {
            self.0.cmp(&other.0)
        }
    }

    #[test]
    fn sorts_as_the_standard_library_does() {
        let mut rng = Seeded::new(5, 0);
        for turn in 0..600 {
            let (count, streams) = (rng.below(200), 1 + rng.below(30) as usize);
            let mut now = vec![0; streams];
            let mut items: Vec<Item> = (0..count as usize)
                .map(|place| {
                    let own = &mut now[rng.below(streams as u32) as usize];
                    *own = if turn % 7 == 0 { rng.below(20) } else { *own + rng.below(4) };
                    Item(*own, place)
                })
                .collect();
            let mut expected = items.clone();
            expected.sort();
            sort(&mut items);
            let told = |items: &[Item]| items.iter().map(|item| (item.0, item.1)).collect::<Vec<_>>();
            assert_eq!(told(&items), told(&expected));
        }
    }

    #[test]
    fn lists_are_told_apart() {
        assert_eq!(unwoven(&[1, 9, 2, 3, 9, 8]), Some((vec![0, 0, 1, 1, 0, 1], vec![3, 3])));
        assert_eq!(apart(&[1, 9, 2, 3, 9, 8], &[0, 0, 1, 1, 0, 1], &[3, 3]), [1, 9, 9, 2, 3, 8]);
        let falling: Vec<u32> = (0..=MOST as u32).rev().collect();
        assert_eq!(unwoven(&falling), None);
    }
}
