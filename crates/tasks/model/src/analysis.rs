//! Everything that is asked about a set, one piece after the other.

use super::edf::{Decision, decide};
use super::scaling::{ScalingFactor, scaling_factor};
use super::sensitivity::{LargestRequirement, largest_requirement};
use super::witness::{Witness, illegal, witness_of};
use super::{Demand, LongRun, Point, Sum, Task, Utilisation};

/// What the analysis takes for granted.
pub const ASSUMPTIONS: [&str; 6] = [
    "One processor, preemptive earliest-deadline-first scheduling, no cost for preemption.",
    "A job is ready when its vertex is triggered and needs at most its requirement; jobs of different tasks are independent.",
    "Vertices are triggered along edges, no earlier than the separation allows; after a branch only one side goes on.",
    "The source follows the sink no earlier than the sink's deadline (or the task's own restart time), and a period after the source before it.",
    "A sequence may begin at any vertex: what came before the interval leaves no trace in it.",
    "All numbers are whole and in one unit of time.",
];

/// How much work goes into the room of single vertices, in pairs and intervals.
const EFFORT: u64 = 4_000_000;

/// A set, and what is known of it so far.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// The tasks.
    pub set: Vec<Task>,
    /// Their utilisation.
    pub rate: Utilisation,
    /// The same at their pace: that of their exact demand.
    pub pace: Utilisation,
    /// What each of them needs in the long run, as far as its demand is known.
    pub long: Vec<LongRun>,
    /// Their exact demand.
    pub exact: Sum,
    /// Their demand by equation (1).
    pub equation: Sum,
    /// Once their demand is known, what is known by it.
    pub known: Option<Known>,
    /// The room of each vertex of each task, as far as it is known.
    pub most: Vec<Vec<LargestRequirement>>,
    /// Vertices whose room is not known yet, the next one last.
    left: Vec<(usize, usize)>,
    worked: u64,
}

/// What is known by the demand of a set.
#[derive(Debug, Clone)]
pub struct Known {
    /// The verdict by exact demand.
    pub exact: Decision,
    /// The published test.
    pub equation: Decision,
    /// How far requirements may grow together.
    pub growth: ScalingFactor,
    /// For each task a sequence that attains its share of the demand in the first interval without room, or in the one
    /// with the least.
    pub witness: Vec<Witness>,
}

impl Analysis {
    /// A set of which nothing is known yet.
    pub fn new(set: Vec<Task>) -> Self {
        let most = set.iter().map(|task| vec![LargestRequirement::Unknown; task.vertices().len()]).collect();
        Self {
            rate: Utilisation::of(&set),
            pace: Utilisation::at_pace(&set),
            long: Vec::with_capacity(set.len()),
            exact: Sum { demands: Vec::with_capacity(set.len()) },
            equation: Sum { demands: Vec::with_capacity(set.len()) },
            set,
            known: None,
            most,
            left: Vec::new(),
            worked: 0,
        }
    }

    /// Finds out the next thing; `false` once there is nothing left.
    pub fn step(&mut self) -> bool {
        if let Some(task) = self.set.get(self.exact.demands.len()) {
            let (exact, equation) = (Demand::exact(task), Demand::by_equation(task));
            self.exact.demands.push(exact);
            self.equation.demands.push(equation);
            self.long.push(LongRun::of(task));
            return true;
        }
        if self.known.is_none() {
            let known = self.decide();
            let pairs: u64 = self.exact.demands.iter().map(|demand| demand.pairs).sum();
            if pairs < EFFORT {
                self.left = self.vertices(&known);
            }
            self.known = Some(known);
            return true;
        }
        let Some((task, vertex)) = self.left.pop() else { return false };
        let (found, work) = largest_requirement(&self.set, &self.exact, &self.long, task, vertex);
        self.most[task][vertex] = found;
        self.worked += work;
        if self.worked > EFFORT {
            self.left.clear();
        }
        !self.left.is_empty()
    }

    /// How much is done, and how much there is in all.
    pub fn progress(&self) -> (u64, u64) {
        let vertices: usize = self.set.iter().map(|task| task.vertices().len()).sum();
        let all = self.set.len() + 1 + vertices;
        let done = match &self.known {
            None => self.exact.demands.len(),
            Some(_) => all - self.left.len(),
        };
        (done as u64, all as u64)
    }

    /// Whether the demand of every task is known, and so the verdict can be told.
    pub fn is_decided(&self) -> bool {
        self.known.is_some()
    }

    fn decide(&self) -> Known {
        let exact = decide(&self.exact, &self.pace);
        let equation = decide(&self.equation, &self.rate);
        let exact = self.safely(exact, equation);
        let at = exact.violation.or(exact.tightest);
        let witness = at.map_or_else(Vec::new, |point| self.witnesses(point));
        let growth = scaling_factor(&self.set, &self.exact, &self.long);
        Known { exact, equation, growth, witness }
    }

    /// The verdict by exact demand; where that is a mere bound and leaves it open, by the equation, which is safe too.
    fn safely(&self, exact: Decision, equation: Decision) -> Decision {
        let attained = exact.violation.is_some_and(|point| self.exact.is_attained(point.t));
        let open = exact.verdict.schedulable() != Some(true) && !attained;
        if open && equation.verdict.schedulable() == Some(true) { equation } else { exact }
    }

    /// For each task a legal sequence that attains its demand within an interval.
    fn witnesses(&self, point: Point) -> Vec<Witness> {
        let of = self.set.iter().zip(&self.exact.demands);
        let mut found: Vec<Witness> = of.map(|(task, demand)| witness_of(task, demand, point.t)).collect();
        for (witness, task) in found.iter_mut().zip(&self.set) {
            if illegal(task, &witness.jobs).is_some() {
                (witness.jobs, witness.demand) = (Vec::new(), 0); // of a mere bound
            }
        }
        found
    }

    /// The vertices in the order in which their room is found out, the first one last: those of the witness first.
    fn vertices(&self, known: &Known) -> Vec<(usize, usize)> {
        let all =
            self.set.iter().enumerate().flat_map(|(i, task)| (0..task.vertices().len()).map(move |v| (i, v)));
        let counts = |&(task, vertex): &(usize, usize)| {
            let jobs = known.witness.get(task).map_or(&[][..], |witness| &witness.jobs);
            jobs.iter().any(|job| job.counted && job.vertex == vertex)
        };
        let (mut first, mut rest): (Vec<_>, Vec<_>) = all.partition(counts);
        first.append(&mut rest);
        first.reverse();
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small::task;

    /// Whether all deadlines are met, what the growth rests on, and how much the first vertex may need.
    fn told(set: &[Task]) -> (Option<bool>, ScalingFactor, LargestRequirement) {
        let mut analysis = Analysis::new(set.to_vec());
        while analysis.step() {}
        let known = analysis.known.expect("all demands are known");
        (known.exact.verdict.schedulable(), known.growth, analysis.most[0][0])
    }

    /// Where deadlines are further apart than the period, rounds are, and what they need is less than the utilisation.
    #[test]
    fn the_period_limits_nothing_where_deadlines_separate_rounds() {
        let alone = |e| told(&[task(10, &[(e, 20)], &[])]);
        let (full, is) = (ScalingFactor::Utilisation, LargestRequirement::Is);
        assert_eq!([12, 5].map(alone), [(Some(true), full, is(20)); 2]);
        let beside = [task(10, &[(5, 20)], &[]), task(20, &[(1, 20)], &[])];
        assert_eq!(told(&beside), (Some(true), full, is(19)));
        let unit = 100_000_000;
        let slow = [task(10 * unit, &[(6 * unit, 19 * unit)], &[]), task(2, &[(1, 2)], &[])];
        let (meets, growth, most) = told(&slow);
        assert_eq!((meets, growth), (Some(true), full));
        assert_eq!(most, is(19 * unit / 2));
    }
}
