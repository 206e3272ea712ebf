//! Witnesses of sets: every job once, all of what it needs executed, late ones told.

use crate::export::perfetto::witness_perfetto;
use crate::report::tasks::WitnessReport;
use crate::timeline::tasks::{Witnessed, sample};
use base::Seeded;
use kit::export::perfetto::sound::{number, sound, time};
use tasks::random;
use tasks::witness::witness;

/// Witnesses of an interval for random tasks: more of them than one processor can serve.
fn drawn(seed: u64) -> Witnessed {
    let mut rng = Seeded::new(seed, 11);
    let tasks: Vec<_> = (0..1 + rng.below(4))
        .map(|_| random::task(1 + rng.below(9), 30, 3, u64::from(rng.below(1_000))))
        .collect();
    let t = u64::from(1 + rng.below(400));
    let reports: Vec<WitnessReport> =
        tasks.iter().map(|task| WitnessReport::of(task, &witness(task, t))).collect();
    Witnessed::new(&reports)
}

#[test]
fn every_job_is_there_once_and_is_executed() {
    let (mut jobs, mut late) = (0, 0);
    let known = [Witnessed::new(&sample::overloaded().witness), Witnessed::new(&sample::differs().witness)];
    for shown in known.into_iter().chain((0..200).map(drawn)) {
        let events = sound(&witness_perfetto(&shown, "Say \"A\""));
        let of_task = |event: &&serde_json::Value| event["ph"] == "X" && number(&event["pid"]) > 1;
        let mut found: Vec<(usize, u64, u64, String)> = Vec::new();
        for event in events.iter().filter(of_task) {
            let (from, length) = (time(&event["ts"]).0 as u64, time(&event["dur"]).0 as u64);
            let name = event["name"].as_str().unwrap_or_default().to_owned();
            found.push((number(&event["pid"]) - 2, from, from + length, name));
        }
        found.sort();
        let expected = shown
            .jobs
            .iter()
            .map(|job| (job.load.task, job.load.time, job.load.deadline, job.vertex.clone()));
        let mut expected: Vec<_> = expected.collect();
        expected.sort();
        assert_eq!(found, expected);
        jobs += found.len();
        let executed =
            events.iter().filter(|event| event["ph"] == "X" && event["pid"] == 1 && event["tid"] == 1);
        let executed: f64 = executed.map(|event| time(&event["dur"]).0).sum();
        assert_eq!(executed as u64, shown.jobs.iter().map(|job| job.load.e).sum::<u64>());
        let missed = |event: &&serde_json::Value| {
            event["name"].as_str().is_some_and(|name| name.starts_with("deadline missed"))
        };
        let missed = events.iter().filter(missed).count();
        assert_eq!(missed, shown.late().count());
        late += missed;
        assert_eq!(events.iter().filter(|event| event["ph"] == "i").count(), 2 * shown.jobs.len());
    }
    assert!(jobs > 500 && late > 20, "{jobs} jobs, {late} late");
}

#[test]
fn the_interval_and_the_unit_of_time_are_told() {
    let text = witness_perfetto(&Witnessed::new(&sample::overloaded().witness), "Too much");
    let events = sound(&text);
    let named: Vec<&str> = events
        .iter()
        .filter(|event| event["name"] == "process_name")
        .filter_map(|event| event["args"]["name"].as_str())
        .collect();
    assert_eq!(named.first(), Some(&"Too much: processor, 1 unit of time = 1 µs"));
    assert!(named.len() == 3 && named[1..].iter().all(|name| name.starts_with("Task ")), "{named:?}");
    assert!(events.iter().any(|event| event["name"] == "interval of 4" && event["dur"] == 4));
}
