//! The longest of many bars in a row, without looking at all of them: groups of bars, groups of such groups, and so on.
//!
//! Invariant: the answer is that of a walk over all, and of bars that are equally long it is the last.

use std::ops::Range;

/// How many bars, or groups, are in a group.
const FAN: usize = 16;

/// How long a bar is, and its place.
type Length = (f64, u32);

/// The longest of each group of bars; then of each group of those; up to one that has all.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Longest {
    levels: Vec<Vec<Length>>,
}

impl Longest {
    /// Of so many bars, whose lengths are asked for.
    pub(super) fn of(count: usize, length: impl Fn(usize) -> f64) -> Self {
        let group = |first: usize| {
            let bars = first..(first + FAN).min(count);
            bars.map(|bar| (length(bar), bar as u32)).reduce(longer)
        };
        let mut levels = vec![(0..count).step_by(FAN).filter_map(group).collect::<Vec<_>>()];
        while let Some(last) = levels.last().filter(|last| last.len() > FAN) {
            levels.push(groups(last));
        }
        Self { levels }
    }

    /// The longest of some of them.
    pub(super) fn within(&self, bars: Range<usize>, length: impl Fn(usize) -> f64) -> Option<usize> {
        let mut best = None::<Length>;
        let (mut from, mut to) = (bars.start, bars.end);
        let mut below = None::<&Vec<Length>>;
        let mut above = self.levels.iter();
        while from < to {
            let at = |place: usize| match below {
                Some(groups) => groups[place],
                None => (length(place), place as u32),
            };
            // What fills no group is looked at by itself, at both ends.
            let (first, last) = (from.next_multiple_of(FAN).min(to), to - to % FAN);
            let next = above.next().filter(|_| first < last);
            let ends = if next.is_some() { (from..first).chain(last..to) } else { (from..to).chain(to..to) };
            best = ends.map(at).chain(best).reduce(longer);
            let Some(next) = next else { break };
            (from, to, below) = (first / FAN, last / FAN, Some(next));
        }
        best.map(|(_, place)| place as usize)
    }
}

fn groups(all: &[Length]) -> Vec<Length> {
    all.chunks(FAN).filter_map(|group| group.iter().copied().reduce(longer)).collect()
}

fn longer(one: Length, other: Length) -> Length {
    if (other.0, other.1) > (one.0, one.1) { other } else { one }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_longest_that_a_walk_finds() {
        let lengths: Vec<f64> =
            (0..5_000u32).map(|bar| f64::from(bar.wrapping_mul(2_654_435_761) >> 22)).collect();
        let length = |bar: usize| lengths[bar];
        let longest = Longest::of(lengths.len(), length);
        let walked = |bars: Range<usize>| bars.reduce(|a, b| if lengths[b] >= lengths[a] { b } else { a });
        for from in (0..5_000).step_by(37) {
            for many in [0, 1, 2, 15, 16, 17, 31, 33, 255, 256, 257, 600, 4_097, 5_000] {
                let bars = from..(from + many).min(lengths.len());
                assert_eq!(longest.within(bars.clone(), length), walked(bars.clone()), "{bars:?}");
            }
        }
        assert_eq!(Longest::of(0, length).within(0..0, length), None);
    }
}
