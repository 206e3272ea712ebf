//! Units on the page: a lane for each unit of each SIMD, and in it who holds the unit when.
//!
//! A hold begins when an instruction issues and lasts as long as was measured of its kind, though not beyond the issue
//! of the next one in the lane. Of two that issue in one slot each has its hold. What no unit executes has no lane.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use super::columns::Shown;
use super::layout::Layout;
use super::packed::{KINDS, Kind, NONE, UnitKind};
use waves::Account;
use waves::units::{Event, Simd, Unit};

/// A lane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lane {
    /// The shader engine.
    pub se: u32,
    /// The compute unit.
    pub cu: u32,
    /// The SIMD.
    pub simd: u32,
    /// The unit, by its number as a [`Kind`].
    unit: u8,
    first: u32,
    count: u32,
}

impl Lane {
    /// The unit.
    pub fn unit(&self) -> UnitKind {
        match Kind::numbered(self.unit) {
            Kind::Issue(unit) => unit,
            Kind::Wait(_) => UnitKind::Control,
        }
    }

    fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// Lanes as they cross from the worker: times as bytes, the low one first.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PackedLanes {
    lanes: Vec<Lane>,
    from: ByteBuf,
    to: ByteBuf,
    by: ByteBuf,
}

/// The lane of an instruction; none where no unit executes it.
fn lane_of(unit: Unit, event: &Event) -> Option<UnitKind> {
    Some(match unit {
        Unit::Vector if event.matrix => UnitKind::Matrix,
        Unit::Vector => UnitKind::Vector,
        Unit::Memory => UnitKind::Memory,
        Unit::Lds => UnitKind::Lds,
        Unit::Scalar => UnitKind::Scalar,
        Unit::ScalarLoad => UnitKind::ScalarMemory,
        Unit::Jump | Unit::Message => return None,
    })
}

impl PackedLanes {
    /// Of an account, as it is laid out.
    pub fn of(account: &Account, layout: &Layout) -> Self {
        let mut all: BTreeMap<(Simd, usize), Vec<&Event>> = BTreeMap::new();
        for ((simd, unit), events) in &account.units.events {
            for event in events {
                let Some(lane) = lane_of(*unit, event) else { continue };
                let place = UnitKind::ALL.iter().position(|one| *one == lane).unwrap_or_default();
                all.entry((*simd, place)).or_default().push(event);
            }
        }
        let mut packed = Self::default();
        for (((se, cu, simd), place), events) in all {
            let first = packed.by.len() as u32 / 4;
            for (at, event) in events.iter().enumerate() {
                let next = at + events[at..].partition_point(|next| next.issued <= event.issued);
                let to = events.get(next).map_or(event.held, |next| event.held.min(next.issued));
                packed.from.extend((layout.time(se, event.issued) as f64).to_le_bytes());
                packed.to.extend((layout.time(se, to) as f64).to_le_bytes());
                packed.by.extend(layout.bar(account, event.who).unwrap_or(NONE).to_le_bytes());
            }
            let unit = Kind::Issue(UnitKind::ALL[place]).number();
            packed.lanes.push(Lane { se, cu, simd, unit, first, count: events.len() as u32 });
        }
        packed
    }
}

/// A hold of a unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Held {
    /// The place of its lane.
    pub lane: usize,
    /// From this cycle on.
    pub from: f64,
    /// Up to this one, which is no longer in it.
    pub to: f64,
    /// The place of the bar in which the instruction issued.
    pub by: Option<usize>,
}

/// Lanes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lanes {
    /// The lanes from top to bottom.
    pub all: Vec<Lane>,
    from: Vec<f64>,
    to: Vec<f64>,
    by: Vec<u32>,
    /// Until when the unit is held by those that issue when this one does.
    until: Vec<f64>,
    /// Cycles in which the unit is held before these issue, from the lane's first on.
    before: Vec<f64>,
}

impl Lanes {
    /// As they crossed.
    pub(super) fn new(packed: PackedLanes) -> Self {
        let from = super::packed::times(&packed.from);
        let (to, by) = (super::packed::times(&packed.to), super::packed::numbers(&packed.by));
        let (mut until, mut before) = (vec![0.0; from.len()], vec![0.0; from.len()]);
        for lane in &packed.lanes {
            let (mut sum, mut at) = (0.0, lane.range().start);
            while at < lane.range().end {
                let same = at + from[at..lane.range().end].partition_point(|one| *one <= from[at]);
                let most = to[at..same].iter().copied().fold(from[at], f64::max);
                until[at..same].fill(most);
                before[at..same].fill(sum);
                sum += most - from[at];
                at = same;
            }
        }
        Self { all: packed.lanes, from, to, by, until, before }
    }

    /// A hold by its place.
    fn held(&self, lane: usize, at: usize) -> Held {
        let by = Some(self.by[at]).filter(|by| *by != NONE).map(|by| by as usize);
        Held { lane, from: self.from[at], to: self.to[at], by }
    }

    /// Holds of a lane that meet a stretch of time, in order.
    pub fn within(&self, lane: usize, from: f64, to: f64) -> impl Iterator<Item = Held> {
        let own = self.all[lane].range();
        // Those of one issue end together or before the next, so that ends of groups are in order.
        let first = own.start + self.until[own.clone()].partition_point(|&until| until <= from);
        let last = own.start + self.from[own].partition_point(|&start| start < to);
        (first..last.max(first)).map(move |at| self.held(lane, at)).filter(move |held| held.to > from)
    }

    /// The hold at a time, or the one that is nearest within some tolerance.
    pub fn hit(&self, lane: usize, time: f64, tolerance: f64) -> Option<Held> {
        let away = |held: &Held| (held.from - time).max(time - held.to).max(0.0);
        self.within(lane, time - tolerance, time + tolerance + f64::EPSILON)
            .min_by(|a, b| away(a).total_cmp(&away(b)))
    }

    /// From when to when a unit is held by nobody around a time; without an end where nobody comes after it.
    pub fn free(&self, lane: usize, time: f64) -> (f64, Option<f64>) {
        let own = self.all[lane].range();
        let at = own.start + self.from[own.clone()].partition_point(|&from| from <= time);
        let since = if at > own.start { self.until[at - 1] } else { 0.0 };
        (since, own.contains(&at).then(|| self.from[at]))
    }

    /// Cycles in which a unit is held before a time.
    fn held_before(&self, lane: usize, time: f64) -> f64 {
        let own = self.all[lane].range();
        let at = own.start + self.from[own.clone()].partition_point(|&from| from < time);
        if at == own.start {
            return 0.0;
        }
        self.before[at - 1] + self.until[at - 1].min(time) - self.from[at - 1]
    }

    /// Cycles in which a unit is held in a stretch of time.
    pub fn spent(&self, lane: usize, from: f64, to: f64) -> f64 {
        self.held_before(lane, to) - self.held_before(lane, from)
    }

    /// What columns of a lane show that are so wide, from left to right.
    pub fn columns(&self, lane: usize, wide: f64, which: std::ops::Range<i64>, put: &mut Vec<Shown>) {
        for column in which {
            let mut cycles = [0.0; KINDS];
            let (from, to) = (column as f64 * wide, (column + 1) as f64 * wide);
            cycles[usize::from(self.all[lane].unit)] = self.spent(lane, from, to);
            put.push(Shown::of(&cycles, wide));
        }
    }
}
