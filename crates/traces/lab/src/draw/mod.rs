//! The picture of a recorded run: rows of bars over one axis of time, and the whole of it in a strip.
//!
//! Bars too close to be told apart are drawn as how much of a column they cover, so a picture has no more marks than it
//! has room, however many operations there are.

use crate::page::packed::{Lane, cause};
use crate::page::run::{Bar, Run};
use kit::draw::list::{Align, DrawList, Hatch, Ink, Mark};
use kit::draw::nanos::{SIZE, ticks};
use kit::draw::{Scale, words};
use kit::timeline::WaitKind;
use traces::Cause;

/// The room for names at the left.
pub const GUTTER: f64 = 132.0;
/// Room at the right.
const MARGIN: f64 = 12.0;
/// Height of the axis.
pub const AXIS: f64 = 22.0;
/// Height of a row where there are many, and where there are few.
const ROWS: (f64, f64) = (22.0, 56.0);
/// Width of a column in which bars are too close to be told apart.
const COLUMN: f64 = 2.0;
/// More bars in sight than this for each column are drawn as columns.
const CLOSE: f64 = 0.5;
/// Height of the strip of the whole run.
pub const STRIP: f64 = 36.0;

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
    /// Who is to blame for it.
    pub witness: Option<Bar>,
    /// Since when everything known permits what is selected.
    pub earliest: Option<f64>,
    /// The stretch of time that is selected.
    pub range: Option<(f64, f64)>,
}

impl Look {
    /// All of a run, so wide.
    pub fn whole(run: &Run, width: f64) -> Self {
        let height = AXIS + run.rows.len() as f64 * ROWS.0;
        Self {
            width,
            height,
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
        ((self.height - AXIS) / run.rows.len().max(1) as f64).floor().clamp(ROWS.0, ROWS.1)
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
        (Lane::Thread, 2) => (Ink::Density(1, 3), Hatch::None),
        (Lane::Thread, _) => (Ink::Density(5, 2), Hatch::None),
    }
}

/// Draws the rows in sight.
pub fn draw(run: &Run, look: &Look) -> DrawList {
    let mut list = DrawList::new(look.width, look.height);
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
        bars(&mut list, run, row, &scale, (top(row), high));
    }
    marked(&mut list, run, look, &scale, &top);
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
    list
}

/// The bars of a row: each by itself where there is room, else as how much of each column they cover.
fn bars(list: &mut DrawList, run: &Run, row: usize, scale: &Scale, (top, high): (f64, f64)) {
    let (lane, inside) = (run.rows[row].lane, run.within(row, scale.from, scale.to));
    let columns = ((scale.right - scale.left) / COLUMN).max(1.0);
    if inside.len() as f64 > columns * CLOSE {
        return dense(list, run, row, scale, (top, high));
    }
    for place in inside {
        let bar = run.bar(row, place);
        let (left, right) = (scale.pixel(bar.start).max(scale.left), scale.pixel(bar.end).min(scale.right));
        if right < scale.left || left > scale.right {
            continue;
        }
        let (ink, hatch) = of_bar(lane, bar.kind);
        // A gap between neighbours, where there is room for it.
        let width = (right - left - f64::from(right - left > 4.0)).max(1.0);
        let (y, h) = inset(lane, (top, high));
        list.marks.push(Mark::Rect { x: left, y, w: width, h, ink, hatch });
        let text = run.text(&bar);
        if width > 28.0 && !text.is_empty() {
            let text = words::fitted(text, width - 8.0, 11.0);
            list.text((left + 4.0, top + high / 2.0), text, Ink::OnClass, 11.0, Align::Start);
        }
    }
}

fn inset(lane: Lane, (top, high): (f64, f64)) -> (f64, f64) {
    let by = if lane == Lane::Idle { high * 0.22 } else { high * 0.14 };
    (top + by, high - 2.0 * by)
}

/// Columns that show how much of them is covered, in the colour of the bar that is longest there.
fn dense(list: &mut DrawList, run: &Run, row: usize, scale: &Scale, (top, high): (f64, f64)) {
    let lane = run.rows[row].lane;
    let (y, h) = inset(lane, (top, high));
    let mut last: Option<(f64, f64, u8, u8)> = None;
    let mut x = scale.left;
    let mut flush = |last: Option<(f64, f64, u8, u8)>| {
        if let Some((x, to, kind, level)) = last {
            let (ink, hatch) = of_bar(lane, kind);
            let hatch = if level >= 4 { hatch } else { Hatch::None };
            // Idle time has as many colours as causes: how much of it there is shows in the height.
            let (ink, part) = match ink {
                Ink::Class(class) if lane != Lane::Idle => (Ink::Density(class, level), 1.0),
                ink if lane == Lane::Idle => (ink, f64::from(level) / 4.0),
                ink => (ink, 1.0),
            };
            list.marks.push(Mark::Rect { x, y: y + h * (1.0 - part), w: to - x, h: h * part, ink, hatch });
        }
    };
    while x < scale.right {
        let to = (x + COLUMN).min(scale.right);
        let (from, until) = (scale.value(x), scale.value(to));
        let share = run.share(row, from, until);
        let now = (share > 0.0).then(|| {
            let longest = run.longest(row, from, until);
            (longest.map_or(0, |bar| bar.kind), (share * 4.0).ceil().clamp(1.0, 4.0) as u8)
        });
        match (&mut last, now) {
            (Some((_, end, kind, level)), Some((now_kind, now_level)))
                if *kind == now_kind && *level == now_level =>
            {
                *end = to
            }
            (_, now) => {
                flush(last.take());
                last = now.map(|(kind, level)| (x, to, kind, level));
            }
        }
        x = to;
    }
    flush(last);
}

/// What is selected, and what it has to do with.
fn marked(list: &mut DrawList, run: &Run, look: &Look, scale: &Scale, top: &dyn Fn(usize) -> f64) {
    let clip = |x: f64| x.clamp(scale.left, scale.right);
    let high = look.row_height(run);
    if let Some((from, to)) = look.range {
        let (left, right) = (clip(scale.pixel(from.min(to))), clip(scale.pixel(from.max(to))));
        list.rect((left, AXIS), (right - left, look.height - AXIS), Ink::Veil);
    }
    let frame = |list: &mut DrawList, bar: &Bar, ink: Ink| {
        let (left, right) = (scale.pixel(bar.start), scale.pixel(bar.end));
        if right >= scale.left && left <= scale.right {
            let (left, right) = (clip(left), clip(right));
            let (y, h) = inset(run.rows[bar.row].lane, (top(bar.row), high));
            list.marks.push(Mark::Frame {
                x: left - 1.0,
                y: y - 1.0,
                w: (right - left).max(1.0) + 2.0,
                h: h + 2.0,
                ink,
                line: 2.0,
            });
        }
    };
    let Some(bar) = &look.selected else { return };
    let middle = |row: usize| top(row) + high / 2.0;
    if let Some(earliest) = look.earliest.filter(|&time| time < bar.start) {
        let (left, right) = (clip(scale.pixel(earliest)), clip(scale.pixel(bar.start)));
        if right > left {
            list.rect((left, middle(bar.row) - 2.0), (right - left, 4.0), Ink::Veil);
            list.line((left, top(bar.row) + 2.0), (left, top(bar.row) + high - 2.0), Ink::Accent);
        }
    }
    if let Some(witness) = &look.witness {
        frame(list, witness, Ink::Proof);
        let thread = run.rows[witness.row].lane == Lane::Thread;
        let (from, to) =
            (scale.pixel(if thread { witness.start } else { witness.end }), scale.pixel(bar.start));
        if from.max(to) >= scale.left && from.min(to) <= scale.right {
            let (from, to) = (clip(from), clip(to));
            list.marks.push(Mark::Line {
                from: (from, middle(witness.row)),
                to: (to, middle(bar.row)),
                ink: Ink::Proof,
                line: 1.5,
            });
        }
    }
    frame(list, bar, Ink::Accent);
}

/// Draws all of the run in a strip: how busy each device is, and the colour of why it is idle.
pub fn strip(run: &Run, width: f64) -> DrawList {
    let mut list = DrawList::new(width, STRIP);
    let scale = whole(run, width);
    list.rect((0.0, 0.0), (width, STRIP), Ink::Ground);
    let of = |lane: Lane, device: u32| {
        let fits = move |row: &usize| run.rows[*row].lane == lane && run.rows[*row].device == Some(device);
        (0..run.rows.len()).filter(fits)
    };
    let devices: Vec<u32> =
        (0..run.devices.len() as u32).filter(|&one| of(Lane::Stream, one).next().is_some()).collect();
    let h = STRIP / devices.len().max(1) as f64;
    for (at, &device) in devices.iter().enumerate() {
        let (y, streams): (f64, Vec<usize>) = (at as f64 * h, of(Lane::Stream, device).collect());
        let idle = of(Lane::Idle, device).next();
        let mut x = scale.left;
        while x < scale.right {
            let to = (x + COLUMN).min(scale.right);
            let (from, until) = (scale.value(x), scale.value(to));
            let busy = streams.iter().map(|&row| run.share(row, from, until)).fold(0.0, f64::max);
            let share = idle.map_or(0.0, |row| run.share(row, from, until));
            if busy > 0.0 {
                list.rect((x, y + 1.0), (to - x, (h - 2.0) * busy), Ink::Class(0));
            }
            if let Some(row) = idle.filter(|_| share > 0.0) {
                let kind = run.longest(row, from, until);
                let (ink, _) = of_bar(Lane::Idle, kind.map_or(9, |bar| bar.kind));
                list.rect((x, y + 1.0 + (h - 2.0) * (1.0 - share)), (to - x, (h - 2.0) * share), ink);
            }
            x = to;
        }
    }
    list.text((scale.left - 8.0, STRIP / 2.0), "whole run", Ink::Muted, 11.0, Align::End);
    list
}

/// The axis of the strip.
pub fn whole(run: &Run, width: f64) -> Scale {
    let gutter = gutter(width);
    Scale { from: 0.0, to: run.end.max(1.0), left: gutter, right: (width - MARGIN).max(gutter + 1.0) }
}
