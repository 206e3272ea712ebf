//! What if: the streams of a capture, changed, and replayed. The result is simulated, and no more than that: caches,
//! queues and the launching of waves are as they were measured.

use crate::account::Account;
use crate::isa::Class;
use crate::replay::{Replayed, Stream, What};

/// A change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// What the operations of a line take, in percent of what they took; the line by its place.
    Latency {
        /// The line's place.
        line: u32,
        /// Percent.
        percent: i64,
    },
    /// Barriers hold nobody.
    NoBarriers,
    /// What matrix instructions hold their unit, in percent.
    Matrix {
        /// Percent.
        percent: i64,
    },
    /// A wave more than so many on a SIMD at once waits until one has ended.
    Occupancy {
        /// Waves at once.
        most: usize,
    },
}

/// Changes streams; says how many of their instructions it changed.
pub fn change(account: &Account, streams: &mut [Stream], change: &Change) -> usize {
    let mut count = 0;
    for (wave, stream) in account.capture.waves.iter().zip(streams.iter_mut()) {
        for (instr, step) in wave.instrs.iter().zip(&mut stream.steps) {
            let class = account.capture.op(instr).map(|op| op.class);
            let changes = match *change {
                Change::Latency { line, percent } if instr.line == line => {
                    step.latency = (step.latency.0 * percent / 100, step.latency.1 * percent / 100);
                    true
                }
                Change::NoBarriers if matches!(step.what, What::Barrier(_)) => {
                    (step.what, step.own) = (What::Plain, 0);
                    true
                }
                Change::Matrix { percent } if class == Some(Class::Matrix) => {
                    // What the next one waited for its own wave's hold is part of that hold.
                    step.hold = step.hold * percent / 100;
                    step.own = step.own * percent / 100;
                    true
                }
                _ => false,
            };
            count += usize::from(changes);
        }
    }
    if let Change::Occupancy { most } = *change {
        count += occupancy(account, streams, most);
    }
    count
}

/// Lets waves beyond so many on a SIMD follow the one that began as many before them.
fn occupancy(account: &Account, streams: &mut [Stream], most: usize) -> usize {
    let waves = &account.capture.waves;
    let mut order: Vec<usize> = (0..waves.len()).collect();
    order.sort_by_key(|&place| {
        (waves[place].se, waves[place].cu, waves[place].simd, waves[place].begin, place)
    });
    let mut count = 0;
    for place in most..order.len() {
        let (own, before) = (order[place], order[place - most.max(1)]);
        let simd = |wave: usize| (waves[wave].se, waves[wave].cu, waves[wave].simd);
        if simd(own) == simd(before) && waves[before].end > waves[own].begin {
            streams[own].after = Some((before as u32, 0));
            count += 1;
        }
    }
    count
}

/// The time from the first begin to the last end, summed over shader engines; none where a wave never ends.
pub fn whole(account: &Account, replayed: &Replayed) -> Option<i64> {
    let mut engines: std::collections::BTreeMap<u32, (i64, i64)> = Default::default();
    for (wave, life) in account.capture.waves.iter().zip(&replayed.lives) {
        let (begin, end) = (*life)?;
        let own = engines.entry(wave.se).or_insert((begin, end));
        *own = (own.0.min(begin), own.1.max(end));
    }
    Some(engines.values().map(|(begin, end)| end - begin).sum())
}
