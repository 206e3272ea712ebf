//! Runs drawn at random against the bound: none may take longer.
//!
//! `SASS=folder RUNS=1000000 WARPS=1,2 TRIPS=2 EVERY=10 FROM=0 cargo bench --bench random_runs` takes every so many-th
//! kernel, with so many warps a partition, and loops that the text does not decide so often. Each run has latencies and an
//! order of its own, drawn in one of several ways. What is printed is the bound over the longest run, the smaller of the
//! formula and what is known of stretches.

#![allow(clippy::disallowed_methods, reason = "a bench has files")]
#![allow(missing_docs)]

mod common;

use std::sync::Arc;

use base::Seeded;
use code::Launch;
use code::bounds::{self, Stretches};
use code::engine::{Chooser, Engine};

/// Keys drawn at random, by how far a warp is, and with one warp that is left behind.
struct Drawn {
    seed: u64,
    progress: i64,
    ranked: bool,
    behind: Option<usize>,
}

/// Mixes bits, as splitmix64 does.
fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

impl Chooser for Drawn {
    fn key(&mut self, _: u32, warp: usize, place: usize, _: u32) -> u64 {
        let place = if self.ranked { 0 } else { place as u64 };
        let own = mixed(self.seed ^ (warp as u64) << 32 ^ place) >> 40;
        let far = (1i64 << 40) + self.progress * place.cast_signed();
        let last = u64::from(self.behind == Some(warp)) << 62;
        last | (far.unsigned_abs() << 8).wrapping_add(own)
    }
}

/// Latencies of a run, and its order.
fn draw(launch: &Launch, rng: &mut Seeded, latencies: &mut Vec<u32>) -> Drawn {
    let warps = launch.warps().len() as u32;
    let behind = (rng.below(2) == 0).then(|| rng.below(warps) as usize);
    let way = rng.below(4);
    latencies.clear();
    for (warp, _, set) in launch.sets() {
        let late = match way {
            0 => true,
            1 => behind == Some(warp),
            2 => rng.below(2) == 0,
            _ => false,
        };
        let free = way == 3 && set.least < set.most;
        latencies.push(match (free, late) {
            (true, _) => set.least + rng.below(set.most - set.least + 1),
            (_, true) => set.most,
            _ => set.least,
        });
    }
    let progress = i64::from(rng.below(3)) * 65_536 - 65_536;
    Drawn { seed: rng.wide(), progress, ranked: rng.below(3) == 0, behind }
}

fn main() {
    let set = |name: &str, usual: &str| std::env::var(name).unwrap_or_else(|_| usual.to_owned());
    let number = |name: &str, usual: &str| set(name, usual).parse::<usize>().unwrap_or(1).max(1);
    let (runs, every) = (number("RUNS", "1000"), number("EVERY", "10"));
    let trips = u32::try_from(number("TRIPS", "2")).unwrap_or(2);
    let from: usize = set("FROM", "0").parse().unwrap_or(0);
    let warps: Vec<usize> = set("WARPS", "1,2").split(',').filter_map(|text| text.parse().ok()).collect();
    let folder = std::env::var("SASS").ok();
    let listings = common::listings(folder.as_deref());
    let kernels = listings
        .iter()
        .flat_map(|(name, listing)| (0..listing.functions.len()).map(move |own| (name, listing, own)));
    let (mut cases, mut worst) = (0, f64::INFINITY);
    for (name, listing, function) in kernels.skip(from).step_by(every) {
        for &count in &warps {
            let Some(made) = common::made(listing, function, count, trips) else { continue };
            let launch = &Arc::new(made.launch);
            let formula = bounds::upper(launch);
            let upper = Stretches::of(launch).map_or(formula, |stretches| stretches.min(formula));
            let (mut engine, mut rng) = (Engine::new(launch), Seeded::new(1, function as u64));
            let (mut longest, mut latencies) = (0, Vec::new());
            for _ in 0..runs {
                let mut drawn = draw(launch, &mut rng, &mut latencies);
                longest = longest.max(engine.play(launch, &latencies, &mut drawn));
            }
            let ratio = upper as f64 / f64::from(longest);
            println!(
                "{name:8} {:16} {count:2} warps a partition, {:5} instructions: {longest:7} {upper:7} {ratio:.3}",
                made.function,
                launch.instructions()
            );
            assert!(u64::from(longest) <= upper, "a run takes longer than the bound");
            (cases, worst) = (cases + 1, worst.min(ratio));
        }
    }
    println!("{cases} cases of {runs} runs each; the bound is at least {worst:.4} times the longest run");
}
