//! The rows of the listing: the instructions; between them the lines of the text that were not understood; and, while
//! another run is pinned, what of its code is no longer there.

use super::Seen;
use super::says;
use base::people::grouped;
use kit::page::compared::Way;

/// More pairs of lines than these are not held against each other.
const MOST_PAIRS: usize = 4_000_000;

/// A row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// An instruction, by its place in the code.
    Line(usize),
    /// One of the code that is pinned.
    Removed(usize),
    /// A line that was not understood, by its place in the report.
    LeftOut(usize),
}

/// What an instruction was in the code that is pinned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Was {
    /// It was not there.
    Added,
    /// It was the same.
    Same(usize),
    /// It was another one with the same opcode.
    Changed(usize),
}

/// Two codes line by line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Both {
    /// What each instruction was.
    pub was: Vec<Was>,
    /// The instructions that are gone, and before which place each stood.
    pub removed: Vec<(usize, usize)>,
}

impl Both {
    /// Holds the code of a result against that of another one.
    pub fn of(before: &Seen, after: &Seen) -> Self {
        let texts = |seen: &Seen| -> Vec<String> { seen.report.code.iter().map(says::full_text).collect() };
        Self::of_texts(&texts(before), &texts(after))
    }

    fn of_texts(before: &[String], after: &[String]) -> Self {
        let mut both = Self { was: Vec::with_capacity(after.len()), removed: Vec::new() };
        let (mut old, mut new) = (0, 0);
        for (a, b) in common(before, after).into_iter().chain([(before.len(), after.len())]) {
            both.gap((before, old..a), (after, new..b));
            if b < after.len() {
                both.was.push(Was::Same(a));
            }
            (old, new) = (a + 1, b + 1);
        }
        both
    }

    /// Lines between two that are the same: those with the same opcode were changed, in their order.
    fn gap(
        &mut self,
        (before, old): (&[String], std::ops::Range<usize>),
        (after, new): (&[String], std::ops::Range<usize>),
    ) {
        let mut from = old.start;
        for at in new {
            let own = after.get(at).map(|text| opcode(text));
            let same = (from..old.end).find(|&a| before.get(a).map(|text| opcode(text)) == own);
            match same {
                Some(a) => {
                    self.removed.extend((from..a).map(|gone| (at, gone)));
                    self.was.push(Was::Changed(a));
                    from = a + 1;
                }
                None => self.was.push(Was::Added),
            }
        }
        let end = self.was.len();
        self.removed.extend((from..old.end).map(|gone| (end, gone)));
    }

    /// The lines that are in both: of the one before, and of the one after.
    pub fn same(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.was.iter().enumerate().filter_map(|(at, was)| match was {
            Was::Same(old) => Some((*old, at)),
            _ => None,
        })
    }

    /// Whether no line differs.
    pub fn is_same(&self) -> bool {
        self.counts() == [0, 0, 0]
    }

    /// How many lines were added, removed and changed.
    pub fn counts(&self) -> [usize; 3] {
        let count = |of: fn(&Was) -> bool| self.was.iter().filter(|was| of(was)).count();
        [count(|was| *was == Was::Added), self.removed.len(), count(|was| matches!(was, Was::Changed(_)))]
    }
}

/// What an instruction begins with, without its guard and its modifiers.
fn opcode(text: &str) -> &str {
    let word = text.split(' ').find(|word| !word.starts_with('@')).unwrap_or_default();
    // One that has no text begins with its unit.
    word.split(['.', ',']).next().unwrap_or_default()
}

/// Pairs of equal lines, ascending, as many as there can be; where there is too much to hold against each other, those
/// at both ends.
fn common(before: &[String], after: &[String]) -> Vec<(usize, usize)> {
    let head = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let (rest, other) = (&before[head..], &after[head..]);
    let tail = rest.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    let (rest, other) = (&rest[..rest.len() - tail], &other[..other.len() - tail]);
    let mut pairs: Vec<(usize, usize)> = (0..head).map(|at| (at, at)).collect();
    if rest.len().saturating_mul(other.len()) <= MOST_PAIRS {
        pairs.extend(longest(rest, other).into_iter().map(|(a, b)| (a + head, b + head)));
    }
    pairs.extend((0..tail).map(|at| (before.len() - tail + at, after.len() - tail + at)));
    pairs
}

/// The longest sequence of lines that is in both.
fn longest(before: &[String], after: &[String]) -> Vec<(usize, usize)> {
    let wide = after.len() + 1;
    let mut long = vec![0u32; (before.len() + 1) * wide];
    for a in (0..before.len()).rev() {
        for b in (0..after.len()).rev() {
            let here = a * wide + b;
            long[here] = match before[a] == after[b] {
                true => long[here + wide + 1] + 1,
                false => long[here + wide].max(long[here + 1]),
            };
        }
    }
    let (mut a, mut b, mut pairs) = (0, 0, Vec::new());
    while a < before.len() && b < after.len() {
        let here = a * wide + b;
        if before[a] == after[b] {
            pairs.push((a, b));
            (a, b) = (a + 1, b + 1);
        } else if long[here + wide] >= long[here + 1] {
            a += 1;
        } else {
            b += 1;
        }
    }
    pairs
}

/// The rows of a listing, beside what is pinned where something is.
pub fn rows(seen: &Seen, both: Option<&Both>) -> Vec<Row> {
    let (mut gone, mut left) = (
        both.map_or(&[][..], |both| &both.removed).iter().peekable(),
        seen.report.left_out.iter().enumerate().peekable(),
    );
    let mut rows = Vec::with_capacity(seen.report.code.len());
    for at in 0..=seen.report.code.len() {
        while let Some((which, _)) = left.next_if(|(_, own)| own.0 <= at) {
            rows.push(Row::LeftOut(which));
        }
        while let Some((_, old)) = gone.next_if(|own| own.0 <= at) {
            rows.push(Row::Removed(*old));
        }
        if at < seen.report.code.len() {
            rows.push(Row::Line(at));
        }
    }
    rows
}

/// Cycles that warps waited before a line.
pub fn cycles_before(seen: &Seen, line: usize) -> u64 {
    let waited = seen.report.code.get(line).map(says::waited).unwrap_or_default();
    waited.iter().map(|(_, cycles)| cycles).sum()
}

/// How many more cycles were waited before a line than before the same one that is pinned: with its sign, and which way
/// that is. Nothing for a line that was not there.
pub fn more(seen: &Seen, pinned: &Seen, both: &Both, line: usize) -> Option<(String, Way)> {
    let (Was::Same(old) | Was::Changed(old)) = *both.was.get(line)? else { return None };
    let (before, after) = (cycles_before(pinned, old), cycles_before(seen, line));
    let size = grouped(before.abs_diff(after).into());
    Some(match before.cmp(&after) {
        std::cmp::Ordering::Equal => ("±0".to_owned(), Way::Same),
        std::cmp::Ordering::Less => (format!("+{size}"), Way::Worse),
        std::cmp::Ordering::Greater => (format!("−{size}"), Way::Better),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(all: &str) -> Vec<String> {
        all.split(", ").filter(|text| !text.is_empty()).map(str::to_owned).collect()
    }

    fn both(before: &str, after: &str) -> Both {
        Both::of_texts(&texts(before), &texts(after))
    }

    #[test]
    fn equal_code_differs_nowhere() {
        let both = both("MOV R1, LDG R2, EXIT", "MOV R1, LDG R2, EXIT");
        assert!(both.is_same());
        assert_eq!(both.same().collect::<Vec<_>>(), [(0, 0), (1, 1), (2, 2)]);
    }

    #[test]
    fn lines_are_added_removed_and_changed() {
        let own = both("MOV R1, LDG R2, FADD R3, EXIT", "MOV R1, LDG R9, EXIT, NOP");
        assert_eq!(own.was, [Was::Same(0), Was::Changed(1), Was::Same(3), Was::Added]);
        assert_eq!(own.removed, [(2, 2)]);
        assert_eq!(own.counts(), [1, 1, 1]);
        let own = both("", "EXIT");
        assert_eq!((own.was, own.removed), (vec![Was::Added], vec![]));
        let own = both("MOV R1, EXIT", "");
        assert_eq!((own.was, own.removed), (vec![], vec![(0, 0), (0, 1)]));
    }

    #[test]
    fn what_moved_is_found_again() {
        let own = both("A, B, C, D, E", "C, D, A, B, E");
        assert_eq!(own.same().count(), 3);
        assert_eq!(own.was.len(), 5);
        assert_eq!(own.removed.len() + own.same().count() + own.counts()[2], 5);
    }

    #[test]
    fn a_guard_and_modifiers_are_no_part_of_an_opcode() {
        assert_eq!([opcode("@!P0 LDG.E R2"), opcode("EXIT"), opcode("@P0")], ["LDG", "EXIT", ""]);
    }

    #[test]
    fn every_line_of_both_has_its_row() {
        // Whatever the codes are, no line is lost and none is there twice.
        for (before, after) in
            [("A, B, C", "B, X, C, Y"), ("A x, A y, A z", "A q, A y, B"), ("", "A"), ("A, A", "A")]
        {
            let own = both(before, after);
            let kept = own.was.iter().filter(|was| **was != Was::Added).count();
            assert_eq!(own.was.len(), texts(after).len(), "{before} {after}");
            assert_eq!(own.removed.len() + kept, texts(before).len(), "{before} {after}");
            assert!(own.removed.is_sorted_by_key(|gone| gone.0), "{own:?}");
        }
    }
}
