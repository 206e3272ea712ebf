//! How far apart what is proven and what is found are, over strings of real kernels (`strings.txt`), by the exact search.
//!
//! `SECONDS=20 WARPS=8,16,32,48 ONLY=fft cargo bench -p warpspan-warps-model --bench strings` takes those whose names have
//! that in them, with so many warps and so much processor time each.

#![allow(clippy::disallowed_methods, reason = "a bench has a clock, and files")]
#![allow(missing_docs)]

use std::sync::OnceLock;
use std::time::Instant;

use warpspan_warps_model::exact::{Limits, Problem, Search};
use warpspan_warps_model::{Fairness, Kernel, Machine, PerUnit};

/// One multiprocessor of sm_75, in warps a cycle.
const MACHINE: Machine = Machine { capacity: PerUnit([1, 2, 1, 1]), issue: Some(4) };

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
    let only = set("ONLY", "");
    for warps in set("WARPS", "8,16").split(',').filter_map(|text| text.parse().ok()) {
        let mut open = Vec::new();
        let mut all = 0;
        let lines = include_str!("strings.txt").lines().filter_map(|line| line.split_once(": "));
        for (name, text) in lines.filter(|(name, _)| !name.starts_with('#') && name.contains(&only)) {
            let Ok(kernel) = Kernel::parse(text) else { continue };
            let fairness = Fairness::WorkConserving;
            let problem = Problem { kernel: &kernel, machine: &MACHINE, warps, fairness: &fairness };
            let Some(mut search) = Search::new(&problem, Limits::default()) else { continue };
            let begun = spent();
            while spent() - begun < seconds && search.step(200_000) {}
            let bracket = search.bracket();
            let ratio = f64::from(bracket.upper) / f64::from(bracket.lower);
            println!(
                "{name:14} {warps:2} warps, {:4} instructions, {:3} runs: {:6} {:6} {ratio:.3}, {:4.1} s, {}",
                kernel.len(),
                kernel.runs().len(),
                bracket.lower,
                bracket.upper,
                spent() - begun,
                bracket.upper_by,
            );
            all += 1;
            open.extend((bracket.lower < bracket.upper).then_some(ratio));
        }
        open.sort_by(f64::total_cmp);
        let share = |of: usize| open.get((open.len() * of / 100).min(open.len().max(1) - 1)).copied();
        let [median, most] = [50, 100].map(|of| share(of).unwrap_or(1.0));
        println!(
            "{warps} warps: exact {} of {all}; open: median {median:.3}, maximum {most:.3}",
            all - open.len()
        );
    }
}
