//! A beam: cycle by cycle the states that promise the longest schedule, and no others.
//!
//! It goes through the states of the exact search, but keeps of each cycle only so many. Every state was reached by a real
//! schedule, so whatever comes out is one; states that are left out prove nothing. Of a state with very many successors
//! only some are looked at. Ties are broken by the states themselves, so the result is the same everywhere.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::Goal;
use super::rest::Rest;
use super::state::{Key, State};
use super::step::Steps;
use crate::launch::Launch;
use crate::schedule::Schedule;

/// About so much may come of one state in a cycle at the most, shared out among warps; and at the least.
const MOST_CHOICES: usize = 1_024;
const LEAST_CHOICES: usize = 16;
/// So many times as many states as are kept wait for a cycle before it is looked through.
const SLACK: usize = 4;
/// Bytes that states may take; a beam that needs more is narrower.
const MEMORY: u64 = 256 << 20;
/// Marks beyond those in use, at the most.
const SPARE: usize = 1 << 16;

/// The number of no mark.
const NONE: u32 = u32::MAX;

/// What makes a state promising: the first numbers first, larger ones are better.
type Score = [u64; 3];

/// A step of a schedule: who issued in which cycle, and which latencies were settled.
#[derive(Debug)]
struct Mark {
    before: u32,
    cycle: u32,
    issued: u64,
    told: Box<[(usize, u32)]>,
}

/// A state before a cycle, with the step that led to it.
#[derive(Debug)]
struct Waiting {
    state: State,
    score: Score,
    mark: Mark,
}

/// A beam.
#[derive(Debug)]
pub struct Beam {
    steps: Steps,
    rest: Rest,
    symmetric: bool,
    width: usize,
    guided: bool,
    open: BTreeMap<u32, BTreeMap<Key, Waiting>>,
    /// What was kept of the cycle at hand, the most promising last.
    kept: Vec<(State, u32)>,
    cycle: u32,
    marks: Vec<Mark>,
    /// How many marks were in use when that was last looked at.
    used: usize,
    best: u64,
    last: u32,
    states: u64,
}

impl Beam {
    /// A beam that keeps so many states of each cycle, for schedules longer than one that is known. A guided one judges
    /// states by the proven bound first.
    pub fn new(launch: &Arc<Launch>, width: usize, guided: bool, known: u32) -> Self {
        let start = State::start(launch);
        let each = 2 * start.bytes() + 40 * launch.warps().len() as u64;
        let most = MEMORY / (each * (SLACK as u64 + 1));
        Self {
            steps: Steps::new(launch, Goal::Longest)
                .few((MOST_CHOICES / launch.warps().len()).max(LEAST_CHOICES)),
            rest: Rest::new(launch),
            symmetric: launch.symmetric(),
            width: width.min(most as usize).max(1),
            guided,
            open: BTreeMap::new(),
            kept: vec![(start, NONE)],
            cycle: 1,
            marks: Vec::new(),
            used: 0,
            best: known.into(),
            last: NONE,
            states: 0,
        }
    }

    /// Goes on for about so many units of work; whether there is more to do.
    pub fn step(&mut self, budget: u64) -> bool {
        let mut left = budget;
        while left > 0 {
            let Some((state, mark)) = self.kept.pop() else {
                let Some((cycle, layer)) = self.open.pop_first() else { return false };
                left = left.saturating_sub(layer.len() as u64);
                self.keep(cycle, layer);
                continue;
            };
            left = left.saturating_sub(self.expand(&state, mark));
        }
        true
    }

    /// Keeps the most promising of a cycle.
    fn keep(&mut self, cycle: u32, mut layer: BTreeMap<Key, Waiting>) {
        self.cycle = cycle;
        if self.marks.len() > 2 * self.used + SPARE {
            self.sweep(&mut layer);
        }
        let mut all: Vec<Waiting> =
            narrowed(layer, self.width).into_values().filter(|own| self.longer(&own.state, cycle)).collect();
        all.sort_by_key(|own| own.score);
        for Waiting { state, mark, .. } in all {
            self.kept.push((state, self.marks.len() as u32));
            self.marks.push(mark);
        }
    }

    /// Whether anything longer than what is known may come of a state.
    fn longer(&self, state: &State, cycle: u32) -> bool {
        self.rest.most(&self.steps.launch, state, cycle) > self.best
    }

    /// Looks at what can come of a state; about how much work it was.
    fn expand(&mut self, state: &State, before: u32) -> u64 {
        self.states += 1;
        let launch = Arc::clone(&self.steps.launch);
        let cycle = self.cycle;
        let mut found = Vec::new();
        self.steps.each(state, cycle, &mut |next| found.push(next));
        let work = 20 * (1 + found.len() as u64);
        for mut next in found {
            let over = next.over(&launch);
            let end = u64::from(next.end);
            let mut to = cycle + 1;
            if !over {
                next.tidy(&launch, to);
                to = self.steps.next(&next, to);
                if to > cycle + 1 {
                    next.tidy(&launch, to);
                }
            }
            let places = state.warps.iter().zip(&next.warps).enumerate();
            let issued = places.filter(|(_, (was, is))| was.place < is.place);
            let issued = issued.fold(0, |bits, (warp, _)| bits | 1u64 << warp);
            let mark = Mark { before, cycle, issued, told: std::mem::take(&mut next.told).into() };
            if over {
                if end > self.best {
                    self.best = end;
                    self.last = self.marks.len() as u32;
                    self.marks.push(mark);
                }
                continue;
            }
            self.offer(next, to, mark);
        }
        work
    }

    fn offer(&mut self, state: State, cycle: u32, mark: Mark) {
        let launch = &*self.steps.launch;
        let most = self.rest.most(launch, &state, cycle);
        if most <= self.best {
            return;
        }
        let (mut way, mut work) = (0, 0);
        for warp in 0..state.warps.len() {
            let (own, left) = self.rest.left(launch, &state, warp);
            way = way.max(own);
            work += left as u64;
        }
        let score = if self.guided { [most, way, work] } else { [way, work, most] };
        let key = state.key(launch, cycle, self.symmetric);
        let layer = self.open.entry(cycle).or_default();
        if layer.get(&key).is_some_and(|known| known.state.end >= state.end) {
            return;
        }
        layer.insert(key, Waiting { state, score, mark });
        if layer.len() > SLACK * self.width
            && let Some(wide) = self.open.remove(&cycle)
        {
            self.open.insert(cycle, narrowed(wide, self.width));
        }
    }

    /// Forgets the marks that nothing leads back to any more. Those before a mark have smaller numbers.
    fn sweep(&mut self, layer: &mut BTreeMap<Key, Waiting>) {
        let mut used = vec![false; self.marks.len()];
        let waiting = self.open.values().flat_map(BTreeMap::values).chain(layer.values());
        let roots = waiting.map(|own| own.mark.before).chain([self.last]);
        for root in roots.filter(|&root| root != NONE) {
            used[root as usize] = true;
        }
        for at in (0..self.marks.len()).rev() {
            if used[at] && self.marks[at].before != NONE {
                used[self.marks[at].before as usize] = true;
            }
        }
        let mut names = vec![NONE; self.marks.len()];
        for (next, (name, _)) in names.iter_mut().zip(&used).filter(|(_, used)| **used).enumerate() {
            *name = next as u32;
        }
        let named = |old: &mut u32| {
            if *old != NONE {
                *old = names[*old as usize];
            }
        };
        let mut at = 0;
        self.marks.retain(|_| {
            at += 1;
            used[at - 1]
        });
        self.marks.iter_mut().for_each(|mark| named(&mut mark.before));
        let waiting = self.open.values_mut().flat_map(BTreeMap::values_mut).chain(layer.values_mut());
        waiting.for_each(|own| named(&mut own.mark.before));
        named(&mut self.last);
        self.used = self.marks.len();
    }

    /// The longest schedule, where one was found that is longer than what was known.
    pub fn witness(&self) -> Option<Schedule> {
        let launch = &*self.steps.launch;
        let mut issued: Vec<Vec<u32>> = vec![Vec::new(); launch.warps().len()];
        let mut latencies: Vec<u32> = launch.sets().map(|(_, _, set)| set.most).collect();
        let mut at = self.last;
        if at == NONE {
            return None;
        }
        while at != NONE {
            let mark = &self.marks[at as usize];
            for (warp, own) in issued.iter_mut().enumerate().filter(|(warp, _)| mark.issued >> warp & 1 == 1)
            {
                debug_assert!(own.len() < launch.length(warp));
                own.push(mark.cycle);
            }
            for &(latency, cycles) in &mark.told {
                latencies[latency] = cycles;
            }
            at = mark.before;
        }
        issued.iter_mut().for_each(|own| own.reverse());
        Some(Schedule { issued, latencies })
    }

    /// The makespan of the longest schedule that is known.
    pub fn best(&self) -> u64 {
        self.best
    }

    /// The cycle it is at.
    pub fn cycle(&self) -> u32 {
        self.cycle
    }

    /// States looked at.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// How many states it keeps.
    pub fn width(&self) -> usize {
        self.width
    }
}

/// The most promising of them; among equals those whose keys come first.
fn narrowed(layer: BTreeMap<Key, Waiting>, width: usize) -> BTreeMap<Key, Waiting> {
    if layer.len() <= width {
        return layer;
    }
    let mut all: Vec<(Key, Waiting)> = layer.into_iter().collect();
    all.select_nth_unstable_by(width, |one, two| {
        (Reverse(one.1.score), &one.0).cmp(&(Reverse(two.1.score), &two.0))
    });
    all.truncate(width);
    all.into_iter().collect()
}
