//! The relaxation for one choice of multipliers: longest paths by label correcting, or a cycle of positive gain that
//! shows which multiplier is too small.
//!
//! Values rise until nothing changes, one number of warps after the other; a step to fewer warps is settled by
//! then. If they rise for ever, the cells they rise from form a circle, and its steps say what is too cheap.

use super::aggregates::{CLASSES, ClassAggregates, NONE};

/// Parts of a cycle that prices and values are counted in.
pub const PARTS: i32 = 1024;
/// The value of a cell that no state is in.
pub const NEVER: i32 = i32::MIN / 2;
/// Rounds after which a level is given up.
const MOST_ROUNDS: u32 = 600;

/// What came of it.
#[derive(Debug)]
pub enum Outcome {
    /// All inequalities hold: the cell the best path enters the settled levels by, and what it pays for.
    Settled { cell: usize, paid: Vec<i64> },
    /// A circle gains so many parts, and pays for this.
    Circle { gain: i64, paid: Vec<i64> },
    /// It took too long.
    Slow,
}

/// The way a value was reached.
#[derive(Debug, Clone, Copy, Default)]
struct Parent {
    choice: u32,
    cell: u32,
}

/// Prices being tried.
#[derive(Debug)]
pub struct Evaluation {
    /// For each class the price of an instruction, then for each exit its price.
    pub price: Vec<i32>,
    /// For each cell its value.
    pub value: Vec<i32>,
    /// For each hand and cell the best value once all of it have arrived.
    hands: Vec<Vec<i32>>,
    cost: Vec<i32>,
    parents: Vec<Parent>,
    /// For each cell the exits of its parent's hand.
    exits: Vec<u8>,
    stride: usize,
    low: usize,
    high: usize,
    level: usize,
    rounds: u32,
}

impl Evaluation {
    /// Prices, and the values of all cells with up to `low` warps.
    pub fn new(
        cells: &ClassAggregates,
        price: Vec<i32>,
        mut value: Vec<i32>,
        low: usize,
        high: usize,
    ) -> Self {
        value.resize(cells.content.len(), NEVER);
        let cost = |x: &[u8; CLASSES]| x.iter().zip(&price).map(|(&x, &p)| i32::from(x) * p).sum::<i32>();
        let cost = cells.executions.iter().map(cost).collect();
        let most = |hand: &[u8; CLASSES]| hand.iter().map(|&n| usize::from(n)).sum::<usize>();
        let stride = cells.hands.iter().map(most).max().unwrap_or(0);
        let all = cells.content.len();
        let mut hands = vec![vec![NEVER; all]; cells.hands.len()];
        hands[0] = Vec::new();
        let mut evaluation = Self {
            price,
            value,
            hands,
            cost,
            parents: vec![Parent::default(); all],
            exits: vec![0; all * stride],
            stride,
            low,
            high,
            level: low + 1,
            rounds: 0,
        };
        for level in low.saturating_sub(stride)..=low {
            evaluation.fill_hands(cells, level);
        }
        evaluation
    }

    /// One round: what came of it, if it is over; and what it cost.
    pub fn step(&mut self, cells: &ClassAggregates) -> (Option<Outcome>, u64) {
        if self.level > self.high {
            return (Some(Outcome::Slow), 1);
        }
        self.fill_hands(cells, self.level);
        let range = cells.levels[self.level]..cells.levels[self.level + 1];
        let mut cost = (range.len() * self.hands.len()) as u64;
        let mut changed = None;
        for cell in range {
            let choices = cells.from[cell] as usize..cells.from[cell + 1] as usize;
            cost += choices.len() as u64;
            let mut best = (self.value[cell], NONE);
            for at in choices {
                let choice = cells.choices[at];
                let value = self.after(usize::from(choice.hand), choice.cell as usize);
                let value = value + PARTS - self.cost[usize::from(choice.execution)];
                if value > best.0 {
                    best = (value, at as u32);
                }
            }
            if best.1 != NONE && best.0 > NEVER / 2 {
                self.value[cell] = best.0;
                self.note(cells, cell, best.1);
                changed = Some(cell);
            }
        }
        self.rounds += 1;
        let Some(changed) = changed else {
            self.level += 1;
            self.rounds = 0;
            return (None, cost);
        };
        let circle = if self.rounds.is_multiple_of(16) { self.circle(cells, changed) } else { None };
        (circle.or((self.rounds > MOST_ROUNDS).then_some(Outcome::Slow)), cost)
    }

    /// Are all levels settled?
    pub fn settled(&self) -> bool {
        self.level > self.high
    }

    fn after(&self, hand: usize, cell: usize) -> i32 {
        if hand == 0 { self.value[cell] } else { self.hands[hand][cell] }
    }

    /// With so many warps, those in hands included: one arrives after the other, each where it is best.
    fn fill_hands(&mut self, cells: &ClassAggregates, level: usize) {
        for (hand, warps) in cells.hands.iter().enumerate().skip(1) {
            let sum: usize = warps.iter().map(|&n| usize::from(n)).sum();
            let Some(rest) = level.checked_sub(sum) else { continue };
            let (class, less) = first_of(cells, hand);
            let range = cells.levels[rest]..cells.levels[rest + 1];
            let mut row = std::mem::take(&mut self.hands[hand]);
            row[range.clone()].fill(NEVER);
            let exits = cells.exits.iter().enumerate().filter(|(_, exit)| exit.from == class);
            for (at, _) in exits {
                let price = self.price[cells.unit.len() + at];
                let source = if less == 0 { &self.value } else { &self.hands[less] };
                let arrivals = &cells.arrivals[at][range.clone()];
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

    /// Notes how a value was reached.
    fn note(&mut self, cells: &ClassAggregates, cell: usize, choice: u32) {
        let taken = cells.choices[choice as usize];
        let (mut hand, mut to, mut i) = (usize::from(taken.hand), taken.cell as usize, 0);
        while hand > 0 {
            let (class, less) = first_of(cells, hand);
            let mut best = (NEVER, 0, to);
            for (at, _) in cells.exits.iter().enumerate().filter(|(_, exit)| exit.from == class) {
                let next = cells.arrivals[at][to];
                if next != NONE {
                    let value = self.after(less, next as usize);
                    if value > NEVER / 2 && value - self.price[cells.unit.len() + at] > best.0 {
                        best = (value - self.price[cells.unit.len() + at], at, next as usize);
                    }
                }
            }
            self.exits[cell * self.stride + i] = best.1 as u8;
            (to, hand, i) = (best.2, less, i + 1);
        }
        self.parents[cell] = Parent { choice, cell: to as u32 };
    }

    /// Adds what the step noted for a cell pays for.
    fn pay(&self, cells: &ClassAggregates, cell: usize, paid: &mut [i64]) {
        let choice = cells.choices[self.parents[cell].choice as usize];
        let executes = cells.executions[usize::from(choice.execution)];
        let classes = cells.unit.len();
        (0..classes).for_each(|class| paid[class] += i64::from(executes[class]));
        let hand: usize = cells.hands[usize::from(choice.hand)].iter().map(|&n| usize::from(n)).sum();
        for &exit in &self.exits[cell * self.stride..][..hand] {
            paid[classes + usize::from(exit)] += 1;
        }
    }

    /// A circle of notes that leads from a cell back to one on the way.
    fn circle(&self, cells: &ClassAggregates, start: usize) -> Option<Outcome> {
        let (from, mut cell) = (cells.levels[self.level], start);
        let mut trail = Vec::new();
        let mut seen = vec![false; cells.levels[self.level + 1] - from];
        while cell >= from && !std::mem::replace(&mut seen[cell - from], true) {
            trail.push(cell);
            cell = self.parents[cell].cell as usize;
        }
        let begin = trail.iter().position(|&at| at == cell)?;
        let mut paid = vec![0; self.price.len()];
        trail[begin..].iter().for_each(|&at| self.pay(cells, at, &mut paid));
        let spent: i64 = paid.iter().zip(&self.price).map(|(&n, &p)| n * i64::from(p)).sum();
        let cycles = u32::try_from(trail.len() - begin).unwrap_or(0);
        let gain = i64::from(cycles) * i64::from(PARTS) - spent;
        (gain > 0).then_some(Outcome::Circle { gain, paid })
    }

    /// The best path from a cell to the levels that were settled before.
    pub fn path(&self, cells: &ClassAggregates, start: usize) -> Outcome {
        let (mut cell, mut paid) = (start, vec![0; self.price.len()]);
        // Values do not rise along a path of notes for ever; the limit is for what cannot happen.
        for _ in 0..1_000_000 {
            if cell < cells.levels[self.low + 1] {
                return Outcome::Settled { cell, paid };
            }
            self.pay(cells, cell, &mut paid);
            cell = self.parents[cell].cell as usize;
        }
        Outcome::Slow
    }
}

/// The class of the warp of a hand that arrives first, and the hand without it.
fn first_of(cells: &ClassAggregates, hand: usize) -> (usize, usize) {
    let mut less = cells.hands[hand];
    let class = less.iter().position(|&n| n > 0).unwrap_or(0);
    less[class] -= 1;
    (class, cells.hands.iter().position(|&other| other == less).unwrap_or(0))
}
