//! What a cell of an experiment comes to: confirmed, refuted or open, and by what.

use super::claims::Says;
use base::rational::{Rational, Span};
use warps::Schedule;

/// What is known about a worst case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bracket {
    /// A schedule of so many cycles exists.
    pub lower: u32,
    /// None takes longer, proven.
    pub upper: u32,
    /// What proves it.
    pub upper_by: &'static str,
}

impl Bracket {
    /// The worst case, where it is known.
    pub fn exact(self) -> Option<u32> {
        (self.upper == self.lower).then_some(self.lower)
    }
}

/// The judgement on a claim for one choice of parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It holds, proven.
    Confirmed,
    /// It does not: a schedule shows it, or for a claim of equality a proof that none is as long.
    Refuted,
    /// Not known: a limit was reached before the bounds met.
    Open,
    /// It says nothing here; why.
    Undefined(String),
}

impl Verdict {
    /// The word for it.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Confirmed => "confirmed",
            Verdict::Refuted => "refuted",
            Verdict::Open => "open",
            Verdict::Undefined(_) => "undefined",
        }
    }
}

/// A cell that has been looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// What the formula comes to.
    pub claimed: Option<Span>,
    /// What is known about the worst case.
    pub bracket: Option<Bracket>,
    /// The judgement.
    pub verdict: Verdict,
    /// The number of warps of the longest schedule found, where several multiprocessors have different ones.
    pub warps: Option<usize>,
    /// That schedule, where it refutes the claim.
    pub witness: Option<Schedule>,
}

impl Outcome {
    /// A cell in which the claim says nothing.
    pub fn undefined(why: String) -> Self {
        Self { claimed: None, bracket: None, verdict: Verdict::Undefined(why), warps: None, witness: None }
    }

    /// How many whole cycles the claim leaves over: negative where a schedule takes longer than claimed. `None` where
    /// that is not known, or fits no 64 bits.
    pub fn margin(&self) -> Option<i64> {
        let (claimed, bracket) = (self.claimed?, self.bracket?);
        let known = bracket.exact().is_some() && claimed.known().is_some();
        let left = claimed.high.floor().checked_sub(bracket.lower.into());
        left.filter(|_| known || self.witness.is_some())
    }
}

/// Judges a claim by what is known.
pub fn judge(says: Says, claimed: Span, bracket: Bracket) -> Verdict {
    let cycles = |n: u32| Rational::whole(n.into());
    let (lower, upper) = (cycles(bracket.lower), cycles(bracket.upper));
    let fits = upper <= claimed.low;
    match says {
        _ if lower > claimed.high => Verdict::Refuted,
        Says::AtMost if fits => Verdict::Confirmed,
        Says::AtMost => Verdict::Open,
        // A makespan is a whole number.
        Says::Exactly if claimed.known().is_some_and(|value| !value.is_whole()) => Verdict::Refuted,
        Says::Exactly if upper < claimed.low => Verdict::Refuted,
        Says::Exactly if fits && claimed.known() == Some(lower) => Verdict::Confirmed,
        Says::Exactly => Verdict::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a claim leaves over is right or not told, at both ends of what fits 64 bits.
    #[test]
    fn margins_do_not_wrap() {
        let margin = |claimed: Rational, lower: u32| {
            let bracket = Bracket { lower, upper: lower, upper_by: "" };
            let claimed = Span::exactly(claimed);
            let verdict = judge(Says::AtMost, claimed, bracket);
            Outcome { claimed: Some(claimed), bracket: Some(bracket), verdict, warps: None, witness: None }
                .margin()
        };
        let whole = Rational::whole;
        assert_eq!(margin(whole(i64::MIN), 5), None);
        assert_eq!(margin(whole(i64::MIN + 5), 5), Some(i64::MIN));
        assert_eq!(margin(whole(i64::MAX), 5), Some(i64::MAX - 5));
        assert_eq!(margin(whole(3), 5), Some(-2));
        // Not a whole number, so no equality; cycles are left over all the same.
        assert_eq!(Rational::new(29, 2).and_then(|claimed| margin(claimed, 5)), Some(9));
    }

    /// For every value the claim and the worst case may have within what is known, the judgement holds.
    #[test]
    fn a_judgement_holds_for_all_that_may_be() {
        let half = |n: i64| Rational::new(n.into(), 2).unwrap_or(Rational::ZERO);
        for (low, high) in (0..10).flat_map(|low| (low..10).map(move |high| (low, high))) {
            for (lower, upper) in (1..5).flat_map(|lower| (lower..6).map(move |upper| (lower, upper))) {
                for (_, says) in Says::ALL {
                    let claimed = Span { low: half(low), high: half(high) };
                    let verdict = judge(says, claimed, Bracket { lower, upper, upper_by: "" });
                    let holds = |value: i64, worst: u32| match says {
                        Says::AtMost => i64::from(worst) * 2 <= value,
                        Says::Exactly => i64::from(worst) * 2 == value,
                    };
                    let all: Vec<bool> = (low..=high)
                        .flat_map(|value| (lower..=upper).map(move |worst| holds(value, worst)))
                        .collect();
                    let expected = match (all.contains(&true), all.contains(&false)) {
                        (true, false) => "confirmed",
                        (false, true) => "refuted",
                        _ => "open",
                    };
                    assert_eq!(verdict.name(), expected, "{says:?} {claimed} {lower} {upper}");
                }
            }
        }
    }
}
