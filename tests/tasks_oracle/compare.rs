//! A report held against the truth. Every function gives what is wrong, and nothing where all is right.

use std::cmp::Ordering;

use serde_json::Value;

use crate::brute;
use crate::small::Small;
use crate::verdict::{Demand, Rate, Truth, bound_scaled, demands, total, truth};

/// What is wrong with a report.
pub type Wrong = Vec<String>;

/// Notes what is wrong if it is.
fn unless(right: bool, wrong: &mut Wrong, what: impl FnOnce() -> String) {
    if !right {
        wrong.push(what());
    }
}

/// The demand that a list of curves states for a task, for every interval from 0 to `horizon`.
fn stated(curves: &Value, task: &Small, horizon: u64) -> Result<Vec<u64>, String> {
    let mut of_task = curves.as_array().into_iter().flatten().filter(|curve| curve["task"] == task.name);
    let curve = of_task.next().ok_or_else(|| format!("{}: no curve", task.name))?;
    let steps: Vec<(u64, u64)> = serde_json::from_value(curve["steps"].clone())
        .map_err(|error| format!("{}: steps: {error}", task.name))?;
    let rising = steps.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1);
    let within = steps.iter().all(|step| step.0 <= horizon);
    if !rising || !within || of_task.next().is_some() {
        return Err(format!("{}: not one list of rising steps up to {horizon}: {steps:?}", task.name));
    }
    let at = |t: u64| steps.iter().take_while(|step| step.0 <= t).last().map_or(0, |step| step.1);
    Ok((0..=horizon).map(at).collect())
}

/// What the report says of a task itself.
fn told_of<'a>(report: &'a Value, task: &Small) -> &'a Value {
    let list = report["set"].as_array().map_or(&[][..], Vec::as_slice);
    list.iter().find(|told| told["name"] == task.name).unwrap_or(&Value::Null)
}

/// Whether the demand of a task is said to be exact.
fn exact(report: &Value, task: &Small) -> bool {
    told_of(report, task)["exact"] == true
}

/// The curves and the traits of every task, up to the horizon of the report.
pub fn curves(set: &[Small], report: &Value) -> Wrong {
    let mut wrong = Wrong::new();
    let Some(horizon) = report["horizon"].as_u64() else { return vec!["no horizon".to_owned()] };
    for task in set {
        let name = &task.name;
        let told = told_of(report, task);
        let traits = [
            ("demand", Value::from(task.demand())),
            ("longest", Value::from(task.longest())),
            ("separated", Value::from(task.separated())),
            ("roomy", Value::from(task.roomy())),
            ("period", Value::from(task.period)),
        ];
        for (key, value) in traits {
            unless(told[key] == value, &mut wrong, || format!("{name}: {key}: {} not {value}", told[key]));
        }
        let (truth, spliced) = (brute::exact(task, horizon), brute::equation(task, horizon));
        let above = (0..truth.len()).find(|&t| spliced[t] < truth[t]);
        unless(above.is_none(), &mut wrong, || {
            format!("{name}: the oracle: equation below exact: {above:?}")
        });
        match stated(&report["dbf"], task, horizon) {
            Ok(found) => {
                let same = exact(report, task);
                let off =
                    (0..truth.len()).find(|&t| if same { found[t] != truth[t] } else { found[t] < truth[t] });
                unless(off.is_none(), &mut wrong, || {
                    let t = off.unwrap_or(0);
                    format!("{name}: dbf({t}) is {}, stated {} (exact: {same}): {task:?}", truth[t], found[t])
                });
            }
            Err(what) => wrong.push(what),
        }
        match stated(&report["equation"], task, horizon) {
            Ok(found) => {
                let off = (0..spliced.len()).find(|&t| found[t] != spliced[t]);
                unless(off.is_none(), &mut wrong, || {
                    let t = off.unwrap_or(0);
                    format!("{name}: equation({t}) is {}, stated {}: {task:?}", spliced[t], found[t])
                });
            }
            Err(what) => wrong.push(what),
        }
    }
    wrong
}

/// Interval and demand of a violation or a tightest interval.
fn place(value: &Value) -> Option<(u64, u64)> {
    Some((value["t"].as_u64()?, value["demand"].as_u64()?))
}

/// Both verdicts with their first violations, looking no further than `limit`.
pub fn verdicts(set: &[Small], report: &Value, limit: u64) -> Wrong {
    let mut wrong = Wrong::new();
    if set.iter().all(|task| exact(report, task)) {
        let found = (&report["schedulable"], &report["first_violation"]);
        verdict(set, Demand::Exact, found, limit, &mut wrong);
    } else if report["schedulable"] == true {
        let found = truth(set, Demand::Exact, limit);
        unless(!matches!(found, Truth::Misses { .. }), &mut wrong, || format!("schedulable, but {found:?}"));
    }
    let found = (&report["schedulable_by_equation"], &report["first_violation_by_equation"]);
    verdict(set, Demand::Equation, found, limit, &mut wrong);
    unless(report["schedulable_by_equation"] != true || report["schedulable"] != false, &mut wrong, || {
        "the equation accepts what the exact demand rejects".to_owned()
    });
    wrong
}

fn verdict(set: &[Small], which: Demand, (says, first): (&Value, &Value), limit: u64, wrong: &mut Wrong) {
    let (found, violation) = (truth(set, which, limit), place(first));
    let right = match found {
        Truth::Meets => *says == true && first.is_null(),
        Truth::Misses { t, demand } => *says == false && violation == Some((t, demand)),
        // Above one there is a violation, at one there need not be; where it was not looked, it may be anywhere.
        Truth::NotUpTo(last) => match (says.as_bool(), violation) {
            (Some(false), Some((t, demand))) => {
                t > last && t < 10 * limit && total(set, which, t).last() == Some(&demand) && demand > t
            }
            (Some(false), None) => Rate::of(set, which).to_one() == Ordering::Greater,
            (Some(true), None) => Rate::of(set, which).to_one() != Ordering::Greater,
            (None, None) => Rate::of(set, which).to_one() == Ordering::Equal,
            _ => false,
        },
    };
    unless(right, wrong, || format!("{which:?}: {found:?}, stated {says} and {first}: {set:?}"));
}

/// The tightest interval: its demand, its margin, and that none where demand grows has less room. Where a deadline
/// is missed it need only be as tight as the first violation.
pub fn tightest(set: &[Small], report: &Value, limit: u64) -> Wrong {
    let mut wrong = Wrong::new();
    let sides = [
        (Demand::Exact, "tightest", "first_violation"),
        (Demand::Equation, "tightest_by_equation", "first_violation_by_equation"),
    ];
    for (which, key, first) in sides {
        let Some((t, demand)) = place(&report[key]) else {
            let idle = total(set, which, limit).last() == Some(&0);
            unless(idle || truth(set, which, limit) != Truth::Meets, &mut wrong, || format!("no {key}"));
            continue;
        };
        if which == Demand::Exact && !set.iter().all(|task| exact(report, task)) {
            continue;
        }
        let room = |t: u64, demand: u64| t.cast_signed() - demand.cast_signed();
        let sums = total(set, which, limit.max(t));
        unless(sums[t as usize] == demand, &mut wrong, || {
            format!("{key}: demand({t}) is {}, not {demand}: {set:?}", sums[t as usize])
        });
        let margin = report[key]["margin"].as_i64();
        unless(margin == Some(room(t, demand)), &mut wrong, || format!("{key}: margin {margin:?} at {t}"));
        if let Some((t, demand)) = place(&report[first]) {
            unless(margin <= Some(room(t, demand)), &mut wrong, || format!("{key}: {first} is tighter"));
        } else if truth(set, which, limit) == Truth::Meets {
            let until = crate::verdict::bound(set, which).unwrap_or(0) as usize;
            let grows = (1..=until).filter(|&t| sums[t] > sums[t - 1]);
            let least = grows.map(|t| (room(t as u64, sums[t]), t)).min();
            unless(least.is_none_or(|least| margin <= Some(least.0)), &mut wrong, || {
                format!("{key}: {margin:?} at {t}, but {least:?}: {set:?}")
            });
        }
    }
    wrong
}

/// The witness: legal triggerings of every task, which need together what is claimed.
pub fn witness(set: &[Small], report: &Value) -> Wrong {
    let mut wrong = Wrong::new();
    let claimed = place(&report["first_violation"]).or_else(|| place(&report["tightest"]));
    let Some((t, demand)) = claimed else { return wrong };
    if !set.iter().all(|task| exact(report, task)) {
        return wrong;
    }
    let mut sum = 0;
    for told in report["witness"].as_array().into_iter().flatten() {
        let Some(task) = set.iter().find(|task| told["task"] == task.name) else {
            wrong.push(format!("witness: no task {}", told["task"]));
            continue;
        };
        unless(told["t"] == t, &mut wrong, || format!("witness: interval {} not {t}", told["t"]));
        match jobs(task, told, t) {
            Ok(jobs) => {
                let needs = brute::counted(task, &jobs, t);
                unless(told["demand"] == needs, &mut wrong, || {
                    format!("witness: {} needs {needs}, stated {}: {task:?}", task.name, told["demand"])
                });
                sum += needs;
            }
            Err(what) => wrong.push(format!("witness: {}: {what}: {told}", task.name)),
        }
    }
    unless(sum == demand, &mut wrong, || {
        format!("witness: all need {sum}, claimed {demand} in {t}: {set:?}")
    });
    wrong
}

/// The jobs of a witness, held against their own task.
fn jobs(task: &Small, told: &Value, t: u64) -> Result<Vec<(usize, u64)>, String> {
    let mut jobs = Vec::new();
    for job in told["jobs"].as_array().into_iter().flatten() {
        let vertex = job["vertex"].as_str().and_then(|name| task.vertex(name));
        let (Some(v), Some(time)) = (vertex, job["time"].as_u64()) else { return Err(format!("{job}")) };
        let deadline = time + task.d[v];
        let right = job["deadline"] == deadline && job["e"] == task.e[v] && job["counted"] == (deadline <= t);
        if !right {
            return Err(format!("{job} has its numbers wrong"));
        }
        jobs.push((v, time));
    }
    brute::legal(task, &jobs).map(|()| jobs)
}

/// A fraction, or a whole number.
fn fraction(text: &str) -> Option<(u64, u64)> {
    let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
    Some((top.parse().ok()?, bottom.parse().ok().filter(|&bottom| bottom > 0)?))
}

/// The growth of all requirements together: with it no deadline is missed, with any more one is.
pub fn growth(set: &[Small], report: &Value, limit: u64) -> Wrong {
    let mut wrong = Wrong::new();
    let told = &report["sensitivity"];
    if told.is_null() || demands(set) == 0 || !set.iter().all(|task| exact(report, task)) {
        return wrong;
    }
    let Some((top, bottom)) = told["growth_fraction"].as_str().and_then(fraction) else {
        return vec![format!("growth: {told}")];
    };
    let close =
        told["growth"].as_f64().is_some_and(|g| (g - top as f64 / bottom as f64).abs() <= 1e-6 * g.max(1.0));
    unless(close, &mut wrong, || format!("growth: {} is not {top}/{bottom}", told["growth"]));
    let until = bound_scaled(set, Demand::Exact, (top, bottom)).map_or(limit, |bound| bound.min(limit));
    let sums = total(set, Demand::Exact, until);
    let misses = (0..=until).find(|&t| sums[t as usize] * top > t * bottom);
    unless(misses.is_none(), &mut wrong, || format!("growth: {top}/{bottom} misses at {misses:?}: {set:?}"));
    let rate = Rate::of(set, Demand::Exact);
    let tight = match place(&told["limited_at"]) {
        Some((t, demand)) => {
            let needs = sums.get(t as usize).copied();
            let needs = needs.or_else(|| total(set, Demand::Exact, t).last().copied());
            needs == Some(demand) && demand * top == t * bottom
        }
        None => rate.top * u128::from(top) == rate.bottom * u128::from(bottom),
    };
    unless(tight, &mut wrong, || format!("growth: more than {top}/{bottom} does as well: {told}: {set:?}"));
    wrong
}

/// The most every vertex may need: with it no deadline is missed, with one more one is.
pub fn most(set: &[Small], report: &Value, limit: u64) -> Wrong {
    let mut wrong = Wrong::new();
    if !set.iter().all(|task| exact(report, task)) {
        return wrong;
    }
    for (place, task) in set.iter().enumerate() {
        for told in told_of(report, task)["vertices"].as_array().into_iter().flatten() {
            let name = format!("{}: {}", task.name, told["name"]);
            let Some(v) = told["name"].as_str().and_then(|name| task.vertex(name)) else {
                wrong.push(format!("most: {name} is no vertex"));
                continue;
            };
            let with = |e: u64| {
                let mut other = set.to_vec();
                other[place] = task.with(v, e);
                let rate = Rate::of(&other, Demand::Exact).to_one();
                (truth(&other, Demand::Exact, limit), rate)
            };
            let misses = |(found, rate): (Truth, Ordering)| {
                matches!(found, Truth::Misses { .. }) || rate == Ordering::Greater
            };
            match told["most"].as_u64() {
                Some(most) => {
                    unless(!misses(with(most)), &mut wrong, || {
                        format!("most: {name}: {most} misses: {set:?}")
                    });
                    let more = with(most + 1);
                    unless(more.0 != Truth::Meets, &mut wrong, || {
                        format!("most: {name}: more than {most} does: {set:?}")
                    });
                }
                None if report["schedulable"] == true => wrong.push(format!("most: {name}: none: {set:?}")),
                None => {
                    let nothing = with(0);
                    unless(nothing.0 != Truth::Meets, &mut wrong, || {
                        format!("most: {name}: none, but 0 does: {set:?}")
                    });
                }
            }
        }
    }
    wrong
}

/// Everything about a set of few tasks.
pub fn all(set: &[Small], report: &Value, limit: u64) -> Wrong {
    [
        curves(set, report),
        verdicts(set, report, limit),
        tightest(set, report, limit),
        witness(set, report),
        growth(set, report, limit),
    ]
    .concat()
}
