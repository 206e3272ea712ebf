//! The makespan of a grid on all multiprocessors, alone on the GPU: list scheduling bounds over placements of blocks.
//!
//! Assumes that all blocks are there at once, that dispatching takes no time, and that a block waits only while no
//! multiprocessor has room (where its multiprocessor is known: while that one has none, or a block before it waits, as module
//! `in_order` has it).
//!
//! *As many blocks as there is room.* With `g <= m R` all start at once, on any multiprocessors with room. One of
//! them may get `min(g, R)`, and none gets more; fewer warps never take longer (module `makespan`). So the
//! worst case is that of `min(g, R)` blocks.
//!
//! *More.* First every multiprocessor is full; each of the other `g - m R` waits for a block to end, so no
//! multiprocessor gets more than `R + g - m R`, and module `waves` bounds what that one takes. Another bound: let the
//! last block start at `t`. Until then all are full. Before it `g - 1` blocks started, so on some multiprocessor at
//! most `floor((g - 1) / m)`, and it was full of them until `t`: they take `t` or longer. From `t` on nothing starts,
//! and what is there takes no more than its rest. The smaller of both counts. Of machine code the time until `t` and the rest
//! are bounded by blocks that follow each other, too ([`code::bounds::Replaced`]).
//!
//! *From below.* If all multiprocessors do the same, one of them gets `ceil(g / m)` or more.

use super::in_order;
use super::inputs::Inputs;
use super::lab;
use super::machine_code::Upper;
use super::makespan::Makespans;
use super::model::{Chain, Kernel, Work};
use super::occupancy::{Occupancy, sms};
use super::provenance::{Assumptions, Reason, Sides};
use super::units::Cycles;
use super::valued::{Bracket, Proof, Valued};
use super::waves;
use base::Nanos;
use base::people;
use blocks::simulate;

/// Which block goes where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assignment {
    /// As the document says.
    Known,
    /// In turn.
    RoundRobin,
    /// As the blocks lab has it.
    Rules,
    /// As bad as the dispatch rules allow.
    Worst,
}

/// A grid under one assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnGpu {
    /// Which.
    pub assignment: Assignment,
    /// Those that get blocks.
    pub sms: Vec<OnSm>,
    /// The maximum over them.
    pub makespan: Bracket<Cycles>,
}

/// One multiprocessor of a grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnSm {
    /// Which, from 0.
    pub sm: u64,
    /// Blocks it runs.
    pub blocks: u64,
    /// Warps resident at once.
    pub warps: u64,
    /// Times it is filled.
    pub waves: u64,
    /// Its makespan.
    pub makespan: Bracket<Cycles>,
}

/// Larger grids are not simulated.
const MOST_SIMULATED: u32 = 20_000;

/// A kernel's time on multiprocessors, as far as makespans are known.
#[derive(Debug, Clone)]
pub struct Pace<'a> {
    /// What is known of its warps.
    pub makespans: &'a Makespans,
    /// The kernel.
    pub kernel: &'a Kernel,
    /// What fills a multiprocessor.
    pub occupancy: &'a Occupancy,
    /// Multiprocessors.
    pub sms: u64,
    /// What all of it rests on.
    pub on: Sides,
    /// Cycles of a block, where the document gives them.
    cycles: Option<Bracket<Cycles>>,
}

impl<'a> Pace<'a> {
    /// That of a kernel of a chain.
    pub fn new(
        inputs: &Inputs<'a>,
        makespans: &'a Makespans,
        kernel: usize,
        occupancy: &'a Occupancy,
    ) -> Self {
        Self {
            makespans,
            kernel: &inputs.chain().kernels[kernel],
            occupancy,
            sms: sms(&inputs.chain().device),
            on: inputs.kernel(kernel),
            cycles: inputs.cycles(kernel),
        }
    }

    /// Blocks that start together on a multiprocessor, no more than it holds.
    pub fn together(&self, blocks: u64) -> Bracket<Cycles> {
        match &self.kernel.work {
            Work::Cycles(_) => self.cycles.clone().unwrap_or(Bracket::OPEN),
            Work::Instructions(of) => {
                self.makespans.of(&of.normalised, blocks.saturating_mul(self.occupancy.warps), &self.on)
            }
            Work::Code(code) => self.makespans.of_code(code, blocks, &self.on),
        }
        .blaming(&self.kernel.name)
    }

    /// Blocks on one multiprocessor, replaced as they end.
    pub fn on_one(&self, blocks: u64) -> Bracket<Cycles> {
        let (room, warps) = (self.occupancy.room, self.occupancy.warps);
        if blocks <= room {
            return self.together(blocks);
        }
        let waves = blocks.div_ceil(room);
        match &self.kernel.work {
            Work::Cycles(cycles) => match cycles.times(waves) {
                Some(cycles) => {
                    let why = format!(
                        "{} of equal blocks, each as long as the document says",
                        counted(waves, "wave")
                    );
                    Bracket::said(cycles, cycles, &self.on, &why)
                }
                None => Bracket::OPEN,
            },
            Work::Code(code) => {
                let why = "what one block takes at least";
                let lower = Valued::new(code.at_least(), Proof::Lower, self.on.lower.clone(), why);
                let Upper { cycles, added_up } = code.replaced(blocks, room);
                let how = match added_up {
                    true => "all instructions of all blocks, one after the other".to_owned(),
                    false => format!(
                        "own cycles of {} that follow each other, and those in which any other can block them",
                        counted((blocks - 1) / room + 1, "block")
                    ),
                };
                let why = format!("{how}, as {}", self.occupancy.no_room(Some(blocks)));
                let upper = Valued::new(cycles, Proof::Upper, self.on.upper.clone(), why);
                Bracket::of(Some(lower), Some(upper))
            }
            Work::Instructions(of) => {
                let (kernel, sm) = (&of.normalised, self.makespans.sm());
                let upper = waves::at_most(kernel, sm, warps, blocks, room);
                let found = self.makespans.replaced(kernel, warps, blocks, room).unwrap_or_default();
                let capacity = super::makespan::at_least(kernel, sm, blocks.saturating_mul(warps));
                let full = self.together(room).lower().map_or(Cycles(0), |figure| figure.value);
                let lower = found.max(Cycles(capacity)).max(full);
                let chain = blocks - room + 1;
                let why = "a schedule or the capacities take as long";
                let lower = Valued::new(lower, Proof::Lower, self.on.lower.clone(), why);
                let upper = upper.map(|cycles| {
                    let why = format!(
                        "a chain of {} that replace each other, and what can block it",
                        counted(chain, "block")
                    );
                    Valued::new(cycles, Proof::Upper, self.on.upper.clone(), why)
                });
                Bracket::of(Some(lower), upper)
            }
        }
        .blaming(&self.kernel.name)
    }

    /// The multiprocessors with the blocks they get, and the maximum over them.
    fn maximum(&self, assignment: Assignment, counts: &[u64]) -> OnGpu {
        let sms: Vec<OnSm> = self.listed(counts);
        let makespan =
            sms.iter().map(|sm| sm.makespan.clone()).reduce(Bracket::later).unwrap_or(Bracket::OPEN);
        OnGpu { assignment, sms, makespan }
    }

    fn listed(&self, counts: &[u64]) -> Vec<OnSm> {
        // Equal counts are computed once.
        let mut known: Vec<(u64, Bracket<Cycles>)> = Vec::new();
        let mut of = |blocks: u64| match known.iter().find(|(count, _)| *count == blocks) {
            Some((_, makespan)) => makespan.clone(),
            None => {
                let makespan = self.on_one(blocks);
                known.push((blocks, makespan.clone()));
                makespan
            }
        };
        (0..)
            .zip(counts)
            .filter(|&(_, &blocks)| blocks > 0)
            .map(|(sm, &blocks)| OnSm {
                sm,
                blocks,
                warps: self.occupancy.resident(blocks).saturating_mul(self.occupancy.warps),
                waves: blocks.div_ceil(self.occupancy.room),
                makespan: of(blocks),
            })
            .collect()
    }

    /// The grid where the multiprocessor of each block is known.
    pub fn known(&self) -> Option<OnGpu> {
        let mut counts = vec![0; usize::try_from(self.sms).ok()?];
        for &sm in self.kernel.assignment.as_ref()? {
            *counts.get_mut(usize::from(sm))? += 1;
        }
        let assignment = self.kernel.assignment.as_ref()?;
        if in_order::holds_back(assignment, self.occupancy.room) {
            let (sms, makespan) = in_order::in_order(self, assignment, self.listed(&counts));
            return Some(OnGpu { assignment: Assignment::Known, sms, makespan });
        }
        Some(self.maximum(Assignment::Known, &counts))
    }

    /// The grid where blocks go to multiprocessors in turn.
    pub fn round_robin(&self) -> OnGpu {
        self.maximum(Assignment::RoundRobin, &self.in_turn())
    }

    fn in_turn(&self) -> Vec<u64> {
        let (each, more) = (self.occupancy.blocks / self.sms, self.occupancy.blocks % self.sms);
        (0..self.sms).map(|sm| each + u64::from(sm < more)).collect()
    }

    /// The grid as the blocks lab assigns blocks that take equally long: to the multiprocessor with the most free
    /// threads. Where a multiprocessor is filled several times, each time counts as long as the worst one.
    pub fn rules(&self, chain: &Chain) -> OnGpu {
        let counts = self.simulated(chain).unwrap_or_else(|| self.in_turn());
        let room = self.occupancy.room;
        let mut sms = self.listed(&counts);
        for sm in &mut sms {
            let wave = self.together(sm.blocks.min(room));
            let dispatch = Assumptions::on(Reason::Dispatch);
            let turned = |figure: Option<&Valued<Cycles>>| {
                let figure = figure?.clone();
                let why = match sm.waves {
                    1 => "blocks go where most threads are free".to_owned(),
                    n => format!(
                        "{} waves as if each began when the last one is over, to where most threads are free",
                        people::grouped(n.into())
                    ),
                };
                let (blame, time) = (figure.blame.clone(), figure.value.times(sm.waves)?);
                Some(figure.map(|_| time).because(why).resting(&dispatch, blame.as_deref()))
            };
            sm.makespan = Bracket::of(turned(wave.lower()), turned(wave.upper()));
        }
        let makespan =
            sms.iter().map(|sm| sm.makespan.clone()).reduce(Bracket::later).unwrap_or(Bracket::OPEN);
        OnGpu { assignment: Assignment::Rules, sms, makespan }
    }

    /// Blocks for each multiprocessor in the blocks lab, where a block takes one unit of time.
    fn simulated(&self, chain: &Chain) -> Option<Vec<u64>> {
        if self.kernel.grid.blocks > MOST_SIMULATED {
            return None;
        }
        let workload = lab::together(&chain.device, [(self.kernel, Nanos(1))].into_iter());
        let mut counts = vec![0; usize::try_from(self.sms).ok()?];
        for block in &simulate(&workload).trace.blocks {
            *counts.get_mut(usize::from(block.sm))? += 1;
        }
        Some(counts)
    }

    /// The worst over all ways the dispatch rules allow.
    pub fn worst(&self) -> OnGpu {
        let (blocks, room) = (self.occupancy.blocks, self.occupancy.room);
        let held = room.saturating_mul(self.sms);
        let mut left = blocks.min(held);
        let mut counts: Vec<u64> = Vec::new();
        for _ in 0..self.sms {
            counts.push(left.min(room));
            left -= left.min(room);
        }
        if let Some(first) = counts.first_mut() {
            *first += blocks.saturating_sub(held);
        }
        let sms = self.listed(&counts);
        let makespan = if blocks <= held { self.together(blocks.min(room)) } else { self.crowded(held) };
        OnGpu { assignment: Assignment::Worst, sms, makespan }
    }

    /// More blocks than all multiprocessors hold.
    fn crowded(&self, held: u64) -> Bracket<Cycles> {
        let (blocks, room) = (self.occupancy.blocks, self.occupancy.room);
        if matches!(self.kernel.work, Work::Cycles(_)) {
            // Equal blocks that keep their time: wave after wave.
            let waves = blocks.div_ceil(held.max(1));
            return self.on_one(waves.saturating_mul(room));
        }
        // Safe, and no more: what bounds one multiprocessor need not be reached by the whole grid.
        let one = self.on_one(room + (blocks - held));
        let one = one.upper().cloned().map(|figure| figure.at_most(Proof::Upper));
        let last = self.until_the_last_starts((blocks - 1) / self.sms);
        let upper = match (one, last) {
            (Some(one), Some(last)) => Some(if last.value < one.value { last } else { one }),
            (one, last) => one.or(last),
        };
        let lower = self.on_one(blocks.div_ceil(self.sms));
        let lower = lower.lower().cloned().map(|figure| figure.at_most(Proof::Lower));
        Bracket::of(lower, upper).blaming(&self.kernel.name)
    }

    /// The upper side by when the last block starts, some multiprocessor having had no more blocks than a share.
    fn until_the_last_starts(&self, share: u64) -> Option<Valued<Cycles>> {
        let room = self.occupancy.room;
        let mut full = self.on_one(share).upper().cloned()?;
        let why = "all are full until the last block starts, and then the rest of what is there";
        let (rest, why) = match &self.kernel.work {
            Work::Instructions(of) => {
                let resident = room.saturating_mul(self.occupancy.warps);
                let rest = waves::rest_at_most(&of.normalised, self.makespans.sm(), resident);
                (rest?, why.to_owned())
            }
            Work::Code(code) => {
                let (until, rest) = (code.full(share, room), code.rest(room, room));
                if until.cycles < full.value {
                    full = Valued::new(until.cycles, Proof::Upper, self.on.upper.clone(), "");
                }
                let by = match rest.added_up {
                    true => "by all instructions one after the other",
                    false => "by the own cycles of blocks and those in which others can block them",
                };
                (rest.cycles, format!("{why}, each {by}, as {}", self.occupancy.no_room(None)))
            }
            Work::Cycles(_) => return None,
        };
        let all = full.value.plus(rest)?;
        Some(full.map(|_| all).because(why).at_most(Proof::Upper))
    }
}

/// `1 wave`, `2 waves`.
pub(super) fn counted(n: u64, thing: &str) -> String {
    people::counted(usize::try_from(n).unwrap_or(usize::MAX), thing)
}
