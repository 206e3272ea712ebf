//! What a chain asks about its order.

/// An order, its makespan, and the makespans of orders near it.
///
/// After a change comes either [`Evaluator::accept`] or the undoing of that change.
pub trait Evaluator: std::fmt::Debug + Send {
    /// The makespan of the present order.
    fn makespan(&self) -> u32;

    /// The warp at a place of the order.
    fn warp(&self, place: usize) -> u8;

    /// How many instructions of a warp stand before a place.
    fn before(&self, warp: usize, place: usize) -> usize;

    /// The makespan after exchanging the entries at two places, which hold different warps; `None` where
    /// this evaluator cannot find it.
    fn swap(&mut self, a: usize, b: usize) -> Option<u32>;

    /// Takes the last [`Self::swap`] back.
    fn undo_swap(&mut self, a: usize, b: usize);

    /// The makespan after giving the places from `from` on to these warps, the same ones as before; `None`
    /// where this evaluator cannot find it.
    fn replace(&mut self, from: usize, warps: &[u8]) -> Option<u32>;

    /// Takes the last [`Self::replace`] back; `warps` are those from before.
    fn undo_replace(&mut self, from: usize, warps: &[u8]);

    /// Makes the last change the present order; `makespan` is what it came to.
    fn accept(&mut self, makespan: u32);

    /// Whether another evaluator would have been quicker since this was last asked.
    fn strained(&mut self) -> bool;
}
