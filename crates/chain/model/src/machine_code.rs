//! Kernels given as machine code: how long blocks of them take on one multiprocessor.
//!
//! *Together.* `n` blocks that start at once are one launch of `n w` warps, whose bounds and searches are those of
//! [`code`]. With machine code one block more can make the others faster (what it holds puts off whoever would have been
//! in the way), so an upper side for `n` blocks counts only if it is one for all fewer, too: the formula of
//! [`code::bounds::upper`] is, as others' work only adds to it; what a search proves is proven of its number alone. So
//! the upper side is the greatest over `1..=n` of what is known of each.
//!
//! *More than there is room for*: blocks that replace each other, and more warps than a launch may have. Some blocks that
//! follow each other take their own cycles, and those in which any other can block them: [`code::bounds::Replaced`] has the
//! argument. Or all instructions one after the other: until all have ended, in every cycle some instruction issues, stalls its
//! warp, holds its unit or is under way; of warps that wait at a barrier another one has not come to it. The less of both
//! counts. Each of them grows with blocks, so that it is a bound for all fewer, too. Only the second is there where warps of
//! a block have different numbers of barriers.
//!
//! *From below*: what a schedule found takes, of exactly so many blocks; and what one block takes at least in any company.

use std::sync::Arc;

use super::units::Cycles;
use base::Control;
use code::bounds::Replaced;
use code::exact::{self, Goal};
use code::launch::MOST_WARPS;
use code::longest::{Search, Settings};
use code::{Launch, bounds};

/// An upper side, and by which argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Upper {
    /// No more than this.
    pub cycles: Cycles,
    /// Whether all instructions are added up.
    pub added_up: bool,
}

/// What the warps of a kernel execute, as machine code.
#[derive(Debug, Clone, PartialEq)]
pub struct MachineCode {
    /// One block of it.
    pub block: Arc<Launch>,
}

impl MachineCode {
    /// Blocks that start together; none where they are more than a launch may be.
    pub fn together(&self, blocks: u64) -> Option<Launch> {
        self.block.times(usize::try_from(blocks).ok()?)
    }

    /// Warps of so many blocks, where they are more than a launch may have.
    pub fn too_many(&self, blocks: u64) -> Option<u64> {
        let warps = blocks.saturating_mul(self.block.warps().len() as u64);
        (warps > MOST_WARPS as u64).then_some(warps)
    }

    /// No schedule of so many blocks takes more, whether they start together or replace each other.
    pub fn one_after_the_other(&self, blocks: u64) -> Cycles {
        Cycles(bounds::one_after_the_other(&self.block).saturating_mul(blocks))
    }

    /// The less of what blocks that follow each other take and of all instructions of so many blocks.
    fn less(&self, blocks: u64, following: impl Fn(&Replaced) -> u64) -> Upper {
        let all = self.one_after_the_other(blocks);
        match Replaced::new(&self.block).map(|block| Cycles(following(&block))) {
            Some(cycles) if cycles < all => Upper { cycles, added_up: false },
            _ => Upper { cycles: all, added_up: true },
        }
    }

    /// No schedule of so many blocks, of which so many find room at once, takes more; nor does one of fewer.
    pub fn replaced(&self, blocks: u64, room: u64) -> Upper {
        self.less(blocks, |block| block.most(blocks, room))
    }

    /// No block takes more where so many are on its multiprocessor, so many of them at once, whoever replaces whom.
    pub fn one_of(&self, blocks: u64, room: u64) -> Upper {
        self.less(blocks, |block| block.one(blocks, room))
    }

    /// A multiprocessor is full for no longer by so many blocks, or by fewer.
    pub fn full(&self, blocks: u64, room: u64) -> Upper {
        self.less(blocks, |block| block.full(blocks, room))
    }

    /// What a multiprocessor holds takes no more where so many blocks, those that are to start on it included, are all that it
    /// will have meanwhile.
    pub fn rest(&self, blocks: u64, room: u64) -> Upper {
        // Holds of blocks that are gone come on top of what those take that are there.
        let own = self.one_of(blocks, room);
        Upper { cycles: Cycles(own.cycles.0.saturating_add(bounds::outlasts(&self.block))), ..own }
    }

    /// A block takes no less, in whatever company.
    pub fn at_least(&self) -> Cycles {
        Cycles(bounds::lower(&self.block))
    }

    /// No schedule of so many blocks that start together takes more: by formula.
    pub fn at_most(&self, blocks: u64) -> Upper {
        match self.together(blocks) {
            None => self.one_of(blocks, blocks),
            Some(launch) => {
                let all = self.one_after_the_other(blocks);
                Upper { cycles: Cycles(bounds::upper(&launch)).min(all), added_up: false }
            }
        }
    }
}

/// A search for the worst case of blocks that start together.
#[derive(Debug)]
pub struct CodeSearch {
    launch: Arc<Launch>,
    longest: Search,
    seeking: bool,
    exact: Option<exact::Search>,
}

/// Bytes that a search may use.
const MEMORY: u64 = 64 << 20;
/// Rules that are tried, and steps of annealing, at the most.
const TASTES: u64 = 48;
const ITERATIONS: u64 = 2_000;

impl CodeSearch {
    /// One at its beginning; of so much fuel in all no more than a quarter goes into annealing.
    pub fn new(launch: Launch, fuel: u64) -> Self {
        let launch = Arc::new(launch);
        let each = launch.instructions() as u64 * 2;
        let iterations = (fuel / 4 / each.max(1)).min(ITERATIONS);
        let longest = Search::new(&launch, Settings { tastes: TASTES.min(iterations), iterations, seed: 1 });
        Self { launch, longest, seeking: true, exact: None }
    }

    /// Goes on for so much fuel; whether there is more to do.
    pub fn step(&mut self, fuel: u64) -> bool {
        if self.seeking {
            self.seeking = self.longest.step(&mut Control::slice(fuel));
            if !self.seeking {
                self.exact = exact::Search::new(&self.launch, Goal::Longest, self.longest.makespan(), MEMORY);
            }
            return self.seeking || self.exact.is_some();
        }
        self.exact.as_mut().is_some_and(|exact| exact.step(fuel))
    }

    /// What a schedule takes, what none takes more than, and by what.
    pub fn bracket(&self) -> (u64, u64, &'static str) {
        let formula = self.longest.upper();
        match self.exact.as_ref().map(exact::Search::bracket) {
            Some((lower, upper)) if upper < formula => (lower, upper, exact::ALL_STATES),
            Some((lower, _)) => (lower, formula, bounds::BLOCKED_CYCLES),
            None => (self.longest.makespan().into(), formula, bounds::BLOCKED_CYCLES),
        }
    }

    /// States looked at.
    pub fn states(&self) -> u64 {
        self.exact.as_ref().map_or(0, exact::Search::states)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seeded;
    use code::{Instruction, Machine, Scope, Set, Unit, Wait};

    /// A block of random code, with barriers and ranges of latency.
    fn drawn(rng: &mut Seeded) -> Option<MachineCode> {
        let unit = |name: &str, scope| Unit { name: name.to_owned(), scope, count: 1 };
        let units = vec![unit("a", Scope::Partition), unit("b", Scope::Multiprocessor)];
        let machine = Machine { partitions: 1 + rng.below(2), issue: 1, units };
        let instruction = |rng: &mut Seeded| {
            let mut own = Instruction::plain(rng.below(2) as u16, 1 + rng.below(3), 1 + rng.below(3));
            let least = 1 + rng.below(5);
            if rng.below(3) == 0 {
                own.sets.push(Set { board: 0, least, most: least + rng.below(4), hit: None });
            }
            if rng.below(3) == 0 {
                own.waits.push(Wait { board: 0, left: 0 });
            }
            own.barrier = rng.below(5) == 0;
            own
        };
        let code: Vec<Instruction> = (0..1 + rng.below(4)).map(|_| instruction(rng)).collect();
        let block = Launch::uniform(machine, code, 1 + rng.below(2) as usize).ok()?;
        Some(MachineCode { block: Arc::new(block) })
    }

    /// The upper side grows with blocks, is no less than what is found of as many or fewer, and no more than all
    /// instructions one after the other.
    #[test]
    fn bounds_of_blocks_hold_for_fewer_too() {
        let mut rng = Seeded::new(91, 0);
        let (mut tried, mut searched) = (0, 0);
        for _ in 0..150 {
            let Some(code) = drawn(&mut rng) else { continue };
            tried += 1;
            let mut found = 0;
            for blocks in 1..=4 {
                let upper = code.at_most(blocks).cycles;
                assert!(upper <= code.at_most(blocks + 1).cycles, "{blocks}: {code:?}");
                assert!(upper <= code.one_after_the_other(blocks));
                let Some(launch) = code.together(blocks) else { continue };
                let mut search = CodeSearch::new(launch, 4_000);
                let mut left = 50;
                while left > 0 && search.step(200) {
                    left -= 1;
                }
                let (lower, proven, _) = search.bracket();
                assert!(code.at_least().0 <= lower && lower <= proven && proven <= upper.0, "{code:?}");
                found = lower.max(found);
                assert!(found <= upper.0, "{found} of fewer blocks: {code:?}");
                searched += u32::from(search.states() > 0);
            }
        }
        assert!(tried > 100 && searched > 50, "{tried} {searched}");
    }

    /// With no room for all of them a bound is no less than with room, and of more blocks no less than of fewer.
    #[test]
    fn bounds_of_blocks_that_replace_each_other_grow() {
        let mut rng = Seeded::new(92, 0);
        let mut sharper = 0;
        for _ in 0..300 {
            let Some(code) = drawn(&mut rng) else { continue };
            for room in 1..4 {
                let mut before = code.at_most(room).cycles;
                for blocks in room + 1..room + 8 {
                    let Upper { cycles, added_up } = code.replaced(blocks, room);
                    assert!(before <= cycles && cycles <= code.one_after_the_other(blocks), "{code:?}");
                    assert!(code.one_of(blocks, room).cycles <= cycles, "{code:?}");
                    assert!(room == 1 || code.full(blocks, room).cycles <= cycles, "{code:?}");
                    before = cycles;
                    sharper += u32::from(!added_up);
                }
            }
        }
        assert!(sharper > 2_000, "{sharper}");
    }
}
