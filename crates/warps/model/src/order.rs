//! Orders (B: warp pseudo-precedence strings, section IV) and ways to start one (section VI, and what warp
//! schedulers of real multiprocessors do).
//!
//! An order holds each warp once per instruction. List scheduling turns it into a schedule, see `construct`.

use super::dispatch::{self, Policy};
use super::fairness::Fairness;
use super::kernel::Kernel;
use super::machine::Machine;
use base::Seeded;

/// A permutation holding every warp id as often as the kernel has instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order(Vec<u16>);

/// What keeps a list of warp ids from being an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderError {
    /// The entry at this index names no warp.
    NoSuchWarp(usize),
    /// This warp stands `found` times instead of once per instruction.
    WrongCount {
        /// The warp, from 0.
        warp: usize,
        /// How often it stands there.
        found: usize,
    },
}

/// The ways to make a first order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// All warps in turn, instruction by instruction.
    RoundRobin,
    /// All of warp 1, then all of warp 2, and so on.
    FixedPriority,
    /// Cycle by cycle, the warp that has waited longest first (B, figure 8).
    MostPending,
    /// Cycle by cycle, the warps that issued in the cycle before first, then the oldest.
    GreedyThenOldest,
    /// Cycle by cycle, the warp after the one that issued last first.
    LooseRoundRobin,
    /// Shuffled, by this seed.
    Random(u64),
}

impl Start {
    /// Those without a seed.
    pub const FIXED: [Start; 5] = [
        Start::RoundRobin,
        Start::FixedPriority,
        Start::MostPending,
        Start::GreedyThenOldest,
        Start::LooseRoundRobin,
    ];

    /// The name scenarios use.
    pub fn name(self) -> &'static str {
        match self {
            Start::RoundRobin => "round-robin",
            Start::FixedPriority => "fixed-priority",
            Start::MostPending => "most-pending",
            Start::GreedyThenOldest => "greedy-then-oldest",
            Start::LooseRoundRobin => "loose-round-robin",
            Start::Random(_) => "random",
        }
    }

    /// The order it makes for `warps` warps.
    pub fn order(self, kernel: &Kernel, machine: &Machine, warps: usize) -> Order {
        self.fair_order(kernel, machine, &Fairness::WorkConserving, warps)
    }

    /// The order it makes where sub-blocks may have to be fair: those that go cycle by cycle are, the others
    /// are arranged by sub-block.
    pub fn fair_order(self, kernel: &Kernel, machine: &Machine, fairness: &Fairness, warps: usize) -> Order {
        let all = 0..u16::try_from(warps).unwrap_or(u16::MAX);
        let length = kernel.len();
        let dispatched = |policy| Order(dispatch::dispatch(kernel, machine, fairness, warps, policy));
        let order = match self {
            Start::RoundRobin => Order(std::iter::repeat_n(all, length).flatten().collect()),
            Start::FixedPriority => Order(all.flat_map(|warp| std::iter::repeat_n(warp, length)).collect()),
            Start::MostPending => dispatched(Policy::MostPending),
            Start::GreedyThenOldest => dispatched(Policy::GreedyThenOldest),
            Start::LooseRoundRobin => dispatched(Policy::LooseRoundRobin),
            Start::Random(seed) => {
                let mut ids: Vec<u16> = std::iter::repeat_n(all, length).flatten().collect();
                Seeded::new(seed, 0).shuffle(&mut ids);
                Order(ids)
            }
        };
        match fairness {
            Fairness::WorkConserving => order,
            Fairness::SubBlock(_) => fairness.arranged(&order, length),
        }
    }
}

impl Order {
    /// Takes a list of warp ids counted from 0.
    pub fn new(ids: Vec<u16>, warps: usize, length: usize) -> Result<Self, OrderError> {
        let mut found = vec![0usize; warps];
        for (i, &id) in ids.iter().enumerate() {
            *found.get_mut(usize::from(id)).ok_or(OrderError::NoSuchWarp(i))? += 1;
        }
        match found.iter().position(|&n| n != length) {
            Some(warp) => Err(OrderError::WrongCount { warp, found: found[warp] }),
            None => Ok(Self(ids)),
        }
    }

    /// Takes ids known to be an order, such as those read off a complete schedule.
    pub(super) fn from_complete(ids: Vec<u16>) -> Self {
        Self(ids)
    }

    /// The warp ids, from 0, in order.
    pub fn ids(&self) -> &[u16] {
        &self.0
    }
}

/// How many orders there are: `(W*I)! / (I!)^W`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OrderCount {
    /// The number, where it fits.
    pub exact: Option<u128>,
    /// Its decimal logarithm.
    pub log10: f64,
}

/// The number of orders of `warps` warps of `length` instructions.
pub fn count_orders(warps: usize, length: usize) -> OrderCount {
    // A product of binomials: warp k's instructions take `length` of the `k*length` places left.
    let mut exact = Some(1u128);
    let mut log10 = 0.0;
    for warp in 1..=warps {
        for i in 1..=length {
            let place = (warp - 1) * length + i;
            log10 += (place as f64).log10() - (i as f64).log10();
        }
        exact = exact.and_then(|n| n.checked_mul(binomial(warp * length, length)?));
    }
    OrderCount { exact, log10 }
}

/// The number of orders up to renaming of warps: divided by `W!`.
pub fn count_unique_orders(warps: usize, length: usize) -> OrderCount {
    let all = count_orders(warps, length);
    let factorial = (1..=warps as u128).try_fold(1u128, u128::checked_mul);
    let log10: f64 = (1..=warps).map(|k| (k as f64).log10()).sum();
    OrderCount { exact: all.exact.zip(factorial).map(|(n, f)| n / f), log10: all.log10 - log10 }
}

fn binomial(n: usize, k: usize) -> Option<u128> {
    (1..=k as u128).try_fold(1u128, |product, i| Some(product.checked_mul((n - k) as u128 + i)? / i))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_holds_every_warp_once_per_instruction() {
        assert!(Order::new(vec![0, 1, 1, 0], 2, 2).is_ok());
        assert_eq!(Order::new(vec![0, 2, 1, 0], 2, 2), Err(OrderError::NoSuchWarp(1)));
        assert_eq!(Order::new(vec![0, 1, 0, 0], 2, 2), Err(OrderError::WrongCount { warp: 0, found: 3 }));
    }

    #[test]
    fn counts_of_orders() {
        assert_eq!(count_orders(4, 3).exact, Some(369_600)); // 12! / 6^4
        assert_eq!(count_unique_orders(4, 3).exact, Some(15_400));
        assert_eq!(count_orders(1, 10_000).exact, Some(1));
        let voronoi = count_orders(16, 25);
        assert_eq!(voronoi.exact, None);
        assert!((voronoi.log10 - 465.756).abs() < 0.001, "{}", voronoi.log10);
        assert!((count_orders(4, 3).log10 - 369_600f64.log10()).abs() < 1e-9);
    }

    #[test]
    fn random_starts_depend_on_the_seed_alone() -> Result<(), String> {
        let kernel = Kernel::parse("LCL").map_err(|e| e.what)?;
        let machine = Machine { capacity: crate::PerUnit([1, 1, 0, 0]), issue: None };
        let order = |seed| Start::Random(seed).order(&kernel, &machine, 4);
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        assert!(Order::new(order(1).ids().to_vec(), 4, 3).is_ok());
        Ok(())
    }
}
