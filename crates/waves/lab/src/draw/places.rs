//! What stands beneath what: of each shader engine how many waves it has, then SIMD by SIMD the rows of its waves and,
//! smaller, the lanes of its units.

use super::{AXIS, Look};
use crate::page::run::{Bar, Run};
use crate::page::{Held, layout};
use kit::page::window::rows_between;

/// Height of a row where there are many, and where there are few.
const ROWS: (f64, f64) = (18.0, 48.0);
/// Height of a lane as a share of that of a row, and the most of it.
const LANE: (f64, f64) = (0.65, 22.0);
/// Room above the first row of a SIMD.
const APART: f64 = 5.0;
/// Height of the waves on a shader engine.
const ENGINE: f64 = 26.0;

/// What stands at a height.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The waves on a shader engine.
    Engine(usize),
    /// A row of waves.
    Row(usize),
    /// The lane of a unit.
    Lane(usize),
}

/// Where something stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placed {
    /// What.
    pub what: Place,
    /// Its top.
    pub top: f64,
    /// Its height.
    pub high: f64,
    /// The room above that sets it apart.
    pub apart: f64,
}

impl Placed {
    /// The same, so much further down.
    pub(super) fn moved(self, by: f64) -> Self {
        Self { top: self.top + by, ..self }
    }
}

/// What the pointer is at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Under {
    /// A stretch of a wave.
    Bar(Bar),
    /// A unit that an instruction holds.
    Held(Held),
    /// A lane at a time at which nobody holds the unit.
    Free(usize, f64),
    /// The waves on a shader engine at a time.
    Engine(usize, f64),
}

impl Look {
    /// How high a row is: as there is room for all of them.
    pub fn row_height(&self, run: &Run) -> f64 {
        let stack = stack(run, self.units);
        let lanes = stack.iter().filter(|(what, _)| matches!(what, Place::Lane(_))).count() as f64;
        let fixed: f64 = stack.iter().map(|(what, apart)| apart + engine(*what)).sum();
        let parts = run.rows.len() as f64 + lanes * LANE.0;
        ((self.height - AXIS - fixed) / parts.max(1.0)).floor().clamp(ROWS.0, ROWS.1)
    }

    /// Where everything stands, before anything is scrolled.
    pub fn places(&self, run: &Run) -> Vec<Placed> {
        let row = self.row_height(run);
        let lane = (row * LANE.0).round().min(LANE.1);
        let mut top = 0.0;
        let placed = |(what, apart): (Place, f64)| {
            let high = match what {
                Place::Engine(_) => ENGINE,
                Place::Row(_) => row,
                Place::Lane(_) => lane,
            };
            let own = Placed { what, top: top + apart, high, apart };
            top += apart + high;
            own
        };
        stack(run, self.units).into_iter().map(placed).collect()
    }

    /// How high all of it is.
    pub fn all_height(&self, run: &Run) -> f64 {
        self.places(run).last().map_or(0.0, |last| last.top + last.high)
    }

    /// Where a row stands, before anything is scrolled.
    pub fn row(&self, run: &Run, row: usize) -> Option<Placed> {
        self.places(run).into_iter().find(|own| own.what == Place::Row(row))
    }

    /// The first and the last row of waves between two heights.
    pub fn rows_between(&self, run: &Run, between: (f64, f64)) -> Option<(usize, usize)> {
        let by = AXIS - self.down;
        let row = |own: Placed| match own.what {
            Place::Row(row) => Some((row, own.top + by, own.high)),
            Place::Engine(_) | Place::Lane(_) => None,
        };
        rows_between(self.places(run).into_iter().filter_map(row), between)
    }

    /// What is at a place.
    pub fn hit(&self, run: &Run, (x, y): (f64, f64)) -> Option<Under> {
        let (scale, at) = (self.scale(), y - AXIS + self.down);
        let inside = |own: &Placed| (own.top..own.top + own.high).contains(&at);
        let own = self.places(run).into_iter().find(inside).filter(|_| y >= AXIS && x >= scale.left - 3.0)?;
        let (time, near) = (scale.value(x), 3.0 / scale.per_unit());
        match own.what {
            Place::Row(row) => run.hit(row, time, near).map(Under::Bar),
            Place::Lane(lane) => Some(match run.lanes.hit(lane, time, near) {
                Some(held) => Under::Held(held),
                None => Under::Free(lane, time),
            }),
            Place::Engine(engine) => Some(Under::Engine(engine, time)),
        }
    }
}

fn engine(what: Place) -> f64 {
    if matches!(what, Place::Engine(_)) { ENGINE } else { 0.0 }
}

/// Everything from top to bottom, with the room above it.
fn stack(run: &Run, units: bool) -> Vec<(Place, f64)> {
    let simd = |row: &layout::Row| (row.se, row.cu, row.simd);
    let mut found = Vec::with_capacity(run.rows.len() + run.lanes.all.len());
    let (mut row, mut lane) = (0, 0);
    while row < run.rows.len() {
        let (first, mut apart) = (&run.rows[row], if row > 0 { APART } else { 0.0 });
        let begins = row == 0 || run.rows[row - 1].se != first.se;
        let at = run.engines.iter().position(|engine| engine.se == first.se);
        if let Some(at) = at.filter(|_| begins) {
            found.push((Place::Engine(at), std::mem::replace(&mut apart, APART)));
        }
        while row < run.rows.len() && simd(&run.rows[row]) == simd(first) {
            found.push((Place::Row(row), std::mem::take(&mut apart)));
            row += 1;
        }
        // Lanes come in the same order; every SIMD that has some has rows.
        while let Some(own) = run.lanes.all.get(lane).filter(|own| (own.se, own.cu, own.simd) == simd(first))
        {
            debug_assert!(own.se == first.se);
            if units {
                found.push((Place::Lane(lane), 0.0));
            }
            lane += 1;
        }
    }
    found
}
