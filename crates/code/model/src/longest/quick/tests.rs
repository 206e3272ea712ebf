//! Beams that let nothing go find the longest schedule, and every schedule is one.

use std::sync::Arc;

use base::Seeded;

use super::{Beam, Taste};
use crate::check::check;
use crate::engine::Engine;
use crate::exact::{self, Goal};
use crate::launch::Launch;
use crate::longest::Cycles;
use crate::schedule::Schedule;
use crate::tests::random;

fn drawn(rng: &mut Seeded, warps: u32, length: u32) -> Arc<Launch> {
    let size = random::Size {
        warps,
        partitions: 1,
        length,
        latency: 6,
        range: 5,
        streams: 2,
        sets: 45,
        barriers: 12,
    };
    let own = random::launch(rng, size);
    let paths = own.streams().iter().map(|stream| stream.path.clone()).collect();
    let plain = Launch::new(own.machine().clone(), own.code().to_vec(), paths, own.warps().to_vec(), None);
    Arc::new(plain.expect("a launch"))
}

/// What a beam finds, as the engine plays it.
fn played(launch: &Arc<Launch>, width: usize, taste: Taste) -> (u32, u32) {
    let mut beam = Beam::new(launch, width, taste);
    while beam.step(1_000) {}
    let found = beam.found().expect("a schedule");
    let mut engine = Engine::new(launch);
    let makespan = engine.play(launch, &found.latencies, &mut Cycles(&found.issued));
    let played = Schedule { issued: engine.rows(), latencies: found.latencies };
    assert_eq!(check(launch, &played), [], "{launch:?}");
    (beam.best(), makespan)
}

fn counts(launch: &Launch) -> bool {
    launch.code().iter().any(|own| own.waits.iter().any(|wait| wait.left > 0))
}

#[test]
fn beams_that_let_nothing_go_find_the_longest() {
    let mut rng = Seeded::new(71, 0);
    let mut tried = 0;
    for round in 0..5_000 {
        let launch = drawn(&mut rng, 3, 5);
        if counts(&launch) {
            continue;
        }
        let Some(mut all) = exact::Search::new(&launch, Goal::Longest, 0, 1 << 26) else { continue };
        let mut left = 200;
        while left > 0 && all.step(1_000) {
            left -= 1;
        }
        let (longest, beyond) = all.bracket();
        if longest < beyond {
            continue;
        }
        let (best, makespan) = played(&launch, 1 << 14, Taste { others: round % 17, all: round % 5 });
        assert_eq!((u64::from(best), u64::from(makespan)), (longest, longest), "{launch:?}");
        tried += 1;
    }
    assert!(tried > 1_000, "{tried}");
}

#[test]
fn narrow_beams_find_schedules() {
    let mut rng = Seeded::new(72, 0);
    let mut counted = 0;
    for round in 0..400 {
        let launch = drawn(&mut rng, 9, 30);
        let (best, makespan) =
            played(&launch, 1 + round as usize % 6, Taste { others: round % 17, all: round % 3 });
        // Where numbers of results may be left under way, the engine goes on sooner than the beam thought.
        counted += u32::from(counts(&launch));
        assert!(best == makespan || counts(&launch), "{best} {makespan} {launch:?}");
    }
    assert!((20..380).contains(&counted), "{counted}");
}
