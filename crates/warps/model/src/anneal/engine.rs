//! Which incremental evaluator a chain uses: the one that fits a scenario and the orders the chain comes through.
//!
//! Two ways lead to the same makespans. [`EntryEvaluator`] is the quicker one for up to 16 warps that advance about
//! equally, and gives up on other orders. [`CycleEvaluator`] takes them all.

use super::by_cycle::CycleEvaluator;
use super::by_entry::EntryEvaluator;
use super::evaluator::Evaluator;
use super::ready_queue::{Bits, Deep, Sorted};
use crate::{Kernel, Machine};

/// After so many changes it is asked whether the evaluator still suits the orders.
const LOOK: u32 = 4_096;

/// After so many changes orders that did not suit the quicker evaluator may have become such that do.
pub(super) const RETRY: u32 = 16 * LOOK;

/// An order and what evaluates it.
#[derive(Debug)]
pub struct Engine {
    kernel: Kernel,
    machine: Machine,
    /// The order's entries and the warps in them.
    places: usize,
    warps: usize,
    at: Box<dyn Evaluator>,
    /// Changes until the next look at whether another evaluator suits better.
    until_look: u32,
    places_entries: bool,
}

impl Engine {
    /// Finds the schedule of an order; `None` where there are more warps or instructions than can be held.
    pub fn new(kernel: &Kernel, machine: &Machine, order: &[u8], warps: usize) -> Option<Self> {
        let placing = by_entry(kernel, machine, order, warps);
        let places_entries = placing.is_some();
        Some(Self {
            kernel: kernel.clone(),
            machine: *machine,
            places: order.len(),
            warps,
            at: placing.or_else(|| by_cycle(kernel, machine, order, warps))?,
            until_look: if places_entries { LOOK } else { RETRY },
            places_entries,
        })
    }

    /// The makespan of the present order.
    pub fn makespan(&self) -> u32 {
        self.at.makespan()
    }

    /// How many instructions of a warp stand before a place.
    pub fn before(&self, warp: usize, place: usize) -> usize {
        self.at.before(warp, place)
    }

    /// The makespan after exchanging the entries at two places of different warps.
    pub fn swap(&mut self, a: usize, b: usize) -> u32 {
        self.look();
        loop {
            if let Some(makespan) = self.at.swap(a, b) {
                return makespan;
            }
            self.at.undo_swap(a, b);
            self.play(&self.order());
        }
    }

    /// Takes the last exchange back.
    pub fn undo_swap(&mut self, a: usize, b: usize) {
        self.at.undo_swap(a, b);
    }

    /// The makespan after dealing the places from `from` on anew; `before` is what stands there.
    pub fn replace(&mut self, from: usize, before: &[u8], warps: &[u8]) -> u32 {
        self.look();
        loop {
            if let Some(makespan) = self.at.replace(from, warps) {
                return makespan;
            }
            self.at.undo_replace(from, before);
            self.play(&self.order());
        }
    }

    /// Takes the last dealing back; `warps` are those from before.
    pub fn undo_replace(&mut self, from: usize, warps: &[u8]) {
        self.at.undo_replace(from, warps);
    }

    /// Makes the last change the present order.
    pub fn accept(&mut self, makespan: u32) {
        self.at.accept(makespan);
    }

    /// Whether the quicker evaluator is at work.
    #[cfg(test)]
    pub fn places_entries(&self) -> bool {
        self.places_entries
    }

    /// The present order.
    pub(super) fn order(&self) -> Vec<u8> {
        (0..self.places).map(|place| self.at.warp(place)).collect()
    }

    /// Now and then changes to the evaluator that suits better.
    fn look(&mut self) {
        self.until_look -= 1;
        if self.until_look > 0 {
            return;
        }
        if !self.places_entries {
            self.until_look = RETRY;
            if let Some(at) = by_entry(&self.kernel, &self.machine, &self.order(), self.warps) {
                (self.at, self.places_entries, self.until_look) = (at, true, LOOK);
            }
        } else if self.at.strained() {
            self.play(&self.order());
        } else {
            self.until_look = LOOK;
        }
    }

    /// Has the order played from now on, which suits whatever can be placed.
    fn play(&mut self, order: &[u8]) {
        if let Some(at) = by_cycle(&self.kernel, &self.machine, order, self.warps) {
            (self.at, self.places_entries, self.until_look) = (at, false, RETRY);
        }
    }
}

/// An evaluator, where one takes an order.
pub(super) type Taken = Option<Box<dyn Evaluator>>;

/// The first of the shapes that takes an order, from the quickest to the widest.
macro_rules! first_of {
    ($order:tt, $($shape:ty,)*) => {{
        $(if let Some(at) = <$shape>::new $order {
            return Some(Box::new(at));
        })*
        None
    }};
}

/// One that places the entries of an order again, where it suits.
pub(super) fn by_entry(kernel: &Kernel, machine: &Machine, order: &[u8], warps: usize) -> Taken {
    first_of!(
        (kernel, machine, order, warps),
        EntryEvaluator<0, 2, false>,
        EntryEvaluator<4, 4, false>,
        EntryEvaluator<0, 2, true>,
        EntryEvaluator<4, 4, true>,
    )
}

/// One that plays an order cycle by cycle.
pub(super) fn by_cycle(kernel: &Kernel, machine: &Machine, order: &[u8], warps: usize) -> Taken {
    first_of!(
        (kernel, machine, order, warps),
        CycleEvaluator<Bits, 2, 8, 2>,
        CycleEvaluator<Bits, 2, 8, 4>,
        CycleEvaluator<Bits, 8, 8, 4>,
        CycleEvaluator<Deep, 4, 16, 4>,
        CycleEvaluator<Deep, 16, 16, 4>,
        CycleEvaluator<Deep, 64, 16, 4>,
        CycleEvaluator<Sorted<4>, 64, 16, 4>,
    )
}
