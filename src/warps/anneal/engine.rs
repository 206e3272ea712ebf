//! The evaluator that fits a scenario: one shape of [`Incremental`] for each size.

use super::incremental::Incremental;
use super::queue::{Bits, Deep, Queues, Sorted};
use crate::warps::{Kernel, Machine, Unit};

macro_rules! engines {
    ($($name:ident: $queue:ty, $words:literal, $bits:literal, $units:literal;)*) => {
        /// An evaluator of one of the shapes.
        #[derive(Debug, Clone)]
        pub enum Engine {
            $(
                #[doc = concat!("Rows of ", stringify!($words), " words, lanes of ", stringify!($bits), " bits.")]
                $name(Box<Incremental<$queue, $words, $bits, $units>>),
            )*
        }

        impl Engine {
            /// Plays an order; `None` where there are more warps or instructions than any shape holds.
            pub fn new(kernel: &Kernel, machine: &Machine, order: &[u8], warps: usize) -> Option<Self> {
                let totals = kernel.totals();
                let kinds = Unit::ALL.into_iter().filter(|&unit| totals[unit] > 0).count();
                $(
                    type $name = Incremental<$queue, $words, $bits, $units>;
                    if order.len() <= <$queue as Queues<$units>>::MOST
                        && warps <= $name::MOST_WARPS
                        && kernel.len() <= $name::MOST_LENGTH
                        && kinds <= $units
                    {
                        return Some(Self::$name(Box::new($name::new(kernel, machine, order, warps))));
                    }
                )*
                None
            }

            /// The makespan of the present order.
            pub fn makespan(&self) -> u32 {
                match self { $(Self::$name(engine) => engine.makespan(),)* }
            }

            /// The makespan after exchanging the entries at two places of different warps.
            pub fn swap(&mut self, a: usize, b: usize) -> u32 {
                match self { $(Self::$name(engine) => engine.swap(a, b),)* }
            }

            /// Takes the last exchange back.
            pub fn undo_swap(&mut self, a: usize, b: usize) {
                match self { $(Self::$name(engine) => engine.undo_swap(a, b),)* }
            }

            /// The makespan after dealing the places from `from` on anew.
            pub fn replace(&mut self, from: usize, warps: &[u8]) -> u32 {
                match self { $(Self::$name(engine) => engine.replace(from, warps),)* }
            }

            /// Takes the last dealing back; `warps` are those from before.
            pub fn undo_replace(&mut self, from: usize, warps: &[u8]) {
                match self { $(Self::$name(engine) => engine.undo_replace(from, warps),)* }
            }

            /// Makes the last change the present order.
            pub fn accept(&mut self, makespan: u32) {
                match self { $(Self::$name(engine) => engine.accept(makespan),)* }
            }

            /// How many instructions of a warp stand before a place.
            pub fn before(&self, warp: usize, place: usize) -> usize {
                match self { $(Self::$name(engine) => engine.before(warp, place),)* }
            }
        }
    };
}

// From the quickest to the widest: the first that holds a scenario is taken.
engines! {
    Narrow: Bits, 2, 8, 2;
    Mixed: Bits, 2, 8, 4;
    Wide: Bits, 8, 8, 4;
    Long: Deep, 4, 16, 4;
    Large: Deep, 16, 16, 4;
    Larger: Deep, 64, 16, 4;
    Largest: Sorted<4>, 64, 16, 4;
}
