//! The best bound at hand on the score from a crowd on.
//!
//! Scores count cycles: up when the longest schedule is sought, down when the shortest is. A bound is never
//! below the best score a schedule can still add.

use super::Goal;
use super::outline::{Crowd, Outline};
use super::pooled::Pooled;
use super::priced::Priced;

/// Bounds, as far as they have been computed.
#[derive(Debug, Default)]
pub struct Guide {
    /// A finished table.
    pub table: Option<Pooled>,
    /// Finished prices, where there is no table.
    pub priced: Option<Box<Priced>>,
}

impl Guide {
    /// A bound on the score from a crowd on.
    pub fn estimate(&self, goal: Goal, outline: &Outline, crowd: &Crowd) -> i32 {
        match (&self.table, goal) {
            (Some(table), Goal::Longest) => table.bound(outline, crowd),
            (Some(table), Goal::Shortest) => {
                table.bound(outline, crowd).min(goal.score(outline.shortest(crowd)))
            }
            (None, Goal::Longest) => {
                let priced = self.priced.as_ref().and_then(|priced| priced.bound(outline, crowd));
                goal.score(outline.longest(crowd).min(priced.unwrap_or(u32::MAX)))
            }
            (None, Goal::Shortest) => goal.score(outline.shortest(crowd)),
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        self.table.as_ref().map_or(0, Pooled::bytes) + self.priced.as_ref().map_or(0, |priced| priced.bytes())
    }
}
