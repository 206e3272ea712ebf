//! Runs of blocks: every block once, counters right.

use serde_json::Value;

use crate::export::perfetto::perfetto;
use crate::timeline::blocks::sample::{lanes, many, rich, sliced, tx2};
use base::{Nanos, Seeded};
use blocks::{KernelRun, Setup, Trace, random, simulate};
use kit::export::perfetto::Micros;
use kit::export::perfetto::sound::{number, sound, time};

fn events(setup: &Setup, trace: &Trace) -> Vec<Value> {
    sound(&perfetto(setup, trace))
}

#[test]
fn every_block_is_there_once() {
    let simulated = (0..100).map(|seed| {
        let workload = random::workload(&mut Seeded::new(seed, 2));
        let trace = simulate(&workload).trace;
        (workload.setup, trace)
    });
    let packed = [tx2(), rich(), sliced(), many(3, 10, 777), lanes(3_000)];
    for (setup, trace) in packed.into_iter().chain(simulated) {
        let mut found: Vec<(String, usize, usize, usize, u64, u64)> = Vec::new();
        for event in events(&setup, &trace).iter().filter(|event| event["ph"] == "X") {
            let (_, start) = time(&event["ts"]);
            let (_, length) = time(&event["dur"]);
            let pid = number(&event["pid"]);
            if event["args"]["block"].is_u64() {
                let name = event["name"].as_str().unwrap_or_default().to_owned();
                let (round, block) = (number(&event["args"]["round"]), number(&event["args"]["block"]));
                found.push((name, round, block, pid, start, start + length));
            }
        }
        let mut expected = Vec::new();
        for run in &trace.kernels {
            for (i, block) in trace.blocks[run.blocks.clone()].iter().enumerate() {
                let name = format!("{}:{i}", setup.kernels[run.kernel].label);
                let (sm, start, end) = (usize::from(block.sm), block.start.0, block.end.0);
                expected.push((name, run.round as usize, i, sm, start, end));
            }
        }
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
    }
}

#[test]
fn counters_say_how_many_threads_are_in_use() {
    let (setup, trace) = many(2, 6, 500);
    let mut checked = 0;
    for event in events(&setup, &trace).iter().filter(|event| event["ph"] == "C") {
        let (sm, (_, at)) = (number(&event["pid"]), time(&event["ts"]));
        let runs = |run: &KernelRun| {
            let blocks = &trace.blocks[run.blocks.clone()];
            let here = blocks.iter().filter(|block| usize::from(block.sm) == sm);
            here.filter(|block| block.start.0 <= at && at < block.end.0).count()
                * setup.kernels[run.kernel].threads as usize
        };
        assert_eq!(number(&event["args"]["threads"]), trace.kernels.iter().map(runs).sum::<usize>());
        checked += 1;
    }
    assert!(checked > 100, "{checked}");
}

#[test]
fn everything_has_a_name_and_a_place() {
    let (mut setup, trace) = sliced();
    setup.kernels[0].label = "say \"A\"\n".to_owned();
    let events = events(&setup, &trace);
    let named: Vec<(usize, &str)> = events
        .iter()
        .filter(|event| event["name"] == "process_name")
        .map(|event| (number(&event["pid"]), event["args"]["name"].as_str().unwrap_or_default()))
        .collect();
    assert_eq!(named, [(0, "SM 0"), (1, "Launches"), (2, "Test")]);
    assert!(events.iter().any(|event| event["name"] == "launch say \"A\"\n"));
    assert_eq!(events.iter().filter(|event| event["name"] == "process 1").count(), 2);
}

#[test]
fn a_block_beyond_every_device_is_left_out() {
    let (setup, mut trace) = lanes(10);
    let size = perfetto(&setup, &trace).len();
    trace.blocks[9].sm = u16::MAX;
    assert!(perfetto(&setup, &trace).len() < size);
}

#[test]
fn times_are_exact_texts_and_files_stay_small() {
    assert_eq!(
        [0, 1, 10, 1_000, 1_500, 4_503_599_627_370_497].map(|ns| Micros(Nanos(ns)).to_string()),
        ["0", "0.001", "0.01", "1", "1.5", "4503599627370.497"]
    );
    let (setup, trace) = lanes(2_000);
    let size = perfetto(&setup, &trace).len() / trace.blocks.len();
    assert!(size < 350, "{size} bytes for each block");
}
