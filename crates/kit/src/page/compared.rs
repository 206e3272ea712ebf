//! Numbers before and after: what changed between a result that was pinned and the one on the screen.

/// Which way something went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// It got better.
    Better,
    /// It got worse.
    Worse,
    /// It is as it was.
    Same,
    /// It is neither better nor worse.
    Other,
}

impl Way {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Same => "same",
            Self::Other => "changed",
        }
    }

    /// Of a number of which less is better, by how much more there is.
    pub fn of(more: i64) -> Self {
        match more {
            0 => Self::Same,
            more if more < 0 => Self::Better,
            _ => Self::Worse,
        }
    }
}

/// A difference, to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Before, and after.
    pub both: [String; 2],
    /// With its sign; empty where there is no number.
    pub more: String,
    /// Which way.
    pub way: Way,
}

/// What a number means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Good {
    /// Less of it is better.
    Less,
    /// More of it is.
    More,
    /// Neither.
    Neither,
}

impl Difference {
    /// Of two numbers, each as people read it.
    pub fn of([before, after]: [u64; 2], good: Good, said: &dyn Fn(u64) -> String) -> Self {
        let size = said(before.abs_diff(after));
        let (more, way) = match (before.cmp(&after), good) {
            (std::cmp::Ordering::Equal, _) => (size, Way::Same),
            (less, good) => {
                let more = less.is_lt();
                let way = match good {
                    Good::Neither => Way::Other,
                    Good::Less if more => Way::Worse,
                    Good::More if !more => Way::Worse,
                    _ => Way::Better,
                };
                (format!("{}{size}", if more { '+' } else { '−' }), way)
            }
        };
        Self { both: [said(before), said(after)], more, way }
    }

    /// Of two texts.
    pub fn of_texts(before: String, after: String) -> Self {
        let way = if before == after { Way::Same } else { Way::Other };
        Self { both: [before, after], more: String::new(), way }
    }
}

/// Something that may have changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What it is called.
    pub name: String,
    /// How.
    pub difference: Difference,
}

impl Change {
    /// Of a number.
    pub fn number(name: impl Into<String>, both: [u64; 2], good: Good, said: &dyn Fn(u64) -> String) -> Self {
        Self { name: name.into(), difference: Difference::of(both, good, said) }
    }

    /// Of a text.
    pub fn text(name: impl Into<String>, before: String, after: String) -> Self {
        Self { name: name.into(), difference: Difference::of_texts(before, after) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_has_a_sign_and_a_way() {
        let of = |both, good| {
            let own = Difference::of(both, good, &|n| n.to_string());
            (own.more, own.way)
        };
        assert_eq!(of([5, 3], Good::Less), ("−2".to_owned(), Way::Better));
        assert_eq!(of([3, 5], Good::Less), ("+2".to_owned(), Way::Worse));
        assert_eq!(of([3, 5], Good::More), ("+2".to_owned(), Way::Better));
        assert_eq!(of([5, 3], Good::More), ("−2".to_owned(), Way::Worse));
        assert_eq!(of([5, 3], Good::Neither), ("−2".to_owned(), Way::Other));
        assert_eq!(of([4, 4], Good::Less), ("0".to_owned(), Way::Same));
        let texts = |before: &str| Difference::of_texts(before.to_owned(), "a".to_owned()).way;
        assert_eq!((texts("a"), texts("b")), (Way::Same, Way::Other));
    }
}
