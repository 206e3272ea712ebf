//! The rules of machine code on one multiprocessor, as they are written down, and every run that keeps them.
//!
//! Written from the specification alone: it has its own instance, knows no engine, bound or search, and shares no line
//! with them. A state is relative to its cycle; what it leads to is kept, so that each is looked at once.

use std::collections::HashMap;

/// One instruction.
#[derive(Debug, Clone)]
pub struct Op {
    /// The unit it takes a place of, and for how long.
    pub unit: Option<usize>,
    pub hold: u32,
    pub stall: u32,
    /// Scoreboard, least, most, and from where on it is a miss.
    pub sets: Vec<(u8, u32, u32, Option<u32>)>,
    /// Scoreboard, and how many may be under way.
    pub waits: Vec<(u8, u32)>,
    pub barrier: bool,
}

/// An instance. Each warp executes `paths[w]`.
#[derive(Debug, Clone)]
pub struct Instance {
    pub partitions: usize,
    pub issue: usize,
    /// Places of each unit, and whether all partitions share them.
    pub units: Vec<(u32, bool)>,
    pub code: Vec<Op>,
    pub paths: Vec<Vec<usize>>,
    pub blocks: Vec<usize>,
    pub misses: Option<u32>,
}

/// Where a warp stands: what it issues next, in how many cycles its stall is over, and what is under way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Stand {
    next: usize,
    stall: u32,
    /// Scoreboard, and in how many cycles it is clear of this.
    pending: Vec<(u8, u32)>,
}

/// Where all stand before a cycle: warps, places of pools held and for how long yet, and misses left.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct State {
    warps: Vec<Stand>,
    held: Vec<(usize, u32)>,
    misses: u32,
}

/// All runs of an instance.
pub struct Runs<'a> {
    of: &'a Instance,
    known: HashMap<State, (u32, u32)>,
    most_states: usize,
}

impl<'a> Runs<'a> {
    /// The shortest and the longest makespan; none where there are more states than so many.
    pub fn extremes(of: &'a Instance, most_states: usize) -> Option<(u32, u32)> {
        let begin = Stand { next: 0, stall: 0, pending: Vec::new() };
        let misses = of.misses.unwrap_or(u32::MAX);
        let state = State { warps: vec![begin; of.paths.len()], held: Vec::new(), misses };
        Runs { of, known: HashMap::new(), most_states }.from(state)
    }

    fn from(&mut self, state: State) -> Option<(u32, u32)> {
        if let Some(known) = self.known.get(&state) {
            return Some(*known);
        }
        if self.known.len() >= self.most_states {
            return None;
        }
        if (0..state.warps.len()).all(|w| self.ended(&state, w)) {
            let results = state.warps.iter().flat_map(|stand| stand.pending.iter().map(|own| own.1));
            let last = results.chain(state.held.iter().map(|own| own.1)).max().unwrap_or(0);
            return Some((last, last));
        }
        let may: Vec<usize> = (0..state.warps.len()).filter(|&w| self.may(&state, w)).collect();
        let mut found: Option<(u32, u32)> = None;
        for chosen in 0..1u32 << may.len() {
            let own: Vec<usize> =
                (0..may.len()).filter(|bit| chosen >> bit & 1 == 1).map(|bit| may[bit]).collect();
            let more = may.iter().filter(|w| !own.contains(w));
            let grows = |w: &usize| self.fits(&state, &[&own[..], &[*w]].concat());
            if !self.fits(&state, &own) || more.clone().any(grows) {
                continue;
            }
            for next in self.outcomes(&state, &own) {
                let (least, most) = self.from(next)?;
                let so_far = found.unwrap_or((u32::MAX, 0));
                found = Some((so_far.0.min(least + 1), so_far.1.max(most + 1)));
            }
        }
        let found = found?;
        self.known.insert(state, found);
        Some(found)
    }

    fn ended(&self, state: &State, warp: usize) -> bool {
        state.warps[warp].next == self.of.paths[warp].len()
    }

    fn op(&self, state: &State, warp: usize) -> &'a Op {
        &self.of.code[self.of.paths[warp][state.warps[warp].next]]
    }

    /// Whether nothing but a unit or an issue slot can keep a warp from issuing.
    fn may(&self, state: &State, warp: usize) -> bool {
        !self.ended(state, warp)
            && self.come(state, warp)
            && (!self.op(state, warp).barrier || self.all_come(state, warp))
    }

    /// Whether the warp's stall is over and its scoreboards are clear.
    fn come(&self, state: &State, warp: usize) -> bool {
        let stand = &state.warps[warp];
        let under_way = |board: u8| stand.pending.iter().filter(|own| own.0 == board && own.1 > 0).count();
        stand.stall == 0
            && self.op(state, warp).waits.iter().all(|&(board, left)| under_way(board) <= left as usize)
    }

    /// Whether all warps of the block that have not ended have come to the same barrier, or are past it.
    fn all_come(&self, state: &State, warp: usize) -> bool {
        let passed = |w: usize| {
            let path = &self.of.paths[w][..state.warps[w].next];
            path.iter().filter(|&&at| self.of.code[at].barrier).count()
        };
        (0..state.warps.len()).filter(|&w| self.of.blocks[w] == self.of.blocks[warp]).all(|w| {
            self.ended(state, w)
                || passed(w) > passed(warp)
                || passed(w) == passed(warp) && self.op(state, w).barrier && self.come(state, w)
        })
    }

    fn pool(&self, warp: usize, unit: usize) -> usize {
        let partition = if self.of.units[unit].1 { 0 } else { warp % self.of.partitions };
        unit * self.of.partitions + partition
    }

    /// Whether these warps may issue together.
    fn fits(&self, state: &State, own: &[usize]) -> bool {
        let issues = |p: usize| own.iter().filter(|&&w| w % self.of.partitions == p).count();
        let slots = (0..self.of.partitions).all(|p| issues(p) <= self.of.issue);
        let taken = |pool: usize| {
            let held = state.held.iter().filter(|place| place.0 == pool).count();
            let new = own.iter().filter(|&&w| self.op(state, w).unit.map(|u| self.pool(w, u)) == Some(pool));
            held + new.count()
        };
        let places = |pool: usize| self.of.units[pool / self.of.partitions].0 as usize;
        slots && (0..self.of.units.len() * self.of.partitions).all(|pool| taken(pool) <= places(pool))
    }

    /// What the next cycle may begin with once these have issued: every latency in every range.
    fn outcomes(&self, state: &State, own: &[usize]) -> Vec<State> {
        let mut all = vec![state.clone()];
        for &warp in own {
            let op = self.op(state, warp);
            for next in &mut all {
                next.warps[warp].next += 1;
                next.warps[warp].stall = op.stall;
                if let Some(unit) = op.unit {
                    next.held.push((self.pool(warp, unit), op.hold));
                } else {
                    next.held.push((usize::MAX, op.hold));
                }
            }
            for &(board, least, most, hit) in &op.sets {
                all = all
                    .iter()
                    .flat_map(|so_far| {
                        (least..=most).filter_map(move |lasts| set(so_far, warp, board, lasts, hit))
                    })
                    .collect();
            }
        }
        all.into_iter().map(after).collect()
    }
}

fn set(so_far: &State, warp: usize, board: u8, lasts: u32, hit: Option<u32>) -> Option<State> {
    let mut next = so_far.clone();
    if hit.is_some_and(|hit| lasts > hit) {
        next.misses = next.misses.checked_sub(1)?;
    }
    next.warps[warp].pending.push((board, lasts));
    Some(next)
}

/// A cycle later.
fn after(mut state: State) -> State {
    for stand in &mut state.warps {
        stand.stall = stand.stall.saturating_sub(1);
        stand.pending.iter_mut().for_each(|own| own.1 -= 1);
        stand.pending.retain(|own| own.1 > 0);
        stand.pending.sort_unstable();
    }
    state.held.iter_mut().for_each(|own| own.1 -= 1);
    state.held.retain(|own| own.1 > 0);
    state.held.sort_unstable();
    state
}
