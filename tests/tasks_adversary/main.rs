//! An adversary for what is proven of recurring tasks (docs/tasks.md): it seeks triggerings that need more within an
//! interval than is told, and runs under EDF in which a deadline is missed that is said to be met.
//!
//! It is written from the reference, and shares nothing with the program but documents and reports: sequences are walks
//! through the graph, with waits wherever one may wait; hill climbing with restarts changes ways, waits, first vertices
//! and offsets; a simulator of its own executes what comes of it. `tests/tasks_oracle` tries everything on tasks that are
//! small; this looks at larger ones, longer intervals, ways back that `restart` makes shorter or longer, and whole sets.
//!
//! `WARPSPAN_EFFORT` is the number of sets; some dozens without it. Nothing here depends on a clock.

#![cfg(not(target_arch = "wasm32"))]

mod attack;
mod by_hand;
mod draw;
mod edf;
mod model;
mod search;
mod told;

use warpspan::base::Seeded;

use attack::Score;

/// Sets without `WARPSPAN_EFFORT`.
const SETS: u64 = 60;

#[test]
fn nothing_that_is_sought_goes_beyond_what_is_proven() {
    let effort = std::env::var("WARPSPAN_EFFORT").ok().and_then(|effort| effort.parse().ok());
    let sets: u64 = effort.unwrap_or(SETS);
    let mut score = Score::default();
    for number in 0..sets {
        let mut rng = Seeded::new(91, number);
        let set = draw::set(&mut rng);
        attack::all(&set, &mut rng, &mut score);
    }
    println!("{sets} sets, nothing exceeded: {score:#?}");
    score.is_strong(sets);
}
