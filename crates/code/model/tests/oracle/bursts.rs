//! The bound of stretches against the oracle: one warp a partition, all of which execute the same.

use std::sync::Arc;

use base::Seeded;
use warpspan_code_model::bounds::{Stretches, upper};
use warpspan_code_model::launch::{Launch, Warp};

use crate::rules::{Instance, Op, Runs};
use crate::{drawn, launch_of};

/// One of the instances of all, with shared units for the most part, and two or three warps.
fn burst(rng: &mut Seeded) -> Instance {
    let mut of = drawn(rng);
    let warps = 2 + rng.below(4) as usize / 3;
    of.partitions = warps;
    of.units = of.units.iter().map(|_| if rng.below(6) > 0 { (1, true) } else { (1, false) }).collect();
    of.paths = vec![of.paths[0].clone(); warps];
    let apart = rng.below(3) == 0 && of.code.iter().all(|op: &Op| !op.barrier);
    of.blocks = (0..warps).map(|warp| if apart { warp } else { 0 }).collect();
    of
}

#[test]
fn no_run_is_beyond_the_bound_of_stretches() {
    let mut rng = Seeded::new(64, 0);
    let (mut tried, mut met, mut less) = (0, 0, 0);
    for _ in 0..6_000 {
        let of = burst(&mut rng);
        let Some((_, most)) = Runs::extremes(&of, 600) else { continue };
        let launch = launch_of(&of);
        // All execute one stream.
        let path = launch.streams()[0].path.clone();
        let warps = launch.warps().iter().map(|&warp| Warp { stream: 0, ..warp }).collect();
        let all = (launch.machine().clone(), launch.code().to_vec(), vec![path], warps, launch.misses());
        let launch = Arc::new(Launch::new(all.0, all.1, all.2, all.3, all.4).unwrap());
        let above = Stretches::of(&launch).unwrap();
        assert!(u64::from(most) <= above, "{most} of {above}: {of:?}");
        tried += 1;
        met += u32::from(u64::from(most) == above);
        less += u32::from(above < upper(&launch));
    }
    assert!(tried > 4_000 && met > 2_000 && less > 300, "{tried} {met} {less}");
}
