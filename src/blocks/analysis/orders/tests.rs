//! The worst launch orders, held against trying all of them.

use super::super::bound;
use super::super::task::Task;
use super::*;
use crate::base::Seeded;

fn tasks(rng: &mut Seeded, n: usize, cmax: u32, gmax: u32, scale: u32) -> Vec<Task> {
    (0..n)
        .map(|i| Task {
            label: format!("K{}", i + 1),
            period: None,
            time: Nanos(
                (1 + rng.below(cmax)) as u64 * u64::from(scale)
                    + if scale > 1 { rng.below(scale).into() } else { 0 },
            ),
            blocks: 1 + rng.below(gmax),
            threads: 512,
            deadline: None,
        })
        .collect()
}

#[test]
fn experiment() {
    let n: usize = std::env::var("N").ok().and_then(|s| s.parse().ok()).unwrap_or(7);
    let cmax: u32 = std::env::var("C").ok().and_then(|s| s.parse().ok()).unwrap_or(20);
    let gm: u32 = std::env::var("GM").ok().and_then(|s| s.parse().ok()).unwrap_or(12);
    let places: u32 = std::env::var("P").ok().and_then(|s| s.parse().ok()).unwrap_or(8);
    let scale: u32 = std::env::var("S").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    for seed in 0..std::env::var("R").ok().and_then(|s| s.parse().ok()).unwrap_or(6u64) {
        let mut rng = Seeded::new(seed, 1);
        let tasks = tasks(&mut rng, n, cmax, gm, scale);
        let at = std::time::Instant::now();
        let mut search = Search::new(tasks.to_vec(), places, Effort::default());
        let mut climbed = 0.0;
        let mut first = vec![];
        while search.step(&mut Control::slice(10_000)) == Progress::More {
            if climbed == 0.0 && matches!(search.work, Work::Hunt(..)) {
                climbed = at.elapsed().as_secs_f64();
                first = search.worst();
            }
        }
        let w = search.worst();
        println!(
            "seed {seed}: climb {climbed:.3} all {:.3} states {}, open {}, climb missed {}: {:?}",
            at.elapsed().as_secs_f64(),
            search.states,
            w.iter().filter(|w| w.proof == Proven::NotProven).count(),
            first.iter().zip(&w).filter(|(a, b)| a.completion != b.completion).count(),
            w.iter().map(|w| (w.completion.0, w.upper.0)).take(3).collect::<Vec<_>>()
        );
    }
}
