//! What is known of a set, written down.

use super::{Curve, Sensitivity, TaskReport, TasksReport, Tightest, Violation, WitnessReport};
use base::people::{counted, grouped, hundredths, listed, percent};
use tasks::analysis::{ASSUMPTIONS, Known};
use tasks::edf::{Decision, Verdict};
use tasks::scaling::ScalingFactor;
use tasks::sensitivity::LargestRequirement;
use tasks::utilisation::{Load, fraction};
use tasks::{Analysis, Demand, Exactness, MOST_PAIRS, Point, Sum, Task, Utilisation};

/// The most steps that are listed of one demand, and of all together.
const LISTED: usize = 20_000;
const LISTED_IN_ALL: usize = 200_000;
/// A fraction longer than this tells nobody anything.
const LONGEST_FRACTION: usize = 24;

/// The report of a set, as far as it is known. `horizon` is the longest interval to be listed, where the document says.
pub fn tasks_report(scenario: &str, analysis: &Analysis, horizon: Option<u64>) -> TasksReport {
    let rate = &analysis.rate;
    let mut report = TasksReport {
        scenario: scenario.to_owned(),
        lab: "tasks".to_owned(),
        utilisation: rate.value(),
        utilisation_fraction: short(rate.fraction()),
        t_max: rate.t_max(),
        assumptions: ASSUMPTIONS.map(str::to_owned).to_vec(),
        warnings: warnings(analysis),
        because: "stopped before the demand of every task was known".to_owned(),
        ..TasksReport::default()
    };
    let demands = &analysis.exact.demands;
    report.set = analysis
        .set
        .iter()
        .enumerate()
        .map(|(i, task)| of_task(task, demands.get(i), &analysis.most[i]))
        .collect();
    let Some(known) = &analysis.known else { return report };
    verdicts(&mut report, analysis, known);
    let wanted = horizon.unwrap_or_else(|| self::horizon(analysis, known));
    (report.horizon, report.dbf, report.equation) = curves(analysis, wanted);
    report.witness =
        analysis.set.iter().zip(&known.witness).map(|(task, found)| WitnessReport::of(task, found)).collect();
    report.sensitivity = sensitivity(analysis, known);
    report
}

fn verdicts(report: &mut TasksReport, analysis: &Analysis, known: &Known) {
    let (exact, equation) = (&known.exact, &known.equation);
    let attained = exact.violation.is_none_or(|point| analysis.exact.is_attained(point.t));
    report.schedulable = exact.verdict.schedulable().filter(|&good| good || attained);
    // What is rejected only for want of pairs is not rejected by the equation.
    let published = analysis.equation.demands.iter().all(|demand| !demand.thinned);
    report.schedulable_by_equation = equation.verdict.schedulable().filter(|&good| good || published);
    report.first_violation = exact.violation.filter(|_| attained).map(violation);
    report.first_violation_by_equation = equation.violation.filter(|_| published).map(violation);
    report.tightest = exact.tightest.map(tightest);
    report.tightest_by_equation = equation.tightest.map(tightest);
    report.checked = exact.checked + equation.checked;
    report.because = because(analysis, exact, attained);
}

/// What the exact verdict rests on.
fn because(analysis: &Analysis, decision: &Decision, attained: bool) -> String {
    let looked = counted(usize::try_from(decision.checked).unwrap_or(usize::MAX), "interval");
    let at = |point: Point| (grouped(point.t.into()), grouped(point.demand.into()));
    match (decision.verdict, decision.violation.map(at)) {
        (Verdict::Schedulable, _) => {
            let last = analysis.pace.t_max().map_or_else(String::new, hundredths);
            format!(
                "demand fits into every interval up to {last}, the longest that needs a check, and so into all; {looked} had to be looked at"
            )
        }
        (Verdict::Repeats, _) => {
            let at = if analysis.rate.load() == Load::Full { "" } else { "at the pace of rounds " };
            format!(
                "{at}the utilisation is exactly 1, and demand fits into every interval until everything repeats itself; {looked} looked at"
            )
        }
        (_, Some((t, demand))) if !attained => {
            format!(
                "the bound on demand exceeds an interval of {t} ({demand}), but for a task whose demand is only bounded that proves nothing"
            )
        }
        (Verdict::Violated, Some((t, demand))) => {
            format!(
                "{demand} can be demanded within {t}, and no shorter interval has too much; the witness is a legal sequence that does it"
            )
        }
        (Verdict::Late, Some((t, demand))) => {
            format!(
                "{demand} can be demanded within {t}; whether a shorter interval has too much was not found out after {looked}"
            )
        }
        (Verdict::Overloaded, Some((t, demand))) => {
            format!(
                "the utilisation is above 1: {demand} is demanded within {t} at the latest; the first such interval was not found after {looked}"
            )
        }
        _ => format!(
            "{looked} were looked at without an end: the utilisation is 1, or so little less that it would take too long"
        ),
    }
}

fn warnings(analysis: &Analysis) -> Vec<String> {
    let mut warnings = Vec::new();
    let close: Vec<String> = analysis.set.iter().flat_map(close).collect();
    if !close.is_empty() {
        warnings.push(format!(
            "A vertex may be triggered before the deadline of the one before it has passed: {}. Algorithm 1 and equation (1) over-estimate the demand there. The exact demand is computed differently and is not affected.",
            some(&close)
        ));
    }
    let short = analysis.set.iter().filter(|task| !task.traits().roomy).map(|task| {
        let (period, longest) = (grouped(task.period().into()), grouped(task.longest().into()));
        format!("{} has a period of {period} and needs {longest}", task.name())
    });
    let short: Vec<String> = short.collect();
    if !short.is_empty() {
        warnings.push(format!(
            "The period leaves no room for the longest path and the way back: {}. Rounds last longer than the period then, and equation (1) over-estimates.",
            some(&short)
        ));
    }
    let bounded: Vec<String> = analysis
        .set
        .iter()
        .zip(&analysis.exact.demands)
        .filter(|(_, demand)| demand.exact != Exactness::Exact)
        .map(|(task, demand)| match demand.exact {
            Exactness::Below(t) => format!("{} for intervals of {} and more", task.name(), grouped(t.into())),
            _ => task.name().to_owned(),
        })
        .collect();
    if !bounded.is_empty() {
        warnings.push(format!(
            "Demand is an upper bound, not exact, for {}: a set found schedulable is schedulable, one that is not may be all the same.",
            listed(&bounded)
        ));
    }
    let thinned: Vec<String> = analysis
        .set
        .iter()
        .zip(analysis.exact.demands.iter().zip(&analysis.equation.demands))
        .filter(|(_, (exact, equation))| exact.thinned || equation.thinned)
        .map(|(task, _)| task.name().to_owned())
        .collect();
    if !thinned.is_empty() {
        warnings.push(format!(
            "There are more pairs of interval and demand than the {} that are kept of a vertex, in {}: both demands are rounded up there.",
            grouped(MOST_PAIRS as u128),
            listed(&thinned)
        ));
    }
    let pace = match analysis.pace.load() {
        Load::Below => format!("{}, by which the exact demand is checked", percent(analysis.pace.value())),
        _ => "exactly 100 %, and the exact demand is followed until everything repeats itself".to_owned(),
    };
    match (analysis.rate.load(), analysis.pace.load()) {
        (Load::Below, _) => {}
        (Load::Full, Load::Full) => warnings.push(
            "The utilisation is exactly 1: there is no longest interval to check, and demand is followed until everything repeats itself.".to_owned(),
        ),
        (load, Load::Below | Load::Full) => {
            let load = if load == Load::Full { "exactly" } else { "above" };
            warnings.push(format!(
                "The utilisation is {load} 1, but rounds last longer than the period: as they follow each other it is {pace}."
            ));
        }
        (_, Load::Above) => {
            let missed = match analysis.set.iter().all(Task::keeps_pace) {
                true => ", and sooner or later a deadline is missed",
                false => "; rounds that last longer than the period may all the same be in time",
            };
            warnings.push(format!("The utilisation is above 1: there is no longest interval to check{missed}."));
        }
    }
    warnings
}

/// The edges of a task, and its way back, that are shorter than the deadline before them.
fn close(task: &Task) -> Vec<String> {
    let told = |from: usize, to: usize, p: u64| {
        let (from, to, d) = (&task.vertices()[from], &task.vertices()[to], task.vertices()[from].d);
        (p < d).then(|| {
            let (p, d) = (grouped(p.into()), grouped(d.into()));
            format!("{}: {} {p} after {}, whose deadline is {d}", task.name(), to.name, from.name)
        })
    };
    let edges = task.edges().iter().filter_map(|edge| told(edge.from, edge.to, edge.p));
    edges.chain(told(task.sink(), task.source(), task.gap())).collect()
}

/// The first three of a list, and how many more there are.
fn some(texts: &[String]) -> String {
    let shown = texts.iter().take(3).cloned().collect::<Vec<_>>().join("; ");
    match texts.len().saturating_sub(3) {
        0 => shown,
        more => format!("{shown}; and {} more", grouped(more as u128)),
    }
}

fn of_task(task: &Task, demand: Option<&Demand>, most: &[LargestRequirement]) -> TaskReport {
    let mut report = TaskReport::of(task);
    for (vertex, most) in report.vertices.iter_mut().zip(most) {
        vertex.most = match most {
            LargestRequirement::Is(most) => Some(*most),
            LargestRequirement::Nothing | LargestRequirement::Unknown => None,
        };
    }
    report.exact = demand.is_some_and(|demand| demand.exact == Exactness::Exact);
    report.pairs = demand.map_or(0, |demand| demand.pairs);
    report
}

/// How far demand is listed where nobody says: to t_max, and far enough to see every task recur.
fn horizon(analysis: &Analysis, known: &Known) -> u64 {
    let recur = analysis.set.iter().map(|task| 2 * task.period().max(task.longest())).max().unwrap_or(0);
    let violation = known.exact.violation.or(known.equation.violation).map_or(0, |point| 2 * point.t);
    analysis.rate.last_interval().unwrap_or(violation).max(recur).max(1)
}

/// Both demands up to an interval, or as far as they can be listed.
fn curves(analysis: &Analysis, wanted: u64) -> (u64, Vec<Curve>, Vec<Curve>) {
    let most = LISTED.min(LISTED_IN_ALL / (2 * analysis.set.len().max(1)));
    let mut horizon = wanted;
    let mut list = |sum: &Sum| -> Vec<Curve> {
        let of = analysis.set.iter().zip(&sum.demands);
        of.map(|(task, demand)| {
            let steps = demand.steps_up_to(wanted, most);
            if let Some(last) = steps.last().filter(|_| steps.len() == most) {
                horizon = horizon.min(last.0);
            }
            Curve { task: task.name().to_owned(), steps }
        })
        .collect()
    };
    let (mut exact, mut equation) = (list(&analysis.exact), list(&analysis.equation));
    for curve in exact.iter_mut().chain(&mut equation) {
        let within = curve.steps.partition_point(|step| step.0 <= horizon);
        curve.steps.truncate(within);
    }
    (horizon, exact, equation)
}

fn sensitivity(analysis: &Analysis, known: &Known) -> Option<Sensitivity> {
    let ratio = |point: Point| (point.t as f64 / point.demand as f64, fraction(point.t, point.demand));
    let long = Utilisation::in_the_long_run(&analysis.set, &analysis.long);
    let room = || long.room().unwrap_or_default();
    let (growth, text, limited_at, growth_most) = match known.growth {
        ScalingFactor::Interval(point) => {
            let (growth, text) = ratio(point);
            (growth, text, Some(violation(point)), None)
        }
        // A set that meets its deadlines need not shrink, and no fraction is known.
        ScalingFactor::Between(point, most) => {
            let least = if known.exact.verdict.schedulable() == Some(true) { 1.0 } else { 0.0 };
            let growth_most = most.map_or_else(|| room().0, |most| ratio(most).0);
            (ratio(point).0.max(least), String::new(), most.map(violation), Some(growth_most))
        }
        ScalingFactor::Utilisation => {
            let (growth, text) = room();
            (growth, text, None, None)
        }
        ScalingFactor::Nothing | ScalingFactor::Unknown => return None,
    };
    let vertices = analysis.set.iter().zip(&analysis.most).flat_map(|(task, most)| {
        task.vertices().iter().zip(most).filter_map(|(vertex, most)| match most {
            LargestRequirement::Is(most) if vertex.e > 0 => {
                let name = format!("{}: {}", task.name(), vertex.name);
                Some((*most as f64 / vertex.e as f64, name))
            }
            _ => None,
        })
    });
    let least = vertices.reduce(|least, next| if next.0 < least.0 { next } else { least });
    Some(Sensitivity {
        growth,
        growth_fraction: short(text),
        growth_most,
        long_run: analysis.set.iter().any(|task| !task.traits().roomy).then(|| long.value()),
        limited_at,
        limited_by: least.map(|(_, name)| name),
    })
}

fn violation(point: Point) -> Violation {
    Violation { t: point.t, demand: point.demand }
}

fn tightest(point: Point) -> Tightest {
    Tightest { t: point.t, demand: point.demand, margin: point.margin() }
}

/// A fraction that can be read, or nothing.
fn short(fraction: String) -> String {
    if fraction.len() <= LONGEST_FRACTION { fraction } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tasks::small::task;

    fn report(set: Vec<Task>) -> TasksReport {
        let mut analysis = Analysis::new(set);
        while analysis.step() {}
        tasks_report("t", &analysis, None)
    }

    /// 12 within 20 and no sooner again than 20 later, though the period is 10.
    #[test]
    fn the_period_is_no_limit_where_deadlines_separate_rounds() {
        let told = report(vec![task(10, &[(12, 20)], &[])]);
        assert_eq!((told.schedulable, told.utilisation, told.t_max), (Some(true), 1.2, None));
        assert!(told.because.starts_with("demand fits into every interval up to 60,"), "{}", told.because);
        let end = "as they follow each other it is 60 %, by which the exact demand is checked.";
        assert!(told.warnings.iter().any(|warning| warning.ends_with(end)), "{:?}", told.warnings);
        assert_eq!(told.set[0].vertices[0].most, Some(20));
        let growth = told.sensitivity.expect("it is known");
        assert_eq!(
            (growth.growth_fraction.as_str(), growth.limited_at, growth.long_run),
            ("5/3", None, Some(0.6))
        );
        let full = report(vec![task(10, &[(20, 20)], &[])]);
        assert!(
            full.because.starts_with("at the pace of rounds the utilisation is exactly 1, "),
            "{}",
            full.because
        );
        let over = report(vec![task(10, &[(21, 25)], &[]).restarting(20)]);
        assert_eq!((over.schedulable, over.set[0].vertices[0].most), (Some(false), Some(20)));
        assert!(
            over.warnings
                .iter()
                .any(|warning| warning.ends_with(", and sooner or later a deadline is missed."))
        );
        // A set that keeps its periods says nothing of the long run.
        let roomy = report(vec![task(10, &[(2, 5)], &[])]).sensitivity.expect("it is known");
        assert_eq!(roomy.long_run, None);
    }

    /// Two ways, and a period that is shorter than either: more is told only as far as it is known.
    #[test]
    fn where_rounds_last_differently_long_a_range_is_told() {
        let edges = [(0, 1, 2), (0, 2, 2), (1, 3, 2), (2, 3, 19)];
        let told = report(vec![task(3, &[(1, 9), (1, 9), (4, 9), (1, 9)], &edges)]);
        let growth = told.sensitivity.expect("it is known");
        assert!(growth.growth_fraction.is_empty() && growth.growth_most > Some(growth.growth), "{growth:?}");
    }

    #[test]
    fn what_is_not_exact_is_told_with_its_numbers() {
        let set = vec![task(10, &[(1, 5), (1, 4), (1, 4)], &[(0, 1, 3), (1, 2, 4), (0, 2, 5)])];
        let warnings = report(set).warnings;
        let begins = [
            "A vertex may be triggered before the deadline of the one before it has passed: task: v1 3 after v0, whose deadline is 5. ",
            "The period leaves no room for the longest path and the way back: task has a period of 10 and needs 11. ",
            "Demand is an upper bound, not exact, for task: ",
        ];
        assert_eq!(warnings.len(), begins.len(), "{warnings:?}");
        for (warning, begin) in warnings.iter().zip(begins) {
            assert!(warning.starts_with(begin), "{warning}");
        }
    }
}
