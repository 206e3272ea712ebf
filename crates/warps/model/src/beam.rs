//! Beam search over states, cycle by cycle: a lower bound on the longest makespan, with its schedule.
//!
//! Every state kept was reached by a real schedule, so whatever comes out is one: a lower bound on the
//! longest makespan with its witness, or an upper bound on the shortest. Ties are broken by the states
//! themselves, so that the result is the same everywhere.

use super::Schedule;
use super::exact::aggregate::table::{AggregateBound, CellLimits};
use super::exact::bounding::BoundingFunction;
use super::exact::instance::{Aggregate, Instance, Place};
use super::exact::open_list::StateSet;
use super::exact::space::Space;
use super::exact::states::StateSpace;
use super::exact::{Goal, Problem, path};

/// Choices looked at per state: an aggregate of scattered warps has more than anyone can list.
const MOST_CHOICES: u32 = 4_096;

/// The table a guided beam makes for itself.
const TABLE: CellLimits = CellLimits { coarse: 16 << 20, fine: 16 << 20 };

/// What makes a state promising.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ranking {
    /// The work left, kinds of unit weighted.
    Work([u64; 4]),
    /// The bound on what follows, then the work left.
    Bound([u64; 4]),
    /// The same; and among equals, those in which someone is far behind: he may end up alone.
    Behind([u64; 4]),
    /// The bound of colours, in parts of a cycle, then the work left.
    Coloured([u64; 4]),
}

/// A beam that is fed with bounds from outside.
#[derive(Debug)]
pub struct BeamSearch {
    goal: Goal,
    width: usize,
    ranking: Ranking,
    space: StateSpace,
    /// For each cycle the states kept and where each came from.
    layers: Vec<(Vec<u64>, Vec<u32>)>,
    index: usize,
    candidates: StateSet,
    scores: Vec<(i32, i64)>,
    finished: Option<u32>,
    states: u64,
}

impl BeamSearch {
    /// A beam of a width, or less where `memory` bytes would not hold it.
    pub fn new(goal: Goal, instance: &Instance, width: usize, ranking: Ranking, memory: u64) -> Self {
        let space = StateSpace::new(goal, instance);
        let cycles = u64::from(instance.longest(&Aggregate::start(instance)));
        let most = memory / (cycles * (space.stride() as u64 * 8 + 4) + 1);
        Self {
            goal,
            width: width.min(most as usize).max(1),
            ranking,
            layers: vec![(space.start(), vec![0])],
            index: 0,
            candidates: StateSet::new(space.stride()),
            scores: Vec::new(),
            space,
            finished: None,
            states: 0,
        }
    }

    /// Goes on; whether there is more to do.
    pub fn step(&mut self, instance: &Instance, bounding: &mut BoundingFunction, budget: u64) -> bool {
        let mut spent = 0;
        while self.finished.is_none() && spent < budget {
            if self.index * self.space.stride() < self.layers[self.layers.len() - 1].0.len() {
                spent += self.expand(instance, bounding);
                self.index += 1;
            } else {
                spent += 8 * self.scores.len() as u64;
                self.keep();
            }
        }
        self.finished.is_none()
    }

    /// The makespan found.
    pub fn makespan(&self) -> Option<u32> {
        self.finished.map(|_| self.layer())
    }

    /// The cycle it is in.
    pub fn layer(&self) -> u32 {
        self.layers.len() as u32 - u32::from(self.finished.is_none())
    }

    /// States expanded.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// The schedule found.
    pub fn witness(&self, instance: &Instance) -> Option<Schedule> {
        let mut link = self.finished? as usize;
        let stride = self.space.stride();
        let mut end = Vec::new();
        self.space.code().encode(&[], &mut end);
        let mut keys = vec![end.as_slice()];
        for (states, links) in self.layers.iter().rev() {
            keys.push(&states[link * stride..(link + 1) * stride]);
            link = links[link] as usize;
        }
        path::to_schedule(instance, self.space.code(), keys.into_iter().rev())
    }

    fn expand(&mut self, instance: &Instance, bounding: &mut BoundingFunction) -> u64 {
        self.states += 1;
        let Self { goal, ranking, space, candidates, scores, .. } = self;
        let stride = space.stride();
        let key = &self.layers[self.layers.len() - 1].0[self.index * stride..(self.index + 1) * stride];
        let link = self.index as u32;
        let (mut buffer, mut seen) = (Vec::new(), 0);
        let mut finished = None;
        space.each_next(instance, key, &mut |code, places: &[Place], aggregate, _| {
            seen += 1;
            if places.iter().all(|place| place.at == instance.length) {
                finished = Some(link);
            } else {
                code.encode(places, &mut buffer);
                if candidates.offer(&buffer, link) {
                    let places = (places, aggregate);
                    scores.push(score(*goal, *ranking, instance, bounding, places));
                }
            }
            seen < MOST_CHOICES
        });
        // The longest goes on while any state does.
        let last = (self.index + 1) * stride == self.layers[self.layers.len() - 1].0.len();
        if finished.is_some() && (*goal == Goal::Shortest || (last && candidates.len() == 0)) {
            self.finished = finished;
        }
        u64::from(seen) * 24 + 16
    }

    /// Keeps the best candidates as the next layer.
    fn keep(&mut self) {
        let (candidates, scores) = (&self.candidates, &self.scores);
        let mut order: Vec<u32> = (0..candidates.len() as u32).collect();
        let compare = |&a: &u32, &b: &u32| {
            let (a, b) = (a as usize, b as usize);
            scores[b].cmp(&scores[a]).then_with(|| candidates.key(a).cmp(candidates.key(b)))
        };
        if order.len() > self.width {
            order.select_nth_unstable_by(self.width, compare);
            order.truncate(self.width);
        }
        order.sort_unstable_by(compare);
        let mut layer = (Vec::new(), Vec::new());
        for index in order {
            layer.0.extend_from_slice(candidates.key(index as usize));
            layer.1.push(candidates.link(index as usize));
        }
        self.layers.push(layer);
        self.candidates.clear();
        self.scores.clear();
        self.index = 0;
    }
}

fn score(
    goal: Goal,
    ranking: Ranking,
    instance: &Instance,
    bounding: &mut BoundingFunction,
    (places, aggregate): (&[Place], &Aggregate),
) -> (i32, i64) {
    let sign = i64::from(goal.step());
    let work = |weights| sign * i64::try_from(instance.weigh(aggregate, weights)).unwrap_or(i64::MAX);
    match ranking {
        Ranking::Work(weights) => (0, work(weights)),
        Ranking::Bound(weights) => (bounding.estimate(goal, instance, aggregate), work(weights)),
        Ranking::Coloured(weights) => {
            let unfinished = places.iter().take_while(|place| place.at < instance.length).count();
            let parts = bounding.coloured.as_ref().and_then(|bound| bound.parts(&places[..unfinished]));
            (parts.map_or(i32::MAX, |parts| parts as i32), work(weights))
        }
        Ranking::Behind(weights) => {
            let path = i64::from(instance.path(aggregate));
            (bounding.estimate(goal, instance, aggregate), work(weights) + sign * path)
        }
    }
}

/// A beam on its own, for the longest schedule.
#[derive(Debug)]
pub struct Beam {
    instance: Instance,
    /// The table in the making.
    table: Option<AggregateBound>,
    bounding: BoundingFunction,
    search: BeamSearch,
}

impl Beam {
    /// A beam of a width; a guided one scores by upper bounds, for which it makes a table first. `None`
    /// where the kernel needs a unit that is not there.
    pub fn new(problem: &Problem, width: usize, guided: bool) -> Option<Self> {
        let instance = Instance::new(problem)?;
        let weights = instance.scarcity();
        let ranking = if guided { Ranking::Behind(weights) } else { Ranking::Work(weights) };
        let table = if guided { AggregateBound::new(&instance, 1, TABLE).ok() } else { None };
        let search = BeamSearch::new(Goal::Longest, &instance, width, ranking, 1 << 28);
        Some(Self { instance, table, bounding: BoundingFunction::default(), search })
    }

    /// Goes on for about `budget` units of work; whether there is more to do.
    pub fn step(&mut self, budget: u64) -> bool {
        if let Some(table) = &mut self.table {
            if !table.step(&self.instance, budget) {
                self.bounding.table = self.table.take();
            }
            return true;
        }
        self.search.step(&self.instance, &mut self.bounding, budget)
    }

    /// The longest makespan found; 0 before there is one.
    pub fn best(&self) -> u32 {
        self.search.makespan().unwrap_or(0)
    }

    /// The cycle it is in.
    pub fn layer(&self) -> u32 {
        self.search.layer()
    }

    /// A schedule of the makespan found.
    pub fn witness(&self) -> Option<Schedule> {
        self.search.witness(&self.instance)
    }
}
