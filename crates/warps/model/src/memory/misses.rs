//! The worst placement of cache misses for a given order: exhaustive, or greedy with local search.
//!
//! Where there are few enough placements all are tried, and the result is the worst for that order. Otherwise misses
//! are placed one after the other, each where it adds most, and then moved one by one as long as that helps: what
//! comes out is a lower bound on the worst for that order. Fewer misses can take longer than more, so placements of
//! every number are looked at.

use super::Problem;
use crate::{Schedule, Unit};

/// The most instructions that may be played to try all placements.
const MOST_WORK: u64 = 20_000_000;

/// Rounds of moving misses.
const ROUNDS: u32 = 3;

/// How the missing loads were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// There was no choice.
    Settled,
    /// All placements were tried.
    AllTried,
    /// One after the other.
    OneByOne,
    /// Not all that were to be tried.
    Stopped,
}

impl Method {
    /// What reports say; nothing where there was no choice.
    pub fn text(self) -> Option<&'static str> {
        match self {
            Method::Settled => None,
            Method::AllTried => Some("worst for this order: all placements were tried"),
            Method::OneByOne => {
                Some("a lower bound on the worst for this order: misses were placed one by one")
            }
            Method::Stopped => {
                Some("a lower bound on the worst for this order: stopped before all placements were tried")
            }
        }
    }
}

/// A search for the worst placement of one order, stepped.
pub struct MissSearch {
    loads: Vec<(u16, u16)>,
    most: usize,
    best: (Schedule, Vec<(u16, u16)>),
    at: At,
}

/// Where the search is.
enum At {
    /// Every choice of loads by their places, ascending; the next to try.
    All(Vec<usize>),
    /// The present placement and its makespan, the round, what is moved, and where it goes next. In round 0 misses
    /// are added.
    OneByOne {
        placed: Vec<usize>,
        length: u32,
        round: u32,
        moved: usize,
        to: usize,
        pick: Option<(u32, usize)>,
    },
    Over,
}

/// The first so many loads of an arbitrary placement: something to begin with.
pub fn first(problem: &Problem) -> Vec<(u16, u16)> {
    problem.settled().unwrap_or_else(|| {
        // As many of the first warp's as may be, then of the next: a long way for one.
        loads(problem).into_iter().take(problem.most_misses()).collect()
    })
}

/// All loads, warp by warp.
pub fn loads(problem: &Problem) -> Vec<(u16, u16)> {
    let of = |i: &usize| problem.kernel.units()[*i] == Unit::LoadStore;
    let each: Vec<u16> = (0..problem.kernel.len()).filter(of).map(|i| i as u16).collect();
    (0..problem.warps as u16).flat_map(|warp| each.iter().map(move |&i| (warp, i))).collect()
}

impl MissSearch {
    /// The search for an order that `play` plays; `None` if it cannot be played.
    pub fn new(problem: &Problem, play: impl Fn(&[(u16, u16)]) -> Option<Schedule>) -> Option<Self> {
        let loads = loads(problem);
        if let Some(settled) = problem.settled() {
            return Some(Self { loads, most: 0, best: (play(&settled)?, settled), at: At::Over });
        }
        let (none, most) = (play(&[])?, problem.most_misses());
        let size = (problem.warps * problem.kernel.len()) as u64;
        let choices = (1..=most as u64).try_fold((0u64, 1u64), |(sum, binomial), k| {
            let binomial = binomial.checked_mul((loads.len() as u64).saturating_sub(k - 1))? / k;
            let sum = sum.checked_add(binomial)?;
            (sum.checked_mul(size)? <= MOST_WORK).then_some((sum, binomial))
        });
        if choices.is_none() {
            return Self::one_by_one(problem, play);
        }
        Some(Self { loads, most, best: (none, Vec::new()), at: At::All(vec![0]) })
    }

    /// One that places misses one after the other, whatever there is to try.
    pub fn one_by_one(problem: &Problem, play: impl Fn(&[(u16, u16)]) -> Option<Schedule>) -> Option<Self> {
        let none = play(&[])?;
        let at = At::OneByOne {
            placed: Vec::new(),
            length: none.makespan(),
            round: 0,
            moved: 0,
            to: 0,
            pick: None,
        };
        Some(Self { loads: loads(problem), most: problem.most_misses(), best: (none, Vec::new()), at })
    }

    /// How the missing loads are found; asked before the first step.
    pub fn how(&self) -> Method {
        match self.at {
            At::Over => Method::Settled,
            At::All(_) => Method::AllTried,
            At::OneByOne { .. } => Method::OneByOne,
        }
    }

    /// Tries one placement; whether there is more to try.
    pub fn step(&mut self, play: impl Fn(&[(u16, u16)]) -> Option<Schedule>) -> bool {
        let (count, most) = (self.loads.len(), self.most);
        match &mut self.at {
            At::Over => return false,
            At::All(chosen) => {
                let chosen = std::mem::take(chosen);
                self.try_one(&chosen, &play);
                self.at = after(chosen, count, most).map_or(At::Over, At::All);
            }
            At::OneByOne { placed, length, round, moved, to, pick } => {
                let (mut placed, mut length) = (std::mem::take(placed), *length);
                let (mut round, mut moved, mut to, mut pick) = (*round, *moved, *to, *pick);
                if to < count {
                    if !placed.contains(&to) {
                        let mut trial = placed.clone();
                        if round == 0 {
                            trial.push(to);
                        } else {
                            trial[moved] = to;
                        }
                        let takes = self.try_one(&trial, &play).unwrap_or(0);
                        if pick.is_none_or(|(best, _)| takes > best) {
                            pick = Some((takes, to));
                        }
                    }
                    to += 1;
                } else {
                    (to, pick) = (0, self.settle(&mut placed, &mut length, (round, moved), pick));
                    (round, moved) = match round {
                        0 if placed.len() < most => (0, 0),
                        0 => (1, 0),
                        _ if moved + 1 < placed.len() => (round, moved + 1),
                        _ => (round + 1, 0),
                    };
                }
                let over = round > ROUNDS || placed.is_empty() && round > 0;
                self.at =
                    if over { At::Over } else { At::OneByOne { placed, length, round, moved, to, pick } };
            }
        }
        !matches!(self.at, At::Over)
    }

    /// Takes the best of what was tried: a miss more, or one in another place if that is longer.
    fn settle(
        &self,
        placed: &mut Vec<usize>,
        length: &mut u32,
        (round, moved): (u32, usize),
        pick: Option<(u32, usize)>,
    ) -> Option<(u32, usize)> {
        match pick {
            Some((takes, to)) if round == 0 => {
                placed.push(to);
                *length = takes;
            }
            Some((takes, to)) if takes > *length => {
                placed[moved] = to;
                *length = takes;
            }
            _ => {}
        }
        None
    }

    /// Plays a placement and keeps it if it is the longest; its makespan.
    fn try_one(&mut self, chosen: &[usize], play: impl Fn(&[(u16, u16)]) -> Option<Schedule>) -> Option<u32> {
        let mut missed: Vec<(u16, u16)> = chosen.iter().filter_map(|&i| self.loads.get(i).copied()).collect();
        base::sort::sort(&mut missed);
        let schedule = play(&missed)?;
        let takes = schedule.makespan();
        if takes > self.best.0.makespan() {
            self.best = (schedule, missed);
        }
        Some(takes)
    }

    /// The longest so far, with the loads that miss.
    pub fn best(&self) -> &(Schedule, Vec<(u16, u16)>) {
        &self.best
    }
}

/// The next choice of up to `most` of `count`: longer ones follow those they begin with.
fn after(mut chosen: Vec<usize>, count: usize, most: usize) -> Option<Vec<usize>> {
    let last = *chosen.last()?;
    if chosen.len() < most && last + 1 < count {
        chosen.push(last + 1);
        return Some(chosen);
    }
    while let Some(last) = chosen.pop() {
        if last + 1 < count {
            chosen.push(last + 1);
            return Some(chosen);
        }
    }
    None
}
