//! A checker of results: what a schedule and a bound claim, found out a second time. Shares nothing with searches, with
//! the engine, or with the bounds that they use.
//!
//! A claim has a schedule, which is held against the rules by [`crate::check`], and an upper bound, for which two proofs are
//! tried: the formula of [`crate::bounds`], derived once more from the launch with exact fractions; and all states, cycle by
//! cycle, with nothing left out.

mod all_states;
mod formula;
#[cfg(test)]
mod tests;
mod twice;

use crate::check::{Flaw, check};
use crate::launch::Launch;
use crate::schedule::Schedule;

/// What is claimed of a launch.
#[derive(Debug, Clone)]
pub struct Claim<'a> {
    /// A schedule.
    pub schedule: &'a Schedule,
    /// Its makespan.
    pub lower: u32,
    /// No schedule takes longer.
    pub upper: u64,
}

/// How an upper bound is proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// By the formula, which gives this.
    Formula(u64),
    /// By all states, of which there are so many.
    AllStates(u64),
}

/// What came of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Rules that the schedule breaks.
    pub flaws: Vec<Flaw>,
    /// What the schedule takes.
    pub makespan: u32,
    /// The proof of the upper bound; none was found within the limit.
    pub proof: Option<Proof>,
    /// Whether all that is claimed holds.
    pub accepted: bool,
}

/// Finds out whether a claim holds; a search may look at so many states.
pub fn judge(launch: &Launch, claim: &Claim<'_>, most_states: u64) -> Verdict {
    let flaws = check(launch, claim.schedule);
    let makespan = if flaws.contains(&Flaw::Shape) { 0 } else { claim.schedule.makespan(launch) };
    let proof = prove(launch, claim.upper, most_states);
    let accepted = flaws.is_empty() && makespan == claim.lower && proof.is_some();
    Verdict { flaws, makespan, proof, accepted }
}

/// A proof that no schedule takes longer, if one is found that looks at no more than so many states.
pub fn prove(launch: &Launch, upper: u64, most_states: u64) -> Option<Proof> {
    let bound = formula::upper(launch);
    if bound <= upper {
        return Some(Proof::Formula(bound));
    }
    let (longest, states) = all_states::longest(launch, most_states)?;
    (u64::from(longest) <= upper).then_some(Proof::AllStates(states))
}
