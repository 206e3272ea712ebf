//! Why every instruction issued no earlier: each cycle since the one before it issued has exactly one reason.
//!
//! First its own warp keeps it: the stall of the instruction before, then scoreboards, then the other warps at a
//! barrier. From then on it could issue, and in every cycle its unit is busy or its partition's slots are taken; where
//! both is so, the unit is named. Of several that hold a unit or took a slot, the one that issued last is named.

mod taken;

use super::launch::{Launch, MOST_BOARDS};
use super::schedule::Schedule;
use taken::Taken;

/// An instruction: the warp, and the place in what it executes.
pub type Which = (usize, usize);

/// Why an instruction does not issue in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The stall of the one before it is not over.
    Stall,
    /// A scoreboard is not clear: which, and the place of the instruction whose result it waits for.
    Scoreboard {
        /// The scoreboard.
        board: u8,
        /// The place in what the warp executes.
        by: usize,
    },
    /// A warp of its block has not come to the barrier: the one that comes last.
    Barrier {
        /// That warp.
        by: usize,
    },
    /// Its unit is held.
    Unit {
        /// By whom.
        by: Which,
    },
    /// Its partition issues others.
    Slot {
        /// Which.
        by: Which,
    },
    /// Nothing keeps it: the schedule is not work-conserving.
    Nothing,
}

impl Reason {
    /// What reports call it.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Stall => "stall",
            Reason::Scoreboard { .. } => "scoreboard",
            Reason::Barrier { .. } => "barrier",
            Reason::Unit { .. } => "unit",
            Reason::Slot { .. } => "slot",
            Reason::Nothing => "nothing",
        }
    }
}

/// Cycles in a row with one reason, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waited {
    /// The first cycle.
    pub from: u32,
    /// The last cycle.
    pub to: u32,
    /// Why.
    pub reason: Reason,
}

/// Why everything in a schedule waited that keeps the rules.
#[derive(Debug, Clone)]
pub struct Reasons {
    rows: Vec<Vec<Vec<Waited>>>,
}

impl Reasons {
    /// Finds them.
    pub fn of(launch: &Launch, schedule: &Schedule) -> Self {
        let warps = 0..launch.warps().len();
        let mut rows: Vec<Vec<Vec<Waited>>> =
            warps.clone().map(|warp| alone(launch, schedule, warp)).collect();
        let ready = |rows: &[Vec<Vec<Waited>>], warp: usize, place: usize| {
            let first = place.checked_sub(1).map_or(1, |before| schedule.issued[warp][before] + 1);
            rows[warp][place].last().map_or(first, |last: &Waited| last.to + 1)
        };
        let barriers: Vec<Vec<usize>> = warps
            .clone()
            .map(|warp| (0..launch.length(warp)).filter(|&place| launch.at(warp, place).barrier).collect())
            .collect();
        let mut late = Vec::new();
        for warp in warps.clone() {
            for (number, &place) in barriers[warp].iter().enumerate() {
                let block = launch.warps()[warp].block;
                let others = warps.clone().filter(|&other| launch.warps()[other].block == block);
                let came = |other: usize| match barriers[other].get(number) {
                    Some(&at) => ready(&rows, other, at),
                    None => schedule.issued[other].last().map_or(0, |last| last + 1),
                };
                let last = others.map(|other| (came(other), other)).max();
                if let Some((last, by)) = last
                    && last > ready(&rows, warp, place)
                {
                    let from = ready(&rows, warp, place);
                    late.push((warp, place, Waited { from, to: last - 1, reason: Reason::Barrier { by } }));
                }
            }
        }
        for (warp, place, waited) in late {
            rows[warp][place].push(waited);
        }
        let taken = Taken::of(launch, schedule);
        for warp in warps {
            for place in 0..launch.length(warp) {
                let from = ready(&rows, warp, place);
                let cycles = from..schedule.issued[warp][place];
                taken.note(launch, (warp, place), cycles, &mut rows[warp][place]);
            }
        }
        Self { rows }
    }

    /// Why an instruction waited since the one before it issued, or since the beginning: in order, without gaps.
    pub fn at(&self, warp: usize, place: usize) -> &[Waited] {
        &self.rows[warp][place]
    }
}

/// What each instruction of a warp waits for by itself.
fn alone(launch: &Launch, schedule: &Schedule, warp: usize) -> Vec<Vec<Waited>> {
    let mut boards: Vec<Vec<(u32, usize)>> = vec![Vec::new(); usize::from(MOST_BOARDS)];
    let mut rows = Vec::with_capacity(launch.length(warp));
    // The cycle from which on nothing was waited for yet, and the one in which the stall is over.
    let (mut first, mut from) = (1, 1);
    for (place, &issued) in schedule.issued[warp].iter().enumerate() {
        let own = launch.at(warp, place);
        let mut waited = Vec::new();
        if from > first {
            waited.push(Waited { from: first, to: from - 1, reason: Reason::Stall });
        }
        // Scoreboards one after the other, as they clear.
        let mut needed: Vec<(u32, u8, usize)> = Vec::new();
        for wait in &own.waits {
            let board = &mut boards[usize::from(wait.board)];
            board.retain(|&(there, _)| there > from);
            board.sort_unstable();
            if let Some(last) = board.len().checked_sub(wait.left as usize + 1) {
                needed.push((board[last].0, wait.board, board[last].1));
            }
        }
        needed.sort_unstable();
        let mut since = from;
        for (there, board, by) in needed {
            if there > since {
                waited.push(Waited { from: since, to: there - 1, reason: Reason::Scoreboard { board, by } });
                since = there;
            }
        }
        rows.push(waited);
        for (i, set) in own.sets.iter().enumerate() {
            let latency = schedule.latencies[launch.latency(warp, place, i)];
            boards[usize::from(set.board)].push((issued + latency, place));
        }
        (first, from) = (issued + 1, issued + own.stall);
    }
    rows
}
