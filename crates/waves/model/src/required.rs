//! What each wait of a wave still requires, by taking its counters in order; and when each operation had returned.
//!
//! Scalar loads may return out of order, so that only a wait for 0 is certain of them; the others are named all the
//! same, as the last one that the value requires. What an earlier wait has seen return is not required again.

use crate::capture::{Capture, Wave};
use crate::isa::Counter;

/// When an operation had returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Returned {
    /// A wait for it alone stalled: it ended then.
    At(i64),
    /// At the latest then: a wait for a later one, or one that did not stall.
    By(i64),
}

impl Returned {
    /// The time.
    pub fn time(self) -> i64 {
        match self {
            Self::At(time) | Self::By(time) => time,
        }
    }
}

/// What the waits of a wave require, and what came of its operations.
#[derive(Debug, Clone, Default)]
pub struct Required {
    /// By wait, in order: the wait's place, and the places of what each of its counters requires last.
    pub waits: Vec<(u32, Vec<u32>)>,
    /// By instruction: when it had returned, if anything waited for it.
    pub returned: Vec<Option<Returned>>,
}

/// Operations that raised a counter, and how many of them are known to have returned.
#[derive(Default)]
struct Under {
    items: Vec<u32>,
    done: usize,
}

impl Under {
    /// The last one that is still required for this value, and how many had returned before and after.
    fn wait(&mut self, value: u32) -> Option<(u32, usize)> {
        let left = self.items.len().checked_sub(value as usize)?;
        if left <= self.done {
            return None;
        }
        let before = std::mem::replace(&mut self.done, left);
        self.items.get(left - 1).map(|&item| (item, before))
    }
}

/// The shortest stall of a wait on gfx9, which one whose operations are all through shows too.
const IDLE_STALL: u32 = 4;

impl Required {
    /// Goes through a wave.
    pub fn of(capture: &Capture, wave: &Wave) -> Self {
        let mut under: [Under; Counter::ALL.len()] = Default::default();
        let mut found = Self { waits: Vec::new(), returned: vec![None; wave.instrs.len()] };
        for (place, instr) in (0_u32..).zip(&wave.instrs) {
            let Some(op) = capture.op(instr) else { continue };
            for &counter in &op.raises {
                under[counter as usize].items.push(place);
            }
            if op.waits.is_empty() {
                continue;
            }
            let mut asked = Vec::new();
            let mut ended = Vec::new();
            for &(counter, value) in &op.waits {
                let own = &mut under[counter as usize];
                let Some((item, before)) = own.wait(value) else { continue };
                asked.push(item);
                ended.extend(own.items.get(before..own.done).unwrap_or_default());
            }
            let exact = asked.len() == 1 && instr.stall > IDLE_STALL;
            for item in ended {
                let time = instr.issued();
                let returned = if exact && asked.first() == Some(&item) {
                    Returned::At(time)
                } else {
                    Returned::By(time)
                };
                if let Some(slot) = found.returned.get_mut(item as usize).filter(|slot| slot.is_none()) {
                    *slot = Some(returned);
                }
            }
            found.waits.push((place, asked));
        }
        found
    }
}
