//! A bound where every warp has a partition of its own: how late a warp, two of them, and so on come to each place.
//!
//! It needs that all warps execute the same, no two of them in one partition, in one block if there are barriers, and that
//! units that all share have one place. Then nothing but a shared unit that another holds blocks a warp.
//!
//! 1. *Ready.* A warp is *ready* for a place once all arcs to it are over: those of point 2 of [`super`], its own hold of
//!    the unit among them, and at a barrier those of all warps. An arc that another one from the same or a later place is
//!    never less than, by the stalls between, is not needed. If the place is on no shared unit, the warp issues when it is
//!    ready. If its shared unit is free in a cycle in which it is ready, it issues then at the latest.
//! 2. *Stairs.* For each place the stairs say the latest cycle in which a warp is ready for it, in which two warps are, and
//!    so on: no more than `j` warps are ready, or issue, after step `j + 1`. As a warp that is late has a late arc, the
//!    stairs of being ready are the highest steps of those of all arcs together; after a barrier all are the highest one.
//!    Who holds a shared unit for `h` cycles is `h` cycles from the next, so steps of issuing there are `h` apart. Warps are
//!    ready for a place before they are for later ones, and before they issue: lower stairs of these hold for it, too.
//! 3. *The chain.* Take a place `k` on a shared unit, and any place `q` up to it, no barrier after `q`. Go back from when the
//!    warp `X` issues `k`: a place issued when the last arc to it was over and it had been blocked since; go on from where
//!    that arc comes from, as long as that is not before `q`. Let `a` be the first place on this chain that is on a shared
//!    unit. Before it nothing is blocked, so stairs of arcs from before `q` to `a`, over places on no shared unit, say when
//!    `X` is ready for `a`. From `r`, when it is, to when it issues `k`, each cycle belongs to an arc, of which there are no
//!    more than the longest way `w` from `a` to `k`, or `X` is blocked, and another warp holds a unit on which `X` has a
//!    place of the chain.
//! 4. *The stretch.* For each of these units look at the cycles before `r` in which it was held without a gap. Let `s` be
//!    the first of all these cycles, or `r` if there are none. From `s` to `r` one unit is never free. Whatever is held there,
//!    or blocks `X` later, was issued by a warp that was not ready for it before its unit began to be held without a gap,
//!    which is in `s` or later: else it had issued in the cycle before that, in which this unit was free.
//! 5. *How long.* Of each other warp take the first such instruction, at place `p`. All that it issues in the `l` cycles from
//!    `s` on comes less than `l` cycles after `p` over arcs that no schedule avoids, with shortest latencies. Up to the issue
//!    of `k` the first `l` cycles from `s` on belong to arcs, `w` at the most; or `X` holds a unit in them before `a`, by
//!    instructions from some place `o` on that it is not ready for before `s`; or another holds one. So if `w`, all that
//!    `X` holds from `o` to `a`, and what others hold by all that comes no more than `l` cycles after their `p` are `l`
//!    together, `k` is issued no later than `s + l`: else `l + 1` cycles were filled by what is `l`.
//! 6. *Who may be where.* If the others and `X` are put in order by the first place of each, that of the `j`-th is one for
//!    which `j` warps may be ready in `s` or later by the stairs; where stairs are not known yet, beyond `k`, any warp may
//!    be. What an other one holds from its place on is no more than the most from any later one; places
//!    that no warp comes to before the stretch is over, from the first cycle on, are left out. `X` is ready for `a` no
//!    sooner than the shortest way from `o` after `s`, and from `s` to then it is no longer than any stretch can be in which a
//!    unit is never free. For all `o`, and all `s` at which steps begin, the latest issue of `k` is `s + l`; or `r + w`. Of
//!    the `s` some need not be looked at: with `j` others before `o`, these and `X` are all ready for `o` in `s` or later, so
//!    that `s` is no later than step `j + 1` of `o`, nor of any place after it.
//! 7. This holds for any `q`, so the lowest steps over some are taken. That all who issue `k` after step `j` of all `a` are
//!    fewer than `j` follows as in point 2. All is over when the last step of each place and what it takes is.

mod graph;
mod held;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use crate::launch::{Instruction, Launch};
use graph::{Arcs, Graph};
use held::Held;

/// The name of the bound, as reports give it.
pub const STRETCHES: &str = "stretches in which shared units are never free";

/// Every place so many before on shared units is a `q` of point 3, then fewer and fewer, and none that is as far as that.
const NEAR: usize = 4;
const BACK: usize = 256;
/// Of more instructions nothing is proven.
const MOST_PLACES: usize = 1 << 12;

/// Steps: of a place the latest that one warp comes to it, that two do, and so on.
type Stairs = Vec<u64>;

/// Finds the bound, in slices.
#[derive(Debug)]
pub struct Stretches {
    launch: Arc<Launch>,
    stream: usize,
    warps: usize,
    /// None before it has begun.
    graph: Option<Graph>,
    /// By unit, and for all of them together last.
    held: Vec<Held>,
    /// When warps are ready for places, and when they issue.
    ready: Vec<Stairs>,
    issue: Vec<Stairs>,
    /// The places `q` that are looked at.
    open: VecDeque<Open>,
    /// The longest ways from places to those after them.
    ways: BTreeMap<usize, Vec<Option<u64>>>,
    /// When all is over that has been gone through.
    end: u64,
    spent: u64,
    given_up: bool,
}

/// A chain may be looked at from here on.
#[derive(Debug)]
struct Open {
    from: usize,
    /// Of each place from there on when warps are ready for it that were blocked nowhere since.
    stairs: Vec<Stairs>,
    /// Those of them on shared units to which a chain may come first.
    first: Vec<usize>,
}

impl Stretches {
    /// None for launches that are not as this needs it.
    pub fn new(launch: &Arc<Launch>) -> Option<Self> {
        let all = launch.warps();
        let own = all.first()?;
        let path = &launch.streams()[own.stream].path;
        let barriers = launch.streams()[own.stream].barriers.last().is_some_and(|&all| all > 0);
        let mut seen = vec![false; launch.machine().partitions as usize];
        let fits = all.iter().all(|warp| {
            let second = std::mem::replace(&mut seen[warp.partition as usize], true);
            warp.stream == own.stream && !second && (!barriers || warp.block == own.block)
        });
        let units = path.iter().filter_map(|&at| launch.code()[at as usize].unit);
        let several = |unit: u16| launch.shared(unit) && launch.machine().units[usize::from(unit)].count > 1;
        if !fits || all.len() < 2 || path.len() > MOST_PLACES || units.into_iter().any(several) {
            return None;
        }
        Some(Self {
            launch: Arc::clone(launch),
            stream: own.stream,
            warps: all.len(),
            graph: None,
            held: Vec::new(),
            ready: Vec::new(),
            issue: Vec::new(),
            open: VecDeque::new(),
            ways: BTreeMap::new(),
            end: 0,
            spent: 0,
            given_up: false,
        })
    }

    /// Goes on for about so many steps; whether there is more to do.
    pub fn step(&mut self, steps: u64) -> bool {
        let until = self.spent + steps;
        if self.graph.is_none() && !self.given_up {
            self.begin();
            self.spent += self.costs();
        }
        while self.spent < until && !self.given_up {
            if self.place() {
                return false;
            }
        }
        !self.given_up
    }

    /// How many steps it takes to begin.
    pub fn costs(&self) -> u64 {
        self.launch.streams()[self.stream].path.len() as u64 * Graph::COSTS
    }

    /// Steps so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// The bound of a launch, however long it takes.
    pub fn of(launch: &Arc<Launch>) -> Option<u64> {
        let mut stretches = Self::new(launch)?;
        while stretches.step(1 << 20) {}
        stretches.bound()
    }

    /// The bound, once it is found.
    pub fn bound(&self) -> Option<u64> {
        let length = self.launch.streams()[self.stream].path.len();
        (!self.given_up && self.issue.len() == length).then_some(self.end)
    }

    fn own(&self, place: usize) -> &Instruction {
        &self.launch.code()[self.launch.streams()[self.stream].path[place] as usize]
    }

    fn begin(&mut self) {
        let Some(graph) = Graph::new(&self.launch, self.stream) else {
            self.given_up = true;
            return;
        };
        let machine = self.launch.machine();
        let mut on = vec![Vec::new(); machine.units.len() + 1];
        for place in 0..graph.arcs.len() {
            if let Some(unit) = self.own(place).unit.filter(|&unit| self.launch.shared(unit)) {
                on[usize::from(unit)].push(place);
                on[machine.units.len()].push(place);
            }
        }
        let hold = |place: usize| u64::from(self.own(place).hold);
        let mut spent = 0;
        let held = on.into_iter().map(|places| Held::new(&graph, places, hold, self.warps, &mut spent));
        self.held = held.collect();
        self.spent += spent;
        self.graph = Some(graph);
    }

    /// Goes on by one place; whether that was the last one.
    fn place(&mut self) -> bool {
        let Some(graph) = self.graph.take() else { return true };
        let place = self.issue.len();
        let Some(arcs) = graph.arcs.get(place) else {
            self.graph = Some(graph);
            return true;
        };
        let own = self.own(place);
        let (barrier, lasts, hold) = (own.barrier, u64::from(own.longest()), u64::from(own.hold));
        let shared = own.unit.is_some_and(|unit| self.launch.shared(unit));
        let mut ready = if place == 0 { vec![0; self.warps] } else { Vec::new() };
        ready.extend(arcs.iter().flat_map(|&(by, cycles)| self.issue[by].iter().map(move |at| at + cycles)));
        highest(&mut ready, self.warps);
        if barrier {
            ready = vec![ready[0]; self.warps];
            self.open.clear();
        }
        self.ready.push(ready.clone());
        self.follow(&graph, place, shared);
        let mut issue = ready.clone();
        if shared {
            issue = self.behind_others(&graph, place, hold);
            for (ready, issue) in ready.iter_mut().zip(&issue) {
                *ready = (*ready).min(*issue);
            }
            self.lower(place, &ready);
        }
        self.spent += 4 * (1 + arcs.len() + self.open.len()) as u64;
        self.given_up |= issue[0] == u64::MAX;
        self.end = self.end.max(issue[0].saturating_add(lasts));
        self.issue.push(issue);
        let done = self.issue.len() == graph.arcs.len();
        self.graph = Some(graph);
        done
    }

    /// What is ready no later than a place is before it, too.
    fn lower(&mut self, place: usize, stairs: &Stairs) {
        for at in (0..=place).rev() {
            let mut changed = false;
            for (one, &other) in self.ready[at].iter_mut().zip(stairs) {
                changed |= *one > other;
                *one = (*one).min(other);
            }
            if !changed && at < place {
                break;
            }
        }
    }

    /// Takes a place to all that is open.
    fn follow(&mut self, graph: &Graph, place: usize, shared: bool) {
        let Self { launch, open, issue, warps, stream, .. } = self;
        let path = &launch.streams()[*stream].path;
        let free = |at: usize| !launch.code()[path[at] as usize].unit.is_some_and(|unit| launch.shared(unit));
        for one in open.iter_mut() {
            let mut stairs = Vec::new();
            for &(by, cycles) in &graph.arcs[place] {
                let before = match by.checked_sub(one.from) {
                    None => &issue[by],
                    Some(at) if free(by) => &one.stairs[at],
                    Some(_) => continue,
                };
                stairs.extend(before.iter().map(|at| at + cycles));
            }
            highest(&mut stairs, *warps);
            if shared && !stairs.is_empty() {
                one.first.push(place);
            }
            one.stairs.push(stairs);
        }
    }

    /// When warps issue a place on a shared unit.
    fn behind_others(&mut self, graph: &Graph, place: usize, hold: u64) -> Stairs {
        let ready = self.ready[place].clone();
        self.open.push_back(Open { from: place, stairs: vec![ready.clone()], first: vec![place] });
        let number = |held: &[Held], place: usize| held.last().map_or(0, |all| all.number(place));
        let now = number(&self.held, place);
        let held = &self.held;
        self.open.retain(|one| {
            let at = number(held, one.from);
            let apart = now - at;
            apart < NEAR || apart <= BACK && at % (apart / NEAR + 1).next_power_of_two() == 0
        });
        let oldest = self.open.front().map_or(place, |one| one.from);
        self.ways.retain(|&from, _| from >= oldest);
        let mut issue = vec![u64::MAX; self.warps];
        for number in (0..self.open.len()).rev() {
            // Nobody is blocked there.
            if issue == ready {
                break;
            }
            let from = self.open[number].from;
            let mut stairs = Vec::new();
            for first in self.open[number].first.clone() {
                let latest = self.open[number].stairs[first - from].clone();
                let mut issues = u64::MAX;
                for (step, &at) in (0..).zip(&latest) {
                    // Others are as far apart anyhow.
                    if step == 0 || at + step * hold < latest[0] {
                        issues = self.latest(graph, (first, place), at).unwrap_or(u64::MAX);
                    }
                    stairs.push(issues);
                }
            }
            highest(&mut stairs, self.warps);
            for (one, &other) in issue.iter_mut().zip(&stairs) {
                *one = (*one).min(other);
            }
        }
        for step in 1..self.warps {
            issue[step] = issue[step].min(issue[step - 1].saturating_sub(hold));
        }
        issue
    }

    /// The latest that a warp issues `to` if it is ready for `at` no later than so, and its chain goes from there; none
    /// where that takes too long to say.
    fn latest(&mut self, graph: &Graph, (at, to): (usize, usize), ready: u64) -> Option<u64> {
        let Some(way) = self.way(graph, at, to) else { return Some(0) };
        let unit = self.own(at).unit.map_or(0, usize::from);
        let all = self.held.len() - 1;
        let several = self.held[unit].between(at, to) < self.held[all].between(at, to);
        let list = if several { all } else { unit };
        let (known, others) = (self.ready.len(), self.warps - 1);
        let Self { held, ready: stairs, spent, .. } = self;
        let held = &mut held[list];
        let (nth, known) = (held.number(at), held.number(known));
        let mut best = ready + way;
        for own in (0..=nth).rev() {
            let apart = held.apart(graph, own, nth);
            let Some(latest) = ready.checked_sub(apart).filter(|_| apart <= held.busy) else { break };
            let mut begin = latest.min(stairs[held.places[own]][0]);
            let itself = way + held.sum(own, nth);
            let most = held.length(graph, (None, itself), &vec![0; others], spent)?;
            while begin + most > best {
                let mut from = Vec::with_capacity(others);
                let mut next = None;
                for other in 0..others {
                    let step =
                        |number: usize| stairs[held.places[number]][other + usize::from(number >= own)];
                    let range = if own > 0 && step(own - 1) >= begin { 0..own } else { own..known };
                    let first = range.start + partition(range.len(), |at| step(range.start + at) < begin);
                    from.push(first);
                    if first > 0 {
                        next = next.max(Some(step(first - 1)));
                    }
                }
                *spent += 10 * others as u64;
                best = best.max(begin + held.length(graph, (Some(begin), itself), &from, spent)?);
                match next.filter(|&next| next < begin) {
                    Some(next) => begin = next,
                    None => break,
                }
            }
        }
        Some(best)
    }

    /// The longest way from a place to a later one; none where there is none.
    fn way(&mut self, graph: &Graph, from: usize, to: usize) -> Option<u64> {
        let row = self.ways.entry(from).or_insert_with(|| vec![Some(0)]);
        for place in from + row.len()..=to {
            let within: &Arcs = &graph.arcs[place];
            let within = within.iter().filter(|arc| arc.0 >= from);
            let way = within.filter_map(|&(by, cycles)| Some(row[by - from]? + cycles)).max();
            row.push(way);
            self.spent += 1;
        }
        row[to - from]
    }
}

/// The highest ones, from the highest on.
fn highest(all: &mut Stairs, count: usize) {
    all.sort_unstable_by(|a, b| b.cmp(a));
    all.truncate(count);
}

/// For how many of so many numbers something holds that holds for all before one for which it holds.
fn partition(count: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut from, mut to) = (0, count);
    while from < to {
        let middle = from + (to - from) / 2;
        match holds(middle) {
            true => from = middle + 1,
            false => to = middle,
        }
    }
    from
}
