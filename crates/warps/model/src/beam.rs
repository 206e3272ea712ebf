//! Beam search: cycle by cycle, keeping the states that promise most.
//!
//! Every state kept was reached by a real schedule, so whatever comes out is one: a lower bound on the
//! longest makespan with its witness, or an upper bound on the shortest. Ties are broken by the states
//! themselves, so that the result is the same everywhere.

use super::Schedule;
use super::exact::concrete::Concrete;
use super::exact::guide::Guide;
use super::exact::layer::Layer;
use super::exact::outline::{Crowd, Outline, Place};
use super::exact::pooled::{Most, Pooled};
use super::exact::space::Space;
use super::exact::{Goal, Problem, tracks};

/// Choices looked at per state: a crowd of scattered warps has more than anyone can list.
const MOST_CHOICES: u32 = 4_096;

/// The table a guided beam makes for itself.
const TABLE: Most = Most { coarse: 16 << 20, fine: 16 << 20 };

/// What makes a state promising.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promise {
    /// The work left, kinds of unit weighted.
    Work([u64; 4]),
    /// The bound on what follows, then the work left.
    Bound([u64; 4]),
    /// The same; and among equals, those in which someone is far behind: he may end up alone.
    Behind([u64; 4]),
}

/// A beam that is fed with bounds from outside.
#[derive(Debug)]
pub struct Run {
    goal: Goal,
    width: usize,
    promise: Promise,
    space: Concrete,
    /// For each cycle the states kept and where each came from.
    layers: Vec<(Vec<u64>, Vec<u32>)>,
    index: usize,
    candidates: Layer,
    scores: Vec<(i32, i64)>,
    finished: Option<u32>,
    states: u64,
}

impl Run {
    /// A beam of a width, or less where `memory` bytes would not hold it.
    pub fn new(goal: Goal, outline: &Outline, width: usize, promise: Promise, memory: u64) -> Self {
        let space = Concrete::new(goal, outline);
        let cycles = u64::from(outline.longest(&Crowd::start(outline)));
        let most = memory / (cycles * (space.stride() as u64 * 8 + 4) + 1);
        Self {
            goal,
            width: width.min(most as usize).max(1),
            promise,
            layers: vec![(space.start(), vec![0])],
            index: 0,
            candidates: Layer::new(space.stride()),
            scores: Vec::new(),
            space,
            finished: None,
            states: 0,
        }
    }

    /// Goes on; whether there is more to do.
    pub fn step(&mut self, outline: &Outline, guide: &mut Guide, budget: u64) -> bool {
        let mut spent = 0;
        while self.finished.is_none() && spent < budget {
            if self.index * self.space.stride() < self.layers[self.layers.len() - 1].0.len() {
                spent += self.expand(outline, guide);
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
    pub fn witness(&self, outline: &Outline) -> Option<Schedule> {
        let mut link = self.finished? as usize;
        let stride = self.space.stride();
        let mut end = Vec::new();
        self.space.code().encode(&[], &mut end);
        let mut keys = vec![end.as_slice()];
        for (states, links) in self.layers.iter().rev() {
            keys.push(&states[link * stride..(link + 1) * stride]);
            link = links[link] as usize;
        }
        tracks::schedule(outline, self.space.code(), keys.into_iter().rev())
    }

    fn expand(&mut self, outline: &Outline, guide: &mut Guide) -> u64 {
        self.states += 1;
        let Self { goal, promise, space, candidates, scores, .. } = self;
        let stride = space.stride();
        let key = &self.layers[self.layers.len() - 1].0[self.index * stride..(self.index + 1) * stride];
        let link = self.index as u32;
        let (mut buffer, mut seen) = (Vec::new(), 0);
        let mut finished = None;
        space.each_next(outline, key, &mut |code, places: &[Place], crowd, _| {
            seen += 1;
            if places.iter().all(|place| place.at == outline.length) {
                finished = Some(link);
            } else {
                code.encode(places, &mut buffer);
                if candidates.offer(&buffer, link) {
                    scores.push(score(*goal, *promise, outline, guide, crowd));
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

fn score(goal: Goal, promise: Promise, outline: &Outline, guide: &mut Guide, crowd: &Crowd) -> (i32, i64) {
    let sign = i64::from(goal.step());
    let work = |weights| sign * i64::try_from(outline.weigh(crowd, weights)).unwrap_or(i64::MAX);
    match promise {
        Promise::Work(weights) => (0, work(weights)),
        Promise::Bound(weights) => (guide.estimate(goal, outline, crowd), work(weights)),
        Promise::Behind(weights) => {
            let path = i64::from(outline.path(crowd));
            (guide.estimate(goal, outline, crowd), work(weights) + sign * path)
        }
    }
}

/// A beam on its own, for the longest schedule.
#[derive(Debug)]
pub struct Beam {
    outline: Outline,
    /// The table in the making.
    table: Option<Pooled>,
    guide: Guide,
    run: Run,
}

impl Beam {
    /// A beam of a width; a guided one scores by upper bounds, for which it makes a table first. `None`
    /// where the kernel needs a unit that is not there.
    pub fn new(problem: &Problem, width: usize, guided: bool) -> Option<Self> {
        let outline = Outline::new(problem)?;
        let weights = outline.scarcity();
        let promise = if guided { Promise::Behind(weights) } else { Promise::Work(weights) };
        let table = if guided { Pooled::new(&outline, 1, TABLE).ok() } else { None };
        let run = Run::new(Goal::Longest, &outline, width, promise, 1 << 28);
        Some(Self { outline, table, guide: Guide::default(), run })
    }

    /// Goes on for about `budget` units of work; whether there is more to do.
    pub fn step(&mut self, budget: u64) -> bool {
        if let Some(table) = &mut self.table {
            if !table.step(&self.outline, budget) {
                self.guide.table = self.table.take();
            }
            return true;
        }
        self.run.step(&self.outline, &mut self.guide, budget)
    }

    /// The longest makespan found; 0 before there is one.
    pub fn best(&self) -> u32 {
        self.run.makespan().unwrap_or(0)
    }

    /// The cycle it is in.
    pub fn layer(&self) -> u32 {
        self.run.layer()
    }

    /// A schedule of the makespan found.
    pub fn witness(&self) -> Option<Schedule> {
        self.run.witness(&self.outline)
    }
}
