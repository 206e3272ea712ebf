//! How far apart what is proven and what is found are, over a collection of listings.
//!
//! `SASS=folder SECONDS=10 WARPS=1,4,16 cargo bench --bench brackets` reads all `.sass` of the folder (the fixtures
//! without it), takes each kernel with so many warps a partition, and reports upper over lower by architecture. Loops
//! that the text does not decide go round 16 times.

#![allow(clippy::disallowed_methods, reason = "a bench has a clock, and files")]
#![allow(missing_docs)]

use std::collections::BTreeMap;
use std::time::Instant;

use code::bounds;
use code::longest::{Search, Settings};
use code_read::{Asked, Trips, launch, read};
use warpspan::base::Control;

fn main() {
    let set = |name: &str, usual: &str| std::env::var(name).unwrap_or_else(|_| usual.to_owned());
    let folder = set("SASS", concat!(env!("CARGO_MANIFEST_DIR"), "/crates/code/read/tests/fixtures"));
    let seconds: f64 = set("SECONDS", "2").parse().unwrap_or(2.0);
    let warps: Vec<usize> = set("WARPS", "1,4,16").split(',').filter_map(|text| text.parse().ok()).collect();
    let only = set("ONLY", "");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|end| end == "sass"))
        .filter(|path| path.to_string_lossy().contains(&only))
        .collect();
    files.sort();
    let mut ratios: BTreeMap<(String, usize), Vec<f64>> = BTreeMap::new();
    for path in &files {
        let Ok(listing) =
            std::fs::read_to_string(path).map_err(|_| ()).and_then(|text| read(&text).map_err(|_| ()))
        else {
            println!("{}: not read", path.display());
            continue;
        };
        for &count in &warps {
            let trips = Trips { all: Some(16), ..Trips::default() };
            let mut asked = Asked { trips, ..Asked::default() };
            let partitions = listing.functions[0]
                .architecture
                .and_then(code_read::Architecture::of)
                .map_or(4, |own| own.partitions as usize);
            asked.warps = count * partitions;
            let made = match launch(&listing, &asked) {
                Ok(made) => made,
                Err(problems) => {
                    println!("{}: {}", path.display(), problems[0]);
                    continue;
                }
            };
            let begun = Instant::now();
            let upper = bounds::upper(&made.launch);
            let bound = begun.elapsed().as_secs_f64();
            // As much as there is time for.
            let settings = Settings { tastes: 400, iterations: 1_000_000, seed: 1 };
            let mut search = Search::new(&std::sync::Arc::new(made.launch.clone()), settings);
            while begun.elapsed().as_secs_f64() < seconds && search.step(&mut Control::slice(2_000_000)) {}
            let ratio = upper as f64 / f64::from(search.makespan());
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            println!(
                "{name:40} {count:2} warps a partition, {:6} instructions a warp: {:7} {upper:7} {ratio:.3} bound {bound:.3} s, {:.1} s, {:?}",
                made.walk.steps.len(),
                search.makespan(),
                begun.elapsed().as_secs_f64(),
                search.progress(),
            );
            ratios.entry((made.architecture.name.to_owned(), count)).or_default().push(ratio);
            ratios.entry(("all".to_owned(), count)).or_default().push(ratio);
            ratios.entry(("all".to_owned(), 0)).or_default().push(ratio);
        }
    }
    println!(
        "architecture, warps a partition (0 for all): kernels, median, 90th percentile, maximum of upper over lower"
    );
    for ((name, count), mut own) in ratios {
        own.sort_by(f64::total_cmp);
        let at = |share: f64| own[((own.len() - 1) as f64 * share).round() as usize];
        println!("{name:20} {count:2}: {:4} {:.3} {:.3} {:.3}", own.len(), at(0.5), at(0.9), at(1.0));
    }
}
