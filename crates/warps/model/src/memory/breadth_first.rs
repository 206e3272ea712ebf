//! Breadth-first branch and bound over states, and beam search: loads that last.
//!
//! States wait in buckets by the cycles that have passed. Those of a bucket that cannot take longer than what was
//! found, by the proven bound, are dropped; a beam keeps the first so many of the others. States that were expanded
//! are kept with where they came from, so that what was found can be played again. Nothing depends on hash order.

use std::collections::BTreeMap;

use super::Problem;
use super::space::{Lister, Space};
use crate::exact::open_list::StateSet;
use crate::{Schedule, Unit};

/// The most choices of one state that are looked at: in a beam, and in a search for all.
const MOST_CHOICES: [u32; 2] = [2_048, 200_000];

/// What makes a state promising.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ranking {
    /// The work left, kinds of unit weighted.
    Work,
    /// The bound on what follows, then the work left.
    Bound,
}

/// How many states are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// All that could take longer than what was found.
    All,
    /// So many of each bucket, the most promising.
    Best(usize, Ranking),
}

/// Where all searches stand: states that have been reached and wait to be expanded.
#[derive(Debug, Clone, Default)]
struct Bucket {
    layer: StateSet,
    /// Of each state, the longest that any schedule through it can take.
    longest: Vec<u32>,
}

/// States that were expanded.
#[derive(Debug, Clone, Default)]
struct Closed {
    words: Vec<u64>,
    parents: Vec<u32>,
    cycles: Vec<u32>,
    /// Of each, the longest that any schedule through it can take.
    longest: Vec<u32>,
}

/// A longest schedule: its makespan, and the state it was expanded from last with what came out.
#[derive(Debug, Clone)]
struct Found {
    makespan: u32,
    parent: u32,
    words: Vec<u64>,
}

/// A search under way.
#[derive(Debug, Clone)]
pub struct BreadthFirst {
    space: Space,
    lister: Lister,
    width: Width,
    open: BTreeMap<u32, Bucket>,
    closed: Closed,
    /// The next state to expand; those before it are done.
    next: usize,
    found: Option<Found>,
    /// What takes no longer than this is of no interest.
    floor: u32,
    /// The longest of what was left out for another reason than a bound.
    left_out: u32,
    states: u64,
    memory: u64,
    out_of_memory: bool,
}

impl BreadthFirst {
    /// A search at its beginning, for what takes longer than `floor`; `None` as for [`Space::new`].
    pub fn new(problem: &Problem, width: Width, floor: u32, memory: u64) -> Option<Self> {
        let space = Space::new(problem)?;
        let (codes, misses) = space.start();
        let mut words = Vec::new();
        Space::pack(&codes, misses, &mut words);
        let mut bucket =
            Bucket { layer: StateSet::new(space.words()), longest: vec![space.rest(&codes, misses)] };
        bucket.layer.offer(&words, u32::MAX);
        Some(Self {
            space,
            lister: Lister::default(),
            width,
            open: BTreeMap::from([(0, bucket)]),
            closed: Closed::default(),
            next: 0,
            found: None,
            floor,
            left_out: 0,
            states: 0,
            memory,
            out_of_memory: false,
        })
    }

    /// Goes on for about `budget` units of some nanoseconds; whether there is more to do.
    pub fn step(&mut self, budget: u64) -> bool {
        let mut spent = 0;
        while spent < budget {
            if self.next == self.closed.parents.len() {
                match self.open.pop_first() {
                    Some((cycles, bucket)) => spent += self.keep(cycles, &bucket),
                    None => return false,
                }
            } else {
                spent += self.expand();
            }
            if self.bytes() > self.memory {
                self.out_of_memory = true;
                return false;
            }
        }
        true
    }

    /// Takes what is worth it out of a bucket; what that cost.
    fn keep(&mut self, cycles: u32, bucket: &Bucket) -> u64 {
        let count = bucket.layer.len();
        let mut chosen: Vec<usize> = (0..count).filter(|&i| bucket.longest[i] > self.best()).collect();
        if let Width::Best(width, ranking) = self.width
            && chosen.len() > width
        {
            let mut codes = Vec::new();
            let rank = |&i: &usize| {
                let misses = self.space.unpack(bucket.layer.key(i), &mut codes);
                let work = self.space.work(&codes, misses);
                (if ranking == Ranking::Bound { bucket.longest[i] } else { 0 }, work)
            };
            let ranks: Vec<(u32, u64)> = chosen.iter().map(rank).collect();
            let mut places: Vec<usize> = (0..chosen.len()).collect();
            // The most promising first, and among equals those in which the first warps are furthest: others are then
            // far behind, and may end up alone.
            let key = |place: usize| bucket.layer.key(chosen[place]);
            places.sort_unstable_by(|&a, &b| ranks[b].cmp(&ranks[a]).then_with(|| key(b).cmp(key(a))));
            chosen = places[..width].iter().map(|&place| chosen[place]).collect();
        }
        for &i in &chosen {
            self.closed.words.extend_from_slice(bucket.layer.key(i));
            self.closed.parents.push(bucket.layer.link(i));
            self.closed.cycles.push(cycles);
            self.closed.longest.push(bucket.longest[i]);
        }
        if matches!(self.width, Width::Best(..)) {
            self.left_out = u32::MAX; // whatever that is
        }
        count as u64 * 8
    }

    /// Lists what follows the next state; what that cost.
    fn expand(&mut self) -> u64 {
        let parent = self.next;
        self.next += 1;
        self.states += 1;
        let stride = self.space.words();
        let mut codes = Vec::new();
        let misses =
            self.space.unpack(&self.closed.words[parent * stride..(parent + 1) * stride], &mut codes);
        let now = self.closed.cycles[parent];
        let most = MOST_CHOICES[usize::from(self.width == Width::All)];
        let (mut seen, mut words) = (0, Vec::new());
        let Self { open, found, floor, space, lister, .. } = self;
        let listed = lister.expand(space, &codes, misses, &mut |step| {
            seen += 1;
            let cycles = now + step.cycles;
            Space::pack(step.codes, step.misses, &mut words);
            let best = found.as_ref().map_or(*floor, |found| found.makespan);
            if let Some(more) = space.finished(step.codes) {
                if cycles + more > best {
                    let words = words.clone();
                    *found = Some(Found { makespan: cycles + more, parent: parent as u32, words });
                }
            } else {
                let bucket = open
                    .entry(cycles)
                    .or_insert_with(|| Bucket { layer: StateSet::new(stride), longest: Vec::new() });
                if bucket.layer.offer(&words, parent as u32) {
                    bucket.longest.push(cycles + space.rest(step.codes, step.misses));
                }
            }
            seen < most
        });
        if !listed {
            self.left_out = self.left_out.max(now + self.space.rest(&codes, misses));
        }
        u64::from(seen) * (codes.len() as u64 * 4 + 20) + 50
    }

    /// The longest makespan so far.
    pub fn best(&self) -> u32 {
        self.found.as_ref().map_or(self.floor, |found| found.makespan)
    }

    /// No schedule takes longer than this.
    pub fn upper(&self) -> u32 {
        let open = self.open.values().flat_map(|bucket| bucket.longest.iter().copied()).max().unwrap_or(0);
        let here = self.closed.longest[self.next..].iter().copied();
        here.max().unwrap_or(0).max(open).max(self.left_out).max(self.best())
    }

    /// The cycle it is at.
    pub fn cycle(&self) -> u32 {
        self.closed.cycles.last().map_or(0, |&cycles| cycles + 1)
    }

    /// States expanded.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// Did it end because there was no room?
    pub fn is_out_of_memory(&self) -> bool {
        self.out_of_memory
    }

    fn bytes(&self) -> u64 {
        let open: usize = self.open.values().map(|bucket| bucket.layer.len()).sum();
        let each = self.space.words() as u64 * 8 + 20;
        (open + self.closed.parents.len()) as u64 * each + open as u64 * 8
    }

    /// The longest schedule found, with the loads that miss in it; none if none is longer than asked.
    pub fn witness(&self, problem: &Problem) -> Option<(Schedule, Vec<(u16, u16)>)> {
        let found = self.found.as_ref()?;
        let stride = self.space.words();
        let mut path = vec![found.words.clone()];
        let mut at = found.parent;
        while at != u32::MAX {
            let i = at as usize;
            path.push(self.closed.words[i * stride..(i + 1) * stride].to_vec());
            at = self.closed.parents[i];
        }
        path.reverse();
        replay(&self.space, problem, &path)
    }
}

/// Plays a path of states with warps that have names.
fn replay(space: &Space, problem: &Problem, path: &[Vec<u64>]) -> Option<(Schedule, Vec<(u16, u16)>)> {
    let warps = problem.warps;
    let (mut rows, mut missed) = (vec![Vec::new(); warps], Vec::new());
    let (mut at, mut ready) = (vec![0u32; warps], vec![1u32; warps]);
    let mut now = 0;
    let mut lister = Lister::default();
    let (mut codes, mut words) = (Vec::new(), Vec::new());
    let memory = problem.memory;
    let settled = problem.settled();
    for pair in path.windows(2) {
        let misses = space.unpack(&pair[0], &mut codes);
        let mut chosen = None;
        lister.expand(space, &codes, misses, &mut |step| {
            Space::pack(step.codes, step.misses, &mut words);
            if words == pair[1] {
                chosen = Some((step.classes.to_vec(), step.cycles));
            }
            chosen.is_none()
        });
        let (classes, cycles) = chosen?;
        for class in classes {
            let unit = problem.kernel.units()[class.at as usize];
            let pending = |&warp: &usize| at[warp] == class.at && ready[warp] <= now + 1;
            let start: Vec<usize> = (0..warps).filter(pending).take(class.starts as usize).collect();
            for (i, warp) in start.into_iter().enumerate() {
                let load = unit == Unit::LoadStore;
                let miss = load
                    && (i < class.misses as usize || settled.as_ref().is_some_and(|all| !all.is_empty()));
                if miss {
                    missed.push((warp as u16, class.at as u16));
                }
                rows[warp].push(now + 1);
                ready[warp] = now + 1 + if load { memory.cycles(miss) } else { 1 };
                at[warp] += 1;
            }
        }
        now += cycles;
    }
    missed.sort_unstable();
    let durations = memory.durations(problem.kernel, warps, &missed);
    let schedule = Schedule::new(&rows, problem.kernel.len())?.lasting(durations)?;
    Some((schedule, missed))
}
