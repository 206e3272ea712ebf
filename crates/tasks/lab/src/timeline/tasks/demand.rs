//! Demand over intervals: of each task, of all of them, exactly and by equation (1).

use super::{Class, class};
use crate::report::tasks::{Curve, TasksReport, Tightest, Violation};

/// Interval and demand wherever the demand grows.
pub type Steps = Vec<(u64, u64)>;

/// More tasks than this are not told apart in a picture: the last layer holds the rest.
const MOST_LAYERS: usize = 12;

/// The demand within an interval.
pub fn value(steps: &[(u64, u64)], t: u64) -> u64 {
    let next = steps.partition_point(|&(at, _)| at <= t);
    next.checked_sub(1).map_or(0, |last| steps[last].1)
}

/// What a picture stacks: a task, or all that are left.
#[derive(Debug, Clone, PartialEq)]
pub struct Share {
    /// What it is called.
    pub name: String,
    /// How it looks.
    pub class: Class,
    /// Its demand.
    pub steps: Steps,
}

/// Time left within an interval, or how much there is too little.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// So much is left.
    Left(u64),
    /// So much is lacking.
    Lacking(u64),
}

impl Room {
    /// What a demand leaves of an interval.
    pub fn of(t: u64, demand: u64) -> Self {
        if demand <= t { Room::Left(t - demand) } else { Room::Lacking(demand - t) }
    }
}

/// The demand of a set.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Demand {
    /// The tasks.
    pub names: Vec<String>,
    /// The longest interval of which anything is known.
    pub horizon: u64,
    /// Of each task, exactly.
    pub exact: Vec<Steps>,
    /// Of each task by equation (1); empty where that is not known.
    pub equation: Vec<Steps>,
    /// Of all tasks, exactly.
    pub sum: Steps,
    /// Of all tasks by equation (1); none where that is not known.
    pub sum_by_equation: Option<Steps>,
    /// Every interval at which one of the two sums grows.
    pub rows: Vec<u64>,
    /// Where the two sums differ: from here up to there.
    pub differing: Vec<(u64, u64)>,
    /// Where the exact sum exceeds the interval: from here up to there.
    pub over: Vec<(u64, u64)>,
    /// What a picture stacks, bottom first.
    pub layers: Vec<Share>,
    /// The first violation, by the exact demand.
    pub first: Option<Violation>,
    /// The interval with the least room, by the exact demand.
    pub tightest: Option<Tightest>,
    /// The published bound on the intervals that need checking.
    pub t_max: Option<f64>,
}

impl Demand {
    /// The demand that a report lists.
    pub fn new(report: &TasksReport) -> Self {
        let steps =
            |curves: &[Curve]| -> Vec<Steps> { curves.iter().map(|curve| curve.steps.clone()).collect() };
        let (exact, equation) = (steps(&report.dbf), steps(&report.equation));
        let names: Vec<String> = report.dbf.iter().map(|curve| curve.task.clone()).collect();
        let sum = summed(&exact);
        let sum_by_equation = (equation.len() == exact.len()).then(|| summed(&equation));
        let other = sum_by_equation.as_deref().unwrap_or_default();
        let mut rows: Vec<u64> = sum.iter().chain(other).map(|&(t, _)| t).collect();
        base::sort::sort(&mut rows);
        rows.dedup();
        let differing = match &sum_by_equation {
            Some(other) => stretches(&rows, report.horizon, |t, next| {
                (value(&sum, t) != value(other, t)).then_some(next)
            }),
            None => Vec::new(),
        };
        let at: Vec<u64> = sum.iter().map(|&(t, _)| t).collect();
        let over = stretches(&at, report.horizon, |t, next| {
            let demand = value(&sum, t);
            (demand > t).then(|| demand.min(next))
        });
        let layers = layers(&names, &exact);
        let (first, tightest, t_max) = (report.first_violation, report.tightest, report.t_max);
        let horizon = report.horizon;
        Self {
            names,
            horizon,
            exact,
            equation,
            sum,
            sum_by_equation,
            rows,
            differing,
            over,
            layers,
            first,
            tightest,
            t_max,
        }
    }

    /// What all tasks need within an interval, exactly.
    pub fn at(&self, t: u64) -> u64 {
        value(&self.sum, t)
    }

    /// The same by equation (1).
    pub fn at_by_equation(&self, t: u64) -> Option<u64> {
        self.sum_by_equation.as_deref().map(|steps| value(steps, t))
    }

    /// What each task needs within an interval, exactly.
    pub fn shares(&self, t: u64) -> impl Iterator<Item = (&str, u64)> {
        self.names.iter().zip(&self.exact).map(move |(name, steps)| (name.as_str(), value(steps, t)))
    }

    /// The next interval at which a sum grows, or the one before; the nearest end where there is none.
    pub fn beside(&self, t: u64, onward: bool) -> Option<u64> {
        let place = if onward {
            self.rows.partition_point(|&row| row <= t).min(self.rows.len().checked_sub(1)?)
        } else {
            self.rows.partition_point(|&row| row < t).saturating_sub(1)
        };
        self.rows.get(place).copied()
    }

    /// The interval at which a sum grows that is nearest to this one.
    pub fn nearest(&self, t: f64) -> Option<u64> {
        let next = self.rows.partition_point(|&row| (row as f64) < t);
        let around = [next.checked_sub(1), Some(next)];
        let known = around.into_iter().flatten().filter_map(|place| self.rows.get(place).copied());
        known.min_by(|a, b| (*a as f64 - t).abs().total_cmp(&(*b as f64 - t).abs()))
    }

    /// What is looked at first: the first violation, else the interval with the least room.
    pub fn worst(&self) -> Option<u64> {
        self.first.map(|first| first.t).or(self.tightest.map(|tightest| tightest.t))
    }
}

/// Steps of several tasks added up.
fn summed(all: &[Steps]) -> Steps {
    let mut grows: Vec<(u64, u64)> = Vec::new();
    for steps in all {
        let mut before = 0;
        for &(t, demand) in steps {
            grows.push((t, demand.saturating_sub(before)));
            before = demand;
        }
    }
    base::sort::sort(&mut grows);
    let mut out: Steps = Vec::with_capacity(grows.len());
    let mut sum = 0_u64;
    for (t, more) in grows {
        sum = sum.saturating_add(more);
        match out.last_mut() {
            Some(last) if last.0 == t => last.1 = sum,
            _ => out.push((t, sum)),
        }
    }
    out
}

/// Where something holds: `holds` is told an interval and the next one, and says up to where from the first.
fn stretches(at: &[u64], horizon: u64, holds: impl Fn(u64, u64) -> Option<u64>) -> Vec<(u64, u64)> {
    let mut out: Vec<(u64, u64)> = Vec::new();
    for (place, &t) in at.iter().enumerate() {
        let next = at.get(place + 1).copied().unwrap_or(horizon.max(t));
        let Some(to) = holds(t, next) else { continue };
        match out.last_mut() {
            Some(last) if last.1 == t => last.1 = to,
            _ => out.push((t, to)),
        }
    }
    out
}

fn layers(names: &[String], exact: &[Steps]) -> Vec<Share> {
    let kept = if exact.len() > MOST_LAYERS { MOST_LAYERS - 1 } else { exact.len() };
    let one = |(task, (name, steps)): (usize, (&String, &Steps))| Share {
        name: name.clone(),
        class: class(task),
        steps: steps.clone(),
    };
    let mut out: Vec<Share> = names.iter().zip(exact).enumerate().take(kept).map(one).collect();
    if kept < exact.len() {
        let name = format!("{} others", exact.len() - kept);
        out.push(Share { name, class: class(kept), steps: summed(&exact[kept..]) });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn demand_stays_until_it_grows() {
        let steps = [(5, 2), (9, 4)];
        assert_eq!([0, 4, 5, 8, 9, 1_000].map(|t| value(&steps, t)), [0, 0, 2, 2, 4, 4]);
        assert_eq!(value(&[], 3), 0);
    }

    #[test]
    fn the_sum_of_three_tasks() {
        let demand = Demand::new(&sample::fits());
        assert_eq!(demand.sum[..4], [(4, 1), (6, 3), (10, 6), (14, 7)]);
        assert_eq!(demand.shares(14).collect::<Vec<_>>(), [("camera", 2), ("filter", 2), ("planner", 3)]);
        assert_eq!((demand.at(13), demand.at_by_equation(13)), (6, Some(6)));
        assert_eq!((demand.over.len(), demand.differing.len()), (0, 0));
    }

    #[test]
    fn where_there_is_more_demand_than_time_and_where_the_equation_differs() {
        let demand = Demand::new(&sample::overloaded());
        assert_eq!(demand.over, [(4, 6), (14, 15)]);
        let demand = Demand::new(&sample::differs());
        assert_eq!(demand.differing, [(21, 30), (41, 50)]);
        assert_eq!((demand.at(21), demand.at_by_equation(21)), (21, Some(22)));
    }

    #[test]
    fn neighbours_are_steps() {
        let demand = Demand::new(&sample::fits());
        assert_eq!((demand.beside(6, true), demand.beside(6, false)), (Some(10), Some(4)));
        assert_eq!(
            (demand.beside(0, false), demand.beside(1_000, true)),
            (Some(4), demand.rows.last().copied())
        );
        assert_eq!(
            (demand.nearest(7.9), demand.nearest(8.1), demand.nearest(-3.0)),
            (Some(6), Some(10), Some(4))
        );
        assert_eq!(Demand::default().beside(3, true), None);
    }

    #[test]
    fn many_tasks_share_the_last_layer() {
        let mut report = sample::fits();
        report.dbf = (0..30).map(|task| Curve { task: format!("T{task}"), steps: vec![(5, 1)] }).collect();
        let demand = Demand::new(&report);
        assert_eq!((demand.layers.len(), demand.at(5), demand.at_by_equation(5)), (12, 30, None));
        let last = demand.layers.last().map(|layer| (layer.name.as_str(), layer.steps.clone()));
        assert_eq!(last, Some(("19 others", vec![(5, 19)])));
    }
}
