//! The bounding function: the tightest proven bound at hand on what an aggregate can still score.
//!
//! Scores count cycles: up when the longest schedule is sought, down when the shortest is. A bound is never
//! below the best score a schedule can still add.

use super::Goal;
use super::aggregate::table::AggregateBound;
use super::instance::{Aggregate, Instance};
use super::lagrangian::LagrangianBound;
use super::lagrangian::coloured::ColouredBound;
use super::lagrangian::victim::VictimBound;

/// Bounds, as far as they have been computed.
#[derive(Debug, Default)]
pub struct BoundingFunction {
    /// A finished table.
    pub table: Option<AggregateBound>,
    /// Finished prices, where there is no table.
    pub lagrangian: Option<Box<LagrangianBound>>,
    /// The same beside the last warp.
    pub victim: Option<Box<VictimBound>>,
    /// The same with colours, from positions on, for module `victim_search`; only of the longest schedules.
    pub coloured: Option<Box<ColouredBound>>,
}

impl BoundingFunction {
    /// A bound on the score from an aggregate on.
    pub fn estimate(&self, goal: Goal, instance: &Instance, aggregate: &Aggregate) -> i32 {
        let proven = |bound: Option<u32>| bound.map_or(i32::MAX, |cycles| goal.score(cycles));
        match (&self.table, goal) {
            (Some(table), Goal::Longest) => {
                let victim = self.victim.as_ref().and_then(|victim| victim.bound(instance, aggregate));
                table.bound(instance, aggregate).min(proven(victim))
            }
            (Some(table), Goal::Shortest) => {
                table.bound(instance, aggregate).min(goal.score(instance.shortest(aggregate)))
            }
            (None, Goal::Longest) => {
                let lagrangian = self.lagrangian.as_ref();
                let lagrangian = lagrangian.and_then(|lagrangian| lagrangian.bound(instance, aggregate));
                let victim = self.victim.as_ref().and_then(|victim| victim.bound(instance, aggregate));
                goal.score(instance.longest(aggregate)).min(proven(lagrangian)).min(proven(victim))
            }
            (None, Goal::Shortest) => goal.score(instance.shortest(aggregate)),
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        self.table.as_ref().map_or(0, AggregateBound::bytes)
            + self.lagrangian.as_ref().map_or(0, |lagrangian| lagrangian.bytes())
            + self.victim.as_ref().map_or(0, |victim| victim.bytes())
            + self.coloured.as_ref().map_or(0, |coloured| coloured.bytes())
    }
}
