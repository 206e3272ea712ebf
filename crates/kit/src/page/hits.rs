//! How much a search field finds, and which of it is selected.

use base::people;

/// What is found, as a row of a list: what, where, how long.
pub type Listed = [String; 3];

/// How much is found, and which of it is selected, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hits {
    /// How much there is.
    pub of: usize,
    /// Which of it is selected.
    pub at: Option<usize>,
}

impl Hits {
    /// So much, of which nothing is selected.
    pub fn many(of: usize) -> Self {
        Self { of, at: None }
    }

    /// The place after the selected one, or before it, round and round, from 0; of nothing selected the first or last.
    pub fn beyond(self, back: bool) -> Option<usize> {
        let last = self.of.checked_sub(1)?;
        Some(match self.at {
            None if back => last,
            None => 0,
            Some(at) if back => at.checked_sub(2).filter(|&before| before <= last).unwrap_or(last),
            Some(at) if at > last => 0,
            Some(at) => at,
        })
    }

    /// `3 of 17`, or `17` while nothing is selected.
    pub fn told(self) -> String {
        let of = people::grouped(self.of as u128);
        match self.at.filter(|_| self.of > 1) {
            Some(at) => format!("{} of {of}", people::grouped(at as u128)),
            None => of,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_goes_round() {
        let hits = |of, at| Hits { of, at };
        assert_eq!((Hits::many(0).beyond(false), Hits::many(0).beyond(true)), (None, None));
        assert_eq!((Hits::many(3).beyond(false), Hits::many(3).beyond(true)), (Some(0), Some(2)));
        let way = |back| (1..=3).map(|at| hits(3, Some(at)).beyond(back)).collect::<Vec<_>>();
        assert_eq!(way(false), [Some(1), Some(2), Some(0)]);
        assert_eq!(way(true), [Some(2), Some(0), Some(1)]);
        // There may be less of it than there was.
        assert_eq!((hits(2, Some(9)).beyond(false), hits(1, Some(1)).beyond(true)), (Some(0), Some(0)));
    }

    #[test]
    fn it_is_told_in_a_word_or_three() {
        assert_eq!(Hits::many(1_234).told(), "1,234");
        assert_eq!(Hits { of: 17, at: Some(3) }.told(), "3 of 17");
        assert_eq!(Hits { of: 1, at: Some(1) }.told(), "1");
    }
}
