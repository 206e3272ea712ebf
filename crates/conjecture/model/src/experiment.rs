//! The experiment: worst cases by exhaustive search, cell after cell, and the claim judged by them.
//!
//! A search is given its work in portions of one size, whatever the slices of the caller, so that where it gives up
//! depends on the document alone. Worst cases are kept: cells share them, and formulas ask for those of fewer warps.

use std::collections::BTreeMap;

use super::formula::NoValue;
use super::grid::{Conjecture, Setting};
use super::verdict::{Bracket, Outcome, Verdict, judge};
use base::Control;
use base::rational::{Rational, Span};
use warps::Schedule;
use warps::exact::{Limits, Problem, Search};

/// Work between two looks at the budget and the limit.
const PORTION: u64 = 10_000;

/// Why a worst case is not even bracketed; documents that ask for one are refused before.
const NOT_THERE: &str = "the kernel needs a unit that is not there";

/// What tells one worst case from another within a conjecture: repetition, capacities, issue limit, warps.
type Key = (u32, [u32; 4], Option<u32>, usize);

/// What a search has found.
struct Solved {
    bracket: Bracket,
    witness: Option<Schedule>,
}

/// A search under way.
struct Running {
    key: Key,
    search: Search,
    spent: u64,
}

/// A conjecture under examination.
pub struct Experiment {
    conjecture: Conjecture,
    outcomes: Vec<Outcome>,
    known: BTreeMap<Key, Option<Solved>>,
    running: Option<Running>,
}

impl Experiment {
    /// An experiment on which nothing has been done.
    pub fn new(conjecture: Conjecture) -> Self {
        Self { conjecture, outcomes: Vec::new(), known: BTreeMap::new(), running: None }
    }

    /// The conjecture.
    pub fn conjecture(&self) -> &Conjecture {
        &self.conjecture
    }

    /// The cells that have been judged, from the first.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// Goes on until the slice is over; whether there is more to do.
    pub fn step(&mut self, control: &mut Control) -> bool {
        while self.outcomes.len() < self.conjecture.cells() {
            match &mut self.running {
                Some(running) => {
                    let more = running.search.step(PORTION);
                    running.spent = running.spent.saturating_add(PORTION);
                    if !more || running.spent >= self.conjecture.limit.work {
                        self.settle();
                    }
                }
                None => self.next_cell(),
            }
            if !control.spend(PORTION) {
                break;
            }
        }
        self.outcomes.len() < self.conjecture.cells()
    }

    /// Notes what the search under way has found.
    fn settle(&mut self) {
        if let Some(Running { key, search, .. }) = self.running.take() {
            let found = search.bracket();
            let bracket = Bracket { lower: found.lower, upper: found.upper, upper_by: found.upper_by };
            let known = Solved { bracket, witness: search.witness() };
            self.known.insert(key, Some(known));
        }
    }

    /// Judges the next cell, or begins the search that it needs first.
    fn next_cell(&mut self) {
        let point = self.conjecture.point(self.outcomes.len());
        let outcome = match self.conjecture.setting(&point) {
            Err(unfit) => Outcome::undefined(unfit.to_string()),
            Ok(setting) => match self.judged(&point, &setting) {
                Ok(outcome) => outcome,
                Err(NoValue::Undefined(why)) => Outcome::undefined(why),
                Err(NoValue::Needs(warps)) => return self.begin(&point, &setting, warps),
            },
        };
        self.outcomes.push(outcome);
    }

    fn begin(&mut self, point: &[u32], setting: &Setting, warps: usize) {
        let key = self.key(point, setting, warps);
        let Setting { kernel, machine, fairness } = setting;
        let problem = Problem { kernel, machine, warps, fairness };
        match Search::new(&problem, Limits { memory: self.conjecture.limit.memory }) {
            Some(search) => self.running = Some(Running { key, search, spent: 0 }),
            None => drop(self.known.insert(key, None)),
        }
    }

    fn key(&self, point: &[u32], setting: &Setting, warps: usize) -> Key {
        let rep = self.conjecture.ranges.iter().position(|range| range.name == "rep").map_or(1, |i| point[i]);
        (rep, setting.machine.capacity.0, setting.machine.issue, warps)
    }

    /// The verdict on a cell, once all it needs is known.
    fn judged(&self, point: &[u32], setting: &Setting) -> Result<Outcome, NoValue> {
        let conjecture = &self.conjecture;
        let look_up = |warps: usize| self.known.get(&self.key(point, setting, warps));
        let exact = |warps: usize| {
            look_up(warps).map(|known| match known {
                Some(Solved { bracket: Bracket { lower, upper, .. }, .. }) => {
                    Ok(Span { low: Rational::whole((*lower).into()), high: Rational::whole((*upper).into()) })
                }
                None => Err(NOT_THERE.to_owned()),
            })
        };
        let counts = conjecture.counts(point, setting).map_err(NoValue::Undefined)?;
        let mut claimed: Option<Span> = None;
        let mut longest: Option<(&Solved, usize)> = None;
        let mut upper: (u32, &'static str) = (0, "");
        for warps in counts {
            let value = conjecture.claimed(point, setting, warps, &exact)?;
            let larger = |most: Span| Span { low: most.low.max(value.low), high: most.high.max(value.high) };
            claimed = Some(claimed.map_or(value, larger));
            let known = look_up(warps).ok_or(NoValue::Needs(warps))?.as_ref();
            let known = known.ok_or_else(|| NoValue::Undefined(NOT_THERE.to_owned()))?;
            if longest.is_none_or(|(most, _)| known.bracket.lower > most.bracket.lower) {
                longest = Some((known, warps));
            }
            if known.bracket.upper > upper.0 {
                upper = (known.bracket.upper, known.bracket.upper_by);
            }
        }
        let nothing = || NoValue::Undefined("no warps".to_owned());
        let (claimed, (known, warps)) = claimed.zip(longest).ok_or_else(nothing)?;
        let bracket = Bracket { lower: known.bracket.lower, upper: upper.0, upper_by: upper.1 };
        let verdict = judge(conjecture.claim.says, claimed, bracket);
        let longer = Rational::whole(bracket.lower.into()) > claimed.high;
        let witness = if longer && verdict == Verdict::Refuted { known.witness.clone() } else { None };
        Ok(Outcome { claimed: Some(claimed), bracket: Some(bracket), verdict, warps: Some(warps), witness })
    }
}
