//! The picture of a recorded run: rows of bars over one axis of time, and the whole of it in a strip.
//!
//! Bars too close to be told apart are drawn as how much of a column they cover, so a picture has no more marks than it
//! has room, however many operations there are.

mod dim;
mod marked;
mod rows;
mod strip;

use crate::page::columns::Shown;
use crate::page::packed::{Lane, cause};
use crate::page::run::{Bar, Run};
use kit::draw::list::{Align, DrawList, Hatch, Ink};
use kit::draw::nanos::{SIZE, ticks};
use kit::draw::{Scale, words};
use kit::page::window::rows_between;
use kit::timeline::WaitKind;
use kit::timeline::columns::Columns;
use rows::Stretch;
use traces::Cause;

pub use dim::dim;
pub use strip::{strip, whole};

/// The room for names at the left.
pub const GUTTER: f64 = 132.0;
/// Room at the right.
const MARGIN: f64 = 12.0;
/// Height of the axis.
pub const AXIS: f64 = 22.0;
/// Height of a row where there are many, and where there are few.
const ROWS: (f64, f64) = (22.0, 260.0);
/// Width of the narrowest column in which bars are too close to be told apart.
const COLUMN: f64 = 2.0;
/// Height of the strip of the whole run.
pub const STRIP: f64 = 36.0;

/// How the picture is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// Its width.
    pub width: f64,
    /// Its height, axis included.
    pub height: f64,
    /// The height that rows are made to fill: they stay as high while something else takes room from the picture.
    pub fit: f64,
    /// Rows above those in sight, in pixels.
    pub down: f64,
    /// Left edge of the window.
    pub t0: f64,
    /// Right edge.
    pub t1: f64,
    /// What is selected.
    pub selected: Option<Bar>,
    /// Who is to blame for it.
    pub witness: Option<Bar>,
    /// Since when everything known permits what is selected.
    pub earliest: Option<f64>,
    /// The stretch of time that is selected.
    pub range: Option<kit::page::Stretch>,
}

impl Look {
    /// All of a run, so wide.
    pub fn whole(run: &Run, width: f64) -> Self {
        let height = AXIS + run.rows.len() as f64 * ROWS.0;
        Self {
            width,
            height,
            fit: height,
            down: 0.0,
            t0: 0.0,
            t1: run.end.max(1.0),
            selected: None,
            witness: None,
            earliest: None,
            range: None,
        }
    }

    /// Its axis.
    pub fn scale(&self) -> Scale {
        let gutter = gutter(self.width);
        Scale { from: self.t0, to: self.t1, left: gutter, right: (self.width - MARGIN).max(gutter + 1.0) }
    }

    /// How high a row is: as there is room for all of them.
    pub fn row_height(&self, run: &Run) -> f64 {
        ((self.fit.max(self.height) - AXIS) / run.rows.len().max(1) as f64).floor().clamp(ROWS.0, ROWS.1)
    }

    /// Top of a row.
    pub fn top(&self, run: &Run, row: usize) -> f64 {
        AXIS + row as f64 * self.row_height(run) - self.down
    }

    /// How high all rows are together.
    pub fn rows_height(&self, run: &Run) -> f64 {
        run.rows.len() as f64 * self.row_height(run)
    }

    /// The row at a height.
    pub fn row(&self, run: &Run, y: f64) -> Option<usize> {
        let at = (y - AXIS + self.down) / self.row_height(run);
        (y >= AXIS && at >= 0.0).then_some(at as usize).filter(|&row| row < run.rows.len())
    }

    /// The first and the last row between two heights.
    pub fn rows_between(&self, run: &Run, between: (f64, f64)) -> Option<(usize, usize)> {
        let high = self.row_height(run);
        let rows = (0..run.rows.len()).map(|row| (row, AXIS - self.down + row as f64 * high, high));
        rows_between(rows, between)
    }

    /// What is at a place.
    pub fn hit(&self, run: &Run, (x, y): (f64, f64)) -> Option<Bar> {
        let scale = self.scale();
        let row = self.row(run, y).filter(|_| x >= scale.left - 3.0)?;
        run.hit(row, scale.value(x), 3.0 / scale.per_unit())
    }
}

/// Narrow pictures have less room for names.
fn gutter(width: f64) -> f64 {
    GUTTER.min(width * 0.25)
}

/// The colour and hatch of a cause.
pub fn of_cause(cause: Cause) -> (Ink, Hatch) {
    match cause {
        Cause::Launch => (Ink::Class(1), Hatch::None),
        Cause::HostWait => (Ink::Class(4), Hatch::Class(4)),
        Cause::Stream => (Ink::Class(5), Hatch::None),
        Cause::Event => (Ink::Class(3), Hatch::None),
        Cause::NullStream => (Ink::Class(3), Hatch::Class(2)),
        Cause::CopyEngine => (Ink::Class(2), Hatch::Class(1)),
        Cause::Room => (Ink::Class(5), Hatch::Class(3)),
        Cause::Process => (Ink::Wait(WaitKind::Free), Hatch::None),
        Cause::Latency => (Ink::Wait(WaitKind::Done), Hatch::None),
        Cause::Unexplained => (Ink::Wrong, Hatch::None),
    }
}

/// The colour and hatch of a bar.
fn of_bar(lane: Lane, kind: u8) -> (Ink, Hatch) {
    match (lane, kind) {
        (Lane::Idle, kind) => of_cause(cause(kind)),
        (Lane::Stream, 0) => (Ink::Class(0), Hatch::None),
        (Lane::Stream, 1) => (Ink::Class(2), Hatch::None),
        (Lane::Stream, _) => (Ink::Class(2), Hatch::Class(2)),
        (Lane::Was, 0) => (Ink::Density(0, 2), Hatch::None),
        (Lane::Was, _) => (Ink::Density(2, 2), Hatch::None),
        (Lane::Thread, 1) => (Ink::Class(4), Hatch::None),
        (Lane::Thread, 2) => (Ink::Density(1, 2), Hatch::None),
        (Lane::Thread, _) => (Ink::Density(5, 2), Hatch::None),
    }
}

/// Draws the rows in sight.
pub fn draw(run: &Run, look: &Look) -> DrawList {
    Drawer::default().draw(run, look)
}

/// Draws one run again and again, and keeps what a picture has in common with the one before.
#[derive(Debug, Default)]
pub struct Drawer {
    columns: Columns<Shown>,
    stretches: Vec<Stretch>,
    /// Marks of the last picture.
    marks: usize,
}

impl Drawer {
    /// Draws the rows in sight.
    pub fn draw(&mut self, run: &Run, look: &Look) -> DrawList {
        let mut list = DrawList::new(look.width, look.height);
        list.marks.reserve(self.marks + self.marks / 4);
        whole_picture(&mut list, run, look, self);
        self.marks = list.marks.len();
        list
    }
}

fn whole_picture(list: &mut DrawList, run: &Run, look: &Look, drawer: &mut Drawer) {
    let scale = look.scale();
    list.rect((0.0, 0.0), (look.width, look.height), Ink::Ground);
    let high = look.row_height(run);
    let first = (look.down / high).max(0.0) as usize;
    let last = ((look.down + look.height - AXIS) / high).ceil().max(0.0) as usize;
    let seen = first.min(run.rows.len())..last.min(run.rows.len());
    let top = |row: usize| look.top(run, row);
    for row in seen.clone() {
        if matches!(run.rows[row].lane, Lane::Idle | Lane::Was) {
            list.rect((0.0, top(row)), (look.width, 1.0), Ink::Grid);
        }
        list.rect((scale.left, top(row) + 2.0), (scale.right - scale.left, high - 4.0), Ink::Band);
    }
    let numbers = ticks(&scale);
    for (nanos, _) in &numbers.at {
        let x = scale.pixel(*nanos as f64).round();
        list.line((x, AXIS - 4.0), (x, top(seen.end)), Ink::Grid);
    }
    for row in seen.clone() {
        rows::bars(list, run, row, &scale, (top(row), high), drawer);
    }
    marked::marked(list, run, look, &scale, &top);
    // Over bars that were scrolled under the axis.
    list.rect((0.0, 0.0), (look.width, AXIS - 1.0), Ink::Ground);
    list.text((scale.left - 8.0, AXIS / 2.0), numbers.unit, Ink::Muted, SIZE, Align::End);
    for (nanos, number) in numbers.at {
        let x = scale.pixel(nanos as f64).round();
        let half = words::width(&number, SIZE) / 2.0;
        if x - half >= scale.left - 6.0 && x + half <= look.width {
            list.text((x, AXIS / 2.0), number, Ink::Muted, SIZE, Align::Middle);
        }
    }
    for row in seen {
        let name = &run.rows[row];
        let ink = if name.lane == Lane::Idle { Ink::Text } else { Ink::Muted };
        let label = words::fitted(&name.label, scale.left - 14.0, 11.0);
        let y = top(row) + high / 2.0;
        if y > AXIS {
            list.text((scale.left - 8.0, y), label, ink, 11.0, Align::End);
        }
    }
}

fn inset(lane: Lane, (top, high): (f64, f64)) -> (f64, f64) {
    let by = if lane == Lane::Idle { high * 0.22 } else { high * 0.14 };
    (top + by, high - 2.0 * by)
}
