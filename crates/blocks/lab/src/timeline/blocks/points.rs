//! Moments of a stream: releases, launches, deadlines.

use base::Nanos;
use blocks::{Setup, Trace};

/// A moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// When, in nanoseconds.
    pub at: f64,
    /// What.
    pub what: Moment,
}

/// What is at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// A round of the stream's program begins, with something other than a launch.
    Release(u32),
    /// This kernel is launched.
    Launch(u32),
    /// This launch should have ended.
    Deadline(u32),
}

/// What a stream has of them, ascending by time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Points {
    /// Releases and launches.
    pub starts: Vec<Point>,
    /// Deadlines.
    pub deadlines: Vec<Point>,
}

/// The points of all streams.
pub(super) fn points(setup: &Setup, trace: &Trace) -> Vec<Points> {
    let mut all = vec![Points::default(); setup.streams.len()];
    let mut begun: Vec<Vec<Begun>> = vec![Vec::new(); setup.streams.len()];
    for (i, run) in (0u32..).zip(&trace.kernels) {
        let Some(points) = all.get_mut(run.stream) else { continue };
        points.starts.push(Point { at: run.launched.0 as f64, what: Moment::Launch(i) });
        if let Some(deadline) = setup.kernels.get(run.kernel).and_then(|kernel| kernel.deadline) {
            let at = (run.launched + deadline).0 as f64;
            points.deadlines.push(Point { at, what: Moment::Deadline(i) });
        }
        begun[run.stream].push(Begun { round: run.round, at: run.launched, with: With::Launch });
    }
    for run in &trace.copies {
        if let Some(begun) = begun.get_mut(run.stream) {
            begun.push(Begun { round: run.round, at: run.issued, with: With::Copy });
        }
    }
    for (points, begun) in all.iter_mut().zip(&mut begun) {
        points.starts.extend(releases(begun));
        // Sorting keeps the order of equals: a release stands after the launches of its moment.
        base::sort::sort_by(&mut points.starts, |a, b| a.at.total_cmp(&b.at));
        base::sort::sort_by(&mut points.deadlines, |a, b| a.at.total_cmp(&b.at));
    }
    all
}

/// An operation that was issued.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Begun {
    round: u32,
    at: Nanos,
    with: With,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum With {
    Launch,
    Copy,
}

/// When the rounds of a stream begin that do not begin with a launch.
fn releases(begun: &mut [Begun]) -> impl Iterator<Item = Point> {
    base::sort::sort(begun);
    let firsts = begun.chunk_by(|a, b| a.round == b.round).filter_map(|round| round.first());
    firsts
        .filter(|first| first.with == With::Copy)
        .map(|first| Point { at: first.at.0 as f64, what: Moment::Release(first.round) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_that_begins_with_a_copy_has_a_release() {
        let at = |round, at, with| Begun { round, at: Nanos(at), with };
        let mut begun = [
            at(0, 5, With::Copy),
            at(0, 7, With::Launch),
            at(1, 20, With::Launch),
            at(1, 20, With::Copy),
            at(2, 31, With::Copy),
        ];
        let found: Vec<Point> = releases(&mut begun).collect();
        let release = |at, round| Point { at, what: Moment::Release(round) };
        assert_eq!(found, [release(5.0, 0), release(31.0, 2)]);
    }
}
