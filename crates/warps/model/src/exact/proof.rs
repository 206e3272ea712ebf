//! An independent check of the bounds: exhaustive search of each relaxation, in plain sets, by means that share nothing
//! with the searches but the kernel and the machine.
//!
//! Each bound but the first says: in some picture of the states, no path takes more cycles (or ends before).
//! So all that can be is listed, cycle by cycle, in plain sets, with choices straight from the definition:
//! none that wastes a free unit and issue slot, none in which a later sub-block stands in for an earlier one.
//! The pictures differ in the pieces of the string that are told apart and in what is kept of the warps in a
//! piece: how many, their instructions left in it, and the most of one. Single instructions as pieces make
//! the states themselves. Slow by intention; beyond [`MOST`] states in a cycle the question stays open.

use std::collections::BTreeSet;

use super::driver::{AGGREGATED, CAPACITY, REFINED, SEARCH};
use super::{Goal, Problem};
use crate::{Unit, bounds};

/// States of one cycle up to which a check goes on.
pub const MOST: usize = 20_000;

/// What a bound rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The argument.
    pub by: &'static str,
    /// The numbers that go into it, and how much had to be gone through, by name.
    pub numbers: Vec<(String, u64)>,
}

/// Does the argument of that name show that no schedule takes more cycles than `bound` (for the shortest:
/// fewer)? `None` where there is no such argument or checking it would take too long.
pub fn recheck(problem: &Problem, goal: Goal, by: &str, bound: u32) -> Option<bool> {
    let runs = |keep| Picture::new(problem, false, keep).decide(problem, goal, bound);
    match by {
        bounds::BLOCKED_CYCLES if goal == Goal::Longest => Some(blocked(problem)? <= u64::from(bound)),
        CAPACITY if goal == Goal::Shortest => Some(capacity(problem)? >= u64::from(bound)),
        AGGREGATED => runs(false),
        REFINED => runs(true),
        SEARCH => Picture::new(problem, true, false).decide(problem, goal, bound),
        _ => None,
    }
}

/// The last warp's cycles and those it can be blocked in, in fractions of the least common multiple.
fn blocked(problem: &Problem) -> Option<u64> {
    let (own, warps) = (problem.kernel.len() as u64, problem.warps as u64);
    let serve: Vec<u64> =
        problem.kernel.units().iter().map(|&unit| problem.machine.serves(unit).into()).collect();
    let whole: u64 = serve.iter().try_fold(1u64, |product, &s| {
        if s == 0 || product.is_multiple_of(s) {
            Some(product).filter(|_| s > 0)
        } else {
            product.checked_mul(s)
        }
    })?;
    let parts: u64 = serve.iter().map(|s| whole / s).sum();
    Some((own + parts * (warps - 1) / whole).min(own * warps))
}

/// What capacities, the issue limit and the length of the string ask for; after the last instruction of a
/// kind its warp still has the rest of the string to execute.
fn capacity(problem: &Problem) -> Option<u64> {
    let (length, warps) = (problem.kernel.len() as u64, problem.warps as u64);
    let mut least = length.max((length * warps).div_ceil(u64::from(problem.machine.issue_limit())));
    for unit in Unit::ALL {
        let units = problem.kernel.units();
        let after = units.len() - units.iter().rposition(|&u| u == unit).map_or(0, |last| last + 1);
        let asked = warps * problem.kernel.units().iter().filter(|&&u| u == unit).count() as u64;
        if asked > 0 {
            least =
                least.max(asked.div_ceil(u64::from(problem.machine.capacity[unit]).max(1)) + after as u64);
        }
    }
    Some(least)
}

/// Instructions taken together.
#[derive(Debug, Clone, Copy)]
struct Piece {
    unit: Unit,
    block: u32,
    length: u32,
}

/// The warps in a piece: how many, instructions left in it, the most of one.
type Crew = (u32, u32, u32);

struct Picture {
    pieces: Vec<Piece>,
    /// Whether the most is kept, or taken to be the length.
    most: bool,
}

impl Picture {
    fn new(problem: &Problem, single: bool, most: bool) -> Self {
        let blocks = problem.fairness.blocks(problem.kernel.len());
        let mut pieces: Vec<Piece> = Vec::new();
        for (&unit, &block) in problem.kernel.units().iter().zip(&blocks) {
            match pieces.last_mut() {
                Some(last) if !single && last.unit == unit && last.block == block => last.length += 1,
                _ => pieces.push(Piece { unit, block, length: 1 }),
            }
        }
        Self { pieces, most }
    }

    fn decide(&self, problem: &Problem, goal: Goal, bound: u32) -> Option<bool> {
        let mut start = vec![(0, 0, 0); self.pieces.len()];
        let (warps, length) = (u32::try_from(problem.warps).ok()?, self.pieces[0].length);
        start[0] = (warps, warps * length, length);
        let mut states = BTreeSet::from([start]);
        let over = |state: &Vec<Crew>| state.iter().all(|crew| crew.0 == 0);
        // For the longest all is over after `bound` cycles, for the shortest nothing is before.
        for _ in 0..if goal == Goal::Longest { bound } else { bound.saturating_sub(1) } {
            let mut next = BTreeSet::new();
            for state in states.iter().filter(|state| !over(state)) {
                for chosen in self.choices(problem, state) {
                    self.outcomes(state, &chosen, &mut next);
                }
            }
            if next.len() > MOST {
                return None;
            }
            if goal == Goal::Shortest && next.iter().any(over) {
                return Some(false);
            }
            states = next;
        }
        Some(goal == Goal::Shortest || states.iter().all(over))
    }

    fn fits(&self, problem: &Problem, chosen: &[u32]) -> bool {
        let on =
            |unit| (0..chosen.len()).filter(|&i| self.pieces[i].unit == unit).map(|i| chosen[i]).sum::<u32>();
        chosen.iter().sum::<u32>() <= problem.machine.issue_limit()
            && Unit::ALL.iter().all(|&unit| on(unit) <= problem.machine.capacity[unit])
    }

    /// How many execute in each piece: all that is allowed.
    fn choices(&self, problem: &Problem, state: &[Crew]) -> Vec<Vec<u32>> {
        let mut all = vec![vec![]];
        for (i, crew) in state.iter().enumerate() {
            let most = crew.0.min(problem.machine.capacity[self.pieces[i].unit]);
            all = all
                .iter()
                .flat_map(|c: &Vec<u32>| (0..=most).map(move |x| [c.as_slice(), &[x]].concat()))
                .collect();
            all.retain(|c| c.iter().sum::<u32>() <= problem.machine.issue_limit());
        }
        all.retain(|chosen| {
            let changed = |more: usize, less: Option<usize>| {
                let mut other = chosen.clone();
                other[more] += 1;
                less.into_iter().for_each(|i| other[i] -= 1);
                self.fits(problem, &other)
            };
            let mut waiting = (0..state.len()).filter(|&i| chosen[i] < state[i].0);
            self.fits(problem, chosen)
                && waiting.all(|a| {
                    let later = |&b: &usize| chosen[b] > 0 && self.pieces[a].block < self.pieces[b].block;
                    !changed(a, None) && !(0..state.len()).filter(later).any(|b| changed(a, Some(b)))
                })
        });
        all
    }

    /// All states a choice may lead to.
    fn outcomes(&self, state: &[Crew], chosen: &[u32], into: &mut BTreeSet<Vec<Crew>>) {
        // Piece by piece: what the pieces so far became, and how many left the last of them.
        let mut all: Vec<(Vec<Crew>, u32)> = vec![(Vec::new(), 0)];
        for (i, (&crew, &x)) in state.iter().zip(chosen).enumerate() {
            let length = self.pieces[i].length;
            let mut longer = Vec::new();
            for (done, entered) in &all {
                for y in 0..=x {
                    for most in (0..=length).filter(|&most| self.may(crew, x, y, most, length)) {
                        let (n, r) = (crew.0 - y + entered, crew.1 - x + entered * length);
                        let most = if *entered > 0 { length } else { most };
                        longer.push(([done.as_slice(), &[(n, r, most)]].concat(), y));
                    }
                }
            }
            all = longer;
        }
        into.extend(all.into_iter().map(|(state, _)| state));
    }

    /// May `x` execute and `y` leave, after which the most left is `most`?
    fn may(&self, (n, r, m): Crew, x: u32, y: u32, most: u32, length: u32) -> bool {
        let stay = n - y;
        if stay == 0 {
            return r == n && most == 0;
        }
        if !self.most {
            return most == length && y + 2 * (x - y) + (n - x) <= r && r <= y + stay * length;
        }
        // How many of those with the most wait, and how many execute without leaving.
        (0..=n - x).any(|waits| {
            (0..=x - y).any(|executes| {
                let becomes = if waits > 0 || (m == 1 && n > x) { m } else { m - 1 };
                let (idle, busy) = (n - x - waits, x - y - executes);
                let below = m - 1;
                (waits + executes > 0 || m == 1 && y > 0)
                    && becomes == most
                    && (idle == 0 || below >= 1)
                    && (busy == 0 || below >= 2)
                    && (executes == 0 || m >= 2)
                    && y + (waits + executes) * m + idle + 2 * busy <= r
                    && r <= y + (waits + executes) * m + (idle + busy) * below
            })
        })
    }
}
