//! Numbers of a chain in its report: what each is worth, and in words what it rests on.

use super::{Assumed, Bracket, Evidence, Figure, Unit, Verdict};
use base::Nanos;
use base::people::counted;
use chain;
use chain::provenance::{Assumptions, Reason};
use chain::solve::Whole;
use chain::{Assumption, Chain, Cycles};

/// What is taken for granted where kernels share the GPU.
const NEIGHBOURS: &str = "blocks take no longer beside blocks of other kernels than beside their own";
/// What is taken for granted of kernels of which more blocks wait.
const REPLACED: &str = "blocks that replace others take no longer than those that start together";
/// What is taken for granted where one launch order is given.
const ONE_ORDER: &str = "every activation meets the given launch order, all kernels released together";
/// What is taken for granted where blocks are put as the published rules say.
const DISPATCH: &str = "hardware, which does not document it, puts blocks where the rules do";

/// No more reasons than these stand in a sentence.
const IN_A_SENTENCE: usize = 2;

/// A chain, of which numbers are told.
pub struct Told<'a> {
    /// The chain.
    pub chain: &'a Chain,
}

impl<'a> Told<'a> {
    /// Of this chain.
    pub fn new(chain: &'a Chain) -> Self {
        Self { chain }
    }

    /// What a number rests on, in words.
    fn rests_on(&self, rests: &Assumptions) -> Vec<String> {
        let word = |reason: Reason| match reason {
            Reason::Neighbours => NEIGHBOURS.to_owned(),
            Reason::Replaced => REPLACED.to_owned(),
            Reason::OneOrder => ONE_ORDER.to_owned(),
            Reason::Dispatch => DISPATCH.to_owned(),
            Reason::Assumed(place) => self.chain.assumed.get(place).map_or_else(String::new, in_words),
        };
        rests.reasons().map(word).collect()
    }

    /// A sentence and the first things it rests on.
    pub fn provided(&self, why: &str, rests: &Assumptions) -> String {
        let all = self.rests_on(rests);
        if all.is_empty() {
            return why.to_owned();
        }
        let more = match all.len().saturating_sub(IN_A_SENTENCE) {
            0 => String::new(),
            more => format!(", and {}", counted(more, "more assumption")),
        };
        format!("{why}; provided that {}{more}", all[..all.len().min(IN_A_SENTENCE)].join(", and that "))
    }

    fn bracket<T: Copy>(&self, of: &chain::Bracket<T>, unit: Unit, value: fn(T) -> u64) -> Bracket {
        let figure = |figure: &chain::Valued<T>| Figure {
            value: value(figure.value),
            unit,
            kind: kind(figure.kind()),
            why: self.provided(&figure.why, figure.rests()),
            rests_on: self.rests_on(figure.rests()),
        };
        Bracket { lower: of.lower().map(figure), upper: of.upper().map(figure) }
    }

    /// Cycles.
    pub fn cycles(&self, of: &chain::Bracket<Cycles>) -> Bracket {
        self.bracket(of, Unit::Cycles, |cycles| cycles.0)
    }

    /// Times.
    pub fn nanos(&self, of: &chain::Bracket<Nanos>) -> Bracket {
        self.bracket(of, Unit::Ns, |nanos| nanos.0)
    }

    /// The reason of a verdict, and what it rests on.
    pub fn because(&self, whole: &Whole) -> String {
        self.provided(&whole.because, &whole.rests)
    }

    /// A verdict.
    pub fn verdict(&self, whole: &Whole) -> Verdict {
        Verdict {
            schedulable: whole.meets,
            kind: kind(whole.kind),
            because: self.because(whole),
            weakest: whole.weakest.clone(),
            rests_on: self.rests_on(&whole.rests),
        }
    }

    /// What the document and its reading took for granted.
    pub fn assumed(&self, verdict: &Whole) -> Vec<Assumed> {
        let acts = |place: usize| verdict.rests.reasons().any(|reason| reason == Reason::Assumed(place));
        let one = |(place, of): (usize, &Assumption)| Assumed {
            what: of.what.clone(),
            value: of.value.clone(),
            why: of.why.clone(),
            path: of.path.clone(),
            code: of.code.name().to_owned(),
            acts: acts(place),
        };
        self.chain.assumed.iter().enumerate().map(one).collect()
    }
}

/// `period of H is 10 ms`.
fn in_words(of: &Assumption) -> String {
    if of.value.is_empty() { of.what.clone() } else { format!("{} is {}", of.what, of.value) }
}

/// What a number is worth.
pub fn kind(kind: chain::Evidence) -> Evidence {
    match kind {
        chain::Evidence::Exact => Evidence::Exact,
        chain::Evidence::Given => Evidence::Given,
        chain::Evidence::Upper => Evidence::Upper,
        chain::Evidence::Lower => Evidence::Lower,
        chain::Evidence::Simulated => Evidence::Simulated,
    }
}
