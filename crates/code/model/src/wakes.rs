//! Which warps are awake, and when the others wake: sets of warps as bits, by the cycle in which they wake.

/// How many cycles ahead wakes are kept by cycle; later ones are looked at again as time goes on.
const AHEAD: u32 = 64;

/// The warps of a set: the places of its bits.
pub(crate) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (first < 64).then_some(first)
    })
}

/// Warps that may be looked at, and those that need not before some cycle. Warps that never wake are in neither.
#[derive(Debug, Clone)]
pub struct Wakes {
    /// Those that are awake.
    pub awake: u64,
    now: u32,
    /// Who wakes in the cycles after now, by the remainder of the cycle, and in which of them somebody does.
    soon: [u64; AHEAD as usize],
    some: u64,
    /// Who wakes later, when each does, and the first of them.
    far: u64,
    when: [u32; 64],
    first: u32,
}

impl Wakes {
    /// Nobody is there, before the first cycle.
    pub fn new() -> Self {
        Self { awake: 0, now: 0, soon: [0; AHEAD as usize], some: 0, far: 0, when: [0; 64], first: u32::MAX }
    }

    /// A warp need not be looked at before a cycle, which is still to come.
    pub fn sleep(&mut self, warp: usize, until: u32) {
        self.sleep_all(1 << warp, until);
    }

    /// None of a set of warps need be looked at before a cycle, which is still to come.
    pub fn sleep_all(&mut self, set: u64, until: u32) {
        self.awake &= !set;
        if until - self.now < AHEAD {
            self.soon[(until % AHEAD) as usize] |= set;
            self.some |= 1 << (until % AHEAD);
        } else {
            self.far |= set;
            bits(set).for_each(|warp| self.when[warp] = until);
            self.first = self.first.min(until);
        }
    }

    /// A warp is not looked at again unless it sleeps.
    pub fn drop(&mut self, warp: usize) {
        self.awake &= !(1 << warp);
    }

    /// The next cycle in which somebody is awake; none if nobody wakes.
    pub fn next(&self) -> Option<u32> {
        if self.awake != 0 {
            return Some(self.now + 1);
        }
        let soon = self.some.rotate_right((self.now + 1) % AHEAD).trailing_zeros();
        let soon = if soon < AHEAD { self.now + 1 + soon } else { u32::MAX };
        Some(soon.min(self.first)).filter(|&cycle| cycle < u32::MAX)
    }

    /// A cycle that [`Self::next`] told begins.
    pub fn begin(&mut self, cycle: u32) {
        self.now = cycle;
        let slot = cycle % AHEAD;
        if self.some >> slot & 1 == 1 {
            self.awake |= std::mem::take(&mut self.soon[slot as usize]);
            self.some &= !(1 << slot);
        }
        if self.first != u32::MAX && self.first - cycle < AHEAD {
            self.first = u32::MAX;
            for warp in bits(std::mem::take(&mut self.far)) {
                match self.when[warp] == cycle {
                    true => self.awake |= 1 << warp,
                    false => self.sleep(warp, self.when[warp]),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seeded;

    #[test]
    fn they_wake_when_they_are_to() {
        let mut rng = Seeded::new(7, 0);
        for _ in 0..200 {
            let (mut wakes, mut when) = (Wakes::new(), [None; 64]);
            for (warp, own) in when.iter_mut().enumerate() {
                *own = Some(1 + rng.below(200));
                wakes.sleep(warp, own.unwrap());
            }
            let mut cycle = 0;
            for _ in 0..300 {
                let next = when.iter().flatten().map(|&own| own.max(cycle + 1)).min();
                assert_eq!(wakes.next(), next);
                let Some(next) = next else { break };
                cycle = next;
                wakes.begin(cycle);
                for (warp, own) in when.iter_mut().enumerate() {
                    let awake = own.is_some_and(|own| own <= cycle);
                    assert_eq!(wakes.awake >> warp & 1 == 1, awake, "{warp} in {cycle}");
                    match rng.below(4) {
                        0 | 1 if awake => {
                            let far = if rng.below(3) == 0 { 500 } else { 70 };
                            *own = Some(cycle + 1 + rng.below(far));
                            wakes.sleep(warp, own.unwrap());
                        }
                        2 if awake => {
                            *own = None;
                            wakes.drop(warp);
                        }
                        _ => {}
                    }
                }
            }
        }
    }
}
