//! How one order leads to the next: the published swap, and neighbourhoods that reach further.
//!
//! B's section IV hints at moving all of a warp to the end; the others here came from looking at what the
//! longest schedules found by other means have in common. Every one leaves each warp as often in the order
//! as it was.

use crate::Unit;
use base::Seeded;

/// Blocks, turns, series and gangs of more entries than this are not proposed.
const WIDEST: usize = 4096;

/// A way to change an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Neighbourhood {
    /// Two entries of different warps change places: the published one.
    Swap,
    /// Two entries that stand side by side change places.
    Neighbours,
    /// One entry goes to another place.
    Insert,
    /// A stretch of entries goes to another place.
    Block,
    /// All of one warp goes to the end.
    Last,
    /// The warps of a stretch take turns in it.
    Turns,
    /// The warps of a stretch follow one another in it.
    Serial,
    /// Some warps that are equally far run the rest of a phase together.
    Gang,
    /// All of these, each as often as it has paid lately.
    Auto,
}

impl Neighbourhood {
    /// The ones that change an order, the published one first.
    pub const MOVES: [Neighbourhood; 8] = [
        Neighbourhood::Swap,
        Neighbourhood::Neighbours,
        Neighbourhood::Insert,
        Neighbourhood::Block,
        Neighbourhood::Last,
        Neighbourhood::Turns,
        Neighbourhood::Serial,
        Neighbourhood::Gang,
    ];

    /// All of them.
    pub fn all() -> impl Iterator<Item = Neighbourhood> {
        Self::MOVES.into_iter().chain([Neighbourhood::Auto])
    }

    /// The name scenarios use.
    pub fn name(self) -> &'static str {
        match self {
            Neighbourhood::Swap => "swap",
            Neighbourhood::Neighbours => "neighbours",
            Neighbourhood::Insert => "insert",
            Neighbourhood::Block => "block",
            Neighbourhood::Last => "last",
            Neighbourhood::Turns => "turns",
            Neighbourhood::Serial => "serial",
            Neighbourhood::Gang => "gang",
            Neighbourhood::Auto => "auto",
        }
    }

    /// One of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|neighbourhood| neighbourhood.name() == name)
    }

    /// What it does, for people.
    pub fn explained(self) -> &'static str {
        match self {
            Neighbourhood::Swap => "two entries of different warps change places (as published)",
            Neighbourhood::Neighbours => "two entries that stand side by side change places",
            Neighbourhood::Insert => "one entry goes to another place",
            Neighbourhood::Block => "a stretch of entries goes to another place",
            Neighbourhood::Last => "all of one warp goes to the end",
            Neighbourhood::Turns => "the warps of a stretch take turns in it",
            Neighbourhood::Serial => "the warps of a stretch follow one another in it",
            Neighbourhood::Gang => "some warps that are equally far run the rest of a phase together",
            Neighbourhood::Auto => "all of these, each as often as it has paid lately",
        }
    }
}

/// A change of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The entries at two places, of different warps, change places.
    Swap(usize, usize),
    /// From this place on, the order becomes what the buffer holds.
    Replace(usize),
}

impl Change {
    /// The same change `places` further on.
    pub fn moved(self, places: usize) -> Self {
        match self {
            Change::Swap(a, b) => Change::Swap(a + places, b + places),
            Change::Replace(from) => Change::Replace(from + places),
        }
    }
}

/// What a move looks at, and where it writes: a whole order, or the part of it that belongs to a sub-block.
/// Places and instructions count from where that part begins.
pub struct Proposal<'a> {
    /// The present order.
    pub order: &'a [u8],
    /// How many warps there are.
    pub warps: usize,
    /// What they execute.
    pub units: &'a [Unit],
    /// The most warps that are ganged up.
    pub gang: usize,
    /// How many instructions of a warp stand before a place.
    pub before: &'a dyn Fn(usize, usize) -> usize,
    /// Where entries go that replace others; whatever was in it is gone.
    pub fresh: &'a mut Vec<u8>,
}

impl Proposal<'_> {
    /// Draws a change; `None` where the draw changes nothing.
    pub fn draw(&mut self, how: Neighbourhood, rng: &mut Seeded) -> Option<Change> {
        match how {
            Neighbourhood::Swap | Neighbourhood::Auto => Some(self.swap(rng)),
            Neighbourhood::Neighbours => {
                let place = self.place(rng, self.order.len() - 1);
                (self.order[place] != self.order[place + 1]).then_some(Change::Swap(place, place + 1))
            }
            Neighbourhood::Insert => self.block(rng, 1),
            Neighbourhood::Block => self.block(rng, self.units.len()),
            Neighbourhood::Last => {
                let warp = self.place(rng, self.warps) as u8;
                let from = self.order.iter().position(|&other| other == warp)?;
                self.last(from, warp)
            }
            Neighbourhood::Turns => self.deal(rng, true),
            Neighbourhood::Serial => self.deal(rng, false),
            Neighbourhood::Gang => self.gang(rng),
        }
    }

    fn place(&self, rng: &mut Seeded, bound: usize) -> usize {
        rng.below(u32::try_from(bound).unwrap_or(u32::MAX)) as usize
    }

    /// Two places of different warps, all pairs equally likely.
    fn swap(&self, rng: &mut Seeded) -> Change {
        let a = self.place(rng, self.order.len());
        loop {
            let b = self.place(rng, self.order.len());
            if self.order[a] != self.order[b] {
                return Change::Swap(a.min(b), a.max(b));
            }
        }
    }

    /// A stretch of at most `most` entries goes to another place.
    fn block(&mut self, rng: &mut Seeded, most: usize) -> Option<Change> {
        let n = self.order.len();
        let length = 1 + self.place(rng, most.min(n - 1));
        let (from, to) = (self.place(rng, n - length + 1), self.place(rng, n - length + 1));
        if from == to || from.abs_diff(to) > WIDEST {
            return None;
        }
        let start = from.min(to);
        self.fresh.clear();
        self.fresh.extend_from_slice(&self.order[start..from.max(to) + length]);
        if from < to {
            self.fresh.rotate_left(length);
        } else {
            self.fresh.rotate_right(length);
        }
        Some(Change::Replace(start))
    }

    /// All entries of a warp from a place on go to the end.
    fn last(&mut self, from: usize, warp: u8) -> Option<Change> {
        let tail = &self.order[from..];
        self.fresh.clear();
        self.fresh.extend(tail.iter().filter(|&&other| other != warp));
        let others = self.fresh.len();
        self.fresh.resize(tail.len(), warp);
        (others > 0).then_some(Change::Replace(from))
    }

    /// The entries of a stretch are dealt anew: in turns, or warp after warp.
    fn deal(&mut self, rng: &mut Seeded, turns: bool) -> Option<Change> {
        let n = self.order.len();
        let (a, b) = (self.place(rng, n), self.place(rng, n));
        let (from, to) = (a.min(b), a.max(b));
        if from == to || to - from > WIDEST {
            return None;
        }
        let mut count = [0u32; 256];
        let (mut seen, mut kinds) = ([0u8; 256], 0);
        for &warp in &self.order[from..=to] {
            if count[usize::from(warp)] == 0 {
                seen[kinds] = warp;
                kinds += 1;
            }
            count[usize::from(warp)] += 1;
        }
        self.fresh.clear();
        while self.fresh.len() <= to - from {
            for &warp in &seen[..kinds] {
                let left = &mut count[usize::from(warp)];
                let now = if turns { (*left).min(1) } else { *left };
                *left -= now;
                self.fresh.extend(std::iter::repeat_n(warp, now as usize));
            }
        }
        (kinds > 1).then_some(Change::Replace(from))
    }

    /// Warps that are about as far as the one at some place run on together from there: to the end of the
    /// phase they are in, sometimes less far, sometimes some way into the next phase.
    fn gang(&mut self, rng: &mut Seeded) -> Option<Change> {
        let (n, length) = (self.order.len(), self.units.len());
        let place = self.place(rng, n);
        let leader = usize::from(self.order[place]);
        let at = (self.before)(leader, place);
        let phase_end = |from: usize| {
            let units = &self.units[from..];
            from + units.iter().take_while(|&unit| Some(unit) == units.first()).count()
        };
        let end = phase_end(at);
        let steps = match rng.below(4) {
            0 => 1 + self.place(rng, end - at),
            1 => end - at + self.place(rng, phase_end(end) - end + 1),
            _ => end - at,
        };
        let (size, tolerance) = (1 + self.place(rng, self.gang.min(self.warps)), rng.below(3) as usize);
        let (mut members, mut left) = ([0u8; 256], [0usize; 256]);
        let mut count = 0;
        let mut pulled = 0;
        for warp in (leader..self.warps).chain(0..leader) {
            let done = (self.before)(warp, place);
            if count < size && done < length && done.abs_diff(at) <= tolerance {
                members[count] = warp as u8;
                left[warp] = steps.min(length - done);
                pulled += left[warp];
                count += 1;
            }
        }
        self.fresh.clear();
        for step in 0..steps {
            let running = members[..count].iter().filter(|&&warp| left[usize::from(warp)] > step);
            self.fresh.extend(running);
        }
        // The others follow, up to where the last one that was pulled forward stood.
        for &warp in &self.order[place..] {
            match &mut left[usize::from(warp)] {
                0 if pulled == 0 => break,
                0 => self.fresh.push(warp),
                left => {
                    *left -= 1;
                    pulled -= 1;
                }
            }
        }
        let same = self.order[place..].starts_with(self.fresh);
        (!same && self.fresh.len() <= WIDEST).then_some(Change::Replace(place))
    }
}
