//! How far apart what is proven and what is found are, over the collection of kernels or a folder of listings.
//!
//! `SASS=folder SECONDS=10 WARPS=1,2,4,8,16 EVERY=1 ONLY=fft cargo bench --bench brackets` takes every so many-th kernel,
//! if that is in its name, with so many warps a partition and so much processor time, and reports upper over lower by
//! architecture and by warps. Loops that the text does not decide go round 16 times. With `BEAM=0`, or `BEAM=1` for guided
//! ones, beams take the place of the search, each twice as wide as the one before, as long as there is time.

#![allow(clippy::disallowed_methods, reason = "a bench has a clock, and files")]
#![allow(missing_docs)]

mod common;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use base::Control;
use code::exact::Beam;
use code::longest::{Search, Settings};

/// Seconds of processor time so far; of the clock, where the system does not tell.
fn spent() -> f64 {
    static BEGUN: OnceLock<Instant> = OnceLock::new();
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanos = text.split_whitespace().next().and_then(|first| first.parse::<f64>().ok());
    nanos.map_or_else(|| BEGUN.get_or_init(Instant::now).elapsed().as_secs_f64(), |nanos| nanos / 1e9)
}

fn main() {
    let set = |name: &str, usual: &str| std::env::var(name).unwrap_or_else(|_| usual.to_owned());
    let seconds: f64 = set("SECONDS", "2").parse().unwrap_or(2.0);
    let warps: Vec<usize> = set("WARPS", "1,4,16").split(',').filter_map(|text| text.parse().ok()).collect();
    let every: usize = set("EVERY", "1").parse().unwrap_or(1).max(1);
    let folder = std::env::var("SASS").ok();
    let listings = common::listings(folder.as_deref());
    let kernels = listings.iter().flat_map(|(name, listing)| {
        (0..listing.functions.len()).map(move |function| (name, listing, function))
    });
    let only = set("ONLY", "");
    let mut ratios: BTreeMap<(String, usize), Vec<f64>> = BTreeMap::new();
    for (name, listing, function) in kernels.step_by(every) {
        if !listing.functions[function].name.contains(&only) {
            continue;
        }
        for &count in &warps {
            let Some(made) = common::made(listing, function, count, 16) else { continue };
            let begun = spent();
            // As much as there is time for.
            let settings = Settings {
                tastes: 1_000,
                iterations: 1_000_000,
                seed: set("SEED", "1").parse().unwrap_or(1),
            };
            let launch = Arc::new(made.launch.clone());
            let mut search = Search::new(&launch, settings);
            let over = || spent() - begun >= seconds;
            let (lower, tried) = match &set("BEAM", "")[..] {
                "" => {
                    while !over() && search.step(&mut Control::slice(2_000_000)) {}
                    (search.makespan(), search.progress().0)
                }
                guided => {
                    let (mut best, mut width) = (search.makespan(), 1);
                    while !over() && width < 1 << 20 {
                        let mut beam = Beam::new(&launch, width, guided == "1", best);
                        while !over() && beam.step(1 << 12) {}
                        best = best.max(u32::try_from(beam.best()).unwrap_or(best));
                        width *= 2;
                    }
                    (best, width as u64 / 2)
                }
            };
            let upper = search.upper();
            let ratio = upper as f64 / f64::from(lower);
            println!(
                "{name:8} {:16} {count:2} warps a partition, {:6} instructions a warp: {:7} {upper:7} {ratio:.3}, {:.1} s, {:?}",
                made.function,
                made.walk.steps.len(),
                lower,
                spent() - begun,
                tried,
            );
            for key in [(name.clone(), count), ("all".to_owned(), count), ("all".to_owned(), 0)] {
                ratios.entry(key).or_default().push(ratio);
            }
        }
    }
    println!(
        "listing, warps a partition (0 for all): kernels; median, 90th percentile, maximum of upper over lower; exact"
    );
    for ((name, count), mut own) in ratios {
        own.sort_by(f64::total_cmp);
        let at = |share: f64| own[((own.len() - 1) as f64 * share).round() as usize];
        let exact = own.iter().filter(|ratio| **ratio <= 1.0).count();
        println!(
            "{name:8} {count:2}: {:4}; {:.3} {:.3} {:.3}; {exact}",
            own.len(),
            at(0.5),
            at(0.9),
            at(1.0)
        );
    }
}
