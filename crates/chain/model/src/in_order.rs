//! A grid whose blocks have their multiprocessors told: they start in their order (rule X1 of the blocks lab), so one that
//! finds no room on its multiprocessor holds back all behind it, wherever those go.
//!
//! Let `R` blocks have room on a multiprocessor. A block *waits* if `R` or more before it go where it goes. Where none waits, all
//! start together. Where all from the first that waits on go to one multiprocessor, they hold back nobody who goes
//! elsewhere, and the maximum over multiprocessors counts. Otherwise:
//!
//! *Blocks that take a given time*: start by start. A block starts when the one before it has, and a place is free. To take
//! less never makes a start later.
//!
//! *Wait by wait.* While a block waits nothing starts anywhere. So it waits no longer than the rest of what is on its
//! multiprocessor, `r(R)` at most; and so does the end of all once the last has started. With `w` that wait it takes no more than
//! `(w + 1) r(R)`.
//!
//! *Fill by fill.* Cut the order into stretches that would each find room on an empty GPU. Let all of one have started at
//! `t`. If a block of the next one has not, whatever is on its multiprocessor from before `t` is not all over. Of what blocks that
//! are only `R` there at `t`, itself included, and no more than `R` of the next stretch: those of the one after that
//! start later. So the next stretch has started by `t + r(2 R)`. With `f` stretches, of which the first starts at once, it takes
//! no more than `(f - 1) r(2 R) + r(R)`.
//!
//! *From below*, of instructions: what the first that start together on a multiprocessor take, as those that come later hinder
//! nobody who goes before them; and its capacity. Of machine code what a block takes at least.

use super::grid::{OnSm, Pace, counted};
use super::makespan;
use super::model::Work;
use super::units::Cycles;
use super::valued::{Bracket, Proof, Valued};
use super::waves;

/// What is known of an order of blocks.
#[derive(Debug)]
struct Order {
    /// Blocks that wait.
    waits: u64,
    /// Stretches that would find room on an empty GPU.
    fills: u64,
    /// By multiprocessor: blocks that start at once.
    first: Vec<u64>,
    /// By multiprocessor: how many times what a block takes it is until all of its blocks are over, if all take the same.
    over: Vec<u64>,
}

/// Whether a block that waits may hold back one that goes elsewhere.
pub fn holds_back(assignment: &[u16], room: u64) -> bool {
    let mut counts = vec![0_u64; 1 + usize::from(assignment.iter().copied().max().unwrap_or(0))];
    let mut blocks = assignment.iter();
    let first = blocks.by_ref().find(|&&sm| {
        counts[usize::from(sm)] += 1;
        counts[usize::from(sm)] > room
    });
    first.is_some_and(|first| blocks.any(|sm| sm != first))
}

impl Order {
    fn of(assignment: &[u16], sms: usize, room: u64) -> Self {
        let mut starts: Vec<Vec<u64>> = vec![Vec::new(); sms];
        let mut filled = vec![0; sms];
        let mut order = Self { waits: 0, fills: 1, first: vec![0; sms], over: vec![0; sms] };
        let mut at = 0;
        for &sm in assignment {
            let sm = usize::from(sm);
            let before = usize::try_from(room).ok().and_then(|room| starts[sm].len().checked_sub(room));
            if let Some(before) = before {
                at = at.max(starts[sm][before] + 1);
                order.waits += 1;
            }
            if order.waits == 0 {
                order.first[sm] += 1;
            }
            if filled[sm] == room {
                order.fills += 1;
                filled.fill(0);
            }
            filled[sm] += 1;
            starts[sm].push(at);
            order.over[sm] = at + 1;
        }
        order
    }
}

/// The multiprocessors of a grid in which blocks hold back others, and all of it.
pub fn in_order(pace: &Pace<'_>, assignment: &[u16], mut sms: Vec<OnSm>) -> (Vec<OnSm>, Bracket<Cycles>) {
    let count = usize::try_from(pace.sms).unwrap_or(0);
    let order = Order::of(assignment, count, pace.occupancy.room);
    let upper = upper(pace, &order);
    for on in &mut sms {
        let sm = usize::try_from(on.sm).unwrap_or(0);
        on.makespan = match &pace.kernel.work {
            Work::Cycles(cycles) => match cycles.times(order.over[sm]) {
                Some(all) => Bracket::said(all, all, &pace.on, GIVEN),
                None => Bracket::OPEN,
            },
            Work::Instructions(_) | Work::Code(_) => {
                Bracket::of(lower(pace, on.blocks, order.first[sm]), upper.clone())
            }
        }
        .blaming(&pace.kernel.name);
    }
    let all = sms.iter().map(|sm| sm.makespan.clone()).reduce(Bracket::later).unwrap_or(Bracket::OPEN);
    (sms, all)
}

const GIVEN: &str = "blocks start in their order, each as long as the document says";

fn upper(pace: &Pace<'_>, order: &Order) -> Option<Valued<Cycles>> {
    let room = pace.occupancy.room;
    let rest = |blocks: u64| match &pace.kernel.work {
        Work::Cycles(_) => None,
        Work::Instructions(of) => {
            let warps = blocks.saturating_mul(pace.occupancy.warps);
            waves::rest_at_most(&of.normalised, pace.makespans.sm(), warps)
        }
        Work::Code(code) => Some(code.rest(blocks, room).cycles),
    };
    let each = rest(room)?;
    let waits = each.times(order.waits + 1);
    let fills = rest(room.saturating_mul(2)).and_then(|rest| rest.times(order.fills - 1)?.plus(each));
    let cycles = waits.into_iter().chain(fills).min()?;
    let why = format!(
        "blocks start in their order, and {} that waits holds back all behind it",
        match order.waits {
            1 => "one".to_owned(),
            waits => format!("each of {}", counted(waits, "block")),
        }
    );
    Some(Valued::new(cycles, Proof::Upper, pace.on.upper.clone(), why))
}

/// Of a multiprocessor that gets so many blocks, of which so many start at once.
fn lower(pace: &Pace<'_>, blocks: u64, first: u64) -> Option<Valued<Cycles>> {
    let (least, why) = match &pace.kernel.work {
        Work::Cycles(_) => return None,
        Work::Code(code) => (code.at_least(), "what one block takes at least"),
        Work::Instructions(of) => {
            let warps = blocks.saturating_mul(pace.occupancy.warps);
            let least = makespan::at_least(&of.normalised, pace.makespans.sm(), warps);
            let together = if first > 0 { pace.together(first) } else { Bracket::OPEN };
            let together = together.lower().map_or(Cycles(0), |figure| figure.value);
            (Cycles(least).max(together), "its capacity, or its first blocks together, take as long")
        }
    };
    Some(Valued::new(least, Proof::Lower, pace.on.lower.clone(), why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_holds_back_those_behind() {
        // By multiprocessor, what is over when.
        let over = |assignment: &[u16], room: u64| Order::of(assignment, 2, room).over;
        assert_eq!(over(&[0, 0, 1, 1], 1), [2, 3]);
        assert_eq!(over(&[0, 1, 0, 1], 1), [2, 2]);
        assert_eq!(over(&[0, 0, 0, 1, 1, 1], 2), [2, 3]);
        assert_eq!(over(&[0, 0, 1, 1], 2), [1, 1]);
        let held = |assignment: &[u16], room: u64| holds_back(assignment, room);
        assert_eq!(
            [held(&[0, 0, 1, 1], 1), held(&[0, 0, 1, 1], 2), held(&[1, 0, 0, 0], 1)],
            [true, false, false]
        );
        assert_eq!([held(&[0, 0, 0], 1), held(&[0, 1, 0, 1], 1), held(&[], 1)], [false, true, false]);
    }

    #[test]
    fn stretches_find_room_on_an_empty_gpu() {
        let of = |assignment: &[u16], room: u64| {
            let order = Order::of(assignment, 2, room);
            (order.waits, order.fills, order.first)
        };
        assert_eq!(of(&[0, 0, 1, 1], 1), (2, 3, vec![1, 0]));
        assert_eq!(of(&[0, 1, 0, 1], 1), (2, 2, vec![1, 1]));
        assert_eq!(of(&[0, 0, 0, 1, 1, 1], 2), (2, 3, vec![2, 0]));
    }
}
