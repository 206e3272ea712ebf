//! The best and the worst schedule of the very streams of a capture, as bounds with their proofs, around the measured one.
//!
//! **Best.** No schedule ends a wave sooner than one in which every wave has units of its own and every latency that is
//! known as a bound only is the shortest: what a wave waits for only ever comes later where units are shared, as starts
//! are maxima and sums of earlier times. So the replay alone is a lower bound on every end.
//!
//! **Worst.** Go back from a wave's end along what each instruction waited for last. Every cycle of that chain is either
//! a time of the streams, which the replay alone with the longest latencies bounds, or a cycle in which some unit of a
//! SIMD of this compute unit was held by another instruction. Those cycles lie one after the other, so there are no more
//! of them than units are held at all. Any order of the waves that leaves no unit idle for which a wave stands ready
//! keeps to that sum. How long an instruction holds its unit is one number for the account, replays and this sum
//! ([`crate::units::Units::held`]). Where the account blames it for more cycles of another wave, as a hold may last longer than was
//! measured, it is taken to hold its unit up to the last of them.
//!
//! Both rest on the streams (`replay/streams.rs`) and, the second, on that no unit idles while a wave stands ready. The
//! first cycle in which the measurement did just that is told: there the assumption fell.

use std::collections::{BTreeMap, HashMap};

use crate::account::Account;
use crate::cause::{Cause, Witness};
use crate::replay::{Machine, Policy, Replayed, Step, Stream, Unknown};
use crate::units::Simd;

/// Bounds on when the last wave of a SIMD ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bracket {
    /// The SIMD.
    pub simd: Simd,
    /// When its first wave began.
    pub begin: i64,
    /// No schedule of these streams ends before; none where a wave waits for one that is not in the capture.
    pub best: Option<i64>,
    /// When its last wave ended.
    pub measured: i64,
    /// No schedule that leaves no unit idle for a ready wave ends later.
    pub worst: Option<i64>,
    /// The first cycle at which a wave stood ready, its unit was free as far as is known, and it did not issue; with the
    /// wave and its instruction.
    pub idle: Option<(i64, u32, u32)>,
}

impl Bracket {
    /// Whether the measurement lies between the bounds.
    pub fn holds(&self) -> bool {
        self.best.is_some_and(|best| best <= self.measured)
            && self.worst.is_some_and(|worst| self.measured <= worst)
    }
}

/// The brackets of all SIMDs.
pub fn brackets(account: &Account, streams: &[Stream]) -> Vec<Bracket> {
    let machine = Machine::of(account);
    let least = machine.replay(streams, Policy::Alone, Unknown::Least);
    let most = machine.replay(streams, Policy::Alone, Unknown::Most);
    let held = held(account, streams);
    let waves = &account.capture.waves;
    let mut simds: BTreeMap<Simd, Vec<usize>> = BTreeMap::new();
    for (place, wave) in waves.iter().enumerate() {
        simds.entry((wave.se, wave.cu, wave.simd)).or_default().push(place);
    }
    let bracket = |(simd, own): (Simd, Vec<usize>)| {
        let room = held.get(&(simd.0, simd.1)).copied().unwrap_or_default();
        Bracket {
            simd,
            begin: own.iter().map(|&place| waves[place].begin).min().unwrap_or_default(),
            best: last(&least, &own),
            measured: own.iter().map(|&place| waves[place].end).max().unwrap_or_default(),
            worst: last(&most, &own).map(|end| end.saturating_add(room)),
            idle: own.iter().filter_map(|&place| idle(account, place)).min(),
        }
    };
    simds.into_iter().map(bracket).collect()
}

fn last(replayed: &Replayed, waves: &[usize]) -> Option<i64> {
    let ends: Option<Vec<i64>> =
        waves.iter().map(|&place| replayed.lives[place].map(|(_, end)| end)).collect();
    ends?.into_iter().max()
}

/// By compute unit: cycles in which its units are held, all together.
fn held(account: &Account, streams: &[Stream]) -> BTreeMap<(u32, u32), i64> {
    let mut found = BTreeMap::new();
    for (wave, stream) in account.capture.waves.iter().zip(streams) {
        // Beside a matrix instruction nobody issues while it does, however long it holds its own unit.
        let holds = |step: &Step| step.hold.max(if step.matrix { step.issues } else { step.issues.min(16) });
        let own: i64 = stream.steps.iter().map(holds).sum();
        *found.entry((wave.se, wave.cu)).or_default() += own;
    }
    for (who, more) in longer(account, streams) {
        let wave = &account.capture.waves[who.wave as usize];
        *found.entry((wave.se, wave.cu)).or_default() += more;
    }
    found
}

/// Instructions that the account blames for cycles of other waves beyond their holds, and how far beyond.
fn longer(account: &Account, streams: &[Stream]) -> HashMap<Witness, i64> {
    let mut found = HashMap::new();
    for (place, parts) in (0_u32..).zip(&account.parts) {
        for part in parts.iter().filter(|part| matches!(part.cause, Cause::Unit | Cause::Chosen)) {
            let Some(who) = part.witness.filter(|who| who.wave != place) else { continue };
            let Some(instr) = account.capture.instr(who.wave, who.item) else { continue };
            let hold = streams[who.wave as usize].steps[who.item as usize].hold;
            let more = part.to - instr.issued() - hold;
            if more > 0 {
                found.entry(who).and_modify(|most: &mut i64| *most = more.max(*most)).or_insert(more);
            }
        }
    }
    found
}

/// The first cycle of a wave that nothing explains though it stood ready.
fn idle(account: &Account, place: usize) -> Option<(i64, u32, u32)> {
    let wave = &account.capture.waves[place];
    account.parts[place].iter().find_map(|part| {
        let item = part.item.filter(|_| part.cause == Cause::Unexplained)?;
        let ready = part.from >= wave.instrs[item as usize].clock;
        ready.then_some((part.from, place as u32, item))
    })
}
