//! A victim: one warp of all whose results are late, and others that stand in its way whenever it could issue.
//!
//! What the bound from above adds up can happen only if others are there when the victim waits, so their latencies are
//! chosen as late as the search for all states chooses them: a result is an interval, and the cycle in which it is there
//! is settled when somebody takes it. Others hold theirs back until they can take the slot or the unit that the victim
//! needs, or until they must go on. What comes of it is an order and latencies; [`crate::engine`] plays them, so that
//! whatever is found keeps the rules.

use crate::launch::Launch;
use crate::wakes::bits;
use base::Seeded;

/// What becomes of others that can take the victim's slot, but not the unit it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Short {
    /// They take part like all others.
    Any,
    /// Those that hold a unit for long are spared.
    Spared,
    /// They go first: they would issue while the victim's unit is held, where they hold nobody up.
    First,
}

/// How others stand in the way.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The warp that is held up.
    pub victim: usize,
    /// How far ahead of the victim others go by themselves, as a share of what they execute.
    pub ahead: f64,
    /// Whether all go on while the victim waits, and not only who can take its place.
    pub rush: bool,
    /// The share of its path from which on the victim is held up; before it others hold back.
    pub from: f64,
    /// Among those who can stand in the way: who is behind first (below 0), or who is ahead.
    pub progress: f64,
    /// What becomes of those who would only take the slot that the victim needs.
    pub short: Short,
    /// Whether those go later whose next instruction would soon issue beside them.
    pub looks: bool,
    /// What is added for each unit: among those who can stand in the way the least goes first.
    pub units: Vec<f64>,
}

impl Plan {
    /// How many are tried in any case.
    pub const COUNT: usize = 20;

    /// Those that are tried in any case: how far ahead, rush, from, progress, whether short
    /// instructions are spared, cleared away or neither, and the weight of a hold.
    const FIXED: [(f64, bool, f64, f64, Short, f64); Self::COUNT] = [
        (2.0, true, 0.0, -1.0, Short::Spared, 0.0),
        (0.0, true, 0.0, -1.0, Short::Spared, 0.0),
        (0.0, false, 0.0, -1.0, Short::Spared, 0.0),
        (-2.0, false, 0.0, -1.0, Short::Spared, 0.0),
        (0.05, true, 0.0, 1.0, Short::Spared, 0.0),
        (-2.0, true, 0.0, 1.0, Short::Spared, 0.0),
        (0.05, false, 0.0, 1.0, Short::Spared, 0.0),
        (0.3, true, 0.0, -1.0, Short::Spared, 0.0),
        (2.0, true, 0.0, 1.0, Short::Any, 0.0),
        (0.0, true, 0.1, -1.0, Short::Spared, 0.0),
        (0.0, false, 0.0, 1.0, Short::Any, 0.0),
        (0.0, true, 0.3, -1.0, Short::Spared, 0.0),
        (0.0, false, 0.0, 1.0, Short::Any, -0.3),
        (0.0, false, 0.0, 1.0, Short::Any, 0.3),
        (2.0, true, 0.0, -1.0, Short::Any, -0.3),
        (2.0, true, 0.0, -1.0, Short::Any, 0.3),
        (2.0, true, 0.0, -1.0, Short::First, 0.0),
        (0.0, true, 0.0, -1.0, Short::First, 0.0),
        (0.0, false, 0.0, -1.0, Short::First, 0.0),
        (0.0, false, 0.0, 1.0, Short::First, 0.0),
    ];

    /// One of the fixed ones; the last warp is the victim.
    pub fn fixed(launch: &Launch, number: usize) -> Option<Self> {
        let &(ahead, rush, from, progress, short, long) = Self::FIXED.get(number)?;
        let mut units = vec![0.0f64; launch.machine().units.len()];
        for own in launch.code() {
            if let Some(unit) = own.unit {
                units[usize::from(unit)] = long * f64::from(own.hold).log2();
            }
        }
        Some(Self {
            victim: launch.warps().len() - 1,
            ahead,
            rush,
            from,
            progress,
            short,
            looks: number >= Self::COUNT - 3,
            units,
        })
    }

    /// One that is a little different.
    pub fn changed(&self, launch: &Launch, rng: &mut Seeded) -> Self {
        let mut plan = self.clone();
        match rng.below(11) {
            0 => plan.ahead = rng.share() * 2.2 - 1.1,
            1 => plan.ahead += (rng.share() - 0.5) * 0.1,
            2 => plan.rush = !plan.rush,
            3 => plan.from = rng.share() * rng.share(),
            4 => plan.progress = rng.share() * 2.0 - 1.0,
            5 => plan.short = [Short::Any, Short::Spared, Short::First][rng.below(3) as usize],
            10 => plan.looks = !plan.looks,
            6..=8 if !plan.units.is_empty() => {
                let unit = rng.below(plan.units.len() as u32) as usize;
                let by = (rng.share() * 2.0 - 1.0) * if rng.below(2) == 0 { 1.0 } else { 0.1 };
                plan.units[unit] += by;
            }
            _ => plan.victim = rng.below(launch.warps().len() as u32) as usize,
        }
        plan
    }
}

/// A stall of so many cycles is soon over.
const SOON: u32 = 8;

/// Plays plans of a launch.
#[derive(Debug)]
pub struct Play<'a> {
    launch: &'a Launch,
    plan: &'a Plan,
    /// The longest latencies there may be.
    base: &'a [u32],
    /// For each stream the scoreboards of which some results may be left under way: their latencies are the longest.
    counted: Vec<u32>,
    /// How many instructions each warp has issued, and which share of all it executes.
    place: Vec<usize>,
    share: Vec<f64>,
    /// The cycles from which on its next instruction may issue: at the earliest, and at the latest; never for one that
    /// waits at a barrier, or has ended.
    soon: Vec<u32>,
    late: Vec<u32>,
    /// When a warp came to the barrier it waits at.
    held: Vec<Option<u32>>,
    /// The pool that its next instruction takes a place of, and the warp's partition.
    pool: Vec<usize>,
    partition: Vec<usize>,
    /// What its unit adds to its key.
    weight: Vec<f64>,
    /// Results under way, by warp: scoreboard, number of the latency, when it was issued, its least.
    pending: Vec<Vec<(u8, usize, u32, u32)>>,
    /// Until when places of pools are taken, and the soonest of them; the last pool is that of what takes no place.
    taken: Vec<Vec<u32>>,
    soonest: Vec<u32>,
    /// The cycle it is at, and the warps that may issue in it by stalls and results, one bit for each.
    cycle: u32,
    ready: u64,
    slots: Vec<u32>,
    /// When each instruction issued, and all latencies.
    pub issued: Vec<Vec<u32>>,
    /// See `issued`.
    pub latencies: Vec<u32>,
}

impl<'a> Play<'a> {
    /// Plays a plan, with latencies no longer than these.
    pub fn new(launch: &'a Launch, plan: &'a Plan, base: &'a [u32]) -> Self {
        let boards = |path: &Vec<u32>| {
            let waits = path.iter().flat_map(|&at| &launch.code()[at as usize].waits);
            waits.filter(|wait| wait.left > 0).fold(0, |bits, wait| bits | 1u32 << wait.board)
        };
        let warps = launch.warps().len();
        let machine = launch.machine();
        let mut play = Self {
            launch,
            plan,
            base,
            counted: launch.streams().iter().map(|own| boards(&own.path)).collect(),
            place: vec![0; warps],
            share: vec![0.0; warps],
            soon: vec![1; warps],
            late: vec![1; warps],
            held: vec![None; warps],
            pool: vec![0; warps],
            weight: vec![0.0; warps],
            partition: launch.warps().iter().map(|warp| warp.partition as usize).collect(),
            pending: vec![Vec::new(); warps],
            taken: (0..machine.pools()).map(|pool| vec![0; machine.unit_of(pool).count as usize]).collect(),
            soonest: vec![0; machine.pools() + 1],
            cycle: 0,
            ready: 0,
            slots: vec![0; machine.partitions as usize],
            issued: (0..warps).map(|warp| Vec::with_capacity(launch.length(warp))).collect(),
            latencies: base.to_vec(),
        };
        (0..warps).for_each(|warp| play.arrive(warp));
        play.let_go();
        play.run();
        play
    }

    fn run(&mut self) {
        let victim = self.plan.victim;
        let mut cycle = 1;
        while cycle < u32::MAX {
            self.begin(cycle);
            let waits = self.late[victim] <= cycle;
            let stopped = waits && self.share[victim] >= self.plan.from;
            while stopped && self.fits(victim, cycle) {
                let Some(other) = self.blocker(cycle) else { break };
                self.issue(other, cycle);
            }
            if waits && self.fits(victim, cycle) {
                self.issue(victim, cycle);
            }
            self.go(cycle, stopped);
            cycle = self.next(cycle, waits);
        }
    }

    /// Looks who may issue in a cycle by stalls and results.
    fn begin(&mut self, cycle: u32) {
        self.cycle = cycle;
        self.slots.fill(self.launch.machine().issue);
        let bits = self.soon.iter().zip(0..).map(|(&soon, warp)| u64::from(soon <= cycle) << warp);
        self.ready = bits.fold(0, |all, bit| all | bit);
    }

    fn fits(&self, warp: usize, cycle: u32) -> bool {
        self.slots[self.partition[warp]] > 0 && self.soonest[self.pool[warp]] <= cycle
    }

    /// Among those who can stand in the way or go on, the smallest goes first.
    fn key(&self, warp: usize) -> f64 {
        self.weight[warp] - self.plan.progress * self.share[warp]
    }

    /// Who can take the place or the slot that the victim needs.
    fn blocker(&self, cycle: u32) -> Option<usize> {
        let victim = self.plan.victim;
        let none = self.taken.len();
        let mut best: Option<(f64, usize)> = None;
        for warp in bits(self.ready & !(1 << victim)) {
            let same = self.pool[victim] != none && self.pool[warp] == self.pool[victim];
            if !same && self.partition[warp] != self.partition[victim] || !self.fits(warp, cycle) {
                continue;
            }
            let own = self.launch.at(warp, self.place[warp]);
            let waste = match self.plan.short {
                Short::Any => false,
                Short::Spared => !same && own.unit.is_some() && own.hold > 1,
                Short::First => same,
            };
            let free = self.late[warp] > cycle;
            let key = f64::from(u8::from(waste)) * 100.0
                + f64::from(u8::from(free)) * 10.0
                + f64::from(u8::from(self.plan.looks && same && self.is_beside(warp))) * 5.0
                + self.key(warp);
            if best.is_none_or(|best| key < best.0) {
                best = Some((key, warp));
            }
        }
        best.map(|(_, warp)| warp)
    }

    /// Whether what a warp executes after its next instruction would soon issue while that holds its unit, or others do.
    fn is_beside(&self, warp: usize) -> bool {
        let place = self.place[warp];
        if place + 1 == self.launch.length(warp) {
            return false;
        }
        let (own, next) = (self.launch.at(warp, place), self.launch.at(warp, place + 1));
        next.unit != own.unit && next.waits.is_empty() && !next.barrier && own.stall <= SOON
    }

    /// Whether an instruction that need not yet goes all the same.
    fn goes(&self, warp: usize, stopped: bool) -> bool {
        warp != self.plan.victim
            && (stopped && self.plan.rush
                || self.share[warp] < self.share[self.plan.victim] + self.plan.ahead)
    }

    /// Issues whatever must and goes: the victim last, of others who is first by key.
    fn go(&mut self, cycle: u32, stopped: bool) {
        let victim = self.plan.victim;
        let may =
            |&warp: &usize| self.fits(warp, cycle) && (self.late[warp] <= cycle || self.goes(warp, stopped));
        let mut left = bits(self.ready).filter(may).fold(0u64, |all, warp| all | 1 << warp);
        let last = left & 1 << victim;
        left &= !last;
        while left != 0 {
            let mut best = (f64::INFINITY, 0);
            for warp in bits(left) {
                if !self.fits(warp, cycle) {
                    left &= !(1 << warp);
                } else if best.0 == f64::INFINITY || self.key(warp) < best.0 {
                    best = (self.key(warp), warp);
                }
            }
            if left != 0 {
                left &= !(1 << best.1);
                self.issue(best.1, cycle);
            }
        }
        if last != 0 && self.fits(victim, cycle) {
            self.issue(victim, cycle);
        }
    }

    /// The next cycle in which anything may happen.
    fn next(&self, cycle: u32, waits: bool) -> u32 {
        let mut next = u32::MAX;
        for warp in bits(self.ready) {
            let goes = self.late[warp] <= cycle || waits || self.goes(warp, false);
            let from = if goes { cycle + 1 } else { self.late[warp] };
            next = next.min(from.max(self.soonest[self.pool[warp]]));
            if next == cycle + 1 {
                return next;
            }
        }
        let all = u64::MAX >> (64 - self.soon.len());
        for warp in bits(all & !self.ready) {
            next = next.min(self.soon[warp].max(self.soonest[self.pool[warp]]));
        }
        next
    }

    fn issue(&mut self, warp: usize, cycle: u32) {
        let launch = self.launch;
        let own = launch.at(warp, self.place[warp]);
        let stream = launch.warps()[warp].stream;
        // What it waited for was there by now.
        let there = self.late[warp].min(cycle);
        let latencies = &mut self.latencies;
        self.pending[warp].retain(|&(board, number, issued, least)| {
            let takes = own.waits.iter().any(|wait| wait.board == board && wait.left == 0);
            if takes {
                latencies[number] = latencies[number].min(there.saturating_sub(issued).max(least));
            }
            !takes
        });
        let pool = self.pool[warp];
        if let Some(places) = self.taken.get_mut(pool) {
            if let Some(free) = places.iter_mut().find(|until| **until <= cycle) {
                *free = cycle + own.hold;
            }
            self.soonest[pool] = places.iter().copied().min().unwrap_or(0);
        }
        let slots = &mut self.slots[self.partition[warp]];
        *slots = slots.saturating_sub(1);
        for (i, set) in own.sets.iter().enumerate() {
            let number = launch.latency(warp, self.place[warp], i);
            let fixed = warp == self.plan.victim || self.counted[stream] >> set.board & 1 == 1;
            let least = if fixed { self.base[number] } else { set.least.min(self.base[number]) };
            self.pending[warp].push((set.board, number, cycle, least));
        }
        self.issued[warp].push(cycle);
        self.place[warp] += 1;
        self.ready &= !(1 << warp);
        (self.soon[warp], self.late[warp]) = (cycle + own.stall, cycle + own.stall);
        self.arrive(warp);
        if self.soon[warp] == u32::MAX {
            self.let_go();
        }
    }

    /// Looks at what a warp executes next.
    fn arrive(&mut self, warp: usize) {
        let (launch, place) = (self.launch, self.place[warp]);
        self.share[warp] = place as f64 / launch.length(warp) as f64;
        self.pool[warp] = self.taken.len();
        if place == launch.length(warp) {
            (self.soon[warp], self.late[warp]) = (u32::MAX, u32::MAX);
            return;
        }
        self.pool[warp] = launch.pool(warp, place).unwrap_or(self.taken.len());
        let own = launch.at(warp, place);
        self.weight[warp] = own.unit.map_or(0.0, |unit| self.plan.units[usize::from(unit)]);
        for wait in &own.waits {
            self.wait(warp, wait.board, wait.left as usize);
        }
        if own.barrier {
            self.held[warp] = Some(self.late[warp]);
            (self.soon[warp], self.late[warp]) = (u32::MAX, u32::MAX);
        }
    }

    /// What is on a scoreboard, and may not be, when the next instruction issues.
    fn wait(&mut self, warp: usize, board: u8, left: usize) {
        let own = self.pending[warp].iter().filter(|one| one.0 == board);
        let mut ends: Vec<(u32, u32)> =
            own.map(|&(_, number, issued, least)| (issued + self.base[number], issued + least)).collect();
        ends.sort_unstable_by(|a, b| b.cmp(a));
        if let Some(&(late, _)) = ends.get(left) {
            let soon = ends[left..].iter().map(|end| end.1).max().unwrap_or(0);
            self.soon[warp] = self.soon[warp].max(soon);
            self.late[warp] = self.late[warp].max(late);
        }
    }

    /// Lets those go that wait at the first barrier of their block, once all have come.
    fn let_go(&mut self) {
        if self.held.iter().all(Option::is_none) {
            return;
        }
        let launch = self.launch;
        for block in 0..=launch.warps().iter().map(|warp| warp.block).max().unwrap_or(0) {
            let passed = |warp: usize| launch.stream(warp).barriers[self.place[warp]];
            let members =
                |&warp: &usize| launch.warps()[warp].block == block && self.place[warp] < launch.length(warp);
            let members: Vec<usize> = (0..self.place.len()).filter(members).collect();
            let Some(first) = members.iter().map(|&warp| passed(warp)).min() else { continue };
            let here: Vec<usize> = members.into_iter().filter(|&warp| passed(warp) == first).collect();
            if here.iter().any(|&warp| self.held[warp].is_none()) {
                continue;
            }
            let last = here.iter().filter_map(|&warp| self.held[warp]).max().unwrap_or(0);
            for warp in here {
                self.held[warp] = None;
                (self.soon[warp], self.late[warp]) = (last, last);
                self.ready |= u64::from(last <= self.cycle) << warp;
            }
        }
    }
}
