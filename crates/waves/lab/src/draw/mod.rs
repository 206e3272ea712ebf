//! The picture of a thread trace: a row for each slot of each SIMD over one axis of cycles. Instructions that issue are
//! bars in the colour of their unit; what a wave waits for differs in colour and in shape, as in pictures of warps.
//!
//! Stretches too short to be told apart are drawn as columns: how much of one issues, from the bottom, and to what most
//! of the rest went. So a picture has no more marks than it has room, however many instructions there are.

mod columns;
mod dim;
mod engines;
mod lanes;
mod lives;
mod marked;
mod places;
mod rows;
mod strip;

use crate::page::packed::UnitKind;
use crate::page::run::{Bar, Run};
use columns::Columns;
use kit::draw::list::{Align, DrawList, Hatch, Ink};
use kit::draw::scale::tick_step;
use kit::draw::{Scale, words};
use kit::page::Stretch;
use kit::timeline::WaitKind;
use waves::Cause;

pub use dim::dim;
pub use lives::lives;
pub use places::{Place, Placed, Under};
pub use strip::{strip, whole};

/// The room for names at the left.
const GUTTER: f64 = 134.0;
/// Room at the right.
const MARGIN: f64 = 10.0;
/// Height of the axis.
pub const AXIS: f64 = 22.0;
/// Size of text.
const SIZE: f64 = 11.0;

/// How the picture is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// Its width.
    pub width: f64,
    /// Its height, axis included.
    pub height: f64,
    /// Rows above those in sight, in pixels.
    pub down: f64,
    /// Left edge of the window.
    pub t0: f64,
    /// Right edge.
    pub t1: f64,
    /// What is selected.
    pub selected: Option<Bar>,
    /// What a line leads from to its witness: under the pointer, else selected.
    pub waits: Option<Bar>,
    /// The line of code whose instructions are lit.
    pub line: Option<usize>,
    /// Whether the units of each SIMD are shown beneath its waves.
    pub units: bool,
    /// The stretch that is selected.
    pub range: Option<Stretch>,
}

impl Look {
    /// All of a capture, so wide.
    pub fn whole(run: &Run, width: f64) -> Self {
        let mut look = Self {
            width,
            height: 0.0,
            down: 0.0,
            t0: 0.0,
            t1: run.end.max(1.0),
            selected: None,
            waits: None,
            line: None,
            units: true,
            range: None,
        };
        look.height = AXIS + look.all_height(run);
        look
    }

    /// Its axis.
    pub fn scale(&self) -> Scale {
        let gutter = gutter(self.width);
        Scale { from: self.t0, to: self.t1, left: gutter, right: (self.width - MARGIN).max(gutter + 1.0) }
    }
}

/// Narrow pictures have less room for names.
fn gutter(width: f64) -> f64 {
    GUTTER.min(width * 0.22)
}

/// The colour of a unit.
pub fn of_unit(unit: UnitKind) -> Ink {
    match unit {
        UnitKind::Vector => Ink::Class(0),
        UnitKind::Memory => Ink::Class(1),
        UnitKind::Lds => Ink::Class(2),
        UnitKind::Matrix => Ink::Class(3),
        UnitKind::Scalar => Ink::Class(4),
        UnitKind::ScalarMemory => Ink::Class(5),
        UnitKind::Control => Ink::Muted,
    }
}

/// The colour of a cause.
pub fn of_cause(cause: Cause) -> Ink {
    match cause {
        Cause::Issue => Ink::Class(0),
        Cause::Data => Ink::Wait(WaitKind::Data),
        Cause::Barrier => Ink::Wait(WaitKind::Free),
        Cause::Unit => Ink::Wait(WaitKind::Unit),
        Cause::MemoryPath => Ink::Density(1, 3),
        Cause::Told => Ink::Wait(WaitKind::Done),
        Cause::Chosen => Ink::Wait(WaitKind::Slot),
        Cause::Fetch => Ink::Density(5, 3),
        Cause::Dependency => Ink::Density(4, 3),
        Cause::Start | Cause::End => Ink::Grid,
        Cause::Unexplained => Ink::Wrong,
    }
}

/// The hatch of a cause whose colour is near that of a unit or of what control issues.
pub fn hatch_of(cause: Cause) -> Hatch {
    match cause {
        Cause::MemoryPath => Hatch::Class(0),
        Cause::Fetch => Hatch::Class(3),
        Cause::Dependency => Hatch::Class(2),
        Cause::Told => Hatch::Class(0),
        _ => Hatch::None,
    }
}

/// Draws the rows in sight.
pub fn draw(run: &Run, look: &Look) -> DrawList {
    Drawer::default().draw(run, look)
}

/// Draws one capture again and again, and keeps what a picture has in common with the one before.
#[derive(Debug, Default)]
pub struct Drawer {
    columns: Columns,
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
    let places: Vec<Placed> = look.places(run).into_iter().map(|own| own.moved(AXIS - look.down)).collect();
    let seen: Vec<&Placed> =
        places.iter().filter(|own| own.top + own.high > AXIS && own.top < look.height).collect();
    let bottom = seen.last().map_or(AXIS, |own| (own.top + own.high).min(look.height));
    for own in &seen {
        if matches!(own.what, Place::Row(_)) {
            list.rect((scale.left, own.top + 1.0), (scale.right - scale.left, own.high - 2.0), Ink::Band);
        }
        if own.apart > 0.0 {
            list.rect((0.0, own.top - own.apart / 2.0), (look.width, 1.0), Ink::Grid);
        }
    }
    let ticks = ticks(&scale, look);
    for tick in &ticks {
        let x = scale.pixel(*tick).round();
        list.line((x, AXIS - 4.0), (x, bottom), Ink::Grid);
    }
    for own in &seen {
        let place = (own.top, own.high);
        match own.what {
            Place::Engine(engine) => engines::engine(list, &run.engines[engine], &scale, place),
            Place::Row(row) => rows::bars(list, run, row, &scale, place, &mut drawer.columns),
            Place::Lane(lane) => lanes::lane(list, run, lane, &scale, place, &mut drawer.columns),
        }
    }
    marked::marked(list, run, look, &scale, &places);
    if let Some(range) = look.range {
        let of = |row: usize| places.iter().find(|own| own.what == Place::Row(row));
        let rows = range.rows.and_then(|(first, last)| Some((of(first)?, of(last)?)));
        let (top, end) = rows.map_or((AXIS, bottom), |(first, last)| {
            (first.top.max(AXIS), (last.top + last.high).min(bottom))
        });
        list.veil(&scale, (range.from, range.to), (top, end.max(top)));
    }
    // Over what was scrolled under the axis.
    list.rect((0.0, 0.0), (look.width, AXIS - 1.0), Ink::Ground);
    list.text((scale.left - 8.0, AXIS / 2.0), "cycle", Ink::Muted, SIZE, Align::End);
    for tick in ticks {
        let (x, number) = (scale.pixel(tick).round(), base::people::grouped(tick as u128));
        let half = words::width(&number, SIZE) / 2.0;
        if x - half >= scale.left - 6.0 && x + half <= look.width {
            list.text((x, AXIS / 2.0), number, Ink::Muted, SIZE, Align::Middle);
        }
    }
    for own in seen {
        let y = own.top + own.high / 2.0;
        if y > AXIS {
            let (label, size) = match own.what {
                Place::Engine(engine) => (engines::label(&run.engines[engine], scale.left), SIZE),
                Place::Row(row) => (label(run, row, scale.left), SIZE),
                Place::Lane(lane) => {
                    let size = SIZE.min(own.high - 1.0);
                    (lanes::label(&run.lanes.all[lane], scale.left, size), size)
                }
            };
            let label = words::fitted(&label, scale.left - 12.0, size);
            list.text((scale.left - 8.0, y), label, Ink::Muted, size, Align::End);
        }
    }
}

/// Round cycles, far enough apart for their numbers.
fn ticks(scale: &Scale, look: &Look) -> Vec<f64> {
    let step =
        tick_step(scale.per_unit(), 30.0 + words::width(&base::people::grouped(look.t1 as u128), SIZE))
            .max(1.0);
    let ticks = std::iter::successors(Some((look.t0 / step).ceil() * step), |tick| Some(tick + step));
    ticks.take_while(|tick| *tick <= look.t1).take(200).collect()
}

/// What a row is called: with its shader engine and compute unit where there are several; in numbers alone where there
/// is little room.
pub fn label(run: &Run, row: usize, room: f64) -> String {
    let Some(own) = run.rows.get(row) else { return String::new() };
    let several = |of: fn(&crate::page::layout::Row) -> u32| run.rows.iter().any(|row| of(row) != of(own));
    let mut parts = vec![("SIMD", own.simd), ("slot", own.slot)];
    if several(|row| row.cu) {
        parts.insert(0, ("CU", own.cu));
    }
    if several(|row| row.se) {
        parts.insert(0, ("SE", own.se));
    }
    let named: Vec<String> = parts.iter().map(|(name, number)| format!("{name} {number}")).collect();
    let named = named.join(" ");
    if words::width(&named, SIZE) <= room - 12.0 {
        return named;
    }
    parts.iter().map(|(_, number)| number.to_string()).collect::<Vec<_>>().join(".")
}
