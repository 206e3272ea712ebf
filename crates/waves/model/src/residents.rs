//! How many waves are on a shader engine, as occupancy.json tells: those that were traced, and all others.
//!
//! A slot is taken from when a wave comes until it goes. A slot of which nothing but a going is told was taken before; of
//! two waves that come to one slot the first has gone unseen, and the slot stays taken.

use std::collections::{BTreeMap, BTreeSet};

use crate::capture::Capture;

/// How many waves there are from a clock on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Residents {
    /// From then on; of the first, since ever.
    pub clock: i64,
    /// On the shader engine.
    pub engine: u32,
    /// On those of its compute units of which waves were traced.
    pub traced: u32,
}

/// Waves on a shader engine over time, from before its first event on; nothing where no event is told.
pub fn residents(capture: &Capture, se: u32) -> Vec<Residents> {
    let events: Vec<_> = capture.occupancy.iter().filter(|event| event.se == se).collect();
    let traced: BTreeSet<u32> =
        capture.waves.iter().filter(|wave| wave.se == se).map(|wave| wave.cu).collect();
    let mut taken: BTreeMap<(u32, u32, u32), bool> = BTreeMap::new();
    for event in &events {
        taken.entry((event.cu, event.simd, event.slot)).or_insert(!event.came);
    }
    let Some(first) = events.first() else { return Vec::new() };
    let there =
        |of: &dyn Fn(u32) -> bool| taken.iter().filter(|((cu, ..), taken)| **taken && of(*cu)).count() as u32;
    let mut now =
        Residents { clock: first.clock, engine: there(&|_| true), traced: there(&|cu| traced.contains(&cu)) };
    let mut found = vec![Residents { clock: i64::MIN, ..now }];
    for event in events {
        let slot = taken.entry((event.cu, event.simd, event.slot)).or_default();
        if *slot == event.came {
            continue;
        }
        *slot = event.came;
        let counts = [Some(&mut now.engine), traced.contains(&event.cu).then_some(&mut now.traced)];
        for count in counts.into_iter().flatten() {
            *count = if event.came { *count + 1 } else { count.saturating_sub(1) };
        }
        now.clock = event.clock;
        match found.last_mut() {
            Some(last) if last.clock == now.clock => *last = now,
            _ => found.push(now),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::{Presence, Wave};
    use base::Seeded;

    fn event(clock: i64, cu: u32, slot: u32, came: bool) -> Presence {
        Presence { se: 1, clock, cu, simd: 0, slot, came }
    }

    fn capture(occupancy: Vec<Presence>) -> Capture {
        Capture { waves: vec![Wave { se: 1, cu: 3, ..Wave::default() }], occupancy, ..Capture::default() }
    }

    #[test]
    fn who_only_goes_was_there_before() {
        let capture = capture(vec![
            event(10, 3, 0, true),
            event(10, 4, 0, true),
            event(20, 3, 1, false),
            event(30, 3, 0, true),
            event(40, 3, 0, false),
        ]);
        let told: Vec<_> =
            residents(&capture, 1).iter().map(|own| (own.clock, own.engine, own.traced)).collect();
        assert_eq!(told, [(i64::MIN, 1, 1), (10, 3, 2), (20, 2, 1), (40, 1, 0)]);
        assert!(residents(&capture, 0).is_empty());
    }

    /// Asks every slot at every clock for the last thing that is told of it.
    #[test]
    fn every_clock_has_the_slots_that_are_taken() {
        let mut random = Seeded::new(11, 3);
        for _ in 0..300 {
            let mut events: Vec<Presence> = (0..random.below(40))
                .map(|_| {
                    let clock = i64::from(random.below(30));
                    event(clock, 3 + random.below(2), random.below(4), random.below(2) == 0)
                })
                .collect();
            events.sort_by_key(|event| event.clock);
            let capture = capture(events.clone());
            let found = residents(&capture, 1);
            assert_eq!(found.is_empty(), events.is_empty());
            assert!(found.windows(2).all(|two| two[0].clock < two[1].clock));
            for clock in (-1..31).filter(|_| !events.is_empty()) {
                let taken = |cu: u32, slot: u32| {
                    let own = || events.iter().filter(|event| (event.cu, event.slot) == (cu, slot));
                    match own().rfind(|event| event.clock <= clock) {
                        Some(last) => last.came,
                        None => own().next().is_some_and(|first| !first.came),
                    }
                };
                let count = |cu: u32| (0..4).filter(|&slot| taken(cu, slot)).count() as u32;
                let now = found.iter().rfind(|own| own.clock <= clock).expect("one since ever");
                assert_eq!((now.engine, now.traced), (count(3) + count(4), count(3)), "{clock}: {events:?}");
            }
        }
    }
}
