//! A number and what it is worth, and what is known of a worst case from both sides.
//!
//! Invariants:
//! 1. What a figure is worth is not set but follows: whatever rests on something that nobody has proven is
//!    [`Evidence::Simulated`], and so is all that is made of it. No figure is made without saying what it rests on, and
//!    nothing takes that away again.
//! 2. A side of a bracket is [`Evidence::Exact`] only where the other side is the same number, and both are proven.
//! 3. A sum or a maximum is worth no more than the least of what goes into it, and keeps the name of the link that made
//!    it so.

use super::provenance::{Assumptions, Sides};
use super::units::{Cycles, GpuClock};
use base::Nanos;
use base::people::grouped;

/// What a number is worth, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
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

/// What is shown of a number, provided that what it rests on is so; the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Proof {
    /// It is the worst case itself.
    Exact,
    /// It is what the document says.
    Given,
    /// It is not exceeded.
    Upper,
    /// It is reached.
    Lower,
}

/// A number, what it rests on, and where it is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Valued<T> {
    /// How much.
    pub value: T,
    /// Where it is from, in a sentence.
    pub why: String,
    /// The link that makes it worth no more: the name of a kernel or a task.
    pub blame: Option<String>,
    proof: Proof,
    rests: Assumptions,
}

/// What is known of a worst case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bracket<T> {
    lower: Option<Valued<T>>,
    upper: Option<Valued<T>>,
}

impl<T> Valued<T> {
    /// A number of which so much is shown, if what it rests on is so.
    pub fn new(value: T, proof: Proof, rests: Assumptions, why: impl Into<String>) -> Self {
        Self { value, why: why.into(), blame: None, proof, rests }
    }

    /// What it is worth.
    pub fn kind(&self) -> Evidence {
        match self.proof {
            _ if !self.rests.is_proven() => Evidence::Simulated,
            Proof::Exact => Evidence::Exact,
            Proof::Given => Evidence::Given,
            Proof::Upper => Evidence::Upper,
            Proof::Lower => Evidence::Lower,
        }
    }

    /// What it rests on.
    pub fn rests(&self) -> &Assumptions {
        &self.rests
    }

    /// Whether it is worth what its proof says.
    pub fn is_proven(&self) -> bool {
        self.rests.is_proven()
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

    /// The same, with no more shown than that.
    #[must_use]
    pub fn at_most(mut self, proof: Proof) -> Self {
        self.proof = self.proof.max(proof);
        self
    }

    /// The same, resting on that, too. Whoever brings the first reason is to blame.
    #[must_use]
    pub fn resting(mut self, on: &Assumptions, name: Option<&str>) -> Self {
        if self.rests.is_proven() && !on.is_proven() {
            self.blame = name.map(str::to_owned).or(self.blame);
        }
        self.rests.add(on);
        self
    }

    /// Another number that follows from this one.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Valued<U> {
        let Self { value, why, blame, proof, rests } = self;
        Valued { value: change(value), why, blame, proof, rests }
    }

    /// It is worth no more than this one, whose number goes into it.
    pub fn note<U>(&mut self, part: &Valued<U>) {
        let before = self.kind();
        self.proof = self.proof.max(part.proof);
        self.rests.add(&part.rests);
        if self.kind() > before || self.blame.is_none() && part.kind() == before {
            self.blame.clone_from(&part.blame);
        }
    }
}

impl Valued<Nanos> {
    /// The sum of several, told in one sentence; nothing where one is not known or the sum fits no 64 bits.
    pub fn sum<'a>(
        parts: impl IntoIterator<Item = Option<&'a Self>>,
        why: impl Into<String>,
    ) -> Option<Self> {
        let mut sum = Self::new(Nanos::ZERO, Proof::Exact, Assumptions::NOTHING, why);
        for part in parts {
            let part = part?;
            sum.value = Nanos(sum.value.0.checked_add(part.value.0)?);
            sum.note(part);
        }
        Some(sum)
    }
}

impl<T> Bracket<T> {
    /// Nothing is known.
    pub const OPEN: Self = Self { lower: None, upper: None };

    /// It is no less than this, if anything is known.
    pub fn lower(&self) -> Option<&Valued<T>> {
        self.lower.as_ref()
    }

    /// It is no more than this, if anything is known.
    pub fn upper(&self) -> Option<&Valued<T>> {
        self.upper.as_ref()
    }

    /// The same with the name of who is to blame.
    #[must_use]
    pub fn blaming(self, name: &str) -> Self {
        let blamed = |figure: Option<Valued<T>>| figure.map(|figure| figure.blaming(name));
        Self { lower: blamed(self.lower), upper: blamed(self.upper) }
    }
}

impl<T: Copy + PartialEq> Bracket<T> {
    /// From one side to the other: exact where both are proven and meet, and only there.
    pub fn of(lower: Option<Valued<T>>, upper: Option<Valued<T>>) -> Self {
        let (mut lower, mut upper) = (lower, upper);
        let both = lower.as_ref().zip(upper.as_ref());
        let meet = both.is_some_and(|(lower, upper)| lower.value == upper.value);
        let shown = both.is_some_and(|(lower, upper)| {
            matches!(lower.proof, Proof::Exact | Proof::Lower)
                && matches!(upper.proof, Proof::Exact | Proof::Upper)
        });
        let firm = both.is_some_and(|(lower, upper)| lower.rests.is_proven() && upper.rests.is_proven());
        for (side, worth) in [(&mut lower, Proof::Lower), (&mut upper, Proof::Upper)] {
            if let Some(figure) = side {
                figure.proof = match figure.proof {
                    _ if meet && shown && firm => Proof::Exact,
                    Proof::Exact if !(meet && firm) => worth,
                    other => other,
                };
            }
        }
        Self { lower, upper }
    }

    /// What the document says, from one side to the other.
    pub fn said(lower: T, upper: T, on: &Sides, why: &str) -> Self {
        let figure =
            |value: T, rests: &Assumptions| Some(Valued::new(value, Proof::Given, rests.clone(), why));
        Self::of(figure(lower, &on.lower), figure(upper, &on.upper))
    }

    /// Both sides proven: exact where they meet, else from one to the other.
    pub fn between(
        (lower, why_lower): (T, impl Into<String>),
        (upper, why_upper): (T, impl Into<String>),
        on: &Sides,
    ) -> Self {
        let why_upper = why_upper.into();
        let why_lower = if lower == upper { why_upper.clone() } else { why_lower.into() };
        Self::of(
            Some(Valued::new(lower, Proof::Lower, on.lower.clone(), why_lower)),
            Some(Valued::new(upper, Proof::Upper, on.upper.clone(), why_upper)),
        )
    }

    /// The same, resting on that, too.
    #[must_use]
    pub fn resting(self, on: &Sides, name: Option<&str>) -> Self {
        let Self { lower, upper } = self;
        Self::of(
            lower.map(|figure| figure.resting(&on.lower, name)),
            upper.map(|figure| figure.resting(&on.upper, name)),
        )
    }
}

impl<T: Copy + Ord> Bracket<T> {
    /// The maximum of two: of each side the larger one. An upper side rests on what both do. A lower side is that
    /// of one of them: a proven one where there is one.
    #[must_use]
    pub fn later(self, other: Self) -> Self {
        let lower = match (self.lower, other.lower) {
            (Some(a), Some(b)) => {
                let key =
                    |figure: &Valued<T>| (figure.is_proven(), figure.value, std::cmp::Reverse(figure.proof));
                Some(if key(&b) > key(&a) { b } else { a })
            }
            (a, b) => a.or(b),
        };
        let upper = self.upper.zip(other.upper).map(|(a, b)| {
            let (more, less) = if b.value > a.value { (b, a) } else { (a, b) };
            more.resting(&less.rests, less.blame.as_deref())
        });
        Self::of(lower, upper)
    }
}

impl Bracket<Cycles> {
    /// The same in nanoseconds: the lower side rounded down, the upper side up.
    pub fn timed(&self, clock: GpuClock) -> Bracket<Nanos> {
        let turned = |figure: &Valued<Cycles>, time: Option<Nanos>| {
            let cycles = figure.value;
            let how = if clock.up(cycles) == clock.down(cycles) { "" } else { ", rounded to the safe side" };
            let unit = if cycles.0 == 1 { "cycle" } else { "cycles" };
            let count = grouped(cycles.0.into());
            let why = format!("{count} {unit} ({}) at {clock}{how}", figure.why);
            let time = time?;
            Some(figure.clone().map(|_| time).because(why))
        };
        Bracket::of(
            self.lower.as_ref().and_then(|figure| turned(figure, clock.down(figure.value))),
            self.upper.as_ref().and_then(|figure| turned(figure, clock.up(figure.value))),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::provenance::Reason;
    use super::*;

    const PROOFS: [Proof; 4] = [Proof::Exact, Proof::Given, Proof::Upper, Proof::Lower];

    fn figure(value: u64, proof: Proof) -> Valued<Nanos> {
        Valued::new(Nanos(value), proof, Assumptions::NOTHING, "").blaming(&format!("{proof:?}"))
    }

    fn assumed(value: u64, proof: Proof) -> Valued<Nanos> {
        figure(value, proof).resting(&Assumptions::on(Reason::Assumed(7)), Some("who assumed it"))
    }

    #[test]
    fn cycles_are_told_with_their_digits_in_threes() {
        let told = |cycles: u64| {
            let own = Valued::new(Cycles(cycles), Proof::Given, Assumptions::NOTHING, "given");
            let time = Bracket::of(Some(own.clone()), Some(own)).timed(GpuClock::new(1_000_000_000));
            time.upper().map(|figure| figure.why.clone())
        };
        assert_eq!(told(10_569_728).as_deref(), Some("10,569,728 cycles (given) at 1 GHz"));
        assert_eq!(told(1).as_deref(), Some("1 cycle (given) at 1 GHz"));
    }

    #[test]
    fn a_sum_is_worth_its_weakest_part() {
        let parts = [figure(1, Proof::Given), assumed(2, Proof::Exact), figure(3, Proof::Upper)];
        let sum = Valued::sum(parts.iter().map(Some), "all").expect("it is small");
        assert_eq!(
            (sum.value, sum.kind(), sum.blame.as_deref()),
            (Nanos(6), Evidence::Simulated, Some("who assumed it"))
        );
        assert_eq!(sum.rests().reasons().collect::<Vec<_>>(), [Reason::Assumed(7)]);
        assert_eq!(Valued::sum([Some(&parts[0]), None], "all"), None);
        assert_eq!(Valued::sum([Some(&figure(u64::MAX, Proof::Given)), Some(&parts[0])], "all"), None);
    }

    #[test]
    fn nothing_that_is_made_of_an_assumption_is_proven() {
        for proof in PROOFS {
            let one = assumed(3, proof);
            assert_eq!(one.kind(), Evidence::Simulated);
            for other in PROOFS {
                let made = [
                    one.clone().at_most(other),
                    one.clone().because("another reason").blaming("somebody"),
                    one.clone().map(|nanos| nanos),
                    one.clone().resting(&Assumptions::NOTHING, None),
                ];
                assert!(made.iter().all(|figure| figure.kind() == Evidence::Simulated));
                let plain = Bracket::of(Some(figure(3, other)), Some(figure(3, other)));
                let both = Bracket::of(Some(one.clone()), Some(one.clone()));
                for bracket in [plain.clone().later(both.clone()), both.clone().later(plain)] {
                    assert_eq!(bracket.upper().map(Valued::kind), Some(Evidence::Simulated));
                    assert_ne!(
                        bracket.lower().map(Valued::kind),
                        Some(Evidence::Simulated),
                        "one that is proven counts"
                    );
                }
            }
        }
    }

    #[test]
    fn exact_is_only_what_both_sides_are() {
        for below in PROOFS {
            for above in PROOFS {
                let kinds = |bracket: Bracket<Nanos>| {
                    (bracket.lower.map(|f| f.kind()), bracket.upper.map(|f| f.kind()))
                };
                let apart = kinds(Bracket::of(Some(figure(3, below)), Some(figure(4, above))));
                assert!(
                    apart.0 != Some(Evidence::Exact) && apart.1 != Some(Evidence::Exact),
                    "{below:?} {above:?}"
                );
                let alone = kinds(Bracket::of(None, Some(figure(4, above))));
                assert_ne!(alone.1, Some(Evidence::Exact));
            }
        }
    }

    #[test]
    fn a_clock_takes_exactness_away_where_it_rounds() {
        let cycles = Bracket::between((Cycles(10), ""), (Cycles(10), ""), &Sides::NOTHING);
        let kinds = |bracket: Bracket<Nanos>| {
            (bracket.lower.map(|f| (f.value.0, f.kind())), bracket.upper.map(|f| (f.value.0, f.kind())))
        };
        let exact = Some((10, Evidence::Exact));
        assert_eq!(kinds(cycles.timed(GpuClock::new(1_000_000_000))), (exact, exact));
        let rounded = (Some((3, Evidence::Lower)), Some((4, Evidence::Upper)));
        assert_eq!(kinds(cycles.timed(GpuClock::new(3_000_000_000))), rounded);
    }

    #[test]
    fn the_later_of_two_is_exact_only_where_both_sides_meet() {
        let a = Bracket::of(Some(figure(3, Proof::Lower)), Some(figure(5, Proof::Upper)));
        let b = Bracket::of(Some(figure(5, Proof::Exact)), Some(figure(5, Proof::Exact)));
        let later = a.later(b);
        assert_eq!(later.lower.map(|f| (f.value.0, f.kind())), Some((5, Evidence::Exact)));
        assert_eq!(later.upper.map(|f| (f.value.0, f.kind())), Some((5, Evidence::Exact)));
    }
}
