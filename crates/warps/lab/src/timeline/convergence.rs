//! The estimates of annealing chains over time (B, figure 12), as data for a chart.
//!
//! Within a chain improvements ascend in iteration, seconds and makespan; between two of them the estimate
//! stays, so every chain is a staircase that reaches as far as the chain has run. The envelope is the largest
//! estimate of all chains after the same time, as if they had run side by side.
//!
//! Beside them stands what a search with proofs has narrowed the worst case to: from below by a schedule, from
//! above by a bound.

use base::sort;
use serde::{Deserialize, Serialize};

use crate::report::ChainReport;

/// What the horizontal axis counts, for each chain from its own start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Axis {
    /// Seconds of computing.
    #[default]
    Seconds,
    /// Iterations.
    Iterations,
}

/// How the first order of a chain was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum StartKind {
    /// All warps in turn.
    RoundRobin,
    /// Warp by warp.
    FixedPriority,
    /// The warp that waited longest first.
    MostPending,
    /// Those that issued last first, then the oldest.
    GreedyThenOldest,
    /// The warp after the one that issued last first.
    LooseRoundRobin,
    /// Shuffled.
    Random,
    /// In another way, such as a given order.
    Other,
}

impl StartKind {
    /// All of them, in the order of legends.
    pub const ALL: [StartKind; 7] = [
        Self::RoundRobin,
        Self::FixedPriority,
        Self::MostPending,
        Self::GreedyThenOldest,
        Self::LooseRoundRobin,
        Self::Random,
        Self::Other,
    ];

    /// The kind that a report names so.
    pub fn named(name: &str) -> Self {
        match name {
            "round-robin" => Self::RoundRobin,
            "fixed-priority" => Self::FixedPriority,
            "most-pending" => Self::MostPending,
            "greedy-then-oldest" => Self::GreedyThenOldest,
            "loose-round-robin" => Self::LooseRoundRobin,
            "random" => Self::Random,
            _ => Self::Other,
        }
    }

    /// Its name in legends.
    pub fn label(self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::FixedPriority => "fixed priority",
            Self::MostPending => "most pending",
            Self::GreedyThenOldest => "greedy then oldest",
            Self::LooseRoundRobin => "loose round-robin",
            Self::Random => "random",
            Self::Other => "other start",
        }
    }
}

/// A chain's estimate from some moment on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Improvement {
    /// Iterations done.
    pub iteration: u64,
    /// Seconds computed.
    pub seconds: f64,
    /// The makespan found.
    pub makespan: u32,
}

impl Improvement {
    /// Where it stands on an axis.
    pub fn at(&self, axis: Axis) -> f64 {
        match axis {
            Axis::Seconds => self.seconds,
            Axis::Iterations => self.iteration as f64,
        }
    }
}

/// A chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Chain {
    /// Its name for people.
    pub label: String,
    /// How its first order was made, as the report says it.
    pub start: String,
    /// The same as one of few kinds.
    pub kind: StartKind,
    /// What it started from, and every improvement since.
    pub improvements: Vec<Improvement>,
    /// How many iterations it has done.
    pub iterations: u64,
    /// How many seconds it has computed.
    pub seconds: f64,
}

/// A corner of a staircase: from this place on the axis, this makespan.
pub type Corner = (f64, u32);

impl Chain {
    /// The chain of that number, from 1.
    pub fn new(number: usize, report: &ChainReport) -> Self {
        let improvements: Vec<Improvement> = report
            .improvements
            .iter()
            .map(|&(iteration, seconds, makespan)| Improvement { iteration, seconds, makespan })
            .collect();
        let last = improvements.last().copied();
        let kind = StartKind::named(&report.start);
        let start = if kind == StartKind::Other { &report.start } else { kind.label() };
        Self {
            label: format!("chain {number}, {start}"),
            start: report.start.clone(),
            kind,
            iterations: last.map_or(0, |last| last.iteration).max(report.iterations),
            seconds: last.map_or(0.0, |last| last.seconds).max(report.seconds),
            improvements,
        }
    }

    /// How far it has run.
    pub fn end(&self, axis: Axis) -> f64 {
        match axis {
            Axis::Seconds => self.seconds,
            Axis::Iterations => self.iterations as f64,
        }
    }

    /// Its staircase; the last corner is where it has got to.
    pub fn staircase(&self, axis: Axis) -> Vec<Corner> {
        let corners =
            self.improvements.iter().map(|improvement| (improvement.at(axis), improvement.makespan));
        until(corners.collect(), self.end(axis))
    }
}

/// What a horizontal line stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReferenceKind {
    /// The worst case is at least this.
    LowerBound,
    /// The worst case is proven to be at most this.
    UpperBound,
    /// What a publication reports.
    Published,
}

/// A makespan to compare with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    /// Its name for people, without the number.
    pub label: String,
    /// What it is.
    pub kind: ReferenceKind,
    /// The makespan.
    pub makespan: u32,
}

/// What the worst case was known to lie between from some moment on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Narrowing {
    /// Seconds computed.
    pub seconds: f64,
    /// The makespan of a schedule that was found.
    pub lower: u32,
    /// Proven: no schedule takes longer.
    pub upper: u32,
}

/// How a search with proofs narrowed the worst case; both sides only ever come closer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Bracket {
    /// Every narrowing, in time.
    pub steps: Vec<Narrowing>,
    /// How long the search has computed.
    pub seconds: f64,
}

impl Bracket {
    /// The present bounds.
    pub fn last(&self) -> Option<Narrowing> {
        self.steps.last().copied()
    }

    /// One side as a staircase. Over iterations, which such a search does not count, it is a level line as
    /// long as the axis.
    pub fn staircase(&self, axis: Axis, end: f64, side: fn(&Narrowing) -> u32) -> Vec<Corner> {
        match axis {
            Axis::Iterations => {
                self.steps.last().map_or(Vec::new(), |step| vec![(0.0, side(step)), (end, side(step))])
            }
            Axis::Seconds => {
                let mut corners: Vec<Corner> = Vec::new();
                for step in &self.steps {
                    if corners.last().is_none_or(|corner| corner.1 != side(step)) {
                        corners.push((step.seconds, side(step)));
                    }
                }
                until(corners, self.seconds)
            }
        }
    }
}

/// Chains and what to compare them with.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Convergence {
    /// The chains, in their order.
    pub chains: Vec<Chain>,
    /// What is proven beside them.
    pub bracket: Option<Bracket>,
    /// Lines to compare with.
    pub references: Vec<Reference>,
}

/// Names an improvement: chain and improvement, both from 0.
pub type ImprovementId = (usize, usize);

impl Convergence {
    /// An improvement, if it is there.
    pub fn improvement(&self, (chain, improvement): ImprovementId) -> Option<(&Chain, Improvement)> {
        let chain = self.chains.get(chain)?;
        Some((chain, *chain.improvements.get(improvement)?))
    }

    /// Every improvement, chain by chain.
    pub fn ids(&self) -> impl Iterator<Item = ImprovementId> {
        self.chains
            .iter()
            .enumerate()
            .flat_map(|(i, chain)| (0..chain.improvements.len()).map(move |j| (i, j)))
    }

    /// Where the longest chain has got to, or the search with proofs.
    pub fn end(&self, axis: Axis) -> f64 {
        let proven = match axis {
            Axis::Seconds => self.bracket.as_ref().map_or(0.0, |bracket| bracket.seconds),
            Axis::Iterations => 0.0,
        };
        self.chains.iter().map(|chain| chain.end(axis)).fold(proven, f64::max)
    }

    /// The largest estimate of all chains, as a staircase with a corner only where it rises.
    pub fn envelope(&self, axis: Axis) -> Vec<Corner> {
        let mut all: Vec<Corner> = self
            .chains
            .iter()
            .flat_map(|chain| &chain.improvements)
            .map(|i| (i.at(axis), i.makespan))
            .collect();
        sort::sort_by(&mut all, |a, b| a.0.total_cmp(&b.0));
        let mut corners: Vec<Corner> = Vec::new();
        for (at, makespan) in all {
            match corners.last_mut() {
                Some((_, best)) if *best >= makespan => {}
                Some((same, best)) if *same == at => *best = makespan,
                _ => corners.push((at, makespan)),
            }
        }
        until(corners, self.end(axis))
    }
}

/// The makespan of a staircase at a place of its axis; none before it begins.
pub fn height(staircase: &[Corner], at: f64) -> Option<u32> {
    let after = staircase.partition_point(|corner| corner.0 <= at);
    after.checked_sub(1).map(|last| staircase[last].1)
}

fn until(mut corners: Vec<Corner>, end: f64) -> Vec<Corner> {
    if let Some(&(at, makespan)) = corners.last()
        && at < end
    {
        corners.push((end, makespan));
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(start: &str, iterations: u64, seconds: f64, improvements: &[(u64, f64, u32)]) -> ChainReport {
        let best = improvements.last().map_or(0, |last| last.2);
        ChainReport {
            start: start.to_owned(),
            best,
            iterations,
            seconds,
            improvements: improvements.to_vec(),
        }
    }

    fn two() -> Convergence {
        let first = chain("round-robin", 100, 2.0, &[(0, 0.0, 154), (40, 0.4, 156), (90, 1.5, 160)]);
        let second = chain("random", 300, 0.1, &[(0, 0.0, 130), (10, 0.2, 155), (200, 1.0, 158)]);
        let chains = vec![Chain::new(1, &first), Chain::new(2, &second)];
        Convergence { chains, ..Convergence::default() }
    }

    #[test]
    fn a_staircase_reaches_as_far_as_its_chain_has_run() {
        let data = two();
        assert_eq!(data.chains[0].staircase(Axis::Seconds), [(0.0, 154), (0.4, 156), (1.5, 160), (2.0, 160)]);
        assert_eq!(
            data.chains[1].staircase(Axis::Iterations),
            [(0.0, 130), (10.0, 155), (200.0, 158), (300.0, 158)]
        );
        // A chain has computed at least until its last improvement.
        assert_eq!(data.chains[1].seconds, 1.0);
    }

    #[test]
    fn the_envelope_is_the_largest_estimate_at_any_time() {
        let data = two();
        assert_eq!(
            data.envelope(Axis::Seconds),
            [(0.0, 154), (0.2, 155), (0.4, 156), (1.0, 158), (1.5, 160), (2.0, 160)]
        );
        assert_eq!(
            data.envelope(Axis::Iterations),
            [(0.0, 154), (10.0, 155), (40.0, 156), (90.0, 160), (300.0, 160)]
        );
        for axis in [Axis::Seconds, Axis::Iterations] {
            let (envelope, end) = (data.envelope(axis), data.end(axis));
            for step in 0..=200 {
                let at = end * f64::from(step) / 200.0;
                let naive = data.chains.iter().filter_map(|chain| height(&chain.staircase(axis), at)).max();
                assert_eq!(height(&envelope, at), naive, "{axis:?} at {at}");
            }
        }
    }

    #[test]
    fn both_sides_of_a_bracket_are_staircases() {
        let step = |seconds, lower, upper| Narrowing { seconds, lower, upper };
        let steps = vec![step(0.0, 150, 197), step(0.1, 158, 197), step(0.5, 158, 162), step(0.9, 160, 160)];
        let data = Convergence { bracket: Some(Bracket { steps, seconds: 1.0 }), ..two() };
        let bracket = data.bracket.clone().unwrap_or_default();
        assert_eq!(
            bracket.staircase(Axis::Seconds, 2.0, |step| step.lower),
            [(0.0, 150), (0.1, 158), (0.9, 160), (1.0, 160)]
        );
        assert_eq!(
            bracket.staircase(Axis::Seconds, 2.0, |step| step.upper),
            [(0.0, 197), (0.5, 162), (0.9, 160), (1.0, 160)]
        );
        assert_eq!(bracket.staircase(Axis::Iterations, 300.0, |step| step.upper), [(0.0, 160), (300.0, 160)]);
        assert_eq!(data.end(Axis::Seconds), 2.0);
        assert_eq!(Convergence { chains: Vec::new(), ..data }.end(Axis::Seconds), 1.0);
        assert!(Bracket::default().staircase(Axis::Iterations, 5.0, |step| step.lower).is_empty());
    }

    #[test]
    fn nothing_is_an_empty_chart() {
        let data = Convergence::default();
        assert!(data.envelope(Axis::Seconds).is_empty());
        assert_eq!((data.end(Axis::Seconds), data.ids().count()), (0.0, 0));
        assert_eq!(data.improvement((0, 0)), None);
        let silent = Chain::new(1, &chain("random", 5, 0.0, &[]));
        assert!(silent.staircase(Axis::Iterations).is_empty());
    }

    #[test]
    fn improvements_are_named_chain_by_chain() {
        let data = two();
        assert_eq!(data.ids().collect::<Vec<_>>(), [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]);
        let (chain, improvement) = data.improvement((1, 2)).unwrap_or_else(|| unreachable!("it is there"));
        assert_eq!((chain.label.as_str(), improvement.makespan), ("chain 2, random", 158));
        assert_eq!(StartKind::named("given order"), StartKind::Other);
    }
}
