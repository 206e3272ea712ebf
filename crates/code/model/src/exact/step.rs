//! What can come of a state in one cycle: every result that may be there, every way to issue that leaves nothing out.

use std::sync::Arc;

use super::Goal;
use super::state::{Pending, State};
use crate::launch::{Launch, Set};

/// What is known about a launch that does not change.
#[derive(Debug, Clone)]
pub struct Steps {
    /// The launch.
    pub launch: Arc<Launch>,
    /// Which end of the range of makespans is sought.
    pub goal: Goal,
    /// For each stream and scoreboard whether some of its results may be left under way.
    counted: Vec<u32>,
    /// For each stream and place the scoreboards that are waited for from there on.
    awaited: Vec<Vec<u32>>,
    /// About how many of all that can come of a state are looked at; all where it is none.
    few: Option<usize>,
}

/// Ranges with more latencies are sampled where only some of all that can come is looked at.
const WIDE: u32 = 8;
/// Of more results that may be there, not all ways to be there are looked at then.
const MANY: usize = 5;

/// Whether a warp may issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Own {
    /// Not in this cycle.
    No,
    /// In this cycle, or in a later one.
    Perhaps,
    /// Yes.
    Yes,
}

impl Steps {
    /// Looks at a launch.
    pub fn new(launch: &Arc<Launch>, goal: Goal) -> Self {
        let bits = |path: &Vec<u32>, counted: bool| {
            let waits = path.iter().flat_map(|&at| &launch.code()[at as usize].waits);
            waits.filter(|wait| !counted || wait.left > 0).fold(0, |bits, wait| bits | 1u32 << wait.board)
        };
        let awaited = |path: &Vec<u32>| {
            let mut all = vec![0u32; path.len() + 1];
            for place in (0..path.len()).rev() {
                let waits = &launch.code()[path[place] as usize].waits;
                all[place] = waits.iter().fold(all[place + 1], |bits, wait| bits | 1 << wait.board);
            }
            all
        };
        Self {
            launch: Arc::clone(launch),
            goal,
            counted: launch.streams().iter().map(|own| bits(&own.path, true)).collect(),
            awaited: launch.streams().iter().map(|own| awaited(&own.path)).collect(),
            few: None,
        }
    }

    /// The same, but of each state only about so many of all that can come of it.
    #[must_use]
    pub fn few(self, most: usize) -> Self {
        Self { few: Some(most), ..self }
    }

    /// Everything that can come of a state in a cycle.
    pub fn each(&self, state: &State, cycle: u32, each: &mut dyn FnMut(State)) {
        let open: Vec<usize> =
            (0..state.warps.len()).filter(|&warp| self.own(state, warp, cycle) == Own::Perhaps).collect();
        match self.few {
            None => (0..1u64 << open.len()).for_each(|subset| {
                self.with(state, cycle, (&open, subset), &mut |next| {
                    each(next);
                    true
                });
            }),
            Some(most) => {
                let subsets = some_of(open.len());
                let share = (most / subsets.len()).max(1);
                for subset in subsets {
                    let mut left = share;
                    self.with(state, cycle, (&open, subset), &mut |next| {
                        each(next);
                        left -= 1;
                        left > 0
                    });
                }
            }
        }
    }

    /// What can come of a state where of the warps that perhaps may issue just these find their results there; it ends
    /// when it is told to.
    fn with(
        &self,
        state: &State,
        cycle: u32,
        (open, subset): (&[usize], u64),
        each: &mut dyn FnMut(State) -> bool,
    ) {
        let mut settled = state.clone();
        for (i, &warp) in open.iter().enumerate() {
            if subset >> i & 1 == 1 {
                let stream = self.launch.warps()[warp].stream;
                let waits = &self.launch.at(warp, state.warps[warp].place).waits;
                let told = &mut settled.told;
                settled.warps[warp].pending.retain(|one| {
                    let stays = self.counted[stream] >> one.board & 1 == 1
                        || waits.iter().all(|wait| wait.board != one.board);
                    if !stays && one.least < one.most {
                        told.push((one.latency, one.most.min(cycle) - one.issued));
                    }
                    stays
                });
            }
        }
        self.issue(&settled, cycle, each);
    }

    /// Whether a warp's next instruction may issue but for others.
    fn own(&self, state: &State, warp: usize, cycle: u32) -> Own {
        let own = &state.warps[warp];
        if own.place == self.launch.length(warp) || own.from > cycle {
            return Own::No;
        }
        let counted = self.counted[self.launch.warps()[warp].stream];
        let mut answer = Own::Yes;
        for wait in &self.launch.at(warp, own.place).waits {
            let on = own.pending.iter().filter(|one| one.board == wait.board);
            if counted >> wait.board & 1 == 1 {
                // These are settled: `least` is `most`.
                if on.filter(|one| one.most > cycle).count() > wait.left as usize {
                    return Own::No;
                }
                continue;
            }
            for one in on {
                if one.least > cycle {
                    return Own::No;
                }
                if one.most > cycle {
                    answer = Own::Perhaps;
                }
            }
        }
        answer
    }

    /// The first cycle from one on in which anything can happen.
    pub fn next(&self, state: &State, cycle: u32) -> u32 {
        let mut next = u32::MAX;
        for warp in 0..state.warps.len() {
            let own = &state.warps[warp];
            if own.place == self.launch.length(warp) {
                continue;
            }
            match self.own(state, warp, cycle) {
                Own::No => {}
                Own::Perhaps => return cycle,
                Own::Yes if self.launch.at(warp, own.place).barrier && !self.together(state, warp, cycle) => {
                    continue;
                }
                Own::Yes => return cycle,
            }
            let waits = &self.launch.at(warp, own.place).waits;
            let on = own.pending.iter().filter(|one| waits.iter().any(|wait| wait.board == one.board));
            // The next cycle in which something of it changes; for those that are counted any may be the last.
            let events = on.map(|one| one.least).chain([own.from]).filter(|&event| event > cycle);
            next = next.min(events.min().unwrap_or(cycle));
        }
        next
    }

    /// Whether all of a block have come to a barrier or passed it.
    fn together(&self, state: &State, warp: usize, cycle: u32) -> bool {
        let passed = |warp: usize| self.launch.stream(warp).barriers[state.warps[warp].place];
        let block = self.launch.warps()[warp].block;
        (0..state.warps.len()).filter(|&other| self.launch.warps()[other].block == block).all(|other| {
            let place = state.warps[other].place;
            place == self.launch.length(other)
                || passed(other) > passed(warp)
                || passed(other) == passed(warp)
                    && self.launch.at(other, place).barrier
                    && self.own(state, other, cycle) == Own::Yes
        })
    }

    /// Every way to issue among those that may; who waits for a result that is not settled may not.
    fn issue(&self, state: &State, cycle: u32, each: &mut dyn FnMut(State) -> bool) {
        let may = |warp: usize| {
            self.own(state, warp, cycle) == Own::Yes
                && (!self.launch.at(warp, state.warps[warp].place).barrier
                    || self.together(state, warp, cycle))
        };
        let candidates: Vec<usize> = (0..state.warps.len()).filter(|&warp| may(warp)).collect();
        let mut room = Room::of(&self.launch, state, cycle);
        let mut chosen = Vec::new();
        self.choose(state, cycle, &candidates, 0, &mut room, &mut chosen, each);
    }

    #[allow(clippy::too_many_arguments)] // the state of a recursion
    fn choose(
        &self,
        state: &State,
        cycle: u32,
        candidates: &[usize],
        at: usize,
        room: &mut Room,
        chosen: &mut Vec<usize>,
        each: &mut dyn FnMut(State) -> bool,
    ) -> bool {
        let Some(&warp) = candidates.get(at) else {
            let left = candidates.iter().filter(|warp| !chosen.contains(warp));
            let full = left.clone().all(|&warp| !room.fits(&self.launch, state, warp));
            return !full || self.settle(state.clone(), cycle, chosen, each);
        };
        if room.fits(&self.launch, state, warp) && !self.has_twin_left(state, &candidates[..at], chosen, warp)
        {
            room.take(&self.launch, state, warp);
            chosen.push(warp);
            let more = self.choose(state, cycle, candidates, at + 1, room, chosen, each);
            chosen.pop();
            room.give_back(&self.launch, state, warp);
            if !more {
                return false;
            }
        }
        self.choose(state, cycle, candidates, at + 1, room, chosen, each)
    }

    /// Whether one before it that was not chosen stands where it stands: the same comes of that one. Only asked where not
    /// all that can come is looked at, as states that are the same are one in any case.
    fn has_twin_left(&self, state: &State, before: &[usize], chosen: &[usize], warp: usize) -> bool {
        let same = |other: usize| {
            let (one, two) = (&state.warps[warp], &state.warps[other]);
            let awaited = |own: &Pending| (own.board, own.least, own.most);
            self.launch.alike(warp, other)
                && (one.place, one.from, one.pending.len()) == (two.place, two.from, two.pending.len())
                && one.pending.iter().map(awaited).eq(two.pending.iter().map(awaited))
        };
        self.few.is_some() && before.iter().any(|&other| !chosen.contains(&other) && same(other))
    }

    /// Issues the chosen ones, with every latency that is settled at once.
    fn settle(
        &self,
        mut state: State,
        cycle: u32,
        chosen: &[usize],
        each: &mut dyn FnMut(State) -> bool,
    ) -> bool {
        let Some((&warp, rest)) = chosen.split_first() else { return each(state) };
        let place = state.warps[warp].place;
        let own = self.launch.at(warp, place);
        state.warps[warp].place = place + 1;
        state.warps[warp].from = cycle + own.stall;
        state.end = state.end.max(cycle + own.hold - 1);
        if let Some(pool) = self.launch.pool(warp, place) {
            state.pools[pool].push(cycle + own.hold);
        }
        self.results(state, cycle, (warp, place), 0, &mut |state| self.settle(state, cycle, rest, each))
    }

    /// Every choice for what an instruction sets.
    fn results(
        &self,
        state: State,
        cycle: u32,
        (warp, place): (usize, usize),
        at: usize,
        each: &mut dyn FnMut(State) -> bool,
    ) -> bool {
        let Some(&set) = self.launch.at(warp, place).sets.get(at) else { return each(state) };
        let stream = self.launch.warps()[warp].stream;
        let latency = self.launch.latency(warp, place, at);
        let limited = self.launch.misses().is_some() && set.hit.is_some_and(|hit| hit < set.most);
        let needed = self.awaited[stream][place + 1] >> set.board & 1 == 1;
        let mut with = |mut next: State, least: u32, most: u32| {
            next.misses += u32::from(limited && set.hit.is_some_and(|hit| least > hit));
            if self.launch.misses().is_some_and(|most| next.misses > most) {
                return true;
            }
            if least == most {
                next.end = next.end.max(cycle + most - 1);
                next.told.push((latency, most));
            }
            if needed {
                let (least, most) = (cycle + least, cycle + most);
                next.warps[warp].pending.push(Pending {
                    board: set.board,
                    least,
                    most,
                    latency,
                    issued: cycle,
                });
            }
            self.results(next, cycle, (warp, place), at + 1, each)
        };
        if limited || needed && self.counted[stream] >> set.board & 1 == 1 {
            let mut one_by_one = |one: u32| with(state.clone(), one, one);
            if self.few.is_some() && set.most - set.least > WIDE {
                // The latest first: what is cut off is what comes early.
                let hit = set.hit.unwrap_or(set.least).clamp(set.least, set.most - 1);
                let middle = set.least + (set.most - set.least) / 2;
                let mut some = [set.most, middle, hit + 1, hit, set.least];
                some.sort_unstable_by_key(|&one| std::cmp::Reverse(one));
                let mut before = 0;
                some.into_iter().all(|one| std::mem::replace(&mut before, one) == one || one_by_one(one))
            } else {
                (set.least..=set.most).all(one_by_one)
            }
        } else if needed {
            with(state, set.least, set.most)
        } else {
            let one = self.end(set);
            with(state, one, one)
        }
    }

    /// The latency of a result that nobody waits for.
    fn end(&self, set: Set) -> u32 {
        match self.goal {
            Goal::Longest => set.most,
            Goal::Shortest => set.least,
        }
    }
}

/// Subsets of so many: all of a few, else none, all, some that are one, and all but these.
fn some_of(count: usize) -> Vec<u64> {
    if count <= MANY {
        return (0..1u64 << count).collect();
    }
    let all = u64::MAX >> (64 - count.min(64));
    let one = || (0..count.min(64)).step_by(count.div_ceil(MANY)).map(|at| 1u64 << at);
    [0, all].into_iter().chain(one()).chain(one().map(|one| all & !one)).collect()
}

/// Slots and places that are left in a cycle.
struct Room {
    slots: Vec<u32>,
    places: Vec<u32>,
}

impl Room {
    fn of(launch: &Launch, state: &State, cycle: u32) -> Self {
        let machine = launch.machine();
        let left = |pool: usize| {
            let taken = state.pools[pool].iter().filter(|&&until| until > cycle).count() as u32;
            machine.unit_of(pool).count.saturating_sub(taken)
        };
        Self {
            slots: vec![machine.issue; machine.partitions as usize],
            places: (0..machine.pools()).map(left).collect(),
        }
    }

    fn fits(&self, launch: &Launch, state: &State, warp: usize) -> bool {
        let pool = launch.pool(warp, state.warps[warp].place);
        self.slots[launch.warps()[warp].partition as usize] > 0
            && pool.is_none_or(|pool| self.places[pool] > 0)
    }

    fn take(&mut self, launch: &Launch, state: &State, warp: usize) {
        self.slots[launch.warps()[warp].partition as usize] -= 1;
        if let Some(pool) = launch.pool(warp, state.warps[warp].place) {
            self.places[pool] -= 1;
        }
    }

    fn give_back(&mut self, launch: &Launch, state: &State, warp: usize) {
        self.slots[launch.warps()[warp].partition as usize] += 1;
        if let Some(pool) = launch.pool(warp, state.warps[warp].place) {
            self.places[pool] += 1;
        }
    }
}
