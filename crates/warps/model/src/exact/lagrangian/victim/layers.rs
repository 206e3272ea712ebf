//! Values for one choice of multipliers, position after position of the last warp, from the end of its string back.
//!
//! Where it executes, the position after is settled; where it is kept waiting, values rise until nothing changes, one
//! size of the crowd after the other, as in module `evaluate`.

use super::super::super::instance::Instance;
use super::super::aggregates::{CLASSES, Choice, NONE};
use super::super::evaluate::{NEVER, PARTS};
use super::beside::Beside;

/// Rounds after which a size of the crowd is given up.
const MOST_ROUNDS: u32 = 600;
/// Values above it are given up: those of a circle that was not seen may rise on and on.
const HIGHEST: i32 = i32::MAX / 2;
/// Marks a noted choice of those where the last warp executes.
const MOVES: u32 = 1 << 31;

/// What came of it.
#[derive(Debug)]
pub enum Outcome {
    /// All inequalities hold, and the best path from the start pays for this.
    Settled { paid: Vec<i64> },
    /// A circle gains so many parts, and pays for this.
    Circle { gain: i64, paid: Vec<i64> },
    /// It took too long.
    Slow,
}

/// Values at one position: of each cell, and of each hand and cell once all of it have arrived.
#[derive(Debug)]
struct Layer {
    value: Vec<i32>,
    hands: Vec<Vec<i32>>,
}

impl Layer {
    fn new(beside: &Beside) -> Self {
        let all = beside.cells.content.len();
        let row = |hand: usize| if hand == 0 { Vec::new() } else { vec![NEVER; all] };
        Self { value: vec![NEVER; all], hands: (0..beside.cells.hands.len()).map(row).collect() }
    }

    fn after(&self, choice: Choice) -> i32 {
        match usize::from(choice.hand) {
            0 => self.value[choice.cell as usize],
            hand => self.hands[hand][choice.cell as usize],
        }
    }

    /// With so many warps, those in hands included: one arrives after the other, each where it is best.
    fn fill(&mut self, beside: &Beside, price: &[i32], level: usize) {
        let cells = &beside.cells;
        for (hand, arriving) in beside.hands.iter().enumerate().skip(1) {
            let Some(rest) = level.checked_sub(arriving.warps) else { continue };
            let range = cells.levels[rest]..cells.levels[rest + 1];
            let mut row = std::mem::take(&mut self.hands[hand]);
            row[range.clone()].fill(NEVER);
            let source = if arriving.less == 0 { &self.value } else { &self.hands[arriving.less] };
            for &exit in &arriving.exits {
                let price = price[cells.unit.len() + exit];
                let arrivals = &cells.arrivals[exit][range.clone()];
                for (best, &to) in row[range.clone()].iter_mut().zip(arrivals) {
                    if to != NONE {
                        let value = source[to as usize];
                        *best = (*best).max(if value > NEVER / 2 { value - price } else { NEVER });
                    }
                }
            }
            self.hands[hand] = row;
        }
    }
}

/// Multipliers being tried.
#[derive(Debug)]
pub struct Trial {
    /// For each class the price of an instruction, then for each exit its price.
    pub price: Vec<i32>,
    /// For each position and cell its value.
    pub values: Vec<i32>,
    /// For each position and cell the choice its value comes of.
    notes: Vec<u32>,
    cost: Vec<i32>,
    here: Layer,
    next: Layer,
    /// Positions still to be settled.
    left: usize,
}

impl Trial {
    /// Prices, with the end of the string settled: the last warp ends when no other is left.
    pub fn new(instance: &Instance, beside: &Beside, price: Vec<i32>) -> Self {
        let (cells, n) = (&beside.cells, instance.length as usize);
        let all = cells.content.len();
        let cost = |x: &[u8; CLASSES]| x.iter().zip(&price).map(|(&x, &p)| i32::from(x) * p).sum::<i32>();
        let cost = cells.executions.iter().map(cost).collect();
        let (here, mut next) = (Layer::new(beside), Layer::new(beside));
        next.value[0] = 0;
        for level in 0..cells.levels.len() - 1 {
            next.fill(beside, &price, level);
        }
        let mut values = vec![NEVER; (n + 1) * all];
        values[n * all] = 0;
        Self { price, values, notes: vec![NONE; n * all], cost, here, next, left: n }
    }

    /// Settles one more position: what came of it, if it is over; and what it cost.
    pub fn step(&mut self, instance: &Instance, beside: &Beside) -> (Option<Outcome>, u64) {
        let Some(p) = self.left.checked_sub(1) else {
            return (Some(Outcome::Settled { paid: self.path(instance, beside) }), 1);
        };
        let all = beside.cells.content.len();
        let mut cost = 0;
        for level in 0..beside.cells.levels.len() - 1 {
            let outcome = self.settle(instance, beside, p, level, &mut cost);
            if outcome.is_some() {
                return (outcome, cost);
            }
        }
        self.values[p * all..(p + 1) * all].copy_from_slice(&self.here.value);
        std::mem::swap(&mut self.here, &mut self.next);
        self.left = p;
        (None, cost)
    }

    /// The values of one position and one size of the crowd.
    fn settle(
        &mut self,
        instance: &Instance,
        beside: &Beside,
        p: usize,
        level: usize,
        cost: &mut u64,
    ) -> Option<Outcome> {
        let cells = &beside.cells;
        let range = cells.levels[level]..cells.levels[level + 1];
        let unit = instance.phases[instance.phase_of[p] as usize].unit;
        let (moves, waits) = (&beside.moves[unit], &beside.waits[unit]);
        let notes = p * cells.content.len();
        for cell in range.clone() {
            let (mut best, mut by) = (NEVER, NONE);
            for at in moves.of(cell) {
                let choice = moves.choices[at];
                let value = self.next.after(choice) + PARTS - self.cost[usize::from(choice.execution)];
                if value > best && value > NEVER / 2 {
                    (best, by) = (value, at as u32 | MOVES);
                }
            }
            (self.here.value[cell], self.notes[notes + cell]) = (best, by);
            *cost += moves.of(cell).len() as u64 + 1;
        }
        for round in 1.. {
            self.here.fill(beside, &self.price, level);
            let mut changed = None;
            for cell in range.clone() {
                let (mut best, mut by) = (self.here.value[cell], NONE);
                for at in waits.of(cell) {
                    let choice = waits.choices[at];
                    let value = self.here.after(choice) + PARTS - self.cost[usize::from(choice.execution)];
                    if value > best && value > NEVER / 2 {
                        (best, by) = (value, at as u32);
                    }
                }
                if by != NONE {
                    (self.here.value[cell], self.notes[notes + cell]) = (best, by);
                    changed = Some(cell);
                }
                *cost += waits.of(cell).len() as u64 + 1;
            }
            *cost += (range.len() * beside.arrivals / 2) as u64;
            if self.here.value[range.clone()].iter().any(|&value| value > HIGHEST) {
                return Some(Outcome::Slow);
            }
            let changed = changed?;
            if round % 16 == 0 {
                let circle = self.circle(instance, beside, p, range.start, changed);
                if circle.is_some() || round > MOST_ROUNDS {
                    return circle.or(Some(Outcome::Slow));
                }
            }
        }
        None
    }

    /// A circle of notes that leads from a cell back to one on the way, the last warp waiting.
    fn circle(
        &self,
        instance: &Instance,
        beside: &Beside,
        p: usize,
        from: usize,
        start: usize,
    ) -> Option<Outcome> {
        let all = beside.cells.content.len();
        let (mut trail, mut cell) = (Vec::new(), start);
        let mut seen = vec![false; all - from];
        let mut none = vec![0; self.price.len()];
        while cell >= from && !std::mem::replace(&mut seen[cell - from], true) {
            if self.notes[p * all + cell] & MOVES != 0 {
                return None;
            }
            trail.push(cell);
            cell = self.pay(instance, beside, p, cell, &self.here.value, &mut none)?.1;
        }
        let begin = trail.iter().position(|&at| at == cell)?;
        let mut paid = vec![0; self.price.len()];
        for &at in &trail[begin..] {
            self.pay(instance, beside, p, at, &self.here.value, &mut paid);
        }
        let spent: i64 = paid.iter().zip(&self.price).map(|(&n, &p)| n * i64::from(p)).sum();
        let gain = (trail.len() - begin).cast_signed() as i64 * i64::from(PARTS) - spent;
        (gain > 0).then_some(Outcome::Circle { gain, paid })
    }

    /// What the best path from the start pays for.
    fn path(&self, instance: &Instance, beside: &Beside) -> Vec<i64> {
        let all = beside.cells.content.len();
        let (mut p, mut cell, mut paid) = (0, beside.start, vec![0; self.price.len()]);
        // Longer than any schedule; ties could lead round for ever.
        for _ in 0..instance.work() {
            let next = self.notes.get(p * all + cell).map_or(0, |note| usize::from(note & MOVES != 0));
            let value = &self.values[(p + next) * all..][..all];
            let Some(to) = self.pay(instance, beside, p, cell, value, &mut paid) else { break };
            (p, cell) = to;
        }
        paid
    }

    /// Adds what the noted choice of a cell pays for; where it leads, by the values there.
    fn pay(
        &self,
        instance: &Instance,
        beside: &Beside,
        p: usize,
        cell: usize,
        value: &[i32],
        paid: &mut [i64],
    ) -> Option<(usize, usize)> {
        let (cells, classes) = (&beside.cells, beside.cells.unit.len());
        let note = self.notes.get(p * cells.content.len() + cell).copied().filter(|&note| note != NONE)?;
        let unit = instance.phases[instance.phase_of[p] as usize].unit;
        let moves = note & MOVES != 0;
        let list = if moves { &beside.moves[unit] } else { &beside.waits[unit] };
        let choice = list.choices[(note & !MOVES) as usize];
        for (paid, &x) in paid.iter_mut().zip(&cells.executions[usize::from(choice.execution)][..classes]) {
            *paid += i64::from(x);
        }
        let (mut hand, mut at) = (usize::from(choice.hand), choice.cell as usize);
        while hand > 0 {
            let arriving = &beside.hands[hand];
            let mut best = (NEVER, 0, at);
            for &exit in &arriving.exits {
                let to = cells.arrivals[exit][at];
                if to != NONE {
                    let then = self.arrive(beside, arriving.less, to as usize, value);
                    let then = then - self.price[classes + exit];
                    if then > best.0 {
                        best = (then, exit, to as usize);
                    }
                }
            }
            paid[classes + best.1] += 1;
            (hand, at) = (arriving.less, best.2);
        }
        Some((p + usize::from(moves), at))
    }

    /// The best value once all of a hand have arrived.
    fn arrive(&self, beside: &Beside, hand: usize, cell: usize, value: &[i32]) -> i32 {
        let (cells, arriving) = (&beside.cells, &beside.hands[hand]);
        if hand == 0 {
            return value[cell];
        }
        let to = arriving.exits.iter().map(|&exit| (exit, cells.arrivals[exit][cell]));
        let then = |(exit, to): (usize, u32)| {
            self.arrive(beside, arriving.less, to as usize, value) - self.price[cells.unit.len() + exit]
        };
        to.filter(|&(_, to)| to != NONE).map(then).max().unwrap_or(NEVER).max(NEVER)
    }
}
