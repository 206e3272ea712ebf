//! Adaptive operator selection: neighbourhoods get proposals by the makespan they gained lately.
//!
//! Gains are counted in cycles of makespan won per proposal, never in time, so that a chain takes the same
//! way on every machine. Three tenths of all proposals are shared equally: what is useless now may be what
//! is needed later.

use super::neighbourhood::Neighbourhood;
use base::Seeded;

const KINDS: usize = Neighbourhood::MOVES.len();
/// Proposals between two looks at the credits.
const WINDOW: u32 = 2_000;
/// What remains of old gains at each look.
const MEMORY: f64 = 0.9;
/// What a new longest makespan counts, in cycles.
const RECORD: f64 = 20.0;

/// The credits so far and the shares that follow from them.
#[derive(Debug, Clone, PartialEq)]
pub struct OperatorSelection {
    /// Cycles gained by each neighbourhood, old ones counting less.
    pub credits: [f64; KINDS],
    /// Proposals by each, likewise.
    pub uses: [f64; KINDS],
    /// How many of 65,536 proposals each gets.
    pub shares: [u32; KINDS],
    /// Proposals since the last look.
    pub since: u32,
}

impl Default for OperatorSelection {
    fn default() -> Self {
        Self { credits: [0.0; KINDS], uses: [0.0; KINDS], shares: [65_536 / KINDS as u32; KINDS], since: 0 }
    }
}

impl OperatorSelection {
    /// The neighbourhood of the next proposal, by its index.
    pub fn pick(&mut self, rng: &mut Seeded) -> usize {
        if self.since == WINDOW {
            self.share_out();
        }
        self.since += 1;
        let mut left = rng.below(65_536);
        for (kind, &share) in self.shares.iter().enumerate() {
            if left < share {
                return kind;
            }
            left -= share;
        }
        KINDS - 1 // what rounding leaves over
    }

    /// Notes how a proposal went: by how much the makespan grew, and whether to a new longest.
    pub fn learn(&mut self, kind: usize, gained: u32, record: bool) {
        self.uses[kind] += 1.0;
        self.credits[kind] += f64::from(gained) + if record { RECORD } else { 0.0 };
    }

    fn share_out(&mut self) {
        let rates: [f64; KINDS] =
            std::array::from_fn(|kind| (self.credits[kind] + 0.01) / (self.uses[kind] + 1.0));
        let sum: f64 = rates.iter().sum();
        for (share, rate) in self.shares.iter_mut().zip(rates) {
            *share = (65_536.0 * (0.3 / KINDS as f64 + 0.7 * rate / sum)) as u32;
        }
        for value in self.credits.iter_mut().chain(&mut self.uses) {
            *value *= MEMORY;
        }
        self.since = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_gains_is_picked_more_often_and_nothing_is_forgotten() {
        let (mut operators, mut rng) = (OperatorSelection::default(), Seeded::new(1, 0));
        let mut seen = [0; KINDS];
        for round in 0..40_000 {
            let kind = operators.pick(&mut rng);
            operators.learn(kind, u32::from(kind == 3), false);
            if round >= 20_000 {
                seen[kind] += 1;
            }
        }
        assert!(seen[3] > 12_000, "{seen:?}");
        assert!(seen.iter().all(|&n| n > 500), "{seen:?}");
    }
}
