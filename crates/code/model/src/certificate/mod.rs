//! A checker of results: what a schedule and a bound claim, found out a second time. Shares nothing with searches, with
//! the engine, or with the bounds that they use.
//!
//! A claim has a schedule, which is held against the rules by [`crate::check`], and an upper bound, for which three proofs
//! are tried: the formula of [`crate::bounds`], derived once more from the launch with exact fractions; the stretches in
//! which shared units are never free, derived once more, too; and all states, cycle by cycle, with nothing left out.

mod all_states;
mod formula;
mod stretch;
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
    /// By stretches, which give this.
    Stretches(u64),
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
    proofs(launch, upper, most_states).next()
}

/// All proofs that no schedule takes longer, the cheapest first: each is looked for when it is asked for.
pub fn proofs(launch: &Launch, upper: u64, most_states: u64) -> impl Iterator<Item = Proof> {
    let formula = move || Some(formula::upper(launch)).filter(|&bound| bound <= upper).map(Proof::Formula);
    let stretches = move || stretch::upper(launch).filter(|&bound| bound <= upper).map(Proof::Stretches);
    let all_states = move || {
        let (longest, states) = all_states::longest(launch, most_states)?;
        (u64::from(longest) <= upper).then_some(Proof::AllStates(states))
    };
    let formula = std::iter::once_with(formula);
    formula.chain(std::iter::once_with(stretches)).chain(std::iter::once_with(all_states)).flatten()
}

/// The least bound that takes no states, with its proof.
pub fn least(launch: &Launch) -> (u64, Proof) {
    let formula = formula::upper(launch);
    match stretch::upper(launch) {
        Some(bound) if bound < formula => (bound, Proof::Stretches(bound)),
        _ => (formula, Proof::Formula(formula)),
    }
}
