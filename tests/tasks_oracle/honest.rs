//! A report as it should be, made from the truth alone: what the comparisons must accept, and, with a number
//! changed, must not.

use serde_json::{Value, json};

use crate::brute;
use crate::small::Small;
use crate::verdict::{Demand, Rate, Truth, total, truth};

/// The report of a set, for sets whose rate is below one; intervals are looked at up to `limit`.
pub fn report(set: &[Small], horizon: u64, limit: u64) -> Value {
    let curves = |which: Demand| -> Vec<Value> {
        let curve = |task: &Small| json!({"task": task.name, "steps": steps(&which.of(task, horizon))});
        set.iter().map(curve).collect()
    };
    let [meets, accepted] = [Demand::Exact, Demand::Equation].map(|which| truth(set, which, limit));
    let [tight, tight_by_equation] =
        [Demand::Exact, Demand::Equation].map(|which| tightest(set, which, limit));
    let t = violation(meets)["t"].as_u64().or(tight["t"].as_u64()).unwrap_or(0);
    let witness: Vec<Value> = set.iter().map(|task| witness(task, t)).collect();
    let told: Vec<Value> = (0..set.len()).map(|place| told(set, place, limit)).collect();
    json!({
        "horizon": horizon,
        "dbf": curves(Demand::Exact),
        "equation": curves(Demand::Equation),
        "schedulable": meets == Truth::Meets,
        "schedulable_by_equation": accepted == Truth::Meets,
        "first_violation": violation(meets),
        "first_violation_by_equation": violation(accepted),
        "tightest": tight,
        "tightest_by_equation": tight_by_equation,
        "witness": witness,
        "set": told,
        "sensitivity": growth(set, limit),
    })
}

/// Interval and demand wherever the demand grows.
fn steps(curve: &[u64]) -> Vec<(u64, u64)> {
    let grows = (1..curve.len()).filter(|&t| curve[t] > curve[t - 1]);
    grows.map(|t| (t as u64, curve[t])).collect()
}

fn violation(truth: Truth) -> Value {
    match truth {
        Truth::Misses { t, demand } => json!({"t": t, "demand": demand}),
        _ => Value::Null,
    }
}

fn tightest(set: &[Small], which: Demand, limit: u64) -> Value {
    let sums = total(set, which, limit);
    let tight = steps(&sums).into_iter().min_by_key(|&(t, demand)| t.cast_signed() - demand.cast_signed());
    tight.map_or(
        Value::Null,
        |(t, demand)| json!({"t": t, "demand": demand, "margin": t.cast_signed() - demand.cast_signed()}),
    )
}

fn witness(task: &Small, t: u64) -> Value {
    let jobs = brute::attaining(task, t);
    let job = |&(v, time): &(usize, u64)| {
        let deadline = time + task.d[v];
        json!({
            "vertex": format!("v{v}"), "time": time, "deadline": deadline, "e": task.e[v], "counted": deadline <= t
        })
    };
    let demand = brute::counted(task, &jobs, t);
    json!({"task": task.name, "t": t, "demand": demand, "jobs": jobs.iter().map(job).collect::<Vec<_>>()})
}

fn told(set: &[Small], place: usize, limit: u64) -> Value {
    let task = &set[place];
    let does = |v: usize, e: u64| {
        let mut other = set.to_vec();
        other[place] = task.with(v, e);
        truth(&other, Demand::Exact, limit) == Truth::Meets
    };
    let vertex = |v: usize| {
        let most = (0..).take_while(|&e| does(v, e)).last();
        json!({"name": format!("v{v}"), "e": task.e[v], "d": task.d[v], "most": most})
    };
    json!({
        "name": task.name, "period": task.period, "demand": task.demand(), "longest": task.longest(),
        "separated": task.separated(), "roomy": task.roomy(), "exact": true,
        "vertices": (0..task.size()).map(vertex).collect::<Vec<_>>(),
    })
}

/// The least of time by demand over all intervals, and what the rate allows.
fn growth(set: &[Small], limit: u64) -> Value {
    let rate = Rate::of(set, Demand::Exact);
    let (mut top, mut bottom, mut at) = (rate.bottom as u64, rate.top as u64, Value::Null);
    for (t, demand) in (0..).zip(total(set, Demand::Exact, limit)) {
        if t * bottom < top * demand {
            (top, bottom, at) = (t, demand, json!({"t": t, "demand": demand}));
        }
    }
    json!({
        "growth": top as f64 / bottom as f64, "growth_fraction": format!("{top}/{bottom}"), "limited_at": at
    })
}
