//! What somebody may have meant who wrote a word that is none of those expected.

/// The word nearest to one that is none of them, if it is near: a letter more or less, another one, or two that changed
/// places; two such mistakes in a word of more than five letters, none in one of less than three. Capitals do not matter.
pub fn nearest<'a>(word: &str, among: &[&'a str]) -> Option<&'a str> {
    let word = letters(word);
    let most = match word.len() {
        0..3 => 0,
        3..6 => 1,
        _ => 2,
    };
    // What is much longer cannot be near, and must not cost anything.
    let near = among.iter().filter(|known| known.chars().count().abs_diff(word.len()) <= most);
    let measured = near.map(|known| (distance(&word, &letters(known)), *known));
    measured
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

fn letters(word: &str) -> Vec<char> {
    word.chars().flat_map(char::to_lowercase).take(64).collect()
}

/// How many such mistakes lead from one word to another.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows = [vec![0; b.len() + 1], (0..=b.len()).collect::<Vec<_>>(), vec![0; b.len() + 1]];
    for (i, &x) in a.iter().enumerate() {
        let [before, last, now] = &mut rows;
        now[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let least = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(now[j] + 1);
            let swapped = i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y;
            now[j + 1] = if swapped { least.min(before[j - 1] + 1) } else { least };
        }
        rows.rotate_left(1);
    }
    rows[1][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [&str; 6] = ["kernel", "count", "machine", "method", "L", "notes"];

    #[test]
    fn what_was_meant_is_found() {
        for (word, meant) in [
            ("cuont", "count"),
            ("Kernel", "kernel"),
            ("machin", "machine"),
            ("mehtods", "method"),
            ("l", "L"),
            ("note", "notes"),
        ] {
            assert_eq!(nearest(word, &KEYS), Some(meant), "{word}");
        }
    }

    #[test]
    fn what_is_far_away_is_not() {
        for word in ["", "x", "warps", "coat", "kern", "methodical", &"kernel".repeat(1_000)] {
            assert_eq!(nearest(word, &KEYS), None, "{word}");
        }
        assert_eq!(nearest("count", &[]), None);
    }

    #[test]
    fn distances_are_those_of_a_naive_twin() {
        fn naive(a: &[char], b: &[char]) -> usize {
            let (Some((x, left)), Some((y, right))) = (a.split_last(), b.split_last()) else {
                return a.len().max(b.len());
            };
            let mut least =
                (naive(left, right) + usize::from(x != y)).min(naive(left, b) + 1).min(naive(a, right) + 1);
            if let (Some((z, before)), Some((w, other))) = (left.split_last(), right.split_last())
                && x == w
                && z == y
            {
                least = least.min(naive(before, other) + 1);
            }
            least
        }
        let words = ["", "a", "ab", "ba", "abc", "acb", "cab", "abab", "baba", "aabb", "abcd"];
        for a in words {
            for b in words {
                let (a, b) = (letters(a), letters(b));
                assert_eq!(distance(&a, &b), naive(&a, &b), "{a:?} {b:?}");
            }
        }
    }
}
