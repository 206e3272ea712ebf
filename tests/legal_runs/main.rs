//! Does the check accuse the innocent, and does it find the guilty? Legal runs are generated from the rules as the reference
//! states them (docs/blocks.md), by a simulator that shares nothing with the library, with copies, null streams, processes,
//! clocks that differ and noise; then one thing is changed, and the rule that this breaks is to be told.
//!
//! `WARPSPAN_EFFORT` is the number of runs, `full` for 1,000; a few of each flavour where it is not given.

#![cfg(not(target_arch = "wasm32"))]

mod generate;
mod model;
mod mutate;
mod simulate;
mod written;

use std::collections::BTreeMap;

use warpspan::base::Seeded;

use generate::{FLAVOURS, Flavour};
use model::{Run, Setup};
use mutate::{MUTATIONS, mutate};
use written::{Skew, checked, configuration, logs};

/// Runs of each flavour.
fn effort() -> u64 {
    let effort = std::env::var("WARPSPAN_EFFORT").unwrap_or_default();
    let runs = if effort == "full" { Some(1_000) } else { effort.parse::<u64>().ok() };
    runs.map_or(4, |runs| runs.div_ceil(FLAVOURS.len() as u64))
}

struct Legal {
    flavour: Flavour,
    setup: Setup,
    run: Run,
    skew: Skew,
    rng: Seeded,
}

fn legal_runs() -> impl Iterator<Item = Legal> {
    FLAVOURS.into_iter().enumerate().flat_map(|(i, flavour)| {
        (0..effort()).map(move |number| {
            let mut rng = Seeded::new(100 + i as u64, number);
            let setup = generate::setup(&mut rng, flavour);
            let run = simulate::simulate(&setup, Seeded::new(200 + i as u64, number));
            let skew = Skew::drawn(&mut rng);
            Legal { flavour, setup, run, skew, rng }
        })
    })
}

#[test]
fn no_legal_run_is_accused() {
    let mut runs = 0;
    for Legal { flavour, setup, run, skew, .. } in legal_runs() {
        let blocks: usize = run.launches.iter().map(|launch| launch.blocks.len()).sum();
        let asked: u32 = run.launches.iter().map(|launch| launch.kernel.blocks).sum();
        assert_eq!(blocks, asked as usize, "the run came to its end: {flavour:?} {setup:#?}");
        let (logs, configuration) = (logs(&setup, &run, skew), configuration(&setup));
        let known = checked(&setup, &logs, Some(&configuration));
        assert!(known.conforms, "{flavour:?} {setup:#?} {run:#?} {skew:?} {:#?}", known.violations);
        assert_eq!(
            (known.verdict.as_str(), known.blocks),
            ("conforms", blocks),
            "{:?}",
            known.inconsistencies
        );
        // Logs do not tell priorities and masks; all else has to do without the configuration.
        let is_default = |program: &model::Program| {
            program.written.get("stream_priority").is_none() && program.written.get("sm_mask").is_none()
        };
        if setup.programs.iter().all(is_default) {
            let unknown = checked(&setup, &logs, None);
            assert!(unknown.conforms, "{flavour:?} {setup:#?} {run:#?} {skew:?} {:#?}", unknown.violations);
        }
        runs += 1;
    }
    println!("{runs} legal runs, none accused");
}

#[test]
fn what_breaks_a_rule_is_told_under_its_name() {
    let mut told: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    let mut misses = Vec::new();
    for Legal { flavour, setup, run, skew, mut rng } in legal_runs() {
        let configuration = configuration(&setup);
        for what in MUTATIONS {
            let mut run = run.clone();
            let Some(rule) = mutate(&mut rng, &setup, &mut run, what) else { continue };
            let report = checked(&setup, &logs(&setup, &run, skew), Some(&configuration));
            let [all, any, right] = told.entry(what).or_default();
            // P1 cannot be judged by logs alone; that processes overlap is remarked.
            let found = if rule == "P1" { &report.remarks } else { &report.violations };
            let is_right = found.iter().any(|found| found.rule == rule);
            (*all, *any, *right) =
                (*all + 1, *any + usize::from(!found.is_empty()), *right + usize::from(is_right));
            if !is_right && misses.len() < 20 {
                let told = report.violations.iter().map(|found| format!("{} {}", found.rule, found.found));
                let told: Vec<String> = told.take(5).collect();
                misses.push(format!(
                    "{flavour:?} {what}: expected {rule}, told {told:?} {:?}",
                    report.warnings
                ));
            }
        }
    }
    let sum = |which: usize| told.values().map(|counts| counts[which]).sum::<usize>();
    for (what, [all, any, right]) in &told {
        println!("{what}: {right} of {all} under the right rule, {any} under any");
    }
    println!("altogether {} of {} under the right rule, {} under any\n{misses:#?}", sum(2), sum(0), sum(1));
    assert!(told.len() >= MUTATIONS.len() - 2, "{told:?}");
    assert!(sum(2) * 100 >= sum(0) * 97, "{told:?} {misses:#?}");
}
