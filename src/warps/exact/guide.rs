//! The best bound at hand on the score from a crowd on.
//!
//! Scores count cycles: up when the longest schedule is sought, down when the shortest is. A bound is never
//! below the best score a schedule can still add.

use super::Goal;
use super::outline::{Crowd, Outline};
use super::pooled::Pooled;
use super::refined::Refined;
use super::sweep::Sweep;

/// Bounds, as far as they have been computed.
#[derive(Debug, Default)]
pub struct Guide {
    /// A finished table.
    pub table: Option<Pooled>,
    /// A finished sweep over crowds, valid for targets from its own on.
    pub corridor: Option<Box<Sweep<Refined>>>,
}

impl Guide {
    /// A bound on the score from a crowd on, `executed` instructions into the schedule; `None` where it
    /// cannot reach the target.
    pub fn bound(&mut self, goal: Goal, outline: &Outline, crowd: &Crowd, executed: u32) -> Option<i32> {
        let bound = self.estimate(goal, outline, crowd);
        match &mut self.corridor {
            None => Some(bound),
            Some(corridor) => corridor.value(crowd, executed).map(|value| value.min(bound)),
        }
    }

    /// The same from plain bound and table alone.
    pub fn estimate(&self, goal: Goal, outline: &Outline, crowd: &Crowd) -> i32 {
        let plain = match goal {
            Goal::Longest => outline.longest(crowd) as i32,
            Goal::Shortest => -(outline.shortest(crowd) as i32),
        };
        self.table.as_ref().map_or(plain, |table| plain.min(table.bound(outline, crowd)))
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        self.table.as_ref().map_or(0, Pooled::bytes) + self.corridor.as_ref().map_or(0, |c| c.bytes())
    }
}
