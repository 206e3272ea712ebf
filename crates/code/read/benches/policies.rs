//! How fast policies make a schedule of about 2,000 instructions for each of 48 warps.
//!
//! `cargo bench --bench policies` prints the best of nine runs of each policy, in milliseconds.

#![allow(clippy::disallowed_methods, reason = "a bench has a clock")]
#![allow(missing_docs)]

mod common;

use std::time::Instant;

use code::{Policy, schedule};

fn main() {
    for (name, function) in [("sm_86", "matmul_16"), ("sm_75", "nbody_6"), ("sm_61", "transpose_4")] {
        let listings = common::listings(None);
        let Some((_, listing)) = listings.iter().find(|(own, _)| own == name) else { continue };
        let Some(function) = listing.functions.iter().position(|own| own.name == function) else { continue };
        let architecture =
            listing.functions[function].architecture.and_then(warpspan_code_read::Architecture::of);
        let partitions = architecture.map_or(4, |own| own.partitions as usize);
        let Some(made) = common::made(listing, function, 48 / partitions, 17) else { continue };
        let latencies = schedule::longest(&made.launch);
        for policy in Policy::ALL {
            let run = |_| {
                let latencies = latencies.clone();
                let begun = Instant::now();
                let schedule = policy.schedule(&made.launch, latencies);
                let took = begun.elapsed().as_secs_f64() * 1e3;
                (took, schedule.makespan(&made.launch))
            };
            let (best, makespan) = (0..9).map(run).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default();
            let count = made.walk.steps.len();
            println!(
                "{name} {}, {count} x 48, {}: {makespan} cycles, {best:.1} ms",
                made.function,
                policy.name()
            );
        }
    }
}
