//! The state space: multisets of positions, since warps are interchangeable.
//!
//! Choices are taken per position. Two choices that differ in the number of warps taken from some position
//! lead to different multisets, so no successor comes twice from one state.
//!
//! A search first chooses how many execute in each phase and leave it: that decides about the bound. Only where
//! it suffices does it matter who they are. Whoever leaves stands at the last instruction.

use std::ops::Range;

use super::Goal;
use super::instance::{Aggregate, Instance, Place};
use super::pack::StateCode;
use super::select::{Selector, Waiting};
use super::space::{MOST_CHOICES, Space};

/// Takes a successor: its places, its aggregate and the instructions executed; says whether to go on.
pub type Visit<'a> = dyn FnMut(&StateCode, &[Place], &Aggregate, u32) -> bool + 'a;

/// The space of states.
#[derive(Debug)]
pub struct StateSpace {
    code: StateCode,
    warps: u32,
    selector: Selector,
    waiting: Vec<Waiting>,
    places: Vec<Place>,
    next: Vec<Place>,
    aggregate: Aggregate,
    key: Vec<u64>,
    goal: Goal,
}

impl StateSpace {
    /// The space of a problem.
    pub fn new(goal: Goal, instance: &Instance) -> Self {
        Self {
            code: StateCode::new(instance),
            warps: instance.warps,
            selector: Selector::default(),
            waiting: Vec::new(),
            places: Vec::new(),
            next: Vec::new(),
            aggregate: Aggregate::default(),
            key: Vec::new(),
            goal,
        }
    }

    /// The code of its keys.
    pub fn code(&self) -> &StateCode {
        &self.code
    }

    /// Lists the successors of a state, with their places, aggregates and the instructions executed, until told
    /// to stop; whether it never was.
    pub fn each_next(&mut self, instance: &Instance, key: &[u64], visit: &mut Visit) -> bool {
        let Self { code, selector, waiting, places, next, aggregate, .. } = self;
        code.decode(key, places);
        waiting.clear();
        waiting.extend(places.iter().map(|place| {
            let phase = instance.phases[instance.phase_of[place.at as usize] as usize];
            Waiting { unit: phase.unit, block: phase.block, warps: place.warps }
        }));
        selector.each(instance, waiting, &mut |chosen| {
            advance(places, chosen, next);
            aggregate.gather(instance, next);
            visit(code, next, aggregate, chosen.iter().sum())
        })
    }
}

impl Space for StateSpace {
    fn stride(&self) -> usize {
        self.code.stride()
    }

    fn start(&self) -> Vec<u64> {
        let mut key = Vec::new();
        self.code.encode(&[Place { at: 0, warps: self.warps }], &mut key);
        key
    }

    fn expand(
        &mut self,
        instance: &Instance,
        key: &[u64],
        keep: &mut dyn FnMut(&Aggregate, u32) -> bool,
        visit: &mut dyn FnMut(&[u64], u32),
    ) -> bool {
        let Self { code, selector, waiting, places, next, aggregate, key: buffer, goal, .. } = self;
        code.decode(key, places);
        aggregate.gather(instance, places);
        let teams = Team::all(instance, places);
        waiting.clear();
        waiting.extend(teams.iter().map(|team| {
            let phase = instance.phases[team.phase];
            Waiting { unit: phase.unit, block: phase.block, warps: aggregate.0[team.phase].warps }
        }));
        let (mut after, mut take, mut count) = (aggregate.clone(), vec![0; places.len()], 0);
        let mut leave = vec![0; teams.len()];
        selector.each(instance, waiting, &mut |chosen| {
            let executed = chosen.iter().sum();
            each_leave(&teams, chosen, 0, &mut leave, &mut |leave| {
                settle(*goal, instance, &teams, aggregate, chosen, leave, &mut after);
                count += 1;
                if keep(&after, executed) {
                    spread(&teams, places, chosen, leave, 0, &mut take, &mut |take| {
                        count += 1;
                        advance(places, take, next);
                        code.encode(next, buffer);
                        visit(buffer, executed);
                        count <= MOST_CHOICES
                    });
                }
                count <= MOST_CHOICES
            })
        })
    }
}

/// The warps of one phase.
#[derive(Debug, Clone, Copy)]
struct Team {
    phase: usize,
    /// The first of their places.
    first: usize,
    /// The place after their last.
    end: usize,
    /// Of the last instruction: how many stand at it.
    ready: u32,
    /// How many stand at others.
    others: u32,
}

impl Team {
    fn all(instance: &Instance, places: &[Place]) -> Vec<Self> {
        let mut teams: Vec<Self> = Vec::new();
        for (i, place) in places.iter().enumerate() {
            let phase = instance.phase_of[place.at as usize] as usize;
            if teams.last().is_none_or(|team| team.phase != phase) {
                teams.push(Self { phase, first: i, end: i, ready: 0, others: 0 });
            }
            let Some(team) = teams.last_mut() else { continue };
            team.end = i + 1;
            let at_last = place.at + 1 == instance.end(phase);
            *(if at_last { &mut team.ready } else { &mut team.others }) += place.warps;
        }
        teams
    }
}

/// Every choice of how many leave each phase.
fn each_leave(
    teams: &[Team],
    chosen: &[u32],
    i: usize,
    leave: &mut [u32],
    visit: &mut dyn FnMut(&[u32]) -> bool,
) -> bool {
    let Some(team) = teams.get(i) else { return visit(leave) };
    let (least, most) = (chosen[i].saturating_sub(team.others), chosen[i].min(team.ready));
    (least..=most).all(|y| {
        leave[i] = y;
        each_leave(teams, chosen, i + 1, leave, visit)
    })
}

/// The aggregate that a choice leads to, whoever executes; of the most instructions left what promises most.
fn settle(
    goal: Goal,
    instance: &Instance,
    teams: &[Team],
    before: &Aggregate,
    chosen: &[u32],
    leave: &[u32],
    after: &mut Aggregate,
) {
    after.0.clone_from(&before.0);
    for (team, (&x, &y)) in teams.iter().zip(chosen.iter().zip(leave)) {
        let group = &mut after.0[team.phase];
        let falls = x > y && (goal == Goal::Shortest || x == group.warps);
        group.warps -= y;
        group.left -= x;
        group.most -= u32::from(falls && group.most > 1);
        if group.warps == 0 {
            group.most = 0;
        }
    }
    for (team, &y) in teams.iter().zip(leave).filter(|&(_, &y)| y > 0) {
        if let Some(group) = after.0.get_mut(team.phase + 1) {
            let length = instance.phases[team.phase + 1].length;
            group.warps += y;
            group.left += y * length;
            group.most = length;
        }
    }
}

/// Every choice of who executes where, with so many executing in each phase and leaving it.
fn spread(
    teams: &[Team],
    places: &[Place],
    chosen: &[u32],
    leave: &[u32],
    i: usize,
    take: &mut [u32],
    visit: &mut dyn FnMut(&[u32]) -> bool,
) -> bool {
    let Some(&team) = teams.get(i) else { return visit(take) };
    let end = team.end - usize::from(team.ready > 0);
    if team.ready > 0 {
        take[end] = leave[i];
    }
    share(places, team.first..end, team.others, chosen[i] - leave[i], take, &mut |take| {
        spread(teams, places, chosen, leave, i + 1, take, visit)
    })
}

/// Every way to take `left` of the `others` warps at some places.
fn share(
    places: &[Place],
    mut at: Range<usize>,
    others: u32,
    left: u32,
    take: &mut [u32],
    visit: &mut dyn FnMut(&mut [u32]) -> bool,
) -> bool {
    let Some(i) = at.next() else { return visit(take) };
    let behind = others - places[i].warps;
    (left.saturating_sub(behind)..=left.min(places[i].warps)).all(|x| {
        take[i] = x;
        share(places, at.clone(), behind, left - x, take, visit)
    })
}

/// The places after some warps of each have executed.
pub fn advance(places: &[Place], chosen: &[u32], next: &mut Vec<Place>) {
    next.clear();
    let mut add = |at: u32, warps: u32| {
        if warps > 0 {
            match next.last_mut() {
                Some(last) if last.at == at => last.warps += warps,
                _ => next.push(Place { at, warps }),
            }
        }
    };
    let mut moved = Place::default();
    for (place, &take) in places.iter().zip(chosen) {
        if moved.at < place.at {
            add(moved.at, std::mem::take(&mut moved.warps));
        }
        add(place.at, moved.warps * u32::from(moved.at == place.at));
        add(place.at, place.warps - take);
        moved = Place { at: place.at + 1, warps: take };
    }
    add(moved.at, moved.warps);
}
