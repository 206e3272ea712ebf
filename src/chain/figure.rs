//! A number and what it is worth, and what is known of a worst case from both sides.
//!
//! Invariant: a sum or a maximum is worth no more than the least of what goes into it, and keeps the name of the
//! link that made it so.

use super::units::{Cycles, GpuClock};
use crate::base::Nanos;

/// What a number is worth, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The worst case itself, proven.
    Exact,
    /// As the document says.
    Given,
    /// Proven not to be exceeded.
    Upper,
    /// Proven to be reached.
    Lower,
    /// True under an assumption that nobody has proven.
    Simulated,
}

/// A number, what it is worth, and where it is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure<T> {
    /// How much.
    pub value: T,
    /// What it is worth.
    pub kind: Kind,
    /// Where it is from, in a sentence.
    pub why: String,
    /// The link that makes it worth no more: the name of a kernel or a task.
    pub blame: Option<String>,
}

/// What is known of a worst case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bracket<T> {
    /// It is no less.
    pub lower: Option<Figure<T>>,
    /// It is no more.
    pub upper: Option<Figure<T>>,
}

impl<T> Figure<T> {
    /// A number of that worth.
    pub fn new(value: T, kind: Kind, why: impl Into<String>) -> Self {
        Self { value, kind, why: why.into(), blame: None }
    }

    /// The same with the name of who makes it worth no more.
    #[must_use]
    pub fn blaming(mut self, name: &str) -> Self {
        self.blame = Some(name.to_owned());
        self
    }

    /// The same for another reason.
    #[must_use]
    pub fn because(mut self, why: impl Into<String>) -> Self {
        self.why = why.into();
        self
    }

    /// The same, worth no more than that.
    #[must_use]
    pub fn at_most(mut self, kind: Kind) -> Self {
        self.kind = self.kind.max(kind);
        self
    }

    /// Another number that follows from this one.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Figure<U> {
        Figure { value: change(self.value), kind: self.kind, why: self.why, blame: self.blame }
    }
}

impl Figure<Nanos> {
    /// The sum of several, told in one sentence; nothing where one is not known or the sum fits no 64 bits.
    pub fn sum<'a>(
        parts: impl IntoIterator<Item = Option<&'a Self>>,
        why: impl Into<String>,
    ) -> Option<Self> {
        let mut sum = Self::new(Nanos::ZERO, Kind::Exact, why);
        for part in parts {
            let part = part?;
            sum.value = Nanos(sum.value.0.checked_add(part.value.0)?);
            sum.note(part.kind, part.blame.as_deref());
        }
        Some(sum)
    }

    /// It is worth no more than this.
    pub fn note(&mut self, kind: Kind, blame: Option<&str>) {
        if kind > self.kind || self.blame.is_none() && kind == self.kind {
            self.kind = kind;
            self.blame = blame.map(str::to_owned);
        }
    }
}

impl<T> Bracket<T> {
    /// Nothing is known.
    pub const OPEN: Self = Self { lower: None, upper: None };
}

impl<T: Clone> Bracket<T> {
    /// Both sides are the same.
    pub fn both(figure: Figure<T>) -> Self {
        Self { lower: Some(figure.clone()), upper: Some(figure) }
    }
}

impl<T> Bracket<T> {
    /// The same under an assumption, if there is one: nothing of it is proven.
    #[must_use]
    pub fn provided(self, assumed: Option<&str>) -> Self {
        let Some(assumed) = assumed else { return self };
        let only = |figure: Figure<T>| {
            if figure.why.ends_with(assumed) {
                return figure;
            }
            let why = format!("{}; it rests on what its PTX leaves open: {assumed}", figure.why);
            figure.because(why).at_most(Kind::Simulated)
        };
        Self { lower: self.lower.map(only), upper: self.upper.map(only) }
    }
}

impl<T: Copy + PartialEq> Bracket<T> {
    /// Exact where both sides are proven and meet, else from one to the other.
    pub fn between(lower: T, upper: T, why_lower: impl Into<String>, why_upper: impl Into<String>) -> Self {
        if lower == upper {
            return Self::both(Figure::new(upper, Kind::Exact, why_upper));
        }
        Self {
            lower: Some(Figure::new(lower, Kind::Lower, why_lower)),
            upper: Some(Figure::new(upper, Kind::Upper, why_upper)),
        }
    }

    /// The same with the name of who is to blame.
    #[must_use]
    pub fn blaming(self, name: &str) -> Self {
        let blamed = |figure: Option<Figure<T>>| figure.map(|figure| figure.blaming(name));
        Self { lower: blamed(self.lower), upper: blamed(self.upper) }
    }
}

impl<T: Copy + Ord> Bracket<T> {
    /// The maximum of two: of each side the larger one. An upper side rests on both, so an assumption of either stays.
    #[must_use]
    pub fn later(self, other: Self) -> Self {
        let lower = match (self.lower, other.lower) {
            (Some(a), Some(b)) if (b.value, a.kind) > (a.value, b.kind) => Some(b),
            (Some(a), Some(_)) => Some(a),
            (a, b) => a.or(b),
        };
        let upper = self.upper.zip(other.upper).map(|(a, b)| {
            let (mut more, less) = if b.value > a.value { (b, a) } else { (a, b) };
            if less.kind == Kind::Simulated && more.kind != Kind::Simulated {
                (more.kind, more.blame) = (less.kind, less.blame);
            }
            more
        });
        Self { lower, upper }.met()
    }

    /// Exact where both sides are proven and meet.
    #[must_use]
    pub fn met(mut self) -> Self {
        if let (Some(lower), Some(upper)) = (&mut self.lower, &mut self.upper)
            && lower.value == upper.value
            && matches!(lower.kind, Kind::Exact | Kind::Lower)
            && matches!(upper.kind, Kind::Exact | Kind::Upper)
        {
            (lower.kind, upper.kind) = (Kind::Exact, Kind::Exact);
        }
        self
    }
}

impl Bracket<Cycles> {
    /// The same in nanoseconds: the lower side rounded down, the upper side up.
    pub fn timed(&self, clock: GpuClock) -> Bracket<Nanos> {
        let whole = |cycles: Cycles| clock.up(cycles) == clock.down(cycles);
        let turned = |figure: &Figure<Cycles>, time: Option<Nanos>, rounded: Kind| {
            let Figure { value: cycles, kind, why, blame } = figure.clone();
            let (kind, how) = match kind {
                Kind::Exact if !whole(cycles) => (rounded, ", rounded to the safe side"),
                kind if !whole(cycles) => (kind, ", rounded to the safe side"),
                kind => (kind, ""),
            };
            let why = format!("{} cycles ({why}) at {clock}{how}", cycles.0);
            time.map(|value| Figure { value, kind, why, blame })
        };
        Bracket {
            lower: self
                .lower
                .as_ref()
                .and_then(|figure| turned(figure, clock.down(figure.value), Kind::Lower)),
            upper: self.upper.as_ref().and_then(|figure| turned(figure, clock.up(figure.value), Kind::Upper)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(value: u64, kind: Kind) -> Figure<Nanos> {
        Figure::new(Nanos(value), kind, "").blaming(&format!("{kind:?}"))
    }

    #[test]
    fn a_sum_is_worth_its_weakest_part() {
        let parts = [figure(1, Kind::Given), figure(2, Kind::Simulated), figure(3, Kind::Upper)];
        let sum = Figure::sum(parts.iter().map(Some), "all").expect("it is small");
        assert_eq!(
            (sum.value, sum.kind, sum.blame.as_deref()),
            (Nanos(6), Kind::Simulated, Some("Simulated"))
        );
        assert_eq!(Figure::sum([Some(&parts[0]), None], "all"), None);
        assert_eq!(Figure::sum([Some(&figure(u64::MAX, Kind::Given)), Some(&parts[0])], "all"), None);
    }

    #[test]
    fn a_clock_takes_exactness_away_where_it_rounds() {
        let cycles = Bracket::between(Cycles(10), Cycles(10), "", "");
        let kinds = |bracket: Bracket<Nanos>| {
            (bracket.lower.map(|f| (f.value.0, f.kind)), bracket.upper.map(|f| (f.value.0, f.kind)))
        };
        let exact = Some((10, Kind::Exact));
        assert_eq!(kinds(cycles.timed(GpuClock::new(1_000_000_000))), (exact, exact));
        let rounded = (Some((3, Kind::Lower)), Some((4, Kind::Upper)));
        assert_eq!(kinds(cycles.timed(GpuClock::new(3_000_000_000))), rounded);
    }

    #[test]
    fn the_later_of_two_is_exact_only_where_both_sides_meet() {
        let a = Bracket { lower: Some(figure(3, Kind::Lower)), upper: Some(figure(5, Kind::Upper)) };
        let b = Bracket::both(figure(5, Kind::Exact));
        let later = a.later(b);
        assert_eq!(later.lower.map(|f| (f.value.0, f.kind)), Some((5, Kind::Exact)));
        assert_eq!(later.upper.map(|f| (f.value.0, f.kind)), Some((5, Kind::Exact)));
    }
}
